package catalogue

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"muniment/search/retrieve"
)

// A Head is what the first and last lines of a letter say of it. Each part is in the letter's own words, "" where there is none: a
// suggestion, which no record states.
type Head struct {
	Heading    string // the lines above the salutation, without the date: a place, a street
	Date       string // EDTF
	DateText   string // its words
	Salutation string // Dear Captain Rundle
	Signature  string // P. Rundle

	// Lines are the lines of which the head and the signature were read, as they are: no sentence of the letter.
	Lines []string
}

// The head of a letter: place and date are alone on short lines above the salutation.
const (
	headLines    = 6   // that are not blank
	maxHeadLine  = 80  // bytes; longer ones are sentences
	maxHeadBytes = 600 // of the text that are looked at
	maxHeadWords = 8   // besides the date: a place, a street, a feast
	tailLines    = 6   // at the end, among which is a signature
	maxSignature = 50  // bytes
)

var (
	salutation = regexp.MustCompile(`(?i)^(?:my |our |mon |ma |o )?(?:own |very |most )?(?:dear(?:est)?|beloved|reverend|honou?red|sirs?\b|madam|gentlemen|lieber?|liebste[rn]?|(?:sehr )?(?:ge|ver)ehrte[rn]?|hochverehrte[rn]?|teure[rs]?|ch[eè]re?)\b.{0,50}$`)
	closing    = regexp.MustCompile(`(?i)\b(?:yours?|ever|faithfully|sincerely|truly|affectionate(?:ly)?|obedient(?:ly)?|respects|loving|deine?|euer|eure|ihre?|hochachtungsvoll|gr(?:ü|u)(?:ß|ss)en?)\b`)
)

// ReadHead reads the head and the signature of a text. name is the file's: it says in which century a date with two digits lies.
func ReadHead(text, name string) (h Head) {
	lines, saluted := headOf(text)
	var heading []string
	for _, line := range lines {
		date, words, rest := lineDate(line, name)
		if h.Date == "" && date != "" {
			h.Date, h.DateText, line = date, words, rest
		}
		if saluted != "" && strings.TrimSpace(line) != "" {
			heading = append(heading, strings.Trim(line, " ,.;"))
		}
	}
	h.Heading, h.Salutation = strings.Join(heading, ", "), strings.TrimRight(saluted, " ,:!-.;")
	if saluted != "" {
		last, at := signedLines(text)
		h.Signature = signatureIn(last, at)
		h.Lines = append(append(lines, saluted), last[at:]...)
	}
	return h
}

// headOf returns the lines above the salutation, or the first ones where there is none.
func headOf(text string) (lines []string, saluted string) {
	for line := range strings.Lines(text[:min(len(text), maxHeadBytes)]) {
		line = strings.TrimSpace(line)
		switch {
		case line == "":
			continue
		case len(lines) == headLines:
			return lines, ""
		case len(line) <= maxHeadLine && salutation.MatchString(line) && strings.ContainsAny(line[len(line)-1:], ",:!-.;") || salutation.MatchString(line) && len(strings.Fields(line)) <= 4:
			return lines, line
		}
		lines = append(lines, line)
	}
	return lines, ""
}

// lineDate returns the date of a heading line in EDTF, its words and the rest of the line; "" where it has none, more than one, or says
// much else. A year alone may be any number.
func lineDate(line, name string) (date, words, rest string) {
	if len(line) > maxHeadLine || !utf8.ValidString(line) || !strings.ContainsFunc(line, unicode.IsDigit) {
		return "", "", line
	}
	line = wholeYear(line, name)
	if date, at := feast(line); date != "" {
		return date, line[at[0]:at[1]], line[:at[0]] + line[at[1]:]
	}
	found := retrieve.Dates(line)
	if len(found) != 1 || found[0].From[:7] != found[0].To[:7] {
		return "", "", line
	}
	r := found[0]
	rest = line[:r.Start] + " " + line[r.End:]
	if len(strings.Fields(rest)) > maxHeadWords || strings.Trim(line[r.End:], " .,;])") != "" {
		return "", "", line
	}
	if r.From == r.To {
		return r.From, line[r.Start:r.End], rest
	}
	return r.From[:7], line[r.Start:r.End], rest
}

