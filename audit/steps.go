package audit

import (
	"muniment/archive/problem"
)

// What a caller can do about an error or a check of this package. Where a
// comment names no arguments, the step has none.
const (
	DoListClaims    problem.Action = "list-claims"    // list the claims of the bundle with their numbers
	DoNarrowBundle  problem.Action = "narrow-bundle"  // make a smaller bundle of some claims; Args: the bundle's file
	DoFixity        problem.Action = "fixity"         // read the holdings again
	DoForgetLost    problem.Action = "forget-lost"    // put lost files of this copy back, or go on without them
	DoSecondKey     problem.Action = "second-key"     // make a second key for the archive
	DoRestoreLedger problem.Action = "restore-ledger" // fill a new ledger from a backup
)
