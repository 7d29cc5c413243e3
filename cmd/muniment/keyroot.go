package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"muniment/archive"
	"muniment/archive/problem"
	"muniment/history"
	"muniment/objects/disk"
	"muniment/sign"
	"muniment/sign/quorum"
	"muniment/sign/sshkey"
	"muniment/sign/trust"
	"muniment/text/legible"
)

// rootResult describes a version of the trust root.
type rootResult struct {
	File    string   `json:"file"`
	Version int64    `json:"version"`
	Archive string   `json:"archive"`
	Digest  string   `json:"digest"` // sha256 of the text, in groups to compare on paper
	Keys    []string `json:"keys"`   // and revocations: the lines of the root
	Signers []string `json:"signers"`
	Missing int      `json:"missing_signatures"`
	Expires string   `json:"expires,omitempty"`
	InForce bool     `json:"in_force"`
}

// showRoot prints a draft and what it still needs; old is the version in
// force, or nil.
func showRoot(p *program, d *history.RootDraft, old *trust.Root, inForce bool) error {
	r, err := describeRoot(d, old, inForce)
	if err != nil {
		return err
	}
	p.show("root", r, func() { printRoot(p, r, d.Dir) })
	return nil
}

// describeRoot returns the result that describes a draft; old is the version in force, or nil.
func describeRoot(d *history.RootDraft, old *trust.Root, inForce bool) (rootResult, error) {
	r := rootResult{File: d.Dir + "/root.txt", Version: d.Root.Version, Archive: d.Root.Archive.String(), Digest: trust.Paper(d.Root.Digest()),
		Keys: []string{}, Signers: []string{}, InForce: inForce}
	if !d.Root.Expires.IsZero() {
		r.Expires = d.Root.Expires.Format(trust.TimeForm)
	}
	for _, k := range d.Root.Keys {
		r.Keys = append(r.Keys, k.String())
	}
	r.Keys = append(r.Keys, d.Root.WitnessLines()...)
	for _, v := range d.Root.Revoked {
		r.Keys = append(r.Keys, v.String())
	}
	signers, err := d.Signers()
	if err != nil {
		return r, keyError(err, "sign it again")
	}
	for _, k := range signers {
		r.Signers = append(r.Signers, k.Fingerprint())
	}
	missing := missingOf(d.Root, old, signers)
	r.Missing = max(missing.Keys, missing.Orgs)
	return r, nil
}

// missingOf returns how many signatures root still needs beyond those of signers; old is the version in force, or nil.
func missingOf(root, old *trust.Root, signers []sign.Key) trust.Threshold {
	missing := root.Missing(root, signers)
	if old != nil && old.Version < root.Version {
		m := old.Missing(root, signers)
		missing = trust.Threshold{Keys: max(missing.Keys, m.Keys), Orgs: max(missing.Orgs, m.Orgs)}
	}
	return missing
}

// putInForce stages a draft of the trust root where nobody has to sign it any more, and returns the
// version that is in force before it, nil for none, and the signatures that are missing.
func putInForce(a *archive.Archive, d *history.RootDraft) (old *trust.Root, missing trust.Threshold, err error) {
	if old, err = a.TrustRoot(); err != nil {
		return nil, missing, err
	}
	signers, err := d.Signers()
	if err != nil {
		return nil, missing, keyError(err, "sign it again")
	}
	if missing = missingOf(d.Root, old, signers); missing == (trust.Threshold{}) {
		_, err = a.PutRootInForce(d.Signed)
	}
	return old, missing, err
}

func printRoot(p *program, r rootResult, dir string) {
	p.out("trust root, version %d, of archive %s", r.Version, r.Archive)
	for _, line := range r.Keys {
		p.out("  %s", line)
	}
	if r.Expires != "" {
		p.out("  expires %s", r.Expires)
	}
	p.out("signed by %d, %d missing", len(r.Signers), r.Missing)
	p.out("sha256 %s", r.Digest)
	switch {
	case r.InForce:
		p.say("staged; next: muniment snapshot -m TEXT; give %s to verifiers and compare the sha256 on paper", r.File)
	case r.Missing > 0:
		p.say("next: muniment key sign-root %s, by each custodian with their key", dir)
	default:
		p.say("next: muniment key rotate %s puts it in force", dir)
	}
}

