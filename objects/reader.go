package objects

import "muniment/objects/pack"

// A Reader reads many objects one after the other, for one goroutine, with fewer readings of the
// disk than Store.Get: adjacent objects of a pack share one. Use a new Reader for each pass over an
// archive, since it may show a pack as it was when its bytes were read. It holds 6 KiB.
type Reader struct {
	store *Store
	near  pack.Nearby
}

// NewReader returns a reader of the objects of s.
func (s *Store) NewReader() *Reader { return &Reader{store: s} }

// Get is Store.Get.
func (r *Reader) Get(h Hash) (Kind, []byte, error) { return r.GetInto(nil, h) }

// GetInto is Get for a caller that reuses memory: the bytes are put into room
// if its capacity suffices, and into memory of their own otherwise.
func (r *Reader) GetInto(room []byte, h Hash) (Kind, []byte, error) {
	r.near.Room = room
	return r.store.get(h, &r.near)
}
