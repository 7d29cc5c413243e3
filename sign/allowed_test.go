package sign

import (
	"muniment/cid"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

func TestParseAllowedSigners(t *testing.T) {
	k := newTestSigner("anna").key
	a, err := ParseAllowedSigners([]byte("# who\n\n\"Anna A,*@b\"  CERT-authority,namespaces=\"git,!x\",valid-after=\"20200102\" " + k.Authorized() + " two  words\n"))
	if err != nil {
		t.Fatal(err)
	}
	want := []AllowedSigner{{
		Principals: []string{"Anna A", "*@b"}, Key: k, Namespaces: []string{"git", "!x"},
		ValidAfter: "20200102", CertAuthority: true, Comment: "two  words", Line: 3,
	}}
	if diff := cmp.Diff(want, a.Entries(), cmpopts.EquateComparable(Key{}, cid.ID{})); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	const line = `"Anna A,*@b" cert-authority,namespaces="git,!x",valid-after="20200102" `
	if got := a.Entries()[0].String(); got != line+k.Authorized()+" two  words" {
		t.Errorf("String: %s", got)
	}
	if !a.Entries()[0].HasPrincipal("Anna A") || !a.Entries()[0].HasPrincipal("c@b") || a.Entries()[0].HasPrincipal("Ben") {
		t.Error("HasPrincipal")
	}
	if _, ok := (*AllowedSigners)(nil).Allows(k, NamespaceGit, cid.ID{}); ok {
		t.Error("no list allows somebody")
	}
}

func TestValidAt(t *testing.T) {
	east := time.FixedZone("east", 2*60*60)
	at := func(s string, loc *time.Location) time.Time {
		v, err := time.ParseInLocation(time.DateTime, s, loc)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	tests := []struct {
		after, before string
		at            time.Time
		want          bool
	}{
		{"", "", time.Time{}, true},
		{"20260102Z", "", at("2026-01-02 00:00:00", time.UTC), true},
		{"20260102Z", "", at("2026-01-01 23:59:59", time.UTC), false},
		{"202601021530Z", "", at("2026-01-02 17:30:00", east), true},
		{"20260102", "", at("2026-01-02 00:00:00", east), true},
		{"20260102Z", "", at("2026-01-02 00:00:00", east), false},
		{"", "20260102030405Z", at("2026-01-02 03:04:05", time.UTC), true},
		{"", "20260102030405Z", at("2026-01-02 03:04:06", time.UTC), false},
		{"", "not a time", at("2026-01-02 03:04:06", time.UTC), false},
	}
	for _, test := range tests {
		s := AllowedSigner{ValidAfter: test.after, ValidBefore: test.before}
		if got := s.ValidAt(test.at); got != test.want {
			t.Errorf("valid after %q, before %q, at %s: %v, want %v", test.after, test.before, test.at, got, test.want)
		}
	}
}

// The peer is regexp.
func TestMatch(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pattern := rapid.StringMatching(`[ab*?]{0,12}`).Draw(t, "pattern")
		s := rapid.StringMatching(`[ab]{0,12}`).Draw(t, "s")
		re := regexp.MustCompile("^" + strings.NewReplacer("*", ".*", "?", ".").Replace(pattern) + "$")
		if got, want := match(pattern, s), re.MatchString(s); got != want {
			t.Fatalf("match(%q, %q) = %v, want %v", pattern, s, got, want)
		}
	})
}

func TestMatchIsNotExponential(t *testing.T) {
	start := time.Now()
	if match(strings.Repeat("*a", MaxPattern/2), strings.Repeat("a", 100)+"b") {
		t.Error("matches")
	}
	if d := time.Since(start); d > time.Minute {
		t.Errorf("took %s", d)
	}
}

// Lines have free blanks and comments, so the property is that of the line's
// one canonical form: it reads as the same line, and stays as it is.
func FuzzParseAllowedSigners(f *testing.F) {
	for _, v := range allVectors() {
		if v.kind() == "allowed" {
			f.Add(v.body)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		a, err := ParseAllowedSigners(data)
		if err != nil {
			if a != nil {
				t.Fatal("an error and a list")
			}
			return
		}
		for _, e := range a.Entries() {
			line := e.String()
			back, err := ParseAllowedSigners([]byte(line))
			if err != nil || len(back.Entries()) != 1 {
				t.Fatalf("%q: %v", line, err)
			}
			got := back.Entries()[0]
			if got.String() != line {
				t.Fatalf("%q encodes to %q", line, got.String())
			}
			if diff := cmp.Diff(e, got, cmpopts.EquateComparable(Key{}, cid.ID{}), cmpopts.IgnoreFields(AllowedSigner{}, "Line")); diff != "" {
				t.Fatalf("%q (-first +again)\n%s", line, diff)
			}
		}
	})
}

func TestAllowedLine(t *testing.T) {
	const key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHUM6SOjR1HBHYzyKmgSS5lSDFmqAJF6UrkfLpFdoSEO"
	for data, want := range map[string]string{
		key:                              "name@example.org " + key,
		key + " ada@example.org\n":       "ada@example.org " + key,
		key + " laptop\n":                "name@example.org " + key,
		key + " *@example.org,!a@b\n":    "*@example.org,!a@b " + key,
		key + " two words@example.org\n": "name@example.org " + key,
		"ada@example.org " + key + "\n":  "",
		"":                               "",
	} {
		line, ok := AllowedLine([]byte(data))
		if line != want || ok != (want != "") {
			t.Errorf("%q gives %q, %t", data, line, ok)
		}
		if ok {
			if _, err := ParseAllowedSigners([]byte(line + "\n")); err != nil {
				t.Errorf("%q is no line: %v", line, err)
			}
		}
	}
}
