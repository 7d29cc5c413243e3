package search

import (
	"context"
	"fmt"

	"muniment/archive/holdings"
	"muniment/archive/problem"
	"muniment/search/retrieve"
)

// A Coverage says which share of which snapshot was searched.
type Coverage struct {
	Snapshot string `json:"snapshot"` // its ID
	Seq      int64  `json:"seq"`
	// Percent is the share of its texts, about, rounded down to tens: a reader who may not
	// know of a text does not learn of it by a count. It is 100 where every text was
	// searched, by the index or directly, and only then.
	Percent int `json:"percent" minimum:"0" maximum:"100"`
	// Lacks is how many papers were not searched, at most. It is for the archive's own
	// ledger: no result shows it.
	Lacks int64 `json:"-"`
	// Rest says in words what becomes of the texts that were not searched; "" without any.
	Rest string `json:"rest,omitempty"`
}

// Whole reports whether every text of the snapshot was searched.
func (c Coverage) Whole() bool { return c.Percent == 100 }

// String returns the coverage in words.
func (c Coverage) String() string {
	switch c.Percent {
	case 100:
		return fmt.Sprintf("all of snapshot %d was searched", c.Seq)
	case 0:
		return fmt.Sprintf("hardly anything of snapshot %d was searched", c.Seq)
	}
	return fmt.Sprintf("about %d %% of snapshot %d was searched", c.Percent, c.Seq)
}

// NotSearched returns nil where every text was searched, and else the error of a call that
// would have to say that something is in none of them. It is no refusal and no verdict.
func (c Coverage) NotSearched() error {
	if c.Whole() {
		return nil
	}
	e := problem.New(problem.NotSearched, problem.Next(problem.DoIndex).With("then ask again: nothing was signed or recorded"), "not searched yet: %s; %s", c, c.Rest)
	e.Partial = c
	return e
}

// searchedWhole returns an index that is of all of the wanted snapshot.
func (u *update) searchedWhole(ix retrieve.Index) *Opened {
	return &Opened{Index: ix, Searched: Coverage{Snapshot: u.wanted.ID.String(), Seq: u.wanted.Seq, Percent: 100}}
}

// orPartly returns the index with a scan of what it lacks of the wanted snapshot, as long as
// that is no more than a search indexes before it answers; else the index as it is, without
// what the wanted snapshot does not have so. rest says what becomes of the others.
func (u *update) orPartly(ctx context.Context, rest string) (*Opened, error) {
	missing, stale, counted, err := u.missing()
	if err == nil && counted && passagesIn(missing) <= inlinePassages {
		if o, err := u.scan(ctx, missing, stale); o != nil || err != nil {
			return o, err
		}
	}
	if err != nil {
		u.ix.Close()
		return nil, err
	}
	return u.partly(rest)
}

// missing returns the artifacts of the wanted snapshot whose texts the index does not hold
// as they are there, and the IDs of those that it holds otherwise. counted is false where
// they are many, and were not read.
func (u *update) missing() (artifacts []*holdings.Artifact, stale []string, counted bool, err error) {
	switch {
	case u.large:
		return nil, nil, false, nil
	case u.newer:
		artifacts, stale, err = artifactsSince(u.a, u.a.Holdings().Peek(u.wanted.Tree), u.a.Holdings().Peek(u.at.Tree))
		return artifacts, stale, true, err
	case u.extent.Last != "" && u.id != u.wanted.ID.String(): // on the way to an older snapshot
		return nil, nil, false, nil
	}
	if err := u.list(); err != nil {
		return nil, nil, false, err
	}
	return u.artifacts[u.indexed():], u.gone, true, nil
}

// scan returns the index with the documents that it lacks; nil where it is of a kind that
// cannot be joined.
func (u *update) scan(ctx context.Context, missing []*holdings.Artifact, stale []string) (*Opened, error) {
	if len(missing) == 0 {
		o := u.searchedWhole(u.ix)
		o.hidden = stale
		return o, nil
	}
	folder, ok := u.ix.(*retrieve.Folder)
	if !ok && u.at != nil {
		return nil, nil
	}
	var fault error
	rest, err := retrieve.Scan(ctx, newTexts(u.a, u.wanted.Tree, missing, 0, nil, &fault))
	if err = updateError(ctx, fault, problem.Wrap(err, "search")); err != nil {
		u.ix.Close()
		return nil, err
	}
	if ok {
		return u.searchedWhole(&retrieve.Joined{Folder: folder, Rest: rest, Stale: stale}), nil
	}
	return u.searchedWhole(rest), u.ix.Close()
}

// measure writes into a coverage which share of the wanted snapshot's texts the index holds, rounded
// down to tens, and below 100. since is how many artifacts changed between its snapshot and
// the wanted one.
func (u *update) measure(c *Coverage, since int) error {
	totals, err := u.a.Holdings().Peek(u.wanted.Tree).Totals()
	if err != nil {
		return err
	}
	all := totals.Artifacts
	if c.Lacks = all; u.at == nil || all == 0 {
		return nil
	}
	lacks := int64(since)
	switch {
	case u.extent.Last == "":
	case u.from == nil:
		lacks += all - int64(u.extent.Done)
	default:
		changed, err := changedArtifacts(u.a, u.from.Tree, u.tree)
		if err != nil {
			return err
		}
		lacks += int64(len(changed) - u.extent.Done)
	}
	c.Lacks, c.Percent = lacks, int(min(max(0, all-lacks)*10/all, 9))*10
	return nil
}

// passagesIn returns how many passages the texts of artifacts have, about.
func passagesIn(artifacts []*holdings.Artifact) (n int64) {
	for _, art := range artifacts {
		if h, ok := art.FirstRecord(); ok && h.Record.Textual() {
			n += 1 + h.Record.Size/passageText
		}
	}
	return n
}
