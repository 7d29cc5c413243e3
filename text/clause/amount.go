package clause

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"muniment/text/lexicon"
)

// An amount is what tokens say how much of: a value, and what it counts.
type amount struct {
	value float64
	of    string // a dimension of lexicon.Measure, percent, or "" for things
	n     int    // tokens; 0 where there is no amount
	size  float64
}

// Amounts returns the sentence with each amount in one form: its value in the base unit and the dimension, so that two
// ways to write one amount compare equal: 1.8 metres and 180 centimetres, an hour and a half and ninety minutes, three
// quarters of and 75 percent of. lang says how digits are grouped: 1.200 is 1200 in German.
func (s *Sentence) Amounts(lang string) Sentence {
	out := Sentence{Raw: s.Raw, Tail: s.Tail, joined: s.joined}
	r := amounts{s.Raw, s.Tokens, s.Words, lang}
	for i := 0; i < len(s.Tokens); {
		a := r.at(i)
		if b := r.at(i + 1); i > 0 && !r.ts[i-1].Number && (r.words[i] == "by" || r.words[i] == "um") && b.of == percent {
			if _, n := r.link(i + 1 + b.n); n == 0 {
				i++ // rose by 18 percent is rose 18 percent
				continue
			}
		}
		if a.n == 0 {
			out.Tokens = append(out.Tokens, s.Tokens[i])
			i++
			continue
		}
		t := s.Tokens[i]
		t.Text, t.Number, t.End = strconv.FormatFloat(a.value, 'g', exactDigits, 64), true, s.Tokens[i+a.n-1].End
		out.Tokens = append(out.Tokens, t)
		if a.of != "" {
			out.Tokens = append(out.Tokens, Token{Text: a.of, Start: t.Start, End: t.End})
		}
		i += a.n
		if a.of == percent {
			linked, n := r.link(i)
			for _, w := range linked {
				out.Tokens = append(out.Tokens, Token{Text: w, Start: t.Start, End: t.End, Gap: " "})
			}
			i += n
		}
	}
	out.setWords()
	return out
}

// exactDigits are how many digits of a computed value are compared: more than any unit has, fewer than a float64.
const exactDigits = 10

// amounts reads the amounts of tokens.
type amounts struct {
	raw   string
	ts    []Token
	words []string
	lang  string
}

// word returns the word of a token that only a space divides from the one before it, "" for another or none.
func (r *amounts) word(i int) string {
	if i < len(r.ts) && strings.Trim(r.ts[i].Gap, " \n\t\u00A0\u202F-") == "" {
		return r.words[i]
	}
	return ""
}

// link returns the words by which a percentage is joined to its whole in one form, and how many tokens they are: of the pupils, der Schüler.
func (r *amounts) link(i int) (as []string, n int) {
	switch w := r.word(i); {
	case (w == "of" || w == "von") && lexicon.Determiner.Has(r.word(i+1)):
		return []string{"of", "the"}, 2
	case w == "of", w == "von":
		return []string{"of"}, 1
	case w == "der", w == "des", w == "the", w == "vom":
		return []string{"of", "the"}, 1
	}
	return nil, 0
}

// at returns the amount that begins at a token; several of one dimension that follow each other, the larger first, are one: five feet six inches.
func (r *amounts) at(i int) amount {
	a := r.single(i)
	for a.n > 0 && a.size > 0 {
		k := i + a.n
		if w := r.word(k); w == "and" || w == "und" {
			k++
			if f := r.fraction(k); f.n > 0 && f.of == "" && !r.measures(k+f.n) {
				return amount{a.value + f.value*a.size, a.of, k + f.n - i, 0} // an hour and a half
			}
		}
		b := r.single(k)
		if b.n == 0 || r.word(k) == "" || b.of != a.of || b.size >= a.size || isArticle(r.words[k]) {
			return a
		}
		a = amount{a.value + b.value, a.of, k + b.n - i, b.size}
	}
	return a
}

func (r *amounts) measures(i int) bool {
	_, _, n := lexicon.Measure(r.words[min(i, len(r.words)):])
	return n > 0 && r.word(i) != ""
}

