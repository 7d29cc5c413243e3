package sign

import (
	"bytes"
	"encoding/hex"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the test vectors")

const vectorDir = "../testvectors/sign"

// What a vector expects: the closed set of its expect line.
const (
	accept    = "accept"    // reads, encodes to the same bytes, verifies
	refused   = "refused"   // reads and encodes to the same bytes, does not verify
	malformed = "malformed" // does not read
)

// A vector is one file of testvectors/sign: header lines, an empty line, body.
// At most one thing is wrong with it.
type vector struct {
	name   string
	expect string
	head   []string // further header lines, "key: value"
	body   []byte
	says   string // in the error; not in the file
}

// kind is the first word of the name, up to the slash.
func (v vector) kind() string {
	kind, _, _ := strings.Cut(v.name, "/")
	return kind
}

func (v vector) file() string {
	return strings.ReplaceAll(v.name, "/", "-")
}

func (v vector) get(key string) string {
	for _, h := range v.head {
		if k, value, _ := strings.Cut(h, ": "); k == key {
			return value
		}
	}
	return ""
}

func (v vector) encode() []byte {
	head := append([]string{"kind: " + v.kind(), "expect: " + v.expect}, v.head...)
	return append([]byte(strings.Join(head, "\n")+"\n\n"), v.body...)
}

// readVector reads a file of the corpus as any implementation would.
func readVector(t *testing.T, path string) vector {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	head, body, ok := bytes.Cut(data, []byte("\n\n"))
	if !ok {
		t.Fatalf("%s: no empty line after the header", path)
	}
	v := vector{body: body, head: strings.Split(string(head), "\n")}
	v.expect = v.get("expect")
	v.name = v.get("kind") + "/" + strings.TrimPrefix(filepath.Base(path), v.get("kind")+"-")
	if !slices.Contains([]string{accept, refused, malformed}, v.expect) {
		t.Fatalf("%s: expect %q", path, v.expect)
	}
	return v
}

// allVectors lists the corpus in the order of its generators.
func allVectors() []vector {
	return slices.Concat(keyVectors(), signatureVectors(), skVectors(), allowedVectors(), checkpointVectors(), proofVectors())
}

// The corpus on disk is what the generators write.
func TestVectorFiles(t *testing.T) {
	want := make(map[string][]byte)
	for _, v := range allVectors() {
		if want[v.file()] != nil {
			t.Fatalf("two vectors named %s", v.file())
		}
		want[v.file()] = v.encode()
	}
	if *update {
		for name, data := range want {
			if err := os.WriteFile(filepath.Join(vectorDir, name), data, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	files, err := filepath.Glob(filepath.Join(vectorDir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range files {
		name := filepath.Base(path)
		if name == "README.md" || strings.HasPrefix(name, "sealed-") {
			continue // encryption is not repeatable; TestVectors opens them
		}
		got, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want[name]) {
			t.Errorf("%s is not what its generator writes; run go test ./sign -update and look at the difference", name)
		}
		delete(want, name)
	}
	for name := range want {
		t.Errorf("%s is missing", name)
	}
}

// atLeast guards against an empty corpus, per kind.
var atLeast = map[string]int{"key": 12, "signature": 40, "allowed": 20, "checkpoint": 15, "proof": 12, "sealed": 6}

func TestVectors(t *testing.T) {
	says := make(map[string]string)
	for _, v := range slices.Concat(allVectors(), sealedVectors()) {
		says[v.file()] = v.says
	}
	files, err := filepath.Glob(filepath.Join(vectorDir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	ran := make(map[string]int)
	for _, path := range files {
		if filepath.Base(path) == "README.md" {
			continue
		}
		v := readVector(t, path)
		ran[v.kind()]++
		t.Run(filepath.Base(path), func(t *testing.T) {
			outcome, err := run(v)
			if outcome != v.expect {
				t.Fatalf("got %s (%v), want %s", outcome, err, v.expect)
			}
			if want := says[v.file()]; v.expect != accept && (want == "" || !strings.Contains(fmt.Sprint(err), want)) {
				t.Errorf("error %q, want it to say %q", fmt.Sprint(err), want)
			}
		})
	}
	for kind, n := range atLeast {
		if ran[kind] < n {
			t.Errorf("%d vectors of kind %s, want at least %d", ran[kind], kind, n)
		}
	}
}

// run reads and verifies a vector and returns what came of it.
func run(v vector) (outcome string, err error) {
	read := map[string]func(vector) ([]byte, func() error, error){
		"key": runKey, "signature": runSignature, "allowed": runAllowed,
		"checkpoint": runCheckpoint, "proof": runProof, "sealed": runSealed,
	}[v.kind()]
	if read == nil {
		return "", fmt.Errorf("unknown kind %q", v.kind())
	}
	again, verify, err := read(v)
	if err != nil {
		return malformed, err
	}
	if !bytes.Equal(again, v.body) {
		return "", fmt.Errorf("encodes to %q", again)
	}
	if err := verify(); err != nil {
		return refused, err
	}
	return accept, nil
}

func runKey(v vector) ([]byte, func() error, error) {
	k, err := ParseKey(string(v.body))
	if err != nil {
		return nil, nil, err
	}
	return []byte(k.Authorized()), func() error {
		if k.Fingerprint() != v.get("fingerprint") {
			return fmt.Errorf("fingerprint %s, want %s", k.Fingerprint(), v.get("fingerprint"))
		}
		return nil
	}, nil
}

func runSignature(v vector) ([]byte, func() error, error) {
	s, err := ParseSignature(v.body)
	if err != nil {
		return nil, nil, err
	}
	return s.Armored(), func() error { return s.Verify(v.get("namespace"), []byte(v.get("message"))) }, nil
}

// A file of allowed signers has no second encoding to compare: blanks and
// comments are free. See FuzzParseAllowedSigners.
func runAllowed(v vector) ([]byte, func() error, error) {
	a, err := ParseAllowedSigners(v.body)
	if err != nil {
		return nil, nil, err
	}
	return v.body, func() error {
		k, err := ParseKey(v.get("key"))
		if err != nil {
			return err
		}
		e, ok := a.Allows(k, v.get("namespace"))
		if !ok {
			return fmt.Errorf("not allowed")
		}
		if line := v.get("line"); line != strconv.Itoa(e.Line) {
			return fmt.Errorf("allowed by line %d, want %s", e.Line, line)
		}
		return nil
	}, nil
}

func runCheckpoint(v vector) ([]byte, func() error, error) {
	n, err := parseNote(v.body)
	if err != nil {
		return nil, nil, err
	}
	return n.encode(), func() error {
		k, err := ParseKey(v.get("key"))
		if err != nil {
			return err
		}
		c, err := OpenCheckpoint(v.body, k)
		if err == nil && c != n.checkpoint {
			return fmt.Errorf("opens as %v", c)
		}
		return err
	}, nil
}

func runProof(v vector) ([]byte, func() error, error) {
	p, err := ParseLogProof(v.body)
	if err != nil {
		return nil, nil, err
	}
	return p.Encode(), func() error {
		k, err := ParseKey(v.get("key"))
		if err != nil {
			return err
		}
		entry, err := hex.DecodeString(v.get("entry"))
		if err != nil {
			return err
		}
		_, err = p.Verify(entry, k)
		return err
	}, nil
}

func runSealed(v vector) ([]byte, func() error, error) {
	return v.body, func() error {
		plain, err := Open([]byte(v.get("identity")+"\n"), v.body)
		if err == nil && string(plain) != v.get("plaintext") {
			return fmt.Errorf("opens as %q", plain)
		}
		return err
	}, nil
}
