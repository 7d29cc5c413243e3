// Package pack reads, writes and checks git's packs: files of many objects,
// each deflated whole or as a delta of another, and the indexes that find them.
//
// Reading takes a pack with its index; whoever asks hashes the result:
//
//	x, err := pack.OpenIndex("pack-1f….idx")
//	f := pack.NewFile("pack-1f…", "pack-1f….pack", x, pack.NewCache())
//	pos, ok := x.Find(name)
//	kind, data, err := f.Get(pos, nil)
//
// Writing makes a temporary file, which gets its index and its name at once:
//
//	w, err := pack.Create(disk.Disk{}, dir, dir)
//	err = pack.AppendEntry(&entry, &encoder, object.Blob, data)
//	_, err = w.Add(name, entry.Bytes(), crc32.ChecksumIEEE(entry.Bytes()))
//	err = w.Seal()    // pack and index are whole and synced
//	err = w.Publish() // first the index has its name, then the pack
//
// [Receive] indexes a pack that somebody else sends, [Stream] sends objects as
// they lie in packs, and [CheckIndex] and [CheckSum] compare files with the
// checksums they carry. The formats are those of gitformat-pack(5): packs of
// version 2, indexes of versions 1 and 2. Every form that git has one way to
// write is refused in any other.
//
// # Limits
//
// No object is above [object.MaxSize]; no chain has more than 4095 deltas, git's
// own bound, or makes more than 8 GiB on the way to one object; an entry cannot
// claim more than deflate can make of the bytes that follow. What is received
// keeps the [Limits] of its caller. An error about content is an
// [object.ErrCorrupt]; an error of the disk is returned as it is.
package pack

import (
	"io"
	"sync/atomic"

	"muniment/objects/flate"
	"muniment/objects/object"
)

const (
	magic = "PACK\x00\x00\x00\x02"

	// HeadSize is the length of what stands before the first entry: the magic
	// and the number of objects.
	HeadSize = len(magic) + 4

	// TailSize is the length of the checksum behind the last entry.
	TailSize = len(object.Hash{})

	// maxChain is the longest chain of deltas git itself writes.
	maxChain = 4095

	// maxChainBytes bounds the work for one object of a hostile pack, far
	// above what a chain of 250 versions of an 8 MiB chunk needs.
	maxChainBytes = 8 << 30
)

// A File is one pack file and its index. Its methods may be called from any
// goroutine, but for Close, which comes last.
type File struct {
	Name  string // without ".pack", for messages
	Index *Index

	path  string
	cache *Cache
	size  atomic.Int64 // 0 until the file was opened once

	// Guarded by cache.mu.
	open   *openFile // nil: not open
	closed bool
}

// NewFile returns the pack at path, with its index. The file is opened when it
// is read and not open. The cache keeps bases of deltas, and decides how long
// the file stays open.
func NewFile(name, path string, x *Index, cache *Cache) *File {
	return &File{Name: name, Index: x, path: path, cache: cache}
}

// Stat reads the size of the file, which [File.End] needs. A pack that an
// outside repack has removed gives an [fs.ErrNotExist] error.
func (p *File) Stat() error {
	_, err := p.acquire()
	if err == nil {
		p.release()
	}
	return err
}

// Close releases the file, its index and what the cache keeps of it.
func (p *File) Close() {
	p.cache.drop(p)
	p.Index.Close()
}

// End returns where the entries of the pack end. The file was opened before, by
// Stat or by a reading.
func (p *File) End() int64 { return p.size.Load() - int64(TailSize) }

// Get returns the object at a position of the index, read through near unless
// that is nil. The caller hashes the object against its name.
func (p *File) Get(pos int, near *Nearby) (object.Kind, []byte, error) {
	off, err := p.Index.Offset(pos)
	if err != nil {
		return 0, nil, err
	}
	return p.At(off, near)
}

// A link is one delta of a chain.
type link struct {
	offset int64 // of the entry
	data   int64 // of its deflated bytes
	size   int64 // of the delta
}

