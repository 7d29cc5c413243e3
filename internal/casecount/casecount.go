// Package casecount holds the number of cases that tests draw. Tests of damage,
// of kills and of properties are as good as the number of their cases, and slow for
// the same reason: they draw few by default, so that a change is tested within
// minutes, and many where the environment variable MUNIMENT_LONG is set, as
// internal/bench/long.sh sets it.
//
//	for range casecount.Of(100, 1000) {
//
// A test asserts the number that it drew, whichever it is.
package casecount

import (
	"flag"
	"os"
	"strconv"
	"testing"
)

// Of returns few, or many where MUNIMENT_LONG is set.
func Of(few, many int) int {
	if Long() {
		return many
	}
	return few
}

// Long reports whether MUNIMENT_LONG is set.
func Long() bool { return os.Getenv("MUNIMENT_LONG") != "" }

// Rapid lets the properties of a test draw few cases each, and as many as rapid does
// by itself where MUNIMENT_LONG is set.
func Rapid(t testing.TB, few int) {
	t.Helper()
	checks := flag.Lookup("rapid.checks")
	if checks == nil {
		t.Fatal("this test does not link rapid")
	}
	if before := checks.Value.String(); !Long() {
		set := func(n string) {
			if err := checks.Value.Set(n); err != nil {
				t.Fatal(err)
			}
		}
		set(strconv.Itoa(few))
		t.Cleanup(func() { set(before) })
	}
}
