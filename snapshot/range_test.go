package snapshot

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"muniment/cid"
	"muniment/cid/jcs"
	"muniment/snapshot/layout"
)

// rangeLines are the lines of one shard: an artifact with all that may lie
// beside it, a withdrawn one, one in chunks, one alone, and an original.
func rangeLines() (lines []Line, artifacts []cid.ID) {
	add := func(path string) { lines = append(lines, Line{sha256.Sum256([]byte(path)), path}) }
	for i, beside := range [][]string{
		{"", ".consent.json", ".hold.json", ".r." + strings.Repeat("12", 32) + ".json", ".r." + strings.Repeat("34", 32) + ".json"},
		{".consent.json", ".withdrawn.json"},
		{"/000/000", "/000/001", ".r." + strings.Repeat("56", 32) + ".json"},
		{""},
	} {
		digest := [32]byte{0xab, byte(i), 9}
		artifacts = append(artifacts, cid.FromDigest(cid.Raw, digest))
		for _, b := range beside {
			add(layout.ArtifactPath(artifacts[i]) + b)
		}
	}
	add(layout.OriginalPath(cid.FromDigest(cid.Raw, [32]byte{0xab, 1})))
	add(layout.PathArchive)
	return lines, artifacts
}

// A range proof shows all that lies beside an artifact, wherever it stands in
// its shard, and that nothing lies beside one that is not there.
func TestRange(t *testing.T) {
	lines, artifacts := rangeLines()
	for _, rest := range []bool{true, false} {
		if !rest { // the artifacts alone: the first and the last have one neighbour
			lines = lines[:len(lines)-2]
		}
		tree := must(NewTree(lines))
		want := []Beside{
			{Payload: true, Records: make([]cid.ID, 2), Consent: &Line{}, Hold: &Line{}},
			{Consent: &Line{}, Withdrawal: &Line{}},
			{Payload: true, Records: make([]cid.ID, 1)},
			{Payload: true},
			{}, {}, {}, {},
		}
		ids := append(artifacts[:4:4], cid.FromDigest(cid.Raw, [32]byte{0xab}), cid.FromDigest(cid.Raw, [32]byte{0xab, 1, 8}),
			cid.FromDigest(cid.Raw, [32]byte{0xab, 0xff}), cid.FromDigest(cid.Raw, [32]byte{0xac}))
		for i, id := range ids {
			r := must(ParseRange(must(must(tree.ProveRange(id)).Encode())))
			got, err := r.Verify(tree.Root())
			if err != nil {
				t.Fatalf("%d: %v", i, err)
			}
			w := want[i]
			if got.Payload != w.Payload || len(got.Records) != len(w.Records) || (got.Consent == nil) != (w.Consent == nil) ||
				(got.Hold == nil) != (w.Hold == nil) || (got.Withdrawal == nil) != (w.Withdrawal == nil) {
				t.Errorf("%d: got %+v, want %+v", i, got, w)
			}
		}
	}
	if _, err := must(NewTree(nil)).ProveRange(archiveID); err == nil {
		t.Error("a json id is proved")
	}
}

// No range proof leaves out a line, or says what is not so.
func TestRangeHonest(t *testing.T) {
	lines, artifacts := rangeLines()
	tree := must(NewTree(lines))
	rapid.Check(t, func(t *rapid.T) {
		id := rapid.SampledFrom(artifacts).Draw(t, "artifact")
		r := must(tree.ProveRange(id))
		switch rapid.IntRange(0, 5).Draw(t, "change") {
		case 0: // drop a line
			i := rapid.IntRange(0, len(r.Lines)-1).Draw(t, "line")
			r.Lines = append(append([]RangeLine{}, r.Lines[:i]...), r.Lines[i+1:]...)
		case 1:
			r.Index += rapid.SampledFrom([]int64{-1, 1}).Draw(t, "index")
		case 2:
			r.Count += rapid.SampledFrom([]int64{-1, 1}).Draw(t, "count")
		case 3:
			r.Artifact = rapid.SampledFrom(artifacts).Filter(func(o cid.ID) bool { return o != id }).Draw(t, "other").String()
		case 4:
			i := rapid.IntRange(0, len(r.Lines)-1).Draw(t, "line")
			r.Lines[i].Digest = strings.Repeat("00", 32)
		case 5: // leave the ends away, with a proof that is right for the rest
			s, from, to := tree.span(layout.ArtifactPath(id))
			r = narrowed(r, s, from, to)
		}
		if b, err := r.Verify(tree.Root()); err == nil || b != nil {
			t.Fatalf("accepted: %+v", r)
		}
	})
}

