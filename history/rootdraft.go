package history

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"muniment/archive"
	"muniment/archive/problem"
	"muniment/objects/disk"
	"muniment/sign"
	"muniment/sign/trust"
	"muniment/text/legible"
)

// A RootDraft is a folder in which a version of the trust root and its
// signatures come together: root.txt and <key id>.sshsig. It travels from
// custodian to custodian; each signs at a time of their own.
type RootDraft struct {
	Dir  string
	Root *trust.Root
	trust.Signed
}

// OpenRootDraft reads a draft. The error is fs.ErrNotExist when there is none.
func OpenRootDraft(dir string) (*RootDraft, error) {
	text, err := disk.ReadPlain(filepath.Join(dir, archive.NameRoot), trust.MaxRoot)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fs.ErrNotExist
	}
	if err != nil {
		return nil, problem.Wrap(err, "trust root")
	}
	root, err := trust.Parse(text)
	if err != nil {
		return nil, problem.New(problem.Usage, problem.Advise("ask its maker for another copy"), "%s: %w", legible.Printable(filepath.Join(dir, archive.NameRoot)), err)
	}
	d := &RootDraft{Dir: dir, Root: root, Signed: trust.Signed{Text: text}}
	files, err := filepath.Glob(filepath.Join(dir, "*"+archive.ExtSignature))
	if err != nil {
		return nil, problem.Wrap(err, "trust root")
	}
	for _, file := range files {
		armored, err := disk.ReadPlain(file, sign.MaxSignature)
		if err != nil {
			return nil, problem.Wrap(err, "trust root")
		}
		sig, err := sign.ParseSignature(armored)
		if err == nil {
			err = sig.Verify(trust.Namespace, text)
		}
		if err == nil && filepath.Base(file) != sig.Key().ID()+archive.ExtSignature {
			err = errors.New("it is not under its key's name")
		}
		if err != nil {
			return nil, problem.New(problem.Usage, problem.Advise("delete it, and let its holder sign this root.txt"), "%s: %w", legible.Printable(file), err)
		}
		d.Signatures = append(d.Signatures, armored)
	}
	return d, nil
}

// WriteRootDraft writes a changed draft, and removes signatures of what it was
// before. The folder is made when it does not exist.
func WriteRootDraft(dir string, root *trust.Root) (*RootDraft, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, problem.Wrap(err, "trust root")
	}
	old, err := filepath.Glob(filepath.Join(dir, "*"+archive.ExtSignature))
	if err != nil {
		return nil, problem.Wrap(err, "trust root")
	}
	for _, file := range old {
		if err := os.Remove(file); err != nil {
			return nil, problem.Wrap(err, "trust root")
		}
	}
	if err := os.WriteFile(filepath.Join(dir, archive.NameRoot), root.Encode(), 0o644); err != nil {
		return nil, problem.Wrap(err, "trust root")
	}
	return OpenRootDraft(dir)
}

// Sign adds a signature to the draft.
func (d *RootDraft) Sign(s sign.Signer) error {
	if err := needSigner(s); err != nil {
		return err
	}
	armored, err := sign.Sign(s, trust.Namespace, d.Text)
	if err != nil {
		return problem.New(problem.Key, problem.Next(problem.DoListKeys), "the key did not sign: %w", err)
	}
	file := filepath.Join(d.Dir, s.Key().ID()+archive.ExtSignature)
	if err := os.WriteFile(file, armored, 0o644); err != nil {
		return problem.Wrap(err, "trust root")
	}
	again, err := OpenRootDraft(d.Dir)
	if err == nil {
		*d = *again
	}
	return err
}

// NewRevocation returns a revocation in a role that begins after the last
// good place. snapshot is an id of a snapshot of this archive, checkpoint
// a signed checkpoint of an answer log of root; "" and nil for none.
func NewRevocation(a *archive.Archive, root *trust.Root, role trust.Role, snapshot string, checkpoint []byte) (trust.Revocation, error) {
	v := trust.Revocation{Role: role}
	switch role {
	case trust.Snapshot, trust.Withdraw:
		if snapshot == "" {
			v.None = true
			return v, nil
		}
		tip, err := a.FindCommit(snapshot)
		if err != nil {
			return v, err
		}
		history, err := a.History(tip)
		if err != nil {
			return v, err
		}
		v.Last, v.Snapshot = trust.Seq(history[0].Seq), history[0].ID
		return v, nil
	}
	if checkpoint == nil {
		v.None = true
		return v, nil
	}
	for _, k := range root.Keys {
		if k.Role != trust.Log {
			continue
		}
		c, err := sign.OpenCheckpoint(checkpoint, k.Key)
		if err != nil {
			continue
		}
		parts := strings.Split(c.Origin, "/")
		epoch, ok := epochOf(parts)
		if !ok || c.Size < 1 {
			break
		}
		v.Last, v.Root = trust.Entry(trust.Name(k.Key), epoch, c.Size), c.Root
		return v, nil
	}
	return v, problem.New(problem.Usage, problem.Advise("give a checkpoint of one of the root's own logs, with at least one entry"), "the checkpoint is of no log of this trust root")
}

// epochOf reads the epoch at the end of a log's origin.
func epochOf(parts []string) (int64, bool) {
	var n int64
	if len(parts) != 5 || parts[4] == "" || len(parts[4]) > 15 {
		return 0, false
	}
	for _, c := range parts[4] {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = 10*n + int64(c-'0')
	}
	return n, n >= 1
}
