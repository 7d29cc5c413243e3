package accession

import (
	"bytes"
	_ "embed"
	"strings"

	"muniment/archive"
)

//go:embed secrets.txt
var secretsText string

// A secretMark is a line of secrets.txt.
type secretMark struct {
	begins []byte
	armour bool // the line is nothing but begins, and the key follows it
	what   string
}

// secretMarks say how files look that hold a private key. What an archive
// holds is signed, copied and never deleted quietly, so that a key which came in
// with the rest of a folder is lost as a secret.
var secretMarks = parseSecrets(secretsText)

// parseSecrets reads marks in the format that secrets.txt describes.
func parseSecrets(text string) []secretMark {
	var out []secretMark
	for line := range strings.Lines(text) {
		begins, what, ok := strings.Cut(strings.TrimSpace(line), "|")
		if ok && line[0] != '#' {
			out = append(out, secretMark{[]byte(begins), strings.HasPrefix(begins, "----"), what})
		}
	}
	return out
}

// maxSecretFile is how far into a file a private key is looked for: the readers
// of OpenSSH keys and of age identities read no larger file.
const maxSecretFile = 64 << 10

// minAgeKey is the least length of an age identity: the marks, 52 characters for
// 32 bytes, and a checksum of 6.
const minAgeKey = 60

// checkSecret returns an error that names the private key in a file, nil for any
// other file. Text before the key does not hide the key: public halves,
// comments and certificates may stand there. A letter that only names the first
// line of a key file is a letter.
func checkSecret(data []byte) error {
	head := bytes.TrimPrefix(data[:min(len(data), maxSecretFile)], []byte("\xef\xbb\xbf"))
	first := true
	var armour *secretMark // the line before was its first line
	for line := range bytes.Lines(head) {
		line = bytes.TrimSpace(line)
		if len(line) == 0 || line[0] == '#' {
			continue
		}
		if armour != nil && isKeyText(line) {
			return secretError(armour)
		}
		armour = nil
		for i := range secretMarks {
			switch m := &secretMarks[i]; {
			case !bytes.HasPrefix(line, m.begins):
			case first || !m.armour && isAgeKey(line):
				return secretError(m)
			case m.armour && len(line) == len(m.begins):
				armour = m
			}
		}
		first = false
	}
	return nil
}

// secretError returns the refusal of a file with a private key.
func secretError(m *secretMark) error {
	return &refusal{"it holds " + m.what + ", which would be kept and copied for ever", archive.Next(DoAllowSecrets)}
}

// isKeyText reports whether a line stands in the armour of a key: base64, or a
// header such as Proc-Type.
func isKeyText(line []byte) bool {
	if name, _, ok := bytes.Cut(line, []byte(": ")); ok {
		return !bytes.ContainsAny(name, " \t")
	}
	return isOnly(line, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=")
}

// isAgeKey reports whether a line is one age identity and nothing else.
func isAgeKey(line []byte) bool {
	return len(line) >= minAgeKey && isOnly(line, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-")
}

// isOnly reports whether every byte of a line is one of set.
func isOnly(line []byte, set string) bool {
	return len(bytes.TrimLeft(line, set)) == 0
}
