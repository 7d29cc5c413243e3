package gate

import (
	"regexp"
	"sync"
)

// afterEnd returns the name of the rule by which a question concerns only
// what came after the archive's end, or "".
func afterEnd(q reading, e period, dead bool) string {
	r := later()
	if pastEnd(q.used, e.last) {
		if r.foreseen.MatchString(q.used) && r.asked.MatchString(q.used) {
			return "" // what was expected of 1700 can have been written before
		}
		return "date"
	}
	if within(q.used, e.last) {
		return ""
	}
	relative := r.request.MatchString(q.used) && !r.firstPerson.MatchString(polite().ReplaceAllString(q.used, ""))
	switch {
	default:
		return ""
	case r.own.MatchString(q.used) && !r.asked.MatchString(q.used):
		return "after death"
	case e.last < r.thing(q.used) && !r.meta.MatchString(q.used):
		return "anachronism"
	case relative && e.last < present && r.now.MatchString(q.used) && !r.meta.MatchString(q.used) && !r.asked.MatchString(q.used):
		return "present"
	case relative && dead && e.last < r.back(q.used) && !r.told.MatchString(q.used) && !r.meta.MatchString(q.used):
		return "relative date"
	}
}

type laterPatterns struct {
	own, asked, told, meta, now, lately, decades, lastYear, lastDecade, ownLast, theLast, request, firstPerson, foreseen, things *regexp.Regexp
	since                                                                                                                        map[string]day
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

// thing returns the earliest day on which a thing that the text names can be
// known, the latest one if it names several.
func (l laterPatterns) thing(s string) day {
	d := noDay
	for _, m := range l.things.FindAllStringSubmatch(s, -1) {
		for i, name := range l.things.SubexpNames() {
			if i > 0 && name != "" && m[i] != "" {
				d = max(d, l.since[name])
			}
		}
	}
	return d
}

// modern lists things that a text from before the year cannot speak of, in
// words that meant nothing else before. The years are early rather than
// exact: a doubt proceeds.
var modern = []struct {
	name, year, words string
}{
	{"a", "1780", `french revolution|american (?:revolution|civil war)|declaration of independence|united states(?: of america)?`},
	{"b", "1800", `napoleon(?: bonaparte)?|battle of (?:waterloo|trafalgar)|industrial revolution|railways?|railroads?|steam (?:trains?|locomotives?)`},
	{"c", "1835", `photography|telegrams?|telephones?|crimean war|queen victoria|victorian era`},
	{"d", "1880", `automobiles?|motor ?cars?|bicycles?|electric lights?|light bulbs?|cinemas?|radios?|x-rays?`},
	{"e", "1903", `air ?planes?|aero ?planes?|airports?|helicopters?|(?:first|second) world war|world war (?:i|ii|one|two|1|2|iii|three)|wwi{1,3}|soviet union|ussr|nazis?|hitler|stalin|holocaust|hiroshima`},
	{"f", "1925", `televisions?|tv|antibiotics?|penicillin|nuclear (?:weapons?|power|war|bombs?)|atom(?:ic)? bombs?|united nations|nato|cold war|moon landing|apollo 11|vietnam war|beatles|elvis`},
	{"g", "1965", `internet|world wide web|e-?mails?|personal computers?|laptops?|smart ?phones?|iphones?|mobile phones?|cell ?phones?|video games?|microchips?|brexit|european union|september 11(?:th)?|9/11|chernobyl|berlin wall fall|fall of the berlin wall`},
	{"h", "1995", `facebook|instagram|tiktok|youtube|google|wikipedia|netflix|bitcoins?|crypto ?currenc(?:y|ies)|chatgpt|openai|social media|covid(?:-?19)?|coronavirus|donald trump|barack obama|joe biden|vladimir putin|zelensky|electric cars|self-driving cars?|artificial intelligence|large language models?|climate change|global warming|ai chatbots?`},
}

var later = sync.OnceValue(func() laterPatterns {
	compile := func(name, pattern string) *regexp.Regexp {
		return rules([3]string{name, pattern, ""})[0].match
	}
	var l laterPatterns
	l.own = compile("own", `\b(?:after|since|following) (?:(?:his|her|their|your) (?:own )?(?:death|passing|funeral|burial)|zzsubject(?:'s)? (?:death|passing|funeral|burial|died)|(?:he|she|they|you) (?:died|passed away|was buried|were buried))\b`)
	l.asked = compile("asked", `\b(?:did|had|has|was|were) SUBJ\b|\bSUBJ (?:ever |also |even |once |often |already )*(?:said|wrote|written|described|told|mentioned|recorded|noted|thought|felt|did|was|were|had|hoped|expected|planned|feared|wanted|believed|saw|went|made|wished|intended|knew|met|read|bought|built|left|lived)\b`)
	l.told = compile("told", `\bSAID\b|\b(?:had|by then|that day|mean|meant|remember(?:s|ed)?|recall(?:s|ed)?)\b`)
	l.meta = compile("meta", `\b(?:archives?|collections?|catalogue|inventory|muniment|letters?|papers|diary|diaries|journals?|manuscripts?|documents?|artifacts?|entries|entry|records?|zzname)\b`)
	l.now = compile("now", `\b(?:today|today's|tomorrow|nowadays|these days|right now|as of now|at this moment|in our (?:time|day)|currently|modern-day|present-day|modern times|modern (?:world|society|politics|technology|science|medicine|life)|contemporary (?:world|society|politics)|(?:this|next) (?:year|month|week|century|decade|weekend|summer|winter|election)|in the future|years? from now|from now on|the (?:current|latest|most recent) (?:news|war|government|president|prime minister|election|pandemic|crisis|king|queen|pope|events)|current (?:events|affairs|politics))\b|\bnow\?*$`)
	l.lately = compile("lately", `\b(?:yesterday|(?:in|over|during) (?:the (?:past|last) (?:few |couple of |two |three |five )?(?:years?|months?|weeks?|days)|recent (?:years|months|weeks))|(?:a|two|three|four|five|a few) (?:years?|months?|weeks?|days) ago|recent (?:news|events|elections?|developments))\b`)
	l.lastYear = compile("last year", `\blast (?:year|month|week|night|summer|winter|spring|autumn|weekend|christmas)\b`)
	l.decades = compile("decades", `\b(?:(?:in|over|during) (?:the (?:past|last) (?:\w+ )?(?:decades?|century)|recent (?:times|decades))|(?:ten|twenty|thirty|forty|fifty|\d\d) years ago)\b`)
	l.lastDecade = compile("last decade", `\blast (?:decade|century)\b`)
	// The last year of somebody's life is no date of ours, nor is "the last
	// week" of a story.
	l.ownLast = compile("own last", `\b(?:his|her|hers|their|your|my|our|its|whose|that|very|'s) last \w+|\b(?:the )?last \w+ of\b`)
	l.theLast = compile("the last", `\bthe last \w+`)
	// Pasted passages are full of "yesterday"; only a question puts it next to
	// the reader's own day.
	l.request = compile("request", `\?$|^(?:(?:and|but|so|then|please|in|at|on|for|with|from|to) )*(?:who|whom|whose|what|when|where|why|how|which|is|are|was|were|will|would|does|do|did|has|have|had|can|could|should|tell|describe|explain|list|show|give|summari[sz]e)\b`)
	l.firstPerson = compile("first person", `\b(?:i|my|mine|we|our)\b`)
	l.foreseen = compile("foreseen", `\b(?:predict|foresee|foresaw|foretell|foretold|expect|hope|prophes[yi]|forecast|plan|imagine|promise|intend|would be|will be|going to be)(?:s|ed|d|ned|ning|ing)?\b`)
	words, since := "", map[string]day{}
	for i, m := range modern {
		if i > 0 {
			words += "|"
		}
		words += `(?P<` + m.name + `>` + m.words + `)`
		p, _ := parsePeriod(m.year)
		since[m.name] = p.first
	}
	l.things = compile("things", `\b(?:`+words+`)\b`)
	l.since = since
	return l
})
