package answer

import (
	"encoding/hex"
	"math"
	bundledisplay "muniment/bundle/display"
	"path/filepath"
	"slices"
	"strings"

	"muniment/answer/gate"
	"muniment/archive"
	"muniment/archive/holdings"
	"muniment/archive/mark"
	"muniment/archive/problem"
	"muniment/archive/search"
	"muniment/bundle"
	"muniment/cite"
	"muniment/draft/enforce"
	"muniment/policy"
	"muniment/snapshot"
)

// An Result is a delivered answer or refusal.
type Result struct {
	Outcome  string         `json:"outcome"` // supported, narrowed, labeled, refused
	Question string         `json:"question,omitempty"`
	Claims   []ResultClaim  `json:"claims"`
	Removed  []RemovedTopic `json:"removed"`
	// Counts are of the claims of a draft, delivered and removed; nil for an answer.
	Counts  *cite.ClaimCounts `json:"claim_counts,omitempty"`
	Refusal *Refusal          `json:"refusal"`
	// Records are the IDs of the records that citations rest on, by handle: for who checks whether somebody
	// may read the answer.
	Records map[string]string `json:"-"`
	Notices []string          `json:"notices,omitempty"`
	// Searched says which share of the snapshot was searched; without it, the answer needed
	// no search.
	Searched *search.Coverage `json:"searched,omitempty"`
	// IndexNotice says what was searched, where the search index was not of the whole
	// snapshot yet.
	IndexNotice string   `json:"index_notice,omitempty"`
	Freeform    []string `json:"freeform,omitempty"` // not from the archive: text that cites nothing, where profile and policy let it through
	Bundle      string   `json:"bundle"`             // path of the complete, sealed bundle
	Display     string   `json:"display,omitempty"`  // path of the display copy, when one was asked for
	BundleID    string   `json:"bundle_id"`
	Snapshot    string   `json:"snapshot"`
	Profile     string   `json:"profile"`
	Requestor   string   `json:"requestor,omitempty"`
	Tier        string   `json:"tier"`
	Stranger    string   `json:"stranger,omitempty"`      // fingerprint of the key that signed, where the archive does not name it for answers
	Nonce       string   `json:"request_nonce,omitempty"` // keep it: it proves later which question was asked; "" where the requestor has it

	// Repeated says that the account was given this answer before, to the same request.
	Repeated bool `json:"-"`

	// Contract is the same in the form of the answer contract, of Ask only.
	Contract *enforce.Answer `json:"-"`

	Budget *BudgetInfo `json:"budget,omitempty"` // after this answer; auditors have none

	// Unanswered says that the result counts as a refusal: it is one, or it shows
	// nothing but nearest passages.
	Unanswered bool `json:"unanswered"`
}

// An ResultClaim is one delivered claim.
type ResultClaim struct {
	Text       string           `json:"text"`
	Role       string           `json:"role"` // answer, or nearest: nobody has checked that it answers
	Rung       string           `json:"rung"` // "" for the role nearest
	Label      string           `json:"label,omitempty"`
	Judge      string           `json:"judge,omitempty"` // the model that judged that it follows from its words
	Notes      []string         `json:"notes,omitempty"` // who wrote the words, and which other papers have them
	Restricted bool             `json:"restricted,omitempty"`
	Citations  []ResultCitation `json:"citations"`
}

// An ResultCitation is one citation of a delivered claim as its reader may see
// it; the last five fields are for auditors.
type ResultCitation struct {
	Handle     string `json:"handle"`
	Source     string `json:"source,omitempty"` // which paper, and of which day, where the requestor may know
	Relation   string `json:"relation"`
	Label      string `json:"label"`
	Quote      string `json:"quote"`
	Restricted bool   `json:"restricted,omitempty"`
	Notice     string `json:"notice,omitempty"`

	Artifact string `json:"artifact,omitempty"`
	Name     string `json:"name,omitempty"`
	Snapshot string `json:"snapshot,omitempty"`
	Span     string `json:"span,omitempty"`
	Citation string `json:"citation,omitempty"`
}

// A Refusal says which kind of refusal an answer is and what to do next.
type Refusal struct {
	Kind        string   `json:"kind"` // category, retrieval, coverage, consent, assembly
	Category    string   `json:"category,omitempty"`
	Message     string   `json:"message"`
	Suggestions []string `json:"suggestions"`

	Figures    *enforce.Figures  `json:"figures,omitempty"`    // where the profile's thresholds refused
	Incomplete []enforce.Unnamed `json:"incomplete,omitempty"` // papers that a strict profile cannot cite, with what they lack
}

// keepHere writes the bundle of an answer among those that this copy keeps, notes that it is here, and returns its path.
func keepHere(a *archive.Archive, id string, data []byte) (string, error) {
	file, err := a.LocalPath(archive.BundlesDir, id+keptExt)
	if err != nil {
		return "", err
	}
	if err := (archive.NewFile{Path: file, Private: true}).Write(data); err != nil {
		return "", err
	}
	return file, problem.Wrap(mark.Add(filepath.Dir(file), id+keptExt), mark.File)
}

