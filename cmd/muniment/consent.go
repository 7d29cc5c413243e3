package main

import (
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"muniment/archive"
	"muniment/archive/problem"
	"muniment/history"
)

type consentCommand struct {
	*program
	o                                        history.ConsentOptions
	inclusion, surfacing, display, existence string
	excerpt, daily                           int
	from                                     string
}

func newConsentCommand(prog *program) *cobra.Command {
	p := &consentCommand{program: prog}
	cmd := command("papers", "consent [ID|NAME…]", "Set who may see what",
		`Writes the consent of artifacts for the next snapshot. Four dimensions, each on or
off: inclusion (it is in the archive), surfacing (it may support answers), display
(its words may be shown), existence (it may be known to exist). A preset sets all
four: open, auditor-only (supports answers, words shown to auditors only), hidden
(questions are answered as if it were not there, and auditors see that it was found),
closed (kept, and no answer rests on it). Without flags the consent in force is shown.

--person names a third party. --state says whether that person is cleared, anonymized
(answers say Person A, or another letter, instead of every name; auditors read the name)
or sealed (neither papers of theirs nor passages that name them support an answer).
--default sets what artifacts without a consent of their own allow.

Reading is a permission apart: --reading whole, excerpts or none says how much of a paper
may be read in its place, whatever answers quote. With papers it is theirs, with --tier
that of the tier, else of all papers without a word of their own. --processing none,
local or the host of an endpoint says what may be sent to other programs. What came from
an address is read in excerpts until --rights states by what right others read it.

Papers are named, or described: --folder, --series, --query, --kind, --naming PERSON,
--from FILE.csv. --until 2048 notes when a restriction ends, --review-on when somebody
looks at it again: status lists what is due, and nothing opens by itself. What a change
closes and opens is listed; --preview lists it and stages nothing.

--sensitive labels artifacts that tell of somebody's health, faith, sexuality, politics,
crime or finance. --category and --rule say how artifacts with a label are treated:
open, auditor-only (the default), hidden or closed. The strictest rule that applies
counts. --tier changes how much a tier of requestors is shown at once and in a day.
Consent governs answers, not copies: whoever clones the archive has everything.`,
		`muniment -C letters consent letter-07.txt --preset auditor-only
muniment -C letters consent letter-07.txt --display off --reason "family's wish"
muniment -C letters consent --reading whole --preview
muniment -C letters consent --folder letters/1911 --preset closed --until 2048 --authority "the family" --reason "still living"
muniment -C letters consent letter-07.txt --sensitive health,faith
muniment -C letters consent --category health --rule hidden
muniment -C letters consent --person "Ines Roth" --state sealed`,
		cobra.ArbitraryArgs, p.inArchive(p.run))
	f := cmd.Flags()
	f.StringVar(&p.inclusion, "inclusion", "", "on or off")
	f.StringVar(&p.surfacing, "surfacing", "", "on or off")
	f.StringVar(&p.display, "display", "", "on or off")
	f.StringVar(&p.existence, "existence", "", "on or off")
	f.StringVar(&p.o.Preset, "preset", "", "open, auditor-only, closed or hidden")
	f.StringVar(&p.o.MinTier, "min-tier", "", "lowest tier that may see it")
	f.StringVar(&p.o.Reason, "reason", "", "why, kept in the archive")
	f.StringVar(&p.o.Person, "person", "", "a third party's name")
	f.StringSliceVar(&p.o.Aliases, "alias", nil, "other names of that person")
	f.StringVar(&p.o.State, "state", "", "cleared, anonymized or sealed")
	f.StringVar(&p.o.Default, "default", "", "open or closed, for artifacts without a consent of their own")
	f.StringVar(&p.o.ThirdParties, "third-parties", "", "open, listed or strict")
	f.StringSliceVar(&p.o.Sensitive, "sensitive", nil, "its sensitive subjects: crime, faith, finance, health, politics, sexuality; or none")
	f.StringVar(&p.o.Category, "category", "", "a label, with --rule")
	f.StringVar(&p.o.Rule, "rule", "", "open, auditor-only, hidden or closed")
	f.StringVar(&p.o.Reading, "reading", "", "whole, excerpts or none: how much is read of the papers, by the tier, or of all others")
	f.StringVar(&p.o.Processing, "processing", "", "none, local or the `HOST` of an endpoint: what is sent to other programs")
	f.StringVar(&p.o.Until, "until", "", "a date of EDTF with which the restriction ends; or none")
	f.StringVar(&p.o.Review, "review-on", "", "a date of EDTF on which somebody looks at it again; or none")
	f.StringVar(&p.o.Authority, "authority", "", "who decided")
	f.StringVar(&p.o.Rights, "rights", "", "a statement by what right others read it; or none")
	f.StringArrayVar(&p.o.Select.Folders, "folder", nil, "the papers of a folder, by their names or where they are kept")
	f.StringArrayVar(&p.o.Select.Series, "series", nil, "the papers below a reference code")
	f.StringArrayVar(&p.o.Select.Queries, "query", nil, "the papers with all of these words")
	f.StringArrayVar(&p.o.Select.Kinds, "kind", nil, "the papers of a media type, such as image, or an item type")
	f.StringArrayVar(&p.o.Select.Naming, "naming", nil, "the papers that name a person")
	f.StringVar(&p.from, "from", "", "the papers that the rows of a `FILE.csv` name first")
	f.BoolVar(&p.o.Preview, "preview", false, "list what the change closes and opens, and stage nothing")
	f.BoolVar(&p.o.NoCap, "no-cap", false, "the tier's excerpts have no longest length")
	f.StringVar(&p.o.Tier, "tier", "", "a tier of requestors, to change or to make")
	f.IntVar(&p.excerpt, "excerpt", -1, "its longest excerpt, in characters")
	f.IntVar(&p.daily, "daily", -1, "how many characters of new text it is shown in a day; 0 is 72 excerpts")
	return cmd
}

