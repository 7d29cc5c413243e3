package keyfile

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"os"
	"sort"

	"muniment/objects/disk"
)

// ErrDamaged is the cause of every error about the content of a file.
var ErrDamaged = errors.New("the index is damaged")

const (
	tableMagic = "muniment-keys\x01"
	// endSize is the length of a table's end: offset of the index, keys, blocks,
	// checksum, magic.
	endSize = 8 + 8 + 4 + 4 + len(tableMagic)
	// blockSize is the length that ends a block: one page of memory, of which a
	// look-up reads one or two.
	blockSize = 4096
	// MaxKey is the longest key in bytes: a name of record.MaxName with what
	// surrounds it, twice over.
	MaxKey = 1 << 13
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// A table is a sorted list of distinct keys, in a mapped file or in memory.
type table struct {
	name   string // of the file; "" in memory
	data   []byte
	keys   int64
	blocks int
	index  []byte // offsets, separator ends, separators
	unmap  func() error
}

// A tableWriter writes a table from rising keys.
type tableWriter struct {
	w       *bufio.Writer
	at      int64
	block   []byte
	last    []byte
	keys    int64
	offsets []byte
	ends    []byte
	seps    []byte
}

func newTableWriter(w io.Writer) *tableWriter {
	return &tableWriter{w: bufio.NewWriterSize(w, 1<<18)}
}

// add appends a key, which must be above the one before; the same key again is
// left out.
func (t *tableWriter) add(key []byte) error {
	if len(key) > MaxKey {
		return fmt.Errorf("a key of %d bytes, more than %d", len(key), MaxKey)
	}
	if t.keys > 0 {
		switch order := bytes.Compare(key, t.last); {
		case order == 0:
			return nil
		case order < 0:
			return errors.New("keys are not sorted")
		}
	}
	shared := 0
	for n := min(len(key), len(t.last)); shared < n && key[shared] == t.last[shared]; shared++ {
	}
	if len(t.block) == 0 {
		t.offsets = binary.BigEndian.AppendUint64(t.offsets, uint64(t.at))
		sep := key[:min(len(key), shared+1)]
		if t.keys == 0 {
			sep = nil
		}
		t.seps = append(t.seps, sep...)
		t.ends = binary.BigEndian.AppendUint32(t.ends, uint32(len(t.seps)))
		shared = 0
	}
	t.block = binary.AppendUvarint(t.block, uint64(shared))
	t.block = binary.AppendUvarint(t.block, uint64(len(key)-shared))
	t.block = append(t.block, key[shared:]...)
	t.last = append(t.last[:0], key...)
	t.keys++
	if len(t.block) >= blockSize {
		return t.endBlock()
	}
	return nil
}

func (t *tableWriter) endBlock() error {
	if len(t.block) == 0 {
		return nil
	}
	t.block = binary.BigEndian.AppendUint32(t.block, crc32.Checksum(t.block, castagnoli))
	n, err := t.w.Write(t.block)
	t.at += int64(n)
	t.block = t.block[:0]
	return err
}

// finish writes the index and the end.
func (t *tableWriter) finish() error {
	if err := t.endBlock(); err != nil {
		return err
	}
	if len(t.seps) > math.MaxUint32 {
		return errors.New("too many keys")
	}
	tail := append(append(t.offsets, t.ends...), t.seps...)
	tail = binary.BigEndian.AppendUint64(tail, uint64(t.at))
	tail = binary.BigEndian.AppendUint64(tail, uint64(t.keys))
	tail = binary.BigEndian.AppendUint32(tail, uint32(len(t.ends)/4))
	tail = binary.BigEndian.AppendUint32(tail, crc32.Checksum(tail, castagnoli))
	if _, err := t.w.Write(append(tail, tableMagic...)); err != nil {
		return err
	}
	return t.w.Flush()
}

// openTable maps the file at path.
func openTable(path string) (*table, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() < int64(endSize) || info.Size() > math.MaxInt {
		return nil, fmt.Errorf("%s: %w", path, ErrDamaged)
	}
	data, unmap, err := disk.Map(f, int(info.Size()))
	if err != nil {
		return nil, err
	}
	t, err := parseTable(data)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), unmap())
	}
	t.name, t.unmap = info.Name(), unmap
	return t, nil
}

