package rank

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
)

// Weights are the factors of the features and the thresholds of an answer.
type Weights struct {
	Version   string // changes with any number here and with any change of how a feature is computed
	High, Low int    // least score of an answer, and of a nearest passage: any score, as an Evidence decides
	Lead      int    // least Features.Lead of an answer
	Sentence  int    // least Features.Sentence of an answer
	Around    int    // least Features.Around of an answer
	values    []int  // by feature, in the order of fields
}

// IsAnswer reports whether a candidate with these features may be called an answer.
func (w Weights) IsAnswer(f Features) bool { return int(f.Lead) >= w.Lead && w.mayAnswer(f) }

// mayAnswer reports whether a candidate with these features is an answer but for its lead.
func (w Weights) mayAnswer(f Features) bool {
	return f.Score(w) >= w.High && int(f.Sentence) >= w.Sentence && int(f.Around) >= w.Around && f.Answers()
}

//go:embed weights.txt
var weightsFile string

// A test demands that the file is read without an error.
var shipped, shippedError = ParseWeights(weightsFile)

// Default returns the weights of this program.
func Default() Weights { return shipped }

// limits lists the lines between the version and the weights.
var limits = []struct {
	name string
	of   func(*Weights) *int
}{
	{"high", func(w *Weights) *int { return &w.High }},
	{"low", func(w *Weights) *int { return &w.Low }},
	{"least-lead", func(w *Weights) *int { return &w.Lead }},
	{"least-sentence", func(w *Weights) *int { return &w.Sentence }},
	{"least-around", func(w *Weights) *int { return &w.Around }},
}

// ParseWeights parses a text of lines "name value": the version, the thresholds, and every feature in its order.
// Blank lines and lines that begin with # are skipped.
func ParseWeights(text string) (Weights, error) {
	w := Weights{}
	n, begin := 0, 1+len(limits)
	for i, line := range strings.Split(text, "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		name, value, _ := strings.Cut(line, " ")
		number, err := strconv.Atoi(value)
		switch {
		case n == 0 && name == "version" && value != "":
			w.Version = value
		case n >= 1 && n <= len(limits) && name == limits[n-1].name && err == nil:
			*limits[n-1].of(&w) = number
		case n > len(limits) && n < begin+len(fields) && name == fields[n-begin].name && err == nil:
			w.values = append(w.values, number)
		default:
			return Weights{}, fmt.Errorf("weights, line %d: %q does not belong there", i+1, line)
		}
		n++
	}
	if n != begin+len(fields) {
		return Weights{}, fmt.Errorf("weights: %d lines, want %d", n, begin+len(fields))
	}
	return w, nil
}

// String returns the weights as ParseWeights reads them.
func (w Weights) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "version %s\n", w.Version)
	for _, l := range limits {
		fmt.Fprintf(&b, "%s %d\n", l.name, *l.of(&w))
	}
	for i, d := range fields[:min(len(w.values), len(fields))] {
		fmt.Fprintf(&b, "%s %d\n", d.name, w.values[i])
	}
	return b.String()
}

// With returns weights with other factors, in the order of Features.Fields.
func (w Weights) With(values []int) Weights {
	w.values = append([]int(nil), values...)
	return w
}
