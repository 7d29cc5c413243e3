//go:build unix

package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// manyFiles fills a folder with files of random words, enough that an add of
// them takes a while.
func manyFiles(p *place, folder string, n int) {
	p.t.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	text := make([]byte, 60_000)
	for i := range n {
		for j := range text {
			text[j] = byte('a' + rng.IntN(26))
			if j%7 == 6 {
				text[j] = ' '
			}
		}
		p.write(filepath.Join(folder, fmt.Sprintf("%04d.txt", i)), string(text))
	}
}

// TestInterruptedAddKeeps stops an add that is to keep what it has finished: some of
// the files are staged, the others named, and the next add takes them in.
func TestInterruptedAddKeeps(t *testing.T) {
	t.Parallel()
	const files = 400
	p := newPlace(t)
	p.must("init", "letters")
	manyFiles(p, "many", files)
	cmd := p.command("-C", "letters", "add", "--keep", "many")
	var stderr strings.Builder
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	err := await(time.Minute, func() bool {
		temps, _ := filepath.Glob(filepath.Join(p.path("letters"), "archive.git/objects/pack/tmp_pack_*"))
		for _, f := range temps {
			if info, err := os.Stat(f); err == nil && info.Size() > 1_000_000 {
				return true
			}
		}
		return false
	})
	if err != nil {
		t.Fatalf("add was not seen at work: %v\n%s", err, stderr.String())
	}
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // its exit is looked at below
	if got := cmd.ProcessState.ExitCode(); got != 130 || !strings.Contains(stderr.String(), "inputs are staged") {
		t.Fatalf("exit %d, want 130 and what is staged\n%s", got, stderr.String())
	}
	kept := strings.Count(p.must("-C", "letters", "ls").stdout, ".txt")
	if kept == 0 || kept == files {
		t.Fatalf("%d of %d files were kept, want some", kept, files)
	}
	if got := p.must("-C", "letters", "add", "many").stderr; !strings.Contains(got, fmt.Sprintf("added %d, unchanged %d", files-kept, kept)) {
		t.Errorf("the next add says %q", got)
	}
}

// TestInterruptedAdd stops an add with the signals a person or a machine sends
// and finds every ref, the status and the verdict as they were, no half of a
// pack in the way of the next add, and that one complete.
func TestInterruptedAdd(t *testing.T) {
	t.Parallel()
	const files = 400
	p := newPlace(t)
	p.must("key", "new")
	p.must("init", "letters")
	p.write("one.txt", "One.\n")
	p.write("two.txt", "Two.\n")
	p.must("-C", "letters", "add", "one.txt")
	p.must("-C", "letters", "snapshot", "-m", "one")
	p.must("-C", "letters", "add", "two.txt") // staged, and must stay so
	p.write("allowed", p.must("key", "trust").stdout)
	manyFiles(p, "many", files)
	before, packs := p.state("letters"), p.packs("letters")

	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGKILL} {
		cmd := p.command("-C", "letters", "add", "many")
		var stderr strings.Builder
		cmd.Stderr = &stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		// It is under way when its temporary pack has begun to grow.
		err := await(time.Minute, func() bool {
			temps, _ := filepath.Glob(filepath.Join(p.path("letters"), "archive.git/objects/pack/tmp_pack_*"))
			for _, f := range temps {
				if info, err := os.Stat(f); err == nil && info.Size() > 100_000 {
					return true
				}
			}
			return false
		})
		if err != nil {
			t.Fatalf("add was not seen at work: %v\n%s", err, stderr.String())
		}
		if err := cmd.Process.Signal(sig); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait() // its exit is looked at below
		if sig != syscall.SIGKILL {
			if got := cmd.ProcessState.ExitCode(); got != 130 {
				t.Fatalf("%v: exit %d, want 130\n%s", sig, got, stderr.String())
			}
			if err := checkVoice(stderr.String(), 130); err != nil {
				t.Errorf("%v: %v", sig, err)
			}
			if got := p.packs("letters"); fmt.Sprint(got) != fmt.Sprint(packs) {
				t.Errorf("%v left %v in objects/pack, want %v", sig, got, packs)
			}
		}
		if got := p.state("letters"); got != before {
			t.Fatalf("%v: refs and status are\n%s\nand were\n%s", sig, got, before)
		}
		p.must("-C", "letters", "verify", "--trust", "allowed")
	}

	// What the killed one could not remove is seen, and removed when asked.
	if r := p.run("-C", "letters", "doctor"); r.code != 1 || !strings.Contains(r.stdout, "muniment doctor --fix") {
		t.Errorf("doctor after a kill: exit %d\n%s", r.code, r.stdout)
	}
	p.must("-C", "letters", "doctor", "--fix")
	if got := p.packs("letters"); strings.Contains(fmt.Sprint(got), "tmp_") {
		t.Errorf("after doctor --fix objects/pack holds %v", got)
	}
	if got := p.state("letters"); got != before {
		t.Errorf("after doctor --fix refs and status are\n%s\nand were\n%s", got, before)
	}

	r := p.must("-C", "letters", "add", "many", "--json")
	if got := r.document(t)["added"]; got != float64(files) {
		t.Fatalf("the add after it took in %v files, want %d", got, files)
	}
	p.must("-C", "letters", "snapshot", "-m", "many")
	p.must("-C", "letters", "verify", "--trust", "allowed")
	if doc := p.must("-C", "letters", "status", "--json").document(t); doc["clean"] != true {
		t.Errorf("status after the snapshot: %v", doc)
	}
}