// editRoot changes the draft in a folder, or begins the next version there.
func editRoot(p *program, dir string, change func(a *archive.Archive, r *trust.Root) error) error {
	return p.withArchive(func(a *archive.Archive) error {
		root, err := a.DraftRoot()
		if err != nil {
			return err
		}
		old, err := a.TrustRoot()
		if err != nil {
			return err
		}
		draft, err := history.OpenRootDraft(dir)
		switch {
		case err == nil && draft.Root.Version == root.Version && draft.Root.Prev == root.Prev:
			root = draft.Root
		case err == nil && draft.Root.Version >= root.Version:
			return misuse(fmt.Sprintf("%s holds version %d, and the archive is at version %d", dir, draft.Root.Version, root.Version-1), "choose another folder with --root DIR")
		case err != nil && !errors.Is(err, fs.ErrNotExist):
			return err
		}
		var failed error
		changed, err := root.With(func(r *trust.Root) { failed = change(a, r) })
		if failed != nil {
			return failed
		}
		if err != nil {
			return misuse(err.Error(), "muniment help key trust shows the roles; a root needs a policy key")
		}
		if draft, err = history.WriteRootDraft(dir, changed); err != nil {
			return err
		}
		return showRoot(p, draft, old, false)
	})
}

// setExpiry reads the time at which a root expires: a day, whose first second it is,
// a time in RFC 3339, or never. "" leaves the root as it is.
func setExpiry(r *trust.Root, s string) error {
	switch s {
	case "":
		return nil
	case "never":
		r.Expires = time.Time{}
		return nil
	}
	for _, form := range []string{time.RFC3339, time.DateOnly} {
		if t, err := time.Parse(form, s); err == nil {
			r.Expires = t.UTC().Truncate(time.Second)
			return nil
		}
	}
	return misuse("--expires: "+strconv.Quote(s)+" is no day and no time", "--expires 2027-06-30, or --expires never")
}

// setWitnesses replaces the root's witnesses of others by those of a policy file; none removes
// them, "" leaves the root as it is.
func setWitnesses(r *trust.Root, file string) error {
	if file == "" || file == quorum.None {
		if file != "" {
			r.Witnesses = quorum.Policy{}
		}
		return nil
	}
	policy, err := archive.ReadWitnesses(file)
	if err != nil {
		return err
	}
	for i, w := range policy.Witnesses {
		policy.Witnesses[i].Org, _, _ = strings.Cut(w.Cosigner.Name(), "/")
	}
	policy.Logs = nil
	r.Witnesses = *policy
	return nil
}

// setThresholds reads role=keys/organisations.
func setThresholds(r *trust.Root, list []string) error {
	for _, s := range list {
		role, value, _ := strings.Cut(s, "=")
		keys, orgs, _ := strings.Cut(value, "/")
		n, err1 := strconv.Atoi(keys)
		m, err2 := strconv.Atoi(orgs)
		if _, ok := r.Thresholds[trust.Role(role)]; !ok || err1 != nil || err2 != nil {
			return misuse("--threshold: "+strconv.Quote(s)+" is not of the form role=keys/organisations", "--threshold answer=2/2; the roles are snapshot, withdraw, answer, witness, policy")
		}
		r.Thresholds[trust.Role(role)] = trust.Threshold{Keys: n, Orgs: m}
	}
	return nil
}

// readKey reads a public key file.
func readKey(file string) (sign.Key, error) {
	data, err := disk.ReadPlain(file, sshkey.MaxFile)
	if err != nil {
		return sign.Key{}, keyError(err, "give an Ed25519 public key file")
	}
	k, err := sign.ParseKey(string(data))
	if err != nil {
		return sign.Key{}, keyError(fmt.Errorf("%s: %w", file, err), "give an Ed25519 public key file")
	}
	return k, nil
}

