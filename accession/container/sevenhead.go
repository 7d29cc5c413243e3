package container

import (
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math/bits"
	"time"
	"unicode/utf16"
)

// The parts of the head of a 7z, by the numbers that its format gives them.
const (
	sevenEnd        = 0x00
	sevenHeader     = 0x01
	sevenStreams    = 0x04
	sevenFiles      = 0x05
	sevenPacks      = 0x06
	sevenUnpacks    = 0x07
	sevenSubstreams = 0x08
	sevenSizes      = 0x09
	sevenDigests    = 0x0a
	sevenFolders    = 0x0b
	sevenOutSizes   = 0x0c
	sevenCounts     = 0x0d
	sevenEmpty      = 0x0e
	sevenEmptyFile  = 0x0f
	sevenAnti       = 0x10
	sevenNames      = 0x11
	sevenModified   = 0x14
	sevenAttributes = 0x15
	sevenPackedHead = 0x17

	sevenStart = 32 // bytes before the streams

	// maxSevenCoders is the most steps of packing one after the other. 7-Zip uses
	// five at most: BCJ2 with its four streams, and AES.
	maxSevenCoders = 32
)

var errSevenZip = errors.New("its head is damaged")

// A sevenFile is what the head says of a file.
type sevenFile struct {
	name       string
	empty      bool // without packed bytes: a folder, or a file where isFile
	isFile     bool
	anti       bool // an order to delete the file
	attributes uint32
	modified   time.Time
}

// A sevenPart is a file's part of what a folder unpacks to.
type sevenPart struct {
	folder       *sevenFolder
	offset, size int64
	digest
}

// A digest is a CRC-32 where there is one.
type digest struct {
	crc   uint32
	there bool
}

// A sevenList is a whole head.
type sevenList struct {
	folders []*sevenFolder
	parts   []sevenPart
	files   []sevenFile
	trailer int64 // bytes after the end
}

// readSevenList reads the head of a 7z. The head claims nothing that its own bytes
// could not hold, so that the list needs no more memory than lim allows.
func readSevenList(src io.ReaderAt, size int64, lim limits) (*sevenList, error) {
	var start [sevenStart]byte
	if _, err := src.ReadAt(start[:], 0); err != nil {
		return nil, errCut
	}
	if crc32.ChecksumIEEE(start[12:]) != le.Uint32(start[8:]) {
		return nil, errSevenZip
	}
	at, n, room := le.Uint64(start[12:]), le.Uint64(start[20:]), uint64(size)-sevenStart
	switch {
	case at > room || n > room-at:
		return nil, errCut
	case n == 0:
		return &sevenList{trailer: int64(room - at)}, nil
	case n > uint64(lim.directory):
		return nil, fmt.Errorf("a list of %d bytes, at most %d are read", n, lim.directory)
	}
	data := make([]byte, n)
	if _, err := src.ReadAt(data, int64(sevenStart+at)); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if crc32.ChecksumIEEE(data) != le.Uint32(start[28:]) {
		return nil, errSevenZip
	}
	h := &sevenHead{data: data, lim: lim}
	kind := h.byte()
	if kind == sevenPackedHead {
		s := h.streams(int64(at))
		if h.err != nil {
			return nil, h.err
		}
		var err error
		if data, err = unpackHead(src, s, lim); err != nil {
			return nil, err
		}
		h = &sevenHead{data: data, lim: lim}
		kind = h.byte()
	}
	if kind != sevenHeader {
		return nil, errSevenZip
	}
	l := h.list(int64(at))
	if h.err == nil && h.at != len(h.data) {
		h.fail()
	}
	l.trailer = int64(room - at - n)
	return l, h.err
}

// unpackHead returns the head that is itself packed.
func unpackHead(src io.ReaderAt, s *sevenList, lim limits) ([]byte, error) {
	if len(s.parts) != 1 {
		return nil, errSevenZip
	}
	f := s.folders[0]
	switch {
	case f.reason != "":
		return nil, fmt.Errorf("its list cannot be read: %s", f.reason)
	case f.size > lim.directory:
		return nil, fmt.Errorf("a list of %d bytes, at most %d are read", f.size, lim.directory)
	}
	r, err := f.open(src)
	if err != nil {
		return nil, err
	}
	data := make([]byte, f.size)
	if _, err := io.ReadFull(r, data); err != nil {
		return nil, errSevenZip
	}
	if s.parts[0].there && crc32.ChecksumIEEE(data) != s.parts[0].crc {
		return nil, errSevenZip
	}
	return data, nil
}

// A sevenHead reads the head of a 7z. After an error everything it returns is zero.
type sevenHead struct {
	data []byte
	at   int
	lim  limits
	err  error
}

// fail notes the first error.
func (h *sevenHead) fail() {
	if h.err == nil {
		h.err = errSevenZip
	}
}

