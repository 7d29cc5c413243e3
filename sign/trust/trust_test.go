package trust

import (
	"errors"
	"strings"
	"testing"

	"muniment/cid"
	"muniment/cid/jcs"
	"muniment/sign"
)

func TestParse(t *testing.T) {
	s := sample()
	r := mustParse(t, s)
	if got := string(r.Encode()); got != s {
		t.Errorf("encodes to\n%s", got)
	}
	if len(s) >= 2000 {
		t.Errorf("a root of three organisations takes %d bytes, want below 2000", len(s))
	}
	if !Is([]byte(s)) || Is([]byte("vale ssh-ed25519 AAAA")) {
		t.Error("a root is not told from an allowed_signers file")
	}
	if p := Paper(r.Digest()); len(strings.Fields(p)) != 16 || len(p) != 79 {
		t.Errorf("paper form %q", p)
	}
}

func TestJudge(t *testing.T) {
	log := Name(vale.Key())
	last := cid.Of([]byte("last good"))
	s := sample() + "revoke snapshot " + log + " 7/" + last.String() + "\n" +
		"revoke witness " + Name(museum.Key()) + " -\n" +
		"revoke answer " + log + " " + place("1/100/") + strings.Repeat("ab", 32) + "\n"
	r := mustParse(t, s)
	cases := []struct {
		role Role
		by   signer
		at   Place
		want Standing
	}{
		{Snapshot, vale, Seq(7), Pinned},
		{Snapshot, vale, Seq(1), Pinned},
		{Snapshot, vale, Seq(8), Revoked},
		{Snapshot, museum, Seq(1), Stranger},
		{Snapshot, thief, Seq(1), Stranger},
		{Withdraw, museum, Seq(1), Good},
		{Withdraw, museum.wrapped(), Seq(1), Good},
		{Withdraw, museum, Seq(0), OutOfBounds},
		{Answer, museum, Entry(log, 1, 4), OutOfBounds},
		{Answer, museum, Entry(log, 1, 5), Good},
		{Answer, museum, Entry(log, 2, 9), Good},
		{Answer, museum, Entry(log, 2, 10), OutOfBounds},
		{Answer, museum, Entry(Name(thief.Key()), 1, 6), OutOfBounds},
		{Answer, vale, Entry(log, 1, 99), Pinned},
		{Answer, vale, Entry(log, 1, 100), Revoked},
		{Answer, vale, Entry(log, 2, 0), Revoked},
		{Answer, vale, Entry(Name(thief.Key()), 1, 0), Revoked},
		{Log, vale, Entry(log, 9, 0), Good},
		{Witness, museum, Entry(log, 1, 1), Revoked},
		{Policy, court, Version(2), Good},
		{Policy, thief, Version(2), Stranger},
	}
	for _, c := range cases {
		j := r.Judge(c.role, c.by.Key(), c.at)
		if j.Standing != c.want || j.Reason() == "" || j.Counts() != (c.want == Good) {
			t.Errorf("%s of %s at %s: %d (%s), want %d", c.role, Name(c.by.Key()), c.at, j.Standing, j.Reason(), c.want)
		}
	}
	var none *Root
	if none.Judge(Snapshot, vale.Key(), Seq(1)).Counts() || r.Judge(Snapshot, sign.Key{}, Seq(1)).Counts() {
		t.Error("no root, or no key, counts")
	}
}

func TestCount(t *testing.T) {
	r := mustParse(t, sample())
	keys := func(s ...signer) []sign.Key {
		var out []sign.Key
		for _, one := range s {
			out = append(out, one.Key())
		}
		return out
	}
	cases := []struct {
		keys []sign.Key
		want Threshold
	}{
		{nil, Threshold{}},
		{keys(vale), Threshold{1, 1}},
		{keys(vale, vale), Threshold{1, 1}},
		{keys(vale, vale.wrapped()), Threshold{1, 1}},
		{keys(vale, thief), Threshold{1, 1}},
		{keys(vale, museum, court), Threshold{3, 3}},
	}
	for _, c := range cases {
		if got := r.Count(Policy, c.keys); got != c.want || r.Reached(Policy, c.keys) != (got.Keys >= 2) {
			t.Errorf("%d keys count as %v, want %v", len(c.keys), got, c.want)
		}
	}
}