type keyRevokeCommand struct {
	*program
	dirFlag, last, checkpoint string
	roles                     []string
}

func newKeyRevokeCommand(prog *program) *cobra.Command {
	p := &keyRevokeCommand{program: prog}
	cmd := command("", "revoke KEY", "Revoke a key in the trust root",
		`KEY is a public key file, or the fingerprint (SHA256:…) of a key of the root whose file
is lost. Adds revocations to the next version of the trust root, a draft in the folder --root.
For the roles snapshot and withdraw, --last names the last good snapshot: that one and
those before it stay valid. For answer, log and witness, --checkpoint is the last good
checkpoint of the answer log: entries in that tree stay valid. Without them no signature
of the key counts. A policy key ends with the version before.

Custodians then sign the draft, and key rotate puts it in force.`,
		"muniment key revoke stolen.pub --root next --role snapshot --last bafkrei…\nmuniment key revoke hot.pub --root next --role answer --role log --checkpoint last.checkpoint",
		cobra.ExactArgs(1), p.run)
	cmd.Flags().StringVar(&p.dirFlag, "root", "next-root", "the `DIR` of the draft")
	cmd.Flags().StringSliceVar(&p.roles, "role", []string{"snapshot"}, "in which `ROLE`")
	cmd.Flags().StringVar(&p.last, "last", "", "the last good `SNAPSHOT`")
	cmd.Flags().StringVar(&p.checkpoint, "checkpoint", "", "the last good checkpoint `FILE` of the answer log")
	return cmd
}

func (p *keyRevokeCommand) run(_ *cobra.Command, args []string) error {
	var k sign.Key
	var note []byte
	var err error
	named := strings.HasPrefix(args[0], "SHA256:") // of a key whose file is lost
	if !named {
		if k, err = readKey(args[0]); err != nil {
			return err
		}
	}
	if p.checkpoint != "" {
		if note, err = disk.ReadPlain(p.checkpoint, sign.MaxNote); err != nil {
			return keyError(err, "give a checkpoint that was kept, such as log show --checkpoint wrote")
		}
	}
	return editRoot(p.program, p.dirFlag, func(a *archive.Archive, r *trust.Root) error {
		if named {
			i := slices.IndexFunc(r.Keys, func(l trust.Key) bool { return l.Key.Fingerprint() == args[0] })
			if i < 0 {
				return misuse("the trust root has no key "+legible.Printable(args[0]), "muniment log --json names who signed each snapshot; or give the .pub file")
			}
			k = r.Keys[i].Key
		}
		for _, role := range p.roles {
			if trust.Role(role) == trust.Policy {
				for i, line := range r.Keys {
					if line.Role == trust.Policy && line.Key == k && line.To.IsZero() {
						r.Keys[i].To = trust.Version(r.Version - 1)
					}
				}
				continue
			}
			v, err := history.NewRevocation(a, r, trust.Role(role), p.last, note)
			if err != nil {
				return err
			}
			v.Name = trust.Name(k)
			r.Revoked = append(r.Revoked, v)
		}
		return nil
	})
}

func newKeySignRootCommand(p *program) *cobra.Command {
	var key string
	cmd := command("", "sign-root DIR", "Sign a draft of the trust root",
		`Adds the signature of one custodian's key to the draft in DIR, next to root.txt, under
the namespace trust@muniment. Custodians sign at different times and places: the folder
travels. It needs no archive. Read root.txt before you sign it. The signature is what
ssh-keygen -Y sign -n trust@muniment writes, under the name of its key.`,
		"muniment key sign-root next-root --key ~/keys/museum",
		cobra.ExactArgs(1), func(_ *cobra.Command, args []string) error {
			s, err := p.signer(key)
			if err != nil {
				return err
			}
			d, err := openDraft(args[0])
			if err != nil {
				return err
			}
			if err := d.Sign(s); err != nil {
				return err
			}
			return showRoot(p, d, nil, false)
		})
	cmd.Flags().StringVar(&key, "key", "", "the private key `FILE`; else found as for signing")
	return withoutArchive(cmd)
}

