package main

import (
	"fmt"
	"strings"

	"muniment/answer/rank"
)

// quotes is how many quotes are shown at most.
const quotes = 3

// Figures count the outcomes of the questions of one archive.
type figures struct {
	answerable, shown, first  int // questions with an answer; with its words in three quotes; in the first
	answered, answeredRight   int // of these, called an answer, and rightly
	impossible, impossibleYes int // questions of false premises; called an answer
	foreign, passed, yes      int // questions of other archives; not refused; called an answer
}

func measure(a *archive, w rank.Weights) figures {
	var f figures
	for _, q := range a.trials {
		chosen := rank.Choose(q.candidates, w)
		best := rank.Below
		if len(chosen) > 0 {
			best = w.Outcome(chosen[0].Features)
		}
		switch {
		case q.foreign:
			f.foreign++
			if best != rank.Below {
				f.passed++
			}
			if best == rank.Answer {
				f.yes++
			}
		case !q.Answerable:
			f.impossible++
			if best == rank.Answer {
				f.impossibleYes++
			}
		default:
			f.answerable++
			for i, c := range chosen[:min(len(chosen), quotes)] {
				if w.Outcome(c.Features) == rank.Below || !q.right[placeOf(c)] {
					continue
				}
				if f.shown++; i == 0 {
					f.first++
				}
				break
			}
			if best == rank.Answer {
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
	line("ordinary questions that get an answer", f.answered, f.answerable)
	line("answers that are right, ordinary questions", f.answeredRight, f.answered)
	line("answers that are right, with the false premises", f.answeredRight, f.answered+f.impossibleYes)
	line("foreign questions that are refused", f.foreign-f.passed, f.foreign)
	line("foreign questions that get an answer", f.yes, f.foreign)
	return b.String()
}
