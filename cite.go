package muniment

import (
	"fmt"
	"strings"

	"muniment/answer/assign"
	"muniment/answer/retrieve"
	"muniment/answer/segment"
	"muniment/canon"
	"muniment/cid"
	"muniment/cite"
	"muniment/ledger"
	"muniment/snapshot"
)

// longQuote is the length in code points above which a quote is warned of: it
// is then hard for a reader to see what of it supports the claim.
const longQuote = 2000

// CiteOptions are a claim and its evidence. Artifact and Claim are required,
// and Quote or Span.
type CiteOptions struct {
	Artifact   string // id or name
	Quote      string
	Claim      string
	Relation   string // direct_quote when empty
	Span       string // where to look, or where the evidence is when Quote is empty
	Reasoning  string
	Context    string
	Confidence string // high (default), medium, low
	Session    string
	// ReasoningRequired is none, low, medium or high; low when empty. It says
	// from which confidence downwards a citation needs a reasoning.
	ReasoningRequired string
}

// Cite registers a claim with its evidence and says at once whether the
// evidence is there. A failed citation is registered too and is a result, not
// an error; what cannot be looked up at all is an error.
func (a *Archive) Cite(o CiteOptions) (*CiteResult, error) {
	relation, err := o.check()
	if err != nil {
		return nil, err
	}
	tree, err := a.newestTree()
	if err != nil {
		return nil, err
	}
	c, err := a.load(tree)
	if err != nil {
		return nil, err
	}
	if relation == cite.MetadataFact {
		return a.citeRecord(c, o)
	}
	art, err := c.resolve(o.Artifact)
	if hint := c.bodilessHint(o); err != nil && hint != "" {
		return nil, problem(TypeSourceNotFound, ExitUsage, hint, "%s is a source without a body: there is no text to quote, only its record", printable(o.Artifact))
	}
	if err != nil {
		return nil, err
	}
	doc, err := a.document(tree, art)
	if err != nil {
		return nil, err
	}
	match, err := find(doc, o)
	if err != nil {
		return nil, err
	}
	r := &CiteResult{Match: string(match.Status), Edits: match.Edits, Length: match.Length, Difference: string(match.Difference), Relation: string(relation),
		Artifact: art.id.String(), Name: art.name(), Similarity: similarity(match)}
	a.judge(r, doc, match, relation, o)
	if h, ok := art.first(); ok && r.Span != "" {
		r.Locator = locators(h.rec, doc, match.Span)
	}
	ev := evidence{artifact: art.id}
	if h, ok := art.first(); ok && len(art.current()) > 1 {
		ev.record = h.id.String()
	}
	if r.Span != "" {
		if ev.anchor, err = cite.AnchorOf(doc, match.Span); err != nil {
			return nil, environment(err, "citation")
		}
	}
	return r, a.register(r, ev, match, relation, o)
}

// evidence is what a citation points at.
type evidence struct {
	artifact cid.ID // of the payload, or of the record for a metadata fact
	record   string // which record, when the artifact has several
	anchor   cite.Anchor
}

// check validates the call.
func (o *CiteOptions) check() (cite.Relation, error) {
	hint := "muniment cite --artifact NAME --quote TEXT --claim TEXT"
	switch {
	case o.Artifact == "":
		return "", problem(TypeUsage, ExitUsage, hint, "no artifact was named")
	case strings.TrimSpace(o.Claim) == "":
		return "", problem(TypeUsage, ExitUsage, hint, "no claim was given")
	case strings.TrimSpace(o.Quote) == "" && o.Span == "":
		return "", problem(TypeUsage, ExitUsage, hint, "neither a quote nor a span was given")
	}
	if o.Relation == "" {
		o.Relation = string(cite.DirectQuote)
	}
	relation, err := cite.ParseRelation(o.Relation)
	if err != nil {
		return "", problem(TypeUsage, ExitUsage, "direct_quote, paraphrase, inference_from or metadata_fact", "%w", err)
	}
	if relation == cite.Aggregation {
		return "", problem(TypeUsage, ExitUsage, "direct_quote, paraphrase, inference_from or metadata_fact", "relation %s is not taken by cite in this version", relation)
	}
	need := map[string][]string{"none": nil, "": {"low"}, "low": {"low"}, "medium": {"low", "medium"}, "high": {"low", "medium", "high"}}
	if o.Confidence == "" {
		o.Confidence = "high"
	}
	if _, ok := need[o.Confidence]; !ok || o.Confidence == "none" {
		return "", problem(TypeUsage, ExitUsage, "high, medium or low", "confidence %q", printable(o.Confidence))
	}
	levels, ok := need[o.ReasoningRequired]
	if !ok {
		return "", problem(TypeUsage, ExitUsage, "none, low, medium or high", "CITATION_REASONING_REQUIRED is %q", printable(o.ReasoningRequired))
	}
	for _, level := range levels {
		if level == o.Confidence && strings.TrimSpace(o.Reasoning) == "" {
			return "", problem(TypeReasoning, ExitUsage, "add --reasoning TEXT, or give a higher --confidence if it is meant", "a citation of %s confidence needs a reasoning", o.Confidence)
		}
	}
	return relation, nil
}

