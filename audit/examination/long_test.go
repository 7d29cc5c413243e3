package examination_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"muniment/archive/archivetest"
	"muniment/audit/examination"
)

// TestLongQuotations quotes a book of some 300 kilobytes, as it is and with changes far from its beginning, and a megabyte that no paper has.
func TestLongQuotations(t *testing.T) {
	var book strings.Builder
	for i := range 4_000 {
		fmt.Fprintf(&book, "In the year %d the keeper of the weir counted %d herons and wrote it down. ", 1000+i, (i*7919)%9973)
	}
	text := strings.TrimSpace(book.String())
	a, s := archivetest.New(t, map[string]string{"1931-04-02_ada_to_ruth.txt": letter, "1933-06-04_the_weir_book.txt": "The Weir Book\n\n" + text + "\n"})
	archivetest.Seal(t, a, s)
	far := strings.Replace(text, "In the year 4321 the keeper of the weir counted", "In the year 4321 the keeper of the mill counted", 1)
	if far == text {
		t.Fatal("nothing is changed")
	}
	for _, c := range []struct {
		name, by, quoted string
		verdict          examination.Verdict
	}{
		{"whole", "*The Weir Book* of 4 June 1933 says", text, examination.Exact},
		{"a word changed", "*The Weir Book* of 4 June 1933 says", far, examination.Altered},
		{"in no paper", "Ada wrote on 2 April 1931", strings.Repeat("a quill so fine may yet be bent ", 1<<15), examination.Nowhere},
		{"words of a paper again and again", "Ada wrote on 2 April 1931", strings.Repeat("the mill wheel ", 1<<16), examination.Nowhere},
		{"on from a paper", "Ada wrote on 2 April 1931", "Tobias Lunt repaired the mill wheel. " + strings.Repeat("a quill so fine may yet be bent ", 1<<15), examination.Nowhere},
	} {
		begun := time.Now()
		r := examineText(t, a, c.by+": “"+c.quoted+"”\n")
		took := time.Since(begun)
		if len(r.Items) != 1 || r.Items[0].Verdict != c.verdict {
			t.Errorf("%s: %d items, %s, want %s", c.name, len(r.Items), r.Items[0].Verdict, c.verdict)
			continue
		}
		if n := r.Items[0].Nearest; n != nil && len(n.Text) > 2000 {
			t.Errorf("%s: %d bytes of nearest words", c.name, len(n.Text))
		}
		if t.Logf("%s: %s in %s", c.name, r.Items[0].Verdict, took); took > time.Minute {
			t.Errorf("%s took %s", c.name, took)
		}
	}
}
