package objects

import (
	"bytes"
	"errors"
	"testing"

	"muniment/objects/flate"
)

// Whatever parses must encode to the same bytes; on error there is no result.

func FuzzTree(f *testing.F) {
	for _, v := range vectors(f, "tree") {
		f.Add(v.body)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		entries, err := ParseTree(data)
		if err != nil {
			if entries != nil || !errors.Is(err, ErrCorrupt) {
				t.Fatalf("%v with %v", entries, err)
			}
			return
		}
		again, err := EncodeTree(entries)
		if err != nil || !bytes.Equal(again, data) {
			t.Fatalf("%q encodes to %q, %v", data, again, err)
		}
	})
}

func FuzzLoose(f *testing.F) {
	var b bytes.Buffer
	var e flate.Encoder
	if err := e.Append(&b, []byte("blob 5\x00hello")); err != nil {
		f.Fatal(err)
	}
	f.Add(b.Bytes())
	f.Fuzz(func(t *testing.T, data []byte) {
		k, body, err := readLoose(bytes.NewReader(data))
		if err != nil && (k != 0 || body != nil) {
			t.Fatalf("%s of %d bytes with %v", k, len(body), err)
		}
	})
}

func FuzzPackedRefs(f *testing.F) {
	for _, v := range vectors(f, "packed-refs") {
		f.Add(string(v.body))
	}
	f.Fuzz(func(t *testing.T, text string) {
		refs, err := parsePackedRefs(text)
		if err != nil {
			if refs != nil {
				t.Fatalf("%v with %v", refs, err)
			}
			return
		}
		if again := string(encodePackedRefs(refs)); again != text {
			t.Fatalf("%q encodes to %q", text, again)
		}
	})
}
