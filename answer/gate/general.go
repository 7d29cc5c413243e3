package gate

import (
	"slices"
	"strings"

	"muniment/text/pattern"
)

// generalRule returns the name of the rule by which a question asks for world
// knowledge or an errand, or "". A question that names the subject, the
// archive or something in it, or a date that the archive covers, proceeds. So does
// every question where the archive is of nobody: it may be of the world.
func generalRule(q reading, f Facts) string {
	if f.Subject.Name == "" {
		return ""
	}
	rules := generalRules()
	fires := func(group string) string { return pattern.First(rules[group], q.forms(group)...) }
	if name := fires("general_knowledge"); name != "" {
		return name
	}
	s := q.request
	own := sign("untied").ReplaceAllString(s, " ")
	e, hasEnd := end(f)
	if sign("about").MatchString(own) || hasEnd && namesCoveredDate(s, e.last) {
		return ""
	}
	if name := fires("general_knowledge/untied"); name != "" || inPast(s) || q.named {
		return name
	}
	if name := fires("general_knowledge/present"); name != "" {
		return name
	}
	n := len(strings.Fields(s))
	if (sign("request").MatchString(s) || n <= shortQuestion && sign("present question").MatchString(s)) && !sign("definite").MatchString(s) && n > 2 {
		return "nothing of the past in it"
	}
	return ""
}

// shortQuestion is how many words a question has at most that has no room for what
// could tie it to an archive: "How do plants make food?".
const shortQuestion = 6

// inPast reports whether a folded text has a verb of the past.
func inPast(s string) bool {
	return slices.ContainsFunc(sign("past").FindAllString(s, -1), func(w string) bool { return !notPast[w] })
}

var notPast = wordLists.Set("not past")
