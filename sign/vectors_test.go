package sign

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"muniment/cid"
	"muniment/testvectors"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

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

// made returns the vector as its file is.
func (v vector) made() testvectors.Vector {
	out := testvectors.New(v.file(), v.body, "kind", v.kind(), "expect", v.expect)
	for _, line := range v.head {
		key, value, _ := strings.Cut(line, ": ")
		out.Add(key, value)
	}
	return out
}

// allVectors lists the corpus in the order of its generators.
func allVectors() []vector {
	return slices.Concat(keyVectors(), signatureVectors(), skVectors(), allowedVectors(), checkpointVectors(), proofVectors())
}

func TestVectors(t *testing.T) {
	var made []testvectors.Vector
	says := make(map[string]string)
	for _, v := range allVectors() {
		made, says[v.file()] = append(made, v.made()), v.says
	}
	for _, v := range sealedVectors() { // encryption is not repeatable, so that the files are kept
		made, says[v.file()] = append(made, testvectors.ReadFile(t, filepath.Join(vectorDir, v.file()))), v.says
	}
	testvectors.Generate(t, vectorDir, made)
	testvectors.Run(t, vectorDir, 212, func(t *testing.T, v testvectors.Vector) {
		expect := v.Get("expect")
		outcome, err := run(v)
		if outcome != expect {
			t.Fatalf("got %s (%v), want %s", outcome, err, expect)
		}
		if want := says[v.Name]; expect != accept && (want == "" || !strings.Contains(fmt.Sprint(err), want)) {
			t.Errorf("error %q, want it to say %q", fmt.Sprint(err), want)
		}
	})
}

// run reads and verifies a vector and returns what came of it.
func run(v testvectors.Vector) (outcome string, err error) {
	read := map[string]func(testvectors.Vector) ([]byte, func() error, error){
		"key": runKey, "signature": runSignature, "allowed": runAllowed,
		"checkpoint": runCheckpoint, "proof": runProof, "sealed": runSealed,
	}[v.Get("kind")]
	if read == nil {
		return "", fmt.Errorf("unknown kind %q", v.Get("kind"))
	}
	again, verify, err := read(v)
	if err != nil {
		return malformed, err
	}
	if !bytes.Equal(again, v.Body) {
		return "", fmt.Errorf("encodes to %q", again)
	}
	if err := verify(); err != nil {
		return refused, err
	}
	return accept, nil
}

func runKey(v testvectors.Vector) ([]byte, func() error, error) {
	k, err := ParseKey(string(v.Body))
	if err != nil {
		return nil, nil, err
	}
	return []byte(k.Authorized()), func() error {
		if k.Fingerprint() != v.Get("fingerprint") {
			return fmt.Errorf("fingerprint %s, want %s", k.Fingerprint(), v.Get("fingerprint"))
		}
		return nil
	}, nil
}

func runSignature(v testvectors.Vector) ([]byte, func() error, error) {
	s, err := ParseSignature(v.Body)
	if err != nil {
		return nil, nil, err
	}
	return s.Armored(), func() error { return s.Verify(v.Get("namespace"), []byte(v.Get("message"))) }, nil
}

// A file of allowed signers has no second encoding to compare: blanks and
// comments are free. See FuzzParseAllowedSigners.
func runAllowed(v testvectors.Vector) ([]byte, func() error, error) {
	a, err := ParseAllowedSigners(v.Body)
	if err != nil {
		return nil, nil, err
	}
	return v.Body, func() error {
		k, err := ParseKey(v.Get("key"))
		if err != nil {
			return err
		}
		var archive cid.ID
		if text := v.Get("archive"); text != "" {
			if archive, err = cid.ParseAs(cid.JSON, text); err != nil {
				return err
			}
		}
		e, ok := a.Allows(k, v.Get("namespace"), archive)
		if !ok {
			return fmt.Errorf("not allowed")
		}
		if line := v.Get("line"); line != strconv.Itoa(e.Line) {
			return fmt.Errorf("allowed by line %d, want %s", e.Line, line)
		}
		return nil
	}, nil
}

func runCheckpoint(v testvectors.Vector) ([]byte, func() error, error) {
	n, err := parseNote(v.Body)
	if err != nil {
		return nil, nil, err
	}
	return n.encode(), func() error {
		k, err := ParseKey(v.Get("key"))
		if err != nil {
			return err
		}
		c, err := OpenCheckpoint(v.Body, k)
		if err == nil && c != n.checkpoint {
			return fmt.Errorf("opens as %v", c)
		}
		return err
	}, nil
}

func runProof(v testvectors.Vector) ([]byte, func() error, error) {
	p, err := ParseLogProof(v.Body)
	if err != nil {
		return nil, nil, err
	}
	return p.Encode(), func() error {
		k, err := ParseKey(v.Get("key"))
		if err != nil {
			return err
		}
		entry, err := hex.DecodeString(v.Get("entry"))
		if err != nil {
			return err
		}
		_, err = p.Verify(entry, k)
		return err
	}, nil
}

func runSealed(v testvectors.Vector) ([]byte, func() error, error) {
	return v.Body, func() error {
		plain, err := Open([]byte(v.Get("identity")+"\n"), v.Body)
		if err == nil && string(plain) != v.Get("plaintext") {
			return fmt.Errorf("opens as %q", plain)
		}
		return err
	}, nil
}
