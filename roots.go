package muniment

import (
	"fmt"
	"path"
	"strconv"
	"strings"

	"muniment/bundle"
	"muniment/objects"
	"muniment/record"
	"muniment/sign"
	"muniment/trust"
)

// Where the trust root lies in an archive: the version in force, and every
// version with its signatures, trust/<version>/root.txt beside
// trust/<version>/<key id>.sshsig.
const (
	pathTrustRoot = "trust/root.txt"
	dirTrust      = "trust"
	nameRoot      = "root.txt"
	extSignature  = ".sshsig"
)

// rootOf returns the trust root in a tree, or nil when it has none.
func (a *Archive) rootOf(tree objects.Hash) (*trust.Root, error) {
	data, err := a.file(tree, pathTrustRoot)
	if err != nil || data == nil {
		return nil, err
	}
	root, err := trust.Parse(data)
	if err != nil {
		return nil, problem(TypeDamaged, ExitNo, "muniment verify says more", "%s: %w", pathTrustRoot, err)
	}
	return root, nil
}

// TrustRoot returns the trust root of the next snapshot, or nil when the
// archive has none. It is what the archive says of itself: a verifier brings
// a root of its own.
func (a *Archive) TrustRoot() (*trust.Root, error) {
	tree, err := a.newestTree()
	if err != nil {
		return nil, err
	}
	return a.rootOf(tree)
}

// DraftRoot returns the beginning of the next version of the trust root.
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
		return nil, problem(TypeVerification, ExitNo, "begin from the version in force with muniment key trust --root DIR, and let custodians sign it", "%w", err)
	}
	if root.Archive != a.id {
		return nil, problem(TypeUsage, ExitUsage, "muniment key trust --root DIR begins one for this archive", "the trust root is of archive %s, this is %s", root.Archive, a.id)
	}
	dir := path.Join(dirTrust, strconv.FormatInt(root.Version, 10))
	files := map[string][]byte{pathTrustRoot: s.Text, path.Join(dir, nameRoot): s.Text}
	for _, armored := range s.Signatures {
		sig, err := sign.ParseSignature(armored)
		if err != nil {
			return nil, problem(TypeKey, ExitKey, "sign it again", "%w", err)
		}
		files[path.Join(dir, sig.Key().ID()+extSignature)] = armored
	}
	return root, a.edit(files)
}

// rootVersions returns every version in a tree, oldest first, as it was signed.
func (a *Archive) rootVersions(tree objects.Hash) ([]trust.Signed, error) {
	found := map[int64]*trust.Signed{}
	last := int64(0)
	err := a.store.Walk(tree, dirTrust, func(name string, blob objects.Hash) error {
		rest := strings.TrimPrefix(name, dirTrust+"/")
		version, file, ok := strings.Cut(rest, "/")
		n, err := strconv.ParseInt(version, 10, 64)
		if !ok || err != nil || n < 1 || strconv.FormatInt(n, 10) != version {
			return nil
		}
		_, data, err := a.store.Get(blob)
		if err != nil {
			return err
		}
		if found[n] == nil {
			found[n] = &trust.Signed{}
		}
		last = max(last, n)
		switch {
		case file == nameRoot:
			found[n].Text = data
		case strings.HasSuffix(file, extSignature):
			found[n].Signatures = append(found[n].Signatures, data)
		}
		return nil
	})
	if err != nil {
		return nil, environment(err, "trust root")
	}
	if int64(len(found)) != last {
		return nil, problem(TypeDamaged, ExitNo, "restore archive.git from a good copy", "trust: %d versions of the root, the newest is %d", len(found), last)
	}
	out := make([]trust.Signed, last)
	for n := range out {
		out[n] = *found[int64(n)+1]
	}
	return out, nil
}

// judgeRoots checks the versions of the trust root in a tree: each is signed
// by enough of its own policy keys and of those before it, and the newest is
// the one in force. A root that the verifier brought must be one of them; the
// newest is then returned to judge by.
func (a *Archive) judgeRoots(tree objects.Hash, given *trust.Root) (*trust.Root, *bundle.Axis) {
	axis := &bundle.Axis{Name: "trust root", Result: bundle.Fail}
	versions, err := a.rootVersions(tree)
	if err != nil {
		axis.Reason = err.Error()
		return given, axis
	}
	inForce, err := a.rootOf(tree)
	switch {
	case err != nil:
		axis.Reason = err.Error()
		return given, axis
	case inForce == nil && len(versions) == 0:
		return given, nil // the archive keeps none of its own
	case inForce == nil:
		axis.Reason = pathTrustRoot + " is gone, and its versions are there"
		return given, axis
	case len(versions) == 0:
		axis.Reason = pathTrustRoot + " is there, and no signed version beside it"
		return given, axis
	}
	first, err := versions[0].Verify(nil)
	if err != nil {
		axis.Reason = err.Error()
		return given, axis
	}
	newest, err := trust.Advance(first, versions)
	switch {
	case err != nil:
		axis.Reason = err.Error()
		return given, axis
	case newest.Digest() != inForce.Digest():
		axis.Reason = fmt.Sprintf("%s is version %d, the newest that is signed is %d", pathTrustRoot, inForce.Version, newest.Version)
		return given, axis
	case given == nil:
		axis.Result, axis.Reason = bundle.Pass, fmt.Sprintf("version %d follows from version 1; none was given to compare", newest.Version)
		return nil, axis
	case newest.Version < given.Version:
		axis.Reason = fmt.Sprintf("the archive has version %d, yet version %d is trusted: it was taken back", newest.Version, given.Version)
		return given, axis
	}
	advanced, err := trust.Advance(given, versions)
	if err != nil {
		axis.Reason = err.Error()
		return given, axis
	}
	axis.Result, axis.Reason = bundle.Pass, fmt.Sprintf("version %d follows from the version %d that is trusted", advanced.Version, given.Version)
	return advanced, axis
}

// trustText returns the text that an answer names as its trust in force: the
// trust root of a tree, or else its allowed_signers.
func (a *Archive) trustText(tree objects.Hash) ([]byte, error) {
	data, err := a.file(tree, pathTrustRoot)
	if err != nil || data != nil {
		return data, err
	}
	return a.file(tree, record.PathAllowedSigners)
}
