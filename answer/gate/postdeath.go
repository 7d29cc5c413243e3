package gate

import (
	"muniment/snapshot/edtf"
	"muniment/text/pattern"
)

// A later is a question that concerns only what came after an end.
type later struct {
	rule   string // the name of the rule that says so, or ""
	end    ending
	lookup []string // the words by which the records of the archive could still claim the question
}

// laterRule returns by which rule a question concerns only what came after the
// archive's end or, where the subject is asked about, after the subject's death.
func laterRule(q reading, f Facts) later {
	e, ok := end(f)
	if !ok {
		return later{}
	}
	has := func(name string) bool { return sign(name).MatchString(q.used) }
	died, isDead := endingOf(f.Subject.Died)
	younger := isDead && died.last.Compare(e.last) < 0 // papers of the archive are younger than the subject
	died.dead = f.Subject.Name
	until := e
	if younger && (has("asked") || has("subject")) {
		until = died // whatever the papers tell, it is not this person's doing
	}
	if isPastEnd(q.used, until.last) {
		if has("foreseen") && has("asked") {
			return later{} // what was expected of 1700 can have been written before
		}
		return later{rule: "date", end: until}
	}
	if !isDead || namesCoveredDate(q.used, until.last) {
		return later{}
	}
	rules := laterRules()
	if younger {
		e = died
	}
	if name := pattern.First(rules["post_death_event/alive"], q.used); name != "" {
		return later{rule: name, end: e}
	}
	if !younger { // else the papers may tell of what followed the death
		if has("own death") && !sign("asked").MatchString(sign("own death").ReplaceAllString(q.used, " ")) || has("named death") && !has("thought") {
			return later{rule: "after death", end: e}
		}
		if name := pattern.First(rules["post_death_event"], q.used); name != "" {
			l := later{rule: name, end: e}
			if m := sign("rites").FindString(q.used); m != "" {
				l.lookup = []string{m}
			}
			return l
		}
	}
	relative := has("question") && !sign("first person").MatchString(q.request)
	switch {
	default:
		return later{}
	case (!has("own time") || has("newer")) && pattern.First(rules["post_death_event/supposed"], q.used) != "":
		// An opinion about something that nothing ties to the subject's own time is one that nobody ever held.
		return later{"supposed", e, lastTopic(q.used)}
	case relative && until.last.Compare(present) < 0 && has("now") && !has("records") && !has("asked"):
		return later{rule: "present", end: until}
	case relative && until.last.Compare(reachesBack(q.used)) < 0 && !has("told") && !has("records"):
		return later{rule: "relative date", end: until}
	}
}

// reachesBack returns the earliest day that a text's "yesterday", "last year"
// or "in the past decade" can reach back to, rounded down generously, or
// edtf.Earliest. The last year of somebody's life is no date of ours, nor is "the
// last week" of a story.
func reachesBack(s string) edtf.Day {
	s = sign("own last").ReplaceAllString(s, " ")
	bare := sign("the last").ReplaceAllString(s, " ")
	back := present
	switch {
	default:
		return edtf.Earliest
	case sign("decades").MatchString(s), sign("last decade").MatchString(bare):
		back.Year -= 100
	case sign("lately").MatchString(s), sign("last year").MatchString(bare):
		back.Year -= 10
	}
	return back
}
