package gate

import (
	"regexp"
	"sync"
)

// supposed tells whether a question asks what the subject would think, say or
// do about something that nothing ties to the subject's own time. Such a
// question wants an opinion that nobody ever held.
func supposed(s string) bool {
	h := hypotheticals()
	return fire(h.frames, s) != "" && (!h.own.MatchString(s) || h.newer.MatchString(s))
}

var hypotheticals = sync.OnceValue(func() (h struct {
	frames     []rule
	own, newer *regexp.Regexp
}) {
	const (
		lightly = `(?:\w+ly |ever |still |have |also |even |just |be |been )*`
		holds   = `(?:think|thought|say|said|make|made|feel|felt|react|reacted|respond|responded|cope|coped|get on|got on|find|view|viewed|regard|regarded|judge|judged|comment|like|liked|describe|described|deal|dealt|fare|fared|rate|rated|handle|handled|take to|taken to|adapt|adapted)`
		does    = `(?:enjoy|enjoyed|like|liked|love|loved|approve|approved|support|supported|hate|hated|use|used|wear|worn|own|owned|watch|watched|recogni[sz]e|recogni[sz]ed|understand|understood|fit in|join|joined|prefer|preferred|agree|agreed|drive|driven|try|tried|vaccinated|shocked|surprised|pleased|proud|happy|horrified|amazed|impressed|interested|at home|appalled|delighted|a fan|good at|on the side)`
	)
	h.frames = rules(
		[3]string{"supposed", `\b(?:what|how|which \w+|who)(?: on earth)? (?:(?:do|did) you (?:think|suppose|imagine|reckon|believe) )?(?:would|might|could|'d) (?:SUBJ) ` + lightly + holds + `\b`, `\bwould (?:you|he|she) say (?:you|your|he|his|she|her|that|it|was|were|is|in|when|then|the \w+ (?:was|were|is))\b|\b(?:if|when) (?:SUBJ) (?:saw|heard|met|found|went)\b|\b(?:find|make|deal|get on) (?:the )?(?:time|money|way)\b`},
		[3]string{"supposed", `(?:^|[,;.!?] |\b(?:and|but|so) )would (?:SUBJ) ` + lightly + does + `\b`, `\bwould you like to\b`},
		[3]string{"supposed", `\b(?:opinion|view|verdict|reaction|advice|thoughts?)\b.*\bwould (?:SUBJ) (?:have|give|hold|offer|express|form)\b|\b(?:imagine|picture|suppose) (?:OBJ|zzsubject) (?:\w+ing)\b`, ``},
	)
	// What belongs to a life of any time. A hypothesis about it is for the
	// coverage gate.
	h.own = regexp.MustCompile(`\b(?:zzperson|zzname|fires?|plague|wars?|battles?|dutch|king|queen|duke|navy|naval|fleet|ships?|parliament|court|church|sermons?|plays?|theatres?|diary|journal|entry|entries|letters?|commonwealth|restoration|coronation|office|admiralty|city|wife|husband|father|mother|brother|sister|uncle|aunt|cousin|servants?|maids?|neighbours?|friends?|colleagues?|clerks?|wine|ale|beer|music|songs?|puritans?|catholics?|papists?|quakers?|presbyterians?|royalists?|then|at the time|those days|that day|(?:his|her|your|their) (?:day|time|age|own)|had been|had not|hadn't|\d{4})\b`)
	h.newer = regexp.MustCompile(`\b(?:modern|today|today's|present-day|present day|current|currently|contemporary|nowadays|these days|now|latest|our (?:time|day|age|world|own)|new technology|digital|electric|online)\b`)
	return h
})

// received matches what people of a later day make of the subject or of the
// archive.
var received = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\b(?:people|readers?|scholars?|historians?|critics?|those who|they|anyone|anybody|everyone|visitors?|students?|children|schools?|tourists?|londoners)\b.*\b(?:read|call|think|study|visit|remember|admire|praise|celebrate|quote|know|say|see|regard|use|teach|learn|love|like|care)s?\b.*\b(?:today|nowadays|these days|now)\b|\b(?:do|does|are|is)\b.*\b(?:people|readers|scholars|historians|schools|children|anyone|anybody)\b.*\bstill\b|\bwho (?:now )?(?:owns|reads|keeps|looks after|lives in)\b.*\b(?:his|her|your|zzsubject's)\b.*\b(?:now|today|nowadays|these days)\b`)
})

// holdings are later things that an archive's own holdings may be: a
// photograph of a letter is one, whatever the letter's age.
var holdings = set(`photograph photographs photocopy photocopies website websites database online email e-mail emails telegram telegrams
	film films recording recordings digital scan scans microfilm typewriter computer laptop internet transcript video kindle`)
