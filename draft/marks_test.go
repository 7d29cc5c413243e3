package draft_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"muniment/archive/archivetest"
	"muniment/draft"
	"muniment/engine"
)

// Eight times the marks, most of which name nothing on file, cost at most twelve
// times the memory: BenchmarkManyMarks has the time of a hundred thousand.
func TestManyMarks(t *testing.T) {
	const few, many = 2_000, 16_000
	e := millArchive(t)
	for name, mark := range manyMarks {
		allocated := func(n int) uint64 {
			text := markedDraft(mark, n)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			r, err := draft.Check(t.Context(), e, text, draft.CheckOptions{})
			runtime.ReadMemStats(&after)
			if err != nil || len(r.Citations) > 1 {
				t.Errorf("%s: %v", name, err)
			}
			return after.TotalAlloc - before.TotalAlloc
		}
		allocated(1) // what is loaded once
		one, eight := allocated(few), allocated(many)
		t.Logf("%s: %d MB and %d MB", name, one>>20, eight>>20)
		if eight > one*many/few*3/2 {
			t.Errorf("%s: %d bytes for %d marks, %d for %d", name, one, few, eight, many)
		}
	}
}

// A hundred thousand marks are checked in two seconds of a quiet machine.
func BenchmarkManyMarks(b *testing.B) {
	e := millArchive(b)
	for name, mark := range manyMarks {
		text := markedDraft(mark, 100_000)
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := draft.Check(b.Context(), e, text, draft.CheckOptions{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// Three hundred sentences without a mark are compared with three hundred citations.
func BenchmarkUnmarkedSentences(b *testing.B) {
	const n = 300
	var paper, text strings.Builder
	for i := range n {
		fmt.Fprintf(&paper, "In year %d the steward of the lower mill paid the carters of the town for the stones of the dam.\n\n", 1000+i)
		fmt.Fprintf(&text, "The carters of the town took %d stones of the dam from the steward of the mill. ", i)
	}
	a, s := archivetest.New(b, map[string]string{"mill.txt": paper.String()})
	archivetest.Seal(b, a, s)
	for i := range n {
		said := fmt.Sprintf("In year %d the steward of the lower mill paid the carters of the town for the stones of the dam.", 1000+i)
		if _, err := engine.Cite(a, engine.CiteOptions{Artifact: "mill.txt", Quote: said, Claim: said}); err != nil {
			b.Fatal(err)
		}
	}
	e, err := engine.New(a, engine.Caller{})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := draft.Check(b.Context(), e, text.String(), draft.CheckOptions{}); err != nil {
			b.Fatal(err)
		}
	}
}

var manyMarks = map[string]func(n int) string{
	"one number":   func(int) string { return "[1]" },
	"all numbers":  func(n int) string { return fmt.Sprintf("[%d]", n%9999+1) },
	"long numbers": func(n int) string { return fmt.Sprintf("[cite:g%d]", n+1) },
	"huge numbers": func(n int) string { return fmt.Sprintf("[cite:g%d]", n<<32+1) },
	"no numbers":   func(n int) string { return fmt.Sprintf("[^x%d]", n) },
}

// markedDraft is a sentence of the archive with n marks behind it.
func markedDraft(mark func(n int) string, n int) string {
	var text strings.Builder
	text.WriteString("The mill wheel turned. ")
	for i := range n {
		text.WriteString(mark(i))
	}
	text.WriteByte('\n')
	return text.String()
}

// millArchive is an engine over an archive of one sentence with one citation.
func millArchive(tb testing.TB) *engine.Engine {
	a, s := archivetest.New(tb, map[string]string{"mill.txt": "The mill wheel turned.\n"})
	archivetest.Seal(tb, a, s)
	e, err := engine.New(a, engine.Caller{})
	if err != nil {
		tb.Fatal(err)
	}
	if _, err := engine.Cite(a, engine.CiteOptions{Artifact: "mill.txt", Quote: "The mill wheel turned.", Claim: "The mill wheel turned."}); err != nil {
		tb.Fatal(err)
	}
	return e
}
