package server

import (
	"cmp"
	"context"
	"net/url"
	"slices"
	"strings"

	"muniment/archive"
	"muniment/archive/holdings"
)

// The lasting address of a paper ends in the signs of its id that follow those which every id of an
// artifact begins with.
const (
	sharedSigns = "bafkrei" // multibase, version, codec and hash
	shortSigns  = 10        // 48 bits: two of a million papers share them in one of 500 archives
)

// LastingAddress returns the path of the lasting address of a paper, at a span if there is one.
func LastingAddress(lasting, span string) string {
	if span == "" {
		return "/p/" + lasting
	}
	return "/p/" + lasting + "?at=" + strings.ReplaceAll(url.QueryEscape(span), "%3A", ":") + "#at"
}

// Expand returns the id of the paper with a lasting address. What is no ten signs is returned as it is. Signs that
// several papers share mean for ever the one that the public could know of first, also where it may no longer.
func (c *Client) Expand(ctx context.Context, address string) (string, error) {
	if len(address) != shortSigns {
		return address, nil
	}
	return withView(ctx, c, func(v *view) (string, error) {
		id, err := v.firstOf(address)
		if err == nil && id != "" {
			_, err = v.resolve(id)
		}
		if id == "" || isMissing(err) {
			return "", cmp.Or(notMissing(err), errUnknown(address)) // without the id of what may be hidden
		}
		return id, err
	})
}

// notMissing returns an error unless it says that something is missing.
func notMissing(err error) error {
	if isMissing(err) {
		return nil
	}
	return err
}

// lastingEnd returns the end of the lasting address of a paper: ten signs where the public may know of it, else its id.
func (v *view) lastingEnd(art *holdings.Artifact) (string, error) {
	id := art.ID.String()
	short := strings.TrimPrefix(id, sharedSigns)[:shortSigns]
	seen, err := v.publicIn(archive.SnapshotRow{Tree: v.tree})
	if err != nil {
		return "", err
	}
	if _, err := seen.find(id); err != nil {
		return id, notMissing(err)
	}
	first, err := v.firstOf(short)
	if first == id {
		return short, err
	}
	return id, err
}

// firstOf returns the id of the paper that ten signs mean, "" for none. The caller checks whether
// its client may know of that paper.
func (v *view) firstOf(short string) (string, error) {
	found, _, err := v.handle.archive.Catalog(v.tree).Match(sharedSigns + short)
	if err != nil {
		return "", err
	}
	found = slices.DeleteFunc(found, func(art *holdings.Artifact) bool { return !strings.HasPrefix(art.ID.String(), sharedSigns+short) })
	switch len(found) {
	case 0:
		return "", nil
	case 1:
		return found[0].ID.String(), nil
	}
	rows, err := v.snapshots()
	if err != nil {
		return "", err
	}
	for _, row := range rows {
		seen, err := v.publicIn(row)
		if err != nil {
			return "", err
		}
		for _, art := range found {
			if _, err := seen.find(art.ID.String()); err == nil || notMissing(err) != nil {
				return art.ID.String(), err
			}
		}
	}
	return "", nil
}

// snapshots returns the snapshots, the first one first.
func (v *view) snapshots() (rows []archive.SnapshotRow, err error) {
	for row, err := range v.handle.archive.SnapshotRows() {
		if err != nil {
			return nil, err
		}
		rows = append(rows, row)
	}
	slices.SortFunc(rows, func(a, b archive.SnapshotRow) int { return cmp.Compare(a.Seq, b.Seq) })
	return rows, nil
}

// publicIn returns the view of the public on a snapshot.
func (v *view) publicIn(row archive.SnapshotRow) (*view, error) {
	return v.handle.viewOf(&Client{cred: public}, row.Tree)
}
