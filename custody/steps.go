package custody

import (
	"muniment/archive/problem"
)

// What a caller can do about an error of this package. Where a comment names no
// arguments, the step has none.
const (
	DoUpdateCopy     problem.Action = "update-copy"      // choose another folder for the clone, or fetch into the copy that is there
	DoReadArchiveID  problem.Action = "read-archive-id"  // read an archive's id from a copy of it
	DoNameRemote     problem.Action = "name-remote"      // give a remote a name of the allowed letters
	DoAddRemote      problem.Action = "add-remote"       // give an address a name
	DoListRemotes    problem.Action = "list-remotes"     // list the remotes, or add one
	DoFreeRemoteName problem.Action = "free-remote-name" // remove the remote that has the name; Args: the name
	DoRemakeRemote   problem.Action = "remake-remote"    // remove a remote and add it again; Args: its name
	DoAcceptRollback problem.Action = "accept-rollback"  // remove a remote that was cut back, add it again and push; Args: its name

	DoMakeRepository     problem.Action = "make-repository"      // make an empty bare repository at the address
	DoMakeSHA1Repository problem.Action = "make-sha1-repository" // make one whose objects are named by SHA-1
	DoUnpackGitBundle    problem.Action = "unpack-git-bundle"    // make a repository of a git bundle file

	DoFetchNewer       problem.Action = "fetch-newer"       // fetch what the remote has and this archive lacks; Args: the remote
	DoFetchAfter       problem.Action = "fetch-after"       // fetch after somebody else's push
	DoFetchFrom        problem.Action = "fetch-from"        // fetch from a remote; Args: the remote
	DoSignThenJoin     problem.Action = "sign-then-join"    // sign what is staged and join the histories, or take the staged changes back
	DoJoin             problem.Action = "join-fork"         // join the two histories; Args: the repository or commit of the other one
	DoJoinOwn          problem.Action = "join-own"          // join two histories that one key signed, where both are of the same honest signer; Args: as DoJoin
	DoAwaitCountersign problem.Action = "await-countersign" // fetch a withdrawal that waits for a countersignature, then countersign it
	DoCheckLog         problem.Action = "check-log"         // check an answer log
	DoRepairFromAny    problem.Action = "repair-from-any"   // repair from another remote
)
