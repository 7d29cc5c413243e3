package main

import (
	"strconv"
	"strings"

	"muniment/audit"
	"muniment/draft"
	"muniment/engine"

	"github.com/spf13/cobra"
)

type whyCommand struct {
	*program
	f          callerFlags
	profile    string
	identities []string
}

func newWhyCommand(prog *program) *cobra.Command {
	p := &whyCommand{program: prog}
	cmd := command("claims", "why CITATION|ANSWER.zip", "Explain a citation, its failure, or an answer step by step",
		`Walks through the checks of a citation in their order, with what was expected and
what was found, then looks its words up again. For an aggregation the chain is
walked down to the papers it rests on.

Of an answer it explains the decision of each gate: the scores, the tests that a rung
failed, the refusals, and what would change them. The gates are sealed: --identity or
the archive's own identity opens them, and the opening is noted, as by bundle open.
Without one only the requestor's copy is explained.`,
		"muniment why 3\nmuniment why 3 --profile market-brief\nmuniment why answer.zip", cobra.ExactArgs(1), p.run)
	cmd.Flags().StringVar(&p.profile, "profile", "", "also say whether it counts in a draft under this profile of rules")
	cmd.Flags().StringArrayVar(&p.identities, "identity", nil, "of an answer: an auditor's identity `FILE`")
	p.f.register(cmd)
	return cmd
}

func (p *whyCommand) run(_ *cobra.Command, args []string) error {
	if strings.HasSuffix(args[0], ".zip") {
		return p.whyAnswer(args[0], p.identities)
	}
	return p.engine(&p.f, func(e *engine.Engine) error {
		explain := func() (*engine.WhyResult, error) { return e.Why(args[0]) }
		if p.profile != "" {
			explain = func() (*engine.WhyResult, error) { return draft.ExplainUnder(e, args[0], p.profile) }
		}
		r, err := explain()
		return p.conclude(err, "why", r, func() { p.explain(r) })
	})
}

// whyAnswer explains the answer in a bundle.
func (p *whyCommand) whyAnswer(file string, identities []string) error {
	sealed := ""
	key, err := readIdentity(p.program, identities)
	if err != nil && len(identities) > 0 {
		return err
	} else if err != nil {
		key, sealed = nil, err.Error()
	}
	readsForeignFile()
	r, err := audit.ExplainAnswer(file, key, sealed, func(r *audit.OpenResult) error { return noteOpening(p.program, file, r, key) })
	if err != nil {
		return err
	}
	if r.Noted != "" {
		p.say("the opening is noted in %s", r.Noted)
	}
	p.show("why-answer", r, func() {
		p.out("%s", strings.ToUpper(r.Rung))
		p.prose("question: %s", r.Question)
		for _, s := range r.Reasons {
			about := s.Gate
			if s.Claim > 0 {
				about += ", claim " + strconv.Itoa(s.Claim)
			}
			p.prose("  %s: %s", about, s.Result)
			if s.Why != "" {
				p.prose("              why   %s", s.Why)
			}
			if s.Next != "" {
				p.prose("              next  %s", s.Next)
			}
		}
		if r.Sealed != "" {
			p.prose("the sealed gates were not read: %s", r.Sealed)
		}
	})
	return nil
}

func (p *whyCommand) explain(r *engine.WhyResult) {
	printCitation(p.program, &r.CitationInfo)
	step := func(s engine.WhyStep) {
		p.prose("  %-11s %s", s.Result, s.Step)
		if s.Expected != "" {
			p.prose("              expected  %s", s.Expected)
		}
		if s.Found != "" {
			p.prose("              found     %s", s.Found)
		}
	}
	p.prose("")
	if len(r.Steps) > 0 {
		p.prose("when it was verified:")
	}
	for _, s := range r.Steps {
		step(s)
	}
	p.prose("now:")
	for _, s := range r.Now {
		step(s)
	}
	if len(r.Profile) > 0 {
		p.prose("under the profile:")
		for _, s := range r.Profile {
			step(s)
		}
	}
	if len(r.Inputs) > 0 {
		p.prose("it rests on:")
		p.inputs(r.Inputs, "  ")
	}
	for _, k := range r.Links {
		p.prose("citation %d %s citation %d", k.From, k.Type, k.To)
	}
}

func (p *whyCommand) inputs(all []engine.WhyInput, indent string) {
	for _, in := range all {
		name := in.Name
		if name == "" {
			name = in.Ref
		}
		if in.Resolves {
			p.prose("%sresolves       %s", indent, name)
		} else {
			p.prose("%snot resolved   %s: %s", indent, name, in.Reason)
		}
		p.inputs(in.From, indent+"  ")
	}
}
