package sourcemeta

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestRegistry(t *testing.T) {
	r := must(ReadRegistry("source_registry.yaml", []byte(registryFile)))
	for url, want := range map[string]string{
		"https://www.federalreserve.gov/newsevents/pressreleases/x.htm":       "fed_press_releases",
		"https://federalreserve.gov/newsevents/x":                             "fed_press_releases",
		"http://www.federalreserve.gov/newsevents/x":                          "", // the pattern says https
		"http://www.federalreserve.gov/monetarypolicy":                        "fed_press_releases",
		"https://www.federalreserve.gov/monetarypolicy/x?y=z":                 "fed_press_releases",
		"https://WWW.FederalReserve.gov:443/monetarypolicy/fomccalendars.htm": "fomc_calendar",
		"https://www.federalreserve.gov/monetarypolicyx":                      "",
		"https://www.federalreserve.gov/newsevents/../other":                  "",
		"https://www.federalreserve.gov.evil.example/newsevents/x":            "",
		"https://evil.example/https://www.federalreserve.gov/newsevents/x":    "",
		"https://www.federalreserve.gov@evil.example/newsevents/x":            "",
		"https://www.federalreserve.gov:8443/newsevents/x":                    "",
		"https://www.ft.com/content/1":                                        "ft_markets",
		"https://markets.ft.com":                                              "ft_markets",
		"https://blogs.ft.com/alphaville/2026/post-7.html":                    "ft_blogs",
		"https://blogs.ft.com/alphaville/2026/post-7.html.bak":                "ft_markets",
		"https://notft.com/":                                                  "",
		"urn:isbn:0":                                                          "",
		"":                                                                    "",
	} {
		e, ok, err := r.ByURL(url)
		if err != nil || ok != (want != "") || e.ID != want {
			t.Errorf("%s is of %q (%v), want %q", url, e.ID, err, want)
		}
		if ok && !e.Matches(url) {
			t.Errorf("%s does not match its own source", url)
		}
	}
	e, ok := r.ByID("fomc_calendar")
	if !ok || e.Line != 18 {
		t.Errorf("fomc_calendar: %v, line %d, want line 18", ok, e.Line)
	}
	if diff := cmp.Diff(Values{Publisher: "Federal Reserve", Tier: 1, Tags: []string{"policy_centralbank", OfficialCalendar}, SourceID: "fomc_calendar"}, e.Values()); diff != "" {
		t.Errorf("values (-want +got):\n%s", diff)
	}
	if _, ok := r.ByID("none"); ok || len(r.entries) != 4 {
		t.Errorf("%d entries, want 4", len(r.entries))
	}
	if diff := cmp.Diff([]string{"source_registry.yaml:2: version", "source_registry.yaml:17: poll_minutes"}, r.Ignored()); diff != "" {
		t.Errorf("ignored (-want +got):\n%s", diff)
	}
}

func TestRegistryForms(t *testing.T) {
	for _, s := range []string{
		"- id: a\n  publisher: P\n  url: https://a.example/x\n",
		"sources:\n  a:\n    publisher: P\n    url: https://a.example/x\n",
		"{sources: {a: {publisher: P, urls: a.example/x}}}",
		"%YAML 1.1\n---\nsources: [{source_id: \"a\", publisher: 'P', domains: [a.example]}]\n...\n",
		"\ufeffother: &x {deep: [*x]}\nsources:\r\n- id: a\r\n  publisher: >-\r\n    P\r\n  homepage: http://a.example\r\n",
	} {
		r, err := ReadRegistry("r.yaml", []byte(s))
		if err != nil {
			t.Errorf("%q: %v", s, err)
			continue
		}
		if e, ok, err := r.ByURL("https://a.example/x/y"); !ok || err != nil || e.ID != "a" || e.Publisher != "P" {
			t.Errorf("%q: %+v, %v, %v", s, e, ok, err)
		}
	}
}

