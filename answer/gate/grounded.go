package gate

import (
	"strings"

	"muniment/text/pattern"
	"muniment/text/segment"
)

// suggestGrounded returns the advice that offers historically grounded context to a refused question
// about a later time: the older kind of thing that a newer one belongs to, up to the end of the
// archive. It names a subject and no finished question, as nothing is read before the category filter
// refuses and so no question has been tried.
func suggestGrounded(q reading, e ending) []string {
	topic := pattern.First(laterRules()["older kind"], q.used)
	if topic == "" {
		return nil
	}
	return []string{"ask about " + topic + " up to " + e.name + "; its answer is cited excerpts"}
}

// maxTopic is how many words of a question its topic keeps.
const maxTopic = 4

// topicWords returns the words of a folded question that name its topic, none
// where there are too many to be sure.
func topicWords(s string) []string {
	s = datePattern().ReplaceAllString(s, " ")
	var out []string
	for _, w := range segment.Words(s) {
		if segment.Function(w.Lower) || notTopics[w.Lower] || strings.HasPrefix(w.Lower, "zz") || strings.ContainsAny(w.Lower, "0123456789'") {
			continue
		}
		out = append(out, w.Lower)
	}
	if len(out) > maxTopic {
		return nil
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

var notTopics = wordLists.Set("not topics")
