package snapshot

import (
	"bytes"
	"encoding/hex"
	"errors"
	"maps"
	"strings"
	"testing"

	"muniment/cid"
	"muniment/cid/merkle"
	"muniment/objects"
	"muniment/snapshot/access"
	"muniment/snapshot/layout"
	"muniment/snapshot/record"
)

func TestCheckSound(t *testing.T) {
	c := threeSnapshots(t)
	var calls, last, total int64
	report, err := CheckWith(c.store, c.tip, Checking{Allowed: allowedSigners(alice), Progress: func(done, of int64) { calls, last, total = calls+1, done, of }})
	if err != nil {
		t.Fatal(err)
	}
	// Three roots; three common files, three payloads with a record, one original.
	if !report.Sound() || report.Snapshots != 3 || report.Items != 3+3+6+1 || report.OK != report.Items || len(report.Problems) > 0 {
		t.Errorf("%+v", report)
	}
	if report.Head.ID != c.all[2].ID {
		t.Errorf("head %s", report.Head.ID)
	}
	if calls == 0 || last != report.Items || total != report.Items {
		t.Errorf("progress: %d calls, the last %d of %d", calls, last, total)
	}
}

func TestCheckUntrusted(t *testing.T) {
	c := threeSnapshots(t)
	report, err := CheckWith(c.store, c.tip, Checking{})
	if err != nil || !report.Sound() || report.NotChecked != 0 || len(report.Untrusted) != 0 {
		t.Errorf("no allowed signers: %+v, %v", report, err)
	}
	report, err = CheckWith(c.store, c.tip, Checking{Allowed: allowedSigners(newSigner('b'))})
	if err != nil || !report.Sound() || len(report.Untrusted) != 3 {
		t.Errorf("another allowed signer: %+v, %v", report, err)
	}
}

func TestCheckNothing(t *testing.T) {
	c := newChain(t)
	report, err := CheckWith(c.store, objects.Hash{1}, Checking{})
	if report != nil || !errors.Is(err, objects.ErrNotFound) {
		t.Errorf("%+v, %v", report, err)
	}
}

// one finds the path of a kind among files.
func one(files map[string][]byte, want layout.Kind) string {
	for path := range files {
		if kind, _ := layout.ClassifyPath(path); kind == want {
			return path
		}
	}
	panic("no such path")
}

// rewrite replaces the record among files by one that change has spoiled.
func rewrite(files map[string][]byte, change func(*record.Record)) {
	path := one(files, layout.KindRecord)
	_, ids := layout.ClassifyPath(path)
	rec := must(record.ParseRecord(files[path]))
	change(rec)
	data := must(rec.Encode())
	delete(files, path)
	files[layout.RecordPath(ids[0], cid.OfJSON(data))] = data
}

