package main

import (
	"muniment/archive/problem"
	"muniment/audit"
	"muniment/custody"
)

// commandOfCustody has the words for the steps of package custody.
var commandOfCustody = map[problem.Action]string{
	custody.DoUpdateCopy:     "choose another folder; muniment fetch brings an existing copy up to date",
	custody.DoReadArchiveID:  "muniment status prints an archive's id",
	custody.DoNameRemote:     "a name is of lower case letters, digits, dots and dashes: muniment remote add museum URL",
	custody.DoAddRemote:      "muniment remote add NAME URL",
	custody.DoListRemotes:    "muniment remote list shows them; muniment remote add NAME URL makes one",
	custody.DoFreeRemoteName: "muniment remote remove %s first, or choose another name",
	custody.DoRemakeRemote:   "muniment remote remove %s, then add it again",
	custody.DoAcceptRollback: "ask its custodian why; if that is settled, muniment remote remove %s, add it again and push",

	custody.DoMakeRepository:     "make one there with git init --bare -b main PATH, or correct the address",
	custody.DoMakeSHA1Repository: "make one there with git init --bare -b main --object-format=sha1 PATH",
	custody.DoUnpackGitBundle:    "a git bundle becomes one with git clone --mirror FILE DIR.git; give DIR.git",

	custody.DoFetchNewer:       "muniment fetch %s takes over what is newer there, or says how the histories differ",
	custody.DoFetchAfter:       "another push may have come first: muniment fetch shows what is there now",
	custody.DoFetchFrom:        "muniment fetch %s",
	custody.DoSignThenJoin:     "muniment snapshot -m TEXT signs what is staged, then the histories are joined with muniment join; or take the staged changes back",
	custody.DoJoin:             "if both are honest: muniment join %s",
	custody.DoJoinOwn:          "if you signed both, as after restoring a backup: muniment join %s with a key that may withdraw; else show the evidence to the other custodians, and trust neither",
	custody.DoAwaitCountersign: "with the key that may withdraw: fetch with --await-countersign, then muniment snapshot --countersign; else wait until its custodian has",
	custody.DoCheckLog:         "muniment log check says more",
	custody.DoRepairFromAny:    "try another remote: muniment repair --from NAME",
}

// commandOfTrust says how this program accepts a trust that a fetch changed.
var commandOfTrust = map[problem.Action]string{
	custody.DoAcceptTrust: "compare the digest with the archive's owner, then push or sync again with --accept-trust %s",
}

// commandOfAudit has the words for the steps of package audit.
var commandOfAudit = map[problem.Action]string{
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
	audit.DoCollect:       "muniment doctor --fix takes it out of this copy",
	audit.DoSweep:         "nothing is lost by it; if no other muniment is at work: muniment doctor --fix",
	audit.DoVerifyArchive: "muniment verify",
	audit.DoSignFirst:     "muniment snapshot -m TEXT",
	audit.DoRestoreLedger: "move archive.local/ledger.db and its -wal and -shm away and keep them; muniment ledger import FILE then fills a new ledger from a backup",
}
