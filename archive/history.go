package archive

import (
	"encoding/hex"
	"fmt"
	"time"

	"muniment/archive/problem"
	"muniment/objects"
	"muniment/snapshot"
	"muniment/text/legible"
)

// AddWitnesses adds to a snapshot's description the keys that countersigned it and its
// tags.
func (a *Archive) AddWitnesses(r *SnapshotResult, s *snapshot.Snapshot) error {
	countersignatures, err := a.Countersignatures()
	if err != nil {
		return err
	}
	for _, c := range countersignatures.Of(s) {
		r.Cosigned = append(r.Cosigned, c.Key.Fingerprint())
	}
	tags, err := a.Tags()
	if err != nil {
		return err
	}
	for _, t := range tags {
		if t.Problem == "" && t.Snapshot == r.Snapshot {
			r.Tags = append(r.Tags, t.Name)
		}
	}
	return nil
}

// Countersignatures returns the countersignatures. Malformed ones are left out: a verification
// reports them.
func (a *Repository) Countersignatures() (snapshot.Countersignatures, error) {
	tree, _, err := a.CountersignatureTree()
	if err != nil {
		return nil, err
	}
	out, _ := snapshot.ReadCountersignatures(a.Store(), tree)
	return out, nil
}

// CountersignatureTree returns the tree of the countersignatures and its commit, zero where there
// are none.
func (a *Repository) CountersignatureTree() (tree, tip objects.Hash, err error) {
	if tip, err = a.Store().Ref(snapshot.RefCountersignatures); err != nil || tip.IsZero() {
		return tree, tip, problem.Wrap(err, snapshot.RefCountersignatures)
	}
	tree, err = a.Store().TreeOf(tip)
	return tree, tip, problem.Wrap(err, snapshot.RefCountersignatures)
}

// SnapshotAt returns the snapshot of a commit.
func SnapshotAt(st *objects.Store, h objects.Hash) (*snapshot.Snapshot, error) {
	content, err := CommitReader(st)(h)
	if err != nil {
		return nil, err
	}
	return snapshot.Parse(content)
}

// CommitReader returns a function that returns the content of a commit.
func CommitReader(st *objects.Store) func(objects.Hash) ([]byte, error) {
	return func(h objects.Hash) ([]byte, error) {
		k, data, err := st.Get(h)
		if err == nil && k != objects.Commit {
			err = fmt.Errorf("object %s is a %s, want a commit", h, k)
		}
		return data, err
	}
}

// SnapshotResult names a signed snapshot.
type SnapshotResult struct {
	Snapshot  string `json:"snapshot"`
	Commit    string `json:"commit"`
	Root      string `json:"root"`
	Seq       int64  `json:"seq"`
	Artifacts int    `json:"artifacts"`           // 0 where Uncounted says why
	Uncounted string `json:"uncounted,omitempty"` // why the artifacts could not be counted
	Entries   int64  `json:"entries"`
	Prev      string `json:"prev,omitempty"`
	Signer    string `json:"signer"`
	Time      string `json:"time"`
	Author    string `json:"author"`
	Text      string `json:"text"`
	Enrolled  bool   `json:"enrolled,omitempty"` // the key is in the trust root or in trust/allowed_signers; said when the snapshot is made
	Bound     int    `json:"citations_bound"`
	Sealed    int    `json:"citations_sealed"`

	Join     string   `json:"join,omitempty"`     // the other snapshot that this one joins
	Cosigned []string `json:"cosigned,omitempty"` // fingerprints of the keys that countersigned it
	Tags     []string `json:"tags,omitempty"`     //
	Takes    int      `json:"takes,omitempty"`    // acts that need the role withdraw; said when the snapshot is made
	Awaits   bool     `json:"awaits_cosignature,omitempty"`

	LogProblem    string `json:"log_problem,omitempty"`    // why the answer logs were not copied to their refs
	LedgerProblem string `json:"ledger_problem,omitempty"` // why the ledger has not noted its part; the next command does
	Finished      bool   `json:"finished,omitempty"`       // nothing was signed: the ledger noted what this snapshot, signed before, did
}

// DescribeSnapshot returns the description of a snapshot with its number of
// artifacts.
func (a *Repository) DescribeSnapshot(s *snapshot.Snapshot, commit objects.Hash, artifacts int64) *SnapshotResult {
	r := &SnapshotResult{Snapshot: s.ID.String(), Commit: commit.String(), Root: "sha256:" + hex.EncodeToString(s.Root[:]), Seq: s.Seq,
		Entries: s.Entries, Signer: s.Key.Fingerprint(), Time: s.Time.UTC().Format(time.RFC3339),
		Author: s.Author.Name + " <" + s.Author.Email + ">", Text: s.Text}
	if !s.Prev.IsZero() {
		r.Prev = s.Prev.String()
	}
	if !s.Join.IsZero() {
		r.Join = s.Join.String()
	}
	r.Artifacts = int(artifacts)
	return r
}

// CountArtifacts returns the number of artifacts of a snapshot, and an error where its
// tree cannot be walked.
func (a *Repository) CountArtifacts(s *snapshot.Snapshot) (int64, error) {
	if k := a.StoredSummary(s); k != nil {
		return k.Artifacts, nil
	}
	n, err := snapshot.Grown(a.Store(), objects.Hash{}, s.Tree)
	return n, problem.Wrap(err, "artifacts not counted")
}

// DescribeCounted returns the description of a snapshot. err is why its artifacts
// could not be counted, or nil.
func (a *Repository) DescribeCounted(s *snapshot.Snapshot, commit objects.Hash, artifacts int64, err error) *SnapshotResult {
	if err != nil {
		r := a.DescribeSnapshot(s, commit, 0)
		r.Uncounted = legible.OneLine(err)
		return r
	}
	return a.DescribeSnapshot(s, commit, artifacts)
}

// History returns the snapshots from tip back to the first, the newest first.
func (a *Repository) History(tip objects.Hash) ([]*snapshot.Snapshot, error) {
	history, err := snapshot.History(func(h objects.Hash) ([]byte, error) {
		_, data, err := a.Store().Get(h)
		return data, err
	}, tip)
	if objects.IsUnreadable(err) {
		return nil, problem.Wrap(err, "history")
	}
	if err != nil {
		return nil, problem.Negative(problem.Damaged, problem.Next(problem.DoVerify), "history: %w", err)
	}
	return history, nil
}
