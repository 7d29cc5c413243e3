package forms

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"muniment/canon"
	"muniment/canon/read"
)

// A container with flipped bits gives the text that it had, or no text, and
// never another one: checksums cover the content, and names are written twice. A
// header or a footer may be absent where a fact says so.
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
				if got.Facts["header_unread"]+got.Facts["footer_unread"] != "" && isWithoutMargins(got.Payload, want.Payload) {
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

// isWithoutMargins reports whether a text is another one without some of the headers and
// footers at its end.
func isWithoutMargins(text, whole []byte) bool {
	body, _, _ := bytes.Cut(whole, []byte("⟦"))
	left := bytes.Split(whole[len(body):], []byte("⟦"))
	rest, ok := bytes.CutPrefix(append(bytes.TrimRight(text, "\n"), "\n\n"...), body)
	for _, margin := range left {
		margin = append(append([]byte("⟦"), bytes.TrimRight(margin, "\n")...), "\n\n"...)
		rest = bytes.TrimPrefix(rest, margin)
	}
	return ok && len(rest) == 0
}
