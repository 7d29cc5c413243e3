package objects

// A Reader reads many objects one after the other, for one goroutine, with
// fewer looks at the disk than Store.Get: what one of them brings is kept, for
// objects that lie beside each other in a pack. It is made for one reading of
// an archive, so that it tells nothing older than that, and holds 6 KiB.
type Reader struct {
	store *Store
	room  []byte // where the next object goes if it fits

	pack *pack
	from int64
	near []byte // what lies in pack from there on
}

// A look at the disk begins before the object that is asked for: a record lies
// before its payload, and is read after it.
const (
	lookBefore = 1 << 10
	lookSize   = 6 << 10
)

// NewReader returns a reader of the objects of s.
func (s *Store) NewReader() *Reader { return &Reader{store: s} }

// Get is Store.Get.
func (r *Reader) Get(h Hash) (Kind, []byte, error) { return r.GetInto(nil, h) }

// GetInto is Get for bytes that are not kept: they lie in room where its
// capacity suffices and else in room of their own.
func (r *Reader) GetInto(room []byte, h Hash) (Kind, []byte, error) {
	r.room = room
	return r.store.get(h, r)
}

// roomFor returns the room for an object, of a Reader or of nil.
func (r *Reader) roomFor() []byte {
	if r == nil {
		return nil
	}
	return r.room
}

// entry is pack.entry for an object that is no delta, not large and sound; of
// every other one ok is false.
func (r *Reader) entry(p *pack, off, end int64) (h entryHeader, data []byte, ok bool) {
	if r.pack == p && off >= r.from && off < r.from+int64(len(r.near)) {
		if h, data, ok = r.unpack(r.near[off-r.from:]); ok {
			return h, data, true
		}
	}
	from := max(off-lookBefore, int64(packHead))
	r.pack = nil
	if r.near == nil {
		r.near = make([]byte, lookSize)
	}
	near := r.near[:min(lookSize, end-from)]
	if _, err := p.file.ReadAt(near, from); err != nil {
		return entryHeader{}, nil, false
	}
	r.pack, r.from, r.near = p, from, near
	return r.unpack(near[off-from:])
}

func (r *Reader) unpack(b []byte) (entryHeader, []byte, bool) {
	h, err := parseEntryHeader(b)
	if err != nil || h.kind == ofsDelta || h.kind == refDelta || h.len > len(b) {
		return entryHeader{}, nil, false
	}
	// Prose takes half of its room in a pack: what has less than that behind it
	// is not tried in vain.
	if b = b[h.len:]; int64(len(b)) < h.size/2 {
		return entryHeader{}, nil, false
	}
	data, ok := unpack(b, int(h.size), r.room)
	return h, data, ok
}
