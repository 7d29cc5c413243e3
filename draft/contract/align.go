package contract

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"muniment/cite"
	"muniment/judge"
	"muniment/text/segment"
)

// opposed returns the fault of a claim that the words cited contradict, or with which it has nothing
// in common, and the reason; "" where there is none, where persons say that it follows, and where the words of a citation are not known.
func opposed(claim string, cited []Evidence) (Fault, string) {
	if slices.ContainsFunc(cited, func(e Evidence) bool { return e.Confirmed != "" && e.Confirmed == strings.TrimSpace(claim) }) {
		return "", "" // persons go before rules
	}
	j, known := Judge(claim, cited...)
	switch {
	case !known:
	case j.Verdict == cite.ClaimContradicted && len(j.Findings) > 0:
		return Contradicted, "what it cites says otherwise: " + j.Reason
	case j.Share == 0 && !shareWord(claim, cited):
		return Unrelated, "it has no content word, number or name in common with what it cites"
	}
	return "", ""
}

// Closest returns the fault of a claim without a mark that counts by the citations near it, Contradicted or Uncited, and the reason of the one that says or
// contradicts it, else of the one whose words hold most of it; "" where the words of none are known.
func Closest(claim string, near []Evidence) (Fault, string) {
	fault, closest, most := Uncited, "", -1.0
	for _, e := range near {
		j, known := Judge(claim, e)
		switch {
		case !known:
		case j.Verdict == cite.ClaimFollows:
			return Uncited, fmt.Sprintf("it has no mark of a verified citation, and the words of citation %d say it", e.Number)
		case j.Verdict == cite.ClaimContradicted && len(j.Findings) > 0:
			if fault != Contradicted {
				fault, closest = Contradicted, fmt.Sprintf("citation %d on file says otherwise: %s", e.Number, j.Reason)
			}
		case fault == Uncited && j.Share > most:
			most, closest = j.Share, fmt.Sprintf("no citation on file supports it; the closest is %d: %s", e.Number, j.Reason)
		}
	}
	return fault, closest
}

// Judge returns the judgement of package assign on a claim and the words of citations. A name that the
// record of a cited source has, or another name of a central bank that is one, contradicts nothing, nor does the frame of a restatement.
// known is false where the words of a citation are not known.
func Judge(claim string, cited ...Evidence) (j judge.Judgement, known bool) {
	var passages []judge.Passage
	names := map[string]bool{}
	for i := range cited {
		p, ok := cited[i].passage()
		if !ok {
			return j, false
		}
		passages = append(passages, p)
		for _, w := range segment.Words(p.Title + " " + strings.Join(p.Writers, " ")) {
			names[segment.Stem(w.Lower)] = true
		}
	}
	if len(passages) == 0 {
		return j, false
	}
	j = judgeNamed(claim, passages, names)
	if bare := WithoutFrame(claim); bare != claim && j.Verdict == cite.ClaimNotShown { // the words may have the frame too: therefore
		j = judgeNamed(bare, passages, names)
	}
	return j, true
}

// judgeNamed judges a claim by passages in which the names are no news.
func judgeNamed(claim string, passages []judge.Passage, names map[string]bool) (j judge.Judgement) {
	claim, passages = Quarters(claim), slices.Clone(passages)
	for i := range passages {
		claim, passages[i].Words = Initials(claim, passages[i].Words), Initials(passages[i].Words, claim)
	}
	const most = 8 // names of a claim that are of its sources
	for range most {
		j = judge.Judge(claim, passages...)
		at := slices.IndexFunc(j.Findings, func(f judge.Finding) bool {
			return f.Test == judge.Name && names[segment.Stem(strings.ToLower(f.Claim))]
		})
		if at < 0 {
			break
		}
		own := j.Findings[at].Claim
		claim = strings.ReplaceAll(claim, own, strings.ToLower(own)) // no name any more
	}
	// Whether words left out keep the claim from following is for the support of a mark; here it contradicts nothing.
	j.Findings = slices.DeleteFunc(j.Findings, func(f judge.Finding) bool { return f.Test == judge.Restricting || f.Test == judge.Scoped })
	return j
}

var quarter = regexp.MustCompile(`\bQ([1-4])\b`)

// Quarters writes Q4 as the fourth quarter: one is no name and the other no number of its own.
func Quarters(text string) string {
	return quarter.ReplaceAllStringFunc(text, func(q string) string {
		return "the " + []string{"first", "second", "third", "fourth"}[q[1]-'1'] + " quarter"
	})
}

// Initials writes each word of capitals in a text as the words of another text whose initials they are: GDP as gross
// domestic product. Small words between these count for nothing.
func Initials(text, other string) string {
	const shortest = 3 // letters; two are the initials of too much
	var b strings.Builder
	end := 0
	for _, w := range segment.Words(text) {
		word := text[w.Start:w.End]
		if len(word) < shortest || strings.ContainsFunc(word, func(r rune) bool { return r < 'A' || r > 'Z' }) {
			continue
		}
		if long := spelledOut(strings.ToLower(word), other); long != "" {
			b.WriteString(text[end:w.Start] + long)
			end = w.End
		}
	}
	return b.String() + text[end:]
}

// spelledOut returns the words of a text that have the letters for their initials, "" where there are none.
func spelledOut(letters, text string) string {
	words := segment.Words(text)
	for i := range words {
		n, end := 0, 0
		for _, w := range words[i:] {
			if n > 0 && segment.Function(w.Lower) {
				continue
			}
			if w.Lower[0] != letters[n] || w.End-w.Start == 1 {
				break
			}
			end = w.End
			if n++; n == len(letters) {
				return text[words[i].Start:end]
			}
		}
	}
	return ""
}

// passage returns the words of a citation with the text around them; of a source of which only
// metadata is known, the words of the metadata. ok is false where no words are known.
func (e *Evidence) passage() (p judge.Passage, ok bool) {
	known := append(append([]string{e.Publisher, e.Title}, e.Names...), banks().aliases(e.Publisher+", "+e.Title)...)
	switch {
	case e.Quote != nil && !e.Paywall:
		p = e.Around
		p.Words, p.Before, p.After = Quarters(e.Quote.Text), Quarters(p.Before), Quarters(p.After)
	case e.Snippet != "":
		p = judge.Passage{Words: Quarters(e.Snippet), Writers: e.Around.Writers}
	default:
		return p, false
	}
	p.Date, p.Title = e.PublishedAt, strings.Join(known, ", ")
	return p, true
}

// shareWord reports whether a claim has a content word in common with what is known of the sources
// cited: the words around the quote, title, publisher. A claim without content words has nothing to
// compare.
func shareWord(claim string, cited []Evidence) bool {
	var there []string
	for i := range cited {
		e := &cited[i]
		text := e.Around.Before + " " + e.Around.After + " " + e.Title + " " + e.Publisher + " " + strings.Join(e.Names, " ") + " " + e.Snippet
		text += " " + strings.Join(banks().aliases(text), " ")
		for _, w := range segment.Words(text) {
			there = append(there, segment.Stem(w.Lower))
		}
	}
	content := false
	for _, w := range segment.Words(claim) {
		if segment.Function(w.Lower) {
			continue
		}
		content = true
		if slices.Contains(there, segment.Stem(w.Lower)) {
			return true
		}
	}
	return !content
}
