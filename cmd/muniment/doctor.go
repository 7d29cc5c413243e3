package main

import (
	"errors"
	"fmt"
	"os/exec"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"muniment/archive"
	"muniment/audit"
	"muniment/release"
)

func (p *program) doctorCommand() *cobra.Command {
	var sweep bool
	cmd := command("start", "doctor", "Check machine, keys, archive and tools, and say how to fix each",
		"Looks, and changes nothing unless --sweep is given: that removes the temporary files\nwhich interrupted processes left in the archive.\nOutside an archive only the machine and the keys are looked at.\ngit and ssh-keygen are not needed; they are looked for because stock recipes use them.",
		"muniment doctor\nmuniment -C letters doctor", cobra.NoArgs, func(*cobra.Command, []string) error {
			var checks []audit.Check
			add := func(name, state, detail, fix string) {
				checks = append(checks, audit.Check{Name: name, State: state, Detail: detail, Fix: fix})
			}
			add("machine", "ok", runtime.GOOS+"/"+runtime.GOARCH+", "+runtime.Version()+", "+count(runtime.NumCPU(), "processor"), "")
			if s, err := p.signer(""); err == nil {
				add("key", "ok", s.Key().Fingerprint(), "")
			} else {
				add("key", "warning", err.Error(), "muniment key new makes one")
			}
			for _, tool := range []string{"git", "ssh-keygen"} {
				if path, err := exec.LookPath(tool); err == nil {
					add(tool, "ok", path, "")
				} else {
					add(tool, "absent", "not installed", "not needed; install it to run the stock recipes")
				}
			}
			if url := p.env("CITATION_LLM_URL"); url == "" {
				add("model", "absent", "CITATION_LLM_URL is not set", "not needed; answers are quotes without one")
			} else {
				add("model", "ok", "CITATION_LLM_URL is set; cite asks it, and was not tried here", "")
			}
			a, err := p.open()
			if err == nil {
				defer a.Close()
				if sweep {
					swept, err := audit.Sweep(a)
					if err != nil {
						return err
					}
					add("sweep", "ok", count(len(swept), "file")+" removed", "")
				}
				more, err := audit.Doctor(a)
				if err != nil {
					return err
				}
				checks = append(checks, withFixes(more)...)
			} else if problem := (*archive.Error)(nil); !errors.As(err, &problem) || problem.Kind != archive.TypeNoArchive {
				dir, e := p.archiveDir()
				if e != nil {
					return e
				}
				checks = append(checks, withFixes(audit.DoctorStore(dir, err, p.world))...)
			} else if p.dir != "" {
				return err
			} else {
				add("archive", "absent", "no archive here", "muniment init DIR makes one")
			}
			bad := 0
			for _, c := range checks {
				if c.State == "failed" {
					bad++
				}
			}
			p.show("doctor", checkList{checks}, func() {
				for _, c := range checks {
					p.out("%-8s %-12s %s", c.State, c.Name, c.Detail)
					if c.State != "ok" && c.Fix != "" {
						p.out("%-21s fix: %s", "", c.Fix)
					}
				}
			})
			if bad > 0 {
				return &archive.Error{Kind: archive.TypeVerdictNegative, Message: count(bad, "check") + " failed", Next: archive.Advise("each line marked failed says how to fix it")}
			}
			return nil
		})
	cmd.Flags().BoolVar(&sweep, "sweep", false, "remove what interrupted processes left behind")
	return cmd
}

func (p *program) gcCommand() *cobra.Command {
	return command("custody", "gc", "Merge the packs of the archive, and remove what interrupted processes left",
		`Every add and every snapshot writes a small pack. Small ones are merged as they come;
gc merges large ones too, so that every pack has at least twice the objects of the
next smaller one. No object is removed, and damaged packs are left as they are. As git,
which may do the same, it needs room for a second copy of what it merges.`,
		`muniment -C letters gc`, cobra.NoArgs, func(*cobra.Command, []string) error {
			return p.withArchive(func(a *archive.Archive) error {
				swept, err := audit.Sweep(a)
				if err != nil {
					return err
				}
				c, err := a.Consolidate()
				if err != nil {
					return err
				}
				p.show("gc", gcResult{c.Merged, c.Packs, c.Bytes, c.Damaged, len(swept)}, func() {
					p.out("%s merged, %s now; %s of interrupted processes removed", count(c.Merged, "pack"), count(c.Packs, "pack"), count(len(swept), "file"))
					if c.Damaged > 0 {
						p.out("%s left as found: damaged; muniment repair --from REMOTE", count(c.Damaged, "pack"))
					}
				})
				return nil
			})
		})
}

func (p *program) unlockCommand() *cobra.Command {
	var yes bool
	cmd := command("custody", "unlock", "Show whose writer's lock it is, and remove that of a dead process",
		`One process at a time writes an archive, and a lock file names it. The lock of a process
that has died on this machine is removed by the next writer. Of one on another machine or
in another container nobody can see from here whether it lives: unlock shows it and, when
you say so, removes it. The lock of a living process is never removed: stop the process.`,
		`muniment -C letters unlock
muniment -C letters unlock --yes`, cobra.NoArgs, func(*cobra.Command, []string) error {
			dir, err := p.archiveDir()
			if err != nil {
				return err
			}
			w := p.surroundings()
			st, err := archive.OpenStore(dir, w.Disk)
			if err != nil {
				return err
			}
			defer st.Close()
			a := archive.NewRepository(dir, st, w)
			r, err := a.FindLock()
			if err != nil {
				return err
			}
			if r.Locked && r.State != "alive" {
				if !yes {
					if yes, err = p.agrees("%s\nRemove it? [y/N] ", describeLock(r)); err != nil {
						return err
					}
				}
				if yes {
					err = a.BreakLock(r)
				}
			}
			if err != nil {
				return err
			}
			p.show("unlock", r, func() {
				switch {
				case r.Removed:
					p.out("removed: %s", describeLock(r))
				case r.State == "alive":
					p.out("%s", describeLock(r))
					p.say("it is alive on this machine: wait for it to end, or stop it")
				case r.Locked:
					p.out("left: %s", describeLock(r))
				default:
					p.out("nobody has the lock")
				}
			})
			return nil
		})
	cmd.Flags().BoolVar(&yes, "yes", false, "remove it without a question, unless its process is alive here")
	return cmd
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

func (p *program) versionCommand() *cobra.Command {
	return command("tool", "version", "Print the version", "Prints the version of the program, its commit and date, the version of Go, and the formats\nthat the program writes and reads. muniment --version prints the same.",
		"muniment version --json", cobra.NoArgs, func(*cobra.Command, []string) error {
			p.showVersion()
			return nil
		})
}

// showVersion prints which build the program is.
func (p *program) showVersion() {
	b := release.Current("muniment")
	p.show("version", b, func() {
		for line := range strings.Lines(b.Text()) {
			p.out("%s", strings.TrimSuffix(line, "\n"))
		}
	})
}
