package segment

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The texts of testdata/sentences.txt are cut where they are marked.
func TestLanguages(t *testing.T) {
	data, err := os.ReadFile("testdata/sentences.txt")
	if err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	for line := range strings.Lines(string(data)) {
		lang, marked, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if !ok {
			continue // the heading
		}
		want := strings.Split(strings.ReplaceAll(marked, `\n`, "\n"), "|")
		text := strings.Join(want, "")
		for i := range want {
			want[i] = strings.TrimSpace(want[i])
		}
		var got []string
		for _, r := range Sentences(text, lang) {
			got = append(got, text[r.Start:r.End])
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s: %s", lang, d)
		}
		count[lang]++
	}
	for lang, n := range map[string]int{"en": 60, "de": 50, "fr": 10, "es": 10, "it": 10, "nl": 10, "ru": 10, "el": 10, "pl": 10, "ja": 10, "zh": 10, "ar": 10, "hi": 10} {
		if count[lang] < n {
			t.Errorf("%s: %d texts, want at least %d", lang, count[lang], n)
		}
	}
}
