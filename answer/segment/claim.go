package segment

// Kind says what a claim is. Only an assertion has to be supported; the other kinds pass the
// coverage gate untouched or are shown as what they are.
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
	Markers    []Marker // in reading order
	Quotes     []Quoted // runs in quotation marks, in reading order
}

// A Marker is a citation mark in the draft: [1] or [cite:g3].
type Marker struct {
	ID         string // "1", "g3"
	Numbered   bool   // true for [1], false for [cite:g3]
	Start, End int    // byte offsets in the markdown
}

// A Quoted is a run in quotation marks, without the marks.
type Quoted struct {
	Text       string
	Start, End int // byte offsets in Claim.Text, without the quotation marks
}
