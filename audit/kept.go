package audit

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"muniment/archive"
	"muniment/archive/logref"
	"muniment/archive/mark"
	"muniment/archive/problem"
	"muniment/bundle"
	"muniment/custody"
	"muniment/ledger"
	"muniment/text/legible"
)

// Names of the checks of what this copy alone keeps.
const (
	keptLedger    = "ledger"
	keptAnswerLog = "answer log"
	keptFixityLog = "fixity log"
	keptOpenings  = "openings"
	keptBundles   = "kept bundles"
	keptGiven     = archive.GivenTrustFile
)

// A keptFile is the finding about one part of what this copy alone keeps, and no
// snapshot holds: its damages in words, or why it could not be read.
type keptFile struct {
	name    string
	damages []string
	next    problem.Step
	err     error
}

// checkKept reads the ledger, the answer logs and the lists again. A part that
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
		if short, err := ledger.FindSetBack(a); err == nil && short != "" { // a damaged journal is named by checkNotes
			all = append(all, keptFile{name: keptLedger, damages: []string{short}, next: problem.Next(DoForgetLost)})
		}
	}
	if _, err := os.Lstat(filepath.Join(a.Dir(), archive.LocalDir)); err == nil { // else nothing is kept, and on a read-only disk nothing is begun
		one := keptFile{name: keptAnswerLog, next: problem.Advise(logref.MendAdvice)}
		one.damages, one.err = logref.FindDamage(a)
		if _, err := os.Lstat(filepath.Join(a.Dir(), archive.LocalDir, "log")); err == nil || one.err != nil || len(one.damages) > 0 {
			all = append(all, one)
		}
	}
	return append(append(append(all, checkBundles(a)...), checkNotes(a)...), checkLists(a)...)
}

// checkLists checks the notes of this copy on remotes and on visits. If the copy has a list of
// its files, checkLists also looks for each file of the list.
func checkLists(a *archive.Archive) []keptFile {
	var all []keptFile
	local := filepath.Join(a.Dir(), archive.LocalDir)
	if remotes, err := custody.Remotes(a); err != nil || len(remotes) > 0 {
		all = append(all, keptFile{name: "remotes", err: err, next: nextOf(err, problem.Next(custody.DoListRemotes))})
	}
	if receipts, err := custody.Receipts(a, ""); err != nil || len(receipts) > 0 {
		all = append(all, keptFile{name: "receipts", err: err, next: nextOf(err, problem.Next(problem.DoRepair))})
	}
	if events, err := a.FixityEvents(); err != nil || len(events) > 0 {
		all = append(all, keptFile{name: keptFixityLog, err: err, next: nextOf(err, problem.Next(problem.DoRepair))})
	}
	if openings, err := Openings(a); err != nil || len(openings) > 0 {
		all = append(all, keptFile{name: keptOpenings, err: err, next: nextOf(err, problem.Next(problem.DoRepair))})
	}
	if err := a.CheckIdentity(); err != nil {
		all = append(all, keptFile{name: archive.IdentityFile, err: err, next: nextOf(err, problem.Advise("put it back from a backup"))})
	}
	one := keptFile{name: "all files here", next: problem.Next(DoForgetLost)}
	lost, err := LostFiles(a)
	if _, none := os.Lstat(filepath.Join(local, mark.File)); none != nil && err == nil {
		return all
	}
	one.err = err
	for _, l := range lost {
		one.damages = append(one.damages, l.String())
	}
	return append(all, one)
}

// LostFiles returns the files that this copy had besides its repository and that are gone, or are
// shorter than they were.
func LostFiles(a *archive.Archive) ([]mark.LostFile, error) {
	local := filepath.Join(a.Dir(), archive.LocalDir)
	lost, err := mark.Lost(local)
	if err != nil {
		return nil, problem.Wrap(err, mark.File)
	}
	bundles, err := mark.Lost(filepath.Join(local, archive.BundlesDir))
	for _, l := range bundles {
		l.Name = path.Join(archive.BundlesDir, l.Name)
		lost = append(lost, l)
	}
	return lost, problem.Wrap(err, mark.File)
}

