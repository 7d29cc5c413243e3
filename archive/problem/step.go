package problem

// A Step is what a caller can do about an error. The library names the act and
// what the act is about; a program that has a command, a button or a call for
// the act says how to do it in its own words.
type Step struct {
	Do     Action   // "" where the advice is all there is
	Args   []string // what the act is about, in the order that the Action says
	Other  *Step    // an act that may serve as well or that helps to choose, or nil
	Advice string   // what to mind, in words that name no command; may be empty
}

// An Action is an act of a caller that mends something. The comment of each
// constant says what the act is and what its Args are.
type Action string

// The acts that several packages speak of. An act of one package alone stands
// in that package's steps.go.
const (
	DoInit       Action = "init"        // make an archive; no args
	DoClone      Action = "clone"       // make a copy of an archive that another place holds; no args
	DoAdd        Action = "add"         // take files in that are not in the archive; no args
	DoAddPath    Action = "add path"    // take one file or address in; args: its path or address
	DoSnapshot   Action = "snapshot"    // sign what is staged as a snapshot; no args
	DoStatus     Action = "status"      // look at what is staged; no args
	DoLog        Action = "log"         // list the snapshots; no args
	DoTags       Action = "tags"        // list the tags of snapshots; no args
	DoList       Action = "list"        // list the artifacts; no args
	DoShow       Action = "show"        // describe what an id or name names; args: the id or name
	DoCat        Action = "cat"         // write the bytes of an artifact; no args
	DoSpans      Action = "spans"       // read how the words of a text are addressed; no args
	DoVerify     Action = "verify"      // verify the whole archive; no args
	DoListDamage Action = "list damage" // verify the archive for its list of damaged objects; no args
	DoRepair     Action = "repair"      // bring back what is damaged or absent, from this copy or a remote; no args
	DoUnlock     Action = "unlock"      // look whose writer's lock it is, and remove that of a dead process; no args
	DoDoctor     Action = "doctor"      // check the disk, the store and the ledger; no args
	DoIndex      Action = "index"       // wait until the search index is of the newest snapshot; no args
	DoFetch      Action = "fetch"       // bring a copy up to date with its remote; no args
	DoListKeys   Action = "list keys"   // list the keys that can sign; no args
	DoTrustKey   Action = "trust key"   // enrol a key from the next snapshot on; no args
	// DoNamePayloadStore names the payload store of this copy; no args. DoCheckPayloads reads
	// what lies in it; no args.
	DoNamePayloadStore Action = "name payload store"
	DoCheckPayloads    Action = "check payloads"
	DoNewAuditor       Action = "new auditor" // make an auditor identity; args: its scope
)

// The acts that package archive alone speaks of.
const (
	DoLookInto        Action = "look into"         // look into the archive of a folder; args: the folder
	DoNameArchive     Action = "name archive"      // give a new archive a shorter name; no args
	DoReadInitOptions Action = "read init options" // read which options a new archive takes; no args
	DoFindArchive     Action = "find archive"      // name the folder of an archive, or make one; no args
	DoOpenFolder      Action = "open folder"       // open the archive of another folder; args: the folder
	DoGiveBundle      Action = "give bundle"       // give the file of a bundle; no args
	DoVerifyBundle    Action = "verify bundle"     // verify a bundle; no args
	DoShowReason      Action = "show reason"       // read why an artifact is withdrawn; args: its id
	DoCatOlder        Action = "cat older"         // write what an older snapshot holds; no args
	DoCatBytes        Action = "cat bytes"         // write bytes that are not read as a text; no args
	DoCatSpan         Action = "cat span"          // write the words at a span, of the canonical text; no args
	DoChooseRecord    Action = "choose record"     // list the records of an artifact, to choose one; no args
	DoChooseName      Action = "choose name"       // list the names of an artifact, to choose one; args: its id
	DoDraftRoot       Action = "draft root"        // begin the next version of the trust root; no args
	DoMakeTrust       Action = "make trust"        // write a trust root or the line of a key; no args
	DoTag             Action = "tag"               // sign a name for a snapshot; no args
	DoProveLog        Action = "prove log"         // prove that a log goes on from a checkpoint; no args
)

// Advise returns a step that is advice alone.
func Advise(advice string) Step { return Step{Advice: advice} }

// Next returns the step to an act on args.
func Next(do Action, args ...string) Step { return Step{Do: do, Args: args} }

// Or returns the step with a second act beside the first.
func (s Step) Or(do Action, args ...string) Step {
	s.Other = &Step{Do: do, Args: args}
	return s
}

// With returns the step with advice beside the acts.
func (s Step) With(advice string) Step {
	s.Advice = advice
	return s
}

// IsZero reports whether the step has neither an act nor advice.
func (s Step) IsZero() bool { return s.Do == "" && s.Advice == "" }
