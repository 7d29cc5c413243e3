package pack

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
	"slices"

	"github.com/pjbgf/sha1cd"

	"muniment/objects/flate"
	"muniment/objects/object"
)

// Limits of a pack that comes from elsewhere. A sender may lie about all of
// them; none is believed before it is counted.
const (
	// MaxReceived is the largest pack in bytes: a whole archive comes as one
	// when it is cloned.
	MaxReceived = 64 << 30

	// MaxReceivedObjects bounds the memory of indexing, some 100 bytes an
	// object: ten times an archive of a million artifacts.
	MaxReceivedObjects = 20_000_000

	// MaxReceivedContent bounds the work: the sum of all objects in bytes
	// once inflated and resolved. Deflate alone can make a thousand of one.
	MaxReceivedContent = 1 << 40
)

// Limits are the bounds of one received pack. A zero field is the constant of
// its name.
type Limits struct {
	Bytes   int64 // MaxReceived
	Objects int64 // MaxReceivedObjects
	Content int64 // MaxReceivedContent
}

func (l Limits) withDefaults() Limits {
	if l.Bytes == 0 {
		l.Bytes = MaxReceived
	}
	if l.Objects == 0 {
		l.Objects = MaxReceivedObjects
	}
	if l.Content == 0 {
		l.Content = MaxReceivedContent
	}
	return l
}

// receiveBuffer is how many bytes of a received pack are read at a time.
const receiveBuffer = 256 << 10

// A BaseFunc returns an object that is not in the pack, and whether there is
// one: the base of a delta that a sender has left out.
type BaseFunc func(object.Hash) (kind object.Kind, data []byte, ok bool, err error)

// Receive reads a pack to the end of r into w, which has no entry yet, names
// every object by its content, adds the bases that the sender has left out, and
// seals w. A pack without an object leaves w as it was. The objects are as they
// were sent, whatever they mean.
func Receive(w *Writer, r io.Reader, limits Limits, base BaseFunc) error {
	in := &receiver{w: w, limits: limits.withDefaults(), outside: base, offsets: map[object.Hash]int64{}, cache: NewCache()}
	if err := in.spool(r); err != nil || in.count == 0 {
		return err
	}
	for _, step := range []func() error{in.scan, in.resolve, in.complete} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// A receiver indexes one pack.
type receiver struct {
	w       *Writer
	limits  Limits
	outside BaseFunc
	end     int64 // of the entries in the file as it came
	count   int64 // of objects, as the sender announces

	content int64 // bytes inflated and resolved so far
	deltas  []unresolved
	offsets map[object.Hash]int64 // of the entries that have a name
	thin    []object.Hash         // bases that the pack lacks
	cache   *Cache
	key     File // of the pack in the cache
}

// An unresolved is a delta that waits for its base.
type unresolved struct {
	offset int64
	crc    uint32
}

// spool writes the stream to the temporary file and compares its last twenty
// bytes with the sum of those before them.
func (in *receiver) spool(r io.Reader) error {
	d := sha1cd.New()
	tail, size, err := in.copy(r, d)
	switch {
	case err != nil:
		return err
	case size < int64(HeadSize+TailSize):
		return object.Corruptf("it ends after %d bytes", size)
	case tail != object.Hash(d.Sum(nil)):
		return object.Corruptf("its checksum is not that of its %d bytes: it is damaged or cut short", size)
	}
	in.end = size - int64(TailSize)
	var head [HeadSize]byte
	if _, err := in.w.file.ReadAt(head[:], 0); err != nil {
		return err
	}
	if string(head[:len(magic)]) != magic {
		return object.Corruptf("it begins with %q, want a pack of version 2", head[:len(magic)])
	}
	in.count = int64(binary.BigEndian.Uint32(head[len(magic):]))
	if in.count > in.limits.Objects {
		return fmt.Errorf("it announces %d objects, limit %d: %w", in.count, in.limits.Objects, object.ErrTooLarge)
	}
	return nil
}

// copy writes the stream to the file from its start, and sums all but its last
// TailSize bytes, which it returns.
func (in *receiver) copy(r io.Reader, d hash.Hash) (tail object.Hash, size int64, err error) {
	if err := in.w.restart(0); err != nil {
		return tail, 0, err
	}
	buf := make([]byte, receiveBuffer)
	var last []byte
	for {
		n, err := r.Read(buf)
		if size += int64(n); size > in.limits.Bytes {
			return tail, size, fmt.Errorf("it is longer than %d bytes: %w", in.limits.Bytes, object.ErrTooLarge)
		}
		if _, e := in.w.buf.Write(buf[:n]); e != nil {
			return tail, size, e
		}
		last = append(last, buf[:n]...)
		if over := len(last) - TailSize; over > 0 {
			d.Write(last[:over])
			last = append(last[:0], last[over:]...)
		}
		if errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return tail, size, err
		}
	}
	copy(tail[:], last)
	return tail, size, in.w.Flush()
}

