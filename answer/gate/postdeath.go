package gate

import (
	"regexp"
	"sync"
)

// afterEnd returns the name of the rule by which a question concerns only
// what came after the archive's end, or "". lookup holds the words by which the
// records of the archive could still claim it.
func afterEnd(q reading, e period, dead bool) (name string, lookup []string) {
	r := later()
	if pastEnd(q.used, e.last) {
		if r.foreseen.MatchString(q.used) && r.asked.MatchString(q.used) {
			return "", nil // what was expected of 1700 can have been written before
		}
		return "date", nil
	}
	if within(q.used, e.last) {
		return "", nil
	}
	relative := r.request.MatchString(q.used) && !r.firstPerson.MatchString(polite().ReplaceAllString(q.used, ""))
	since, what := thing(q)
	switch {
	default:
		return "", nil
	case dead && r.own.MatchString(q.used) && !r.asked.MatchString(r.own.ReplaceAllString(q.used, " ")), dead && r.named.MatchString(q.used) && !r.thought.MatchString(q.used):
		return "after death", nil
	case dead && fire(aftermath(), q.used) != "":
		name = fire(aftermath(), q.used)
		if m := r.rites.FindString(q.used); m != "" {
			lookup = []string{m}
		}
		return name, lookup
	case e.last < since && !(r.meta.MatchString(q.used) && holdings[what] && !r.asked.MatchString(q.used)):
		return "anachronism", []string{what}
	case dead && supposed(q.used):
		return "supposed", content(q.used)
	case dead && e.last < present && received().MatchString(q.used) && !r.asked.MatchString(q.used):
		return "posterity", nil
	case relative && e.last < present && r.now.MatchString(q.used) && !r.meta.MatchString(q.used) && !r.asked.MatchString(q.used):
		return "present", nil
	case dead && e.last < present && r.asker.MatchString(q.used):
		return "asker's world", nil
	case relative && dead && e.last < r.back(q.used) && !r.told.MatchString(q.used) && !r.meta.MatchString(q.used):
		return "relative date", nil
	}
}

