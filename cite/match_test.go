package cite

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"muniment/canon"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// brute is the search of docs/spec/citation.md with nothing but loops: the
// peer that Find is compared with.
type brute struct {
	src   []byte
	runes []rune // folded
	from  []int  // source offset where each folded code point begins
	to    []int  // and ends
	inner []bool // not the first of the code points one source code point folds to
}

func newBrute(src []byte) *brute {
	b := &brute{src: src}
	for i := 0; i < len(src); {
		r, n := utf8.DecodeRune(src[i:])
		end := i + n
		out := []rune{r}
		if to := foldRune(r); to != "" {
			out = []rune(to)
		}
		last := len(b.runes) - 1
		switch {
		case isDropped(r):
			out = nil
		case isSpace(r):
			out = []rune{' '}
			if last >= 0 && b.runes[last] == ' ' {
				b.to[last] = end
				out = nil
			}
		case isDash(r):
			out = []rune{'-'}
			if last >= 0 && b.runes[last] == '-' && b.to[last] == i {
				b.to[last] = end
				out = nil
			}
		}
		for j, o := range out {
			b.runes, b.from, b.to, b.inner = append(b.runes, o), append(b.from, i), append(b.to, end), append(b.inner, j > 0)
		}
		i = end
	}
	return b
}

func (b *brute) canStart(i int) bool {
	return b.runes[i] != ' ' && !b.inner[i] && !splitsWord(b.src, b.from[i])
}

func (b *brute) canEnd(i int) bool { // behind code point i-1
	return b.runes[i-1] != ' ' && (i == len(b.runes) || !b.inner[i]) && !splitsWord(b.src, b.to[i-1])
}

// find returns the byte ranges of the best matches and their status.
func (b *brute) find(quote string) (status Status, places [][2]int, edits int) {
	quote = strings.TrimFunc(quote, isSpace)
	for i := range b.src {
		end := i + len(quote)
		if end <= len(b.src) && string(b.src[i:end]) == quote && !splitsWord(b.src, i) && !splitsWord(b.src, end) {
			places = append(places, [2]int{i, end})
		}
	}
	if len(places) > 0 {
		return several(Exact, places), places, 0
	}
	q := []rune(strings.Trim(string(newBrute([]byte(quote)).runes), " "))
	for i := range b.runes {
		end := i + len(q)
		if end <= len(b.runes) && slices.Equal(b.runes[i:end], q) && b.canStart(i) && b.canEnd(end) {
			places = append(places, [2]int{b.from[i], b.to[end-1]})
		}
	}
	if len(places) > 0 {
		return several(Normalized, places), places, 0
	}
	if n := len(q); n > 2 && q[0] == q[n-1] && (q[0] == '"' || q[0] == '\'') {
		inner := []rune(strings.Trim(string(q[1:n-1]), " "))
		for i := range b.runes {
			end := i + len(inner)
			if len(inner) > 0 && end <= len(b.runes) && slices.Equal(b.runes[i:end], inner) && b.canStart(i) && b.canEnd(end) {
				places = append(places, [2]int{b.from[i], b.to[end-1]})
			}
		}
		if len(places) > 0 {
			return several(Normalized, places), places, 0
		}
	}
	return b.fuzzy(q)
}

func several(s Status, places [][2]int) Status {
	if len(places) > 1 {
		return Ambiguous
	}
	return s
}

func (b *brute) fuzzy(q []rune) (status Status, places [][2]int, edits int) {
	best := MaxEdits(len(q))
	if best == 0 {
		return Absent, nil, 0
	}
	type hit struct{ start, end int }
	var hits []hit
	for end := 1; end <= len(b.runes); end++ {
		if !b.canEnd(end) {
			continue
		}
		least, at := best+1, -1
		row := make([]int, len(q)+1) // edits between the last i of q and the run
		for i := range row {
			row[i] = i
		}
		for start := end - 1; start >= 0 && end-start <= len(q)+best; start-- {
			diagonal := row[0]
			row[0]++
			for i := 1; i <= len(q); i++ {
				c := diagonal
				if q[len(q)-i] != b.runes[start] {
					c++
				}
				diagonal = row[i]
				row[i] = min(c, row[i]+1, row[i-1]+1)
			}
			if b.canStart(start) && row[len(q)] <= least {
				least, at = row[len(q)], start
			}
		}
		if at < 0 || least > best {
			continue
		}
		if least < best {
			best, hits = least, nil
		}
		hits = append(hits, hit{at, end})
	}
	if len(hits) == 0 {
		return Absent, nil, 0
	}
	slices.SortFunc(hits, func(x, y hit) int {
		if x.start != y.start {
			return x.start - y.start
		}
		return y.end - x.end
	})
	lastEnd := -1
	for _, h := range hits {
		if h.start >= lastEnd {
			places = append(places, [2]int{b.from[h.start], b.to[h.end-1]})
			lastEnd = h.end
		}
	}
	return Fuzzy, places, best
}