// single returns the amount at a token: a number, with its fraction and its unit.
func (r *amounts) single(i int) amount {
	if i >= len(r.ts) || r.ts[i].Date {
		return amount{}
	}
	if f := r.fraction(i); f.n > 0 {
		return r.part(i, f)
	}
	v, n := r.number(i)
	if n == 0 {
		return amount{}
	}
	k := i + n
	if w := r.word(k); w == "and" || w == "und" {
		if f := r.fraction(k + 1); f.n > 0 && (r.measures(k+1+f.n) || r.ts[i].Number && lexicon.IsUnit(r.word(k+1+f.n))) {
			v, k = v+f.value, k+1+f.n // two and a half hours
		}
	}
	if r.word(k) == percent || k < len(r.ts) && r.words[k] == percent && r.ts[k].Start == r.ts[k-1].Start {
		return amount{v, percent, k + 1 - i, 0}
	}
	if k < len(r.ts) && (r.word(k) != "" || r.ts[k].Start == r.ts[k-1].Start) {
		if of, size, m := lexicon.Measure(r.words[k:]); m > 0 && !(isArticle(r.words[i]) && (r.words[k] == "second" || r.words[k] == "mark")) {
			return amount{v * size, of, k + m - i, size}
		}
	}
	if !r.ts[i].Number && !(isArticle(r.words[i]) && n > 1) {
		return amount{} // a house
	}
	return amount{value: v, n: k - i}
}

// part returns the amount of a fraction: of a unit, of a large number, or of a whole, which is a percentage.
func (r *amounts) part(i int, f amount) amount {
	k := i + f.n
	if w := r.word(k); (w == "of" || w == "von") && isArticle(r.word(k+1)) && r.measures(k+2) {
		k += 2 // a quarter of an hour
	} else if isArticle(w) && r.measures(k+1) {
		k++ // half an hour, Viertel einer Stunde
	}
	if isArticle(r.word(k)) && k+1 < len(r.ts) && r.ts[k+1].Number {
		k++ // half a million
	}
	if of, size, n := lexicon.Measure(r.words[min(k, len(r.words)):]); n > 0 && r.word(k) != "" {
		return amount{f.value * size, of, k + n - i, size}
	}
	if k < len(r.ts) && r.ts[k].Number && r.word(k) != "" {
		if v, n := r.number(k); n > 0 && v >= 12 {
			return amount{value: f.value * v, n: k + n - i}
		}
	}
	before := ""
	if i > 0 {
		before = r.words[i-1]
	}
	if _, n := r.link(i + f.n); n > 0 || before == "by" || before == "um" {
		return amount{f.value * 100, percent, f.n, 0}
	}
	return amount{}
}

// parts are the names of a fraction's part of one.
var parts = map[string]float64{"half": 2, "halves": 2, "halbe": 2, "halber": 2, "halben": 2, "halbes": 2, "hälfte": 2, "third": 3, "thirds": 3, "drittel": 3, "quarter": 4, "quarters": 4,
	"viertel": 4, "fifth": 5, "fifths": 5, "fünftel": 5, "sixth": 6, "sixths": 6, "sechstel": 6, "eighth": 8, "eighths": 8, "achtel": 8, "tenth": 10, "tenths": 10, "zehntel": 10}

// half marks a number that is a word of its own with its half.
const half = "half"

// fraction returns the fraction at a token: a third, three quarters, half, anderthalb, zweieinhalb.
func (r *amounts) fraction(i int) amount {
	w := ""
	if i < len(r.ts) {
		w = r.words[i]
	}
	switch w {
	case "half":
		return amount{value: 0.5, n: 1}
	case "anderthalb", "eineinhalb":
		return amount{1.5, half, 1, 0}
	case "hälfte", "halbe", "halber", "halben", "halbes":
		return amount{value: 0.5, n: 1}
	}
	if whole, ok := strings.CutSuffix(w, "einhalb"); ok && cardinals[whole] > 0 {
		return amount{float64(cardinals[whole]) + 0.5, half, 1, 0}
	}
	size := parts[r.word(i+1)]
	switch {
	case size == 0 || lexicon.Ordinal.Has(r.word(i+1)) && !r.measuresPart(i+2):
	case isArticle(w), w == "die" && size == 2:
		return amount{value: 1 / size, n: 2}
	case i < len(r.ts) && r.ts[i].Number:
		if v, err := strconv.ParseFloat(w, 64); err == nil && v < size {
			return amount{value: v / size, n: 2}
		}
	}
	return amount{}
}

