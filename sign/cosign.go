package sign

import (
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
)

// WitnessPrefix begins the name of a witness on a signature line; the 64
// hexadecimal digits of its point follow, so that a cosigned checkpoint
// carries the keys of its witnesses.
const WitnessPrefix = "muniment/witness/"

// maxCosignTime is the latest time of a cosignature in seconds since 1970: the
// year 9999.
const maxCosignTime = 253402300799

// A Cosignature is a witness's word that a checkpoint is consistent with every
// one of the log that it cosigned before (C2SP tlog-cosignature, cosignature/v1).
//
// Its line in the note is an em dash, a space, the name, a space and base64 of
// 4 bytes of key hash, the time as 8 bytes big endian, and the 64 bytes of an
// Ed25519 signature. The key hash is the beginning of sha256(name || LF || 0x04
// || point). What is signed is
//
//	cosignature/v1
//	time 1772528400
//	the three lines of the checkpoint
type Cosignature struct {
	Name string // on the line
	Key  Key    // the witness, a plain key
	Time int64  // seconds since 1970, as the witness says
}

// WitnessName returns the name under which a key cosigns.
func WitnessName(k Key) string { return WitnessPrefix + hex.EncodeToString(k.point[:]) }

// Cosign returns a signed checkpoint with the cosignature of one more witness, which replaces an
// earlier one by the same key. The caller must have checked that the checkpoint is signed by its
// log and consistent with those before. time is in seconds since 1970.
func Cosign(s Signer, signed []byte, time int64) ([]byte, error) {
	n, err := parseNote(signed)
	if err != nil {
		return nil, fmt.Errorf("cosigning: checkpoint: %w", err)
	}
	if time < 0 || time > maxCosignTime {
		return nil, fmt.Errorf("cosigning: time %d, want 0 to %d", time, int64(maxCosignTime))
	}
	w := Cosigner{WitnessName(s.Key()), s.Key()}
	line, err := w.sign(s, n.checkpoint, time)
	if err != nil {
		return nil, fmt.Errorf("cosigning: %w", err)
	}
	return n.with(w.name, line)
}

// with returns the note with a line that replaces the one of that name, or follows the others.
func (n signedNote) with(name, line string) ([]byte, error) {
	lines := make([]string, 0, len(n.lines)+1)
	for _, l := range n.lines {
		if !strings.HasPrefix(l, sigPrefix+name+" ") {
			lines = append(lines, l)
		}
	}
	n.lines = append(lines, line)
	out := n.encode()
	if _, err := parseNote(out); err != nil {
		return nil, fmt.Errorf("checkpoint: %w", err)
	}
	return out, nil
}

// MergeCosignatures returns the first note with the cosignatures of the second,
// which must be of the same checkpoint, by witnesses that the first lacks.
func MergeCosignatures(signed, more []byte) ([]byte, error) {
	n, err := parseNote(signed)
	if err != nil {
		return nil, fmt.Errorf("checkpoint: %w", err)
	}
	m, err := parseNote(more)
	if err != nil {
		return nil, fmt.Errorf("checkpoint: %w", err)
	}
	if n.checkpoint != m.checkpoint {
		return nil, fmt.Errorf("checkpoint: of size %d and of size %d: they are not one", n.checkpoint.Size, m.checkpoint.Size)
	}
	if _, err := Cosignatures(more); err != nil {
		return nil, err
	}
	out := n.encode()
	for _, line := range m.lines {
		rest := strings.TrimPrefix(line, sigPrefix)
		name, _, _ := strings.Cut(rest, " ")
		if !strings.HasPrefix(name, WitnessPrefix) || strings.Contains(string(out), "\n"+sigPrefix+name+" ") {
			continue
		}
		if n, err = parseNote(out); err != nil {
			return nil, fmt.Errorf("checkpoint: %w", err)
		}
		if out, err = n.with(name, line); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// Cosignatures returns the cosignatures of a signed checkpoint, in the order of
// their lines. Each is verified with the key in its name; one that is wrong is
// an error. Lines of other names are passed over. Whether a witness counts is
// for a trust root to say.
func Cosignatures(signed []byte) ([]Cosignature, error) {
	n, err := parseNote(signed)
	if err != nil {
		return nil, fmt.Errorf("checkpoint: %w", err)
	}
	var out []Cosignature
	for _, line := range n.lines {
		name, b64, _ := strings.Cut(strings.TrimPrefix(line, sigPrefix), " ")
		digits, ok := strings.CutPrefix(name, WitnessPrefix)
		if !ok {
			continue
		}
		c, err := openCosignature(n.checkpoint, name, digits, b64)
		if err != nil {
			return nil, fmt.Errorf("cosignature of %s: %w", clip(name), err)
		}
		out = append(out, c)
	}
	return out, nil
}

func openCosignature(c Checkpoint, name, digits, b64 string) (Cosignature, error) {
	var point [32]byte
	raw, err := hex.DecodeString(digits)
	if err != nil || len(raw) != len(point) || hex.EncodeToString(raw) != digits {
		return Cosignature{}, errors.New("the name does not end in 64 hex digits of a key")
	}
	copy(point[:], raw)
	k, err := KeyOf(point)
	if err != nil {
		return Cosignature{}, err
	}
	return Cosigner{name, k}.verifyLine(c, b64)
}

// cosignedText returns the bytes that a cosignature of a checkpoint signs.
func cosignedText(c Checkpoint, time int64) []byte {
	return fmt.Appendf(nil, "cosignature/v1\ntime %d\n%s", time, c.text())
}
