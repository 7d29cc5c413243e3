package custody

import "muniment/archive"

// What a caller can do about an error of this package. Where a comment names no
// arguments, the step has none.
const (
	DoUpdateCopy     archive.Action = "update-copy"      // choose another folder for the clone, or fetch into the copy that is there
	DoReadArchiveID  archive.Action = "read-archive-id"  // read an archive's id from a copy of it
	DoNameRemote     archive.Action = "name-remote"      // give a remote a name of the allowed letters
	DoAddRemote      archive.Action = "add-remote"       // give an address a name
	DoListRemotes    archive.Action = "list-remotes"     // list the remotes, or add one
	DoFreeRemoteName archive.Action = "free-remote-name" // remove the remote that has the name; Args: the name
	DoRemakeRemote   archive.Action = "remake-remote"    // remove a remote and add it again; Args: its name
	DoAcceptRollback archive.Action = "accept-rollback"  // remove a remote that was cut back, add it again and push; Args: its name

	DoMakeRepository     archive.Action = "make-repository"      // make an empty bare repository at the address
	DoMakeSHA1Repository archive.Action = "make-sha1-repository" // make one whose objects are named by SHA-1
	DoUnpackGitBundle    archive.Action = "unpack-git-bundle"    // make a repository of a git bundle file

	DoFetchNewer       archive.Action = "fetch-newer"       // fetch what the remote has and this archive lacks; Args: the remote
	DoFetchAfter       archive.Action = "fetch-after"       // fetch after somebody else's push
	DoFetchFrom        archive.Action = "fetch-from"        // fetch from a remote; Args: the remote
	DoSignThenJoin     archive.Action = "sign-then-join"    // sign what is staged and join the histories, or take the staged changes back
	DoJoin             archive.Action = "join-fork"         // join the two histories; Args: the repository or commit of the other one
	DoJoinOwn          archive.Action = "join-own"          // join two histories that one key signed, where both are of the same honest signer; Args: as DoJoin
	DoAwaitCountersign archive.Action = "await-countersign" // fetch a withdrawal that waits for a countersignature, then countersign it
	DoCheckLog         archive.Action = "check-log"         // check an answer log
	DoRepairFromAny    archive.Action = "repair-from-any"   // repair from another remote
)
