// Command load lets agents cite over HTTP while the server is killed and started again, and reports
// the citations a second, the waits of agents, and whether any citation was lost or doubled.
//
//	load -muniment PROGRAM -dir EMPTY -agents 50 -for 60s [-postgres]
//
// Each agent has a token of its own and cites sentences of an archive of letters, each with an
// idempotency key; a failed call is sent again with the same key. The server is killed at a third
// and at two thirds of the time. At the end the ledger is compared with the replies to the agents.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"muniment/ledger/cluster"
)

// letters is how many artifacts the agents cite.
const letters = 200

// A run is one measurement.
type run struct {
	program, dir, address string
	agents                int
	length                time.Duration
	env                   []string
	client                *http.Client

	mu    sync.Mutex
	waits []time.Duration
	keys  map[string]int64 // the number that a reply gave to a key
	tries int              // calls that had to be sent again
	spent time.Duration    // processor time of the servers
	wrong []string
}

func main() {
	var r run
	var postgres bool
	flag.StringVar(&r.program, "muniment", "muniment", "the program")
	flag.StringVar(&r.dir, "dir", "", "an empty folder")
	flag.StringVar(&r.address, "listen", "127.0.0.1:18437", "the server's address")
	flag.IntVar(&r.agents, "agents", 50, "how many cite at once")
	flag.DurationVar(&r.length, "for", time.Minute, "how long")
	flag.BoolVar(&postgres, "postgres", false, "keep the ledger in a PostgreSQL server of its own")
	flag.Parse()
	if err := r.measure(postgres); err != nil {
		fmt.Fprintln(os.Stderr, "load:", err)
		os.Exit(1)
	}
}

// measure makes the archive, lets the agents cite, and prints the figures.
func (r *run) measure(postgres bool) error {
	name := "sqlite"
	r.env = append(os.Environ(), "MUNIMENT_HOME="+filepath.Join(r.dir, "keys"), "HOME="+r.dir)
	if postgres {
		name = "postgres"
		c, err := cluster.Start()
		if err != nil {
			return err
		}
		defer c.Stop()
		r.env = append(r.env, "CITATION_DB_URL="+c.URL("load"))
	}
	tokens, err := r.prepare()
	if err != nil {
		return err
	}
	r.client = &http.Client{Timeout: 30 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: r.agents}}
	r.keys = map[string]int64{}
	began, err := r.citeAll(tokens)
	if err != nil {
		return err
	}
	slices.Sort(r.waits)
	n := len(r.waits)
	if n == 0 {
		return fmt.Errorf("no citation was registered")
	}
	fmt.Printf("%s: %d agents, %d citations in %.0f s: %.0f a second, p50 %d ms, p99 %d ms, the longest %d ms; %.2f ms of the server's processor time each; the server killed twice, %d calls sent again\n",
		name, r.agents, n, began.Seconds(), float64(n)/began.Seconds(), r.waits[n/2].Milliseconds(), r.waits[n*99/100].Milliseconds(), r.waits[n-1].Milliseconds(), r.spent.Seconds()*1000/float64(n), r.tries)
	return r.compare(name)
}

// prepare makes the archive and a token for each agent.
func (r *run) prepare() (tokens []string, err error) {
	papers := filepath.Join(r.dir, "papers")
	if err := os.MkdirAll(papers, 0o777); err != nil {
		return nil, err
	}
	for i := range letters {
		text := fmt.Sprintf("Letter %d\n\nThe mill wheel number %d has stopped. There is flour for %d days.\n", i, i, i)
		if err := os.WriteFile(filepath.Join(papers, fmt.Sprintf("letter-%03d.txt", i)), []byte(text), 0o666); err != nil {
			return nil, err
		}
	}
	at := filepath.Join(r.dir, "archive")
	for _, args := range [][]string{{"key", "new"}, {"init", at}, {"-C", at, "add", papers}, {"-C", at, "snapshot", "-m", "papers"}} {
		if out, err := r.command(context.Background(), args...).CombinedOutput(); err != nil {
			return nil, fmt.Errorf("%v: %w: %s", args, err, out)
		}
	}
	for i := range r.agents {
		out, err := r.command(context.Background(), "-C", at, "token", "new", fmt.Sprintf("agent-%d", i), "--role", "agent", "--json").Output()
		if err != nil {
			return nil, err
		}
		var made struct {
			Token string `json:"token"`
		}
		if err := json.Unmarshal(out, &made); err != nil || made.Token == "" {
			return nil, fmt.Errorf("no token in %s: %w", out, err)
		}
		tokens = append(tokens, made.Token)
	}
	return tokens, nil
}

func (r *run) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, r.program, args...)
	cmd.Env = r.env
	return cmd
}

