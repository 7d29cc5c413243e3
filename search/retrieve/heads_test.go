package retrieve

import (
	"fmt"
	"testing"

	"muniment/canon"
	"muniment/cite"
)

// Who wrote a letter to whom, and when, counts for each of its passages; not where a reader may not know who is named there.
func TestHead(t *testing.T) {
	letter := func(id, head, text string) Doc {
		return Doc{Artifact: id, Head: head, Document: canon.NewDocument(canon.Text([]byte(text)))}
	}
	all := func(string, cite.Span, string) (bool, bool, error) { return true, true, nil }
	x := opened(t, t.TempDir())
	docs := []Doc{
		letter("a", "Hexley\nDear Tom\nRuth Orde", "The mill wheel was mended and the race is clean."),
		letter("b", "Hexley\n3 October 1908\nDear Ruth\nTom", "The mill wheel was mended and the race is clean."),
		letter("c", "Leeds\nJane", "The mill wheel was mended and the race is clean."),
	}
	if err := x.Update(t.Context(), "one", sequence(docs), nil, nil); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		query Query
		first string
		share float64
	}{
		{Query{Text: "Was the mill wheel mended for Jane?"}, "c", 1},
		{Query{Text: "Was the mill wheel mended in autumn 1908?"}, "b", 1},
		{Query{Text: "Wurde the mill wheel mended von Jane?"}, "c", 1},
		{Query{Text: "Was the mill wheel mended for Jane?", Sees: all}, "a", 0.4},
		{Query{Text: "mill wheel 1908", Sees: all}, "a", 0.6},
	} {
		found, err := x.Search(t.Context(), c.query)
		if err != nil || len(found) == 0 || found[0].Artifact != c.first || c.share == 1 && found[0].Share < 0.99 || c.share < 1 && (found[0].Share > 0.6 || found[0].Dated || found[1].Dated) {
			t.Errorf("%+v: %+v, %v, want %s first", c.query, found, err, c.first)
		}
	}
}

// A word that only passages hold which may not be read is as one that none holds, however many they are.
func TestSeesCommonWord(t *testing.T) {
	x := opened(t, t.TempDir())
	var docs []Doc
	for i := range 60 {
		docs = append(docs, Doc{Artifact: fmt.Sprintf("h%02d", i), Document: canon.NewDocument(canon.Text(fmt.Appendf(nil, "The falconry of day %d.", i)))})
		docs = append(docs, Doc{Artifact: fmt.Sprintf("s%02d", i), Document: canon.NewDocument(canon.Text(fmt.Appendf(nil, "The organ of day %d.", i)))})
	}
	docs = append(docs, Doc{Artifact: "z", Document: canon.NewDocument(canon.Text([]byte("The organ is old and the heron is grey.")))})
	if err := x.Update(t.Context(), "one", sequence(docs), nil, nil); err != nil {
		t.Fatal(err)
	}
	weigh := func(word, seen string) Term {
		w, err := x.Weigh(t.Context(), Query{Text: word, Sees: func(artifact string, _ cite.Span, _ string) (bool, bool, error) {
			return artifact[:1] != "h" || artifact == seen, true, nil
		}})
		if err != nil || len(w.Terms) != 1 {
			t.Fatalf("%s: %+v, %v", word, w, err)
		}
		return w.Terms[0]
	}
	none := weigh("porcelain", "")
	if got := weigh("falconry", ""); got.Known || got.IDF != none.IDF {
		t.Errorf("none may be read: %+v, want as %+v", got, none)
	}
	if got := weigh("falconry", "h59"); !got.Known || got.IDF >= none.IDF {
		t.Errorf("one may be read: %+v", got)
	}
	if got := weigh("organ", ""); !got.Known || got.IDF >= none.IDF {
		t.Errorf("all may be read: %+v", got)
	}
	if got := weigh("heron", ""); !got.Known || got.IDF >= none.IDF {
		t.Errorf("one holds it: %+v", got)
	}
}
