// Command kit asks a verifier of this archive format, written in any language,
// about the test vectors, and prints where it agrees with them.
//
//	go run ./testvectors/kit -verifier "python3 reader.py"
//	go run ./testvectors/kit -verifier ./my-program -area snapshot,record -v
//
// The verifier is run once for each vector:
//
//	my-program AREA KIND FILE KEY=VALUE…
//
// FILE holds the body of the vector alone, and each KEY=VALUE is a header line that
// is an input. The exit code is 0 where the verifier accepts, 1 where it refuses,
// and 2 where it does not know the kind. What it prints on its first line is
// compared where the kind has something to print. Which header lines are inputs
// and which are printed is in kinds.tsv, one kind a line.
//
// The exit code of the kit is 0 when the verifier agrees on all vectors that it
// knows, 1 when it does not, and 2 when nothing could be asked.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"
	"time"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run asks the verifier that the arguments name and returns the exit code.
func run(args []string, out, problems io.Writer) int {
	flags := flag.NewFlagSet("kit", flag.ContinueOnError)
	flags.SetOutput(problems)
	var o asking
	verifier := flags.String("verifier", "", "the program to ask, with arguments of its own, separated by spaces")
	areas := flags.String("area", "", "areas of vectors, separated by commas; all if not given")
	flags.StringVar(&o.dir, "vectors", "testvectors", "the folder of the vectors")
	flags.DurationVar(&o.patience, "patience", 10*time.Second, "how long the program may take for one vector")
	verbose := flags.Bool("v", false, "list every vector on which the verifier does not agree")
	if err := flags.Parse(args); err != nil {
		return 2
	}
	o.program = strings.Fields(*verifier)
	if len(o.program) == 0 || flags.NArg() > 0 {
		fmt.Fprintln(problems, "kit: name the program to ask with -verifier")
		return 2
	}
	if *areas != "" {
		o.areas = strings.Split(*areas, ",")
	}
	answers, err := o.ask()
	if err != nil {
		fmt.Fprintln(problems, "kit:", err)
		return 2
	}
	if *verbose {
		for _, a := range answers {
			if a.outcome == disagrees || a.outcome == broke {
				fmt.Fprintf(out, "%s/%s: %s\n", a.area, a.name, a.why)
			}
		}
	}
	return report(out, answers)
}

// report prints the table of answers and returns the exit code.
func report(out io.Writer, answers []answer) int {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "area\tkind\tvectors\tagrees\tdisagrees\tbroke\tunknown")
	line := func(area, kind string, list []answer) (n [4]int) {
		for _, a := range list {
			n[a.outcome]++
		}
		fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%d\t%d\t%d\n", area, kind, len(list), n[agrees], n[disagrees], n[broke], n[unknown])
		return n
	}
	for from := 0; from < len(answers); {
		to := from
		for to < len(answers) && answers[to].kind == answers[from].kind {
			to++
		}
		line(answers[from].area, answers[from].kind.name, answers[from:to])
		from = to
	}
	n := line("all", "", answers)
	w.Flush()
	switch {
	case n[disagrees]+n[broke] > 0:
		return 1
	case n[agrees] == 0:
		return 2
	}
	return 0
}
