package engine

import (
	"errors"

	"muniment/archive"
	"muniment/cid"
	"muniment/cite"
	"muniment/ledger"
	"muniment/snapshot/record"
)

// notHere is the note of a citation that only the snapshot has.
const notHere = "read from the snapshot; when and by whom it was registered and checked is in the ledger where that was done"

// look is find, and for a citation that this ledger does not have the object
// that the newest snapshot holds, as a clone has them all. Such a one has no
// number and no project: only who may read everything may read it.
func (e *Engine) look(ref string) (ledger.Citation, *ledger.Ledger, error) {
	c, l, err := e.Find(ref)
	var p *archive.Error
	id, idErr := cid.ParseAs(cid.JSON, ref)
	if !errors.As(err, &p) || p.Kind != archive.TypeNotFound || idErr != nil || e.who.Role == RoleUser || !e.who.May(ActReadCitation, Owner{}) {
		return c, l, err
	}
	head, _, headErr := e.arch.Head()
	if headErr != nil || head == nil {
		return c, l, err
	}
	data, fileErr := e.arch.File(head.Tree, record.CitationPath(id))
	if fileErr != nil {
		return c, nil, fileErr
	}
	if data == nil {
		return c, l, err
	}
	object, parseErr := cite.ParseCitation(data)
	snapshot, snapErr := cid.Parse(head.ID.String())
	if parseErr != nil || snapErr != nil || cid.OfJSON(data) != id {
		return c, l, archive.Negative(archive.TypeDamaged, archive.Advise("muniment verify tells what else is damaged"), "the citation object %s is damaged", id)
	}
	if l, err = e.arch.Ledger(); err != nil {
		return c, nil, err
	}
	c = ledger.Citation{Binding: ledger.Sealed, ID: id, JSON: data, Snapshot: snapshot, Entry: ledger.Entry{
		Relation: object.Relation, Claim: object.Claim, Artifact: object.Artifact, Span: object.Span, Reasoning: object.Reasoning, Context: object.Context,
		Inputs: object.Inputs, Match: object.Match, Edits: object.Edits, Length: object.Length, Difference: object.Difference,
		Anchor: cite.Anchor{SHA256: object.QuoteSHA256, Prefix: object.Prefix, Suffix: object.Suffix}, Notes: notHere, Status: ledger.Unverified}}
	checks, ev, err := e.recheck(&c)
	if err != nil {
		return c, nil, err
	}
	if (object.Relation == cite.DirectQuote || object.Relation == cite.MetadataFact) && (object.Match == cite.Exact || object.Match == cite.Normalized) {
		c.Status = ledger.Verified
	}
	for _, k := range checks {
		if k.Result == "fail" {
			c.Status = ledger.Failed
		}
		if k.Step == "span" && k.Result == "pass" {
			c.Text = k.Found
		}
	}
	if ev.doc != nil {
		if c.Text, err = cite.Quote(ev.doc, ev.span); err != nil {
			return c, nil, err
		}
	}
	return c, l, nil
}