// Each case spoils the second snapshot of an archive in one way.
func TestCheckFinds(t *testing.T) {
	first := letter("One,\r\ntwo.\r\n\r\nThree.\r\n", "1.txt")
	second := func() map[string][]byte { return letter("Four.\r\n", "2.txt") }
	id := cid.Of([]byte("Four.\n"))
	other := cid.Of([]byte("other"))
	zero := strings.Repeat("00", 32)
	consent := must(access.Consent{Artifact: other.String(), Reason: "r", Time: "2024-05-01T00:00:00Z", Agent: "a"}.Encode())
	withdrawal := must(record.Withdrawal{Artifact: artifactOf(first).String(), Reason: "r", Authority: "a", Time: "2024-05-01T00:00:00Z", Agent: "a"}.Encode())
	other2 := must(record.Archive{FormatVersion: 1, Name: "Other", Random: zero, ObjectFormat: "sha1"}.Encode())

	cases := []struct {
		name   string
		files  func(map[string][]byte)
		draft  func(*Draft)
		state  objects.State // "" where the case is sound
		says   string
		extras int // further problems that follow from the first
	}{
		{"nothing", nil, nil, "", "", 0},
		{"root", nil, func(d *Draft) { d.Root[0]++ }, objects.Failed, "its files give the root", 0},
		{"entries", nil, func(d *Draft) { d.Entries++ }, objects.Failed, "files and says", 0},
		{"payload bytes", func(f map[string][]byte) { f[layout.ArtifactPath(id)] = []byte("Five.\n") }, nil, objects.Failed, "its bytes have the sha256", 1},
		{"original bytes", func(f map[string][]byte) { f[one(f, layout.KindOriginal)] = []byte("Five.\r\n") }, nil, objects.Failed, "its bytes have the sha256", 0},
		{"original missing", func(f map[string][]byte) { delete(f, one(f, layout.KindOriginal)) }, nil, objects.Absent, "is in no snapshot", 0},
		{"payload missing", func(f map[string][]byte) { delete(f, layout.ArtifactPath(id)) }, nil, objects.NotChecked, "its artifact is in no snapshot", 0},
		{"record bytes", func(f map[string][]byte) { f[one(f, layout.KindRecord)] = []byte("{}") }, nil, objects.Failed, "its bytes have the id", 0},
		{"record form", func(f map[string][]byte) {
			delete(f, one(f, layout.KindRecord))
			f[layout.RecordPath(id, cid.OfJSON([]byte("{}")))] = []byte("{}")
		}, nil, objects.Failed, `"type" is missing`, 0},
		{"record elsewhere", func(f map[string][]byte) {
			path := one(f, layout.KindRecord)
			data := f[path]
			delete(f, path)
			f[layout.RecordPath(artifactOf(first), cid.OfJSON(data))] = data
		}, nil, objects.Failed, "it is a record of", 0},
		{"size", func(f map[string][]byte) { rewrite(f, func(r *record.Record) { r.Size++ }) }, nil, objects.Failed, "bytes, and the record says", 0},
		{"p_count", func(f map[string][]byte) { rewrite(f, func(r *record.Record) { r.PCount, r.LCount = 2, 2 }) }, nil, objects.Failed, "paragraphs, and the record says", 0},
		{"l_count", func(f map[string][]byte) { rewrite(f, func(r *record.Record) { r.LCount = 2 }) }, nil, objects.Failed, "lines, and the record says", 0},
		{"p_root", func(f map[string][]byte) { rewrite(f, func(r *record.Record) { r.PRoot = zero }) }, nil, objects.Failed, "its paragraphs give the root", 0},
		{"l_root", func(f map[string][]byte) { rewrite(f, func(r *record.Record) { r.LRoot = zero }) }, nil, objects.Failed, "its lines give the root", 0},
		{"unknown path", func(f map[string][]byte) { f["attic/a.txt"] = []byte("x") }, nil, objects.Failed, "no archive has a file there", 0},
		{"citation id", func(f map[string][]byte) { f[layout.CitationPath(cid.OfJSON([]byte("x")))] = []byte(`{"type":"y"}`) }, nil, objects.Failed, "its bytes have the id", 0},
		{"consent elsewhere", func(f map[string][]byte) { f[layout.ConsentPath(id)] = consent }, nil, objects.Failed, "it is the consent of", 0},
		{"settings", func(f map[string][]byte) { f[layout.PathTiers] = []byte("{}") }, nil, objects.Failed, `"type" is missing`, 0},
		{"attributes", func(f map[string][]byte) { f[layout.PathAttributes] = []byte("* text=auto\n") }, nil, objects.Failed, "other attributes", 0},
		{"another archive", func(f map[string][]byte) { f[layout.PathArchive] = other2 }, nil, objects.Failed, "it is not the file that the archive id", 0},
		{"archive gone", func(f map[string][]byte) { f[layout.PathArchive] = nil }, nil, objects.Failed, "it is not the file that the archive id", 0},
		{"payload dropped", func(f map[string][]byte) { f[layout.ArtifactPath(artifactOf(first))] = nil }, nil, objects.Failed, "no withdrawal says why", 0},
		{"payload withdrawn", func(f map[string][]byte) {
			f[layout.ArtifactPath(artifactOf(first))] = nil
			f[one(first, layout.KindRecord)] = nil
			f[layout.WithdrawnPath(artifactOf(first))] = withdrawal
		}, nil, "", "", 0},
		{"original withdrawn", func(f map[string][]byte) {
			f[layout.ArtifactPath(artifactOf(first))] = nil
			f[one(first, layout.KindRecord)] = nil
			f[one(first, layout.KindOriginal)] = nil
			f[layout.WithdrawnPath(artifactOf(first))] = withdrawal
		}, nil, "", "", 0},
		{"original dropped", func(f map[string][]byte) { f[one(first, layout.KindOriginal)] = nil }, nil, objects.Failed, "is not withdrawn", 0},
		{"withdrawn in words only", func(f map[string][]byte) {
			f[one(first, layout.KindRecord)] = nil
			f[layout.WithdrawnPath(artifactOf(first))] = withdrawal
		}, nil, objects.Failed, "it lies beside a withdrawal", 0},
		{"record dropped", func(f map[string][]byte) { f[one(first, layout.KindRecord)] = nil }, nil, objects.Failed, "it drops a record and no withdrawal", 0},
		{"hold elsewhere", func(f map[string][]byte) {
			f[layout.HoldPath(id)] = must(record.Hold{Artifact: other.String(), Reason: "r", Authority: "a", Time: "2024-05-01T00:00:00Z", Agent: "a"}.Encode())
		}, nil, objects.Failed, "it is the hold on", 0},
		{"parent", nil, func(d *Draft) { d.Parents[0] = objects.Hash{9} }, objects.Absent, "not found", 1},
		{"prev", nil, func(d *Draft) { d.Prev = other }, objects.Failed, "its id is", 1},
	}
	for _, one := range cases {
		t.Run(one.name, func(t *testing.T) {
			c := newChain(t)
			c.add(first, nil)
			files := second()
			if one.files != nil {
				one.files(files)
			}
			c.add(files, one.draft)
			report, err := CheckWith(c.store, c.tip, Checking{Allowed: allowedSigners(alice)})
			if err != nil {
				t.Fatal(err)
			}
			// The second snapshot alone is enough where the whole is well, but for an original that goes.
			since, err := CheckSince(c.store, Follow(readCommit(c.store), c.tip, c.all[0]), nil, Checking{Allowed: allowedSigners(alice)})
			well := report.Sound() && report.NotChecked == 0 && len(report.Unauthorized) == 0
			if err != nil || (since != nil) != (well && one.name != "original withdrawn") {
				t.Errorf("since the first snapshot: %+v, %v", since, err)
			}
			if one.state == "" {
				if !report.Sound() || report.NotChecked > 0 {
					t.Errorf("%v", report.Problems)
				}
				return
			}
			found := 0
			for _, p := range report.Problems {
				if p.State == one.state && strings.Contains(p.Reason, one.says) {
					found++
				}
			}
			if found != 1 || len(report.Problems) != 1+one.extras {
				t.Errorf("want one problem %s %q and %d more, got %v", one.state, one.says, one.extras, report.Problems)
			}
			if report.OK+report.Failed+report.Absent+report.NotChecked != report.Items {
				t.Errorf("items do not add up: %+v", report)
			}
		})
	}
}

