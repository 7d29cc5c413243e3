package container

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"context"
	"fmt"
	"hash/crc32"
	"io"
	"testing"
	"time"
)

// Small honest writers of containers, in which a test can break one thing.

var stamp = time.Date(2024, 2, 29, 12, 30, 40, 0, time.UTC)

// A member is one entry of a zip under construction; its numbers are computed
// unless they are set.
type member struct {
	name, local  string // local: the name in the header before the data, if it differs
	body         []byte
	method       uint16
	flags        uint16
	unix         uint32
	extra        []byte
	size         *uint32
	crc          *uint32
	offset       *uint32
	tail         []byte // bytes after the packed data
	packedExtra  []byte // bytes inside the packed size, behind the data
	descriptor64 bool
}

// A zipPlan says how the end of a zip is written.
type zipPlan struct {
	prefix, gap, after []byte
	comment            string
	entries            *uint16
	dirShift           int
	zip64              bool
	zip64At            int // added to the locator's offset
}

func u32(n uint32) *uint32 { return &n }
func u16(n uint16) *uint16 { return &n }

func buildZip(t testing.TB, p zipPlan, members ...member) []byte {
	t.Helper()
	out := bytes.Clone(p.prefix)
	var dir []byte
	for _, m := range members {
		packed := m.body
		if m.method == zip.Deflate {
			var b bytes.Buffer
			w, err := flate.NewWriter(&b, flate.BestCompression)
			if err != nil {
				t.Fatal(err)
			}
			w.Write(m.body)
			w.Close()
			packed = b.Bytes()
		}
		packed = append(bytes.Clone(packed), m.packedExtra...)
		crc, size := crc32.ChecksumIEEE(m.body), uint32(len(m.body))
		if m.crc != nil {
			crc = *m.crc
		}
		if m.size != nil {
			size = *m.size
		}
		offset := uint32(len(out))
		if m.offset != nil {
			offset = *m.offset
		}
		local := m.name
		if m.local != "" {
			local = m.local
		}
		head := func(b []byte, name string, streamed bool) []byte {
			b = le.AppendUint16(b, 20)
			b = le.AppendUint16(b, m.flags)
			b = le.AppendUint16(b, m.method)
			b = le.AppendUint16(b, 12<<11|30<<5|20)
			b = le.AppendUint16(b, (2024-1980)<<9|2<<5|29)
			if streamed {
				b = append(b, make([]byte, 12)...)
			} else {
				b = le.AppendUint32(b, crc)
				b = le.AppendUint32(b, uint32(len(packed)))
				b = le.AppendUint32(b, size)
			}
			b = le.AppendUint16(b, uint16(len(name)))
			return le.AppendUint16(b, uint16(len(m.extra)))
		}
		out = head(le.AppendUint32(out, zipLocal), local, m.flags&8 != 0)
		out = append(append(append(out, local...), m.extra...), packed...)
		if m.flags&8 != 0 {
			out = le.AppendUint32(out, zipData)
			out = le.AppendUint32(out, crc)
			if m.descriptor64 {
				out = le.AppendUint64(le.AppendUint64(out, uint64(len(packed))), uint64(size))
			} else {
				out = le.AppendUint32(le.AppendUint32(out, uint32(len(packed))), size)
			}
		}
		out = append(out, m.tail...)

		dir = le.AppendUint32(dir, zipCentral)
		dir = le.AppendUint16(dir, 3<<8|20)
		dir = head(dir, m.name, false)
		dir = append(dir, make([]byte, 6)...)
		dir = le.AppendUint32(dir, m.unix<<16)
		dir = le.AppendUint32(dir, offset)
		dir = append(append(dir, m.name...), m.extra...)
	}
	start := len(out) + p.dirShift
	out = append(append(out, dir...), p.gap...)
	entries := uint16(len(members))
	if p.entries != nil {
		entries = *p.entries
	}
	end := func(n uint16, size, at uint32) {
		out = le.AppendUint32(out, zipEnd)
		out = append(out, 0, 0, 0, 0)
		out = le.AppendUint16(le.AppendUint16(out, n), n)
		out = le.AppendUint32(le.AppendUint32(out, size), at)
	}
	if p.zip64 {
		at := len(out)
		out = le.AppendUint32(out, zipEnd64)
		out = le.AppendUint64(out, zipEnd64Len-12)
		out = append(out, 45, 3, 45, 0, 0, 0, 0, 0, 0, 0, 0, 0)
		out = le.AppendUint64(le.AppendUint64(out, uint64(entries)), uint64(entries))
		out = le.AppendUint64(le.AppendUint64(out, uint64(len(dir))), uint64(start))
		out = append(le.AppendUint32(out, zipLocator64), 0, 0, 0, 0)
		out = le.AppendUint64(out, uint64(at+p.zip64At))
		out = le.AppendUint32(out, 1)
		end(0xFFFF, 0xFFFFFFFF, 0xFFFFFFFF)
	} else {
		end(entries, uint32(len(dir)), uint32(start))
	}
	out = le.AppendUint16(out, uint16(len(p.comment)))
	return append(append(out, p.comment...), p.after...)
}

