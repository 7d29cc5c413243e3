package muniment_test

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"muniment"
	"muniment/archive/problem"
	"muniment/history"
	"muniment/sign"
	"muniment/sign/sshkey"
)

// A desk is a folder with papers, an archivist's key and, from Init on, an
// archive. Each example begins with a desk at which the steps of the examples
// before it are done.
type desk struct {
	dir     string
	key     muniment.Signer
	signers *sign.AllowedSigners
	letters *muniment.Archive
}

// The steps of a piece of data's life, as the examples take them.
const (
	nothing = iota
	made
	added
	signed
)

func newDesk(steps int) *desk {
	dir := must(os.MkdirTemp("", "muniment-example-"))
	key := must(sshkey.Generate(rand.Reader, filepath.Join(dir, "key"), "example", nil))
	d := &desk{dir: dir, key: key}
	d.signers = must(sign.ParseAllowedSigners([]byte(history.TrustLine(key.Key(), "archivist"))))
	check(os.WriteFile(d.path("letter-07.txt"), []byte("Harrow, 2 April 1931\n\nTobias Lunt repaired the mill wheel.\n"), 0o666))
	if steps >= made {
		d.letters = must(muniment.Init(d.path("letters"), muniment.InitOptions{Subject: "Ada Vale"}, muniment.World{}))
	}
	if steps >= added {
		must(d.letters.Add(context.Background(), []string{d.path("letter-07.txt")}, muniment.AddOptions{}))
	}
	if steps >= signed {
		must(d.letters.Snapshot(muniment.SnapshotOptions{Text: "first box", Signer: key}))
	}
	return d
}

func (d *desk) path(name string) string { return filepath.Join(d.dir, name) }

