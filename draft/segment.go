package draft

import (
	"maps"
	"slices"
	"unicode/utf8"

	"muniment/archive"
	"muniment/archive/problem"
	"muniment/canon/read"
	"muniment/ledger"
	"muniment/text/segment"
)

// MaxSegmented is the size of the largest text that is cut into sentences, in
// bytes: a report of 60,000 words. Sentences and claims take up to fifty times as much
// memory, and all of them stay below the 64 MB that any file from outside may take.
const MaxSegmented = 384 << 10

// A SegmentResult is a text cut into sentences and claims. Offsets are code
// points of the text as it was decoded, half-open.
type SegmentResult struct {
	Lang      string             `json:"lang"`     // BCP 47; "" when it is not known
	Detected  bool               `json:"detected"` // told by its script and frequent words, not by the caller
	Charset   string             `json:"charset"`
	Sentences []SegmentedText    `json:"sentences"`
	Claims    []SegmentedClaim   `json:"claims"`
	Ambiguous []SegmentAmbiguity `json:"ambiguities"`
}

// A SegmentedText is a sentence.
type SegmentedText struct {
	Start int    `json:"start"`
	End   int    `json:"end"`
	Text  string `json:"text"`
}

// A SegmentedClaim is a claim: one asserted proposition, or a heading, question,
// code block, table row or caveat. Text is without marks and emphasis, and
// begins with the subject that it shares with the claim before, if it does.
type SegmentedClaim struct {
	SegmentedText
	Kind    string          `json:"kind"`
	Item    bool            `json:"item"`
	Subject string          `json:"subject"`
	Markers []SegmentMarker `json:"markers"`
}

// A SegmentMarker is a citation mark of a draft.
type SegmentMarker struct {
	ID    string `json:"id"`
	Start int    `json:"start"`
	End   int    `json:"end"`
}

// A SegmentAmbiguity is a place that could be read in two ways.
type SegmentAmbiguity struct {
	At     int    `json:"at"`
	Reason string `json:"reason"`
}

// Segment cuts a text into its sentences and, read as a markdown draft, into
// claims. lang is a BCP 47 tag; "" tells the language from the text.
func Segment(data []byte, lang string) (*SegmentResult, error) {
	if len(data) > MaxSegmented {
		return nil, problem.New(problem.Usage, problem.Advise("split it and segment the parts"), "the text has %d bytes, more than %d", len(data), MaxSegmented)
	}
	decoded, charset, err := read.Decode(data, "")
	if err != nil {
		return nil, problem.New(problem.Usage, problem.Next(problem.DoAdd).Or(problem.DoCat).With("give a text file, or take the paper in and use its text"), "not a text: %w", err)
	}
	text := string(decoded)
	r := &SegmentResult{Lang: lang, Charset: charset, Sentences: []SegmentedText{}, Claims: []SegmentedClaim{}, Ambiguous: []SegmentAmbiguity{}}
	if lang == "" {
		r.Lang, r.Detected = segment.Detect(text), true
	}
	at := codePoints{text: text}
	for _, s := range segment.Sentences(text, r.Lang) {
		r.Sentences = append(r.Sentences, SegmentedText{at.offset(s.Start), at.offset(s.End), text[s.Start:s.End]})
	}
	at = codePoints{text: text}
	for _, c := range segment.Claims(text, r.Lang) {
		one := SegmentedClaim{Kind: string(c.Kind), Item: c.Item, Subject: c.Subject, Markers: []SegmentMarker{}}
		one.Text, one.Start = c.Text, at.offset(c.Start)
		for _, m := range c.Markers {
			one.Markers = append(one.Markers, SegmentMarker{m.ID, at.offset(m.Start), at.offset(m.End)})
		}
		for _, a := range c.Ambiguities {
			r.Ambiguous = append(r.Ambiguous, SegmentAmbiguity{at.offset(a.At), a.Reason})
		}
		one.End = at.offset(c.End)
		r.Claims = append(r.Claims, one)
	}
	return r, nil
}

// codePoints turns byte offsets into code points. Offsets that mostly grow cost
// one pass over the text.
type codePoints struct {
	text         string
	bytes, runes int // a place already counted
}

// offset returns the code point at a byte offset.
func (c *codePoints) offset(at int) int {
	if at >= c.bytes {
		c.runes += utf8.RuneCountInString(c.text[c.bytes:at])
	} else {
		c.runes -= utf8.RuneCountInString(c.text[at:c.bytes])
	}
	c.bytes = at
	return c.runes
}

// TooManyClaims is the segmentation error of a draft with more claims than the limit allows.
const TooManyClaims = "there are more claims than are looked at"

// CountUnclear adds the places of a claim that could be read in two ways, by their reason.
func CountUnclear(unclear map[string]int, c segment.Claim) {
	for _, a := range c.Ambiguities {
		unclear[a.Reason]++
	}
}

// NoteUnclear keeps the segmentation errors of one text.
func NoteUnclear(a *archive.Archive, stage string, unclear map[string]int) error {
	if len(unclear) == 0 {
		return nil
	}
	l, err := ledger.Of(a)
	if err != nil {
		return err
	}
	var all []ledger.SegmentationError
	for _, reason := range slices.Sorted(maps.Keys(unclear)) {
		all = append(all, ledger.SegmentationError{Time: a.World().Now(), Stage: stage, Reason: reason, Places: unclear[reason]})
	}
	return problem.Wrap(l.AddSegmentationErrors(all), "ledger")
}