// pieces of random texts: words, numbers, contractions, every folded sign.
var textPieces = []string{
	"the", "cat", "sat", "mat", "can", "can't", "can’t", "Anna", "not", "1,200", "12", "barn", "a", "b",
	"ﬁne", "fine", "co\u00ADop", "coop", "“Oh”", `"Oh"`, "--", "—", "-", "-5", ".", ",", "ä", "日本", "émile", "aaa", "aaab",
	"👨\u200D👩\u200D👧", "👩🏽", "🇩🇪🇫🇷", "שלום", "e\u0323\u0302",
}

var textSpaces = []string{" ", " ", " ", "\n", "  ", "\n\n", " \u00AD ", "\u00A0", ""}

func drawText(t *rapid.T, label string, most int) string {
	n := rapid.IntRange(1, most).Draw(t, label)
	var b strings.Builder
	for range n {
		b.WriteString(rapid.SampledFrom(textPieces).Draw(t, "piece"))
		b.WriteString(rapid.SampledFrom(textSpaces).Draw(t, "space"))
	}
	return b.String()
}

// drawQuote takes a run of the text and changes a few of its code points.
func drawQuote(t *rapid.T, text string) string {
	runes := []rune(text)
	from := rapid.IntRange(0, len(runes)-1).Draw(t, "from")
	to := rapid.IntRange(from+1, min(len(runes), from+160)).Draw(t, "to")
	q := slices.Clone(runes[from:to])
	for range rapid.SampledFrom([]int{0, 0, 1, 2, 3, 8, 20}).Draw(t, "edits") {
		at := rapid.IntRange(0, len(q)-1).Draw(t, "at")
		r := rapid.SampledFrom([]rune("abct 1'-\n“日")).Draw(t, "rune")
		switch rapid.IntRange(0, 2).Draw(t, "op") {
		case 0:
			q[at] = r
		case 1:
			q = slices.Insert(q, at, r)
		case 2:
			if len(q) > 1 {
				q = slices.Delete(q, at, at+1)
			}
		}
	}
	if rapid.Bool().Draw(t, "typography") {
		return strings.NewReplacer("’", "'", "“", `"`, "\n", " ", "ﬁ", "fi", "\u00AD", "", "—", "--").Replace(string(q))
	}
	return string(q)
}

func TestFindAgreesWithBruteForce(t *testing.T) {
	seen := map[Status]int{}
	agrees := func(t *rapid.T) {
		text := string(canon.NFC([]byte(drawText(t, "pieces", 60))))
		quote := string(canon.NFC([]byte(drawQuote(t, text))))
		if len(foldQuote(quote)) == 0 {
			return
		}
		d := canon.NewDocument([]byte(text))
		m, err := Find(d, quote, nil)
		if err != nil {
			t.Fatalf("Find(%q, %q): %v", text, quote, err)
		}
		status, places, edits := newBrute([]byte(text)).find(quote)
		seen[status]++
		var got [][2]int
		for _, s := range append([]Span{m.Span}, m.Others...) {
			if m.Status != Absent {
				start, end, err := Resolve(d, s)
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, [2]int{start, end})
			}
		}
		if m.Status != status || !cmp.Equal(got, places[:min(len(places), MaxPlaces)]) || status == Fuzzy && m.Edits != edits {
			t.Fatalf("text %q\nquote %q\ngot  %s %v %d edits\nwant %s %v %d edits", text, quote, m.Status, got, m.Edits, status, places, edits)
		}
	}
	for range 30 { // thousands: a hundred trials see too few of the rare statuses
		rapid.Check(t, agrees)
	}
	for _, s := range []Status{Exact, Normalized, Fuzzy, Ambiguous, Absent} {
		if seen[s] == 0 {
			t.Errorf("no random trial was %s", s)
		}
	}
}

// The filter by pieces and the plain scan give the same places.
func TestFilterAgreesWithScan(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := drawText(t, "pieces", 400)
		f := &finder{payload: []byte(text), quote: foldQuote(drawQuote(t, text))}
		f.d, f.to = canon.NewDocument(f.payload), len(f.payload)
		f.runes, f.view = []rune(string(f.quote)), fold(f.payload)
		k := min(MaxEdits(len(f.runes)), len(f.runes)/pieceLen-1)
		if k < 1 {
			return
		}
		got, want := f.best(k, f.candidates(k)), f.best(k, []run{{0, len(f.view.text)}})
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(place{})); diff != "" {
			t.Fatalf("text %q quote %q: %s", text, f.quote, diff)
		}
	})
}

