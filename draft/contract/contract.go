package contract

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"muniment/judge"
)

// The values of Rules.Carry.
const (
	CarryNone      = "none"      // a mark covers its sentence
	CarryParagraph = "paragraph" // and those before it in the bullet or paragraph
)

// MaxAttempts is how many drafts of one text are made: each costs a run of a
// model, and evidence that did not suffice twice does not suffice.
const MaxAttempts = 2

// Fields that Rules.Require may name.
var Fields = []string{"url", "published_at", "publisher", "source_id", "title"}

// Rules say what a draft must have. They are part of a profile; the zero value
// asks for citations and nothing else, and delivers only a draft of which nothing
// was removed.
type Rules struct {
	Title        string    `json:"title"`        // of an abstaining report: Daily Brief
	Sections     []Section `json:"sections"`     // that the draft must have; none: any text
	Require      []string  `json:"require"`      // fields of a citation, of Fields
	Carry        string    `json:"carry"`        // none or paragraph
	Numeric      bool      `json:"numeric"`      // the rule of numbers and dates
	Policy       bool      `json:"policy"`       // the rule of official sources
	Aligned      bool      `json:"aligned"`      // a claim must follow from the words it cites, though Alignment is off
	Placeholders bool      `json:"placeholders"` // say where something was removed
	MaxRemoved   int       `json:"max_removed"`  // removals with which a draft is delivered
	Attempts     int       `json:"attempts"`     // 1 or 2; 0 is 1

	// Alignment is AlignmentOff where claims stay that do not follow from what they cite, that it
	// contradicts, or that have nothing in common with it; they are reported then. Else they fail.
	Alignment string `json:"alignment,omitempty"`

	// Uncited says what becomes of a sentence that cites nothing: one of the values
	// below; "" removes it. With the others the draft is never replaced by a report
	// as long as something of it stands.
	Uncited string `json:"uncited,omitempty"`
}

// The values of Rules.Uncited but "". Under each the draft fails as long as a sentence cites nothing.
const (
	UncitedFlag   = "flag"   // it stays, and Flag stands behind it
	UncitedSoften = "soften" // it stays, and Unconfirmed stands before it
	UncitedKeep   = "keep"   // it stays as it is
)

// Flag and Unconfirmed are what is written to a sentence that cites nothing, where such stay.
const (
	Flag        = "[uncited]"
	Unconfirmed = "Not confirmed by the sources on file:"
)

// AlignmentOff is the one value of Rules.Alignment but "".
const AlignmentOff = "off"

// A Section is a part of the draft that must not be empty.
type Section struct {
	Key      string   `json:"key"`      // prevailing
	Headings []string `json:"headings"` // Prevailing View, …: any of these opens it; the first is shown
}

// sectionKey matches the key of a section: it is used in commands.
var sectionKey = regexp.MustCompile(`^[a-z][a-z0-9-]{0,30}$`)

// Check reports the first rule that makes no sense.
func (r Rules) Check() error {
	switch {
	case strings.TrimSpace(r.Title) == "":
		return errors.New("title is missing")
	case r.Carry != CarryNone && r.Carry != CarryParagraph:
		return fmt.Errorf("carry is %q, want none or paragraph", r.Carry)
	case r.MaxRemoved < 0 || r.MaxRemoved > 100:
		return fmt.Errorf("max_removed is %d, want 0 to 100", r.MaxRemoved)
	case r.Attempts < 1 || r.Attempts > MaxAttempts:
		return fmt.Errorf("attempts is %d, want 1 or %d", r.Attempts, MaxAttempts)
	}
	if r.Alignment != "" && r.Alignment != AlignmentOff {
		return fmt.Errorf("alignment is %q, want %q or no such member", r.Alignment, AlignmentOff)
	}
	if !slices.Contains([]string{"", UncitedFlag, UncitedSoften, UncitedKeep}, r.Uncited) {
		return fmt.Errorf("uncited is %q, want %s, %s, %s or no such member", r.Uncited, UncitedFlag, UncitedSoften, UncitedKeep)
	}
	for _, f := range r.Require {
		if !slices.Contains(Fields, f) {
			return fmt.Errorf("require has %q, want one of %s", f, strings.Join(Fields, ", "))
		}
	}
	seen := map[string]bool{}
	for i, s := range r.Sections {
		if !sectionKey.MatchString(s.Key) || seen[s.Key] || len(s.Headings) == 0 {
			return fmt.Errorf("sections[%d] is %q, want a short lower case word of its own, with a heading", i, s.Key)
		}
		seen[s.Key] = true
		for _, h := range s.Headings {
			if name := "heading " + headingKey(h); headingKey(h) == "" || seen[name] || isReferences(h) {
				return fmt.Errorf("sections[%d] has the heading %q, which is empty, used twice, or that of the references", i, h)
			} else {
				seen[name] = true
			}
		}
	}
	return nil
}

