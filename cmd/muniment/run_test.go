package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"muniment/archive"
)

// A result is what one run of the program printed and its exit code.
type result struct {
	stdout, stderr string
	code           int
}

// document decodes stdout as one JSON document.
func (r result) document(t *testing.T) map[string]any {
	t.Helper()
	doc := map[string]any{}
	dec := json.NewDecoder(bytes.NewReader([]byte(r.stdout)))
	if err := dec.Decode(&doc); err != nil || dec.More() {
		t.Fatalf("not one JSON document (%v):\n%s\n%s", err, r.stdout, r.stderr)
	}
	return doc
}

// A place is a folder in which a test runs the program, with its own keys and
// nothing of the tester's environment.
type place struct {
	t   *testing.T
	dir string
	env map[string]string
}

func newPlace(t *testing.T) *place {
	t.Helper()
	dir := t.TempDir()
	return &place{t: t, dir: dir, env: map[string]string{"MUNIMENT_HOME": filepath.Join(dir, ".keys"), "TERM": "dumb"}}
}

// path returns a path in the place.
func (p *place) path(name string) string { return filepath.Join(p.dir, name) }

// write makes a file in the place.
func (p *place) write(name, text string) {
	p.t.Helper()
	if err := os.MkdirAll(filepath.Dir(p.path(name)), 0o777); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(p.path(name), []byte(text), 0o666); err != nil {
		p.t.Fatal(err)
	}
}

// call runs the program in this process, where that is faster and nothing
// depends on the working folder; names in args are taken as they are.
func (p *place) call(args ...string) result {
	p.t.Helper()
	return p.callIn(context.Background(), args...)
}

// callIn is call within a context, whose end stops the program as a signal does.
func (p *place) callIn(ctx context.Context, args ...string) result {
	p.t.Helper()
	files := map[string]*os.File{}
	for _, name := range []string{"stdin", "stdout", "stderr"} {
		f, err := os.CreateTemp(p.dir, ".std-*")
		if err != nil {
			p.t.Fatal(err)
		}
		defer os.Remove(f.Name())
		defer f.Close()
		files[name] = f
	}
	prog := &program{
		world: archive.World{Now: time.Now, Rand: rand.Reader, PID: os.Getpid(), Host: "test"},
		env:   func(name string) string { return p.env[name] },
		stdin: files["stdin"], stdout: files["stdout"], stderr: files["stderr"],
	}
	r := result{code: prog.execute(ctx, args)}
	for name, to := range map[string]*string{"stdout": &r.stdout, "stderr": &r.stderr} {
		data, err := os.ReadFile(files[name].Name())
		if err != nil {
			p.t.Fatal(err)
		}
		*to = string(data)
	}
	return r
}

// command prepares a run of the program in a process of its own, in the place.
func (p *place) command(args ...string) *exec.Cmd {
	cmd := exec.Command("muniment", args...)
	cmd.Dir = p.dir
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + p.dir, "TMPDIR=" + os.TempDir(), "GOGC=" + os.Getenv("GOGC")}
	for k, v := range p.env {
		cmd.Env = append(cmd.Env, k+"="+v)
	}
	return cmd
}

// run runs the program in a process of its own.
func (p *place) run(args ...string) result {
	p.t.Helper()
	return p.finish(p.command(args...))
}

func (p *place) finish(cmd *exec.Cmd) result {
	p.t.Helper()
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		p.t.Fatal(err)
	}
	return result{stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()}
}

// must runs the program and requires success.
func (p *place) must(args ...string) result {
	p.t.Helper()
	r := p.run(args...)
	if r.code != 0 {
		p.t.Fatalf("muniment %v: exit %d\n%s", args, r.code, r.stderr)
	}
	return r
}

// state is what must not change: every ref and what status says.
func (p *place) state(arch string) string {
	p.t.Helper()
	refs, err := readRefs(filepath.Join(p.path(arch), archive.StoreDir))
	if err != nil {
		p.t.Fatal(err)
	}
	return refs + p.must("-C", arch, "status", "--json").stdout
}

// packs lists what lies in the folder of packs.
func (p *place) packs(arch string) []string {
	p.t.Helper()
	entries, err := os.ReadDir(filepath.Join(p.path(arch), archive.StoreDir, "objects/pack"))
	if err != nil {
		p.t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}
