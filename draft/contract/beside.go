package contract

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"muniment/text/segment"
)

var (
	//go:embed clauses.txt
	clausesFile string

	// A test demands that the file is read without an error.
	clauseLists, clauseListsError = segment.ReadLists("clauses.txt", clausesFile)

	leads     = clauseLists.Set("leads")   // what stands at the beginning of a clause that is beside another
	between   = clauseLists.Set("between") // what may stand between a subject and its verb
	openNames = clauseLists.Set("open")    // who or what is meant by these, the words around say
)

// leastContent is how many content words a clause has that says something by itself: a word for who or what, and one
// for what is said of it.
const leastContent = 2

// uncitedBeside returns the fault of a sentence with several clauses, "" for none: one of its
// clauses has no content word, number or name of the words cited, so that nothing cited supports
// it.
func uncitedBeside(claim string, cited []Evidence) string {
	clauses := clausesOf(WithoutFrame(claim))
	if len(clauses) < 2 {
		return ""
	}
	there := map[string]bool{}
	for i := range cited {
		p, ok := cited[i].passage()
		if !ok {
			return ""
		}
		for _, w := range segment.Words(p.Words + " " + p.Title + " " + strings.Join(p.Writers, " ")) {
			there[segment.Stem(w.Lower)] = true
		}
	}
	for _, one := range clauses {
		content, shared := 0, false
		for _, w := range segment.Words(Quarters(one)) {
			if !segment.Function(w.Lower) && !Framing(w.Lower) && !openNames[w.Lower] && !leads[w.Lower] {
				content++
				shared = shared || there[segment.Stem(w.Lower)]
			}
		}
		if content < leastContent || shared || isHedgeTail(one) {
			continue
		}
		if j, known := Judge(one, cited...); known && j.Share == 0 {
			return fmt.Sprintf("%q has no content word, number or name in common with the words cited: nothing cited says it", one)
		}
	}
	return ""
}

// clausesOf cuts a sentence into its clauses: at a sign, or a joint such as "and", that has a clause with a subject and
// a verb of its own on both sides. A text without such a place is one clause.
func clausesOf(text string) []string {
	words := segment.Words(text)
	var out []string
	start := 0 // the first word of the clause
	for i := 1; i < len(words); i++ {
		between := text[words[i-1].End:words[i].Start]
		joint := leads[words[i].Lower]
		if !joint && !strings.ContainsAny(between, ",;:—–(") && !strings.Contains(between, " - ") || isQuoted(text, words[i].Start) {
			continue
		}
		left, right := withoutLeads(words[start:i]), withoutLeads(words[i:])
		if !isClause(left) && !isClause(behindPhrase(left)) && !isClause(contentClause(left)) || !isClause(right) && !isClause(behindPhrase(right)) || joint && isPhrase(text, right) {
			continue
		}
		out = append(out, text[words[start].Start:words[i-1].End])
		start = i
	}
	if len(words) == 0 {
		return nil
	}
	return append(out, strings.TrimRight(text[words[start].Start:], " .!"))
}

// isClause reports whether words are a clause of their own, with a verb that is none of the forms that also describe a
// thing: "according to limited reports" is none.
func isClause(words []segment.Word) bool {
	if len(words) == 0 || words[0].Lower == "according" || !ownClause(words) {
		return false
	}
	for i := 1; i < len(words); i++ {
		w, before := words[i].Lower, words[i-1].Lower
		if segment.Auxiliary(w) || verbIn(words[i-1:i+1]) == 1 && (!segment.Function(before) || segment.Pronoun(before) || between[before]) {
			return true
		}
	}
	return false
}

// isPhrase reports whether a punctuation mark precedes the verb of words: "before 1866, the masons
// were paid" begins with a phrase.
func isPhrase(text string, words []segment.Word) bool {
	verb := verbIn(words)
	return verb > 0 && strings.ContainsAny(text[words[0].Start:words[verb].Start], ",;:—–")
}

// contentClause returns the words after "she wrote that", nil for a clause that attributes nothing.
func contentClause(words []segment.Word) []segment.Word {
	at := slices.IndexFunc(words, func(w segment.Word) bool { return slices.Contains(attributions, w.Lower) })
	if at < 0 || at+1 >= len(words) || words[at+1].Lower != "that" {
		return nil
	}
	return words[at+2:]
}

// withoutLeads returns the words of a clause without the conjunctions and adverbs at its beginning: "although", "and then".
func withoutLeads(words []segment.Word) []segment.Word {
	for lead := false; len(words) > 0 && (leads[words[0].Lower] || lead && words[0].Lower == "that"); lead = true {
		words = words[1:]
	}
	return words
}

// isQuoted reports whether a place of a text is inside quotation marks.
func isQuoted(text string, at int) bool {
	before := text[:at]
	return strings.Count(before, `"`)%2 == 1 || strings.Count(before, "“") > strings.Count(before, "”")
}
