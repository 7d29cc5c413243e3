package follow

import (
	"strings"

	"muniment/text/segment"
)

// modality finds a piece of the claim whose class of modality is not that of the words.
func modality(c text, e evidence) (Finding, bool) {
	for piece := range c.pieces {
		p, s := e.match(c, piece)
		if p < 0 || c.topics(piece) < 2 {
			continue
		}
		said, meant := s.modals(p), c.modals(piece)
		if w := addedModal(meant, e); w != "" && !c.reportsAny() {
			return Finding{Modality, w, ""}, true
		}
		for _, class := range []string{"possible", "due", "intended", "able"} {
			if said[class] != "" && len(meant) == 0 && !c.reportsAny() && !c.lacksAny() && (class != "able" || said[class] == "may") {
				return Finding{Modality, "", said[class]}, true
			}
		}
		if may, must := said["possible"] == "may" || said["possible"] == "might", meant["due"]; may && must == "must" || said["due"] == "must" && meant["possible"] == "may" {
			return Finding{Modality, must + meant["possible"], said["possible"] + said["due"]}, true
		}
		if w := meant["intended"]; w != "" && len(said) == 0 && w != "would" && w != "will" && w != "was to" && w != "were to" {
			return Finding{Modality, w, ""}, true
		}
	}
	return Finding{}, false
}

// addedModal returns a word of a claim that makes possible or due what the words, which have no word of modality, state; ""
// for none.
func addedModal(meant map[string]string, e evidence) string {
	for _, s := range e.sentences {
		if s.asks || s.reportsAny() {
			return ""
		}
		for p := range s.pieces {
			if len(s.modals(p)) > 0 {
				return ""
			}
		}
	}
	for _, class := range []string{"possible", "due", "able"} {
		if w := meant[class]; w != "" && !strings.Contains(w, " ") {
			return w
		}
	}
	return ""
}

// modals returns the words of modality of a piece by class.
func (t *text) modals(piece int) map[string]string {
	out := map[string]string{}
	for i, w := range t.words {
		if w.piece != piece || w.Upper && lists.months[w.Lower] && !w.first {
			continue
		}
		for _, phrase := range lists.phrases {
			if joined := strings.Join(phrase, " "); lists.modal[joined] != "" && t.phraseAt(i, phrase) && (i == 0 || t.words[i-1].Lower != "have") {
				out[lists.modal[joined]] = joined
			}
		}
		class := lists.modal[w.Lower]
		if class == "" {
			class = lists.modal[w.stem]
		}
		if class == "" || i > 0 && segment.Determiner(t.words[i-1].Lower) && !t.words[i-1].isThat() { // the will
			continue
		}
		out[class] = w.Lower
	}
	return out
}

func (w *word) isThat() bool { return w.Lower == "that" || w.Lower == "this" }
