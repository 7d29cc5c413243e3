package main

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"muniment/accession"
	"muniment/archive"
	"muniment/bundle"
)

func (p *program) addCommand() *cobra.Command {
	var o accession.AddOptions
	f := sourceFlags{withSidecar: true}
	name := ""
	cmd := command("archive", "add PATH|URL…", "Take in files, folders, packed folders and web pages",
		`Every file is brought into its canonical form, hashed and staged for the next
snapshot; its original bytes are kept too. Files that are already in are
recognised. A zip, 7z or tar is opened and what lies in it is taken in. A web page is
fetched once and kept as it was. - is standard input, as a file of the name that --name
gives. A file that cannot be taken is skipped with its reason and does not
stop the others (exit 3). Interrupting add leaves the archive as it
was; with --keep what was finished stays staged.

A file with the name of a scan or a recording beside it, as page-7.alto.xml,
page-7.hocr, page-7.page.xml or page-7.txt beside page-7.png, or talk.srt beside
talk.mp3, is taken for its text, which says where each line stands. --text-of NAME
says it of files with other names. --ocr LANG has Tesseract read the scans that have
no text. Quotes from such a text are marked: from OCR.`,
		`muniment -C letters add box-1 box-2
muniment -C letters add -n scans
muniment -C letters add --ocr deu scans
muniment -C letters add --text-of page-7.png ocr/0007.xml
muniment -C letters add https://example.org/mill.html
muniment -C letters add - --name box-3.tar < box-3.tar`,
		cobra.MinimumNArgs(1), func(cmd *cobra.Command, args []string) error {
			var err error
			if o.Source, err = f.layer(); err != nil {
				return err
			}
			if o.Registry, err = f.readRegistry(p); err != nil {
				return err
			}
			if o.Sidecar, err = f.readSidecar("meta"); err != nil {
				return err
			}
			if slices.Contains(args, accession.PipePath) {
				o.Piped = &accession.Piped{Name: name, Content: p.stdin}
			} else if name != "" {
				return &archive.Error{Kind: archive.TypeUsage, Message: "--name is for standard input, and no path is -", Next: archive.Next(accession.DoNamePiped)}
			}
			a, err := p.open()
			if err != nil {
				return err
			}
			defer a.Close()
			collectAt(gcPercentAdd)
			update, end := p.progress("add")
			o.Progress = update
			r, err := accession.Add(cmd.Context(), a, args, o)
			end()
			if r == nil {
				return err
			}
			addHints(r)
			p.show("add", r, func() { p.printAdded(r) })
			var problem *archive.Error
			if errors.As(err, &problem) {
				problem.Partial = nil // it was printed
			}
			return err
		})
	f.register(cmd)
	cmd.Flags().BoolVarP(&o.DryRun, "dry-run", "n", false, "show what would happen")
	cmd.Flags().StringVar(&name, "name", "", "the name of the `FILE` that standard input is")
	cmd.Flags().BoolVar(&o.TakeFound, "take-dates", false, "take the date at the head of a letter where there is no other")
	cmd.Flags().StringVar(&o.TextOf, "text-of", "", "the scan or recording, a `NAME` in the archive, whose text the inputs are")
	cmd.Flags().StringVar(&o.OCR, "ocr", "", "recognise the letters on scans by Tesseract, in languages `LANG` as deu or deu+eng")
	cmd.Flags().BoolVar(&o.Keep, "keep", false, "when interrupted, keep what was finished")
	cmd.Flags().StringVar(&o.MediaType, "media-type", "", "what the inputs are, where name and bytes do not say; a charset parameter is a hint")
	cmd.Flags().BoolVar(&o.AllowPrivate, "allow-private", false, "take pages from loopback and private networks")
	cmd.Flags().StringVar(&o.IgnoreRobots, "ignore-robots", "", "why robots.txt is not asked; kept in the record")
	cmd.Flags().BoolVar(&o.AllowSecrets, "allow-secrets", false, "take files that hold a private key (OpenSSH, PEM, OpenPGP, age)")
	cmd.Flags().BoolVar(&o.Reinstate, "reinstate", false, "take in again what was withdrawn")
	return cmd
}

