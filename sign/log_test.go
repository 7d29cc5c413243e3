package sign

import (
	"bytes"
	"strings"
	"testing"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
	"pgregory.net/rapid"

	"muniment/cid/merkle"
)

func TestCheckpoint(t *testing.T) {
	anna := newTestSigner("anna")
	rapid.Check(t, func(t *rapid.T) {
		c := Checkpoint{
			Origin: rapid.StringMatching(`[!-*,-~]{1,255}`).Draw(t, "origin"),
			Size:   rapid.Int64Range(1, 1<<62).Draw(t, "size"),
			Root:   merkle.Hash(rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(t, "root")),
		}
		signed, err := SignCheckpoint(anna, c)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := OpenCheckpoint(signed, anna.key); err != nil || got != c {
			t.Fatalf("opens as %v, %v", got, err)
		}
		// Package note reads the same text with a key in its own form.
		vkey, err := note.NewEd25519VerifierKey(c.Origin, anna.key.point[:])
		if err != nil {
			t.Fatal(err)
		}
		v, err := note.NewVerifier(vkey)
		if err != nil {
			t.Fatal(err)
		}
		n, err := note.Open(signed, note.VerifierList(v))
		if err != nil || n.Text != c.text() {
			t.Fatalf("package note reads %v, %v", n, err)
		}
	})
}

func TestCheckpointRefuses(t *testing.T) {
	anna := newTestSigner("anna")
	good := Checkpoint{Origin: "o", Size: 1}
	for name, c := range map[string]Checkpoint{
		"no origin":         {Size: 1},
		"origin with space": {Origin: "a b", Size: 1},
		"origin with plus":  {Origin: "a+b", Size: 1},
		"origin with LF":    {Origin: "a\nb", Size: 1},
		"negative size":     {Origin: "o", Size: -1},
		"root of nothing":   {Origin: "o"},
	} {
		if got, err := SignCheckpoint(anna, c); err == nil || got != nil {
			t.Errorf("%s: signed as %q, %v", name, got, err)
		}
	}
	sk := newTestSecurityKey("anna", 1)
	if got, err := SignCheckpoint(sk, good); err == nil || got != nil || !strings.Contains(err.Error(), "plain key") {
		t.Errorf("a security key: %q, %v", got, err)
	}
	signed, err := SignCheckpoint(anna, good)
	if err != nil {
		t.Fatal(err)
	}
	// The point is the same; the key is not.
	if got, err := OpenCheckpoint(signed, sk.key); err == nil || got != (Checkpoint{}) {
		t.Errorf("opened with a security key: %v, %v", got, err)
	}
	if got, err := OpenCheckpoint(signed, Key{}); err == nil || got != (Checkpoint{}) {
		t.Errorf("opened with no key: %v, %v", got, err)
	}
	full := string(signed) + strings.Repeat("x", MaxNote)
	if got, err := OpenCheckpoint([]byte(full), anna.key); err == nil || got != (Checkpoint{}) {
		t.Errorf("opened %d bytes: %v", len(full), got)
	}
}

// Proofs agree with package tlog, and only the right entry and index pass.
func TestLogProof(t *testing.T) {
	anna := newTestSigner("anna")
	const most = 40
	for n := 1; n <= most; n++ {
		leaves := testLeaves(n)
		c := Checkpoint{Origin: vectorOrigin, Size: int64(n), Root: merkle.Root(leaves)}
		signed, err := SignCheckpoint(anna, c)
		if err != nil {
			t.Fatal(err)
		}
		for i := range n {
			p := &LogProof{Index: int64(i), Hashes: merkle.Prove(leaves, i), Note: signed}
			back, err := ParseLogProof(p.Encode())
			if err != nil {
				t.Fatal(err)
			}
			entry := testEntry(i)
			if got, err := back.Verify(entry[:], anna.key); err != nil || got != c {
				t.Fatalf("entry %d of %d: %v, %v", i, n, got, err)
			}
			proof := make(tlog.RecordProof, len(back.Hashes))
			for j, h := range back.Hashes {
				proof[j] = tlog.Hash(h)
			}
			if err := tlog.CheckRecord(proof, int64(n), tlog.Hash(c.Root), int64(i), tlog.RecordHash(entry[:])); err != nil {
				t.Fatalf("entry %d of %d: package tlog: %v", i, n, err)
			}
			wrong := testEntry(i + 1)
			if _, err := back.Verify(wrong[:], anna.key); err == nil {
				t.Fatalf("entry %d of %d: another entry passes", i, n)
			}
			if _, err := back.Verify(entry[:31], anna.key); err == nil {
				t.Fatalf("entry %d of %d: 31 bytes pass", i, n)
			}
			back.Index++
			if _, err := back.Verify(entry[:], anna.key); err == nil {
				t.Fatalf("entry %d of %d: another index passes", i, n)
			}
		}
	}
}

func FuzzOpenCheckpoint(f *testing.F) {
	for _, v := range allVectors() {
		if v.kind() == "checkpoint" {
			f.Add(v.body)
		}
	}
	anna := newTestSigner("anna").key
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := OpenCheckpoint(data, anna)
		n, formErr := parseNote(data)
		if formErr == nil && !bytes.Equal(n.encode(), data) {
			t.Fatalf("%q encodes to %q", data, n.encode())
		}
		if err != nil {
			if c != (Checkpoint{}) {
				t.Fatal("an error and a checkpoint")
			}
			return
		}
		if formErr != nil || !bytes.HasPrefix(data, []byte(c.text()+"\n")) {
			t.Fatalf("%q opens as %v", data, c)
		}
	})
}

func FuzzParseLogProof(f *testing.F) {
	for _, v := range allVectors() {
		if v.kind() == "proof" {
			f.Add(v.body)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := ParseLogProof(data)
		if err != nil {
			if p != nil {
				t.Fatal("an error and a proof")
			}
			return
		}
		if got := p.Encode(); !bytes.Equal(got, data) {
			t.Fatalf("%q encodes to %q", data, got)
		}
	})
}