// parseTable checks index and end of a table; its blocks are checked as they are
// read.
func parseTable(data []byte) (*table, error) {
	bad := func(what string) (*table, error) { return nil, fmt.Errorf("%w: %s", ErrDamaged, what) }
	if len(data) < endSize || string(data[len(data)-len(tableMagic):]) != tableMagic {
		return bad("it has another end")
	}
	end := data[len(data)-endSize:]
	at, keys, blocks := binary.BigEndian.Uint64(end), binary.BigEndian.Uint64(end[8:]), binary.BigEndian.Uint32(end[16:])
	size := uint64(len(data) - endSize)
	if at > size || size-at < 12*uint64(blocks) || keys > math.MaxInt64 {
		return bad("its index does not fit")
	}
	if binary.BigEndian.Uint32(end[20:]) != crc32.Checksum(data[at:len(data)-len(tableMagic)-4], castagnoli) {
		return bad("the checksum of its index is another")
	}
	return &table{data: data[:at], keys: int64(keys), blocks: int(blocks), index: data[at:size]}, nil
}

// blockData returns the keys of a block.
func (t *table) blockData(i int) ([]byte, error) {
	from := binary.BigEndian.Uint64(t.index[8*i:])
	to := uint64(len(t.data))
	if i+1 < t.blocks {
		to = binary.BigEndian.Uint64(t.index[8*(i+1):])
	}
	if from > to || to > uint64(len(t.data)) || to-from < 4 {
		return nil, fmt.Errorf("%w: block %d does not fit", ErrDamaged, i)
	}
	block := t.data[from:to]
	run, sum := block[:len(block)-4], binary.BigEndian.Uint32(block[len(block)-4:])
	if crc32.Checksum(run, castagnoli) != sum {
		return nil, fmt.Errorf("%w: the checksum of block %d is another", ErrDamaged, i)
	}
	return run, nil
}

// separator returns a string that is above the keys of the blocks before i and
// not above those of block i; nil where the index is wrong.
func (t *table) separator(i int) []byte {
	ends, seps := t.index[8*t.blocks:12*t.blocks], t.index[12*t.blocks:]
	from := uint32(0)
	if i > 0 {
		from = binary.BigEndian.Uint32(ends[4*(i-1):])
	}
	to := binary.BigEndian.Uint32(ends[4*i:])
	if from > to || uint64(to) > uint64(len(seps)) {
		return nil
	}
	return seps[from:to]
}

// A cursor goes through the keys of a table.
type cursor struct {
	t    *table
	next int // block
	run  []byte
	key  []byte
	err  error
}

// seek returns a cursor at the first key that is not below from, and whether
// there is one.
func (t *table) seek(from []byte) (*cursor, bool) {
	c := &cursor{t: t, next: max(0, sort.Search(t.blocks, func(i int) bool { return bytes.Compare(t.separator(i), from) > 0 })-1)}
	for c.advance() {
		if bytes.Compare(c.key, from) >= 0 {
			return c, true
		}
	}
	return c, false
}

// advance goes to the next key. It reports false at the end and after an error.
func (c *cursor) advance() bool {
	first := len(c.run) == 0
	if first {
		if c.next >= c.t.blocks {
			return false
		}
		if c.run, c.err = c.t.blockData(c.next); c.err != nil {
			return false
		}
		c.next++
	}
	shared, n := binary.Uvarint(c.run)
	rest, m := binary.Uvarint(c.run[max(n, 0):])
	if n <= 0 || m <= 0 || shared > uint64(len(c.key)) || first && shared > 0 || rest > uint64(len(c.run)-n-m) || shared+rest > MaxKey {
		c.err = fmt.Errorf("%w: a key does not fit", ErrDamaged)
		return false
	}
	c.key = append(c.key[:shared], c.run[n+m:n+m+int(rest)]...)
	c.run = c.run[n+m+int(rest):]
	return true
}

func (t *table) close() error {
	if t.unmap == nil {
		return nil
	}
	return t.unmap()
}
