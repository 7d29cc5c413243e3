package main

import (
	"flag"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
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
	// Calls within this process give git the environment of this process.
	for _, name := range []string{"GIT_CONFIG_NOSYSTEM", "GIT_NO_REPLACE_OBJECTS"} {
		if err := os.Setenv(name, "1"); err != nil {
			panic(err)
		}
	}
	// Thousands of processes that end within a tenth of a second start faster when they collect nothing at first.
	if err := os.Setenv("GOGC", "400"); err != nil {
		panic(err)
	}
	// Most tests wait for other processes; an argument of go test has the last word.
	if err := flag.Set("test.parallel", "6"); err != nil {
		panic(err)
	}
	if name := filepath.Base(os.Args[0]); strings.HasSuffix(name, ".test") { // no process of the program
		if err := os.Setenv("GOMEMLIMIT", "off"); err != nil {
			panic(err)
		}
		debug.SetGCPercent(400)
	}
	debug.SetMemoryLimit(testMemory)
	testscript.Main(m, map[string]func(){"muniment": main})
}
