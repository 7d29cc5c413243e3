package engine

import (
	"fmt"
	"strings"

	"muniment/archive"
	"muniment/archive/holdings"
	"muniment/archive/problem"
	"muniment/canon"
	"muniment/cite"
	"muniment/cite/locator"
	"muniment/engine/references/exchange"
	"muniment/judge/assign"
	"muniment/ledger"
	"muniment/search/retrieve"
	"muniment/snapshot/record"
	"muniment/text/legible"
	"muniment/text/segment"
)

// MaxAnswerFile is how many bytes the JSON of an answer may have.
const MaxAnswerFile = exchange.MaxFile

// CitationsImport is an answer of a language model with its citations.
type CitationsImport struct {
	Format  string            // anthropic, openai or cohere
	Data    []byte            // JSON
	Names   map[string]string // artifacts by the answer's name for a document: file id, URL, title, or place from 0
	Session string
}

// A CitationsImportResult has a verdict on each citation of the answer, in its
// order.
type CitationsImportResult struct {
	Format    string             `json:"format"`
	Verified  int                `json:"verified"`
	Unproven  int                `json:"unverified"` // the words are there; that they support the claim is not shown
	Rejected  int                `json:"rejected"`
	Citations []ImportedCitation `json:"citations"`
}

// An ImportedCitation is the verdict on one citation. Result is nil for a citation
// that could not be looked up; it is then in no ledger.
type ImportedCitation struct {
	Line       int          `json:"line"` // of the file, from 1
	Kind       string       `json:"kind"`
	Document   string       `json:"document"` // as the answer names it
	Claim      string       `json:"claim"`
	Verdict    string       `json:"verdict"` // verified, unverified or rejected
	Reason     string       `json:"reason,omitempty"`
	Next       problem.Step `json:"-"`                    // what to do about it
	Suggestion string       `json:"suggestion,omitempty"` // Next in the words of the program that prints it
	Notes      []string     `json:"notes,omitempty"`
	Result     *CiteResult  `json:"result,omitempty"`
}

// The verdicts on an imported citation.
const (
	verdictVerified = "verified"
	verdictUnproven = "unverified"
	verdictRejected = "rejected"
)

// ImportCitations looks up every citation of an answer and registers it. Nothing in
// the answer is believed: a citation whose words are not in the document it names
// is rejected, with the reason and the next step.
func ImportCitations(a *archive.Archive, o CitationsImport) (*CitationsImportResult, error) {
	list, err := exchange.Parse(exchange.Format(o.Format), o.Data)
	if err != nil {
		return nil, problem.New(problem.Usage, problem.Next(problem.DoGive, "format", "anthropic").With("give the JSON of one answer, of anthropic, openai or cohere"), "%w", err)
	}
	tree, err := a.NewestTree()
	if err != nil {
		return nil, err
	}
	c := a.Catalog(tree)
	r := &CitationsImportResult{Format: o.Format, Citations: []ImportedCitation{}}
	for _, cited := range list {
		one, err := importCitation(a, c, cited, o)
		if err != nil {
			return nil, err
		}
		switch one.Verdict {
		case verdictVerified:
			r.Verified++
		case verdictUnproven:
			r.Unproven++
		default:
			r.Rejected++
		}
		r.Citations = append(r.Citations, one)
	}
	return r, nil
}

