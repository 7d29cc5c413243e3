package engine

import (
	"cmp"
	"errors"
	"maps"
	"slices"
	"time"

	"muniment/accession"
	"muniment/archive"
	"muniment/archive/inventory"
	"muniment/archive/problem"
	"muniment/cid"
	"muniment/cite"
	"muniment/history"
	"muniment/ledger"
	"muniment/objects"
	"muniment/sign"
	"muniment/snapshot"
	"muniment/snapshot/layout"
)

// Status returns history.Status with the number of citations that wait for a snapshot. A copy where
// nothing can be written has a status without its ledger.
func Status(a *archive.Archive) (*history.StatusResult, error) {
	r, err := history.Status(a)
	if err != nil {
		return nil, err
	}
	l, err := ledger.Find(a)
	if l == nil || err != nil {
		if a.ReadOnly() {
			err = nil
		}
		return r, err
	}
	bound, err := l.BoundUnsealed()
	if err != nil {
		return nil, problem.Wrap(err, "ledger")
	}
	unbound, err := l.Unbound()
	if err != nil {
		return nil, problem.Wrap(err, "ledger")
	}
	counted, err := l.CountClaims()
	if err != nil {
		return nil, problem.Wrap(err, "ledger")
	}
	if !counted.IsZero() {
		r.Claims = &counted
	}
	if r.Requests, _, err = listRequests(a, append(bound, unbound...)); err != nil {
		return nil, err
	}
	r.Citations = len(bound) + len(unbound)
	r.Clean = r.Clean && r.Citations == 0
	return r, nil
}

// Show returns the object of an id or a name as inventory.Show does, also of citations that wait for
// a snapshot.
func Show(a *archive.Archive, ref string) (*inventory.ShowResult, error) {
	l, err := ledger.Find(a)
	if err != nil {
		return nil, err
	}
	var waiting []inventory.WaitingCitation
	if l != nil {
		bound, err := l.BoundUnsealed()
		if err != nil {
			return nil, problem.Wrap(err, "ledger")
		}
		for _, b := range bound {
			waiting = append(waiting, inventory.WaitingCitation{ID: b.ID.String(), Object: []byte(b.JSON)})
		}
	}
	return inventory.Show(a, ref, waiting)
}

// The states of a requested snapshot.
const (
	stateSigned  = "signed"
	stateWaits   = "waits"
	stateNothing = "nothing_to_sign"
)

// A SnapshotOutcome says what became of a request for a snapshot. It speaks of what the caller added alone.
type SnapshotOutcome struct {
	State     string `json:"state" enum:"signed,waits,nothing_to_sign" doc:"waits: a person of the archive is to sign"`
	Snapshot  string `json:"snapshot,omitempty" doc:"id of the snapshot that was signed"`
	Seq       int64  `json:"seq,omitempty" doc:"its number"`
	Papers    int    `json:"artifacts_signed" doc:"records of the caller that it signs"`
	Citations int    `json:"citations_sealed" doc:"citations of the caller that it seals"`
	Waiting   int    `json:"artifacts_waiting" doc:"records of the caller that a person of the archive is to sign"`
}

// adder returns the caller as the archive notes who added what.
func (c Caller) adder() archive.Adder {
	return archive.Adder{Account: c.Account, Agent: c.Agent, Project: c.Project}
}

// noteAdditions notes what the caller has added, where that may matter later.
func (e *Engine) noteAdditions(added *accession.AddResult) error {
	if e.caller.Account == "" || e.caller.Role != RoleAgent || e.caller.Agent == "" {
		return nil
	}
	var records []cid.ID
	for _, one := range added.Artifacts {
		if one.Status == "added" {
			records = append(records, one.Record)
		}
	}
	return e.arch.NoteAdditions(e.caller.adder(), records)
}

// RequestSnapshot asks for a snapshot of what the caller itself added, and of its citations. signer signs it where the
// archive's owner has granted that to the caller; nil for a caller that was granted nothing. Whatever cannot be signed so
// waits for a person, with a note that Status lists.
func (e *Engine) RequestSnapshot(signer sign.Signer) (*SnapshotOutcome, error) {
	if err := e.require(ActCreate, e.Caller().Self()); err != nil {
		return nil, err
	}
	if e.caller.Role != RoleAgent || e.caller.Account == "" || e.caller.Agent == "" {
		return nil, problem.New(problem.NotPermitted, problem.Next(problem.DoStatus).With("a person signs with muniment snapshot"), "an agent with a name of its own asks for a snapshot of what it added")
	}
	all, _, err := readWaiting(e.arch)
	if err != nil {
		return nil, err
	}
	mine, err := e.arch.Additions(e.caller.adder())
	if err != nil {
		return nil, err
	}
	before, err := listStagedRecords(e.arch)
	if err != nil {
		return nil, err
	}
	maps.DeleteFunc(mine, func(id cid.ID, _ bool) bool { return !before[id] })
	own, err := e.ownQueue(all)
	if err != nil {
		return nil, err
	}
	r, why := &SnapshotOutcome{State: stateWaits}, errors.New("the program may not have its additions signed by itself")
	if signer != nil {
		var signed *archive.SnapshotResult
		signed, why = seal(e.arch, own, func() (*history.SignedSnapshot, error) {
			return history.SignAdditions(e.arch, signer, func(id cid.ID) bool { return mine[id] }, own.encodeObjects())
		})
		if why == nil {
			r.State, r.Snapshot, r.Seq, r.Citations = stateSigned, signed.Snapshot, signed.Seq, len(own.citations)
		}
		var failure *problem.Error
		if why != nil && (!errors.As(why, &failure) || !slices.Contains([]problem.Kind{problem.NotPermitted, problem.Key, problem.NothingToDo}, failure.Kind)) {
			return nil, why
		}
	}
	after, err := listStagedRecords(e.arch)
	if err != nil {
		return nil, err
	}
	for id := range mine {
		if after[id] {
			r.Waiting++
		} else {
			r.Papers++
		}
	}
	if all, _, err = readWaiting(e.arch); err != nil {
		return nil, err
	}
	if r.State == stateWaits && r.Waiting == 0 && !slices.ContainsFunc(all.citations, e.owns) {
		r.State = stateNothing
	}
	return r, e.noteRequest(r, why)
}

