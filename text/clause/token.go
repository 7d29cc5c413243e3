// Package clause takes an English or German sentence apart as far as a judgement needs: into tokens that compare equal
// where two spellings say the same, into parts that punctuation and connecting words divide, and into what a part is: a
// clause that states something, one that depends on another, a phrase.
//
//	s := clause.Parse("On 3 May 1871 the mill, which was old, burned down; nobody was hurt.")
//	s.Tokens[0].Text                 // "on"
//	s.Parts()                        // [on 1871-05-03 the mill] [which was old] [burned down] [nobody was hurt]
//	s.Event(0, len(s.Tokens))        // true: it tells one event of the past
//
// It is the one place where a clause is read; what its words are is in package lexicon. It decides nothing about truth.
//
// # Tokens
//
// A token is a UAX 29 word in lower case. Contractions are undone (didn't: did, not), a word that a hyphen divides at
// the end of a line is one token, numbers are in digits (nineteen: 19; 1,200: 1200; 1.2 million: 1200000), a date is
// one token in ISO form as far as it is given (3rd of May: 05-03), ’ is '. Punctuation is no token; Gap holds it.
//
// Limits: two languages; verbs are known by lists and endings; a part may be taken for a phrase that is a clause with a
// rare verb in the present. Texts above MaxSentence bytes are not parsed.
package clause

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"muniment/text/lexicon"
	"muniment/text/segment"
)

// MaxSentence is the longest sentence that is parsed, in bytes: three pages without a full stop.
const MaxSentence = 8 << 10

// A Token is a word of a sentence in its comparable form.
type Token struct {
	Text       string // as the package comment says
	Start, End int    // bytes of the sentence
	Gap        string // between the token before and this one: spaces and punctuation
	Upper      bool   // begins with a capital letter
	Number     bool   // Text is a number
	Date       bool   // Text is a date
}

// A Sentence is a parsed sentence. Words are the texts of its tokens, for lookups in a lexicon.List.
type Sentence struct {
	Raw    string
	Tokens []Token
	Words  []string
	Tail   string // after the last token: the stop, closing quotation marks
	joined bool   // words with a hyphen are one token
}

// Parse returns a sentence with its tokens; one without tokens where the text is too long. Words with a hyphen between
// them are tokens of their own; only a word that the end of a line divides is one.
func Parse(text string) Sentence { return parse(text, false) }

// ParseJoined is Parse, but for words with a hyphen, which are one token: re-opened is reopened.
func ParseJoined(text string) Sentence { return parse(text, true) }

func parse(text string, joined bool) Sentence {
	s := Sentence{Raw: text, joined: joined}
	if len(text) > MaxSentence {
		return s
	}
	end := 0
	for _, w := range segment.Words(text) {
		gap := text[end:w.Start]
		s.add(w, gap)
		end = w.End
		if w.Possessive {
			end = possessiveEnd(text, w.End)
		}
	}
	s.Tail = text[end:]
	s.Tokens = joinDates(joinNumbers(s.Tokens))
	s.setWords()
	return s
}

// setWords sets the words to the texts of the tokens.
func (s *Sentence) setWords() {
	s.Words = make([]string, len(s.Tokens))
	for i := range s.Tokens {
		s.Words[i] = s.Tokens[i].Text
	}
}

// possessiveEnd returns the end of a possessive ending that begins at i.
func possessiveEnd(text string, i int) int {
	for i < len(text) {
		r, n := utf8.DecodeRuneInString(text[i:])
		if r != '\'' && r != '’' && r != 's' && r != 'S' {
			break
		}
		i += n
	}
	return i
}

