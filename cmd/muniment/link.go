package main

import (
	"github.com/spf13/cobra"
	"muniment/engine"
)

func (p *program) linkCommand() *cobra.Command {
	var f callerFlags
	cmd := command("evidence", "link CITATION TYPE CITATION", "Say what one citation is to another",
		"TYPE is supports, contradicts, extends or supersedes. Links are append-only. A wrong\ncitation is not changed: a later one supersedes it, and lists say so.",
		"muniment link 2 supersedes 1", cobra.ExactArgs(3), func(_ *cobra.Command, args []string) error {
			return p.engine(&f, func(e *engine.Engine) error {
				r, err := e.Link(args[0], args[1], args[2])
				if err != nil {
					return err
				}
				p.show("link", r, func() { p.out("citation %d %s citation %d", r.From, r.Type, r.To) })
				return nil
			})
		})
	f.register(cmd)
	return cmd
}
