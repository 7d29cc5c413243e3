package read

import (
	"bytes"
	"os/exec"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestRepair(t *testing.T) {
	for in, want := range map[string]string{
		"":                                  "",
		"abc é 漢 😀":                         "abc é 漢 😀",
		"\xff":                              "?",
		"a\xffb":                            "a?b",
		"\xff\xfe":                          "??",
		"\x80\xbf":                          "??",
		"\xc3":                              "?",
		"\xc3A":                             "?A",
		"\xc0\xaf":                          "??", // overlong
		"\xe2\x82":                          "?",  // cut off
		"\xe2\x82A":                         "?A",
		"\xe0\x80\xaf":                      "???",
		"\xed\xa0\x80":                      "???", // a surrogate
		"\xf0\x9f\x98":                      "?",
		"\xf0\x80\x80\x41":                  "???A",
		"\xf4\x91\x92\x93\xffA":             "?????A", // beyond U+10FFFF
		"\xe1\x80\xe2\xf0\x91\x92\xf1\xbfA": "????A",
		"\xf1\x80\x80\xe1\x80\xc2b\x80c\x80\xbfd": "???b?c??d",
		"\ufffd\xc3é": "\ufffd?é",
	} {
		if got := string(Repair([]byte(in))); got != strings.ReplaceAll(want, "?", "\ufffd") {
			t.Errorf("%q becomes %q, want %q", in, got, want)
		}
	}
}

// TestRepairAsPython compares with a decoder that follows the same standard.
func TestRepairAsPython(t *testing.T) {
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("python3 is not installed")
	}
	var in, ours bytes.Buffer
	piece := rapid.SliceOfN(rapid.SampledFrom([]byte("aé漢😀\xc0\xc2\xe0\xed\xf0\xf4\xf5\xff\x80\x8f\x90\x9f\xa0\xbf")), 0, 12)
	for i := range 5000 {
		line := piece.Example(i)
		in.Write(append(line, '\n'))
		ours.Write(append(Repair(line), '\n'))
	}
	cmd := exec.Command("python3", "-c", `import sys; sys.stdout.buffer.write(b"".join(l.decode("utf-8", "replace").encode() + b"\n" for l in sys.stdin.buffer.read().split(b"\n")[:-1]))`)
	cmd.Stdin = &in
	theirs, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(theirs, ours.Bytes()) {
		t.Error("another decoder replaces other bytes")
	}
}

// A mark is believed: what follows is that or no text.
func TestDecodeMarkedAndDamaged(t *testing.T) {
	for in, want := range map[string]string{
		"\xff\xfea\x00\x00\xd8b\x00":                    "the byte order mark says utf-16le, and more than one byte in 100 is not",
		"\xfe\xff\x00a\xdc\x00":                         "the byte order mark says utf-16be, and more than one byte in 100 is not",
		"\x00\x00\xfe\xff\x00\x00\x00a\x00\x11\x00\x00": "the byte order mark says utf-32be, and more than one byte in 100 is not",
	} {
		text, _, err := Decode([]byte(in), "")
		if text != nil || err == nil || err.Error() != want {
			t.Errorf("%q: %q, %v; want %q", in, text, err, want)
		}
	}
}
