package bundle

import (
	"bytes"
	"maps"
	"slices"
	"strings"
	"testing"

	"muniment/internal/casecount"
	"muniment/sign"
)

// No bit of a valid bundle can be turned so that it stays VALID: neither in its
// zip nor in one of its files, with the zip made anew around it. There are
// three signers, a log proof and three cosignatures, of which the trust root
// wants two. internal/bench/flips.sh turns every bit; otherwise one of some bytes is.
func TestFlips(t *testing.T) {
	f := newFixture(t)
	env := f.env()
	env.Signers = []sign.Signer{f.answerer, newSeedKey('m'), newSeedKey('c')}
	made, text := cosigned(t, f, must[*Bundle](t)(Assemble(f.answer(t), env)))
	trusts := []Requirements{{Root: mustRoot(t, text)}, {Allowed: f.allowed(t)}}
	valid := func(b *Bundle, err error) bool {
		if err != nil && !isInvalid(err) {
			t.Fatal(err)
		}
		return err == nil && slices.ContainsFunc(trusts, func(q Requirements) bool { return Verify(b, q).Verdict == Valid })
	}
	zip := must[[]byte](t)(made.Zip())
	for i, q := range trusts {
		if v := Verify(must[*Bundle](t)(Read(bytes.NewReader(zip))), q); v.Verdict != Valid {
			t.Fatalf("unchanged, under trust file %d: %s", i, v.firstFailure())
		}
	}
	all := casecount.Long()
	bits := func(i int) []int {
		switch {
		case all:
			return []int{0, 1, 2, 3, 4, 5, 6, 7}
		case i%7 == 0:
			return []int{i / 7 % 8}
		}
		return nil
	}
	count := 0
	for i := range zip {
		for _, bit := range bits(i) {
			zip[i] ^= 1 << bit
			if valid(Read(bytes.NewReader(zip))) {
				t.Errorf("bit %d of byte %d of the zip is turned, and it is VALID", bit, i)
			}
			zip[i] ^= 1 << bit
			count++
		}
	}
	t.Logf("zip of %d bytes: %d bits turned", len(zip), count)
	for _, name := range slices.Sorted(maps.Keys(made.files)) {
		if strings.HasPrefix(name, sealedDir) {
			continue // of these the statement has the sha256, see TestSealedBytesMatter
		}
		files := made.Files()
		data := files[name]
		before := bytes.Clone(data)
		for i := range data {
			for _, bit := range bits(i) {
				data[i] ^= 1 << bit
				if valid(fromFiles(maps.Clone(files))) && !isForeign(data) {
					t.Errorf("bit %d of byte %d of %s is turned, and it is VALID: %q", bit, i, name, data)
				}
				data[i] ^= 1 << bit
				count++
			}
		}
		if !bytes.Equal(data, before) {
			t.Fatalf("%s is not as it was", name)
		}
	}
	t.Logf("with %d files: %d bits turned, none VALID unless said above", len(made.files), count)
}

// isForeign reports whether a proof has a line of a third name: one whose name has a bit turned
// is that of a witness whom nobody knows, as anybody can add. It counts for nothing.
func isForeign(proof []byte) bool {
	p, err := sign.ParseLogProof(proof)
	if err != nil {
		return false
	}
	names, err := sign.ForeignLines(p.Note)
	return err == nil && len(names) > 0
}
