package main

import (
	"bytes"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"muniment/archive"
	"muniment/archive/problem"
	"muniment/audit"
)

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