// record returns one zip extra field.
func record(id uint16, data ...byte) []byte {
	return append(le.AppendUint16(le.AppendUint16(nil, id), uint16(len(data))), data...)
}

// header returns one tar header block with its checksum.
func header(kind byte, name string, size int64, change func(b []byte)) []byte {
	b := make([]byte, blockSize)
	copy(b[:100], name)
	copy(b[100:], "0000644\x000000000\x000000000\x00")
	copy(b[124:], fmt.Sprintf("%011o\x00", size))
	copy(b[136:], fmt.Sprintf("%011o\x00", stamp.Unix()))
	b[156] = kind
	copy(b[257:], "ustar\x0000")
	if change != nil {
		change(b)
	}
	seal(b)
	return b
}

// seal writes the checksum of a header.
func seal(b []byte) {
	copy(b[148:156], "        ")
	var sum int
	for _, c := range b {
		sum += int(c)
	}
	copy(b[148:156], fmt.Sprintf("%06o\x00 ", sum))
}

// file returns header and data of one file.
func tarFile(name, body string) []byte { return tarEntry('0', name, body, nil) }

func tarEntry(kind byte, name, body string, change func(b []byte)) []byte {
	return append(header(kind, name, int64(len(body)), change), fill(body)...)
}

// fill pads data to whole blocks.
func fill(body string) []byte {
	return append([]byte(body), make([]byte, padSize(int64(len(body)))-int64(len(body)))...)
}

func pax(records ...string) string {
	var out string
	for _, r := range records {
		n := len(r) + len(" \n") + 1
		for len(fmt.Sprint(n))+len(r)+len(" \n") != n {
			n++
		}
		out += fmt.Sprintf("%d %s\n", n, r)
	}
	return out
}

var tarEnd = make([]byte, 2*blockSize)

func join(parts ...[]byte) []byte { return bytes.Join(parts, nil) }

func gzipped(t testing.TB, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// letters are the files of the ordinary containers below.
var letters = []struct{ name, body string }{
	{"letters/01.txt", "Dear Ada,\n\nthe engine runs.\n"},
	{"letters/größe.txt", "Höhe und Größe\n"},
	{"letters/empty.txt", ""},
	{"scans/page.bin", string(bytes.Repeat([]byte{0, 1, 2, 3, 250, 251}, 3000))},
	{"zeros.bin", string(make([]byte, 70000))},
}

// ordinaryZip is what archive/zip writes.
func ordinaryZip(t testing.TB) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i, l := range letters {
		h := &zip.FileHeader{Name: l.name, Method: zip.Deflate, Modified: stamp}
		if i == 0 {
			h.Method = zip.Store
		}
		f, err := w.CreateHeader(h)
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(f, l.body)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// ordinaryTar is what archive/tar writes.
func ordinaryTar(t testing.TB) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, l := range letters {
		h := &tar.Header{Name: l.name, Size: int64(len(l.body)), Mode: 0o644, ModTime: stamp, Format: tar.FormatPAX}
		if err := w.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		io.WriteString(w, l.body)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// open opens data with the ordinary limits.
func open(data []byte) (*Reader, error) {
	return New(context.Background(), bytes.NewReader(data), int64(len(data)))
}

// openWithin opens data with other limits.
func openWithin(data []byte, lim limits) (*Reader, error) {
	r, err := newReader(context.Background(), bytes.NewReader(data), int64(len(data)), lim)
	if err == nil && r.damage != nil {
		return nil, r.damage
	}
	return r, err
}

// readAll reads one entry.
func readAll(e *Entry) ([]byte, error) {
	rc, err := e.Open()
	if err != nil {
		return nil, err
	}
	defer rc.Close()
	return io.ReadAll(rc)
}