// narrowed proves the artifact's lines without their neighbours.
func narrowed(r *Range, s *shard, from, to int) *Range {
	out := *r
	out.Index, out.Lines = int64(from), nil
	for _, l := range s.lines[from:to] {
		out.Lines = append(out.Lines, RangeLine{hex.EncodeToString(l.Digest[:]), l.Path})
	}
	out.Inner = encodeHashes(proveLines(s, from, to))
	return &out
}

func FuzzRange(f *testing.F) {
	lines, artifacts := rangeLines()
	tree := must(NewTree(lines))
	for _, id := range artifacts {
		f.Add(must(must(tree.ProveRange(id)).Encode()))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := ParseRange(data)
		if err != nil {
			if r != nil {
				t.Fatal("after an error there is a range")
			}
			return
		}
		if again := must(r.Encode()); !bytes.Equal(again, data) {
			t.Fatalf("%q is written as %q", data, again)
		}
		b, err := r.Verify(tree.Root())
		if err != nil {
			if b != nil {
				t.Fatal("after an error there is a result")
			}
			return
		}
		id := must(cid.ParseAs(cid.Raw, r.Artifact))
		honest := must(must(tree.ProveRange(id)).Verify(tree.Root()))
		if fmt.Sprint(*b) != fmt.Sprint(*honest) && (b.Payload != honest.Payload || len(b.Records) != len(honest.Records) ||
			(b.Withdrawal == nil) != (honest.Withdrawal == nil) || (b.Hold == nil) != (honest.Hold == nil) || (b.Consent == nil) != (honest.Consent == nil)) {
			t.Fatalf("%q proves %+v, want %+v", data, b, honest)
		}
	})
}

// Sizes in an archive of a million artifacts, each with a payload, a record
// and an original: one shard of it is as large, and the outer tree is the same
// whatever the others hold.
func TestProofSize(t *testing.T) {
	const artifacts = 1_000_000 / 256
	var lines []Line
	var ids []cid.ID
	for i := range artifacts {
		digest := sha256.Sum256([]byte(fmt.Sprint(i)))
		digest[0] = 0xab
		original := sha256.Sum256(digest[:])
		original[0] = 0xab
		id := cid.FromDigest(cid.Raw, digest)
		ids = append(ids, id)
		lines = append(lines, Line{digest, layout.ArtifactPath(id)}, Line{original, layout.RecordPath(id, cid.FromDigest(cid.JSON, original))},
			Line{original, layout.OriginalPath(cid.FromDigest(cid.Raw, original))})
	}
	tree := must(NewTree(lines))
	size := func(v any) int { return len(must(jcs.Marshal(v))) }
	for _, id := range ids[:20] {
		for path, most := range map[string]int{layout.ArtifactPath(id): 1500, layout.WithdrawnPath(id): 2500} {
			if n := size(must(tree.Prove(path))); n > most {
				t.Fatalf("%s: the proof has %d bytes, want at most %d", path, n, most)
			}
		}
		if n := len(must(must(tree.ProveRange(id)).Encode())); n > 2500 {
			t.Fatalf("%s: the range proof has %d bytes, want at most 2500", id, n)
		}
	}
}
