package main

import (
	"strings"

	"github.com/spf13/cobra"

	"muniment/archive"
	"muniment/history"
)

type personsCommand struct {
	*program
	o history.PersonsOptions
}

func newPersonsCommand(prog *program) *cobra.Command {
	p := &personsCommand{program: prog}
	cmd := command("papers", "persons [NAME]", "List persons, and decide whom a name means",
		`Lists the persons of the archive with what is known of them, and the names to decide:
surnames and given names of an anonymized or sealed person that somebody else has too,
in the list, in a record or in a text. Alone such a name reads [name withheld], unless
the paper has one of them in full.

With NAME the record of a listed person is changed for the next snapshot. --alias BRIGG
decides that the surname alone is this person. --not adds a name that is somebody
else's or a place's; a part of the person's own name, as --not BRIGG, decides that it is
somebody else, which shows more and needs the right to loosen. consent --person NAME
--state STATE lists a person, and finds the others in the texts.`,
		`muniment -C letters persons
muniment -C letters persons "Ines Roth" --born 1902 --relation "mother=Karl Roth"
muniment -C letters persons "Ines Roth" --alias Roth --not "Roth Street"`,
		cobra.MaximumNArgs(1), p.inArchive(p.run))
	f := cmd.Flags()
	f.StringArrayVar(&p.o.Aliases, "alias", nil, "another name of the person; repeatable")
	f.StringArrayVar(&p.o.Not, "not", nil, "a name that is not the person's; repeatable")
	f.StringVar(&p.o.Born, "born", "", "a date: 1902, 1902-05, 1902~")
	f.StringVar(&p.o.Died, "died", "", "a date")
	f.StringArrayVar(&p.o.Relations, "relation", nil, "IS=OF, as mother=Tom Brigg; repeatable")
	return cmd
}

func (p *personsCommand) run(_ *cobra.Command, a *archive.Archive, args []string) error {
	if len(args) > 0 {
		p.o.Name = args[0]
	} else if len(p.o.Aliases)+len(p.o.Not)+len(p.o.Relations) > 0 || p.o.Born+p.o.Died != "" {
		return misuse("the name of the person is missing whose record is to be changed", "muniment persons lists who is known")
	}
	r, err := history.Persons(a, p.o)
	return p.conclude(err, "persons", r, func() { p.printPersons(r, p.o.Name) })
}

// printPersons prints the persons, or the one that is named, and the names to decide.
func (p *program) printPersons(r *history.PersonsResult, name string) {
	for _, one := range r.Persons {
		if name != "" && one.Name != name {
			continue
		}
		p.out("%s: %s%s", one.Name, one.State, ifText(one.Born+one.Died != "", " ("+one.Born+"–"+one.Died+")", ""))
		if len(one.Aliases) > 0 {
			p.out("  also %s", strings.Join(one.Aliases, ", "))
		}
		for _, rel := range one.Relations {
			p.out("  %s of %s", rel.Is, rel.Of)
		}
		if len(one.Not) > 0 {
			p.out("  not %s", strings.Join(one.Not, ", "))
		}
	}
	for _, w := range r.Undecided {
		p.out("to decide: %s alone is %s, or %s", w.Word, strings.Join(w.Persons, ", "), strings.Join(w.Others, ", "))
	}
	p.out("third parties: %s", r.ThirdParties)
	if r.Staged {
		p.say("staged; next: muniment snapshot -m TEXT puts it in force")
	}
}
