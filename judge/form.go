package judge

import (
	"regexp"
	"slices"
	"strings"

	"muniment/text/clause"
	"muniment/text/lexicon"
)

// opensFiction reports whether a paragraph begins what is invented, to the next heading: by the formula of a tale, a label that names a genre, or the
// persons of a play. Once upon a time there was a king. A fairy story. Characters: NELL, a maid; TOM, her brother.
func opensFiction(paragraph string) bool {
	s := clause.Parse(cut(paragraph, maxEnd))
	if len(s.Words) > 1 && hasWord(s.Words[:1], "persons", "characters", "personen") && strings.Contains(s.Tokens[1].Gap, ":") {
		for i, t := range s.Tokens[2:] {
			if strings.Contains(t.Gap, ",") && lexicon.Determiner.Has(t.Text) && s.Tokens[i+1].Upper {
				return true // Lena, seine Nichte
			}
		}
	}
	return lexicon.Setting.Tale.At(s.Words, 0) > 0 || len(paragraph) <= maxLabel && !s.HasFinite(0, len(s.Words)) && genreOf(paragraph) != ""
}

// cut returns a text of at most n bytes that a text begins with.
func cut(text string, n int) string { return strings.ToValidUTF8(text[:min(n, len(text))], "") }

// entryDay returns the date, the day of the month or the day of the week that a paragraph begins with, as package clause writes it; "" for none.
func entryDay(paragraph string) string {
	const opening = 3 // words: Tuesday, the 5th
	s := clause.Parse(cut(paragraph, maxLabel))
	for _, t := range s.Tokens[:min(opening, len(s.Tokens))] {
		if t.Date || lexicon.Weekday.Has(t.Text) {
			return t.Text
		}
	}
	return ""
}

// correctsEntry reports whether a sentence says that what was written on a day is not so: The figure of 2 May was wrong. Monday's count was in error.
func correctsEntry(text, day string) bool {
	if day == "" {
		return false
	}
	s := backward{clause.Parse(text)}
	for i, t := range s.Tokens {
		full := t.Date && (strings.HasSuffix(day, t.Text) || strings.HasSuffix(t.Text, day))
		short := i > 0 && hasWord(s.Words[i-1:i], "the", "vom") && strings.TrimRight(t.Text, "stndrh.") == strings.TrimLeft(day[max(0, len(day)-2):], "0") // of the 11th
		if from := s.clauseFrom(i); (full || short || strings.TrimSuffix(t.Text, "'s") == day) && s.judgesSubject(from, i+1-from, false) {
			return true
		}
	}
	return false
}

// isOption reports whether an item below a question is one of several answers of which the paper does not say there which is right: the question is
// numbered or asks which of them is so, or letters number the items.
func isOption(item, question string) bool {
	s := clause.Parse(question)
	return lettered.MatchString(item) || slices.ContainsFunc(s.Tokens, func(t clause.Token) bool { return t.Number && t.Start < maxFragment+2 }) ||
		slices.ContainsFunc(s.Words, func(w string) bool {
			return strings.HasPrefix(w, "welche") || hasWord([]string{w}, "which", "true", "right", "correct", "richtig", "wahr", "stimmt")
		})
}

// lettered matches the letter of an item, or its box.
var lettered = regexp.MustCompile(`^\(?[\pL ]?\) `)

// ruled matches the line below the head of a table.
var ruled = regexp.MustCompile(`^\s*\|[-:| ]+\|\s*$`)

// rowOf returns a text in which only the row of a table is left that has a byte, without the cells of a column that judges the rows: its head has a
// word of truth, and one of its cells says or denies that its row is so. denied is such a cell of the row that does not say that it is so; "" for none. Another text is returned as it is.
func rowOf(text string, at int) (row, denied string) {
	lines := strings.SplitAfter(text, "\n")
	if len(lines) < 3 || !ruled.MatchString(lines[1]) {
		return text, ""
	}
	var judges []string // the heads of columns that do, else ""
	for k, head := range strings.Split(lines[0], "|") {
		head = strings.TrimSpace(head)
		if lexicon.Setting.Verdict.In(clause.Parse(cut(head, maxLabel)).Words) == "" || !slices.ContainsFunc(lines[2:], func(line string) bool {
			cells := strings.Split(line, "|")
			return k < len(cells) && (saysSo(cells[k]) || denies(clause.Parse(cut(cells[k], maxLabel)).Words))
		}) {
			head = ""
		}
		judges = append(judges, head)
	}
	if !slices.ContainsFunc(judges, func(head string) bool { return head != "" }) {
		return text, ""
	}
	var out strings.Builder
	for _, line := range lines {
		here := out.Len() <= at && at < out.Len()+len(line)
		for k, cell := range strings.SplitAfter(line, "|") {
			head := judges[min(k, len(judges)-1)]
			if here && head != "" && !saysSo(cell) {
				denied = head + " " + strings.Trim(cell, "| \n")
			}
			if !here || head != "" {
				cell = strings.Repeat(" ", len(cell))
			}
			out.WriteString(cell)
		}
	}
	return out.String(), denied
}

// deniedInRow returns the cell of a table's row that denies it: of a column that judges rows, or one that says only no or cancelled; "" for none.
func (p *place) deniedInRow(m *match) string {
	_, denied := rowOf(p.words.Before+p.words.Words+p.words.After, len(p.words.Before))
	at, _ := p.rangeOf(m)
	row, _, _ := strings.Cut(p.text[strings.LastIndexByte(p.text[:min(at, len(p.text))], '\n')+1:], "\n")
	cells := strings.FieldsFunc(row, func(r rune) bool { return r == '|' || r == '\t' })
	if i := slices.IndexFunc(cells, func(cell string) bool {
		words := clause.Parse(cut(cell, maxLabel)).Words
		return len(words) <= 4 && denies(words) && !strings.Contains(cell, strings.TrimSpace(m.c.Raw))
	}); denied == "" && len(cells) > 1 && i >= 0 {
		return strings.TrimSpace(cells[i])
	}
	return denied
}

// saysSo reports whether a cell says that its row is so: yes, true, bewiesen.
func saysSo(cell string) bool {
	word := strings.ToLower(strings.Trim(cell, "| \n"))
	return lexicon.Proof.Has(word) || hasWord([]string{word}, "yes", "ja", "✓", "✔", "☑")
}