// noteRequest writes the note that the caller waits for a person, or takes it away where nothing of it waits. why is the
// error of the signature, nil for none.
func (e *Engine) noteRequest(r *SnapshotOutcome, why error) error {
	note := archive.SnapshotRequest{Adder: e.caller.adder()}
	if r.Waiting > 0 || r.State == stateWaits {
		note.Time, note.Reason = e.arch.World().Now().UTC().Format(time.RFC3339), "what it added is staged by another too, or rests on what is not signed"
		if failure := (*problem.Error)(nil); why != nil && (!errors.As(why, &failure) || failure.Kind != problem.NothingToDo) {
			note.Reason = why.Error()
		}
	}
	return e.arch.NoteRequest(note)
}

// waitsFor returns "a signature" while a request of the caller waits, else "".
func (e *Engine) waitsFor() (string, error) {
	if e.caller.Account == "" {
		return "", nil
	}
	all, err := e.arch.Requests()
	if slices.ContainsFunc(all, func(r archive.SnapshotRequest) bool { return r.Adder == e.caller.adder() }) {
		return "a signature", err
	}
	return "", err
}

// owns reports whether a citation is the caller's own.
func (e *Engine) owns(c ledger.Citation) bool {
	return c.Agent == e.caller.Agent && c.Project == e.caller.Project
}

// ownQueue returns the caller's citations of a queue that rest on none which is in no snapshot and not among them. What
// persons said of citations is theirs.
func (e *Engine) ownQueue(all sealQueue) (sealQueue, error) {
	head, _, err := e.arch.Head()
	if err != nil || head == nil {
		return sealQueue{}, err
	}
	var own sealQueue
	for _, c := range all.citations { // an aggregation comes after what it rests on
		object, err := cite.ParseCitation(c.JSON)
		if err != nil {
			return own, problem.Wrap(err, "ledger")
		}
		rests := e.owns(c)
		for _, ref := range object.Inputs {
			id, err := cid.Parse(ref)
			if err != nil {
				return own, problem.Wrap(err, "ledger")
			}
			_, sealed, err := e.arch.Store().Lookup(head.Tree, layout.CitationPath(id))
			if err != nil {
				return own, problem.Wrap(err, "citations")
			}
			rests = rests && (sealed || slices.ContainsFunc(own.citations, func(o ledger.Citation) bool { return o.ID == id }))
		}
		if rests {
			own.citations = append(own.citations, c)
		}
	}
	return own, nil
}

// listStagedRecords returns the records that are staged and in no snapshot.
func listStagedRecords(a *archive.Archive) (map[cid.ID]bool, error) {
	head, _, err := a.Head()
	if err != nil {
		return nil, err
	}
	var signed objects.Hash
	if head != nil {
		signed = head.Tree
	}
	staged, err := a.NewestTree()
	if err != nil {
		return nil, err
	}
	out := map[cid.ID]bool{}
	err = snapshot.EachChange(a.Store(), signed, staged, func(path string, _, blob objects.Hash) error {
		if kind, ids := layout.ClassifyPath(path); kind == layout.KindRecord && !blob.IsZero() {
			out[ids[1]] = true
		}
		return nil
	})
	return out, problem.Wrap(err, "staged")
}

// forgetSettled takes away the notes of additions that are signed and of requests of which nothing waits any more.
func forgetSettled(a *archive.Archive) error {
	waiting, _, err := readWaiting(a)
	if err != nil {
		return err
	}
	_, settled, err := listRequests(a, waiting.citations)
	for _, r := range settled {
		err = cmp.Or(err, a.NoteRequest(archive.SnapshotRequest{Adder: r.Adder}))
	}
	return cmp.Or(err, a.ForgetAdditions(func() (map[cid.ID]bool, error) { return listStagedRecords(a) }))
}

// listRequests returns the requests of programs for a snapshot of which something waits still, by name, and the others.
func listRequests(a *archive.Archive, citations []ledger.Citation) (open, settled []archive.SnapshotRequest, err error) {
	all, err := a.Requests()
	if err != nil || len(all) == 0 {
		return nil, nil, err
	}
	waits, err := listStagedRecords(a)
	if err != nil {
		return nil, nil, err
	}
	for _, r := range all {
		mine, err := a.Additions(r.Adder)
		if err != nil {
			return nil, nil, err
		}
		r.Papers = 0
		for id := range mine {
			if waits[id] {
				r.Papers++
			}
		}
		by := Engine{caller: Caller{Agent: r.Agent, Project: r.Project}}
		if r.Papers > 0 || slices.ContainsFunc(citations, by.owns) {
			open = append(open, r)
		} else {
			settled = append(settled, r)
		}
	}
	slices.SortFunc(open, func(x, y archive.SnapshotRequest) int {
		return cmp.Or(cmp.Compare(x.Agent, y.Agent), cmp.Compare(x.Project, y.Project))
	})
	return open, settled, nil
}
