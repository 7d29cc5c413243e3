package snapshot

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"muniment/canon"
	"muniment/cid"
	"muniment/cid/merkle"
	"muniment/snapshot/layout"
	"muniment/snapshot/record"
)

// largeText is 9 MiB of paragraphs.
func largeText() []byte {
	var b bytes.Buffer
	for i := 0; b.Len() < 9<<20; i++ {
		fmt.Fprintf(&b, "Line %d of a long day.\n%s", i, strings.Repeat("\n", i%3))
	}
	return canon.Text(b.Bytes())
}

// pieces cuts a payload at the places given and says what a record says of it.
func pieces(payload []byte, at ...int) (chunks [][]byte, root string) {
	var leaves []merkle.Hash
	for _, n := range append(at, len(payload)) {
		n = min(n, len(payload))
		digest := sum(payload[:n])
		leaves = append(leaves, merkle.LeafHash(digest[:]))
		chunks, payload = append(chunks, payload[:n]), payload[n:]
	}
	r := merkle.Root(leaves)
	return chunks, hex.EncodeToString(r[:])
}

// A text in chunks is checked like one in a single file, and nothing passes in
// the shape that belongs to another size.
func TestCheckLargeText(t *testing.T) {
	text := largeText()
	id := cid.Of(text)
	chunks, root := pieces(text, 3<<20+1, 2<<20)
	doc := canon.NewDocument(text)
	p, l := doc.Root('p'), doc.Root('l')
	good := record.Record{
		Artifact: id.String(), Original: id.String(), Names: []string{"day.txt"}, MediaType: "text/plain", Canonicalizer: canon.TextForm,
		Unicode: canon.UnicodeVersion, Charset: "utf-8", Size: int64(len(text)), ChunkCount: int64(len(chunks)), ChunkRoot: root,
		PCount: int64(len(doc.Units('p'))), PRoot: hex.EncodeToString(p[:]), LCount: int64(len(doc.Units('l'))), LRoot: hex.EncodeToString(l[:]),
		Time: "2024-05-01T11:59:00Z", Agent: "Ada Vale",
	}
	dir := layout.ArtifactPath(id)
	small := []byte("A short text.\n")
	for _, one := range []struct {
		name string
		says string
		edit func(rec *record.Record, files map[string][]byte)
	}{
		{"whole", "", func(*record.Record, map[string][]byte) {}},
		{"another paragraph count", "paragraphs", func(r *record.Record, _ map[string][]byte) { r.PCount-- }},
		{"another line root", "lines give the root", func(r *record.Record, _ map[string][]byte) { r.LRoot = r.PRoot }},
		{"another paragraph root", "paragraphs give the root", func(r *record.Record, _ map[string][]byte) { r.PRoot = r.LRoot }},
		{"another chunk root", "chunks give the root", func(r *record.Record, _ map[string][]byte) { r.ChunkRoot = r.LRoot }},
		{"another chunk count", "3 chunks, and the record says 2", func(r *record.Record, _ map[string][]byte) { r.ChunkCount = 2 }},
		{"cut elsewhere", "chunks give the root", func(_ *record.Record, f map[string][]byte) {
			other, _ := pieces(text, 1<<20, 5<<20)
			for i, c := range other {
				f[layout.ChunkPath(dir, i)] = c
			}
		}},
		{"one blob", "it is one blob of", func(_ *record.Record, f map[string][]byte) {
			for i := range chunks {
				delete(f, layout.ChunkPath(dir, i))
			}
			f[dir] = text
		}},
		{"one chunk", "it lies at", func(_ *record.Record, f map[string][]byte) {
			for i := range chunks {
				delete(f, layout.ChunkPath(dir, i))
			}
			f[layout.ChunkPath(dir, 0)] = text
		}},
		{"a chunk missing", "it lies at", func(_ *record.Record, f map[string][]byte) { delete(f, layout.ChunkPath(dir, 1)) }},
		{"the last chunk missing", "its bytes have the sha256", func(_ *record.Record, f map[string][]byte) { delete(f, layout.ChunkPath(dir, 2)) }},
		{"a chunk list for a chunk", "its bytes have the sha256", func(_ *record.Record, f map[string][]byte) {
			f[layout.ChunkPath(dir, 1)] = []byte(layout.ChunkPath(dir, 1) + "\n")
		}},
		{"a small original in chunks", "want one blob", func(_ *record.Record, f map[string][]byte) {
			path := layout.OriginalPath(cid.Of(small))
			f[layout.ChunkPath(path, 0)], f[layout.ChunkPath(path, 1)] = small[:5], small[5:]
		}},
	} {
		t.Run(one.name, func(t *testing.T) {
			rec := good
			files := map[string][]byte{layout.PathArchive: archiveJSON, layout.PathAttributes: []byte(layout.Attributes)}
			for i, c := range chunks {
				files[layout.ChunkPath(dir, i)] = c
			}
			one.edit(&rec, files)
			data := must(rec.Encode())
			files[layout.RecordPath(id, cid.OfJSON(data))] = data
			c := newChain(t)
			c.add(files, nil)
			report := must(CheckWith(c.store, c.tip, Checking{Allowed: allowedSigners(alice)}))
			if one.says == "" {
				if !report.Sound() || report.NotChecked > 0 {
					t.Errorf("%v", report.Problems)
				}
				return
			}
			if report.Sound() || !strings.Contains(fmt.Sprint(report.Problems), one.says) {
				t.Errorf("want a problem that says %q, got %v", one.says, report.Problems)
			}
		})
	}
}

// A second record of a text in chunks, in a later snapshot, has the text read
// again.
func TestCheckLargeTextAgain(t *testing.T) {
	text := largeText()
	id := cid.Of(text)
	chunks, root := pieces(text, 4<<20)
	doc := canon.NewDocument(text)
	p, l := doc.Root('p'), doc.Root('l')
	files := map[string][]byte{layout.PathArchive: archiveJSON, layout.PathAttributes: []byte(layout.Attributes)}
	for i, c := range chunks {
		files[layout.ChunkPath(layout.ArtifactPath(id), i)] = c
	}
	put := func(files map[string][]byte, name string, lines int64) {
		data := must(record.Record{
			Artifact: id.String(), Original: id.String(), Names: []string{name}, MediaType: "text/plain", Canonicalizer: canon.TextForm,
			Unicode: canon.UnicodeVersion, Size: int64(len(text)), ChunkCount: int64(len(chunks)), ChunkRoot: root,
			PCount: int64(len(doc.Units('p'))), PRoot: hex.EncodeToString(p[:]), LCount: lines, LRoot: hex.EncodeToString(l[:]),
			Time: "2024-05-01T11:59:00Z", Agent: "Ada Vale",
		}.Encode())
		files[layout.RecordPath(id, cid.OfJSON(data))] = data
	}
	lines := int64(len(doc.Units('l')))
	put(files, "one.txt", lines)
	c := newChain(t)
	c.add(files, nil)
	good := map[string][]byte{}
	put(good, "two.txt", lines)
	c.add(good, nil)
	if report := must(CheckWith(c.store, c.tip, Checking{Allowed: allowedSigners(alice)})); !report.Sound() || report.NotChecked > 0 {
		t.Errorf("%v", report.Problems)
	}
	bad := map[string][]byte{}
	put(bad, "three.txt", lines+1)
	c.add(bad, nil)
	if report := must(CheckWith(c.store, c.tip, Checking{Allowed: allowedSigners(alice)})); report.Failed != 1 {
		t.Errorf("a record that counts another number of lines: %v", report.Problems)
	}
}
