package main

import (
	"math"
	"slices"

	"muniment/search/rank"
)

const (
	maxRivals     = 25    // candidates of a question that are compared with the right one
	rounds        = 300   // steps of gradient descent
	rate          = 0.1   // length of a step
	decay         = 1e-3  // of the weights' squares: features that tell nothing get a weight of nothing
	rightAnswer   = 0.965 // least share of answers that are right on ordinary questions
	answeredShare = 0.33  // least share of ordinary questions that get an answer
	setWeight     = 10    // of a question of a set: they are a hundred, the others thousands
)

// signs say which features may only help and which may only harm, by what they mean: data of one kind shall not
// teach that a name from the question is a bad sign. Those not named are free.
var signs = map[string]float64{"sentence": 1, "passage": 1, "around": 1, "bigrams": 1, "proximity": 1, "surprise": 1, "typed": 1,
	"document": 1, "beside": 1, "alike": 1, "kin": 1, "focus": 1, "untyped": -1, "absent": -1, "unknown": -1, "contrary": -1, "intended": -1}

// byHand are weights of features that the data cannot teach: it has no headings and asks nothing in its texts.
var byHand = map[string]int{"untold": -1500}

// A sample is one question as logistic regression sees it: one of the right candidates has to win against the
// others, or, where none is right, nothing has to win, whose score is the bias.
type sample struct {
	features [][]float64
	right    []bool
	weight   float64
}

// fit returns weights fitted on archives, of which the first two are those of the two halves of the subjects. Thresholds that are set on what weights were fitted on promise too much of
// other archives: those of each half are set by weights that were fitted on the other half alone.
func fit(archives []*archive) rank.Weights {
	w := regress(archives)
	var folds []fold
	for half := range 2 {
		own := slices.DeleteFunc(slices.Clone(archives), func(a *archive) bool { return a.half != half && a.half != bothHalves })
		folds = append(folds, fold{regress(own), archives[1-half]})
	}
	return highThresholds(folds, w)
}

// A fold has the archive of half the subjects, and weights that were fitted on the other half.
type fold struct {
	weights rank.Weights
	archive *archive
}

// regress returns weights without thresholds: multinomial logistic regression over the candidates of each question,
// by gradient descent (Adam: Kingma and Ba, 2015) from zero, in the order of the questions.
func regress(archives []*archive) rank.Weights {
	samples := samplesOf(archives)
	names := rank.Features{}.Fields()
	n := len(names)
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
			if i < n && theta[i]*signs[names[i].Name] < 0 {
				theta[i] = 0
			}
		}
	}
	values := make([]int, n)
	for i := range values {
		values[i] = int(math.Round(1000 * theta[i]))
		if v, ok := byHand[names[i].Name]; ok {
			values[i] = v
		}
	}
	w := rank.Weights{Version: "fitted", Low: rank.Default().Low}
	return w.With(values)
}

func samplesOf(archives []*archive) []sample {
	var out []sample
	for _, a := range archives {
		for _, q := range a.trials {
			s := sample{weight: 1}
			if a.half == bothHalves && !q.foreign {
				s.weight = setWeight
			}
			for _, c := range q.candidates[:min(len(q.candidates), maxRivals)] {
				var v []float64
				for _, f := range c.Features.Fields() {
					v = append(v, float64(f.Value)/1000)
				}
				s.features, s.right = append(s.features, v), append(s.right, q.right[placeOf(c)])
			}
			switch {
			case q.foreign || len(s.features) == 0:
			case !q.Answerable:
				continue // a false premise looks like a true one: the thresholds of an answer are set by these
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

// A best is the best candidate of a question that is not foreign.
type best struct {
	features        rank.Features
	score           int
	right, ordinary bool
}

// highThresholds returns weights with the thresholds of an answer: of those by which enough ordinary questions
// get one, and enough of these are right, the ones that let the fewest false premises pass. Where no thresholds make
// enough of them right, those do that make the most of them right: without thresholds every guess would be an answer.
func highThresholds(folds []fold, w rank.Weights) rank.Weights {
	var all []best
	ordinary := 0
	for _, f := range folds {
		n, some := f.bests()
		ordinary, all = ordinary+n, append(all, some...)
	}
	out, most, mostRight := w, 0.0, 0.0
	for high := 1_000_000; high <= 12_000_000; high += 1_000_000 {
		for _, lead := range []int{0, 500, 1000, 2000} {
			for sentence := 500; sentence <= 900; sentence += 50 {
				for around := 700; around <= 950; around += 50 {
					w.High, w.Lead, w.Sentence, w.Around = high, lead, sentence, around
					asked, right, share := precision(all, w)
					right = min(right, rightAnswer)
					if asked >= answeredShare*float64(ordinary) && (right > mostRight || right == mostRight && share > most) {
						out, most, mostRight = w, share, right
					}
				}
			}
		}
	}
	return out
}

// bests returns how many ordinary questions the fold has, and the best candidates of questions that are not foreign.
func (f fold) bests() (ordinary int, out []best) {
	for _, q := range f.archive.trials {
		if q.foreign {
			continue
		}
		if q.Answerable {
			ordinary++
		}
		if chosen := rank.Choose(q.candidates, f.weights); len(chosen) > 0 && chosen[0].Features.Answers() {
			c := chosen[0]
			out = append(out, best{c.Features, c.Score, q.right[placeOf(c)], q.Answerable})
		}
	}
	return ordinary, out
}

// precision returns how many ordinary questions get an answer, the share of these answers that are right, and the
// share of all answers, those to false premises included.
func precision(all []best, w rank.Weights) (asked, ofOrdinary, ofAll float64) {
	answered, ordinary, right := 0, 0, 0
	for _, b := range all {
		if b.score < w.High || int(b.features.Lead) < w.Lead || int(b.features.Sentence) < w.Sentence || int(b.features.Around) < w.Around {
			continue
		}
		answered++
		if b.ordinary {
			ordinary++
		}
		if b.right {
			right++
		}
	}
	if ordinary == 0 {
		return 0, 0, 0
	}
	return float64(ordinary), float64(right) / float64(ordinary), float64(right) / float64(answered)
}