func (p *consentCommand) run(cmd *cobra.Command, a *archive.Archive, args []string) error {
	p.o.Artifacts = args
	for _, d := range []struct {
		flag string
		to   **bool
	}{{p.inclusion, &p.o.Inclusion}, {p.surfacing, &p.o.Surfacing}, {p.display, &p.o.Display}, {p.existence, &p.o.Existence}} {
		on, err := readSwitch(d.flag)
		if err != nil {
			return err
		}
		*d.to = on
	}
	if cmd.Flags().Changed("excerpt") {
		p.o.Excerpt = &p.excerpt
	}
	if cmd.Flags().Changed("daily") {
		p.o.Daily = &p.daily
	}
	// A person without a state is one whom papers name.
	if p.o.Person != "" && p.o.State == "" && restricts(cmd) {
		p.o.Select.Naming, p.o.Person = append(p.o.Select.Naming, p.o.Person), ""
	}
	if p.from != "" {
		file, err := os.Open(p.from)
		if err != nil {
			return problem.New(problem.Usage, problem.Advise("name a file of comma-separated values"), "%w", err)
		}
		defer file.Close()
		p.o.Select.List = file
	}
	r, err := history.Consent(a, p.o)
	return p.conclude(err, "consent", r, func() { p.printConsent(r) })
}

// restricts reports whether a call changes the consent of papers.
func restricts(cmd *cobra.Command) bool {
	return slices.ContainsFunc([]string{"preset", "inclusion", "surfacing", "display", "existence", "min-tier", "reading", "processing", "until", "review-on", "sensitive", "rights"}, cmd.Flags().Changed)
}

// readSwitch reads on or off; nil for neither.
func readSwitch(s string) (*bool, error) {
	on := true
	switch strings.ToLower(s) {
	case "":
		return nil, nil
	case "on", "yes", "true":
	case "off", "no", "false":
		on = false
	default:
		return nil, misuse("a consent dimension is on or off, not "+s, "muniment consent --help")
	}
	return &on, nil
}

// printConsent prints the consent in force, or what was staged.
func (p *consentCommand) printConsent(r *history.ConsentResult) {
	for _, c := range r.Artifacts {
		p.out("%s  inclusion %s, surfacing %s, display %s, existence %s, reading %s%s", c.Name, onOff(c.Inclusion), onOff(c.Surfacing), onOff(c.Display), onOff(c.Existence), c.Reading, ifText(c.Own, "", " (the archive's default)"))
		for _, note := range []struct{ name, value string }{{"until", c.Until}, {"review on", c.Review}, {"by authority of", c.Authority}, {"rights", c.Rights}, {"reason", c.Reason}} {
			if note.value != "" && c.Own {
				p.out("  %s: %s", note.name, note.value)
			}
		}
		for _, kind := range c.Sensitive {
			p.out("  tells of %s: %s", kind, r.Sensitive[kind])
		}
	}
	for _, person := range r.Persons {
		p.out("person %s: %s", person.Name, person.State)
	}
	for _, t := range r.Tiers {
		length := "excerpts of " + itoa(t.Excerpt) + " characters"
		if t.Excerpt == history.NoCap {
			length = "excerpts as long as what supports a claim"
		}
		p.out("tier %s: %s, %d characters a day of what it may not read whole%s", t.Name, length, t.Daily, ifText(t.Reading == "", "", "; reads "+t.Reading))
	}
	p.out("default: %s, reading %s, processing %s; third parties: %s", r.Default, r.Reading, r.Processing, r.ThirdParties)
	if r.Preview != nil {
		p.printPreview(r.Preview)
	}
	if r.Staged {
		p.say("staged; next: muniment snapshot -m TEXT puts it in force")
	}
}

