package sign

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/mod/sumdb/note"

	"muniment/cid"
	"muniment/cid/merkle"
)

// Limits of a checkpoint.
const (
	// MaxOrigin is the most bytes of a log's origin, as witnesses accept it
	// (C2SP tlog-cosignature).
	MaxOrigin = 255

	// MaxNote is the most bytes of a signed checkpoint: the log's signature
	// and as many cosignatures as a policy of witnesses may ask for.
	MaxNote = 64 << 10

	// MaxNoteSignatures is the most signature lines, as in package note.
	MaxNoteSignatures = 100
)

// A Checkpoint is what an answer log says about itself: its tree at one size.
//
// Signed it is a C2SP checkpoint (c2sp.org/tlog-checkpoint), which is a C2SP
// signed note (c2sp.org/signed-note):
//
//	muniment/bafk…/answers/3f…/1
//	5
//	base64 of the 32 bytes of the root
//
//	— muniment/bafk…/answers/3f…/1 base64 of key hash and signature
//
// The text is exactly three lines: origin, decimal size without leading zero,
// root. Extension lines are refused. After an empty line follow the signature
// lines, each an em dash (U+2014), a space, a key name, a space and base64.
// The log's own line has the origin as its name; its first four bytes are
// those of sha256(origin || LF || 0x01 || point), the next 64 are the Ed25519
// signature of the three lines. Other lines are left to whoever knows their
// keys, but must be well-formed and no two may have the same name and key
// hash.
type Checkpoint struct {
	Origin string      // printable ASCII without space and plus sign
	Size   int64       // number of entries
	Root   merkle.Hash // RFC 6962 root over them; sha256 of nothing at size 0
}

// SignCheckpoint returns the signed note of c with the log's signature alone.
// The key must be a plain one. The note is verified before it is returned.
func SignCheckpoint(s Signer, c Checkpoint) (signed []byte, err error) {
	if err := c.check(); err != nil {
		return nil, fmt.Errorf("checkpoint: %w", err)
	}
	v, err := newNoteVerifier(c.Origin, s.Key())
	if err != nil {
		return nil, fmt.Errorf("checkpoint: %w", err)
	}
	signed, err = note.Sign(&note.Note{Text: c.text()}, noteSigner{v, s})
	if err != nil {
		return nil, fmt.Errorf("checkpoint: %w", err)
	}
	if _, err := OpenCheckpoint(signed, s.Key()); err != nil {
		return nil, err
	}
	return signed, nil
}

// OpenCheckpoint reads a signed checkpoint and verifies the signature of its
// log, whose key is k. Other signatures are not looked at.
func OpenCheckpoint(signed []byte, k Key) (Checkpoint, error) {
	n, err := parseNote(signed)
	if err != nil {
		return Checkpoint{}, fmt.Errorf("checkpoint: %w", err)
	}
	v, err := newNoteVerifier(n.checkpoint.Origin, k)
	if err != nil {
		return Checkpoint{}, fmt.Errorf("checkpoint: %w", err)
	}
	var unsigned *note.UnverifiedNoteError
	_, err = note.Open(signed, note.VerifierList(v))
	switch {
	case errors.As(err, &unsigned):
		return Checkpoint{}, fmt.Errorf("checkpoint: no signature of %s by key %s", n.checkpoint.Origin, k.Fingerprint())
	case err != nil:
		return Checkpoint{}, fmt.Errorf("checkpoint: %w", err)
	}
	return n.checkpoint, nil
}

func (c Checkpoint) text() string {
	return fmt.Sprintf("%s\n%d\n%s\n", c.Origin, c.Size, base64.StdEncoding.EncodeToString(c.Root[:]))
}

func (c Checkpoint) check() error {
	switch {
	case !plainASCII(c.Origin, MaxOrigin) || strings.Contains(c.Origin, "+"):
		return fmt.Errorf("origin %q, want 1 to %d printable characters without space and plus", clip(c.Origin), MaxOrigin)
	case c.Size < 0:
		return fmt.Errorf("size %d, want 0 or more", c.Size)
	case c.Size == 0 && c.Root != merkle.Root(nil):
		return fmt.Errorf("root %x at size 0, want sha256 of nothing", c.Root)
	}
	return nil
}

// A signedNote is a checkpoint's note taken apart.
type signedNote struct {
	checkpoint Checkpoint
	lines      []string // of signatures, without line end
}

// sigPrefix begins a signature line.
const sigPrefix = "— "