// printAdded prints what was taken in and what was skipped.
func (p *program) printAdded(r *accession.AddResult) {
	verb := "added"
	if r.DryRun {
		verb = "would add"
	}
	shown := 0
	for _, one := range r.Artifacts {
		if one.Status == "unchanged" {
			continue
		}
		if shown++; shown > maxListed {
			continue
		}
		if one.Status == "described" {
			p.out("%s  %s  %s", one.ID, one.Path, correctionWords(one.Corrections))
			continue
		}
		p.out("%s  %s  %s, %s", one.ID, one.Path, one.Canonicalizer, count(one.Paragraphs, "paragraph"))
		if one.Note != "" {
			p.say("  note: %s: %s", one.Path, one.Note)
		}
	}
	if shown > maxListed {
		p.out("… and %d more", shown-maxListed)
	}
	for _, s := range r.Sources {
		p.out("%s  %s  metadata only, not fetched", s.Record, s.Name)
	}
	for i, s := range r.Skipped {
		if i == maxListed {
			p.warn("… and %d more", len(r.Skipped)-maxListed)
			break
		}
		p.warn("skipped %s: %s", s.Path, s.Reason)
	}
	for _, n := range r.Notes {
		p.say("note: %s", n)
	}
	if len(r.LeftOut) > 0 {
		kinds := map[string]int{}
		for _, one := range r.LeftOut {
			kinds[one.What]++
		}
		words := []string{}
		for _, what := range sortedKeys(kinds) {
			_, noun, _ := strings.Cut(what, " ")
			words = append(words, count(kinds[what], noun))
		}
		p.say("left out: %s; --json names each", strings.Join(words, ", "))
	}
	described := ""
	if r.Described > 0 {
		described = ", described anew " + itoa(r.Described)
	}
	p.say("%s %d%s, unchanged %d, skipped %d", verb, r.Added, described, r.Unchanged, len(r.Skipped))
	elsewhere := int64(0)
	for _, one := range r.Artifacts {
		elsewhere += one.Elsewhere
	}
	if elsewhere > 0 {
		p.say("of these, %s went to the payload store", count(int(elsewhere), "byte"))
	}
	if r.Added+r.Described > 0 && !r.DryRun {
		p.say("next: muniment snapshot -m TEXT")
	}
}

// correctionWords returns corrections in words: title "Old" -> "New", box -> "3".
func correctionWords(list []archive.Correction) string {
	words := make([]string, len(list))
	for i, c := range list {
		words[i] = c.Field
		if c.Old != "" {
			words[i] += " " + strconv.Quote(c.Old)
		}
		if c.New == "" {
			words[i] += " taken away"
		} else {
			words[i] += " -> " + strconv.Quote(c.New)
		}
	}
	return strings.Join(words, ", ")
}

func (p *program) describeCommand() *cobra.Command {
	var d accession.Description
	f := sourceFlags{describes: true}
	var from string
	cmd := command("archive", "describe NAME… [--title TEXT …] | --from FILE", "Correct or add titles, dates, creators and other fields",
		`Stages a record for each paper that supersedes the one before: nothing is lost, and what
cites the old record stays valid. NAME is a name, an id, the id of a record or the
address of a source. A field that is given replaces what the record has; --clear empties
one. log NAME lists what was said of a paper, by whom and when.

--from reads a CSV or JSON file with a row for each paper, as add --meta does, or XML: EAD,
MODS, Dublin Core or headers of TEI. A component of EAD describes the file of its dao; a
file of one description that names none describes the files of its own name. A row that
cannot be used is left out with its reason (exit 3).

Dates are EDTF: 1931, 1931-05, 1931-05-20, 1817~ (about), 1913-11? (perhaps), 1880/1890,
18XX. --take-dates takes over the dates that add found at the heads of letters.`,
		`muniment -C letters describe letter-07.txt --title "To Ben Ost" --date 1817~
muniment -C letters describe letter-07.txt --set "reference code=VP 1/7" --about harbours
muniment -C letters describe --from inventory.csv
muniment -C letters describe letter-07.txt --clear publisher`,
		cobra.ArbitraryArgs, func(_ *cobra.Command, args []string) error {
			layer, err := f.layer()
			if err != nil {
				return err
			}
			d.Values = layer.Values
			f.sidecar = from
			if d.Sidecar, err = f.readSidecar("from"); err != nil {
				return err
			}
			if d.Values.IsZero() && len(d.Clear) == 0 && !d.TakeFound && d.Sidecar == nil {
				return &archive.Error{Kind: archive.TypeUsage, Message: "nothing is said of the papers: no field is given", Next: archive.Next(accession.DoDescribe)}
			}
			a, err := p.open()
			if err != nil {
				return err
			}
			defer a.Close()
			r, err := accession.Describe(a, args, d)
			if r == nil {
				return err
			}
			p.show("describe", r, func() { p.printDescribed(r) })
			var problem *archive.Error
			if errors.As(err, &problem) {
				problem.Partial = nil // it was printed
			}
			return err
		})
	f.register(cmd)
	cmd.Flags().StringVar(&from, "from", "", "a CSV, JSON or XML `FILE` that describes papers by path")
	cmd.Flags().StringArrayVar(&d.Clear, "clear", nil, "a `FIELD` to empty; may be repeated")
	cmd.Flags().BoolVar(&d.TakeFound, "take-dates", false, "take the date at the head of the text where there is no other")
	cmd.Flags().BoolVarP(&d.DryRun, "dry-run", "n", false, "show what would change")
	return cmd
}

