package objects

import (
	"bufio"
	"errors"
	"io"
	"io/fs"
	"os"
	"sync"
	"time"

	"github.com/klauspost/compress/zlib"
	"github.com/pjbgf/sha1cd"
)

const (
	packMagic = "PACK\x00\x00\x00\x02"
	packHead  = len(packMagic) + 4
	packTail  = sha1cd.Size

	// maxChain is the longest chain of deltas git itself writes.
	maxChain = 4095

	// maxChainBytes bounds the work for one object of a hostile pack, far
	// above what a chain of 250 versions of an 8 MiB chunk needs.
	maxChainBytes = 8 << 30

	// deflateRatio is the most that deflate can shrink: an entry whose
	// size is above this many times the bytes that follow is a lie.
	deflateRatio = 1032
)

// A pack is one pack file and its index, shared by all views of the store
// that hold it. The fields up to file never change.
type pack struct {
	name  string // without ".pack", relative to objects/pack
	path  string // of the .pack file
	stamp [2]fileStamp
	idx   *index
	bases *baseCache

	once sync.Once
	file *os.File
	size int64
	err  error

	views int // guarded by Store.mu
}

// A fileStamp tells a file from another of the same name.
type fileStamp struct {
	size int64
	mod  time.Time
}

func stampOf(path string) (fileStamp, error) {
	st, err := os.Stat(path)
	if err != nil {
		return fileStamp{}, err
	}
	return fileStamp{st.Size(), st.ModTime()}, nil
}

// open opens the pack file once. A pack that an outside repack has removed
// gives an fs.ErrNotExist error.
func (p *pack) open() error {
	p.once.Do(func() {
		f, err := os.Open(p.path)
		if err != nil {
			p.err = err
			return
		}
		st, err := f.Stat()
		if err != nil {
			f.Close()
			p.err = err
			return
		}
		p.file, p.size = f, st.Size()
	})
	return p.err
}

func (p *pack) close() {
	p.once.Do(func() { p.err = fs.ErrClosed })
	if p.file != nil {
		p.file.Close()
	}
	p.bases.drop(p)
	p.idx.close()
}

// get returns the object at a position of the index, read by r unless it is
// nil. The caller hashes it.
func (p *pack) get(pos int, r *Reader) (Kind, []byte, error) {
	if err := p.open(); err != nil {
		return 0, nil, err
	}
	off, err := p.idx.offset(pos)
	if err != nil {
		return 0, nil, err
	}
	return p.at(off, r)
}

// link is one delta of a chain.
type link struct {
	offset int64 // of the entry
	data   int64 // of its deflated bytes
	size   int64 // of the delta
}

// at returns the object whose entry begins at an offset, resolving deltas; r is
// as for get.
func (p *pack) at(off int64, r *Reader) (Kind, []byte, error) {
	var chain []link
	var kind Kind
	var data []byte
	work := int64(0)
	for {
		if k, d, ok := p.bases.get(p, off); ok {
			kind, data = k, d
			if len(chain) == 0 {
				data = append([]byte(nil), d...)
			}
			break
		}
		h, whole, err := p.entry(off, r)
		if err != nil {
			return 0, nil, err
		}
		body := off + int64(h.len)
		if h.kind != ofsDelta && h.kind != refDelta {
			kind, data = Kind(h.kind), whole
			if len(chain) > 0 {
				p.bases.put(p, off, kind, data)
			}
			break
		}
		if len(chain) == maxChain {
			return 0, nil, corrupt("pack %s has a chain of more than %d deltas at %d", p.name, maxChain, off)
		}
		chain, r = append(chain, link{off, body, h.size}), nil // a base is kept
		if off, err = p.base(off, h); err != nil {
			return 0, nil, err
		}
	}
	for i := len(chain) - 1; i >= 0; i-- {
		delta, err := inflateAt(p.file, chain[i].data, p.size-int64(packTail), chain[i].size)
		if err != nil {
			return 0, nil, err
		}
		if data, err = applyDelta(data, delta); err != nil {
			return 0, nil, err
		}
		if work += int64(len(delta) + len(data)); work > maxChainBytes {
			return 0, nil, corrupt("pack %s has a chain of deltas of more than %d bytes at %d", p.name, int64(maxChainBytes), chain[0].offset)
		}
		if i > 0 {
			p.bases.put(p, chain[i].offset, kind, data)
		}
	}
	return kind, data, nil
}

