package engine_test

import (
	"errors"
	"path/filepath"
	"testing"

	"muniment/archive"
	"muniment/archive/archivetest"
	"muniment/archive/problem"
	"muniment/custody"
	"muniment/engine"
	"muniment/history"
	"muniment/ledger/cluster"
	"muniment/sign"
)

// cite registers a citation of the mill wheel and returns it.
func cite(t *testing.T, a *archive.Archive, claim string) *engine.CiteResult {
	t.Helper()
	r, err := engine.Cite(a, engine.CiteOptions{Artifact: "1931-04-02.txt", Quote: "Tobias Lunt repaired the mill wheel.", Claim: claim, Session: "s", Agent: "a"})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// bindings returns how many citations have each binding.
func bindings(t *testing.T, a *archive.Archive) map[string]int {
	t.Helper()
	e, err := engine.New(a, engine.Caller{})
	if err != nil {
		t.Fatal(err)
	}
	all, err := e.Citations().List(engine.CitationFilter{})
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]int{}
	for _, c := range all {
		out[c.Binding]++
	}
	return out
}

// A cutSigner does something between the signature of a snapshot and its publication.
type cutSigner struct {
	sign.Signer
	cut func()
}

func (s cutSigner) SignSSH(data []byte) ([]byte, error) {
	s.cut()
	return s.Signer.SignSSH(data)
}

// The same call again gives the citation that is there; the same call over other
// words, or with another key, is another one.
func TestCiteAgain(t *testing.T) {
	a, s := archivetest.New(t, archivetest.Papers)
	archivetest.Seal(t, a, s)
	const claim = "Tobias Lunt repaired the mill wheel."
	first := cite(t, a, claim)
	if again := cite(t, a, claim); again.CitationID != first.CitationID || !again.Repeated || again.Citation != first.Citation || again.Binding != "bound" {
		t.Errorf("%+v", again)
	}
	for _, o := range []engine.CiteOptions{
		{Artifact: "1931-04-02.txt", Quote: "Tobias Lunt repaired the mill wheel.", Claim: claim, Session: "s", Agent: "b"},
		{Artifact: "1931-04-02.txt", Quote: "Tobias Lunt repaired the mill wheel.", Claim: claim, Session: "t", Agent: "a"},
		{Artifact: "1931-04-02.txt", Quote: "Tobias Lunt repaired the mill wheel.", Claim: claim, Session: "s", Agent: "a", Key: "mine"},
		{Artifact: "1931-04-02.txt", Quote: "Tobias Lunt repaired the mill wheel", Claim: claim, Session: "s", Agent: "a"},
		{Artifact: "1931-04-02.txt", Quote: "Tobias Lunt repaired the mill wheel.", Claim: claim, Session: "s", Agent: "a", Reasoning: "it says so"},
	} {
		for i := range 2 {
			r, err := engine.Cite(a, o)
			if err != nil || r.CitationID == first.CitationID || r.Repeated != (i == 1) {
				t.Errorf("%+v: %+v, %v", o, r, err)
			}
		}
	}
}

// A process that ends between the signature and the ledger leaves its part to the
// next command, or to the next attempt at the snapshot.
func TestFinishSnapshot(t *testing.T) {
	for _, how := range []string{"next command", "snapshot again", "snapshot again without a trace"} {
		t.Run(how, func(t *testing.T) {
			a, s := archivetest.New(t, archivetest.Papers)
			archivetest.Seal(t, a, s)
			cite(t, a, "Tobias Lunt repaired the mill wheel.")
			if n, err := engine.FinishSnapshot(a); err != nil || n != 0 {
				t.Fatalf("nothing was cut short: %d, %v", n, err)
			}
			signed, err := engine.SignOnly(a, history.SnapshotOptions{Text: "two", Signer: s}, how != "snapshot again without a trace")
			if err != nil {
				t.Fatal(err)
			}
			if got := bindings(t, a); got["bound"] != 1 {
				t.Fatalf("before: %v", got)
			}
			if how == "next command" {
				if n, err := engine.FinishSnapshot(a); err != nil || n != 1 {
					t.Errorf("finished %d, %v", n, err)
				}
			} else {
				r, err := engine.Snapshot(a, history.SnapshotOptions{Text: "two", Signer: s})
				if err != nil || !r.Finished || r.Sealed != 1 || r.Snapshot != signed.Snapshot {
					t.Errorf("%+v, %v", r, err)
				}
			}
			if got := bindings(t, a); got["sealed"] != 1 {
				t.Errorf("after: %v", got)
			}
			_, err = engine.Snapshot(a, history.SnapshotOptions{Text: "three", Signer: s})
			var failure *problem.Error
			if !errors.As(err, &failure) || failure.Kind != problem.NothingToDo {
				t.Errorf("nothing waits any more: %v", err)
			}
		})
	}
}

