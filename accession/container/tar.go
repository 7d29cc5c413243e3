package container

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"time"
)

const blockSize = 512

// A tarHeader is one header block, as POSIX ustar, GNU tar and Unix V7 write
// it.
type tarHeader struct {
	name   string
	link   string
	size   int64
	wide   bool // size is in the GNU binary form, not in octal
	mtime  int64
	kind   byte
	sparse bool // a GNU sparse map goes on in the next block
}

// pending is what stands before a header and changes it.
type pending struct {
	pax     map[string]string
	gnuName *string
	gnuLink *string
}

func (p pending) empty() bool { return p.pax == nil && p.gnuName == nil && p.gnuLink == nil }

// scanTar reads every header and passes over the data. With an error it
// returns what lay whole before the place of it.
func scanTar(ctx context.Context, t tape, lim limits) ([]found, error) {
	var all []found
	var next pending
	names := 0
	block := make([]byte, blockSize)
	fail := func(at int64, err error) error { return fmt.Errorf("header at byte %d: %w", at, err) }
	for {
		if err := ctx.Err(); err != nil {
			return all, err
		}
		at := t.at()
		if err := t.read(block); errors.Is(err, io.EOF) {
			return all, fmt.Errorf("no end after byte %d: cut off between two entries", at)
		} else if err != nil {
			return all, fail(at, err)
		}
		if zeros(block) {
			if !next.empty() {
				return all, fail(at, errors.New("the end, where a long name or PAX header announces an entry"))
			}
			return all, checkEnd(ctx, t, block)
		}
		h, err := parseHeader(block)
		if err != nil {
			return all, fail(at, err)
		}
		switch h.kind {
		case 'x', 'g', 'L', 'K':
			data, err := readExtension(ctx, t, h, lim)
			if err == nil {
				err = next.add(h.kind, data)
			}
			if err != nil {
				return all, fail(at, err)
			}
			continue
		}
		f, err := next.apply(h)
		if err != nil {
			return all, fail(at, err)
		}
		for h.sparse { // the map goes on
			if err := t.read(block); err != nil {
				return all, fail(at, errCut)
			}
			h.sparse = block[504] != 0
		}
		f.entry.offset = t.at()
		size := f.entry.Size
		if names += len(f.entry.Name); len(all) == lim.entries || names > lim.names {
			return all, fail(at, fmt.Errorf("more than %d entries, or than %d bytes of names", lim.entries, lim.names))
		}
		if size > lim.total {
			return all, fail(at, fmt.Errorf("%q declares %d bytes, at most %d are read", f.entry.Name, size, lim.total))
		}
		if err := t.skip(ctx, padded(size)); err != nil {
			return all, fail(at, fmt.Errorf("%q of %d bytes: %w", f.entry.Name, size, err))
		}
		all, next = append(all, f), pending{}
	}
}

// checkEnd requires a second block of zeros and nothing else after it.
func checkEnd(ctx context.Context, t tape, block []byte) error {
	for n := 1; ; n++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		at := t.at()
		err := t.read(block)
		switch {
		case errors.Is(err, io.EOF) && n > 1:
			return nil
		case errors.Is(err, io.EOF) || n == 1 && errors.Is(err, errCut):
			return errors.New("one block of zeros at the end, want two: cut off")
		case errors.Is(err, errCut): // a last block that is not whole
			return fmt.Errorf("a part of a block at byte %d, after the end", at)
		case err != nil:
			return err
		case !zeros(block):
			return fmt.Errorf("bytes after the end, from byte %d on", at)
		}
	}
}

func padded(n int64) int64 { return (n + blockSize - 1) / blockSize * blockSize }

func zeros(block []byte) bool { return len(bytes.Trim(block, "\x00")) == 0 }

// checkSum compares a header's checksum, which some old writers computed over
// signed bytes.
func checkSum(block []byte) error {
	want, _, err := number(block[148:156])
	if err != nil {
		return fmt.Errorf("checksum: %w", err)
	}
	var unsigned, signed int64
	for i, b := range block {
		if i >= 148 && i < 156 {
			b = ' '
		}
		unsigned += int64(b)
		signed += int64(int8(b))
	}
	if want != unsigned && want != signed {
		return fmt.Errorf("checksum %d, %d is declared", unsigned, want)
	}
	return nil
}

