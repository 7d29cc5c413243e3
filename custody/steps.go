package custody

import (
	"muniment/archive/problem"
)

// What a caller can do about an error of this package. Where a comment names no arguments, the step has none.
const (
	DoListRemotes  problem.Action = "list-remotes"  // list the remotes, or give an address a name
	DoRemakeRemote problem.Action = "remake-remote" // remove a remote and add it again; Args: its name
	DoJoin         problem.Action = "join-fork"     // join the two histories; Args: the repository or commit of the other one
)