// take returns the next n bytes, nil where there are not as many.
func (h *sevenHead) take(n uint64) []byte {
	if h.err != nil || n > uint64(len(h.data)-h.at) {
		h.fail()
		return nil
	}
	h.at += int(n)
	return h.data[h.at-int(n) : h.at]
}

func (h *sevenHead) byte() byte {
	if b := h.take(1); b != nil {
		return b[0]
	}
	return 0
}

// number returns a number, whose first byte says how many follow.
func (h *sevenHead) number() uint64 {
	first := h.byte()
	more := bits.LeadingZeros8(^first)
	var n uint64
	for i, b := range h.take(uint64(more)) {
		n |= uint64(b) << (8 * i)
	}
	if h.err == nil && more < 7 {
		n |= uint64(first&(1<<(7-more)-1)) << (8 * more)
	}
	return n
}

// size returns a number of bytes.
func (h *sevenHead) size() int64 {
	n := h.number()
	if n > uint64(h.lim.total) {
		h.fail()
		return 0
	}
	return int64(n)
}

// count returns a number of things of which each needs a byte of the head at least.
func (h *sevenHead) count() int {
	n := h.number()
	if n > uint64(len(h.data)-h.at) || n > uint64(h.lim.entries) {
		h.fail()
		return 0
	}
	return int(n)
}

// bitmap returns n bits.
func (h *sevenHead) bitmap(n int) []bool {
	all := make([]bool, n)
	mask := h.take(uint64(n+7) / 8)
	for i := range all {
		all[i] = mask != nil && mask[i/8]&(0x80>>(i%8)) != 0
	}
	return all
}

// present returns which of n things have a value.
func (h *sevenHead) present(n int) []bool {
	if h.byte() == 0 {
		return h.bitmap(n)
	}
	all := make([]bool, n)
	for i := range all {
		all[i] = true
	}
	return all
}

// digests returns n checksums.
func (h *sevenHead) digests(n int) []digest {
	all := make([]digest, n)
	for i, there := range h.present(n) {
		if there {
			if b := h.take(4); b != nil {
				all[i] = digest{le.Uint32(b), true}
			}
		}
	}
	return all
}

// list reads the head of the files. The packed streams lie in the first room bytes
// after the start.
func (h *sevenHead) list(room int64) *sevenList {
	l := &sevenList{}
	for h.err == nil {
		switch h.byte() {
		case sevenEnd:
			return l
		case sevenStreams:
			l = h.streams(room)
		case sevenFiles:
			l.files = h.files()
		default: // properties of the whole and further streams, which no program writes
			h.fail()
		}
	}
	return l
}

// streams reads the description of packed streams.
func (h *sevenHead) streams(room int64) *sevenList {
	l := &sevenList{}
	var at int64
	var sizes []int64
	var whole []digest
	var d *sevenDivision
	for h.err == nil {
		switch h.byte() {
		case sevenEnd:
			if d == nil {
				d = h.wholeFolders(len(l.folders))
			}
			h.place(l.folders, at, sizes, room)
			h.divide(l, d, whole)
			return l
		case sevenPacks:
			at, sizes = h.packs()
		case sevenUnpacks:
			l.folders, whole = h.unpacks()
		case sevenSubstreams:
			d = h.substreams(whole)
		default:
			h.fail()
		}
	}
	return l
}

// packs reads where the packed streams are.
func (h *sevenHead) packs() (at int64, sizes []int64) {
	at = h.size()
	n := h.count()
	for h.err == nil {
		switch h.byte() {
		case sevenEnd:
			return at, sizes
		case sevenSizes:
			for range n {
				sizes = append(sizes, h.size())
			}
		case sevenDigests:
			h.digests(n)
		default:
			h.fail()
		}
	}
	return 0, nil
}

// place tells each folder where its packed bytes are.
func (h *sevenHead) place(folders []*sevenFolder, at int64, sizes []int64, room int64) {
	for _, f := range folders {
		if h.err != nil || f.streams > len(sizes) {
			h.fail()
			return
		}
		f.at = sevenStart + at
		for _, n := range sizes[:f.streams] {
			if n > room-at {
				h.fail()
				return
			}
			at += n
			f.packed += n
		}
		sizes = sizes[f.streams:]
	}
}

// unpacks reads by what the streams are packed.
func (h *sevenHead) unpacks() (folders []*sevenFolder, digests []digest) {
	if h.byte() != sevenFolders {
		h.fail()
	}
	n := h.count()
	if h.byte() != 0 { // stands elsewhere, as no program writes it
		h.fail()
	}
	for range n {
		if f := h.folder(); h.err == nil {
			folders = append(folders, f)
		}
	}
	if h.byte() != sevenOutSizes {
		h.fail()
	}
	for _, f := range folders {
		f.setSizes(h)
	}
	digests = make([]digest, n)
	for h.err == nil {
		switch h.byte() {
		case sevenEnd:
			return folders, digests
		case sevenDigests:
			digests = h.digests(n)
		default:
			h.fail()
		}
	}
	return nil, nil
}