// parseNote reads the form of a signed checkpoint, and verifies nothing.
func parseNote(signed []byte) (signedNote, error) {
	if len(signed) > MaxNote {
		return signedNote{}, fmt.Errorf("%d bytes, at most %d", len(signed), MaxNote)
	}
	if !utf8.Valid(signed) {
		return signedNote{}, errors.New("not valid UTF-8")
	}
	body, ok := strings.CutSuffix(string(signed), "\n")
	if !ok {
		return signedNote{}, errors.New("does not end in a line end")
	}
	lines := strings.Split(body, "\n")
	if len(lines) < 5 || lines[3] != "" {
		return signedNote{}, errors.New("want origin, size, root, an empty line and signatures")
	}
	n := signedNote{lines: lines[4:]}
	var err error
	if n.checkpoint, err = parseText(lines[0], lines[1], lines[2]); err != nil {
		return signedNote{}, err
	}
	if err := checkSigLines(n.lines); err != nil {
		return signedNote{}, err
	}
	if !bytes.Equal(n.encode(), signed) {
		return signedNote{}, errors.New("does not encode to the same bytes")
	}
	return n, nil
}

func (n signedNote) encode() []byte {
	return []byte(n.checkpoint.text() + "\n" + strings.Join(n.lines, "\n") + "\n")
}

// AnswerOrigin returns the origin of the log of a key's answers from an archive:
// key is the hex ID of the key, epochs count from 1.
func AnswerOrigin(archive cid.ID, key string, epoch int64) string {
	return fmt.Sprintf("muniment/%s/answers/%s/%d", archive, key, epoch)
}

func parseText(origin, size, root string) (Checkpoint, error) {
	n, err := parseDecimal(size)
	if err != nil {
		return Checkpoint{}, fmt.Errorf("size %w", err)
	}
	h, err := parseHash(root)
	if err != nil {
		return Checkpoint{}, fmt.Errorf("root %w", err)
	}
	c := Checkpoint{Origin: origin, Size: n, Root: h}
	if err := c.check(); err != nil {
		return Checkpoint{}, err
	}
	return c, nil
}

// checkSigLines checks the form of signature lines, and that none repeats.
func checkSigLines(lines []string) error {
	if len(lines) > MaxNoteSignatures {
		return fmt.Errorf("%d signature lines, at most %d", len(lines), MaxNoteSignatures)
	}
	type signer struct {
		name string
		hash uint32
	}
	seen := make(map[signer]bool)
	for i, line := range lines {
		rest, ok := strings.CutPrefix(line, sigPrefix)
		name, b64, found := strings.Cut(rest, " ")
		if !ok || !found || name == "" || strings.ContainsFunc(name, badNameRune) {
			return fmt.Errorf("signature line %d is %q, want an em dash, a name and base64", i+1, clip(line))
		}
		sig, ok := decode64(b64)
		if !ok || len(sig) < 5 {
			return fmt.Errorf("signature line %d: %q is not base64 of a key hash and a signature", i+1, clip(b64))
		}
		s := signer{name, binary.BigEndian.Uint32(sig)}
		if seen[s] {
			return fmt.Errorf("signature line %d: second signature of %s+%08x", i+1, clip(name), s.hash)
		}
		seen[s] = true
	}
	return nil
}

func badNameRune(r rune) bool { return r == '+' || isControl(r) || unicode.IsSpace(r) }

// parseDecimal reads a number that is not negative and has no leading zero.
func parseDecimal(s string) (int64, error) {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n < 0 || strconv.FormatInt(n, 10) != s {
		return 0, fmt.Errorf("%q, want a decimal number without leading zero below 2^63", clip(s))
	}
	return n, nil
}

// parseHash reads a hash in base64.
func parseHash(s string) (merkle.Hash, error) {
	b, ok := decode64(s)
	if !ok || len(b) != len(merkle.Hash{}) {
		return merkle.Hash{}, fmt.Errorf("%q, want base64 of 32 bytes", clip(s))
	}
	return merkle.Hash(b), nil
}

// newNoteVerifier returns package note's verifier for k under a name.
func newNoteVerifier(name string, k Key) (note.Verifier, error) {
	if k.typ != TypeEd25519 {
		return nil, fmt.Errorf("key %s is %q, want %s: a log is signed by a plain key", k.Fingerprint(), k.typ, TypeEd25519)
	}
	vkey, err := note.NewEd25519VerifierKey(name, ed25519.PublicKey(k.point[:]))
	if err != nil {
		return nil, err
	}
	return note.NewVerifier(vkey)
}

// A noteSigner signs notes with an SSH key.
type noteSigner struct {
	note.Verifier
	signer Signer
}

func (n noteSigner) Sign(text []byte) ([]byte, error) { return signPlain(n.signer, text) }

// ReadCheckpoint reads the form of a signed checkpoint and verifies nothing:
// not even that its log signed it. It is for finding out which key to ask.
func ReadCheckpoint(signed []byte) (Checkpoint, error) {
	n, err := parseNote(signed)
	if err != nil {
		return Checkpoint{}, fmt.Errorf("checkpoint: %w", err)
	}
	return n.checkpoint, nil
}
