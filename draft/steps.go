package draft

import (
	"muniment/archive/problem"
)

// The acts that the errors of this package lead to.
const (
	DoCheck      problem.Action = "check"       // check a draft under a profile; args: the profile
	DoReadBullet problem.Action = "read bullet" // list the checked texts, or read one bullet of a section; no args
)
