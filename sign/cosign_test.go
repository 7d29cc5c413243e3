package sign

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"golang.org/x/mod/sumdb/tlog"

	"muniment/cid/merkle"
)

const testOrigin = "muniment/bagaaiera/answers/00/1"

// A testLog holds the leaf hashes of a log of numbered entries.
type testLog []merkle.Hash

func newTestLog(n int, what string) testLog {
	var l testLog
	for i := range n {
		l = append(l, merkle.LeafHash(fmt.Appendf(nil, "%s %d", what, i)))
	}
	return l
}

func (l testLog) at(n int) Checkpoint {
	return Checkpoint{Origin: testOrigin, Size: int64(n), Root: merkle.Root(l[:n])}
}

func (l testLog) signed(t testing.TB, s Signer, n int) []byte {
	t.Helper()
	note, err := SignCheckpoint(s, l.at(n))
	if err != nil {
		t.Fatal(err)
	}
	return note
}

// stored returns the log's stored hashes and its tiles as files.
func (l testLog) stored(t testing.TB) (tlog.HashReader, fstest.MapFS) {
	t.Helper()
	var hashes []tlog.Hash
	reader := tlog.HashReaderFunc(func(indexes []int64) ([]tlog.Hash, error) {
		out := make([]tlog.Hash, len(indexes))
		for i, n := range indexes {
			out[i] = hashes[n]
		}
		return out, nil
	})
	for i, h := range l {
		more, err := tlog.StoredHashesForRecordHash(int64(i), tlog.Hash(h), reader)
		if err != nil {
			t.Fatal(err)
		}
		hashes = append(hashes, more...)
	}
	files := fstest.MapFS{}
	for _, tile := range tlog.NewTiles(TileHeight, 0, int64(len(l))) {
		data, err := tlog.ReadTileData(tile, reader)
		if err != nil {
			t.Fatal(err)
		}
		files[TilePath(tile)] = &fstest.MapFile{Data: data}
	}
	return reader, files
}

