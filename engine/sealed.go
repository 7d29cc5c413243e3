package engine

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"slices"

	"muniment/archive"
	"muniment/archive/problem"
	"muniment/cid"
	"muniment/cite"
	"muniment/judge"
	"muniment/ledger"
	"muniment/objects"
	"muniment/snapshot"
	"muniment/snapshot/layout"
)

// notHere is the note on a citation that only the snapshot has.
const notHere = "read from the snapshot; when and by whom it was registered and checked is in the ledger where that was done"

// folderCitations is where the citations of a snapshot lie: see record.CitationPath.
const folderCitations = "citations"

// firstPlace is the lowest place of a citation or claim without a number. No ledger has as many
// rows, and with the 52 bits of a hash below it a place is a number that JSON readers keep exactly.
const firstPlace = 1 << 52

// placeFrom returns the place that the first eight bytes of a hash give.
func placeFrom(hash []byte) int64 {
	return firstPlace + int64(binary.BigEndian.Uint64(hash)>>12)
}

// placeOf returns the place of a citation without a number, in the order of IDs; 0 for one with a number.
func placeOf(c *ledger.Citation) int64 {
	if c.Ordinal != 0 || c.ID.IsZero() {
		return 0
	}
	digest := c.ID.Digest()
	return placeFrom(digest[:])
}

// placeOfText returns the place of a claim without a number.
func placeOfText(claim string) int64 {
	sum := sha256.Sum256([]byte(claim))
	return placeFrom(sum[:])
}

// readsSealed reports whether the caller may read citations that have no project, session
// or agent, as those of a snapshot.
func (cs Citations) readsSealed() bool {
	return cs.e.caller.Role != RoleUser && cs.e.caller.May(ActReadCitation, Owner{})
}

// findAnywhere is Find, and looks up an ID that this ledger does not have in the
// newest snapshot, as a clone needs it.
func (cs Citations) findAnywhere(ref string) (ledger.Citation, *ledger.Ledger, error) {
	c, l, err := cs.Find(ref)
	var p *problem.Error
	id, idErr := cid.ParseAs(cid.JSON, ref)
	if !errors.As(err, &p) || p.Kind != problem.NotFound || idErr != nil || !cs.readsSealed() {
		return c, l, err
	}
	head, _, headErr := cs.e.arch.Head()
	if headErr != nil || head == nil {
		return c, l, err
	}
	if l, headErr = cs.e.ledger(); headErr != nil {
		return c, nil, headErr
	}
	sealed, held, sealedErr := cs.readSealed(l, head, id)
	if sealedErr != nil || held {
		return sealed, l, sealedErr
	}
	return c, l, err
}

// addSealed adds citations of the newest snapshot that the ledger lacks to a page of the ledger's, as
// far as the caller may read them and a filter lets them through. A damaged row of the ledger whose
// citation the snapshot holds is read from there. words are those of the claim, "" for any.
func (cs Citations) addSealed(l *ledger.Ledger, page []ledger.Citation, f ledger.Filter, words string) ([]ledger.Citation, error) {
	head, _, err := cs.e.arch.Head()
	if err != nil || head == nil || !cs.readsSealed() {
		return page, err
	}
	for i := range page {
		if c := &page[i]; c.Damage != "" && !c.ID.IsZero() {
			sealed, held, err := cs.readSealed(l, head, c.ID)
			if err != nil {
				return nil, err
			}
			if held {
				sealed.Ordinal, sealed.Damage, sealed.Notes = c.Ordinal, c.Damage, c.Notes
				page[i] = sealed
			}
		}
	}
	ofLedger := f.Session != "" || f.Project != "" || f.Agent != "" || f.Source != 0 || f.Claim != 0 || f.PublishedFrom != "" || f.PublishedTo != ""
	if ofLedger || f.Limit > 0 && len(page) >= f.Limit {
		return page, nil
	}
	ids, err := cs.sealedOnly(l, head, f.After)
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		if f.Limit > 0 && len(page) == f.Limit {
			break
		}
		c, held, err := cs.readSealed(l, head, id)
		if err != nil {
			return nil, err
		}
		if held && (f.Artifact == "" || f.Artifact == c.Artifact) && (f.Status == "" || f.Status == c.Status) && (words == "" || words == c.Claim) {
			page = append(page, c)
		}
	}
	return page, nil
}

// listWithSealed returns the citations of a session, or all for "", and the citations of the newest
// snapshot that the ledger lacks.
func listWithSealed(a *archive.Archive, l *ledger.Ledger, session string) ([]ledger.Citation, error) {
	f := ledger.Filter{Session: session}
	list, err := l.List(f)
	if err != nil {
		return nil, problem.Wrap(err, "ledger")
	}
	e, err := New(a, Caller{})
	if err != nil {
		return nil, err
	}
	return e.Citations().addSealed(l, list, f, "")
}