// At returns the object whose entry begins at an offset, resolving deltas; near
// is as for Get.
func (p *File) At(off int64, near *Nearby) (object.Kind, []byte, error) {
	file, err := p.acquire()
	if err != nil {
		return 0, nil, err
	}
	defer p.release()
	var chain []link
	var kind object.Kind
	var data []byte
	for {
		if k, d, ok := p.cache.get(p, off); ok {
			kind, data = k, d
			if len(chain) == 0 {
				data = append([]byte(nil), d...)
			}
			break
		}
		h, whole, err := p.entry(file, off, near)
		if err != nil {
			return 0, nil, err
		}
		if !h.Type.IsDelta() {
			kind, data = object.Kind(h.Type), whole
			if len(chain) > 0 {
				p.cache.put(p, off, kind, data)
			}
			break
		}
		if len(chain) == maxChain {
			return 0, nil, object.Corruptf("pack %s has a chain of more than %d deltas at %d", p.Name, maxChain, off)
		}
		chain, near = append(chain, link{off, off + int64(h.Len), h.Size}), nil // a base is kept in the cache, never in near
		if off, err = p.base(off, h); err != nil {
			return 0, nil, err
		}
	}
	if data, err = p.apply(file, chain, kind, data); err != nil {
		return 0, nil, err
	}
	return kind, data, nil
}

// Kind returns the kind of the object at a position of the index, and reads no more than headers:
// its own, or those of the deltas down to its base.
func (p *File) Kind(pos int) (object.Kind, error) {
	off, err := p.Index.Offset(pos)
	if err != nil {
		return 0, err
	}
	file, err := p.acquire()
	if err != nil {
		return 0, err
	}
	defer p.release()
	for range maxChain + 1 {
		var room [MaxHeader]byte
		if off < int64(HeadSize) || off >= p.End() {
			return 0, object.Corruptf("pack %s has no entry at %d: it ends at %d", p.Name, off, p.End())
		}
		n, err := file.ReadAt(room[:min(MaxHeader, p.End()-off)], off)
		if n == 0 {
			return 0, err
		}
		h, err := ParseHeader(room[:n])
		if err != nil || !h.Type.IsDelta() {
			return object.Kind(h.Type), err
		}
		if off, err = p.base(off, h); err != nil {
			return 0, err
		}
	}
	return 0, object.Corruptf("pack %s has a chain of more than %d deltas", p.Name, maxChain)
}

// apply applies a chain of deltas, the last of which is the nearest to the
// base, and caches what is made on the way.
func (p *File) apply(file io.ReaderAt, chain []link, kind object.Kind, data []byte) ([]byte, error) {
	work := int64(0)
	for i := len(chain) - 1; i >= 0; i-- {
		delta, err := flate.ContentAt(file, chain[i].data, p.End(), chain[i].size)
		if err != nil {
			return nil, err
		}
		if data, err = ApplyDelta(data, delta); err != nil {
			return nil, err
		}
		if work += int64(len(delta) + len(data)); work > maxChainBytes {
			return nil, object.Corruptf("pack %s has a chain of deltas of more than %d bytes at %d", p.Name, int64(maxChainBytes), chain[0].offset)
		}
		if i > 0 {
			p.cache.put(p, chain[i].offset, kind, data)
		}
	}
	return data, nil
}

// base returns the offset of the entry that a delta builds on.
func (p *File) base(off int64, h Header) (int64, error) {
	if h.Type == OffsetDelta {
		if h.Back > off-int64(HeadSize) {
			return 0, object.Corruptf("pack %s has a delta at %d with a base %d bytes before", p.Name, off, h.Back)
		}
		return off - h.Back, nil
	}
	pos, ok := p.Index.Find(h.Base)
	if !ok {
		return 0, object.Corruptf("pack %s has a delta at %d of %s, which it does not hold", p.Name, off, h.Base)
	}
	return p.Index.Offset(pos)
}

// entry reads the header at an offset and, unless it is that of a delta, the object after it. A
// small object takes one reading of the disk, or none when near holds it.
func (p *File) entry(file io.ReaderAt, off int64, near *Nearby) (Header, []byte, error) {
	end := p.End()
	if off < int64(HeadSize) || off >= end {
		return Header{}, nil, object.Corruptf("pack %s has no entry at %d: it ends at %d", p.Name, off, end)
	}
	var room []byte
	if near != nil {
		if h, data, ok := near.entry(p, file, off, end); ok {
			return h, data, nil
		}
		room = near.Room
	}
	r := flate.Borrow(io.NewSectionReader(file, off, end-off))
	defer r.Return()
	head, err := r.Peek(int(min(MaxHeader, end-off)))
	if err != nil && len(head) == 0 {
		return Header{}, nil, err
	}
	h, err := ParseHeader(head)
	if err != nil || h.Type.IsDelta() {
		return h, nil, err
	}
	if err := r.Discard(h.Len); err != nil {
		return Header{}, nil, err
	}
	data, err := r.Content(h.Size, end-off-int64(h.Len), room)
	if err != nil {
		return Header{}, nil, err
	}
	return h, data, nil
}
