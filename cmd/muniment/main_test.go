package main

import (
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestMain makes this test binary answer to the name muniment, so that the
// scripts and the sessions of the documents run the real program.
func TestMain(m *testing.M) {
	// No run goes on in the background after its test ended, but where a test is about that.
	if _, set := os.LookupEnv("MUNIMENT_INDEX"); !set {
		if err := os.Setenv("MUNIMENT_INDEX", "ask"); err != nil {
			panic(err)
		}
	}
	// Thousands of processes that end within a tenth of a second start faster when they collect nothing at first.
	if err := os.Setenv("GOGC", "400"); err != nil {
		panic(err)
	}
	testscript.Main(m, map[string]func(){"muniment": main})
}
