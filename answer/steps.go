package answer

import (
	"muniment/answer/enforce"
	"muniment/answer/gate"
	"muniment/archive"
)

// The acts that the errors of this package lead to.
const (
	DoAskPlainly     archive.Action = "ask plainly"      // ask in few plain words; no args
	DoAskFirst       archive.Action = "ask first"        // ask a question in this copy of the archive; no args
	DoNameRequestor  archive.Action = "name requestor"   // say who asks; no args
	DoKeepRequestor  archive.Action = "keep requestor"   // ask under the name that the answer was given to; no args
	DoOpenSealed     archive.Action = "open sealed"      // open the sealed part of a bundle with its identity; no args
	DoBrowse         archive.Action = "browse"           // list the artifacts, to find words to ask with; no args
	DoCheckAssembly  archive.Action = "check assembly"   // check the key, the disk and the answer log; no args
	DoEnrolAuditor   archive.Action = "enrol auditor"    // make an auditor identity and sign it into a snapshot; no args
	DoMore           archive.Action = "more"             // ask for more of a citation; args: its handle
	DoMoreAmong      archive.Action = "more among"       // ask for more of one of several citations; args: one handle, all of them
	DoMoreByHandle   archive.Action = "more by handle"   // ask for more by the handle in place of the ID; args: the handle
	DoMoreFromBundle archive.Action = "more from bundle" // give the answer's bundle, or the handle; args: the handle
	DoShowRecord     archive.Action = "show record"      // read the whole record of an artifact; no args
	DoCheck          archive.Action = "check"            // check a draft under a profile; args: the profile
	DoGiveDay        archive.Action = "give day"         // give a day as YYYY-MM-DD; no args
	DoPack           archive.Action = "pack"             // choose evidence for a question; no args
	DoDescribeSource archive.Action = "describe source"  // describe a paper with title, creator and date; args: its name, the fields
	DoReadLimits     archive.Action = "read limits"      // read the limits of a profile, or choose another; args: the profile
	DoListProfiles   archive.Action = "list profiles"    // list the profiles; no args
	DoFindProfile    archive.Action = "find profile"     // list the names of the profiles, to choose one; no args
	DoBeginProfile   archive.Action = "begin profile"    // write a shipped profile to a file, to begin from; no args
	DoAddProfile     archive.Action = "add profile"      // add a profile under its own name; no args
	DoReplaceProfile archive.Action = "replace profile"  // add a profile in place of a damaged one; no args
	DoShowPolicy     archive.Action = "show policy"      // write the Cedar text in force, to begin from; no args
	DoReadOtherForms archive.Action = "read other forms" // take a file of another form in and read its text; no args
	DoReadBullet     archive.Action = "read bullet"      // read one bullet of a section of a checked text; no args
	DoListSyntheses  archive.Action = "list syntheses"   // list the checked texts with their numbers; no args
)

// NextStep returns a suggestion of a refusal as a step: the act that it leads to, or
// its words alone.
func NextStep(suggestion string) archive.Step {
	switch suggestion {
	case gate.SuggestInventory:
		return archive.Step{Do: DoBrowse}
	case enforce.SuggestDescribe:
		return archive.Next(DoDescribeSource, "NAME", "--title TEXT --creator NAME --date 1931-04-02")
	case gate.SuggestCheck:
		return archive.Step{Do: DoCheckAssembly}
	}
	return archive.Step{Advice: suggestion}
}
