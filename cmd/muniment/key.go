package main

import (
	"bytes"
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"muniment/archive"
	"muniment/archive/problem"
	"muniment/cite/review"
	"muniment/history"
	"muniment/objects/disk"
	"muniment/sign"
	"muniment/sign/sshkey"
	"muniment/sign/trust"
	"muniment/text/legible"
)

func newKeyCommand(p *program) *cobra.Command {
	cmd := command("keys", "key", "Make, list and trust keys",
		"Keys are OpenSSH Ed25519 keys: files, ssh-agent, or hardware keys through the agent.",
		"muniment key new\nmuniment key list\nmuniment key trust > allowed_signers",
		cobra.NoArgs, p.overview)
	cmd.AddCommand(newKeyNewCommand(p), newKeyListCommand(p), newKeyTrustCommand(p), newKeyRevokeCommand(p), newKeySignRootCommand(p), newKeyRotateCommand(p), newKeySecondCommand(p), newKeyRecoverCommand(p))
	return withoutArchive(cmd)
}

// keyResult describes a key.
type keyResult struct {
	File        string `json:"file,omitempty"`
	Kind        string `json:"kind"` // signer, agent or auditor
	Fingerprint string `json:"fingerprint,omitempty"`
	Public      string `json:"public"`
	Default     bool   `json:"default"`
	Scope       string `json:"scope,omitempty"`
	Enrolled    bool   `json:"enrolled,omitempty"`
	Line        string `json:"allowed_signers,omitempty"`
}

type keyNewCommand struct {
	*program
	outFlag, auditor string
	holds            []string
	protect          bool
	threshold        int
}

func newKeyNewCommand(prog *program) *cobra.Command {
	p := &keyNewCommand{program: prog}
	cmd := command("", "new", "Make a key",
		`Makes an Ed25519 signing key as ssh-keygen does. The first one becomes the default
key, kept in MUNIMENT_HOME or the user's data folder. An existing file is never
replaced.

--auditor SCOPE makes an age identity instead and stages its recipient in the
archive: whoever holds it can open what later answers seal for that scope. With
--threshold K, K of the scope's people, five at most, must come together to open it.`,
		`muniment key new
muniment key new --out ~/keys/archivist
muniment -C letters key new --auditor court --out court.key`,
		cobra.NoArgs, p.run)
	cmd.Flags().StringVar(&p.outFlag, "out", "", "the private key `FILE` to make")
	cmd.Flags().StringVar(&p.auditor, "auditor", "", "make an auditor identity for this `SCOPE`")
	cmd.Flags().StringSliceVar(&p.holds, "holds", nil, "leaf kinds that a further scope holds")
	cmd.Flags().IntVar(&p.threshold, "threshold", 0, "how many people of the scope must come together")
	cmd.Flags().BoolVar(&p.protect, "passphrase", false, "protect it with a passphrase, asked on the terminal or read from MUNIMENT_PASSPHRASE_FILE")
	return withoutArchive(cmd, "auditor")
}

func (p *keyNewCommand) run(_ *cobra.Command, _ []string) error {
	if p.auditor != "" {
		return p.newAuditor(p.auditor, p.outFlag, p.holds, p.threshold)
	}
	return p.newSigner(p.outFlag, p.protect)
}

func (p *keyNewCommand) newSigner(out string, protect bool) error {
	standard := false
	if out == "" {
		dir, err := p.dataDir()
		if err != nil {
			return err
		}
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return keyError(err, "check the folder, or name a file with --out")
		}
		out, standard = filepath.Join(dir, defaultKey), true
	}
	var passphrase []byte
	if protect {
		var err error
		if passphrase, err = p.newPassphrase(out); err != nil {
			return err
		}
	}
	s, err := sshkey.Generate(p.world.Rand, out, "muniment", passphrase)
	if err != nil {
		switch {
		case errors.Is(err, fs.ErrExist) && standard:
			return keyExists(out, "it is your default key already: muniment key list; --out FILE makes another one")
		case errors.Is(err, fs.ErrExist):
			return keyExists(out, "choose another file with --out")
		}
		return keyError(err, "choose another file with --out")
	}
	k := keyResult{File: out, Kind: "signer", Fingerprint: s.Key().Fingerprint(), Public: s.Key().Authorized(), Default: standard}
	p.show("key", k, func() {
		p.out("%s", k.Fingerprint)
		p.out("%s", out)
		p.say("keep %s safe; next: muniment snapshot -m TEXT, or muniment key trust > allowed_signers", out)
	})
	return nil
}

// newPassphrase asks for the passphrase that is to protect a file, twice where a person types it.
func (p *program) newPassphrase(file string) ([]byte, error) {
	ask := p.passphrase(file)
	if ask == nil {
		return nil, misuse("no terminal to ask for a passphrase", "put it in a file and set MUNIMENT_PASSPHRASE_FILE")
	}
	passphrase, err := ask()
	if err != nil {
		return nil, keyError(err, "check the path in MUNIMENT_PASSPHRASE_FILE")
	}
	if len(passphrase) == 0 {
		return nil, misuse("the passphrase is empty and would protect nothing", "give a long one")
	}
	return passphrase, p.confirm(passphrase)
}

