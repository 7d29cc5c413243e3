package accession

import (
	"bytes"
	_ "embed"
	"io"
	"slices"
	"strings"

	"muniment/accession/container"
	"muniment/archive/problem"
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
// of OpenSSH keys and of age identities read no larger file. UTF-16 takes twice that.
const maxSecretFile = 64 << 10

// minAgeKey is the least length of an age identity: the marks, 52 characters for
// 32 bytes, and a checksum of 6.
const minAgeKey = 60

// checkSecret returns an error that names the private key in a file, nil for any
// other file. Neither text before the key hides it (public halves, comments and
// certificates may stand there), nor UTF-16, nor packing, nor the marks of a quotation.
// A letter that only names the first line of a key file is a letter.
func checkSecret(data []byte) error {
	for range maxPacked {
		inner := unpackHead(data)
		if inner == nil {
			break
		}
		data = inner
	}
	head := narrow(data[:min(len(data), 2*maxSecretFile)])
	first := true
	var armour *secretMark // the line before was its first line
	for line := range bytes.Lines(head) {
		line = bytes.TrimLeft(bytes.TrimSpace(line), quotationMarks)
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

// quotationMarks precede the lines that a mail quotes.
const quotationMarks = "> |\t"

// maxPacked is how many layers of packing are taken off: backups of a packed file are
// packed again.
const maxPacked = 3

// unpackHead returns the first bytes of what gzip, bzip2, xz or zstd packed, nil for anything
// else. Where the packed bytes end early or are damaged, it returns those before.
func unpackHead(data []byte) []byte {
	in, err := container.Decompress(data, bytes.NewReader(data))
	if in == nil || err != nil {
		return nil
	}
	head, _ := io.ReadAll(io.LimitReader(in, 2*maxSecretFile)) // twice: it may be UTF-16
	return head
}

// narrow returns text in UTF-16 or UTF-32 as bytes of one each, and other text as it is,
// without a mark at its beginning. A key has ASCII alone, whose other bytes are zeros.
func narrow(text []byte) []byte {
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	start := text[:min(len(text), 64)]
	if zeros := bytes.Count(start, []byte{0}); len(start) < 8 || zeros < len(start)/3 {
		return text
	}
	return slices.DeleteFunc(bytes.Clone(text), func(c byte) bool { return c == 0 || c == 0xff || c == 0xfe })
}

// secretError returns the refusal of a file with a private key.
func secretError(m *secretMark) error {
	return &refusal{"it holds " + m.what + ", which would be kept and copied for ever", problem.Next(problem.DoGive, "allow-secrets", "").With("to take it all the same")}
}

// isKeyText reports whether a line may be in the armour of a key: base64, or a header such as
// Proc-Type.
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