func TestRivals(t *testing.T) {
	r := must(ReadRegistry("r.yaml", []byte("- {id: a, publisher: P, urls: x.example/*/b}\n- {id: b, publisher: Q, urls: x.example/a/*}\n")))
	_, ok, err := r.ByURL("https://x.example/a/b")
	if ok || err == nil || !strings.Contains(err.Error(), "r.yaml:2: url_patterns of b and, in line 1, of a both match") {
		t.Errorf("%v, %v, want both sources named", ok, err)
	}
	if _, _, err := r.Layer(Layer{From: Fetch, Values: Values{URL: "https://x.example/a/b"}}); err == nil {
		t.Error("a layer of rivals")
	}
}

func TestRegistryLayer(t *testing.T) {
	r := must(ReadRegistry("r.yaml", []byte(registryFile)))
	fed, ft := "https://www.federalreserve.gov/newsevents/x", "https://www.ft.com/x"
	at := func(from Origin, v Values) Layer { return Layer{From: from, Values: v} }
	for _, c := range []struct {
		layers []Layer
		want   string
	}{
		{nil, ""},
		{[]Layer{at(Fetch, Values{URL: ft})}, "ft_markets"},
		{[]Layer{at(Fetch, Values{URL: ft}), at(CommandLine, Values{URL: fed})}, "fed_press_releases"},
		{[]Layer{at(CommandLine, Values{URL: fed}), at(FromSidecar, Values{SourceID: "ft_blogs"})}, "ft_blogs"},
		{[]Layer{at(CommandLine, Values{URL: "https://unknown.example/"}), at(Fetch, Values{URL: ft})}, "ft_markets"},
		{[]Layer{at(Document, Values{URL: fed, SourceID: "fed_press_releases"})}, ""},
	} {
		l, ok, err := r.Layer(c.layers...)
		if err != nil || ok != (c.want != "") || l.Values.SourceID != c.want || ok && (l.From != FromRegistry || !strings.HasPrefix(l.Where, "r.yaml:")) {
			t.Errorf("%+v: %+v, %v, %v; want %q", c.layers, l, ok, err, c.want)
		}
	}
	if _, _, err := r.Layer(at(CommandLine, Values{SourceID: "fed"})); err == nil || err.Error() != `source_id "fed", from the command line, is not in r.yaml` {
		t.Errorf("error %v for a key that is not there", err)
	}
}

func TestPatterns(t *testing.T) {
	for _, c := range []struct {
		pattern, url string
		want         bool
	}{
		{"example.org", "https://www.example.org/any?x", true},
		{"www.example.org", "http://example.org", true},
		{"EXAMPLE.org/A", "https://example.org/A", true},
		{"example.org/A", "https://example.org/a", false},
		{"example.org/a/", "https://example.org/a/b", true},
		{"example.org/a/", "https://example.org/a", false},
		{"example.org/a", "https://example.org/a/../b", false},
		{"example.org/a", "https://example.org/./a//b", true},
		{"*.example.org", "https://example.org/", false},
		{"*.example.org", "https://a.b.example.org/", true},
		{"*.example.org", "https://badexample.org/", false},
		{"example.org", "https://example.org./", true},
		{"example.org:8080", "http://example.org:8080/", true},
		{"example.org:8080", "http://example.org/", false},
		{"http://example.org", "https://example.org/", false},
		{"example.org/*/x", "https://example.org/a/b/x", true},
		{"example.org/*/x", "https://example.org/a/b/xy", false},
		{"example.org/a*a", "https://example.org/a", false},
		{"example.org", "ftp://example.org/", false},
	} {
		p, err := parsePattern(c.pattern)
		if err != nil {
			t.Errorf("%s: %v", c.pattern, err)
			continue
		}
		at, err := placeOf(c.url)
		if got := err == nil && p.matches(at); got != c.want {
			t.Errorf("%s matches %s: %v, want %v", c.pattern, c.url, got, c.want)
		}
	}
}
