package main

import (
	"bytes"
	"errors"
	"fmt"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"muniment/archive"
	"muniment/archive/problem"
	"muniment/audit"
	"muniment/custody"
	"muniment/internal/release"
)

type doctorCommand struct {
	*program
	fix, yes, forget bool
	checks           []audit.Check
}

func newDoctorCommand(prog *program) *cobra.Command {
	p := &doctorCommand{program: prog}
	cmd := command("start", "doctor", "Check machine, keys, archive and tools, and say how to fix each",
		`Looks, and changes nothing unless --fix is given. Outside an archive it checks the
machine and the keys only. git and ssh-keygen are not needed; it looks for them because
recipes without this program use them.

--fix removes the lock of a writer that has ended, removes the temporary files which
interrupted processes left in the archive, and merges its packs.

One process at a time writes an archive, and a lock file names it. The lock of a process
that has died on this machine is removed by the next writer. Whether a process on
another machine or in another container still runs cannot be seen from here: --fix shows
its lock and removes it when you agree, or with --yes. The lock of a running process is
never removed, and nothing else is repaired then: wait for the process, or stop it.

Every add and every snapshot writes a small pack. Small ones are merged as they come;
--fix merges large ones too, so that every pack has at least twice the objects of the
next smaller one. Damaged packs are left as they are. Like git gc, it needs room for a
second copy of the packs that it merges. One kind of object is removed: commits and
files below refs/muniment/cosigs and refs/muniment/log that are no countersignatures and
no copy of a log, which earlier versions took from a remote.

A copy lists the files that it has besides its repository: the ledger, receipts, kept
bundles and others. One that is gone, or that was replaced by an older one, is named here
and by verify until it is put back, or until --forget says that you go on without it.`,
		"muniment doctor\nmuniment -C letters doctor\nmuniment -C letters doctor --fix --yes", cobra.NoArgs, p.run)
	cmd.Flags().BoolVar(&p.fix, "fix", false, "remove the lock and the files of ended processes, and merge packs")
	cmd.Flags().BoolVar(&p.yes, "yes", false, "with --fix: remove a lock without a question, unless its process is alive here")
	cmd.Flags().BoolVar(&p.forget, "forget", false, "with --fix: go on without the files of this copy that are gone, which are named")
	alias(cmd, "sweep", "fix")
	return cmd
}

func (p *doctorCommand) run(*cobra.Command, []string) error {
	p.checkMachine()
	if p.fix {
		if err := p.mend(); err != nil {
			return err
		}
	}
	if err := p.checkArchive(); err != nil {
		return err
	}
	bad := 0
	for _, c := range p.checks {
		if c.State == "failed" {
			bad++
		}
	}
	p.show("doctor", checkList{p.checks}, func() {
		for _, c := range p.checks {
			p.out("%-8s %-12s %s", c.State, c.Name, c.Detail)
			if c.State != "ok" && c.Fix != "" {
				p.out("%-21s fix: %s", "", c.Fix)
			}
		}
	})
	if bad > 0 {
		return &problem.Error{Kind: problem.VerdictNegative, Message: count(bad, "check") + " failed", Next: problem.Advise("each line marked failed says how to fix it")}
	}
	return nil
}

func (p *doctorCommand) add(name, state, detail, fix string) {
	p.checks = append(p.checks, audit.Check{Name: name, State: state, Detail: detail, Fix: fix})
}

// checkMachine looks at the machine, the signing key, the tools and the model.
func (p *doctorCommand) checkMachine() {
	p.add("machine", "ok", runtime.GOOS+"/"+runtime.GOARCH+", "+runtime.Version()+", "+count(runtime.NumCPU(), "processor"), "")
	if s, err := p.signer(""); err == nil {
		p.add("key", "ok", s.Key().Fingerprint(), "")
	} else {
		p.add("key", "warning", err.Error(), "muniment key new makes one")
	}
	for _, tool := range []string{"git", "ssh-keygen"} {
		if path, err := exec.LookPath(tool); err == nil {
			p.add(tool, "ok", path, "")
		} else {
			p.add(tool, "absent", "not installed", "not needed; install it to run the stock recipes")
		}
	}
	if url := p.env("CITATION_LLM_URL"); url == "" {
		p.add("model", "absent", "CITATION_LLM_URL is not set", "not needed; answers are quotes without one")
	} else {
		p.add("model", "ok", "CITATION_LLM_URL is set; cite asks it, and was not tried here", "")
	}
}

