package main

import (
	"context"

	"github.com/spf13/cobra"

	"muniment/archive"
	"muniment/archive/search"
	"muniment/text/legible"
)

func newIndexCommand(p *program) *cobra.Command {
	var rebuild, alone bool
	cmd := command("papers", "index", "Bring the search index up to date",
		`The search index is made from the archive and can be deleted. search and ask update it
to the newest snapshot first; this command does so ahead of time. With more than about
2,000 new passages they start this command in the background, answer from the part that
is indexed so far, and print its share. What they do not find is then "not searched yet"
(exit 3), not refused, and nothing is signed. An interrupted update continues where it
stopped; while another process updates, this command waits and shows the progress.

If there is an index, snapshot, fetch, sync and join start this command when they have
ended. With MUNIMENT_INDEX=ask nothing starts it, and search and ask wait for their
index.

Every copy of an archive has an index of its own, also with CITATION_DB_URL.`,
		`muniment -C letters index
muniment -C letters index --rebuild`,
		cobra.NoArgs, p.inArchive(func(cmd *cobra.Command, a *archive.Archive, _ []string) error {
			update, end := p.progress("index")
			r, err := search.UpdateIndex(cmd.Context(), a, search.UpdateOptions{Rebuild: rebuild, Alone: alone, Progress: update})
			end()
			return p.conclude(err, "index", r, func() {
				if r.Busy {
					p.out("another process builds the index")
					return
				}
				p.out("%s of snapshot %d can be found", count(r.Artifacts, "text"), r.Seq)
			})
		}))
	cmd.Flags().BoolVar(&rebuild, "rebuild", false, "rebuild the index from the archive")
	cmd.Flags().BoolVar(&alone, "background", false, "end at once if another process updates the index")
	return cmd
}

// refreshIndex brings an index that is there up to date in a process of its
// own, so that nobody waits for it: what was asked for is done already. Should
// it fail, the next search does the work.
func (p *program) refreshIndex(a *archive.Archive) {
	if p.aside == nil || p.env("MUNIMENT_INDEX") == "ask" || !search.HasIndex(a) {
		return
	}
	if err := p.indexAside(); err != nil {
		p.say("muniment: note: the search index was not begun: %v", err)
	}
}

// indexBeside returns the function that starts an index update in the background; nil if the
// command waits for the update.
func (p *program) indexBeside() func() error {
	switch {
	case p.aside == nil || p.env("MUNIMENT_INDEX") == "ask":
		return nil
	case p.serves:
		return p.indexInside
	}
	return p.indexAside
}

// indexInside updates the search index in a goroutine of this process.
func (p *program) indexInside() error {
	a, err := p.open()
	if err != nil {
		return err
	}
	go func() {
		defer a.Close()
		if _, err := search.UpdateIndex(context.Background(), a, search.UpdateOptions{Alone: true}); err != nil {
			p.warn("note: the search index was not built: %s", legible.OneLine(err))
		}
	}()
	return nil
}

// indexAside brings the search index up to date in a process of its own.
func (p *program) indexAside() error {
	dir, err := p.archiveDir()
	if err != nil {
		return err
	}
	return p.aside("-C", dir, "index", "--background", "--quiet")
}

// noteIndex prints the searched share of an incomplete index, and a notice on standard error.
func (p *program) noteIndex(searched *search.Coverage, notice string) {
	if searched != nil && !searched.Whole() && !p.json {
		p.prose("Searched: %s; what is not found may be in the rest.", searched)
	}
	if notice != "" {
		p.warn("note: %s", notice)
	}
}
