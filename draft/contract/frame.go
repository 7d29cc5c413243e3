package contract

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"muniment/text/segment"
)

//go:embed framing.txt
var framingLines string

var framing = sync.OnceValue(func() map[string]bool {
	words := map[string]bool{}
	for line := range strings.SplitSeq(framingLines, "\n") {
		if !strings.HasPrefix(line, "#") {
			for _, w := range strings.Fields(line) {
				words[w] = true
			}
		}
	}
	return words
})

// Framing reports whether a word in lower case may be part of the frame of a restatement: "In sum,
// …".
func Framing(w string) bool { return framing()[w] }

// WithoutFrame returns a sentence without the words before and after it that only announce a
// summary.
func WithoutFrame(sentence string) string {
	for {
		next := sentence
		for _, stop := range []string{", ", ": ", " that ", " is the ", " is "} {
			if at := strings.Index(sentence, stop); at > 0 && isFrame(sentence[:at]) {
				next = sentence[at+len(stop):]
				break
			}
		}
		if at := strings.LastIndex(next, ", "); at > 0 && isFrame(next[at+2:]) {
			next = next[:at] + "."
		}
		for _, stop := range []string{" is the ", " is a "} {
			if at := strings.LastIndex(next, stop); at > 0 && isFrame(next[at:]) {
				next = next[:at] + "."
			}
		}
		if next == sentence {
			break
		}
		sentence = next
	}
	if words := segment.Words(sentence); len(words) > 1 {
		for _, w := range words { // thus and its like stand also inside
			if inner[w.Lower] && w.Start == 0 {
				return WithoutFrame(strings.TrimLeft(sentence[w.End:], ", "))
			}
			if inner[w.Lower] {
				sentence = strings.Replace(sentence, " "+sentence[w.Start:w.End], "", 1)
				break
			}
		}
	}
	return strings.TrimSpace(sentence)
}

// inner are the words of a frame that may be inside a sentence.
var inner = map[string]bool{"thus": true, "therefore": true, "hence": true, "accordingly": true, "consequently": true, "ultimately": true}

// isFrame reports whether a text has words of a frame only.
func isFrame(text string) bool {
	words := segment.Words(text)
	return len(words) > 0 && !slices.ContainsFunc(words, func(w segment.Word) bool { return !Framing(w.Lower) })
}
