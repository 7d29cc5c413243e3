package assign

import (
	"regexp"
	"slices"
	"strings"

	"muniment/answer/segment"
)

// This file finds what a sentence does to words in it: a condition, a denial,
// hearsay or a fiction around them means that they are not said as a fact.

// turningWord returns the word that keeps the bytes from start to end of a sentence
// from being said there as a fact, "" if there is none: a condition (if, had he,
// but for), a denial in their clause, a falsehood (it is false that), the word of
// somebody else (he claims that), a wish, plan or fiction. A word that the claim
// has too turns nothing, for the claim then says so; nor does one that lies
// between start and end where quoted is set, for it is shown. The writer's own I
// say, I think turn nothing. The words are known in English and, for the commonest,
// in German; irony is not understood.
func turningWord(sentence string, start, end int, claim string, quoted bool) string {
	ws := segment.Words(sentence)
	said := map[string]bool{}
	for _, w := range segment.Words(claim) {
		said[w.Lower], said[segment.Stem(w.Lower)] = true, true
		said["@heard"] = said["@heard"] || hearsayAdverbs[w.Lower]
	}
	in := func(w segment.Word) bool { return quoted && w.Start >= start && w.End <= end }
	for i, w := range ws {
		stem := segment.Stem(w.Lower)
		switch {
		case in(w):
		case said[w.Lower] || said[stem] && !inversions[w.Lower]:
			if inversions[w.Lower] && condition(sentence, ws, i) && !said["if"] && !strings.HasPrefix(strings.ToLower(claim), w.Lower) {
				return w.Lower
			}
		case inversions[w.Lower] && condition(sentence, ws, i):
			return w.Lower
		case w.Lower == "but" && i+1 < len(ws) && ws[i+1].Lower == "for", w.Lower == "as" && i+1 < len(ws) && ws[i+1].Lower == "though":
			return w.Lower + " " + ws[i+1].Lower
		case (w.Lower == "could" || w.Lower == "should" || w.Lower == "might") && i+1 < len(ws) && ws[i+1].Lower == "have":
			return w.Lower + " have"
		case !turning[w.Lower] && (!turning[stem] || w.Upper && i > 0):
		case narrated[stem] && own(ws, i), said["@heard"] && !strings.Contains("if unless whether would", w.Lower):
		case inversions[w.Lower]: // sollte, hätte, wäre in another place are verbs of their own
			return w.Lower
		default:
			return w.Lower
		}
	}
	return findDenial(sentence, ws, start, end, said, in)
}

// own reports whether the verb at i is the writer's: I said, I had said.
func own(ws []segment.Word, i int) bool {
	for j := i - 1; j >= 0 && j >= i-2; j-- {
		switch ws[j].Lower {
		case "i", "we", "ich", "wir":
			return true
		}
	}
	return false
}

// condition reports whether the verb at i stands first in its clause, before a
// subject: Had he come; …, were it not for the snow.
func condition(sentence string, ws []segment.Word, i int) bool {
	if i+1 == len(ws) {
		return false
	}
	gap := ""
	if i > 0 {
		gap = sentence[ws[i-1].End:ws[i].Start]
	}
	first := i == 0 || strings.ContainsAny(gap, ",;:–—(“\"") || clauseJoiners[ws[i-1].Lower]
	next := ws[i+1]
	return first && (next.Upper || segment.Pronoun(next.Lower) || segment.Determiner(next.Lower) || next.Lower == "there" || next.Lower == "only")
}

// findDenial returns the negation in a clause that holds cited words: of a quotation
// any, else content words of the claim. Clauses end at commas and other stops, and
// at and, but.
func findDenial(sentence string, ws []segment.Word, start, end int, said map[string]bool, in func(segment.Word) bool) string {
	clause := 0
	marks := make([]int, len(ws)) // the clause of each word
	for i, w := range ws {
		if i > 0 {
			gap := sentence[ws[i-1].End:w.Start]
			if strings.ContainsAny(gap, ",;:–—()") || clauseJoiners[w.Lower] {
				clause++
			}
		}
		marks[i] = clause
	}
	cited, full := map[int]bool{}, map[int]bool{}
	firstCited := len(ws)
	for i, w := range ws {
		content := !segment.Function(w.Lower) && !negations[w.Lower]
		full[marks[i]] = full[marks[i]] || content
		if w.Start < end && w.End > start && (in(w) || content && (said[w.Lower] || said[segment.Stem(w.Lower)])) {
			cited[marks[i]] = true
			firstCited = min(firstCited, i)
		}
	}
	for i, w := range ws {
		no := negations[w.Lower] || strings.HasSuffix(w.Lower, "n't") || strings.HasSuffix(w.Lower, "n’t")
		// A negation that stands alone between commas is about all of it.
		// "enough for coal but not for the train": the phrase behind it is all
		// that is cited, and nothing is said of it that it denies.
		if no && i+1 < len(ws) && prepositions[ws[i+1].Lower] && firstCited > i && !slices.ContainsFunc(ws[:i], in) {
			continue
		}
		if no && (cited[marks[i]] || !full[marks[i]]) && !in(w) && !said[w.Lower] {
			return w.Lower
		}
	}
	return ""
}

// takenBack are beginnings of a sentence that deny the one before it.
var takenBack = []string{"that is false", "that was false", "this is false", "this was false", "it is false", "it was false", "that is untrue", "this is untrue",
	"that was untrue", "this was untrue", "that is a lie", "that was a lie", "this is a lie", "this was a lie", "it was a lie", "it is a lie", "that is not true", "that was not true",
	"this is not true", "this was not true", "it is not true", "it was not true", "none of this", "none of it", "nothing of this", "not so", "so he lied", "so she lied", "so they lied",
	"he denied it", "she denied it", "they denied it", "he denied this", "she denied this", "he denied that", "she denied that", "he invented", "she invented",
	"it was a dream", "it was only a dream", "i dreamed this", "i dreamt this", "that was invented", "this was invented", "it was all a lie", "all lies", "a lie",
	"das ist falsch", "das war falsch", "das ist gelogen", "das war gelogen", "das ist nicht wahr", "das war nicht wahr", "nichts davon", "so log"}

