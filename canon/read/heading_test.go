package read

import (
	"muniment/canon"
	"testing"
)

func TestHeadings(t *testing.T) {
	payload := []byte("Mill\n\nThe mill.\n\nSpring\n\nMill\n\nend\n")
	found := []Heading{{1, "Mill"}, {2, " in a table "}, {2, "Spring "}, {3, "Mill"}, {7, "end"}}
	fact := Headings(payload, found)
	if fact != "1:1 2:3 3:4" {
		t.Fatalf("%q", fact)
	}
	hs, at := HeadingsOf(canon.NewDocument(payload), fact)
	if len(hs) != 3 || hs[1] != (Heading{2, "Spring"}) || at[2] != 4 {
		t.Errorf("%v %v", hs, at)
	}
	for _, bad := range []string{"1:9", "2:3 1:1", "0:1", "1", "1:x", "7:1"} {
		if hs, _ := HeadingsOf(canon.NewDocument(payload), bad); hs != nil {
			t.Errorf("%q gives %v", bad, hs)
		}
	}
}
