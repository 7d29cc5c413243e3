//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"muniment/archive"
	"muniment/archive/search"
	"muniment/internal/casecount"
)

// TestKilledAtRandom kills real processes that add, sign, set consent,
// withdraw and push, at random moments. After each kill every snapshot that was
// acknowledged is there, valid and in its place, one that was not is absent or
// complete, git finds nothing wrong here or at the remote, and the next
// commands work. Every third process runs, and dies, under another name of its host
// than the next commands, as on a laptop that joined another network.
//
// MUNIMENT_KILLS sets how many kills, MUNIMENT_KILL_SEED the moments; see
// internal/bench/kill.sh.
func TestKilledAtRandom(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("skipped: git is not installed")
	}
	want, seed := casecount.Of(4, 200), uint64(time.Now().UnixNano())
	for name, set := range map[string]func(uint64){
		"MUNIMENT_KILLS":     func(n uint64) { want = int(n) },
		"MUNIMENT_KILL_SEED": func(n uint64) { seed = n },
	} {
		if text := os.Getenv(name); text != "" {
			n, err := strconv.ParseUint(text, 10, 63)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			set(n)
		}
	}
	t.Logf("MUNIMENT_KILL_SEED=%d", seed)
	k := newKilling(t, seed)
	deeds := []string{"add", "snapshot", "consent", "withdraw", "push"}
	killed, done, renamed := map[string]int{}, 0, 0
	for round := 0; done < want; round++ {
		if round > 20*want {
			t.Fatalf("%d kills in %d rounds", done, round)
		}
		deed := deeds[round%len(deeds)]
		rename := k.canRename && round%3 == 0
		if k.round(deed, rename) {
			killed[deed]++
			done++
			if rename {
				renamed++
			}
		}
		if t.Failed() {
			break
		}
	}
	t.Logf("%d processes killed %v, %d of them under another host name, %d snapshots acknowledged and there", done, killed, renamed, len(k.acknowledged))
	for _, deed := range deeds {
		if want >= 4*len(deeds) && killed[deed] == 0 {
			t.Errorf("%s was never killed", deed)
		}
	}
}

// A killing is an archive, its remote, and what they have promised so far.
type killing struct {
	*place
	t            *testing.T
	rng          *rand.Rand
	acknowledged []string                 // snapshots, oldest first
	usual        map[string]time.Duration // of each deed, when it is let be
	files        int
	there        []string // names that can be withdrawn
	canRename    bool     // a process can run under another host name
}

// underHostName begins a command line that runs the rest of it under the host name that
// comes first, in a process of the same number.
var underHostName = []string{"unshare", "--user", "--map-root-user", "--uts", "sh", "-c", `hostname "$0" && exec "$@"`}

func newKilling(t *testing.T, seed uint64) *killing {
	k := &killing{place: newPlace(t), t: t, rng: rand.New(rand.NewPCG(seed, 1)), usual: map[string]time.Duration{}}
	try := exec.Command(underHostName[0], append(underHostName[1:], "elsewhere", "true")...)
	if out, err := try.CombinedOutput(); err != nil {
		t.Logf("skipped: no process runs under another host name: %v %s", err, out)
	} else {
		k.canRename = true
	}
	k.must("key", "new")
	k.write("allowed", k.must("key", "trust").stdout)
	k.must("init", "letters", "--subject", "Ada Vale")
	if out, err := exec.Command("git", "init", "-q", "--bare", "-b", "main", k.path("remote.git")).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	k.must("-C", "letters", "remote", "add", "far", "remote.git")
	k.addWhole()
	k.sign()
	k.must("-C", "letters", "push", "far")
	return k
}

// box writes a folder of new letters and returns its name.
func (k *killing) box(n int) string {
	k.files++
	name := fmt.Sprintf("box-%03d", k.files)
	for i := range n {
		k.write(fmt.Sprintf("%s/%s-%02d.txt", name, name, i), fmt.Sprintf("Letter %d of %s.\n\n%s\n", i, name, strings.Repeat("The wheel turns. ", 400)))
	}
	return name
}

func (k *killing) addWhole() {
	name := k.box(3)
	k.must("-C", "letters", "add", name)
	k.there = append(k.there, name+"-00.txt")
}

