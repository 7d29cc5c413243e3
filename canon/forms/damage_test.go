package forms

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"muniment/canon/read"
	"muniment/internal/casecount"
	"runtime/metrics"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"muniment/canon"
	"muniment/testvectors"
)

// damagedFiles is how many files of a type are truncated, and how many have bits
// flipped.
var damagedFiles = casecount.Of(100, 1000)

const (
	// damageDeadline is for one file. What is slower counts as hanging.
	damageDeadline = time.Minute
	// damageMemory bounds what one file may allocate in all, freed or not, and
	// damageTimes how often its own size beyond that. The most seen is 4 MiB, for
	// a mail of several parts whose charsets are guessed.
	damageMemory = 8 << 20
	damageTimes  = 100
)

// A damaged kind is a type of file with sound samples of it.
type damagedKind struct {
	name, file, mediaType string
	sound                 [][]byte
	inside                [][]entry // when set, one entry is damaged and the container is sound
}

// vectorData returns the inputs of the vectors in a folder whose names begin
// so, as long as they are large enough to damage.
func vectorData(t *testing.T, folder, prefix string) [][]byte {
	t.Helper()
	var out [][]byte
	for _, v := range testvectors.Read(t, "../../testvectors/"+folder) {
		if strings.HasPrefix(v.Name, prefix) && len(v.Body) >= 8 {
			out = append(out, v.Body)
		}
	}
	if len(out) < 1 {
		t.Fatalf("%d vectors %s/%s, want some", len(out), folder, prefix)
	}
	return out
}

// prose is a text of some pages in one charset.
func prose(charset string) []byte {
	for _, l := range languages {
		for _, c := range append([]string{"utf-8", "utf-16le", "utf-16be", "utf-32le", "utf-32be"}, l.charsets...) {
			if c == charset {
				return encode(charset, strings.Repeat(l.text+"\n", 20))
			}
		}
	}
	panic("no language is written in " + charset)
}

