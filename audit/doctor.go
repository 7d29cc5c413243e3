package audit

import (
	"errors"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"muniment/archive"
	"muniment/archive/problem"
	"muniment/custody"
	"muniment/history"
	"muniment/objects"
	"muniment/sign"
	"muniment/sign/trust"
	"muniment/text/legible"
)

// A Check is the finding of Doctor about one part of an archive.
type Check struct {
	Name   string `json:"name"`
	State  string `json:"state"` // ok, warning, failed or absent
	Detail string `json:"detail"`
	Fix    string `json:"fix,omitempty"` // Next in the words of a program; empty from this package

	Next problem.Step `json:"-"` // how to mend it
}

// Doctor returns checks of the store, the newest snapshot, the last fixity check, the
// ledger and the auditor identity. It changes nothing.
func Doctor(a *archive.Archive) ([]Check, error) {
	checks := []Check{{Name: "archive", State: "ok", Detail: a.Name() + " " + a.ID().String()}}
	problems := a.Store().Doctor()
	checks = append(checks, describeStoreProblems(problems)...)

	if len(problems) == 0 {
		checks = append(checks, Check{Name: "store", State: "ok", Detail: "configuration, packs and refs are as written"})
	}
	head, _, err := a.Head()
	if err == nil {
		err = a.CheckIntact()
	}
	switch {
	case err != nil:
		checks = append(checks, Check{Name: "snapshot", State: "failed", Detail: legible.OneLine(err), Next: nextOf(err, problem.Next(problem.DoVerify))})
	case head == nil:
		checks = append(checks, Check{Name: "snapshot", State: "warning", Detail: "none yet", Next: problem.Next(problem.DoSnapshot)})
	default:
		checks = append(checks, Check{Name: "snapshot", State: "ok", Detail: head.ID.String()})
	}
	checks = append(checks, checkUnsigned(a)...)
	checks = append(checks, checkFixity(a))
	if state, err := a.IndexState(); err != nil {
		checks = append(checks, Check{Name: "search index", State: "warning", Detail: err.Error()})
	} else if state != nil {
		checks = append(checks, Check{Name: "search index", State: "ok", Detail: state.String()})
	}
	checks = append(checks, checkCopy(a)...)
	if head != nil {
		checks = append(checks, checkPublic(a), checkSecond(a))
	}
	checks = append(checks, checkSent(a))
	identity, err := history.ArchivistIdentity(a)
	if err == nil {
		err = a.CheckIdentity()
	}
	switch {
	case err != nil:
		checks = append(checks, Check{Name: "auditor", State: "failed", Detail: err.Error(), Next: problem.Advise("put " + archive.LocalDir + "/" + archive.IdentityFile + " back from a backup; without one, move it away and make another identity")})
	case identity == nil:
		checks = append(checks, Check{Name: "auditor", State: "absent", Detail: "this copy has no auditor identity of its own", Next: problem.Next(problem.DoNewAuditor, "SCOPE")})
	default:
		checks = append(checks, Check{Name: "auditor", State: "ok", Detail: "this copy can open what it seals for its own scope"})
	}
	return checks, nil
}

// checkSecond warns while a single key can change who is trusted: if that is lost, nobody goes on.
func checkSecond(a *archive.Archive) Check {
	c := Check{Name: "second key", State: "ok"}
	root, err := a.TrustRoot()
	if err != nil {
		c.State, c.Detail = "failed", legible.OneLine(err)
		return c
	}
	keys := map[sign.Key]bool{}
	if root != nil {
		for _, k := range root.Keys {
			if k.Role == trust.Policy && k.To.IsZero() {
				keys[k.Key] = true
			}
		}
	}
	if c.Detail = strconv.Itoa(len(keys)) + " keys of the trust root can sign the next version of it"; len(keys) < 2 {
		c.State, c.Detail, c.Next = "warning", "one key alone can go on with this archive; if it is lost, nobody can", problem.Next(DoSecondKey)
	}
	return c
}

