package history

import (
	"muniment/archive/problem"
)

// What a caller can do about an error of this package.
const (
	DoListHolds        problem.Action = "list holds"   // list the holds; no args
	DoReleaseHold      problem.Action = "release hold" // take a hold away; args: the name of the artifact
	DoAwaitCountersign problem.Action = "await cosign" // sign with a key that may withdraw, or have one countersign; no args
	DoShowPolicy       problem.Action = "show policy"  // write the Cedar text in force, to begin from; no args
)
