package audit

import (
	"fmt"
	"sync"

	"muniment/archive"
	"muniment/archive/inventory"
	"muniment/bundle"
	"muniment/canon"
	"muniment/cid"
	"muniment/cite"
	"muniment/objects"
	"muniment/sign"
	"muniment/sign/trust"
	"muniment/snapshot"
	"muniment/snapshot/record"
)

// ArchiveVerifyOptions are the verifier's own requirements.
type ArchiveVerifyOptions struct {
	Allowed  *sign.AllowedSigners // whose snapshots count; nil, and no Root: signatures are checked, trust is not
	Root     *trust.Root          // a trust root, in the place of Allowed
	Snapshot string               // id or prefix of the snapshot to start from; "" for the newest
	Progress func(done, total int)
}

// ArchiveVerdict is the verdict on an archive.
type ArchiveVerdict struct {
	Archive    string                 `json:"archive"`
	Snapshot   string                 `json:"snapshot"`
	Seq        int64                  `json:"seq"`
	Verdict    string                 `json:"verdict"`
	Axes       []bundle.Axis          `json:"axes"`
	Checked    int64                  `json:"checked"`
	OK         int64                  `json:"ok"`
	Failed     int64                  `json:"failed"`
	Absent     int64                  `json:"absent"`
	NotChecked int64                  `json:"not_checked"`
	Cosigned   int64                  `json:"cosigned,omitempty"` // co-signatures that verify
	Problems   []archive.CheckProblem `json:"problems"`
}

// Verify checks the whole archive from a snapshot back to the first: every
// commit's form, signature and link, every root, every file against its path
// and its record, and every sealed citation against its artifact.
func Verify(a *archive.Archive, o ArchiveVerifyOptions) (*ArchiveVerdict, error) {
	tip, err := inventory.FindCommit(a, o.Snapshot)
	if err != nil {
		return nil, err
	}
	if o.Allowed == nil && o.Root == nil {
		given, err := a.GivenTrust()
		if err != nil {
			return nil, err
		}
		o.Allowed, o.Root = given.Allowed, given.Root
	}
	root, rootAxis := o.Root, (*bundle.Axis)(nil)
	permit := snapshot.PermitSigners(o.Allowed)
	if history, err := a.History(tip); err == nil { // what breaks it is reported with the history
		root, rootAxis = a.JudgeRoots(history, o.Root)
		if root != nil {
			permit = snapshot.PermitRoot(root, history)
		}
	}
	var files storedFiles
	var reading sync.WaitGroup
	reading.Go(func() { files.count, files.problems, files.err = a.Store().CheckFiles() })
	report, err := snapshot.CheckWith(a.Store(), tip, snapshot.Checking{Allowed: o.Allowed, Root: root, Progress: func(done, total int64) {
		if o.Progress != nil {
			o.Progress(int(done), int(total))
		}
	}})
	reading.Wait()
	if err != nil {
		v := DamagedVerdict(err)
		v.Archive = a.ID().String()
		return v, nil
	}
	v := &ArchiveVerdict{Archive: a.ID().String(), Checked: report.Items - report.NotChecked, OK: report.OK, Failed: report.Failed,
		Absent: report.Absent, NotChecked: report.NotChecked, Problems: []archive.CheckProblem{}, Verdict: bundle.Valid}
	if report.Head != nil {
		v.Snapshot, v.Seq = report.Head.ID.String(), report.Head.Seq
	}
	for _, p := range report.Problems {
		v.Problems = append(v.Problems, archive.CheckProblem{Seq: p.Seq, Path: p.Path, State: string(p.State), Reason: p.Reason})
	}
	if report.Cosigned > 0 {
		v.Cosigned = report.Cosigned
	}
	v.axis("objects and history", report.Sound() && report.NotChecked == 0, report.Sound(),
		fmt.Sprintf("%d snapshots; every commit, root, payload, original and record read and hashed again", report.Snapshots))
	v.files(files)
	verifyRefs(a, v, permit)
	switch {
	case o.Allowed == nil && o.Root == nil:
		v.Axes = append(v.Axes, bundle.Axis{Name: "signer trust", Result: bundle.NotChecked, Reason: "no trust file was given; the newest snapshot is signed by " + signerOf(report.Head)})
	case len(report.Untrusted) > 0:
		first := report.Untrusted[0]
		v.Axes = append(v.Axes, bundle.Axis{Name: "signer trust", Result: bundle.Fail, Reason: fmt.Sprintf("snapshot %d: %s%s", first.Seq, first.Reason, archive.AndMore(len(report.Untrusted)-1))})
	default:
		v.Axes = append(v.Axes, bundle.Axis{Name: "signer trust", Result: bundle.Pass, Reason: "every snapshot is signed by a key of the trust file; the newest by " + signerOf(report.Head)})
	}
	if rootAxis != nil {
		v.Axes = append(v.Axes, *rootAxis)
	}
	v.withdrawals(report, o.Allowed != nil || o.Root != nil)
	verifyCitations(a, v, report.Head)
	if o.Snapshot == "" && report.Head != nil {
		if err := a.CheckRollback(report.Head); err != nil {
			v.Axes = append(v.Axes, bundle.Axis{Name: "last seen", Result: bundle.Fail, Reason: err.Error()})
		} else {
			v.Axes = append(v.Axes, bundle.Axis{Name: "last seen", Result: bundle.Pass, Reason: "no newer snapshot was seen here"})
		}
	}
	v.conclude()
	return v, nil
}

