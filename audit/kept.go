package audit

import (
	"os"
	"path/filepath"

	"muniment/archive"
	"muniment/archive/logref"
	"muniment/archive/problem"
	"muniment/bundle"
	"muniment/bundle/display"
	"muniment/ledger"
	"muniment/text/legible"
)

// Names of the checks of what this copy alone keeps.
const (
	keptLedger    = "ledger"
	keptAnswerLog = "answer log"
	keptFixityLog = "fixity log"
)

// A keptFile is the finding about one part of what this copy alone keeps, and no
// snapshot holds: its damages in words, or why it could not be read.
type keptFile struct {
	name    string
	damages []string
	next    problem.Step
	err     error
}

// checkKept reads the ledger, the answer logs and the fixity log again. A part that
// this copy does not have is left out.
func checkKept(a *archive.Archive) []keptFile {
	var all []keptFile
	restore := problem.Next(DoRestoreLedger)
	if l, err := ledger.Find(a); err != nil {
		all = append(all, keptFile{name: keptLedger, err: err, next: problem.Advise("check the disk, the permissions of " + archive.LocalDir + " and the database that CITATION_DB_URL names")})
	} else if l != nil {
		damages, err := l.Check()
		one := keptFile{name: keptLedger, err: err, next: restore}
		for i := range damages {
			one.damages = append(one.damages, damages[i].Error())
		}
		all = append(all, one)
	}
	if _, err := os.Lstat(filepath.Join(a.Dir(), archive.LocalDir, "log")); err == nil {
		one := keptFile{name: keptAnswerLog, next: problem.Advise(logref.MendAdvice)}
		one.damages, one.err = logref.FindDamage(a)
		all = append(all, one)
	}
	if _, err := os.Lstat(filepath.Join(a.Dir(), archive.LocalDir, archive.FixityFile)); err == nil {
		one := keptFile{name: keptFixityLog, next: problem.Advise("move " + archive.LocalDir + "/" + archive.FixityFile + " away and keep it: the next check begins a new one")}
		if _, err := a.FixityEvents(); err != nil {
			one.damages = []string{legible.OneLine(err)}
		}
		all = append(all, one)
	}
	return all
}

// doctorKept returns a check for each part of what this copy alone keeps.
func doctorKept(a *archive.Archive) []Check {
	var checks []Check
	for _, k := range checkKept(a) {
		c := Check{Name: k.name, State: "ok", Detail: "as it was written"}
		switch {
		case k.err != nil:
			c.State, c.Detail, c.Next = "failed", legible.OneLine(k.err), k.next
		case len(k.damages) > 0:
			c.State, c.Detail, c.Next = "failed", k.damages[0]+legible.AndMore(len(k.damages)-1), k.next
		}
		checks = append(checks, c)
	}
	return checks
}

// addKept adds the axis of what this copy alone keeps: the ledger, the answer logs and
// the fixity log. A copy that keeps nothing of the kind has no such axis.
func (v *ArchiveVerdict) addKept(a *archive.Archive) {
	kept := checkKept(a)
	if len(kept) == 0 {
		return
	}
	axis := bundle.Axis{Name: "kept here", Result: bundle.Pass, Reason: "ledger and logs of this copy are as they were written"}
	failed, unread := int64(0), ""
	for _, k := range kept {
		for _, what := range k.damages {
			failed++
			v.Problems = append(v.Problems, archive.CheckProblem{Seq: v.Seq, Path: archive.LocalDir + ": " + k.name, State: "failed", Reason: what})
		}
		if k.err != nil {
			unread = k.name + ": " + legible.OneLine(k.err)
		}
	}
	v.Failed += failed
	v.Checked += failed
	switch {
	case failed > 0:
		axis.Result, axis.Reason = bundle.Fail, display.Count(int(failed), "damage")+" of ledger or logs"
	case unread != "":
		axis.Result, axis.Reason = bundle.NotChecked, unread
	}
	v.Axes = append(v.Axes, axis)
}
