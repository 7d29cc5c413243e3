package bib

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Name is a person's, or, with Literal alone, that of a body or a name that has no parts.
type Name struct {
	Family   string // Brandt
	Given    string // Anna Maria
	Particle string // van der, belongs to the family name
	Suffix   string // Jr., III
	Literal  string // Federal Reserve
}

// particles are the words before a family name that belong to it.
var particles = map[string]bool{"van": true, "von": true, "der": true, "den": true, "de": true, "del": true, "della": true, "di": true, "da": true, "du": true,
	"des": true, "la": true, "le": true, "zu": true, "zum": true, "zur": true, "ter": true, "ten": true, "af": true, "av": true, "dos": true, "das": true, "el": true, "al": true, "bin": true, "ibn": true}

var suffixes = map[string]bool{"jr": true, "jr.": true, "sr": true, "sr.": true, "ii": true, "iii": true, "iv": true}

// bodies are words that make a name that of a body rather than a person.
var bodies = map[string]bool{"university": true, "institute": true, "department": true, "ministry": true, "office": true, "bureau": true, "bank": true, "reserve": true,
	"council": true, "committee": true, "commission": true, "agency": true, "association": true, "society": true, "company": true, "corporation": true, "inc": true, "inc.": true,
	"ltd": true, "ltd.": true, "gmbh": true, "ag": true, "group": true, "times": true, "news": true, "press": true, "library": true, "archive": true, "archives": true, "museum": true,
	"universität": true, "ministerium": true, "bundesamt": true, "verein": true, "gesellschaft": true, "team": true, "project": true, "foundation": true, "organization": true, "organisation": true}

// ParseName reads "Brandt, Anna", "van der Berg, Jan, Jr." or "Anna Brandt". A name in braces, of one word, of a body
// or in a script without capitals is a literal.
func ParseName(s string) Name {
	s = strings.Join(strings.Fields(s), " ")
	if in, ok := strings.CutPrefix(s, "{"); ok && strings.HasSuffix(in, "}") {
		return Name{Literal: in[:len(in)-1]}
	}
	parts := strings.Split(s, ", ")
	switch {
	case len(parts) == 2 && suffixes[strings.ToLower(parts[1])]: // Anna Brandt, Jr.
		n := ParseName(parts[0])
		n.Suffix = parts[1]
		return n
	case len(parts) == 2:
		n := splitParticle(parts[0])
		n.Given = parts[1]
		return n
	case len(parts) == 3 && suffixes[strings.ToLower(parts[1])]: // BibTeX: Brandt, Jr., Anna
		n := splitParticle(parts[0])
		n.Suffix, n.Given = parts[1], parts[2]
		return n
	case len(parts) == 3 && suffixes[strings.ToLower(parts[2])]:
		n := splitParticle(parts[0])
		n.Given, n.Suffix = parts[1], parts[2]
		return n
	case len(parts) > 2:
		return Name{Literal: s}
	}
	words := strings.Fields(s)
	if len(words) < 2 || isBody(words) {
		return Name{Literal: s}
	}
	first, _ := utf8.DecodeRuneInString(words[0])
	if !unicode.IsUpper(first) && !particles[words[0]] {
		return Name{Literal: s}
	}
	var n Name
	if last := words[len(words)-1]; len(words) > 2 && suffixes[strings.ToLower(last)] {
		n.Suffix, words = last, words[:len(words)-1]
	}
	at := len(words) - 1
	for at > 1 && particles[words[at-1]] {
		at--
	}
	family := splitParticle(strings.Join(words[at:], " "))
	n.Family, n.Particle = family.Family, family.Particle
	n.Given = strings.Join(words[:at], " ")
	return n
}

// String returns the form that ParseName reads: Brandt, Anna, Jr. A literal that
// would be read as a person's name stands in braces.
func (n Name) String() string {
	s := nameForm("Brandt, Anna, Jr.").write(n)
	if n.Literal != "" && ParseName(s) != n {
		return "{" + s + "}"
	}
	return s
}

// splitParticle separates the particle from a family name.
func splitParticle(family string) Name {
	words := strings.Fields(family)
	at := 0
	for at < len(words)-1 && particles[words[at]] {
		at++
	}
	return Name{Particle: strings.Join(words[:at], " "), Family: strings.Join(words[at:], " ")}
}

// isBody reports whether the words are the name of a body and not of a person.
func isBody(words []string) bool {
	for _, w := range words {
		if lower := strings.ToLower(strings.Trim(w, ",")); bodies[lower] || lower == "of" || lower == "the" || lower == "and" || w == "&" {
			return true
		}
	}
	return false
}

// family returns the name by which a work is listed: van der Berg.
func (n Name) family() string {
	if n.Literal != "" || n.Family == "" {
		return n.Literal + n.Given
	}
	if n.Particle != "" {
		return n.Particle + " " + n.Family
	}
	return n.Family
}

// initials returns the given names as initials: "A. M.", "J.-P."; sep stands between them.
func (n Name) initials(sep string) string {
	var out []string
	for word := range strings.FieldsSeq(n.Given) {
		var parts []string
		for part := range strings.SplitSeq(word, "-") {
			for piece := range strings.SplitSeq(part, ".") { // "J.R.": two initials
				if r, _ := utf8.DecodeRuneInString(piece); piece != "" && unicode.IsLetter(r) {
					parts = append(parts, string(unicode.ToUpper(r))+".")
				}
			}
			if strings.Count(part, ".") > 1 {
				out = append(out, parts...)
				parts = nil
			}
		}
		if len(parts) > 0 {
			out = append(out, strings.Join(parts, "-"))
		}
	}
	return strings.Join(out, sep)
}

// joinNames joins names: with pair between two, with last before the last of more.
func joinNames(names []string, pair, last string) string {
	switch n := len(names); n {
	case 0:
		return ""
	case 1:
		return names[0]
	case 2:
		return names[0] + pair + names[1]
	default:
		return strings.Join(names[:n-1], ", ") + last + names[n-1]
	}
}

// appendName appends a name that has letters to names, without the white space around its parts.
func appendName(names []Name, n Name) []Name {
	for _, part := range []*string{&n.Family, &n.Given, &n.Particle, &n.Suffix, &n.Literal} {
		*part = strings.Join(strings.Fields(*part), " ")
	}
	if strings.IndexFunc(n.Family+n.Given+n.Literal, unicode.IsLetter) < 0 {
		return names
	}
	return append(names, n)
}
