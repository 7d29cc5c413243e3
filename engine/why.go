package engine

import (
	"cmp"
	"fmt"
	"time"

	"muniment/archive"
	"muniment/archive/holdings"
	"muniment/archive/problem"
	"muniment/canon"
	"muniment/cid"
	"muniment/cite"
	"muniment/cite/people"
	"muniment/judge"
	"muniment/ledger"
	"muniment/objects"
	"muniment/snapshot/layout"
)

// A WhyStep is one check with its expected and its found value.
type WhyStep struct {
	Step     string `json:"step"`
	Result   string `json:"result"` // pass, fail, not_checked
	Expected string `json:"expected,omitempty"`
	Found    string `json:"found,omitempty"`
	At       string `json:"at,omitempty"` // when it was checked; empty for now
}

// A WhyInput is something that an aggregation rests on, with what that rests on.
type WhyInput struct {
	Ref      string     `json:"ref"`
	Kind     string     `json:"kind,omitempty"` // artifact or citation
	Name     string     `json:"name,omitempty"`
	Resolves bool       `json:"resolves"`
	Reason   string     `json:"reason,omitempty"` // why it does not
	From     []WhyInput `json:"derived_from,omitempty"`
}

// A WhyLink is a link of the citation that is explained.
type WhyLink struct {
	From int64  `json:"from"`
	Type string `json:"type"`
	To   int64  `json:"to"`
}

// A WhyJudgement is the question that a model got and its reply.
type WhyJudgement struct {
	At           string `json:"at"`
	Model        string `json:"model"`
	PromptSHA256 string `json:"prompt_sha256"`
	Prompt       string `json:"prompt"`
	Reply        string `json:"reply"`
}

// A WhyResult explains a citation.
type WhyResult struct {
	CitationInfo
	JudgedBy   string         `json:"judged_by,omitempty"` // whose verdict on the claim it is, as the rules of today see it
	Reason     string         `json:"reason,omitempty"`    // of that verdict, one sentence
	Missing    []string       `json:"missing,omitempty"`   // words of the claim that the words lack
	Likely     bool           `json:"likely,omitempty"`    // not shown, but close to the words: a hint that nobody judged
	Steps      []WhyStep      `json:"steps"`               // as they were when it was verified
	Now        []WhyStep      `json:"now"`                 // the same words, looked up again
	Inputs     []WhyInput     `json:"inputs"`              // what an aggregation rests on
	Links      []WhyLink      `json:"links"`
	Judgements []WhyJudgement `json:"judgements"`
	Profile    []WhyStep      `json:"profile,omitempty"` // what it counts for in a draft under a profile
	// People is what persons make of the claim, Reviews what each of them said, counted or not.
	People  people.Decision `json:"people"`
	Reviews []people.Review `json:"reviews"`
	// Next is what would make a claim verify that does not follow. It may quote the paper, so that only its owner gets it.
	Next problem.Step `json:"-"`
}

// Waits returns the sentence, without its stop, that says how many reviews of the claim no snapshot holds yet; "" for none.
func (r *WhyResult) Waits() string { return people.SayUnsealed(r.Reviews) }

// Why returns the checks of a citation, by number or ID, in their order: as they
// were when it was verified, and as they are now. A citation that only the newest
// snapshot has comes without earlier checks.
func (cs Citations) Why(ref string) (*WhyResult, error) {
	c, l, err := cs.findAnywhere(ref)
	if err != nil {
		return nil, err
	}
	info, err := cs.describeCitations(l, []ledger.Citation{c})
	if err != nil {
		return nil, err
	}
	r := &WhyResult{CitationInfo: info[0], Steps: []WhyStep{}, Now: []WhyStep{}, Inputs: []WhyInput{}, Links: []WhyLink{}, Judgements: []WhyJudgement{}, Reviews: []people.Review{}}
	if err := cs.fillContext(&r.CitationInfo); err != nil {
		return nil, err
	}
	var attested []ledger.Attestation
	var links []ledger.Link
	if c.Ordinal > 0 {
		if attested, err = l.Attestations(c.Ordinal); err != nil {
			return nil, problem.Wrap(err, "ledger")
		}
		if links, err = l.Links(c.Ordinal); err != nil {
			return nil, problem.Wrap(err, "ledger")
		}
	}
	for _, one := range attested {
		at := one.Time.UTC().Format(time.RFC3339)
		for _, k := range one.Checks {
			r.Steps = append(r.Steps, WhyStep{k.Step, k.Result, k.Expected, k.Found, at})
		}
		if one.Prompt != "" {
			r.Judgements = append(r.Judgements, WhyJudgement{at, one.Model, one.PromptSHA256, one.Prompt, one.Reply})
		}
	}
	checks, ev, err := cs.recheck(&c)
	if err != nil {
		return nil, err
	}
	for _, k := range checks {
		r.Now = append(r.Now, WhyStep{Step: k.Step, Result: k.Result, Expected: k.Expected, Found: k.Found})
	}
	if err := r.judgeNow(cs.e, &c, ev); err != nil {
		return nil, err
	}
	tree, err := cs.e.arch.NewestTree()
	if err != nil {
		return nil, err
	}
	catalog := cs.e.Catalog(tree)
	for _, ref := range c.Inputs {
		in, err := cs.e.resolveInput(catalog, ref, 0)
		if err != nil {
			return nil, err
		}
		r.Inputs = append(r.Inputs, explainInput(in))
	}
	for _, k := range links {
		r.Links = append(r.Links, WhyLink{k.From, k.Type, k.To})
	}
	r.People, r.Reviews, err = cs.e.Reviews().reviewsNow(l, &c)
	return r, err
}

