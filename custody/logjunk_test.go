package custody_test

import (
	"path/filepath"
	"strings"
	"testing"

	"muniment/archive"
	"muniment/archive/archivetest"
	"muniment/custody"
	"muniment/objects"
)

// Bytes that are no copy of a log which the archive's trust knows are not stored
// below refs/muniment/log, in a fetch or a clone; a true copy is.
func TestLogJunk(t *testing.T) {
	a, s := archivetest.NewLetters(t, 1)
	newLog(t, a, s, 0, 300) // more than a tile
	repo := archivetest.NewBareRepository(t, filepath.Join(t.TempDir(), "r.git"))
	if _, err := custody.Push(t.Context(), a, repo, custody.Transfer{}); err != nil {
		t.Fatal(err)
	}
	ref := archive.RefLog + s.Key().ID()
	commit := func(listing string) string {
		tree := archivetest.GitWithInput(t, repo, listing, "mktree")
		return archivetest.Git(t, repo, "-c", "user.name=x", "-c", "user.email=x@y", "commit-tree", "-m", "x", tree)
	}
	good := archivetest.Git(t, repo, "rev-parse", ref)
	junk := "100644 blob " + gitHash(t, repo, "anything at all") + "\t"
	top := archivetest.Git(t, repo, "ls-tree", ref) + "\n"
	inner := archivetest.Git(t, repo, "ls-tree", ref+":1") + "\n"
	epoch := func(listing string) string {
		return commit("040000 tree " + archivetest.GitWithInput(t, repo, listing, "mktree") + "\t1\n")
	}
	cases := map[string]struct {
		ref, commit string
	}{
		"a stranger's log":     {archive.RefLog + strings.Repeat("ab", 32), good},
		"a name of no key":     {archive.RefLog + "junk", commit(junk + "checkpoint\n")},
		"only junk":            {ref, commit(junk + "junk\n")},
		"junk beside an epoch": {ref, commit(top + junk + "junk\n")},
		"junk in an epoch":     {ref, epoch(inner + junk + "junk\n")},
		"a junk checkpoint":    {ref, epoch(strings.Replace(inner, "checkpoint", "was", 1) + junk + "checkpoint\n")},
		"a junk cosignature":   {ref, epoch(inner + "040000 tree " + archivetest.GitWithInput(t, repo, junk+strings.Repeat("cd", 32)+"\n", "mktree") + "\tcosigned\n")},
		"another epoch":        {ref, commit("040000 tree " + archivetest.Git(t, repo, "rev-parse", ref+":1") + "\t2\n")},
		"a junk tile":          {ref, epoch(strings.Split(inner, "\n")[0] + "\n040000 tree " + archivetest.GitWithInput(t, repo, junk+"0\n", "mktree") + "\ttile\n")},
	}
	for name, c := range cases {
		archivetest.Git(t, repo, "update-ref", "-d", ref)
		archivetest.Git(t, repo, "update-ref", c.ref, c.commit)
		r, err := custody.Clone(t.Context(), repo, filepath.Join(t.TempDir(), "copy"), custody.CloneOptions{}, a.World())
		if err != nil || len(r.Refs) != 1 || r.Refs[0].Reason == "" || r.Refs[0].Done && (r.Refs[0].OwnerCommand == "" || r.Refs[0].To == c.commit) {
			t.Errorf("%s: %+v, %v", name, r, err)
			continue
		}
		b, err := archive.Open(r.Dir, a.World())
		if err != nil {
			t.Fatal(err)
		}
		if hash, err := objects.ParseHash(c.commit); err != nil || b.Store().Has(hash) {
			t.Errorf("%s: its commit is stored", name)
		}
		if hash, err := objects.ParseHash(strings.Fields(junk)[2]); err != nil || b.Store().Has(hash) {
			t.Errorf("%s: its junk is stored", name)
		}
		b.Close()
		archivetest.Git(t, repo, "update-ref", "-d", c.ref)
	}
	archivetest.Git(t, repo, "update-ref", ref, good)
	r, err := custody.Clone(t.Context(), repo, filepath.Join(t.TempDir(), "copy"), custody.CloneOptions{}, a.World())
	if err != nil || len(r.Refs) != 1 || !r.Refs[0].Done {
		t.Errorf("the true copy: %+v, %v", r, err)
	}
}
