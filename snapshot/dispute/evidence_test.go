package dispute

import (
	"bytes"
	"crypto/rand"
	"path/filepath"
	"testing"
	"time"

	"muniment/cid"
	"muniment/objects"
	"muniment/sign"
	"muniment/sign/sshkey"
	"muniment/snapshot"
)

func signer(t testing.TB) sign.Signer {
	t.Helper()
	s, err := sshkey.Generate(rand.Reader, filepath.Join(t.TempDir(), "key"), "test", nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// signed makes a snapshot that holds nothing.
func signed(t testing.TB, s sign.Signer, archive string, seq int64, text string) *snapshot.Snapshot {
	t.Helper()
	d := snapshot.Draft{Tree: objects.Sum(objects.Blob, []byte(text)), Author: snapshot.Author{Name: "Ada", Email: "ada@archive.invalid"},
		Time: time.Unix(1, 0), Text: text, Archive: cid.OfJSON([]byte(archive)), Seq: seq, Entries: 1}
	if seq > 1 {
		d.Parents, d.Prev = []objects.Hash{{1}}, cid.Of([]byte("before"))
	}
	payload, err := d.Payload()
	if err != nil {
		t.Fatal(err)
	}
	armored, err := sign.Sign(s, sign.NamespaceGit, payload)
	if err != nil {
		t.Fatal(err)
	}
	content, err := snapshot.Attach(payload, armored)
	if err != nil {
		t.Fatal(err)
	}
	out, err := snapshot.Parse(content)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestKinds encodes every pair of snapshots as every kind: only what the pair
// shows is written, and it reads back.
func TestKinds(t *testing.T) {
	one, two := signer(t), signer(t)
	base := signed(t, one, "a", 3, "base")
	cases := []struct {
		name   string
		theirs *snapshot.Snapshot
		kinds  map[string]bool
	}{
		{"same", base, nil},
		{"one key, one number", signed(t, one, "a", 3, "other"), map[string]bool{"equivocation": true, "fork": true}},
		{"another key", signed(t, two, "a", 3, "other"), map[string]bool{"fork": true}},
		{"older", signed(t, one, "a", 2, "older"), map[string]bool{"fork": true, "rollback": true}},
		{"another archive", signed(t, one, "b", 3, "other"), map[string]bool{"unrelated": true}},
	}
	tried := 0
	for _, c := range cases {
		for _, kind := range []string{"equivocation", "fork", "rollback", "unrelated", "", "same"} {
			e := Evidence{Kind: kind, Remote: "ssh://museum/letters.git", Seen: time.Unix(1_700_000_000, 0).UTC(), Ours: base, Theirs: c.theirs}
			data, err := Encode(e)
			if (err == nil) != c.kinds[kind] {
				t.Errorf("%s as %q: %v", c.name, kind, err)
			}
			tried++
			if err != nil {
				continue
			}
			back, err := Parse(data)
			if err != nil || back.Kind != kind || back.Remote != e.Remote || !back.Seen.Equal(e.Seen) || back.Theirs.ID != c.theirs.ID {
				t.Errorf("%s as %q: %+v, %v", c.name, kind, back, err)
			}
		}
	}
	if tried != 30 {
		t.Errorf("%d tried", tried)
	}
}

// TestDamaged flips every byte: no other file reads.
func TestDamaged(t *testing.T) {
	s := signer(t)
	data, err := Encode(Evidence{Kind: "equivocation", Remote: "r", Seen: time.Unix(5, 0), Ours: signed(t, s, "a", 1, "one"), Theirs: signed(t, s, "a", 1, "two")})
	if err != nil {
		t.Fatal(err)
	}
	for i := range data {
		bad := bytes.Clone(data)
		bad[i] ^= 1
		if e, err := Parse(bad); err == nil || e.Ours != nil {
			t.Fatalf("byte %d: %v", i, err)
		}
	}
	if _, err := Parse(append(bytes.Clone(data), 'x')); err == nil {
		t.Error("a byte after the end was accepted")
	}
}

func FuzzParse(f *testing.F) {
	s := signer(f)
	for _, kind := range []string{"equivocation", "fork"} {
		data, err := Encode(Evidence{Kind: kind, Remote: "r", Seen: time.Unix(5, 0), Ours: signed(f, s, "a", 1, "one"), Theirs: signed(f, s, "a", 1, "two")})
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		e, err := Parse(data)
		if err != nil {
			if e != (Evidence{}) {
				t.Fatal("a result beside an error")
			}
			return
		}
		again, err := Encode(e)
		if err != nil || !bytes.Equal(again, data) {
			t.Fatalf("it encodes to other bytes: %v", err)
		}
	})
}
