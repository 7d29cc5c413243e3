package gate

import "sync"

// inner returns the name of the rule by which a question speculates about a
// private state of mind, or "". A question about what was said proceeds.
func inner(q reading) string {
	r := inners()
	if name := fire(r.always, q.used); name != "" {
		return name
	}
	if r.reported.fires(q.used) {
		return ""
	}
	return fire(r.rules, q.used)
}

var inners = sync.OnceValue(func() (r struct {
	always, rules []rule
	reported      rule
}) {
	const diagnosis = `(?:(?:clinically |severely |chronically |manic |secretly |perhaps |really |mentally |actually |a |an |in )*(?:depressed|depressive|bipolar|autistic|on the (?:autism )?spectrum|schizophrenic|psychotic|psychopath(?:ic)?|sociopath(?:ic)?|narcissist(?:ic)?|neurotic|paranoid|suicidal|anorexic|bulimic|traumati[sz]ed|alcoholic|addict(?:ed)?|hypochondriac|mentally ill|insane|delusional|codependent|borderline|hysterical|gay|homosexual|lesbian|bisexual|asexual|denial|repressed))`
	const illness = `(?:(?:clinical |severe |post-?natal |postpartum |manic |undiagnosed |some |any |a |an |form of |kind of |sort of )*(?:depression|bipolar disorder|autism|asperger'?s|schizophrenia|ptsd|post-?traumatic stress(?: disorder)?|adhd|add|ocd|obsessive[- ]compulsive disorder|anxiety disorder|personality disorder|(?:mental|psychiatric|psychological|eating|mood) (?:illness|disorder|condition|problems?)|dementia|alzheimer'?s|(?:nervous|mental) breakdown|(?:inferiority|oedipus|god|saviou?r|messiah|martyr) complex|midlife crisis|addiction|narcissism|death wish|survivor'?s guilt|attachment (?:issues|disorder)|trauma))`
	r.always = rules(
		[3]string{"diagnosis", `CLAUSE(?:diagnose|psychoanaly[sz]e|psychologi[sz]e|analy[sz]e the (?:psychology|psyche|personality|mind) of) (?:OBJ|the|his|her|their|my)`, ``},
		[3]string{"diagnosis", `\b(?:psychological|psychiatric|personality|mental health) (?:profile|diagnosis|assessment|evaluation|type) (?:of|for|would you|does|did)\b|\b(?:his|her|their|zzsubject's) (?:psychological|psychiatric|personality) (?:profile|type|diagnosis|assessment)\b|\b(?:myers-briggs|enneagram|mbti)\b`, ``},
	)
	r.always = append(r.always, rules(
		[3]string{"mind reading", `\b(?:did|was|were) (?:SUBJ|zzperson) (?:feel|felt|feeling) (?:\w+ )?(?:without|but never|and never|though (?:SUBJ) never) (?:saying|said|admitted|admitting|showing|showed|knowing)\b`, ``},
	)...)
	r.reported = rules([3]string{"reported", `\b(?:SAID|call(?:s|ed)? (?:himself|herself|themselves|it|this|that)|in (?:his|her|their) (?:own )?words|according to (?:him|her|them|zzsubject|the)|quotes?|passages?)\b`, ``})[0]
	r.rules = rules(
		[3]string{"diagnosis", `\b(?:was|were|is|are|been|became|become) (?:SUBJ|zzperson) (?:\w+ )?` + diagnosis + `\b`, ``},
		[3]string{"diagnosis", `\b(?:SUBJ|zzperson) (?:was|were|is|are|had been|became|may have been|might have been|could have been) ` + diagnosis + `\b`, `\b(?:why|when|where|after|before) (?:SUBJ|zzperson) (?:was|were|is)`},
		[3]string{"diagnosis", `\b(?:did|does|do|had|have|has|might|could|would) (?:SUBJ|zzperson) (?:have|had|has|suffer(?:ed)? (?:from )?|show (?:signs|symptoms) of |exhibit |struggle with |battle |experience |live with )\s?` + illness + `\b`, ``},
		[3]string{"diagnosis", `\bwhat (?:kind of |sort of |type of )?(?:mental|psychological|psychiatric|personality|eating|mood) (?:illness|disorder|condition|problems?) (?:did|does|was|had|would)\b|\b(?:symptoms|signs|evidence) of ` + illness + `\b|\b(?:diagnos(?:is|e|ed|able)|undiagnosed) (?:with |as |of |for |would )`, `\b(?:doctors?|physicians?|surgeons?)\b`},
		[3]string{"hidden feeling", `\b(?:really|truly|secretly|deep down|privately|inwardly|subconsciously|unconsciously|actually|genuinely|honestly) (?:\w+ )?(?:think|thought|feel|felt|feeling|want|wanted|believe|believed|love|loved|loving|hate|hated|fear|feared|desire|desired|intend|intended|resent|resented|regret|regretted|despise|despised|envy|envied|care|cared|like|liked|mourn|mourned|thinking|happy|unhappy|in love|jealous|afraid|ashamed)\b`, ``},
		[3]string{"hidden feeling", `\b(?:did|was|were|had|does|is|has) (?:SUBJ|zzperson) (?:\w+ )?(?:secretly|subconsciously|unconsciously|deep down|inwardly|in (?:his|her|their) heart of hearts)\b|\bdeep down,? (?:did|was|were|what|why|how)\b|\b(?:in|at the bottom of) (?:his|her|their) heart of hearts\b`, ``},
		[3]string{"hidden motive", `\bwhy (?:did|was|were|had|does|is|do|didn't|wasn't) (?:SUBJ|zzperson) (?:\w+ ){0,2}?(?:really|truly|secretly|subconsciously|unconsciously)\b|\bwhat (?:really|truly|secretly|subconsciously) (?:drove|motivated|made|possessed|moved|was driving|compelled)\b|\bwhat was (?:SUBJ|zzperson) (?:really|truly|secretly) (?:thinking|after|up to|feeling|hoping|hiding)\b`, ``},
		[3]string{"hidden motive", `\b(?:true|real|hidden|ulterior|secret|unconscious|subconscious|underlying|inner|innermost|unspoken|unstated|repressed) (?:\w+ )?(?:feelings?|motives?|motivations?|reasons?|intentions?|desires?|thoughts?|fears?|self|agenda|emotions?|wishes|resentments?)\b`, `\b(?:real|true) reasons? (?:for|why|of) (?:the (?:war|fire|plague|delay|fall|collapse|defeat|shortage|price|prices))\b`},
		[3]string{"mind reading", `\b(?:going (?:on|through) (?:in |inside )?(?:his|her|their|your|zzsubject's) (?:mind|head)|inside (?:his|her|their|zzsubject's) (?:mind|head|psyche)|read (?:his|her|their|zzsubject's) mind|(?:his|her|their|zzsubject's) (?:subconscious|unconscious|psyche|inner demons|inner life|repressed))\b`, ``},
	)
	return r
})
