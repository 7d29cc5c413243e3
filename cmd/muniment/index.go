package main

import (
	"github.com/spf13/cobra"

	"muniment/archive"
	"muniment/archive/search"
)

func (p *program) indexCommand() *cobra.Command {
	var rebuild bool
	cmd := command("archive", "index", "Bring the search index up to date",
		`The search index is made from the archive and can be deleted. search and ask bring
it to the newest snapshot first, and so does this command, before somebody waits.
Where there is an index, snapshot, fetch, sync and join start this command by
themselves after they have ended; MUNIMENT_INDEX=ask keeps them from it.

With CITATION_DB_URL the index lies in that database, shared by all who use it.`,
		`muniment -C letters index
muniment -C letters index --rebuild`,
		cobra.NoArgs, func(cmd *cobra.Command, _ []string) error {
			return p.withArchive(func(a *archive.Archive) error {
				update, end := p.progress("index")
				r, err := search.UpdateIndex(cmd.Context(), a, rebuild, update)
				end()
				if err != nil {
					return err
				}
				p.show("index", r, func() {
					p.out("%s of snapshot %d can be found", count(r.Artifacts, "text"), r.Seq)
				})
				return nil
			})
		})
	cmd.Flags().BoolVar(&rebuild, "rebuild", false, "make the index anew from the archive")
	return cmd
}

// refreshIndex brings an index that is there up to date in a process of its
// own, so that nobody waits for it: what was asked for is done already. Should
// it fail, the next search does the work.
func (p *program) refreshIndex(a *archive.Archive) {
	if p.aside == nil || p.env("MUNIMENT_INDEX") == "ask" || !search.HasIndex(a) {
		return
	}
	dir, err := p.archiveDir()
	if err == nil {
		err = p.aside("-C", dir, "index", "--quiet")
	}
	if err != nil {
		p.say("muniment: note: the search index was not begun: %v", err)
	}
}
