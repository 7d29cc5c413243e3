package bundle

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"muniment/cite"
	"muniment/sign"
)

// BenchmarkVerify is a bundle of 256 leaves, 200 of them disclosed, with three
// signers: at most 1.5 ms.
func BenchmarkVerify(b *testing.B) {
	f := newFixture(b)
	a := Answer{Tier: "public"}
	src := a.Add(f.source(b, f.citation(b, cite.DirectQuote, "x", "seven rods", "")), false)
	for n := 1; n <= 50; n++ {
		k := a.Add(&Chunk{Text: "seven rods"}, true)
		c := a.Add(&Cite{Claim: n, Relation: cite.DirectQuote, Chunks: []int{k}, Source: src}, true)
		g := a.Add(coverage(n, cite.GateInput{Relation: cite.DirectQuote, Match: cite.Exact, SpanResolves: true}), true)
		a.Add(&Claim{Claim: n, Text: fmt.Sprint("claim ", n), Rung: cite.Supported, Cites: []int{c}, Gate: g}, true)
	}
	env := f.env()
	env.Signers = []sign.Signer{f.answerer, newSeedKey('b'), newSeedKey('c')}
	made := must[*Bundle](b)(Assemble(a, env))
	data := must[[]byte](b)(made.WithoutSealed().Zip())
	allowed := f.allowed(b)
	if made.statement.Leaves != 256 {
		b.Fatalf("%d leaves", made.statement.Leaves)
	}
	if dir := os.Getenv("MUNIMENT_BENCH_BUNDLE"); dir != "" { // bench/verify.sh measures the command on these
		files := made.WithoutSealed().Files()
		write := func(name string, zip []byte) {
			if err := os.WriteFile(filepath.Join(dir, name), zip, 0o600); err != nil {
				b.Fatal(err)
			}
		}
		write("256.zip", data)
		write("nothing.zip", make([]byte, MaxZip))
		files["sealed/auditor.age"] = make([]byte, MaxZip-1<<20)
		write("sealed.zip", must[[]byte](b)(writeZip(files)))
		delete(files, "sealed/auditor.age")
		files[leafName(0)] = []byte(strings.Repeat(`{"a":`, 200000))
		write("deep.zip", must[[]byte](b)(writeZip(files)))
		large := bytes.Repeat([]byte("x"), MaxLeaf)
		for i := range 1000 {
			files[leafName(i)] = large
		}
		write("leaves.zip", must[[]byte](b)(writeZip(files)))
	}
	b.Run("read", func(b *testing.B) {
		for b.Loop() {
			must[*Bundle](b)(ReadZip(data))
		}
	})
	b.Run("verify", func(b *testing.B) {
		read := must[*Bundle](b)(ReadZip(data))
		for b.Loop() {
			if v := Verify(read, Requirements{Allowed: allowed}); v.Verdict != Valid {
				b.Fatal(v)
			}
		}
	})
}
