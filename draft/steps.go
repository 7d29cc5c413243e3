package draft

import (
	"muniment/archive/problem"
)

// The acts that the errors of this package lead to.
const (
	DoCheck        problem.Action = "check"         // check a draft under a profile; args: the profile
	DoListProfiles problem.Action = "list profiles" // list the profiles, and print one to read or to begin from; no args
	DoAddProfile   problem.Action = "add profile"   // add a profile under its own name; no args
	DoReadBullet   problem.Action = "read bullet"   // list the checked texts, or read one bullet of a section; no args
)