// serve starts the server and waits until it answers.
func (r *run) serve() (*exec.Cmd, error) {
	cmd := r.command(context.Background(), "-C", filepath.Join(r.dir, "archive"), "serve", "--listen", r.address, "-q")
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	for range 600 {
		if reply, err := http.Get("http://" + r.address + "/healthz"); err == nil {
			reply.Body.Close()
			return cmd, nil
		}
		time.Sleep(50 * time.Millisecond)
	}
	return nil, fmt.Errorf("the server does not answer")
}

// citeAll lets the agents cite while the server is killed twice, and returns how
// long it took.
func (r *run) citeAll(tokens []string) (time.Duration, error) {
	server, err := r.serve()
	if err != nil {
		return 0, err
	}
	ctx, end := context.WithTimeout(context.Background(), r.length)
	defer end()
	began := time.Now()
	var all sync.WaitGroup
	for i, token := range tokens {
		all.Go(func() { r.agent(ctx, i, token) })
	}
	for range 2 {
		time.Sleep(r.length / 3)
		if err := r.kill(server); err != nil {
			return 0, err
		}
		if server, err = r.serve(); err != nil {
			return 0, err
		}
	}
	all.Wait()
	took := time.Since(began)
	return took, r.kill(server)
}

// kill kills a server and adds up its processor time.
func (r *run) kill(server *exec.Cmd) error {
	if err := server.Process.Kill(); err != nil {
		return err
	}
	_ = server.Wait() // killed
	r.spent += server.ProcessState.UserTime() + server.ProcessState.SystemTime()
	return nil
}

// agent cites until the time is over; the last call is sent until it is answered.
func (r *run) agent(ctx context.Context, i int, token string) {
	for n := 0; ctx.Err() == nil; n++ {
		of := (i*31 + n) % letters
		key := fmt.Sprintf("%d-%d", i, n)
		body, _ := json.Marshal(map[string]any{"artifact": fmt.Sprintf("letter-%03d.txt", of), "session": fmt.Sprintf("s%d", i), "idempotency_key": key,
			"quote": fmt.Sprintf("There is flour for %d days.", of), "claim": fmt.Sprintf("There is flour for %d days.", of), "reasoning": key})
		began := time.Now()
		for {
			id, again, err := r.post(token, body)
			if again {
				r.mu.Lock()
				r.tries++
				r.mu.Unlock()
				time.Sleep(20 * time.Millisecond)
				continue
			}
			r.mu.Lock()
			if err != nil {
				r.wrong = append(r.wrong, err.Error())
			} else {
				r.waits, r.keys[key] = append(r.waits, time.Since(began)), id
			}
			r.mu.Unlock()
			break
		}
	}
}

// post sends one citation. again says that it has to be sent again.
func (r *run) post(token string, body []byte) (id int64, again bool, err error) {
	req, err := http.NewRequest(http.MethodPost, "http://"+r.address+"/api/v1/cite", bytes.NewReader(body))
	if err != nil {
		return 0, false, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", "Bearer "+token)
	reply, err := r.client.Do(req)
	if err != nil {
		return 0, true, nil // the server is away
	}
	defer reply.Body.Close()
	data, err := io.ReadAll(reply.Body)
	if err != nil || reply.StatusCode == http.StatusTooManyRequests || reply.StatusCode >= 500 {
		return 0, true, nil
	}
	var got struct {
		CitationID int64  `json:"citation_id"`
		Status     string `json:"verification_status"`
	}
	if err := json.Unmarshal(data, &got); err != nil || got.CitationID == 0 || got.Status != "verified" {
		return 0, false, fmt.Errorf("status %d: %s", reply.StatusCode, data)
	}
	return got.CitationID, false, nil
}

// compare reads the ledger and reports what was lost or registered twice.
func (r *run) compare(name string) error {
	out, err := r.command(context.Background(), "-C", filepath.Join(r.dir, "archive"), "citations", "--json").Output()
	if err != nil {
		return err
	}
	var list struct {
		Citations []struct {
			CitationID int64  `json:"citation_id"`
			Reasoning  string `json:"relevance_reasoning"`
		} `json:"citations"`
	}
	if err := json.Unmarshal(out, &list); err != nil {
		return err
	}
	found := map[string]int64{}
	doubled := 0
	for _, c := range list.Citations {
		if found[c.Reasoning] != 0 {
			doubled++
		}
		found[c.Reasoning] = c.CitationID
	}
	lost := 0
	for key, id := range r.keys {
		if found[key] != id {
			lost++
		}
	}
	fmt.Printf("%s: %d citations in the ledger, %d answered; lost %d, doubled %d\n", name, len(list.Citations), len(r.keys), lost, doubled)
	if lost+doubled > 0 || len(r.wrong) > 0 {
		return fmt.Errorf("%d lost, %d doubled, %d calls refused: %s", lost, doubled, len(r.wrong), strings.Join(r.wrong[:min(3, len(r.wrong))], "; "))
	}
	return nil
}
