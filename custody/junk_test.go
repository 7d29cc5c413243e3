package custody_test

import (
	"path/filepath"
	"strings"
	"testing"

	"muniment/accession"
	"muniment/archive"
	"muniment/archive/archivetest"
	"muniment/archive/logref"
	"muniment/audit"
	"muniment/custody"
	"muniment/history"
	"muniment/objects"
	"muniment/snapshot"
)

// spoiled returns an archive with a tag, a staged paper, a countersignature and a log
// whose refs have junk of every class, as versions before took it from a remote, and the
// hashes of what has to stay.
func spoiled(t *testing.T) (a *archive.Archive, keep []objects.Hash) {
	t.Helper()
	a, s := archivetest.NewLetters(t, 1)
	newLog(t, a, s, 0, 300)
	if _, err := history.Countersign(a, "", archivetest.NewKey(t)); err != nil {
		t.Fatal(err)
	}
	if _, err := history.Tag(a, history.TagOptions{Name: "first", Signer: s}); err != nil {
		t.Fatal(err)
	}
	addFile(t, a, "older.txt", "An older staged letter.\n", accession.AddOptions{})
	keep = append(keep, archivetest.Refs(t, a)[archive.RefStaged]) // no ref leads to it after the next line
	addFile(t, a, "staged.txt", "A staged letter.\n", accession.AddOptions{})
	store := filepath.Join(a.Dir(), archive.StoreDir)
	loose := archivetest.GitWithInput(t, store, "a blob that somebody wrote with git", "hash-object", "-w", "--stdin")
	h, err := objects.ParseHash(loose)
	if err != nil {
		t.Fatal(err)
	}
	keep = append(keep, h)
	for _, ref := range []string{snapshot.RefCountersignatures, archive.RefLog + s.Key().ID()} {
		for name, add := range junkChains(t, store, ref) {
			if name != "a file at the tip" && name != "the name of an empty folder" || archive.IsLogRef(ref) {
				add() // at the tip a file that is no countersignature is a finding of verify
			}
		}
	}
	archivetest.Git(t, store, "repack", "-q", "-a", "-d", "-k")
	a.RememberRefs()
	for name, tip := range archivetest.Refs(t, a) {
		if !archive.IsMergeable(name) {
			keep = append(keep, tip)
		}
	}
	return a, keep
}

// remarks returns what verify and doctor say of objects that nothing signed leads to.
func remarks(t *testing.T, a *archive.Archive) (verify, doctor string) {
	t.Helper()
	v, err := audit.Verify(a, audit.ArchiveVerifyOptions{})
	if err != nil || v.Failed+v.Absent > 0 || len(v.Problems) > 0 {
		t.Errorf("verify: %+v, %v", v, err)
	}
	for _, axis := range v.Axes {
		if _, text, ok := strings.Cut(axis.Reason, "remark: "); ok && axis.Name == "tags and refs" {
			verify = text
		}
	}
	checks, err := audit.Doctor(a)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range checks {
		if c.State == "failed" {
			t.Errorf("doctor: %+v", c)
		}
		if c.Name == "unsigned objects" {
			doctor = c.Detail
		}
	}
	return verify, doctor
}

// A copy that has junk is VALID as before, names the junk, and loses it: all of it and
// nothing else. Two copies that do so write the same refs. An interruption between the two
// halves looks like no tampering and is completed by the next call.
func TestDropJunk(t *testing.T) {
	a, keep := spoiled(t)
	before := archivetest.Refs(t, a)
	verify, doctor := remarks(t, a)
	for ref, tip := range before {
		if archive.IsMergeable(ref) && (!strings.Contains(verify, ref) || !strings.Contains(doctor, ref)) {
			t.Errorf("%s at %s is not named: %q, %q", ref, tip, verify, doctor)
		}
	}
	if !strings.Contains(verify, "no ref leads to 1 object, such as "+keep[1].String()) {
		t.Errorf("the object without a ref: %q", verify)
	}
	if len(findJunk(t, a)) == 0 {
		t.Fatal("there is no junk")
	}
	other := sameCopy(t, a)
	if err := custody.RewriteJunk(a); err != nil {
		t.Fatal(err)
	}
	if err := a.CheckIntact(); err != nil {
		t.Errorf("after an interruption: %v", err)
	}
	remarks(t, a)
	for _, one := range []*archive.Archive{a, other} {
		r, err := custody.DropJunk(one)
		if err != nil || r.Objects == 0 {
			t.Fatalf("%+v, %v", r, err)
		}
		if junk := findJunk(t, one); len(junk) > 0 {
			t.Errorf("left: %q", junk)
		}
		for _, h := range keep {
			if !one.Store().Has(h) {
				t.Errorf("%s is gone", h)
			}
		}
		if err := one.CheckIntact(); err != nil {
			t.Error(err)
		}
		if verify, _ := remarks(t, one); strings.Contains(verify, "refs/") || !strings.Contains(verify, keep[1].String()) {
			t.Errorf("afterwards: %q", verify)
		}
		sigs, err := one.Countersignatures()
		if err != nil || len(sigs[1]) != 1 {
			t.Errorf("%d countersignatures, %v", len(sigs[1]), err)
		}
		if logs, err := logref.CheckLogs(one); err != nil || len(logs) != 1 || logs[0].Size != 300 {
			t.Errorf("log: %+v, %v", logs, err)
		}
		archivetest.Git(t, filepath.Join(one.Dir(), archive.StoreDir), "fsck", "--strict", "--connectivity-only")
		if r, err := custody.DropJunk(one); err != nil || r.Objects > 0 || len(r.Refs) > 0 {
			t.Errorf("once more: %+v, %v", r, err)
		}
	}
	for ref, tip := range archivetest.Refs(t, a) {
		if archivetest.Refs(t, other)[ref] != tip || archive.IsMergeable(ref) == (before[ref] == tip) {
			t.Errorf("%s is %s, was %s, and %s in the other copy", ref, tip, before[ref], archivetest.Refs(t, other)[ref])
		}
	}
}

