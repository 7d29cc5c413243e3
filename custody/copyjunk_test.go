package custody_test

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"muniment/archive"
	"muniment/archive/answerlog"
	"muniment/archive/archivetest"
	"muniment/archive/logref"
	"muniment/custody"
	"muniment/history"
	"muniment/objects"
	"muniment/sign"
	"muniment/snapshot"
)

// junkText is what no honest copy may store.
const junkText = "bytes that nobody signed "

// junkChains adds junk to a ref of a repository in each way that a keeper without a key
// has, and leaves a tree at the tip that ends in ours.
func junkChains(t *testing.T, repo, ref string) map[string]func() {
	t.Helper()
	git := func(in string, args ...string) string { return archivetest.GitWithInput(t, repo, in, args...) }
	commit := func(tree, text string, parents ...string) string {
		args := []string{"-c", "user.name=x", "-c", "user.email=x@y", "commit-tree", "-m", text, tree}
		for _, p := range parents {
			args = append(args, "-p", p)
		}
		return git("", args...)
	}
	write := func(content string) string { return git(content, "hash-object", "-t", "commit", "-w", "--stdin") }
	with := func(extra string) string { return git(git("", "ls-tree", ref)+"\n"+extra, "mktree") }
	blob := func(i int) string { return git(junkText+fmt.Sprint(i), "hash-object", "-w", "--stdin") }
	set := func(h string) { git("", "update-ref", ref, h) }
	return map[string]func(){
		"a file in a parent": func() {
			tip := git("", "rev-parse", ref)
			with := commit(with("100644 blob "+blob(1)+"\tjunk\n"), "x", tip)
			set(commit(git("", "rev-parse", tip+"^{tree}"), "x", with))
		},
		"a file at the tip": func() {
			tip := git("", "rev-parse", ref)
			set(commit(with("100644 blob "+blob(2)+"\tjunk-at-the-tip\n"), "x", tip))
		},
		"the text of a commit": func() {
			tip := git("", "rev-parse", ref)
			set(commit(git("", "rev-parse", tip+"^{tree}"), junkText+"3", tip))
		},
		"an unrelated parent in the program's form": func() {
			tip := git("", "rev-parse", ref)
			tree := git("100644 blob "+blob(4)+"\tjunk\n", "mktree")
			at := func(tree, parents string) string {
				content := git("", "cat-file", "commit", tip)
				_, rest, _ := strings.Cut(content, "author ")
				return write("tree " + tree + "\n" + parents + "author " + rest + "\n")
			}
			side := at(tree, "")
			set(at(git("", "rev-parse", tip+"^{tree}"), "parent "+tip+"\nparent "+side+"\n"))
		},
		"the name of an empty folder": func() {
			tip := git("", "rev-parse", ref)
			empty := git("", "hash-object", "-t", "tree", "-w", "--stdin")
			set(commit(with("040000 tree "+empty+"\tbytes-that-nobody-signed-5\n"), "x", tip))
		},
	}
}

// findJunk returns the junk that any object of an archive holds, in any pack.
func findJunk(t *testing.T, a *archive.Archive) []string {
	t.Helper()
	var found []string
	all := archivetest.GitWithInput(t, filepath.Join(a.Dir(), archive.StoreDir), "", "cat-file", "--batch-all-objects", "--batch")
	for _, text := range []string{junkText, "bytes-that-nobody-signed"} {
		if strings.Contains(all, text) {
			found = append(found, text)
		}
	}
	return found
}

// newLog appends entries to the log of a key in an archive and publishes it.
func newLog(t *testing.T, a *archive.Archive, s sign.Signer, from, to int) {
	t.Helper()
	dir, err := a.LocalPath("log")
	if err != nil {
		t.Fatal(err)
	}
	l, err := answerlog.Open(dir, s, a.ID())
	if err != nil {
		t.Fatal(err)
	}
	var appends sync.WaitGroup // those that wait for each other are written together
	for i := from; i < to; i++ {
		appends.Go(func() {
			if _, err := l.Append([32]byte{byte(i), byte(i >> 8)}); err != nil {
				t.Error(err)
			}
		})
	}
	appends.Wait()
	if _, err := logref.PublishLogs(a, true); err != nil {
		t.Fatal(err)
	}
}

// cloneOf returns a copy of an archive made from a repository.
func cloneOf(t *testing.T, a *archive.Archive, from string) *archive.Archive {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "copy")
	if _, err := custody.Clone(t.Context(), from, dir, custody.CloneOptions{}, a.World()); err != nil {
		t.Fatal(err)
	}
	c, err := archive.Open(dir, a.World())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// Between two honest copies is a remote whose keeper adds junk to what they exchange.
