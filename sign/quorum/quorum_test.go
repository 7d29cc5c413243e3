package quorum

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"

	f_note "github.com/transparency-dev/formats/note"
	"golang.org/x/mod/sumdb/note"
	"pgregory.net/rapid"

	"muniment/cid/merkle"
	"muniment/internal/casecount"
	"muniment/sign"
)

// A signer is a key made from a name.
type signer struct{ private ed25519.PrivateKey }

func newSigner(name string) signer {
	seed := sha256.Sum256([]byte("muniment test key " + name))
	return signer{ed25519.NewKeyFromSeed(seed[:])}
}

func (s signer) Key() sign.Key {
	k, err := sign.KeyOf([32]byte(s.private.Public().(ed25519.PublicKey)))
	if err != nil {
		panic(err)
	}
	return k
}

func (s signer) SignSSH(data []byte) ([]byte, error) {
	var b []byte
	for _, part := range []string{sign.TypeEd25519, string(ed25519.Sign(s.private, data))} {
		b = append(binary.BigEndian.AppendUint32(b, uint32(len(part))), part...)
	}
	return b, nil
}

func cosigner(t testing.TB, name string) sign.Cosigner {
	t.Helper()
	c, err := sign.NewCosigner(name+".example/w", newSigner(name).Key())
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// checkpoint returns a signed checkpoint with the cosignatures of witnesses.
func checkpoint(t testing.TB, size int64, by ...string) []byte {
	t.Helper()
	root := merkle.Hash(sha256.Sum256(fmt.Append(nil, size)))
	signed, err := sign.SignCheckpoint(newSigner("log"), sign.Checkpoint{Origin: "log.example/letters", Size: size, Root: root})
	if err != nil {
		t.Fatal(err)
	}
	for i, name := range by {
		line, err := cosigner(t, name).Sign(newSigner(name), signed, 1772528400+int64(i))
		if err != nil {
			t.Fatal(err)
		}
		signed = append(signed, line...)
	}
	return signed
}

// policyFile returns a policy file that ends with some lines.
func policyFile(t testing.TB, lines ...string) string {
	t.Helper()
	var b strings.Builder
	for _, name := range []string{"x1", "x2", "x3", "y1", "y2"} {
		fmt.Fprintf(&b, "witness %s %s https://%s.example/\n", name, cosigner(t, name), name)
	}
	return b.String() + strings.Join(lines, "\n") + "\n"
}

func TestQuorums(t *testing.T) {
	p, err := Parse([]byte(policyFile(t, "# two of the first house, and one of the second", "group\tx 2 x1 x2 x3", "  group y any y1 y2", "", "group both all x y", "quorum both")))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		by      []string
		reached bool
	}{
		{nil, false},
		{[]string{"x1", "x2", "x3"}, false},
		{[]string{"x1", "y1"}, false},
		{[]string{"x1", "x3", "y2"}, true},
		{[]string{"stranger", "y1", "x2", "x1"}, true},
		{[]string{"stranger", "other", "third"}, false},
	} {
		count, err := p.Judge(checkpoint(t, 7, c.by...))
		if err != nil {
			t.Fatal(err)
		}
		if count.Reached != c.reached || len(count.Seen)+len(count.Unknown) != len(c.by) {
			t.Errorf("by %v: reached %v, seen %v, unknown %v", c.by, count.Reached, count.Seen, count.Unknown)
		}
	}
}

// A witness of an organisation adds nothing to another of it in the same group.
func TestOrganisationsCountOnce(t *testing.T) {
	w := func(name, org string) Witness {
		return Witness{Name: name, Cosigner: cosigner(t, name), Org: org, Group: "all"}
	}
	p := &Policy{Witnesses: []Witness{w("x1", "x"), w("x2", "x"), w("y1", "y")}, Groups: []Group{{Name: "all", Needs: 2}}, Quorum: "all"}
	if err := p.Check(); err != nil {
		t.Fatal(err)
	}
	if n := p.Organisations(); n != 2 {
		t.Errorf("%d organisations", n)
	}
	for want, by := range map[bool][]string{false: {"x1", "x2"}, true: {"x2", "y1"}} {
		if count, err := p.Judge(checkpoint(t, 3, by...)); err != nil || count.Reached != want {
			t.Errorf("by %v: %v, %v", by, count, err)
		}
	}
	p.Groups[0].Needs = 3
	if err := p.Check(); err == nil {
		t.Error("a group that needs three of two organisations is accepted")
	}
}

