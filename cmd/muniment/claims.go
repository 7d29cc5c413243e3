package main

import (
	"github.com/spf13/cobra"
	"muniment/engine"
)

func (p *program) claimsCommand() *cobra.Command {
	var f callerFlags
	var after int64
	var limit int
	cmd := command("evidence", "claims", "List the claims and how far they are supported",
		"Lists every claim once, with the number of its citations and of those that verify\nand are not superseded.",
		"muniment claims --session review-3", cobra.NoArgs, func(*cobra.Command, []string) error {
			return p.engine(&f, func(e *engine.Engine) error {
				all, err := e.Claims(f.caller.Session, after, limit)
				if err != nil {
					return err
				}
				p.show("claims", struct {
					Claims []engine.ClaimInfo `json:"claims"`
				}{all}, func() {
					for _, c := range all {
						p.out("%4d  %d of %d verified  %s", c.ClaimID, c.Verified, c.Citations, c.Claim)
					}
					p.say("%s", count(len(all), "claim"))
				})
				return nil
			})
		})
	cmd.Flags().Int64Var(&after, "after", 0, "only numbers above it")
	cmd.Flags().IntVar(&limit, "limit", 0, "at most so many; 0 lists all")
	f.register(cmd)
	return cmd
}
