package main

import (
	"encoding/json"
	"strings"

	"muniment/archive"
	"muniment/draft"
	"muniment/history"
	"muniment/policy"

	"github.com/spf13/cobra"
)

// newDraftCommand returns the group of the commands that judge texts.
func newDraftCommand(p *program) *cobra.Command {
	cmd := command("texts", "draft", "Judge a draft, cut it into claims, gather its evidence",
		`check gates a draft by the rules of a profile; segment cuts a text into claims; pack
gathers evidence to write from; profile shows the rules and stages new ones.`,
		"muniment -C letters draft check brief.md", cobra.NoArgs, p.overview)
	cmd.AddCommand(newCheckCommand(p), newSegmentCommand(p), newPackCommand(p), newProfileCommand(p))
	return withoutArchive(cmd)
}

func newProfileCommand(p *program) *cobra.Command {
	cmd := command("", "profile", "Rules for answers and drafts, as data",
		`A profile says how many sources an answer needs, how evidence is chosen, what a draft
must have and how often it is repaired. Nine come with the program; an archive's own are
in policy/profiles and are signed with its snapshots.`,
		`muniment draft profile list`, cobra.NoArgs, p.overview)
	cmd.AddCommand(newProfileListCommand(p), newProfileShowCommand(p), newProfileAddCommand(p), newProfileFreeformCommand(p), newProfileJudgedCommand(p), newProfilePolicyCommand(p))
	return withoutArchive(cmd)
}

func newProfileListCommand(p *program) *cobra.Command {
	return command("", "list", "List the profiles", `Lists the profiles that --profile takes.`, `muniment draft profile list`,
		cobra.NoArgs, func(*cobra.Command, []string) error {
			return withProfiles(p, func(all []draft.ProfileInfo) error {
				p.show("profiles", profileList{all}, func() {
					for _, one := range all {
						p.out("%-16s  %-7s  %s", one.Name, one.From, one.Says)
					}
				})
				return nil
			})
		})
}

func newProfileShowCommand(p *program) *cobra.Command {
	return command("", "show NAME", "Print a profile", `Prints the rules of one profile as JSON, to read or to begin one's own from.`, `muniment draft profile show market-brief`,
		cobra.ExactArgs(1), func(_ *cobra.Command, args []string) error {
			return withProfiles(p, func(all []draft.ProfileInfo) error {
				for _, one := range all {
					if one.Name != args[0] {
						continue
					}
					text, err := json.MarshalIndent(one.Profile, "", "  ")
					return p.conclude(err, "profile", one, func() { printLines(p, string(text)) })
				}
				return misuse("no profile is named "+args[0], "muniment draft profile list names them")
			})
		})
}

func newProfileAddCommand(p *program) *cobra.Command {
	return command("", "add FILE.json", "Stage a profile of the archive's own",
		`The profile counts when the next snapshot has signed it. It replaces an earlier one of
its name; the shipped profiles cannot be replaced.`, `muniment draft profile add mine.json`,
		cobra.ExactArgs(1), func(_ *cobra.Command, args []string) error {
			const longest = 64 << 10
			text, err := p.readText(args[0], longest)
			if err != nil {
				return err
			}
			return p.withArchive(func(a *archive.Archive) error {
				r, err := draft.AddProfile(a, []byte(text))
				if err != nil {
					return err
				}
				p.show("profile", r, func() { p.out("profile %s", r.Name) })
				p.say("next: muniment snapshot -m TEXT")
				return nil
			})
		})
}

func newProfileFreeformCommand(p *program) *cobra.Command {
	var tiers []string
	var nobody bool
	cmd := command("", "freeform", "Name the tiers that may be given uncited text",
		`Text that cites nothing is let through only under a profile with "freeform": true, for a
requestor whose tier is named here in a signed snapshot; it is then marked as not from the
archive. Nobody is named in a new archive.`,
		"muniment draft profile freeform --tier family\nmuniment profile freeform --nobody",
		cobra.NoArgs, func(*cobra.Command, []string) error {
			if nobody == (len(tiers) > 0) {
				return misuse("no tier is named", "--tier NAME, which may be repeated, or --nobody")
			}
			return p.withArchive(func(a *archive.Archive) error {
				if err := history.AllowFreeform(a, tiers); err != nil {
					return err
				}
				if tiers == nil {
					tiers = []string{}
				}
				p.show("profile-freeform", tierList{tiers}, func() {
					p.out("uncited text: %s", strings.Join(append(tiers, map[bool]string{true: "nobody"}[nobody]), " "))
				})
				p.say("next: muniment snapshot -m TEXT")
				return nil
			})
		})
	cmd.Flags().StringSliceVar(&tiers, "tier", nil, "a tier; may be repeated")
	cmd.Flags().BoolVar(&nobody, "nobody", false, "take the permission back")
	return cmd
}

func newProfileJudgedCommand(p *program) *cobra.Command {
	return command("", "judged never|labeled|verified", "Say what a model's yes makes of a claim in this archive",
		`Where a call says nothing of it and its profile neither, a claim that only a model judged
to follow is unverified and names the model. With verified it is verified from the next
snapshot on, with never no model is asked; labeled is as it was. It is signed as judged
of the profile named archive, of which nothing else is read so.`,
		"muniment draft profile judged verified",
		cobra.ExactArgs(1), func(_ *cobra.Command, args []string) error {
			return p.withArchive(func(a *archive.Archive) error {
				r, err := draft.SetJudged(a, args[0])
				if err != nil {
					return err
				}
				p.show("profile", r, func() { p.out("judged: %s", r.Profile.Judged) })
				p.say("next: muniment snapshot -m TEXT")
				return nil
			})
		})
}

func newProfilePolicyCommand(p *program) *cobra.Command {
	return command("", "policy [FILE.cedar]", "Show the archive's Cedar policy, or replace it",
		`Prints the Cedar text that says who may see what, in force with the newest snapshot or
staged for the next. With a FILE, or - for standard input, that text replaces it from
the next snapshot on; one that does not parse or asks for an unknown attribute is
refused. No text can open what the person's consent closes.

Two actions need no permit and are switched off by a forbid: "compose", lines for a creative
text, and "log_refusal", that this program keeps a refusal with its reason:

  forbid (principal, action == Action::"log_refusal", resource);

The answer log has every refusal in any case.`,
		"muniment draft profile policy > policy.cedar\nmuniment profile policy policy.cedar",
		cobra.MaximumNArgs(1), func(_ *cobra.Command, args []string) error {
			text := ""
			if len(args) == 1 {
				var err error
				if text, err = p.readText(args[0], policy.MaxCedar); err != nil {
					return err
				}
			}
			return p.withArchive(func(a *archive.Archive) error {
				r, err := history.CedarPolicy(a, text)
				if err != nil {
					return err
				}
				p.show("profile-policy", r, func() {
					if text == "" {
						printLines(p, r.Text)
					}
				})
				if text != "" {
					p.say("next: muniment snapshot -m TEXT")
				}
				return nil
			})
		})
}

// withProfiles opens the archive and lists its profiles.
func withProfiles(p *program, run func([]draft.ProfileInfo) error) error {
	return p.withArchive(func(a *archive.Archive) error {
		all, err := draft.Profiles(a)
		if err != nil {
			return err
		}
		return run(all)
	})
}
