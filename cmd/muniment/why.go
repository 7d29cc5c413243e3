package main

import (
	"github.com/spf13/cobra"

	"muniment/answer"
	"muniment/engine"
)

func (p *program) whyCommand() *cobra.Command {
	var f callerFlags
	var profile string
	cmd := command("evidence", "why CITATION", "Explain a citation or its failure step by step",
		`Walks through the checks of a citation in their order, with what was expected and
what was found, then looks its words up again. For an aggregation the chain is
walked down to the papers it rests on.`,
		"muniment why 3\nmuniment why 3 --profile market-brief", cobra.ExactArgs(1), func(_ *cobra.Command, args []string) error {
			return p.engine(&f, func(e *engine.Engine) error {
				explain := func() (*engine.WhyResult, error) { return e.Why(args[0]) }
				if profile != "" {
					explain = func() (*engine.WhyResult, error) { return answer.ExplainUnder(e, args[0], profile) }
				}
				r, err := explain()
				if err != nil {
					return err
				}
				p.show("why", r, func() { p.explain(r) })
				return nil
			})
		})
	cmd.Flags().StringVar(&profile, "profile", "", "and say what it counts for in a draft under this profile of rules")
	f.register(cmd)
	return cmd
}

func (p *program) explain(r *engine.WhyResult) {
	p.citationLines(&r.CitationInfo)
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

func (p *program) inputs(all []engine.WhyInput, indent string) {
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
