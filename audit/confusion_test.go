package audit

import (
	"context"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"muniment/accession"
	"muniment/archive"
	"muniment/archive/archivetest"
	"muniment/bundle"
	"muniment/cid"
	"muniment/cid/merkle"
	"muniment/engine"
	"muniment/history"
	"muniment/objects"
	"muniment/snapshot"
	"muniment/snapshot/layout"
	"muniment/snapshot/record"
)

// Bytes that are also a record, a consent, a citation, a tree, a snapshot, a
// list of chunks or a node of a proof are a payload like any other when they
// are added: nothing else in the archive changes by them, verify passes, and
// their id is refused where the other kind of id is wanted.
func TestTypeConfusion(t *testing.T) {
	a, s := archivetest.New(t, archivetest.Papers)
	archivetest.Seal(t, a, s, history.ConsentOptions{Artifacts: []string{"1937-01-09.txt"}, Preset: "closed"})
	head, tip, err := a.RequireHead()
	if err != nil {
		t.Fatal(err)
	}
	inside := map[string][]byte{"snapshot": head.Content, "consent": nil, "record": nil, "policy": nil, "archive": nil}
	err = a.Store().Walk(head.Tree, "", func(path string, h objects.Hash) error {
		_, data, err := a.Store().Get(h)
		if err != nil {
			return err
		}
		switch kind, _ := layout.ClassifyPath(path); kind {
		case layout.KindRecord:
			inside["record"] = data
		case layout.KindConsent:
			inside["consent"] = data
		case layout.KindPolicy:
			inside["policy"] = data
		case layout.KindArchive:
			inside["archive"] = data
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, inside["tree"], err = a.Store().Get(head.Tree); err != nil {
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
	before, err := a.Catalog(head.Tree).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	consent := filesOf(t, a, head.Tree, layout.KindConsent)
	if _, err := accession.Add(context.Background(), a, []string{in}, accession.AddOptions{}); err != nil {
		t.Fatal(err)
	}
	a = archivetest.ReopenWithClock(t, a, func() time.Time { return time.Now().Add(time.Second) })
	archivetest.Seal(t, a, s)
	after, newTip, err := a.RequireHead()
	if err != nil || newTip == tip || after.Seq != head.Seq+1 {
		t.Fatalf("the next snapshot is %d at %s, %v", after.Seq, newTip, err)
	}
	cat, err := a.Catalog(after.Tree).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if got := len(cat.Artifacts) - len(before.Artifacts); got != len(inside) {
		t.Errorf("%d artifacts were added, want %d", got, len(inside))
	}
	if got := filesOf(t, a, after.Tree, layout.KindConsent); len(got) != len(consent) {
		t.Errorf("consents are %v, were %v", got, consent)
	}
	for _, kind := range []layout.Kind{layout.KindWithdrawn, layout.KindCitation, layout.KindLoneRecord} {
		if got := filesOf(t, a, after.Tree, kind); len(got) > 0 {
			t.Errorf("%v came from a payload", got)
		}
	}
	if v, err := Verify(a, ArchiveVerifyOptions{}); err != nil || v.Verdict == bundle.Invalid || v.Failed+v.Absent+v.NotChecked > 0 {
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
		if _, err := a.Catalog(after.Tree).Resolve(own.String()); err == nil && name != "record" {
			t.Errorf("%s: an object's id resolves to the artifact of the same bytes", name)
		}
	}
}

func filesOf(t *testing.T, a *archive.Archive, tree objects.Hash, want layout.Kind) []string {
	t.Helper()
	var out []string
	err := a.Store().Walk(tree, "", func(path string, _ objects.Hash) error {
		if kind, _ := layout.ClassifyPath(path); kind == want {
			out = append(out, path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// A proof that shows a file that was taken in as a record, a snapshot or the
// line of a record is refused, and so is a citation of the id of a record: what
// a thing is, is said by where it lies, never by its bytes.
func TestConfusedProof(t *testing.T) {
	a, s := archivetest.New(t, archivetest.Papers)
	archivetest.Seal(t, a, s)
	const name = "1931-03-14.txt"
	honest, err := ProveParagraph(a, name, "p1:0-1")
	if err != nil {
		t.Fatal(err)
	}
	// A record in form, which gives the letter one paragraph it never had.
	rec, err := record.ParseRecord([]byte(honest.RecordJSON))
	if err != nil {
		t.Fatal(err)
	}
	const lie = "The mill was sold for three pounds."
	leaf := merkle.LeafHash([]byte(lie))
	rec.PCount, rec.PRoot = 1, hex.EncodeToString(leaf[:])
	rec.LCount, rec.LRoot = 1, rec.PRoot
	forged, err := rec.Encode()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "forged.bin")
	if err := os.WriteFile(file, forged, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := accession.Add(t.Context(), a, []string{file}, accession.AddOptions{}); err != nil {
		t.Fatal(err)
	}
	archivetest.Seal(t, a, s)
	head, _, err := a.RequireHead()
	if err != nil {
		t.Fatal(err)
	}
	tree, err := snapshot.OpenTree(a.Store(), head, nil)
	if err != nil {
		t.Fatal(err)
	}
	line, err := tree.Prove(layout.OriginalPath(cid.Of(forged)))
	if err != nil || len(line.Lines) != 1 || line.Absent != "" {
		t.Fatalf("the forged record is not stored as it is: %+v, %v", line, err)
	}
	confused := *honest
	confused.Kind, confused.Ordinal, confused.Text, confused.Proof = "p", 1, lie, []string{}
	confused.RecordJSON, confused.RecordProof, confused.Commit = string(forged), *line, string(head.Content)
	again, err := ProveParagraph(a, name, "p1:0-1")
	if err != nil {
		t.Fatal(err)
	}
	moved := *again // the honest proof under the path of the file
	moved.RecordProof = *line
	asCommit := *again
	asCommit.Commit = string(forged)
	for what, p := range map[string]*ParagraphProof{"a file as a record": &confused, "a record at the place of a file": &moved, "a file as a snapshot": &asCommit} {
		data, err := p.Encode()
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := bundle.VerifyParagraph(data, bundle.Requirements{}); err == nil {
			t.Errorf("%s: the proof is accepted", what)
		}
	}
	if data, err := again.Encode(); err != nil {
		t.Fatal(err)
	} else if _, _, err := bundle.VerifyParagraph(data, bundle.Requirements{}); err != nil {
		t.Errorf("the honest proof: %v", err)
	}
	// The range of the letter shows its one record, not the file like one.
	p, err := ProveArtifact(a, name)
	if err != nil {
		t.Fatal(err)
	}
	if beside, err := p.Range.Verify(head.Root); err != nil || len(beside.Records) != 1 {
		t.Errorf("beside the letter: %+v, %v", beside, err)
	}
	for what, id := range map[string]string{"record": cid.OfJSON([]byte(honest.RecordJSON)).String(), "file like a record, as an object": cid.OfJSON(forged).String(), "snapshot": head.ID.String()} {
		if r, err := engine.Cite(a, engine.CiteOptions{Artifact: id, Quote: "mill wheel", Claim: "The wheel stopped.", NoRegister: true}); err == nil && r.VerificationStatus == "verified" {
			t.Errorf("a quote from a %s is verified: %+v", what, r)
		}
		if strings.HasPrefix(id, "bagaa") {
			if _, err := ProveArtifact(a, id); err == nil && what != "record" {
				t.Errorf("the id of a %s is proved as that of an artifact", what)
			}
		}
	}
}