func damagedKinds(t *testing.T) []damagedKind {
	texts := strings.Split(strings.TrimSpace(strings.Repeat(languages[0].text+"\n", 10)), "\n\n")
	var table, values, cues, captions strings.Builder
	captions.WriteString("WEBVTT\n\n")
	for i := range 200 {
		fmt.Fprintf(&table, "%d,\"Zoé, %d\",1911-03-%02d,%d.50\r\n", i, i*i, i%28+1, i)
		fmt.Fprintf(&values, "{\"n\":%d.50,\"who\":\"Zo\\u00eb\",\"in\":[null,true,{\"é\":\"x\"}]}\n", i)
		fmt.Fprintf(&cues, "%d\n00:%02d:%02d,000 --> 00:%02d:%02d,900\n<i>Où</i> étais-tu %d?\n\n", i+1, i/60, i%60, i/60, i%60, i)
		fmt.Fprintf(&captions, "%02d:%02d.000 --> %02d:%02d.900\n<v Zoé>Où &amp; étais-tu %d?\n\n", i/60, i%60, i/60, i%60, i)
	}
	lines := strings.Split(strings.TrimSpace(values.String()), "\n")
	var rows [][]any
	for i := range 100 {
		rows = append(rows, []any{fmt.Sprint(i), fmt.Sprintf("Zoé %d", i), nil})
	}
	result := resultOf("SELECT * FROM t", false, []column{{"n", "integer"}, {"s", "text"}, {"x", "date"}}, rows)
	page := []byte("<!doctype html><meta charset=utf-8><title>t</title><table><tr><td>1<td>2</table><ul><li>a<li>b</ul>" + htmlParagraphs(texts))
	kinds := []damagedKind{
		{"text", "a.txt", "", [][]byte{prose("utf-8"), prose("windows-1252"), prose("koi8-r"), prose("shift_jis"), prose("gb18030"), prose("utf-16le"), prose("utf-32be"), prose("big5"), prose("euc-kr")}, nil},
		{"html", "a.html", "", append(vectorData(t, "canon", "html-"), page), nil},
		{"csv", "a.csv", "", append(vectorData(t, "canon", "csv-"), []byte(table.String())), nil},
		{"json", "a.json", "", append(vectorData(t, "canon-json", "document"), []byte("["+strings.Join(lines, ",\n")+"]")), nil},
		{"jsonl", "a.jsonl", "", append(vectorData(t, "canon-json", "lines"), []byte(values.String())), nil},
		{"dbresult", "a", "application/vnd.muniment.dbresult+json", append(vectorData(t, "canon-dbresult", ""), result), nil},
		{"mail", "a.eml", "", vectorData(t, "canon-mail", ""), nil},
		{"msg", "a.msg", "", vectorData(t, "canon-mail", "msg-"), nil},
		{"mbox", "a.mbox", "", vectorData(t, "canon-mail", "mbox-"), nil},
		{"docx", "a.docx", "", append(vectorData(t, "canon-office", "docx-"), pack(docxParagraphs(texts), packing{method: 8})), nil},
		{"odt", "a.odt", "", append(vectorData(t, "canon-office", "odt-"), pack(odtParagraphs(texts), packing{method: 8})), nil},
		{"doc", "a.doc", "", vectorData(t, "canon-office", "doc-"), nil},
		{"xls", "a.xls", "", vectorData(t, "canon-sheet", "xls-"), nil},
		{"ppt", "a.ppt", "", vectorData(t, "canon-slide", "ppt-"), nil},
		{"epub", "a.epub", "", append(vectorData(t, "canon-epub", ""), pack(epubChapters(htmlParagraphs(texts)), packing{method: 8})), nil},
		{"docx text", "a.docx", "", nil, [][]entry{docxParagraphs(texts[:6]), docxBody(`<w:tbl><w:tr><w:tc><w:p><w:r><w:t>a</w:t></w:r></w:p></w:tc></w:tr></w:tbl><w:p><w:del><w:r><w:delText>b</w:delText></w:r></w:del></w:p>`)}},
		{"odt text", "a.odt", "", nil, [][]entry{odtParagraphs(texts[:6]), odtBody(`<table:table><table:table-row table:number-rows-repeated="2"><table:table-cell><text:p>a<text:s text:c="9"/>b</text:p></table:table-cell></table:table-row></table:table>`)}},
		{"epub text", "a.epub", "", nil, [][]entry{epubChapters(htmlParagraphs(texts[:3]), htmlParagraphs(texts[3:6]))}},
		{"pdf", "a.pdf", "", [][]byte{pdfOf([]string{"The flood", "rose."}, nil, []string{"Caf\xE9"}), pdfOf([]string{"one"}, []string{"two"})}, nil},
		{"srt", "a.srt", "", append(vectorData(t, "canon-transcript", "srt-"), []byte(cues.String())), nil},
		{"vtt", "a.vtt", "", append(vectorData(t, "canon-transcript", "vtt-"), []byte(captions.String())), nil},
		{"picture", "a", "", [][]byte{pngOf(20), jpegOf(20), gifOf(20)}, nil},
		{"recording", "a", "", [][]byte{wavOf(1000)}, nil},
	}
	pictures, recordings := &kinds[len(kinds)-2], &kinds[len(kinds)-1]
	for _, name := range []string{"jpeg", "png", "tiff", "webp", "gif"} {
		pictures.sound = append(pictures.sound, oneVector(t, "canon-media", name))
	}
	for _, name := range []string{"mp3", "flac", "wav", "ogg-vorbis", "ogg-opus", "m4a"} {
		recordings.sound = append(recordings.sound, oneVector(t, "canon-media", name))
	}
	return kinds
}

// oneVector returns the input of one vector.
func oneVector(t *testing.T, folder, name string) []byte {
	t.Helper()
	return testvectors.ReadFile(t, "../../testvectors/"+folder+"/"+name).Body
}

// next returns the kind's next damaged file.
func (k damagedKind) next(rng *rand.Rand, cut bool) []byte {
	if k.inside == nil {
		return damage(rng, k.sound[rng.IntN(len(k.sound))], cut)
	}
	entries := slices.Clone(k.inside[rng.IntN(len(k.inside))])
	e := &entries[rng.IntN(len(entries))]
	e.content = string(damage(rng, []byte(e.content), cut))
	return pack(entries, packing{})
}

// damage returns a damaged copy: cut anywhere, or with up to eight bits
// flipped, near each other or apart.
func damage(rng *rand.Rand, sound []byte, cut bool) []byte {
	if cut {
		return bytes.Clone(sound[:rng.IntN(len(sound))])
	}
	out := bytes.Clone(sound)
	near := rng.IntN(len(out))
	for range 1 + rng.IntN(8) {
		at := rng.IntN(len(out))
		if rng.IntN(2) == 0 {
			at = (near + rng.IntN(16)) % len(out)
		}
		out[at] ^= 1 << rng.IntN(8)
	}
	return out
}

// A tally is what came of one type's files.
type tally struct {
	files, text, bytes, errors int
	size                       int64
	took, longest              time.Duration
	most                       uint64 // bytes allocated for one file
}

// allocated returns the bytes that were ever allocated.
func allocated() uint64 {
	s := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}

var errHangs = errors.New("hangs")

