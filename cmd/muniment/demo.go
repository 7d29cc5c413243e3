package main

import (
	"context"
	"embed"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"muniment/accession"
	"muniment/archive"
	"muniment/archive/problem"
	"muniment/engine"
	"muniment/history"
	"muniment/sign"
	"muniment/sign/sshkey"
)

// sample is the archive of an invented person: letters, a diary, a web page, a
// table and a draft about them. No answer is stored here.
//
//go:embed sample
var sample embed.FS

func newDemoCommand(p *program) *cobra.Command {
	var dir string
	cmd := command("start", "demo", "Build a sample archive, ask it, seal and verify the answer",
		`Makes a key, an archive of an invented miller and schoolmistress, and goes the whole
way: accession, snapshot, a citation that verifies and one that does not, answers on
every rung, refusals, a sealed bundle, its verification, and a forgery that is
caught. Needs no network, no other program and no set-up; everything stays in one
folder, which is yours to look at.`,
		"muniment demo\nmuniment demo --dir try", cobra.NoArgs, func(cmd *cobra.Command, _ []string) error {
			d := &demo{p: p, world: p.surroundings()}
			if p.author == "" {
				d.world.Author = "Demo Archivist <archivist@archive.invalid>"
			}
			err := d.run(cmd.Context(), dir)
			if p.json {
				p.document("demo", demoResult{d.dir, d.steps})
			}
			return err
		})
	cmd.Flags().StringVar(&dir, "dir", "", "a new or empty `DIR` to work in; else a temporary folder")
	return withoutArchive(cmd)
}

// A demoStep is one numbered result.
type demoStep struct {
	Number int      `json:"number"`
	Title  string   `json:"title"`
	Lines  []string `json:"lines"`
	Result any      `json:"result,omitempty"`
}

// A demo is one run of the demonstration.
type demo struct {
	p       *program
	world   archive.World
	dir     string
	archive *archive.Archive
	signer  sign.Signer
	trust   *sign.AllowedSigners
	bundle  string
	display string
	steps   []demoStep
}

// run makes the folder and takes the steps in order; each depends on those
// before it, and each checks that it came out as it must.
func (d *demo) run(ctx context.Context, dir string) error {
	if err := d.place(dir); err != nil {
		return err
	}
	defer func() {
		if d.archive != nil {
			d.archive.Close()
		}
	}()
	for _, step := range []func(context.Context) error{
		d.makeKey, d.makeArchive, d.accession, d.consents, d.snapshot,
		d.citeWell, d.citeBadly,
		d.askSupported, d.askNarrowed, d.askRefused, d.bindDraft, d.askCategory, d.askRestricted, d.askThirdParty,
		d.seal, d.verifyOffline, d.openSealed, d.tamper, d.verifyArchive,
	} {
		if err := ctx.Err(); err != nil {
			return &problem.Error{Kind: problem.Interrupted, Message: "interrupted", Next: problem.Advise("run muniment demo again")}
		}
		if err := step(ctx); err != nil {
			return err
		}
	}
	return d.end()
}

// place chooses the folder and copies the sample papers into it.
func (d *demo) place(dir string) error {
	if dir == "" {
		made, err := os.MkdirTemp("", "muniment-demo-")
		if err != nil {
			return d.environment(err)
		}
		dir = made
	} else {
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return d.environment(err)
		}
		entries, err := os.ReadDir(dir)
		if err != nil {
			return d.environment(err)
		}
		if len(entries) > 0 {
			return misuse(dir+" is not empty", "give --dir a new folder, or leave it out")
		}
	}
	d.dir = dir
	return d.environment(fs.WalkDir(sample, "sample", func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		to := filepath.Join(dir, "papers", filepath.FromSlash(strings.TrimPrefix(strings.TrimPrefix(path, "sample"), "/")))
		if e.IsDir() {
			return os.MkdirAll(to, 0o777)
		}
		if path == "sample/draft.md" {
			to = filepath.Join(dir, "draft.md")
		}
		data, err := sample.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(to, data, 0o666)
	}))
}

func (d *demo) environment(err error) error {
	if err == nil {
		return nil
	}
	return &problem.Error{Kind: problem.Environment, Message: err.Error(), Next: problem.Advise("give --dir a folder that can be written"), Err: err}
}

// report prints one numbered result.
func (d *demo) report(title string, result any, lines ...string) {
	s := demoStep{Number: len(d.steps) + 1, Title: title, Lines: lines, Result: result}
	d.steps = append(d.steps, s)
	if d.p.json {
		return
	}
	d.p.out("")
	d.p.out("%2d. %s", s.Number, s.Title)
	for _, l := range lines {
		d.p.out("    %s", l)
	}
}

