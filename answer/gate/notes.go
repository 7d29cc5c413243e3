package gate

import "strings"

// MoreNote is the note of the category gate of an answer with more context: its
// excerpts may be ContextFactor times as long.
const MoreNote = "more context"

const requestorPrefix = "requestor "

// RequestorNote returns the note of the category gate that names the requestor;
// "" is whoever gave no name.
func RequestorNote(name string) string { return requestorPrefix + `"` + name + `"` }

// RequestorIn returns the requestor that the notes of a category gate name. Answers
// of older versions name none.
func RequestorIn(notes []string) (name string, found bool) {
	for _, n := range notes {
		if name, ok := strings.CutPrefix(n, requestorPrefix); ok {
			return strings.Trim(name, `"`), true
		}
	}
	return "", false
}
