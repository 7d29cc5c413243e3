// Package calendar reads dates as people write them, at the precision that they have, and returns them in EDTF:
//
//	date, ok := calendar.Reader{}.Read("4 février 1913")      // 1913-02-04
//	date, ok = calendar.Reader{}.Read("between 1920 and 1922") // 1920/1922
//	date, words, rest := calendar.Reader{}.Find("Bath, Michaelmas 1817") // 1817-09-29~
//
// It is the one reader of dates in inventories, in the heads of letters and in the names of files. The words are in words.txt, the feasts in
// feast.go: "c. 1911" is 1911~, "[1901]" is 1901?, "the 1920s" 192X, "19th century" 18XX, "n.d." no date and yet read.
//
// Limits: what two readers would read as different days has the precision on which they agree: 4/2/1913 is 1913. A year
// of two digits is read where Reader.Years names the years that are possible. Old and new style are not told apart.
// English is read whole; of other languages the words of words.txt. The package is pure.
package calendar

import (
	"bufio"
	_ "embed"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"muniment/snapshot/edtf"
)

// MaxDate is how many bytes a date has at most: longer texts are sentences.
const MaxDate = 120

// A Reader reads dates. The zero value reads those with years of four digits.
type Reader struct {
	Years string // a text that has the years that a year of two digits may be: the name of a file, "1890 1891"
}

//go:embed words.txt
var words string

// The meanings of words.txt that are no number of a month or a season.
const (
	about   = "about"
	maybe   = "maybe"
	before  = "before"
	until   = "until"
	after   = "after"
	since   = "since"
	between = "between"
	joins   = "to"
	conj    = "and"
	filler  = "of"
	undated = "undated"
	decade  = "decade"
	century = "century"
	part    = "early"
	weekday = "weekday"
)

// meanings returns the meanings of each word, of which a word may have several.
var meanings = sync.OnceValue(func() map[string][]string {
	out := map[string][]string{}
	for s := bufio.NewScanner(strings.NewReader(words)); s.Scan(); {
		meaning, list, ok := strings.Cut(s.Text(), " ")
		if !ok || meaning == "#" {
			continue
		}
		for _, word := range strings.Fields(list) {
			word = strings.TrimSpace(strings.ReplaceAll(word, "_", " "))
			out[word] = append(out[word], meaning)
		}
	}
	return out
})

// means reports whether a word, or several with spaces between them, has a meaning.
func means(word, meaning string) bool {
	word = strings.Trim(strings.ToLower(word), ".,")
	return slices.Contains(meanings()[word], meaning)
}

// Read reads a text that is all a date and returns it in EDTF, "" for one that says that there is none. ok is false where it is no date.
func (r Reader) Read(text string) (date string, ok bool) {
	text = strings.Join(strings.Fields(text), " ")
	if text == "" || len(text) > MaxDate || !utf8.ValidString(text) {
		return "", false
	}
	if d, err := edtf.Parse(text); err == nil && !d.IsZero() && !isSpan(text) {
		return text, true
	}
	if bare := strings.Trim(text, "[]()"); means(bare, undated) || means(strings.ReplaceAll(bare, " ", ""), undated) {
		return "", true
	}
	if date, ok = r.span(text); !ok {
		return "", false
	}
	_, err := edtf.Parse(date)
	return date, err == nil
}

// isSpan reports whether a text of digits is two years and no month of EDTF: 1871-72, 1905-22.
func isSpan(text string) bool {
	if len(text) != len("1871-72") || text[4] != '-' {
		return false
	}
	from, err1 := strconv.Atoi(text[2:4])
	to, err2 := strconv.Atoi(text[5:])
	return err1 == nil && err2 == nil && to > 12 && to > from
}