// ForgetLost takes files that are lost out of the lists: this copy goes on without them.
func ForgetLost(a *archive.Archive, lost []mark.LostFile) error {
	local := filepath.Join(a.Dir(), archive.LocalDir)
	for _, l := range lost {
		folder, name := local, l.Name
		if in, ok := strings.CutPrefix(l.Name, archive.BundlesDir+"/"); ok {
			folder, name = filepath.Join(local, archive.BundlesDir), in
		}
		if err := mark.Forget(folder, name); err != nil {
			return problem.Wrap(err, mark.File)
		}
	}
	return nil
}

// AcceptOlder has this copy go on with a ledger and answer logs that were set back, and returns in words how they
// fall short.
func AcceptOlder(a *archive.Archive) ([]string, error) {
	lines, err := logref.AcceptSetBack(a)
	if err != nil {
		return lines, problem.Wrap(err, "answer log")
	}
	short, err := ledger.AcceptSetBack(a)
	if short != "" {
		lines = append(lines, "the ledger: "+short)
	}
	return lines, problem.Wrap(err, "ledger")
}

// checkBundles verifies the seal, the leaves and the signatures of every kept bundle.
func checkBundles(a *archive.Archive) []keptFile {
	files, err := filepath.Glob(filepath.Join(a.Dir(), archive.LocalDir, archive.BundlesDir, "*.zip"))
	if err != nil || len(files) == 0 {
		return nil
	}
	one := keptFile{name: keptBundles, next: problem.Advise("put the file back from a backup, or from whoever received the answer; until then move it away: its line in the answer log goes on proving that it was given")}
	for _, file := range files {
		if reason := findBundleDamage(file); reason != "" {
			one.damages = append(one.damages, filepath.Base(file)+": "+reason)
		}
	}
	return []keptFile{one}
}

// findBundleDamage returns the reason why a bundle is invalid, "" for a sound one.
func findBundleDamage(file string) string {
	b, err := readValidBundle(file)
	if err != nil {
		return legible.OneLine(err)
	}
	for _, axis := range bundle.Verify(b, bundle.Requirements{}).Axes {
		if axis.Result == bundle.Fail {
			return axis.Name + ": " + axis.Reason
		}
	}
	return ""
}

// checkNotes reads again what this copy noted of the newest snapshot, of refs and of trust, and the
// trust that it was cloned with.
func checkNotes(a *archive.Archive) []keptFile {
	var all []keptFile
	if err := a.CheckJournal(); !errors.Is(err, fs.ErrNotExist) {
		all = append(all, keptFile{name: archive.JournalFile, err: err, next: nextOf(err, problem.Next(problem.DoRepair))})
	}
	if _, err := os.Lstat(filepath.Join(a.Dir(), archive.LocalDir, keptGiven)); err == nil {
		_, err := a.GivenTrust()
		all = append(all, keptFile{name: keptGiven, err: err, next: nextOf(err, problem.Next(problem.DoRepair))})
	}
	return all
}

// checkCopy returns a check for each part of what this copy alone keeps, and no snapshot holds.
func checkCopy(a *archive.Archive) []Check {
	checks := []Check{}
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

// The verdicts on this copy.
const (
	CopySound   = "SOUND"   // what this copy alone keeps is as it was written
	CopyDamaged = "DAMAGED" // a part of it is not; the signed archive does not depend on it
)

// addCopy adds the verdict on this copy: what it alone keeps, which decides nothing about
// the signed archive.
func (v *ArchiveVerdict) addCopy(a *archive.Archive) {
	v.Copy, v.CopyVerdict = checkCopy(a), CopySound
	if slices.ContainsFunc(v.Copy, isDamaged) {
		v.CopyVerdict = CopyDamaged
	}
}

// DamageOfCopy returns the checks that failed of what this copy alone keeps: ledger, logs, kept bundles and
// notes. Next of each heals it.
func DamageOfCopy(a *archive.Archive) []Check {
	return slices.DeleteFunc(checkCopy(a), func(c Check) bool { return !isDamaged(c) })
}

// isDamaged reports whether a check failed.
func isDamaged(c Check) bool { return c.State != "ok" }