func parseHeader(block []byte) (tarHeader, error) {
	if err := checkSum(block); err != nil {
		return tarHeader{}, err
	}
	h := tarHeader{kind: block[156], name: text(block[:100]), link: text(block[157:257])}
	var err error
	if h.size, h.wide, err = number(block[124:136]); err != nil {
		return tarHeader{}, fmt.Errorf("size: %w", err)
	}
	if h.mtime, _, err = number(block[136:148]); err != nil && !errors.Is(err, errNegative) {
		return tarHeader{}, fmt.Errorf("time: %w", err)
	}
	switch magic := string(block[257:265]); {
	case magic[:6] == "ustar\x00":
		if prefix := text(block[345:500]); prefix != "" {
			h.name = prefix + "/" + h.name
		}
	case magic == "ustar  \x00":
		h.sparse = h.kind == 'S' && block[482] != 0
	case strings.Trim(magic, "\x00") != "":
		return tarHeader{}, fmt.Errorf("magic %q is of no tar that is known here", magic)
	}
	return h, nil
}

// text returns the bytes before the first NUL.
func text(field []byte) string {
	before, _, _ := bytes.Cut(field, []byte{0})
	return string(before)
}

var errNegative = errors.New("a negative number")

// number reads a numeric field: octal digits between spaces, ended by a space
// or NUL, or the big-endian binary form of GNU tar. An empty field is 0.
func number(field []byte) (n int64, wide bool, err error) {
	if field[0]&0x80 != 0 {
		if field[0]&0x40 != 0 {
			return 0, true, errNegative
		}
		for i, b := range field {
			if i == 0 {
				b &= 0x3f
			}
			if n > math.MaxInt64>>8 {
				return 0, true, errors.New("a number above 2^63-1")
			}
			n = n<<8 | int64(b)
		}
		return n, true, nil
	}
	digits := strings.Trim(string(bytes.TrimRight(field, "\x00 ")), " ")
	for _, c := range []byte(digits) {
		if c < '0' || c > '7' {
			if c == '-' {
				return 0, false, errNegative
			}
			return 0, false, fmt.Errorf("%q is not octal", digits)
		}
		n = n<<3 | int64(c-'0') // at most 12 digits
	}
	return n, false, nil
}

// apply turns a header and what stood before it into an entry.
func (p pending) apply(h tarHeader) (found, error) {
	e := &Entry{Name: h.name, Size: h.size}
	if h.mtime != 0 {
		e.ModTime = time.Unix(h.mtime, 0).UTC()
	}
	if p.gnuName != nil {
		e.Name = *p.gnuName
	}
	paxSparse, err := p.applyPAX(e, h)
	if err != nil {
		return found{}, fmt.Errorf("%q: %w", e.Name, err)
	}
	f := found{entry: e}
	switch h.kind {
	case 0, '0', '7':
		f.folder = strings.HasSuffix(e.Name, "/")
		if paxSparse {
			f.reason = "a sparse file"
		}
	case '1':
		f.link, f.reason = h.link, "a hard link without a name to follow"
		if p.gnuLink != nil {
			f.link = *p.gnuLink
		}
		if path := p.pax["linkpath"]; path != "" {
			f.link = path
		}
	case '2':
		f.reason = "a symbolic link"
	case '3', '4', '6':
		f.reason = "a device or a pipe"
	case '5':
		f.folder = true
	case 'S':
		f.reason = "a sparse file"
	default:
		f.reason = fmt.Sprintf("an entry of kind %q, which is not read here", h.kind)
	}
	// Readers disagree on whether the data of these is there at all.
	if e.Size != 0 && (f.folder || h.kind >= '1' && h.kind <= '6') {
		return found{}, fmt.Errorf("%q of kind %q has %d bytes of data", e.Name, h.kind, e.Size)
	}
	return f, nil
}
