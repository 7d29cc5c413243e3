package display

import (
	"path"
	"strings"
	"time"

	"muniment/cite"
	"muniment/snapshot/record"
)

// RestrictedText replaces an excerpt that the person's instructions withhold.
const RestrictedText = "Supported by archived material (source restricted by the person's instructions)."

// A View is what a requestor sees of an answer. Every text in it has gone
// through Safe.
type View struct {
	Answer  string    `json:"answer"` // the statement's id in hex
	Issued  string    `json:"issued"` // RFC 3339 UTC, as the signer says
	Outcome string    `json:"outcome"`
	Rung    cite.Rung `json:"rung"` // of the answer as a whole
	Tier    string    `json:"tier"`
	Asked   string    `json:"question"` // "" where its requestor does not let it be shown
	Claims  []Claim   `json:"claims"`
	Removed []Removed `json:"removed"`
	Refused []Refusal `json:"refused"`         // more than one when parts of a question were refused
	Missing int       `json:"missing"`         // leaves of the answer as shown that this copy leaves out
	Notes   []string  `json:"notes,omitempty"` // what the bundle says of the answer as a whole, as StrangerNote

	Examined *Examination `json:"examination,omitempty"` // of a text that was examined, else nil
}

// ViewClaim is a claim with its citations.
type Claim struct {
	Number     int       `json:"number"`
	Text       string    `json:"text"`
	Rung       cite.Rung `json:"rung"` // "" for the role nearest
	Role       cite.Role `json:"role"` // answer or nearest
	Restricted bool      `json:"restricted"`
	Citations  []Cite    `json:"citations"`
	Missing    int       `json:"missing"` // citations that this copy leaves out

	Judged string `json:"judged,omitempty"` // who judged it, where persons judged some claim of the answer
}

// ViewCite is a display citation.
type Cite struct {
	Handle      string        `json:"handle"`
	Title       string        `json:"title"` // of the paper, or its file's name; "" where it may not be told
	Date        string        `json:"date"`
	Relation    cite.Relation `json:"relation"`
	Label       string        `json:"label"`
	Contradicts bool          `json:"contradicts"`
	Restricted  bool          `json:"restricted"`
	Quote       string        `json:"quote"`   // the excerpt as one text, a gap being […]; RestrictedText when restricted
	Excerpt     []Piece       `json:"excerpt"` // the same in pieces
}

// Piece is a part of an excerpt: words, or a gap where words are withheld.
type Piece struct {
	Text string `json:"text"`
	Gap  bool   `json:"gap"`
}

// ViewRemoved is a topic that was cut.
type Removed struct {
	Topic  string `json:"topic"`
	Reason string `json:"reason"`
}

// ViewRefusal is a refusal.
type Refusal struct {
	Kind        string   `json:"kind"`
	Message     string   `json:"message"`
	Suggestions []string `json:"suggestions"`
	Topic       string   `json:"topic"` // "" for the whole question
}

// NearestHeading is the heading of claims with the role nearest on every surface.
const NearestHeading = "Nearest passages; nobody has checked that they answer"

// NearestReason is the reason with which the question is listed as removed where
// nothing but nearest passages could be shown for it.
const NearestReason = "nothing was found that answers it; the nearest passages are shown, unchecked"

// StrangerNote is the note of a bundle that was signed with a key to which the
// archive gives no answers, as by a reader of a copy.
const StrangerNote = "signed with a reader's own key, which is not a key of this archive"

// SourceName returns the name of a source for readers: its title and its day, in words where the
// date is a plain one; either of them may be "".
func SourceName(title, date string) string {
	day := date
	for _, form := range []struct{ of, as string }{{time.DateOnly, "2 January 2006"}, {"2006-01", "January 2006"}, {time.RFC3339, "2 January 2006"}} {
		if at, err := time.Parse(form.of, date); err == nil {
			day = at.Format(form.as)
			break
		}
	}
	switch {
	case title == "" || day == "":
		return title + day
	case strings.Contains(title, day) || strings.Contains(title, date):
		return title
	}
	return title + ", " + day
}

// SourceOf returns the title and the date of a record's paper: its title, or the last part of the
// first name it was added under, and its day of publication.
func SourceOf(rec *record.Record) (title, date string) {
	if rec.Source != nil {
		title, date = rec.Source.Title, rec.Source.PublishedAt
	}
	if title == "" && len(rec.Names) > 0 {
		title = path.Base(rec.Names[0])
	}
	return title, date
}

// The sentences about claims that no person judged, in an answer with another claim that persons judged.
const (
	JudgedByRules  = "verified: the rules found it in the words; no person checked it"
	JudgedByNobody = "unverified: nobody judged it"
)

// GapText marks withheld words in a quote.
const GapText = "[…]"