// sign makes a snapshot in peace, and so acknowledges it.
func (k *killing) sign() {
	doc := k.must("-C", "letters", "snapshot", "-m", "whole", "--json").document(k.t)
	k.acknowledged = append(k.acknowledged, doc["snapshot"].(string))
}

// round does one deed, kills it at a random moment, looks at what there is
// and goes on. It reports whether the process was killed. With rename the process runs
// under another host name.
func (k *killing) round(deed string, rename bool) bool {
	var args []string
	switch deed {
	case "add":
		args = []string{"add", k.box(12)}
	case "snapshot":
		k.must("-C", "letters", "add", k.box(3))
		args = []string{"snapshot", "-m", "killed", "--json"}
	case "consent":
		args = []string{"consent", k.there[k.rng.IntN(len(k.there))], "--preset", []string{"open", "closed", "auditor-only"}[k.rng.IntN(3)], "--reason", fmt.Sprintf("round %d", k.files)}
	case "withdraw":
		k.addWhole()
		k.sign()
		last := len(k.there) - 1
		args = []string{"withdraw", k.there[last], "--reason", "asked", "--authority", "the board"}
		k.there = k.there[:last]
	case "push":
		k.must("-C", "letters", "add", k.box(12))
		k.sign()
		args = []string{"push", "far"}
	}
	cmd := k.command(append([]string{"-C", "letters"}, args...)...)
	timed := deed
	if rename {
		timed += " elsewhere"
		under, err := exec.LookPath(underHostName[0])
		if err != nil {
			k.t.Fatal(err)
		}
		cmd.Path, cmd.Args = under, slices.Concat(underHostName, []string{"elsewhere", cmd.Path}, cmd.Args[1:])
	}
	var stdout, stderr strings.Builder
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	usual := k.usual[timed]
	if usual == 0 {
		usual = 100 * time.Millisecond
	}
	wait := time.Duration(k.rng.Int64N(int64(usual + usual/10)))
	begun := time.Now()
	if err := cmd.Start(); err != nil {
		k.t.Fatal(err)
	}
	timer := time.AfterFunc(wait, func() { _ = cmd.Process.Kill() }) // it may have ended
	_ = cmd.Wait()                                                   // its state is looked at below
	timer.Stop()
	code := cmd.ProcessState.ExitCode()
	killed := code == -1
	if !killed {
		k.usual[timed] = time.Since(begun)
		if code != 0 {
			k.t.Errorf("%v: exit %d\n%s", args, code, stderr.String())
		}
	}
	what := fmt.Sprintf("%s, killed after %v: %v", timed, wait, killed)
	k.look(what, deed, stdout.String(), code == 0)
	// The next commands work, and what they promise holds.
	k.addWhole()
	k.sign()
	if deed == "push" {
		k.must("-C", "letters", "push", "far")
		if far, near := k.head("remote.git"), k.head("letters/archive.git"); far != near {
			k.t.Errorf("%s: the remote is at %s, the archive at %s", what, far, near)
		}
	}
	k.look(what+", and went on", "", "", false)
	return killed
}

// look compares the archive with what it has promised. said is what a killed
// process had printed.
func (k *killing) look(what, deed, said string, finished bool) {
	var log struct {
		Snapshots []struct{ Snapshot string }
	}
	if err := json.Unmarshal([]byte(k.must("-C", "letters", "log", "--json").stdout), &log); err != nil {
		k.t.Fatal(err)
	}
	var have []string
	for _, s := range slices.Backward(log.Snapshots) {
		have = append(have, s.Snapshot)
	}
	if deed == "snapshot" {
		var printed struct{ Snapshot string }
		if json.Unmarshal([]byte(said), &printed) == nil && printed.Snapshot != "" {
			k.acknowledged = append(k.acknowledged, printed.Snapshot)
		} else if n := len(k.acknowledged); len(have) == n+1 {
			k.acknowledged = append(k.acknowledged, have[n]) // nobody was told, and it is complete
		}
	}
	if !slices.Equal(have, k.acknowledged) {
		k.t.Errorf("%s: the snapshots are %v, want %v", what, have, k.acknowledged)
	}
	if r := k.run("-C", "letters", "verify", "--trust", "allowed"); r.code != 0 {
		k.t.Errorf("%s: verify: exit %d\n%s%s", what, r.code, r.stdout, r.stderr)
	}
	if finished && (deed == "add" || deed == "consent" || deed == "withdraw") {
		if doc := k.must("-C", "letters", "status", "--json").document(k.t); doc["clean"] != false {
			k.t.Errorf("%s: it was acknowledged, and nothing is staged", what)
		}
	}
	if out := fsck(k.path("letters/archive.git")); out != "" {
		k.t.Errorf("%s: git fsck: %s", what, out)
	}
	// git at the other end may live on for a moment.
	var far string
	if err := await(time.Minute, func() bool { far = fsck(k.path("remote.git")); return far == "" }); err != nil {
		k.t.Errorf("%s: git fsck of the remote: %s", what, far)
	}
	k.isOurs(what)
}

