package weburl

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"muniment/snapshot/record"
)

func TestNormalForm(t *testing.T) {
	for _, c := range []struct{ raw, want, name string }{
		{"https://example.org", "https://example.org/", "https/example.org/{index}"},
		{" HTTPS://EXAMPLE.org:443/a#b ", "https://example.org/a", "https/example.org/a"},
		{"http://h:8080/a.html", "http://h:8080/a.html", "http/h:8080/a.html"},
		{"http://h//a//", "http://h//a//", "http/h/{index}/a/{index}/{index}"},
		{"http://h/a/./b/../c/..", "http://h/a/", "http/h/a/{index}"},
		{"http://h/../../x", "http://h/x", "http/h/x"},
		{"http://h/%2e%2E/x", "http://h/%2e%2E/x", "http/h/%2e%2E/x"},
		{"http://h/ä b?ü=^|{", "http://h/%C3%A4%20b?%C3%BC=%5E%7C%7B", "http/h/%C3%A4%20b?%C3%BC=%5E%7C%7B"},
		{"http://h/a%2Fb", "http://h/a%2Fb", "http/h/a%2Fb"},
		{"http://h?", "http://h/?", "http/h/{index}?"},
		{"http://h/?a=/../b//&c=100%", "http://h/?a=/../b//&c=100%25", "http/h/{index}?a=|..|b||&c=100%25"},
		{"http://h/a?b?c", "http://h/a?b?c", "http/h/a?b?c"},
		{"https://bücher.example/", "https://xn--bcher-kva.example/", "https/xn--bcher-kva.example/{index}"},
		{"http://a_b.example/", "http://a_b.example/", "http/a_b.example/{index}"},
		{"http://[2606:4700:0::1]:80/", "http://[2606:4700::1]/", "http/[2606:4700::1]/{index}"},
		{"http://[2606:4700::1]:81/", "http://[2606:4700::1]:81/", "http/[2606:4700::1]:81/{index}"},
	} {
		u, err := Parse(c.raw)
		if err != nil {
			t.Errorf("%q: %v", c.raw, err)
			continue
		}
		if u.String() != c.want {
			t.Errorf("%q becomes %q, want %q", c.raw, u, c.want)
		}
		if name := PageName(u.String()); name != c.name {
			t.Errorf("%q is named %q, want %q", c.raw, name, c.name)
		}
	}
}

// named returns the name of a URL after checking that a record takes it.
func named(t interface{ Fatalf(string, ...any) }, url string) string {
	name := PageName(url)
	alone := record.Record{Names: []string{name}, Time: "2026-02-11T02:15:00Z", Agent: "Ada",
		Source: &record.Source{URL: url, PaywallPolicy: record.PaywallMetadataOnly}}
	if _, err := alone.Encode(); err != nil {
		t.Fatalf("the name %q of %q: %v", name, url, err)
	}
	return name
}

func TestLongNames(t *testing.T) {
	a := named(t, "https://h/"+strings.Repeat("a", 3000)+"1")
	b := named(t, "https://h/"+strings.Repeat("a", 3000)+"2")
	c := named(t, "https://h/"+strings.Repeat("/", 3000))
	if a == b || len(a) > maxName || len(c) > maxName {
		t.Errorf("names %q, %q, %q", a, b, c)
	}
}

// Any two texts that become different URLs have different names, and the normal
// form is its own.
func TestNamesAreUnambiguous(t *testing.T) {
	path := rapid.StringOfN(rapid.RuneFrom([]rune("ab./?%2eF|{}#~ä\\:@&=")), 0, 30, -1)
	seen := map[string]string{}
	rapid.Check(t, func(t *rapid.T) {
		u, err := Parse("http://h.example/" + path.Draw(t, "path"))
		if err != nil {
			return
		}
		again, err := Parse(u.String())
		if err != nil || again.String() != u.String() {
			t.Fatalf("%q becomes %q: %v", u, again, err)
		}
		name := named(t, u.String())
		if other, ok := seen[name]; ok && other != u.String() {
			t.Fatalf("%q and %q are both named %q", other, u, name)
		}
		seen[name] = u.String()
	})
}

func FuzzURL(f *testing.F) {
	for _, s := range []string{"https://example.org/a?b#c", "http://[::1]:80/%2e%2e//", "http://ü.example/ä", "http://u:p@h/", "http://h/?%zz"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		u, err := Parse(raw)
		if err != nil {
			return
		}
		again, err := Parse(u.String())
		if err != nil || again.String() != u.String() {
			t.Errorf("%q becomes %q and then %q: %v", raw, u, again, err)
		}
		named(t, u.String())
	})
}