func (p *program) unstageCommand() *cobra.Command {
	var all bool
	cmd := command("archive", "unstage NAME… | --all", "Take back what was added and not yet signed",
		`Takes back whatever the next snapshot would change of the papers that NAME means: a name
or the end of one, an id, or the folder or container that they lie in. A paper that no
snapshot holds leaves the store altogether; of one that a snapshot holds only what was
staged since goes, such as a description or a consent. Citations of a paper that is gone
stay in the ledger, not bound, and are listed. --all takes back all that is staged.`,
		"muniment -C letters unstage letter-09.txt\nmuniment -C letters unstage box-3\nmuniment -C letters unstage --all",
		cobra.ArbitraryArgs, func(_ *cobra.Command, args []string) error {
			if all && len(args) > 0 {
				return &archive.Error{Kind: archive.TypeUsage, Message: "unstage was given names and --all", Next: archive.Next(accession.DoUnstage)}
			}
			a, err := p.open()
			if err != nil {
				return err
			}
			defer a.Close()
			r, err := accession.Unstage(a, args, all)
			if err != nil {
				return err
			}
			p.show("unstage", r, func() {
				for i, one := range r.Unstaged {
					if i == maxListed {
						p.out("… and %d more", len(r.Unstaged)-maxListed)
						break
					}
					p.out("%s  %s%s", ifText(one.Signed, "as signed", "gone"), one.Name, ifText(one.Artifact == "", "", "  "+one.Artifact))
				}
				for _, c := range r.Citations {
					p.warn("citation %d stays, not bound: %s", c.Ordinal, c.Claim)
				}
				p.say("%s taken back, %s, %s erased", count(len(r.Unstaged), "paper"), count(r.Others, "other change"), count(r.Erased, "object"))
			})
			return nil
		})
	cmd.Flags().BoolVar(&all, "all", false, "take back all that is staged")
	return cmd
}

func (p *program) rereadCommand() *cobra.Command {
	var mediaType string
	cmd := command("archive", "reread NAME [--media-type TYPE]", "Read an original again, as another type or charset",
		`Reads the original of a paper again: as --media-type says, or as its name and bytes tell
the readers of this version. What comes of it is staged with a record that supersedes the
one before and keeps title, dates and all else that is said of the paper. The reading
before stays too, and what cites it stays valid; its name then means the new one.`,
		`muniment -C letters reread letter-07.txt --media-type 'text/plain; charset=windows-1250'
muniment -C letters reread page.bin --media-type text/html`,
		cobra.ExactArgs(1), func(cmd *cobra.Command, args []string) error {
			a, err := p.open()
			if err != nil {
				return err
			}
			defer a.Close()
			r, err := accession.Reread(cmd.Context(), a, args[0], mediaType)
			if err != nil {
				return err
			}
			p.show("reread", r, func() {
				if r.Unchanged {
					p.out("%s reads as before", r.Name)
					if r.Charset != "" {
						p.say("note: its charset stays %s", r.Charset)
					}
					return
				}
				p.out("%s  %s", r.Artifact, r.Name)
				p.out("    %s", correctionWords(r.Corrections))
				p.say("next: muniment snapshot -m TEXT")
			})
			return nil
		})
	cmd.Flags().StringVar(&mediaType, "media-type", "", "what the original is, with its charset perhaps")
	return cmd
}

// printDescribed prints what was corrected.
func (p *program) printDescribed(r *accession.DescribeResult) {
	for i, one := range r.Described {
		if i == maxListed {
			p.out("… and %d more", len(r.Described)-maxListed)
			break
		}
		p.out("%s  %s", one.Record, one.Name)
		p.out("    %s", correctionWords(one.Corrections))
	}
	for _, s := range r.Skipped {
		p.warn("not used: %s", s.Reason)
	}
	for _, n := range r.Notes {
		p.say("note: %s", n)
	}
	p.say("%s %d, unchanged %d, not used %d", ifText(r.DryRun, "would describe", "described"), len(r.Described), len(r.Unchanged), len(r.Skipped))
	if len(r.Described) > 0 && !r.DryRun {
		p.say("next: muniment snapshot -m TEXT")
	}
}

// maxListed is how many artifacts are listed for people before the rest is
// counted; --json lists all.
const maxListed = 40

func count(n int, noun string) string {
	return bundle.Count(n, noun)
}