// The tags by which sources say what they are about.
const (
	TagCentralBank = "policy_centralbank"
	TagMacroData   = "macro_data"
	TagCalendar    = "official_calendar"
)

// Evidence is a citation on file with its source and its words.
type Evidence struct {
	ID          string // as the draft's marks name it
	Number      int64  // of the citation on file
	UUID        string // of the citation on file: its id in the contract, cite_ and a UUID
	SourceID    string
	Publisher   string
	Document    string // ID of the artifact, or of the record of a source without a body
	Chunk       string // document, # and span
	URL         string
	Title       string
	PublishedAt string
	FetchedAt   string
	Tier        int // 1 to 4; 0 when not rated
	Paywall     bool
	Tags        []string
	Quote       *Quote // nil where there are no words of a body
	Snippet     string // words of the metadata
	Invalid     string // why it does not count whatever the draft says, "" if it does
	Contradicts bool   // Invalid because its words contradict the claim that it was registered for
	Unverified  bool   // Invalid because nothing shows that its claim follows from its words
	Confirmed   string // the claim that persons say follows from it; "" for none
	Judge       string // the model that judged that the sentence follows from it, where no rule shows it

	Against []Evidence // citations on file that contradict it, or that it contradicts

	Around judge.Passage // the quote with its surroundings
	Names  []string      // of whom or what the source is: its author, the archive's subject
}

// A Quote is a run of the source's text.
type Quote struct {
	Start int    `json:"start"` // code points of the text, half-open
	End   int    `json:"end"`
	Text  string `json:"text"`
}

// A Citation is the citation object of the contract.
type Citation struct {
	ID          string   `json:"id"`     // cite_ and a UUID
	Number      int64    `json:"number"` // by which the draft's marks name it
	SourceID    string   `json:"source_id"`
	Publisher   string   `json:"publisher"`
	DocID       string   `json:"doc_id"`
	ChunkID     string   `json:"chunk_id"`
	URL         string   `json:"url"`
	Title       string   `json:"title"`
	PublishedAt string   `json:"published_at"`
	FetchedAt   string   `json:"fetched_at"`
	QuoteSpan   *Quote   `json:"quote_span"` // null for a source of which only metadata is known
	SnippetSpan *Snippet `json:"snippet_span,omitempty"`
}

// A Snippet is a headline or another text of a source's metadata.
type Snippet struct {
	Text string `json:"text"`
}

// Citation returns the citation object. The quote of a source of which only
// metadata is known is stripped.
func (e Evidence) Citation() Citation {
	c := Citation{e.UUID, e.Number, e.SourceID, e.Publisher, e.Document, e.Chunk, e.URL, e.Title, e.PublishedAt, e.FetchedAt, e.Quote, nil}
	if e.Paywall {
		c.QuoteSpan = nil
	}
	if e.Snippet != "" {
		c.SnippetSpan = &Snippet{e.Snippet}
	}
	return c
}

func (e *Evidence) tagged(tag string) bool { return slices.Contains(e.Tags, tag) }

// Missing names the first of the required fields that the evidence lacks, "" for
// none.
func (e *Evidence) Missing(require []string) string {
	for _, f := range require {
		value := map[string]string{"url": e.URL, "published_at": e.PublishedAt, "publisher": e.Publisher, "source_id": e.SourceID, "title": e.Title}[f]
		if value == "" && !(f == "published_at" && e.tagged(TagCalendar)) {
			return f
		}
	}
	return ""
}

// Context is the evidence and the rules by which a draft is validated.
type Context struct {
	// Lookup returns the evidence that a mark names.
	Lookup func(id string) (Evidence, bool)
	// Available is all the evidence at hand, cited or not: its tags and tiers
	// decide whether an official source could have been cited.
	Available []Evidence
	// Support returns the evidence that counts for a claim: the citations from whose words the claim, or a
	// clause of it, follows; and why the claim does not follow from them together, "" where it does. It is
	// asked of every claim but under Rules.Alignment off without Rules.Aligned. Only a caller that has
	// judged each mark itself leaves it nil.
	Support func(claim string, cited []Evidence) (counted []Evidence, reason string)
	// Closest returns the fault of a sentence without a mark by the citations on file, Contradicted or Uncited, and the reason, "" where none is
	// near. said is the draft before it. nil asks none.
	Closest func(claim, said string) (Fault, string)
	// Outline leaves out of each reason the words of papers: those of a caller who does not hold the archive are shown by cite alone, as far as
	// the caller may read them.
	Outline bool
	// Horizon is the day before which a source is too old for the draft, YYYY-MM-DD; "" for none.
	Horizon string
	// Day is the day of the draft, YYYY-MM-DD.
	Day string
	// Freeform lets claims without a mark of their own stay, each marked with
	// NotFromArchive. Both the profile and the archive's policy must allow it.
	Freeform bool
}

// NotFromArchive follows a claim that cites nothing, where uncited claims are let through.
const NotFromArchive = "[not from the archive]"
