package catalogue

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"muniment/text/calendar"
	"muniment/text/lexicon"
	"muniment/text/segment"
)

// A Head is what the first and last lines of a letter say of it. Each part is in the letter's own words, "" where there
// is none: a suggestion, which no record states.
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

// Text returns the parts of a head that say who wrote to whom, where and when, a line each.
func (h Head) Text() string {
	return strings.Trim(strings.Join([]string{h.Heading, h.DateText, h.Salutation, h.Signature}, "\n"), "\n")
}

// The head of a letter: place and date are alone on short lines above the salutation.
const (
	headLines    = 6   // that are not blank
	maxHeadLine  = 80  // bytes; longer ones are sentences
	maxHeadBytes = 600 // of the text that are looked at
	maxHeadWords = 8   // besides the date: a place, a street, a feast
	tailLines    = 6   // at the end, among which is a signature
	maxSignature = 50  // bytes
	maxAddress   = 120 // bytes
	maxDay       = 40  // bytes: Wednesday, 12th September 1886
)

var (
	salutation = regexp.MustCompile(`(?i)^(?:(?:my|our|mon|ma|o) (?:(?:own|very|most|ever|good|kind) ){0,2}|(?:meine?|unsere?) (?-i:\p{Ll}+(?:e[rs]?|st),? ){0,2}|very |most )?(?:dear(?:est)?|beloved|reverend|honou?red|sirs?\b|madam|gentlemen|liebe[rs]?|liebste[rns]?|(?:sehr )?(?:ge|ver)ehrte[rns]?|hochverehrte[rns]?|(?:gnädige|werte)[rs]? (?:frau|fräulein|herr)|teu(?:re|erste)[rs]?|ch[eè]re?)\b.{0,50}$`)
	// runIn is a salutation with which a longer line begins; nameAlone is one that is nothing but a name, a kinship or what is the writer's, below other lines.
	runIn     = regexp.MustCompile(`^(?:(?i:my|our|meine?|unsere?) )?(?:(?i:own|very|most|ever|sehr) )?(?i:dear(?:est)?|beloved|honou?red|liebe[rs]?|liebste[rns]?|teu(?:re|erste)[rs]?)(?: (?i:old|little|good|own|kleine|gute))?(?: (?:(?i:sir|madam|friend|mother|father|brother|sister|aunt|uncle|cousin|son|daughter|husband|wife|child|boy|girl|mutter|vater|bruder|schwester|tante|onkel|freund|freundin)|\p{Lu}[\p{L}.’'-]*)){1,4} ?[,:;!—–-]+ `)
	nameAlone = regexp.MustCompile(`^(?:(?i:my|our|meine?|unsere?) (?:\p{Ll}+,? ){0,3}\p{L}+|(?:(?i:to) )?\p{Lu}[\p{L}.’'-]+(?: \p{Lu}[\p{L}.’'-]*){0,2})[,:!—–-]+$`)
	closing   = regexp.MustCompile(`(?i)\b(?:yours?|ever|faithfully|sincerely|truly|affectionate(?:ly)?|obedient(?:ly)?|respects|loving|deine?|euer|eure|ihre?|hochachtungsvoll|gr(?:ü|u)(?:ß|ss)en?)\b`)
)

// signedName is a name alone on the last line of a letter.
var signedName = regexp.MustCompile(`^\p{Lu}[\p{L}’'-]*\.?(?: \p{Lu}[\p{L}’'-]*\.?){0,2}$`)

var (
	// stamp is the time of a cue or of a turn in a transcript. A time of day alone, "10:30 we left", is none.
	stamp = regexp.MustCompile(`^(?:[\[(](?:\d+:)?\d{1,2}:\d\d(?:[.,]\d+)?[\])]|(?:\d+:)?\d{1,2}:\d\d[.,]?\d* --> (?:\d+:)?\d{1,2}:\d\d[.,]?\d*|\d+:\d\d:\d\d(?:[.,]\d+)?)[\t :–-]+`)
	// speaker is whose turn it is, after a stamp.
	speaker = regexp.MustCompile(`^\p{Lu}[\p{L}.’' -]{0,40}:[\t ]+`)
)

// FormalPrefix returns how many bytes at the beginning of a sentence are none of it: the time and the speaker of a cue, or a salutation that runs into it.
func FormalPrefix(sentence string) int {
	n := len(stamp.FindString(sentence))
	if n > 0 {
		n += len(speaker.FindString(sentence[n:]))
	}
	if n += len(runIn.FindString(sentence[n:])); n == len(sentence) {
		return 0
	}
	return n
}

// ReadHead reads the head and the signature of a text. name, the file's, says the century of a date with two digits.
func ReadHead(text, name string) (h Head) {
	lines, saluted := headOf(text)
	dates := calendar.Reader{Years: name}
	var heading []string
	for _, line := range lines {
		date, words, rest := "", "", line
		if len(line) <= maxHeadLine {
			date, words, rest = dates.Find(line, maxHeadWords)
		}
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
		h.Date, h.DateText = footDate(text, dates)
	}
	if h.Date == "" {
		h.Date, h.DateText = dates.InName(name)
	}
	if saluted == "" {
		if at := slices.IndexFunc(lines, isAddress); at >= 0 {
			h.Address, h.Lines = strings.Trim(lines[at], " ,.;"), lines[at:at+1]
		}
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

// Days returns the first and the last of the days of a diary, as a period in EDTF: those which lines of a text name and nothing else; "" for
// fewer than two.
func Days(text string) string {
	first, last := "", ""
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); len(line) < maxDay && strings.ContainsAny(line, "0123456789") {
			if day, ok := (calendar.Reader{}).Read(strings.TrimRight(line, ".:")); ok && len(day) == len("1886-07-03") {
				first, last = min(cmp.Or(first, day), day), max(last, day)
			}
		}
	}
	if first == last {
		return ""
	}
	return first + "/" + last
}

// addressed begins the line of a German letter without a salutation that says to whom it goes: An Fräulein Lene Bruhn.
var addressed = regexp.MustCompile(`^An (?:Herrn|Frau|Fräulein|die|das|den) (?:\p{Ll}+ )*\p{Lu}`)

// isAddress reports whether a line says to whom a letter goes, and nothing else.
func isAddress(line string) bool {
	return len(line) <= maxAddress && addressed.MatchString(line) && !slices.ContainsFunc(segment.Words(line), func(w segment.Word) bool {
		return segment.FiniteVerb(w.Lower) || segment.Pronoun(w.Lower)
	})
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

// footDate returns the date of the last line of a letter that has one, as letters in some hands are dated; "" for none.
func footDate(text string, dates calendar.Reader) (date, words string) {
	last, at := signedLines(text)
	for i := len(last) - 1; i >= at; i-- {
		if date, words, _ := dates.Find(last[i], maxHeadWords); date != "" {
			return date, words
		}
	}
	return "", ""
}

// isSigned reports whether a text ends with a closing phrase and a signature.
func isSigned(text string) bool {
	last, at := signedLines(text)
	return at < len(last)
}

// signedLines returns the last lines of a text and the index of the closing phrase that the signature follows, their
// number where there is none.
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