// storedFiles is what CheckFiles of the store found.
type storedFiles struct {
	count    int
	problems []objects.Problem
	err      error
}

// files adds the line on the packs and indexes: what is wrong in them counts
// although every object that a snapshot names may still be read.
func (v *ArchiveVerdict) files(f storedFiles) {
	axis := bundle.Axis{Name: "stored files", Result: bundle.Pass, Reason: fmt.Sprintf("%d packs and indexes, each as its checksum says", f.count)}
	failed := 0
	for _, p := range f.problems {
		switch p.State {
		case objects.NotChecked:
			v.NotChecked++
		default:
			failed++
			v.Checked++
			v.Failed++
		}
		v.Problems = append(v.Problems, archive.CheckProblem{Seq: v.Seq, Path: archive.StoreDir + "/" + p.Object, State: string(p.State), Reason: p.Reason})
	}
	switch {
	case failed > 0:
		axis.Result, axis.Reason = bundle.Fail, fmt.Sprintf("%d of %d packs and indexes failed", failed, f.count)
	case f.err != nil:
		axis.Result, axis.Reason = bundle.NotChecked, f.err.Error()
	case len(f.problems) > 0:
		axis.Result, axis.Reason = bundle.NotChecked, fmt.Sprintf("%d of %d packs and indexes could not be read", len(f.problems), f.count)
	}
	v.Axes = append(v.Axes, axis)
}

// withdrawals adds the line on who withdrew.
func (v *ArchiveVerdict) withdrawals(r *snapshot.Report, asked bool) {
	axis := bundle.Axis{Name: "withdrawals", Result: bundle.Pass, Reason: "no snapshot withdraws, drops or loosens anything"}
	switch n := len(r.Unauthorized); {
	case n > 0:
		first := r.Unauthorized[0]
		axis.Result, axis.Reason = bundle.Fail, fmt.Sprintf("snapshot %d: %s%s", first.Seq, first.Reason, archive.AndMore(n-1))
	case r.Withdrawing > 0 && !asked:
		axis.Result, axis.Reason = bundle.NotChecked, fmt.Sprintf("%d snapshots withdraw, drop or loosen something; no trust file was given", r.Withdrawing)
	case r.Withdrawing > 0:
		axis.Reason = fmt.Sprintf("%d snapshots withdraw, drop or loosen something, each signed or co-signed by a key that may", r.Withdrawing)
	}
	v.Axes = append(v.Axes, axis)
}

func signerOf(s *snapshot.Snapshot) string {
	if s == nil {
		return "nobody that can be read"
	}
	return s.Key.Fingerprint()
}

// DamagedVerdict is the verdict on an archive of which nothing can be checked
// because of err.
func DamagedVerdict(err error) *ArchiveVerdict {
	v := &ArchiveVerdict{Verdict: bundle.Invalid, Failed: 1, Checked: 1, Problems: []archive.CheckProblem{}}
	v.Axes = []bundle.Axis{{Name: "objects and history", Result: bundle.Fail, Reason: err.Error()}}
	for _, name := range []string{"stored files", "tags and refs", "signer trust", "withdrawals", "citations", "last seen"} {
		v.Axes = append(v.Axes, bundle.Axis{Name: name, Result: bundle.NotChecked, Reason: "the newest snapshot cannot be read"})
	}
	return v
}

// axis adds a line: PASS when it holds, FAIL when something is wrong,
// NOT-CHECKED between the two.
func (v *ArchiveVerdict) axis(name string, holds, sound bool, reason string) {
	result := bundle.Pass
	switch {
	case !sound:
		result, reason = bundle.Fail, fmt.Sprintf("%d failed, %d absent", v.Failed, v.Absent)
	case !holds:
		result, reason = bundle.NotChecked, fmt.Sprintf("%d not checked", v.NotChecked)
	}
	v.Axes = append(v.Axes, bundle.Axis{Name: name, Result: result, Reason: reason})
}