// aftermath are the rules about what follows a death, without a date.
var aftermath = sync.OnceValue(func() []rule {
	const asked = `\b(?:did|had|has) (?:he|she|they|you|zzsubject)\b|\b(?:he|she|they|you|zzsubject) (?:ever |also |once |often )*(?:hoped|expected|planned|feared|wanted|wished|wrote|said|imagined|described|ordered|thought)\b`
	return rules(
		[3]string{"revived", `\b(?:if|suppose|supposing|imagine|assuming|had|were) SUBJ (?:were |was |had |could |would |be |is )?(?:still )?(?:alive|living (?:now|today)|here (?:now|today|with)|with us|around (?:now|today)|born (?:now|today)|lived (?:to|until|longer|today|now|in|another|on)|live (?:today|now|in)|survived (?:to|until)|come back|came back|return(?:ed)? (?:today|to life|from the))\b|\bstill alive\b|\b(?:live|lived) to see\b|\b(?:is|does|are|do) SUBJ (?:happy|pleased|proud|sad|angry|like|mind|approve|enjoy)\b.*\b(?:today|now|nowadays|these days)\b|\bis SUBJ (?:in heaven|at peace|watching|still with|with (?:us|god)|ok|okay|dead|happy there)|\bif SUBJ (?:had(?:n't| not)|did not|didn't) (?:died|die|passed|pass)|\bhow long (?:has|have) SUBJ been (?:dead|gone)|\bc[ao]me back (?:to life|from the (?:dead|grave))|\b(?:if|were|suppose|imagine) (?:SUBJ|OBJ) (?:were |was |to |had )*(?:brought|wok?e|wakes?|awoken?|walk(?:ed)?|woken) (?:back to life|up today|among us|into (?:a|our|the) modern)|\btime[- ]?travel|\bbeyond the grave\b|\breincarnat|\bin (?:heaven|the afterlife)\b.*\bnow\b`, `\b(?:did|does) SUBJ (?:believe|think|say|write|hope|expect|mention|describe)`},
		[3]string{"funeral", `\b(?:his|her|their|your|zzsubject(?:'s)?) (?:own )?(?:funeral|burial|obituar(?:y|ies)|tomb(?:stone)?|gravestone|headstone|grave|death certificate|memorial service|widow|widower|wake|eulog(?:y|ies)|ashes)\b|\bfuneral of (?:OBJ|zzsubject)|\bwhere (?:is|was|are|were) SUBJ (?:now )?(?:buried|laid to rest|interred|cremated)|\b(?:was|were) SUBJ (?:ever |then )?(?:buried|interred|cremated|laid to rest|embalmed)\b|\b(?:his|her|your|zzsubject's) (?:coffin|corpse|skeleton|skull|death ?mask|autopsy|post-mortem|heirs?|burial place|last resting place)\b|\bwhen (?:the|his|her|your) will was (?:read|proved|opened)\b|\bobituar(?:y|ies)\b|\bwhen (?:SUBJ) (?:was|were) (?:buried|cremated|laid to rest|interred)\b`, asked},
		[3]string{"posterity", `\bposthumous(?:ly)?\b|\b(?:years|centuries|decades|generations) (?:after|following|since|on from) (?:him|her|you|zzsubject|(?:his|her|your|zzsubject's) (?:own )?(?:death|time|day|lifetime|passing|era|age))\b|\b(?:how|who|what|where) (?:is|are|has|have|does|do)\b.*\b(?:present|current|reigning|today's) (?:king|queen|monarch|government|prime minister|president|pope|mayor|bishop|navy|lord high admiral|ministry)\b|\b(?:his|her|their|zzsubject(?:'s)?) (?:lasting )?(?:legacy (?:today|now|to|for|in)|(?:lasting|cultural|literary|historical|political) (?:legacy|influence|impact)|biograph(?:er|ers|y|ies)|modern (?:reputation|readers)|reputation (?:today|now)|living descendants|descendants)\b|\b(?:later|modern|today's|present-day|future|subsequent|contemporary) (?:historians?|scholars?|critics?|generations?|readers?|biographers?|editors?|audiences?|researchers?|academics?)\b|\bposterity\b|\bafter (?:losing|the loss of|they lost|we lost) (?:OBJ)\b|\bin the (?:wake|aftermath) of (?:his|her|zzsubject's) (?:death|passing)|\bsince (?:SUBJ) left us\b|\b(?:who|whom|did \w+|which \w+) inherit(?:ed|s)? (?:his|her|their|zzsubject's)|\bstill (?:in print|popular|read today|taught|famous|relevant|remembered)|\b(?:diary|journals?) (?:\w+ )?(?:first )?(?:published|printed|deciphered|decoded|transcribed|adapted|made into|turned into|discovered|auctioned|digiti[sz]ed|translated)\b|\b(?:do|have|would|can|should) (?:\w+ )?(?:historians|scholars|biographers|academics|researchers) (?:\w+ )?(?:think|say|said|agree|believe|see|view|regard|make|made|interpret|judge|rate)|\bhow (?:is|are|was|were|will) (?:SUBJ|the diary) (?:be )?(?:remembered|regarded today|seen today|viewed today|celebrated|commemorated)|\b(?:statue|film|movie|documentary|museum|biography|novel|play|tv series) (?:of|about|dedicated to|based on) (?:OBJ|the diary)|\banniversary of (?:his|her|their|zzsubject's) (?:death|birth)|\b(?:centuries|generations|hundreds of years|\d{3} years|a hundred years|(?:one|two|three|four) (?:hundred years|centuries)) (?:later|after (?:him|her|zzsubject|his|her)|from now|hence)\b`, asked},
		[3]string{"posterity", `\b(?:modern|present-day|today's|living|recent) (?:doctors?|physicians|surgeons|medicine|science|scientists?|writers?|authors?|actors?|editors?|lawyers?|sailors?|admirals?|economists?|psychologists?|psychiatrists?|feminists?|experts?|londoners|britain|england|london|people)\b|\b(?:your|his|her|zzsubject's|the) (?:diary|journals?|library|books|bookcases|shorthand|house|name|portrait)\b.*\b(?:became|become|is|are|was|were|has been|have been) (?:so |very |now |finally |first )?(?:famous|well[- ]known|a classic|classic|best-?seller|celebrated|discovered|rediscovered|found again|decoded|deciphered|cracked|translated|transcribed|published|printed|in print|digiti[sz]ed|on display|kept|preserved|housed|owned|worth)\b|\b(?:your|his|her|zzsubject's) (?:statue|plaque|blue plaque|bust|museum|biograph\w+|fan|fans|fame|legacy|descendants|posthumous \w+)\b|\b(?:statue|plaque|biography|museum|exhibition|documentary|podcast|film|play|novel|book) (?:of|to|about|on) (?:you|him|zzsubject)\b|\b(?:in|over|during) the (?:last|past) (?:(?:\d\d+|hundred|two hundred|three hundred|few hundred) (?:and \w+ )?years|(?:two|three|few|several) centuries|century)\b`, asked + `|\b(?:will|would|should|going to) be\b`},
		[3]string{"posterity", `\b(?:is|are|does|do|has|have)\b.*\bstill (?:standing|there|alive|in use|used|open|around|exists?|survives?|working|running|kept|preserved|read|visited|the same|a|an|in (?:existence|business))\b|\b(?:diary|journal|shorthand|papers|library|name)\b.*\b(?:kept|remain\w*|stay\w*|lay|lie) (?:\w+ )?(?:secret|hidden|unread|unpublished|undeciphered|forgotten|unknown|in obscurity)\b|\b(?:discovered|cracked|broke|solved|deciphered|decoded|found|worked out|puzzled out|unlocked) (?:the (?:key|code|secret|meaning) (?:to|of|in) )?(?:your|his|her|zzsubject's) (?:shorthand|code|cipher|diary|journal|secret)\b|\b(?:you|he|she|zzsubject) left (?:him|her|them|it|to (?:him|her|them)|behind|in (?:your|his|her) will)\b|\bafter so (?:many|long)\b.*\b(?:years|centuries|a time)\b|\b(?:your|his|zzsubject's) (?:tombstone|epitaph|memorial stone|gravestone|headstone)\b`, asked},
		[3]string{"vote", `\b(?:would|will|does) SUBJ (?:have )?(?:vote|voted|tweet|tweeted|post|stream|google|text me|call me)\b|\b(?:which|what) (?:party|candidate) would\b|\bhow old would SUBJ be\b|\bwould (?:SUBJ|zzsubject) have (?:been|turned) \d+ (?:today|this year|now)`, ``},
	)
})

