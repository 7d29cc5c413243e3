package main

import (
	"github.com/spf13/cobra"

	"muniment"
)

func (p *program) citeCommand() *cobra.Command {
	var o muniment.CiteOptions
	cmd := command("evidence", "cite --artifact ID|NAME --quote TEXT --claim TEXT", "Register a claim with its quote",
		`Looks the quote up in the artifact's canonical text and answers at once: verified,
or failed with the nearest place and the call that would verify. What is registered
is append-only. A quote that differs in a number, a negation or a name never
verifies, and a quote that is not found is never moved to another place by itself.
Exit 1 when it does not verify.`,
		`muniment cite --artifact letter-07.txt --quote "the mill wheel has stopped" --claim "The mill had stopped by then."
muniment cite --artifact letter-07.txt --span p2:0-26 --claim "The mill had stopped by then."`,
		cobra.NoArgs, func(*cobra.Command, []string) error {
			a, err := p.open()
			if err != nil {
				return err
			}
			defer a.Close()
			o.ReasoningRequired = p.env("CITATION_REASONING_REQUIRED")
			r, err := a.Cite(o)
			if err != nil {
				return err
			}
			r.Suggestion = p.here(r.Suggestion)
			p.show("cite", r, func() {
				p.out("%s: %s", r.VerificationStatus, r.SummaryNote)
				p.out("match %s, similarity %.3f (%d edits in %d), relation %s", r.Match, r.Similarity, r.Edits, r.Length, r.Relation)
				if r.Span != "" {
					p.out("%s %s: “%s”", r.Name, r.Span, r.Quote)
				}
				if r.Citation != "" {
					p.out("citation %d  %s", r.CitationID, r.Citation)
				} else if r.Binding == "unbound" {
					p.out("citation %d, unbound: the next snapshot gives it its id", r.CitationID)
				}
			})
			if r.VerificationStatus != "verified" {
				return &muniment.Error{Type: muniment.TypeVerification, Code: muniment.ExitNo, Message: r.VerificationNotes, Suggestion: r.Suggestion, Partial: r}
			}
			return nil
		})
	f := cmd.Flags()
	f.StringVar(&o.Artifact, "artifact", "", "the artifact's `ID|NAME`")
	f.StringVar(&o.Quote, "quote", "", "the words, as they stand there")
	f.StringVar(&o.Claim, "claim", "", "what the words are to support")
	f.StringVar(&o.Relation, "relation", "direct_quote", "direct_quote, paraphrase or inference_from")
	f.StringVar(&o.Span, "span", "", "where to look, such as p4 or p4:0-41")
	f.StringVar(&o.Reasoning, "reasoning", "", "why the words support the claim")
	f.StringVar(&o.Context, "context", "", "the surroundings, as the agent saw them")
	f.StringVar(&o.Confidence, "confidence", "high", "the agent's own: high, medium or low")
	f.StringVar(&o.Session, "session", "", "name of the conversation or task")
	return cmd
}
