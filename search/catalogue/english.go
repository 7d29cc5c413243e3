package catalogue

import (
	"strings"
	"sync"
)

const (
	nounsEN = `(?P<kind>(?:diary )?(?:letters?|entry|entries|reports?|articles?|books?|maps?|poems?|speeches|photographs?|recordings?|interviews?|e?mails?|memos?|notes?|papers?|documents?|records?|files?|items?|pieces?|texts?)|diar(?:y|ies)|journals?|correspond(?:ents|ence)|everything|anything|something|all that)`
	namedEN = `(?:named|mentioned|spoken of|referred to|talked about)`
	arisEN  = `(?:(?:come|turn)s? up|appears?|occurs?)`
	haveEN  = `(?:have|hold|keep|own|possess|find|know|got|contain|say)`
)

// englishGrammar returns the grammar of English, compiled at the first use: at the start of the program that took a quarter of its time.
var englishGrammar = sync.OnceValue(func() *grammar {
	return &grammar{
		conditionWords: newConditionWords([]string{
			roleDate, `(?:dated|dating|date|belong|belongs|belonging) (?:to|in|from|of)(?: the year)?|fall(?:ing)? in|come from the year|(?:carry|carries|bear(?:s|ing)?|have|has|with) (?:the|a) date(?: (?:in|of))?|(?:from|in|of) the year(?: of)?|during|for`,
			roleMention, `(?:(?:that|which|to|is|are|was|has|have|there|anything|something) )*(?:(?:name|mention|concern|discuss)(?:s|ing)?(?: of)?|(?:speak|tell|talk|write)(?:s|ing)? (?:of|about)|refer(?:s|ring)? to|(?:touch(?:es|ing)?|says?) (?:on|about)|deal(?:s|ing)? with|about|concerning|regarding)`,
			roleAfter, `after|later than`, roleSince, `since`, roleBefore, `before|earlier than`, roleUntil, `until|till|up to`, roleBetween, `between`,
			roleNothing, `in date|surviv(?:e[sd]?|ing)|exist(?:s|ing)?|remain(?:s|ing)?|preserved|kept|written|sent|addressed|dated|coming|passed|exchanged|that|which`,
			roleTo, `to`, roleBy, `by`, roleFrom, `from`, roleAt, `in|at`, roleOn, `on`, roleOf, `of`,
		}, `\b(?:in|of) (?:the|this|our) (?:archive|collection|holdings)\b|\b(?:in all|in total|altogether|all told)\b|\b(?:that )?(?:we|you) (?:have|hold|own|keep)(?: got)?\b|\bhere\b|\bthat exists$|^(?:do we have|does the archive have|did we get) `,
			`are|is|was|were|and|mentioned|named?|the|a|appears?|occurs?|come|came|by|from|to|in|of|up`, nil),
		names: patterns(`^(?:of|among) (?P<names>(?-i:\p{Lu}).+?),? (?:who|which)\b`, `^(?:which|who) of (?P<names>(?-i:\p{Lu}).+?) (?:is|was|gets|appears)\b(?P<rest>)`, `[:,] (?P<names>(?-i:\p{Lu}).+ or .+)$`),
		cues: cues(
			string(WantPairs), `\bwho (?:(?:\S+ ){1,4}(?:to|with)|sent|wrote) whom\b`,
			string(WantSpan), `^from when (?:to|until|till) when (?:do|does|did|are|is|were)\b|^(?:what|which) (?:period|(?:time )?span|time|years?|dates)(?: of time)? (?:do|does|did|are|is|were)\b|^what is the (?:date range|time span|period)\b|^when (?:do|does|did)\b(?P<rest>.*) (?:begin|start) and (?:end|stop)$|^(?:what|which) (?:are|is|were) the first and (?:the )?last (?:days?|dates?|years?)\b`,
			string(WantMostNamed), `^(?:whom?|whose name|(?:which|what) (?:name|person)s?)?(?P<rest>.*?)\b(?:(?:name[ds]?|mention(?:s|ed)?|spoken of|referred to|talked about|`+arisEN+`) (?:in )?(?:the )?(?:most|largest number|greatest number)(?: often| frequently| of)*|most (?:often |frequently )?(?:named|mentioned))(?: person| name)?(?: |$)`,
			string(WantMentions), `^how (?:often|many times)\b`,
			string(WantCount), `^(?:in )?how many\b(?: of)?|^(?:what (?:is|was) |what )?(?:the )?(?:total )?number of\b|^count\b`,
			string(WantAddressees), `^(?:to whom|to which (?:people|persons))\b|^(?:whom?|which (?:people|persons))\b(?P<rest>.*) to$|^(?:who|which (?:people|persons)) (?:received|got)\b|^who (?:were|are)(?P<rest> .+ correspondents)$`,
			string(WantWriters), `^(?:from whom|by whom|who)\b(?: (?P<verb>wrote|writes|has written|sent|sends)\b)?`,
			string(WantOldest), `\bfor the first time\b|\b(?:very )?(?:oldest|earliest|first)\b`,
			string(WantNewest), `\bfor the last time\b|\b(?:very )?(?:newest|latest|most recent|last)\b`),
		undated:  pattern(`(?:\b(?:have|has|bears?|carr(?:y|ies)|with|are|is|were) )?\b(?:no date|(?:without|lacks?|lacking) (?:an? |any )?dates?|not dated|undated)\b(?: on (?:it|them))?|\bwhose date is (?:missing|unknown|not known)\b`),
		together: pattern(`\b(?:both|together)\b`),
		noun:     pattern(`(?:^| )(?:(?:in|of|among) )?(?:(?:of|all|any|some|the|these|those|our|his|her|their|your|which|what) )*(?:(?P<whose>NAME)['’]s? )?` + nounsEN + `(?: |$)`),
		holding:  pattern(`\b(?:is|are|was|were) (?:there|(?:anything |something )?known)\b|\b(?:do|does|can|could|have|has) (?:we|you|i|(?:the|this|our) (?:archive|collection))(?: ` + haveEN + `)+\b|^what (?:came|comes|was sent|survives)\b`),
		held:     patterns(`\bin which (?P<what>.+?) (?:(?:is|are|was|were) `+namedEN+`|`+arisEN+`)\b`, `\b(?:is|are|was|were) (?P<what>.+?) `+namedEN+`\b|\b(?:does|do) (?P<what>.+?) `+arisEN+`\b`),
		receiver: pattern(`\b(?:did|do|does|has|have) (?P<who>NAME) (?:receive|received|get|got)\b|\b(?:that|which) (?P<who>NAME) (?:received|got)\b`),
		subject:  pattern(`\b(?:did|do|does|has|have) (?P<who>NAME) (?:ever )?(?P<rest>(?:mention|name|discuss|(?:speak|talk|write|tell) (?:of|about)|refer to)\b)|\b(?:did|do|does|has|have|had) (?P<who>NAME) (?:ever )?(?:write|written|send|sent|address(?:ed)?)(?: home)?\b|\b(?:(?:that|which|whom) )?(?P<who>NAME) (?:wrote|sent|has written|had written|has sent)\b`),
		silent: strings.Fields(`which what what's when where who it is are was were the a an there do does did we you i have has had hold held list show find give me tell can could all any every these our archive collection people persons
			in total please written sent dated date come comes came exist survive addressed ones one still and home write gets up cover span run reach go extend stretch range`),
	}
})
