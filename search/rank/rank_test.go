package rank

import (
	"math"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"muniment/search/retrieve"
	"muniment/text/segment"
)

// The embedded files are read, name every kind for every language, and the weights come back as they are written.
func TestFiles(t *testing.T) {
	if shippedError != nil {
		t.Error(shippedError)
	}
	if wordListsError != nil {
		t.Error(wordListsError)
	}
	for _, lang := range tableOrder {
		for section := range kindSections {
			if len(wordLists[lang+" "+section]) == 0 {
				t.Errorf("words.txt has no section %q", lang+" "+section)
			}
		}
	}
	if w, err := ParseWeights(shipped.String()); err != nil || w.String() != shipped.String() {
		t.Errorf("weights do not come back: %v", err)
	}
	if n := len(antonyms()); n < 3000 {
		t.Errorf("%d words with a contrary", n)
	}
	for _, bad := range []string{"", "version x\n", shipped.String() + "more 1\n", strings.Replace(shipped.String(), "sentence ", "sentense ", 1)} {
		if _, err := ParseWeights(bad); err == nil {
			t.Errorf("weights %q are read", bad)
		}
	}
}

// weigh returns a weighing as an index of 100 passages gives it: every word of which known says so has its idf.
func weigh(text string, idf float64) retrieve.Weighing {
	w := retrieve.Weighing{Passages: 100}
	for i, one := range segment.Words(text) {
		if !segment.Function(one.Lower) {
			w.Terms = append(w.Terms, retrieve.Term{Word: one.Lower, Stem: segment.Stem(one.Lower), IDF: idf, Known: true, Name: one.Upper && i > 0})
		}
	}
	return w
}

// Whatever the texts: candidates are whole runs of UTF-8 in their passages, do not overlap, come best first, have
// the score that their features make, and are the same the next time.
func TestRank(t *testing.T) {
	word := rapid.SampledFrom([]string{"mill", "Mühle", "Kern", "not", "1931", "wheel.", "Who?", "非", "non-wheel", "und", "größer", "\u0301", "repaired", "ſein.", "\n\n", "Dr.", "😀"})
	text := rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(word, 0, 30).Draw(t, "words"), " ") + rapid.StringN(0, 10, 40).Draw(t, "tail")
	})
	rapid.Check(t, func(t *rapid.T) {
		question := text.Draw(t, "question")
		q := NewQuestion(question, rapid.SampledFrom([]string{"", "en", "de", "ja"}).Draw(t, "language"), weigh(question, 2.5))
		var passages []Passage
		for range rapid.IntRange(0, 4).Draw(t, "passages") {
			passages = append(passages, Passage{Text: text.Draw(t, "text"), Title: text.Draw(t, "title"),
				Lang: rapid.SampledFrom([]string{"", "en", "de", "fr", "th"}).Draw(t, "lang"), Dated: rapid.Bool().Draw(t, "dated")})
		}
		w := Default()
		got := Rank(q, passages, w)
		for i, c := range got {
			p := passages[c.Passage].Text
			if c.Text != p[c.From:c.To] || utf8.ValidString(p) && !utf8.ValidString(c.Text) {
				t.Fatalf("candidate %q at %d to %d of %q", c.Text, c.From, c.To, p)
			}
			if i > 0 && c.Score > got[i-1].Score {
				t.Fatal("a worse candidate stands first")
			}
			sum := 0
			for _, f := range c.Features.Fields() {
				sum += f.Value * weightOf(w, f.Name)
			}
			if back, ok := featuresOf(c.Features.Fields()); sum != c.Score || !ok || back != c.Features {
				t.Fatalf("score %d, features make %d", c.Score, sum)
			}
			for _, o := range got[:i] {
				if o.Passage == c.Passage && o.From < c.To && c.From < o.To {
					t.Fatalf("%q and %q overlap", o.Text, c.Text)
				}
			}
		}
		same := func(a, b Candidate) bool { a.says, b.says = nil, nil; return a == b }
		if again := Rank(q, passages, w); !slices.EqualFunc(again, got, same) {
			t.Fatal("the same again gives another list")
		}
	})
}

// What makes a candidate no answer, whatever its score.
func TestAnswers(t *testing.T) {
	tests := []struct {
		question, sentence string
		want               bool
	}{
		{"Which government begins with the words?", "The acts of the government begin with the words.", true},
		{"Which government begins with the words?", "The acts of the government do not begin with the words.", false},
		{"Who does not keep sheep?", "The Harrises do not keep sheep.", true},
		{"Who saw Kean?", "William wanted much to see Kean.", false},
		{"Who wanted to see Kean?", "William wanted much to see Kean.", true},
		{"Who repaired the wheel in 1931?", "Matthias repaired the wheel in 1932.", false},
		{"Who repaired the wheel for Kern?", "Matthias repaired the wheel.", false},
		{"What increases the friction?", "Oil decreases the friction.", false},
		{"What is a class of self molecules?", "One class of non-self molecules are antigens.", false},
		{"Which use was correct?", "The use of the name was incorrect.", false},
		{"Who bought the horses?", "Has anybody told you who bought the horses?", false},
		{"Wer kaufte das Klavier?", "Der Lehrer kaufte das Klavier nicht.", false},
		{"Wer kaufte das Klavier?", "Der Lehrer Hofmann kaufte das Klavier.", true},
		{"Qui a vendu le cheval?", "Jeanne n'a pas vendu le cheval.", false},
		{"Qui a vendu le cheval?", "Jeanne a vendu le cheval.", true},
	}
	for _, tt := range tests {
		got := Rank(NewQuestion(tt.question, "", weigh(tt.question, 3)), []Passage{{Text: tt.sentence}}, Default())
		if len(got) != 1 || got[0].Features.Answers() != tt.want {
			t.Errorf("%s %q: %+v, want %v", tt.question, tt.sentence, got, tt.want)
		}
	}
}

