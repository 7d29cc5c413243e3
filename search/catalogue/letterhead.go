package catalogue

import (
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"muniment/search/retrieve"
	"muniment/text/lexicon"
)

// A Head is what the first and last lines of a letter say of it. Each part is in the letter's own words, "" where there is none: a
// suggestion, which no record states.
type Head struct {
	Heading    string // the lines above the salutation, without the date: a place, a street
	Date       string // EDTF
	DateText   string // its words
	Salutation string // Dear Captain Rundle
	Address    string // the lines of the heading that name to whom it goes: Mr. E. Rundle
	Closing    string // Your affectionate aunt
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
	// runIn is a salutation with which a longer line begins; nameAlone is one that is nothing but a name or a kinship, below other lines.
	runIn     = regexp.MustCompile(`^(?:(?i:my|our|mein|meine) )?(?:(?i:own|very|most|ever|sehr) )?(?i:dear(?:est)?|beloved|honou?red|lieber?|liebste[rn]?|teure[rs]?)(?: (?i:old|little|good|own|kleine|gute))?(?: (?:(?i:sir|madam|friend|mother|father|brother|sister|aunt|uncle|cousin|son|daughter|husband|wife|child|boy|girl|mutter|vater|bruder|schwester|tante|onkel|freund|freundin)|\p{Lu}[\p{L}.’'-]*)){1,4} ?[,:;!—–-]+ `)
	nameAlone = regexp.MustCompile(`^(?:(?i:my|to) )?\p{Lu}[\p{L}.’'-]+(?: \p{Lu}[\p{L}.’'-]*){0,2}[,:!—–-]+$`)
	closing   = regexp.MustCompile(`(?i)\b(?:yours?|ever|faithfully|sincerely|truly|affectionate(?:ly)?|obedient(?:ly)?|respects|loving|deine?|euer|eure|ihre?|hochachtungsvoll|gr(?:ü|u)(?:ß|ss)en?)\b`)
)

// signedName is a name alone on the last line of a letter.
var signedName = regexp.MustCompile(`^\p{Lu}[\p{L}’'-]*\.?(?: \p{Lu}[\p{L}’'-]*\.?){0,2}$`)

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
			if first, _, _ := strings.Cut(strings.ToLower(line), " "); first == "to" || lexicon.Honorific.Has(strings.Trim(first, ".")) {
				h.Address = strings.Trim(h.Address+"; "+line, "; ")
			}
		}
	}
	if h.Date == "" && saluted != "" {
		h.Date, h.DateText = footDate(text, name)
	}
	if h.Date == "" {
		h.Date, h.DateText = nameDate(name)
	}
	h.Heading, h.Salutation = strings.Join(heading, ", "), strings.TrimRight(saluted, " ,:!-.;")
	if saluted != "" {
		last, at := signedLines(text)
		if n := len(last) - 1; at > n && n >= 0 && signedName.MatchString(last[n]) && last[n] != saluted {
			at = n
		}
		h.Signature = signatureIn(last, at)
		if at < len(last) {
			h.Closing = last[at]
		}
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
		case runIn.MatchString(line) && len(line) > len(runIn.FindString(line)):
			return lines, strings.TrimSpace(runIn.FindString(line))
		case len(lines) > 0 && nameAlone.MatchString(line) && isSigned(text):
			return lines, line
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
	line = plainDate(wholeYear(romanMonth(line), name))
	if date, at := feastDate(line); date != "" {
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

var (
	roman  = regexp.MustCompile(`(?i)\b(\d{1,2})[./ -]{1,2}(i{1,3}|iv|vi{0,3}|ix|xi{0,2})[./ -]{1,2}(\d{4}|\d{2})\b`)
	romans = []string{"i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii"}
)

// romanMonth returns a line with the month in digits that it gives in Roman numerals: 12.xi.01.
func romanMonth(line string) string {
	m := roman.FindStringSubmatch(line)
	if m == nil {
		return line
	}
	month := slices.Index(romans, strings.ToLower(m[2])) + 1
	year := m[3]
	if len(year) == 2 {
		year = "'" + year // as wholeYear reads it
	}
	return strings.Replace(line, m[0], m[1]+" "+time.Month(month).String()+" "+year, 1)
}

// shortYear is a year of two digits at the end of a line: after an apostrophe or a slash, or after a day and a month.
var shortYear = regexp.MustCompile(`(?:(?:['’]|/)|\b\d{1,2}(?:st|nd|rd|th)?\.? (?:of )?[A-Z][a-z]{2,8}\.?,? |\b[A-Z][a-z]{2,8}\.? \d{1,2}(?:st|nd|rd|th)?[.,]? )(\d{2})\.?$`)

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
			return strings.TrimRight(line[:at[2]], "'’/") + " " + year
		}
	}
	return line
}

// isSigned reports whether a text ends with a closing phrase and a signature.
func isSigned(text string) bool {
	last, at := signedLines(text)
	return at < len(last)
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
