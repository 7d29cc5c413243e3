package engine

import (
	"errors"
	"strings"
	"testing"

	"muniment/archive/problem"
	"muniment/cite/locator"
)

func TestLocators(t *testing.T) {
	for _, good := range []string{"", "{}", `{"page":24,"section":"§ 8.1"}`, `{"page":"xii"}`, `{"page_start":24,"page_end":25,"section":"§ 8.1-8.2","char_offset_start":1205,"char_offset_end":342}`,
		`{"anything":{"deep":[1,2]},"accessed_at":"2024-06-01T14:30:00Z"}`} {
		if _, err := parseLocator(good); err != nil {
			t.Errorf("%s: %v", good, err)
		}
	}
	for _, bad := range []string{"page 24", "[]", "null", `"x"`, `{"page":[24]}`, `{"page":-1}`, `{"page":1.5}`, `{"page":true}`, `{"page":""}`, `{"section":8}`, `{"char_offset_start":"12"}`, `{}{}`, `{"page":null}`,
		`{"x":"` + strings.Repeat("a", locator.MaxGiven) + `"}`} {
		var failure *problem.Error
		if g, err := parseLocator(bad); !errors.As(err, &failure) || failure.Kind != problem.InvalidLocator || g != nil {
			t.Errorf("%.60s: %v", bad, err)
		}
	}
	for _, tt := range []struct {
		given string
		found map[string]string
		want  string // a part of the only note; "" for none
	}{
		{`{"page":24}`, map[string]string{"page": "24"}, ""},
		{`{"page":24}`, map[string]string{"page": "24-25"}, ""},
		{`{"page_start":24,"page_end":25}`, map[string]string{"page": "24-25"}, ""},
		{`{"page_start":24,"page_end":25}`, map[string]string{"page": "26"}, "page 24-25; the words are on page 26"},
		{`{"page":24}`, map[string]string{"page": "25"}, "page 24; the words are on page 25"},
		{`{"page":"xii"}`, map[string]string{"page": "12"}, "page xii"},
		{`{"page":24}`, nil, "no pages to compare with"},
		{`{"section":"§ 8.1"}`, map[string]string{"section": "Kapitel 8 / § 8.1 Fristen"}, ""},
		{`{"section_header":"Kapitel 9"}`, map[string]string{"section": "Kapitel 8 / § 8.1"}, "section header “Kapitel 9”"},
		{`{"section":"§ 8.1"}`, nil, ""},
		{`{"row":3}`, map[string]string{"row": "3"}, ""},
	} {
		g, err := parseLocator(tt.given)
		if err != nil {
			t.Fatal(err)
		}
		notes := locator.Disagreements(g, tt.found)
		if tt.want == "" && len(notes) > 0 || tt.want != "" && (len(notes) != 1 || !strings.Contains(notes[0], tt.want)) {
			t.Errorf("%s in %v: %q, want %q", tt.given, tt.found, notes, tt.want)
		}
	}
}