// add appends a word as one or several tokens.
func (s *Sentence) add(w segment.Word, gap string) {
	lower := w.Lower
	if w.Possessive {
		lower += "'s"
	}
	t := Token{Text: lower, Start: w.Start, End: w.End, Gap: gap, Upper: w.Upper}
	if n := len(s.Tokens); n > 0 && joins(gap) && (s.joined || strings.ContainsRune(gap, '\n')) && !t.isDigits() && !s.Tokens[n-1].isDigits() {
		last := &s.Tokens[n-1]
		last.Text, last.End = last.Text+lower, w.End
		return
	}
	if n := len(s.Tokens); n > 0 && lower == "cent" && s.Tokens[n-1].Text == "per" {
		s.Tokens[n-1].Text, s.Tokens[n-1].End = percent, w.End
		return
	}
	if n := len(s.Tokens); n > 0 && s.Tokens[n-1].Number && len(lower) == 3 && isDecimal(lower) && groups(gap) && !s.counts(n-1) {
		last := &s.Tokens[n-1]
		if len(last.Text) <= 3 && isDecimal(s.Raw[last.Start:last.End]) || strings.Contains(s.Raw[last.Start:last.End], gap) { // 12 000
			last.Text, last.End = last.Text+lower, w.End
			return
		}
	}
	base, not := expand(lower)
	t.Text = base
	if base == "prozent" {
		t.Text = percent
	}
	if digits, ok := plainNumber(base); ok {
		t.Text, t.Number = digits, true
	}
	if n := len(s.Tokens); n > 1 && s.Tokens[n-1].Start == s.Tokens[n-2].Start && s.Tokens[n-2].Number && cardinals[base] >= 1000 && strings.TrimSpace(gap) == "" {
		unit := s.Tokens[n-1] // $1.24 million: the unit is of the whole
		unit.End = t.End
		s.Tokens = append(s.Tokens[:n-1], t, unit)
		return
	}
	s.Tokens = append(s.Tokens, t)
	if unit := unitOfSign(gap, s.Raw[w.End:]); unit != "" && t.isDigits() {
		s.Tokens = append(s.Tokens, Token{Text: unit, Start: w.Start, End: w.End})
	}
	if not {
		s.Tokens = append(s.Tokens, Token{Text: "not", Start: w.Start, End: w.End})
	}
}

// groups reports whether what lies between digits can divide one number: a single blank.
func groups(gap string) bool {
	return gap == " " || gap == "\u00a0" || gap == "\u2009" || gap == "\u202f"
}

// counts reports whether the number at i is one by itself, whatever follows: in the year 12, of the 45.
func (s *Sentence) counts(i int) bool {
	if i == 0 {
		return false
	}
	switch s.Tokens[i-1].Text {
	case "year", "jahr", "jahre", "page", "seite", "number", "nummer", "no", "nr", "chapter", "kapitel":
		return true
	case "the", "den":
		return i > 1 && (s.Tokens[i-2].Text == "of" || s.Tokens[i-2].Text == "von")
	}
	return false
}

// percent is the token of % and per cent.
const percent = "percent"

// unitOfSign returns the unit of the sign before or after a number, "" for none.
func unitOfSign(before, after string) string {
	switch {
	case strings.HasSuffix(before, "£"):
		return "pounds"
	case strings.HasSuffix(before, "$"):
		return "dollars"
	case strings.HasSuffix(before, "€"), strings.HasPrefix(strings.TrimLeft(after, " "), "€"):
		return "euros"
	case strings.HasPrefix(strings.TrimLeft(after, " "), "%"):
		return percent
	}
	return ""
}

func (t *Token) isDigits() bool { return t.Number || t.Text[0] >= '0' && t.Text[0] <= '9' }

// joins reports whether a gap is a hyphen within a word, also at the end of a line.
func joins(gap string) bool {
	switch strings.TrimRight(gap, " \n\t") {
	case "-", "‐", "‑", "\u00AD":
		return len(gap) <= 3 || strings.ContainsRune(gap, '\n')
	}
	return false
}

// contracted are the forms whose first part is not what the ending leaves.
var contracted = map[string]string{"won't": "will", "can't": "can", "shan't": "shall", "cannot": "can", "ain't": "is"}

// expand undoes a contraction. not reports whether the word denies.
func expand(w string) (base string, not bool) {
	if b, ok := contracted[w]; ok {
		return b, true
	}
	if b, ok := strings.CutSuffix(w, "n't"); ok && b != "" {
		return b, true
	}
	return w, false
}

// plainNumber returns a word of digits without grouping and ordinal endings: 1,200 gives 1200, 3rd gives 3.
func plainNumber(w string) (string, bool) {
	if w == "" || w[0] < '0' || w[0] > '9' {
		return "", false
	}
	for _, end := range []string{"st", "nd", "rd", "th", "d"} {
		if b, ok := strings.CutSuffix(w, end); ok {
			w = b
			break
		}
	}
	parts := strings.Split(w, ",")
	for _, p := range parts[1:] {
		if len(p) != 3 {
			return w, isDecimal(w)
		}
	}
	w = strings.Join(parts, "")
	return w, isDecimal(w)
}

