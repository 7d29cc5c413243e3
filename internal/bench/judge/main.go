// Command judge fits the weights of the score of package judge on labelled pairs, and prints them with the figures on pairs held back.
//
//	go run ./internal/bench/judge
package main

import (
	"fmt"
	"math"
	"os"
	"strings"

	"muniment/judge"
)

// A pair is the features of a claim over words, and whether it follows.
type pair struct {
	features []float64
	follows  bool
}

func main() {
	train := append(append(read("restatements.tsv", 1, 0, -1, ""), read("changed.tsv", 1, 0, -1, "-")...), read("free.tsv", 1, 0, 3, "good")...)
	for _, set := range []string{"heldout", "heldout2"} {
		train = append(train, read(set+".tsv", 5, 6, 1, "yes")...)
	}
	held := read("heldout3.tsv", 5, 6, 1, "yes")
	w := fit(train)
	fmt.Print("weights:")
	w[len(w)-1] += 2 // half of the scale, where a claim is as likely to follow as not
	for _, v := range w {
		fmt.Printf(" %d,", int(math.Round(v*judge.Likely/2)))
	}
	w[len(w)-1] -= 2
	fmt.Printf("\nfitted on %d pairs: macro-F1 %.3f\nheldout3, %d pairs: macro-F1 %.3f\n", len(train), macroF1(train, w), len(held), macroF1(held, w))
}

// read returns the pairs of a table of judge/testdata: the columns of claim, words and label. A label of -1 is the same for every row: "" follows.
func read(name string, claim, words, label int, yes string) []pair {
	data, err := os.ReadFile("judge/testdata/" + name)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	var out []pair
	var claims, texts []string
	for line := range strings.Lines(string(data)) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if line[0] == '#' || f[0] == "id" {
			continue
		}
		p := pair{follows: yes == ""}
		if label >= 0 {
			p.follows = f[label] == yes
		}
		p.features = measure(f[claim], f[words])
		out = append(out, p)
		if p.follows {
			claims, texts = append(claims, f[claim]), append(texts, f[words])
		}
	}
	for i := range claims { // of another paper, and half of another paper
		next := (i + 1) % len(claims)
		out = append(out, pair{features: measure(claims[i], texts[next])}, pair{features: measure(strings.TrimRight(claims[i], ".")+" and "+claims[next], texts[next])})
	}
	return out
}

func measure(claim, words string) []float64 {
	var out []float64
	for _, v := range judge.Measure(claim, judge.Passage{Words: words}).Fields() {
		out = append(out, float64(v)/1000)
	}
	return append(out, 1)
}

// fit returns the weights of a logistic regression in which both labels count alike.
func fit(all []pair) []float64 {
	const steps, rate, shrink = 4000, 0.5, 0.002
	w := make([]float64, len(all[0].features))
	yes := 0.0
	for _, p := range all {
		if p.follows {
			yes++
		}
	}
	for range steps {
		gradient := make([]float64, len(w))
		for _, p := range all {
			target, weight := 0.0, 0.5/(float64(len(all))-yes)
			if p.follows {
				target, weight = 1, 0.5/yes
			}
			for i, v := range p.features {
				gradient[i] += weight * (target - 1/(1+math.Exp(-dot(w, p.features)))) * v
			}
		}
		for i := range w {
			w[i] += rate * (gradient[i] - shrink*w[i])
		}
	}
	return w
}

func dot(w, f []float64) float64 {
	sum := 0.0
	for i := range w {
		sum += w[i] * f[i]
	}
	return sum
}

// macroF1 returns the mean of the F1 of both labels.
func macroF1(all []pair, w []float64) float64 {
	var tp, fp, fn, tn float64
	for _, p := range all {
		switch likely := dot(w, p.features) >= 0; {
		case likely && p.follows:
			tp++
		case likely:
			fp++
		case p.follows:
			fn++
		default:
			tn++
		}
	}
	return (2*tp/(2*tp+fp+fn) + 2*tn/(2*tn+fp+fn)) / 2
}
