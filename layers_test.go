package muniment

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"strings"
	"testing"
)

// A layer says what a package of ours may import, and why.
type layer struct {
	path   string // below the module; a trailing /... takes the packages beneath
	may    []string
	reason string
}

// The leaves: everything may stand on them.
var leaves = []string{"cid", "jcs", "merkle", "objects/chunk"}

// layers is the contract between the packages. A package that is not listed
// fails the test.
var layers = []layer{
	{"cid", nil, "identifiers depend on nothing"},
	{"jcs", nil, "canonical JSON depends on nothing"},
	{"merkle", nil, "hash trees depend on nothing"},
	{"objects/chunk", nil, "where bytes are cut depends on the bytes alone"},
	{"objects", leaves, "a store of bytes knows nothing of what they mean"},
	{"objects/powercut", []string{"objects"}, "replays a crash for tests; it knows only files"},
	{"canon", leaves, "a text's form must not depend on who stores or cites it"},
	{"canon/html", []string{"canon"}, "a reader gives a form to package canon"},
	{"canon/csvtable", []string{"canon"}, "a reader gives a form to package canon"},
	{"canon/jsontext", []string{"canon"}, "a reader gives a form to package canon"},
	{"canon/dbresult", []string{"canon"}, "a reader gives a form to package canon"},
	{"canon/mail", []string{"canon", "canon/html", "cid"}, "a reader gives a form to package canon; a mailbox names its mails"},
	{"canon/office/docpack", []string{"canon"}, "opens a document's zip within limits; knows no form"},
	{"canon/office", []string{"canon", "canon/office/docpack"}, "a reader gives a form to package canon"},
	{"canon/epub", []string{"canon", "canon/html", "canon/office/docpack"}, "a book's chapters are web pages in a container"},
	{"canon/pdf", []string{"canon"}, "a reader gives a form to package canon, through a program of its own"},
	{"canon/transcript", []string{"canon"}, "a reader gives a form to package canon"},
	{"canon/media", []string{"canon"}, "a reader gives facts to package canon"},
	{"canon/vector", []string{"canon", "cid"}, "reads and writes the vectors that the readers' tests share; it knows no reader"},
	{"canon/formstest", []string{"canon"}, "tests of all forms together; it has no code of its own"},
	{"accession/container", []string{"canon"}, "packed folders are lists of files; names are compared in the frozen normal form"},
	{"custody/remote", []string{"objects"}, "moves packs and refs between machines; it judges neither"},
	{"custody/dispute", append([]string{"snapshot"}, leaves...), "two signed snapshots in a file; it knows no archive"},
	{"custody/bagit", []string{"accession/container"}, "a bag is files and their sums; it knows no archive"},
	{"accession/web", []string{"canon", "snapshot/record"}, "a page comes with what is known of its source; it knows no archive"},
	{"accession/sourcemeta", []string{"snapshot/record", "cid"}, "what people say about sources, checked as records are"},
	{"snapshot/record", leaves, "the archive's JSON objects are plain data"},
	{"sign", leaves, "what is signed is bytes; sign must not learn what they mean"},
	{"sign/sshkey", []string{"sign"}, "keys and agents bring in the network; the verifier does not link them"},
	{"sign/trust", append([]string{"sign"}, leaves...), "whose signature counts is asked of one text, by everything that verifies"},
	{"cite", append([]string{"canon"}, leaves...), "spans count in canonical texts and know no archive"},
	{"cite/locator", []string{"cite", "canon"}, "other ways to say a span; it knows no archive and no reader"},
	{"snapshot", append([]string{"objects", "sign", "sign/trust", "snapshot/record", "canon"}, leaves...), "a snapshot is a signed tree of records and texts"},
	{"bundle", append([]string{"verifiers", "snapshot", "sign", "sign/trust", "cite", "snapshot/record", "canon", "objects"}, leaves...), "a bundle proves citations against snapshots; its page carries the text of an independent verifier"},
	{"answer/log", append([]string{"bundle", "sign"}, leaves...), "the log keeps statements' hashes, not answers"},
	{"ledger", append([]string{"cite"}, leaves...), "the ledger registers citations and asks nobody"},
	{"ledger/cluster", nil, "a database server for tests; it knows no ledger"},
	{"engine/bib", append([]string{"canon"}, leaves...), "references are made of what is known of a work; it knows no archive"},
	{"engine/exchange", []string{"answer/segment"}, "other systems' citations are only what somebody said; it knows no archive"},
	{"answer/segment", nil, "text in, ranges out"},
	{"answer/budget", nil, "counts code points; it knows no text and no clock"},
	{"answer/model", nil, "a question goes out, a verdict or a draft comes back; it knows no archive"},
	{"answer/retrieve", append([]string{"cite", "canon", "answer/segment"}, leaves...), "search sees texts and spans, no policy"},
	{"answer/catalogue", []string{"answer/segment", "answer/retrieve"}, "questions about records are read without any record"},
	{"answer/assign", append([]string{"cite", "canon", "answer/segment", "answer/retrieve"}, leaves...), "alignment sees passages, no policy"},
	{"answer/pack", append([]string{"cite", "canon", "answer/segment", "answer/retrieve"}, leaves...), "evidence is chosen by what is known of it, without the archive"},
	{"answer/contract", []string{"answer/segment", "answer/pack"}, "a draft is judged by what is on file of its citations; it knows no archive"},
	{"answer/profile", append([]string{"answer/pack", "answer/contract"}, leaves...), "rules as data, of the packages that go by them"},
	{"answer/enforce", append([]string{"answer/profile", "answer/pack", "answer/contract", "answer/segment"}, leaves...), "counts and scores decide, by a profile's thresholds; it knows no archive"},
	{"answer/repair", []string{"answer/segment", "answer/contract"}, "repair moves marks and asks the gate; it knows no archive"},
	{"answer/policy", append([]string{"snapshot/record"}, leaves...), "policy decides on consent, not on texts"},
	{"answer/gate", append([]string{"snapshot/record", "cite", "answer/policy", "answer/segment", "answer/budget"}, leaves...), "gates only reduce; they cannot reach the archive"},
	{"answer", append([]string{"bundle", "snapshot", "sign", "cite", "snapshot/record", "canon", "answer/segment", "answer/retrieve", "answer/assign", "answer/catalogue", "answer/policy", "answer/gate", "answer/budget", "answer/enforce", "answer/model", "answer/profile"}, leaves...), "the pipeline is handed a view of the archive"},
	{"verifiers", nil, "an independent verifier shares no code with the program"},
	{"verifiers/js", nil, "an independent verifier shares no code with the program"},
	{"", []string{"*"}, "the front door wires everything"},
	{"cmd/muniment", append([]string{"", "sign", "sign/sshkey", "sign/trust", "bundle", "accession/sourcemeta"}, leaves...), "a command calls the front door; it only brings keys and prints"},
	{"bench/million", []string{"objects", "snapshot/record", "canon", "cid"}, "fills a store through the packages that add uses"},
	{"bench/letters", nil, "writes letters to measure with; knows no archive"},
	{"bench/passages", []string{"answer/retrieve", "canon", "cid", "ledger/cluster"}, "asks an index of letters and measures the answers"},
	{"cmd/muniment-verify", append([]string{"bundle", "sign", "sign/trust"}, leaves...), "the small verifier links the core and nothing else"},
}

