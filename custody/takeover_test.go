package custody_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"muniment/archive"
	"muniment/archive/archivetest"
	"muniment/archive/problem"
	"muniment/custody"
	"muniment/engine"
	"muniment/history"
	"muniment/sign"
	"muniment/sign/trust"
	"muniment/snapshot/layout"
)

// takenOver returns a copy of an archive in which a stranger introduces version 1
// of a trust root that names the stranger's key for every role, and signs it.
func takenOver(t *testing.T, a *archive.Archive, stranger sign.Signer) *archive.Archive {
	t.Helper()
	b := copyOf(t, a)
	rooted(t, b, stranger, func(*trust.Root) {})
	if _, err := engine.Snapshot(b, history.SnapshotOptions{Text: "mine now", Signer: stranger, AwaitCountersign: true}); err != nil {
		t.Fatal(err)
	}
	return b
}

// TestStrangerIntroducesRoot: nobody takes a trust root that a stranger
// introduces, whether the copy was cloned with trust or without it.
func TestStrangerIntroducesRoot(t *testing.T) {
	a, s := archivetest.NewLetters(t, 2)
	stranger := archivetest.NewKey(t)
	hostile := takenOver(t, a, stranger)
	allowed, err := sign.ParseAllowedSigners([]byte(history.TrustLine(s.Key(), "owner")))
	if err != nil {
		t.Fatal(err)
	}
	pinnedDir := t.TempDir() + "/pinned"
	given := archive.Trust{Allowed: allowed, Text: []byte(history.TrustLine(s.Key(), "owner"))}
	if _, err := custody.Clone(t.Context(), a.Dir(), pinnedDir, custody.CloneOptions{Trust: given}, a.World()); err != nil {
		t.Fatal(err)
	}
	pinned, err := archive.Open(pinnedDir, a.World())
	if err != nil {
		t.Fatal(err)
	}
	defer pinned.Close()
	tried := 0
	for name, b := range map[string]*archive.Archive{"the owner's": a, "a copy": copyOf(t, a), "a copy with trust": pinned} {
		before := archivetest.HashFiles(t, b)
		_, err := custody.Fetch(t.Context(), b, hostile.Dir(), custody.FetchOptions{})
		if err == nil || !strings.Contains(err.Error(), stranger.Key().Fingerprint()) {
			t.Errorf("%s: fetch: %v", name, err)
		}
		if archivetest.HashFiles(t, b) != before {
			t.Errorf("%s has changed", name)
		}
		tried++
	}
	if tried != 3 {
		t.Errorf("%d archives tried", tried)
	}
	if _, err := custody.Clone(t.Context(), hostile.Dir(), t.TempDir()+"/taken", custody.CloneOptions{}, a.World()); err == nil {
		t.Error("a clone took the stranger's root")
	}

	// The owner introduces a root, and everybody takes it.
	rooted(t, a, s, func(*trust.Root) {})
	archivetest.Seal(t, a, s)
	if r, err := custody.Fetch(t.Context(), pinned, "origin", custody.FetchOptions{}); err != nil || r.Snapshots != 1 {
		t.Errorf("the owner's root: %+v, %v", r, err)
	}
}

// TestChangedTrustIsNotPushedOn: what came by a fetch under changed trust is not
// pushed to others until a person has accepted it by its digest.
func TestChangedTrustIsNotPushedOn(t *testing.T) {
	a, s := archivetest.NewLetters(t, 1)
	copied := copyOf(t, a)
	other := archivetest.NewBareRepository(t, t.TempDir()+"/r.git")
	if _, err := custody.Push(t.Context(), copied, other, custody.Transfer{}); err != nil {
		t.Fatal(err)
	}
	if err := history.EnrolSigner(a, archivetest.NewKey(t).Key(), "helper"); err != nil {
		t.Fatal(err)
	}
	archivetest.Seal(t, a, s)
	if r, err := custody.Fetch(t.Context(), copied, "origin", custody.FetchOptions{}); err != nil || r.Snapshots != 1 {
		t.Fatalf("%+v, %v", r, err)
	}
	_, err := custody.Push(t.Context(), copied, other, custody.Transfer{})
	head, _, headErr := copied.Head()
	if headErr != nil {
		t.Fatal(headErr)
	}
	digest, digestErr := copied.TrustDigest(head.Tree)
	if digestErr != nil {
		t.Fatal(digestErr)
	}
	if err == nil || !strings.Contains(err.Error(), digest) {
		t.Fatalf("push under changed trust: %v", err)
	}
	if _, err := custody.Push(t.Context(), copied, other, custody.Transfer{AcceptTrust: strings.Repeat("0", len(digest))}); err == nil {
		t.Error("another digest was accepted")
	}
	if r, err := custody.Push(t.Context(), copied, other, custody.Transfer{AcceptTrust: digest}); err != nil || r.Snapshots != 1 {
		t.Errorf("accepted: %+v, %v", r, err)
	}
	// The owner, who signed the change, is not asked.
	if _, err := custody.Push(t.Context(), a, archivetest.NewBareRepository(t, t.TempDir()+"/s.git"), custody.Transfer{}); err != nil {
		t.Errorf("the owner's push: %v", err)
	}
}

// TestJoinOfOtherTrust: a helper whose key was taken away forked before that. It
// cannot sign the join that would keep its own list of signers; a key with the role
// withdraw under both lists can.
func TestJoinOfOtherTrust(t *testing.T) {
	a, s := archivetest.NewLetters(t, 1)
	helper := archivetest.NewKey(t)
	tree, err := a.NewestTree()
	if err != nil {
		t.Fatal(err)
	}
	before, err := a.File(tree, layout.PathAllowedSigners)
	if err != nil {
		t.Fatal(err)
	}
	lists := func(text []byte) {
		if err := a.Edit(map[string][]byte{layout.PathAllowedSigners: text}); err != nil {
			t.Fatal(err)
		}
		archivetest.Seal(t, a, s)
	}
	lists(fmt.Appendf(nil, "%shelper namespaces=\"git\" %s\n", before, helper.Key().Authorized()))
	forked := copyOf(t, a)
	archivetest.AddLetter(t, forked, helper, "A letter of the helper.\n")
	lists(before)
	var refused *problem.Error
	_, err = history.SignUnion(forked, history.JoinOptions{Other: a.Dir(), Text: "mine", Signer: helper})
	if !errors.As(err, &refused) || refused.Kind != problem.NotPermitted || !strings.Contains(err.Error(), "differ in trust or policy") {
		t.Errorf("a join by the helper: %v", err)
	}
	if _, err := history.SignUnion(forked, history.JoinOptions{Other: a.Dir(), Text: "ours", Signer: s}); err != nil {
		t.Errorf("a join by the owner: %v", err)
	}
}
