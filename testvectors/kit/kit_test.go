package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"muniment/internal/casecount"
	"muniment/testvectors"
)

// asVerifier is the variable of the environment that makes the test program a
// verifier.
const asVerifier = "MUNIMENT_KIT_VERIFIER"

func TestMain(m *testing.M) {
	switch os.Getenv(asVerifier) {
	case "":
		os.Exit(m.Run())
	case "library":
		os.Exit(verifier(os.Args[1:]))
	case "yes": // accepts everything
		os.Exit(0)
	case "crash":
		os.Exit(77)
	case "silent":
		time.Sleep(time.Minute)
	}
}

// ask runs the kit on the vectors in a folder, of an area or, for "", of all, with the test program as
// the verifier.
func ask(t *testing.T, as, dir, area string) (code int, out string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv(asVerifier, as)
	var b, problems bytes.Buffer
	code = run([]string{"-vectors", dir, "-v", "-area", area, "-patience", "2m", "-verifier", self}, &b, &problems)
	return code, b.String() + problems.String()
}

// This module's packages agree on every vector that the kit asks about. The kit starts
// a process for each: of 1,770 vectors few are asked about by default.
func TestKit(t *testing.T) {
	dir, step := t.TempDir(), casecount.Of(12, 1)
	all, n := 0, 0
	for _, area := range areasAsked(t) {
		from, err := filepath.Abs(filepath.Join("..", area))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Mkdir(filepath.Join(dir, area), 0o777); err != nil {
			t.Fatal(err)
		}
		seen := map[string]int{} // of a kind
		for _, v := range testvectors.Read(t, from) {
			all++
			kind := kindOf(v)
			if seen[kind]++; (seen[kind]-1)%step != 0 && !strings.Contains(kindsTable, "@"+v.Name) { // an input of others
				continue
			}
			n++
			if err := os.Symlink(filepath.Join(from, v.Name), filepath.Join(dir, area, v.Name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	code, out := ask(t, "library", dir, "")
	t.Log(out)
	if all < 1770 || n < 1770/step {
		t.Errorf("%d of %d vectors, want at least %d of 1770", n, all, 1770/step)
	}
	if last, want := lastLine(out), fmt.Sprintf("all %d %d 0 0 0", n, n); code != 0 || last != want {
		t.Errorf("exit code %d, and the last line is %q, want %q", code, last, want)
	}
}

// areasAsked returns the areas of the table of kinds.
func areasAsked(t *testing.T) (areas []string) {
	t.Helper()
	kinds, err := readKinds(kindsTable)
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range kinds {
		areas = append(areas, k.area)
	}
	slices.Sort(areas)
	return slices.Compact(areas)
}

// lastLine returns the last line of a table, with one space between the cells.
func lastLine(s string) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	return strings.Join(strings.Fields(lines[len(lines)-1]), " ")
}

// A verifier that accepts everything, breaks or never answers is found out.
func TestKitFindsOut(t *testing.T) {
	for as, want := range map[string]string{"yes": "all 17 2 15 0 0", "crash": "all 17 0 0 17 0"} {
		if code, out := ask(t, as, "..", "paragraph"); code != 1 || lastLine(out) != want {
			t.Errorf("%s: exit code %d, %q; want 1, %q", as, code, lastLine(out), want)
		}
	}
}

// A verifier that does not answer in time has broken, and does not hold up the kit.
func TestKitWaitsNoLonger(t *testing.T) {
	k := &kind{area: "trust", name: "root", accepts: []string{"accept"}}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv(asVerifier, "silent")
	o := asking{program: []string{self}, dir: "..", patience: 200 * time.Millisecond}
	a, err := o.askOne(t.TempDir(), k, testvectors.New("x", []byte("body"), "expect", "accept"))
	if err != nil || a.outcome != broke {
		t.Errorf("%+v, %v", a, err)
	}
}

func TestKitRefuses(t *testing.T) {
	var out bytes.Buffer
	for _, args := range [][]string{{}, {"-verifier", "true", "more"}, {"-no-such-flag"}, {"-verifier", "true", "-area", "none", "-vectors", ".."}, {"-verifier", "./no-such-program", "-vectors", ".."}} {
		if code := run(args, &out, &out); code != 2 {
			t.Errorf("%q: exit code %d, want 2", args, code)
		}
	}
}

// Every area that has a page of the specification, and every kind in it, is in the
// table or named here with the reason.
func TestKindsAreComplete(t *testing.T) {
	without := map[string]string{
		"golden": "sums of corpora that are not here", "kit": "the kit itself", "attacks": "scripts",
	}
	table := map[string]bool{}
	kinds, err := readKinds(kindsTable)
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range kinds {
		table[k.area+" "+k.name] = true
	}
	areas, err := os.ReadDir("..")
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	for _, area := range areas {
		if !area.IsDir() || without[area.Name()] != "" {
			continue
		}
		for _, v := range testvectors.Read(t, filepath.Join("..", area.Name())) {
			if checked++; !table[area.Name()+" "+kindOf(v)] {
				t.Errorf("%s/%s: kind %q is not in kinds.tsv", area.Name(), v.Name, kindOf(v))
			}
		}
	}
	if checked == 0 {
		t.Error("no vector was looked at")
	}
}
