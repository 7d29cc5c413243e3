package objects

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"io"

	"github.com/klauspost/compress/zlib"
	"github.com/pjbgf/sha1cd"
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

// ReceiveLimits are the bounds of one pack. A zero field is the constant of
// its name.
type ReceiveLimits struct {
	Bytes   int64 // MaxReceived
	Objects int64 // MaxReceivedObjects
	Content int64 // MaxReceivedContent
}

func (l ReceiveLimits) filled() ReceiveLimits {
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
// that nobody reads, look at them, then move the pack on with Adopt.
func (s *Store) Receive(r io.Reader, limits ReceiveLimits) (*Received, error) {
	w, err := newPackWriter(s.disk, s.packDir())
	if err != nil {
		return nil, err
	}
	defer w.discard()
	in := &receiver{store: s, w: w, limits: limits.filled(), known: map[Hash]int64{}, cache: newBaseCache()}
	if err := in.spool(r); err != nil {
		return nil, fmt.Errorf("incoming pack: %w", err)
	}
	if in.count == 0 {
		return &Received{}, nil
	}
	for _, step := range []func() error{in.scan, in.resolve, in.complete} {
		if err := step(); err != nil {
			return nil, fmt.Errorf("incoming pack: %w", err)
		}
	}
	got := &Received{Name: "pack-" + w.sum.String(), Bytes: w.size + int64(packTail)}
	for _, e := range w.index {
		got.Objects = append(got.Objects, e.hash)
	}
	if err := w.publish(); err != nil {
		return nil, err
	}
	if err := s.disk.syncDir(s.packDir()); err != nil {
		return nil, err
	}
	return got, s.rescan()
}

// A receiver indexes one pack.
type receiver struct {
	store  *Store
	w      *packWriter
	limits ReceiveLimits
	end    int64 // of the entries in the file as it came
	count  int64
	sum    Hash

	content int64 // bytes inflated and resolved so far
	deltas  []received
	known   map[Hash]int64 // offset by name
	thin    []Hash         // bases that the store has and the pack lacks
	cache   *baseCache
	as      pack // key of the cache
}

// A received is a delta that waits for its base.
type received struct {
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
	case size < int64(packHead+packTail):
		return corrupt("it ends after %d bytes", size)
	case tail != Hash(d.Sum(nil)):
		return corrupt("its checksum is not that of its %d bytes: it is damaged or cut short", size)
	}
	in.end, in.sum = size-int64(packTail), tail
	var head [packHead]byte
	if _, err := in.w.file.ReadAt(head[:], 0); err != nil {
		return err
	}
	if string(head[:len(packMagic)]) != packMagic {
		return corrupt("it begins with %q, want a pack of version 2", head[:len(packMagic)])
	}
	in.count = int64(binary.BigEndian.Uint32(head[len(packMagic):]))
	if in.count > in.limits.Objects {
		return fmt.Errorf("it announces %d objects, limit %d: %w", in.count, in.limits.Objects, ErrTooLarge)
	}
	return nil
}

// copy keeps the last packTail bytes out of the sum.
func (in *receiver) copy(r io.Reader, d hash.Hash) (tail Hash, size int64, err error) {
	if _, err := in.w.file.Seek(0, io.SeekStart); err != nil {
		return tail, 0, err
	}
	in.w.buf.Reset(diskWriter{in.w.disk, in.w.file})
	buf := make([]byte, 256<<10)
	var held []byte
	for {
		n, err := r.Read(buf)
		if size += int64(n); size > in.limits.Bytes {
			return tail, size, fmt.Errorf("it is longer than %d bytes: %w", in.limits.Bytes, ErrTooLarge)
		}
		if _, e := in.w.buf.Write(buf[:n]); e != nil {
			return tail, size, e
		}
		held = append(held, buf[:n]...)
		if over := len(held) - packTail; over > 0 {
			d.Write(held[:over])
			held = append(held[:0], held[over:]...)
		}
		if errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return tail, size, err
		}
	}
	copy(tail[:], held)
	return tail, size, in.w.buf.Flush()
}

// scan reads the entries one after the other, naming those that are whole.
func (in *receiver) scan() error {
	section := io.NewSectionReader(in.w.file, int64(packHead), in.end-int64(packHead))
	br := bufio.NewReaderSize(section, 256<<10)
	at := func() int64 {
		read, _ := section.Seek(0, io.SeekCurrent) // a section reader always knows
		return int64(packHead) + read - int64(br.Buffered())
	}
	var z io.ReadCloser
	var content bytes.Buffer
	for n := range in.count {
		start := at()
		peek, err := br.Peek(maxEntryHeader)
		if err != nil && (!errors.Is(err, io.EOF) || len(peek) == 0) {
			return corrupt("it ends after %d of %d objects", n, in.count)
		}
		head, err := parseEntryHeader(peek)
		if err != nil {
			return err
		}
		if _, err := br.Discard(head.len); err != nil {
			return err
		}
		if err := in.work(head.size); err != nil {
			return err
		}
		if z == nil {
			z, err = zlib.NewReader(br)
		} else {
			err = z.(zlib.Resetter).Reset(br, nil)
		}
		if err != nil {
			return zlibError(err)
		}
		content.Reset()
		// The size is a claim: the buffer grows with what is really there.
		if m, err := io.Copy(&content, io.LimitReader(z, head.size+1)); err != nil {
			return zlibError(err)
		} else if m != head.size {
			return corrupt("object %d at %d has %d bytes or more, it says %d", n, start, m, head.size)
		}
		crc, err := in.checksum(start, at())
		if err != nil {
			return err
		}
		if head.kind == ofsDelta || head.kind == refDelta {
			in.deltas = append(in.deltas, received{start, crc})
			continue
		}
		h, err := SumChecked(Kind(head.kind), content.Bytes())
		if err != nil {
			return err
		}
		if err := in.add(h, start, crc); err != nil {
			return err
		}
	}
	if rest := in.end - at(); rest != 0 {
		return corrupt("it goes on for %d bytes after its %d objects", rest, in.count)
	}
	return nil
}