// find looks the evidence up.
func find(doc *canon.Document, o CiteOptions) (cite.Match, error) {
	var within *cite.Span
	if o.Span != "" {
		span, err := parseSpan(doc, o.Span)
		if err != nil {
			return cite.Match{}, err
		}
		within = &span
	}
	if strings.TrimSpace(o.Quote) != "" {
		m, err := cite.Find(doc, o.Quote, within)
		if err != nil {
			return cite.Match{}, problem(TypeUsage, ExitUsage, "quote a few words as they stand in the text: muniment cat prints it", "quote: %w", err)
		}
		return m, nil
	}
	words, err := cite.Quote(doc, *within)
	if err != nil {
		return cite.Match{}, problem(TypeInvalidLocator, ExitUsage, "muniment cat prints the text; muniment help spans explains addresses", "span: %w", err)
	}
	return cite.Match{Status: cite.Exact, Span: *within, Found: words, Length: len([]rune(words))}, nil
}

func similarity(m cite.Match) float64 {
	if m.Status == cite.Absent || m.Length == 0 || m.Edits >= m.Length {
		return 0
	}
	return 1 - float64(m.Edits)/float64(m.Length)
}

// judge fills in the verdict and, where it is no, the fix.
func (a *Archive) judge(r *CiteResult, doc *canon.Document, m cite.Match, relation cite.Relation, o CiteOptions) {
	switch m.Status {
	case cite.Exact, cite.Normalized:
		r.Span, r.Quote = m.Span.String(), m.Found
		r.VerificationStatus = string(ledger.Verified)
		if relation == cite.Paraphrase && !aligned(o.Claim, r.Artifact, m, doc) {
			r.VerificationStatus = string(ledger.Unverified)
			r.VerificationNotes = fmt.Sprintf("the words are at %s, but not every word, number and name of the claim is in them", r.Span)
			r.Suggestion = "use the words of the text in the claim, quote more of it, or register it as --relation inference_from"
		}
		if w := assign.Context(doc, m.Span, o.Claim); relation == cite.DirectQuote && w != "" {
			r.VerificationNotes = "the words are there, but " + w + " beside them may turn what they say; quote the whole sentence, or say so in the claim"
		}
		if len([]rune(o.Quote)) > longQuote {
			r.VerificationNotes = strings.TrimSpace(r.VerificationNotes + " the quote is longer than 2,000 characters; a shorter one is easier to check")
		}
	case cite.Ambiguous:
		r.VerificationStatus = string(ledger.Failed)
		for _, s := range append([]cite.Span{m.Span}, m.Others...) {
			if s.IsZero() {
				continue
			}
			words, err := cite.Quote(doc, s)
			if err == nil {
				r.Places = append(r.Places, Place{Span: s.String(), Text: words})
			}
		}
		r.VerificationNotes = fmt.Sprintf("the quote is in %s at %d places", r.Name, len(r.Places))
		if len(r.Places) > 0 {
			r.Suggestion = "quote more words around it, or say which one: " + again(r, o, r.Places[0].Span, o.Quote)
		}
	default:
		r.VerificationStatus = string(ledger.Failed)
		r.VerificationNotes = "the quote is not in " + r.Name
		if o.Span != "" {
			r.VerificationNotes += " at " + o.Span
		}
		if m.Difference != "" {
			r.VerificationNotes += fmt.Sprintf("; the nearest words differ in %s", article(string(m.Difference)))
		}
		at := m.Nearest
		if m.Status == cite.Fuzzy {
			at = &m.Span
		}
		if at == nil || at.IsZero() {
			r.Suggestion = fmt.Sprintf("nothing like it is there; muniment search %s finds where it may be", shellWord(firstWords(o.Quote, 6)))
			break
		}
		words, err := cite.Quote(doc, *at)
		if err != nil {
			break
		}
		r.Nearest = &Place{Span: at.String(), Text: words}
		found := "the nearest words are"
		if words == o.Quote {
			found = "the same words are"
		}
		r.Suggestion = fmt.Sprintf("%s at %s: %s", found, at, again(r, o, at.String(), words))
	}
	r.SummaryNote = summary(r)
}

// again is the call that would verify, ready to run.
func again(r *CiteResult, o CiteOptions, span, quote string) string {
	call := fmt.Sprintf("muniment cite --artifact %s --span %s --quote %s --claim %s", shellWord(r.Name), span, shellWord(quote), shellWord(o.Claim))
	if r.Relation != string(cite.DirectQuote) {
		call += " --relation " + r.Relation
	}
	if o.Reasoning != "" {
		call += " --reasoning " + shellWord(o.Reasoning)
	}
	if o.Confidence != "high" {
		call += " --confidence " + o.Confidence
	}
	return call
}