// They still get each other's countersignatures and log entries through it, and no junk;
// the fetch names the remote, and after its keeper's command the push goes through.
func TestJunkRemote(t *testing.T) {
	a, s := archivetest.NewLetters(t, 1)
	repo := archivetest.NewBareRepository(t, filepath.Join(t.TempDir(), "r.git"))
	sync := func(one *archive.Archive) *custody.FetchResult {
		t.Helper()
		r, err := custody.Sync(t.Context(), one, custody.FetchOptions{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return r.Remotes[0].Fetched
	}
	if _, err := custody.AddRemote(a, "host", repo); err != nil {
		t.Fatal(err)
	}
	sync(a)
	b := cloneOf(t, a, repo)
	const answers = 300
	newLog(t, a, s, 0, answers)
	if _, err := history.Countersign(a, "", archivetest.NewKey(t)); err != nil {
		t.Fatal(err)
	}
	sync(a)
	refs := []string{snapshot.RefCountersignatures, archive.RefLog + s.Key().ID()}
	good, chains := map[string]string{}, map[string]map[string]func(){}
	for _, ref := range refs {
		good[ref], chains[ref] = archivetest.Git(t, repo, "rev-parse", ref), junkChains(t, repo, ref)
	}
	for name := range chains[refs[0]] { // each class alone, in both refs
		for _, ref := range refs {
			chains[ref][name]()
		}
		c := cloneOf(t, a, repo)
		if junk := findJunk(t, c); len(junk) > 0 {
			t.Errorf("%s: a clone holds %q", name, junk)
		}
		for _, ref := range refs {
			if archivetest.Refs(t, c)[ref].IsZero() {
				t.Errorf("%s: a clone has no %s", name, ref)
			}
			archivetest.Git(t, repo, "update-ref", ref, good[ref])
		}
	}
	for _, ref := range refs { // and all of them
		for _, add := range chains[ref] {
			add()
		}
	}
	if _, err := history.Countersign(b, "", archivetest.NewKey(t)); err != nil {
		t.Fatal(err)
	}
	named := 0
	for _, c := range sync(b).Refs {
		if strings.Contains(c.Reason, "origin") && c.OwnerCommand == "git update-ref -d "+c.Name {
			named++
		}
	}
	if named != len(refs) {
		t.Errorf("the remote is named for %d of %d refs", named, len(refs))
	}
	sync(a)
	if _, err := custody.Fetch(t.Context(), a, b.Dir(), custody.FetchOptions{}); err != nil {
		t.Fatal(err)
	}
	before := archivetest.Refs(t, a)
	if _, err := custody.Fetch(t.Context(), a, repo, custody.FetchOptions{}); err != nil {
		t.Fatal(err)
	}
	for _, ref := range refs {
		if archivetest.Refs(t, a)[ref] != before[ref] {
			t.Errorf("%s: the same junk moved it again", ref)
		}
		archivetest.Git(t, repo, "update-ref", "-d", ref)
	}
	for _, one := range []*archive.Archive{a, b, a} {
		for _, c := range sync(one).Refs {
			if c.OwnerCommand != "" {
				t.Errorf("after the keeper's command: %+v", c)
			}
		}
	}
	for i, one := range []*archive.Archive{a, b, cloneOf(t, a, repo)} {
		if junk := findJunk(t, one); len(junk) > 0 {
			t.Errorf("copy %d holds %q", i, junk)
		}
		sigs, err := one.Countersignatures()
		if err != nil || len(sigs[1]) != 2 {
			t.Errorf("copy %d: %d countersignatures, %v", i, len(sigs[1]), err)
		}
		logs, err := logref.CheckLogs(one)
		if err != nil || len(logs) != 1 || logs[0].Size != answers {
			t.Errorf("copy %d: log: %+v, %v", i, logs, err)
		}
	}
}

// Countersignatures by made-up keys fill no copy: some hundred are taken, the rest is not.
func TestUnnamedCountersignatures(t *testing.T) {
	a, _ := archivetest.NewLetters(t, 1)
	repo := archivetest.NewBareRepository(t, filepath.Join(t.TempDir(), "r.git"))
	if _, err := custody.Push(t.Context(), a, repo, custody.Transfer{}); err != nil {
		t.Fatal(err)
	}
	head, _, err := a.RequireHead()
	if err != nil {
		t.Fatal(err)
	}
	var in bytes.Buffer
	fmt.Fprintf(&in, "commit %s\ncommitter x <x@y> 1 +0000\ndata 0\n", snapshot.RefCountersignatures)
	const made = custody.MaxUnnamed + 50
	for range made {
		s := archivetest.NewKey(t)
		c, err := head.Countersign(s)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&in, "M 100644 inline %s\ndata %d\n%s\n", snapshot.CountersignaturePath(head.Seq, s.Key()), len(c.Armored), c.Armored)
	}
	archivetest.GitWithInput(t, repo, in.String(), "fast-import", "--quiet")
	c := cloneOf(t, a, repo)
	sigs, err := c.Countersignatures()
	if err != nil || len(sigs[1]) != custody.MaxUnnamed {
		t.Errorf("%d of %d countersignatures taken, %v", len(sigs[1]), made, err)
	}
	if h, err := objects.ParseHash(archivetest.Git(t, repo, "rev-parse", snapshot.RefCountersignatures)); err != nil || c.Store().Has(h) {
		t.Errorf("the commit of all of them is stored, %v", err)
	}
}