// judgeNow fills in the verdict of the rules of today on the claim, where the words of a text are there.
func (r *WhyResult) judgeNow(e *Engine, c *ledger.Citation, ev evidence) error {
	if ev.doc == nil || ev.span.IsZero() || c.Relation == cite.MetadataFact {
		return nil
	}
	paper, err := e.Citations().paperOfArtifact(c.Artifact)
	if err != nil {
		return err
	}
	p, err := judge.At(ev.doc, ev.span, paper)
	if err != nil {
		return problem.Wrap(err, "citation")
	}
	j := judgeClaim(c.Claim, c.Relation, p)
	r.JudgedBy, r.Reason, r.Missing, r.Likely = j.By, j.Reason, j.Missing, j.IsLikely()
	if j.Verdict != cite.ClaimFollows {
		if r.Next, err = r.correct(ev, paper); err != nil {
			return err
		}
	}
	result := map[cite.ClaimVerdict]string{cite.ClaimFollows: "pass", cite.ClaimContradicted: "fail"}[j.Verdict]
	r.Now = append(r.Now, WhyStep{Step: "claim", Result: cmp.Or(result, "not_checked"), Expected: clip(c.Claim), Found: clip(string(j.Verdict) + ": " + j.Reason)})
	return nil
}

// correct returns the step to cite the whole sentence of the words for what it says, or, where it asserts nothing, to let somebody else review the claim.
func (r *WhyResult) correct(ev evidence, paper judge.Paper) (problem.Step, error) {
	whole, err := sentencesAround(ev.doc, ev.span)
	if err != nil {
		return problem.Step{}, err
	}
	p, err := judge.At(ev.doc, whole, paper)
	if err == nil && judge.Judge(p.Words, p).Verdict == cite.ClaimFollows {
		again := &CiteResult{Relation: r.Relation}
		again.Name = r.Name
		return citeAgain(again, CiteOptions{Claim: p.Words, Confidence: "high"}, whole.String(), p.Words).With("claim what the words say"), nil
	}
	return problem.Advise("let a person who did not register the claim review it"), err
}

// explainInput returns an input, and what it rests on, as callers see them.
func explainInput(in input) WhyInput {
	out := WhyInput{Ref: in.ref, Kind: in.kind, Name: in.name, Resolves: in.resolves, Reason: in.reason}
	for _, below := range in.from {
		out.From = append(out.From, explainInput(below))
	}
	return out
}

