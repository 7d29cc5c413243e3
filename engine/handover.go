package engine

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strconv"

	"muniment/archive"
	"muniment/archive/problem"
	"muniment/cid"
	"muniment/cid/jcs"
	"muniment/ledger"
	"muniment/policy"
	"muniment/text/legible"
)

// typeHandedCitation is the type of the object that a citation is handed on as.
const typeHandedCitation = "muniment/handed-citation/v1"

// A handedCitation is a citation as one archive hands it to another: what was
// claimed of which words. The snapshot is left out, as the other archive binds the
// citation to a snapshot of its own. Number and ID are those of the archive that
// wrote it; inputs refer to them.
type handedCitation struct {
	Type       string   `json:"type"`
	Number     int64    `json:"number"`
	ID         string   `json:"id,omitempty"`
	Artifact   string   `json:"artifact"` // ID of the artifact, or of the record for a metadata_fact
	Span       string   `json:"span"`
	Relation   string   `json:"relation"`
	Claim      string   `json:"claim"`
	Quote      string   `json:"quote,omitempty"`
	Language   string   `json:"language,omitempty"`
	Reasoning  string   `json:"reasoning,omitempty"`
	Context    string   `json:"context,omitempty"`
	Confidence string   `json:"confidence,omitempty"`
	Inputs     []string `json:"inputs,omitempty"`
	Session    string   `json:"session,omitempty"`
	Project    string   `json:"project,omitempty"`
	User       string   `json:"user,omitempty"`
	Agent      string   `json:"agent,omitempty"`
}

// HandOnCitations returns the citations of artifacts of the newest snapshot, of those
// that refs name or of all where there are none, each a line of canonical JSON. Failed ones are left out,
// and those of which nobody with the view may read every word.
func HandOnCitations(a *archive.Archive, refs []string, v *policy.View) ([]byte, error) {
	l, err := ledger.Of(a)
	if err != nil {
		return nil, err
	}
	list, err := listWithSealed(a, l, "")
	if err != nil || len(list) == 0 {
		return nil, err
	}
	head, _, err := a.RequireHead()
	if err != nil {
		return nil, err
	}
	held := a.CatalogFor(head.Tree, v)
	shown := shownCitations{view: v, catalog: held}
	chosen := map[string]bool{}
	for _, ref := range refs {
		art, err := held.Resolve(ref)
		if err != nil {
			return nil, err
		}
		chosen[art.ID.String()] = true
		for _, r := range art.Records {
			chosen[r.ID.String()] = true
		}
	}
	var out bytes.Buffer
	for _, c := range list {
		if c.Status == ledger.Failed || c.Span == "" || len(refs) > 0 && !chosen[c.Artifact] {
			continue
		}
		id, err := cid.Parse(c.Artifact)
		if err != nil {
			continue // it names no source
		}
		if holds, err := held.Holds(id); err != nil || !holds {
			if err != nil {
				return nil, err
			}
			continue // staged, and in no package
		}
		if shows, err := shown.has(&c); err != nil || !shows {
			if err != nil {
				return nil, err
			}
			continue
		}
		if c.Inputs, err = shown.inputs(l, c.Inputs); err != nil {
			return nil, err
		}
		h := handedCitation{Type: typeHandedCitation, Number: c.Ordinal, Artifact: c.Artifact, Span: c.Span, Relation: string(c.Relation), Claim: c.Claim, Quote: c.Quote,
			Language: c.Language, Reasoning: c.Reasoning, Context: c.Context, Confidence: c.Confidence, Inputs: c.Inputs,
			Session: c.Session, Project: c.Project, User: c.User, Agent: c.Agent}
		if !c.ID.IsZero() {
			h.ID = c.ID.String()
		}
		data, err := jcs.Marshal(&h)
		if err != nil {
			return nil, problem.Wrap(err, "citation "+strconv.FormatInt(c.Ordinal, 10))
		}
		out.Write(append(data, '\n'))
	}
	return out.Bytes(), nil
}

