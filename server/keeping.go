package server

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"slices"

	"muniment/answer"
	"muniment/archive"
	"muniment/archive/holdings"
	"muniment/archive/problem"
	"muniment/cid"
	"muniment/custody"
	"muniment/engine"
	"muniment/history"
	"muniment/snapshot/access"
	"muniment/snapshot/layout"
)

// Keeping is how the archive is kept: what an auditor asks first.
type Keeping struct {
	Snapshots   []archive.SnapshotResult    `json:"snapshots"` // newest first
	Tiers       []string                    `json:"tiers"`     // of requestors, lowest first
	Default     access.Consent              `json:"default_consent"`
	Audits      bool                        `json:"audits"` // the reader sees what follows
	Remotes     []custody.RemoteInfo        `json:"remotes,omitempty"`
	Receipts    []custody.Receipt           `json:"receipts,omitempty"` // oldest first
	Disputes    []string                    `json:"disagreements,omitempty"`
	Fixity      []archive.FixityEvent       `json:"fixity,omitempty"` // oldest first
	Refusals    *answer.RefusalsResult      `json:"refusals,omitempty"`
	Withdrawals []archive.WithdrawnArtifact `json:"withdrawals,omitempty"` // for those who see everything
	Consents    int                         `json:"consents,omitempty"`    // artifacts with a consent of their own
}

// audits reports whether the client may read how the archive is kept.
func (c *Client) audits() bool {
	return c.cred.seesAll() || c.cred.Role == engine.RoleAuditor && !c.reader
}

// Keeping returns how the archive is kept, as far as the client may know.
func (c *Client) Keeping(ctx context.Context) (*Keeping, error) {
	list, err := c.Snapshots(ctx, history.LogOptions{})
	if err != nil {
		return nil, err
	}
	return call(ctx, c, func(h *handle) (*Keeping, error) {
		k := &Keeping{Snapshots: list.Snapshots, Audits: c.audits()}
		v, err := h.view(c)
		if err != nil {
			return nil, err
		}
		k.Default = v.room.rules.DefaultConsent()
		for _, t := range v.room.rules.Tiers {
			k.Tiers = append(k.Tiers, t.Name)
		}
		if !k.Audits {
			return k, nil
		}
		if k.Remotes, err = custody.Remotes(h.archive); err != nil {
			return nil, err
		}
		if k.Receipts, err = custody.Receipts(h.archive, ""); err != nil {
			return nil, err
		}
		if k.Disputes, err = disputeFiles(h.archive); err != nil {
			return nil, err
		}
		if k.Fixity, err = h.archive.FixityEvents(); err != nil {
			return nil, err
		}
		if !c.cred.seesAll() {
			for i := range k.Fixity { // its counts are those of what may be hidden
				k.Fixity[i].Note, k.Fixity[i].Arcs, k.Fixity[i].After, k.Fixity[i].Upto = "", nil, "", ""
			}
		}
		if k.Refusals, err = answer.Refusals(h.archive, answer.RefusalsOptions{}); err != nil {
			return nil, err
		}
		if !c.cred.seesAll() {
			return k, nil
		}
		if k.Withdrawals, err = h.archive.Withdrawals(); err != nil {
			return nil, err
		}
		own, err := v.catalog.WithConsent()
		k.Consents = len(own)
		return k, err
	})
}

// disputeFiles returns the names of the evidence files of disagreements.
func disputeFiles(a *archive.Archive) ([]string, error) {
	dir, err := a.LocalPath("evidence")
	if err != nil {
		return nil, err
	}
	files, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var names []string
	for _, f := range files {
		names = append(names, f.Name())
	}
	return names, problem.Wrap(err, "evidence")
}

// LastFixity returns the newest check of the stored bytes, nil where there was none.
func (c *Client) LastFixity(ctx context.Context) (*archive.LastFixity, error) {
	return call(ctx, c, func(h *handle) (*archive.LastFixity, error) {
		out, err := h.archive.LastFixity()
		if out != nil && !c.cred.seesAll() {
			out.Checked, out.Failed, out.Absent, out.NotChecked = 0, 0, 0, 0 // counts of what may be hidden
		}
		return out, err
	})
}

// Changes returns the changes of a snapshot that the client may know.
func (c *Client) Changes(ctx context.Context, seq int64) (*history.DiffResult, error) {
	return withView(ctx, c, func(v *view) (*history.DiffResult, error) {
		s, err := v.handle.archive.FindSnapshot(itoa(int(seq)))
		if err != nil {
			return nil, err
		}
		if seq == 1 {
			return &history.DiffResult{To: s.ID.String(), ToSeq: seq, Counts: map[string]int{}, Changes: []history.Change{}}, nil
		}
		r, err := history.Diff(v.handle.archive, itoa(int(seq-1)), itoa(int(seq)))
		if err != nil || v.rules == nil {
			return r, err
		}
		shown := []history.Change{}
		counts := map[string]int{}
		for _, one := range r.Changes {
			id, err := cid.Parse(one.Artifact)
			if err != nil {
				continue // a rule, a citation or a record: what it is about may be hidden
			}
			art, err := v.catalog.Artifact(id)
			if err != nil {
				return nil, err
			}
			if art == nil || len(art.Records) == 0 {
				continue
			}
			if kind, ids := layout.ClassifyPath(one.Path); kind == layout.KindRecord && !slices.ContainsFunc(art.Records, func(h holdings.StoredRecord) bool { return h.ID == ids[1] }) {
				continue // of an accession that came in something hidden
			}
			if one.Name = art.Name(); one.Kind != "consent" {
				shown = append(shown, one)
				counts[one.Kind]++
			}
		}
		r.Changes, r.Counts = shown, counts
		return r, nil
	})
}