// keepBundle writes the bundle and returns the description of the answer.
func keepBundle(a *archive.Archive, res *Response, head *snapshot.Snapshot, o AskOptions) (*Result, error) {
	st := res.Bundle.Statement()
	id := answerID(&st)
	data, err := res.Bundle.Zip()
	if err != nil {
		return nil, problem.Wrap(err, "bundle")
	}
	file := o.BundleFile
	if file == "" {
		file, err = keepHere(a, id, data)
	} else {
		err = archive.NewFile{Path: file, Private: o.Private}.Write(data)
	}
	if err != nil {
		return nil, err
	}
	if o.BundleFile != "" && slices.ContainsFunc(res.Claims, func(c Claim) bool { return c.Role == cite.RoleNearest }) {
		// A request for more has to learn which of its citations are of nearest passages,
		// which the display says; the sealed layer is in the file that was asked for.
		shown, err := res.Bundle.WithoutSealed().Zip()
		if err != nil {
			return nil, problem.Wrap(err, "bundle")
		}
		if _, err := keepHere(a, id, shown); err != nil {
			return nil, err
		}
	}
	if o.DisplayFile != "" {
		shown, err := res.Bundle.WithoutSealed().Zip()
		if err != nil {
			return nil, problem.Wrap(err, "bundle")
		}
		if err := (archive.NewFile{Path: o.DisplayFile, Private: o.Private}).Write(shown); err != nil {
			return nil, err
		}
	}
	view, err := bundle.Render(res.Bundle)
	if err != nil {
		return nil, problem.Wrap(err, "bundle")
	}
	out := &Result{Outcome: string(res.Outcome), Claims: []ResultClaim{}, Removed: []RemovedTopic{}, Notices: res.Notices,
		Bundle: file, Display: o.DisplayFile, BundleID: id, Snapshot: head.ID.String(), Profile: o.Profile, Requestor: o.Requestor}
	var places *holdings.Catalog // for auditors: what the tier that asks calls a paper
	if o.Auditor {
		v := policy.HolderView()
		if !o.Archivist {
			if v, err = a.ReaderView(o.Tier); err != nil {
				return nil, err
			}
		}
		places = a.ShownCatalog(head.Tree, v)
	}
	for i, c := range view.Claims {
		out.Claims = append(out.Claims, resultClaim(c, res.Claims[i], head, places))
		for k, at := range res.Claims[i].Records {
			if out.Records == nil {
				out.Records = map[string]string{}
			}
			out.Records[c.Citations[k].Handle] = at.Artifact.String()
		}
	}
	if out.Freeform = res.Freeform; !res.Counts.IsZero() {
		out.Counts = &res.Counts
	}
	out.listRemoved(res.Removed, view.Asked, res.Unanswered)
	if res.Refusal != nil {
		out.Refusal = &Refusal{Kind: string(res.Refusal.Kind), Category: res.Category, Message: res.Refusal.Message, Suggestions: res.Refusal.Suggestions}
		if res.Refusal.Kind == gate.KindCoverage {
			if out.Refusal.Figures = res.Enforced.Figures(); out.Refusal.Figures != nil && res.Enforced.Reason == enforce.NoCiteableContent {
				out.Refusal.Incomplete = res.Enforced.Unnamed
			}
		}
	}
	return out, nil
}

// listRemoved sets the topics that are listed as removed: not free text, which is listed by itself, nor the whole of a question that is not
// answered, as the refusal or the heading of the nearest passages says so.
func (r *Result) listRemoved(all []RemovedTopic, asked string, unanswered bool) {
	for _, x := range all {
		if x.Reason != NotFromArchive && !(unanswered && x.Topic == asked) {
			r.Removed = append(r.Removed, x)
		}
	}
}

// RemovedHeading returns the heading of what was removed. A question whose nearest passages are shown
// is not answered, and nothing of it is gone.
func (r *Result) RemovedHeading() string {
	if r != nil && slices.ContainsFunc(r.Removed, func(t RemovedTopic) bool { return t.Reason != bundledisplay.NearestReason }) {
		return "Removed topics"
	}
	return "Not answered"
}