// startServer starts a PostgreSQL server that ends with the test.
func startServer(t *testing.T) *cluster.Cluster {
	t.Helper()
	c, err := cluster.Start()
	if errors.Is(err, cluster.ErrNotInstalled) {
		t.Skipf("skipped: the ledger on PostgreSQL was not tried: %v; install the Debian package postgresql", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Stop(); err != nil {
			t.Error(err)
		}
	})
	return c
}

// reopen opens an archive with its ledger on a server.
func reopen(t *testing.T, dir string, c *cluster.Cluster) *archive.Archive {
	t.Helper()
	w := archivetest.World()
	w.LedgerURL = c.URL("")
	a, err := archive.Open(dir, w)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	return a
}

// A snapshot whose ledger goes away while it is signed stands, and says so.
func TestSnapshotWithoutLedger(t *testing.T) {
	c := startServer(t)
	made, s := archivetest.New(t, archivetest.Papers)
	a := reopen(t, made.Dir(), c)
	archivetest.Seal(t, a, s)
	cite(t, a, "Tobias Lunt repaired the mill wheel.")
	r, err := engine.Snapshot(a, history.SnapshotOptions{Text: "two", Signer: cutSigner{s, func() {
		if err := c.Kill(); err != nil {
			t.Error(err)
		}
	}}})
	if err != nil || r.Seq != 2 || r.LedgerProblem == "" {
		t.Fatalf("%+v, %v", r, err)
	}
	var failure *problem.Error
	if _, err := engine.Snapshot(a, history.SnapshotOptions{Text: "two", Signer: s}); !errors.As(err, &failure) || failure.Kind != problem.Database {
		t.Errorf("again, without the ledger: %v", err)
	}
	if err := c.Restart(); err != nil {
		t.Fatal(err)
	}
	again, err := engine.Snapshot(a, history.SnapshotOptions{Text: "two", Signer: s})
	if err != nil || !again.Finished || again.Sealed != 1 || again.Snapshot != r.Snapshot {
		t.Errorf("again: %+v, %v", again, err)
	}
}

// Two copies with one ledger: each seals what its own history can prove, and the
// other's citations wait for it.
func TestTwoCopies(t *testing.T) {
	c := startServer(t)
	made, s := archivetest.New(t, archivetest.Papers)
	first := reopen(t, made.Dir(), c)
	archivetest.Seal(t, first, s)
	dir := filepath.Join(t.TempDir(), "copy")
	allowed, err := sign.ParseAllowedSigners([]byte(history.TrustLine(s.Key(), "test")))
	if err != nil {
		t.Fatal(err)
	}
	trust := archive.Trust{Allowed: allowed}
	if _, err := custody.Clone(t.Context(), filepath.Join(first.Dir(), archive.StoreDir), dir, custody.CloneOptions{Trust: trust}, archivetest.World()); err != nil {
		t.Fatal(err)
	}
	second := reopen(t, dir, c)

	// The first copy goes on, and cites from a snapshot that the second has not.
	archivetest.AddLetter(t, first, s, "Another letter.\n")
	one := cite(t, first, "Tobias Lunt repaired the mill wheel.")
	two := cite(t, second, "Tobias Lunt had repaired the mill wheel.")
	if one.CitationID != 1 || two.CitationID != 2 || one.Snapshot == two.Snapshot {
		t.Fatalf("%+v %+v", one, two)
	}
	var failure *problem.Error
	if _, err := custody.Fetch(t.Context(), second, "origin", custody.FetchOptions{Trust: trust}); err != nil {
		t.Fatal(err)
	}
	r, err := engine.Snapshot(first, history.SnapshotOptions{Text: "three", Signer: s})
	if err != nil || r.Sealed != 2 {
		t.Fatalf("%+v, %v", r, err)
	}
	third := cite(t, first, "Tobias Lunt repaired it.")
	if third.Binding != "bound" {
		t.Fatalf("%+v", third)
	}
	// The second copy is one snapshot behind: it has nothing to sign and must not
	// take the third citation, whose snapshot it cannot show.
	_, err = engine.Snapshot(second, history.SnapshotOptions{Text: "x", Signer: s})
	if !errors.As(err, &failure) || failure.Kind != problem.NothingToDo || failure.Message[:15] == "nothing has cha" {
		t.Errorf("the copy that is behind: %v", err)
	}
	if _, err := custody.Fetch(t.Context(), second, "origin", custody.FetchOptions{Trust: trust}); err != nil {
		t.Fatal(err)
	}
	r, err = engine.Snapshot(second, history.SnapshotOptions{Text: "four", Signer: s})
	if err != nil || r.Sealed != 1 || r.Seq != 4 {
		t.Errorf("%+v, %v", r, err)
	}
	if got := bindings(t, first); got["sealed"] != 3 {
		t.Errorf("%v", got)
	}
}
