package history

import (
	"slices"
	"strings"
	"time"

	"muniment/archive"
	"muniment/archive/holdings"
	"muniment/archive/problem"
	"muniment/cite"
	"muniment/objects"
	"muniment/snapshot"
	"muniment/snapshot/access"
)

// StatusResult is the difference between the newest snapshot and what is
// staged for the next one.
type StatusResult struct {
	Archive   string                    `json:"archive"`
	Name      string                    `json:"name"`
	Snapshot  string                    `json:"snapshot,omitempty"`
	Seq       int64                     `json:"seq"`
	Counts    map[string]int            `json:"counts"`
	Changes   []Change                  `json:"changes"`
	Citations int                       `json:"citations_waiting"`
	Claims    *cite.ClaimCounts         `json:"claims,omitempty"` // of the citations that the ledger of this copy has; nil where it has none
	Clean     bool                      `json:"clean"`
	Unworded  bool                      `json:"reading_unsaid,omitempty"` // nothing says how papers are read, so that others read excerpts
	Due       []DueConsent              `json:"due,omitempty"`            // restrictions that end, or that somebody is to look at again
	Requests  []archive.SnapshotRequest `json:"requests,omitempty"`       // of programs, for a signature; engine.Status reads them
	Fixity    *archive.LastFixity       `json:"last_fixity,omitempty"`
	Index     *archive.IndexState       `json:"search_index,omitempty"` // nil where there is none in this copy's folder
}

// Status compares what is staged with the newest snapshot. It knows no ledger: Citations is 0 and
// Claims nil, and engine.Status counts them.
func Status(a *archive.Archive) (*StatusResult, error) {
	prev, _, err := a.Head()
	if err != nil {
		return nil, err
	}
	tree, _, err := a.StagedTree()
	if err != nil {
		return nil, err
	}
	r := &StatusResult{Archive: a.ID().String(), Name: a.Info().Name, Counts: map[string]int{}, Changes: []Change{}}
	var from objects.Hash
	if prev != nil {
		r.Snapshot, r.Seq, from = prev.ID.String(), prev.Seq, prev.Tree
	}
	changes, err := snapshot.Diff(a.Store(), from, tree)
	if err != nil {
		return nil, problem.Wrap(err, "status")
	}
	c := a.Catalog(tree)
	for _, ch := range changes {
		one := Change{Kind: ch.Kind, Path: ch.Path}
		if !ch.Artifact.IsZero() {
			one.Artifact = ch.Artifact.String()
			art, err := c.Artifact(ch.Artifact)
			if err != nil {
				return nil, err
			}
			if art != nil {
				one.Name = art.Name()
			}
		}
		r.Changes = append(r.Changes, one)
	}
	if err := markDescriptions(c, r.Changes); err != nil {
		return nil, err
	}
	for _, one := range r.Changes {
		r.Counts[one.Kind]++
	}
	if r.Due, err = dueConsents(a, c); err != nil {
		return nil, err
	}
	usual, err := a.ConsentDefault(tree)
	if err != nil {
		return nil, err
	}
	r.Unworded = usual.Default == access.ConsentOpen && usual.Reading == ""
	r.Clean = len(r.Changes) == 0
	if r.Fixity, err = a.LastFixity(); err != nil {
		return nil, err
	}
	r.Index, err = a.IndexState()
	return r, err
}

// A DueConsent is a paper whose consent names a day that has passed. Nothing opens by it: the snapshot
// that opens it has a changed consent, and a key with the right to loosen signs it.
type DueConsent struct {
	Artifact string `json:"artifact"`
	Name     string `json:"name"`
	Until    string `json:"until,omitempty"`  // the restriction was to end with it
	Review   string `json:"review,omitempty"` // somebody was to look at it again
	Reason   string `json:"reason"`
}

// dueConsents returns the papers whose consent names a day that has passed, in the order of their names.
func dueConsents(a *archive.Archive, c *holdings.Catalog) ([]DueConsent, error) {
	special, err := c.WithConsent()
	if err != nil {
		return nil, err
	}
	now := a.World().Now().UTC()
	today := access.End(now.Format(time.DateOnly))
	var out []DueConsent
	for _, art := range special {
		own, err := c.SignedConsent(art.ID)
		if err != nil {
			return nil, err
		}
		if own == nil {
			continue
		}
		one := DueConsent{Artifact: art.ID.String(), Name: art.Name(), Reason: own.Reason}
		if own.Until != "" && access.End(own.Until).Compare(today) < 0 {
			one.Until = own.Until
		}
		if own.Review != "" && access.End(own.Review).Compare(today) <= 0 {
			one.Review = own.Review
		}
		if one.Until+one.Review != "" {
			out = append(out, one)
		}
	}
	slices.SortStableFunc(out, func(a, b DueConsent) int { return strings.Compare(a.Name, b.Name) })
	return out, nil
}

// LogOptions select a page of the snapshots.
type LogOptions struct {
	Before int64 // only snapshots with a lower number; 0 begins with the newest
	Limit  int   // at most so many; 0 is no limit
}

// Log lists the snapshots of a page, newest first, after it has checked the whole history. more is how many older ones
// come after the page.
func Log(a *archive.Archive, o LogOptions) (list []archive.SnapshotResult, more int, err error) {
	_, tip, err := a.Head()
	if err != nil {
		return nil, 0, err
	}
	out := []archive.SnapshotResult{}
	if tip.IsZero() {
		return out, 0, nil
	}
	history, err := a.History(tip)
	if err != nil {
		return nil, 0, err
	}
	if o.Before > 0 {
		history = slices.DeleteFunc(history, func(s *snapshot.Snapshot) bool { return s.Seq >= o.Before })
	}
	if o.Limit > 0 && len(history) > o.Limit {
		history, more = history[:o.Limit], len(history)-o.Limit
	}
	if len(history) == 0 {
		return out, 0, nil
	}
	// Each from the one after it: what they share is not read, and the newest is
	// counted when it is signed.
	artifacts, uncounted := a.CountArtifacts(history[0])
	for i, s := range history {
		if i > 0 {
			more, err := snapshot.Grown(a.Store(), s.Tree, history[i-1].Tree)
			if err != nil && uncounted == nil {
				uncounted = problem.Wrap(err, "artifacts not counted")
			}
			artifacts -= more
		}
		r := a.DescribeCounted(s, objects.Sum(objects.Commit, s.Content), artifacts, uncounted)
		if err := a.AddWitnesses(r, s); err != nil {
			return nil, 0, err
		}
		out = append(out, *r)
	}
	return out, more, nil
}
