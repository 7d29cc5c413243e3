package gate

import (
	"regexp"
	"sync"
)

// inner returns the name of the rule by which a question speculates about a
// private state of mind, or "". A question about what was said proceeds.
func inner(q reading) string {
	r := inners()
	s := polite().ReplaceAllString(q.used, "")
	if name := fire(r.always, s); name != "" {
		return name
	}
	if name := fire(unsaid().plain, thirdPerson(s)); name != "" {
		return name
	}
	// A report excuses the sentence it stands in, not the next one.
	for _, sentence := range sentenceEnd().Split(q.used, -1) {
		if !r.reported.fires(r.addressed.ReplaceAllString(sentence, " ")) {
			asked := polite().ReplaceAllString(sentence, "")
			if name := fire(r.rules, asked); name != "" {
				return name
			}
			third := thirdPerson(asked)
			if name := fire(unsaid().doubtful, third); name != "" {
				return name
			}
			if third == asked {
				continue
			}
			if name := fire(r.rules, third); name != "" {
				return name
			}
		}
	}
	return ""
}

// thirdPerson puts a question to the subject into one about the subject.
func thirdPerson(s string) string {
	return tokens().ReplaceAllStringFunc(s, func(w string) string {
		switch w {
		case "your":
			return "his"
		case "yourself":
			return "himself"
		}
		return w
	})
}

