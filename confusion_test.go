package muniment

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"muniment/bundle"
	"muniment/cid"
	"muniment/objects"
	"muniment/record"
)

// Bytes that are also a record, a consent, a citation, a tree, a snapshot, a
// list of chunks or a node of a proof are a payload like any other when they
// are added: nothing else in the archive changes by them, verify passes, and
// their id is refused where the other kind of id is wanted.
func TestTypeConfusion(t *testing.T) {
	a, s := testArchive(t, papers)
	sealArchive(t, a, s, ConsentOptions{Artifacts: []string{"1937-01-09.txt"}, Preset: "closed"})
	head, tip, err := a.mustHead()
	if err != nil {
		t.Fatal(err)
	}
	inside := map[string][]byte{"snapshot": head.Content, "consent": nil, "record": nil, "policy": nil, "archive": nil}
	err = a.store.Walk(head.Tree, "", func(path string, h objects.Hash) error {
		_, data, err := a.store.Get(h)
		if err != nil {
			return err
		}
		switch kind, _ := record.ClassifyPath(path); kind {
		case record.KindRecord:
			inside["record"] = data
		case record.KindConsent:
			inside["consent"] = data
		case record.KindPolicy:
			inside["policy"] = data
		case record.KindArchive:
			inside["archive"] = data
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, inside["tree"], err = a.store.Get(head.Tree); err != nil {
		t.Fatal(err)
	}
	sum := cid.Of(inside["record"]).Digest()
	inside["proof node"] = append(append([]byte{1}, sum[:]...), sum[:]...)
	inside["proof leaf"] = append([]byte{0}, inside["record"]...)
	inside["chunk list"] = append(append([]byte{}, sum[:]...), sum[:]...)
	inside["root line"] = []byte("00 0 " + cid.Of(nil).String() + "\n")
	inside["withdrawal"] = []byte(`{"type":"muniment/withdrawal/v1"}`)
	inside["citation"] = []byte(`{"type":"muniment/citation/v1"}`)
	in := t.TempDir()
	for name, data := range inside {
		if len(data) == 0 {
			t.Fatalf("the archive holds no %s", name)
		}
		if err := os.WriteFile(filepath.Join(in, name+".bin"), data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	before, err := a.load(head.Tree)
	if err != nil {
		t.Fatal(err)
	}
	consent := filesOf(t, a, head.Tree, record.KindConsent)
	if _, err := a.Add(context.Background(), []string{in}, AddOptions{}); err != nil {
		t.Fatal(err)
	}
	a.world.Now = func() time.Time { return time.Now().Add(time.Second) }
	sealArchive(t, a, s)
	after, newTip, err := a.mustHead()
	if err != nil || newTip == tip || after.Seq != head.Seq+1 {
		t.Fatalf("the next snapshot is %d at %s, %v", after.Seq, newTip, err)
	}
	cat, err := a.load(after.Tree)
	if err != nil {
		t.Fatal(err)
	}
	if got := len(cat.artifacts) - len(before.artifacts); got != len(inside) {
		t.Errorf("%d artifacts were added, want %d", got, len(inside))
	}
	if got := filesOf(t, a, after.Tree, record.KindConsent); len(got) != len(consent) {
		t.Errorf("consents are %v, were %v", got, consent)
	}
	for _, kind := range []record.Kind{record.KindWithdrawn, record.KindCitation, record.KindLoneRecord} {
		if got := filesOf(t, a, after.Tree, kind); len(got) > 0 {
			t.Errorf("%v came from a payload", got)
		}
	}
	if v, err := a.Verify(ArchiveVerifyOptions{}); err != nil || v.Verdict == bundle.Invalid || v.Failed+v.Absent+v.NotChecked > 0 {
		t.Errorf("verify: %+v, %v", v, err)
	}
	// The id of the bytes as a payload is not their id as an object of ours.
	for name, data := range inside {
		raw, own := cid.Of(data), cid.OfJSON(data)
		if raw == own || raw.Digest() != own.Digest() {
			t.Errorf("%s: as a payload it is %s, as an object %s", name, raw, own)
		}
		if _, err := cid.ParseAs(cid.Raw, own.String()); err == nil {
			t.Errorf("%s: the id of an object is taken for that of a payload", name)
		}
		if _, err := cat.resolve(own.String()); err == nil && name != "record" {
			t.Errorf("%s: an object's id resolves to the artifact of the same bytes", name)
		}
	}
}

func filesOf(t *testing.T, a *Archive, tree objects.Hash, want record.Kind) []string {
	t.Helper()
	var out []string
	err := a.store.Walk(tree, "", func(path string, _ objects.Hash) error {
		if kind, _ := record.ClassifyPath(path); kind == want {
			out = append(out, path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}
