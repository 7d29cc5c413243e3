package locator

import "encoding/json"

// mediaFragments is the conformsTo of a FragmentSelector: Media Fragments URI 1.0.
const mediaFragments = "http://www.w3.org/TR/media-frags/"

// A Selector is a TextQuoteSelector of the W3C Web Annotation Data Model; with
// Fragment a FragmentSelector; without Exact and Fragment a TextPositionSelector.
type Selector struct {
	Fragment              string // of a picture or a recording: t=2,4&xywh=10,20,300,40
	Exact, Prefix, Suffix string // the words, and those beside them
	Start, End            int    // code points of the whole text, from 0, half-open
}

// MarshalJSON writes the members of the selector's type. Prefix and suffix are
// always written, as the model recommends.
func (s Selector) MarshalJSON() ([]byte, error) {
	if s.Fragment != "" {
		return json.Marshal(struct {
			Type       string `json:"type"`
			ConformsTo string `json:"conformsTo"`
			Value      string `json:"value"`
		}{"FragmentSelector", mediaFragments, s.Fragment})
	}
	if s.Exact == "" {
		return json.Marshal(struct {
			Type  string `json:"type"`
			Start int    `json:"start"`
			End   int    `json:"end"`
		}{"TextPositionSelector", s.Start, s.End})
	}
	return json.Marshal(struct {
		Type   string `json:"type"`
		Exact  string `json:"exact"`
		Prefix string `json:"prefix"`
		Suffix string `json:"suffix"`
	}{"TextQuoteSelector", s.Exact, s.Prefix, s.Suffix})
}