// TestInterruptedEnds gives a command that does not watch for signals one, and
// finds that it ends.
func TestInterruptedEnds(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.must("init", "letters")
	cmd := p.command("-C", "letters", "bind", "-") // reads a standard input that never ends
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	var stderr strings.Builder
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := in.Write(bytes.Repeat([]byte("a\n"), 96<<10)); err != nil { // more than a pipe holds: it has begun to read
		t.Fatal(err)
	}
	for range 2 {
		if err := cmd.Process.Signal(os.Interrupt); err != nil {
			t.Fatal(err)
		}
		time.Sleep(50 * time.Millisecond)
	}
	_ = cmd.Wait()
	if got := cmd.ProcessState.ExitCode(); got != 130 {
		t.Errorf("exit %d, want 130\n%s", got, stderr.String())
	}
	if err := checkVoice(stderr.String(), 130); err != nil {
		t.Error(err)
	}
}

// TestTwoWriters lets two processes add at once: each is either taken in or
// told that the other writes, and nothing is lost.
func TestTwoWriters(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.must("init", "letters")
	manyFiles(p, "left", 40)
	for i := range 40 {
		p.write(fmt.Sprintf("right/%04d.txt", i), fmt.Sprintf("Letter %d of the other box.\n", i))
	}
	results := make(chan result, 2)
	for _, folder := range []string{"left", "right"} {
		go func() { results <- p.run("-C", "letters", "add", folder) }()
	}
	for range 2 {
		if r := <-results; r.code != 0 {
			t.Errorf("exit %d\n%s", r.code, r.stderr)
		}
	}
	doc := p.must("-C", "letters", "ls", "--json").document(t)
	if got := len(doc["artifacts"].([]any)); got != 80 {
		t.Errorf("%d artifacts, want 80", got)
	}
}

// TestUnreadable adds a folder in which a file and a folder may not be read.
// The super-user may read anything, so the program then runs as nobody.
func TestUnreadable(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	root := os.Geteuid() == 0
	program := ""
	if root {
		dir, err := os.MkdirTemp("", "muniment-nobody-") // where nobody may go
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { os.RemoveAll(dir) })
		p.dir, program = dir, filepath.Join(dir, "muniment")
		p.env["MUNIMENT_HOME"] = filepath.Join(dir, ".keys")
		self, err := os.ReadFile(p.command().Path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(program, self, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(dir, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	run := func(args ...string) result {
		cmd := p.command(args...)
		if root {
			cmd.Path = program
			cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534, NoSetGroups: true}}
		}
		return p.finish(cmd)
	}
	p.write("box/open.txt", "Open.\n")
	p.write("box/shut.txt", "Shut.\n")
	p.write("box/locked/inside.txt", "Inside.\n")
	for path, mode := range map[string]os.FileMode{"box": 0o755, "box/shut.txt": 0o000, "box/locked": 0o000} {
		if err := os.Chmod(p.path(path), mode); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() { _ = os.Chmod(p.path("box/locked"), 0o755) })
	if r := run("init", "letters"); r.code != 0 {
		t.Fatal(r.stderr)
	}
	r := run("-C", "letters", "add", "box", "--json")
	if r.code != 3 {
		t.Fatalf("exit %d, want 3\n%s", r.code, r.stderr)
	}
	if err := checkVoice(r.stderr, r.code); err != nil {
		t.Error(err)
	}
	doc := r.document(t)
	skipped := fmt.Sprint(doc["skipped"])
	if doc["added"] != float64(1) || len(doc["skipped"].([]any)) != 2 ||
		!strings.Contains(skipped, "box/shut.txt") || !strings.Contains(skipped, "box/locked") || strings.Count(skipped, "permission denied") != 2 {
		t.Errorf("added %v, skipped %v", doc["added"], skipped)
	}
	// An archive that may not be written is the environment's fault, and says so.
	if err := os.Chmod(p.path("box/shut.txt"), 0o644); err != nil {
		t.Fatal(err)
	}
	pack := p.path("letters/archive.git/objects/pack")
	if err := os.Chmod(pack, 0o555); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(pack, 0o755) })
	r = run("-C", "letters", "add", "box/shut.txt")
	if r.code != 6 {
		t.Errorf("exit %d, want 6\n%s", r.code, r.stderr)
	}
	if err := checkVoice(r.stderr, r.code); err != nil {
		t.Error(err)
	}
}

