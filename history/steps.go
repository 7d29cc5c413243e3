package history

import "muniment/archive"

// What a caller can do about an error of this package.
const (
	DoConsent              archive.Action = "consent"              // name artifacts and their consent, or set the default; no args
	DoReadConsentOptions   archive.Action = "read consent options" // read what can be said of consent; no args
	DoSetCategoryRule      archive.Action = "set category rule"    // name a category together with its rule; no args
	DoSetPersonState       archive.Action = "set person state"     // name a person together with a state; no args
	DoSetTier              archive.Action = "set tier"             // name a tier together with what it may be shown; no args
	DoWithdraw             archive.Action = "withdraw"             // withdraw or hold artifacts, rather than remove files; no args
	DoGiveReason           archive.Action = "give reason"          // withdraw artifacts with a reason and an authority; no args
	DoHold                 archive.Action = "hold"                 // put a hold on artifacts, with a reason and an authority; no args
	DoListHolds            archive.Action = "list holds"           // list the holds; no args
	DoReleaseHold          archive.Action = "release hold"         // take a hold away; args: the name of the artifact
	DoCountersignWithOther archive.Action = "cosign with other"    // countersign with another key; no args
	DoListCountersigners   archive.Action = "list cosigners"       // list who countersigned each snapshot; no args
	DoAwaitCountersign     archive.Action = "await cosign"         // sign with a key that may withdraw, or have one countersign; no args
	DoDiff                 archive.Action = "diff"                 // name the snapshots to compare; no args
	DoVerifyOther          archive.Action = "verify other"         // verify the copy that the other history comes from; no args
	DoEnrolInScope         archive.Action = "enrol in scope"       // enrol in the general scope, or say what a new one holds; args: the general scope
	DoGiveText             archive.Action = "give text"            // say why, in 1 to 4096 bytes of plain text; no args
	DoNameAuthor           archive.Action = "name author"          // name the archivist as Name <email>; no args
	DoChooseTagName        archive.Action = "choose tag name"      // choose a name that a tag may have; no args
)
