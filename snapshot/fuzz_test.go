package snapshot

import (
	"bytes"
	"testing"

	"muniment/cid/jcs"
)

// Whatever parses is written again with the same bytes.
func FuzzParse(f *testing.F) {
	for _, v := range commitVectors() {
		f.Add([]byte(v.data))
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		s, err := Parse(content)
		if err != nil {
			if s != nil {
				t.Fatal("after an error there is a snapshot")
			}
			return
		}
		again, err := Attach(must(s.Draft.Payload()), s.Armored)
		if err != nil || !bytes.Equal(again, content) {
			t.Fatalf("%q is written as %q, %v", content, again, err)
		}
	})
}

// The same without a signature, which no mutation can keep.
func FuzzParsePayload(f *testing.F) {
	for _, d := range []Draft{goodDraft(), secondDraft(), joinDraft()} {
		f.Add(must(d.Payload()))
	}
	for _, v := range commitVectors() {
		if payload, _, err := detach([]byte(v.data)); err == nil {
			f.Add(payload)
		}
	}
	f.Fuzz(func(t *testing.T, payload []byte) {
		d, err := parsePayload(payload)
		if err != nil {
			if again, _ := d.Payload(); again != nil {
				t.Fatal("after an error there is a draft")
			}
			return
		}
		if again := must(d.Payload()); !bytes.Equal(again, payload) {
			t.Fatalf("%q is written as %q", payload, again)
		}
	})
}

// No proof says what is not so of the sample tree.
func FuzzProof(f *testing.F) {
	for _, v := range proofVectors() {
		f.Add([]byte(v.data))
	}
	tree := must(NewTree(sampleLines()))
	f.Fuzz(func(t *testing.T, data []byte) {
		var w wrapped
		if err := jcs.Unmarshal(data, wrappedType, &w); err != nil {
			return
		}
		present, line, err := w.Proof.Verify(tree.Root())
		if err != nil {
			if present || line != (Line{}) {
				t.Fatal("after an error there is a result")
			}
			return
		}
		if there, ok := tree.Line(line.Path); ok != present || there.Digest != line.Digest {
			t.Fatalf("%q proves present %t of %q", data, present, line.Path)
		}
	})
}
