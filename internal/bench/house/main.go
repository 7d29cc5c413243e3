// Command house prints how large the house is and holds it to budgets.txt: lines by floor,
// the widest package and type, imports, and the other figures named there. With a figure
// above its budget the exit code is 1.
//
//	go run ./internal/bench/house [-tighten] [-reach] [DIR]
//
// -tighten lowers the budgets in budgets.txt to today's figures; -reach prints what the design
// asks for in a further column. DIR is the root of a checkout, the current folder if not given.
// Git says which files belong to the checkout, go list which package imports which.
//
// Tests are not counted. Lines are those after gofmt; one of n columns, a tab being four, counts
// as ⌈n/120⌉. Rules in data files (*.txt of meaning, draft and answer/gate) count as lines of
// their package.
package main

import (
	_ "embed"
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

//go:embed budgets.txt
var budgets []byte

// budgetFile is the path of budgets.txt in a checkout.
const budgetFile = "internal/bench/house/budgets.txt"

func main() {
	tighten := flag.Bool("tighten", false, "lower the budgets to today's figures")
	reach := flag.Bool("reach", false, "print what the design asks for")
	flag.Parse()
	dir := "."
	if flag.NArg() > 0 {
		dir = flag.Arg(0)
	}
	if err := run(dir, *tighten, *reach); err != nil {
		fmt.Fprintln(os.Stderr, "house:", err)
		os.Exit(1)
	}
}

// run prints the figures of the checkout in dir and, with tighten, lowers its budgets. A figure
// above its budget is an error.
func run(dir string, tighten, reach bool) error {
	p, err := readPlan(budgets)
	if err != nil {
		return err
	}
	c, err := readCheckout(dir, p)
	if err != nil {
		return err
	}
	figures, err := p.measured(c.figures(p))
	if err != nil {
		return err
	}
	above := 0
	for _, f := range figures {
		fmt.Println(f.row(reach))
		if f.today > f.budget {
			above++
		}
	}
	if above > 0 {
		return fmt.Errorf("figures above their budget: %d of %d; cut elsewhere on the floor, or give the reason in a decision page (%s)", above, len(figures), budgetFile)
	}
	if tighten {
		return os.WriteFile(filepath.Join(dir, budgetFile), tightened(budgets, figures), 0o644)
	}
	return nil
}
