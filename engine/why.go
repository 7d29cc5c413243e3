package engine

import (
	"context"
	"fmt"
	"time"

	"muniment/archive"
	"muniment/canon"
	"muniment/cid"
	"muniment/cite"
	"muniment/ledger"
	"muniment/objects"
	"muniment/snapshot/record"
)

// A WhyStep is one check, with what was expected and what was found.
type WhyStep struct {
	Step     string `json:"step"`
	Result   string `json:"result"` // pass, fail, not_checked
	Expected string `json:"expected,omitempty"`
	Found    string `json:"found,omitempty"`
	At       string `json:"at,omitempty"` // when it was checked; empty for now
}

// A WhyInput is something an aggregation rests on, down to the papers.
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

// A WhyJudgement is what a model was asked and said.
type WhyJudgement struct {
	At           string `json:"at"`
	Model        string `json:"model"`
	PromptSHA256 string `json:"prompt_sha256"`
	Prompt       string `json:"prompt"`
	Reply        string `json:"reply"`
}

// WhyResult explains a citation.
type WhyResult struct {
	CitationInfo
	Steps      []WhyStep      `json:"steps"`  // as they were when it was verified
	Now        []WhyStep      `json:"now"`    // the same words, looked up again
	Inputs     []WhyInput     `json:"inputs"` // what an aggregation rests on
	Links      []WhyLink      `json:"links"`
	Judgements []WhyJudgement `json:"judgements"`
	Profile    []WhyStep      `json:"profile,omitempty"` // what it counts for in a draft under a profile
}

