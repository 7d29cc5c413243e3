package gate

import (
	"regexp"
	"strings"
)

// generalRule returns the name of the rule by which a question asks for world
// knowledge or an errand, or "". A question that names the subject, the
// archive or something in it, or a date that the archive covers, proceeds.
// lookup holds the words by which the records of the archive could still claim
// the topic for it.
func generalRule(q reading, e period, hasEnd bool) (name string, lookup []string) {
	rules := generalRules()
	fired := func(group string) bool {
		name = firstRule(rules[group], q.forms(group)...)
		return name != ""
	}
	if fired("general_knowledge") {
		if name == "meaning" {
			return name, quotedWords(q.folded)
		}
		return name, nil
	}
	s := q.request
	own := sign("untied").ReplaceAllString(s, " ")
	if sign("about").MatchString(own) || hasEnd && namesCoveredDate(s, e.last) {
		return "", nil
	}
	if fired("general_knowledge/untied") {
		return name, lookupOf(name, s)
	}
	if inPast(s) || q.named {
		return "", nil
	}
	if fired("general_knowledge/present") {
		return name, lookupOf(name, s)
	}
	if sign("present question").MatchString(s) && !sign("definite").MatchString(s) && len(strings.Fields(s)) > 2 {
		return "nothing of the past in it", lastTopic(s)
	}
	return "", nil
}

// lookupOf returns the words to look up in the records for a rule: none for
// an errand, which no record makes a question about the archive.
func lookupOf(rule, s string) []string {
	switch rule {
	case "recipe", "how-to", "kind of thing", "workings", "meaning":
		if m := objectPattern.FindStringSubmatch(s); m != nil {
			return []string{m[1]}
		}
	case "science", "inventors", "works", "comparison", "superlative", "measure":
		if words := topicWords(s); len(words) == 1 {
			return words
		}
	}
	return nil
}

// objectPattern finds what a recipe or a how-to is for.
var objectPattern = regexp.MustCompile(`\b(?:recipes? (?:for|to make)|^(?:do|does|can|are|why do|why are|why does|what does|what do|how do|how does|how are)|cook|bake|boil|fry|roast|make|grow|plant|play) (?:an? |the |some |good |my )*([\p{L}-]{3,}(?: [\p{L}-]{3,})?)`)

// quotedWords returns what stands in quotation marks.
func quotedWords(s string) []string {
	var out []string
	for _, m := range quotation.FindAllString(s, -1) {
		if w := strings.Trim(m, `" `); w != "" {
			out = append(out, w)
		}
	}
	return out
}

// lastTopic returns the last word of a question's topic, to look up in the
// records.
func lastTopic(s string) []string {
	if words := topicWords(s); len(words) > 0 {
		return words[len(words)-1:]
	}
	return nil
}

// inPast reports whether a folded text has a verb of the past.
func inPast(s string) bool {
	for _, w := range sign("past").FindAllString(s, -1) {
		if !notPast[w] {
			return true
		}
	}
	return false
}

var notPast = wordLists.Set("not past")