// span reads a date, or the beginning and the end of a period.
func (r Reader) span(text string) (string, bool) {
	fields := strings.Fields(text)
	if date, ok := r.point(text); ok {
		return date, true
	}
	for n := min(3, len(fields)-1); n > 0; n-- {
		head, rest := strings.Join(fields[:n], " "), strings.Join(fields[n:], " ")
		switch {
		case means(head, between):
			return r.period(rest, conj)
		case means(head, before):
			return r.open("", rest, -1)
		case means(head, until):
			return r.open("", rest, 0)
		case means(head, after):
			return r.open(rest, "", 1)
		case means(head, since):
			if date, ok := r.period(rest, joins); ok {
				return date, true
			}
			return r.open(rest, "", 0)
		case means(head, about):
			return mark(r, rest, "~")
		case means(head, maybe):
			return mark(r, rest, "?")
		}
	}
	if bare, ok := strings.CutSuffix(text, "?"); ok {
		return mark(r, strings.TrimSuffix(strings.TrimSpace(bare), "("), "?")
	}
	if bare, ok := strings.CutSuffix(text, "(?)"); ok {
		return mark(r, bare, "?")
	}
	if strings.HasPrefix(text, "[") && strings.HasSuffix(text, "]") {
		return mark(r, text[1:len(text)-1], "?") // supplied by whoever described it
	}
	return r.period(text, joins)
}

// mark reads a date and puts a mark of doubt at its end, where it has none.
func mark(r Reader, text, sign string) (string, bool) {
	date, ok := r.span(strings.TrimSpace(strings.TrimLeft(text, ".")))
	if !ok || date == "" {
		return "", false
	}
	if from, to, ok := strings.Cut(date, "/"); ok {
		return withMark(from, sign) + "/" + withMark(to, sign), true
	}
	return withMark(date, sign), true
}

func withMark(date, sign string) string {
	switch {
	case date == "" || date == ".." || strings.HasSuffix(date, sign) || strings.HasSuffix(date, "%"):
		return date
	case strings.HasSuffix(date, "~") || strings.HasSuffix(date, "?"):
		return date[:len(date)-1] + "%"
	}
	return date + sign
}

// open reads a period that is open on one side. shift is 1 or -1 where the date itself is not in it.
func (r Reader) open(from, to string, shift int) (string, bool) {
	date, ok := r.span(from + to)
	if !ok || strings.Contains(date, "/") {
		return "", false
	}
	if shift != 0 {
		date = nextTo(date, shift)
	}
	if from != "" {
		return date + "/..", true
	}
	return "../" + date, true
}

// nextTo returns the year before or after a year; other dates are returned as they are.
func nextTo(date string, shift int) string {
	if year, err := strconv.Atoi(date); err == nil && len(date) == 4 {
		return pad(year+shift, 4)
	}
	return date
}

// period reads two dates with a word or a dash between them. What the first one lacks it has of the second: 3 to 5 May 1913.
func (r Reader) period(text, joint string) (string, bool) {
	fields := strings.Fields(spaceDashes(text))
	for i := 1; i < len(fields)-1; i++ {
		if !means(fields[i], joint) && !(joint == joins && means(fields[i], conj)) {
			continue
		}
		from, to := strings.Join(fields[:i], " "), strings.Join(fields[i+1:], " ")
		second, ok := r.span(to)
		if !ok {
			second, ok = r.shortEnd(from, to)
		}
		if !ok || second == "" || strings.Contains(second, "/") {
			continue
		}
		for _, whole := range []string{from, from + " " + lastField(to), from + " " + strings.Join(tail(strings.Fields(to), 2), " ")} {
			if first, ok := r.span(whole); ok && first != "" && !strings.Contains(first, "/") {
				return first + "/" + second, true
			}
		}
	}
	return "", false
}

// shortEnd reads the end of a period that lacks the beginning of its year: 1905-6, 1913/14.
func (r Reader) shortEnd(from, to string) (string, bool) {
	last := lastField(from)
	if n, err := strconv.Atoi(to); err != nil || n < 0 || len(to) > 2 || len(last) != 4 || !isDigits(last) {
		return "", false
	}
	year := last[:4-len(to)] + to
	if year <= last {
		return "", false
	}
	return year, true
}

func lastField(text string) string {
	fields := strings.Fields(text)
	if len(fields) == 0 {
		return ""
	}
	return fields[len(fields)-1]
}

func tail(fields []string, n int) []string { return fields[max(0, len(fields)-n):] }

// spaceDashes returns a text with spaces around its dashes and slashes.
func spaceDashes(text string) string {
	return strings.NewReplacer("–", " – ", "—", " — ", "/", " / ", "-", " - ").Replace(text)
}
