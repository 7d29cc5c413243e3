package canon

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"
)

// python answers each line, UTF-8 in hexadecimal, with its normal form by
// module unicodedata, or with "-" when a code point is not assigned in the
// version of Unicode that it names in its first line.
const python = `
import sys, unicodedata as u
out = [u.unidata_version]
for line in sys.stdin:
    s = bytes.fromhex(line).decode()
    out.append("-" if any(u.category(c) == "Cn" for c in s) else u.normalize("NFC", s).encode().hex())
print("\n".join(out))
`

// enoughSequences is how many must be compared. More are asked, since those with
// a code point that only the newer version assigns do not count.
const enoughSequences = 200_000

// The peer is Python's module unicodedata, an implementation and tables that share
// nothing with ours, on every code point and on random sequences of what is
// assigned in both versions.
func TestNFCAgreesWithPython(t *testing.T) {
	path, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("skipped: python3 is missing: install the Debian package python3")
	}
	asked, single := sequencesToAsk()
	lines := askPython(t, path, asked)
	version := lines.Text()
	sequences, compared, unknown, wrong := 0, 0, 0, 0
	for i, s := range asked {
		if !lines.Scan() {
			t.Fatalf("%d answers to %d questions", i, len(asked))
		}
		if lines.Text() == "-" {
			unknown++
			continue
		}
		want, err := hex.DecodeString(lines.Text())
		if err != nil {
			t.Fatal(err)
		}
		compared++
		if i >= single {
			sequences++
		}
		if got := NFC([]byte(s)); !bytes.Equal(got, want) {
			if wrong++; wrong <= 20 {
				t.Errorf("NFC(%+q) is %+q, Python has %+q", s, got, want)
			}
		}
	}
	if wrong > 20 {
		t.Errorf("%d differences in all", wrong)
	}
	if points := compared - sequences; points < 280_000 || sequences < enoughSequences {
		t.Errorf("%d code points and %d sequences compared, want 280000 and %d", points, sequences, enoughSequences)
	}
	t.Logf("Unicode %s here, %s in Python: %d code points and %d sequences compared, %d differ; %d have what is not assigned there",
		UnicodeVersion, version, compared-sequences, sequences, wrong, unknown)
}

// sequencesToAsk returns every assigned code point, single of them, and behind
// them random sequences of code points that take part in normal forms.
func sequencesToAsk() (asked []string, single int) {
	ask := func(s string) {
		if CountUnassigned([]byte(s)) > 0 {
			return
		}
		asked = append(asked, s)
	}
	var assigned, active []rune // active take part in normal forms
	for r := rune(0); r <= 0x10FFFF; r++ {
		if r >= 0xD800 && r < 0xE000 {
			continue
		}
		s := string(r)
		if CountUnassigned([]byte(s)) > 0 {
			continue
		}
		ask(s)
		assigned = append(assigned, r)
		// What joins an e, is reordered behind a mark, or is not its own form.
		around := "e\u0301" + s + "\u0323"
		if string(NFC([]byte(s))) != s || string(NFC([]byte(around))) != "\u00E9"+s+"\u0323" {
			active = append(active, r)
		}
	}
	single = len(asked)
	// Jamo join each other and nothing else; Indic scripts reorder.
	for _, block := range [][2]rune{{0x1100, 0x11FF}, {0xAC00, 0xAC60}, {'A', 'z'}, {0x0900, 0x0DFF}, {0x11080, 0x11340}} {
		for r := block[0]; r <= block[1]; r++ {
			if CountUnassigned([]byte(string(r))) == 0 {
				active = append(active, r)
			}
		}
	}
	rng := rand.New(rand.NewPCG(15, 0))
	for range enoughSequences * 5 / 4 {
		var b strings.Builder
		pool := active
		if rng.IntN(4) == 0 {
			pool = assigned
		}
		near := rng.IntN(len(pool))
		for range 2 + rng.IntN(23) {
			r := pool[rng.IntN(len(pool))]
			if rng.IntN(2) == 0 { // a neighbour, which is often of the same script
				r = pool[(near+rng.IntN(80))%len(pool)]
			}
			b.WriteRune(r)
		}
		ask(b.String())
	}
	return asked, single
}

// askPython returns the lines that Python answers, the first being its version.
func askPython(t *testing.T, path string, asked []string) *bufio.Scanner {
	var in bytes.Buffer
	for _, s := range asked {
		fmt.Fprintf(&in, "%x\n", s)
	}
	cmd := exec.Command(path, "-c", python)
	cmd.Stdin = &in
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("python3: %v\n%s", err, stderr.String())
	}
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Scan()
	return lines
}
