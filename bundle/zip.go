package bundle

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"muniment/bundle/display"
	"muniment/bundle/leaf"
	"slices"
)

// MaxZip is the most bytes of a bundle, as a zip or as the sum of its files.
const MaxZip = 64 << 20

// The fixed values of a canonical zip. Anything that a zip can say twice or in
// two ways has one value here.
const (
	zipLocal     = 0x04034b50
	zipCentral   = 0x02014b50
	zipEnd       = 0x06054b50
	zipVersion   = 10        // needed to extract: stored files
	zipMadeBy    = 3<<8 | 20 // unix, so that extracted files are plain and readable
	zipDate      = 1<<5 | 1  // 1980-01-01
	zipAttr      = 0o100644 << 16
	zipLocalLen  = 30
	zipEntryLen  = 46
	zipEndLen    = 22
	zipMaxNames  = leaf.MaxCount + MaxScopes + maxSignatures + 3
	zipMaxName   = 128 // bytes; the longest name allowed is shorter
	zipShownName = 200 // bytes of a refused name in an error
)

// writeZip returns the canonical zip of files.
func writeZip(files map[string][]byte) ([]byte, error) {
	names := make([]string, 0, len(files))
	size := zipEndLen
	for name, data := range files {
		names = append(names, name)
		size += zipLocalLen + zipEntryLen + 2*len(name) + len(data)
	}
	if size > MaxZip {
		return nil, fmt.Errorf("zip of %d bytes, at most %d are allowed", size, MaxZip)
	}
	slices.Sort(names)
	out := make([]byte, 0, size)
	var central []byte
	for _, name := range names {
		sum, size := crc32.ChecksumIEEE(files[name]), len(files[name])
		central = appendEntry(central, name, sum, size, len(out))
		out = appendLocal(out, name, sum, size)
		out = append(out, files[name]...)
	}
	return append(out, appendEnd(central, len(names), len(out))...), nil
}

// appendEnd appends the end of a zip to the directory of n files, which begins at
// start.
func appendEnd(central []byte, n, start int) []byte {
	le := binary.LittleEndian
	size := len(central)
	out := le.AppendUint32(central, zipEnd)
	out = le.AppendUint32(out, 0) // this disk, disk of the directory
	out = le.AppendUint16(out, uint16(n))
	out = le.AppendUint16(out, uint16(n))
	out = le.AppendUint32(out, uint32(size))
	out = le.AppendUint32(out, uint32(start))
	return le.AppendUint16(out, 0) // no comment
}

// appendLocal appends the header before a file's bytes, which have the CRC-32 sum
// and the length size.
func appendLocal(out []byte, name string, sum uint32, size int) []byte {
	out = binary.LittleEndian.AppendUint32(out, zipLocal)
	out = appendCommon(out, name, sum, size)
	return append(out, name...)
}

// appendEntry appends a file's line in the directory; offset is that of its
// local header.
func appendEntry(out []byte, name string, sum uint32, size, offset int) []byte {
	le := binary.LittleEndian
	out = le.AppendUint32(out, zipCentral)
	out = le.AppendUint16(out, zipMadeBy)
	out = appendCommon(out, name, sum, size)
	out = le.AppendUint16(out, 0) // comment
	out = le.AppendUint16(out, 0) // disk
	out = le.AppendUint16(out, 0) // internal attributes
	out = le.AppendUint32(out, zipAttr)
	out = le.AppendUint32(out, uint32(offset))
	return append(out, name...)
}

// appendCommon appends the fields that both headers share.
func appendCommon(out []byte, name string, sum uint32, size int) []byte {
	le := binary.LittleEndian
	out = le.AppendUint16(out, zipVersion)
	out = le.AppendUint16(out, 0) // flags: none, names are ASCII
	out = le.AppendUint16(out, 0) // method: stored
	out = le.AppendUint16(out, 0) // time
	out = le.AppendUint16(out, zipDate)
	out = le.AppendUint32(out, sum)
	out = le.AppendUint32(out, uint32(size))
	out = le.AppendUint32(out, uint32(size))
	out = le.AppendUint16(out, uint16(len(name)))
	return le.AppendUint16(out, 0) // extra
}

// A zipInput is a zip that is read from front to back.
type zipInput struct {
	r  *bufio.Reader
	at int // bytes read
}

// peek returns the next n bytes without reading them, or fewer at the end.
func (z *zipInput) peek(n int) ([]byte, error) {
	next, err := z.r.Peek(n)
	if err == io.EOF {
		err = nil
	}
	return next, err
}

// take reads the next n bytes, or fewer at the end.
func (z *zipInput) take(n int) ([]byte, error) {
	var b bytes.Buffer // grows with what is there, not with what is said to be
	got, err := io.CopyN(&b, z.r, int64(n))
	z.at += int(got)
	if err == io.EOF {
		err = nil
	}
	return b.Bytes(), err
}

// pass writes the next n bytes to w, or fewer at the end, and returns their number.
func (z *zipInput) pass(n int, w io.Writer) (int, error) {
	got, err := io.CopyN(w, z.r, int64(n))
	z.at += int(got)
	if err == io.EOF {
		err = nil
	}
	return int(got), err
}

