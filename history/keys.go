package history

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"

	"muniment/archive"
	"muniment/archive/problem"
	"muniment/objects/disk"
	"muniment/sign"
	"muniment/snapshot/access"
	"muniment/snapshot/layout"
	"muniment/text/legible"
)

// scopeName matches the name of an auditor scope: it names a file in every bundle.
var scopeName = regexp.MustCompile(`^[a-z][a-z0-9-]{0,30}$`)

// Auditors returns the auditor scopes of the next snapshot.
func Auditors(a *archive.Archive) (*access.Auditors, error) {
	tree, err := a.NewestTree()
	if err != nil {
		return nil, err
	}
	data, err := a.File(tree, layout.PathAuditors)
	if err != nil {
		return nil, err
	}
	if data == nil {
		return &access.Auditors{}, nil
	}
	auditors, err := access.ParseAuditors(data)
	if err != nil {
		return nil, problem.Negative(problem.Damaged, problem.Next(problem.DoVerify), "%s: %w", layout.PathAuditors, err)
	}
	return auditors, nil
}

// EnrolAuditor stages recipient, an age public key, as one that can open what
// answers seal for scope. The scope that Init made is replaced by the first
// other scope, which the archivist's own identity can then open too. A further
// scope must say which leaf kinds it holds. A threshold that is not 0 says how
// many of the scope's people must come together from now on.
func EnrolAuditor(a *archive.Archive, scope, recipient string, holds []string, threshold int) error {
	if !scopeName.MatchString(scope) {
		return problem.New(problem.Usage, problem.Advise("a scope is a short lower case word, such as audit or court"), "auditor scope %q", legible.Printable(scope))
	}
	if err := sign.ParseRecipient(recipient); err != nil {
		return problem.New(problem.Key, problem.Next(problem.DoNewAuditor, scope), "auditor recipient: %w", err)
	}
	auditors, err := Auditors(a)
	if err != nil {
		return err
	}
	at := slices.IndexFunc(auditors.Scopes, func(s access.Scope) bool { return s.Name == scope })
	first := slices.IndexFunc(auditors.Scopes, func(s access.Scope) bool { return s.Default })
	general := slices.IndexFunc(auditors.Scopes, func(s access.Scope) bool { return len(s.Holds) == 0 })
	switch {
	case at >= 0:
		s := &auditors.Scopes[at]
		if !slices.Contains(s.Recipients, recipient) {
			s.Recipients = append(s.Recipients, recipient)
		}
	case len(holds) > 0:
		auditors.Scopes = append(auditors.Scopes, access.Scope{Name: scope, Holds: holds, Recipients: []string{recipient}})
	case first >= 0:
		s := &auditors.Scopes[first]
		s.Name, s.Default = scope, false
		s.Recipients = append(s.Recipients, recipient)
	case general >= 0:
		return problem.New(problem.Usage, problem.Next(problem.DoGive, "auditor", auditors.Scopes[general].Name).With("or let the new scope hold leaf kinds of its own, as source,chunk"),
			"scope %s already holds everything that is not disclosed", auditors.Scopes[general].Name)
	default:
		auditors.Scopes = append(auditors.Scopes, access.Scope{Name: scope, Recipients: []string{recipient}})
	}
	for i := range auditors.Scopes {
		if threshold != 0 && auditors.Scopes[i].Name == scope {
			auditors.Scopes[i].Threshold = threshold
		}
	}
	encoded, err := auditors.Encode()
	if err != nil {
		return problem.New(problem.Usage, problem.Advise("age refuses to mix post-quantum and classic recipients in one scope; leaf kinds are claim, cite, source, chunk, gate; a threshold is 2 or more of at most 5 people"), "auditor scope: %w", err)
	}
	return a.Edit(map[string][]byte{layout.PathAuditors: encoded})
}

// EnrolSigner stages k in trust/allowed_signers, with the namespaces of TrustLine.
func EnrolSigner(a *archive.Archive, k sign.Key, principal string, namespaces ...string) error {
	tree, err := a.NewestTree()
	if err != nil {
		return err
	}
	old, err := a.File(tree, layout.PathAllowedSigners)
	if err != nil {
		return err
	}
	if old != nil {
		signers, err := sign.ParseAllowedSigners(old)
		if err != nil {
			return problem.Negative(problem.Damaged, problem.Next(problem.DoVerify), "%s: %w", layout.PathAllowedSigners, err)
		}
		wanted := namespaces
		if len(wanted) == 0 {
			wanted = []string{sign.NamespaceGit}
		}
		if !slices.ContainsFunc(wanted, func(n string) bool { _, ok := signers.Allows(k, n, a.ID()); return !ok }) {
			return nil
		}
	}
	return a.Edit(map[string][]byte{layout.PathAllowedSigners: append(old, TrustLine(k, principal, namespaces...)...)})
}

// ArchivistIdentity returns the identity that Init made, or nil when this
// copy of the archive has none.
func ArchivistIdentity(a *archive.Archive) ([]byte, error) {
	data, err := disk.ReadOwnPlain(filepath.Join(a.Dir(), archive.LocalDir, archive.IdentityFile), sign.MaxIdentities)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	return data, problem.Wrap(err, "auditor identity")
}
