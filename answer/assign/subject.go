package assign

import (
	"strings"

	"muniment/answer/segment"
)

// subject tells whether the claim's subject, where it is a pronoun or the archive's subject by
// name, is the same person as the subject of the aligned words; and, where it is a word of the text,
// whether no other person stands between it and its verb (undisturbed sees to that).
func (m *match) subject(from int) bool {
	want := m.claimed()
	if want == "" {
		return m.first(from)
	}
	got := m.found(from)
	firstPerson := (got == "1" || got == "") && m.bySubject()
	switch want {
	case "self":
		return firstPerson || got == "self"
	case "1":
		return got == "1" || got == ""
	case "he", "she", "er":
		return got == want || firstPerson
	case "they":
		return got == want || got == "1" && m.bySubject()
	}
	return got == want
}

// bySubject tells whether the first person of the passage is the archive's subject.
func (m *match) bySubject() bool {
	if m.p.Author == "" {
		return true
	}
	for _, w := range segment.Words(m.p.Author) {
		if m.self[w.Lower] {
			return true
		}
	}
	return len(m.self) == 0
}

// claimed returns the class of the claim's subject: a pronoun's person, "self", or "" when the
// subject is a word that has to align itself.
func (m *match) claimed() string {
	for _, t := range m.c {
		if t.self {
			return "self"
		}
		if p := person(t.Lower); p != "" {
			return p
		}
		if t.content && t.prep == "" {
			return ""
		}
	}
	return ""
}

// found returns the class of the subject of the first aligned word: the nearest person before it.
// "" means that there is none, as in "Up, and to the office".
func (m *match) found(from int) string {
	for j := m.at[m.pivot] - 1; j >= from; j-- {
		t := m.w[j]
		if t.self {
			return "self"
		}
		if p := person(t.Lower); p != "" {
			return p
		}
		if t.name && t.prep == "" {
			return "name"
		}
		subjectNoun := !segment.Function(t.Lower) && t.prep == "" && (j == from && t.Upper || j > 0 && segment.Determiner(m.w[j-1].Lower))
		if subjectNoun && m.adjoins(j) {
			return "noun"
		}
	}
	return ""
}

// adjoins tells whether only function words that join nothing stand between token j and the first
// aligned one.
func (m *match) adjoins(j int) bool {
	verb := m.at[m.pivot]
	for k := j + 1; k <= verb; k++ {
		if joins(m.w[k].Lower) || strings.ContainsAny(m.w[k].gap, ",;") || k < verb && !segment.Function(m.w[k].Lower) {
			return false
		}
	}
	return true
}

// first tells, for a claim whose subject is a word of the text, that this word begins its clause
// there too: nobody else does what is claimed ("Peter saw that the miller …").
func (m *match) first(from int) bool {
	if m.pivot > 0 {
		from = m.at[m.pivot-1] + 1 // behind the moved phrase
	}
	for j := from; j < m.at[m.pivot]; j++ {
		t := m.w[j]
		if person(t.Lower) != "" || segment.FiniteVerb(t.Lower) || t.name && t.prep == "" {
			return false
		}
	}
	return true
}

func firstContent(ts []token) int {
	for i, t := range ts {
		if t.content {
			return i
		}
	}
	return -1
}
