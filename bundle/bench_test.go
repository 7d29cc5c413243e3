package bundle

import (
	"bytes"
	"fmt"
	"muniment/bundle/leaf"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"muniment/cite"
	"muniment/sign"
)

// largeAnswer is an answer of claims with a cite, a chunk, a gate each.
func largeAnswer(t testing.TB, f *fixture, claims int, text string) Answer {
	a := Answer{Tier: "public"}
	src := a.Add(f.source(t, f.citation(t, cite.DirectQuote, "x", "seven rods", "")), false)
	for n := 1; n <= claims; n++ {
		k := a.Add(&leaf.Chunk{Text: text}, true)
		c := a.Add(&leaf.Cite{Claim: n, Relation: cite.DirectQuote, Chunks: []int{k}, Source: src}, true)
		g := a.Add(coverage(n, cite.GateInput{Relation: cite.DirectQuote, Match: cite.Exact, SpanResolves: true}), true)
		a.Add(&leaf.Claim{Claim: n, Text: fmt.Sprint("claim ", n), Rung: cite.Supported, Cites: []int{c}, Gate: g}, true)
	}
	return a
}

// witnesses are three, two of one organisation.
var witnesses = []sign.Signer{newSeedKey('1'), newSeedKey('2'), newSeedKey('3')}

// cosigned is b with the cosignatures of the witnesses, and the trust root that
// wants two of them, and two signers of two organisations.
func cosigned(t testing.TB, f *fixture, b *Bundle) (*Bundle, string) {
	p := b.Proof()
	more := ""
	for i, w := range witnesses {
		p.Note = must[[]byte](t)(sign.Cosign(w, p.Note, 1772528400))
		more += fmt.Sprintf("key witness %s %s - -\n", []string{"mill", "mill", "court"}[i], w.Key().Authorized())
	}
	root := strings.Replace(f.rootText("2 2"), "threshold witness 0 0", "threshold witness 2 2", 1)
	return must[*Bundle](t)(b.WithProof(p.Encode())), strings.Replace(root, "key policy", more+"key policy", 1)
}

// BenchmarkVerify is a bundle of 256 leaves, 201 of them disclosed, with three
// signers, its log proof and three cosignatures, under a trust root that asks
// for all of these: at most 1.5 ms.
func BenchmarkVerify(b *testing.B) {
	f := newFixture(b)
	env := f.env()
	env.Signers = []sign.Signer{f.answerer, newSeedKey('m'), newSeedKey('c')}
	made, text := cosigned(b, f, must[*Bundle](b)(Assemble(largeAnswer(b, f, 50, "seven rods"), env)))
	data := must[[]byte](b)(made.WithoutSealed().Zip())
	if made.statement.Leaves != 256 {
		b.Fatalf("%d leaves", made.statement.Leaves)
	}
	if dir := os.Getenv("MUNIMENT_BENCH_BUNDLE"); dir != "" {
		writeLarge(b, dir, f, made, text)
	}
	root := mustRoot(b, text)
	begun := processorTime(b)
	for b.Loop() {
		read := must[*Bundle](b)(Read(bytes.NewReader(data)))
		v := Verify(read, Requirements{Root: root})
		if v.Verdict != Valid {
			b.Fatalf("%+v", v)
		}
	}
	b.ReportMetric(float64(processorTime(b)-begun)/float64(b.N), "cpu-ns/op")
}

// writeLarge writes what internal/bench/verify.sh measures the command on: the bundle of
// the benchmark, and the largest of everything.
func writeLarge(t testing.TB, dir string, f *fixture, b *Bundle, root string) {
	write := func(name string, data []byte) {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	zip := func(name string, files map[string][]byte) { write(name, must[[]byte](t)(writeZip(files))) }
	assemble := func(name string, a Answer) *Bundle {
		big := must[*Bundle](t)(Assemble(a, f.env())).WithoutSealed()
		zip(name, big.files)
		return big
	}
	write("root.txt", []byte(root))
	write("allowed", []byte("ada@example.org "+f.answerer.Key().Authorized()+"\n"))
	plain := b.WithoutSealed()
	zip("256.zip", plain.files)
	write("nothing.zip", make([]byte, MaxZip))
	with := func(name string, data []byte) map[string][]byte {
		files := plain.Files()
		files[name] = data
		return files
	}
	zip("sealed.zip", with("sealed/auditor.age", make([]byte, MaxZip-1<<20)))
	zip("deep.zip", with(leafName(0), []byte(strings.Repeat(`{"a":`, leaf.MaxSize/5))))
	files := plain.Files()
	for i := range 1000 {
		files[leafName(i)] = bytes.Repeat([]byte("x"), leaf.MaxSize)
	}
	zip("leaves.zip", files)

	// Valid ones: as many leaves as there can be; as much text; as many texts as
	// 4 MiB hold; one text shown again and again.
	page := assemble("4096.zip", largeAnswer(t, f, 1023, "seven rods"))
	write("page.html", must[[]byte](t)(page.Page()))
	const spare = leaf.MaxSize - 1<<10
	const large = MaxDisclosed/leaf.MaxSize - 2
	long, lists := Answer{Tier: "public"}, Answer{Tier: "public"}
	for range large {
		long.Add(&leaf.Refusal{RefusalKind: "coverage", Message: strings.Repeat("\u200b", spare/3)}, true)
	}
	for range leaf.MaxCount - 2 {
		lists.Add(&leaf.Refusal{RefusalKind: "coverage", Message: "x", Suggestions: make([]string, leaf.MaxTexts)}, true)
	}
	words := "seven rods " + strings.Repeat("x", leaf.MaxSize/3)
	f = newFixtureOf(t, "title\n\n"+words+"\n")
	again := largeAnswer(t, f, 1, "seven rods")
	big := again.Add(&leaf.Chunk{Text: words}, true)
	for n := 2; n < 900; n++ {
		c := again.Add(&leaf.Cite{Claim: n, Relation: cite.DirectQuote, Chunks: []int{big}, Source: 0}, true)
		g := again.Add(coverage(n, cite.GateInput{Relation: cite.DirectQuote, Match: cite.Exact, SpanResolves: true}), true)
		again.Add(&leaf.Claim{Claim: n, Text: "x", Rung: cite.Supported, Cites: []int{c}, Gate: g}, true)
	}
	assemble("text.zip", long)
	assemble("lists.zip", lists)
	assemble("again.zip", again)
	full := Answer{Tier: "public"} // a page near its limit
	for range 40 {
		full.Add(&leaf.Refusal{RefusalKind: "coverage", Message: strings.Repeat("seven rods ", spare/11)}, true)
	}
	write("words.html", must[[]byte](t)(assemble("words.zip", full).Page()))
}