func openDraft(dir string) (*history.RootDraft, error) {
	d, err := history.OpenRootDraft(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &problem.Error{Kind: problem.NotFound, Message: dir + " holds no root.txt", Next: problem.Advise("muniment key trust --root " + dir + " begins one")}
	}
	return d, err
}

func newKeyRotateCommand(p *program) *cobra.Command {
	return command("", "rotate DIR", "Put a signed version of the trust root in force",
		`Checks the draft in DIR: enough policy keys of the version in force and enough of the
new one have signed it, and it forgets no key and no revocation. It is then staged under
trust/ in the archive, in force from the next snapshot. If signatures are missing it
says how many (exit 3).`,
		"muniment -C letters key rotate next-root",
		cobra.ExactArgs(1), p.inArchive(func(_ *cobra.Command, a *archive.Archive, args []string) error {
			d, err := openDraft(args[0])
			if err != nil {
				return err
			}
			old, missing, err := putInForce(a, d)
			if err != nil {
				return err
			}
			if missing != (trust.Threshold{}) {
				return missingSignatures(d, missing)
			}
			return showRoot(p, d, old, true)
		}))
}

// dataDir is the user's data folder for keys: MUNIMENT_HOME, else
// XDG_DATA_HOME/muniment, else ~/.local/share/muniment.
func (p *program) dataDir() (string, error) {
	if dir := p.env("MUNIMENT_HOME"); dir != "" {
		return dir, nil
	}
	if dir := p.env("XDG_DATA_HOME"); dir != "" && filepath.IsAbs(dir) {
		return filepath.Join(dir, "muniment"), nil
	}
	if home := p.env("HOME"); home != "" {
		return filepath.Join(home, ".local", "share", "muniment"), nil
	}
	return "", &problem.Error{Kind: problem.Environment,
		Message: "no data folder: neither MUNIMENT_HOME, XDG_DATA_HOME nor HOME is set", Next: problem.Advise("set MUNIMENT_HOME, or name the key with --key FILE")}
}

// defaultKey is the name of the key that key new makes first.
const defaultKey = "default"

// signer finds the key to sign with: --key FILE, else MUNIMENT_KEY, else the
// default key of the data folder, else the agent's only Ed25519 key.
func (p *program) signer(file string) (sign.Signer, error) {
	if file = cmp.Or(file, p.env("MUNIMENT_KEY")); file != "" {
		return p.loadKey(file)
	}
	dir, err := p.dataDir()
	if err != nil {
		return nil, err
	}
	standard := filepath.Join(dir, defaultKey)
	if _, err := os.Stat(standard); err == nil {
		return p.loadKey(standard)
	}
	if sock := p.env("SSH_AUTH_SOCK"); sock != "" {
		signers, err := sshkey.Agent(sock)
		if err != nil {
			p.say("muniment: note: ssh-agent: %v", err)
		}
		switch len(signers) {
		case 1:
			return signers[0], nil
		case 0:
		default:
			return nil, keyError(fmt.Errorf("ssh-agent holds %d Ed25519 keys and none was named", len(signers)), "name one with --key FILE.pub or MUNIMENT_KEY")
		}
	}
	return nil, keyError(errNoKey, "muniment key new makes one")
}

// readerKey is the name of the key in the data folder with which answers are signed
// where nobody made or named a key.
const readerKey = "reader"