func isDecimal(w string) bool {
	return strings.IndexFunc(w, func(r rune) bool { return !unicode.IsDigit(r) && r != '.' && r != ',' }) < 0
}

// cardinals are the number words that are read, with their value.
var cardinals = func() map[string]int {
	m := map[string]int{"zero": 0, "hundred": 100, "thousand": 1000, "million": 1e6, "millionen": 1e6, "billion": 1e9, "milliarde": 1e9, "milliarden": 1e9, "mio": 1e6, "mrd": 1e9, "dozen": 12, "null": 0, "eins": 1, "zwei": 2, "drei": 3,
		"vier": 4, "fünf": 5, "sechs": 6, "sieben": 7, "acht": 8, "neun": 9, "zehn": 10, "elf": 11, "zwölf": 12, "zwanzig": 20, "dreißig": 30,
		"vierzig": 40, "fünfzig": 50, "sechzig": 60, "siebzig": 70, "achtzig": 80, "neunzig": 90, "hundert": 100, "tausend": 1000, "dutzend": 12}
	for i, w := range strings.Fields("one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty") {
		m[w] = i + 1
	}
	for i, w := range strings.Fields("thirty forty fifty sixty seventy eighty ninety") {
		m[w] = 30 + 10*i
	}
	for i, w := range strings.Fields("dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn") {
		m[w] = 13 + i
	}
	return m
}()

// joinNumbers writes numbers in words as digits: nine hundred and twelve is 912; "one" alone stays, as it is a pronoun too.
func joinNumbers(ts []Token) []Token {
	out := ts[:0]
	for i := 0; i < len(ts); {
		value, n := numberAt(ts[i:])
		if digits, ok := timesLarge(ts[i:]); ok {
			t := ts[i]
			t.Text, t.End = digits, ts[i+1].End
			out = append(out, t)
			i += 2
			continue
		}
		if n == 0 || n == 1 && ts[i].Text == "one" || ts[i].Text == "eins" {
			out = append(out, ts[i])
			i++
			continue
		}
		t := ts[i]
		t.Text, t.Number, t.End = strconv.Itoa(value), true, ts[i+n-1].End
		out = append(out, t)
		i += n
	}
	return out
}

// timesLarge returns the number of digits before a word such as million: 1.2 million is 1200000. A comma of three digits at most is a decimal one.
func timesLarge(ts []Token) (digits string, ok bool) {
	if len(ts) < 2 || !ts[0].Number || strings.TrimSpace(ts[1].Gap) != "" {
		return "", false
	}
	large := cardinals[ts[1].Text]
	v, err := strconv.ParseFloat(strings.Replace(ts[0].Text, ",", ".", 1), 64)
	if err != nil || large < 1000 && large != 100 && !isDozen(ts[1].Text) || v > 0 && v*float64(large) > 1e15 {
		return "", false
	}
	return strconv.FormatFloat(math.Round(v*float64(large)*1e3)/1e3, 'f', -1, 64), true
}

func isDozen(w string) bool { return w == "dozen" || w == "dutzend" }

// LeadingNumber returns the value of the number that words in lower case begin with, and how many of them it takes, 0
// where they begin with none: two hundred and fifty pounds gives 250 and 4.
func LeadingNumber(words []string) (value, n int) {
	if len(words) == 0 {
		return 0, 0
	}
	if _, ok := cardinals[words[0]]; !ok {
		return 0, 0
	}
	ts := make([]Token, len(words))
	for i, w := range words {
		ts[i].Text = w
	}
	return numberAt(ts)
}

