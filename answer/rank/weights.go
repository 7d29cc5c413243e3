package rank

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
)

// Weights are the factors of the features and the two thresholds.
type Weights struct {
	Version   string // changes with any number here and with any change of how a feature is computed
	High, Low int    // least score of an answer, and of what is shown as nearest
	values    []int  // by feature, in the order of fields
}

// An Outcome is what a score makes of a candidate.
type Outcome int

const (
	Below   Outcome = iota // not to be shown
	Nearest                // to be shown as what is nearest, without saying that it answers
	Answer                 // to be shown as an answer
)

func (o Outcome) String() string { return [...]string{"below", "nearest", "answer"}[o] }

// Outcome returns what the features of a candidate make of it.
func (w Weights) Outcome(f Features) Outcome {
	switch score := f.Score(w); {
	case score >= w.High && f.Answers():
		return Answer
	case score >= w.Low:
		return Nearest
	}
	return Below
}

// Of returns the weight of a feature, by its name in weights.txt; 0 for a name that is none.
func (w Weights) Of(name string) int {
	for i, d := range fields {
		if d.name == name {
			return w.values[i]
		}
	}
	return 0
}

//go:embed weights.txt
var weightsFile string

// A test demands that the file is read without an error.
var shipped, shippedError = ParseWeights(weightsFile)

// Default returns the weights of this program.
func Default() Weights { return shipped }

// ParseWeights parses a text of lines "name value": version, high, low, and every feature in its order. Blank
// lines and lines that begin with # are skipped.
func ParseWeights(text string) (Weights, error) {
	w := Weights{}
	n := 0
	for i, line := range strings.Split(text, "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		name, value, _ := strings.Cut(line, " ")
		number, err := strconv.Atoi(value)
		switch {
		case n == 0 && name == "version" && value != "":
			w.Version = value
		case n == 1 && name == "high" && err == nil:
			w.High = number
		case n == 2 && name == "low" && err == nil:
			w.Low = number
		case n >= 3 && n < 3+len(fields) && name == fields[n-3].name && err == nil:
			w.values = append(w.values, number)
		default:
			return Weights{}, fmt.Errorf("weights, line %d: %q does not belong there", i+1, line)
		}
		n++
	}
	if n != 3+len(fields) {
		return Weights{}, fmt.Errorf("weights: %d lines, want %d", n, 3+len(fields))
	}
	return w, nil
}

// String returns the weights as ParseWeights reads them.
func (w Weights) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "version %s\nhigh %d\nlow %d\n", w.Version, w.High, w.Low)
	for i, d := range fields {
		fmt.Fprintf(&b, "%s %d\n", d.name, w.values[i])
	}
	return b.String()
}

// With returns weights with other factors, in the order of Features.Fields.
func (w Weights) With(version string, high, low int, values []int) Weights {
	return Weights{Version: version, High: high, Low: low, values: append([]int(nil), values...)}
}
