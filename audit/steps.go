package audit

import (
	"muniment/archive/problem"
)

// What a caller can do about an error or a check of this package. Where a
// comment names no arguments, the step has none.
const (
	DoCheckSigner  problem.Action = "check-signer"  // verify the bundle, and list the keys that can sign
	DoExplainFault problem.Action = "explain-fault" // verify the bundle to learn what is wrong with it
	DoListClaims   problem.Action = "list-claims"   // list the claims of the bundle with their numbers
	DoNarrowBundle problem.Action = "narrow-bundle" // make a smaller bundle of some claims; Args: the bundle's file
	DoListAxes     problem.Action = "list-axes"     // list the axes that a verifier can require
	DoNameArchive  problem.Action = "name-archive"  // name the archive that made the bundle, or none
	DoVerifySealed problem.Action = "verify-sealed" // verify the bundle with the identity that opens its sealed layer
	DoGiveIdentity problem.Action = "give-identity" // give the file of an auditor's identity

	DoGiveProof        problem.Action = "give-proof"         // give the file of a paragraph's or an artifact's proof
	DoProveAtOrigin    problem.Action = "prove-at-origin"    // prove where the answers are made; elsewhere check with the log's tiles
	DoCheckLog         problem.Action = "check-answer-log"   // check whether the answer log is sound
	DoKeepLogEvidence  problem.Action = "keep-log-evidence"  // check the answer log, which keeps the evidence of a contradiction
	DoCheckFixity      problem.Action = "check-fixity"       // read the holdings again
	DoRecheckFixity    problem.Action = "recheck-fixity"     // read the holdings again; Args: after how many days a check is old
	DoRepairThenFixity problem.Action = "repair-then-fixity" // verify, repair from a remote, and read the holdings again

	DoUndoOrRepair  problem.Action = "undo-or-repair" // undo a change with git, or repair from a remote
	DoCollect       problem.Action = "collect"        // take out of this copy what nothing signed leads to
	DoSweep         problem.Action = "sweep"          // remove what interrupted processes left behind
	DoVerifyArchive problem.Action = "verify-archive" // verify the archive
	DoSignFirst     problem.Action = "sign-first"     // sign a first snapshot
	DoRestoreLedger problem.Action = "restore-ledger" // fill a new ledger from a backup
)
