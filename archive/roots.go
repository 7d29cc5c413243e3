package archive

import (
	"cmp"
	"errors"
	"fmt"
	"path"
	"strconv"
	"strings"

	"muniment/archive/problem"
	"muniment/cid/jcs"
	"muniment/objects"
	"muniment/sign"
	"muniment/sign/trust"
	"muniment/snapshot"
	"muniment/snapshot/layout"
)

// Where the trust root lies in an archive: the version in force, and every
// version with its signatures, trust/<version>/root.txt beside
// trust/<version>/<key id>.sshsig.
const (
	PathTrustRoot = layout.PathTrustRoot
	DirTrust      = "trust"
	NameRoot      = "root.txt"
	ExtSignature  = ".sshsig"
)

// TrustRootIn returns the trust root in a tree, or nil when it has none.
func (a *Repository) TrustRootIn(tree objects.Hash) (*trust.Root, error) {
	return readRoot(a.Store(), tree)
}

// readRoot returns the trust root in a tree of st, or nil when it has none.
func readRoot(st *objects.Store, tree objects.Hash) (*trust.Root, error) {
	h, ok, err := st.Lookup(tree, PathTrustRoot)
	if err != nil || !ok {
		return nil, problem.Wrap(err, PathTrustRoot)
	}
	_, data, err := st.Get(h)
	if err != nil {
		return nil, problem.Wrap(err, PathTrustRoot)
	}
	root, err := trust.Parse(data)
	if err != nil {
		return nil, problem.Negative(problem.Damaged, problem.Next(problem.DoVerify), "%s: %w", PathTrustRoot, err)
	}
	return root, nil
}

// TrustRoot returns the trust root of the next snapshot, or nil when the
// archive has none. It is what the archive says of itself: a verifier brings
// a root of its own.
func (a *Repository) TrustRoot() (*trust.Root, error) {
	tree, err := a.NewestTree()
	if err != nil {
		return nil, err
	}
	return a.TrustRootIn(tree)
}

// DraftRoot returns the next version of the trust root, to be changed and signed.
func (a *Archive) DraftRoot() (*trust.Root, error) {
	root, err := a.TrustRoot()
	if err != nil {
		return nil, err
	}
	if root == nil {
		return trust.First(a.id), nil
	}
	return root.Next(), nil
}

// PutRootInForce stages a version of the trust root that enough policy keys of
// the version before, and of itself, have signed.
func (a *Archive) PutRootInForce(s trust.Signed) (*trust.Root, error) {
	old, err := a.TrustRoot()
	if err != nil {
		return nil, err
	}
	root, err := s.Verify(old)
	if err != nil {
		return nil, problem.New(problem.Verification, problem.Next(problem.DoDraftRoot).With("begin from the version in force, and let custodians sign it"), "%w", err)
	}
	if root.Archive != a.id {
		return nil, problem.New(problem.Usage, problem.Next(problem.DoDraftRoot), "the trust root is of archive %s, this is %s", root.Archive, a.id)
	}
	dir := path.Join(DirTrust, strconv.FormatInt(root.Version, 10))
	files := map[string][]byte{PathTrustRoot: s.Text, path.Join(dir, NameRoot): s.Text}
	for _, armored := range s.Signatures {
		sig, err := sign.ParseSignature(armored)
		if err != nil {
			return nil, problem.New(problem.Key, problem.Advise("sign it again"), "%w", err)
		}
		files[path.Join(dir, sig.Key().ID()+ExtSignature)] = armored
	}
	return root, a.Edit(files)
}

// rootVersions returns every version in a tree, oldest first, as it was signed.
func rootVersions(st *objects.Store, tree objects.Hash) ([]trust.Signed, error) {
	found := map[int64]*trust.Signed{}
	last := int64(0)
	err := st.Walk(tree, DirTrust, func(name string, blob objects.Hash) error {
		rest := strings.TrimPrefix(name, DirTrust+"/")
		version, file, ok := strings.Cut(rest, "/")
		n, err := strconv.ParseInt(version, 10, 64)
		if !ok || err != nil || n < 1 || strconv.FormatInt(n, 10) != version {
			return nil
		}
		_, data, err := st.Get(blob)
		if err != nil {
			return err
		}
		if found[n] == nil {
			found[n] = &trust.Signed{}
		}
		last = max(last, n)
		switch {
		case file == NameRoot:
			found[n].Text = data
		case strings.HasSuffix(file, ExtSignature):
			found[n].Signatures = append(found[n].Signatures, data)
		}
		return nil
	})
	if err != nil {
		return nil, problem.Wrap(err, "trust root")
	}
	if int64(len(found)) != last {
		return nil, problem.Negative(problem.Damaged, problem.Advise("restore archive.git from a good copy"), "trust: %d versions of the root, the newest is %d", len(found), last)
	}
	out := make([]trust.Signed, last)
	for n := range out {
		out[n] = *found[int64(n)+1]
	}
	return out, nil
}

// A RootVerdict says whether the trust root of an archive follows from the one that
// was trusted before.
type RootVerdict struct {
	Follows bool
	Newer   bool   // it does not, as a newer program wrote a version that the one before it signed
	Reason  string // one line, of either verdict
}

// JudgeRoots checks the trust root through a history, see rootSteps. A root that
// the verifier brought must be one of its versions; the newest is then returned
// to judge by. The verdict is nil where the archive keeps no root of its own.
func (a *Repository) JudgeRoots(history []*snapshot.Snapshot, given *trust.Root) (*trust.Root, *RootVerdict) {
	if len(history) == 0 {
		return given, nil
	}
	newest, err := rootSteps(a.Store(), history)
	var newer *jcs.NewerError
	var versions []trust.Signed
	if err == nil || errors.As(err, &newer) {
		var unread error
		versions, unread = rootVersions(a.Store(), history[0].Tree)
		err = cmp.Or(unread, err)
	}
	if given != nil && errors.As(err, &newer) { // a newer version counts as one that follows from the given one
		_, err = trust.Advance(given, versions)
	}
	switch {
	case err != nil:
		return given, notFollowing(err)
	case newest == nil:
		return given, nil
	case given == nil:
		return nil, &RootVerdict{Follows: true, Reason: fmt.Sprintf("version %d follows from version 1, snapshot by snapshot; none was given to compare", newest.Version)}
	case newest.Version < given.Version:
		return given, &RootVerdict{Reason: fmt.Sprintf("the archive has version %d, yet version %d is trusted: it was taken back", newest.Version, given.Version)}
	}
	advanced, err := trust.Advance(given, versions)
	if err != nil {
		return given, notFollowing(err)
	}
	return advanced, &RootVerdict{Follows: true, Reason: fmt.Sprintf("version %d follows from the version %d that is trusted", advanced.Version, given.Version)}
}

// notFollowing returns the verdict on a root that err stopped.
func notFollowing(err error) *RootVerdict {
	var newer *jcs.NewerError
	return &RootVerdict{Newer: errors.As(err, &newer), Reason: err.Error()}
}

// TrustText returns the text that an answer names as its trust in force: the
// trust root of a tree, or else its allowed_signers.
func (a *Repository) TrustText(tree objects.Hash) ([]byte, error) {
	data, err := a.File(tree, PathTrustRoot)
	if err != nil || data != nil {
		return data, err
	}
	return a.File(tree, layout.PathAllowedSigners)
}
