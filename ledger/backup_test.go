package ledger

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"muniment/cid"
)

// filled returns a ledger with rows in every table.
func filled(t *testing.T, address string) *Ledger {
	t.Helper()
	l := open(t, address)
	burned := entry("It burned.")
	burned.Key, burned.User, burned.Project = "k", "u", "p"
	_, _, errSource := l.AddSource(source("a.txt"))
	burned.Source = 1
	burned.Inputs = []string{"1"}
	n := add(t, l, burned)
	add(t, l, entry("It burned again, “really”  \\ <b>."))
	data, id := object(t, "It burned.")
	_, errSearch := l.AddSearch(SearchRecord{Time: noon, Claim: "x"})
	_, errSynthesis := l.AddSynthesis(synthesis())
	_, errPack := l.AddPack(Pack{Time: noon, PackID: "p", Metadata: "{}"})
	for _, err := range []error{
		errSource, errSearch, errSynthesis, errPack, bind(l, n, data, id, noon), seal(l, n, cid.Of([]byte("s")), noon), l.AddRefusal(Refusal{noon, "a", "b", "c", searched}), l.AddRefused("ann", noon), l.AddSegmentationErrors([]SegmentationError{{noon, "bind", "too long", 1}}), l.AddQuestion(asked(noon, "engine", "")), reviewed(l, n),
		l.AddLink(Link{Time: noon, From: 2, To: 1, Type: "supersedes", Agent: "a", Session: "s"}),
		l.AddShown([]Shown{shownAt(noon, "ann", "Source A", 0, 0, 0)}, []Risk{{noon, "ann", "daily", "x", 1}}, Cap{}),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return l
}

// A backup of either database fills either, with the same numbers and rows.
func testBackup(t *testing.T, address string) {
	l := filled(t, address)
	var first bytes.Buffer
	rows, err := l.Export(&first, "archive")
	if err != nil || rows < int64(len(tables)) {
		t.Fatalf("%d rows: %v", rows, err)
	}
	for _, table := range tables {
		if !strings.Contains(first.String(), `{"table":"`+table.name+`"`) {
			t.Errorf("no row of %s", table.name)
		}
	}
	others := []string{filepath.Join(t.TempDir(), "other.db")}
	if server.cluster != nil {
		others = append(others, newSchema(t))
	}
	for _, other := range others {
		into := open(t, other)
		lines := bytes.SplitAfter(first.Bytes(), []byte("\n"))
		for name, bad := range map[string][]byte{
			"cut":             bytes.Join(lines[:len(lines)-3], nil),
			"without its end": bytes.Join(lines[:len(lines)-2], nil),
			"changed":         bytes.Replace(first.Bytes(), []byte("It burned again"), []byte("It burned Again"), 1),
			"a row less":      slices.Concat(bytes.Join(lines[:len(lines)-3], nil), lines[len(lines)-2]),
			"empty":           nil,
			"goes on":         append(bytes.Clone(first.Bytes()), "{}\n"...),
			"newer":           bytes.Replace(first.Bytes(), []byte(`"schema":`), []byte(`"schema":9`), 1),
		} {
			if n, err := into.Import(bytes.NewReader(bad), "archive"); err == nil || n != 0 {
				t.Errorf("%s: %d, %v", name, n, err)
			}
		}
		if _, err := into.Import(bytes.NewReader(first.Bytes()), "another"); err == nil {
			t.Error("the backup of another archive was taken")
		}
		if n, err := into.Import(bytes.NewReader(first.Bytes()), "archive"); err != nil || n != rows {
			t.Fatalf("%s: %d, %v", other, n, err)
		}
		var second bytes.Buffer
		if _, err := into.Export(&second, "archive"); err != nil || !bytes.Equal(first.Bytes(), second.Bytes()) {
			t.Errorf("the backup of the copy differs: %v\n%s", err, cmp.Diff(first.String(), second.String()))
		}
		if _, err := into.Import(bytes.NewReader(first.Bytes()), "archive"); !errors.Is(err, ErrNotEmpty) {
			t.Errorf("into a ledger with rows: %v", err)
		}
		if n := add(t, into, entry("after")); n != 3 {
			t.Errorf("the next ordinal is %d", n)
		}
		if found, err := into.Check(); err != nil || len(found) != 0 {
			t.Errorf("%v %v", found, err)
		}
	}
}

// Every column of a citation and what belongs to it, changed by somebody who can
// write the file, is found by Check, and where the citation is shown.
func TestCheckFindsEveryColumn(t *testing.T) {
	file := filepath.Join(t.TempDir(), "l.db")
	if err := filled(t, file).Close(); err != nil {
		t.Fatal(err)
	}
	intact, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	pristine := open(t, file)
	if found, err := pristine.Check(); err != nil || len(found) != 0 {
		t.Fatalf("an intact ledger: %v %v", found, err)
	}
	changed := 0
	for _, table := range []string{"citations", "attestations", "bindings", "links", "sources", "claims"} {
		rows, err := pristine.query(`SELECT * FROM ` + table)
		if err != nil {
			t.Fatal(err)
		}
		columns, err := rows.Columns()
		rows.Close()
		if err != nil {
			t.Fatal(err)
		}
		for _, column := range columns {
			if column == "ordinal" || column == "id" || table == "bindings" && column == "time" || table == "claims" && column == "time" || column == "target" {
				continue // numbers are held by the constraints of the schema; the time of a claim's first use is not shown
			}
			path := filepath.Join(t.TempDir(), "l.db")
			if err := os.WriteFile(path, intact, 0o600); err != nil {
				t.Fatal(err)
			}
			db := raw(t, path)
			kind := ""
			if err := db.QueryRow(fmt.Sprintf("SELECT typeof(%s) FROM %s LIMIT 1", column, table)).Scan(&kind); err != nil {
				t.Fatal(err)
			}
			to := "substr(" + column + ", 1, length(" + column + ") - 1) || 'x'"
			if kind != "text" {
				to = column + " + 1"
			}
			for _, q := range []string{"PRAGMA foreign_keys = OFF", "DROP TRIGGER " + table + "_update", "PRAGMA ignore_check_constraints = ON", fmt.Sprintf("UPDATE %s SET %s = %s", table, column, to)} {
				if _, err := db.Exec(q); err != nil {
					t.Fatalf("%s: %v", q, err)
				}
			}
			if err := db.Close(); err != nil {
				t.Fatal(err)
			}
			l := open(t, path)
			found, err := l.Check()
			if err != nil || len(found) == 0 {
				t.Errorf("%s.%s: nothing is found: %v", table, column, err)
			}
			_, errShown := l.Get(1)
			if _, err := l.Attestations(1); table == "attestations" {
				errShown = err
			}
			if _, err := l.Links(1); table == "links" {
				errShown = err
			}
			if _, err := l.Source(1); table == "sources" {
				errShown = err
			}
			lookup := column == "document" || column == "chunk" // of tables that only searches use
			if errShown == nil && table != "claims" && !lookup {
				t.Errorf("%s.%s: shown as if nothing had happened", table, column)
			}
			changed++
		}
	}
	if changed < 60 {
		t.Errorf("%d columns were changed", changed)
	}
}
