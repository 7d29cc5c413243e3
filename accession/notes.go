package accession

import (
	"fmt"
	"strings"

	"muniment/accession/container"
	"muniment/archive/problem"
	"muniment/canon"
	"muniment/canon/mail"
	"muniment/canon/pdf"
	"muniment/snapshot/record"
)

// findLookalikes returns a note for each name among the inputs that a person, or a
// file system, may mistake for another one.
func findLookalikes(inputs []Input) []string {
	var notes []string
	first := make(map[string]string, len(inputs))
	for i := range inputs { // others of its fields change meanwhile
		name := inputs[i].Name
		if inputs[i].Encoded {
			if path, err := record.DecodeName(name); err == nil {
				name = path
			}
		}
		key := container.Skeleton(name)
		other, ok := first[key]
		switch {
		case !ok:
			first[key] = name
		case other != name:
			notes = append(notes, fmt.Sprintf("%s and %s differ only %s", container.Quoted(other), container.Quoted(name), container.Difference(other, name)))
		}
	}
	return notes
}

// notedFacts are the facts that count what a reader could not make out or left
// out, with the words for one and for several.
var notedFacts = []struct{ fact, one, more string }{
	{"bad_times", "line with an arrow gives no two times", "lines with an arrow give no two times"},
	{"stray_lines", "line stands outside the cues and is left out", "lines stand outside the cues and are left out"},
	{"unordered", "cue begins before the one above", "cues begin before the one above"},
	{"reversed", "cue ends before it begins", "cues end before they begin"},
	{"parts_unread", "part could not be read", "parts could not be read"},
	{"empty_pages", "page without text", "pages without text"},
	{"unreadable", "mail is kept as bytes", "mails are kept as bytes"},
	{"unassigned", "code point that Unicode " + canon.UnicodeVersion + " does not assign", "code points that Unicode " + canon.UnicodeVersion + " does not assign"},
}

// recordNote returns one line about a record for whoever adds its file: why there
// is no text, how sure its letters are, and what was damaged; "" for nothing. What could be guessed wrong comes last, and
// next is what to do then.
func recordNote(rec *record.Record) (note string, next problem.Step) {
	var out []string
	add := func(s string) {
		if s != "" {
			out = append(out, s)
		}
	}
	add(rec.Reason)
	if _, n, damaged := strings.Cut(rec.Charset, ", "); damaged && strings.HasSuffix(n, " undecodable") {
		add(strings.TrimSuffix(n, " undecodable") + " undecodable, shown as \uFFFD")
	}
	for _, r := range notedFacts {
		switch n := rec.Facts[r.fact]; n {
		default:
			add(n + " " + r.more)
		case "", "0":
		case "1":
			add("1 " + r.one)
		}
	}
	for _, fact := range []string{"defect", "defects"} {
		switch d := rec.Facts[fact]; {
		case d == "":
		case mail.IsForm(rec.Canonicalizer) && d == "date 1": // nothing is broken
			add("no date that can be read")
		case rec.Canonicalizer == pdf.Name: // only counted there
			add(rec.Extractor + " complains: " + d)
		default:
			add("damaged: " + d)
		}
	}
	if found := rec.Facts[record.FactDateText]; found != "" && rec.Date() == "" {
		add(fmt.Sprintf("%q stands at its head, and nothing else dates it", found))
		next = problem.Next(problem.DoDescribe, firstName(rec.Names), DateAtHead)
	}
	if charset, _, guessed := strings.Cut(rec.Charset, " guess "); guessed {
		add("its charset was guessed, " + charset)
		next = problem.Next(problem.DoGive, "media-type", "text/plain; charset=NAME").With("if letters are wrong, add it again")
	}
	return strings.Join(out, "; "), next
}

// firstName returns the first of the names of a record, or NAME.
func firstName(names []string) string {
	if len(names) == 0 {
		return "NAME"
	}
	return names[0]
}
