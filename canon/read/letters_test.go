package read

import (
	"strings"
	"testing"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
)

// Every charset of the letter models is one that is read, and can write the
// letters of its languages, but for those that it shares among several.
func TestLettersModels(t *testing.T) {
	models := 0
	for _, m := range lettersModels {
		models++
		for _, name := range m.charsets {
			c, ok := candidateByName(name, "")
			if !ok || c.name != name {
				t.Errorf("%s: charset %q is read as %q", m.language, name, c.name)
				continue
			}
			letters := m.common + m.usual + m.rare
			lacks := 0
			for _, r := range letters {
				if out, err := c.enc.NewEncoder().String(string(r)); err != nil || out == "\x1a" {
					lacks++
				}
			}
			if lacks > len([]rune(letters))/4 {
				t.Errorf("%s lacks %d letters of %s", name, lacks, m.language)
			}
		}
	}
	if models < 20 {
		t.Errorf("%d languages, want at least 20", models)
	}
}

// The letters overrule the Guesser only where they are sure, and name
// themselves when they do.
func TestLettersDecide(t *testing.T) {
	cases := []struct{ charset, text, want string }{
		{"windows-1250", "Příliš žluťoučký kůň úpěl ďábelské ódy.\n", "windows-1250 guess "},
		{"windows-1254", "Işık yok, tren yok, yalnızca kışlar var. Güneş doğdu.\n", "windows-1254 guess "},
		{"gb18030", "Schöne Grüße, 3 Bäume\n", "gb18030 guess 99 by letters@2"},
		{"windows-1252", "Där står en gård, där bor en häst och åtta får.\n", "windows-1252 guess "},
	}
	for _, c := range cases {
		enc, err := htmlindex.Get(c.charset)
		if err != nil {
			t.Fatal(err)
		}
		data, err := enc.NewEncoder().String(c.text)
		if err != nil {
			t.Fatal(err)
		}
		text, decision, err := Decode([]byte(data), "")
		if err != nil || string(text) != c.text || !strings.HasPrefix(decision, c.want) {
			t.Errorf("%s: %q, %s, %v", c.charset, text, decision, err)
		}
	}
}

func BenchmarkGuess(b *testing.B) {
	data, err := charmap.KOI8R.NewEncoder().Bytes([]byte(strings.Repeat("Дорогой друг, вчера вечером я долго думал о твоём письме.\n", 200)))
	if err != nil {
		b.Fatal(err)
	}
	sample := sampleForGuess(data)
	b.Run("letters", func(b *testing.B) {
		for b.Loop() {
			correctGuess(sample, candidate{}, true)
		}
	})
	b.Run("guesser", func(b *testing.B) {
		for b.Loop() {
			guessCharset(sample)
		}
	})
}
