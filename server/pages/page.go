package pages

import (
	"muniment/answer"
	"muniment/archive"
	"muniment/audit"
	"muniment/engine"
	"muniment/history"
	"muniment/server"
)

// The pages. A field is what its JSON name says.
type (
	// Home is the first page: what the archive is and what it holds.
	Home struct {
		Status     server.Status                `json:"status"`
		Newest     *archive.SnapshotResult      `json:"snapshot"` // nil before the first one
		Age        int                          `json:"age_days"`
		Fixity     *archive.LastFixity          `json:"last_fixity"` // nil where there was no check
		Artifacts  int                          `json:"artifacts"`   // that the reader may know of
		Years      []server.NamedCount          `json:"years"`
		Kinds      []server.NamedCount          `json:"kinds"`
		Chart      Chart                        `json:"-"`
		Undated    int                          `json:"-"`
		Named      bool                         `json:"-"` // a record names a person, a place or a subject
		About      HomeAbout                    `json:"-"`
		Span       struct{ First, Last string } `json:"-"` // the years of the papers, "" for none
		FirstWords *FirstWords                  `json:"-"` // nil where nothing may be read
	}

	// HomeAbout says whose papers the archive holds, and who keeps it.
	HomeAbout struct {
		server.About
		Keeper string
	}

	// A FirstWords is a paper with its first words.
	FirstWords struct {
		server.Holding
		Words string
	}

	// Enter says what a link made of the browser.
	Enter struct {
		Says string `json:"says"`
	}

	// Inventory lists what the reader may know of, a page at a time.
	Inventory struct {
		server.HoldingList
		Ask   Filter `json:"filter"`
		First int    `json:"first"` // number of the first line, from 1
		Last  int    `json:"last"`
		Prev  string `json:"previous,omitempty"` // address of the page before
		Next  string `json:"next,omitempty"`

		Chart   Chart   `json:"-"`
		Undated int     `json:"-"`
		Facets  []Facet `json:"-"`
	}

	// A Filter is what the reader of an inventory chose.
	Filter struct {
		server.Filter
		Page int `json:"page"`

		name string // of the list in a site
	}

	// Names lists people, places and subjects that records name.
	Names struct {
		Creators []server.NamedCount `json:"creators"`
		Places   []server.NamedCount `json:"places"`
		Tags     []server.NamedCount `json:"tags"`
		To       []server.NamedCount `json:"to"`
	}

	// Search lists passages with the words that were searched.
	Search struct {
		Query       string       `json:"query"`
		ByDate      bool         `json:"by_date"`
		Found       []FoundPaper `json:"found"`
		Hits        int          `json:"passages"`
		Ask         Filter       `json:"filter"`
		Corrections []Correction `json:"did_you_mean"`
		Facets      []Facet      `json:"-"`
		Cut         bool         `json:"-"` // more passages were found than are shown
	}

	// A Correction is a search that the reader may have meant, with its address.
	Correction struct {
		Words string `json:"query"`
		Link  string `json:"-"`
	}

	// Suggest lists what a search may go on to: names, and papers by their title.
	Suggest struct {
		Query  string       `json:"query"`
		Names  []string     `json:"names"`
		Papers []Suggestion `json:"papers"`
	}

	// A Suggestion is a paper whose title has what was typed.
	Suggestion struct {
		Artifact string `json:"artifact"`
		Label    string `json:"label"`
		Date     string `json:"date,omitempty"`
	}

	// A FoundPaper is one artifact with the passages that were found in it.
	FoundPaper struct {
		Artifact string     `json:"artifact"`
		Name     string     `json:"name"`
		Title    string     `json:"title,omitempty"`
		Date     string     `json:"date,omitempty"`
		Passages []FoundHit `json:"passages"`

		Of server.Holding `json:"-"`
	}

	// A FoundHit is one passage.
	FoundHit struct {
		Span   string  `json:"span"`
		Text   string  `json:"text"`
		Pieces []Piece `json:"-"`
		At     *Cue    `json:"-"` // when a line of a transcript is spoken
	}

	// Paper is an artifact with its text and the claims that cite it.
	Paper struct {
		server.Paper
		Text    []Block `json:"-"`
		Span    string  `json:"span,omitempty"`          // that the address asks for
		Missing string  `json:"missing_place,omitempty"` // Span, where it is no place of the paper
		Cards   []Card  `json:"-"`
		Played  string  `json:"-"` // the medium, with the time that is cited

		Path    []Crumb            `json:"-"` // in the arrangement
		Beside  []Reading          `json:"-"` // what the text was read from, or texts of it
		Others  []server.Companion `json:"-"` // attachments, and what it is attached to
		Earlier []Reading          `json:"-"` // texts that a newer one replaces
		Proofs  []server.Fact      `json:"-"` // facts that are ids
		About   []server.Fact      `json:"-"` // the others
		Pages   []string           `json:"-"` // addresses of page pictures of a PDF

		Share *Share `json:"-"` // nil for what the public may not know of

		Picture Picture    `json:"-"`
		Moments []Moment   `json:"-"`
		Cited   *MediaCite `json:"cite,omitempty"` // the region or time that the address asks for
	}

	// A Share is how other sites show a link to a paper.
	Share struct {
		Link, Words string
		Linked      map[string]any // the paper as an ArchiveComponent of schema.org
	}

	// A Crumb is a part of a path with the address of what lies there.
	Crumb struct{ Name, Link string }

	// A Reading is another paper that is drawn beside one.
	Reading struct {
		server.Companion
		Links  links
		Only   bool // its medium is the only one of the page
		Text   []Block
		Played string // address of a picture or a recording, "" for a text
		Pages  []string
	}

	// A Facet is a field by which papers are selected, with its values.
	Facet struct {
		Name   string
		Open   bool
		Values []FacetValue
		More   int // how many values are not listed
	}

	// A FacetValue is one value of a facet. Its address selects it, or selects it no longer.
	FacetValue struct {
		Of     string // the field
		Name   string
		Count  int
		Link   string
		Chosen bool
	}

	// Cite is words of an artifact, ready to be cited.
	Cite struct {
		Artifact string `json:"artifact"`
		Quote    string `json:"quote"`
		Span     string `json:"span"`
		Given    CiteAs `json:"cite"`
		Failed   string `json:"error,omitempty"`
		Advice   string `json:"suggestion,omitempty"`
	}

	// CiteAs is a quotation in every form that the page offers.
	CiteAs struct {
		server.Located
		Label      string                   `json:"label"` // of the paper
		Link       string                   `json:"link"`
		References []server.StyledReference `json:"references"`
		Annotation map[string]any           `json:"annotation"`
	}

	// Ask is the form for a question.
	Ask struct {
		Possible bool               `json:"ask"` // there is a key to sign answers with
		Bites    bool               `json:"-"`   // so little may be shown today that an answer may be cut
		Budget   *answer.BudgetInfo `json:"budget"`
		Question string             `json:"question,omitempty"`
		Failed   string             `json:"error,omitempty"`
		Advice   string             `json:"suggestion,omitempty"`
	}

	// Answer is an answer or a refusal.
	Answer struct {
		server.KeptAnswer
		Says     string               `json:"says"` // what the answer is to the question
		SaysKey  string               `json:"-"`    // the key of these words
		State    string               `json:"-"`    // its class
		Bites    bool                 `json:"-"`    // as in Ask
		Contexts map[string][]Piece   `json:"-"`    // by handle, the paragraph of the words as far as it may be read
		Answers  []answer.ResultClaim `json:"-"`
		Nearest  []answer.ResultClaim `json:"-"`
		Papers   map[string]string    `json:"-"` // by handle, what the paper is called, with its date
	}

	// Citations lists citations.
	Citations struct {
		server.CitationList
		Status string `json:"status,omitempty"`
		After  int64  `json:"after,omitempty"`
		More   string `json:"next,omitempty"` // address of the page after this one
		Cards  []Card `json:"-"`
	}

	// Citation is one citation with all that is on file of it.
	Citation struct {
		engine.WhyResult
		Card   Card         `json:"-"`
		Medium *CitedMedium `json:"-"` // of a citation of a picture or a recording
		Links  []Linked     `json:"linked"`
	}

	// A Linked is another citation that one is linked with.
	Linked struct {
		Type   string `json:"type"`
		From   int64  `json:"from"`
		To     int64  `json:"to"`
		Other  int64  `json:"other"`
		Claim  string `json:"claim"`
		Status string `json:"verification_status"`
	}

	// Claims lists claims with how far they are supported.
	Claims struct {
		server.ClaimList
		After int64  `json:"after,omitempty"`
		More  string `json:"next,omitempty"` // address of the page after this one
	}

	// Verify is the verdict of the server on a file, or the form for one.
	Verify struct {
		Sentence string               `json:"sentence,omitempty"`
		Own      bool                 `json:"own,omitempty"` // a key of this archive has signed it
		Bundle   *audit.BundleVerdict `json:"bundle,omitempty"`
		Proof    *audit.ProofVerdict  `json:"proof,omitempty"`
		Changed  []ChangedWords       `json:"changed,omitempty"` // where it was changed after it was signed
		Failed   string               `json:"error,omitempty"`
		Advice   string               `json:"suggestion,omitempty"`

		Keys    string `json:"-"` // of this archive, for the verifier in the browser
		Archive string `json:"-"`
	}

	// ChangedWords holds the words of one place of a forged file as they are now and as they were
	// signed, each cut into pieces of which those that differ are marked.
	ChangedWords struct {
		server.ChangedWords
		Now, Was []Piece `json:"-"`
	}

	// Custody is how the archive is kept.
	Custody struct {
		server.Keeping
		Refused    Chart          `json:"-"`
		Fixed      Chart          `json:"-"`
		Custodians []CustodianAge `json:"custodians"`
		Rungs      []Layer        `json:"-"` // of all questions
		Days       []RungDay      `json:"-"`
	}

	// A RungDay is how the questions of a day were answered.
	RungDay struct {
		Day       string
		Questions int
		Rungs     []Layer
	}

	// A CustodianAge is a remote with its newest receipt.
	CustodianAge struct {
		Name string `json:"name"`
		URL  string `json:"url"`
		Seq  int64  `json:"seq"`
		Seen string `json:"seen,omitempty"`
		Days int    `json:"age_days"` // -1 where it was never visited
		Back int64  `json:"behind"`   // snapshots that it lacks
	}

	// Snapshot is one snapshot and what it changed.
	Snapshot struct {
		archive.SnapshotResult
		Changes history.DiffResult `json:"changes"`
		First   bool               `json:"first"`

		Papers map[string]server.Holding `json:"-"` // those that changed and that the reader may know of, by id
	}

	// Failure is an error with what to do next.
	Failure struct {
		Status     int    `json:"status"`
		Title      string `json:"title"`
		Detail     string `json:"detail"`
		Suggestion string `json:"suggestion"`
	}
)
