package accession

import (
	"bytes"
	"errors"
	"fmt"

	"muniment/archive"
)

// errMetadataOnly is the reason of an input whose source may not be kept.
var errMetadataOnly = &refusal{"its source is metadata_only: the body may not be kept", archive.Next(DoAddSource)}

// A refusal is the reason why an input is not taken, with what its adder can do
// instead.
type refusal struct {
	reason string
	next   archive.Step
}

// Error implements error.
func (r *refusal) Error() string { return r.reason }

// skipOf returns the skip of an input that ended in err.
func skipOf(name string, err error) Skip {
	s := Skip{Path: name, Reason: archive.Reason(err)}
	var r *refusal
	if errors.As(err, &r) {
		s.Next = r.next
	}
	return s
}

// secretMarks are how files begin that hold a private key. What an archive
// holds is signed, copied and never deleted quietly, so that a key which came in
// with the rest of a folder is lost as a secret.
var secretMarks = []struct{ begins, what string }{
	{"-----BEGIN OPENSSH PRIVATE KEY-----", "an OpenSSH private key"},
	{"-----BEGIN RSA PRIVATE KEY-----", "a private key"},
	{"-----BEGIN DSA PRIVATE KEY-----", "a private key"},
	{"-----BEGIN EC PRIVATE KEY-----", "a private key"},
	{"-----BEGIN PRIVATE KEY-----", "a private key"},
	{"-----BEGIN ENCRYPTED PRIVATE KEY-----", "a private key"},
	{"-----BEGIN PGP PRIVATE KEY BLOCK-----", "an OpenPGP private key"},
	{"---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----", "an SSH private key"},
	{"PuTTY-User-Key-File-", "a PuTTY private key"},
	{"AGE-SECRET-KEY-", "an age identity"},
}

// maxSecretHead is how far into a file its first key line is looked for: age
// identity files begin with a few lines of comment.
const maxSecretHead = 1024

// checkSecret returns an error that names the private key in a file, nil for any
// other file. Only the first line that is neither empty nor a comment counts: a letter about keys is
// a letter.
func checkSecret(data []byte) error {
	head := bytes.TrimPrefix(data[:min(len(data), maxSecretHead)], []byte("\xef\xbb\xbf"))
	for line := range bytes.Lines(head) {
		line = bytes.TrimSpace(line)
		if len(line) == 0 || line[0] == '#' {
			continue
		}
		for _, m := range secretMarks {
			if bytes.HasPrefix(line, []byte(m.begins)) {
				return &refusal{"it holds " + m.what + ", which would be kept and copied for ever", archive.Next(DoAllowSecrets)}
			}
		}
		return nil
	}
	return nil
}

// errEmpty is the reason of a file without bytes.
var errEmpty = errors.New("an empty file: there is nothing to keep")

// errChanged is the reason of a file that did not hold still.
var errChanged = errors.New("changed while it was read")

// errPart is the reason of a part that is not taken.
var errPart = fmt.Errorf("a part that is empty, above %d bytes, or inside more than %d containers", maxRead, maxDepth)

// errDeadline is the reason of an input that a reader did not finish.
var errDeadline = fmt.Errorf("not read within %s", readDeadline)
