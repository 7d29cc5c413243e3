package custody_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"muniment/archive"
	"muniment/archive/archivetest"
	"muniment/archive/problem"
	"muniment/audit"
	"muniment/custody"
	"muniment/engine"
	"muniment/history"
	"muniment/objects"
	"muniment/sign"
	"muniment/sign/trust"
	"muniment/snapshot"
	"muniment/snapshot/layout"
)

// rooted puts a version of the trust root in force in which by signs all.
func rooted(t *testing.T, a *archive.Archive, by sign.Signer, change func(*trust.Root)) {
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
	d, err := history.WriteRootDraft(t.TempDir(), root)
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
func copyOf(t *testing.T, a *archive.Archive) *archive.Archive {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "copy")
	if _, err := custody.Clone(t.Context(), a.Dir(), dir, custody.CloneOptions{}, a.World()); err != nil {
		t.Fatal(err)
	}
	c, err := archive.Open(dir, a.World())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// TestFetchByOwnRoot judges what comes in by the trust root that the copy has:
// nobody gives --trust.
func TestFetchByOwnRoot(t *testing.T) {
	a, s := archivetest.NewLetters(t, 1)
	second := archivetest.NewKey(t)
	rooted(t, a, s, func(*trust.Root) {})
	archivetest.Seal(t, a, s)
	copied := copyOf(t, a)

	// A version that follows is taken, and its new key counts at once.
	rooted(t, a, s, func(r *trust.Root) {
		r.Keys = append(r.Keys, trust.Key{Role: trust.Snapshot, Org: "vale", Key: second.Key(), From: trust.Seq(3)})
	})
	archivetest.Seal(t, a, s)
	archivetest.AddLetter(t, a, second, "A letter signed by the second key.\n")
	if r, err := custody.Fetch(t.Context(), copied, "origin", custody.FetchOptions{}); err != nil || r.Snapshots != 2 {
		t.Fatalf("a newer root: %+v, %v", r, err)
	}
	archivetest.AddLetter(t, a, second, "And one more by it, with nothing new to trust.\n")
	if r, err := custody.Fetch(t.Context(), copied, "origin", custody.FetchOptions{}); err != nil || r.Snapshots != 1 {
		t.Fatalf("the same root: %+v, %v", r, err)
	}

	stranger := archivetest.NewKey(t)
	good := a.Dir()
	for name, tc := range map[string]struct {
		spoil func(*archive.Archive)
		want  string
	}{
		"a signer that only allowed_signers names": {func(b *archive.Archive) {
			if err := history.EnrolSigner(b, stranger.Key(), "stranger"); err != nil {
				t.Fatal(err)
			}
			archivetest.Seal(t, b, s)
			archivetest.AddLetter(t, b, stranger, "A letter that a stranger signed.\n")
		}, "does not give that key the role"},
		"another root in force, unsigned": {func(b *archive.Archive) {
			root, err := trust.First(b.ID()).With(func(r *trust.Root) {
				r.Keys = []trust.Key{{Role: trust.Snapshot, Org: "thief", Key: s.Key(), From: trust.Seq(1)}, {Role: trust.Policy, Org: "thief", Key: s.Key(), From: trust.Version(1)}}
			})
			if err != nil {
				t.Fatal(err)
			}
			if err := b.Edit(map[string][]byte{archive.PathTrustRoot: root.Encode()}); err != nil {
				t.Fatal(err)
			}
			archivetest.Seal(t, b, s)
		}, "trust root"},
		"no root any more": {func(b *archive.Archive) {
			dropFolder(t, b, archive.DirTrust)
			archivetest.Seal(t, b, s)
		}, "trust root"},
	} {
		dir := filepath.Join(t.TempDir(), "spoiled")
		if _, err := custody.Clone(t.Context(), good, dir, custody.CloneOptions{}, a.World()); err != nil {
			t.Fatal(err)
		}
		b, err := archive.Open(dir, a.World())
		if err != nil {
			t.Fatal(err)
		}
		tc.spoil(b)
		before := archivetest.HashFiles(t, copied)
		_, err = custody.Fetch(t.Context(), copied, dir, custody.FetchOptions{})
		var failure *problem.Error
		if !errors.As(err, &failure) || failure.Kind != problem.Verification || !strings.Contains(failure.Message, tc.want) {
			t.Errorf("%s: %v", name, err)
		}
		if archivetest.HashFiles(t, copied) != before {
			t.Errorf("%s: the archive has changed", name)
		}
		b.Close()
	}
}

// dropFolder stages a tree without a folder.
func dropFolder(t *testing.T, a *archive.Archive, folder string) {
	t.Helper()
	tree, staged, err := a.StagedTree()
	if err != nil {
		t.Fatal(err)
	}
	_, tip, err := a.RequireHead()
	if err != nil {
		t.Fatal(err)
	}
	lock, err := a.Lock()
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Unlock()
	b, err := a.Store().NewBatch()
	if err != nil {
		t.Fatal(err)
	}
	if err := archive.StageEdits(b, lock, a.World(), tree, staged, tip, []objects.Edit{{Path: folder}}); err != nil {
		t.Fatal(err)
	}
}

// TestFetchWithdrawal: a snapshot that withdraws without a key that may is
// refused until one has countersigned it, or is taken over by who is to countersign.
func TestFetchWithdrawal(t *testing.T) {
	a, s := archivetest.NewLetters(t, 2)
	helper := archivetest.NewKey(t)
	tree, err := a.NewestTree()
	if err != nil {
		t.Fatal(err)
	}
	allowed, err := a.File(tree, layout.PathAllowedSigners)
	if err != nil {
		t.Fatal(err)
	}
	allowed = fmt.Appendf(allowed, "helper namespaces=\"git\" %s\n", helper.Key().Authorized())
	if err := a.Edit(map[string][]byte{layout.PathAllowedSigners: allowed}); err != nil {
		t.Fatal(err)
	}
	archivetest.Seal(t, a, s)
	copied, custodian := copyOf(t, a), copyOf(t, a)
	if _, err := history.Withdraw(a, history.WithdrawOptions{Artifacts: []string{"letter-1.txt"}, Reason: "asked", Authority: "the board"}); err != nil {
		t.Fatal(err)
	}
	if _, err := engine.Snapshot(a, history.SnapshotOptions{Text: "withdrawn", Signer: helper}); err == nil {
		t.Fatal("the helper's key may withdraw")
	}
	if _, err := engine.Snapshot(a, history.SnapshotOptions{Text: "withdrawn", Signer: helper, AwaitCountersign: true}); err != nil {
		t.Fatal(err)
	}
	_, err = custody.Fetch(t.Context(), copied, "origin", custody.FetchOptions{})
	var failure *problem.Error
	if !errors.As(err, &failure) || failure.Kind != problem.NotPermitted || !strings.Contains(failure.Message, "withdraws the artifact") {
		t.Fatalf("a withdrawal that nobody may: %v", err)
	}
	if _, err := custody.Fetch(t.Context(), custodian, "origin", custody.FetchOptions{AwaitCountersign: true}); err != nil {
		t.Fatal(err)
	}
	if _, err := history.Countersign(custodian, "", s); err != nil {
		t.Fatal(err)
	}
	if r, err := custody.Push(t.Context(), custodian, "origin", custody.Transfer{}); err != nil || len(r.Refs) != 1 || !r.Refs[0].Done {
		t.Fatalf("push of the countersignature: %+v, %v", r, err)
	}
	// Beside it lie junk, and a countersignature of this snapshot under the number of another.
	dir := filepath.Join(a.Dir(), archive.StoreDir)
	good := archivetest.Git(t, dir, "rev-parse", snapshot.RefCountersignatures)
	inner := archivetest.Git(t, dir, "ls-tree", good+":"+archivetest.Git(t, dir, "ls-tree", "--name-only", good))
	junk := archivetest.GitWithInput(t, dir, "100644 blob "+gitHash(t, dir, "junk")+"\tjunk\n"+archivetest.Git(t, dir, "ls-tree", good)+
		"\n040000 tree "+archivetest.GitWithInput(t, dir, inner+"\n", "mktree")+"\t1000\n", "mktree")
	archivetest.Git(t, dir, "update-ref", snapshot.RefCountersignatures, archivetest.Git(t, dir, "-c", "user.name=x", "-c", "user.email=x@y", "commit-tree", "-p", good, "-m", "x", junk))
	if r, err := custody.Fetch(t.Context(), copied, "origin", custody.FetchOptions{}); err != nil || r.Snapshots != 1 {
		t.Fatalf("once it is countersigned: %+v, %v", r, err)
	}
	for name, one := range map[string]*archive.Archive{"fetched": copied, "cloned": copyOf(t, a)} {
		tip := archivetest.Refs(t, one)[archive.RefMain]
		head, err := archive.SnapshotAt(one.Store(), tip)
		if err != nil {
			t.Fatal(err)
		}
		permit, err := history.OwnPermit(one.Repository, head)
		if err != nil {
			t.Fatal(err)
		}
		report, err := snapshot.CheckWith(one.Store(), tip, snapshot.Checking{Permit: permit})
		if err != nil || !report.Sound() || len(report.Unauthorized) > 0 || report.Withdrawing == 0 {
			t.Errorf("%s: what was judged is not what is stored: %+v, %v", name, report, err)
		}
		if sigs, err := one.Countersignatures(); err != nil || len(sigs[head.Seq]) != 1 || len(sigs[1000]) != 0 {
			t.Errorf("%s: countersignatures: %v, %v", name, sigs, err)
		}
	}
	if archivetest.Refs(t, copied)[snapshot.RefCountersignatures].IsZero() {
		t.Error("the countersignature did not come along")
	}
}

// TestFetchSelfGrant: a key that may sign snapshots gives itself, in a program of
// its own, the role withdraw, and withdraws: in one snapshot, in the next, or
// after it did away with the file. Nobody who fetches or clones takes it.
func TestFetchSelfGrant(t *testing.T) {
	a, s := archivetest.NewLetters(t, 2)
	helper := archivetest.NewKey(t)
	file := func(b *archive.Archive) []byte {
		tree, err := b.NewestTree()
		if err != nil {
			t.Fatal(err)
		}
		data, err := b.File(tree, layout.PathAllowedSigners)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	lines := fmt.Appendf(file(a), "helper namespaces=\"git\" %s\n", helper.Key().Authorized())
	if err := a.Edit(map[string][]byte{layout.PathAllowedSigners: lines}); err != nil {
		t.Fatal(err)
	}
	archivetest.Seal(t, a, s)
	copied := copyOf(t, a)
	grant := func(b *archive.Archive) {
		own := fmt.Appendf(file(b), "helper namespaces=\"withdraw@muniment\" %s\n", helper.Key().Authorized())
		if err := b.Edit(map[string][]byte{layout.PathAllowedSigners: own}); err != nil {
			t.Fatal(err)
		}
	}
	withdraw := func(b *archive.Archive) {
		if _, err := history.Withdraw(b, history.WithdrawOptions{Artifacts: []string{"letter-1.txt"}, Reason: "asked", Authority: "me"}); err != nil {
			t.Fatal(err)
		}
	}
	seal := func(b *archive.Archive) {
		// The program of the helper asks nobody.
		if _, err := engine.Snapshot(b, history.SnapshotOptions{Text: "mine", Signer: helper, AwaitCountersign: true}); err != nil {
			t.Fatal(err)
		}
	}
	for name, tc := range map[string]struct {
		spoil func(*archive.Archive)
		want  string
	}{
		"in one snapshot": {func(b *archive.Archive) { grant(b); withdraw(b); seal(b) }, "withdraws the artifact"},
		"in the next":     {func(b *archive.Archive) { grant(b); seal(b); withdraw(b); seal(b) }, "gives a key the role withdraw"},
		"the grant alone": {func(b *archive.Archive) { grant(b); seal(b) }, "gives a key the role withdraw"},
		"without a file":  {func(b *archive.Archive) { dropFolder(t, b, "trust"); seal(b); withdraw(b); seal(b) }, "drops trust/allowed_signers"},
	} {
		b := copyOf(t, a)
		tc.spoil(b)
		before := archivetest.HashFiles(t, copied)
		if _, err := custody.Fetch(t.Context(), copied, b.Dir(), custody.FetchOptions{}); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: fetch: %v", name, err)
		}
		if archivetest.HashFiles(t, copied) != before {
			t.Errorf("%s: the archive has changed", name)
		}
		if _, err := custody.Clone(t.Context(), b.Dir(), filepath.Join(t.TempDir(), "taken"), custody.CloneOptions{}, a.World()); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: clone: %v", name, err)
		}
	}

	// Who has the role gives it, and from the next snapshot on it counts.
	b := copyOf(t, a)
	grant(b)
	archivetest.Seal(t, b, s)
	withdraw(b)
	if _, err := engine.Snapshot(b, history.SnapshotOptions{Text: "mine", Signer: helper}); err != nil {
		t.Fatal(err)
	}
	if r, err := custody.Fetch(t.Context(), copied, b.Dir(), custody.FetchOptions{}); err != nil || r.Snapshots != 2 {
		t.Errorf("a role that was given: %+v, %v", r, err)
	}
}