// A line of a listed witness that is wrong is an error, under whatever policy lists it.
func TestWrongLines(t *testing.T) {
	p, err := Parse([]byte(policyFile(t, "quorum x1")))
	if err != nil {
		t.Fatal(err)
	}
	good := checkpoint(t, 7, "x1")
	at := strings.LastIndex(string(good), " ") + 1
	raw, err := base64.StdEncoding.DecodeString(strings.TrimSpace(string(good[at:])))
	if err != nil {
		t.Fatal(err)
	}
	for i := range raw {
		bad := slices.Clone(raw)
		bad[i] ^= 1
		count, err := p.Judge([]byte(string(good[:at]) + base64.StdEncoding.EncodeToString(bad) + "\n"))
		if i < 4 && (err != nil || len(count.Unknown) != 1 || count.Reached) { // a key hash that nobody listed
			t.Errorf("byte %d: %v, %v", i, count, err)
		}
		if i >= 4 && err == nil {
			t.Errorf("byte %d is changed, and the cosignature counts", i)
		}
	}
}

func TestWrongFiles(t *testing.T) {
	twice := "witness z " + cosigner(t, "x1").String()
	for name, c := range map[string]struct{ text, says string }{
		"no quorum":          {policyFile(t), "no quorum line"},
		"two quorums":        {policyFile(t, "quorum x1", "quorum x1"), "second quorum"},
		"unknown quorum":     {policyFile(t, "quorum z"), "not defined before"},
		"key twice":          {policyFile(t, twice, "quorum x1"), "count twice"},
		"name twice":         {policyFile(t, "group x1 any x2", "quorum x1"), "taken"},
		"none as a name":     {policyFile(t, "group none any x2", "quorum x1"), "taken"},
		"later member":       {policyFile(t, "group g any h", "group h any x1", "quorum g"), "not defined before"},
		"member of two":      {policyFile(t, "group g any x1", "group h any x1", "quorum g"), "member already"},
		"member twice":       {policyFile(t, "group g any x1 x1", "quorum g"), "member already"},
		"none as a member":   {policyFile(t, "group g any none", "quorum g"), "not defined before"},
		"too many needed":    {policyFile(t, "group g 3 x1 x2", "quorum g"), "1 to 2"},
		"none needed":        {policyFile(t, "group g 0 x1 x2", "quorum g"), "1 to 2"},
		"leading zero":       {policyFile(t, "group g 01 x1 x2", "quorum g"), "1 to 2"},
		"no members":         {policyFile(t, "group g any", "quorum x1"), "want log, witness"},
		"unknown line":       {policyFile(t, "quorum x1", "server x"), "want log, witness"},
		"carriage return":    {strings.ReplaceAll(policyFile(t, "quorum x1"), "\n", "\r\n"), "control character"},
		"no final line end":  {strings.TrimSuffix(policyFile(t, "quorum x1"), "\n"), "line end"},
		"a log as a witness": {"witness l " + strings.Replace(cosigner(t, "x1").String(), "+B", "+A", 1) + "\nquorum l\n", "type 0x0"},
		"wrong key hash":     {strings.Replace(policyFile(t, "quorum x1"), "+", "+0", 1), "key hash"},
		"a log of a witness": {"log " + cosigner(t, "x1").String() + "\nquorum none\n", "want a verifier key"},
	} {
		if _, err := Parse([]byte(c.text)); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %q", name, err, c.says)
		}
	}
	for range 200 { // base64 has + as well
		_, log, err := note.GenerateKey(nil, "log.example/letters")
		if err != nil {
			t.Fatal(err)
		}
		if p, err := Parse([]byte("log " + log + "\nquorum none\n")); err != nil || len(p.Logs) != 1 || p.Logs[0].Name() != "log.example/letters" {
			t.Fatalf("%s: %v", log, err)
		}
	}
	if p, err := Parse([]byte("quorum none\n")); err != nil || p.Asks() {
		t.Errorf("quorum none: %v, %v", p, err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("quorum none\n"))
	f.Add([]byte(policyFile(f, "group g all x1 x2", "quorum g")))
	signed := checkpoint(f, 7, "x1", "y1")
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := Parse(data)
		if (err == nil) == (p == nil) {
			t.Fatal("result and error")
		}
		if err != nil {
			return
		}
		if err := p.Check(); err != nil {
			t.Fatalf("read and refused: %v", err)
		}
		if _, err := p.Judge(signed); err != nil {
			t.Fatalf("right lines are called wrong: %v", err)
		}
	})
}

