package gate

import "muniment/text/pattern"

// mentalRule returns the name of the rule by which a question speculates about a
// private state of mind, or "". A question about what was said proceeds.
func mentalRule(q reading) string {
	for _, group := range []string{"private_mental_state", "private_mental_state/unreported"} {
		if name := pattern.First(mentalRules()[group], q.forms(group)...); name != "" {
			return name
		}
	}
	return ""
}

// inThirdPerson returns a folded text and, where that differs, the same text
// with a question to the subject put into one about the subject.
func inThirdPerson(s string) []string {
	third := wordPattern.ReplaceAllStringFunc(s, func(w string) string {
		switch w {
		case "your":
			return "his"
		case "yourself":
			return "himself"
		}
		return w
	})
	if third == s {
		return []string{s}
	}
	return []string{s, third}
}
