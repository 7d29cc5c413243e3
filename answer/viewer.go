package answer

import (
	"slices"
	"strings"

	"muniment/archive/search"
	"muniment/canon"
	"muniment/cid"
	"muniment/policy"
	"muniment/search/retrieve"
	"muniment/snapshot/access"
)

// A viewer is one requestor before one snapshot: what the policy lets it see,
// and the texts that were opened for it, each once.
type viewer struct {
	view      View
	policy    *policy.Policy
	requestor policy.Requestor

	documents map[cid.ID]*canon.Document
	lengths   map[cid.ID]int // of the documents, in code points
	door      *policy.View
	known     map[string]bool
}

// newViewer returns a requestor before a snapshot.
func newViewer(v View, rules *policy.Policy, who policy.Requestor) *viewer {
	return &viewer{view: v, policy: rules, requestor: who, documents: map[cid.ID]*canon.Document{}, lengths: map[cid.ID]int{}, door: &policy.View{Rules: rules, Who: who, Consent: v.Consent, Paper: v.Paper}, known: map[string]bool{}}
}

// permission returns the requestor's permission for an artifact, with the words of it that are to be shown.
func (v *viewer) permission(id cid.ID, words string) (policy.Permission, error) {
	return v.door.Permission(id, words)
}

// knows reports whether the requestor may know of an artifact.
func (v *viewer) knows(artifact string) (bool, error) {
	known, seen := v.known[artifact]
	if seen {
		return known, nil
	}
	id, err := cid.ParseAs(cid.Raw, artifact)
	if err != nil {
		return false, err
	}
	perm, err := v.permission(id, "")
	if err != nil {
		return false, err
	}
	v.known[artifact] = perm.Existence
	return perm.Existence, nil
}

// open returns the passages of artifacts that the requestor may know of, in their order. What is drafted from them is
// what would be drafted if the others were not in the archive.
func (v *viewer) open(passages []retrieve.Passage) ([]retrieve.Passage, error) {
	var open []retrieve.Passage
	for _, p := range passages {
		known, err := v.knows(p.Artifact)
		if err != nil {
			return nil, err
		}
		if known {
			open = append(open, p)
		}
	}
	return open, nil
}

// hidesNames reports whether the policy protects persons from anybody: then a head, which names persons, says nothing of what a paper is about.
func (v *viewer) hidesNames() bool { return v.door.HidesNames() }

// query returns a query as search.WithoutNames does, without the names of the subject too.
func (v *viewer) query(q retrieve.Query) retrieve.Query {
	q.Ignore = v.subject()
	return search.WithoutNames(q, v.door, func(id cid.ID) (*canon.Document, error) { return v.document(id.String()) })
}

// unknown returns the candidates with evidence from an artifact that the requestor may not know of. An artifact that
// only resembles a claim supports nothing of it, and nothing has to be kept of it.
func (v *viewer) unknown(all []candidate) []candidate {
	return slices.DeleteFunc(all, func(c candidate) bool { return c.ev.Relation == "" || v.known[c.ev.Artifact] })
}

// The purposes for which words are sent to a model.
const (
	toRerank = "rerank"
	toDraft  = "draft"
	toJudge  = "judge"
)

// sends reports whether words of an artifact may be sent to the model of a purpose.
func (v *viewer) sends(purpose, artifact string) (bool, error) {
	if v.view.Sends == nil {
		return true, nil
	}
	id, err := cid.ParseAs(cid.Raw, artifact)
	if err != nil {
		return false, err
	}
	return v.view.Sends(purpose, id)
}

// document returns an artifact's text.
func (v *viewer) document(artifact string) (*canon.Document, error) {
	id, err := cid.ParseAs(cid.Raw, artifact)
	if err != nil {
		return nil, err
	}
	if d := v.documents[id]; d != nil {
		return d, nil
	}
	d, err := v.view.Document(id)
	if err != nil {
		return nil, err
	}
	v.documents[id] = d
	return d, nil
}

// length returns the code points of an artifact's text.
func (v *viewer) length(id cid.ID) (int, error) {
	if n, counted := v.lengths[id]; counted {
		return n, nil
	}
	doc, err := v.document(id.String())
	if err != nil {
		return 0, err
	}
	n, err := doc.CodePoint(len(doc.Payload()))
	if err == nil {
		v.lengths[id] = n
	}
	return n, err
}

// tier returns the name of the requestor's tier as the display leaf shows it.
func (v *viewer) tier() string {
	if v.requestor.Name == "" || v.requestor.Tier == "" {
		return v.policy.Lowest()
	}
	return v.requestor.Tier
}

// limit returns the longest excerpt, in code points, of the requestor's tier.
func (v *viewer) limit() int {
	if t, ok := v.policy.FindTier(v.tier()); ok {
		return t.Limit()
	}
	return 0
}

// subject lists the names of the archive's subject.
func (v *viewer) subject() []string {
	return v.policy.Subject.Names()
}

// clearedNames returns the names of the listed persons whom everybody may name.
func (v *viewer) clearedNames() (out []string) {
	for _, p := range v.policy.Persons.Persons {
		if p.State == access.PersonCleared {
			out = append(out, p.Name)
		}
	}
	return out
}

// paper returns an artifact as the policy reads it for whose it is and whom it names.
func (v *viewer) paper(id cid.ID) (*policy.Paper, error) { return v.door.PaperOf(id) }

// veils returns the places of a candidate's quote where protected persons are named. They are sought in the whole units
// that it lies in: an initial at its end may be the beginning of a name.
func (v *viewer) veils(c *candidate) ([]policy.Veil, error) {
	doc, err := v.document(c.ev.Artifact)
	if err != nil {
		return nil, err
	}
	id, err := cid.ParseAs(cid.Raw, c.ev.Artifact)
	if err != nil {
		return nil, err
	}
	paper, err := v.paper(id)
	if err != nil {
		return nil, err
	}
	units := doc.Units(c.ev.Span.Kind)
	first, last := units[c.ev.Span.From.Unit-1], units[c.ev.Span.To.Unit-1]
	text := string(doc.Payload()[first.Start:last.End])
	at := byteAt(text, c.ev.Span.From.Offset)
	if !strings.HasPrefix(text[at:], c.ev.Quote) {
		return v.policy.VeilsIn(c.ev.Quote, paper), nil
	}
	var out []policy.Veil
	for _, veil := range v.policy.VeilsIn(text, paper) {
		veil.Start, veil.End = max(veil.Start-at, 0), min(veil.End-at, len(c.ev.Quote))
		if veil.Start < veil.End {
			out = append(out, veil)
		}
	}
	return out, nil
}
