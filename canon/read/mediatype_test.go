package read

import "testing"

func TestParseMediaType(t *testing.T) {
	for in, want := range map[string][2]string{
		"":                                     {"", ""},
		"text/html":                            {"text/html", ""},
		" Text/HTML ; Charset=UTF-8 ":          {"text/html", "UTF-8"},
		`text/html;charset="utf-8"`:            {"text/html", "utf-8"},
		`text/html;charset='utf-8'`:            {"text/html", "utf-8"},
		`text/html;charset="utf-8`:             {"text/html", "utf-8"},
		`text/html;charset="utf\-8" x;y=z`:     {"text/html", "utf-8"},
		"text/html; charset=a; charset=b":      {"text/html", "a"},
		"text/html; charset=; charset=b":       {"text/html", "b"},
		"text/html;;charset=a":                 {"text/html", "a"},
		"text/html; x; charset=a":              {"text/html", "a"},
		"text/html; x=y z; charset = a":        {"text/html", "a"},
		`text/html; x="a;charset=b";charset=c`: {"text/html", "c"},
		"text/html; charset":                   {"text/html", ""},
		"text/html; xcharset=a":                {"text/html", ""},
		"html; charset=a":                      {"", "a"},
		"text/html, charset=a":                 {"", ""},
		"text/":                                {"", ""},
		"te xt/html":                           {"", ""},
		"text/ht/ml":                           {"", ""},
		"application/ld+json":                  {"application/ld+json", ""},
	} {
		bare, charset := ParseMediaType(in)
		if bare != want[0] || charset != want[1] {
			t.Errorf("%q is %q in %q, want %q in %q", in, bare, charset, want[0], want[1])
		}
	}
}
