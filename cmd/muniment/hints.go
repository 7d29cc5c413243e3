package main

import (
	"fmt"
	"strings"

	"muniment/archive/problem"
	"muniment/engine"
)

// commandOf holds, an area of the library in each map, how this program does
// every action: a format of the action's arguments, ready to be pasted. %s takes
// an argument as it is, %q as one word of the shell. Advice stands behind, or
// before where the format begins with {advice and what is between the two}.
var commandOf = []map[problem.Action]string{
	commandOfArchive, commandOfEngine, commandOfCustody, commandOfAudit, commandOfTrust,
	commandOfAnswer, commandOfServer,
}

// hintOf returns the words of a step: how to do it, and what to mind. A step
// that is empty leads to the list of commands.
func hintOf(s problem.Step) string {
	hint := ""
	advice := s.Advice
	for at := &s; at != nil; at = at.Other {
		words := commandWords(at.Do, at.Args)
		if rest, leads := strings.CutPrefix(words, "{advice"); leads {
			joint, command, _ := strings.Cut(rest, "}")
			words, advice = join(advice, joint, command), ""
		}
		hint = join(hint, "; ", words)
	}
	if hint = join(hint, "; ", advice); hint == "" {
		return "muniment help"
	}
	return hint
}

// join returns a and b with the joint between them, or the one that is not "".
func join(a, joint, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + joint + b
}

// commandWords returns the words of this program for an action on args, or ""
// where the program has none.
func commandWords(do problem.Action, args []string) string {
	if do == engine.DoCite {
		return "{advice: }" + citeWords(args)
	}
	if do == engine.DoDescribe {
		if len(args) == 0 {
			args = []string{"NAME", "title"}
		}
		return "{advice: }muniment describe " + quoteArg(args[0]) + " " + describeFlags(args[1:]) + ", then muniment snapshot -m TEXT"
	}
	values := make([]any, len(args))
	for i, a := range args {
		values[i] = hintArg(a)
	}
	for _, area := range commandOf {
		if format, ok := area[do]; ok {
			return fmt.Sprintf(format, values...)
		}
	}
	return ""
}

// A hintArg is an argument of a step as a format prints it.
type hintArg string

// Format writes the argument: as one word of the shell for %q, else as it is.
func (a hintArg) Format(f fmt.State, verb rune) {
	s := string(a)
	if verb == 'q' {
		s = quoteArg(s)
	}
	_, _ = f.Write([]byte(s))
}