// readZip returns the files of a canonical zip. It walks the local headers
// only as far as needed to find names and sizes, and requires, piece by piece,
// the bytes of the zip that writeZip makes of what it found, so that no other
// reader can see other files. Unless keepSealed is set it keeps only the sha256 of
// a sealed file. Errors of the reader itself are *fs.PathError or the like;
// all others are *InvalidError.
func readZip(z *zipInput, keepSealed bool) (*files, error) {
	bad := func(format string, args ...any) error { return invalid("zip", fmt.Errorf(format, args...)) }
	found := newFiles(keepSealed)
	central := make([]byte, 0, 16<<10) // the directory of two hundred files
	var want []byte
	last := ""
	for {
		at := z.at
		if sig, err := z.peek(4); err != nil {
			return nil, err
		} else if len(sig) < 4 || binary.LittleEndian.Uint32(sig) != zipLocal {
			break
		}
		name, size, header, err := z.readHeader()
		switch {
		case err != nil && !isForm(err):
			return nil, err
		case err != nil:
			return nil, bad("zip at byte %d: %w", at, err)
		}
		if err := checkName(name); err != nil {
			return nil, bad("%w", err)
		}
		if found.has(name) {
			return nil, bad("zip has two files named %s", display.Safe(name))
		}
		if found.count() == zipMaxNames {
			return nil, bad("zip has more than %d files", zipMaxNames)
		}
		if name < last {
			return nil, bad("zip is not in its only form: %s stands behind %s", name, last)
		}
		if z.at+size > MaxZip {
			return nil, bad("zip of more than %d bytes, at most %d are allowed", MaxZip, MaxZip)
		}
		sum, err := found.readZipFile(z, name, size)
		if err != nil {
			return nil, err
		}
		want = appendLocal(want[:0], name, sum, size)
		if err := requireBytes(header, want, at); err != nil {
			return nil, bad("%w", err)
		}
		central = appendEntry(central, name, sum, size, at)
		last = name
	}
	if found.count() == 0 {
		first, err := z.peek(4)
		if err != nil {
			return nil, err
		}
		return nil, bad("not a zip: the first bytes are %q, want those of a file", first)
	}
	end := appendEnd(central, found.count(), z.at)
	at := z.at
	rest, err := z.take(len(end) + 1)
	if err != nil {
		return nil, err
	}
	if at+len(end) > MaxZip {
		return nil, bad("zip of %d bytes, at most %d are allowed", at+len(end), MaxZip)
	}
	if err := requireBytes(rest, end, at); err != nil {
		return nil, bad("%w", err)
	}
	return found, nil
}

// readHeader reads the header before a file's bytes.
func (z *zipInput) readHeader() (name string, size int, header []byte, err error) {
	header, err = z.peek(zipLocalLen)
	if err != nil {
		return "", 0, nil, err
	}
	if len(header) < zipLocalLen {
		return "", 0, nil, formError(fmt.Sprintf("header of %d bytes, want %d", len(header), zipLocalLen))
	}
	le := binary.LittleEndian
	flags, method := le.Uint16(header[6:]), le.Uint16(header[8:])
	packed, unpacked := le.Uint32(header[18:]), le.Uint32(header[22:])
	nameLen, extraLen := int(le.Uint16(header[26:])), int(le.Uint16(header[28:]))
	if header, err = z.take(zipLocalLen + nameLen); err != nil {
		return "", 0, nil, err
	}
	if len(header) < zipLocalLen+nameLen {
		return "", 0, nil, formError(fmt.Sprintf("name of %d bytes is cut off", nameLen))
	}
	name = string(header[zipLocalLen:])
	switch {
	case flags != 0:
		err = formError(fmt.Sprintf("file %s has flags 0x%04x, want none", display.Safe(name), flags))
	case method != 0:
		err = formError(fmt.Sprintf("file %s is compressed with method %d, want stored", display.Safe(name), method))
	case extraLen != 0:
		err = formError(fmt.Sprintf("file %s has %d bytes of extra fields, want none", display.Safe(name), extraLen))
	case packed != unpacked:
		err = formError(fmt.Sprintf("file %s has sizes %d and %d, want one", display.Safe(name), packed, unpacked))
	case unpacked > MaxZip:
		err = formError(fmt.Sprintf("file %s of %d bytes, at most %d are allowed", display.Safe(name), unpacked, MaxZip))
	}
	return name, int(unpacked), header, err
}

// A formError reports a malformed header, as other errors report a failing
// reader.
type formError string

func (e formError) Error() string { return string(e) }

// isForm reports whether an error is a formError.
func isForm(err error) bool {
	_, ok := err.(formError)
	return ok
}

// requireBytes requires the bytes at a place of a zip to be those of its only
// form.
func requireBytes(got, want []byte, at int) error {
	if !bytes.Equal(got, want) {
		return fmt.Errorf("zip is not in its only form: it differs from byte %d on", at+firstDifference(got, want))
	}
	return nil
}

// firstDifference returns the index of the first byte in which a and b differ.
func firstDifference(a, b []byte) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}