var sentenceEnd = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[.?!;]+\s+`) })

var inners = sync.OnceValue(func() (r struct {
	always, rules []rule
	reported      rule
	addressed     *regexp.Regexp // requests to the program that sound like reported speech
}) {
	const (
		adverb = `(?:\w+ly |ever |just |perhaps |maybe |really |in fact |a bit |somewhat |possibly |a |an |in |on the )*`
		// Words that name a condition and nothing else.
		condition = `(?:(?:manic[- ])?depressive|bipolar|autis(?:tic|m)|autism spectrum|asperger(?:'?s)?|neurodivergent|neuroti(?:c|cism)|schizo(?:phren\w+|id)|psychotic|psychosis|psychopath\w*|sociopath\w*|narcissis\w*|codependen\w*|masochis\w*|sadis(?:t|tic|m)|sex addict\w*|anorexi[ac]|bulimi[ac]|suicidal|hypochondria\w*|megalomania\w*|kleptomania\w*|agoraphobi\w*|claustrophobi\w*|homosexual\w*|bisexual\w*|lesbian|asexual|transgender|transsexual|paedophil\w*|pedophil\w*|ptsd|post-?traumatic(?: stress)?(?: disorder)?|adhd|ocd|obsessive[- ]compulsive\w*|(?:anxiety|personality|mood|eating|mental|psychiatric|psychological|bipolar|attachment|panic|stress|dissociative|compulsive|sleep) (?:disorder|illness|condition|problems?|issues)|disorder|dementia|alzheimer'?s|senile|(?:nervous|mental) breakdown|(?:inferiority|superiority|oedipus|god|saviou?r|messiah|martyr|madonna|napoleon) complex|midlife crisis|death wish|survivor'?s guilt|mentally (?:ill|unwell|unstable|sick|disturbed|sound)|emotionally (?:unstable|unavailable|abusive|damaged|stunted|immature|repressed|numb|dependent)|clinically \w+|pathological(?:ly)?|delusional|paranoi[ad]\w*|traumati[sz]ed|trauma|mental (?:health|state|stability|instability)|state of mind|frame of mind|psyche|subconscious\w*|unconscious (?:mind|desires?|motives?|reasons?|wish\w*|fears?|feelings?|guilt|bias)|self-(?:esteem|worth|deception|loathing|hatred|image|delusion)|sexual (?:orientation|identity|preference)|attachment style|personality type|(?:introvert|extrovert|extravert)(?:ed)?|sexuality|insecurit(?:y|ies)|impost[eo]r syndrome)`
		// Words that name one when somebody is said to be or have it.
		doubtful   = `(?:depress(?:ed|ion)|insane|mad|crazy|hysterical|gay|straight|an? alcoholic|alcoholi(?:c|sm)|addict(?:ed|ion)?|repressed|(?:in )?denial|manic|anxious by nature|unstable|obsessed|obsessive|compulsive|controlling|manipulative|abusive|toxic|evil|insecure|lonely inside|dead inside|closeted|in the closet|anxiety|mania|melancholia|burn(?:ed|t)?[- ]?out|borderline|sane|suicid(?:e|al thoughts))`
		intensely  = `(?:really|truly|secretly|deep down|deep inside|privately|inwardly|inside|subconsciously|unconsciously|actually|genuinely|honestly|in truth|in reality|at heart|underneath|underneath it all)`
		affect     = `(?:think|thought|thinking|feel|felt|feeling|want|wanted|wanting|believe|believed|love|loved|loving|hate|hated|fear|feared|desire|desired|intend|intended|resent|resented|regret|regretted|despise|despised|envy|envied|care|cared|like|liked|mourn|mourned|happy|unhappy|in love|jealous|afraid|ashamed|sorry|angry|lonely|guilty|proud|attracted|hope|hoped|hoping|mean to|trust|trusted|miss|missed|respect|respected|forgive|forgave|forgiven)`
		inward     = `(?:true|real|hidden|ulterior|unconscious|subconscious|underlying|inner|innermost|unspoken|unstated|unexpressed|unadmitted|repressed|suppressed|buried|concealed|secret|deepest|darkest|private)`
		inwardness = `(?:feelings?|motives?|motivations?|reasons?|intentions?|desires?|thoughts?|fears?|self|agenda|emotions?|wishes|resentments?|longings?|guilt|shame|insecurities|demons|life|turmoil|conflicts?|attitude|attraction|doubts|hatred|love for|passion)`
		belongs    = `(?:his|her|their|your|zzsubject's|zzperson's)`
		asks       = `(?:did|does|do|was|were|is|are|had|has|have|could|might|would|must|may|can)`
	)
	r.addressed = regexp.MustCompile(`\b(?:tell (?:me|us|from)|would you (?:say|describe|call)|(?:can|could) (?:you|we|one) (?:say|tell|infer|explain|describe)|do you (?:say|claim)|describe|what does (?:this|that|it|the \w+) (?:say|tell)|explain|give (?:me|us)|note that|without (?:saying|admitting|telling)|never (?:said|told|wrote|admitted|mentioned)|not (?:saying|telling|admitting)|(?:didn't|doesn't) (?:say|tell|write|admit|mention))\b`)
	r.always = rules(
		[3]string{"diagnosis", `CLAUSE(?:diagnose|psychoanaly[sz]e|psychologi[sz]e|(?:analy[sz]e|assess|evaluate|profile|interpret) (?:the |his |her |their |zzsubject's )(?:psycholog\w+|psyche|personality|mind|mental|emotional|subconscious|unconscious|inner|character)) ?`, ``},
		[3]string{"diagnosis", `CLAUSE(?:diagnose|psychoanaly[sz]e|analy[sz]e|profile) (?:OBJ|the|his|her|their|my)\b`, `\b(?:analy[sz]e|profile) (?:the|his|her|their|my) (?:letters?|diary|handwriting|accounts|style|language|prose|finances|spending|trade|voyage|text|entry|entries|records?|papers)\b|^(?:did|does|was|were)\b|\b(?:doctors?|physicians?|surgeons?)\b`},
		[3]string{"diagnosis", `\b(?:psychological|psychiatric|personality|mental health|psychoanalytic\w*|freudian) (?:profile|diagnosis|assessment|evaluation|type|analysis|portrait|reading|interpretation|explanation)\b|\b(?:myers-briggs|enneagram|mbti|big five|rorschach)\b`, ``},
		[3]string{"mind reading", `\b(?:did|was|were) (?:SUBJ|zzperson) (?:feel|felt|feeling|think|thinking|love|want) (?:\w+ )*?(?:without (?:ever )?|but never|and never|though (?:SUBJ) never|even if (?:SUBJ) never|that (?:SUBJ) never) ?(?:saying|said|admitted|admitting|showing|showed|knowing|wrote|writing|put into words)\b`, ``},
		[3]string{"mind reading", `\b(?:between the lines|read (?:his|her|their|zzsubject's) mind|(?:not|never) (?:saying|telling us|telling anyone|admitting|writing down|admit to (?:himself|herself|themselves))|left unsaid|leav\w+ unsaid|what (?:SUBJ) (?:is|was) hiding)\b|\bwhat (?:was|were|is) (?:SUBJ) hiding\b`, ``},
		[3]string{"silence", `\bwhy (?:did|does|has|had|is|was)(?:n't)? (?:SUBJ) (?:never|not|avoid\w*|refuse[ds]? to|omit\w*|hesitate[ds]? to|leave out|left out|skip\w*|stay\w* silent|keep (?:silent|quiet)|hid(?:e|ing)?|conceal)\b ?(?:to |ever |once )*(?:mention\w*|writ\w+|talk\w*|speak\w*|say\w*|admit\w*|tell\w*|name\w*|about|on|record\w*|confess\w*)?|\bwhy (?:didn't|doesn't) (?:SUBJ) (?:ever )?(?:mention|write|talk|speak|say|admit|tell|name|record|confess)`, `\b(?:according to|reasons? (?:did|does) (?:SUBJ) give)\b`},
	)
	r.always = append(r.always, rules(
		[3]string{"mind reading", `\b(?:sub|un)conscious(?:ly)?\b`, `\b(?:fell|found|lay|was|became|left|knocked) unconscious\b`},
	)...)
	r.reported = rules([3]string{"reported", `\b(?:(?:SUBJ|zzperson|anyone|anybody|others|people|friends|who|diary|letters?|entry|entries|journal|papers|archive|passages?) (?:\w+ ){0,2}?SAID|(?:written|recorded|noted|described|mentioned|reported|said|confessed|admitted) (?:in|by|himself|herself)|call(?:s|ed)? (?:himself|herself|themselves|it|this|that)|in (?:his|her|their) (?:own )?words|according to (?:him|her|them|zzsubject|the)|own (?:account|testimony|description|words)|self-(?:reported|described)|quotes?|passages?|where (?:in|does) (?:the )?(?:diary|letters?)|entries|describ\w+)\b`, `\b(?:reveal|infer|conclude|deduce|guess|speculate|imply|suggest|betray)\w*\b`})[0]
	r.rules = rules(
		[3]string{"diagnosis", `\b` + condition + `\b`, `\b(?:doctors?|physicians?|surgeons?|trade|market|sailors?|crew|prisoners?|patients?|bedlam|hospital|king's evil|of the (?:law|nation|kingdom|country)|school|theory|book (?:on|about))\b`},
		[3]string{"conclusion", `\b(?:was|were|is|are|be) (?:SUBJ) (?:really |just |ever |basically |actually )*(?:an? )?(?:\w+ )?(?:misogynist|sexist|racist|pervert|predator|rapist|hypocrite|monster|psycho|creep|womani[sz]er|philanderer|sex maniac|workaholic|control freak|perfectionist|people[- ]pleaser|romantic|optimist|pessimist|cynic|coward|genius|fraud|phony|abuser|liar|lying|bully|egoist|egotist|sinner at heart|good person|bad person|terrible person|nice person|closet \w+)\b|\b(?:drinking|gambling|anger|commitment|intimacy|trust|abandonment|daddy|mommy|father|mother|self-control|impulse) (?:problem|issues?)\b|\b(?:iq|how (?:intelligent|smart|sane|stable|happy) (?:was|were|is) SUBJ)\b|\b(?:blame|hate|loathe|despise|forgive|doubt|deceive|punish|sabotage|resent)[ds]? (?:himself|herself|themselves)\b|\b(?:contemplat\w+|consider\w*|attempt\w*|commit\w*) suicide\b|\bsuicidal\b|\bkill(?:ing)? (?:himself|herself)\b|\bwant(?:ed)? to die\b|\bend (?:his|her) (?:own )?life\b`, `\bsaid to\b`},
		[3]string{"sincerity", `\b(?:in)?capable of (?:\w+ )?(?:love|empathy|affection|guilt|feeling|remorse|loving|trust|intimacy|change|commitment)\b|\b(?:real|true|genuine) (?:love|affection|remorse|grief|friendship|faith|happiness)\b|\bfe(?:el|lt|eling) (?:\w+ )?(?:inferior|superior|inadequate|worthless|unloved|rejected|abandoned|trapped|threatened|empty|numb|unfulfilled)\b|\bsuffer(?:ing|ed)? from (?:\w+ )?(?:burn-?out|anxiety|depression|melancholia|loneliness|paranoia|guilt|stress|mania|nerves|delusions?|jealousy|low)\b|\b(?:would|could) (?:a|any|modern) (?:\w+ )?(?:therapist|psychologist|psychiatrist|doctor|psychoanalyst)\b|\b(?:was|were|is|are|did|does) (?:SUBJ|his \w+|her \w+|their \w+|zzsubject's \w+)\b.*\b(?:sincere|insincere|sincerely|genuine|genuinely|hypocri\w+|for show|faking|faked|feign\w*|just an act|facade|façade|real or|honest with)\b`, ``},
		[3]string{"hidden motive", `\bout of (?:\w+ )?(?:pity|guilt|spite|fear|love|jealousy|insecurity|vanity|greed|loneliness|lust|shame|revenge|ambition|boredom|malice|duty or)\b|\b(?:psychology|psychological \w+|emotional \w+|reason|motives?|impulse|need) behind (?:his|her|their|zzsubject's)\b|\bwhy (?:did|does|was|is) (?:SUBJ) (?:\w+ )?(?:need|crave|obsess\w*|lust|resent|envy|sabotage|cling|push (?:\w+ )?away|long for|yearn|treat (?:his|her)|cheat|feel|behave|so (?:desperate|obsessed|afraid|jealous|insecure|unhappy|lonely|sad|angry all))\b|\b(?:cause|source|root|origin|reasons?) (?:of|for|behind) (?:his|her|their|zzsubject's) (?:\w+ )?(?:sadness|unhappiness|melancholy|anger|rage|jealousy|anxiety|fears?|grief|guilt|coldness|cruelty|behaviou?r|obsession|insecurity|loneliness|depression|moods?)\b|\b(?:emotionally|mentally|psychologically)\b|\bemotional (?:state|impact|toll|damage|scars?|needs?|wounds?|baggage|life|world|problems?)\b`, ``},
		[3]string{"diagnosis", `\b` + asks + ` (?:SUBJ|zzperson|OBJ) ` + adverb + `(?:have |had |been |be |become |going |go |suffer(?:ed|ing)? (?:from )?|show (?:signs|symptoms) of |exhibit |struggl\w+ with |battl\w+ |experience |live with |driven )*(?:` + adverb + `|some kind of |a form of |signs of |clinical |severe |\w+ ){0,3}?` + doubtful + `\b`, `\b(?:mad|obsessed|crazy) (?:at|with|about|for)\b|\banxious (?:about|to|for)\b|\bobsessive about\b|\bgay (?:and|clothes|company|suit|dress)\b|\b(?:mad|crazy) (?:house|dog|horse|bull|man|woman|people|folk)\b|\bkeep (?:it|the|his|her) straight\b|\b(?:go|went|walk|come|came) straight\b|\bdepressed (?:trade|market|prices)`},
		[3]string{"diagnosis", `\b(?:SUBJ|zzperson) (?:was|were|is|are|had been|became|may have been|might have been|could have been|must have been|had|suffered from|has) ` + adverb + doubtful + `\b`, `\b(?:why|when|where|after|before) (?:SUBJ|zzperson) (?:was|were|is|had)`},
		[3]string{"diagnosis", `\bwhat (?:kind of |sort of |type of )?(?:mental|psychological|psychiatric|personality|eating|mood|emotional) (?:illness|disorder|condition|problems?|issues?|state)\b|\b(?:symptoms|signs|evidence|indications|hints?) (?:of|that) (?:\w+ ){0,3}` + doubtful + `\b|\b(?:diagnos(?:is|e|ed|able)|undiagnosed) (?:with |as |of |for |would )`, `\b(?:doctors?|physicians?|surgeons?)\b`},
		[3]string{"character", `\b(?:what (?:kind|sort|type) of (?:person|man|woman|human being|personality|character) (?:was|is|were)|what (?:was|were|is) (?:his|her|their|zzsubject's) (?:personality|character|temperament|true nature)|(?:describe|judge|assess|summari[sz]e) (?:his|her|their|zzsubject's) (?:personality|psychology|temperament|emotional (?:life|state|world)|inner life)|(?:say|reveal|tell us|tell me|suggest|show|imply|betray|indicate) about (?:his|her|their|zzsubject's) (?:personality|psychology|temperament|emotions?|emotional|feelings|inner|mind|character|soul|marriage|attitude|relationship|love|sex\w*|true|real|mental|fears?|desires?|motives?|insecurit\w+))\b`, ``},
		[3]string{"trait", `\bwhy (?:was|were|is|are) (?:SUBJ) (?:so |such |always |never |often |\w+ly |an? )*(?:insecure|neurotic|controlling|cold|distant|cruel|needy|vain|possessive|manipulative|unfaithful|promiscuous|selfish|emotional|moody|obsessed|obsessive|attracted|drawn to|bad at|unable to (?:love|commit|trust|feel|express))\b`, ``},
		[3]string{"hidden feeling", `\b(?:SUBJ|his|her|their|OBJ|zzsubject's)\b.*\b(?:at heart|deep down|deep inside|underneath it all|beneath the surface|behind the (?:mask|facade|façade|smile)|inwardly|in secret)\b|\bpretend\w* to (?:love|care|like|be (?:happy|sad|sorry)|enjoy|mourn|believe|feel|grieve)\b|\bcr(?:y|ied) for help\b`, ``},
		[3]string{"hidden feeling", `\b(?:feelings?|emotions?|grief|guilt|anger|love|desires?|fears?|jealousy|pain|shame|longing)\b.*\b(?:bur(?:y|ied|ying)|hid(?:e|es|den|ing)?|suppress\w*|repress\w*|den(?:y|ied|ying)|mask\w*|conceal\w*|bottl\w*|hold(?:ing)? back|held back|express|process)\b|\b(?:bur(?:y|ied)|hid(?:e|es|den|ing)?|suppress\w*|repress\w*|den(?:y|ied)|mask\w*|conceal\w*|bottl\w+ up) (?:his|her|their|any|what|real|true)\b.*\b(?:feelings?|emotions?|grief|guilt|anger|love|desires?|fears?|jealousy|pain|shame|longing|heart)\b`, ``},
		[3]string{"diagnosis", `\b(?:deeper|deep-seated|deep-rooted|unresolved|underlying|inner|childhood) (?:\w+ )?(?:wounds?|traumas?|issues?|problems?|conflicts?|pain|needs?|reasons?|motives?|fears?|insecurit\w+|anger|guilt|struggles?)\b|\b(?:his|her|their|zzsubject's) (?:\w+ ){1,3}(?:an? )?(?:symptoms?|signs?|evidence|pathological|compulsive|unhealthy|abnormal|toxic|projection|(?:defen[cs]e|coping) mechanism|cry for) ?|\b(?:what|which) (?:\w+ ){0,3}?(?:explains?|lies behind|lay behind|was behind|accounts? for|caused) (?:his|her|their|zzsubject's) (?:\w+ )?(?:behaviou?r|conduct|cruelty|jealousy|womani[sz]ing|infidelity|coldness|anger|rage|sadness|melancholy|obsession|affairs?|unhappiness|anxiety|fears?|moods?|temper|silence)\b`, ``},
		[3]string{"hidden motive", `\b(?:his|her|their|zzsubject's|your) (?:\w+ )?motiv(?:e|es|ation|ations)\b|\bmotiv(?:e|es|ation|ations) (?:did|had|was|were|drove|made) (?:SUBJ)\b|\bwhat motivated (?:OBJ)\b|\b(?:in|through) (?:` + belongs + `) (?:head|mind|heart|soul|psyche)\b`, `\b(?:pain|ache|wound|cold|bullet|blow|cut|lice|hat|wig|worms?|stone) (?:\w+ )?in\b`},
		[3]string{"hidden feeling", `\b(?:really|truly|genuinely|actually|honestly) (?:an? )?(?:religious|faithful|content|sincere|devout|pious|loyal|sick|grieving|heartbroken|interested|committed|repentant|believer|convinced|frightened|upset|friends?)\b`, ``},
		[3]string{"hidden feeling", `\b` + intensely + ` (?:\w+ )?` + affect + `\b`, ``},
		[3]string{"hidden feeling", `\b` + asks + ` (?:SUBJ|zzperson) (?:\w+ ){0,2}?` + affect + `\b[^.?!]{0,60}\b(?:deep down|deep inside|inside|underneath|at heart|in secret|in (?:his|her|their) heart|unconsciously|subconsciously|all along|the whole time|really\?)`, ``},
		[3]string{"hidden feeling", `\b` + asks + ` (?:SUBJ|zzperson) (?:\w+ )?(?:secretly|subconsciously|unconsciously|deep down|inwardly|in secret|in (?:his|her|their) heart of hearts)\b|\b(?:deep down|deep inside|in (?:his|her|their) heart),? (?:did|was|were|what|why|how|he|she|they)\b|\b(?:in|at the bottom of) (?:his|her|their) heart(?: of hearts)?\b`, `\bsecretly (?:cop|meet|met|send|sent|buy|bought|sell|sold|marr|writ|wrote|visit|leave|left|pay|paid|keep|kept|read|burn|take|took|give|gave|carr)`},
		[3]string{"hidden feeling", `\bsecretly (?:meet|met|see|saw|visit)\b`, ``},
		[3]string{"love and hate", `\b(?:did|does) (?:SUBJ) (?:ever |still |even )?(?:love|hate|loathe|despise|resent|fancy|desire|lust after|envy|fall (?:in|out of) love with) (?:OBJ|(?:his|her|their) (?:wife|husband|mother|father|sister|brother|son|daughter|children|parents|family|boss|maid|friend|patron|colleagues?|rival))\b|\b(?:was|were|is) (?:SUBJ) (?:ever |still )?(?:in love|infatuated|attracted to|faithful at heart|jealous of (?:his|her|their) own)\b|\bhad? (?:romantic|sexual|mixed|any|strong) feelings (?:for|towards?|about)|\b(?:have|had|has) (?:\w+ )?feelings for\b`, ``},
		[3]string{"hidden motive", `\bwhy (?:did|was|were|had|does|is|do|didn't|wasn't) (?:SUBJ|zzperson) (?:\w+ ){0,4}?(?:really|truly|secretly|subconsciously|unconsciously|feel the need|feel compelled|need to feel)\b|\b(?:what|who) (?:\w+ )?(?:really|truly|secretly|subconsciously|deep down) (?:drove|motivated|made|possessed|moved|was driving|compelled|was behind|lay behind|bothered|troubled|haunted)\b|\bwhat (?:drove|motivated|possessed|compelled|haunted|tormented|was driving) (?:OBJ)\b|\bwhat was (?:SUBJ|zzperson) (?:really|truly|secretly) (?:thinking|after|up to|feeling|hoping|hiding|afraid of|trying)\b`, ``},
		[3]string{"hidden motive", `\b` + inward + ` (?:\w+ ){0,2}?` + inwardness + `\b|\bmotiv(?:es?|ations?) (?:for|behind|in|of|to)\b.*\b(?:marr|love|affair|lie|lying|betray|writing the diary|keeping (?:a|the) diary|leaving (?:his|her))`, `\b(?:real|true) reasons? (?:for|why|of) (?:the (?:war|fire|plague|delay|fall|collapse|defeat|shortage|price|prices))\b|\bprivate (?:life of the|reasons? for sale)|\bsecret (?:articles?|treaty|service|drawer|passage)\b`},
		[3]string{"mind reading", `\b(?:going (?:on|through) (?:in |inside |through )?(?:` + belongs + `) (?:mind|head|heart)|(?:went|goes|ran|passed) through (?:` + belongs + `) (?:mind|head)|inside (?:` + belongs + `) (?:mind|head|psyche)|on (?:` + belongs + `) mind|` + belongs + ` (?:subconscious|unconscious|psyche|psychology|inner demons|inner life|inner world|inner conflict|inner voice|soul|repressed|conscience|emotional (?:state|life|needs|world|condition)|mental state))\b|\bwhat (?:was|were|is|must|might|could) (?:SUBJ) (?:have been |been )?(?:thinking|feeling)\b|\b(?:lying|lie|lied|honest|dishonest|untruthful|fooling|kidding|deceiving) (?:to |with )?(?:himself|herself|themselves)\b|\b(?:how|what) (?:\w+ )?(?:must|might|may|could) (?:SUBJ) (?:\w+ )?(?:have )?(?:felt|feel|thought|think|wanted|want|been feeling|been thinking)\b|\bhow did (?:SUBJ) feel (?:inside|deep|when nobody|when no one|underneath)`, ``},
		[3]string{"conclusion", `\b(?:do you (?:think|believe|reckon|suppose|feel)|would you (?:say|call|describe)|in your (?:opinion|view|judgement|judgment)|what do you (?:infer|make of|conclude)|(?:can|could|should|may) (?:we|you|one|i) (?:infer|conclude|assume|deduce|tell|say|guess)|is it (?:possible|likely|fair to say|safe to say|plausible)|could it be|isn't it (?:obvious|clear)|speculate|guess|infer|deduce|read between)\b.*\b(?:SUBJ|OBJ|his|her|their|zzsubject's?)\b.*\b(?:feel\w*|felt|lov\w+|hat(?:e|ed|red)|happy|unhappy|sad|lonely|afraid|scared|guilty|guilt|jealous\w*|regret\w*|ashamed|angry|resent\w*|proud|want\w*|desir\w+|marriage|motiv\w+|intention\w*|intend\w*|attract\w*|faithful|loyal|sincere|believ\w+|mind|emotion\w*|personality|character|good (?:man|person|husband|wife|father|mother)|bad (?:man|person|husband|wife|father|mother)|cruel|cold|anxious|selfish|vain|greedy|ambitious|care[ds]?|miss(?:ed)?|fears?)\b`, ``},
	)
	return r
})