// clear closes the archive and removes the folder.
func (d *desk) clear() {
	if d.letters != nil {
		check(d.letters.Close())
	}
	check(os.RemoveAll(d.dir))
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func must[T any](v T, err error) T {
	check(err)
	return v
}

func ExampleInit() {
	d := newDesk(nothing)
	defer d.clear()

	a, err := muniment.Init(d.path("letters"), muniment.InitOptions{Subject: "Ada Vale", Died: "1977-10-30"}, muniment.World{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer a.Close()
	snapshots, err := a.Log()
	fmt.Println(len(snapshots), "snapshots,", err)
	// Output: 0 snapshots, <nil>
}

func ExampleOpen() {
	d := newDesk(signed)
	defer d.clear()

	a, err := muniment.Open(d.path("letters"), muniment.World{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer a.Close()
	for _, s := range must(a.Log()) {
		fmt.Printf("snapshot %d: %s\n", s.Seq, s.Text)
	}

	_, err = muniment.Open(d.path("nowhere"), muniment.World{})
	var failure *muniment.Error
	fmt.Println(errors.As(err, &failure), failure.Kind)
	fmt.Println("hint:", failure.Hint())
	// Output:
	// snapshot 1: first box
	// true NoArchive
	// hint: find archive
}

func ExampleArchive_Add() {
	d := newDesk(made)
	defer d.clear()

	r, err := d.letters.Add(context.Background(), []string{d.path("letter-07.txt")}, muniment.AddOptions{})
	fmt.Println(r.Added, "added,", len(r.Skipped), "skipped,", err)
	// Output: 1 added, 0 skipped, <nil>
}

func ExampleArchive_Snapshot() {
	d := newDesk(added)
	defer d.clear()

	r, err := d.letters.Snapshot(muniment.SnapshotOptions{Text: "first box", Signer: d.key})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("snapshot %d holds %d artifact\n", r.Seq, r.Artifacts)

	_, err = d.letters.Snapshot(muniment.SnapshotOptions{Text: "again", Signer: d.key})
	var failure *muniment.Error
	fmt.Println(errors.As(err, &failure), failure.Kind)
	// Output:
	// snapshot 1 holds 1 artifact
	// true NothingToDo
}

func ExampleArchive_Search() {
	d := newDesk(signed)
	defer d.clear()

	r, err := d.letters.Search(context.Background(), "mill wheel", 5)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, hit := range r.Hits {
		fmt.Println(hit.Name, hit.Span)
	}
	// Output: letter-07.txt p2:0-36
}

func ExampleArchive_Cite() {
	d := newDesk(signed)
	defer d.clear()

	for _, quote := range []string{"Tobias Lunt repaired the mill wheel.", "Tobias Lunt repaired the mill weel."} {
		r, err := d.letters.Cite(muniment.CiteOptions{Artifact: "letter-07.txt", Quote: quote, Claim: "Tobias Lunt repaired the mill wheel."})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(strings.TrimSpace(r.VerificationStatus + " " + r.Span))
		if r.Suggestion != "" {
			_, words, _ := strings.Cut(r.Suggestion, "quote ")
			fmt.Println("…", words)
		}
	}
	// Output:
	// verified p2:0-36
	// failed
	// … "Tobias Lunt repaired the mill wheel." claim "Tobias Lunt repaired the mill wheel."; the nearest words are at p2:0-36
}

func ExampleArchive_Ask() {
	d := newDesk(signed)
	defer d.clear()

	r, err := d.letters.Ask(context.Background(), "Who repaired the mill wheel?", muniment.AskOptions{Signer: d.key})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, c := range r.Claims {
		fmt.Println(r.Outcome, c.Text)
	}

	r, err = d.letters.Ask(context.Background(), "Which painting did she buy in Vienna?", muniment.AskOptions{Signer: d.key})
	fmt.Println(r.Outcome, len(r.Claims), err)
	// Output:
	// supported “Tobias Lunt repaired the mill wheel.”
	// refused 0 <nil>
}

func ExampleVerifyBundle() {
	d := newDesk(signed)
	defer d.clear()

	answer := must(d.letters.Ask(context.Background(), "Who repaired the mill wheel?", muniment.AskOptions{Signer: d.key}))
	for _, o := range []muniment.VerifyOptions{{Allowed: d.signers}, {}} {
		verdict, err := muniment.VerifyBundle(answer.Bundle, o)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(verdict.Verdict)
	}
	// Output:
	// VALID
	// INCOMPLETE
}

// Keys come from package sign/sshkey, and whom to trust is a text in the form of OpenSSH's
// allowed_signers: history.TrustLine writes a line of it, sign reads it.
func Example_keysAndTrust() {
	dir := must(os.MkdirTemp("", "muniment-example-"))
	defer os.RemoveAll(dir)

	made := must(sshkey.Generate(rand.Reader, filepath.Join(dir, "key"), "ada", []byte("a passphrase")))
	key, err := sshkey.Load(filepath.Join(dir, "key"), func() ([]byte, error) { return []byte("a passphrase"), nil })
	if err != nil {
		fmt.Println(err)
		return
	}
	line := history.TrustLine(key.Key(), "ada@example.org")
	signers, err := sign.ParseAllowedSigners([]byte(line))
	trust := muniment.Trust{Allowed: signers}
	fmt.Println(key.Key() == made.Key(), strings.Fields(line)[0], trust.Allowed != nil, err)
	// Output: true ada@example.org true <nil>
}

func ExampleClone() {
	d := newDesk(signed)
	defer d.clear()

	r, err := muniment.Clone(context.Background(), d.path("letters/archive.git"), d.path("copy"),
		muniment.CloneOptions{Trust: muniment.Trust{Allowed: d.signers}}, muniment.World{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Snapshots, "snapshot copied; trust given beforehand:", r.Pinned)
	// Output: 1 snapshot copied; trust given beforehand: true
}

func ExampleArchive_Fetch() {
	d := newDesk(signed)
	defer d.clear()
	ctx := context.Background()

	must(muniment.Clone(ctx, d.path("letters/archive.git"), d.path("copy"), muniment.CloneOptions{}, muniment.World{}))
	check(os.WriteFile(d.path("letter-08.txt"), []byte("The wheel turns again.\n"), 0o666))
	must(d.letters.Add(ctx, []string{d.path("letter-08.txt")}, muniment.AddOptions{}))
	must(d.letters.Snapshot(muniment.SnapshotOptions{Text: "one more letter", Signer: d.key}))

	copied := must(muniment.Open(d.path("copy"), muniment.World{}))
	defer copied.Close()
	r, err := copied.Fetch(ctx, "origin", muniment.FetchOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Relation, r.Snapshots, "snapshot taken, now at", r.OurSeq)
	// Output: ahead 1 snapshot taken, now at 2
}

// zeroArguments returns the zero values of a function's parameters, and
// context.Background() for a context.
func zeroArguments(f reflect.Type) []reflect.Value {
	var args []reflect.Value
	for i := range f.NumIn() {
		if f.In(i) == reflect.TypeFor[context.Context]() {
			args = append(args, reflect.ValueOf(context.Background()))
			continue
		}
		args = append(args, reflect.Zero(f.In(i)))
	}
	return args
}

// callZero calls a function with zero values and fails where it panics.
func callZero(t *testing.T, name string, f reflect.Value) []reflect.Value {
	t.Helper()
	defer func() {
		if v := recover(); v != nil {
			t.Errorf("%s panics with zero values: %v", name, v)
		}
	}()
	return f.Call(zeroArguments(f.Type()))
}

// functions are the exported functions of the front door.
var functions = map[string]any{
	"Init": muniment.Init, "Open": muniment.Open, "Clone": muniment.Clone, "VerifyBundle": muniment.VerifyBundle,
}

// TestFunctions compares functions with the source.
func TestFunctions(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "../../muniment.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var declared []string
	for _, d := range file.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.IsExported() {
			declared = append(declared, fn.Name.Name)
		}
	}
	slices.Sort(declared)
	if listed := slices.Sorted(maps.Keys(functions)); !slices.Equal(declared, listed) {
		t.Errorf("muniment.go declares %v, the test calls %v", declared, listed)
	}
}

// TestZeroValues calls everything of the front door with zero values: nothing
// panics, and a zero Archive says that it is not open.
func TestZeroValues(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, f := range functions {
		out := callZero(t, name, reflect.ValueOf(f))
		if len(out) == 2 && out[1].IsNil() {
			t.Errorf("%s with zero values gives no error", name)
		}
	}
	d := newDesk(signed)
	defer d.clear()
	staged := newDesk(added)
	defer staged.clear()
	n := 0
	for what, a := range map[string]*muniment.Archive{"nil": nil, "zero": {}, "signed": d.letters, "staged": staged.letters} {
		v := reflect.ValueOf(a)
		for i := range v.NumMethod() {
			name := v.Type().Method(i).Name
			if name == "Close" && (what == "signed" || what == "staged") {
				continue // the last call, below
			}
			n++
			out := callZero(t, what+" Archive."+name, v.Method(i))
			if (what == "nil" || what == "zero") && name != "Close" && len(out) == 2 {
				if err, _ := out[1].Interface().(error); !errors.Is(err, muniment.ErrNotOpen) {
					t.Errorf("%s Archive.%s gives %v, want ErrNotOpen", what, name, err)
				}
			}
		}
	}
	if n < 50 {
		t.Errorf("%d calls were made, want more", n)
	}
	// A signature is asked for by name, not found missing in the middle of the work.
	for name, err := range map[string]error{
		"Snapshot": second(staged.letters.Snapshot(muniment.SnapshotOptions{Text: "no key"})),
		"Ask":      second(d.letters.Ask(context.Background(), "Who repaired the mill wheel?", muniment.AskOptions{})),
		"Bind":     second(d.letters.Bind(context.Background(), "Tobias Lunt repaired the mill wheel.", muniment.AskOptions{})),
	} {
		var failure *muniment.Error
		if !errors.As(err, &failure) || failure.Kind != problem.Key {
			t.Errorf("%s without a Signer gives %v, want an error of kind %s", name, err, problem.Key)
		}
	}
	// Engines, too: reads and writes of a caller with no name.
	e := must(d.letters.Engine(muniment.Caller{}))
	v := reflect.ValueOf(e)
	for i := range v.NumMethod() {
		callZero(t, "Engine."+v.Type().Method(i).Name, v.Method(i))
	}
	if err := d.letters.Close(); err != nil {
		t.Error(err)
	}
	if _, err := d.letters.Log(); !strings.Contains(err.Error(), "not open") {
		t.Errorf("Log after Close: %v", err)
	}
}

func second[T any](_ T, err error) error { return err }

// An Archive is used by many goroutines at once, while another takes papers in and signs
// snapshots: they cite, list, search and ask, and no citation is lost or registered twice.
func TestConcurrentUse(t *testing.T) {
	dir := t.TempDir()
	key, err := sshkey.Generate(rand.Reader, filepath.Join(dir, "key"), "concurrent", nil)
	if err != nil {
		t.Fatal(err)
	}
	a, err := muniment.Init(filepath.Join(dir, "letters"), muniment.InitOptions{Subject: "Ada Vale"}, muniment.World{})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	const papers, goroutines, calls = 8, 16, 6
	addPaper := func(n int) error {
		path := filepath.Join(dir, fmt.Sprintf("letter-%03d.txt", n))
		text := fmt.Sprintf("Harrow, %d April 1931\n\nThe mill wheel number %d has stopped. There is flour for %d days.\n", n%28+1, n, n+2)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			return err
		}
		if _, err := a.Add(t.Context(), []string{path}, muniment.AddOptions{}); err != nil {
			return err
		}
		_, err := a.Snapshot(muniment.SnapshotOptions{Text: "more letters", Signer: key})
		return err
	}
	for n := range papers {
		if err := addPaper(n); err != nil {
			t.Fatal(err)
		}
	}
	var all sync.WaitGroup
	var mu sync.Mutex
	numbers := map[int64]string{}
	var asked atomic.Int64
	for g := range goroutines {
		all.Go(func() {
			for i := range calls {
				n := (g + i) % papers
				words := fmt.Sprintf("There is flour for %d days.", n+2)
				r, err := a.Cite(muniment.CiteOptions{Artifact: fmt.Sprintf("letter-%03d.txt", n), Quote: words, Claim: words, Session: fmt.Sprintf("s%d", g), Key: fmt.Sprintf("k%d", i)})
				if err != nil || r.VerificationStatus != "verified" {
					t.Errorf("goroutine %d, call %d: %+v, %v", g, i, r, err)
					return
				}
				mu.Lock()
				if was := numbers[r.CitationID]; was != "" {
					t.Errorf("citation %d is that of %s and of s%d k%d", r.CitationID, was, g, i)
				}
				numbers[r.CitationID] = fmt.Sprintf("s%d k%d", g, i)
				mu.Unlock()
				if list, err := a.List("letter-"); err != nil || len(list) < papers {
					t.Errorf("list: %d artifacts, %v", len(list), err)
				}
				if found, err := a.Search(t.Context(), "mill wheel flour", 5); err != nil || len(found.Hits) == 0 {
					t.Errorf("search: %v", err)
				}
				if i%3 == 0 {
					question := fmt.Sprintf("For how many days is there flour at mill wheel number %d?", n)
					ask := func() error {
						_, err := a.Ask(t.Context(), question, muniment.AskOptions{Signer: key, BundleFile: filepath.Join(dir, fmt.Sprintf("answer-%d-%d.zip", g, i))})
						return err
					}
					if err := patiently(ask); err != nil {
						t.Errorf("ask: %v", err)
					}
					asked.Add(1)
				}
			}
		})
	}
	all.Go(func() {
		for n := papers; n < papers+3; n++ {
			if err := patiently(func() error { return addPaper(n) }); err != nil {
				t.Errorf("adding a paper: %v", err)
			}
		}
	})
	all.Wait()
	e, err := a.Engine(muniment.Caller{})
	if err != nil {
		t.Fatal(err)
	}
	for g := range goroutines {
		list, err := e.Citations().BySession(fmt.Sprintf("s%d", g))
		if err != nil || len(list) != calls {
			t.Errorf("session %d has %d citations, want %d: %v", g, len(list), calls, err)
		}
	}
	if asked.Load() != goroutines*calls/3 {
		t.Errorf("%d questions were answered, want %d", asked.Load(), goroutines*calls/3)
	}
}

// patiently calls fn again while another writer has the archive.
func patiently(fn func() error) error {
	for {
		err := fn()
		var busy *muniment.Error
		if !errors.As(err, &busy) || busy.Kind != problem.Busy {
			return err
		}
	}
}
