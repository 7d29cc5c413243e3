package display

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// An Examination is what a bundle says of a text whose quotations were examined. The bundle is one of an answer: the words of the papers are
// its claims, and each quotation with which something is wrong, or which cannot be checked, is one of its removed topics.
type Examination struct {
	Name       string        `json:"name"`   // of the text's file
	SHA256     string        `json:"sha256"` // of its bytes, in hex
	Quotations int           `json:"quotations"`
	Wrong      int           `json:"wrong"`
	Open       int           `json:"not_checkable"`
	Items      []ExaminedOne `json:"items"` // those that are wrong or not checkable
}

// An ExaminedOne is a quotation with which something is wrong, or which cannot be checked.
type ExaminedOne struct {
	Verdict string `json:"verdict"` // one of those of an examination but exact and scholarly, or contradicted
	Text    string `json:"text"`
	Reason  string `json:"reason"`
}

var (
	examinedText = regexp.MustCompile(`^Examination of ([^\n]+), sha256 ([0-9a-f]{64}), ([0-9]{1,5}) quotations$`)
	examinedItem = regexp.MustCompile(`^(altered|cut|stitched|elsewhere|nowhere|contradicted|uncheckable): `)
)

// NameExamination returns the question of a bundle that an examination makes.
func NameExamination(name, sha256 string, quotations int) string {
	return fmt.Sprintf("Examination of %s, sha256 %s, %d quotations", SafeLine(name), sha256, quotations)
}

// IsExamination reports whether a question has the form that NameExamination gives. No question that somebody asks may have it.
func IsExamination(question string) bool { return examinedText.MatchString(question) }

// ReadExamination parses the question and the removed topics of a bundle; it returns nil for a bundle of an ordinary question.
func ReadExamination(asked string, removed []Removed) *Examination {
	m := examinedText.FindStringSubmatch(asked)
	if m == nil {
		return nil
	}
	e := &Examination{Name: m[1], SHA256: m[2], Items: []ExaminedOne{}}
	e.Quotations, _ = strconv.Atoi(m[3]) // of at most five digits
	for _, r := range removed {
		at := examinedItem.FindString(r.Reason)
		if at == "" {
			continue
		}
		one := ExaminedOne{Verdict: strings.TrimSuffix(at, ": "), Text: flat(r.Topic), Reason: flat(strings.TrimPrefix(r.Reason, at))}
		if e.Items = append(e.Items, one); one.Verdict == "uncheckable" {
			e.Open++
		} else {
			e.Wrong++
		}
	}
	return e
}

func flat(s string) string { return strings.ReplaceAll(s, "\n", " ") }

// Lines returns an examination in words, which all verifiers print: a line for the text, and one for each of Items.
func (e *Examination) Lines() []string {
	out := []string{fmt.Sprintf("examination of %s, sha256 %s, %d quotations: %d wrong, %d not checkable, %d as the papers have them",
		e.Name, e.SHA256, e.Quotations, e.Wrong, e.Open, max(0, e.Quotations-len(e.Items)))}
	for _, i := range e.Items {
		out = append(out, fmt.Sprintf("%s: “%s”: %s", i.Verdict, i.Text, i.Reason))
	}
	return out
}

// writeExamination writes the lines of an examined text before the words of the papers.
func writeExamination(b *strings.Builder, view View, e *Examination) {
	for i, line := range e.Lines() {
		if i > 0 {
			line = " - " + line
		}
		fmt.Fprintln(b, line)
	}
	fmt.Fprintf(b, "bundle %s · tier %s · says it was issued %s\n", view.Answer, view.Tier, view.Issued)
	for _, n := range view.Notes {
		fmt.Fprintf(b, "note in the bundle: %s\n", n)
	}
	if len(view.Claims) > 0 {
		b.WriteString("\nWords of the papers\n")
	}
}

// writeOthers prints the removed topics without a verdict of an examination.
func writeOthers(b *strings.Builder, removed []Removed) {
	for _, r := range removed {
		if !examinedItem.MatchString(r.Reason) {
			fmt.Fprintf(b, " - not shown: %s (%s)\n", indent(r.Topic), indent(r.Reason))
		}
	}
}
