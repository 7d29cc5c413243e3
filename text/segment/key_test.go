package segment

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// Words that a searcher takes for one have one key in their language, and others do not.
func TestSearchKey(t *testing.T) {
	for _, same := range [][]string{
		{"de", "olmütz", "olmutz"}, {"de", "straße", "strasse"}, {"de", "schmückten", "geschmückt", "schmücken"}, {"de", "fährt", "fahre"}, {"de", "kaufte", "gekauft", "kaufen"}, {"de", "ſein", "sein"}, {"de", "mühlen", "mühle", "muhle"},
		{"fr", "sœur", "soeur"}, {"fr", "l'église", "eglise", "église"}, {"it", "dell'arte", "arte"}, {"pl", "łódź", "lodz"},
		{"en", "planted", "planting", "plants"}, {"en", "bought", "buy"}, {"en", "ﬁeld", "field"}, {"sv", "hästarna", "häst"},
		{"da", "smørrebrød", "smorrebrod"}, {"el", "λόγος", "λογος"}, {"xx", "café", "cafe"}, {"", "ångström", "angstrom"},
	} {
		for _, w := range same[2:] {
			if a, b := SearchKey(same[1], same[0]), SearchKey(w, same[0]); a != b {
				t.Errorf("%s: %s gives %q, %s gives %q", same[0], same[1], a, w, b)
			}
		}
	}
	for _, w := range []string{"mill", "हिन्दी", "กำลัง", strings.Repeat("ä", 200), "1931", "\u0301"} {
		if k := SearchKey(w, "de"); k == "" && w != "\u0301" || !utf8.ValidString(k) {
			t.Errorf("%q gives %q", w, k)
		}
	}
	if SearchKey("mill", "en") == SearchKey("mile", "en") || Fold("हिन्दी") != "हिन्दी" {
		t.Error("different words meet, or vowel signs are lost")
	}
}