func TestVerify(t *testing.T) {
	first := sample()
	one := mustParse(t, first)
	if _, err := signed(t, first, vale, museum).Verify(nil); err != nil {
		t.Fatal(err)
	}
	// Version 2 takes the place of court, by vale, and gives it to new.
	fresh := newSigner("fresh")
	courtOut := strings.Replace(key(Policy, "court", court, "1", "-"), " 1 -", " 1 1", 1)
	second := follow(one, first, key(Policy, "court", court, "1", "-"), courtOut+"\n"+key(Policy, "fresh", fresh, "2", "-"))
	two := mustParse(t, second)
	cases := []struct {
		name string
		old  *Root
		s    Signed
		says string // "" when it is accepted
	}{
		{"enough of both", one, signed(t, second, vale, museum), ""},
		{"old and new overlap in one", one, signed(t, second, vale, court, fresh), ""},
		{"a stranger beside", one, signed(t, second, vale, museum, thief), ""},
		{"too few old", one, signed(t, second, vale, fresh), "of version 1: 1 keys"},
		{"too few new", one, signed(t, second, vale, court), "of version 2: 1 keys"},
		{"one key twice", one, signed(t, second, vale, vale), "of version 2: 1 keys"},
		{"one key in two wrappings", one, signed(t, second, vale, vale.wrapped()), "of version 2: 1 keys"},
		{"nobody", one, signed(t, second), "of version 2: 2 keys"},
		{"thieves", one, signed(t, second, thief, newSigner("x")), "of version 2: 2 keys"},
		{"downgraded", two, signed(t, first, vale, museum), "version 1 after version 2"},
		{"the same again", one, signed(t, first, vale, museum), "version 1 after version 1"},
		{"second without first", nil, signed(t, second, vale, museum), "without the one before"},
		{"first by one", nil, signed(t, first, vale), "1 keys and 1 organisations"},
		{"other predecessor", one, Signed{Text: []byte(strings.Replace(second, hexOf(two.Prev[:]), strings.Repeat("ab", 32), 1))}, "follows another version 1"},
		{"other archive", one, signed(t, strings.Replace(second, archive.String(), cid.OfJSON([]byte("b")).String(), 1), vale, museum), "of archive"},
		{"key forgotten", one, signed(t, strings.Replace(second, key(Withdraw, "museum", museum, "1", "-")+"\n", "", 1), vale, museum), "its line is gone"},
		{"organisation changed", one, signed(t, strings.ReplaceAll(second, " museum ", " museums "), vale, museum), "its line is gone"},
		{"bound moved", one, signed(t, strings.Replace(second, place("2/9"), place("2/10"), 1), vale, museum), "its end moved"},
		{"bound lifted", one, signed(t, strings.Replace(second, place("2/9"), "-", 1), vale, museum), "its end moved"},
	}
	for _, c := range cases {
		r, err := c.s.Verify(c.old)
		switch {
		case c.says == "" && err != nil:
			t.Errorf("%s: %v", c.name, err)
		case c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says)):
			t.Errorf("%s: %v, want it to say %q", c.name, err, c.says)
		case err != nil && r != nil:
			t.Errorf("%s: a root beside an error", c.name)
		}
	}
}

func TestAdvance(t *testing.T) {
	first := sample()
	one := mustParse(t, first)
	second := follow(one, first) + "revoke witness " + Name(museum.Key()) + " " + place("1/7/") + strings.Repeat("ab", 32) + "\n"
	two := mustParse(t, second)
	d := two.Digest()
	third := strings.Replace(strings.Replace(second, "version 2\n", "version 3\n", 1), hexOf(two.Prev[:]), hexOf(d[:]), 1)
	chain := []Signed{signed(t, first, vale, museum), signed(t, second, vale, museum), signed(t, third, court, museum)}
	for start, r := range []*Root{one, two} {
		last, err := Advance(r, chain)
		if err != nil || last.Version != 3 {
			t.Errorf("from version %d: %v %v", start+1, last, err)
		}
	}
	if _, err := Advance(one, chain[2:]); err == nil {
		t.Error("a version was left out")
	}
	lifted := third[:strings.Index(third, "revoke ")]
	if _, err := Advance(two, []Signed{signed(t, lifted, vale, museum)}); err == nil || !strings.Contains(err.Error(), "takes back") {
		t.Errorf("a revocation was taken back: %v", err)
	}
	for at, ok := range map[string]bool{"1/6/": true, "1/8/": false, "1/7/": false} {
		moved := strings.Replace(third, place("1/7/")+"abab", place(at)+"cdab", 1)
		if _, err := Advance(two, []Signed{signed(t, moved, vale, museum)}); (err == nil) != ok {
			t.Errorf("the revocation moved from 1/7 to %s: %v", at, err)
		}
	}
	other := strings.Replace(first, " museum ssh", " museums ssh", -1)
	if _, err := Advance(one, []Signed{signed(t, other, vale, museum)}); err == nil || !strings.Contains(err.Error(), "another version 1") {
		t.Errorf("another version 1: %v", err)
	}
	if got, err := Advance(one, []Signed{chain[0], {Text: chain[1].Text, Signatures: [][]byte{chain[0].Signatures[0]}}}); err == nil || got != nil {
		t.Errorf("signatures of another version: %v", err)
	}
}

// A root is told from an allowed_signers file by the line it begins with.
// TestNewer tells a root of a newer form, which policy keys of the version before signed,
// from one that anybody else wrote, or that belongs elsewhere.
func TestNewer(t *testing.T) {
	first := mustParse(t, sample())
	next := strings.Replace(follow(first, sample()), "muniment/trust/v1", "muniment/trust/v5", 1) + "until 2031\n"
	if !strings.HasPrefix(next, "muniment/trust/v5\n") {
		t.Fatalf("no root of the fifth version:\n%s", next)
	}
	isNewer := func(s Signed) bool {
		_, err := s.Verify(first)
		_, chained := Advance(first, []Signed{s})
		var newer, too *jcs.NewerError
		if errors.As(err, &newer) != errors.As(chained, &too) {
			t.Errorf("verified alone %v, in a chain %v", err, chained)
		}
		return newer != nil
	}
	if !isNewer(signed(t, next, museum, court)) {
		t.Error("a root of a newer form, signed as the version before asks, is not newer")
	}
	elsewhere := strings.Replace(next, "\nversion 2\n", "\nversion 3\n", 1)
	for name, s := range map[string]Signed{
		"by a thief":            signed(t, next, thief),
		"by nobody":             signed(t, next),
		"of another version":    signed(t, elsewhere, museum, court),
		"of an unknown name":    signed(t, strings.Replace(next, "trust/v5", "trist/v5", 1), museum, court),
		"changed after signing": {Text: []byte(next + "until 2032\n"), Signatures: signed(t, next, museum, court).Signatures},
	} {
		if isNewer(s) {
			t.Errorf("%s: it is taken for a newer one", name)
		}
	}
}

func TestIs(t *testing.T) {
	if !Is([]byte(Head + "\n")) {
		t.Errorf("%q does not begin a trust root", Head)
	}
	if Is([]byte("ada@example.org ssh-ed25519 AAAA\n")) {
		t.Error("a line of an allowed_signers file begins a trust root")
	}
}
