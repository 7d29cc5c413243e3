package main

import (
	"bytes"
	"fmt"
	"math"
	"path"
	"strconv"
	"strings"
)

// A figure is one measure of the house and its budget.
type figure struct {
	name   string
	today  float64
	budget float64
	reach  string // what the design asks for, - for nothing
	where  string // the package, type or function that has the figure
	line   int    // index of its line in budgets.txt
	column int    // field of that line that holds the budget
}

// row formats a figure for the table.
func (f figure) row(reach bool) string {
	s := fmt.Sprintf("%-50s %9.6g of %9.6g", f.name, f.today, f.budget)
	if reach {
		s += fmt.Sprintf("  reach %8s", f.reach)
	}
	if f.today > f.budget {
		s += "  ABOVE ITS BUDGET"
	}
	if f.where != "" {
		s += "  " + f.where
	}
	return s
}

// A plan is the content of budgets.txt.
type plan struct {
	figures []figure
	floors  map[string]place // by folder
	words   map[string]bool  // data files that are counted apart
}

// A place is the floor of a folder and its rank: the number of its group, counted from the verifier
// upwards.
type place struct {
	floor string
	rank  int
}

// equipment is the floor of what no program needs.
const equipment = "test"

// readPlan parses budgets.txt.
func readPlan(data []byte) (plan, error) {
	p := plan{floors: map[string]place{}, words: map[string]bool{}}
	rank := 0
	for i, line := range strings.Split(string(data), "\n") {
		fields := strings.Fields(line)
		if len(fields) == 0 || fields[0] == "#" {
			continue
		}
		f := figure{line: i, column: 1}
		switch {
		case fields[0] == "words" && len(fields) == 2:
			p.words[fields[1]] = true
			continue
		case fields[0] == "floor" && len(fields) >= 5:
			f.name, f.reach, f.column = "lines of "+fields[1], fields[3], 2
			for _, group := range fields[4:] {
				rank++
				for folder := range strings.SplitSeq(group, ",") {
					p.floors[folder] = place{fields[1], rank}
				}
			}
		case fields[0] == "figure" && len(fields) >= 4:
			f.name, f.reach = strings.Join(fields[3:], " "), fields[2]
		default:
			return plan{}, fmt.Errorf("%s:%d: no floor, words or figure: %q", budgetFile, i+1, line)
		}
		var err error
		if f.budget, err = strconv.ParseFloat(fields[f.column], 64); err != nil {
			return plan{}, fmt.Errorf("%s:%d: the budget is no number: %q", budgetFile, i+1, line)
		}
		p.figures = append(p.figures, f)
	}
	return p, nil
}

// place returns the place of a folder: that of the longest path of a group that leads to it.
// The front package stands for itself alone.
func (p plan) place(folder string) (at place, ok bool) {
	for at, ok = p.floors[folder]; !ok && strings.Contains(folder, "/"); at, ok = p.floors[folder] {
		folder = path.Dir(folder)
	}
	return at, ok
}

// A value is what was measured for a figure.
type value struct {
	n     float64
	where string
}

// measured returns the figures of the plan with what was measured. A figure without a
// measurement, or the other way round, is an error.
func (p plan) measured(values map[string]value) ([]figure, error) {
	figures := make([]figure, 0, len(p.figures))
	for _, f := range p.figures {
		v, ok := values[f.name]
		if !ok {
			return nil, fmt.Errorf("%s:%d: nothing measures %q", budgetFile, f.line+1, f.name)
		}
		f.today, f.where = v.n, v.where
		figures = append(figures, f)
		delete(values, f.name)
	}
	for name := range values {
		return nil, fmt.Errorf("%s has no budget for %q", budgetFile, name)
	}
	return figures, nil
}

// tightened returns budgets.txt with every budget lowered to the figure of today. Comments and
// spaces stay as they are.
func tightened(data []byte, figures []figure) []byte {
	lines := bytes.Split(data, []byte("\n"))
	for _, f := range figures {
		if f.today < f.budget {
			lines[f.line] = replaceField(lines[f.line], f.column, strconv.FormatFloat(f.today, 'f', -1, 64))
		}
	}
	return bytes.Join(lines, []byte("\n"))
}

// replaceField replaces a field of a line, counted from 0, and keeps the spaces around it.
func replaceField(line []byte, n int, with string) []byte {
	at := 0
	for range n {
		at += bytes.IndexByte(line[at:], ' ')
		at += len(line[at:]) - len(bytes.TrimLeft(line[at:], " "))
	}
	end := at + bytes.IndexByte(line[at:], ' ')
	return append(append(append([]byte{}, line[:at]...), with...), line[end:]...)
}

// hundredths rounds up to two decimals, so that a budget is never below its figure.
func hundredths(x float64) float64 { return math.Ceil(x*100) / 100 }
