package main

import (
	"strings"

	"github.com/spf13/cobra"

	"muniment/archive"
	"muniment/audit"
)

type initCommand struct {
	*program
	o      archive.InitOptions
	covers string
}

func newInitCommand(prog *program) *cobra.Command {
	p := &initCommand{program: prog}
	cmd := command("start", "init [DIR]", "Create an archive",
		`Makes DIR/archive.git, an ordinary bare git repository that travels, and
DIR/archive.local for what stays: the ledger, the search index, the answer log
and an auditor identity of your own, so that you can open what your answers seal.
DIR is the current folder when it is not given.`,
		`muniment init letters --subject "Ada Vale" --born 1901-03-04 --died 1977-10-30
muniment init papers --consent closed`,
		cobra.MaximumNArgs(1), p.run)
	f := cmd.Flags()
	f.StringVar(&p.o.Name, "name", "", "the archive's name; else the folder's")
	f.StringVar(&p.o.Subject, "subject", "", "the person whose papers these are")
	f.StringSliceVar(&p.o.Aliases, "alias", nil, "other names of that person")
	f.StringVar(&p.o.Born, "born", "", "a date of EDTF: 1901-03-04, 1901, 1901~")
	f.StringVar(&p.o.Died, "died", "", "a date of EDTF; questions about later events are refused")
	f.StringVar(&p.covers, "covers", "", "what the papers cover, a date of EDTF: 1880/1890, 188X")
	f.StringVar(&p.o.CoversFrom, "covers-from", "", "when the papers begin, a date of EDTF")
	f.StringVar(&p.o.CoversTo, "covers-to", "", "when the papers end, a date of EDTF; else the newest dated artifact")
	f.StringVar(&p.o.Consent, "consent", "open", "what artifacts without a consent of their own allow: open or closed")
	f.StringVar(&p.o.ThirdParty, "third-parties", "listed", "which other persons are gated: open, listed or strict")
	f.BoolVar(&p.o.NoAuditor, "no-auditor", false, "do not make an auditor identity; ask and bind then need key new --auditor")
	return withoutArchive(cmd)
}

func (p *initCommand) run(_ *cobra.Command, args []string) error {
	dir := "."
	switch {
	case len(args) == 1 && p.dir != "":
		return misuse("init was given two folders, -C "+p.dir+" and "+args[0], "muniment init DIR")
	case len(args) == 1:
		dir = args[0]
	case p.dir != "":
		dir = p.dir
	}
	if p.covers != "" {
		if p.o.CoversFrom != "" || p.o.CoversTo != "" {
			return misuse("init was given --covers and a part of it", "--covers 1880/1890, or --covers-from and --covers-to")
		}
		from, to, interval := strings.Cut(p.covers, "/")
		if !interval {
			to = from
		}
		p.o.CoversFrom, p.o.CoversTo = openEnd(from), openEnd(to)
	}
	a, err := archive.Init(dir, p.o, p.surroundings())
	if err != nil {
		return err
	}
	defer a.Close()
	if err := audit.NoteProgram(a); err != nil {
		return err
	}
	p.show("init", initResult{a.ID().String(), a.Name(), dir, dir + "/" + archive.StoreDir}, func() {
		p.out("archive %s", a.ID())
		switch {
		case p.o.Consent == "closed":
			p.say("the public would see nothing of what is added, until consent says more")
		case p.o.Subject != "":
			p.say("the public and researchers would read excerpts of what is added, the family all of it")
		default:
			p.say("the public would read all of what is added")
		}
		p.say("one key signs here; before it is lost make a second one, on paper: muniment -C %s key second --paper FILE", dir)
		p.say("made %s/%s; next: muniment -C %s add PATH…", dir, archive.StoreDir, dir)
	})
	return nil
}

// openEnd returns the end of an interval, "" for one that is open.
func openEnd(date string) string {
	if date == ".." {
		return ""
	}
	return date
}
