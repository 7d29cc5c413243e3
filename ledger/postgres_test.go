package ledger

import (
	"errors"
	"flag"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"muniment/internal/casecount"
	"muniment/ledger/cluster"
)

func TestServerNewerSchema(t *testing.T) {
	address := newSchema(t)
	l, err := OpenPostgres(address, "")
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := raw(t, address).Exec(`INSERT INTO goose_db_version (version_id, is_applied) VALUES (99, true)`); err != nil {
		t.Fatal(err)
	}
	l, err = OpenPostgres(address, "")
	var newer *NewerSchemaError
	if !errors.As(err, &newer) || l != nil || newer.Have != 99 || newer.Can < 4 {
		t.Fatalf("%v, %v", l, err)
	}
}

// Schemas of one database are apart; the address's own comes before the
// caller's.
func TestServerSchemas(t *testing.T) {
	address := newSchema(t)
	first := open(t, address)
	add(t, first, entry("x"))
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	q := u.Query()
	q.Del("search_path")
	u.RawQuery = q.Encode()
	other, err := OpenPostgres(u.String(), "gobd_citations")
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	if n := add(t, other, entry("y")); n != 1 {
		t.Errorf("the first ordinal of another schema is %d", n)
	}
	same, err := OpenPostgres(address, "gobd_citations")
	if err != nil {
		t.Fatal(err)
	}
	defer same.Close()
	if n := add(t, same, entry("z")); n != 2 {
		t.Errorf("the schema of the address was not taken: ordinal %d", n)
	}
	for _, name := range []string{"", "Upper", "a;b", strings.Repeat("a", 64)} {
		if l, err := OpenPostgres(u.String(), name); err == nil || l != nil {
			t.Errorf("schema %q: %v", name, err)
		}
	}
}

// What is wrong for good is told at once, and no message holds the password.
func TestServerAddress(t *testing.T) {
	address := newSchema(t)
	for _, bad := range []string{"postgres://u:geheim@host:port/x", "postgres://u:geheim@%zz/", strings.Replace(address, "/postgres?", "/nowhere?", 1)} {
		start := time.Now()
		l, err := OpenPostgres(bad, "s")
		if err == nil || l != nil {
			t.Errorf("%s: opened", bad)
			continue
		}
		var away *UnavailableError
		if strings.Contains(err.Error(), "geheim") || errors.As(err, &away) {
			t.Errorf("%s: %v after %v", bad, err, time.Since(start))
		}
	}
}

// A server that is away is waited for, and then told of.
func TestServerAway(t *testing.T) {
	newSchema(t) // skips where there is none
	c, err := cluster.Start()
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := c.Stop(); err != nil {
			t.Error(err)
		}
	}()
	l, err := OpenPostgres(c.URL("s"), "")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	earlier := add(t, l, entry("before"))
	if err := c.Kill(); err != nil {
		t.Fatal(err)
	}
	var away *UnavailableError
	if n, err := l.AddCitation(entry("lost")); !errors.As(err, &away) || n != 0 || away.Attempts != len(backOff)+1 {
		t.Fatalf("%d, %v", n, err)
	}
	back := make(chan error)
	go func() { back <- c.Restart() }()
	n, err := l.AddCitation(entry("after"))
	if errors.As(err, &away) { // a slow machine: the restart took longer than the attempts
		if err := <-back; err != nil {
			t.Fatal(err)
		}
		n, err = l.AddCitation(entry("after"))
	} else if err := <-back; err != nil {
		t.Fatal(err)
	}
	if err != nil || n != earlier+1 {
		t.Fatalf("after the restart: %d, %v; told %d before", n, err, earlier)
	}
	if c, err := l.Get(earlier); err != nil || c.Claim != "before" {
		t.Errorf("what was acknowledged before: %+v, %v", c, err)
	}
}

// keyedEach is how many citations each of sixteen writers registers while the server
// is killed: internal/bench/ledger.sh makes it 500.
var keyedEach = flag.Int("keyed", 40, "citations of each writer beside a server that is killed")

// Sixteen writers whose server is killed four times, and who try again with the same
// key: nothing is lost and nothing doubled.
func TestServerKilledBesideWriters(t *testing.T) {
	newSchema(t) // skips where there is none
	c, err := cluster.Start()
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := c.Stop(); err != nil {
			t.Error(err)
		}
	}()
	writers, kills := 16, int64(casecount.Of(2, 4))
	first := open(t, c.URL("s"))
	var done, tried atomic.Int64
	var wg sync.WaitGroup
	acknowledged := make([]map[int64]string, writers)
	for i := range writers {
		wg.Go(func() {
			l, err := openAt(c.URL("s"))
			for err != nil {
				time.Sleep(100 * time.Millisecond)
				l, err = openAt(c.URL("s"))
			}
			defer l.Close()
			acknowledged[i] = map[int64]string{}
			for k := range *keyedEach {
				e := entry(fmt.Sprintf("claim %d of writer %d", k, i))
				e.Session, e.Key = fmt.Sprintf("session %d", i), fmt.Sprint(k)
				for {
					tried.Add(1)
					n, err := l.AddCitation(e)
					if err == nil {
						acknowledged[i][n] = e.Claim
						break
					}
					time.Sleep(50 * time.Millisecond)
				}
				done.Add(1)
			}
		})
	}
	all := int64(writers * *keyedEach)
	for k := range int64(kills) {
		for done.Load() < all*(k+1)/(kills+1) {
			time.Sleep(5 * time.Millisecond)
		}
		if err := c.Kill(); err != nil {
			t.Fatal(err)
		}
		if err := c.Restart(); err != nil {
			t.Fatal(err)
		}
	}
	wg.Wait()
	got, err := first.List(Filter{})
	if err != nil || int64(len(got)) != all {
		t.Fatalf("%d citations, want %d: %v", len(got), all, err)
	}
	claims := map[string]bool{}
	for i, one := range got {
		if one.Ordinal != int64(i+1) || claims[one.Claim] {
			t.Errorf("citation %d at place %d: %q is doubled or out of place", one.Ordinal, i+1, one.Claim)
		}
		claims[one.Claim] = true
	}
	for i := range acknowledged {
		for n, claim := range acknowledged[i] {
			if got[n-1].Claim != claim {
				t.Errorf("citation %d was acknowledged as %q and is %q", n, claim, got[n-1].Claim)
			}
		}
	}
	t.Logf("%d citations, %d calls, %d kills: none lost, none doubled", len(got), tried.Load(), kills)
}
