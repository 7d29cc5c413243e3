package segment

// Kind is the kind of a claim. Only an assertion has to be supported; the other kinds pass the
// coverage gate untouched or are shown as their kind.
type Kind string

// The kinds of claims.
const (
	Assertion Kind = "assertion"
	Heading   Kind = "heading"
	Question  Kind = "question"
	Code      Kind = "code"   // a whole fenced code block
	Table     Kind = "table"  // one row of a table
	Caveat    Kind = "caveat" // a remark on the answer itself: "Note: …", "I could not find …"
)

// A Claim is one unit of a draft: for an assertion, one asserted proposition.
type Claim struct {
	Text       string // without citation markers, emphasis and list signs; inner line breaks are spaces
	Start, End int    // byte offsets in the markdown, half-open, markers included
	Kind       Kind
	Item       bool     // stands in a list item
	Subject    string   // the words at the beginning of Text that stand before Start: the subject shared with the claim before; mostly ""
	Before     string   // of the markdown, under the same heading: whom a pronoun of the claim may mean
	Markers    []Marker // in reading order
	Quotes     []Quoted // runs in quotation marks, in reading order

	// Ambiguities are the places where it was not clear whether one claim ends.
	Ambiguities []Ambiguity
}

// An Ambiguity is a place in a draft that could be read in two ways.
type Ambiguity struct {
	At     int    // byte offset in the markdown
	Reason string // what was not clear, and what was done
}

// A Marker is one citation that a mark in the draft names: [1], [^1], [cite:g3]. A mark that names
// several, as [1, 2], [1-3] or [cite:g3,g4], gives a Marker for each, with the offsets of the mark.
type Marker struct {
	ID         string // "1", "g3"; "^1" for a footnote
	Numbered   bool   // true for [1], false for the others
	Start, End int    // byte offsets in the markdown
}

// A Quoted is a run in quotation marks, without the marks.
type Quoted struct {
	Text       string
	Start, End int // byte offsets in Claim.Text, without the quotation marks
}
