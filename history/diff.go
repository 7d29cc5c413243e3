package history

import (
	"strings"

	"muniment/archive"
	"muniment/archive/holdings"
	"muniment/archive/problem"
	"muniment/cid"
	"muniment/objects"
	"muniment/snapshot"
	"muniment/snapshot/layout"
)

// The kinds of change that Diff reports in addition to those of package snapshot.
const (
	ChangeReinstated = "reinstated" // an artifact that was withdrawn is back
	ChangeReleased   = "released"   // a hold was taken away
)

// DiffResult lists in what two snapshots differ.
type DiffResult struct {
	From    string         `json:"from"` // snapshot ids
	FromSeq int64          `json:"from_seq"`
	To      string         `json:"to"`
	ToSeq   int64          `json:"to_seq"`
	Counts  map[string]int `json:"counts"` // by kind
	Changes []Change       `json:"changes"`
}

// Diff compares two snapshots, each named by number, id, prefix or tag; an
// empty to is the newest. An artifact that came, went or came back is one
// change; record stands for a new record of an artifact that was there.
func Diff(a *archive.Archive, from, to string) (*DiffResult, error) {
	if from == "" {
		return nil, problem.New(problem.Usage, problem.Next(problem.DoLog).With("give two of them, as 3..5, or one, for what came after it"), "diff needs a snapshot to begin with")
	}
	x, err := a.FindSnapshot(from)
	if err != nil {
		return nil, err
	}
	y, err := a.FindSnapshot(to)
	if err != nil {
		return nil, err
	}
	changes, err := snapshot.Diff(a.Store(), x.Tree, y.Tree)
	if err != nil {
		return nil, problem.Wrap(err, "diff")
	}
	r := &DiffResult{From: x.ID.String(), FromSeq: x.Seq, To: y.ID.String(), ToSeq: y.Seq, Counts: map[string]int{}, Changes: []Change{}}
	for _, c := range mergeByArtifact(changes) {
		one := Change{Kind: c.Kind, Path: c.Path}
		if !c.Artifact.IsZero() {
			one.Artifact = c.Artifact.String()
			named := archive.WithdrawnArtifact{Artifact: one.Artifact, Name: one.Artifact}
			for _, tree := range []objects.Hash{y.Tree, x.Tree} {
				if err := a.FillName(tree, c.Artifact, &named); err != nil {
					return nil, err
				}
			}
			if named.Name != one.Artifact {
				one.Name = named.Name
			}
		}
		r.Changes = append(r.Changes, one)
	}
	if err := markDescriptions(a.Holdings().Peek(y.Tree), r.Changes); err != nil {
		return nil, err
	}
	for _, one := range r.Changes {
		r.Counts[one.Kind]++
	}
	return r, nil
}

// mergeByArtifact merges the changes of an artifact's files into one change per
// artifact; changes of other files stay as they are.
func mergeByArtifact(files []snapshot.Change) []snapshot.Change {
	added, withdrawn, reinstated := map[cid.ID]bool{}, map[cid.ID]bool{}, map[cid.ID]bool{}
	kindOf := func(c snapshot.Change) (layout.Kind, cid.ID) {
		kind, ids := layout.ClassifyPath(c.Path)
		if len(ids) == 0 {
			return kind, cid.ID{}
		}
		return kind, ids[0]
	}
	for _, c := range files {
		kind, id := kindOf(c)
		switch gone := c.Kind == snapshot.ChangeRemoved; {
		case kind == layout.KindWithdrawn && gone:
			reinstated[id] = true
		case kind == layout.KindWithdrawn:
			withdrawn[id] = true
		case isPayload(kind) && !gone:
			added[id] = true
		}
	}
	var out []snapshot.Change
	for _, c := range files {
		kind, id := kindOf(c)
		if strings.HasPrefix(c.Path, "artifacts/") {
			c.Artifact = id
		}
		switch gone := c.Kind == snapshot.ChangeRemoved; {
		case kind == layout.KindWithdrawn && gone:
			c.Kind = ChangeReinstated
		case kind == layout.KindHold && gone:
			c.Kind = ChangeReleased
		case (isPayload(kind) || kind == layout.KindRecord) && gone && withdrawn[id]:
			continue
		case isPayload(kind) && !gone && reinstated[id]:
			continue
		case kind == layout.KindRecord && !gone && added[id]:
			continue
		}
		out = append(out, c)
	}
	return out
}

// isPayload reports whether a payload, or a pointer in its place, lies at paths of a kind.
func isPayload(kind layout.Kind) bool {
	return kind == layout.KindPayload || kind == layout.KindPointer
}

// A Change is one difference between two trees of an archive.
type Change struct {
	Kind     string `json:"kind"`
	Path     string `json:"path"`
	Artifact string `json:"artifact,omitempty"`
	Name     string `json:"name,omitempty"`

	Corrections []holdings.Correction `json:"corrections,omitempty"` // of a record that supersedes another one
}