// A HandedCitations says what became of citations that another archive handed on.
type HandedCitations struct {
	Registered int             `json:"registered"`
	Unchanged  int             `json:"unchanged"` // registered here already
	Refused    []RefusedHanded `json:"refused"`
}

// A RefusedHanded is a citation that was not taken, with its number in the archive
// that wrote it.
type RefusedHanded struct {
	Number int64  `json:"number"`
	Claim  string `json:"claim"`
	Reason string `json:"reason"`
}

// TakeCitations registers citations that HandOnCitations of another archive wrote.
// Each is looked up anew in the artifacts here; one whose words are not there is
// refused. A citation of the same claim, words and relation is registered once.
func TakeCitations(ctx context.Context, a *archive.Archive, data []byte) (*HandedCitations, error) {
	t := &citationTaker{here: map[string]string{}, result: &HandedCitations{Refused: []RefusedHanded{}}}
	lines := bytes.Split(bytes.TrimSuffix(data, []byte("\n")), []byte("\n"))
	err := Together(a, func(g *Group) (err error) {
		t.group = g
		if t.ledger = g.ledger; t.ledger == nil {
			t.ledger, err = ledger.Of(a)
		}
		if err != nil {
			return err
		}
		for _, line := range lines {
			if ctx.Err() != nil {
				return problem.InterruptedError()
			}
			if err := t.take(ctx, line); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return t.result, nil
}

// A citationTaker takes in the citations of one file.
type citationTaker struct {
	group  *Group
	ledger *ledger.Ledger
	here   map[string]string // numbers here by number and ID there
	result *HandedCitations
}

// take registers one citation. An error is one of the archive.
func (t *citationTaker) take(ctx context.Context, line []byte) error {
	var h handedCitation
	refuse := func(reason string) error {
		t.result.Refused = append(t.result.Refused, RefusedHanded{h.Number, h.Claim, reason})
		return nil
	}
	if err := jcs.Unmarshal(line, typeHandedCitation, &h); err != nil {
		return refuse(legible.Reason(err))
	}
	known, err := t.ledger.List(ledger.Filter{Artifact: h.Artifact})
	if err != nil {
		return problem.Wrap(err, "ledger")
	}
	i := slices.IndexFunc(known, func(c ledger.Citation) bool {
		return c.Claim == h.Claim && c.Span == h.Span && string(c.Relation) == h.Relation && c.Status != ledger.Failed
	})
	if i >= 0 {
		t.result.Unchanged++
		t.note(&h, known[i].Ordinal)
		return nil
	}
	inputs := slices.Clone(h.Inputs)
	for i, ref := range inputs {
		if number, ok := t.here[ref]; ok {
			inputs[i] = number
		}
	}
	e, err := New(t.group.archive, Caller{Session: h.Session, Agent: h.Agent, User: h.User, Project: h.Project})
	if err != nil {
		return refuse(legible.Reason(err))
	}
	r, err := e.In(t.group).Cite(ctx, CiteOptions{Artifact: h.Artifact, Span: h.Span, Quote: h.Quote, Claim: h.Claim, Relation: h.Relation, Language: h.Language,
		Reasoning: h.Reasoning, Context: h.Context, Confidence: h.Confidence, DerivedFrom: inputs, ReasoningRequired: "none", NoRegister: true})
	var failure *problem.Error
	switch {
	case errors.As(err, &failure) && failure.Kind != problem.Environment && failure.Kind != problem.Database:
		return refuse(failure.Message)
	case err != nil:
		return err
	case ledger.Status(r.VerificationStatus) == ledger.Failed:
		return refuse(r.VerificationNotes)
	}
	t.result.Registered++
	t.note(&h, r.CitationID)
	return nil
}

// note keeps which number a citation has here.
func (t *citationTaker) note(h *handedCitation, ordinal int64) {
	number := strconv.FormatInt(ordinal, 10)
	t.here[strconv.FormatInt(h.Number, 10)] = number
	if h.ID != "" {
		t.here[h.ID] = number
	}
}