// recheck looks up the words of a citation again in the newest tree. It returns
// the checks up to the first that makes others impossible, and the words' place.
func (cs Citations) recheck(c *ledger.Citation) (checks []ledger.Check, ev evidence, err error) {
	add := func(step string, ok bool, expected, found string) bool {
		result := "pass"
		if !ok {
			result = "fail"
		}
		checks = append(checks, ledger.Check{Step: step, Result: result, Expected: expected, Found: found})
		return ok
	}
	id, err := cid.Parse(c.Artifact)
	if err != nil {
		add("registry", false, "a source in the archive", "the citation names none")
		return checks, ev, nil
	}
	ev.artifact = id
	a := cs.e.arch
	tree, err := a.NewestTree()
	if err != nil {
		return nil, ev, err
	}
	catalog := cs.e.Catalog(tree)
	holds, err := catalog.Holds(id)
	if err != nil {
		return nil, ev, err
	}
	name, err := findName(catalog, id)
	if err != nil {
		return nil, ev, err
	}
	if !add("registry", holds, "the archive holds "+c.Artifact, name) {
		return checks, ev, nil
	}
	if c.Span == "" {
		add("span", false, "a place where the words are", "none was found when it was registered")
		return checks, ev, nil
	}
	var words string
	var now cite.Anchor
	switch {
	case c.Match == cite.NoWords:
		words, err = boundFragment(catalog, id, c.Span)
	case c.Relation == cite.MetadataFact:
		words, now, err = quoteRecord(catalog, id, c.Span)
	default:
		art, readErr := catalog.Artifact(id)
		if readErr != nil {
			return nil, ev, readErr
		}
		words, now, err = quoteText(a, tree, art, c.Span, &ev)
	}
	if err != nil {
		add("span", false, c.Span, err.Error())
		return checks, ev, nil
	}
	add("span", true, c.Span, clip(words))
	if c.Match != cite.NoWords { // the artifact's ID is the hash of a picture
		for _, one := range [][3]string{{"hash", c.Anchor.SHA256, now.SHA256}, {"prefix", c.Anchor.Prefix, now.Prefix}, {"suffix", c.Anchor.Suffix, now.Suffix}} {
			// Not the values: words around may not be shown, and the hash of one letter tells it.
			add(one[0], one[1] == one[2], "as registered", map[bool]string{true: "as registered", false: "changed since"}[one[1] == one[2]])
		}
	}
	if !c.ID.IsZero() {
		object, err := cite.ParseCitation(c.JSON)
		found := "the object does not parse"
		if err == nil {
			found = object.Span
		}
		add("object", err == nil && object.Span == c.Span && object.QuoteSHA256 == c.Anchor.SHA256, c.Span, found)
	}
	if !c.Snapshot.IsZero() {
		data, err := a.File(tree, layout.CitationPath(c.ID))
		if err != nil {
			return nil, ev, err
		}
		add("sealed", string(data) == string(c.JSON), "the snapshot holds the citation's object", fmt.Sprintf("%d bytes there", len(data)))
	}
	return checks, ev, nil
}

// boundFragment returns a fragment of a picture or a recording in words, with what
// the record says that bounds it; an error where it lies outside.
func boundFragment(c *holdings.Catalog, id cid.ID, at string) (string, error) {
	m, err := cite.ParseMediaSpan(at)
	if err != nil {
		return "", err
	}
	art, err := c.Artifact(id)
	if err != nil {
		return "", err
	}
	h, ok := art.FirstRecord()
	if !ok {
		return "", fmt.Errorf("no record of %s", id)
	}
	known := cite.BoundsOf(h.Record.Facts)
	_, bounds, err := known.Within(m)
	switch unknown := known.Unknown(m); {
	case err != nil:
		return "", err
	case unknown != "":
		return m.Words() + "; not known: " + unknown, nil
	case bounds != cite.Bounds{}:
		return m.Words() + ", of " + bounds.String(), nil
	}
	return m.Words(), nil
}

// quoteText returns the words at a span of an artifact's text and their anchor,
// and enters text and span in ev.
func quoteText(a *archive.Archive, tree objects.Hash, art *holdings.Artifact, at string, ev *evidence) (string, cite.Anchor, error) {
	doc, err := a.Document(tree, art)
	if err != nil {
		return "", cite.Anchor{}, err
	}
	span, err := cite.ParseSpan(at)
	if err != nil {
		return "", cite.Anchor{}, err
	}
	ev.doc, ev.span = doc, span
	return quoteSpan(doc, span)
}

// quoteSpan returns the words at a span of a text and their anchor.
func quoteSpan(doc *canon.Document, span cite.Span) (string, cite.Anchor, error) {
	words, err := cite.Quote(doc, span)
	if err != nil {
		return "", cite.Anchor{}, err
	}
	anchor, err := cite.AnchorOf(doc, span)
	return words, anchor, err
}

// quoteRecord returns the words at a meta span of a record and their anchor.
func quoteRecord(c *holdings.Catalog, id cid.ID, at string) (string, cite.Anchor, error) {
	h, ok, err := c.FindRecord(id)
	if err != nil {
		return "", cite.Anchor{}, err
	}
	if !ok {
		return "", cite.Anchor{}, fmt.Errorf("no record %s", id)
	}
	data, err := h.Record.Encode()
	if err != nil {
		return "", cite.Anchor{}, err
	}
	span, err := cite.ParseMetaSpan(at)
	if err != nil {
		return "", cite.Anchor{}, err
	}
	words, err := cite.QuoteMeta(data, span)
	if err != nil {
		return "", cite.Anchor{}, err
	}
	anchor, err := cite.AnchorOfMeta(data, span)
	return words, anchor, err
}
