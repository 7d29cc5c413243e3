package clause

import (
	"slices"
	"strings"

	"muniment/text/lexicon"
	"muniment/text/segment"
)

// maxJoints bounds the places at which a sentence is divided: more are in no sentence that people write.
const maxJoints = 16

// contrast holds the words that join two assertions after a comma.
var contrast = []string{"while", "whereas", "während", "wohingegen"}

// A joint is a place between two parts of a sentence: bytes that belong to neither.
type joint struct{ from, to int }

// Cover divides a sentence at coordinators and semicolons into as few parts as hold, two to most of
// them, and returns nil where no division does. A part has neither the coordinator before it nor the
// punctuation around it. A sentence is not divided at an "and" without a comma after a subordinator,
// which may govern what follows: "He said that it rained and the mill stopped".
func Cover(sentence string, most int, holds func(part string) bool) []string {
	joints := joints(sentence)
	known := map[[2]int]bool{}
	part := func(from, to int) (string, bool) {
		text := strings.Trim(sentence[from:to], " \t\n,;")
		if is, done := known[[2]int{from, to}]; done {
			return text, is
		}
		is := text != "" && holds(text)
		known[[2]int{from, to}] = is
		return text, is
	}
	var divide func(from, at, left int) []string // the parts from a byte on, of which there are at most left
	divide = func(from, at, left int) []string {
		if text, is := part(from, len(sentence)); is {
			return []string{text}
		}
		if left == 1 {
			return nil
		}
		for i := at; i < len(joints); i++ {
			text, is := part(from, joints[i].from)
			if !is {
				continue
			}
			if rest := divide(joints[i].to, i+1, left-1); rest != nil {
				return append([]string{text}, rest...)
			}
		}
		return nil
	}
	for n := 2; n <= most && len(joints) > 0; n++ {
		if parts := divide(0, 0, n); len(parts) > 1 {
			return parts
		}
	}
	return nil
}

// joints returns the places at which a sentence may be divided, in its order.
func joints(sentence string) (out []joint) {
	words := segment.Words(sentence)
	governed := false // a subordinator came since the last joint with punctuation
	for i := 1; i < len(words) && len(out) < maxJoints; i++ {
		gap, w := sentence[words[i-1].End:words[i].Start], words[i].Lower
		governed = governed || governs(words[i-1].Lower)
		semicolon, comma := strings.Contains(gap, ";"), strings.ContainsAny(gap, ",–—")
		joins := lexicon.Coordinator.Has(w) && w != "or" && w != "oder" && w != "nor" || comma && slices.Contains(contrast, w)
		switch {
		case semicolon && joins:
			out = append(out, joint{words[i-1].End, words[i].End})
		case semicolon:
			out = append(out, joint{words[i-1].End, words[i].Start})
		case joins && (comma || !governed):
			out = append(out, joint{words[i-1].End, words[i].End})
		}
		governed = governed && !semicolon && !(joins && comma)
	}
	return out
}

// governs reports whether a word opens a clause that depends on another.
func governs(w string) bool {
	return lexicon.Subordinator.Has(w) || lexicon.Condition.Has(w) || lexicon.Complementizer.Has(w)
}

// Repeats reports whether a text has the words of a part one after the other, whatever their case and punctuation.
func Repeats(part, text string) bool {
	words, all := strings.Join(segment.LowerWords(part), " "), strings.Join(segment.LowerWords(text), " ")
	return words != "" && strings.Contains(" "+all+" ", " "+words+" ")
}