// canonicalize runs one file under the deadline and checks what must hold of
// any result. A file that hangs is left running, and errHangs returned.
func canonicalize(t *testing.T, k damagedKind, data []byte) (f read.Form, took time.Duration, err error) {
	t.Helper()
	type result struct {
		form read.Form
		err  error
	}
	done := make(chan result, 1)
	begin := time.Now()
	go func() {
		form, err := all.Canonicalize(read.Input{Name: k.file, MediaType: k.mediaType, Data: data})
		done <- result{form, err}
	}()
	select {
	case <-time.After(damageDeadline):
		t.Errorf("%s: not done within %s: %q", k.name, damageDeadline, data)
		return read.Form{}, damageDeadline, errHangs
	case r := <-done:
		f, err = r.form, r.err
	}
	took = time.Since(begin)
	switch {
	case err != nil:
		if len(data) > 0 {
			t.Errorf("%s: refused, though there are bytes: %v: %q", k.name, err, data)
		}
	case f.Canonicalizer == canon.BytesForm:
		if !bytes.Equal(f.Payload, data) || f.Reason == "" || f.Unicode != "" {
			t.Errorf("%s: bytes@1 without a reason or with another payload: %q", k.name, data)
		}
	case len(f.Payload) == 0 || f.Unicode != canon.UnicodeVersion || f.Reason != "":
		t.Errorf("%s: %s has %d bytes, Unicode %q, reason %q: %q", k.name, f.Canonicalizer, len(f.Payload), f.Unicode, f.Reason, data)
	case !bytes.Equal(canon.Text(bytes.Clone(f.Payload)), f.Payload):
		t.Errorf("%s: the text step changes a payload: %q", k.name, data)
	}
	return f, took, err
}

func (y *tally) add(f read.Form, err error, size int, took time.Duration) {
	y.files++
	y.size += int64(size)
	y.took += took
	y.longest = max(y.longest, took)
	switch {
	case err != nil:
		y.errors++
	case f.Canonicalizer == canon.BytesForm:
		y.bytes++
	default:
		y.text++
	}
}

// Damaged files of every type give a text or their bytes with the reason, each
// in time and within memory; only a file that was cut to nothing is refused.
func TestDamage(t *testing.T) {
	kinds := damagedKinds(t)
	if len(kinds) != 23 {
		t.Errorf("%d types of file, want 23", len(kinds))
	}
	t.Logf("%-10s %6s %6s %6s %6s %8s %9s %10s", "type", "files", "text", "bytes", "errors", "MB/s", "longest", "most alloc")
	for _, k := range kinds {
		var y tally
		if k.name == "pdf" {
			y = damagePDFs(t, k)
		} else {
			rng := rand.New(rand.NewPCG(4, 9))
			for i := range 2 * damagedFiles {
				data := k.next(rng, i < damagedFiles)
				before := allocated()
				f, took, err := canonicalize(t, k, data)
				if errors.Is(err, errHangs) {
					return
				}
				used := allocated() - before
				if bound := uint64(damageMemory + damageTimes*len(data)); used > bound {
					t.Errorf("%s: %d bytes allocated for a file of %d, more than %d: %.200q", k.name, used, len(data), bound, data)
				}
				y.most = max(y.most, used)
				y.add(f, err, len(data), took)
			}
		}
		if want := 2 * casecount.Of(30, damagedFiles); y.files < want {
			t.Errorf("%s: %d files damaged, want at least %d", k.name, y.files, want)
		}
		speed := float64(y.size) / 1e6 / y.took.Seconds()
		t.Logf("%-10s %6d %6d %6d %6d %8.1f %9s %7d kB", k.name, y.files, y.text, y.bytes, y.errors, speed, y.longest.Round(10*time.Microsecond), y.most>>10)
	}
}

// damagePDFs works on several files at once, for each waits for two programs;
// what those allocate is bounded by their reader.
func damagePDFs(t *testing.T, k damagedKind) tally {
	n := casecount.Of(30, damagedFiles)
	rng := rand.New(rand.NewPCG(4, 9))
	var files [][]byte
	for i := range 2 * n {
		files = append(files, k.next(rng, i < n))
	}
	var y tally
	var mu sync.Mutex
	var workers sync.WaitGroup
	next := make(chan []byte)
	for range 4 {
		workers.Go(func() {
			for data := range next {
				f, took, err := canonicalize(t, k, data)
				mu.Lock()
				y.add(f, err, len(data), took)
				mu.Unlock()
			}
		})
	}
	before := allocated()
	for _, data := range files {
		next <- data
	}
	close(next)
	workers.Wait()
	y.most = (allocated() - before) / uint64(len(files)) // on average
	return y
}