var shortYear = regexp.MustCompile(`(?:['’]|/)(\d{2})\.?$`)

// wholeYear returns a line that ends in a year of two digits with that of four digits which the name of the file has: Nov. 17/95 and
// 1895.
func wholeYear(line, name string) string {
	at := shortYear.FindStringSubmatchIndex(line)
	if at == nil {
		return line
	}
	for _, century := range []string{"17", "18", "19", "20"} {
		year := century + line[at[2]:at[3]]
		if strings.Contains(name, year) {
			return line[:at[0]] + " " + year
		}
	}
	return line
}

// feasts are days of the calendar, as days after Easter or as month and day.
var feasts = map[string]struct{ after, month, day int }{
	"easter": {}, "easter sunday": {}, "easter monday": {after: 1}, "good friday": {after: -2}, "ash wednesday": {after: -46}, "whit sunday": {after: 49},
	"whitsunday": {after: 49}, "whit monday": {after: 50}, "ascension day": {after: 39}, "ostern": {}, "pfingsten": {after: 49}, "ostermontag": {after: 1},
	"michaelmas": {month: 9, day: 29}, "christmas": {month: 12, day: 25}, "lady day": {month: 3, day: 25}, "candlemas": {month: 2, day: 2},
	"martinmas": {month: 11, day: 11}, "midsummer": {month: 6, day: 24}, "lammas": {month: 8, day: 1}, "all saints": {month: 11, day: 1},
	"weihnachten": {month: 12, day: 25}, "michaelis": {month: 9, day: 29}, "johannis": {month: 6, day: 24}, "martini": {month: 11, day: 11},
}

var feastYear = regexp.MustCompile(`(?i)\b(easter sunday|easter monday|easter|good friday|ash wednesday|whit ?sunday|whit monday|ascension day|michaelmas|christmas|lady day|candlemas|martinmas|midsummer|lammas|all saints|ostern|ostermontag|pfingsten|weihnachten|michaelis|johannis|martini)(?: day)?,? (1[0-9]\d\d|20\d\d)\b`)

// feast returns the day of a feast with its year, and where the words are. A feast that names a season as well, such as Michaelmas, is
// approximate.
func feast(line string) (date string, at []int) {
	m := feastYear.FindStringSubmatchIndex(line)
	if m == nil {
		return "", nil
	}
	f := feasts[strings.ToLower(line[m[2]:m[3]])]
	year := 0
	for _, c := range line[m[4]:m[5]] {
		year = 10*year + int(c-'0')
	}
	if f.month == 0 {
		day := easter(year).AddDate(0, 0, f.after)
		return day.Format("2006-01-02"), m[:2]
	}
	date = fmt.Sprintf("%04d-%02d-%02d", year, f.month, f.day)
	if !strings.Contains(strings.ToLower(line[m[0]:m[1]]), "day") {
		date += "~"
	}
	return date, m[:2]
}

// signedLines returns the last lines of a text and the index of the closing phrase that the signature follows, their number where there is
// none.
func signedLines(text string) (last []string, at int) {
	for line := range strings.Lines(text[max(0, len(text)-maxHeadBytes):]) {
		if line = strings.TrimSpace(line); line != "" {
			last = append(last, line)
		}
	}
	last = last[max(0, len(last)-tailLines):]
	for i := len(last) - 1; i >= 0; i-- {
		if len(last[i]) <= maxHeadLine && closing.MatchString(last[i]) && len(strings.Join(last[i+1:], ", ")) <= maxSignature {
			return last, i
		}
	}
	return last, len(last)
}

// signatureIn returns the lines after a closing phrase: P. Rundle; the closing itself where it ends the letter: Your loving Mother.
func signatureIn(last []string, closing int) string {
	if closing+1 < len(last) {
		last = last[closing+1:]
	} else {
		last = last[closing:]
	}
	return strings.Trim(strings.Join(last, ", "), " ,.")
}