// maxRemark is how many words a sentence has at most that is a remark on the one before it.
const maxRemark = 12

// pointingWords are first words of a sentence that speaks of the one before it.
var pointingWords = map[string]bool{"so": true, "such": true, "thus": true, "that": true, "this": true, "it": true, "these": true}

// denies reports whether a sentence denies the one before it, or calls it what somebody tells: That is a lie. None of
// this happened. He denied it. So runs the tale. The order was countermanded. For vicar read rector.
func denies(next string) bool {
	words := segment.Words(next)
	if len(words) > 0 && len(words) <= maxRemark {
		in := func(list map[string]bool) bool {
			return slices.ContainsFunc(words, func(w segment.Word) bool { return list[w.Lower] || list[segment.Stem(w.Lower)] })
		}
		isTale := false // the tale, but not a long tale
		for i := 1; i < len(words); i++ {
			isTale = isTale || words[i-1].Lower == "the" && (hearsays[words[i].Lower] || hearsays[segment.Stem(words[i].Lower)])
		}
		first := words[0].Lower
		switch {
		case pointingWords[first] && (isTale || in(remarks)), in(withdrawals):
			return true
		case first == "for" && slices.ContainsFunc(words, func(w segment.Word) bool { return w.Lower == "read" }):
			return true
		case first == "no" && len(words) > 1 && strings.ContainsAny(next[words[0].End:words[1].Start], ":,;"):
			return true
		}
	}
	var b strings.Builder
	for i, w := range words {
		if i == 6 {
			break
		}
		b.WriteString(w.Lower + " ")
	}
	return slices.ContainsFunc(takenBack, func(p string) bool { return strings.HasPrefix(b.String(), p+" ") })
}

// takenBackAfter reports whether the sentence behind r denies what stands there.
func takenBackAfter(payload string, sentences []segment.Range, r segment.Range) bool {
	i := slices.IndexFunc(sentences, func(s segment.Range) bool { return s.Start >= r.End })
	return i >= 0 && denies(payload[sentences[i].Start:sentences[i].End])
}

// isTurned reports whether the sentences of r, or the one behind it, keep what is
// cited there from being a fact; for a quotation only what stands around it.
func isTurned(payload string, sentences []segment.Range, r segment.Range, claim string, quoted bool) bool {
	for _, s := range sentences {
		if s.End <= r.Start || s.Start >= r.End {
			continue
		}
		text := payload[s.Start:s.End]
		start, end := max(r.Start-s.Start, 0), min(r.End, s.End)-s.Start
		if strings.HasSuffix(strings.TrimRight(text, "”“»«\"')] "), "?") && !strings.HasSuffix(claim, "?") && !(quoted && end == len(text)) {
			return true
		}
		if turningWord(text, start, end, claim, quoted) != "" || takenBackAfter(payload, sentences, s) {
			return true
		}
	}
	return false
}

var (
	// examinationLine marks the lines of an examination.
	examinationLine = regexp.MustCompile(`(?:^|[.!?\n])\s*[QA][.:]\s`)
	// signature is how a paper ends that is copied with its signature.
	signature = regexp.MustCompile(`(?:^|[.!?\n])\s*[Ss]igned\b`)
	// speakerBefore is a heading, or who speaks, before words in the first person.
	speakerBefore = regexp.MustCompile(`(?:^|[.!?\n])([^.!?:\n]*):\s+(?:I|My|We|Our)\b`)
	// letterEnd is the end of a letter, with the name of who wrote it.
	letterEnd = regexp.MustCompile(`(?:^|[.!?\n])\s*(?:Your|Yours|Thy)\b[^.!?\n]*,\s*(\p{Lu}[^,!?\n]*)$`)
	// ownWords are those of who speaks of himself.
	ownWords = regexp.MustCompile(`\b(?:I|[Mm]y|me|[Ww]e|[Oo]ur|us)\b`)
)

// anotherSpeaks reports whether the first person of a text may be somebody else than its writer, whose names self has: in
// questions and answers, above a signature, behind "Mr. Cole:", in a copied letter or a deposition.
func anotherSpeaks(text string, self map[string]bool) bool {
	if examinationLine.MatchString(text) || signature.MatchString(text) {
		return true
	}
	namesWriter := func(part string) bool {
		return slices.ContainsFunc(segment.Words(part), func(w segment.Word) bool { return self[w.Lower] })
	}
	for _, m := range speakerBefore.FindAllStringSubmatch(text, -1) {
		if !ownWords.MatchString(m[1]) && !namesWriter(m[1]) {
			return true
		}
	}
	if m := letterEnd.FindStringSubmatch(strings.TrimSpace(text)); m != nil && !namesWriter(m[1]) {
		return true
	}
	for _, s := range segment.Sentences(text, "en") {
		if part := text[s.Start:s.End]; isOthersPaper(part) && !namesWriter(part) {
			return true
		}
	}
	return false
}

// isOthersPaper reports whether words name a paper and state nothing: the deposition of Ann Barber.
func isOthersPaper(part string) bool {
	words := segment.Words(part)
	return len(words) <= maxRemark && !slices.ContainsFunc(words, func(w segment.Word) bool { return segment.FiniteVerb(w.Lower) }) &&
		slices.ContainsFunc(words, func(w segment.Word) bool { return othersPapers[w.Lower] || othersPapers[segment.Stem(w.Lower)] })
}
