package archive

import (
	"fmt"

	"muniment/search/retrieve"
)

// An IndexState says how far the search index of this copy is on the way to a snapshot.
type IndexState struct {
	Snapshot string `json:"snapshot"` // the snapshot that it is of, or is being brought to
	Seq      int64  `json:"seq"`
	Texts    int    `json:"texts,omitempty"` // texts that were taken on the way; 0 where it is there
	Building bool   `json:"building"`        // a process builds it now
}

// IndexState returns the state of the search index in this copy's folder; nil where there is
// none.
func (a *Archive) IndexState() (*IndexState, error) {
	dir := a.local("search")
	e, building := retrieve.ExtentOf(dir), retrieve.IsBuilt(dir)
	if e.Snapshot == "" && !building {
		return nil, nil
	}
	s := &IndexState{Snapshot: e.Snapshot, Texts: e.Done, Building: building}
	row, there, err := a.HasSnapshot(e.Snapshot)
	if there {
		s.Seq = row.Seq
	}
	return s, err
}

// String returns the state as one line for people.
func (s *IndexState) String() string {
	is := fmt.Sprintf("of snapshot %d", s.Seq)
	switch {
	case s.Snapshot == "":
		is = "none yet"
	case s.Texts > 0:
		is = fmt.Sprintf("%d texts of snapshot %d so far", s.Texts, s.Seq)
	}
	if s.Building {
		is += ", being built"
	}
	return is
}