func TestCosign(t *testing.T) {
	log, museum, court := newTestSigner("log"), newTestSigner("museum"), newTestSigner("court")
	entries := newTestLog(5, "entry")
	plain := entries.signed(t, log, 5)
	one, err := Cosign(museum, plain, 1772528400)
	if err != nil {
		t.Fatal(err)
	}
	two, err := Cosign(court, one, 1772528401)
	if err != nil {
		t.Fatal(err)
	}
	got, err := Cosignatures(two)
	if err != nil || len(got) != 2 || got[0] != (Cosignature{WitnessName(museum.key), museum.key, 1772528400}) || got[1] != (Cosignature{WitnessName(court.key), court.key, 1772528401}) {
		t.Errorf("cosignatures %v, %v", got, err)
	}
	if c, err := OpenCheckpoint(two, log.key); err != nil || c != entries.at(5) {
		t.Errorf("opens as %v, %v", c, err)
	}
	// A later one of the same witness takes the place of the earlier.
	again, err := Cosign(museum, two, 1772528999)
	if err != nil || bytes.Count(again, []byte(WitnessName(museum.key))) != 1 {
		t.Errorf("cosigned again: %v\n%s", err, again)
	}
	other, err := Cosign(court, plain, 5)
	if err != nil {
		t.Fatal(err)
	}
	merged, err := MergeCosignatures(one, other)
	if got, err2 := Cosignatures(merged); err != nil || err2 != nil || len(got) != 2 {
		t.Errorf("merged: %v %v %v", got, err, err2)
	}
	if _, err := MergeCosignatures(one, entries.signed(t, log, 4)); err == nil {
		t.Error("cosignatures of another size were merged")
	}
	if _, err := Cosign(newTestSecurityKey("sk", 1), plain, 1); err == nil {
		t.Error("a security key cosigned")
	}
	bad := map[string][]byte{
		"of another size":   append(entries.signed(t, log, 4), append(lineOf(one, museum), '\n')...),
		"by another":        bytes.Replace(one, []byte(WitnessName(museum.key)), []byte(WitnessName(court.key)), 1),
		"key of no point":   bytes.Replace(one, []byte(WitnessName(museum.key)), []byte(WitnessPrefix+strings.Repeat("ff", 32)), 1),
		"key in upper case": bytes.Replace(one, []byte(WitnessName(museum.key)), []byte(WitnessPrefix+strings.ToUpper(WitnessName(museum.key)[len(WitnessPrefix):])), 1),
		"small order":       bytes.Replace(one, []byte(WitnessName(museum.key)), []byte(WitnessPrefix+"01"+strings.Repeat("00", 31)), 1),
	}
	for name, note := range bad {
		if got, err := Cosignatures(note); err == nil || got != nil {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}

// lineOf returns the cosignature line of a witness, without line end.
func lineOf(note []byte, s Signer) []byte {
	for line := range bytes.Lines(note) {
		if bytes.HasPrefix(line, []byte(sigPrefix+WitnessName(s.Key()))) {
			return bytes.TrimSuffix(line, []byte("\n"))
		}
	}
	return nil
}

func TestConsistency(t *testing.T) {
	l := newTestLog(700, "entry")
	reader, tiles := l.stored(t)
	ran := 0
	for _, from := range []int{1, 2, 255, 256, 257, 511, 699, 700} {
		for _, to := range []int{1, 3, 256, 258, 512, 700} {
			if from > to {
				continue
			}
			ran++
			hashes, err := ProveFromTiles(tiles, int64(len(l)), int64(from), int64(to))
			if err != nil {
				t.Fatalf("%d to %d: %v", from, to, err)
			}
			want, err := tlog.ProveTree(int64(to), int64(from), reader)
			if err != nil || len(want) != len(hashes) {
				t.Fatalf("%d to %d: %d hashes, want %d (%v)", from, to, len(hashes), len(want), err)
			}
			if err := CheckConsistent(l.at(from), l.at(to), hashes); err != nil {
				t.Errorf("%d to %d: %v", from, to, err)
			}
			if err := CheckConsistent(l.at(to), l.at(from), hashes); err != nil {
				t.Errorf("%d to %d, larger first: %v", from, to, err)
			}
			other := newTestLog(700, "other")
			if err := CheckConsistent(other.at(from), l.at(to), hashes); err == nil {
				t.Errorf("%d to %d: another log is consistent", from, to)
			}
			if from == to {
				continue
			}
			c := &Consistency{Origin: testOrigin, From: int64(from), To: int64(to), Hashes: hashes}
			back, err := ParseConsistency(c.Encode())
			if err != nil || !bytes.Equal(back.Encode(), c.Encode()) {
				t.Errorf("%d to %d reads back as %v, %v", from, to, back, err)
			}
		}
	}
	if ran < 25 {
		t.Errorf("%d pairs", ran)
	}
	foreign := l.at(5)
	foreign.Origin += "0"
	if CheckConsistent(foreign, l.at(9), nil) == nil || CheckConsistent(l.at(5), l.at(9), nil) == nil {
		t.Error("another origin, or no hashes, are consistent")
	}
	if err := CheckConsistent(l.at(0), l.at(9), nil); err != nil {
		t.Errorf("the empty log: %v", err)
	}
}

func TestConflict(t *testing.T) {
	log := newTestSigner("log")
	honest, forked := newTestLog(9, "entry"), newTestLog(9, "forked")
	_, tiles := forked.stored(t)
	hashes, err := ProveFromTiles(tiles, 9, 5, 9)
	if err != nil {
		t.Fatal(err)
	}
	c := &Conflict{Prefix: forked.at(5).Root, Hashes: hashes, First: honest.signed(t, log, 5), Second: forked.signed(t, log, 9)}
	same := &Conflict{Prefix: forked.at(5).Root, First: honest.signed(t, log, 5), Second: forked.signed(t, log, 5)}
	for _, c := range []*Conflict{c, same} {
		back, err := ParseConflict(c.Encode())
		if err != nil {
			t.Fatal(err)
		}
		if err := back.Verify(log.key); err != nil {
			t.Errorf("the evidence does not hold: %v", err)
		}
		if err := back.Verify(newTestSigner("other").key); err == nil {
			t.Error("the evidence holds against another key")
		}
	}
	none := map[string]*Conflict{
		"one log":        {Prefix: forked.at(5).Root, Hashes: hashes, First: forked.signed(t, log, 5), Second: forked.signed(t, log, 9)},
		"the same twice": {Prefix: forked.at(5).Root, First: forked.signed(t, log, 5), Second: forked.signed(t, log, 5)},
		"no hashes":      {Prefix: forked.at(5).Root, First: honest.signed(t, log, 5), Second: forked.signed(t, log, 9)},
		"other prefix":   {Prefix: honest.at(4).Root, Hashes: hashes, First: honest.signed(t, log, 5), Second: forked.signed(t, log, 9)},
		"larger first":   {Prefix: forked.at(5).Root, Hashes: hashes, First: honest.signed(t, log, 9), Second: forked.signed(t, log, 5)},
		"one by a thief": {Prefix: forked.at(5).Root, Hashes: hashes, First: honest.signed(t, log, 5), Second: forked.signed(t, newTestSigner("thief"), 9)},
	}
	for name, c := range none {
		if err := c.Verify(log.key); err == nil {
			t.Errorf("%s: evidence of nothing holds", name)
		}
	}
}

func FuzzParseConsistency(f *testing.F) {
	f.Add((&Consistency{Origin: testOrigin, From: 1, To: 2, Hashes: []merkle.Hash{{1}}}).Encode())
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := ParseConsistency(data)
		if (err == nil) == (c == nil) {
			t.Fatal("result and error")
		}
		if err == nil && !bytes.Equal(c.Encode(), data) {
			t.Fatal("encodes to other bytes")
		}
	})
}

func FuzzParseConflict(f *testing.F) {
	log, l := newTestSigner("log"), newTestLog(3, "x")
	f.Add((&Conflict{Hashes: []merkle.Hash{{1}}, First: l.signed(f, log, 2), Second: l.signed(f, log, 3)}).Encode())
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := ParseConflict(data)
		if (err == nil) == (c == nil) {
			t.Fatal("result and error")
		}
		if err == nil && !bytes.Equal(c.Encode(), data) {
			t.Fatal("encodes to other bytes")
		}
	})
}

func FuzzCosignatures(f *testing.F) {
	log, l := newTestSigner("log"), newTestLog(3, "x")
	note, err := Cosign(newTestSigner("museum"), l.signed(f, log, 3), 1)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(note)
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := Cosignatures(data)
		if err != nil && got != nil {
			t.Fatal("cosignatures beside an error")
		}
	})
}
