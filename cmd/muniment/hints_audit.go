package main

import (
	"muniment/archive"
	"muniment/audit"
)

// commandOfAudit has the words for the steps of package audit.
var commandOfAudit = map[archive.Action]string{
	audit.DoCheckSigner:  "muniment verify says whether the bundle holds; muniment key list shows the keys that can sign",
	audit.DoExplainFault: "muniment verify says what is wrong with it",
	audit.DoListClaims:   "muniment bundle show lists the claims with their numbers",
	audit.DoNarrowBundle: "muniment bundle disclose %s --claims 1 -o part.zip makes it smaller",
	audit.DoListAxes:     "muniment verify --help",
	audit.DoNameArchive:  "name the archive that made it with --archive DIR, or verify it with none",
	audit.DoVerifySealed: "do not rely on it: what was sealed is not what was signed; muniment verify --identity says more",
	audit.DoGiveIdentity: "give the file that key new --auditor made",

	audit.DoGiveProof:        "give the file that cat --proof or show --proof wrote",
	audit.DoProveAtOrigin:    "run it where the answers are made; others check with --tiles",
	audit.DoCheckLog:         "muniment log check says whether the log is sound",
	audit.DoKeepLogEvidence:  "muniment log check keeps the evidence",
	audit.DoCheckFixity:      "muniment fixity",
	audit.DoRecheckFixity:    "muniment fixity: the last check is more than %s days old",
	audit.DoRepairThenFixity: "muniment verify says which snapshots are touched; muniment repair --from REMOTE, then muniment fixity",

	audit.DoUndoOrRepair:  "undo it with git, or muniment repair --from REMOTE; muniment verify shows whether anything is lost",
	audit.DoSweep:         "nothing is lost by it; if no other muniment is at work: muniment doctor --sweep",
	audit.DoVerifyArchive: "muniment verify",
	audit.DoSignFirst:     "muniment snapshot -m TEXT",
}