// confirm asks for a new passphrase once more, where a person typed it.
func (p *program) confirm(passphrase []byte) error {
	if p.env("MUNIMENT_PASSPHRASE_FILE") != "" {
		return nil
	}
	again, err := p.askSecret("The same again: ")
	if err != nil {
		return keyError(err, "try again")
	}
	if !bytes.Equal(passphrase, again) {
		return misuse("the two passphrases are not the same", "try again")
	}
	return nil
}

// keyExists says that a key file is there: keys are never replaced.
func keyExists(file, hint string) *problem.Error {
	return misuse(file+" is there already and is not replaced", hint)
}

func (p *keyNewCommand) newAuditor(scope, out string, holds []string, threshold int) error {
	return p.withArchive(func(a *archive.Archive) error {
		out = cmp.Or(out, scope+".auditor.key")
		identity, recipient, err := sign.NewIdentity()
		if err != nil {
			return keyError(err, "muniment doctor")
		}
		f, err := os.OpenFile(out, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if errors.Is(err, fs.ErrExist) {
			return keyExists(out, "choose another file with --out")
		}
		if err != nil {
			return keyError(err, "choose another file with --out")
		}
		_, err = f.Write(identity)
		if err2 := f.Close(); err == nil {
			err = err2
		}
		if err == nil {
			err = history.EnrolAuditor(a, scope, recipient, holds, threshold)
		}
		if err != nil {
			os.Remove(out)
			return err
		}
		k := keyResult{File: out, Kind: "auditor", Public: recipient, Scope: scope, Enrolled: true}
		p.show("key", k, func() {
			p.out("%s", out)
			p.say("auditor of scope %s, in force from the next snapshot: muniment snapshot -m TEXT", scope)
		})
		return nil
	})
}

func newKeyListCommand(p *program) *cobra.Command {
	return withoutArchive(command("", "list", "List the keys that can sign",
		"Lists the default key, the other keys of the data folder and the Ed25519 keys of ssh-agent.",
		"muniment key list", cobra.NoArgs, func(*cobra.Command, []string) error {
			keys := []keyResult{}
			if dir, err := p.dataDir(); err == nil {
				files, _ := filepath.Glob(filepath.Join(dir, "*.pub"))
				for _, file := range files {
					data, err := disk.ReadPlain(file, sshkey.MaxFile)
					if err != nil {
						continue
					}
					k, err := sign.ParseKey(string(data))
					if err != nil {
						p.say("muniment: note: %s: %v", file, err)
						continue
					}
					private := strings.TrimSuffix(file, ".pub")
					keys = append(keys, keyResult{File: private, Kind: "signer", Fingerprint: k.Fingerprint(), Public: k.Authorized(), Default: filepath.Base(private) == defaultKey})
				}
			}
			if sock := p.env("SSH_AUTH_SOCK"); sock != "" {
				signers, err := sshkey.Agent(sock)
				if err != nil {
					p.say("muniment: note: ssh-agent: %v", err)
				}
				for _, s := range signers {
					keys = append(keys, keyResult{Kind: "agent", Fingerprint: s.Key().Fingerprint(), Public: s.Key().Authorized()})
				}
			}
			p.show("keys", keyList{keys}, func() {
				for _, k := range keys {
					p.out("%-7s %s  %s%s", k.Kind, k.Fingerprint, k.File, ifText(k.Default, "  (default)", ""))
				}
				if len(keys) == 0 {
					p.say("no key yet; muniment key new makes one")
				}
			})
			return nil
		}))
}

// trustLine returns the line by which others trust a key: for this archive alone with
// pin. With enrol the key is staged in the archive too.
func (p *keyTrustCommand) trustLine(k sign.Key, name string, pin, enrol bool, namespaces []string) (string, error) {
	line := strings.TrimSpace(history.TrustLine(k, name, namespaces...))
	if !pin && !enrol {
		return line, nil
	}
	a, err := p.open()
	if err != nil {
		return "", err
	}
	defer a.Close()
	if pin {
		line += " " + sign.ArchiveWord + a.ID().String()
	}
	if enrol {
		err = history.EnrolSigner(a, k, name, namespaces...)
	}
	return line, err
}

// roleNamespaces returns the namespaces of roles that an allowed_signers line can give.
func roleNamespaces(roles []string) ([]string, error) {
	var out []string
	for _, r := range roles {
		switch r {
		case "snapshot":
			out = append(out, sign.NamespaceGit, sign.NamespaceSnapshot)
		case "answer":
			out = append(out, sign.NamespaceAnswer)
		case "withdraw":
			out = append(out, sign.NamespaceWithdraw)
		case "review":
			out = append(out, review.Namespace)
		default:
			return nil, misuse("a trust line gives no role "+legible.Printable(r), "--role snapshot, answer, withdraw or review; with --root DIR every role of a trust root")
		}
	}
	return out, nil
}

type keyTrustCommand struct {
	*program
	key, name, dirFlag, org, expires, witnesses string
	roles, thresholds                           []string
	enrol, pin                                  bool
}

func newKeyTrustCommand(prog *program) *cobra.Command {
	p := &keyTrustCommand{program: prog}
	cmd := command("", "trust [FILE.pub]", "Print the line by which others trust a key",
		`Prints an OpenSSH allowed_signers line for snapshots and answers: what verify --trust
and git verify-commit take. The fingerprint goes to stderr: compare it over another
channel, on paper if you can. --enrol also stages the key in the archive's
trust/allowed_signers. With --pin the line names this archive and counts in no other;
with --role answer it lets a key sign answers alone, as for a reader of a copy; with
--role review, what a person says of claims.

With --root DIR the key is put into a trust root instead: the next version of the
archive's, or its first, as a draft in that folder. --org names the organisation the key
belongs to, --role what it may sign: snapshot, withdraw, answer, log, witness, policy, review.
--threshold says how many keys of how many organisations are needed for a role.
--expires is a day, or a time in RFC 3339, by which you will publish the next version:
after that, verification with this one is INCOMPLETE; never removes the expiry.
--witnesses names a file of witnesses and their quorum in the form of C2SP tlog-policy,
none for no such witnesses; the organisation of one is its name up to the first slash. The
sha256 that is printed is what verifiers compare on paper.`,
		`muniment key trust > allowed_signers
muniment key trust colleague.pub --name "second archivist" >> allowed_signers
muniment -C letters key trust reader.pub --role answer --enrol
muniment key trust --root next-root --org vale
muniment key trust museum.pub --root next-root --org museum --role witness,policy --threshold policy=2/2
muniment key trust --root next-root --org vale --witnesses witnesses.policy`,
		cobra.MaximumNArgs(1), p.run)
	cmd.Flags().StringVar(&p.key, "key", "", "the private key `FILE`; else found as for signing")
	cmd.Flags().StringVar(&p.name, "name", "", "whose key it is")
	cmd.Flags().BoolVar(&p.enrol, "enrol", false, "also stage it in the archive")
	cmd.Flags().BoolVar(&p.pin, "pin", false, "name this archive in the line")
	cmd.Flags().StringVar(&p.dirFlag, "root", "", "the `DIR` of a draft of the trust root")
	cmd.Flags().StringVar(&p.expires, "expires", "", "with --root: the `TIME` when this version expires, or never")
	cmd.Flags().StringVar(&p.org, "org", "archive", "the `ORGANISATION` of the key, a lower case word")
	cmd.Flags().StringSliceVar(&p.roles, "role", []string{"snapshot", "withdraw", "answer", "log", "policy"}, "what the key may sign")
	cmd.Flags().StringVar(&p.witnesses, "witnesses", "", "with --root: a `FILE` of witnesses of others, or none")
	cmd.Flags().StringSliceVar(&p.thresholds, "threshold", nil, "`ROLE=KEYS/ORGANISATIONS` that are needed")
	return withoutArchive(cmd, "root", "enrol", "pin")
}

func (p *keyTrustCommand) run(cmd *cobra.Command, args []string) error {
	var k sign.Key
	var err error
	if len(args) == 1 {
		if k, err = readKey(args[0]); err != nil {
			return err
		}
	} else {
		s, err := p.signer(p.key)
		if err != nil {
			return err
		}
		k = s.Key()
	}
	if p.dirFlag != "" {
		return editRoot(p.program, p.dirFlag, func(a *archive.Archive, r *trust.Root) error {
			history.AddRoles(a, r, k, p.org, p.roles)
			if err := setExpiry(r, p.expires); err != nil {
				return err
			}
			if err := setWitnesses(r, p.witnesses); err != nil {
				return err
			}
			return setThresholds(r, p.thresholds)
		})
	}
	p.name = cmp.Or(p.name, "muniment")
	var namespaces []string
	if cmd.Flags().Changed("role") {
		if namespaces, err = roleNamespaces(p.roles); err != nil {
			return err
		}
	}
	line, err := p.trustLine(k, p.name, p.pin, p.enrol, namespaces)
	if err != nil {
		return err
	}
	r := keyResult{Kind: "signer", Fingerprint: k.Fingerprint(), Public: k.Authorized(), Enrolled: p.enrol, Line: line}
	p.show("trust", r, func() {
		p.out("%s", r.Line)
		p.say("fingerprint %s: compare it with the holder over another channel", r.Fingerprint)
	})
	return nil
}