// TestRefusedRefs: what only a refused tag or a malformed set of countersignatures
// leads to does not stay in the archive, nor in a clone.
func TestRefusedRefs(t *testing.T) {
	a, s := archivetest.NewLetters(t, 2)
	repo := archivetest.NewBareRepository(t, filepath.Join(t.TempDir(), "r.git"))
	if _, err := custody.AddRemote(a, "host", repo); err != nil {
		t.Fatal(err)
	}
	if _, err := custody.Push(t.Context(), a, "host", custody.Transfer{}); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "copy")
	if _, err := custody.Clone(t.Context(), repo, dir, custody.CloneOptions{}, a.World()); err != nil {
		t.Fatal(err)
	}
	copied, err := archive.Open(dir, a.World())
	if err != nil {
		t.Fatal(err)
	}
	defer copied.Close()
	archivetest.AddLetter(t, a, s, "The third letter.\n")
	// A well made tag by a key that nobody allowed, and one by ours.
	stranger, err := history.Tag(a, history.TagOptions{Name: "stranger", Snapshot: "1", Signer: archivetest.NewKey(t)})
	if err != nil || stranger.Problem != "" {
		t.Fatal(stranger, err)
	}
	if _, err := history.Tag(a, history.TagOptions{Name: "ours", Snapshot: "1", Signer: s}); err != nil {
		t.Fatal(err)
	}
	if _, err := custody.Push(t.Context(), a, "host", custody.Transfer{}); err != nil {
		t.Fatal(err)
	}
	// A commit of its own under a tag, and a set of countersignatures with junk.
	tree := archivetest.GitWithInput(t, repo, "100644 blob "+gitHash(t, repo, "a page that nobody signed\n")+"\tpage.txt\n", "mktree")
	plain := archivetest.Git(t, repo, "-c", "user.name=x", "-c", "user.email=x@y", "commit-tree", "-m", "x", tree)
	archivetest.Git(t, repo, "update-ref", "refs/tags/gift", plain)
	junk := archivetest.GitWithInput(t, repo, "100644 blob "+gitHash(t, repo, "not a countersignature\n")+"\tjunk\n", "mktree")
	archivetest.Git(t, repo, "update-ref", snapshot.RefCountersignatures, archivetest.Git(t, repo, "-c", "user.name=x", "-c", "user.email=x@y", "commit-tree", "-m", "x", junk))

	// A snapshot's own commit under a tag that nobody signed: verify would fail.
	archivetest.Git(t, repo, "update-ref", "refs/tags/light", "main")

	r, err := custody.Fetch(t.Context(), copied, "origin", custody.FetchOptions{})
	if err != nil || r.Snapshots != 1 || len(r.Refs) != 5 {
		t.Fatalf("fetch: %+v, %v", r, err)
	}
	into := filepath.Join(t.TempDir(), "second")
	c, err := custody.Clone(t.Context(), repo, into, custody.CloneOptions{}, a.World())
	if err != nil || c.Snapshots != 3 || len(c.Refs) != 5 {
		t.Fatalf("clone: %+v, %v", c, err)
	}
	second, err := archive.Open(into, a.World())
	if err != nil {
		t.Fatal(err)
	}
	defer second.Close()
	for name, b := range map[string]*archive.Archive{"fetch": copied, "clone": second} {
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
			if b.Store().Has(hash) {
				t.Errorf("%s: %s of a refused ref stays", name, h)
			}
		}
		if v, err := audit.Verify(b, audit.ArchiveVerifyOptions{}); err != nil || v.Failed+v.Absent > 0 || v.Seq != 3 {
			t.Errorf("%s: %+v, %v", name, v, err)
		}
		archivetest.Git(t, filepath.Join(b.Dir(), archive.StoreDir), "fsck", "--strict")
	}
}

// gitHash writes a blob with stock git.
func gitHash(t *testing.T, dir, text string) string {
	t.Helper()
	return archivetest.GitWithInput(t, dir, text, "hash-object", "-w", "--stdin")
}
