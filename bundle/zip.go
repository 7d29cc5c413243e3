package bundle

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"slices"
)

// MaxZip is the most bytes of a bundle, as a zip or as the sum of its files:
// what a verifier may have to hold in memory.
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
	zipMaxNames  = MaxLeaves + MaxScopes + maxSignatures + 3
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
		central = appendEntry(central, name, files[name], len(out))
		out = appendLocal(out, name, files[name])
		out = append(out, files[name]...)
	}
	return append(out, appendEnd(central, len(names), len(out))...), nil
}

// appendEnd appends to the directory of n files, which begins at start, what
// ends a zip.
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

// appendLocal appends the header before a file's bytes.
func appendLocal(out []byte, name string, data []byte) []byte {
	out = binary.LittleEndian.AppendUint32(out, zipLocal)
	out = appendCommon(out, name, data)
	return append(out, name...)
}

// appendEntry appends a file's line in the directory; offset is that of its
// local header.
func appendEntry(out []byte, name string, data []byte, offset int) []byte {
	le := binary.LittleEndian
	out = le.AppendUint32(out, zipCentral)
	out = le.AppendUint16(out, zipMadeBy)
	out = appendCommon(out, name, data)
	out = le.AppendUint16(out, 0) // comment
	out = le.AppendUint16(out, 0) // disk
	out = le.AppendUint16(out, 0) // internal attributes
	out = le.AppendUint32(out, zipAttr)
	out = le.AppendUint32(out, uint32(offset))
	return append(out, name...)
}

// appendCommon appends the fields that both headers share.
func appendCommon(out []byte, name string, data []byte) []byte {
	le := binary.LittleEndian
	out = le.AppendUint16(out, zipVersion)
	out = le.AppendUint16(out, 0) // flags: none, names are ASCII
	out = le.AppendUint16(out, 0) // method: stored
	out = le.AppendUint16(out, 0) // time
	out = le.AppendUint16(out, zipDate)
	out = le.AppendUint32(out, crc32.ChecksumIEEE(data))
	out = le.AppendUint32(out, uint32(len(data)))
	out = le.AppendUint32(out, uint32(len(data)))
	out = le.AppendUint16(out, uint16(len(name)))
	return le.AppendUint16(out, 0) // extra
}

// readZip returns the files of a canonical zip. It walks the local headers
// only as far as needed to find names and sizes, and requires, piece by piece,
// the bytes of the zip that writeZip makes of what it found, so that no other
// reader can see other files. The contents are parts of data.
func readZip(data []byte) (map[string][]byte, error) {
	if len(data) > MaxZip {
		return nil, fmt.Errorf("zip of %d bytes, at most %d are allowed", len(data), MaxZip)
	}
	files := make(map[string][]byte)
	var central []byte
	last, at := "", 0
	for rest := data; len(rest) >= 4 && binary.LittleEndian.Uint32(rest) == zipLocal; rest = data[at:] {
		name, content, _, err := cutLocal(rest)
		if err != nil {
			return nil, fmt.Errorf("zip at byte %d: %w", at, err)
		}
		if err := checkName(name); err != nil {
			return nil, err
		}
		if _, ok := files[name]; ok {
			return nil, fmt.Errorf("zip has two files named %s", Safe(name))
		}
		if len(files) == zipMaxNames {
			return nil, fmt.Errorf("zip has more than %d files", zipMaxNames)
		}
		if name < last {
			return nil, fmt.Errorf("zip is not in its only form: %s stands behind %s", name, last)
		}
		if err := sameBytes(rest[:zipLocalLen+len(name)], appendLocal(nil, name, content), at); err != nil {
			return nil, err
		}
		central = appendEntry(central, name, content, at)
		files[name], last = content, name
		at += zipLocalLen + len(name) + len(content)
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("not a zip: the first bytes are %q, want those of a file", data[:min(len(data), 4)])
	}
	if err := sameBytes(data[at:], appendEnd(central, len(files), at), at); err != nil {
		return nil, err
	}
	return files, nil
}

// sameBytes requires what stands at a place of a zip to be what has to.
func sameBytes(got, want []byte, at int) error {
	if !bytes.Equal(got, want) {
		return fmt.Errorf("zip is not in its only form: it differs from byte %d on", at+firstDifference(got, want))
	}
	return nil
}

// cutLocal takes one file from the front of a zip.
func cutLocal(data []byte) (name string, content, rest []byte, err error) {
	if len(data) < zipLocalLen {
		return "", nil, nil, fmt.Errorf("header of %d bytes, want %d", len(data), zipLocalLen)
	}
	le := binary.LittleEndian
	flags, method := le.Uint16(data[6:]), le.Uint16(data[8:])
	packed, size := le.Uint32(data[18:]), le.Uint32(data[22:])
	nameLen, extraLen := int(le.Uint16(data[26:])), int(le.Uint16(data[28:]))
	if nameLen > len(data)-zipLocalLen {
		return "", nil, nil, fmt.Errorf("name of %d bytes is cut off", nameLen)
	}
	name = string(data[zipLocalLen : zipLocalLen+nameLen])
	rest = data[zipLocalLen+nameLen:]
	switch {
	case flags != 0:
		return "", nil, nil, fmt.Errorf("file %s has flags 0x%04x, want none", Safe(name), flags)
	case method != 0:
		return "", nil, nil, fmt.Errorf("file %s is compressed with method %d, want stored", Safe(name), method)
	case extraLen != 0:
		return "", nil, nil, fmt.Errorf("file %s has %d bytes of extra fields, want none", Safe(name), extraLen)
	case packed != size:
		return "", nil, nil, fmt.Errorf("file %s has sizes %d and %d, want one", Safe(name), packed, size)
	case int64(size) > int64(len(rest)):
		return "", nil, nil, fmt.Errorf("file %s of %d bytes is cut off after %d", Safe(name), size, len(rest))
	}
	return name, rest[:size:size], rest[size:], nil
}

func firstDifference(a, b []byte) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}