// scan reads the entries one after the other, naming those that are whole.
func (in *receiver) scan() error {
	section := io.NewSectionReader(in.w.file, int64(HeadSize), in.end-int64(HeadSize))
	r := flate.NewReader(section, receiveBuffer)
	// Entries lie one behind the other: a second reader follows the first for their checksums.
	sums := bufio.NewReaderSize(io.NewSectionReader(in.w.file, int64(HeadSize), in.end-int64(HeadSize)), receiveBuffer)
	at := func() int64 {
		read, _ := section.Seek(0, io.SeekCurrent) // a section reader always knows
		return int64(HeadSize) + read - int64(r.Buffered())
	}
	var content bytes.Buffer
	for n := range in.count {
		start := at()
		head, err := r.Peek(MaxHeader)
		if err != nil && (!errors.Is(err, io.EOF) || len(head) == 0) {
			return object.Corruptf("it ends after %d of %d objects", n, in.count)
		}
		h, err := ParseHeader(head)
		if err != nil {
			return err
		}
		if err := r.Discard(h.Len); err != nil {
			return err
		}
		if err := in.countWork(h.Size); err != nil {
			return err
		}
		if err := r.Next(); err != nil {
			return err
		}
		content.Reset()
		// The size is a claim: the buffer grows with what is really there.
		if m, err := io.Copy(&content, io.LimitReader(r, h.Size+1)); err != nil {
			return err
		} else if m != h.Size {
			return object.Corruptf("object %d at %d has %d bytes or more, it says %d", n, start, m, h.Size)
		}
		crc, err := nextSum(sums, at()-start)
		if err != nil {
			return err
		}
		if h.Type.IsDelta() {
			in.deltas = append(in.deltas, unresolved{start, crc})
			continue
		}
		if err := in.name(object.Kind(h.Type), content.Bytes(), start, crc); err != nil {
			return err
		}
	}
	if rest := in.end - at(); rest != 0 {
		return object.Corruptf("it goes on for %d bytes after its %d objects", rest, in.count)
	}
	return nil
}

// countWork counts n bytes of content that are about to be made, or were.
func (in *receiver) countWork(n int64) error {
	if in.content += n; in.content > in.limits.Content {
		return fmt.Errorf("its objects have more than %d bytes: %w", in.limits.Content, object.ErrTooLarge)
	}
	return nil
}

// nextSum returns the CRC of the next n bytes of r.
func nextSum(r *bufio.Reader, n int64) (crc uint32, err error) {
	for n > 0 {
		part, err := r.Peek(int(min(n, receiveBuffer)))
		if err != nil {
			return 0, err
		}
		crc = crc32.Update(crc, crc32.IEEETable, part)
		n -= int64(len(part))
		if _, err := r.Discard(len(part)); err != nil {
			return 0, err
		}
	}
	return crc, nil
}

// name gives the entry at an offset the name of its content. Git's own index of
// a pack cannot hold a name twice.
func (in *receiver) name(k object.Kind, data []byte, off int64, crc uint32) error {
	h, err := object.SumChecked(k, data)
	if err != nil {
		return err
	}
	if _, twice := in.offsets[h]; twice {
		return object.Corruptf("object %s is in it twice", h)
	}
	in.offsets[h] = off
	in.w.Take(IndexEntry{Hash: h, Offset: off, CRC: crc})
	return nil
}

