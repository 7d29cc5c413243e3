package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"muniment/archive"
	"muniment/internal/casecount"
)

var execMuniment = regexp.MustCompile(`(?m)^((?:\[[^]]*\] )?(?:! )?)exec muniment( .*)?$`)

// scriptsHere copies scripts to a folder, with run for exec before the name of this
// program: 1,700 starts of a process of 80 MB take longer than all that they do. Where
// MUNIMENT_LONG is set every call is a process.
func scriptsHere(t *testing.T, files []string) string {
	t.Helper()
	dir := t.TempDir()
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		script, rest, _ := strings.Cut(string(data), "\n-- ")
		if !casecount.Long() {
			script = execMuniment.ReplaceAllStringFunc(script, func(line string) string {
				if strings.HasSuffix(line, "&") { // in the background
					return line
				}
				return execMuniment.ReplaceAllString(line, "${1}run muniment$2")
			})
		}
		if rest != "" {
			script += "\n-- " + rest
		}
		if err := os.WriteFile(filepath.Join(dir, filepath.Base(file)), []byte(script), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// scriptRun is exec for this program.
func scriptRun(ts *testscript.TestScript, neg bool, args []string) {
	if code, _ := scriptCall(ts, args[0], args[1:]); (code != 0) != neg {
		ts.Fatalf("unexpected exit code %d", code)
	}
}

// scriptCall runs a program within a script and returns its exit code and what it wrote to standard
// error. This program runs in this process, but where a call reads standard input, starts processes
// that outlive it or has another PATH.
func scriptCall(ts *testscript.TestScript, name string, args []string) (code int, stderr string) {
	if name == "muniment" && !casecount.Long() && !slices.Contains(args, "-") && ts.Getenv("MUNIMENT_INDEX") != "" && ts.Getenv("PATH") == os.Getenv("PATH") {
		r, err := callHere(ts.MkAbs("."), ts.Getenv, args)
		ts.Check(err)
		fmt.Fprint(ts.Stdout(), r.stdout)
		fmt.Fprint(ts.Stderr(), r.stderr)
		if r.code != 0 {
			ts.Logf("[exit status %d]", r.code)
		}
		return r.code, r.stderr
	}
	if err := ts.Exec(name, args...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%s: %v", name, err)
		}
		code = exit.ExitCode()
	}
	return code, ts.ReadFile("stderr")
}

// testMemory is how much memory the collector lets the tests of this package use: without a limit
// those with recordings of 48 MB, run beside each other, take 1.5 GB.
const testMemory = 512 << 20

// here is locked while a call has set the working folder of this process.
var here sync.Mutex

// callHere runs the program in this process with a working folder and an environment. Calls wait for
// each other.
func callHere(dir string, env func(string) string, args []string) (result, error) {
	here.Lock()
	defer here.Unlock()
	before, err := os.Getwd()
	if err != nil {
		return result{}, err
	}
	if err := os.Chdir(dir); err != nil {
		return result{}, err
	}
	defer func() { _ = os.Chdir(before) }() // the folder of this package
	streams, err := os.MkdirTemp("", "streams-")
	if err != nil {
		return result{}, err
	}
	defer os.RemoveAll(streams)
	var files [3]*os.File
	for i := range files {
		if files[i], err = os.Create(filepath.Join(streams, fmt.Sprint(i))); err != nil {
			return result{}, err
		}
		defer files[i].Close()
	}
	host, err := os.Hostname()
	if err != nil {
		return result{}, err
	}
	p := &program{
		world: archive.World{Now: time.Now, Sleep: time.Sleep, Rand: rand.Reader, PID: os.Getpid(), Host: host},
		env:   env, stdin: files[0], stdout: files[1], stderr: files[2],
	}
	r := result{code: p.execute(context.Background(), args)}
	for i, to := range []*string{&r.stdout, &r.stderr} {
		data, err := os.ReadFile(files[i+1].Name())
		if err != nil {
			return result{}, err
		}
		*to = string(data)
	}
	return r, nil
}
