// Package follow decides whether a claim follows from quoted words, without a language model.
//
//	j := follow.Judge("The miller sold nine hens.", follow.Passage{Words: "I sold nineteen hens."})
//	// j.Verdict == cite.ClaimContradicted; j.Findings[0] says: number, "9" in the claim, "19" in the words
//
// There are three verdicts. *Follows*: the words state the claim as a fact, by the rules of package assign. *Contradicted*:
// the words speak of what the claim speaks of, and differ in something that decides. *NotShown*: neither; a claim in words of
// its own may be true, and only a reader or a model can say so.
//
// Whoever lets a model judge asks Vetoes first. A veto is a difference that no judgement overrules:
//
//	number     a number of the claim is not there, or stands before another thing
//	unit       the number is there with another unit
//	date       a month, a weekday or a day that neither the words nor the document's date hold
//	name       a name that is not there
//	quantity   all, only, every … that the words do not say; about, nearly, at least … that they do say
//	negation   one of the two denies what the other states
//	modality   the words say what may, must or shall be, the claim says what is, or the other way
//	opposite   a word in place of its opposite: larger for smaller, before for after
//	order      who did it and to whom, from where and to where, have changed places
//	hearsay    the words are somebody's report or belief, and the claim does not say so
//	condition  the words depend on a condition that the claim leaves out
//	question   the words are a question
//	cut        the quotation begins or ends inside a word
//	marked     the document shows the words struck through or reversed: ⟦struck: not⟧
//
// The words are read with the sentences they stand in. A name may stand for a pronoun where the document, or the
// paragraph, has the name. Opposites come from WordNet 3.0 (antonyms.txt, with its notice) and from words.txt.
//
// Limits: claims and sentences are compared word by word, by stem, in English; numbers, names, negation and conditions
// also in the languages of words.txt. A synonym is no evidence and no veto. Irony, and what only knowledge of the world
// contradicts, pass. Texts above MaxText bytes are not compared and show nothing.
package follow

import (
	"slices"
	"strings"

	"muniment/answer/assign"
	"muniment/answer/segment"
	"muniment/cite"
)

// MaxText is the longest claim, and the longest passage with its surroundings, in bytes: a paragraph of a book.
// Comparing takes time in proportion to the product of the two.
const MaxText = 32 << 10

// A Passage is words that are quoted for a claim, and what stands around them in their paragraph.
type Passage struct {
	Words         string
	Before, After string   // of the paragraph; may be empty
	Date          string   // of the document, as its record gives it; may be empty
	Names         []string // of whom or what the document is: its author, its title, the archive's subject
	Lang          string   // BCP 47; "" is "en"
}

// A Test names a veto; the package comment explains each.
type Test string

// The tests, in the order in which they are asked.
const (
	Number    Test = "number"
	Unit      Test = "unit"
	Date      Test = "date"
	Name      Test = "name"
	Quantity  Test = "quantity"
	Negation  Test = "negation"
	Modality  Test = "modality"
	Opposite  Test = "opposite"
	Order     Test = "order"
	Hearsay   Test = "hearsay"
	Condition Test = "condition"
	Question  Test = "question"
	Cut       Test = "cut"
	Marked    Test = "marked"
)

// A Finding is one veto. Claim and Words are what each of the two says; one of them may be empty.
type Finding struct {
	Test  Test   `json:"test"`
	Claim string `json:"claim"`
	Words string `json:"words"`
}

// A Judgement is a verdict with the vetoes that led to it.
type Judgement struct {
	Verdict  cite.ClaimVerdict // follows, contradicted or not shown
	Findings []Finding
	Share    float64 // of the claim's content words that the words hold, 0 to 1
}

// contradictionShare is the share of a claim's content words that the words must hold for a veto to be a
// contradiction: below it the two speak of different things.
const contradictionShare = 0.5

// Judge returns the verdict on a claim that rests on passages.
func Judge(claim string, passages ...Passage) Judgement {
	c, e, ok := readBoth(claim, passages)
	if !ok {
		return Judgement{Verdict: cite.ClaimNotShown}
	}
	j := Judgement{Findings: vetoes(c, e), Share: c.shareIn(e)}
	switch {
	case len(j.Findings) > 0 && j.Share >= contradictionShare, e.marked != "": // what is struck supports nothing
		j.Verdict = cite.ClaimContradicted
	case len(j.Findings) == 0 && isStated(claim, passages):
		j.Verdict = cite.ClaimFollows
	default:
		j.Verdict = cite.ClaimNotShown
	}
	return j
}

// Vetoes returns what keeps a claim from following from passages, whatever a model says of it; none where nothing does.
func Vetoes(claim string, passages ...Passage) []Finding {
	c, e, ok := readBoth(claim, passages)
	if !ok {
		return nil
	}
	return vetoes(c, e)
}

// isStated reports whether the quoted words of one passage, or the passages together clause by clause, state a claim.
func isStated(claim string, passages []Passage) bool {
	parts := segment.Claims(claim, "en")
	if len(parts) == 0 {
		return false
	}
	for _, part := range parts {
		if slices.ContainsFunc(passages, func(p Passage) bool { return repeats(part.Text, p.Words) }) {
			continue
		}
		if !slices.ContainsFunc(passages, func(p Passage) bool { return p.states(part.Text) || p.states(inPresent(part.Text)) }) {
			return false
		}
	}
	return true
}

// states reports whether the quoted words state a claim, and still do within their paragraph.
func (p *Passage) states(claim string) bool {
	return claim != "" && assign.States(claim, p.Words, p.Names...) && assign.States(claim, p.Before+p.Words+p.After, p.Names...)
}

// present are the forms of be and have that a document uses for what a claim about it puts in the past.
var present = map[string]string{"was": "is", "were": "are", "had": "has"}

// inPresent returns a claim with was, were and had in the present, as a letter of the day would have it; "" where it
// has none of them.
func inPresent(claim string) string {
	var b strings.Builder
	end := 0
	for _, w := range segment.Words(claim) {
		if now := present[w.Lower]; now != "" && !w.Upper {
			b.WriteString(claim[end:w.Start] + now)
			end = w.End
		}
	}
	if end == 0 {
		return ""
	}
	return b.String() + claim[end:]
}

// repeats reports whether words hold a claim as it stands, up to case, typography and the stop at its end; it must have a
// verb to be a claim.
func repeats(claim, words string) bool {
	plain := func(s string) string {
		var b strings.Builder
		for _, w := range segment.Words(s) {
			b.WriteString(" " + w.Lower)
			if w.Possessive {
				b.WriteString("'s")
			}
		}
		return b.String() + " "
	}
	said := slices.ContainsFunc(segment.Words(claim), func(w segment.Word) bool { return segment.FiniteVerb(w.Lower) })
	for _, s := range segment.Sentences(words, "en") {
		if said && plain(words[s.Start:s.End]) == plain(claim) {
			return true
		}
	}
	return false
}

// readBoth returns a claim and its evidence as they are compared. ok is false where there is nothing to compare or too much.
func readBoth(claim string, passages []Passage) (c text, e evidence, ok bool) {
	if len(claim) > MaxText || strings.TrimSpace(claim) == "" {
		return text{}, evidence{}, false
	}
	for _, p := range passages {
		if len(p.Before)+len(p.Words)+len(p.After) > MaxText {
			return text{}, evidence{}, false
		}
		e.add(p)
	}
	return analyse(claim), e, len(e.sentences) > 0
}
