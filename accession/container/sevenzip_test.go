package container

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The files of testdata/7z, which 7-Zip 26.02 made. In each is a folder without files.
var sevenBodies = map[string]string{
	"letters/01.txt":    "Dear Ada,\n\nthe engine runs.\n",
	"letters/größe.txt": "Höhe und Größe\n",
	"letters/empty.txt": "",
	"scans.bin":         string(bytes.Repeat([]byte{0, 1, 2, 3, 250, 251}, 3000)),
}

func readSample(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "7z", name+".7z"))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// A 7z gives its files by whatever method of 7-Zip they are packed.
func TestSevenZip(t *testing.T) {
	all, lettersOnly := "letters/01.txt letters/empty.txt letters/größe.txt scans.bin", "letters/01.txt letters/empty.txt letters/größe.txt"
	cases := map[string]struct{ read, skip string }{
		"lzma": {all, ""}, "lzma2": {all, ""}, "bzip2": {all, ""}, "deflate": {all, ""}, "ppmd": {all, ""}, "delta": {all, ""},
		"copy": {lettersOnly, ""}, "notsolid": {all, ""}, "plainhead": {all, ""}, "onlyempty": {"e.txt", ""},
		"encrypted":     {"letters/empty.txt", "encrypted"},
		"mixed":         {"letters/empty.txt scans.bin", "encrypted"},
		"deflate64":     {"letters/empty.txt", "packed by method 040109, which is not read here"},
		"bcj":           {"letters/empty.txt", "packed by method 03030103, which is not read here"},
		"bcj2":          {"letters/empty.txt", "packed by method 0303011b, which is not read here"},
		"link":          {"", "a symbolic link"},
		"encryptedhead": {"7z: its list cannot be read: encrypted", ""},
	}
	for name, want := range cases {
		t.Run(name, func(t *testing.T) {
			r, err := open(readSample(t, name))
			if err != nil {
				if err.Error() != want.read {
					t.Error(err)
				}
				return
			}
			var read []string
			for i := len(r.Entries()) - 1; i >= 0; i-- { // backwards: a folder is expanded again
				e := r.Entries()[i]
				body, err := readAll(e)
				if wanted := sevenBodies[e.Path]; err != nil || string(body) != wanted {
					t.Errorf("%s: %d bytes of %d, %v", e.Path, len(body), len(wanted), err)
				}
				if e.Path != "e.txt" && e.Modified != "2024-02-29T12:30:40Z" {
					t.Errorf("%s is of %q", e.Path, e.Modified)
				}
				read = append([]string{e.Path}, read...)
			}
			if got := strings.Join(slices.Sorted(slices.Values(read)), " "); got != want.read {
				t.Errorf("read %q, want %q", got, want.read)
			}
			skipped := map[string]bool{}
			for _, s := range r.Skipped() {
				skipped[s.Reason] = true
			}
			if len(skipped) != min(1, len(want.skip)) || want.skip != "" && !skipped[want.skip] {
				t.Errorf("skipped %v, want %q", r.Skipped(), want.skip)
			}
		})
	}
	if samples, err := filepath.Glob("testdata/7z/*.7z"); err != nil || len(samples) != len(cases) {
		t.Errorf("%d samples, %d cases", len(samples), len(cases))
	}
}

// sealHead returns a 7z whose head is plain with its checksums made right again.
func sealHead(data []byte) []byte {
	at, n := le.Uint64(data[12:]), le.Uint64(data[20:])
	if room := uint64(len(data)) - sevenStart; at <= room && n <= room-at {
		le.PutUint32(data[28:], crc32.ChecksumIEEE(data[sevenStart+at:][:n]))
	}
	le.PutUint32(data[8:], crc32.ChecksumIEEE(data[12:sevenStart]))
	return data
}

// Whatever a damaged 7z says, an entry that is read has the bytes that were packed, or
// the reader sees the damage.
func TestSevenZipDamaged(t *testing.T) {
	small := limits{entries: 1000, names: 10_000, total: 1 << 20, ratio: 50, free: 1 << 18, directory: 1 << 16}
	tried, seen := 0, 0
	try := func(what string, data []byte, forged bool) {
		tried++
		names, r, err := rescue(t, data, small)
		if err != nil || r.Damage() != nil {
			seen++
		}
		for _, n := range names {
			if _, ok := sevenBodies[n]; !ok && !forged {
				t.Fatalf("%s: %q", what, n)
			}
		}
		if err != nil {
			return
		}
		var total int64
		for _, e := range r.Entries() {
			body, err := readAll(e)
			if total += int64(len(body)); err != nil && !forged {
				t.Fatalf("%s: %q: %v", what, e.Path, err)
			}
			if err == nil && !forged && string(body) != sevenBodies[e.Path] {
				t.Fatalf("%s: %q has other bytes", what, e.Path)
			}
		}
		if total > small.expansion(int64(len(data))) {
			t.Fatalf("%s: %d bytes", what, total)
		}
	}
	for _, name := range []string{"lzma", "lzma2", "bzip2", "deflate", "ppmd", "delta", "copy", "notsolid", "plainhead"} {
		data := readSample(t, name)
		for i := range data {
			for _, flip := range []byte{0x01, 0xff} {
				bad := bytes.Clone(data)
				bad[i] ^= flip
				try(fmt.Sprintf("%s, byte %d by %02x", name, i, flip), bad, false)
			}
			if i >= 6 { // before, it is no 7z
				try(fmt.Sprintf("%s cut at %d", name, i), data[:i], false)
			}
		}
		try(name+" and more", append(bytes.Clone(data), 0), false)
	}
	if seen < tried*95/100 { // the last bytes of packed data say nothing, and so does the version
		t.Errorf("of %d damages %d are seen", tried, seen)
	}
	plain := readSample(t, "plainhead")
	from := sevenStart + int(le.Uint64(plain[12:]))
	for i := from; i < len(plain); i++ {
		for v := i % 5; v < 256; v += 5 {
			bad := bytes.Clone(plain)
			bad[i] = byte(v)
			try(fmt.Sprintf("forged byte %d of %02x", i, v), sealHead(bad), true)
		}
	}
	for i := 12; i < 28; i++ {
		for _, v := range []byte{0, 1, 0x7f, 0x80, 0xff} {
			bad := bytes.Clone(plain)
			bad[i] = v
			try(fmt.Sprintf("forged start %d of %02x", i, v), sealHead(bad), true)
		}
	}
}

// Of a 7z that expands too far the folders that do so are left out, and a name that
// leaves the folder is skipped.
func TestSevenZipLimits(t *testing.T) {
	lim := standard
	lim.free, lim.ratio = 4096, 2
	names, r, err := rescue(t, readSample(t, "notsolid"), lim)
	if err != nil || r.Damage() == nil || len(names) != 3 {
		t.Errorf("%v, %v", names, err)
	}
	few := standard
	few.entries = 3
	if _, _, err := rescue(t, readSample(t, "lzma"), few); err == nil {
		t.Error("more entries than the limit")
	}
	evil := readSample(t, "plainhead")
	name := func(s string) []byte {
		var b []byte
		for _, c := range s {
			b = append(b, byte(c), 0)
		}
		return b
	}
	evil = bytes.Replace(evil, name("letters/01.txt"), name("../../ers1.txt"), 1)
	_, r, err = rescue(t, sealHead(evil), standard)
	if err != nil || len(r.Skipped()) != 1 || r.Skipped()[0].Reason != `the path leaves its folder: a part ".."` {
		t.Error(err)
	}
}
