package draft

import (
	"muniment/archive/problem"
)

// The acts that the errors of this package lead to.
const (
	DoCheck          problem.Action = "check"            // check a draft under a profile; args: the profile
	DoGiveDay        problem.Action = "give day"         // give a day as YYYY-MM-DD; no args
	DoPack           problem.Action = "pack"             // choose evidence for a question; no args
	DoReadLimits     problem.Action = "read limits"      // read the limits of a profile, or choose another; args: the profile
	DoFindProfile    problem.Action = "find profile"     // list the names of the profiles, to choose one; no args
	DoBeginProfile   problem.Action = "begin profile"    // write a shipped profile to a file, to begin from; no args
	DoAddProfile     problem.Action = "add profile"      // add a profile under its own name; no args
	DoReplaceProfile problem.Action = "replace profile"  // add a profile in place of a damaged one; no args
	DoReadOtherForms problem.Action = "read other forms" // take a file of another form in and read its text; no args
	DoReadBullet     problem.Action = "read bullet"      // read one bullet of a section of a checked text; no args
	DoListSyntheses  problem.Action = "list syntheses"   // list the checked texts with their numbers; no args
)
