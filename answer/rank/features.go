package rank

// Features are what a score is made of. Shares are in thousandths of the idf of the question's words.
type Features struct {
	Sentence  int32 // share of the words that the candidate holds
	Around    int32 // share of the words that the passage or its title holds
	Bigrams   int32 // share of the pairs of adjacent words of the question that are adjacent in the candidate
	Proximity int32 // share of the words found that stand near another one
	Surprise  int32 // idf of the words found, in thousandths of that of the rarest word; at most MaxSurprise
	Typed     int32 // 1000 when the question asks for a type of thing and the candidate holds one that is new
	Untyped   int32 // 1000 when the question asks for a type of thing and the candidate holds none that is new
	Named     int32 // share of the names and numbers that the candidate holds, of their own idf; 1000 without any
	Absent    int32 // share of the names and numbers that neither the passage nor its title holds
	Unknown   int32 // share of the words that the collection does not hold
	Contrary  int32 // 1000 when one of question and candidate is negated
	Intended  int32 // 1000 when the candidate tells an intention or a possibility and the question asks for none
	First     int32 // 1000 for the first sentence of a passage, then 500, 333, …
	Titled    int32 // share of the words that the title holds
	Dated     int32 // 1000 when the document's date lies in the date asked for
	Length    int32 // words of the candidate, in thousandths of longLength; at most 1000
	Pair      int32 // 1000 for two sentences
}

// MaxSurprise bounds the feature Surprise: three of the rarest words.
const MaxSurprise = 3000

// A Field is one feature with its name.
type Field struct {
	Name  string
	Value int
}

// Fields returns the features in their order, by the names of weights.txt.
func (f Features) Fields() []Field {
	out := make([]Field, len(fields))
	for i, d := range fields {
		out[i] = Field{d.name, int(*d.of(&f))}
	}
	return out
}

// FeaturesOf returns the features with the values of fields, and whether each was there once and no other.
func FeaturesOf(values []Field) (Features, bool) {
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

// fields lists the features in the order of weights.txt.
var fields = []struct {
	name string
	of   func(*Features) *int32
}{
	{"sentence", func(f *Features) *int32 { return &f.Sentence }},
	{"around", func(f *Features) *int32 { return &f.Around }},
	{"bigrams", func(f *Features) *int32 { return &f.Bigrams }},
	{"proximity", func(f *Features) *int32 { return &f.Proximity }},
	{"surprise", func(f *Features) *int32 { return &f.Surprise }},
	{"typed", func(f *Features) *int32 { return &f.Typed }},
	{"untyped", func(f *Features) *int32 { return &f.Untyped }},
	{"named", func(f *Features) *int32 { return &f.Named }},
	{"absent", func(f *Features) *int32 { return &f.Absent }},
	{"unknown", func(f *Features) *int32 { return &f.Unknown }},
	{"contrary", func(f *Features) *int32 { return &f.Contrary }},
	{"intended", func(f *Features) *int32 { return &f.Intended }},
	{"first", func(f *Features) *int32 { return &f.First }},
	{"titled", func(f *Features) *int32 { return &f.Titled }},
	{"dated", func(f *Features) *int32 { return &f.Dated }},
	{"length", func(f *Features) *int32 { return &f.Length }},
	{"pair", func(f *Features) *int32 { return &f.Pair }},
}

// Score returns the sum of the products of features and weights.
func (f Features) Score(w Weights) int {
	sum := 0
	for i, d := range fields {
		sum += int(*d.of(&f)) * w.values[i]
	}
	return sum
}

// Answers reports whether a candidate may be called an answer, whatever its score: it is negated if and only if
// the question is, tells no mere intention, and names and numbers of the question stand in it or around it.
func (f Features) Answers() bool { return f.Contrary == 0 && f.Intended == 0 && f.Absent == 0 }