func TestWordBoundaries(t *testing.T) {
	// ^ marks a place where a quote may begin or end, beside the text's edges.
	tests := []string{
		"Linus^ ^likes^ ^Linuses", "can't", "O'Neill^ ^can’t", "^1,500^ ^pounds", "12.5^%", "10:30^ ^am", "3/4", "^-^ ^5",
		"it^ ^was^ −5", "1^-^5", "non^-^stop", "end^.^ ^Next", "co\u00ADop", "日^本^語", "e\u0301a", "snake_case", "(^-5^)",
		"‘^Oh^’^ ^he^ ^said", "^👨\u200D👩\u200D👧^👨^", "^👩🏽^👩^", "^🇩🇪^🇫🇷^", "ab\u200Dc", "na\u200Cme", "שלום^ ^עולם", "ab\u200Ec",
	}
	for _, marked := range tests {
		text := strings.ReplaceAll(marked, "^", "")
		want := map[int]bool{}
		at := 0
		for _, r := range marked {
			if r == '^' {
				want[at] = true
				continue
			}
			at += utf8.RuneLen(r)
		}
		for i := 1; i < len(text); i++ {
			if !utf8.RuneStart(text[i]) {
				continue
			}
			inside := text[i] == ' ' || text[i-1] == ' ' // beside a space is always a boundary, but for signs
			if got := !splitsWord([]byte(text), i); got != want[i] && !(inside && got) {
				t.Errorf("%q at %d (%q|%q): boundary %v, want %v", text, i, text[:i], text[i:], got, want[i])
			}
		}
	}
}

func TestFindRefuses(t *testing.T) {
	d := canon.NewDocument([]byte("One.\n\nTwo.\n"))
	for name, quote := range map[string]string{"empty": "", "white space": " \n\t", "soft hyphen": "\u00AD", "not UTF-8": "O\xffne"} {
		if m, err := Find(d, quote, nil); err == nil || !cmp.Equal(m, Match{}) {
			t.Errorf("%s: %+v, %v", name, m, err)
		}
	}
	if m, err := Find(d, "One", &Span{Kind: Paragraphs, From: Point{3, 0}, To: Point{3, 1}}); err == nil || !cmp.Equal(m, Match{}) {
		t.Errorf("within a unit that does not exist: %+v, %v", m, err)
	}
}

// A place outside within is offered, never taken.
func TestFindWithin(t *testing.T) {
	d := canon.NewDocument([]byte("The mill burned.\n\nThe mill stood.\n"))
	within, err := ParseSpan("l3:0-15")
	if err != nil {
		t.Fatal(err)
	}
	m, err := Find(d, "The mill", &within)
	if err != nil || m.Status != Exact || m.Span.String() != "l3:0-8" {
		t.Errorf("inside: %+v, %v", m, err)
	}
	m, err = Find(d, "mill burned", &within)
	if err != nil || m.Status != Absent || m.Nearest == nil || m.Nearest.String() != "l1:4-15" || m.Edits != 0 {
		t.Errorf("outside: %+v, %v", m, err)
	}
}

// A repeated quote stops at MaxPlaces, in linear time.
func TestFindManyPlaces(t *testing.T) {
	d := canon.NewDocument([]byte(strings.Repeat("a ", 1<<18)))
	m, err := Find(d, "a", nil)
	if err != nil || m.Status != Ambiguous || len(m.Others) != MaxPlaces-1 {
		t.Errorf("%s with %d others, %v", m.Status, len(m.Others), err)
	}
	// Near matches everywhere, and a quote too long for any.
	for _, quote := range []string{strings.Repeat("a ", 100) + "b", strings.Repeat("a ", LongQuote) + "b"} {
		if m, err = Find(d, quote, nil); err != nil || m.Verifies() {
			t.Errorf("%s, %v", m.Status, err)
		}
	}
	d = canon.NewDocument([]byte(strings.Repeat("a", 1<<18)))
	for _, quote := range []string{strings.Repeat("a", 2000), strings.Repeat("ab", 500), strings.Repeat("a ", 500)} {
		if m, err = Find(d, quote, nil); err != nil || m.Status != Absent {
			t.Errorf("%s, %v", m.Status, err)
		}
	}
}

