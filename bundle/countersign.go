package bundle

import (
	"errors"
	"fmt"
	"maps"

	"muniment/sign"
)

// Sign returns the bundle with the signature of one more key. The statement
// stays as it is, so several people can sign at different times; each can read
// it before. A signature by the same key is replaced by an equal one.
func (b *Bundle) Sign(s sign.Signer) (*Bundle, error) {
	armored, err := sign.Sign(s, sign.NamespaceAnswer, b.files[nameStatement])
	if err != nil {
		return nil, err
	}
	return b.withFile(sigName(s.Key()), armored)
}

// WithProof returns the bundle with another proof of its place in the log, such
// as one whose checkpoint witnesses have cosigned since.
func (b *Bundle) WithProof(proof []byte) (*Bundle, error) { return b.withFile(nameProof, proof) }

// Proof returns the proof of the statement's place in the log.
func (b *Bundle) Proof() *sign.LogProof {
	if b.proof == nil {
		return nil
	}
	p := *b.proof
	return &p
}

// withFile returns the bundle with one file replaced or added. The result must
// verify.
func (b *Bundle) withFile(name string, data []byte) (*Bundle, error) {
	if b.statement == nil {
		return nil, errEmpty
	}
	files := maps.Clone(b.files)
	files[name] = data
	out, err := fromFiles(files)
	if err != nil {
		return nil, fmt.Errorf("signing the answer: %w", err)
	}
	if bad := Verify(out, Requirements{}).firstFailure(); bad != "" {
		return nil, fmt.Errorf("signing the answer: %w", errors.New(bad))
	}
	return out, nil
}