// importCitation looks up one citation and returns its verdict.
func importCitation(a *archive.Archive, c *holdings.Catalog, cited exchange.Citation, o CitationsImport) (ImportedCitation, error) {
	names := cited.Document.Names()
	one := ImportedCitation{Line: cited.Line, Kind: cited.Kind, Document: strings.Join(names, ", "), Claim: cited.Claim, Verdict: verdictRejected}
	reject := func(reason string, next problem.Step) (ImportedCitation, error) {
		one.Reason, one.Next = reason, next
		return one, nil
	}
	if strings.TrimSpace(cited.Claim) == "" {
		return reject("the answer has no words there", problem.Advise("the citation stands for nothing; leave it out"))
	}
	art, why, err := findDocument(c, cited.Document, o.Names)
	if err != nil {
		return one, err
	}
	if art == nil {
		return reject(why, problem.Next(problem.DoAdd).With("say which artifact it is in the map of names"))
	}
	if lacking := unpublished(art); len(lacking) > 0 {
		return reject(art.Name()+" has no "+strings.Join(lacking, " and no ")+", without which a citation of an answer is not taken",
			problem.Next(problem.DoDescribe, append([]string{art.Name()}, lacking...)...))
	}
	doc, err := a.Document(c.Tree, art)
	if err != nil {
		return reject(err.Error(), problem.Advise("only artifacts with a text can be quoted"))
	}
	call := CiteOptions{Artifact: art.ID.String(), Quote: strings.TrimSpace(cited.Quote), Claim: cited.Claim, Relation: string(cite.Paraphrase), Session: o.Session, ReasoningRequired: "none"}
	switch {
	case call.Quote == "":
		span, ok := findSupport(doc, art.ID.String(), cited.Claim)
		if !ok {
			return reject("the format gives no words of the source, and no passage of "+art.Name()+" holds every word, number and name of the claim",
				problem.Next(DoCite, "artifact", art.Name(), "quote", "", "claim", cited.Claim).With("quote the words that support it"))
		}
		call.Span = span.String()
	case strings.Contains(cited.Claim, call.Quote):
		call.Relation = string(cite.DirectQuote)
	}
	if cited.Unit == "char" && call.Quote != "" {
		if span, err := locator.SpanOfPoints(doc, cited.From, cited.To, cited.Quote); err == nil {
			call.Span = span.String()
		} else {
			one.Notes = append(one.Notes, fmt.Sprintf("characters %d to %d of the text hold other words", cited.From, cited.To))
		}
	}
	if one.Result, err = Cite(a, call); err != nil {
		return one, err
	}
	one.Next = one.Result.Next
	switch ledger.Status(one.Result.VerificationStatus) {
	case ledger.Verified:
		one.Verdict = verdictVerified
	case ledger.Unverified, ledger.Pending:
		one.Verdict, one.Reason = verdictUnproven, one.Result.VerificationNotes
	default:
		one.Reason = one.Result.VerificationNotes
	}
	return one, nil
}

// unpublished returns which of address and date the record of an artifact lacks: without them nobody
// who reads the citation can look it up.
func unpublished(art *holdings.Artifact) []string {
	h, ok := art.FirstRecord()
	var s record.Source
	if ok && h.Record.Source != nil {
		s = *h.Record.Source
	}
	var out []string
	if s.URL == "" {
		out = append(out, "url")
	}
	if s.PublishedAt == "" {
		out = append(out, "date")
	}
	return out
}

// findDocument returns the artifact of a document that an answer names, by the
// caller's map or by the names and addresses of records; else nil and the reason.
func findDocument(c *holdings.Catalog, d exchange.Document, names map[string]string) (*holdings.Artifact, string, error) {
	all := d.Names()
	for _, n := range all {
		if ref, ok := names[n]; ok {
			art, err := c.Resolve(ref)
			if err != nil {
				return nil, fmt.Sprintf("the map names %s for %s: %v", legible.Printable(ref), legible.Printable(n), err), nil
			}
			return art, "", nil
		}
	}
	for _, n := range []string{d.URL, d.Title, d.ID} {
		if n == "" {
			continue
		}
		if art, err := c.Resolve(n); err == nil {
			return art, "", nil
		}
		places, err := c.FromSource(n)
		if err != nil {
			return nil, "", err
		}
		var found []*holdings.Artifact
		for _, p := range places {
			if p.Artifact == nil {
				continue
			}
			if h, ok := p.Artifact.FirstRecord(); ok && h.ID == p.Record.ID {
				found = append(found, p.Artifact)
			}
		}
		switch len(found) {
		case 0:
		case 1:
			return found[0], "", nil
		default:
			return nil, fmt.Sprintf("%s names %d artifacts", legible.Printable(n), len(found)), nil
		}
	}
	if len(all) == 0 {
		return nil, "the answer names no document", nil
	}
	return nil, "no artifact is called " + legible.Printable(strings.Join(all, " or ")), nil
}

// findSupport returns the paragraph that aligns with the claim; false where none,
// or none alone, does.
func findSupport(doc *canon.Document, artifact, claim string) (cite.Span, bool) {
	var passages []retrieve.Passage
	for _, u := range doc.Units(cite.Paragraphs) {
		span, err := cite.SpanAt(doc, u.Start, u.End)
		if err != nil {
			continue
		}
		passages = append(passages, retrieve.Passage{Artifact: artifact, Span: span, Text: string(doc.Payload()[u.Start:u.End])})
	}
	claims := segment.Claims(claim, segment.Detect(claim))
	if len(claims) == 0 {
		return cite.Span{}, false
	}
	var span cite.Span
	for _, one := range claims {
		ev, err := assign.Assign(one, passages, func(string) (*canon.Document, error) { return doc, nil })
		if err != nil || !ev.Aligned || !span.IsZero() && ev.Span != span {
			return cite.Span{}, false
		}
		span = ev.Span
	}
	return span, true
}
