package main

import (
	"archive/zip"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"muniment/cid"
	"muniment/objects"
)

// TestScripts runs the sessions in testdata/script, one topic each. Beside the
// commands of testscript they use those of scriptCommands.
func TestScripts(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/script/*.txtar")
	if err != nil || len(files) < minScripts {
		t.Fatalf("%d scripts, want at least %d: %v", len(files), minScripts, err)
	}
	spec, err := filepath.Abs("../../docs/spec") // before a script is in another folder
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 scriptsHere(t, files),
		RequireExplicitExec: true,
		Cmds:                scriptCommands,
		Setup: func(env *testscript.Env) error {
			env.Values[workDir{}] = env.WorkDir
			setPlace(env.Setenv, env.WorkDir)
			env.Setenv("MUNIMENT_AUTHOR", "Test Archivist <archivist@archive.invalid>")
			env.Setenv("GOGC", os.Getenv("GOGC"))
			env.Setenv("GIT_CONFIG_NOSYSTEM", "1")
			env.Setenv("GIT_NO_REPLACE_OBJECTS", "1")
			env.Setenv("SPEC", spec)
			nobody := func() {}
			env.Values[holder{}] = &nobody
			return nil
		},
		Condition: func(cond string) (bool, error) {
			if tool, ok := strings.CutPrefix(cond, "tool:"); ok {
				_, err := exec.LookPath(tool)
				return err == nil, nil
			}
			return false, errors.ErrUnsupported
		},
	})
}

// minScripts is how many scripts there are at least: a folder that was not
// copied is a failure, not a pass.
const minScripts = 19

// scriptCommands are the commands that the scripts have beside testscript's.
//
//	exits CODE PROGRAM ARG…   run it; the exit code must be CODE, and an error
//	                          of muniment must be the two lines and no more;
//	                          arguments may be Go string literals
//	json FILE PATH [WANT]     the value at a dotted path of a JSON document is
//	                          WANT, or matches it where WANT begins with ~;
//	                          @ ends a PATH: the length of a list, the sorted
//	                          keys of an object; without WANT the value is
//	                          printed; ! json: it is not there, or not WANT; a
//	                          message must be as its schema says
//	let NAME FILE PATH        set a variable to such a value
//	hex NAME ID               set a variable to the hex digest of an id
//	make FILE TEXT            write a file; both may be Go string literals
//	edit FILE OLD NEW         replace the only OLD in FILE
//	refs DIR                  print what every ref of a repository holds
//	await FILE                wait until it exists
//	part NAME                 go on in the folder NAME, with an environment of its own
//	run muniment ARG…         what exec muniment becomes, see scriptsHere
//	hold DIR [dead]           take the writer's lock as another process
//	release                   and end that process
//	unpack ZIP DIR            as unzip does
//	wreck DIR OLD NEW         replace stored bytes in the packs of a repository
var scriptCommands = map[string]func(*testscript.TestScript, bool, []string){
	"exits":   scriptExits,
	"run":     scriptRun,
	"json":    scriptJSON,
	"hold":    scriptHold,
	"wreck":   scriptWreck,
	"release": func(ts *testscript.TestScript, _ bool, _ []string) { unhold(ts) },
	"unpack": func(ts *testscript.TestScript, _ bool, args []string) {
		need(ts, args, 2, "unpack ZIP DIR")
		r, err := zip.OpenReader(ts.MkAbs(args[0]))
		ts.Check(err)
		defer r.Close()
		ts.Check(os.CopyFS(ts.MkAbs(args[1]), r))
	},
	"let": func(ts *testscript.TestScript, _ bool, args []string) {
		need(ts, args, 3, "let NAME FILE PATH")
		v, err := lookup(ts.ReadFile(args[1]), args[2])
		ts.Check(err)
		ts.Setenv(args[0], v)
	},
	"hex": func(ts *testscript.TestScript, _ bool, args []string) {
		need(ts, args, 2, "hex NAME ID")
		id, err := cid.Parse(args[1])
		ts.Check(err)
		ts.Setenv(args[0], id.Hex())
	},
	"make": func(ts *testscript.TestScript, _ bool, args []string) {
		need(ts, args, 2, "make FILE TEXT")
		file := filepath.Join(ts.MkAbs("."), literal(ts, args[0]))
		ts.Check(os.MkdirAll(filepath.Dir(file), 0o777))
		ts.Check(os.WriteFile(file, []byte(literal(ts, args[1])), 0o666))
	},
	"edit": func(ts *testscript.TestScript, _ bool, args []string) {
		need(ts, args, 3, "edit FILE OLD NEW")
		text, old := ts.ReadFile(args[0]), literal(ts, args[1])
		if n := strings.Count(text, old); n != 1 {
			ts.Fatalf("%s holds %q %d times, want once", args[0], old, n)
		}
		ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.Replace(text, old, literal(ts, args[2]), 1)), 0o666))
	},
	"refs": func(ts *testscript.TestScript, _ bool, args []string) {
		need(ts, args, 1, "refs DIR")
		all, err := readRefs(ts.MkAbs(args[0]))
		ts.Check(err)
		fmt.Fprint(ts.Stdout(), all)
	},
	"part": scriptPart,
	"await": func(ts *testscript.TestScript, _ bool, args []string) {
		need(ts, args, 1, "await FILE")
		ts.Check(await(time.Minute, func() bool {
			_, err := os.Lstat(ts.MkAbs(args[0]))
			return err == nil
		}))
	},
}

func scriptWreck(ts *testscript.TestScript, _ bool, args []string) {
	need(ts, args, 3, "wreck DIR OLD NEW")
	packs, err := filepath.Glob(filepath.Join(ts.MkAbs(args[0]), "objects/pack/*.pack"))
	ts.Check(err)
	old, repl := literal(ts, args[1]), literal(ts, args[2])
	done := 0
	for _, pack := range packs {
		data, err := os.ReadFile(pack)
		ts.Check(err)
		if n := strings.Count(string(data), old); n > 0 {
			done += n
			ts.Check(os.Chmod(pack, 0o644))
			ts.Check(os.WriteFile(pack, []byte(strings.ReplaceAll(string(data), old, repl)), 0o644))
		}
	}
	if done != 1 {
		ts.Fatalf("%q is in the packs %d times, want once", old, done)
	}
}

// workDir is the key of the folder of a script.
type workDir struct{}

// scriptPart begins a part of a script that shares nothing with the parts before it: the
// folder of its name, where its files are, is $WORK to it.
func scriptPart(ts *testscript.TestScript, _ bool, args []string) {
	need(ts, args, 1, "part NAME")
	dir := filepath.Join(ts.Value(workDir{}).(string), args[0])
	ts.Check(os.MkdirAll(dir, 0o777))
	ts.Check(ts.Chdir(dir))
	unhold(ts)
	ts.Setenv("WORK", dir)
	setPlace(ts.Setenv, dir)
}

// setPlace sets what a script must not have from elsewhere, or from a part before it.
func setPlace(set func(key, value string), dir string) {
	set("HOME", filepath.Join(dir, ".home"))
	set("MUNIMENT_HOME", filepath.Join(dir, ".keys"))
	set("MUNIMENT_INDEX", "ask")
	for _, name := range []string{"MUNIMENT_DIR", "MUNIMENT_KEY", "MUNIMENT_PASSPHRASE_FILE", "SSH_AUTH_SOCK", "CITATION_REASONING_REQUIRED"} {
		set(name, "")
	}
}

// holder is the key of the process that holds a lock.
type holder struct{}

// scriptHold takes the writer's lock for a process that lives until release,
// or for one that has already died.
func scriptHold(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) < 1 {
		ts.Fatalf("usage: hold DIR [dead]")
	}
	cmd := exec.Command("sleep", "60")
	ts.Check(cmd.Start())
	stop := func() {
		_ = cmd.Process.Kill() // it may be gone
		_ = cmd.Wait()
	}
	st, err := objects.Open(ts.MkAbs(args[0]))
	ts.Check(err)
	host, err := os.Hostname()
	ts.Check(err)
	lock, err := st.Lock(objects.Owner{PID: cmd.Process.Pid, Host: host, Start: time.Now()}, 0)
	ts.Check(err)
	held := ts.Value(holder{}).(*func())
	*held = func() {
		stop()
		_ = lock.Unlock() // a later writer may have broken it
		_ = st.Close()
		*held = func() {}
	}
	ts.Defer(func() { (*held)() })
	if len(args) == 2 {
		stop()
	}
}

func unhold(ts *testscript.TestScript) { (*ts.Value(holder{}).(*func()))() }

func need(ts *testscript.TestScript, args []string, n int, usage string) {
	if len(args) != n {
		ts.Fatalf("usage: %s", usage)
	}
}

// literal reads an argument that is a Go string literal, or takes it as it is.
func literal(ts *testscript.TestScript, s string) string {
	if !strings.HasPrefix(s, `"`) {
		return s
	}
	v, err := strconv.Unquote(s)
	ts.Check(err)
	return v
}

// await waits until something holds.
func await(limit time.Duration, holds func() bool) error {
	for end := time.Now().Add(limit); !holds(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			return fmt.Errorf("not there after %s", limit)
		}
	}
	return nil
}

func scriptExits(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) < 2 {
		ts.Fatalf("usage: exits CODE PROGRAM ARG…")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	for i := range args {
		args[i] = literal(ts, args[i])
	}
	got, stderr := scriptCall(ts, args[1], args[2:])
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
	if args[1] == "muniment" {
		if err := checkVoice(stderr, got); err != nil {
			ts.Fatalf("%v", err)
		}
	}
}

// twoLines is the form of every error, and of a claim that is not shown: what is wrong, and what to do.
var twoLines = regexp.MustCompile(`(?:^|\n)muniment: (?:error|unverified): [^\n]{4,}\nmuniment: hint: [^\n]{4,}\n$`)

// checkVoice requires that a failure ends in the two lines, that there are no
// others, and that a success has none.
func checkVoice(stderr string, code int) error {
	errs, hints := strings.Count(stderr, "muniment: error:")+strings.Count(stderr, "muniment: unverified:"), strings.Count(stderr, "muniment: hint:")
	switch {
	case code == 0 && errs+hints > 0:
		return fmt.Errorf("exit 0 and an error:\n%s", stderr)
	case code != 0 && (errs != 1 || hints != 1 || !twoLines.MatchString(stderr)):
		return fmt.Errorf("exit %d, and stderr does not end in one error line and one hint line:\n%s", code, stderr)
	}
	return nil
}

func scriptJSON(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 2 && len(args) != 3 {
		ts.Fatalf("usage: json FILE PATH [WANT]")
	}
	doc := ts.ReadFile(args[0])
	ts.Check(checkMessage(doc))
	got, err := lookup(doc, args[1])
	switch {
	case neg && err == nil && (len(args) == 2 || got == args[2]):
		ts.Fatalf("%s is %q", args[1], got)
	case neg:
	case err != nil:
		ts.Fatalf("%v", err)
	case len(args) == 2:
		fmt.Fprintln(ts.Stdout(), got)
	case strings.HasPrefix(args[2], "~"):
		if !regexp.MustCompile(args[2][1:]).MatchString(got) {
			ts.Fatalf("%s is %q, which does not match %s", args[1], got, args[2][1:])
		}
	case got != args[2]:
		ts.Fatalf("%s is %q, want %q", args[1], got, args[2])
	}
}

// lookup returns the value at a dotted path of a JSON document as text.
func lookup(doc, path string) (string, error) {
	var v any
	dec := json.NewDecoder(strings.NewReader(doc))
	dec.UseNumber()
	if err := dec.Decode(&v); err != nil {
		return "", fmt.Errorf("not JSON: %w", err)
	}
	if dec.More() {
		return "", errors.New("more than one JSON document")
	}
	for _, step := range strings.Split(path, ".") {
		switch at := v.(type) {
		case map[string]any:
			if step == "@" {
				keys := make([]string, 0, len(at))
				for k := range at {
					keys = append(keys, k)
				}
				sort.Strings(keys)
				v = strings.Join(keys, " ")
				continue
			}
			next, ok := at[step]
			if !ok {
				return "", fmt.Errorf("no %s in %s", step, path)
			}
			v = next
		case []any:
			if step == "@" {
				v = strconv.Itoa(len(at))
				continue
			}
			i, err := strconv.Atoi(step)
			if err != nil || i < 0 || i >= len(at) {
				return "", fmt.Errorf("no element %s of %d in %s", step, len(at), path)
			}
			v = at[i]
		default:
			return "", fmt.Errorf("no %s in %s", step, path)
		}
	}
	if s, ok := v.(string); ok {
		return s, nil
	}
	out, err := json.Marshal(v)
	return string(out), err
}

// readRefs returns one line per ref of a bare repository.
func readRefs(dir string) (string, error) {
	var lines []string
	err := filepath.WalkDir(filepath.Join(dir, "refs"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		lines = append(lines, name+" "+string(data))
		return err
	})
	if packed, e := os.ReadFile(filepath.Join(dir, "packed-refs")); e == nil {
		lines = append(lines, string(packed))
	}
	return strings.Join(lines, ""), err
}