// resultClaim describes one delivered claim: what the bundle shows and, for
// auditors, where its evidence is; places is nil for others.
func resultClaim(shown bundledisplay.Claim, c Claim, head *snapshot.Snapshot, places *holdings.Catalog) ResultClaim {
	out := ResultClaim{Text: shown.Text, Role: string(shown.Role), Rung: string(shown.Rung), Judge: c.Judge, Notes: c.Notes, Restricted: shown.Restricted, Citations: []ResultCitation{}}
	if c.Rung == cite.Labeled {
		out.Label = "inference: interpreted from the excerpt, not said in it"
		if c.Judge != "" {
			out.Label = "judged by " + c.Judge + " to follow from these words"
		}
	}
	if shown.Judged != "" {
		out.Label = shown.Judged
	}
	for i, s := range shown.Citations {
		one := ResultCitation{Handle: s.Handle, Source: bundledisplay.SourceName(s.Title, s.Date), Relation: string(s.Relation), Label: s.Label, Quote: s.Quote, Restricted: s.Restricted}
		if s.Restricted {
			one.Quote, one.Notice = "", gate.RestrictedNotice
		}
		if places != nil {
			at := c.Citation
			switch {
			case len(c.Records) > 0:
				at = c.Records[i]
			case i > 0:
				at = c.Also[i-1]
			}
			one.Artifact, one.Snapshot, one.Span = at.Artifact.String(), head.ID.String(), at.Place()
			if art, err := places.Artifact(at.Artifact); err == nil && art != nil {
				one.Name = art.Name()
			}
		}
		out.Citations = append(out.Citations, one)
	}
	return out
}

// answerID returns the ID of the answer in a bundle.
func answerID(st *bundle.Statement) string { return hex.EncodeToString(st.ID[:]) }

// contractOf returns an answer in the form of the answer contract.
func contractOf(a *archive.Archive, question string, res *Response, out *Result) *enforce.Answer {
	c := &enforce.Answer{Version: enforce.Version, Persona: out.Profile, Sources: []enforce.Source{},
		Retrieval: enforce.Retrieval{Query: question, TopK: res.TopK, Namespaces: []string{a.Info().Name}, Results: []enforce.Found{}},
		Unknowns:  enforce.Unknowns{UnsupportedClaims: []string{}, MissingContext: []string{}, ClarifyingQuestions: []string{}},
		Integrity: enforce.Integrity{CitationRequired: true, RetrievalConfidence: "none", FallbackBehavior: enforce.FallbackRefusal}}
	if res.Enforced != nil {
		c.Integrity.CitationRequired = res.Enforced.Required
	}
	for _, r := range res.Removed {
		if r.Reason == NotFromArchive {
			continue
		}
		c.Unknowns.UnsupportedClaims = append(c.Unknowns.UnsupportedClaims, r.Topic)
		c.Unknowns.MissingContext = append(c.Unknowns.MissingContext, r.Topic+": "+r.Reason)
	}
	if res.Unanswered { // nearest passages are no sources of an answer
		refusal := gate.Refusal{Message: gate.MessageUnanswered} // and the nearest passages are shown
		if res.Refusal != nil {
			refusal = *res.Refusal
		}
		c.Answer = enforce.Text{Text: refusal.Message, Completeness: enforce.InsufficientData}
		c.Unknowns.ClarifyingQuestions = enforce.Questions()
		switch d := res.Enforced; {
		case d != nil && d.Refuse:
			if out.Refusal != nil {
				c.Refusal = out.Refusal.Figures
			}
			c.Unknowns.MissingContext = append(c.Unknowns.MissingContext, d.Gaps...)
		case len(c.Unknowns.MissingContext) == 0:
			c.Unknowns.MissingContext = append(c.Unknowns.MissingContext, refusal.Message)
		}
		return c
	}
	var text []string
	for i, claim := range out.Claims {
		if claim.Role == string(cite.RoleNearest) {
			continue
		}
		said := claim.Text
		if claim.Label != "" {
			said += " [" + claim.Label + "]"
		}
		text = append(text, said)
		for _, s := range claim.Citations {
			c.Sources = append(c.Sources, enforce.Source{Handle: s.Handle, Relation: s.Relation, Label: s.Label, Claim: claim.Text, Excerpt: s.Quote,
				Restricted: s.Restricted, Artifact: s.Artifact, Snapshot: s.Snapshot, Span: s.Span})
			c.Retrieval.Results = append(c.Retrieval.Results, enforce.Found{Handle: s.Handle, Score: toHundredths(res.Claims[i].Citation.Similarity)})
		}
	}
	c.Answer = enforce.Text{Text: strings.Join(text, "\n"), Completeness: "complete"}
	if len(out.Removed) > 0 || res.Outcome == cite.Narrowed {
		c.Answer.Completeness = "partial"
	}
	c.Integrity.CitationsProvided, c.Integrity.FallbackBehavior = len(c.Sources) > 0, enforce.FallbackNone
	if res.Type == enforce.Creative && !c.Integrity.CitationRequired {
		c.Integrity.FallbackBehavior = enforce.FallbackCreative
	}
	if c.Integrity.RetrievalConfidence = "medium"; res.Enforced != nil {
		c.Integrity.RetrievalConfidence = res.Enforced.Confidence()
	}
	return c
}

// toHundredths returns a share between 0 and 1, rounded to hundredths.
func toHundredths(x float64) float64 { return math.Round(max(0, min(1, x))*100) / 100 }