// printPreview prints whom a change lets see less or more of.
func (p *consentCommand) printPreview(v *history.ConsentPreview) {
	only, partly := map[string]int{}, 0
	for _, one := range v.Papers {
		if one.Partly && one.Closes {
			partly++
		}
		if one.Only != "" {
			only[one.Only]++
		}
	}
	line := "closes " + count(v.Closes, "paper") + ifText(partly > 0, " ("+itoa(partly)+" in part)", "") + ", opens " + count(v.Opens, "paper")
	for name, n := range only {
		line += "; " + itoa(n) + " of them only for the surname " + name
	}
	p.out("%s", line)
	for i, one := range v.Papers {
		if i == maxListed {
			p.out("  … and %d more", len(v.Papers)-maxListed)
			break
		}
		p.out("  %-6s  %s%s", ifText(one.Closes, "closes", "opens"), one.Name+ifText(one.Partly, " (in part)", ""), ifText(one.Only == "", "", " (only "+one.Only+")")+ifText(one.Others, " (another of the name may be meant)", ""))
	}
}

func onOff(b bool) string { return ifText(b, "on", "off") }

func ifText(b bool, yes, no string) string {
	if b {
		return yes
	}
	return no
}

func newWithdrawCommand(p *program) *cobra.Command {
	var o history.WithdrawOptions
	cmd := command("papers", "withdraw ID|NAME… --reason TEXT --authority WHO", "Take artifacts out, with reason and authority",
		`Stages that the payloads and records of artifacts leave the next snapshot. A note of the
reason and the authority replaces them; an original is removed with the last artifact
made from it. Search, ask and cite no longer use them. Nothing signed is undone: older
snapshots, and copies of them, keep the artifacts (cat --at SNAPSHOT), and citations of
them still verify, with the remark "since withdrawn".

The snapshot must be signed, or countersigned, by a key with the role withdraw.
Artifacts with a hold cannot be withdrawn. add --reinstate takes in a withdrawn file
again.`,
		`muniment -C letters withdraw letter-07.txt --reason "asked by the family" --authority "board, 3 May" --reference "minutes 12/4"
muniment -C letters snapshot -m "withdraw letter 7"`,
		cobra.MinimumNArgs(1), p.inArchive(func(_ *cobra.Command, a *archive.Archive, args []string) error {
			o.Artifacts = args
			r, err := history.Withdraw(a, o)
			return p.conclude(err, "withdraw", r, func() {
				for _, w := range r.Withdrawn {
					p.out("withdrawn %s  %s", w.Artifact, w.Name)
				}
				for _, id := range r.Originals {
					p.out("original  %s goes too", id)
				}
				p.say("staged; next: muniment snapshot -m TEXT puts it in force")
			})
		}))
	f := cmd.Flags()
	f.StringVar(&o.Reason, "reason", "", "why, kept in the archive")
	f.StringVar(&o.Authority, "authority", "", "who decided")
	f.StringVar(&o.Reference, "reference", "", "where the decision is on file")
	return cmd
}

type holdCommand struct {
	*program
	o history.HoldOptions
}

func newHoldCommand(prog *program) *cobra.Command {
	p := &holdCommand{program: prog}
	cmd := command("papers", "hold [ID|NAME…]", "Hold artifacts against withdrawal, or release them",
		`Stages a hold on artifacts: until it is released they cannot be withdrawn. --release
removes it; that snapshot must be signed, or countersigned, by a key with the role
withdraw. Without arguments the holds are listed.`,
		`muniment -C letters hold letter-07.txt --reason litigation --authority "District Court" --reference "12 C 34/24"
muniment -C letters hold letter-07.txt --release
muniment -C letters hold`,
		cobra.ArbitraryArgs, p.inArchive(p.run))
	f := cmd.Flags()
	f.BoolVar(&p.o.Release, "release", false, "remove the hold")
	f.StringVar(&p.o.Reason, "reason", "", "why, kept in the archive")
	f.StringVar(&p.o.Authority, "authority", "", "who demands it")
	f.StringVar(&p.o.Reference, "reference", "", "where the demand is on file")
	return cmd
}

func (p *holdCommand) run(_ *cobra.Command, a *archive.Archive, args []string) error {
	p.o.Artifacts = args
	r, err := history.Hold(a, p.o)
	return p.conclude(err, "hold", r, func() {
		for _, id := range r.Released {
			p.out("released %s", id)
		}
		for _, h := range r.Held {
			p.out("held %s  %s  since %s, %s: %s", h.Artifact, h.Name, h.Time, h.Authority, h.Reason)
		}
		if len(r.Held) == 0 {
			p.say("nothing is held")
		}
		if r.Staged {
			p.say("staged; next: muniment snapshot -m TEXT puts it in force")
		}
	})
}
