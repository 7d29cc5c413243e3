package main

import (
	"muniment/archive"
	"muniment/custody"
)

// commandOfCustody has the words for the steps of package custody.
var commandOfCustody = map[archive.Action]string{
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

	custody.DoFetchNewer:    "muniment fetch %s takes over what is newer there, or says how the histories differ",
	custody.DoFetchAfter:    "another push may have come first: muniment fetch shows what is there now",
	custody.DoFetchFrom:     "muniment fetch %s",
	custody.DoSignThenJoin:  "muniment snapshot -m TEXT signs what is staged, then the histories are joined with muniment join; or take the staged changes back",
	custody.DoJoin:          "if both are honest: muniment join %s",
	custody.DoAwaitCosign:   "with the key that may withdraw: fetch with --await-cosign, then muniment snapshot --cosign; else wait until its custodian has",
	custody.DoCheckLog:      "muniment log check says more",
	custody.DoRepairFromAny: "try another remote: muniment repair --from NAME",
}