type laterPatterns struct {
	own, named, thought, rites, asker, asked, told, meta, now *regexp.Regexp
	lately, decades, lastYear, lastDecade, ownLast, theLast   *regexp.Regexp
	request, firstPerson, foreseen                            *regexp.Regexp
}

// back returns the earliest day that a text's "yesterday", "last year" or "in
// the past decade" can reach back to, rounded down generously, or noDay.
func (l laterPatterns) back(s string) day {
	s = l.ownLast.ReplaceAllString(s, " ")
	bare := l.theLast.ReplaceAllString(s, " ")
	switch {
	default:
		return noDay
	case l.decades.MatchString(s), l.lastDecade.MatchString(bare):
		return present - 100_0000
	case l.lately.MatchString(s), l.lastYear.MatchString(bare):
		return present - 10_0000
	}
}

var later = sync.OnceValue(func() laterPatterns {
	compile := func(name, pattern string) *regexp.Regexp {
		return rules([3]string{name, pattern, ""})[0].match
	}
	var l laterPatterns
	const gone = `(?:(?:had |has |have |was |were |is |are )?(?:died|dead|passed away|passed on|passed|buried|gone|deceased|departed|no longer alive))`
	l.own = compile("own", `\b(?:after|since|following|upon|once|now that) (?:(?:his|her|their|your) (?:own )?(?:death|passing|funeral|burial|demise|decease|end)|(?:he|she|they|you) `+gone+`)\b`)
	// Where the subject is named, only what was thought of the time after is
	// about the time before.
	l.named = compile("named", `\b(?:after|since|following|upon|once|now that) (?:zzsubject(?:'s)? (?:death|passing|funeral|burial|demise|decease)|zzsubject `+gone+`|the (?:death|passing|funeral|burial) of zzsubject)\b|\bzzsubject(?:'s)? (?:funeral|burial|obituary)\b`)
	l.thought = compile("thought", `\b(?:think|thought|hope[ds]?|expect(?:ed|s)?|fear(?:ed|s)?|want(?:ed|s)?|wish(?:ed|es)?|plan(?:ned|s)?|imagine[ds]?|say|said|says|write|wrote|describe[ds]?|provide[ds]?|bequeath(?:ed)?|leave|left)\b`)
	l.rites = compile("rites", `\b(?:funeral|burial|obituar(?:y|ies)|tomb(?:stone)?|grave(?:stone)?|memorial service|eulog(?:y|ies)|widow(?:er)?|biograph(?:er|ers|y|ies)|statue|museum|documentary|posthumous(?:ly)?|descendants)\b`)
	l.asker = compile("asker", `\b(?:would|will|should|might|could|'d) (?:he|she|they|zzsubject)\b.*\b(?:i|i'm|i've|i'd|me|us|we|we're|my|our|ours|this (?:app|website|archive|chat|program|conversation|project)|modern|contemporary|present-day|current \w+|today's|technology|the digital age|the world (?:we live in|as it is)|(?:young )?people today)\b|\b(?:does|is|do) (?:he|she|zzsubject) (?:\w+ )?(?:know|think|love|miss|see|watch|watching|forgive|remember|proud|angry|happy|mad|hear|approve)\b.*\b(?:i|i'm|i've|me|us|we|my|our)\b`)
	l.asked = compile("asked", `\b(?:did|had|has|was|were) SUBJ\b|\bSUBJ (?:ever |also |even |once |often |already )*(?:said|wrote|written|described|told|mentioned|recorded|noted|thought|felt|did|was|were|had|hoped|expected|planned|feared|wanted|believed|saw|went|made|wished|intended|knew|met|read|bought|built|left|lived)\b`)
	l.told = compile("told", `\bSAID\b|\b(?:had|by then|that day|mean|meant|remember(?:s|ed)?|recall(?:s|ed)?)\b`)
	l.meta = compile("meta", `\b(?:archives?|collections?|catalogue|inventory|muniment|letters?|papers|diary|diaries|journals?|manuscripts?|documents?|artifacts?|entries|entry|records?|zzname)\b`)
	l.now = compile("now", `\b(?:today|today's|tomorrow|nowadays|these days|right now|as of now|at this moment|in our (?:time|day)|currently|modern-day|present-day|modern times|modern (?:world|society|politics|technology|science|medicine|life)|contemporary (?:world|society|politics)|(?:this|next) (?:year|month|week|century|decade|weekend|summer|winter|election)|in the future|years? from now|from now on|the (?:current|latest|most recent) (?:news|war|government|president|prime minister|election|pandemic|crisis|king|queen|pope|events)|current (?:events|affairs|politics))\b|\bnow\?*$`)
	l.lately = compile("lately", `\b(?:yesterday|(?:in|over|during) (?:the (?:past|last) (?:few |couple of |two |three |five )?(?:years?|months?|weeks?|days)|recent (?:years|months|weeks))|(?:a|two|three|four|five|a few) (?:years?|months?|weeks?|days) ago|recent (?:news|events|elections?|developments))\b`)
	l.lastYear = compile("last year", `\blast (?:year|month|week|night|summer|winter|spring|autumn|weekend|christmas)\b|\b(?:happen\w*|news|speech|match|vote|debate)\b[^?]*\blast (?:mon|tues|wednes|thurs|fri|satur|sun)day\b`)
	l.decades = compile("decades", `\b(?:(?:in|over|during|within|for) (?:the )?(?:past|last) (?:\w+ ){0,2}(?:decades?|century|centuries|hundred years)|(?:(?:in|over|during) (?:recent (?:times|decades)))|(?:ten|twenty|thirty|forty|fifty|\d\d) years ago)\b`)
	l.lastDecade = compile("last decade", `\blast (?:decade|century)\b`)
	// The last year of somebody's life is no date of ours, nor is "the last
	// week" of a story.
	l.ownLast = compile("own last", `\b(?:his|her|hers|their|your|my|our|its|whose|that|very|'s) last \w+|\b(?:the )?last \w+ (?:of|the)\b`)
	l.theLast = compile("the last", `\bthe last \w+`)
	// Pasted passages are full of "yesterday"; only a question puts it next to
	// the reader's own day.
	l.request = compile("request", `\?$|^(?:(?:and|but|so|then|please|in|at|on|for|with|from|to) )*(?:who|whom|whose|what|when|where|why|how|which|is|are|was|were|will|would|does|do|did|has|have|had|can|could|should|tell|describe|explain|list|show|give|summari[sz]e)\b`)
	l.firstPerson = compile("first person", `\b(?:i|my|mine|we|our)\b`)
	l.foreseen = compile("foreseen", `\b(?:predict|foresee|foresaw|foretell|foretold|expect|hope|prophes[yi]|forecast|plan|imagine|promise|intend|would be|will be|going to be)(?:s|ed|d|ned|ning|ing)?\b`)
	return l
})
