package audit

import "muniment/archive"

// What a caller can do about an error or a check of this package. Where a
// comment names no arguments, the step has none.
const (
	DoCheckSigner  archive.Action = "check-signer"  // verify the bundle, and list the keys that can sign
	DoExplainFault archive.Action = "explain-fault" // verify the bundle to learn what is wrong with it
	DoListClaims   archive.Action = "list-claims"   // list the claims of the bundle with their numbers
	DoNarrowBundle archive.Action = "narrow-bundle" // make a smaller bundle of some claims; Args: the bundle's file
	DoListAxes     archive.Action = "list-axes"     // list the axes that a verifier can require
	DoNameArchive  archive.Action = "name-archive"  // name the archive that made the bundle, or none
	DoVerifySealed archive.Action = "verify-sealed" // verify the bundle with the identity that opens its sealed layer
	DoGiveIdentity archive.Action = "give-identity" // give the file of an auditor's identity

	DoGiveProof        archive.Action = "give-proof"         // give the file of a paragraph's or an artifact's proof
	DoProveAtOrigin    archive.Action = "prove-at-origin"    // prove where the answers are made; elsewhere check with the log's tiles
	DoCheckLog         archive.Action = "check-answer-log"   // check whether the answer log is sound
	DoKeepLogEvidence  archive.Action = "keep-log-evidence"  // check the answer log, which keeps the evidence of a contradiction
	DoCheckFixity      archive.Action = "check-fixity"       // read the holdings again
	DoRecheckFixity    archive.Action = "recheck-fixity"     // read the holdings again; Args: after how many days a check is old
	DoRepairThenFixity archive.Action = "repair-then-fixity" // verify, repair from a remote, and read the holdings again

	DoUndoOrRepair  archive.Action = "undo-or-repair" // undo a change with git, or repair from a remote
	DoSweep         archive.Action = "sweep"          // remove what interrupted processes left behind
	DoVerifyArchive archive.Action = "verify-archive" // verify the archive
	DoSignFirst     archive.Action = "sign-first"     // sign a first snapshot
	DoRestoreLedger archive.Action = "restore-ledger" // fill a new ledger from a backup
)