func article(difference string) string {
	switch difference {
	case "number", "negation", "name":
		return "a " + difference
	case "case":
		return "upper and lower case"
	}
	return difference
}

// aligned reports whether every content word, number and name of a claim is in
// the words it cites.
func aligned(claim string, artifact string, m cite.Match, doc *canon.Document) bool {
	claims := segment.Claims(claim, "en")
	for _, c := range claims {
		passage := retrieve.Passage{Artifact: artifact, Span: m.Span, Text: m.Found}
		ev, err := assign.Assign(c, []retrieve.Passage{passage}, func(string) (*canon.Document, error) { return doc, nil })
		if err != nil || !ev.Aligned {
			return false
		}
	}
	return len(claims) > 0
}

// summary is one line that stands in a conversation for the whole call.
func summary(r *CiteResult) string {
	switch {
	case r.VerificationStatus == string(ledger.Verified):
		return fmt.Sprintf("cited %s %s, %s match", r.Name, r.Span, r.Match)
	case r.Span != "":
		return fmt.Sprintf("%s %s found, support not shown", r.Name, r.Span)
	}
	return fmt.Sprintf("not cited: %s match in %s", r.Match, r.Name)
}

// shellWord quotes an argument so that a suggestion can be pasted.
func shellWord(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:") == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

func firstWords(s string, n int) string {
	words := strings.Fields(s)
	return strings.Join(words[:min(n, len(words))], " ")
}

// register writes the citation to the ledger and binds it when the newest
// snapshot holds what it points at.
func (a *Archive) register(r *CiteResult, ev evidence, m cite.Match, relation cite.Relation, o CiteOptions) error {
	l, err := a.openLedger()
	if err != nil {
		return err
	}
	entry := ledger.Entry{Time: a.world.Now(), Session: o.Session, Agent: a.world.Author, Artifact: ev.artifact.String(), Record: ev.record, Span: r.Span, Relation: relation, Claim: o.Claim,
		Quote: o.Quote, Reasoning: o.Reasoning, Context: o.Context, Confidence: o.Confidence, Anchor: ev.anchor,
		Match: m.Status, Edits: m.Edits, Length: m.Length, Difference: string(m.Difference),
		Status: ledger.Status(r.VerificationStatus), Notes: r.VerificationNotes}
	ordinal, err := l.AddCitation(entry)
	if err != nil {
		return environment(err, "ledger")
	}
	r.CitationID = ordinal
	if r.Span == "" {
		r.Binding = "failed"
		return nil
	}
	r.Binding = "unbound"
	head, _, err := a.head()
	if err != nil || head == nil {
		return err
	}
	at, err := a.load(head.Tree)
	if err != nil {
		return err
	}
	if !at.holds(ev.artifact) {
		return nil
	}
	id, err := a.bind(l, ledger.Citation{Ordinal: ordinal, Entry: entry}, head)
	if err != nil {
		return err
	}
	r.Binding, r.Citation, r.Snapshot = "bound", id.String(), head.ID.String()
	return nil
}

// bind gives a registered citation its snapshot and with it its id.
func (a *Archive) bind(l *ledger.Ledger, e ledger.Citation, s *snapshot.Snapshot) (cid.ID, error) {
	c := cite.Citation{Type: cite.CitationType, Artifact: e.Artifact, Record: e.Record, Snapshot: s.ID.String(), Seq: s.Seq, Span: e.Span,
		Relation: e.Relation, Claim: e.Claim, Reasoning: e.Reasoning, Context: e.Context,
		QuoteSHA256: e.Anchor.SHA256, Prefix: e.Anchor.Prefix, Suffix: e.Anchor.Suffix, Match: e.Match, Edits: e.Edits, Length: e.Length}
	encoded, err := c.Encode()
	if err != nil {
		return cid.ID{}, problem(TypeUsage, ExitUsage, "shorten the claim, the reasoning or the context", "citation: %w", err)
	}
	id := cid.OfJSON(encoded)
	return id, environment(l.Bind(e.Ordinal, encoded, id, a.world.Now()), "ledger")
}

// bindWaiting binds every citation whose artifact the new snapshot holds.
func (a *Archive) bindWaiting(s *snapshot.Snapshot) (int, error) {
	l, err := a.openLedger()
	if err != nil {
		return 0, err
	}
	waiting, err := l.Unbound()
	if err != nil {
		return 0, environment(err, "ledger")
	}
	if len(waiting) == 0 {
		return 0, nil
	}
	c, err := a.load(s.Tree)
	if err != nil {
		return 0, err
	}
	n := 0
	for _, e := range waiting {
		id, err := cid.Parse(e.Artifact)
		if err != nil || !c.holds(id) {
			continue // not in this snapshot; it goes on waiting
		}
		if _, err := a.bind(l, e, s); err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}
