package container

import (
	"archive/tar"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

const (
	blockSize = 512
	// maxOctal is the largest size a plain header can hold: 11 octal digits.
	maxOctal = 1<<33 - 1
	// maxHeaders bounds the header blocks of one entry. archive/tar reads at most
	// 1 MiB of each PAX header, long name and sparse map.
	maxHeaders = 4 << 20
)

var (
	errCut    = errors.New("cut off")
	errHeader = errors.New("no valid header: its checksum, a number or a PAX record is wrong")
)

// A headerRecorder is the reader from which archive/tar reads a tar. It keeps the
// header blocks of the entry that is read next, for tarHeaders.check to compare
// with what archive/tar returns.
type headerRecorder struct {
	ctx  context.Context
	src  io.Reader
	pos  int64 // of the next byte
	from int64 // of the first byte to keep
	kept []byte
}

func (h *headerRecorder) Read(p []byte) (int, error) {
	if err := h.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := h.src.Read(p)
	end := h.pos + int64(n)
	if end > h.from {
		h.kept = append(h.kept, p[max(0, h.from-h.pos):n]...)
	}
	if h.pos = end; len(h.kept) > maxHeaders {
		return n, fmt.Errorf("headers of more than %d bytes for one entry", maxHeaders)
	}
	return n, err
}

// Seek implements io.Seeker where the source does, so that archive/tar passes over
// data without reading it. Where Seek fails, archive/tar reads the data.
func (h *headerRecorder) Seek(offset int64, whence int) (int64, error) {
	s, ok := h.src.(io.Seeker)
	if !ok {
		return 0, errors.ErrUnsupported
	}
	pos, err := s.Seek(offset, whence)
	if err == nil {
		h.pos = pos
	}
	return pos, err
}

// scanTar lists the entries of a tar. With an error it returns the entries that
// lie whole before the damage.
func scanTar(ctx context.Context, src io.Reader, lim limits) ([]candidate, error) {
	rec := &headerRecorder{ctx: ctx, src: src}
	r := tar.NewReader(rec)
	var all []candidate
	names := 0
	var last candidate // the entry whose data the next call of r.Next passes over
	global := true     // last is no entry, but a PAX header for all files
	for {
		at := rec.from
		h, err := r.Next()
		if errors.Is(err, tar.ErrInsecurePath) { // under GODEBUG alone: CheckName judges names
			err = nil
		}
		if rec.pos < at { // the data of the last entry is not all there
			if err == nil || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
				err = errCut
			}
			return all, fmt.Errorf("header at byte %d: %q of %d bytes: %w", last.headerAt, last.entry.Name, last.entry.Size, err)
		}
		if !global {
			all = append(all, last)
		}
		if errors.Is(err, io.EOF) {
			return all, checkEnd(rec, at)
		}
		var f candidate
		var size int64
		switch {
		case err == nil:
			f, size, err = readTarEntry(h, rec)
		case errors.Is(err, io.ErrUnexpectedEOF):
			err = errCut
		case errors.Is(err, tar.ErrHeader):
			err = errHeader
		}
		if global = err == nil && h.Typeflag == tar.TypeXGlobalHeader; err == nil && !global {
			names += len(f.entry.Name)
			err = lim.checkTarEntry(f, size, len(all), names)
		}
		if err != nil {
			return all, fmt.Errorf("header at byte %d: %w", at, err)
		}
		f.headerAt = at
		rec.from, rec.kept = f.dataAt+padSize(size), rec.kept[:0]
		last = f
	}
}

// checkTarEntry compares an entry and the entries before it with the limits.
func (l limits) checkTarEntry(f candidate, size int64, before, names int) error {
	if before == l.entries || names > l.names {
		return fmt.Errorf("more than %d entries, or than %d bytes of names", l.entries, l.names)
	}
	if size > l.total {
		return fmt.Errorf("%q declares %d bytes, at most %d are read", f.entry.Name, size, l.total)
	}
	return nil
}

// checkEnd requires two blocks of zeros from byte at on, and nothing but blocks
// of zeros after them.
func checkEnd(rec *headerRecorder, at int64) error {
	switch blocks := rec.kept; {
	case len(blocks) == 0:
		return fmt.Errorf("no end after byte %d: %w between two entries", at, errCut)
	case len(blocks) == blockSize && zeros(blocks):
		return fmt.Errorf("one block of zeros at the end, want two: %w", errCut)
	case len(blocks) < 2*blockSize || !zeros(blocks[len(blocks)-2*blockSize:]):
		return fmt.Errorf("header at byte %d: %w", at, errCut)
	case len(blocks) > 2*blockSize:
		return fmt.Errorf("header at byte %d: the end, where a long name or PAX header announces an entry", at)
	}
	rec.from = math.MaxInt64
	block := make([]byte, blockSize)
	for {
		at := rec.pos
		switch _, err := io.ReadFull(rec, block); {
		case errors.Is(err, io.EOF):
			return nil
		case errors.Is(err, io.ErrUnexpectedEOF):
			return fmt.Errorf("a part of a block at byte %d, after the end", at)
		case err != nil:
			return err
		case !zeros(block):
			return fmt.Errorf("bytes after the end, from byte %d on", at)
		}
	}
}

