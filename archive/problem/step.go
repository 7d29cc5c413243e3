package problem

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
)

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
// constant says what the act is and what its Args are. An act that needs only
// words of advice is none: see Advise.
type Action string

// DoGive repeats the call with options that it lacks. Args: names and values in turn, "" for
// the value of an option that has none.
const DoGive Action = "give"

// The acts that several packages speak of. An act of one package alone is declared
// in that package's steps.go.
const (
	DoInit             Action = "init"               // make an archive; no args
	DoClone            Action = "clone"              // make a copy of an archive that another place holds; no args
	DoFindArchive      Action = "find archive"       // name the folder of an archive, or make one; no args
	DoLookInto         Action = "look into"          // look into the archive of a folder; args: the folder
	DoAdd              Action = "add"                // take files or addresses in; args: one of them, or none
	DoDescribe         Action = "describe"           // say of a paper what its record lacks; args: its name, then the fields: title, creator or publisher, date, url; or none
	DoReadOptions      Action = "read options"       // read which options an act takes, and of which form; args: the act
	DoSnapshot         Action = "snapshot"           // sign what is staged as a snapshot; no args
	DoStatus           Action = "status"             // look at what is staged; no args
	DoLog              Action = "log"                // list the snapshots; no args
	DoTags             Action = "tags"               // list the tags of snapshots; no args
	DoList             Action = "list"               // list the artifacts; no args
	DoShow             Action = "show"               // describe what an id or name names; args: the id or name, or none
	DoCat              Action = "cat"                // write the bytes of an artifact; no args
	DoSpans            Action = "spans"              // read how the words of a text are addressed; no args
	DoVerify           Action = "verify"             // verify the whole archive, or the bundle in question; no args
	DoListDamage       Action = "list damage"        // verify the archive for its list of damaged objects; no args
	DoRepair           Action = "repair"             // bring back what is damaged or absent, from this copy or a remote; no args
	DoMend             Action = "mend"               // remove what dead processes left, their lock too, and merge packs; no args
	DoDoctor           Action = "doctor"             // check the disk, the store and the ledger; no args
	DoIndex            Action = "index"              // wait until the search index is of the newest snapshot; no args
	DoFetch            Action = "fetch"              // bring a copy up to date with its remote; args: the remote, or none
	DoCheckLog         Action = "check log"          // compare the answer logs with what was seen of them before; no args
	DoProveLog         Action = "prove log"          // prove that a log goes on from a checkpoint; no args
	DoListKeys         Action = "list keys"          // list the keys that can sign; no args
	DoTrustKey         Action = "trust key"          // enrol a key from the next snapshot on; no args
	DoNewAuditor       Action = "new auditor"        // make an auditor identity; args: its scope
	DoMakeTrust        Action = "make trust"         // write a trust root or the line of a key; no args
	DoDraftRoot        Action = "draft root"         // begin the next version of the trust root; no args
	DoNamePayloadStore Action = "name payload store" // name the payload store of this copy; no args
	DoCheckPayloads    Action = "check payloads"     // read what lies in the payload store; no args
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

// String returns the step in the words of no program: the act with its args, the other act, the advice.
func (s Step) String() string {
	act := string(s.Do)
	for _, arg := range s.Args {
		if strings.ContainsFunc(arg, unicode.IsSpace) {
			arg = strconv.Quote(arg)
		}
		act = strings.TrimSuffix(act+" "+arg, " ")
	}
	parts := []string{act, s.Advice}
	if s.Other != nil {
		parts = []string{act, s.Other.String(), s.Advice}
	}
	return strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), "; ")
}
