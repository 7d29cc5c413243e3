package main

import (
	"fmt"
	"strings"

	"muniment/archive"
)

// commandOf holds, an area of the library in each map, how this program does
// every action: a format of the action's arguments, ready to be pasted.
var commandOf = []map[archive.Action]string{
	commandOfArchive, commandOfCustody, commandOfAudit, commandOfTrust,
}

// hintOf returns the words of a step: how to do it, and what to mind. A step
// that is empty leads to the list of commands.
func hintOf(s archive.Step) string {
	var parts []string
	for at := &s; at != nil; at = at.Other {
		if words := commandWords(at.Do, at.Args); words != "" {
			parts = append(parts, words)
		}
	}
	if s.Advice != "" {
		parts = append(parts, s.Advice)
	}
	if len(parts) == 0 {
		return "muniment help"
	}
	return strings.Join(parts, "; ")
}

// commandWords returns the words of this program for an action on args, or ""
// where the program has none.
func commandWords(do archive.Action, args []string) string {
	values := make([]any, len(args))
	for i, a := range args {
		values[i] = a
	}
	for _, area := range commandOf {
		if format, ok := area[do]; ok {
			return fmt.Sprintf(format, values...)
		}
	}
	return ""
}