// DoctorStore returns checks of the repository of an archive that archive.Open
// refuses with cause.
func DoctorStore(dir string, cause error, w archive.World) []Check {
	checks := []Check{{Name: "archive", State: "failed", Detail: cause.Error(), Next: problem.Next(problem.DoRepair)}}
	st, err := archive.OpenStore(dir, w.Disk)
	if err != nil {
		return checks
	}
	defer st.Close()
	return append(checks, describeStoreProblems(st.Doctor())...)
}

// describeStoreProblems returns a failed check for each problem of the store.
func describeStoreProblems(problems []objects.Problem) []Check {
	var checks []Check
	for _, p := range problems {
		next := problem.Next(problem.DoRepair).Or(problem.DoListDamage).With("what was changed with git can be undone with git")
		if strings.HasPrefix(path.Base(p.Object), "tmp_") {
			next = problem.Next(problem.DoMend).With("nothing is lost by it, if no other program is at work here")
		}
		checks = append(checks, Check{Name: "store", State: "failed", Detail: p.String(), Next: next})
	}
	return checks
}

// nextOf returns the step that an error names, or other where it names none.
func nextOf(err error, other problem.Step) problem.Step {
	if failure := (*problem.Error)(nil); errors.As(err, &failure) {
		return failure.Next
	}
	return other
}

// checkFixity returns the check of the last fixity event: absent, failed, or older
// than archive.FixityAge.
func checkFixity(a *archive.Archive) Check {
	c := Check{Name: "fixity", State: "ok"}
	last, err := a.LastFixity()
	switch {
	case err != nil:
		c.State, c.Detail, c.Next = "failed", err.Error(), nextOf(err, problem.Next(problem.DoRepair))
	case last == nil:
		c.State, c.Detail, c.Next = "absent", "no check was made here yet", problem.Next(DoFixity)
	default:
		c.Detail = last.String()
		at, err := time.Parse(time.RFC3339, last.Time)
		switch age := a.World().Now().Sub(at); {
		case last.Outcome != "pass":
			c.State, c.Next = "failed", problem.Next(problem.DoRepair).Or(DoFixity)
		case err != nil || age > archive.FixityAge:
			c.State, c.Next = "warning", problem.Next(DoFixity).With("the last check is more than "+strconv.Itoa(int(archive.FixityAge.Hours()/24))+" days old")
		}
	}
	return c
}

// Sweep deletes the temporary files of interrupted processes in the store and in the archive's
// folder, and returns their paths.
func Sweep(a *archive.Archive) ([]string, error) {
	lock, err := a.Lock()
	if err != nil {
		return nil, err
	}
	defer lock.Unlock()
	swept, err := a.Store().Sweep(lock)
	if err != nil {
		return nil, problem.Wrap(err, "sweep")
	}
	chunks, err := a.Store().SweepIncoming(a.World().Now().Add(time.Minute)) // all that no process holds
	if swept = append(swept, chunks...); err != nil {
		return swept, problem.Wrap(err, "sweep")
	}
	swept = append(swept, custody.SweepQuarantines(filepath.Join(a.Dir(), archive.LocalDir, custody.QuarantineDir), a.World())...)
	for _, pattern := range []string{filepath.Join(a.Dir(), archive.LocalDir, "search", "build-*"), filepath.Join(a.Dir(), ".muniment-*")} {
		left, err := filepath.Glob(pattern)
		if err != nil {
			return swept, problem.Wrap(err, "sweep")
		}
		for _, path := range left {
			info, err := os.Lstat(path)
			if err != nil || a.World().Now().Sub(info.ModTime()) < custody.LeftoverAge {
				continue
			}
			if err := os.RemoveAll(path); err != nil {
				return swept, problem.Wrap(err, "sweep")
			}
			swept = append(swept, path)
		}
	}
	return swept, nil
}
