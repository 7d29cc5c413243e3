package assign

import (
	"slices"
	"strings"
	"testing"

	"muniment/answer/retrieve"
	"muniment/answer/segment"
)

// TestExchangedParts demands that no sentence states a clause of which the subject or a phrase is that of another clause, of the same text or of
// the next one, in either voice.
func TestExchangedParts(t *testing.T) {
	var texts []string
	for _, name := range []string{"reworded.txt", "reworded2.txt", "lifted.txt", "lifted2.txt", "joined.txt", "joined2.txt", "voice1.txt", "beside1.txt", "hostile1.txt"} {
		for _, p := range readReworded(t, name) {
			if !slices.Contains(texts, p.text) {
				texts = append(texts, p.text)
			}
		}
	}
	for _, r := range readRestated(t) {
		texts = append(texts, r.passage)
	}
	n, sentences, same := 0, 0, 0
	var before []*frame
	for _, whole := range texts {
		all := framesOf(whole)
		for _, s := range segment.Sentences(whole, "en") {
			sentence := whole[s.Start:s.End]
			for _, f := range framesOf(sentence) {
				sentences++
				if c := newComparedSentence(text(f.clause), sentence, &retrieve.Passage{}, nil); c != nil && (c.repeats() || c.restates()) {
					same++
				}
				for _, other := range slices.Concat(all, before) {
					for _, claim := range exchange(f, other) {
						n++
						c := newComparedSentence(claim, sentence, &retrieve.Passage{}, nil)
						if c != nil && (c.repeats() || c.restates()) {
							t.Errorf("%q follows from %q", claim, sentence)
						}
					}
				}
			}
		}
		before = all
	}
	t.Logf("%d texts, %d claims; of %d clauses as they stand %d follow", len(texts), n, sentences, same)
	if n < 3000 || same*10 < sentences*9 {
		t.Errorf("%d claims, want at least 3000; of %d clauses as they stand %d follow, want nine tenths", n, sentences, same)
	}
}

// framesOf returns the frames of the clauses of a text.
func framesOf(text string) []*frame {
	var out []*frame
	for _, s := range segment.Sentences(text, "en") {
		for _, c := range factualClauses(joinPhrases(normal(forms(text[s.Start:s.End], nil))), false) {
			if f, ok := newFrame(c); ok {
				out = append(out, f)
			}
		}
	}
	return out
}

// exchange returns the claims that f's clause makes with the subject, or one phrase, of another clause in place of its own, with the two parties
// exchanged, and with a phrase of the other clause added; where the two have the part in common there is none.
func exchange(f, other *frame) []string {
	subject, words := f.clause[f.subjectEnds[0]:f.subjectEnds[1]], f.clause[f.subjectEnds[1]:]
	front := f.clause[:f.subjectEnds[0]]
	var out []string
	add := func(parts ...[]form) { out = append(out, text(slices.Concat(parts...))) }
	if theirs := other.clause[other.subjectEnds[0]:other.subjectEnds[1]]; !shares(theirs, f.clause) && !shares(subject, theirs) {
		add(front, theirs, words)
	}
	for _, u := range f.units {
		for _, v := range other.units {
			mine, theirs := f.clause[u.start:u.end], other.clause[v.start:v.end]
			if u.kind != v.kind || u.prep != v.prep || u.dative || v.dative || u.front || u.kind == openPhrase || shares(theirs, f.clause) || shares(mine, theirs) {
				continue
			}
			add(f.clause[:u.start], theirs, f.clause[u.end:])
			if !f.verb.passive && u.kind == barePhrase && !f.verb.link && f.verb.tense == "past" {
				add(theirs, []form{{text: "was"}, f.clause[u.start-1], {text: "by"}}, subject)
			}
		}
		if u.kind == barePhrase && !f.verb.link && !slices.EqualFunc(subject, f.clause[u.start:u.end], func(a, b form) bool { return a.text == b.text }) {
			add(front, f.clause[u.start:u.end], f.clause[f.subjectEnds[1]:u.start], subject, f.clause[u.end:])
		}
	}
	for _, v := range other.units {
		if theirs := other.clause[v.start:v.end]; (v.kind == timePhrase || v.kind == prepPhrase && !v.dative) && !shares(theirs, f.clause) {
			add(theirs, f.clause)
			add(f.clause, theirs)
		}
	}
	return out
}

// shares reports whether the last of some words stands in a clause, or may stand for a word of it.
func shares(ws, clause []form) bool {
	last := ws[len(ws)-1].text
	return person(nominative(last)) != "" || slices.ContainsFunc(clause, func(w form) bool {
		return w.text == last || isDate(w.text) && isDate(last) && containsDate(last, w.text)
	})
}

// text writes words as a sentence.
func text(ws []form) string {
	var b strings.Builder
	for i, w := range ws {
		s := w.text
		if isDate(s) {
			s = dateWords(s)
		}
		if i == 0 || w.upper || w.begin && !segment.Function(w.text) && w.text != strings.ToLower(w.text) {
			s = strings.ToUpper(s[:1]) + s[1:]
		}
		b.WriteString(s + " ")
	}
	return strings.TrimSpace(b.String()) + "."
}

// dateWords writes a date of the normal form as a text has it.
func dateWords(s string) string {
	months := []string{"January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"}
	parts := strings.Split(strings.TrimPrefix(strings.TrimPrefix(s, datemark), "--"), "-")
	year := ""
	if !strings.Contains(s, "--") {
		year, parts = parts[0], parts[1:]
	}
	out := ""
	if len(parts) == 2 {
		out = strings.TrimPrefix(parts[1], "0") + " "
	}
	if len(parts) > 0 {
		for i, m := range months {
			if len(parts[0]) == 2 && parts[0] == string([]byte{'0' + byte((i+1)/10), '0' + byte((i+1)%10)}) {
				out += m + " "
			}
		}
	}
	return strings.TrimSpace(out + year)
}
