package examination

import (
	"strings"
	"unicode/utf8"
)

// A Fix is a suggestion for one item: what to write in place of its words. Nothing applies it but a person.
type Fix struct {
	Item    int    `json:"item"`
	Line    int    `json:"line"`
	Written string `json:"written"`
	Instead string `json:"instead"`
	Source  string `json:"source"` // a reference to the paper and its place
}

// SuggestFixes returns suggestions for the items that papers can mend: the words of the paper for altered ones, its
// reference for words that are elsewhere, the whole sentence for what is cut.
func (r *Report) SuggestFixes() []Fix {
	out := []Fix{}
	for k := range r.Items {
		i := &r.Items[k]
		if i.Found == nil || !i.Found.Whole {
			continue
		}
		f := Fix{Item: i.Item, Line: i.At.Line, Written: i.Text, Source: i.Found.reference()}
		switch i.Verdict {
		case Altered:
			f.Instead = keepCase(i.Text, i.Found.Text)
		case Cut:
			f.Instead = i.Found.Sentence
		case Elsewhere:
			f.Instead = i.Text
		default:
			continue
		}
		out = append(out, f)
	}
	return out
}

// reference returns a reference to the words: title or name, date, place.
func (f *Found) reference() string {
	return labelPaper(f.Title, f.Name, "", f.Date) + ", " + f.Place()
}

// keepCase puts the first letter of a quotation that opens otherwise than the paper in brackets, as scholars do.
func keepCase(written, words string) string {
	a, _ := utf8.DecodeRuneInString(written)
	b, n := utf8.DecodeRuneInString(words)
	if a != b && strings.EqualFold(string(a), string(b)) {
		return "[" + string(a) + "]" + words[n:]
	}
	return words
}