// work counts the bytes of content that were made.
func (in *receiver) work(n int64) error {
	if in.content += n; in.content > in.limits.Content {
		return fmt.Errorf("its objects have more than %d bytes: %w", in.limits.Content, ErrTooLarge)
	}
	return nil
}

func (in *receiver) checksum(from, to int64) (uint32, error) {
	crc := crc32.NewIEEE()
	_, err := io.Copy(crc, io.NewSectionReader(in.w.file, from, to-from))
	return crc.Sum32(), err
}

// add names an entry. Git's own index of a pack cannot hold a name twice.
func (in *receiver) add(h Hash, off int64, crc uint32) error {
	if _, twice := in.known[h]; twice {
		return corrupt("object %s is in it twice", h)
	}
	in.known[h] = off
	in.w.index = append(in.w.index, indexEntry{hash: h, offset: off, crc: crc})
	return nil
}

// resolve names the deltas. Each round names those whose base has a name; a
// round that names none ends in an error.
func (in *receiver) resolve() error {
	for waiting := in.deltas; len(waiting) > 0; {
		var left []received
		for _, d := range waiting {
			k, data, err := in.at(d.offset)
			switch {
			case errors.Is(err, errNoBase):
				left = append(left, d)
				continue
			case err != nil:
				return err
			}
			h, err := SumChecked(k, data)
			if err != nil {
				return err
			}
			if err := in.add(h, d.offset, d.crc); err != nil {
				return err
			}
		}
		if len(left) == len(waiting) {
			return corrupt("%d deltas in it have a base that is neither in it nor here", len(left))
		}
		waiting = left
	}
	return nil
}

var errNoBase = errors.New("base is not known")

// at returns the object whose entry begins at an offset.
func (in *receiver) at(off int64) (Kind, []byte, error) {
	var chain []link
	var kind Kind
	var data []byte
	for {
		if k, d, ok := in.cache.get(&in.as, off); ok {
			kind, data = k, d
			break
		}
		head, err := in.header(off)
		if err != nil {
			return 0, nil, err
		}
		body := off + int64(head.len)
		if head.kind != ofsDelta && head.kind != refDelta {
			kind = Kind(head.kind)
			if data, err = inflateAt(in.w.file, body, in.end, head.size); err != nil {
				return 0, nil, err
			}
			in.cache.put(&in.as, off, kind, data)
			break
		}
		if len(chain) == maxChain {
			return 0, nil, corrupt("a chain of more than %d deltas at %d", maxChain, off)
		}
		chain = append(chain, link{off, body, head.size})
		if head.kind == ofsDelta {
			if head.back > off-int64(packHead) {
				return 0, nil, corrupt("a delta at %d with a base %d bytes before", off, head.back)
			}
			off -= head.back
			continue
		}
		base, ok := in.known[head.base]
		if ok {
			off = base
			continue
		}
		if kind, data, err = in.outside(head.base); err != nil {
			return 0, nil, err
		}
		break
	}
	for i := len(chain) - 1; i >= 0; i-- {
		delta, err := inflateAt(in.w.file, chain[i].data, in.end, chain[i].size)
		if err != nil {
			return 0, nil, err
		}
		if data, err = applyDelta(data, delta); err != nil {
			return 0, nil, err
		}
		if err := in.work(int64(len(data))); err != nil {
			return 0, nil, err
		}
		in.cache.put(&in.as, chain[i].offset, kind, data)
	}
	return kind, data, nil
}

func (in *receiver) header(off int64) (entryHeader, error) {
	if off < int64(packHead) || off >= in.end {
		return entryHeader{}, corrupt("no entry at %d: it ends at %d", off, in.end)
	}
	var buf [maxEntryHeader]byte
	n, err := in.w.file.ReadAt(buf[:min(int64(len(buf)), in.end-off)], off)
	if err != nil && !(errors.Is(err, io.EOF) && n > 0) {
		return entryHeader{}, err
	}
	return parseEntryHeader(buf[:n])
}

// outside returns a base that the store holds and notes that the pack needs it.
func (in *receiver) outside(h Hash) (Kind, []byte, error) {
	k, data, err := in.store.getOnce(h, nil)
	if errors.Is(err, ErrNotFound) {
		return 0, nil, errNoBase
	} else if err != nil {
		return 0, nil, err
	}
	for _, have := range in.thin {
		if have == h {
			return k, data, nil
		}
	}
	in.thin = append(in.thin, h)
	return k, data, nil
}

// complete adds the bases that were outside and writes the index. The pack
// then stands for itself.
func (in *receiver) complete() error {
	in.w.sum, in.w.size = in.sum, in.end
	if _, err := in.w.file.Seek(in.end, io.SeekStart); err != nil {
		return err
	}
	in.w.buf.Reset(diskWriter{in.w.disk, in.w.file})
	if len(in.thin) > 0 {
		var d deflater
		var entry bytes.Buffer
		for _, h := range in.thin {
			if _, ok := in.known[h]; ok {
				continue // a later round found it in the pack
			}
			k, data, err := in.store.Get(h)
			if err != nil {
				return err
			}
			if err := whole(&d, &entry, k, data); err != nil {
				return err
			}
			if _, err := in.w.add(h, entry.Bytes(), crc32.ChecksumIEEE(entry.Bytes())); err != nil {
				return err
			}
		}
	}
	return in.w.seal()
}