// checkArchive looks at the archive, or at its store alone where it does not open.
func (p *doctorCommand) checkArchive() error {
	a, err := p.open()
	if err == nil {
		defer a.Close()
		more, err := audit.Doctor(a)
		p.checks = append(p.checks, withFixes(more)...)
		return err
	}
	if failure := (*problem.Error)(nil); !errors.As(err, &failure) || failure.Kind != problem.NoArchive {
		dir, e := p.archiveDir()
		if e != nil {
			return e
		}
		p.checks = append(p.checks, withFixes(audit.DoctorStore(dir, err, p.world))...)
		return nil
	}
	if p.dir != "" {
		return err
	}
	p.add("archive", "absent", "no archive here", "muniment init DIR makes one")
	return nil
}

// mend removes the lock of a dead writer, then what interrupted processes left, and
// merges the packs. It does nothing while a writer is alive.
func (p *doctorCommand) mend() error {
	r, err := p.breakLock()
	if err != nil {
		return err
	}
	switch {
	case r.Removed:
		p.add("lock", "ok", "removed: "+describeLock(r), "")
	case r.Locked:
		p.add("lock", "warning", describeLock(r)+"; nothing was mended", ifText(r.State == "alive", "wait for it to end, or stop it", "muniment doctor --fix --yes removes it"))
		return nil
	default:
		p.add("lock", "ok", "nobody has the lock", "")
	}
	a, err := p.open()
	if err != nil {
		return nil // checkArchive says what is wrong with it
	}
	defer a.Close()
	gc, junk, err := tidy(a)
	if err != nil {
		return err
	}
	for _, line := range describeJunk(junk) {
		p.add("junk", "ok", line, "")
	}
	if p.forget {
		lost, err := audit.LostFiles(a)
		if err == nil {
			err = audit.ForgetLost(a, lost)
		}
		if err != nil {
			return err
		}
		for _, l := range lost {
			p.add("forgotten", "ok", l.String(), "")
		}
		older, err := audit.AcceptOlder(a)
		if err != nil {
			return err
		}
		for _, line := range older {
			p.add("forgotten", "ok", line, "")
		}
	}
	p.add("sweep", "ok", count(gc.Swept, "file")+" removed", "")
	if detail := count(gc.Merged, "pack") + " merged, " + itoa(gc.Packs) + " now"; gc.Damaged == 0 {
		p.add("packs", "ok", detail, "")
	} else {
		p.add("packs", "warning", detail+"; "+itoa(gc.Damaged)+" left as found: damaged", "muniment repair --from REMOTE")
	}
	return nil
}

// breakLock finds the writer's lock and removes it where its process is not alive here
// and the user agrees.
func (p *doctorCommand) breakLock() (*archive.LockResult, error) {
	dir, err := p.archiveDir()
	if err != nil {
		return nil, err
	}
	w := p.surroundings()
	st, err := archive.OpenStore(dir, w.Disk)
	if err != nil {
		return nil, err
	}
	defer st.Close()
	a := archive.NewRepository(dir, st, w)
	r, err := a.FindLock()
	if err != nil || !r.Locked || r.State == "alive" {
		return r, err
	}
	yes := p.yes
	if !yes {
		if yes, err = p.agrees("%s\nRemove it? [y/N] ", describeLock(r)); err != nil {
			return nil, err
		}
	}
	if yes {
		err = a.BreakLock(r)
	}
	return r, err
}

