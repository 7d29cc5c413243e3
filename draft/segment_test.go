package draft_test

import (
	"testing"
	"unicode/utf16"

	"muniment/draft"

	"github.com/google/go-cmp/cmp"
)

// Offsets are code points of the decoded text, whatever its encoding.
func TestSegmentOffsets(t *testing.T) {
	const text = "Hi 😀. Ok é!"
	want := []draft.SegmentedText{{0, 5, "Hi 😀."}, {6, 11, "Ok é!"}}
	wide := []byte{0xff, 0xfe}
	for _, u := range utf16.Encode([]rune(text)) {
		wide = append(wide, byte(u), byte(u>>8))
	}
	for _, data := range [][]byte{[]byte(text), wide} {
		r, err := draft.Segment(data, "en")
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, r.Sentences); d != "" {
			t.Errorf("%s: %s", r.Charset, d)
		}
	}
	if _, err := draft.Segment([]byte("a\x00b\x00\x00\x01\x02"), "en"); err == nil {
		t.Error("bytes were cut into sentences")
	}
}
