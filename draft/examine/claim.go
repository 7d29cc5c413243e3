package examine

import (
	"slices"
	"strings"

	"muniment/text/clause"
	"muniment/text/lexicon"
)

// longestSource is how many words the part of a statement has at most that only says where it is from.
const longestSource = 14

// leastClaimed is how many words a statement has at least after what names its source is taken off.
const leastClaimed = 3

// Claim returns the text of a statement without its round brackets and without the words that name its source. Of
// “According to the letter of 3 May, nine men were hurt”, of “Nine men, the letter says, were hurt” and of “The letter
// says that nine men were hurt” it is the same.
func (q *Quotation) Claim() string {
	text := strings.Join(strings.Fields(q.WithoutBrackets()), " ")
	if at := afterThat(text); at > 0 {
		text = text[at:]
	}
	s := clause.Parse(text)
	var parts []string
	from := 0
	add := func(to int) {
		if from < to {
			parts = append(parts, text[s.Tokens[from].Start:s.Tokens[to-1].End])
		}
		from = to
	}
	for i := 1; i < len(s.Tokens); i++ {
		if strings.ContainsAny(s.Tokens[i].Gap, ",:") {
			add(i)
		}
	}
	add(len(s.Tokens))
	kept := slices.DeleteFunc(slices.Clone(parts), isSourcePart)
	if len(clause.Parse(strings.Join(kept, " ")).Words) < leastClaimed {
		kept = parts
	}
	for i, p := range kept {
		if cut := cutSourcePhrase(p); len(clause.Parse(cut).Words) >= leastClaimed {
			kept[i] = cut
		}
	}
	if len(parts) == len(kept) && len(parts) > 0 {
		return strings.Join(kept, ", ")
	}
	return strings.Join(kept, " ")
}

// afterThat returns the offset in bytes of reported speech: of the word after the first "that" (dass, daß) which follows
// a verb of saying or the noun of a source; 0 for none.
func afterThat(text string) int {
	s := clause.Parse(text)
	names := false
	for i, w := range s.Words[:min(len(s.Words), longestSource+longestSource)] {
		if names && i > 0 && i+1 < len(s.Tokens) && (w == "that" || w == "daß" || w == "dass") {
			return s.Tokens[i+1].Start
		}
		names = names || lexicon.SourceNoun.Has(w) || tells(w)
	}
	return 0
}

// tells reports whether a word is a verb by which a paper says something.
func tells(w string) bool {
	return lexicon.Report.Has(w) || lexicon.Attribution.Has(w) && !lexicon.SourceNoun.Has(w)
}

// isSourcePart reports whether a part of a sentence only says where the rest is from: it names a paper, a case or who writes.
func isSourcePart(part string) bool {
	s := clause.Parse(part)
	if len(s.Words) > longestSource {
		return false
	}
	for i, w := range s.Words {
		if lexicon.SourceNoun.Has(w) || w == "v" || w == "according" || tells(w) && i < 6 {
			return !slices.ContainsFunc(s.Tokens, func(t clause.Token) bool { return t.Number && !isYear(t.Text) })
		}
	}
	return false
}

func isYear(w string) bool { return len(w) == 4 && w >= "1000" && w < "2100" }

// cutSourcePhrase returns a part of a sentence without a phrase that names a paper: in his letter of 3 May, nach der Chronik von 1910.
func cutSourcePhrase(part string) string {
	s := clause.Parse(part)
	for i, w := range s.Words {
		if !opensSource(w) {
			continue
		}
		for k := i + 1; k < min(len(s.Words), i+6); k++ {
			if !lexicon.SourceNoun.Has(s.Words[k]) {
				continue
			}
			end := k + 1
			for end < len(s.Words) && continuesSource(&s, end) {
				end++
			}
			after := ""
			if end < len(s.Tokens) {
				after = part[s.Tokens[end].Start:]
			}
			return strings.TrimSpace(part[:s.Tokens[i].Start] + after)
		}
	}
	return part
}

func opensSource(w string) bool {
	switch w {
	case "in", "according", "by", "nach", "laut", "im", "aus", "from", "gemäß":
		return true
	}
	return false
}

// continuesSource reports whether a token goes on with the name of a paper: of 1849, des Deichamtes, vom 3. Mai.
func continuesSource(s *clause.Sentence, i int) bool {
	of := func(w string) bool {
		return w == "of" || w == "von" || w == "vom" || w == "des" || w == "der" || w == "on" || w == "to"
	}
	t := s.Tokens[i]
	switch {
	case of(t.Text):
		return i+1 < len(s.Tokens) && (s.Tokens[i+1].Date || s.Tokens[i+1].Upper || isYear(s.Words[i+1]) || s.Words[i+1] == "the")
	case !of(s.Words[i-1]) && s.Words[i-1] != "the":
		return false
	}
	return t.Date || t.Upper || isYear(t.Text) || t.Text == "the"
}
