package answer

import (
	"muniment/answer/gate"
	"muniment/archive/problem"
	"muniment/draft/enforce"
)

// The acts that the errors of this package lead to.
const (
	DoAskPlainly     problem.Action = "ask plainly"      // ask in few plain words; no args
	DoAskFirst       problem.Action = "ask first"        // ask a question in this copy of the archive; no args
	DoNameRequestor  problem.Action = "name requestor"   // say who asks; no args
	DoKeepRequestor  problem.Action = "keep requestor"   // ask under the name that the answer was given to; no args
	DoOpenSealed     problem.Action = "open sealed"      // open the sealed part of a bundle with its identity; no args
	DoBrowse         problem.Action = "browse"           // list the artifacts, to find words to ask with; no args
	DoCheckAssembly  problem.Action = "check assembly"   // check the key, the disk and the answer log; no args
	DoEnrolAuditor   problem.Action = "enrol auditor"    // make an auditor identity and sign it into a snapshot; no args
	DoMore           problem.Action = "more"             // ask for more of a citation; args: its handle
	DoMoreAmong      problem.Action = "more among"       // ask for more of one of several citations; args: one handle, all of them
	DoMoreByHandle   problem.Action = "more by handle"   // ask for more by the handle in place of the ID; args: the handle
	DoMoreFromBundle problem.Action = "more from bundle" // give the answer's bundle, or the handle; args: the handle
	DoShowRecord     problem.Action = "show record"      // read the whole record of an artifact; no args
	DoDescribeSource problem.Action = "describe source"  // describe a paper with title, creator and date; args: its name, the fields
)

// NextStep returns a suggestion of a refusal as a step: the act that it leads to, or
// its words alone.
func NextStep(suggestion string) problem.Step {
	switch suggestion {
	case gate.SuggestInventory:
		return problem.Step{Do: DoBrowse}
	case enforce.SuggestDescribe:
		return problem.Next(DoDescribeSource, "NAME", "--title TEXT --creator NAME --date 1931-04-02")
	case gate.SuggestCheck:
		return problem.Step{Do: DoCheckAssembly}
	}
	return problem.Step{Advice: suggestion}
}