// answerSigner finds the key to sign answers with as signer does. Where there is none at
// all it is the reader's own, which is made at its first use.
func (p *program) answerSigner(file string) (sign.Signer, error) {
	s, err := p.signer(file)
	if !errors.Is(err, errNoKey) {
		return s, err
	}
	dir, err := p.dataDir()
	if err != nil {
		return nil, err
	}
	own := filepath.Join(dir, readerKey)
	if _, err := os.Stat(own); err == nil {
		return p.loadKey(own)
	}
	const hint = "check the folder, or name a key with --key FILE"
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, keyError(err, hint)
	}
	if s, err = sshkey.Generate(p.world.Rand, own, "muniment-reader", nil); err != nil {
		return nil, keyError(err, hint)
	}
	p.say("made a reader's key of your own, %s, in %s: it signs your answers", s.Key().Fingerprint(), own)
	return s, nil
}

// errNoKey reports that there is no key in any of the places where one is looked for.
var errNoKey = errors.New("no key to sign with: no --key, no MUNIMENT_KEY, no default key, no single Ed25519 key in ssh-agent")

// loadKey opens a private key file. A public key file names a key of the
// agent, as it does for ssh and git.
func (p *program) loadKey(file string) (sign.Signer, error) {
	if filepath.Ext(file) == ".pub" {
		return p.agentKey(file)
	}
	s, err := sshkey.Load(file, p.passphrase(file))
	if err != nil {
		hint := "give an OpenSSH Ed25519 private key; muniment key new makes one"
		var path *fs.PathError
		switch {
		case errors.Is(err, sshkey.ErrPassphraseNeeded):
			hint = "put the passphrase in a file and set MUNIMENT_PASSPHRASE_FILE, or ssh-add the key and name its .pub file"
		case errors.Is(err, sshkey.ErrWrongPassphrase):
			hint = "check the passphrase, or the file that MUNIMENT_PASSPHRASE_FILE names; ssh-keygen -y -f " + file + " tries one"
		case errors.Is(err, sshkey.ErrCipher):
			hint = "ssh-keygen -p -Z aes256-ctr -f " + file + " encrypts it anew; or ssh-add the key and name its .pub file"
		case errors.As(err, &path) && path.Path != file:
			hint = "check the path in MUNIMENT_PASSPHRASE_FILE"
		case errors.Is(err, fs.ErrNotExist):
			hint = "check the path; muniment key new makes a key"
		}
		return nil, keyError(err, hint)
	}
	return s, nil
}

func (p *program) agentKey(file string) (sign.Signer, error) {
	data, err := disk.ReadPlain(file, sshkey.MaxFile)
	if err != nil {
		return nil, keyError(err, "check the path")
	}
	k, err := sign.ParseKey(string(data))
	if err != nil {
		return nil, keyError(fmt.Errorf("%s: %w", file, err), "give an Ed25519 public key file")
	}
	signers, err := sshkey.Agent(p.env("SSH_AUTH_SOCK"))
	if err != nil {
		return nil, keyError(err, "start ssh-agent and ssh-add the key, or name the private key file")
	}
	for _, s := range signers {
		if s.Key() == k {
			return s, nil
		}
	}
	return nil, keyError(fmt.Errorf("ssh-agent does not hold %s (%s)", k.Fingerprint(), file), "ssh-add it, or name the private key file")
}

// passphrase returns the prompt for a key's passphrase, or nil off a terminal.
func (p *program) passphrase(file string) func() ([]byte, error) {
	if path := p.env("MUNIMENT_PASSPHRASE_FILE"); path != "" {
		return func() ([]byte, error) {
			data, err := disk.ReadPlain(path, sshkey.MaxFile)
			for len(data) > 0 && (data[len(data)-1] == '\n' || data[len(data)-1] == '\r') {
				data = data[:len(data)-1]
			}
			return data, err
		}
	}
	if !p.interactive() {
		return nil
	}
	return func() ([]byte, error) { return p.askSecret("Passphrase for " + file + ": ") }
}

func keyError(err error, hint string) *problem.Error {
	var failure *problem.Error
	if errors.As(err, &failure) {
		return failure
	}
	message := err.Error()
	if path, ok := err.(*fs.PathError); ok {
		message = path.Path + ": " + path.Err.Error()
	}
	return &problem.Error{Kind: problem.Key, Message: message, Next: problem.Advise(hint), Err: err}
}