// must fails when a step did not come out as it has to: then something is
// wrong with the program, not with the demonstration.
func (d *demo) must(ok bool, what string) error {
	if ok {
		return nil
	}
	return &problem.Error{Kind: problem.Internal, Message: "the demonstration did not come out as it must: " + what, Next: problem.Advise("keep " + d.dir + " and report this")}
}

func (d *demo) path(name string) string { return filepath.Join(d.dir, name) }

func (d *demo) makeKey(context.Context) error {
	if err := os.Mkdir(d.path("keys"), 0o700); err != nil {
		return d.environment(err)
	}
	s, err := sshkey.Generate(d.world.Rand, d.path("keys/archivist"), "demo archivist", nil)
	if err != nil {
		return keyError(err, "give --dir a folder that can be written")
	}
	d.signer = s
	line := history.TrustLine(s.Key(), "demo-archivist")
	if err := os.WriteFile(d.path("allowed_signers"), []byte(line), 0o666); err != nil {
		return d.environment(err)
	}
	if d.trust, err = sign.ParseAllowedSigners([]byte(line)); err != nil {
		return keyError(err, "run muniment demo again")
	}
	d.report("A signing key", nil, "an ordinary OpenSSH Ed25519 key, made for this run",
		"fingerprint "+s.Key().Fingerprint(), "whom to trust, in OpenSSH's own format: "+d.path("allowed_signers"))
	return nil
}

func (d *demo) makeArchive(context.Context) error {
	a, err := archive.Init(d.path("archive"), archive.InitOptions{Name: "harrow-weir", Subject: "Ada Fenwick", Aliases: []string{"Ada", "Miss Fenwick"},
		Born: "1898-06-02", Died: "1961-11-08"}, d.world)
	if err != nil {
		return err
	}
	d.archive = a
	d.report("An archive", nil, "the papers of Ada Fenwick (1898–1961), an invented miller and schoolmistress",
		"an ordinary bare git repository: "+d.path("archive/archive.git"), "id "+a.ID().String())
	return nil
}

func (d *demo) accession(ctx context.Context) error {
	r, err := accession.Add(ctx, d.archive, []string{d.path("papers")}, accession.AddOptions{})
	if err != nil {
		return err
	}
	again, err := accession.Add(ctx, d.archive, []string{d.path("papers")}, accession.AddOptions{})
	if err != nil {
		return err
	}
	kinds := map[string]int{}
	for _, one := range r.Artifacts {
		kinds[one.Canonicalizer]++
	}
	forms := wordsOf(sortedKeys(kinds), func(kind string) string { return fmt.Sprintf("%d as %s", kinds[kind], kind) })
	lines := []string{fmt.Sprintf("%s taken in: %s", count(r.Added, "paper"), strings.Join(forms, ", ")),
		"each is brought into one canonical form and named by its sha2-256; the original bytes are kept too",
		fmt.Sprintf("the same papers again: %d added, %d recognised", again.Added, again.Unchanged)}
	for _, one := range r.Artifacts[:min(2, len(r.Artifacts))] {
		lines = append(lines, one.ID+"  "+one.Path)
	}
	d.report("Accession", r, lines...)
	return d.must(r.Added >= 14 && again.Added == 0 && len(r.Skipped) == 0, "accession")
}

func (d *demo) consents(context.Context) error {
	if _, err := history.Consent(d.archive, history.ConsentOptions{Artifacts: []string{"diary/1935-08-16.txt"}, Preset: "auditor-only", Reason: "medical; for auditors only"}); err != nil {
		return err
	}
	r, err := history.Consent(d.archive, history.ConsentOptions{Person: "Ines Roth", Aliases: []string{"Ines"}, State: "sealed"})
	if err != nil {
		return err
	}
	d.report("Consent", r, "one diary entry supports answers, but its words are for auditors only",
		"Ines Roth, a living third party named in a letter, is sealed")
	return nil
}

func (d *demo) snapshot(context.Context) error {
	r, err := engine.Snapshot(d.archive, history.SnapshotOptions{Text: "the papers of Ada Fenwick", Signer: d.signer})
	if err != nil {
		return err
	}
	d.report("A signed snapshot", r, fmt.Sprintf("snapshot %d of %s, id %s", r.Seq, count(r.Artifacts, "artifact"), r.Snapshot),
		"root "+r.Root, "it is a git commit: git verify-commit accepts it, and sha256sum of the commit is its id")
	return d.must(r.Seq == 1 && r.Artifacts >= 14, "the snapshot")
}
