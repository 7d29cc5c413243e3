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

func TestIsHeading(t *testing.T) {
	for text, want := range map[string]bool{
		"Minutes of the Committee, 9 September 1911": true, "PRAIRIE FIRE NEAR RAPID CITY.": true, "“The Wheel”\n": true,
		"The wheel was mended.": false, "S. O.": false, "1911.": false, "one two three four five six seven eight nine ten eleven twelve thirteen": false,
	} {
		if IsHeading(text) != want {
			t.Errorf("%q: %v", text, !want)
		}
	}
}

// English titles end no sentence in any language: a line of names may be taken for Portuguese.
func TestTitlesOfOtherLanguages(t *testing.T) {
	for _, lang := range []string{"", "en", "de", "pt", "it", "nl"} {
		if n := len(Sentences("Present: Mr. E. Oakes, Rev. Alfred Moule. E. Tibbs came late.", lang)); n != 2 {
			t.Errorf("%q: %d sentences", lang, n)
		}
	}
}