func TestCompare(t *testing.T) {
	tests := []struct{ quote, found, want string }{
		{"the same", "the  same", ""},
		{"paid 1,200 pounds", "paid 1,300 pounds", ChangedNumber},
		{"paid 1,200 pounds", "paid 1200 pounds", ChangedWording},
		{"twelve of them", "12 of them", ChangedWording},
		{"twelve percent", "eleven percent", ChangedNumber},
		{"some of them came", "two of them came", ChangedNumber},
		{"it cost $5 then", "it cost €5 then", ChangedNumber},
		{"it fell to -5 there", "it fell to 5 there", ChangedNumber},
		{"I did not go", "I did go", ChangedNegation},
		{"he was not there", "he was never there", ChangedWording},
		{"we can go now", "we can't go now", ChangedNegation},
		{"we can’t go now", "we cannot go now", ChangedWording},
		{"we can’t go now", "we can not go now", ChangedNegation},
		{"she was happy then", "she was unhappy then", ChangedNegation},
		{"nicht im Haus", "im Haus", ChangedNegation},
		{"he saw Anna there", "he saw Emma there", ChangedName},
		{"he saw Anna there", "he saw there", ChangedName},
		{"Then he came", "Later he came", ChangedWording},
		{"He came. Then he left", "He came. Soon he left", ChangedWording},
		{"so I said", "so you said", ChangedWording},
		{"the red barn", "the green barn", ChangedWording},
		{"the Red barn", "the red barn", ChangedCase},
		{"the barn, then", "the barn then", ChangedPunctuation},
		{"the barn, Then", "the barn then", ChangedCase},
		{"not 5 but Anna", "6 but Emma", ChangedNumber},
		{"not Anna but me", "Emma but me", ChangedNegation},
		{"dogs 2 and cats 3", "dogs 3 and cats 2", ChangedNumber},
		{"in volume XIV of it", "in volume XVI of it", ChangedNumber},
		{"by Henry V and others", "by Henry VI and others", ChangedNumber},
		{"elle n'est pas venue", "elle est venue", ChangedNegation},
		{"il a payé cinq livres", "il a payé sept livres", ChangedNumber},
		{"он не пришёл домой", "он пришёл домой", ChangedNegation},
		{"我们不去", "我们去", ChangedNegation},
		{"costs five percent more", "costs five permille more", ChangedNumber},
	}
	for _, tt := range tests {
		if got := Compare(tt.quote, tt.found); got != tt.want {
			t.Errorf("Compare(%q, %q) = %q, want %q", tt.quote, tt.found, got, tt.want)
		}
	}
}

// Beyond maxCells all words between the ends count as changed.
func TestCompareLarge(t *testing.T) {
	a := strings.Repeat("x y ", 1500)
	if got := Compare("s "+a+"not z", "s "+a+"y w z"); got != ChangedNegation {
		t.Errorf("with a common beginning: %q", got)
	}
	if got := Compare("s 5 "+a, "t "+a+" 5"); got != ChangedNumber {
		t.Errorf("too large to align: %q", got)
	}
}

// The view and its source run in step: every folded place leads back to the
// bytes it was made of.
func TestFoldOffsets(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := []byte(drawText(t, "pieces", 40))
		v, b := fold(src), newBrute(src)
		if string(v.text) != string(b.runes) {
			t.Fatalf("%q folds to %q, want %q", src, v.text, string(b.runes))
		}
		at := 0
		for i, r := range b.runes {
			if start, ok := v.start(at); ok != !b.inner[i] || ok && start != b.from[i] {
				t.Fatalf("%q: start of %d is %d, %v; want %d", src, at, start, ok, b.from[i])
			}
			at += utf8.RuneLen(r)
			partial := i+1 < len(b.runes) && b.inner[i+1]
			if end, ok := v.end(at); ok == partial || ok && end != b.to[i] {
				t.Fatalf("%q: end of %d is %d, %v; want %d", src, at, end, ok, b.to[i])
			}
		}
	})
}

func FuzzFind(f *testing.F) {
	f.Add([]byte("Linus paid £1,200\nfor the barn.\n"), "paid £1,300 for the barn")
	f.Add([]byte("\xff\x80 not text \xc3"), "not test")
	f.Fuzz(func(t *testing.T, text []byte, quote string) {
		d := canon.NewDocument(text)
		m, err := Find(d, quote, nil)
		if err != nil {
			if !cmp.Equal(m, Match{}) {
				t.Fatalf("a match beside the error %v", err)
			}
			return
		}
		if (m.Status == Absent) == !m.Span.IsZero() {
			t.Fatalf("status %s with span %q", m.Status, m.Span)
		}
		for _, s := range append([]Span{m.Span}, m.Others...) {
			if s.IsZero() {
				continue
			}
			q, err := Quote(d, s)
			if err != nil {
				t.Fatal(err)
			}
			if folded := foldQuote(quote); m.Verifies() && string(foldQuote(q)) != string(folded) && string(foldQuote(q)) != string(trimQuotes(folded)) {
				t.Fatalf("quote %q verifies with %q", quote, q)
			}
		}
	})
}
