package main

import (
	"fmt"

	"muniment/archive"
)

// commandOf says for each action of the library how this program does it: a
// format of the action's arguments, ready to be pasted.
var commandOf = map[archive.Action]string{}

// hintOf returns the words of a step: how to do it, and what to mind.
func hintOf(s archive.Step) string {
	format, known := commandOf[s.Do]
	switch {
	case s.IsZero():
		return "muniment help"
	case !known:
		return s.Advice
	}
	args := make([]any, len(s.Args))
	for i, a := range s.Args {
		args[i] = a
	}
	hint := fmt.Sprintf(format, args...)
	if s.Advice != "" {
		hint += "; " + s.Advice
	}
	return hint
}
