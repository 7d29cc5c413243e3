package rank

// Features are the inputs of a score. Shares are in thousandths of the idf of the question's words.
type Features struct {
	Sentence  int32 // share of the words that the candidate holds
	Passage   int32 // BM25 of the passage by the idf of the words, as a share; up to 2200
	Around    int32 // share of the words that the passage, its title, author or date holds
	Bigrams   int32 // share of the pairs of adjacent words of the question that are adjacent in the candidate
	Proximity int32 // share of the words that stand near another one in the candidate
	Surprise  int32 // idf of the words found less that of a word that no passage holds, in thousandths; to MaxSurprise
	Typed     int32 // 1000 when the question asks for a type of thing and the candidate holds one that is new
	Untyped   int32 // 1000 when the question asks for a type of thing and the candidate holds none that is new
	Absent    int32 // share of the names and numbers, of their own idf, that no passage, title, author or date holds
	Unknown   int32 // share of the words that the collection does not hold
	Size      int32 // idf of a word that no passage holds, thousandths of a nat: it grows with the collection
	Contrary  int32 // 1000 when one of question and candidate is negated, or holds the contrary of a word of the other
	Intended  int32 // 1000 when the candidate tells an intention or a possibility and the question asks for none
	First     int32 // 1000 for the first sentence of a passage, then 500, 333, …
	Length    int32 // words of the candidate, in thousandths of longLength; at most 1000
	Untold    int32 // 1000 when the candidate tells nothing: a question, or a short line without a stop: a heading
	Pair      int32 // 1000 for two sentences
	Document  int32 // share of the words that the passages found of its document hold
	Beside    int32 // share of the words that the candidate or a sentence beside it holds
	Alike     int32 // share of the words that the candidate does not hold, but a word much like them
	Kin       int32 // share of the words that the candidate does not hold, but a word that may stand for them
	Focus     int32 // share of the word that names the type of thing asked for, where the candidate does not hold it
	Verbless  int32 // 1000 when the question has a verb and the sentence that answers holds neither it nor its kin
	Apart     int32 // share of the words that only the neighbour of that sentence holds and no pronoun of it means
	Slotless  int32 // 1000 when what is asked for, a person, a time, a price, is not in the sentence, nor named by its pronoun
	Opposed   int32 // 1000 when another paper states of the same event another value of what is asked for
	Papers    int32 // papers that state the same, 1000 each; of the best candidate alone
	Sources   int32 // those of them that are independent, 1000 each
	Lead      int32 // score above the next candidate's, in thousands; of the best candidate alone; no part of its score
}

// MaxSurprise bounds the feature Surprise on both sides: beyond it, chance is out of the question.
const MaxSurprise = 8000

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

// fields lists the features in the order of weights.txt.
var fields = []struct {
	name string
	of   func(*Features) *int32
}{
	{"sentence", func(f *Features) *int32 { return &f.Sentence }},
	{"passage", func(f *Features) *int32 { return &f.Passage }},
	{"around", func(f *Features) *int32 { return &f.Around }},
	{"bigrams", func(f *Features) *int32 { return &f.Bigrams }},
	{"proximity", func(f *Features) *int32 { return &f.Proximity }},
	{"surprise", func(f *Features) *int32 { return &f.Surprise }},
	{"typed", func(f *Features) *int32 { return &f.Typed }},
	{"untyped", func(f *Features) *int32 { return &f.Untyped }},
	{"absent", func(f *Features) *int32 { return &f.Absent }},
	{"unknown", func(f *Features) *int32 { return &f.Unknown }},
	{"size", func(f *Features) *int32 { return &f.Size }},
	{"contrary", func(f *Features) *int32 { return &f.Contrary }},
	{"intended", func(f *Features) *int32 { return &f.Intended }},
	{"first", func(f *Features) *int32 { return &f.First }},
	{"length", func(f *Features) *int32 { return &f.Length }},
	{"untold", func(f *Features) *int32 { return &f.Untold }},
	{"pair", func(f *Features) *int32 { return &f.Pair }},
	{"document", func(f *Features) *int32 { return &f.Document }},
	{"beside", func(f *Features) *int32 { return &f.Beside }},
	{"alike", func(f *Features) *int32 { return &f.Alike }},
	{"kin", func(f *Features) *int32 { return &f.Kin }},
	{"focus", func(f *Features) *int32 { return &f.Focus }},
	{"verbless", func(f *Features) *int32 { return &f.Verbless }},
	{"apart", func(f *Features) *int32 { return &f.Apart }},
	{"slotless", func(f *Features) *int32 { return &f.Slotless }},
	{"opposed", func(f *Features) *int32 { return &f.Opposed }},
	{"papers", func(f *Features) *int32 { return &f.Papers }},
	{"sources", func(f *Features) *int32 { return &f.Sources }},
	{"lead", func(f *Features) *int32 { return &f.Lead }},
}

// Score returns the sum of the products of features and weights. The weight of Lead is 0,
// and so is every one of the zero Weights.
func (f Features) Score(w Weights) int {
	sum := 0
	for i, d := range fields[:min(len(w.values), len(fields))] {
		sum += int(*d.of(&f)) * w.values[i]
	}
	return sum
}

// Answers reports whether a candidate may be called an answer, whatever its score: it is negated if
// and only if the question is, states a fact and no mere intention, and it or its surroundings have
// the question's names and numbers; one sentence of it holds the question's verb and what is asked for; and no other paper
// states otherwise.
func (f Features) Answers() bool {
	return f.Contrary == 0 && f.Intended == 0 && f.Absent == 0 && f.Untold == 0 && f.Verbless == 0 && f.Apart == 0 && f.Slotless == 0 && f.Opposed == 0
}
