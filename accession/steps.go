package accession

import (
	"muniment/archive/problem"
)

// DateAtHead is the field of problem.DoDescribe for the date that is written at the head
// of a text.
const DateAtHead = "the date at its head"

// What whoever adds files can do about what was not taken.
const (
	DoAddSource problem.Action = "add source" // register a source without its body; no args
	DoUnstage   problem.Action = "unstage"    // name staged papers to take back, or all; no args
)
