// Package examine reads a finished text as somebody who has to check it: it finds the quotations in it, the source that
// each names, and the places of a paper that a quotation may come from.
//
//	r := examine.Read(text, "en")
//	for _, q := range r.Quotations {
//		a := examine.NewPaper(paper, nil).Find(examine.NewQuery(q.Text))
//		fmt.Println(q.Text, q.Named, a.Verdict(), a.Changes)
//	}
//
// Everything here is a pure function of texts. Which papers there are, who may see them and what is said of each
// quotation is for package examination.
//
// # Quotations
//
// A quotation stands in quotation marks of any language that is read, “ ” „ “ « » » « ‹ › ‘ ’ ‚ ‘ " ' 「 」, or is a
// paragraph of its own: a block quote of markdown, an indented paragraph, a paragraph after a colon. Marks inside a
// quotation belong to its words. A quotation that the text interrupts (“The wheel,” she wrote, “has stopped”) is one.
// Marks around a title, a word in a sense of its own, and what a list of references holds are no quotations;
// Quotation.Short says where that is not certain.
//
// # What scholars may change
//
// The comparison passes over typography, as cite.Find does, and lists what an editor may do: an ellipsis within one
// passage, words in square brackets, [sic], the first letter in another case, a stop at the end, and spelling made
// modern. Anything else is an alteration, of the kinds of cite.Compare.
//
// # Limits
//
// Spelling is compared in English and German. A long quotation is compared part by part, as far as a paper goes on with
// it. Reading is linear in the text; comparing a quotation takes time in proportion to its length and to the passage
// around the rarest words that it shares with a paper, not to the paper.
package examine

const (
	// maxWords bounds the words of a quotation that one table of an alignment has, since it grows with their square.
	maxWords = 900
)