// tidy removes what interrupted processes left in an archive, and commits that nothing signed led to, and merges its packs.
func tidy(a *archive.Archive) (gcResult, *custody.DroppedJunk, error) {
	swept, err := audit.Sweep(a)
	if err != nil {
		return gcResult{}, nil, err
	}
	junk, err := custody.DropJunk(a)
	if err != nil {
		return gcResult{}, nil, err
	}
	c, err := a.Consolidate()
	if err != nil {
		return gcResult{}, nil, err
	}
	return gcResult{c.Merged, c.Packs, c.Bytes, c.Damaged, len(swept), junk.Objects}, junk, nil
}

// describeJunk returns a line for each ref that was written again, and one for the objects that went.
func describeJunk(junk *custody.DroppedJunk) []string {
	var out []string
	for _, j := range junk.Refs {
		out = append(out, j.Name+ifText(j.Kept != "", " left as it is: "+j.Kept, " written again: "+j.Reason))
	}
	if junk.Objects > 0 {
		out = append(out, count(junk.Objects, "object")+" that nothing signed led to removed")
	}
	return out
}

func newGcCommand(p *program) *cobra.Command {
	return command("copies", "gc", "Merge the packs of the archive, and remove what interrupted processes left",
		`doctor --fix does the same, and says why.`,
		`muniment -C letters gc`, cobra.NoArgs, p.inArchive(func(_ *cobra.Command, a *archive.Archive, _ []string) error {
			r, junk, err := tidy(a)
			return p.conclude(err, "gc", r, func() {
				for _, line := range describeJunk(junk) {
					p.out("%s", line)
				}
				p.out("%s merged, %s now; %s of interrupted processes removed", count(r.Merged, "pack"), count(r.Packs, "pack"), count(r.Swept, "file"))
				if r.Damaged > 0 {
					p.out("%s left as found: damaged; muniment repair --from REMOTE", count(r.Damaged, "pack"))
				}
			})
		}))
}

// describeLock returns a line on the owner of a lock.
func describeLock(r *archive.LockResult) string {
	if r.PID == 0 {
		return "a lock that cannot be read"
	}
	where := map[string]string{"unknown": "another machine or container", "gone": "it has ended", "alive": "it runs on this machine"}
	return fmt.Sprintf("the lock of pid %d on %s since %s (%s)", r.PID, r.Host, r.Since, where[r.State])
}

// withFixes returns the checks with the commands that mend them.
func withFixes(checks []audit.Check) []audit.Check {
	for i, c := range checks {
		if !c.Next.IsZero() {
			checks[i].Fix = hintOf(c.Next)
		}
	}
	return checks
}

func newVersionCommand(p *program) *cobra.Command {
	return command("tool", "version", "Print the version", "Prints the version of the program, its commit and date, the version of Go, and the formats\nthat the program writes and reads. muniment --version prints the same.",
		"muniment version --json", cobra.NoArgs, func(*cobra.Command, []string) error {
			showVersion(p)
			return nil
		})
}

// showVersion prints which build the program is.
func showVersion(p *program) {
	b := release.Current("muniment")
	p.show("version", b, func() {
		for line := range strings.Lines(b.Text()) {
			p.out("%s", strings.TrimSuffix(line, "\n"))
		}
	})
}

type fixityCommand struct {
	*program
	sample, since                string
	budget                       time.Duration
	premisFlag, noRecord, remote bool
}