// measuresPart reports whether what follows a word such as third makes a fraction of it: of the men, not: a third man.
func (r *amounts) measuresPart(i int) bool {
	w := r.word(i)
	_, n := r.link(i)
	return n > 0 || w == "" || isArticle(w)
}

// number returns the value of the number at a token and how many tokens it has, with the article of a dozen, of a million and of a unit.
func (r *amounts) number(i int) (v float64, n int) {
	if isArticle(r.words[i]) {
		if r.word(i+1) == "score" && r.word(i+2) == "of" {
			return 20, 3
		}
		if v, n = r.digits(i + 1); n > 0 && v >= 12 && r.word(i+1) != "" && (r.raw[r.ts[i+1].Start] < '0' || r.raw[r.ts[i+1].Start] > '9') {
			return v, n + 1
		}
		return 1, 1
	}
	return r.digits(i)
}

// digits returns the value of a token that is a number.
func (r *amounts) digits(i int) (v float64, n int) {
	if i >= len(r.ts) || !r.ts[i].Number || r.ts[i].Date {
		return 0, 0
	}
	w := r.words[i]
	if r.lang == "de" {
		if groups := strings.Split(w, "."); len(groups) > 1 && len(groups[0]) <= 3 && !slices.ContainsFunc(groups[1:], func(g string) bool { return len(g) != 3 }) {
			w = strings.Join(groups, "")
		}
		w = strings.Replace(w, ",", ".", 1)
	}
	v, err := strconv.ParseFloat(w, 64)
	if err != nil {
		return 0, 0
	}
	return v, 1
}

func isArticle(w string) bool {
	return slices.Contains([]string{"a", "an", "one", "ein", "eine", "einen", "einem", "einer", "eines"}, w)
}

// Rise returns the sentence with each "from 20 to 30" as the change that it is: by 50 percent, else by 10. Years are no change, and degrees have no share.
func (s *Sentence) Rise(share bool) Sentence {
	out := Sentence{Raw: s.Raw, Tail: s.Tail, joined: s.joined}
	r := amounts{s.Raw, s.Tokens, s.Words, ""}
	for i := 0; i < len(s.Tokens); i++ {
		by, k := map[string]string{"from": "by", "von": "um"}[s.Words[i]], i+1
		a, n := r.digits(k)
		k += n
		if n > 0 && lexicon.IsUnit(r.word(k)) {
			k++
		}
		to := r.word(k) == "to" || r.word(k) == "auf"
		b, m := r.digits(k + 1)
		end := k + 1 + m
		thing := r.word(end)
		if by == "" || n == 0 || m == 0 || !to || a <= 0 || a == b || thing == "" || !s.Tokens[end].Content() || share && (thing == percent || thing == "degrees" || thing == "grad") {
			out.Tokens = append(out.Tokens, s.Tokens[i])
			continue
		}
		from, number := s.Tokens[i], s.Tokens[k+1]
		from.Text, number.Text = by, strconv.FormatFloat(math.Abs(b-a), 'g', exactDigits, 64)
		out.Tokens = append(out.Tokens, from, number)
		i = end - 1
		if share {
			out.Tokens[len(out.Tokens)-1].Text = strconv.FormatFloat(100*math.Abs(b-a)/a, 'g', exactDigits, 64)
			out.Tokens = append(out.Tokens, Token{Text: percent, Start: number.Start, End: number.End})
			i = end
		}
	}
	out.setWords()
	return out
}

// HasNumber reports whether a sentence has a number.
func (s *Sentence) HasNumber() bool {
	return slices.ContainsFunc(s.Tokens, func(t Token) bool { return t.Number })
}
