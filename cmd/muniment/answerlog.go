package main

import (
	"github.com/spf13/cobra"

	"muniment/archive"
	"muniment/archive/logref"
	"muniment/audit"
)

// showLogs prints what is known of the answer logs.
func showLogs(p *program, states []logref.LogState) {
	p.show("answerlog", logList{states}, func() {
		for _, s := range states {
			p.out("%s epoch %d: %s, %d copied, cosigned by %d%s", s.Key[:16], s.Epoch, count(int(s.Size), "answer"), s.Published, s.Cosigned, ifText(s.Changed, ", changed", ""))
			if s.Note != "" {
				p.out("  %s", s.Note)
			}
		}
		if len(states) == 0 {
			p.say("no answer log yet; muniment ask begins one, muniment log publish copies it")
		}
	})
}

func newLogPublishCommand(p *program) *cobra.Command {
	return command("", "publish", "Copy the answer logs to their refs",
		`Copies the log of every answering key of this archive to refs/muniment/log/<key>, as
tiles that stock git brings to others: checkpoint, tile/, tile/entries/. Only what is new
is written. The log holds hashes of statements and nothing else.`,
		"muniment -C letters log publish", cobra.NoArgs, p.inArchive(func(_ *cobra.Command, a *archive.Archive, _ []string) error {
			states, err := logref.PublishLogs(a, true)
			if err != nil {
				return err
			}
			showLogs(p, states)
			return nil
		}))
}

func newLogCosignCommand(p *program) *cobra.Command {
	var key string
	cmd := command("", "cosign", "Cosign the answer logs, as a witness",
		`For the logs that were copied here: checks the checkpoint's signature, that the tiles
lead to its root, and that the log only grew since it was cosigned here before; then
signs it with your key and keeps the cosignature with it. A log that contradicts itself
is not cosigned: the evidence is kept in a file (exit 1).`,
		"muniment -C letters log cosign --key ~/keys/museum", cobra.NoArgs, func(*cobra.Command, []string) error {
			s, err := p.signer(key)
			if err != nil {
				return err
			}
			return p.withArchive(func(a *archive.Archive) error {
				states, err := logref.CosignLogs(a, s)
				if err != nil {
					return err
				}
				showLogs(p, states)
				return nil
			})
		})
	cmd.Flags().StringVar(&key, "key", "", "the private key `FILE`; else found as for signing")
	return cmd
}

func newLogCheckCommand(p *program) *cobra.Command {
	return command("", "check", "Compare the answer logs with their earlier states",
		`Checks the copies of the answer logs as cosign does, and signs nothing. Two checkpoints
that one log cannot have are kept as a file that anybody can check (exit 1).`,
		"muniment -C letters log check", cobra.NoArgs, p.inArchive(func(_ *cobra.Command, a *archive.Archive, _ []string) error {
			states, err := logref.CheckLogs(a)
			if err != nil {
				return err
			}
			showLogs(p, states)
			return nil
		}))
}

type logProveCommand struct {
	*program
	outFlag, since, cosigned string
}

func newLogProveCommand(prog *program) *cobra.Command {
	p := &logProveCommand{program: prog}
	cmd := command("", "prove [FILE.zip] -o FILE", "Prove an answer's place in the log again",
		`Writes a copy of a bundle whose log.proof leads to the checkpoint that most witnesses have
cosigned since. With --since CHECKPOINT it writes a proof instead: that the log only grew
from that checkpoint to the one in the bundle, or to the newest. Verifiers give both to
verify --since. With --cosigned FILE the proof leads to the checkpoint in that file, with
all its lines: whoever asks witnesses of others brings their lines into a bundle so.`,
		"muniment -C letters log prove answer.zip -o cosigned.zip\nmuniment -C letters log prove answer.zip --since kept.checkpoint -o grown.proof",
		cobra.MaximumNArgs(1), p.run)
	cmd.Flags().StringVarP(&p.outFlag, "out", "o", "", "the `FILE` to write; an existing one is not replaced")
	cmd.Flags().StringVar(&p.since, "since", "", "a checkpoint `FILE` that was kept")
	cmd.Flags().StringVar(&p.cosigned, "cosigned", "", "a `FILE` with a checkpoint of this log that witnesses have cosigned")
	return cmd
}

func (p *logProveCommand) run(_ *cobra.Command, args []string) error {
	file := ""
	if len(args) == 1 {
		file = args[0]
	}
	if p.outFlag == "" || file == "" && p.since == "" || p.cosigned != "" && (p.since != "" || file == "") {
		return misuse("prove needs a file to write, and a bundle or --since; --cosigned goes with a bundle and without --since", "muniment log prove answer.zip -o cosigned.zip")
	}
	a, err := p.open()
	if err != nil {
		return err
	}
	defer a.Close()
	var r *audit.ProveResult
	if p.since != "" {
		r, err = audit.ProveConsistency(a, p.since, file, p.outFlag)
	} else {
		r, err = audit.RenewProof(a, file, p.cosigned, p.outFlag)
	}
	return p.conclude(err, "proof", r, func() {
		p.out("%s", r.File)
		if r.Index < 0 {
			p.out("from %d to %d entries of %s", r.From, r.Size, r.Origin)
			return
		}
		p.out("entry %d of %d in %s, cosigned by %d", r.Index, r.Size, r.Origin, r.Cosigned)
	})
}

func newLogKeepCommand(p *program) *cobra.Command {
	var out string
	cmd := command("", "keep FILE.zip -o FILE", "Keep the checkpoint of a bundle",
		`Writes the checkpoint of the answer log that a bundle carries into a file. Whoever keeps
one can later see with verify --since that the log was not rewritten. Needs no archive.`,
		"muniment log keep answer.zip -o kept.checkpoint", cobra.ExactArgs(1), func(_ *cobra.Command, args []string) error {
			if out == "" {
				return misuse("keep needs a file to write", "muniment log keep "+args[0]+" -o kept.checkpoint")
			}
			r, err := audit.KeepCheckpoint(args[0], out)
			return p.conclude(err, "checkpoint", r, func() { p.out("%s: %s of %s", r.File, count(int(r.Size), "answer"), r.Origin) })
		})
	cmd.Flags().StringVarP(&out, "out", "o", "", "the `FILE` to write; an existing one is not replaced")
	return withoutArchive(cmd)
}
