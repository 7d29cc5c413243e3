package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"muniment/archive"
	"muniment/archive/problem"
	"muniment/history"
	"muniment/objects/disk"
	"muniment/sign"
	"muniment/sign/spare"
	"muniment/sign/sshkey"
	"muniment/sign/trust"
)

// secondResult describes a second key: where it was written, and the trust root with it.
type secondResult struct {
	Fingerprint string     `json:"fingerprint"`
	Public      string     `json:"public"`
	Files       []string   `json:"files"`
	Root        rootResult `json:"root"`
}

type keySecondCommand struct {
	*program
	key, paper, envelope, people, dirFlag, org string
	to                                         []string
	together                                   int
}

func newKeySecondCommand(prog *program) *cobra.Command {
	p := &keySecondCommand{program: prog}
	cmd := command("", "second", "Make a second key, kept elsewhere, for the day when the first one is lost",
		`Makes a signing key and writes it once: to a page for the printer with --paper, to an
envelope under a passphrase with --envelope, or with --people to a folder of envelopes of
which each opens for a group of --together of the people in --to. No copy stays here;
print the page, or carry the files to where they are kept, and delete them.

The key is put into the next version of the archive's trust root, with the roles snapshot,
withdraw and policy, signed by your key. Without a trust root the archive gets its first.
From the next snapshot on whoever has the second key can go on with the archive, end the
lost key and let a new one follow: muniment key recover. Verifiers who keep any version of
the root follow. If custodians have to sign too it says how many (exit 3).`,
		`muniment -C letters key second --paper second-key.txt
muniment -C letters key second --envelope second-key.age
muniment -C letters key second --people envelopes --together 2 --to age1pq1… --to age1pq1… --to age1pq1…`,
		cobra.NoArgs, p.run)
	f := cmd.Flags()
	f.StringVar(&p.key, "key", "", "your private key `FILE`, which signs the root; else found as for signing")
	f.StringVar(&p.paper, "paper", "", "the `FILE` of a page to print")
	f.StringVar(&p.envelope, "envelope", "", "the `FILE` of an envelope; its passphrase is asked on the terminal or read from MUNIMENT_PASSPHRASE_FILE")
	f.StringVar(&p.people, "people", "", "the `DIR` of envelopes that several people open")
	f.StringSliceVar(&p.to, "to", nil, "with --people: the age `RECIPIENT` of each, five at most")
	f.IntVar(&p.together, "together", 2, "with --people: how many of them must come together")
	f.StringVar(&p.dirFlag, "root", "second-root", "the `DIR` for the version of the trust root that has both keys")
	f.StringVar(&p.org, "org", "", "the `ORGANISATION` of both keys in the root; else that of your key there, else archive")
	return cmd
}

func (p *keySecondCommand) run(*cobra.Command, []string) error {
	if one := howMany(p.paper != "", p.envelope != "", p.people != ""); one != 1 {
		return misuse("a second key is written to one of --paper FILE, --envelope FILE and --people DIR", "muniment key second --paper second-key.txt")
	}
	owner, err := p.signer(p.key)
	if err != nil {
		return err
	}
	return p.withArchive(func(a *archive.Archive) error {
		second, private, err := sshkey.New(p.world.Rand, "muniment-second")
		if err != nil {
			return keyError(err, "muniment doctor")
		}
		files, err := p.write(a, second.Key(), private)
		if err != nil {
			return err
		}
		draft, err := history.DraftSecond(a, p.dirFlag, p.org, owner, second.Key())
		if err != nil {
			for _, f := range files {
				os.Remove(f)
			}
			return err
		}
		old, missing, err := putInForce(a, draft)
		if err != nil {
			return err
		}
		r, err := describeRoot(draft, old, missing == (trust.Threshold{}))
		if err != nil {
			return err
		}
		p.show("key-second", secondResult{second.Key().Fingerprint(), second.Key().Authorized(), files, r}, func() {
			for _, f := range files {
				p.out("%s", f)
			}
			p.out("second key %s", second.Key().Fingerprint())
			p.say("take it away from this machine, and delete it here")
			printRoot(p.program, r, draft.Dir)
		})
		if missing != (trust.Threshold{}) {
			return missingSignatures(draft, missing)
		}
		return nil
	})
}

func howMany(all ...bool) (n int) {
	for _, b := range all {
		if b {
			n++
		}
	}
	return n
}

// write writes the key where it was asked for, and returns the files. After an error none is left.
func (p *keySecondCommand) write(a *archive.Archive, k sign.Key, private []byte) ([]string, error) {
	switch {
	case p.paper != "":
		return writeAll(map[string][]byte{p.paper: spare.Paper(private, paperHeading(a, k, p.world.Now().Format("2 January 2006")))})
	case p.envelope != "":
		passphrase, err := p.newPassphrase(p.envelope)
		if err != nil {
			return nil, err
		}
		data, err := spare.Envelope(private, passphrase)
		if err != nil {
			return nil, keyError(err, "muniment doctor")
		}
		return writeAll(map[string][]byte{p.envelope: data})
	}
	parts, err := spare.Parts(private, p.to, p.together)
	if err != nil {
		return nil, misuse(err.Error(), "give each person's age recipient with --to; age-keygen -pq, or muniment key new --auditor, makes one")
	}
	if err := os.MkdirAll(p.people, 0o700); err != nil {
		return nil, keyError(err, "choose another folder with --people")
	}
	files := map[string][]byte{}
	for _, part := range parts {
		name := "second-key"
		for _, n := range part.People {
			name += "-" + strconv.Itoa(n)
		}
		files[filepath.Join(p.people, name+".age")] = part.Data
	}
	return writeAll(files)
}

