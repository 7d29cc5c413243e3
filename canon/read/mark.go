package read

import "strings"

// The kinds of marks around words that a document shows other than as words to be read:
// struck through, or in the reverse of their order.
const (
	Struck   = "struck"
	Reversed = "reversed"
)

// MarkEnd ends a mark.
const MarkEnd = "⟧"

// MarkStart returns the beginning of a mark of a kind.
func MarkStart(kind string) string { return "⟦" + kind + ": " }

// Marked returns words within a mark of a kind, white space at their edges outside
// of it. White space alone gets none.
func Marked(kind, words string) string {
	inner := strings.TrimSpace(words)
	if inner == "" {
		return words
	}
	start := strings.Index(words, inner)
	return words[:start] + MarkStart(kind) + inner + MarkEnd + words[start+len(inner):]
}
