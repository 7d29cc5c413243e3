package locator

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"muniment/canon"
	"muniment/cite"
)

// Types of selector.
const (
	TextQuote    = "TextQuoteSelector"
	TextPosition = "TextPositionSelector"
	DataPosition = "DataPositionSelector"
	Fragment     = "FragmentSelector"
)

// Specifications that a FragmentSelector conforms to, as the Web Annotation
// Data Model names them in section 4.2.1.
const (
	ConformsToText  = "http://tools.ietf.org/rfc/rfc5147"
	ConformsToTable = "http://tools.ietf.org/rfc/rfc7111"
	ConformsToMedia = "http://www.w3.org/TR/media-frags/"
	ConformsToPDF   = "http://tools.ietf.org/rfc/rfc3778"
)

// conforms returns ConformsTo in the spelling of the model: the addresses at
// which the specifications stand today are taken for it.
func (s Selector) conforms() string {
	_, address, _ := strings.Cut(s.ConformsTo, "://")
	switch strings.ToLower(address) {
	case "tools.ietf.org/rfc/rfc5147", "tools.ietf.org/html/rfc5147", "datatracker.ietf.org/doc/html/rfc5147", "www.rfc-editor.org/rfc/rfc5147":
		return ConformsToText
	case "tools.ietf.org/rfc/rfc7111", "tools.ietf.org/html/rfc7111", "datatracker.ietf.org/doc/html/rfc7111", "www.rfc-editor.org/rfc/rfc7111":
		return ConformsToTable
	case "www.w3.org/tr/media-frags/", "www.w3.org/tr/media-frags":
		return ConformsToMedia
	case "tools.ietf.org/rfc/rfc3778", "tools.ietf.org/html/rfc3778", "datatracker.ietf.org/doc/html/rfc3778", "www.rfc-editor.org/rfc/rfc3778":
		return ConformsToPDF
	}
	return s.ConformsTo
}

// A Selector is a selector of the W3C Web Annotation Data Model. Which fields
// count depends on its type; the others are zero.
type Selector struct {
	Type                  string
	Exact, Prefix, Suffix string // TextQuote: the words, and those beside them
	Start, End            int    // TextPosition: code points; DataPosition: bytes; from 0, half-open
	Value, ConformsTo     string // Fragment
}