// Cosignatures of another program's witness are read here, and ours there: a thousand checkpoints, ten thousand with MUNIMENT_LONG.
func TestForeignWitness(t *testing.T) {
	theirs, public, err := note.GenerateKey(nil, "harbour.example/w1")
	if err != nil {
		t.Fatal(err)
	}
	s, err := f_note.NewSignerForCosignatureV1(theirs)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := base64.StdEncoding.DecodeString(strings.SplitN(public, "+", 3)[2])
	if err != nil {
		t.Fatal(err)
	}
	k, err := sign.KeyOf([32]byte(raw[1:]))
	if err != nil {
		t.Fatal(err)
	}
	harbour, err := sign.NewCosigner("harbour.example/w1", k)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := sign.ParseCosigner(harbour.String()); err != nil || again != harbour {
		t.Fatalf("%v, %v", again, err)
	}
	ours := cosigner(t, "museum")
	v, err := f_note.NewVerifierForCosignatureV1(ours.String())
	if err != nil {
		t.Fatalf("they do not read our key: %v", err)
	}
	for size := range int64(casecount.Of(1000, 10_000)) {
		signed := checkpoint(t, size+1, "museum")
		n, err := note.Open(signed, note.VerifierList(v))
		if err != nil || len(n.Sigs) != 1 {
			t.Fatalf("size %d: they refuse our cosignature: %v", size, err)
		}
		both, err := note.Sign(n, s)
		if err != nil {
			t.Fatal(err)
		}
		if _, found, err := harbour.Open(both); err != nil || !found {
			t.Fatalf("size %d: their cosignature: found %v, %v\n%s", size, found, err, both)
		}
	}
}

// Whoever signs, a quorum of n of the witnesses is reached exactly when n of them are among them.
func TestThresholds(t *testing.T) {
	names := []string{"x1", "x2", "x3", "y1", "y2"}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, len(names)).Draw(t, "n")
		by := rapid.SliceOfDistinct(rapid.SampledFrom(append([]string{"stranger"}, names...)), rapid.ID[string]).Draw(t, "by")
		p := &Policy{Quorum: "g", Groups: []Group{{Name: "g", Needs: n}}}
		have := 0
		for _, name := range names {
			c, err := sign.NewCosigner(name+".example/w", newSigner(name).Key())
			if err != nil {
				t.Fatal(err)
			}
			p.Witnesses = append(p.Witnesses, Witness{Name: name, Cosigner: c, Group: "g"})
			if slices.Contains(by, name) {
				have++
			}
		}
		signed, err := sign.SignCheckpoint(newSigner("log"), sign.Checkpoint{Origin: "log.example/letters", Size: 1})
		if err != nil {
			t.Fatal(err)
		}
		for i, name := range by {
			c, _ := sign.NewCosigner(name+".example/w", newSigner(name).Key())
			line, err := c.Sign(newSigner(name), signed, int64(i))
			if err != nil {
				t.Fatal(err)
			}
			signed = append(signed, line...)
		}
		if count, err := p.Judge(signed); err != nil || count.Reached != (have >= n) {
			t.Fatalf("%d of %v: %v, %v", n, by, count, err)
		}
	})
}