// What a candidate has that does not hold the words of a question itself.
func TestNearWords(t *testing.T) {
	alike := func(f Features) int32 { return f.Alike }
	kin := func(f Features) int32 { return f.Kin }
	focus := func(f Features) int32 { return f.Focus }
	beside := func(f Features) int32 { return f.Beside }
	tests := []struct {
		question, text string
		of             func(Features) int32
		most           bool // some of it is there
	}{
		{"Was geschah in der Cholerazeit in Dresden?", "Die Cholera kam nach Dresden.", alike, true},
		{"Was geschah in der Cholerazeit in Dresden?", "Der Regen kam nach Dresden.", alike, false},
		{"Who governed Normandy for Rollo?", "The Norman law was that of Rollo.", alike, true},
		{"Who began the mill?", "He commenced it as a mill.", kin, true},
		{"Who began the mill?", "He burnt it, the mill.", kin, false},
		{"Wer begann die Mühle?", "Er commence die Mühle.", kin, false},
		{"Which engine replaced the wheel?", "A turbine replaced the wheel.", focus, true},
		{"Which engine replaced the wheel?", "An engine replaced the wheel.", focus, false},
		{"Who repaired the wheel for Kern?", "Kern sent it. He repaired it.", beside, true},
	}
	for _, tt := range tests {
		got := Candidates(NewQuestion(tt.question, "", weigh(tt.question, 3)), []Passage{{Text: tt.text}})
		if len(got) == 0 || (tt.of(got[0].Features) > 0) != tt.most {
			t.Errorf("%s %q: %+v, want %v", tt.question, tt.text, got, tt.most)
		}
	}
}

// Every word of synonyms.txt is found, also from the other one: the lines are in their order and go both ways.
func TestSynonyms(t *testing.T) {
	n := 0
	for line := range strings.Lines(synonymLines) {
		n++
		words := strings.Fields(line)
		if got := synonyms(words[0]); !slices.Equal(got, words[1:]) || len(got) == 0 {
			t.Fatalf("%s: %q, want %q", words[0], got, words[1:])
		}
		for _, w := range words[1:] {
			if !slices.Contains(synonyms(w), words[0]) {
				t.Fatalf("%s has not %s, which has it", w, words[0])
			}
		}
	}
	if n < 10_000 {
		t.Errorf("%d words, want 10,000", n)
	}
	for _, none := range []string{"", "#", "a", "zzz", "begin ", "begi"} {
		if got := synonyms(none); got != nil {
			t.Errorf("%q: %q", none, got)
		}
	}
}

// BenchmarkRank ranks the sentences of 32 passages.
func BenchmarkRank(b *testing.B) {
	text := "Who had commenced the repairs of the wheel for the miller?"
	q := NewQuestion(text, "", weigh(text, 3))
	passage := Passage{Text: strings.Repeat("Kern came in May. He began to repair the wheel that the flood had broken, and the miller paid him. ", 8), Lang: "en"}
	for b.Loop() {
		if len(Rank(q, slices.Repeat([]Passage{passage}, 32), Default())) == 0 {
			b.Fatal("nothing is found")
		}
	}
}

// A question without words that weigh, and an index without passages, have no candidates.
func TestNothing(t *testing.T) {
	for _, w := range []retrieve.Weighing{{}, {Passages: math.MaxUint32}} {
		if got := Rank(NewQuestion("Who is it?", "", w), []Passage{{Text: "It is he."}}, Default()); got != nil {
			t.Errorf("%+v: %v", w, got)
		}
	}
}

// featuresOf returns the features with the values of fields, and whether each was there once and no other.
func featuresOf(values []Field) (Features, bool) {
	var f Features
	if len(values) != len(fields) {
		return Features{}, false
	}
	for i, v := range values {
		if v.Name != fields[i].name || int(int32(v.Value)) != v.Value {
			return Features{}, false
		}
		*fields[i].of(&f) = int32(v.Value)
	}
	return f, true
}

// weightOf returns the weight of a feature, by its name in weights.txt; 0 for a name that is none.
func weightOf(w Weights, name string) int {
	for i, d := range fields {
		if d.name == name {
			return w.values[i]
		}
	}
	return 0
}