// base returns the offset of the entry that a delta builds on.
func (p *pack) base(off int64, h entryHeader) (int64, error) {
	if h.kind == ofsDelta {
		if h.back > off-int64(packHead) {
			return 0, corrupt("pack %s has a delta at %d with a base %d bytes before", p.name, off, h.back)
		}
		return off - h.back, nil
	}
	pos, ok := p.idx.find(h.base)
	if !ok {
		return 0, corrupt("pack %s has a delta at %d of %s, which it does not hold", p.name, off, h.base)
	}
	return p.idx.offset(pos)
}

// entry reads the header at an offset and, unless it is that of a delta, the
// object behind it: with one look at the disk, or none by r, where that is small.
func (p *pack) entry(off int64, r *Reader) (entryHeader, []byte, error) {
	end := p.size - int64(packTail)
	if off < int64(packHead) || off >= end {
		return entryHeader{}, nil, corrupt("pack %s has no entry at %d: it ends at %d", p.name, off, end)
	}
	if r != nil {
		if h, data, ok := r.entry(p, off, end); ok {
			return h, data, nil
		}
	}
	f := inflaters.Get().(*inflater)
	defer inflaters.Put(f)
	f.in.Reset(io.NewSectionReader(p.file, off, end-off))
	head, err := f.in.Peek(int(min(maxEntryHeader, end-off)))
	if err != nil && len(head) == 0 {
		return entryHeader{}, nil, err
	}
	h, err := parseEntryHeader(head)
	if err != nil || h.kind == ofsDelta || h.kind == refDelta {
		return h, nil, err
	}
	if _, err := f.in.Discard(h.len); err != nil {
		return entryHeader{}, nil, err
	}
	data, err := f.sized(end-off-int64(h.len), h.size, r.roomFor())
	if err != nil {
		return entryHeader{}, nil, err
	}
	return h, data, nil
}

type inflater struct {
	in *bufio.Reader
	z  io.ReadCloser
}

// inflateBuffer is one read of a pack: most entries fit.
const inflateBuffer = 4 << 10

var inflaters = sync.Pool{New: func() any {
	return &inflater{in: bufio.NewReaderSize(nil, inflateBuffer)}
}}

// inflateAt returns the size bytes deflated at off, which end before end.
func inflateAt(r io.ReaderAt, off, end, size int64) ([]byte, error) {
	f := inflaters.Get().(*inflater)
	defer inflaters.Put(f)
	f.in.Reset(io.NewSectionReader(r, off, end-off))
	return f.sized(end-off, size, nil)
}

// sized inflates an object of a size that its header claims, in room if it
// fits; follow is how many bytes there are.
func (f *inflater) sized(follow, size int64, room []byte) ([]byte, error) {
	if size > MaxObject || follow*deflateRatio < size {
		return nil, corrupt("entry of %d bytes cannot come from the %d that follow", size, follow)
	}
	// Where the look at the disk has brought all of it, it is unpacked there.
	b, _ := f.in.Peek(int(min(int64(f.in.Size()), follow)))
	if data, ok := unpack(b, int(size), room); ok {
		return data, nil
	}
	return f.inflate(int(size), room)
}

// sliceOf returns a slice of a size, of room if it is large enough.
func sliceOf(room []byte, size int) []byte {
	if size <= cap(room) {
		return room[:size]
	}
	return make([]byte, size)
}

// inflate reads one zlib stream of exactly size bytes.
func (f *inflater) inflate(size int, room []byte) ([]byte, error) {
	if err := f.reset(); err != nil {
		return nil, zlibError(err)
	}
	data := sliceOf(room, size)
	if _, err := io.ReadFull(f.z, data); err != nil {
		return nil, zlibError(err)
	}
	// The checksum is read only with the end.
	var more [1]byte
	if n, err := f.z.Read(more[:]); n != 0 || err == nil {
		return nil, corrupt("deflated bytes go on after the %d announced", size)
	} else if err != io.EOF {
		return nil, zlibError(err)
	}
	return data, nil
}

func (f *inflater) reset() (err error) {
	if f.z == nil {
		f.z, err = zlib.NewReader(f.in)
		return err
	}
	return f.z.(zlib.Resetter).Reset(f.in, nil)
}

// zlibError tells damage from a failing disk.
func zlibError(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return err
	}
	return corrupt("deflated bytes are damaged: %v", err)
}
