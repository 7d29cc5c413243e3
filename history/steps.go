package history

import (
	"muniment/archive/problem"
)

// What a caller can do about an error of this package.
const (
	DoConsent              problem.Action = "consent"              // name artifacts and their consent, or set the default; no args
	DoReadConsentOptions   problem.Action = "read consent options" // read what can be said of consent; no args
	DoSetCategoryRule      problem.Action = "set category rule"    // name a category together with its rule; no args
	DoSetPersonState       problem.Action = "set person state"     // name a person together with a state; no args
	DoSetTier              problem.Action = "set tier"             // name a tier together with what it may be shown; no args
	DoWithdraw             problem.Action = "withdraw"             // withdraw or hold artifacts, rather than remove files; no args
	DoGiveReason           problem.Action = "give reason"          // withdraw artifacts with a reason and an authority; no args
	DoHold                 problem.Action = "hold"                 // put a hold on artifacts, with a reason and an authority; no args
	DoListHolds            problem.Action = "list holds"           // list the holds; no args
	DoReleaseHold          problem.Action = "release hold"         // take a hold away; args: the name of the artifact
	DoCountersignWithOther problem.Action = "cosign with other"    // countersign with another key; no args
	DoListCountersigners   problem.Action = "list cosigners"       // list who countersigned each snapshot; no args
	DoAwaitCountersign     problem.Action = "await cosign"         // sign with a key that may withdraw, or have one countersign; no args
	DoWiden                problem.Action = "widen"                // let others see more, as the snapshot says; no args
	DoDiff                 problem.Action = "diff"                 // name the snapshots to compare; no args
	DoVerifyOther          problem.Action = "verify other"         // verify the copy that the other history comes from; no args
	DoEnrolInScope         problem.Action = "enrol in scope"       // enrol in the general scope, or say what a new one holds; args: the general scope
	DoGiveText             problem.Action = "give text"            // say why, in 1 to 4096 bytes of plain text; no args
	DoNameAuthor           problem.Action = "name author"          // name the archivist as Name <email>; no args
	DoChooseTagName        problem.Action = "choose tag name"      // choose a name that a tag may have; no args
)
