package gate

// laterRule returns the name of the rule by which a question concerns only what
// came after the archive's end, or "". lookup holds the words by which the
// records of the archive could still claim it.
func laterRule(q reading, e period, dead bool) (name string, lookup []string) {
	has := func(name string) bool { return sign(name).MatchString(q.used) }
	if isPastEnd(q.used, e.last) {
		if has("foreseen") && has("asked") {
			return "", nil // what was expected of 1700 can have been written before
		}
		return "date", nil
	}
	if namesCoveredDate(q.used, e.last) {
		return "", nil
	}
	relative := has("question") && !sign("first person").MatchString(q.request)
	rules := laterRules()
	switch {
	default:
		return "", nil
	case dead && has("own death") && !sign("asked").MatchString(sign("own death").ReplaceAllString(q.used, " ")), dead && has("named death") && !has("thought"):
		return "after death", nil
	case dead && firstRule(rules["post_death_event"], q.used) != "":
		if m := sign("rites").FindString(q.used); m != "" {
			lookup = []string{m}
		}
		return firstRule(rules["post_death_event"], q.used), lookup
	case dead && (!has("own time") || has("newer")) && firstRule(rules["post_death_event/supposed"], q.used) != "":
		// An opinion about something that nothing ties to the subject's own time is one that nobody ever held.
		return "supposed", lastTopic(q.used)
	case relative && e.last < present && has("now") && !has("records") && !has("asked"):
		return "present", nil
	case relative && dead && e.last < reachesBack(q.used) && !has("told") && !has("records"):
		return "relative date", nil
	}
}

// reachesBack returns the earliest day that a text's "yesterday", "last year"
// or "in the past decade" can reach back to, rounded down generously, or noDay.
// The last year of somebody's life is no date of ours, nor is "the last week"
// of a story.
func reachesBack(s string) day {
	s = sign("own last").ReplaceAllString(s, " ")
	bare := sign("the last").ReplaceAllString(s, " ")
	switch {
	default:
		return noDay
	case sign("decades").MatchString(s), sign("last decade").MatchString(bare):
		return present - 100_0000
	case sign("lately").MatchString(s), sign("last year").MatchString(bare):
		return present - 10_0000
	}
}
