package examine

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// A note is a footnote or an entry of a list of references.
type note struct {
	label, text string
	before      *note // in the order of the text, for ibid.
}

// readNotes returns the notes of a text by their labels.
func readNotes(blocks []block) map[string]*note {
	notes := map[string]*note{}
	var last *note
	for _, b := range blocks {
		if b.kind != noteBlock {
			continue
		}
		text := noteDefinition.ReplaceAllString(b.text, "")
		if b.label == "" {
			text = b.text
		}
		n := &note{label: b.label, text: strings.Join(strings.Fields(text), " "), before: last}
		last = n
		key := b.label
		if key == "" {
			key = "entry " + n.text
		}
		if notes[key] == nil {
			notes[key] = n
		}
	}
	return notes
}

// noteMarks returns the marks of notes in a text. A number in round brackets is one right after a quotation or a stop, “…”(3); a bare one also where a space
// or the end follows: “…”.3 It.
func noteMarks(text string) [][]int {
	var out [][]int
	for _, at := range noteMark.FindAllStringSubmatchIndex(text, -1) {
		if at[2] >= 0 {
			at = at[2:] // the number alone
		} else if before, _ := utf8.DecodeLastRuneInString(text[:at[0]]); text[at[0]] == '(' && !strings.ContainsRune("”“\"’‘'»«›‹.,;:!?", before) {
			continue
		}
		out = append(out, at[:2])
	}
	return out
}

// followMark returns the mentions in the notes of a mark; notes that point to notes are followed, each once.
func (r *reader) followMark(mark string, seen map[*note]bool) []Mention {
	var out []Mention
	for _, label := range labels(mark) {
		n := r.notes[label]
		if n == nil {
			continue
		}
		out = append(out, r.follow(n, seen)...)
	}
	return out
}

var labelAt = regexp.MustCompile(`[^\s,;\[\]()^@]+`)

// labels returns the labels in a mark: [3, p. 7] has 3, [2; 5] both.
func labels(mark string) []string {
	mark = plainFigures(mark)
	if strings.HasPrefix(mark, "[^") {
		return []string{strings.TrimSuffix(strings.TrimPrefix(mark, "[^"), "]")}
	}
	var out []string
	for _, l := range labelAt.FindAllString(mark, -1) {
		if l == "p." || l == "pp." || l == "S." || l == "at" {
			break
		}
		out = append(out, l)
	}
	return out
}

// maxFollowed bounds the notes that one mark leads to, since notes may point in a circle or a long chain.
const maxFollowed = 8

// follow returns the mention of a note and of the notes that it points to, the farthest first: what it says itself is then the rest.
func (r *reader) follow(n *note, seen map[*note]bool) []Mention {
	if seen == nil {
		seen = map[*note]bool{}
	}
	if seen[n] || len(seen) >= maxFollowed {
		return nil
	}
	seen[n] = true
	m := Mention{Text: n.text, Where: Footnote}
	var out []Mention
	if ref := noteRef.FindStringSubmatch(n.text); ref != nil {
		if other := r.notes[ref[1]]; other != nil {
			out = append(out, r.follow(other, seen)...)
		}
	}
	if backRef.MatchString(n.text) {
		m.Again = true
		if n.before != nil {
			return append(out, r.follow(n.before, seen)...)
		}
	}
	if len(out) == 0 {
		if entry := r.entryOf(n.text); entry != nil && entry != n {
			out = append(out, Mention{Text: n.text + ". " + entry.text, Where: Footnote})
		}
	}
	return append(out, m)
}

var authorYear = regexp.MustCompile(`([A-ZÄÖÜ][\p{L}'’-]+)(?:,? (?:and|und|&|et al\.?|u\. ?a\.)[^,()\d]{0,40})?,?\s*\(?((?:1[0-9]|20)\d{2}[a-z]?)`)

// entriesByYear returns the entries of a list without numbers by the years in them.
func entriesByYear(notes map[string]*note) map[string][]*note {
	out := map[string][]*note{}
	for key, n := range notes {
		if !strings.HasPrefix(key, "entry ") {
			continue
		}
		for _, year := range yearIn.FindAllString(n.text, maxYears) {
			if known := out[year]; len(known) == 0 || known[len(known)-1] != n {
				out[year] = append(known, n)
			}
		}
	}
	return out
}

var yearIn = regexp.MustCompile(`1\d{3}|20\d{2}`)

// maxYears is how many years of an entry it is found by.
const maxYears = 8

// entryOf returns the entry of a list without numbers that an author and a year name: (Strand 1978, 12).
func (r *reader) entryOf(text string) *note {
	m := authorYear.FindStringSubmatch(text)
	if m == nil {
		return nil
	}
	var found *note
	for _, n := range r.entries[m[2][:4]] {
		if !strings.Contains(n.text, m[2]) {
			continue
		}
		if at := strings.Index(n.text, m[1]); at >= 0 && at < 80 && (found == nil || n.text < found.text) {
			found = n
		}
	}
	return found
}