// resolve names the deltas. Each round names those whose base has a name; a
// round that names none ends in an error.
func (in *receiver) resolve() error {
	for waiting := in.deltas; len(waiting) > 0; {
		var left []unresolved
		for _, d := range waiting {
			k, data, err := in.at(d.offset)
			switch {
			case errors.Is(err, errNoBase):
				left = append(left, d)
				continue
			case err != nil:
				return err
			}
			if err := in.name(k, data, d.offset, d.crc); err != nil {
				return err
			}
		}
		if len(left) == len(waiting) {
			return object.Corruptf("%d deltas in it have a base that is neither in it nor here", len(left))
		}
		waiting = left
	}
	return nil
}

var errNoBase = errors.New("base is not known")

// at returns the object whose entry begins at an offset.
func (in *receiver) at(off int64) (object.Kind, []byte, error) {
	chain, kind, data, err := in.chain(off)
	if err != nil {
		return 0, nil, err
	}
	for i := len(chain) - 1; i >= 0; i-- {
		delta, err := flate.ContentAt(in.w.file, chain[i].data, in.end, chain[i].size)
		if err != nil {
			return 0, nil, err
		}
		if data, err = ApplyDelta(data, delta); err != nil {
			return 0, nil, err
		}
		if err := in.countWork(int64(len(data))); err != nil {
			return 0, nil, err
		}
		in.cache.put(&in.key, chain[i].offset, kind, data)
	}
	return kind, data, nil
}

// chain returns the deltas from the entry at an offset down to an object that
// is whole, cached or outside the pack, and that object.
func (in *receiver) chain(off int64) (chain []link, kind object.Kind, data []byte, err error) {
	for {
		if k, d, ok := in.cache.get(&in.key, off); ok {
			return chain, k, d, nil
		}
		h, err := in.w.header(off, in.end)
		if err != nil {
			return nil, 0, nil, err
		}
		body := off + int64(h.Len)
		if !h.Type.IsDelta() {
			kind = object.Kind(h.Type)
			if data, err = flate.ContentAt(in.w.file, body, in.end, h.Size); err != nil {
				return nil, 0, nil, err
			}
			in.cache.put(&in.key, off, kind, data)
			return chain, kind, data, nil
		}
		if len(chain) == maxChain {
			return nil, 0, nil, object.Corruptf("a chain of more than %d deltas at %d", maxChain, off)
		}
		chain = append(chain, link{off, body, h.Size})
		if h.Type == OffsetDelta {
			if h.Back > off-int64(HeadSize) {
				return nil, 0, nil, object.Corruptf("a delta at %d with a base %d bytes before", off, h.Back)
			}
			off -= h.Back
			continue
		}
		base, ok := in.offsets[h.Base]
		if !ok {
			kind, data, err = in.base(h.Base)
			return chain, kind, data, err
		}
		off = base
	}
}

// base returns an object from outside the pack and notes that the pack needs it.
func (in *receiver) base(h object.Hash) (object.Kind, []byte, error) {
	k, data, ok, err := in.outside(h)
	if err != nil {
		return 0, nil, err
	}
	if !ok {
		return 0, nil, errNoBase
	}
	if !slices.Contains(in.thin, h) {
		in.thin = append(in.thin, h)
	}
	return k, data, nil
}

// complete adds the bases from outside, so that the pack is self-contained, and seals the pack.
func (in *receiver) complete() error {
	if err := in.w.restart(in.end); err != nil {
		return err
	}
	var e flate.Encoder
	var entry bytes.Buffer
	for _, h := range in.thin {
		if _, ok := in.offsets[h]; ok {
			continue // a later round found it in the pack
		}
		k, data, ok, err := in.outside(h)
		if err != nil {
			return err
		}
		if !ok {
			return object.Corruptf("base %s is no longer here", h)
		}
		entry.Reset()
		if err := AppendEntry(&entry, &e, k, data); err != nil {
			return err
		}
		if _, err := in.w.Add(h, entry.Bytes(), crc32.ChecksumIEEE(entry.Bytes())); err != nil {
			return err
		}
	}
	return in.w.Seal()
}