// MarshalJSON writes the members of the selector's type. A prefix and a suffix
// are always written, as the model recommends.
func (s Selector) MarshalJSON() ([]byte, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	var out any
	switch s.Type {
	case TextQuote:
		out = struct {
			Type   string `json:"type"`
			Exact  string `json:"exact"`
			Prefix string `json:"prefix"`
			Suffix string `json:"suffix"`
		}{s.Type, s.Exact, s.Prefix, s.Suffix}
	case Fragment:
		out = struct {
			Type       string `json:"type"`
			ConformsTo string `json:"conformsTo,omitempty"`
			Value      string `json:"value"`
		}{s.Type, s.ConformsTo, s.Value}
	default:
		out = struct {
			Type  string `json:"type"`
			Start int    `json:"start"`
			End   int    `json:"end"`
		}{s.Type, s.Start, s.End}
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(out)
	return bytes.TrimRight(b.Bytes(), "\n"), err
}

// UnmarshalJSON reads a selector. What the model requires of its type must be
// there, once and of its type; members that are unknown pass, as the model
// demands. Members of another type of selector pass as well and are dropped.
func (s *Selector) UnmarshalJSON(data []byte) error {
	*s = Selector{}
	in, err := members(data)
	if err != nil {
		return fmt.Errorf("selector: %w", err)
	}
	if in["refinedBy"] != nil {
		return fmt.Errorf("selector with refinedBy: a selection inside another is not understood")
	}
	var out Selector
	if err := in.read("type", &out.Type, true); err != nil {
		return fmt.Errorf("selector: %w", err)
	}
	type member struct {
		name     string
		to       any
		required bool
	}
	for _, m := range map[string][]member{
		TextQuote:    {{"exact", &out.Exact, true}, {"prefix", &out.Prefix, false}, {"suffix", &out.Suffix, false}},
		TextPosition: {{"start", &out.Start, true}, {"end", &out.End, true}},
		DataPosition: {{"start", &out.Start, true}, {"end", &out.End, true}},
		Fragment:     {{"value", &out.Value, true}, {"conformsTo", &out.ConformsTo, false}},
	}[out.Type] {
		if err := in.read(m.name, m.to, m.required); err != nil {
			return fmt.Errorf("%s: %w", out.Type, err)
		}
	}
	if err := out.check(); err != nil {
		return err
	}
	*s = out
	return nil
}

func (s Selector) check() error {
	switch s.Type {
	default:
		return fmt.Errorf("selector of type %q, want %s, %s, %s or %s", clip(s.Type), TextQuote, TextPosition, DataPosition, Fragment)
	case TextQuote:
		if s.Exact == "" {
			return fmt.Errorf("%s with an empty exact", s.Type)
		}
		if !utf8.ValidString(s.Exact + s.Prefix + s.Suffix) {
			return fmt.Errorf("%s is not UTF-8", s.Type)
		}
	case TextPosition, DataPosition:
		if s.Start < 0 || s.End <= s.Start {
			return fmt.Errorf("%s from %d to %d, want an end after its start", s.Type, s.Start, s.End)
		}
	case Fragment:
		if s.Value == "" || !utf8.ValidString(s.Value+s.ConformsTo) {
			return fmt.Errorf("%s with a value that is empty or not UTF-8", s.Type)
		}
	}
	return nil
}

// QuoteSelector returns the words of s with those beside them, as in a stored
// anchor.
func QuoteSelector(d *canon.Document, s cite.Span) (Selector, error) {
	a, err := cite.AnchorOf(d, s)
	if err != nil {
		return Selector{}, err
	}
	words, err := cite.Quote(d, s)
	if err != nil {
		return Selector{}, err
	}
	return Selector{Type: TextQuote, Exact: words, Prefix: a.Prefix, Suffix: a.Suffix}, nil
}

// PositionSelector returns the code points of s over the whole text, as the
// model counts: never code units.
func PositionSelector(d *canon.Document, s cite.Span) (Selector, error) {
	start, end, err := Points(d, s)
	return Selector{Type: TextPosition, Start: start, End: end}.unless(err)
}

// DataSelector returns the bytes of s.
func DataSelector(d *canon.Document, s cite.Span) (Selector, error) {
	start, end, err := cite.Resolve(d, s)
	return Selector{Type: DataPosition, Start: start, End: end}.unless(err)
}

func (s Selector) unless(err error) (Selector, error) {
	if err != nil {
		return Selector{}, err
	}
	return s, nil
}

// FragmentSelector returns the selector of a locator or, of a span's
// characters, of a TextFragment.
func FragmentSelector(l fmt.Stringer) (Selector, error) {
	s := Selector{Type: Fragment}
	var err error
	switch l := l.(type) {
	default:
		return Selector{}, fmt.Errorf("%v has no fragment identifier", l)
	case TextFragment:
		s.Value, s.ConformsTo = l.String(), ConformsToText
	case Cells:
		var f TableFragment
		f, err = TableFragmentOf(l)
		s.Value, s.ConformsTo = f.String(), ConformsToTable
	case Times:
		var f MediaFragment
		f, err = MediaFragmentOf(l)
		s.Value, s.ConformsTo = f.String(), ConformsToMedia
	case Region:
		var f MediaFragment
		f, err = MediaFragmentOf(l)
		s.Value, s.ConformsTo = f.String(), ConformsToMedia
	case Pages:
		s.Value, err = PDFFragment(l)
		s.ConformsTo = ConformsToPDF
	case Boxes:
		s.Value, err = PDFFragment(l)
		s.ConformsTo = ConformsToPDF
	}
	return s.unless(err)
}

// Spans returns the runs of d that s selects, in reading order. A TextQuote
// selects every place where its words stand between its prefix and suffix, as
// the model says of several, at most cite.MaxPlaces of them; the others select
// one. No place is an error, and so is a fragment of anything but a text.
func (s Selector) Spans(d *canon.Document, kind byte) ([]cite.Span, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	var span cite.Span
	var err error
	switch s.Type {
	case TextQuote:
		return s.quoted(d, kind)
	case TextPosition:
		span, err = SpanOfPoints(d, kind, s.Start, s.End)
	case DataPosition:
		span, err = cite.SpanIn(d, kind, s.Start, s.End)
	case Fragment:
		if s.conforms() != ConformsToText {
			return nil, fmt.Errorf("a fragment by %q selects no run of a text", clip(s.ConformsTo))
		}
		var f TextFragment
		if f, err = ParseTextFragment(s.Value); err == nil {
			span, err = f.Span(d, kind)
		}
	}
	if err != nil {
		return nil, err
	}
	return []cite.Span{span}, nil
}

// quoted looks for the words as they are given, else in the normal form that a
// canonical text has.
func (s Selector) quoted(d *canon.Document, kind byte) ([]cite.Span, error) {
	all, err := s.places(d, kind)
	if err != nil {
		nfc := Selector{Exact: normal(s.Exact), Prefix: normal(s.Prefix), Suffix: normal(s.Suffix)}
		if found, err := nfc.places(d, kind); err == nil {
			return found, nil
		}
	}
	return all, err
}

func normal(s string) string { return string(canon.NFC([]byte(s))) }

func (s Selector) places(d *canon.Document, kind byte) ([]cite.Span, error) {
	// As one string, so that a text of one letter repeated is read once.
	text, whole := d.Payload(), []byte(s.Prefix+s.Exact+s.Suffix)
	var all []cite.Span
	for at := 0; len(all) < cite.MaxPlaces; {
		i := bytes.Index(text[at:], whole)
		if i < 0 {
			break
		}
		start := at + i + len(s.Prefix)
		span, err := cite.SpanIn(d, kind, start, start+len(s.Exact))
		if err != nil {
			return nil, err
		}
		all, at = append(all, span), at+i+1
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("the words %q do not stand between the prefix and the suffix given", clip(s.Exact))
	}
	return all, nil
}

// Locators returns the places in an original that a FragmentSelector names:
// a table's cells in a table of so many rows and columns, times and a region of
// a recording of that length, pages and boxes.
func (s Selector) Locators(rows, cols int, length Milli) (List, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	var all List
	switch {
	case s.Type == Fragment && s.conforms() == ConformsToTable:
		f, err := ParseTableFragment(s.Value)
		if err != nil {
			return nil, err
		}
		for _, c := range f.Resolve(rows, cols) {
			all = append(all, c)
		}
	case s.Type == Fragment && s.conforms() == ConformsToMedia:
		all = ParseMediaFragment(s.Value).Locators(length)
	case s.Type == Fragment && s.conforms() == ConformsToPDF:
		l, err := ParsePDFFragment(s.Value)
		if err != nil {
			return nil, err
		}
		all = List{l}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("the selector names no place in the original")
	}
	return all, nil
}