// conclude derives the verdict: any FAIL is INVALID, anything that could not
// be checked INCOMPLETE.
func (v *ArchiveVerdict) conclude() {
	for _, a := range v.Axes {
		switch a.Result {
		case bundle.Fail:
			v.Verdict = bundle.Invalid
			return
		case bundle.NotChecked:
			v.Verdict = bundle.Incomplete
		}
	}
}

// verifyCitations checks every citation that the snapshot holds against the
// text of its artifact.
func verifyCitations(a *archive.Archive, v *ArchiveVerdict, s *snapshot.Snapshot) {
	if s == nil {
		v.Axes = append(v.Axes, bundle.Axis{Name: "citations", Result: bundle.NotChecked, Reason: "the snapshot cannot be read"})
		return
	}
	checked, bad := 0, 0
	older := map[string]*snapshot.Snapshot{}
	history, err := a.History(objects.Sum(objects.Commit, s.Content))
	if err != nil {
		history = []*snapshot.Snapshot{s} // what broke it is reported with the history
	}
	for _, one := range history {
		older[one.ID.String()] = one
	}
	err = a.Store().Walk(s.Tree, "citations", func(path string, h objects.Hash) error {
		checked++
		if err := verifyCitation(a, s, h, older); err != nil {
			bad++
			v.Failed++
			v.Problems = append(v.Problems, archive.CheckProblem{Seq: s.Seq, Path: path, State: string(objects.Failed), Reason: err.Error()})
		}
		return nil
	})
	switch {
	case err != nil:
		v.Axes = append(v.Axes, bundle.Axis{Name: "citations", Result: bundle.Fail, Reason: err.Error()})
	case bad > 0:
		v.Axes = append(v.Axes, bundle.Axis{Name: "citations", Result: bundle.Fail, Reason: fmt.Sprintf("%d of %d do not resolve", bad, checked)})
	default:
		v.Axes = append(v.Axes, bundle.Axis{Name: "citations", Result: bundle.Pass, Reason: fmt.Sprintf("%d sealed citations, each resolved to its words", checked)})
	}
}

// verifyCitation resolves one sealed citation; older are the snapshots by id.
func verifyCitation(a *archive.Archive, s *snapshot.Snapshot, h objects.Hash, older map[string]*snapshot.Snapshot) error {
	_, data, err := a.Store().Get(h)
	if err != nil {
		return err
	}
	c, err := cite.ParseCitation(data)
	if err != nil {
		return err
	}
	id, err := cid.Parse(c.Artifact)
	if err != nil {
		return err
	}
	if c.Relation == cite.MetadataFact {
		return verifyMetadata(a, s, c, id, older)
	}
	withdrawn, err := a.File(s.Tree, record.WithdrawnPath(id))
	if err != nil {
		return err
	}
	if withdrawn != nil { // it resolves in the snapshot it names
		if s = older[c.Snapshot]; s == nil {
			return fmt.Errorf("its artifact is withdrawn, and its snapshot %s is not in the history", c.Snapshot)
		}
		data, err := a.Payload(s.Tree, id)
		if err != nil {
			return err
		}
		return c.Check(canon.NewDocument(data))
	}
	cat, err := a.Catalog(s.Tree)
	if err != nil {
		return err
	}
	art := cat.ByID[id]
	if art == nil {
		return fmt.Errorf("its artifact %s is not in snapshot %d", id, s.Seq)
	}
	doc, err := a.Document(s.Tree, art)
	if err != nil {
		return err
	}
	return c.Check(doc)
}

// verifyMetadata resolves a citation of a record.
func verifyMetadata(a *archive.Archive, s *snapshot.Snapshot, c *cite.Citation, id cid.ID, older map[string]*snapshot.Snapshot) error {
	cat, err := a.Catalog(s.Tree)
	if err != nil {
		return err
	}
	h, ok := cat.FindRecord(id)
	if was := older[c.Snapshot]; !ok && was != nil { // its artifact may be withdrawn
		if cat, err = a.PeekCatalog(was.Tree); err != nil {
			return err
		}
		h, ok = cat.FindRecord(id)
	}
	if !ok {
		return fmt.Errorf("its record %s is not in snapshot %d", id, s.Seq)
	}
	data, err := h.Record.Encode()
	if err != nil {
		return err
	}
	return c.CheckRecord(data)
}