// core is what cmd/muniment-verify links.
var core = []string{"verifiers", "cid", "jcs", "merkle", "objects/chunk", "objects", "canon", "snapshot/record", "sign", "sign/trust", "cite", "snapshot", "bundle"}

// coreMayNot lists the parts of the standard library that the core stays away
// from, each with its reason. os itself is allowed in objects alone.
var coreMayNot = map[string]string{
	"net":          "verification works offline",
	"net/http":     "verification works offline",
	"os/exec":      "a verifier runs no other program",
	"database/sql": "a bundle needs no database",
}

type goPackage struct {
	ImportPath string
	Imports    []string
	Deps       []string
	GoFiles    []string
	Dir        string
}

func listPackages(t *testing.T) map[string]goPackage {
	t.Helper()
	out, err := exec.Command("go", "list", "-deps", "-json=ImportPath,Imports,Deps,GoFiles,Dir", "./...").Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			t.Fatalf("go list: %v\n%s", err, exit.Stderr)
		}
		t.Fatal(err)
	}
	packages := map[string]goPackage{}
	dec := json.NewDecoder(strings.NewReader(string(out)))
	for {
		var p goPackage
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return packages
		} else if err != nil {
			t.Fatal(err)
		}
		if p.ImportPath == "muniment" || strings.HasPrefix(p.ImportPath, "muniment/") {
			packages[strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, "muniment"), "/")] = p
		}
	}
}

func TestLayers(t *testing.T) {
	packages := listPackages(t)
	checked := 0
	for name, p := range packages {
		var rule *layer
		for i := range layers {
			if layers[i].path == name {
				rule = &layers[i]
			}
		}
		if rule == nil {
			t.Errorf("package %q is in no layer: add it to the table with its reason", name)
			continue
		}
		checked++
		for _, imp := range p.Imports {
			if imp != "muniment" && !strings.HasPrefix(imp, "muniment/") {
				continue
			}
			short := strings.TrimPrefix(strings.TrimPrefix(imp, "muniment"), "/")
			if !allowed(rule.may, short) {
				t.Errorf("%s imports %s: %s", name, short, rule.reason)
			}
		}
	}
	if checked != len(layers) {
		t.Errorf("%d packages checked, the table has %d", checked, len(layers))
	}
	for _, name := range core {
		for _, dep := range packages[name].Deps {
			if reason, bad := coreMayNot[dep]; bad {
				t.Errorf("core package %s depends on %s: %s", name, dep, reason)
			}
		}
	}
}

func allowed(may []string, name string) bool {
	for _, m := range may {
		if m == "*" || m == name {
			return true
		}
	}
	return false
}
