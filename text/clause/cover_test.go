package clause

import (
	"slices"
	"strings"
	"testing"
)

func TestCover(t *testing.T) {
	texts := []string{"The ferry sank in 1908.", "The mill burnt in March 1911, and nobody was hurt.", "Mr. Daly said that the quay was sold.", "Die Fähre sank im Mai.", "Ruth and Agnes wrote to him."}
	holds := func(part string) bool {
		return slices.ContainsFunc(texts, func(text string) bool { return Repeats(part, text) })
	}
	ran := 0
	for _, c := range []struct{ sentence, parts string }{
		{"The ferry sank in 1908 and the mill burnt in March 1911", "The ferry sank in 1908|the mill burnt in March 1911"},
		{"The ferry sank in 1908; the mill burnt in March 1911, and nobody was hurt", "The ferry sank in 1908|the mill burnt in March 1911, and nobody was hurt"},
		{"The ferry sank in 1908, while Ruth and Agnes wrote to him", "The ferry sank in 1908|Ruth and Agnes wrote to him"},
		{"Die Fähre sank im Mai, und the mill burnt in March 1911, but Ruth and Agnes wrote to him", "Die Fähre sank im Mai|the mill burnt in March 1911|Ruth and Agnes wrote to him"},
		{"Mr. Daly said that the quay was sold, and the ferry sank in 1908", "Mr. Daly said that the quay was sold|the ferry sank in 1908"},
		{"Mr. Daly said that the quay was sold and the ferry sank in 1908", ""},
		{"It is not true that the ferry sank in 1908 and the mill burnt in March 1911", ""},
		{"If the ferry sank in 1908, the mill burnt in March 1911", ""},
		{"The ferry sank in 1908 and the mill burnt in March 1912", ""},
		{"The ferry sank in 1908 or the mill burnt in March 1911", ""},
		{"The ferry sank in 1908 while the mill burnt in March 1911", ""},
		{"The ferry sank in 1908", ""},
		{"", ""},
	} {
		ran++
		if got := strings.Join(Cover(c.sentence, 4, holds), "|"); got != c.parts {
			t.Errorf("%q: %q, want %q", c.sentence, got, c.parts)
		}
	}
	if ran < 13 {
		t.Errorf("%d sentences", ran)
	}
	if got := Cover(strings.Repeat("a, and ", 4000), 4, func(string) bool { return false }); got != nil {
		t.Errorf("%d parts", len(got))
	}
}
