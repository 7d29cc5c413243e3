package main

import (
	"errors"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// linkedPackages are the packages of this module that the program links. A
// package that is added here becomes part of what an auditor has to trust.
var linkedPackages = []string{
	"muniment/bundle",
	"muniment/bundle/bundlefile",
	"muniment/bundle/display",
	"muniment/bundle/evidence",
	"muniment/bundle/leaf",
	"muniment/canon",
	"muniment/cid",
	"muniment/cid/jcs",
	"muniment/cid/merkle",
	"muniment/cite",
	"muniment/cite/people",
	"muniment/cite/review",
	"muniment/cmd/muniment-verify",
	"muniment/internal/release",
	"muniment/objects",
	"muniment/objects/disk",
	"muniment/objects/flate",
	"muniment/objects/object",
	"muniment/objects/pack",
	"muniment/sign",
	"muniment/sign/quorum",
	"muniment/sign/trust",
	"muniment/snapshot",
	"muniment/snapshot/access",
	"muniment/snapshot/dispute",
	"muniment/snapshot/edtf",
	"muniment/snapshot/layout",
	"muniment/snapshot/member",
	"muniment/snapshot/record",
}

// linkedModules are the modules of others that the program links on Linux.
var linkedModules = []string{
	"filippo.io/age",
	"filippo.io/hpke",
	"github.com/ipfs/go-cid",
	"github.com/klauspost/compress",
	"github.com/klauspost/cpuid/v2",
	"github.com/mr-tron/base58",
	"github.com/multiformats/go-base32",
	"github.com/multiformats/go-base36",
	"github.com/multiformats/go-multibase",
	"github.com/multiformats/go-multihash",
	"github.com/multiformats/go-varint",
	"github.com/pjbgf/sha1cd",
	"github.com/spaolacci/murmur3",
	"golang.org/x/crypto",
	"golang.org/x/mod",
	"golang.org/x/sys",
	"lukechampine.com/blake3",
}

// A new dependency of the program fails here, however far below it stands.
func TestLinks(t *testing.T) {
	cmd := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{.Path}} {{$.ImportPath}}{{end}}", ".")
	cmd.Env = append(os.Environ(), "GOOS=linux", "GOARCH=amd64", "GOFLAGS=")
	out, err := cmd.Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			t.Fatalf("go list: %v\n%s", err, exit.Stderr)
		}
		t.Fatal(err)
	}
	var packages, modules []string
	for line := range strings.Lines(string(out)) {
		module, path, ok := strings.Cut(strings.TrimSpace(line), " ")
		switch {
		case !ok:
		case strings.HasPrefix(linkedPackages[0], module+"/"):
			packages = append(packages, path)
		default:
			modules = append(modules, module)
		}
	}
	compareLinks(t, "packages of this module", packages, linkedPackages)
	compareLinks(t, "modules of others", modules, linkedModules)
}

// compareLinks reports what is linked and not listed, and the reverse.
func compareLinks(t *testing.T, what string, linked, listed []string) {
	t.Helper()
	slices.Sort(linked)
	linked = slices.Compact(linked)
	if !slices.IsSorted(listed) {
		t.Errorf("the list of %s is not sorted", what)
	}
	for _, path := range linked {
		if !slices.Contains(listed, path) {
			t.Errorf("%s: %s is linked and not listed", what, path)
		}
	}
	for _, path := range listed {
		if !slices.Contains(linked, path) {
			t.Errorf("%s: %s is listed and not linked", what, path)
		}
	}
}
