package forms

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"muniment/canon"
	"muniment/canon/read"
)

// A container with flipped bits gives the text that it had, or no text, and
// never another one: checksums cover the content, and names are written twice.
func TestDamagedContainerHasNoOtherText(t *testing.T) {
	tries := 0
	for _, k := range damagedKinds(t) {
		if k.name != "docx" && k.name != "odt" && k.name != "epub" {
			continue
		}
		rng := rand.New(rand.NewPCG(1, 1))
		texts, others := 0, 0
		for _, sound := range k.sound {
			want, err := all.Canonicalize(read.Input{Name: k.file, Data: sound})
			if err != nil || want.Canonicalizer == canon.BytesForm || !bytes.HasPrefix(sound, []byte("PK")) {
				continue // a flat document has no checksums
			}
			for range damagedFiles / 4 {
				data := damage(rng, sound, false)
				got, err := all.Canonicalize(read.Input{Name: k.file, Data: data})
				if err != nil {
					t.Errorf("%s: %v", k.name, err)
				}
				tries++
				if got.Canonicalizer == canon.BytesForm {
					continue
				}
				if texts++; !bytes.Equal(got.Payload, want.Payload) {
					others++
					t.Errorf("%s: a damaged container says %q, the sound one %q", k.name, got.Payload, want.Payload)
				}
			}
		}
		t.Logf("%-5s %d damaged containers still have their text, %d another", k.name, texts, others)
	}
	if tries < damagedFiles {
		t.Errorf("%d containers damaged, want at least %d", tries, damagedFiles)
	}
}
