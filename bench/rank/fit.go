package main

import (
	"math"
	"slices"

	"muniment/answer/rank"
)

const (
	rounds      = 400  // steps of gradient descent
	rate        = 0.05 // length of a step
	decay       = 1e-3 // of the weights' squares: features that tell nothing get a weight of nothing
	falseShare  = 0.3  // weight of a question with a false premise: its paper is right, and its answer is not there
	rightAnswer = 0.95 // least share of answers that are right on ordinary questions
	rightMixed  = 0.72 // and with the false premises
	passing     = 0.05 // share of foreign questions that pass the low threshold
)

// A sample is one question as logistic regression sees it: one of the right candidates has to win against the
// others, or, where none is right, nothing has to win, whose score is the bias.
type sample struct {
	features [][]float64
	right    []bool
	weight   float64
}

// fit returns weights fitted on archives: multinomial logistic regression over the candidates of each question,
// by gradient descent (Adam: Kingma and Ba, 2015) from zero, in the order of the questions.
func fit(archives []*archive) rank.Weights {
	samples := samplesOf(archives)
	n := len(rank.Features{}.Fields())
	theta := make([]float64, n+1) // the last is the bias of no candidate
	first, second := make([]float64, n+1), make([]float64, n+1)
	for step := 1; step <= rounds; step++ {
		grad := make([]float64, n+1)
		total := 0.0
		for _, s := range samples {
			s.addGradient(theta, grad)
			total += s.weight
		}
		for i := range theta {
			g := grad[i] / total
			if i < n {
				g += decay * theta[i]
			}
			first[i] = 0.9*first[i] + 0.1*g
			second[i] = 0.999*second[i] + 0.001*g*g
			m, v := first[i]/(1-math.Pow(0.9, float64(step))), second[i]/(1-math.Pow(0.999, float64(step)))
			theta[i] -= rate * m / (math.Sqrt(v) + 1e-8)
		}
	}
	values := make([]int, n)
	for i := range values {
		values[i] = int(math.Round(1000 * theta[i]))
	}
	w := rank.Weights{}.With("fitted", math.MaxInt, math.MinInt, values)
	high, low := thresholds(archives, w)
	return w.With("fitted", high, low, values)
}

func samplesOf(archives []*archive) []sample {
	var out []sample
	for _, a := range archives {
		for _, q := range a.asked {
			s := sample{weight: 1}
			for _, c := range q.candidates {
				var v []float64
				for _, f := range c.Features.Fields() {
					v = append(v, float64(f.Value)/1000)
				}
				s.features, s.right = append(s.features, v), append(s.right, q.right[placeOf(c)])
			}
			switch {
			case q.foreign || len(s.features) == 0:
			case !q.Answerable:
				s.weight = falseShare
			case !slices.Contains(s.right, true):
				continue // its paper was not found
			}
			out = append(out, s)
		}
	}
	return out
}

// addGradient adds the gradient of the sample's loss.
func (s *sample) addGradient(theta, grad []float64) {
	n := len(theta) - 1
	scores := make([]float64, len(s.features)+1)
	most := theta[n]
	for i, v := range s.features {
		for j, x := range v {
			scores[i] += theta[j] * x
		}
		most = max(most, scores[i])
	}
	scores[len(s.features)] = theta[n]
	answered := slices.Contains(s.right, true)
	all, right := 0.0, 0.0
	for i := range scores {
		scores[i] = math.Exp(scores[i] - most)
		all += scores[i]
		if s.wins(i, answered) {
			right += scores[i]
		}
	}
	for i := range scores {
		g := scores[i] / all
		if s.wins(i, answered) {
			g -= scores[i] / right
		}
		g *= s.weight
		if i == len(s.features) {
			grad[n] += g
			continue
		}
		for j, x := range s.features[i] {
			grad[j] += g * x
		}
	}
}

// wins reports whether a candidate should win; the one after the last is none.
func (s *sample) wins(i int, answered bool) bool {
	if i == len(s.features) {
		return !answered
	}
	return s.right[i]
}

// thresholds returns the least high threshold that keeps what answers promise, and the low one that so many
// foreign questions pass.
func thresholds(archives []*archive, w rank.Weights) (high, low int) {
	type best struct {
		score                 int
		right, ordinary, mine bool
	}
	var answers []best
	var foreign []int
	for _, a := range archives {
		for _, q := range a.asked {
			chosen := rank.Choose(q.candidates, w)
			if len(chosen) == 0 {
				if q.foreign {
					foreign = append(foreign, math.MinInt)
				}
				continue
			}
			c := chosen[0]
			if q.foreign {
				foreign = append(foreign, c.Score)
			} else if c.Features.Answers() {
				answers = append(answers, best{c.Score, q.right[placeOf(c)], q.Answerable, true})
			}
		}
	}
	slices.Sort(foreign)
	low = foreign[min(len(foreign)-1, int(float64(len(foreign))*(1-passing)))] + 1
	slices.SortFunc(answers, func(a, b best) int { return b.score - a.score })
	right, ordinary, all := 0.0, 0.0, 0.0
	high = math.MaxInt
	for _, b := range answers {
		all++
		if b.ordinary {
			ordinary++
		}
		if b.right {
			right++
		}
		if ordinary > 0 && right/ordinary >= rightAnswer && right/all >= rightMixed {
			high = b.score
		}
	}
	return high, low
}