func newFixityCommand(prog *program) *cobra.Command {
	p := &fixityCommand{program: prog}
	cmd := command("papers", "fixity", "Hash the store again, all of it or a sample",
		`Reads payloads, originals, records and the other files of the newest snapshot and
compares each with its id. Every check continues where the last one ended, so that
samples reach every item in turn. A damaged or absent item is exit 1; a budget that ends
too early is exit 3. Items outside the sample are counted as not checked, which is no
fault. Items that this user may not read, or that the disk does not return, are exit 3
and not called damaged. Of payloads in a payload store the pointer is read;
--remote-payloads reads the bytes too.

Each check is one line of archive.local/fixity.jsonl under the names of PREMIS;
--no-record omits that line, for a read-only medium; --premis prints them all as a
PREMIS 3 document, with every accession, description, rereading and withdrawal, and
checks nothing.`,
		`muniment -C letters fixity
muniment -C letters fixity --sample 5% --budget 10m
muniment -C letters fixity --since 2026-01-01
muniment -C letters fixity --premis`,
		cobra.NoArgs, p.inArchive(p.run))
	f := cmd.Flags()
	f.StringVar(&p.sample, "sample", "", "check P% of the items, from where the last check ended")
	f.DurationVar(&p.budget, "budget", 0, "begin nothing more after this `TIME`, such as 10m")
	f.StringVar(&p.since, "since", "", "skip items that were checked since this `DATE`")
	f.BoolVar(&p.noRecord, "no-record", false, "write nothing: the check is not kept, and the next one begins where this one did")
	f.BoolVar(&p.remote, "remote-payloads", false, "also read the bytes in the payload store")
	f.BoolVar(&p.premisFlag, "premis", false, "print acts and checks as a PREMIS 3 document, and check nothing")
	return cmd
}

func (p *fixityCommand) run(cmd *cobra.Command, a *archive.Archive, _ []string) error {
	if p.premisFlag {
		return p.premis(a)
	}
	o := audit.FixityOptions{Budget: p.budget, NoRecord: p.noRecord, RemotePayloads: p.remote}
	if p.sample != "" {
		var err error
		o.Sample, err = strconv.ParseFloat(strings.TrimSuffix(p.sample, "%"), 64)
		if err != nil || !(o.Sample > 0 && o.Sample <= 100) {
			return misuse("--sample "+strconv.Quote(p.sample)+" is not a percentage above 0 and at most 100", "muniment fixity --sample 5%")
		}
	}
	if p.since != "" {
		var err error
		if o.Since, err = time.Parse(time.DateOnly, p.since); err != nil {
			if o.Since, err = time.Parse(time.RFC3339, p.since); err != nil {
				return misuse("--since "+strconv.Quote(p.since)+" is not a date", "muniment fixity --since 2026-01-31")
			}
		}
	}
	update, end := p.progress("fixity")
	o.Progress = update
	r, err := audit.Fixity(cmd.Context(), a, o)
	end()
	if err != nil {
		return err
	}
	p.show("fixity", r, func() {
		for _, x := range r.Problems {
			p.out("%s: %s: %s", x.State, x.Path, x.Reason)
		}
		p.out("%s: %d checked, %d ok, %d failed, %d absent, %d not checked", count(r.Total, "item"), r.Checked, r.OK, r.Failed, r.Absent, r.NotChecked)
	})
	switch {
	case r.Failed+r.Absent > 0:
		return &problem.Error{Kind: problem.Damaged, Outcome: problem.Found, Message: count(r.Failed+r.Absent, "item") + " damaged or absent", Next: problem.Advise("muniment verify says which snapshots are touched; bring them back with muniment repair --from REMOTE")}
	case r.Unreadable > 0:
		return &problem.Error{Kind: problem.Environment, Outcome: problem.Incomplete, Message: count(r.Unreadable, "item") + " cannot be read, and nothing says that they are damaged", Next: problem.Advise("look at the disk and at the permissions of archive.git, then run the same command again")}
	case r.Unfinished > 0:
		return &problem.Error{Kind: problem.PartlyDone, Message: count(r.Unfinished, "item") + " not checked: the budget ended", Next: problem.Advise("muniment fixity continues where this check ended")}
	}
	return nil
}

// premis prints what was done with papers, and the log of checks.
func (p *fixityCommand) premis(a *archive.Archive) error {
	events, err := a.FixityEvents()
	if err != nil {
		return err
	}
	if events == nil {
		events = []archive.FixityEvent{}
	}
	acts, err := audit.Acts(a)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if err := audit.WritePREMIS(&b, acts, events); err != nil {
		return err
	}
	p.show("fixity", actList{acts, events}, func() {
		p.out("%s", strings.TrimSuffix(b.String(), "\n"))
	})
	return nil
}
