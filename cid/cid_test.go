package cid

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"
)

// The raw ID of "hello\n" as computed by other CID implementations.
const helloRaw = "bafkreicysg23kiwv34eg2d7qweipxwosdo2py4ldv42nbauguluen5v6am"

func TestOf(t *testing.T) {
	id := Of([]byte("hello\n"))
	if got := id.String(); got != helloRaw {
		t.Errorf("Of: got %s, want %s", got, helloRaw)
	}
	sum := sha256.Sum256([]byte("hello\n"))
	if got := id.Hex(); got != hex.EncodeToString(sum[:]) {
		t.Errorf("Hex: got %s", got)
	}
	if len(id.String()) != TextLenRaw || len(OfJSON(nil).String()) != TextLenJSON {
		t.Errorf("text lengths: %d, %d", len(id.String()), len(OfJSON(nil).String()))
	}
}

func TestParseRefuses(t *testing.T) {
	bad := map[string]string{
		"empty":        "",
		"upper case":   strings.ToUpper(helloRaw),
		"cut":          helloRaw[:58],
		"longer":       helloRaw + "a",
		"version 0":    "QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWnPU1G",
		"other base":   "z" + helloRaw[1:],
		"dag-pb":       "bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi",
		"not base32":   helloRaw[:20] + "1" + helloRaw[21:],
		"spare bits":   helloRaw[:58] + "n",
		"white space":  helloRaw[:58] + " ",
		"not an id":    "letter-07",
		"control char": "\x00" + helloRaw[1:],
	}
	for name, s := range bad {
		if id, err := Parse(s); err == nil || !id.IsZero() {
			t.Errorf("%s: Parse(%q) = %v, %v; want zero and an error", name, s, id, err)
		}
	}
	if _, err := ParseAs(JSON, helloRaw); err == nil {
		t.Error("a raw id was accepted in the place of a json id")
	}
}

func TestTextRoundTrip(t *testing.T) {
	for _, id := range []ID{{}, Of(nil), OfJSON([]byte("{}"))} {
		text, err := id.MarshalText()
		if err != nil {
			t.Fatal(err)
		}
		var back ID
		if err := back.UnmarshalText(text); err != nil || back != id {
			t.Errorf("%q: got %v, %v", text, back, err)
		}
	}
}

// Whatever parses re-encodes to the same text.
func FuzzParse(f *testing.F) {
	f.Add(helloRaw)
	f.Add(OfJSON([]byte("{}")).String())
	f.Fuzz(func(t *testing.T, s string) {
		id, err := Parse(s)
		if err != nil {
			if !id.IsZero() {
				t.Fatalf("Parse(%q) gave %v beside the error %v", s, id, err)
			}
			return
		}
		if id.String() != s {
			t.Fatalf("Parse(%q) re-encodes to %q", s, id)
		}
	})
}