func padSize(n int64) int64 { return (n + blockSize - 1) / blockSize * blockSize }

func zeros(block []byte) bool { return len(bytes.Trim(block, "\x00")) == 0 }

// isHeader reports whether a block is a tar header with its right checksum.
func isHeader(block []byte) bool {
	_, err := tar.NewReader(bytes.NewReader(block)).Next()
	return len(block) == blockSize && !zeros(block) && !errors.Is(err, tar.ErrHeader)
}

// tarHeaders are the facts of the raw header blocks of one entry that archive/tar
// does not return.
type tarHeaders struct {
	count  [256]int // of blocks by kind
	kind   byte     // of the last block, which is the entry's own
	size   int64    // in the last block
	wide   bool     // size is in the GNU binary form, not in octal
	length int64    // of all blocks
	twice  string   // a PAX key that occurs twice
}

// parseHeaders parses the header blocks that archive/tar read for one entry.
func parseHeaders(blocks []byte) (tarHeaders, error) {
	var h tarHeaders
	for {
		if int64(len(blocks))-h.length < blockSize {
			return h, errors.New("a long name or PAX header without an entry")
		}
		block := blocks[h.length:][:blockSize]
		switch magic := string(block[257:265]); {
		case magic[:6] == "ustar\x00", magic == "ustar  \x00", strings.Trim(magic, "\x00") == "":
		default:
			return h, fmt.Errorf("magic %q is of no tar that is known here", magic)
		}
		h.kind, h.length = block[156], h.length+blockSize
		h.count[h.kind]++
		if field := block[124:136]; field[0]&0x80 != 0 {
			h.size, h.wide = int64(binary.BigEndian.Uint64(field[4:])), true
		} else {
			digits, err := strconv.ParseInt("0"+strings.Trim(string(field), " \x00"), 8, 64)
			if err != nil {
				return h, fmt.Errorf("size %q", field)
			}
			h.size, h.wide = digits, false
		}
		switch h.kind {
		default:
			return h, nil
		case tar.TypeXHeader, tar.TypeXGlobalHeader, tar.TypeGNULongName, tar.TypeGNULongLink:
		}
		if h.size < 0 || h.size > int64(len(blocks))-h.length {
			return h, fmt.Errorf("size %d", h.size)
		}
		if h.kind == tar.TypeXHeader || h.kind == tar.TypeXGlobalHeader {
			h.twice += repeatedKey(blocks[h.length:][:h.size])
		}
		if h.length += padSize(h.size); h.kind == tar.TypeXGlobalHeader {
			return h, nil
		}
	}
}

// repeatedKey returns a key that occurs twice among the records of a PAX header, or
// "". archive/tar has checked their form, "LENGTH KEY=VALUE\n".
func repeatedKey(records []byte) string {
	seen := map[string]bool{}
	for len(records) > 0 {
		digits, _, _ := strings.Cut(string(records[:min(len(records), 20)]), " ")
		n, err := strconv.Atoi(digits)
		if err != nil || n <= len(digits) || n > len(records) {
			return string(records[:min(len(records), 20)])
		}
		key, _, _ := strings.Cut(string(records[len(digits)+1:n]), "=")
		if seen[key] && key != "GNU.sparse.offset" && key != "GNU.sparse.numbytes" { // the map of format 0.0
			return key
		}
		seen[key] = true
		records = records[n:]
	}
	return ""
}