// artifactOf returns the artifact among files.
func artifactOf(files map[string][]byte) cid.ID {
	_, ids := layout.ClassifyPath(one(files, layout.KindPayload))
	return ids[0]
}

// A payload above 8 MiB is read chunk by chunk.
func TestCheckChunks(t *testing.T) {
	chunks := [][]byte{bytes.Repeat([]byte{1, 2, 3, 4}, 3<<18), bytes.Repeat([]byte{5}, 5<<20), bytes.Repeat([]byte{6, 7}, 1<<20)}
	payload := bytes.Join(chunks, nil)
	id := cid.Of(payload)
	var leaves []merkle.Hash
	files := map[string][]byte{layout.PathArchive: archiveJSON, layout.PathAttributes: []byte(layout.Attributes)}
	for i, chunk := range chunks {
		digest := sum(chunk)
		leaves = append(leaves, merkle.LeafHash(digest[:]))
		files[layout.ChunkPath(layout.ArtifactPath(id), i)] = chunk
	}
	root := merkle.Root(leaves)
	rec := must(record.Record{
		Artifact: id.String(), Original: id.String(), Names: []string{"tape.wav"}, MediaType: "audio/wav",
		Canonicalizer: record.BytesForm, Reason: "no text reader for audio/wav", Size: int64(len(payload)),
		ChunkCount: 3, ChunkRoot: hex.EncodeToString(root[:]), Time: "2024-05-01T11:59:00Z", Agent: "Ada Vale",
	}.Encode())
	files[layout.RecordPath(id, cid.OfJSON(rec))] = rec
	check := func(files map[string][]byte) *Report {
		c := newChain(t)
		c.add(files, nil)
		return must(CheckWith(c.store, c.tip, Checking{Allowed: allowedSigners(alice)}))
	}
	if report := check(files); !report.Sound() || report.NotChecked > 0 {
		t.Errorf("%v", report.Problems)
	}
	swapped := maps.Clone(files)
	swapped[layout.ChunkPath(layout.ArtifactPath(id), 0)] = chunks[1]
	if report := check(swapped); report.Failed != 1 {
		t.Errorf("a swapped chunk: %v", report.Problems)
	}
	moved := maps.Clone(files)
	delete(moved, layout.ChunkPath(layout.ArtifactPath(id), 2))
	moved[layout.ChunkPath(layout.ArtifactPath(id), 3)] = chunks[2]
	if report := check(moved); report.Failed != 1 {
		t.Errorf("a chunk at another number: %v", report.Problems)
	}
	c := newChain(t)
	s := c.add(files, nil)
	if changes := must(Diff(c.store, objects.Hash{}, s.Tree)); len(changes) != 4 {
		t.Errorf("want archive.json, .gitattributes, one payload and its record, got %v", changes)
	}
}
