package main

import (
	"fmt"
	"slices"
	"strings"

	"muniment/search/rank"
)

// quotes is how many quotes are shown at most.
const quotes = 3

// Figures count the outcomes of the questions of one archive.
type figures struct {
	answerable, shown, first  int // questions with an answer; with its words in three quotes; in the first
	answered, answeredRight   int // of these, called an answer, and rightly
	impossible, impossibleYes int // questions of false premises; called an answer
	foreign, passed, yes      int // questions of other archives; not refused; called an answer
	lost                      losses
}

// Losses count the questions with an answer whose words are not shown, by what loses them.
type losses struct {
	passage   int // no passage of the paper is found
	candidate int // no sentence or pair found holds the words
	order     int // three others rank before it
	repeated  int // of these, two of the three are of one passage
	low       int // the evidence of the archive does not suffice
}

// count counts a question whose right words are not shown: those that rank best are the candidate at an index,
// -1 for none.
func (l *losses) count(q trial, chosen []rank.Candidate, at int) {
	switch {
	case len(q.right) == 0 && !q.found:
		l.passage++
	case len(q.right) == 0:
		l.candidate++
	case at >= 0 && at < quotes:
		l.low++
	default:
		l.order++
		seen := map[int]bool{}
		for _, c := range chosen[:min(len(chosen), quotes)] {
			seen[c.Passage] = true
		}
		if len(seen) < min(len(chosen), quotes) {
			l.repeated++
		}
	}
}

func measure(a *archive, w rank.Weights) figures {
	var f figures
	for _, q := range a.trials {
		chosen := rank.Choose(q.candidates, w)
		shows := q.evidence.Suffices()
		answers := len(chosen) > 0 && w.IsAnswer(chosen[0].Features)
		switch {
		case q.foreign:
			f.foreign++
			if shows || answers {
				f.passed++
			}
			if answers {
				f.yes++
			}
		case !q.Answerable:
			f.impossible++
			if answers {
				f.impossibleYes++
			}
		default:
			f.answerable++
			at := slices.IndexFunc(chosen, func(c rank.Candidate) bool { return q.right[placeOf(c)] })
			if at >= 0 && at < quotes && (shows || at == 0 && answers) {
				if f.shown++; at == 0 {
					f.first++
				}
			} else {
				f.lost.count(q, chosen, at)
			}
			if answers {
				f.answered++
				if q.right[placeOf(chosen[0])] {
					f.answeredRight++
				}
			}
		}
	}
	return f
}

func percent(part, whole int) string {
	if whole == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f %%", 100*float64(part)/float64(whole))
}

// String returns a line for each figure.
func (f figures) String() string {
	var b strings.Builder
	line := func(what string, part, whole int) {
		fmt.Fprintf(&b, "  %-58s %8s  %d of %d\n", what, percent(part, whole), part, whole)
	}
	line("right words in at most three quotes", f.shown, f.answerable)
	line("right words in the first quote", f.first, f.answerable)
	line("lost: no passage of the paper", f.lost.passage, f.answerable)
	line("lost: no sentence or pair of a passage found holds them", f.lost.candidate, f.answerable)
	line("lost: three others rank before", f.lost.order, f.answerable)
	line("  of these, two of the three are of one passage", f.lost.repeated, f.answerable)
	line("lost: too little evidence that the archive speaks of it", f.lost.low, f.answerable)
	line("ordinary questions that get an answer", f.answered, f.answerable)
	line("answers that are right, ordinary questions", f.answeredRight, f.answered)
	line("answers that are right, with the false premises", f.answeredRight, f.answered+f.impossibleYes)
	line("foreign questions that are refused", f.foreign-f.passed, f.foreign)
	line("foreign questions that get an answer", f.yes, f.foreign)
	return b.String()
}