// A sevenDivision says how what the folders unpack to falls into parts.
type sevenDivision struct {
	counts  []int    // of the parts of each folder
	sizes   []int64  // of the parts of each folder but its last
	digests []digest // of all parts but those that are a folder with a digest
}

// wholeFolders returns the division of n folders into one part each.
func (h *sevenHead) wholeFolders(n int) *sevenDivision {
	d := &sevenDivision{counts: make([]int, n)}
	for i := range d.counts {
		d.counts[i] = 1
	}
	return d
}

// substreams reads how what the folders unpack to falls into parts; whole are the
// digests of the folders.
func (h *sevenHead) substreams(whole []digest) *sevenDivision {
	d := h.wholeFolders(len(whole))
	for h.err == nil {
		switch h.byte() {
		case sevenEnd:
			return d
		case sevenCounts:
			total := 0
			for i := range d.counts {
				n := h.number()
				if n > uint64(h.lim.entries-total) {
					h.fail()
					return d
				}
				d.counts[i] = int(n)
				total += int(n)
			}
		case sevenSizes:
			for _, n := range d.counts {
				for range n - 1 {
					if h.err != nil {
						return d
					}
					d.sizes = append(d.sizes, h.size())
				}
			}
		case sevenDigests:
			n := 0
			for i, c := range d.counts {
				if c != 1 || !whole[i].there {
					n += c
				}
			}
			d.digests = h.digests(n)
		default:
			h.fail()
		}
	}
	return d
}

// divide gives each folder its parts, of which the last has what the sizes of the
// others leave.
func (h *sevenHead) divide(l *sevenList, d *sevenDivision, whole []digest) {
	if len(d.counts) != len(l.folders) { // the division stands before the folders
		h.fail()
	}
	for i, f := range l.folders {
		if h.err != nil {
			return
		}
		var at int64
		for j := range d.counts[i] {
			p := sevenPart{folder: f, offset: at, size: f.size - at}
			if j < d.counts[i]-1 {
				if len(d.sizes) == 0 || d.sizes[0] > p.size {
					h.fail()
					return
				}
				p.size, d.sizes = d.sizes[0], d.sizes[1:]
			}
			switch {
			case d.counts[i] == 1 && whole[i].there:
				p.digest = whole[i]
			case len(d.digests) > 0:
				p.digest, d.digests = d.digests[0], d.digests[1:]
			}
			l.parts = append(l.parts, p)
			at += p.size
		}
	}
}

// files reads the description of the files.
func (h *sevenHead) files() []sevenFile {
	all := make([]sevenFile, h.count())
	var empty []*sevenFile
	named := false
	for h.err == nil {
		kind := h.byte()
		if kind == sevenEnd {
			break
		}
		p := &sevenHead{data: h.take(h.number()), lim: h.lim, err: h.err}
		switch kind {
		case sevenEmpty:
			empty = empty[:0]
			for i, is := range p.bitmap(len(all)) {
				if all[i].empty = is; is {
					empty = append(empty, &all[i])
				}
			}
		case sevenEmptyFile:
			for i, is := range p.bitmap(len(empty)) {
				empty[i].isFile = is
			}
		case sevenAnti:
			for i, is := range p.bitmap(len(empty)) {
				empty[i].anti = is
			}
		case sevenNames:
			p.names(all)
			named = true
		case sevenModified:
			p.values(len(all), 8, func(i int, b []byte) { all[i].modified = fileTime(le.Uint64(b)) })
		case sevenAttributes:
			p.values(len(all), 4, func(i int, b []byte) { all[i].attributes = le.Uint32(b) })
		}
		if p.err != nil {
			h.fail()
		}
	}
	if !named && len(all) > 0 {
		h.fail()
	}
	return all
}

// names reads the names of the files, each of which a zero ends.
func (h *sevenHead) names(all []sevenFile) {
	if h.byte() != 0 { // stand elsewhere, as no program writes it
		h.fail()
	}
	for i := range all {
		var units []uint16
		for {
			b := h.take(2)
			if b == nil {
				return
			}
			u := le.Uint16(b)
			if u == 0 {
				break
			}
			units = append(units, u)
		}
		all[i].name = string(utf16.Decode(units))
	}
}

// values calls set for each of n files that has a value of size bytes.
func (h *sevenHead) values(n, size int, set func(i int, b []byte)) {
	there := h.present(n)
	if h.byte() != 0 { // stand elsewhere, as no program writes it
		h.fail()
	}
	for i, is := range there {
		if is {
			if b := h.take(uint64(size)); b != nil {
				set(i, b)
			}
		}
	}
}

// fileTime returns a time that is kept as 100 ns since 1601.
func fileTime(t uint64) time.Time {
	const unixEpoch = 11644473600 // seconds from 1601 to 1970
	return time.Unix(int64(t/1e7)-unixEpoch, int64(t%1e7)*100).UTC()
}
