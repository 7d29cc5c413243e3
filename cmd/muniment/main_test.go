package main

import (
	"flag"
	"os"
	"runtime/debug"
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
	if err := flag.Set("test.parallel", "4"); err != nil {
		panic(err)
	}
	debug.SetMemoryLimit(testMemory) // main sets one of its own
	testscript.Main(m, map[string]func(){"muniment": main})
}