// numberAt reads the number words that tokens begin with: n tokens, 0 for none.
func numberAt(ts []Token) (value, n int) {
	total, current := 0, 0
	for n < len(ts) {
		w := ts[n].Text
		if n > 0 && w == "and" && current >= 100 && n+1 < len(ts) {
			if _, ok := cardinals[ts[n+1].Text]; ok {
				n++
				continue
			}
		}
		v, ok := cardinals[w]
		if w == "score" && n > 0 {
			current, n = current*20, n+1
			continue
		}
		switch {
		case !ok && n == 0:
			if v, ok = joinedNumber(w); !ok {
				return 0, 0
			}
			current = v
		case !ok, n > 0 && strings.TrimSpace(ts[n].Gap) != "" && ts[n].Gap != "-":
			return total + current, n
		case v >= 1000:
			total, current = total+max(current, 1)*v, 0
		case v == 100 || isDozen(w):
			current = max(current, 1) * v
		case current%100 == 0 || current%10 == 0 && current%100 >= 20 && v < 10:
			current += v
		default:
			return total + current, n
		}
		n++
	}
	return total + current, n
}

// joinedNumber reads a number word that a hyphen or German spelling joins: twentyone, neunundvierzig, zweihundertfünfzig.
func joinedNumber(w string) (int, bool) {
	for _, large := range []string{"tausend", "hundert"} {
		if before, after, ok := strings.Cut(w, large); ok {
			a, okA := smaller(before, 1)
			b, okB := smaller(strings.TrimPrefix(after, "und"), 0)
			return a*cardinals[large] + b, okA && okB && a > 0 && b < cardinals[large]
		}
	}
	if ones, tens, ok := strings.Cut(w, "und"); ok {
		a, okA := cardinals[ones]
		if ones == "ein" {
			a, okA = 1, true
		}
		b, okB := cardinals[tens]
		return a + b, okA && okB && a < 10 && b >= 20 && b < 100
	}
	for _, ten := range tens {
		if rest, ok := strings.CutPrefix(w, ten); ok {
			if one, ok := cardinals[rest]; ok && one < 10 {
				return cardinals[ten] + one, true
			}
		}
	}
	return 0, false
}

// smaller returns the value of a part of a joined number; an empty part has the one given.
func smaller(w string, empty int) (int, bool) {
	if w == "" {
		return empty, true
	}
	if w == "ein" || w == "eins" {
		return 1, true
	}
	if v, ok := cardinals[w]; ok {
		return v, true
	}
	return joinedNumber(w)
}

// tens are the number words from twenty to ninety.
var tens = func() []string {
	var out []string
	for w, v := range cardinals {
		if v >= 20 && v < 100 {
			out = append(out, w)
		}
	}
	return out
}()

var months = func() map[string]int {
	m := map[string]int{}
	for i, w := range strings.Fields("january february march april may june july august september october november december") {
		m[w], m[w[:3]] = i+1, i+1
	}
	for i, w := range strings.Fields("januar februar märz april mai juni juli august september oktober november dezember") {
		m[w] = i + 1
	}
	m["jänner"], m["sept"] = 1, 9
	return m
}()

// joinDates writes a date as one token: 3 May 1871, May 3rd 1871 and the third of May 1871 are 1871-05-03.
func joinDates(ts []Token) []Token {
	out := make([]Token, 0, len(ts))
	for i := 0; i < len(ts); {
		text, n := dateAt(ts[i:])
		if n == 0 {
			out = append(out, ts[i])
			i++
			continue
		}
		t := ts[i]
		t.Text, t.Date, t.Number, t.End = text, true, false, ts[i+n-1].End
		out = append(out, t)
		i += n
	}
	return out
}

// dateAt reads the date that tokens begin with: n tokens, 0 for none. A month alone is no date, as May is a name too.
func dateAt(ts []Token) (text string, n int) {
	day, month, year := 0, 0, 0
	at := func(k int) *Token {
		if k < len(ts) {
			return &ts[k]
		}
		return &Token{}
	}
	isMonth := func(t *Token) int {
		if t.Upper || len(t.Text) > 3 && t.Text != "march" { // may and march are verbs too
			return months[t.Text]
		}
		return 0
	}
	// A stop after a month that is written in full, or before a capital letter, ends a sentence: in June. Three cars failed.
	ended := len(at(0).Text) > 4 && strings.Contains(at(1).Gap, ".") || strings.Contains(at(1).Gap, ". ") && at(1).Upper
	switch {
	case dayOf(at(0)) > 0 && isMonth(at(1)) > 0:
		day, month, n = dayOf(at(0)), isMonth(at(1)), 2
	case dayOf(at(0)) > 0 && at(1).Text == "of" && isMonth(at(2)) > 0:
		day, month, n = dayOf(at(0)), isMonth(at(2)), 3
	case isMonth(at(0)) > 0 && dayOf(at(1)) > 0 && !ended:
		day, month, n = dayOf(at(1)), isMonth(at(0)), 2
	case isMonth(at(0)) > 0 && yearOf(at(1)) > 0 && !ended:
		month, n = isMonth(at(0)), 1
	default:
		return "", 0
	}
	if year = yearOf(at(n)); year > 0 {
		n++
	}
	text = two(month)
	if day > 0 {
		text += "-" + two(day)
	}
	if year > 0 {
		text = strconv.Itoa(year) + "-" + text
	}
	return text, n
}

