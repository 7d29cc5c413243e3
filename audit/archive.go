package audit

import (
	"errors"
	"fmt"
	"muniment/bundle/display"
	"sync"
	"time"

	"muniment/archive"
	"muniment/archive/problem"
	"muniment/bundle"
	"muniment/cid"
	"muniment/history"
	"muniment/objects"
	"muniment/sign"
	"muniment/sign/trust"
	"muniment/snapshot"
	"muniment/text/legible"
)

// ArchiveVerifyOptions are the demands of a verifier of an archive. The zero value trusts nobody
// and starts from the newest snapshot.
type ArchiveVerifyOptions struct {
	Allowed  *sign.AllowedSigners // whose snapshots count; nil, and no Root: signatures are checked, trust is not
	Root     *trust.Root          // a trust root, in the place of Allowed
	Archive  cid.ID               // the archive that is meant; zero where only the trust names one
	Now      time.Time            // for what expires; zero where there is no clock
	Snapshot string               // id or prefix of the snapshot to start from; "" for the newest
	Progress func(done, total int)

	// RemotePayloads reads what lies in the payload store of this copy.
	RemotePayloads bool
}

// ArchiveVerdict is the verdict on an archive: an axis for each thing that was
// checked, counts of objects, and every problem. Checked = OK + Failed.
type ArchiveVerdict struct {
	Archive    string         `json:"archive"`
	Snapshot   string         `json:"snapshot"`
	Seq        int64          `json:"seq"`
	Verdict    string         `json:"verdict"`
	Newest     *bundle.Newest `json:"newest,omitempty"` // the newest snapshot with its age
	Axes       []bundle.Axis  `json:"axes"`
	Checked    int64          `json:"checked"`
	OK         int64          `json:"ok"`
	Failed     int64          `json:"failed"`
	Absent     int64          `json:"absent"`
	NotChecked int64          `json:"not_checked"`
	Cosigned   int64          `json:"cosigned,omitempty"` // countersignatures that verify

	// Elsewhere counts the payloads and originals of the newest snapshot that lie in a
	// payload store, and ElsewhereBytes their bytes. Those that were not read are among
	// NotChecked.
	Elsewhere      int64 `json:"elsewhere,omitempty"`
	ElsewhereBytes int64 `json:"elsewhere_bytes,omitempty"`

	Problems []archive.CheckProblem `json:"problems"`

	// Copy checks what this copy alone keeps: ledger, logs, kept bundles and notes. Its
	// verdict, SOUND or DAMAGED, is no part of Verdict, which is on the signed archive;
	// both are empty where the archive could not be read.
	CopyVerdict string  `json:"copy_verdict,omitempty"`
	Copy        []Check `json:"copy,omitempty"`
}

