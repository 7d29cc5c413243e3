//go:build unix

package bundle

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"muniment/internal/casecount"
)

// Limits of one command on one file from anybody: time of the processor, since
// the machine may be busy, and the most memory that was resident. 64 MB are wanted;
// muniment itself takes 45 MB before it reads anything, 32 of them pages of the
// program's file, and the worst of the readers was seen at 77 MB. How many pages of
// the program are resident differs between machines and file systems, so only the long
// test holds readers to bombMemory; every test holds them to anywhereMemory.
const (
	bombTime       = time.Second
	bombMemory     = 80 << 20
	anywhereMemory = 2 * bombMemory
)

// The small verifiers are run too, with the memory that their languages take before
// they read anything, and with the whole zip of 64 MiB in memory, as they have no streams.
const (
	scriptTime   = 4 * time.Second
	scriptMemory = 512 << 20
)

// scripts are the small verifiers by the program that runs them.
var scripts = map[string]string{"verify.py": "python3", "verify.js": "node"}

// A bomb is a command line whose files are made to cost its reader dear.
type bomb struct {
	name string
	args []string // the first is the program
}

// writeBombs writes the bundles of writeLarge and other files into dir, and
// returns the command lines that read them.
func writeBombs(t *testing.T, dir string) []bomb {
	f := newFixture(t)
	made, text := cosigned(t, f, must[*Bundle](t)(Assemble(largeAnswer(t, f, 50, "seven rods"), f.env())))
	writeLarge(t, dir, f, made, text)
	write := func(name, data string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("deep.json", `{"type":"muniment/paragraph-proof/v1","a":`+strings.Repeat("[", 8<<20))
	write("long.json", `{"type":"`+strings.Repeat("x", 32<<20))
	write("digits.json", `{"a":`+strings.Repeat("9", 16<<20)+`}`)
	write("page.txt.html", "<!doctype html>\n"+strings.Repeat("<p>", 4<<20))
	write("long-line", "ada@example.org "+strings.Repeat("A", 32<<20))
	write("comments", strings.Repeat("# comment\n", 3<<20))
	write("names", strings.Repeat("a,", 16<<20))
	write("braces", strings.Repeat("@article{a, title = {", 1<<19))
	write("marks.md", strings.Repeat("[1]", 1<<20))
	write("root.txt", "a letter\n")
	write("rows.csv", "path,title\n"+strings.Repeat("a.txt,b\n", 1<<20))
	write("head.csv", strings.Repeat("path,", 2<<20))
	write("cell.csv", "path,title\n\""+strings.Repeat("a", 8<<20))
	write("rows.json", "["+strings.Repeat(`{"path":"a","title":"b"},`, 300_000)+`{"path":"z"}]`)
	write("flat.xml", "<rows>"+strings.Repeat("<row><path>a</path></row>", 300_000)+"</rows>")
	write("many.yaml", "version: 1\nsources:\n"+strings.Repeat("  - id: a\n    name: b\n", 11_000))
	write("prose.txt", strings.Repeat("The quick fox, e.g. Mr. Vale of 3 p.m., saw it. ", 7_800))
	write("stops.txt", strings.Repeat("a. ", 1<<17))
	write("long.txt", strings.Repeat("a", 64<<20))
	for name, size := range map[string]int64{"sparse.zip": 1 << 40, "sparse.json": 1 << 40, "sparse": 1 << 40} {
		write(name, map[string]string{"sparse.json": "{", "sparse.zip": "PK\x03\x04"}[name])
		if err := os.Truncate(filepath.Join(dir, name), size); err != nil {
			t.Fatal(err)
		}
	}
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	var out []bomb
	add := func(args ...string) { out = append(out, bomb{strings.Join(args, " "), args}) }
	files := must[[]string](t)(filepath.Glob(filepath.Join(dir, "*.zip")))
	pages := must[[]string](t)(filepath.Glob(filepath.Join(dir, "*.html")))
	for i, path := range slices.Concat(files, pages, []string{"deep.json", "long.json", "digits.json", "sparse.json", "sparse", "pipe", "/dev/zero"}) {
		name := filepath.Base(path)
		if strings.HasPrefix(path, "/dev/") {
			name = path
		}
		// Each program reads each file, as text and, in turn or always, as JSON.
		for k, command := range [][]string{{"muniment-verify"}, {"muniment", "verify"}, {"muniment", "bundle", "show"}} {
			if casecount.Long() || (i+k)%8 == 0 {
				add(append(slices.Clone(command), name)...)
			}
			if casecount.Long() || (i+k)%8 == 4 {
				add(append(slices.Clone(command), "--json", name)...)
			}
		}
		for script, language := range scripts {
			if _, err := exec.LookPath(language); err == nil && (casecount.Long() || i%4 == 0) {
				add(script, name)
			}
		}
	}
	for i, name := range []string{"long-line", "comments", "sparse", "pipe", "/dev/zero"} {
		for k, flag := range []string{"--trust", "--identity", "--since", "--nonce-file"} {
			if !casecount.Long() && (i+k)%4 != 0 {
				continue
			}
			add("muniment-verify", "256.zip", flag, name)
			add("muniment", "verify", "256.zip", flag, name)
		}
		add("muniment", "-C", "a", "import", "marks.md", "--map", name)
		add("muniment", "-C", "a", "import", name)
		if name == "pipe" || name == "/dev/zero" {
			add("muniment", "-C", "a", "add", "root.txt", "--dry-run", "--meta", name)
			add("muniment", "-C", "a", "add", "root.txt", "--dry-run", "--registry", name)
		}
		add("muniment", "-C", "a", "snapshot", "-m", "x", "--key", name)
	}
	for _, name := range []string{"rows.csv", "head.csv", "cell.csv", "rows.json", "deep.json", "flat.xml", "prose.txt"} {
		add("muniment", "-C", "a", "add", "root.txt", "--dry-run", "--meta", name)
	}
	for _, name := range []string{"many.yaml", "deep.json", "prose.txt"} {
		add("muniment", "-C", "a", "add", "root.txt", "--dry-run", "--registry", name)
	}
	for _, name := range []string{"prose.txt", "stops.txt", "long.txt", "sparse"} {
		add("muniment", "segment", name)
		add("muniment", "segment", "--json", name)
	}
	for _, name := range []string{"braces", "names", "deep.json", "digits.json"} {
		add("muniment", "-C", "a", "import", name)
	}
	return out
}

// Every reader of a file from anybody ends, and takes no more than its memory, on the
// project's own set of bombs; with MUNIMENT_LONG within its processor time, too. The
// programs are run as their users run them.
func TestBombs(t *testing.T) {
	timer, err := exec.LookPath("/usr/bin/time")
	if err != nil {
		t.Skip("TestBombs needs GNU time as /usr/bin/time")
	}
	dir, bin := t.TempDir(), t.TempDir()
	for _, name := range []string{"muniment", "muniment-verify"} {
		if out, err := exec.Command("go", "build", "-o", filepath.Join(bin, name), "muniment/cmd/"+name).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	for script, language := range scripts {
		path := must[string](t)(filepath.Abs(filepath.Join("../verifiers", script)))
		if err := os.WriteFile(filepath.Join(bin, script), fmt.Appendf(nil, "#!/bin/sh\nexec %s %q \"$@\"\n", language, path), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	env := append(os.Environ(), "HOME="+dir, "MUNIMENT_HOME="+filepath.Join(dir, "keys"), "MUNIMENT_AUTHOR=Test <test@archive.invalid>")
	begin := exec.Command(filepath.Join(bin, "muniment"), "init", "a", "--name", "x")
	begin.Dir, begin.Env = dir, env
	if out, err := begin.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	bombs := writeBombs(t, dir)
	if len(bombs) < casecount.Of(45, 158) {
		t.Fatalf("only %d bombs", len(bombs))
	}
	var table strings.Builder
	for _, b := range bombs {
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
		// A child of this process would be said to have this process's memory.
		figures := filepath.Join(bin, "figures")
		cmd := exec.CommandContext(ctx, timer, append([]string{"-f", "%U %S %M", "-o", figures, filepath.Join(bin, b.args[0])}, b.args[1:]...)...)
		cmd.Dir, cmd.Env, cmd.SysProcAttr = dir, env, &syscall.SysProcAttr{Setpgid: true}
		cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
		err := cmd.Run()
		stopped := ctx.Err()
		cancel()
		var user, system float64
		var memory int64
		if data, e := os.ReadFile(figures); e == nil {
			lines := strings.Split(strings.TrimSpace(string(data)), "\n") // the first may tell of the exit code
			fmt.Sscan(lines[len(lines)-1], &user, &system, &memory)
		}
		took := time.Duration((user + system) * float64(time.Second))
		memory <<= 10
		fmt.Fprintf(&table, "%7.2f s %5d MB  %s (%v)\n", took.Seconds(), memory>>20, b.name, err)
		maxTime, maxMemory := bombTime, int64(bombMemory)
		if scripts[b.args[0]] != "" {
			maxTime, maxMemory = scriptTime, scriptMemory
		}
		if !casecount.Long() {
			maxTime, maxMemory = time.Minute, max(maxMemory, anywhereMemory)
		}
		if took > maxTime || memory > maxMemory || stopped != nil || memory == 0 {
			t.Errorf("%s: %v, %d MB, %v, %v", b.name, took, memory>>20, err, stopped)
		}
	}
	t.Logf("\n%s", table.String())
	if file := os.Getenv("MUNIMENT_BOMB_TABLE"); file != "" {
		if err := os.WriteFile(file, []byte(table.String()), 0o666); err != nil {
			t.Error(err)
		}
	}
}
