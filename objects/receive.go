package objects

import (
	"errors"
	"fmt"
	"io"

	"muniment/objects/pack"
)

// A Received is a pack that Receive has put into a store.
type Received struct {
	Name    string // the pack's, without extension; "" when it had no object
	Objects []Hash
	Bytes   int64
}

// Receive reads a pack to the end of r, names every object in it by its
// content, and puts it with an index of its own into the store. Deltas are
// resolved; one whose base is not in the pack is accepted when the store holds
// that base, which is then added to the pack. Nothing of a pack that is cut
// short, damaged, above its limits or longer than it says becomes visible.
//
// The objects are as they were sent, whatever they mean: receive into a store
// that nobody reads, check them, then move the pack on with [Store.Adopt].
func (s *Store) Receive(r io.Reader, limits ReceiveLimits) (*Received, error) {
	if !s.isOpen() {
		return nil, errClosed
	}
	w, err := pack.Create(s.disk, s.packDir(), s.packDir())
	if err != nil {
		return nil, err
	}
	defer w.Discard()
	if err := pack.Receive(w, r, limits, s.base); err != nil {
		return nil, fmt.Errorf("incoming pack: %w", err)
	}
	if w.Len() == 0 {
		return &Received{}, nil
	}
	got := &Received{Name: w.Name(), Bytes: w.Size() + int64(pack.TailSize)}
	for _, e := range w.Entries() {
		got.Objects = append(got.Objects, e.Hash)
	}
	if err := w.Publish(); err != nil {
		return nil, err
	}
	if err := s.disk.SyncDir(s.packDir()); err != nil {
		return nil, err
	}
	return got, s.rescan()
}

// base returns an object that a received pack builds on, if the store has it.
func (s *Store) base(h Hash) (Kind, []byte, bool, error) {
	k, data, err := s.getOnce(h, nil)
	if errors.Is(err, ErrNotFound) {
		return 0, nil, false, nil
	}
	return k, data, err == nil, err
}