// TestChangingFile adds a file that is written to all the time: it is skipped
// with the reason, the other is in. When it holds still it is taken.
func TestChangingFile(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.must("init", "letters")
	p.write("box/a.txt", "Still.\n")
	p.write("box/b.log", strings.Repeat("line\n", 400_000))
	stop, stopped := make(chan struct{}), make(chan error)
	go func() {
		f, err := os.OpenFile(p.path("box/b.log"), os.O_APPEND|os.O_WRONLY, 0)
		for err == nil {
			select {
			case <-stop:
				stopped <- f.Close()
				return
			default:
				_, err = f.WriteString("x\n")
			}
		}
		stopped <- err
	}()
	// On a busy machine the writer may rest for as long as one reading takes.
	var r result
	for range 30 {
		if r = p.run("-C", "letters", "add", "-n", "box", "--json"); r.code != 0 {
			break
		}
	}
	close(stop)
	if err := <-stopped; err != nil {
		t.Fatal(err)
	}
	doc := r.document(t)
	if r.code != 3 || doc["added"] != float64(1) || !strings.Contains(fmt.Sprint(doc["skipped"]), "path:box/b.log reason:changed while it was read") {
		t.Errorf("exit %d, added %v, skipped %v", r.code, doc["added"], doc["skipped"])
	}
	if err := checkVoice(r.stderr, r.code); err != nil {
		t.Error(err)
	}
	if r := p.must("-C", "letters", "add", "box", "--json"); r.document(t)["added"] != float64(2) {
		t.Errorf("when it holds still it is not taken: %s", r.stdout)
	}
}

// TestVanishedFile removes a file between the walk that finds it and its
// reading.
func TestVanishedFile(t *testing.T) {
	t.Parallel()
	const files, tries = 150, 10
	p := newPlace(t)
	manyFiles(p, "box", files)
	var r result
	for try := 0; ; try++ {
		letters := fmt.Sprint("letters", try)
		p.must("init", letters)
		p.write("box/zz.txt", "The last one, soon gone.\n")
		done := make(chan result, 1)
		cmd := p.command("-C", letters, "add", "box", "--json")
		go func() { done <- p.finish(cmd) }()
		err := await(time.Minute, func() bool {
			temps, _ := filepath.Glob(filepath.Join(p.path(letters), "archive.git/objects/pack/tmp_pack_*"))
			return len(temps) > 0 || len(done) > 0
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Remove(p.path("box/zz.txt")); err != nil {
			t.Fatal(err)
		}
		if r = <-done; r.code != 0 {
			break
		} else if try == tries { // on a busy machine the file is read before anybody looks
			t.Fatalf("in %d runs the file was read before it was removed", tries)
		}
	}
	doc := r.document(t)
	if r.code != 3 || doc["added"] != float64(files) || fmt.Sprint(doc["skipped"]) != "[map[path:box/zz.txt reason:no such file]]" {
		t.Errorf("exit %d, added %v, skipped %v", r.code, doc["added"], doc["skipped"])
	}
	if err := checkVoice(r.stderr, r.code); err != nil {
		t.Error(err)
	}
}
