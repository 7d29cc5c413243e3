package container

import (
	"archive/zip"
	"bytes"
	"context"
	"strings"
	"testing"
)

// rescue salvages data within limits and reads what it lists.
func rescue(t *testing.T, data []byte, lim limits) (names []string, r *Reader, err error) {
	t.Helper()
	r, err = newReader(context.Background(), bytes.NewReader(data), int64(len(data)), lim)
	if err != nil {
		return nil, nil, err
	}
	for _, e := range r.Entries() {
		if _, err := readAll(e); err == nil {
			names = append(names, e.Path)
		}
	}
	return names, r, nil
}

// Wherever a tar is cut, what lies whole before the cut is read, and nothing
// else is. A zip that is cut has lost its directory and is refused.
func TestSalvageCut(t *testing.T) {
	plain := ordinaryTar(t)
	for kind, data := range map[string][]byte{"tar": plain, "tar.gz": gzipped(t, plain), "zip": ordinaryZip(t)} {
		most, steps := 0, 0
		for cut := len(data) - 1; cut > 64; cut -= max(1, len(data)/97) {
			steps++
			names, r, err := rescue(t, data[:cut], standard)
			if err != nil {
				continue
			}
			if r.Damage() == nil {
				t.Fatalf("%s cut at byte %d of %d: no damage seen", kind, cut, len(data))
			}
			for i, n := range names {
				if n != letters[i].name {
					t.Fatalf("%s cut at byte %d: %q, want %q", kind, cut, n, letters[i].name)
				}
			}
			most = max(most, len(names))
		}
		want := len(letters)
		if kind == "zip" {
			want = 0
		}
		if most != want || steps < 50 {
			t.Errorf("%s: at most %d of %d members in %d cuts", kind, most, len(letters), steps)
		}
	}
}

// A tar with every kind of header is refused wherever it is cut.
func TestEveryCut(t *testing.T) {
	gnu := func(b []byte) { copy(b[257:265], "ustar  \x00") }
	data := join(tarEntry('g', "g", pax("comment=abc"), nil), tarFile("a", "1"), tarEntry('x', "x", pax("path=b"), nil), tarFile("b", "2"),
		tarEntry('L', "l", "long\x00", gnu), tarEntry('0', "c", "3", gnu), tarEntry('K', "k", "b\x00", gnu), header('1', "d", 0, gnu),
		tarEntry('g', "g", pax("comment=def"), nil), header('5', "e/", 0, nil), tarEnd)
	whole, err := open(data)
	if err != nil || len(whole.Entries()) != 4 {
		t.Fatal(whole, err)
	}
	for cut := 1; cut < len(data); cut++ {
		if r, err := open(data[:cut]); err == nil {
			t.Fatalf("cut at byte %d: %d entries", cut, len(r.Entries()))
		}
		if r, err := newReader(t.Context(), bytes.NewReader(data[:cut]), int64(cut), standard); err == nil {
			for _, e := range r.Entries() {
				if body, err := readAll(e); err != nil || int64(len(body)) != e.Size {
					t.Fatalf("cut at byte %d: %q: %v", cut, e.Name, err)
				}
			}
		}
	}
}

func TestSalvageWhole(t *testing.T) {
	for kind, data := range map[string][]byte{"tar": ordinaryTar(t), "zip": ordinaryZip(t)} {
		names, r, err := rescue(t, data, standard)
		if err != nil || r.Damage() != nil || len(names) != len(letters) {
			t.Errorf("%s: %d members, %v", kind, len(names), err)
		}
	}
}

// One member that expands too far is left out of a zip; what could be read in
// two ways stays refused.
func TestSalvageZip(t *testing.T) {
	small := member{name: "a.txt", body: []byte("a letter\n")}
	bomb := member{name: "zeros", body: make([]byte, 1<<20), method: zip.Deflate}
	lim := standard
	lim.free = 1 << 10
	names, r, err := rescue(t, buildZip(t, zipPlan{}, small, bomb, member{name: "b.txt", body: []byte("b")}), lim)
	if err != nil || strings.Join(names, " ") != "a.txt b.txt" || len(r.Skipped()) != 1 || !strings.Contains(r.Skipped()[0].Reason, "expand") {
		t.Fatalf("%q, %v", names, err)
	}
	broken := buildZip(t, zipPlan{}, small, member{name: "b.txt", body: []byte("b")})
	broken[0] ^= 1 // also no zip by its first bytes
	if _, _, err := rescue(t, broken, standard); err == nil {
		t.Error("a file that does not begin as a zip was read")
	}
	broken = buildZip(t, zipPlan{}, small, member{name: "b.txt", body: []byte("b")})
	second := bytes.Index(broken[4:], []byte("PK\x03\x04")) + 4
	broken[second] ^= 1
	names, r, err = rescue(t, broken, standard)
	if err != nil || strings.Join(names, " ") != "a.txt" || len(r.Skipped()) != 1 {
		t.Errorf("a damaged header: %q, %v", names, err)
	}
	for name, p := range map[string]zipPlan{"prefix": {prefix: []byte("MZ and a program")}, "gap": {gap: []byte("hidden")}, "after": {after: []byte("more")}} {
		if _, _, err := rescue(t, buildZip(t, p, small), standard); err == nil {
			t.Errorf("%s: read", name)
		}
	}
}

// A tar.gz that expands too far gives what came before.
func TestSalvageTarBomb(t *testing.T) {
	lim := standard
	lim.free = 64 << 10
	data := gzipped(t, join(tarFile("a.txt", "a letter\n"), tarFile("zeros", string(make([]byte, 80<<20))), tarFile("b.txt", "b"), tarEnd))
	names, r, err := rescue(t, data, lim)
	if err != nil || strings.Join(names, " ") != "a.txt" || !strings.Contains(r.Damage().Error(), "expands to more than") {
		t.Fatalf("%q, %v", names, err)
	}
}

// FuzzSalvage asks that whatever is listed lies within the limits, and that
// reading it ends.
func FuzzSalvage(f *testing.F) {
	f.Add(ordinaryZip(f))
	f.Add(ordinaryTar(f))
	f.Add(ordinaryZip(f)[:300])
	f.Add(gzipped(f, ordinaryTar(f))[:400])
	lim := limits{entries: 100, names: 1 << 16, total: 1 << 20, ratio: 20, free: 1 << 18, directory: 1 << 16}
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := newReader(context.Background(), bytes.NewReader(data), int64(len(data)), lim)
		if err != nil {
			if r != nil {
				t.Fatal("a reader and an error")
			}
			return
		}
		var total int64
		for _, e := range r.Entries() {
			total += e.Size
			if b, err := readAll(e); err == nil && int64(len(b)) != e.Size {
				t.Fatalf("%q: %d bytes, %d declared", e.Name, len(b), e.Size)
			}
		}
		if total > 1<<20 {
			t.Fatalf("%d bytes listed", total)
		}
	})
}