// paperHeading says on the page itself what it is and how it is used: whoever finds it has nothing else.
func paperHeading(a *archive.Archive, k sign.Key, day string) []string {
	return []string{
		"SECOND KEY of the archive " + a.Name(),
		"",
		"archive " + a.ID().String(),
		"key     " + k.Fingerprint(),
		"made    " + day,
		"",
		"Whoever has this page can sign in the name of the archive. Keep it as you keep a deed.",
		"When the first key is lost, take a copy of the archive to a machine with Muniment, type or",
		"scan the lines from BEGIN to END into a file, and run",
		"",
		"    muniment key recover FILE --out second",
		"",
		"The last column checks each line: a misread letter is named by its line.",
	}
}

// writeAll writes new files, readable by their owner alone. After an error none is left.
func writeAll(files map[string][]byte) ([]string, error) {
	var done []string
	for name, data := range files {
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if err == nil {
			done = append(done, name)
			if _, err = f.Write(data); err == nil {
				err = f.Sync()
			}
			err = errors.Join(err, f.Close())
		}
		if err != nil {
			for _, d := range done {
				os.Remove(d)
			}
			if errors.Is(err, fs.ErrExist) {
				return nil, keyExists(name, "choose another name")
			}
			return nil, keyError(err, "choose another name")
		}
	}
	slices.Sort(done)
	return done, nil
}

type keyRecoverCommand struct {
	*program
	outFlag    string
	identities []string
}

func newKeyRecoverCommand(prog *program) *cobra.Command {
	p := &keyRecoverCommand{program: prog}
	cmd := command("", "recover FILE", "Read a second key back from paper or from an envelope",
		`Reads what key second wrote: a page that was typed or scanned, or an envelope. The key is
written to the file in --out. An envelope of several people asks for the identity file of
each.

Then, with a copy of the archive: muniment key new makes the key that follows; key trust
--root puts it into the next version of the trust root, key revoke ends the lost one after
the last good snapshot, key sign-root --key with the second key signs, and key rotate puts
it in force. docs/recipes/lost-key.md has every command.`,
		`muniment key recover second-key.txt --out second
muniment key recover envelopes/second-key-1-3.age --identity anna.key --identity carl.key --out second`,
		cobra.ExactArgs(1), p.run)
	cmd.Flags().StringVar(&p.outFlag, "out", "second", "the private key `FILE` to write")
	cmd.Flags().StringSliceVar(&p.identities, "identity", nil, "an age identity `FILE`; once for each person")
	return withoutArchive(cmd)
}

func (p *keyRecoverCommand) run(_ *cobra.Command, args []string) error {
	data, err := disk.ReadPlain(args[0], spare.MaxFile)
	if err != nil {
		return keyError(err, "give the page or the envelope that key second wrote")
	}
	var secrets spare.Secrets
	for _, file := range p.identities {
		id, err := disk.ReadPlain(file, sign.MaxIdentities)
		if err != nil {
			return keyError(err, "give an age identity file")
		}
		secrets.Identities = append(append(secrets.Identities, id...), '\n')
	}
	private, err := spare.Read(data, &secrets)
	if errors.Is(err, spare.ErrPassphraseNeeded) {
		if ask := p.passphrase(args[0]); ask != nil {
			if secrets.Passphrase, err = ask(); err == nil {
				private, err = spare.Read(data, &secrets)
			}
		}
	}
	if err != nil {
		return keyError(fmt.Errorf("%s: %w", args[0], err), recoverHint(err))
	}
	s, err := sshkey.Keep(private, p.outFlag, "muniment-second")
	if errors.Is(err, fs.ErrExist) {
		return keyExists(p.outFlag, "choose another file with --out")
	}
	if err != nil {
		return keyError(err, "compare the page with what was typed: each line, and its last column")
	}
	k := keyResult{File: p.outFlag, Kind: "signer", Fingerprint: s.Key().Fingerprint(), Public: s.Key().Authorized()}
	p.show("key", k, func() {
		p.out("%s", k.Fingerprint)
		p.out("%s", k.File)
		p.say("compare the fingerprint with the page; next: muniment help key recover")
	})
	return nil
}

func recoverHint(err error) string {
	switch {
	case errors.Is(err, spare.ErrPassphraseNeeded):
		return "put the passphrase in a file and set MUNIMENT_PASSPHRASE_FILE"
	case errors.Is(err, spare.ErrWrongPassphrase):
		return "check the passphrase, or the file that MUNIMENT_PASSPHRASE_FILE names"
	case errors.Is(err, spare.ErrIdentityMissing):
		return "give the identity file of each of its people: --identity FILE --identity FILE"
	case errors.Is(err, spare.ErrMisread):
		return "compare that line with the page, its last column too: l and 1, O and 0"
	}
	return "give the page or the envelope that key second wrote"
}

// missingSignatures says how many signatures a draft still needs.
func missingSignatures(d *history.RootDraft, missing trust.Threshold) *problem.Error {
	return &problem.Error{Kind: problem.PartlyDone,
		Message: fmt.Sprintf("version %d of the trust root is not in force, still to sign: %s of %s", d.Root.Version, count(missing.Keys, "key"), count(missing.Orgs, "organisation")),
		Next:    problem.Advise("muniment key sign-root " + strings.TrimSpace(d.Dir) + ", by another custodian of the old and of the new version")}
}
