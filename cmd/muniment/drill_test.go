//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"sync"
	"syscall"
	"testing"
	"time"

	"muniment/internal/casecount"
)

// A drill has the servers of an archive, and what they acknowledged to the agents that cite.
type drill struct {
	t       *testing.T
	mu      sync.Mutex
	servers []string // their addresses
	acked   map[string]int64
	refused int // calls that a server that was gone, or whose database was, did not acknowledge
	ended   bool
}

// cite registers one citation under a key, at one server and then at the next, until one acknowledges it.
func (d *drill) cite(at int, key string) {
	body, err := json.Marshal(map[string]string{"artifact": "one.txt", "quote": "The mill wheel has stopped.", "claim": "The mill wheel has stopped.", "session": "drill", "idempotency_key": key})
	if err != nil {
		d.t.Error(err)
		return
	}
	for ; ; at++ {
		d.mu.Lock()
		url, ended := d.servers[at%len(d.servers)], d.ended
		d.mu.Unlock()
		if ended {
			return
		}
		var got struct {
			Citation int64  `json:"citation_id"`
			Status   string `json:"verification_status"`
		}
		r, err := (&http.Client{Timeout: 20 * time.Second}).Post(url+"/api/v1/cite", "application/json", bytes.NewReader(body))
		if err == nil {
			err = json.NewDecoder(r.Body).Decode(&got)
			r.Body.Close()
		}
		d.mu.Lock()
		if err == nil && r.StatusCode == http.StatusOK {
			if d.acked[key] = got.Citation; got.Status != "verified" {
				d.t.Errorf("%s: %s", key, got.Status)
			}
			d.mu.Unlock()
			return
		}
		d.refused++
		d.mu.Unlock()
		time.Sleep(50 * time.Millisecond)
	}
}

// more waits until so many more citations are acknowledged.
func (d *drill) more(n int) {
	d.t.Helper()
	d.mu.Lock()
	want := len(d.acked) + n
	d.mu.Unlock()
	for end := time.Now().Add(3 * time.Minute); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		d.mu.Lock()
		have := len(d.acked)
		d.mu.Unlock()
		if have >= want {
			return
		}
	}
	d.t.Fatalf("not %d citations are acknowledged", want)
}

// unlistedCitations returns the citations of want that a server does not list.
func unlistedCitations(t *testing.T, url string, want map[string]int64) []int64 {
	t.Helper()
	listed := map[int64]bool{}
	for after := int64(0); ; {
		r, err := http.Get(fmt.Sprintf("%s/api/v1/citations?session=drill&limit=1000&after=%d", url, after))
		if err != nil {
			t.Fatal(err)
		}
		var page struct {
			Citations []struct {
				ID int64 `json:"citation_id"`
			}
			Next int64 `json:"next_after"`
		}
		err = json.NewDecoder(r.Body).Decode(&page)
		r.Body.Close()
		if err != nil || r.StatusCode != http.StatusOK {
			t.Fatal(r.Status, err)
		}
		for _, c := range page.Citations {
			listed[c.ID] = true
		}
		if after = page.Next; after == 0 {
			break
		}
	}
	return slices.DeleteFunc(slices.Collect(maps.Values(want)), func(id int64) bool { return listed[id] })
}

// TestOperatorsDrill is the drill of those who run an archive: two servers on one PostgreSQL and agents that cite at both.
// One server is killed, the database is killed and started again, a replica is cloned and fetches what is signed
// meanwhile, and a backup that was written while agents cite is restored while the servers run. Nothing that was
// acknowledged is lost or doubled.
func TestOperatorsDrill(t *testing.T) {
	t.Parallel()
	c := startPostgres(t)
	p := newPlace(t)
	p.env["CITATION_DB_URL"] = c.URL("")
	p.write("one.txt", "The mill wheel has stopped.\n")
	p.must("key", "new")
	p.must("init", "letters")
	p.must("-C", "letters", "add", "one.txt")
	p.must("-C", "letters", "snapshot", "-m", "one")
	first, second := startServe(t, p), startServe(t, p)
	d := &drill{t: t, servers: []string{first.url, second.url}, acked: map[string]int64{}}
	var agents sync.WaitGroup
	defer agents.Wait()
	end := func() {
		d.mu.Lock()
		d.ended = true
		d.mu.Unlock()
	}
	defer end()
	const many = 4
	for agent := range many {
		agents.Go(func() {
			for n := 0; ; n++ {
				d.mu.Lock()
				ended := d.ended
				d.mu.Unlock()
				if ended {
					return
				}
				d.cite(agent, fmt.Sprintf("agent-%d-%d", agent, n))
			}
		})
	}
	step := casecount.Of(8, 500)

	d.more(step)
	if err := first.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	first.stopped(t)
	d.more(step)

	d.mu.Lock()
	saved := maps.Clone(d.acked)
	d.mu.Unlock()
	p.must("-C", "letters", "ledger", "export", "backup.jsonl")
	p.must("clone", p.path("letters/archive.git"), "replica")

	d.more(step)
	if err := c.Kill(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(300 * time.Millisecond) // calls fail meanwhile
	if err := c.Restart(); err != nil {
		t.Fatal(err)
	}
	first = startServe(t, p)
	d.mu.Lock()
	d.servers[0] = first.url
	d.mu.Unlock()
	d.more(step)

	p.write("two.txt", "The dam held.\n")
	p.must("-C", "letters", "add", "two.txt")
	signed := p.must("-C", "letters", "snapshot", "-m", "two", "--json").document(t)
	p.must("-C", "replica", "fetch")
	if got := p.must("-C", "replica", "log", "--json").stdout; !bytes.Contains([]byte(got), []byte(fmt.Sprint(signed["snapshot"]))) {
		t.Errorf("the replica lacks snapshot %v: %s", signed["snapshot"], got)
	}

	p.env["CITATION_DB_URL"] = c.URL("restored")
	p.must("-C", "replica", "ledger", "import", "backup.jsonl")
	third := startCommand(t, p.command("-C", "replica", "-q", "serve", "--listen", "127.0.0.1:0"))
	if lost := unlistedCitations(t, third.url, saved); len(lost) > 0 {
		t.Errorf("the backup lacks %d of %d: %v", len(lost), len(saved), lost[:min(9, len(lost))])
	}

	d.more(step)
	end()
	agents.Wait()
	ids := map[int64]bool{}
	for key, id := range d.acked {
		if ids[id] {
			t.Errorf("%s has the number of another", key)
		}
		ids[id] = true
	}
	for _, one := range []*served{first, second} {
		if lost := unlistedCitations(t, one.url, d.acked); len(lost) > 0 {
			t.Errorf("%d of %d acknowledged citations are lost: %v", len(lost), len(d.acked), lost[:min(9, len(lost))])
		}
	}
	for _, one := range []*served{first, second, third} {
		if err := one.cmd.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		if code := one.stopped(t); code != exitOK {
			t.Errorf("a server ends with exit %d\n%s", code, one.log.String())
		}
	}
	t.Logf("%d citations acknowledged, %d calls not acknowledged and made again, %d restored from the backup, 0 lost", len(d.acked), d.refused, len(saved))
}
