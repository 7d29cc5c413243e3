// Package follow finds what keeps a claim from following from quoted words, without a language model.
//
//	found := follow.Vetoes("The miller sold nine hens.", follow.Passage{Words: "The miller sold nineteen hens."})
//	// found[0] says: number, "9" in the claim, "19" in the words
//
// That there is no veto does not mean that the claim follows: package judge decides that. Whoever lets a model judge asks
// Vetoes first. A veto is a difference that no judgement overrules:
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
// paragraph, has the name. Opposites come from lexicon.Antonyms and from words.txt.
//
// Limits: claims and sentences are compared word by word, by stem, in English; numbers, names, negation and conditions
// also in the languages of words.txt. A synonym is no evidence and no veto. Irony, and what only knowledge of the world
// contradicts, pass. Texts above MaxText bytes are not compared and show nothing.
package follow

import "strings"

// MaxText is the longest claim, and the longest passage with its surroundings, in bytes: a paragraph of a book.
// Comparing takes time in proportion to the product of the two.
const MaxText = 32 << 10

// A Passage is a quotation for a claim, with the rest of its paragraph.
type Passage struct {
	Words         string
	Before, After string   // of the paragraph; may be empty
	Above         string   // the heading or the introduction of the list that the paragraph is in
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

	// Of package judge alone.
	Scope       Test = "scope"       // the words say it only in a sense that the claim leaves out
	Restriction Test = "restriction" // the claim leaves out of whom, where, when or how far
)

// A Finding is one veto. Claim and Words are what each of the two says; one of them may be empty.
type Finding struct {
	Test  Test   `json:"test"`
	Claim string `json:"claim"`
	Words string `json:"words"`
}

// Vetoes returns the findings that keep a claim from following from passages, whatever a model
// answers; none if nothing does.
func Vetoes(claim string, passages ...Passage) []Finding {
	d, _ := Compare(claim, passages...)
	return d.Findings
}

// A Difference is what Compare finds.
type Difference struct {
	Findings []Finding // the vetoes
	Share    float64   // of the claim's content words that the words hold, 0 to 1
	Struck   bool      // the document shows the words struck through or reversed
}

// Compare returns in what a claim differs from passages; ok is false where there is nothing to compare, or too much.
func Compare(claim string, passages ...Passage) (d Difference, ok bool) {
	c, e, ok := readBoth(claim, passages)
	if !ok {
		return Difference{}, false
	}
	return Difference{vetoes(c, e), c.shareIn(e), e.marked != ""}, true
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