// A ref that is nothing but junk goes, and no note says that it was lost. A log whose
// signed epoch is damaged is no junk.
func TestDropJunkAlone(t *testing.T) {
	a, s := archivetest.NewLetters(t, 1)
	store := filepath.Join(a.Dir(), archive.StoreDir)
	tree := archivetest.GitWithInput(t, store, "100644 blob "+gitHash(t, store, junkText)+"\tjunk\n", "mktree")
	junk := archivetest.Git(t, store, "-c", "user.name=x", "-c", "user.email=x@y", "commit-tree", "-m", "x", tree)
	archivetest.Git(t, store, "update-ref", snapshot.RefCountersignatures, junk)
	newLog(t, a, s, 0, 300)
	log := archive.RefLog + s.Key().ID()
	top := archivetest.Git(t, store, "ls-tree", log+":1")
	flipped := archivetest.GitWithInput(t, store, strings.Split(top, "\n")[0]+"\n040000 tree "+tree+"\ttile\n", "mktree")
	damaged := archivetest.GitWithInput(t, store, "040000 tree "+flipped+"\t1\n", "mktree")
	archivetest.Git(t, store, "update-ref", log, archivetest.Git(t, store, "-c", "user.name=x", "-c", "user.email=x@y", "commit-tree", "-m", "x", damaged))
	a.RememberRefs()
	if err := custody.RewriteJunk(a); err != nil {
		t.Fatal(err)
	}
	if err := a.CheckIntact(); err != nil {
		t.Errorf("after an interruption: %v", err)
	}
	was := archivetest.Refs(t, a)[log]
	r, err := custody.DropJunk(a)
	if err != nil || r.Objects == 0 {
		t.Fatalf("%+v, %v", r, err)
	}
	refs := archivetest.Refs(t, a)
	if h, err := objects.ParseHash(junk); err != nil || a.Store().Has(h) || !refs[snapshot.RefCountersignatures].IsZero() {
		t.Errorf("the junk is left, %v", err)
	}
	if refs[log] != was || len(r.Refs) != 1 || r.Refs[0].Kept == "" {
		t.Errorf("the damaged log: %+v", r.Refs)
	}
	if err := a.CheckIntact(); err != nil {
		t.Error(err)
	}
}

// A fork that is kept for a join has the remote's history and its countersignatures, and
// no junk that came with them.
func TestForkWithoutJunk(t *testing.T) {
	a, s := archivetest.NewLetters(t, 1)
	b := copyOf(t, a)
	addFile(t, a, "ours.txt", "Ours.\n", accession.AddOptions{})
	archivetest.Seal(t, a, s)
	addFile(t, b, "theirs.txt", "Theirs.\n", accession.AddOptions{})
	helper := archivetest.NewKey(t)
	if _, err := history.Countersign(b, "", helper); err != nil {
		t.Fatal(err)
	}
	archivetest.Seal(t, b, s)
	for _, add := range junkChains(t, filepath.Join(b.Dir(), archive.StoreDir), snapshot.RefCountersignatures) {
		add()
	}
	r, err := custody.Fetch(t.Context(), a, b.Dir(), custody.FetchOptions{})
	if err == nil || r == nil || r.Fork == "" {
		t.Fatalf("%+v, %v", r, err)
	}
	all := archivetest.Git(t, r.Fork, "cat-file", "--batch-all-objects", "--batch")
	if strings.Contains(all, junkText) || strings.Contains(all, "bytes-that-nobody-signed") || !strings.Contains(all, "Theirs.") {
		t.Errorf("the fork holds junk, or not the history")
	}
	if files := archivetest.Git(t, r.Fork, "ls-tree", "-r", "--name-only", snapshot.RefCountersignatures); strings.Count(files, "\n") != 0 || files == "" {
		t.Errorf("countersignatures of the fork: %q", files)
	}
	archivetest.Git(t, r.Fork, "fsck", "--strict")
}