// Verify checks the whole archive from a snapshot back to the first: every
// commit's form, signature and link, every root, every file against its path
// and its record, and every sealed citation against its artifact.
func Verify(a *archive.Archive, o ArchiveVerifyOptions) (*ArchiveVerdict, error) {
	tip, err := a.FindCommit(o.Snapshot)
	if failure := (*problem.Error)(nil); errors.As(err, &failure) && failure.Kind == problem.Damaged {
		v := DamagedVerdict(err)
		v.Archive = a.ID().String()
		return v, nil
	} else if err != nil {
		return nil, err
	}
	if o.Allowed == nil && o.Root == nil {
		given, err := a.GivenTrust()
		if err != nil {
			return nil, err
		}
		o.Allowed, o.Root = given.Allowed, given.Root
	}
	root, rootVerdict := o.Root, (*archive.RootVerdict)(nil)
	permit := snapshot.PermitSigners(o.Allowed)
	if history, err := a.History(tip); err == nil { // a broken history is reported by the first axis
		root, rootVerdict = a.JudgeRoots(history, o.Root)
		if rootVerdict != nil && rootVerdict.Newer { // who may sign stands in what is not read here
			o.Allowed, o.Root, root = nil, nil, nil
		}
		if root != nil {
			permit = snapshot.PermitRoot(root, history)
		}
	}
	var files storedFiles
	var reading sync.WaitGroup
	reading.Go(func() { files.count, files.problems, files.err = a.Store().CheckFiles() })
	report, err := snapshot.CheckWith(a.Store(), tip, snapshot.Checking{Allowed: o.Allowed, Root: root, Review: reviewStored(a), Progress: func(done, total int64) {
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
	v := newArchiveVerdict(report)
	v.Archive = a.ID().String()
	v.addAxis("objects and history", report.Sound() && report.NotChecked == 0, report.Sound(), report.Unreadable,
		fmt.Sprintf("%s; every commit, root, payload, original and record read and hashed again", display.Count(int(report.Snapshots), "snapshot")))
	v.addStoredFiles(files)
	v.addElsewhere(a, report, o.RemotePayloads)
	verifyRefs(a, v, permit)
	v.addUnsigned(a)
	trusted := o.Allowed != nil || o.Root != nil
	v.addSignerTrust(report, trusted)
	if rootVerdict != nil {
		axis := bundle.Axis{Name: "trust root", Result: bundle.Fail, Reason: rootVerdict.Reason}
		switch {
		case rootVerdict.Follows:
			axis.Result = bundle.Pass
		case rootVerdict.Newer:
			axis.Result = bundle.NotChecked
		}
		v.Axes = append(v.Axes, axis)
	}
	v.addPinned(report.Head, bundle.Requirements{Allowed: o.Allowed, Root: root, Archive: o.Archive, Now: o.Now})
	v.addWithdrawals(report, trusted)
	verifyCitations(a, v, report.Head)
	if o.Snapshot == "" && report.Head != nil {
		v.addLastSeen(a.CheckRollback(report.Head), a.IsLastSeenDamaged())
	}
	v.addCopy(a)
	v.conclude()
	return v, nil
}

// reviewStored returns a Review of snapshots that are part of an archive: what it finds is a
// remark.
func reviewStored(a *archive.Archive) func(parent, s *snapshot.Snapshot) ([]snapshot.Act, bool, error) {
	return func(parent, s *snapshot.Snapshot) ([]snapshot.Act, bool, error) {
		found, err := history.WideningActs(a.Store(), parent.Tree, s.Tree, nil)
		return found, false, err
	}
}

// newArchiveVerdict returns the verdict with the counts and problems of a report, and
// no axes yet.
func newArchiveVerdict(report *snapshot.Report) *ArchiveVerdict {
	v := &ArchiveVerdict{Checked: report.Items - report.NotChecked, OK: report.OK, Failed: report.Failed,
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
	return v
}

// addSignerTrust adds the axis of signer trust. trusted says whether the verifier
// named anybody to trust.
func (v *ArchiveVerdict) addSignerTrust(r *snapshot.Report, trusted bool) {
	axis := bundle.Axis{Name: "signer trust", Result: bundle.Pass}
	switch {
	case !trusted:
		axis.Result, axis.Reason = bundle.NotChecked, "no trust file was given; the newest snapshot is signed by "+describeSigner(r.Head)
	case len(r.Untrusted) > 0:
		first := r.Untrusted[0]
		axis.Result, axis.Reason = bundle.Fail, fmt.Sprintf("snapshot %d: %s%s", first.Seq, first.Reason, legible.AndMore(len(r.Untrusted)-1))
	case len(r.Undersigned) > 0:
		first := r.Undersigned[0]
		axis.Result, axis.Reason = bundle.Fail, fmt.Sprintf("snapshot %d: %s%s", first.Seq, first.Reason, legible.AndMore(len(r.Undersigned)-1))
	case r.Unshown != nil:
		axis.Result, axis.Reason = bundle.NotChecked, r.Unshown.Error()
	default:
		axis.Reason = "every snapshot is signed by a key of the trust file; the newest by " + describeSigner(r.Head)
	}
	v.Axes = append(v.Axes, axis)
}

// addPinned adds the age of the newest snapshot, and the axes of the archive and of
// expiry where the verifier named an archive, or brought a root that expires.
func (v *ArchiveVerdict) addPinned(head *snapshot.Snapshot, q bundle.Requirements) {
	if head == nil {
		return
	}
	v.Newest = bundle.NewNewest(fmt.Sprintf("snapshot %d", head.Seq), head.Time, q.Now)
	if axis := q.JudgeArchive(head.Archive, sign.NamespaceGit, []sign.Key{head.Key}); axis.Result != bundle.NotChecked {
		v.Axes = append(v.Axes, axis)
	}
	if q.Root != nil && !q.Root.Expires.IsZero() {
		v.Axes = append(v.Axes, q.JudgeExpiry())
	}
}

// addLastSeen adds the axis of the newest snapshot that this copy has seen; rollback
// is the error where a newer one was seen, or nil. Where the note of it is damaged, nothing
// is known of it.
func (v *ArchiveVerdict) addLastSeen(rollback error, unknown bool) {
	axis := bundle.Axis{Name: "last seen", Result: bundle.Pass, Reason: "no newer snapshot was seen here"}
	switch {
	case unknown:
		axis.Result, axis.Reason = bundle.NotChecked, "the note of this copy is damaged: "+archive.LocalDir+"/"+archive.JournalFile
	case rollback != nil:
		axis.Result, axis.Reason = bundle.Fail, rollback.Error()
	}
	v.Axes = append(v.Axes, axis)
}

// DamagedVerdict returns the verdict on an archive that cannot be read because of
// err: INVALID, with every other axis not checked.
func DamagedVerdict(err error) *ArchiveVerdict {
	v := &ArchiveVerdict{Verdict: bundle.Invalid, Failed: 1, Checked: 1, Problems: []archive.CheckProblem{}}
	v.Axes = []bundle.Axis{{Name: "objects and history", Result: bundle.Fail, Reason: err.Error()}}
	for _, name := range []string{"stored files", "tags and refs", "signer trust", "withdrawals", "citations", "last seen"} {
		v.Axes = append(v.Axes, bundle.Axis{Name: name, Result: bundle.NotChecked, Reason: "the newest snapshot cannot be read"})
	}
	return v
}

// storedFiles are the findings of objects.Store.CheckFiles.
type storedFiles struct {
	count    int
	problems []objects.Problem
	err      error
}

// addStoredFiles adds the axis of packs and indexes. Their damage counts although
// every object of the snapshots may still be readable.
func (v *ArchiveVerdict) addStoredFiles(f storedFiles) {
	axis := bundle.Axis{Name: "stored files", Result: bundle.Pass, Reason: display.CountOf(f.count, "pack or index", "packs and indexes") + ", each as its checksum says"}
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

// addWithdrawals adds the axis of withdrawals: whether each was signed by a key with
// that right. trusted says whether the verifier named anybody to trust.
func (v *ArchiveVerdict) addWithdrawals(r *snapshot.Report, trusted bool) {
	axis := bundle.Axis{Name: "withdrawals", Result: bundle.Pass, Reason: "no snapshot withdraws, drops or loosens anything"}
	withdrawing := display.CountOf(int(r.Withdrawing), "snapshot withdraws, drops or loosens something", "snapshots withdraw, drop or loosen something")
	switch n := len(r.Unauthorized); {
	case n > 0:
		first := r.Unauthorized[0]
		axis.Result, axis.Reason = bundle.Fail, fmt.Sprintf("snapshot %d: %s%s", first.Seq, first.Reason, legible.AndMore(n-1))
	case r.Withdrawing > 0 && !trusted:
		axis.Result, axis.Reason = bundle.NotChecked, withdrawing+"; no trust file was given"
	case r.Withdrawing > 0:
		axis.Reason = withdrawing + ", each signed or countersigned by a key that may"
	}
	if n := len(r.Reviewed); n > 0 && axis.Result != bundle.Fail {
		first := r.Reviewed[0]
		axis.Reason += fmt.Sprintf("; remark: snapshot %d: %s%s; it is valid as one that is here, and a new one like it is not fetched", first.Seq, first.Reason, legible.AndMore(n-1))
	}
	v.Axes = append(v.Axes, axis)
}

// describeSigner returns the fingerprint of a snapshot's key, in words where there is
// no snapshot.
func describeSigner(s *snapshot.Snapshot) string {
	if s == nil {
		return "nobody that can be read"
	}
	return s.Key.Fingerprint()
}

// addAxis adds an axis: PASS where it holds, FAIL where it is not sound, NOT-CHECKED
// otherwise. reason serves for PASS.
func (v *ArchiveVerdict) addAxis(name string, holds, sound bool, unreadable int64, reason string) {
	result := bundle.Pass
	switch {
	case !sound:
		result, reason = bundle.Fail, fmt.Sprintf("%d failed, %d absent", v.Failed, v.Absent)
	case !holds:
		result, reason = bundle.NotChecked, fmt.Sprintf("%d not checked", v.NotChecked)
		if unreadable > 0 {
			reason = fmt.Sprintf("%d not checked, as %d cannot be read: nothing says that they are damaged", v.NotChecked, unreadable)
		}
	}
	v.Axes = append(v.Axes, bundle.Axis{Name: name, Result: result, Reason: reason})
}

// conclude sets the verdict: INVALID where an axis failed, INCOMPLETE where one could
// not be checked.
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