// isOurs requires the remote to be at a commit that the archive's history
// holds: never at half a push.
func (k *killing) isOurs(what string) {
	cmd := exec.Command("git", "--git-dir", k.path("letters/archive.git"), "merge-base", "--is-ancestor", k.head("remote.git"), "refs/heads/main")
	if out, err := cmd.CombinedOutput(); err != nil {
		k.t.Errorf("%s: the remote is not behind the archive: %v\n%s", what, err, out)
	}
}

func (k *killing) head(repository string) string {
	out, err := exec.Command("git", "--git-dir", k.path(repository), "rev-parse", "refs/heads/main").CombinedOutput()
	if err != nil {
		k.t.Fatalf("%v\n%s", err, out)
	}
	return strings.TrimSpace(string(out))
}

// fsck returns what git finds wrong with a repository.
func fsck(dir string) string {
	cmd := exec.Command("git", "--git-dir", dir, "fsck", "--strict", "--full", "--no-dangling", "--no-progress")
	cmd.Env = append(os.Environ(), "GIT_NO_REPLACE_OBJECTS=1", "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+filepath.Join(dir, "no-such-file"))
	out, err := cmd.CombinedOutput()
	if err != nil || len(out) > 0 {
		return fmt.Sprintf("%v %s", err, out)
	}
	return ""
}

// TestKilledIndex kills the process that builds a search index. status says how far it came,
// a search beside it answers from that and says so, and the next build reads the rest only.
func TestKilledIndex(t *testing.T) {
	t.Parallel()
	const files = 40
	p := newPlace(t)
	p.must("key", "new")
	p.must("init", "letters")
	for i := range files {
		var b strings.Builder
		for line := range 500 {
			fmt.Fprintf(&b, "In paragraph %d of letter %d the apple tree%dx%d is praised. %s\n\n", line, i, i, line, strings.Repeat("The weather was fair on the road to the mill. ", 11))
		}
		p.write(fmt.Sprintf("many/%02d.txt", i), b.String())
	}
	p.must("-C", "letters", "add", "many")
	p.must("-C", "letters", "snapshot", "-m", "all")
	cmd := p.command("-C", "letters", "index")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	a, err := archive.Open(p.path("letters"), archive.World{Now: time.Now, PID: os.Getpid(), Host: "test"})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	begun := func() bool {
		state, err := a.IndexState()
		return err == nil && state != nil && state.Building && state.Texts > 0
	}
	seen := await(60*time.Second, begun)
	if err := cmd.Process.Signal(syscall.SIGSTOP); err != nil { // it stays half way while status is asked
		t.Fatal(err)
	}
	if seen == nil && !strings.Contains(p.call("-C", p.path("letters"), "status").stdout, "texts of snapshot 1 so far, being built") {
		t.Error("status does not say that the index is being built")
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // it was killed
	if seen != nil {
		t.Fatalf("no stage of the index was seen: %v", seen)
	}
	state, err := a.IndexState()
	if err != nil || state.Building || state.Texts < 1 || state.Texts >= files {
		t.Fatalf("after the kill: %+v, %v", state, err)
	}
	if got := p.call("-C", p.path("letters"), "doctor").stdout; !strings.Contains(got, fmt.Sprintf("%d texts of snapshot 1 so far", state.Texts)) {
		t.Errorf("doctor says %q", got)
	}
	read := 0
	r, err := search.UpdateIndex(t.Context(), a, search.UpdateOptions{Progress: func(int, int) { read++ }})
	if err != nil {
		t.Fatal(err)
	}
	if read != files-state.Texts || r.Artifacts != files {
		t.Errorf("%d of %d texts were indexed before the kill, %d read after it; %d can be found", state.Texts, files, read, r.Artifacts)
	}
}
