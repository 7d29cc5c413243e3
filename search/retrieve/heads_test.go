package retrieve

import (
	"testing"

	"muniment/canon"
)

// Who wrote a letter to whom, and when, counts for each of its passages; not where a reader may not know who is named there.
func TestHead(t *testing.T) {
	letter := func(id, head, text string) Doc {
		return Doc{Artifact: id, Head: head, Document: canon.NewDocument(canon.Text([]byte(text)))}
	}
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
		{Query{Text: "Was the mill wheel mended for Jane?", TextOnly: true}, "a", 0.4},
	} {
		found, err := x.Search(t.Context(), c.query)
		if err != nil || len(found) == 0 || found[0].Artifact != c.first || c.share == 1 && found[0].Share < 0.99 || c.share < 1 && found[0].Share > 0.6 {
			t.Errorf("%+v: %+v, %v, want %s first", c.query, found, err, c.first)
		}
	}
}