// MonthOf returns the month of a date token or of a month's name, 0 for none.
func MonthOf(token string) int {
	if m := months[token]; m > 0 {
		return m
	}
	for _, part := range strings.SplitN(token, "-", 3) {
		if len(part) == 2 {
			m, _ := strconv.Atoi(part)
			return m
		}
	}
	return 0
}

func two(n int) string {
	if n < 10 {
		return "0" + strconv.Itoa(n)
	}
	return strconv.Itoa(n)
}

// ordinals are the days of a month in words.
var ordinals = func() map[string]int {
	m := map[string]int{"thirtieth": 30, "twentieth": 20, "ersten": 1, "zweiten": 2, "dritten": 3}
	for i, w := range strings.Fields("first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth") {
		m[w] = i + 1
		if i < 9 {
			m["twenty"+w] = 21 + i
		}
	}
	m["thirtyfirst"] = 31
	return m
}()

func dayOf(t *Token) int {
	if v, ok := ordinals[t.Text]; ok {
		return v
	}
	if v, err := strconv.Atoi(t.Text); err == nil && t.Number && v >= 1 && v <= 31 {
		return v
	}
	return 0
}

func yearOf(t *Token) int {
	if v, err := strconv.Atoi(t.Text); err == nil && len(t.Text) == 4 && v >= 1000 && v < 2200 {
		return v
	}
	return 0
}

// Content reports whether a token has a topic of its own.
func (t Token) Content() bool {
	return t.Number || t.Date || !lexicon.Function.Has(strings.TrimSuffix(t.Text, "'s"))
}

// Shares returns the sentence with each "42 of 60" as the percentage that it is, 70 percent of, where the parts are whole numbers.
func (s *Sentence) Shares() Sentence {
	out := Sentence{Raw: s.Raw, Tail: s.Tail, joined: s.joined}
	for i := 0; i < len(s.Tokens); {
		value, n := shareAt(s.Tokens[i:])
		if n == 0 {
			out.Tokens = append(out.Tokens, s.Tokens[i])
			i++
			continue
		}
		t := s.Tokens[i]
		t.Text, t.End = value, s.Tokens[i+n-1].End
		out.Tokens = append(out.Tokens, t)
		for _, w := range []string{percent, "of"} {
			out.Tokens = append(out.Tokens, Token{Text: w, Start: t.Start, End: t.End, Gap: " "})
		}
		i += n
	}
	out.setWords()
	return out
}

// shareAt returns the percentage that tokens begin with as a part of a whole, rounded, and how many tokens say it; 0 for none.
func shareAt(ts []Token) (percentage string, n int) {
	if len(ts) < 3 || !ts[0].Number {
		return "", 0
	}
	n = 1
	if ts[n].Text == "out" {
		n++
	}
	if n+2 > len(ts) || ts[n].Text != "of" && ts[n].Text != "von" {
		return "", 0
	}
	n++
	if lexicon.Determiner.Has(ts[n].Text) && len(ts) > n+1 {
		n++
	}
	part, errA := strconv.Atoi(ts[0].Text)
	all, errB := strconv.Atoi(ts[n].Text)
	if !ts[n].Number || errA != nil || errB != nil || all <= 0 || part > all || part < 1 {
		return "", 0
	}
	return strconv.Itoa((200*part + all) / (2 * all)), n + 1
}

// Percentage reports whether a sentence gives a percentage.
func (s *Sentence) Percentage() bool { return slices.Contains(s.Words, percent) }
