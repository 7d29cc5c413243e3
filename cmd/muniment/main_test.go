package main

import (
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestMain makes this test binary answer to the name muniment, so that the
// scripts and the sessions of the documents run the real program.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"muniment": main})
}
