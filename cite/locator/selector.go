package locator

import "encoding/json"

// A Selector is a TextQuoteSelector of the W3C Web Annotation Data Model or,
// without Exact, a TextPositionSelector.
type Selector struct {
	Exact, Prefix, Suffix string // the words, and those beside them
	Start, End            int    // code points of the whole text, from 0, half-open
}

// MarshalJSON writes the members of the selector's type. Prefix and suffix are
// always written, as the model recommends.
func (s Selector) MarshalJSON() ([]byte, error) {
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