// Why walks through the checks of a citation or of a failure, in their order. Of
// one that only the newest snapshot has there are no earlier checks.
func (e *Engine) Why(ref string) (*WhyResult, error) {
	c, l, err := e.look(ref)
	if err != nil {
		return nil, err
	}
	info, err := e.describe(l, []ledger.Citation{c})
	if err != nil {
		return nil, err
	}
	r := &WhyResult{CitationInfo: info[0], Steps: []WhyStep{}, Now: []WhyStep{}, Inputs: []WhyInput{}, Links: []WhyLink{}, Judgements: []WhyJudgement{}}
	var attested []ledger.Attestation
	var links []ledger.Link
	if c.Ordinal > 0 {
		if attested, err = l.Attestations(c.Ordinal); err != nil {
			return nil, archive.Environment(err, "ledger")
		}
		if links, err = l.Links(c.Ordinal); err != nil {
			return nil, archive.Environment(err, "ledger")
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
	checks, _, err := e.recheck(&c)
	if err != nil {
		return nil, err
	}
	for _, k := range checks {
		r.Now = append(r.Now, WhyStep{Step: k.Step, Result: k.Result, Expected: k.Expected, Found: k.Found})
	}
	tree, err := e.arch.NewestTree()
	if err != nil {
		return nil, err
	}
	catalog, err := e.arch.Catalog(tree)
	if err != nil {
		return nil, err
	}
	for _, ref := range c.Inputs {
		in, err := e.input(catalog, ref, 0)
		if err != nil {
			return nil, err
		}
		r.Inputs = append(r.Inputs, whyInput(in))
	}
	for _, k := range links {
		r.Links = append(r.Links, WhyLink{k.From, k.Type, k.To})
	}
	return r, nil
}

func whyInput(in inputState) WhyInput {
	out := WhyInput{Ref: in.ref, Kind: in.kind, Name: in.name, Resolves: in.resolves, Reason: in.why}
	for _, below := range in.from {
		out.From = append(out.From, whyInput(below))
	}
	return out
}

// recheck looks a citation's words up again in the newest tree, step by step,
// and returns where they stand. The first step that fails ends it.
func (e *Engine) recheck(c *ledger.Citation) (checks []ledger.Check, ev evidence, err error) {
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
	a := e.arch
	tree, err := a.NewestTree()
	if err != nil {
		return nil, ev, err
	}
	catalog, err := a.Catalog(tree)
	if err != nil {
		return nil, ev, err
	}
	if !add("registry", catalog.Holds(id), "the archive holds "+c.Artifact, nameOf(catalog, id)) {
		return checks, ev, nil
	}
	if c.Span == "" {
		add("span", false, "a place where the words are", "none was found when it was registered")
		return checks, ev, nil
	}
	var words string
	var now cite.Anchor
	if c.Relation == cite.MetadataFact {
		words, now, err = recordWords(catalog, id, c.Span)
	} else {
		words, now, err = textWords(a, tree, catalog.ByID[id], c.Span, &ev)
	}
	if err != nil {
		add("span", false, c.Span, err.Error())
		return checks, ev, nil
	}
	add("span", true, c.Span, clip(words))
	add("hash", now.SHA256 == c.Anchor.SHA256, c.Anchor.SHA256, now.SHA256)
	add("prefix", now.Prefix == c.Anchor.Prefix, c.Anchor.Prefix, now.Prefix)
	add("suffix", now.Suffix == c.Anchor.Suffix, c.Anchor.Suffix, now.Suffix)
	if !c.ID.IsZero() {
		object, err := cite.ParseCitation(c.JSON)
		found := "the object does not parse"
		if err == nil {
			found = object.Span
		}
		add("object", err == nil && object.Span == c.Span && object.QuoteSHA256 == c.Anchor.SHA256, c.Span, found)
	}
	if !c.Snapshot.IsZero() {
		data, err := a.File(tree, record.CitationPath(c.ID))
		if err != nil {
			return nil, ev, err
		}
		add("sealed", string(data) == string(c.JSON), "the snapshot holds the citation's object", fmt.Sprintf("%d bytes there", len(data)))
	}
	return checks, ev, nil
}

// textWords resolves a span of an artifact's text.
func textWords(a *archive.Archive, tree objects.Hash, art *archive.Artifact, at string, ev *evidence) (string, cite.Anchor, error) {
	doc, err := a.Document(tree, art)
	if err != nil {
		return "", cite.Anchor{}, err
	}
	span, err := cite.ParseSpan(at)
	if err != nil {
		return "", cite.Anchor{}, err
	}
	ev.doc, ev.span = doc, span
	return wordsAt(doc, span)
}

func wordsAt(doc *canon.Document, span cite.Span) (string, cite.Anchor, error) {
	words, err := cite.Quote(doc, span)
	if err != nil {
		return "", cite.Anchor{}, err
	}
	anchor, err := cite.AnchorOf(doc, span)
	return words, anchor, err
}

// recordWords resolves a meta span of a record.
func recordWords(c *archive.Catalog, id cid.ID, at string) (string, cite.Anchor, error) {
	h, ok := c.FindRecord(id)
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

// VerifyPending verifies again every citation of the filter that is pending:
// its words first, then by the model. What a verification finds is attested
// beside what was found before.
func (e *Engine) VerifyPending(ctx context.Context, f CitationFilter) ([]CitationInfo, error) {
	if err := e.who.Require(ActCreate, e.who.Self()); err != nil {
		return nil, err
	}
	a := e.arch
	if a.World().Judge == nil {
		return nil, archive.Problem(archive.TypeUsage, archive.Advise("set CITATION_LLM_URL to an OpenAI-compatible endpoint, such as http://127.0.0.1:8080/v1"), "there is no model to ask")
	}
	f.Status = string(ledger.Pending)
	pending, err := e.Citations(f)
	if err != nil {
		return nil, err
	}
	l, err := a.Ledger()
	if err != nil {
		return nil, err
	}
	out := []CitationInfo{}
	for _, p := range pending {
		if ctx.Err() != nil {
			return out, &archive.Error{Kind: archive.TypeInterrupted, Message: "interrupted", Next: archive.Advise("run the same command again; what was verified is kept"), Partial: out}
		}
		c, err := l.Get(p.CitationID)
		if err != nil {
			return nil, archive.Environment(err, "ledger")
		}
		found, err := e.verifyAgain(ctx, &c)
		if err != nil {
			return nil, err
		}
		if err := l.Attest(c.Ordinal, found); err != nil {
			return nil, archive.Environment(err, "ledger")
		}
		one, err := e.Citation(fmt.Sprint(c.Ordinal))
		if err != nil {
			return nil, err
		}
		out = append(out, *one)
	}
	return out, nil
}

// verifyAgain runs the steps of a verification on a registered citation.
func (e *Engine) verifyAgain(ctx context.Context, c *ledger.Citation) (ledger.Attestation, error) {
	checks, ev, err := e.recheck(c)
	if err != nil {
		return ledger.Attestation{}, err
	}
	for _, k := range checks {
		if k.Result == "fail" {
			return ledger.Attestation{Time: e.arch.World().Now(), Agent: e.who.Agent, Status: ledger.Failed, Checks: checks,
				Notes: fmt.Sprintf("the words are not there any more: %s: expected %s, found %s", k.Step, archive.Printable(clip(k.Expected)), archive.Printable(clip(k.Found)))}, nil
		}
	}
	words := c.Text
	if ev.doc != nil {
		if words, err = cite.Quote(ev.doc, ev.span); err != nil {
			return ledger.Attestation{}, archive.Environment(err, "citation")
		}
	}
	found := e.entailment(ctx, question(ev, words, c.Relation, c.Claim), ledger.Unverified, "", c.Relation)
	found.Checks = append(checks, found.Checks...)
	return found, nil
}