// sealedOnly returns the IDs of the citations that a snapshot holds and the ledger does
// not have, those with a place above after, in the order of places.
func (cs Citations) sealedOnly(l *ledger.Ledger, s *snapshot.Snapshot, after int64) ([]cid.ID, error) {
	var out []cid.ID
	err := cs.e.arch.Store().Walk(s.Tree, folderCitations, func(path string, _ objects.Hash) error {
		if kind, ids := layout.ClassifyPath(path); kind == layout.KindCitation && placeOf(&ledger.Citation{ID: ids[0]}) > after {
			out = append(out, ids[0])
		}
		return nil
	})
	if err != nil || len(out) == 0 {
		return nil, problem.Wrap(err, "citations")
	}
	known, err := l.CitationIDs()
	if err != nil {
		return nil, problem.Wrap(err, "ledger")
	}
	return slices.DeleteFunc(out, func(id cid.ID) bool { return known[id.String()] }), nil
}

// readSealed returns a citation that a snapshot holds, with what the archive says of it today.
// held is false where the snapshot has none with the ID.
func (cs Citations) readSealed(l *ledger.Ledger, s *snapshot.Snapshot, id cid.ID) (c ledger.Citation, held bool, err error) {
	data, err := cs.e.arch.File(s.Tree, layout.CitationPath(id))
	if err != nil || data == nil {
		return c, false, err
	}
	object, err := cite.ParseCitation(data)
	if err != nil || cid.OfJSON(data) != id {
		return c, false, problem.Negative(problem.Damaged, problem.Next(problem.DoListDamage), "the citation object %s is damaged", id)
	}
	c = ledger.Citation{Binding: ledger.Sealed, ID: id, JSON: data, Snapshot: s.ID, Entry: ledger.Entry{Verdict: object.ClaimVerdict,
		Relation: object.Relation, Claim: object.Claim, Artifact: object.Artifact, Record: object.Record, Span: object.Span, Reasoning: object.Reasoning, Context: object.Context,
		Inputs: object.Inputs, Match: object.Match, Edits: object.Edits, Length: object.Length, Difference: object.Difference,
		Anchor: cite.Anchor{SHA256: object.QuoteSHA256, Prefix: object.Prefix, Suffix: object.Suffix}, Notes: notHere, Status: ledger.Unverified}}
	if object.Judge != nil {
		c.Judge = object.Judge.Model
	}
	return c, true, cs.judgeSealed(l, &c)
}

// judgeSealed fills in the words and the status of a citation that only the snapshot has.
func (cs Citations) judgeSealed(l *ledger.Ledger, c *ledger.Citation) error {
	checks, ev, err := cs.recheck(c)
	if err != nil {
		return err
	}
	for _, k := range checks {
		if k.Result == "fail" {
			c.Status = ledger.Failed
		}
		if k.Step == "span" && k.Result == "pass" && c.Match != cite.NoWords {
			c.Text = k.Found
		}
	}
	if ev.doc != nil {
		if c.Text, err = cite.Quote(ev.doc, ev.span); err != nil {
			return problem.Wrap(err, "citation")
		}
	}
	if c.Verdict == "" { // sealed before claims were judged
		if c.Verdict, err = cs.judgeAgain(c, ev); err != nil {
			return err
		}
	}
	if c.Status == ledger.Failed {
		return nil
	}
	c.Status = ledger.StatusOf(c.Match, c.Verdict)
	people, _, err := cs.e.Reviews().reviewsNow(l, c)
	if err == nil && people.Settles() {
		a := underPeople(ledger.Attestation{Status: c.Status, Verdict: c.Verdict, Notes: c.Notes}, people)
		c.Status, c.Verdict, c.Notes = a.Status, a.Verdict, a.Notes
	}
	return err
}

// judgeAgain returns the verdict of the rules of today on a claim, "" where its words are not there.
func (cs Citations) judgeAgain(c *ledger.Citation, ev evidence) (cite.ClaimVerdict, error) {
	if ev.doc == nil {
		if c.Text == "" {
			return "", nil
		}
		return judgeFact(c.Claim, c.Text).Verdict, nil
	}
	paper, err := cs.paperOfArtifact(c.Artifact)
	if err != nil {
		return "", err
	}
	p, err := judge.At(ev.doc, ev.span, paper)
	return judgeClaim(c.Claim, c.Relation, p).Verdict, problem.Wrap(err, "citation")
}
