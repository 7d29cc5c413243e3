package muniment

import (
	"crypto/rand"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"muniment/objects"
	"muniment/sign"
	"muniment/sign/sshkey"
	"muniment/sign/trust"
	"muniment/snapshot"
	"muniment/snapshot/record"
)

// newKey makes a key of its own file.
func newKey(t *testing.T) sign.Signer {
	t.Helper()
	s, err := sshkey.Generate(rand.Reader, filepath.Join(t.TempDir(), "key"), "test", nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// rooted puts a version of the trust root in force in which by signs all.
func rooted(t *testing.T, a *Archive, by sign.Signer, change func(*trust.Root)) {
	t.Helper()
	draft, err := a.DraftRoot()
	if err != nil {
		t.Fatal(err)
	}
	root, err := draft.With(func(r *trust.Root) {
		if r.Version == 1 {
			for _, role := range []trust.Role{trust.Snapshot, trust.Withdraw, trust.Answer, trust.Log, trust.Policy} {
				k := trust.Key{Role: role, Org: "vale", Key: by.Key()}
				switch role {
				case trust.Snapshot, trust.Withdraw:
					k.From = trust.Seq(1)
				case trust.Policy:
					k.From = trust.Version(1)
				}
				r.Keys = append(r.Keys, k)
			}
		}
		change(r)
	})
	if err != nil {
		t.Fatal(err)
	}
	d, err := WriteRootDraft(t.TempDir(), root)
	if err == nil {
		err = d.Sign(by)
	}
	if err == nil {
		_, err = a.PutRootInForce(d.Signed)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// copyOf clones an archive.
func copyOf(t *testing.T, a *Archive) *Archive {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "copy")
	if _, err := Clone(t.Context(), a.Dir(), dir, CloneOptions{}, a.world); err != nil {
		t.Fatal(err)
	}
	c, err := Open(dir, a.world)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// TestFetchByOwnRoot judges what comes in by the trust root that the copy has:
// nobody gives --trust.
func TestFetchByOwnRoot(t *testing.T) {
	a, s := letters(t, 1)
	second := newKey(t)
	rooted(t, a, s, func(*trust.Root) {})
	sealArchive(t, a, s)
	copied := copyOf(t, a)

	// A version that follows is taken, and its new key counts at once.
	rooted(t, a, s, func(r *trust.Root) {
		r.Keys = append(r.Keys, trust.Key{Role: trust.Snapshot, Org: "vale", Key: second.Key(), From: trust.Seq(3)})
	})
	sealArchive(t, a, s)
	another(t, a, second, "A letter signed by the second key.\n")
	if r, err := copied.Fetch(t.Context(), "origin", FetchOptions{}); err != nil || r.Snapshots != 2 {
		t.Fatalf("a newer root: %+v, %v", r, err)
	}
	another(t, a, second, "And one more by it, with nothing new to trust.\n")
	if r, err := copied.Fetch(t.Context(), "origin", FetchOptions{}); err != nil || r.Snapshots != 1 {
		t.Fatalf("the same root: %+v, %v", r, err)
	}

	stranger := newKey(t)
	good := a.Dir()
	for name, tc := range map[string]struct {
		spoil func(*Archive)
		want  string
	}{
		"a signer that only allowed_signers names": {func(b *Archive) {
			if err := b.EnrolSigner(stranger.Key(), "stranger"); err != nil {
				t.Fatal(err)
			}
			sealArchive(t, b, s)
			another(t, b, stranger, "A letter that a stranger signed.\n")
		}, "does not give that key the role"},
		"another root in force, unsigned": {func(b *Archive) {
			root, err := trust.First(b.ID()).With(func(r *trust.Root) {
				r.Keys = []trust.Key{{Role: trust.Snapshot, Org: "thief", Key: s.Key(), From: trust.Seq(1)}, {Role: trust.Policy, Org: "thief", Key: s.Key(), From: trust.Version(1)}}
			})
			if err != nil {
				t.Fatal(err)
			}
			if err := b.edit(map[string][]byte{pathTrustRoot: root.Encode()}); err != nil {
				t.Fatal(err)
			}
			sealArchive(t, b, s)
		}, "trust root"},
		"no root any more": {func(b *Archive) {
			dropFolder(t, b, dirTrust)
			sealArchive(t, b, s)
		}, "trust root"},
	} {
		dir := filepath.Join(t.TempDir(), "spoiled")
		if _, err := Clone(t.Context(), good, dir, CloneOptions{}, a.world); err != nil {
			t.Fatal(err)
		}
		b, err := Open(dir, a.world)
		if err != nil {
			t.Fatal(err)
		}
		tc.spoil(b)
		before := state(t, copied)
		_, err = copied.Fetch(t.Context(), dir, FetchOptions{})
		var told *Error
		if !errors.As(err, &told) || told.Type != TypeVerification || !strings.Contains(told.Message, tc.want) {
			t.Errorf("%s: %v", name, err)
		}
		if state(t, copied) != before {
			t.Errorf("%s: the archive has changed", name)
		}
		b.Close()
	}
}

// dropFolder stages a tree without a folder.
func dropFolder(t *testing.T, a *Archive, folder string) {
	t.Helper()
	tree, staged, err := a.stagedTree()
	if err != nil {
		t.Fatal(err)
	}
	_, tip, err := a.mustHead()
	if err != nil {
		t.Fatal(err)
	}
	lock, err := a.writeLock()
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Unlock()
	b, err := a.store.NewBatch()
	if err != nil {
		t.Fatal(err)
	}
	if err := stageEdits(b, lock, a.world, tree, staged, tip, []objects.Edit{{Path: folder}}); err != nil {
		t.Fatal(err)
	}
}

// TestFetchWithdrawal: a snapshot that withdraws without a key that may is
// refused until one has co-signed it, or is taken over by who is to co-sign.
func TestFetchWithdrawal(t *testing.T) {
	a, s := letters(t, 2)
	helper := newKey(t)
	tree, err := a.newestTree()
	if err != nil {
		t.Fatal(err)
	}
	allowed, err := a.file(tree, record.PathAllowedSigners)
	if err != nil {
		t.Fatal(err)
	}
	allowed = fmt.Appendf(allowed, "helper namespaces=\"git\" %s\n", helper.Key().Authorized())
	if err := a.edit(map[string][]byte{record.PathAllowedSigners: allowed}); err != nil {
		t.Fatal(err)
	}
	sealArchive(t, a, s)
	copied, custodian := copyOf(t, a), copyOf(t, a)
	if _, err := a.Withdraw(WithdrawOptions{Artifacts: []string{"letter-1.txt"}, Reason: "asked", Authority: "the board"}); err != nil {
		t.Fatal(err)
	}
	if _, err := a.Snapshot(SnapshotOptions{Text: "withdrawn", Signer: helper}); err == nil {
		t.Fatal("the helper's key may withdraw")
	}
	if _, err := a.Snapshot(SnapshotOptions{Text: "withdrawn", Signer: helper, AwaitCosign: true}); err != nil {
		t.Fatal(err)
	}
	_, err = copied.Fetch(t.Context(), "origin", FetchOptions{})
	var told *Error
	if !errors.As(err, &told) || told.Type != TypeNotPermitted || !strings.Contains(told.Message, "withdraws the artifact") {
		t.Fatalf("a withdrawal that nobody may: %v", err)
	}
	if _, err := custodian.Fetch(t.Context(), "origin", FetchOptions{AwaitCosign: true}); err != nil {
		t.Fatal(err)
	}
	if _, err := custodian.Cosign("", s); err != nil {
		t.Fatal(err)
	}
	if r, err := custodian.Push(t.Context(), "origin", Transfer{}); err != nil || len(r.Refs) != 1 || !r.Refs[0].Done {
		t.Fatalf("push of the co-signature: %+v, %v", r, err)
	}
	if r, err := copied.Fetch(t.Context(), "origin", FetchOptions{}); err != nil || r.Snapshots != 1 {
		t.Fatalf("once it is co-signed: %+v, %v", r, err)
	}
	if refsOf(t, copied)[snapshot.RefCosigs].IsZero() {
		t.Error("the co-signature did not come along")
	}
}

// TestFetchSelfGrant: a key that may sign snapshots gives itself, in a program of
// its own, the role withdraw, and withdraws: in one snapshot, in the next, or
// after it did away with the file. Nobody who fetches or clones takes it.
func TestFetchSelfGrant(t *testing.T) {
	a, s := letters(t, 2)
	helper := newKey(t)
	file := func(b *Archive) []byte {
		tree, err := b.newestTree()
		if err != nil {
			t.Fatal(err)
		}
		data, err := b.file(tree, record.PathAllowedSigners)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	lines := fmt.Appendf(file(a), "helper namespaces=\"git\" %s\n", helper.Key().Authorized())
	if err := a.edit(map[string][]byte{record.PathAllowedSigners: lines}); err != nil {
		t.Fatal(err)
	}
	sealArchive(t, a, s)
	copied := copyOf(t, a)
	grant := func(b *Archive) {
		own := fmt.Appendf(file(b), "helper namespaces=\"withdraw@muniment\" %s\n", helper.Key().Authorized())
		if err := b.edit(map[string][]byte{record.PathAllowedSigners: own}); err != nil {
			t.Fatal(err)
		}
	}
	withdraw := func(b *Archive) {
		if _, err := b.Withdraw(WithdrawOptions{Artifacts: []string{"letter-1.txt"}, Reason: "asked", Authority: "me"}); err != nil {
			t.Fatal(err)
		}
	}
	seal := func(b *Archive) {
		// The program of the helper asks nobody.
		if _, err := b.Snapshot(SnapshotOptions{Text: "mine", Signer: helper, AwaitCosign: true}); err != nil {
			t.Fatal(err)
		}
	}
	for name, tc := range map[string]struct {
		spoil func(*Archive)
		want  string
	}{
		"in one snapshot": {func(b *Archive) { grant(b); withdraw(b); seal(b) }, "withdraws the artifact"},
		"in the next":     {func(b *Archive) { grant(b); seal(b); withdraw(b); seal(b) }, "gives a key the role withdraw"},
		"the grant alone": {func(b *Archive) { grant(b); seal(b) }, "gives a key the role withdraw"},
		"without a file":  {func(b *Archive) { dropFolder(t, b, "trust"); seal(b); withdraw(b); seal(b) }, "drops trust/allowed_signers"},
	} {
		b := copyOf(t, a)
		tc.spoil(b)
		before := state(t, copied)
		if _, err := copied.Fetch(t.Context(), b.Dir(), FetchOptions{}); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: fetch: %v", name, err)
		}
		if state(t, copied) != before {
			t.Errorf("%s: the archive has changed", name)
		}
		if _, err := Clone(t.Context(), b.Dir(), filepath.Join(t.TempDir(), "taken"), CloneOptions{}, a.world); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: clone: %v", name, err)
		}
	}

	// Who has the role gives it, and from the next snapshot on it counts.
	b := copyOf(t, a)
	grant(b)
	sealArchive(t, b, s)
	withdraw(b)
	if _, err := b.Snapshot(SnapshotOptions{Text: "mine", Signer: helper}); err != nil {
		t.Fatal(err)
	}
	if r, err := copied.Fetch(t.Context(), b.Dir(), FetchOptions{}); err != nil || r.Snapshots != 2 {
		t.Errorf("a role that was given: %+v, %v", r, err)
	}
}

// TestRefusedRefs: what only a refused tag or a malformed set of co-signatures
// leads to does not stay in the archive, nor in a clone.
func TestRefusedRefs(t *testing.T) {
	a, s := letters(t, 2)
	repo := bare(t, filepath.Join(t.TempDir(), "r.git"))
	if _, err := a.AddRemote("host", repo); err != nil {
		t.Fatal(err)
	}
	if _, err := a.Push(t.Context(), "host", Transfer{}); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "copy")
	if _, err := Clone(t.Context(), repo, dir, CloneOptions{}, a.world); err != nil {
		t.Fatal(err)
	}
	copied, err := Open(dir, a.world)
	if err != nil {
		t.Fatal(err)
	}
	defer copied.Close()
	another(t, a, s, "The third letter.\n")
	// A well made tag by a key that nobody allowed, and one by ours.
	stranger, err := a.Tag(TagOptions{Name: "stranger", Snapshot: "1", Signer: newKey(t)})
	if err != nil || stranger.Problem != "" {
		t.Fatal(stranger, err)
	}
	if _, err := a.Tag(TagOptions{Name: "ours", Snapshot: "1", Signer: s}); err != nil {
		t.Fatal(err)
	}
	if _, err := a.Push(t.Context(), "host", Transfer{}); err != nil {
		t.Fatal(err)
	}
	// A commit of its own under a tag, and a set of co-signatures with junk.
	tree := gitIn(t, repo, "100644 blob "+gitHash(t, repo, "a page that nobody signed\n")+"\tpage.txt\n", "mktree")
	plain := git(t, repo, "-c", "user.name=x", "-c", "user.email=x@y", "commit-tree", "-m", "x", tree)
	git(t, repo, "update-ref", "refs/tags/gift", plain)
	junk := gitIn(t, repo, "100644 blob "+gitHash(t, repo, "not a co-signature\n")+"\tjunk\n", "mktree")
	git(t, repo, "update-ref", snapshot.RefCosigs, git(t, repo, "-c", "user.name=x", "-c", "user.email=x@y", "commit-tree", "-m", "x", junk))

	// A snapshot's own commit under a tag that nobody signed: verify would fail.
	git(t, repo, "update-ref", "refs/tags/light", "main")

	r, err := copied.Fetch(t.Context(), "origin", FetchOptions{})
	if err != nil || r.Snapshots != 1 || len(r.Refs) != 5 {
		t.Fatalf("fetch: %+v, %v", r, err)
	}
	into := filepath.Join(t.TempDir(), "second")
	c, err := Clone(t.Context(), repo, into, CloneOptions{}, a.world)
	if err != nil || c.Snapshots != 3 || len(c.Refs) != 5 {
		t.Fatalf("clone: %+v, %v", c, err)
	}
	second, err := Open(into, a.world)
	if err != nil {
		t.Fatal(err)
	}
	defer second.Close()
	for name, b := range map[string]*Archive{"fetch": copied, "clone": second} {
		for _, one := range append(r.Refs, c.Refs...) {
			if ours := one.Name == "refs/tags/ours"; one.Done != ours || (one.Reason == "") != ours {
				t.Errorf("%s: %s: %+v", name, one.Name, one)
			}
		}
		for _, h := range []string{tree, plain, junk} {
			hash, err := objects.ParseHash(h)
			if err != nil {
				t.Fatal(err)
			}
			if b.store.Has(hash) {
				t.Errorf("%s: %s of a refused ref stays", name, h)
			}
		}
		if v, err := b.Verify(ArchiveVerifyOptions{}); err != nil || v.Failed+v.Absent > 0 || v.Seq != 3 {
			t.Errorf("%s: %+v, %v", name, v, err)
		}
		git(t, filepath.Join(b.Dir(), StoreDir), "fsck", "--strict")
	}
}

// gitHash writes a blob with stock git.
func gitHash(t *testing.T, dir, text string) string {
	t.Helper()
	return gitIn(t, dir, text, "hash-object", "-w", "--stdin")
}

// gitIn runs stock git with some input.
func gitIn(t *testing.T, dir, in string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-C", dir}, args...)...)
	cmd.Stdin = strings.NewReader(in)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}
