package history

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
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

// AddRoles adds a key to a draft in some roles, from the next place on. In a role
// that the key has without an end it stays as it is.
func AddRoles(a *archive.Archive, r *trust.Root, k sign.Key, org string, roles []string) {
	next := int64(1)
	if head, _, err := a.Head(); err == nil && head != nil && r.Version > 1 {
		next = head.Seq + 1
	}
	for _, name := range roles {
		line := trust.Key{Role: trust.Role(name), Org: org, Key: k}
		if slices.ContainsFunc(r.Keys, func(l trust.Key) bool { return l.Role == line.Role && l.Org == org && l.Key == k && l.To.IsZero() }) {
			continue
		}
		switch line.Role {
		case trust.Snapshot, trust.Withdraw, trust.Review:
			line.From = trust.Seq(next)
		case trust.Policy:
			line.From = trust.Version(r.Version)
		}
		r.Keys = append(r.Keys, line)
	}
}

// DraftSecond writes the next version of the trust root with a second key into the folder dir, and
// signs it with the owner's. The second key may sign snapshots and roots, and withdraw. Both are of the organisation
// org; "" is that of the owner in the root, else "archive". Where the archive has no root the owner gets every role
// but review and witness. Errors are those of OpenRootDraft and of
// the signer; a draft in dir is one that somebody else works on, and is refused.
func DraftSecond(a *archive.Archive, dir, org string, owner sign.Signer, second sign.Key) (*RootDraft, error) {
	if err := needSigner(owner); err != nil {
		return nil, err
	}
	root, err := a.DraftRoot()
	if err != nil {
		return nil, err
	}
	if d, err := OpenRootDraft(dir); err == nil && d.Root.Version >= root.Version {
		return nil, problem.New(problem.Usage, problem.Advise("choose another folder with --root DIR"), "%s holds a draft of version %d of the trust root", legible.Printable(dir), d.Root.Version)
	}
	if i := slices.IndexFunc(root.Keys, func(l trust.Key) bool { return l.Key == owner.Key() }); org == "" && i >= 0 {
		org = root.Keys[i].Org
	}
	org = cmp.Or(org, "archive")
	changed, err := root.With(func(r *trust.Root) {
		if r.Version == 1 {
			AddRoles(a, r, owner.Key(), org, []string{"snapshot", "withdraw", "answer", "log", "policy"})
		}
		AddRoles(a, r, second, org, []string{"snapshot", "withdraw", "policy"})
	})
	if err != nil {
		return nil, problem.New(problem.Usage, problem.Next(problem.DoDraftRoot), "%w", err)
	}
	d, err := WriteRootDraft(dir, changed)
	if err != nil {
		return nil, err
	}
	return d, d.Sign(owner)
}