// check refuses headers in which two readers of tars may see different files.
func (h *tarHeaders) check(t *tar.Header) error {
	_, paxName := t.PAXRecords["path"]
	_, paxLink := t.PAXRecords["linkpath"]
	extended := h.count[tar.TypeXHeader] + h.count[tar.TypeGNULongName] + h.count[tar.TypeGNULongLink]
	switch {
	case h.twice != "":
		return fmt.Errorf("PAX: %q twice", h.twice)
	case h.kind == tar.TypeXGlobalHeader && extended > 0:
		return errors.New("a PAX header for all files between a header and its entry")
	case h.count[tar.TypeXHeader] > 1:
		return errors.New("two PAX headers for one entry")
	case h.count[tar.TypeGNULongName] > 1 || h.count[tar.TypeGNULongName] == 1 && paxName:
		return errors.New("two long names for one entry")
	case h.count[tar.TypeGNULongLink] > 1 || h.count[tar.TypeGNULongLink] == 1 && paxLink:
		return errors.New("two long link names for one entry")
	}
	if h.kind == tar.TypeXGlobalHeader {
		for key := range t.PAXRecords {
			if changesFiles(key) {
				return fmt.Errorf("PAX sets %q for all files that follow, which readers treat differently", key)
			}
		}
		h.size = 0
		return nil
	}
	// A size may stand in a PAX header only when the plain header cannot hold it,
	// or holds the same: else readers without PAX would find other entries.
	if value := t.PAXRecords["size"]; value != "" {
		n, err := strconv.ParseInt(value, 10, 64)
		if err != nil || strconv.FormatInt(n, 10) != value {
			return fmt.Errorf("%q: PAX size %q", t.Name, value)
		}
		if n != h.size && (n <= maxOctal || h.wide) {
			return fmt.Errorf("%q: PAX size %d, %d in the header", t.Name, n, h.size)
		}
		h.size = n
	}
	return nil
}

// changesFiles reports whether a PAX key changes the list of files or their bytes.
// Owners, access times, comments and the keys of single programs do not.
func changesFiles(key string) bool {
	switch key {
	case "path", "linkpath", "size", "mtime", "hdrcharset", "SCHILY.realsize":
		return true
	}
	return strings.HasPrefix(key, "GNU.sparse.")
}

// readTarEntry returns the candidate of a header that archive/tar has read, and the
// size of its data in the tar.
func readTarEntry(t *tar.Header, rec *headerRecorder) (f candidate, size int64, err error) {
	h, err := parseHeaders(rec.kept)
	if err == nil {
		err = h.check(t)
	}
	if err != nil {
		return candidate{}, 0, err
	}
	f = candidate{entry: &Entry{Name: t.Name, Size: h.size, Modified: formatTime(t.ModTime)}, dataAt: rec.from + h.length}
	switch h.kind {
	case 0, tar.TypeReg, tar.TypeCont:
		f.folder = strings.HasSuffix(t.Name, "/")
		for key := range t.PAXRecords {
			if strings.HasPrefix(key, "GNU.sparse.") || key == "SCHILY.realsize" {
				f.reason = "a sparse file"
			}
		}
	case tar.TypeLink:
		f.link, f.reason = t.Linkname, "a hard link without a name to follow"
	case tar.TypeSymlink:
		f.reason = "a symbolic link"
	case tar.TypeChar, tar.TypeBlock, tar.TypeFifo:
		f.reason = "a device or a pipe"
	case tar.TypeDir:
		f.folder = true
	case tar.TypeGNUSparse:
		f.reason, f.dataAt = "a sparse file", rec.pos // behind the blocks of its map
	default:
		f.reason = fmt.Sprintf("an entry of kind %q, which is not read here", h.kind)
	}
	f.entry.offset = f.dataAt
	// Readers disagree on whether the data of these is there at all.
	if h.size != 0 && (f.folder || h.kind >= tar.TypeLink && h.kind <= tar.TypeFifo) {
		return candidate{}, 0, fmt.Errorf("%q of kind %q has %d bytes of data", t.Name, h.kind, h.size)
	}
	return f, h.size, nil
}

// followHardLinks gives the hard links of a tar the bytes of the file before
// them that they name: a tar keeps the bytes of a file that has several names
// once, under the first. A link to anything else stays skipped: to a name
// outside, to one that comes later or twice, to what is skipped itself.
//
// To read them all again may cost limit bytes: of a gzipped tar the stream is
// expanded anew for each.
func followHardLinks(all []candidate, limit int64, gzipped bool) {
	count := map[string]int{}
	for _, f := range all {
		if path, reason := CheckName(f.entry.Name); reason == "" && !f.folder {
			count[path]++
		}
	}
	files := map[string]*Entry{}
	for i := range all {
		f := &all[i]
		path, reason := CheckName(f.entry.Name)
		if f.link != "" {
			to, bad := CheckName(f.link)
			target := files[to]
			if bad != "" || target == nil || count[to] > 1 {
				f.reason = fmt.Sprintf("a hard link to %s, which is no file before it", Quoted(f.link))
				continue
			}
			cost := target.Size
			if gzipped {
				cost += target.offset
			}
			if cost > limit {
				f.reason = fmt.Sprintf("a hard link to %s: to read all of them again is beyond the limit of the whole", Quoted(f.link))
				continue
			}
			limit -= cost
			f.entry.Size, f.entry.offset, f.reason = target.Size, target.offset, ""
			f.entry.addNote("a hard link to " + Quoted(to))
		}
		if f.reason == "" && !f.folder && reason == "" {
			files[path] = f.entry
		}
	}
}
