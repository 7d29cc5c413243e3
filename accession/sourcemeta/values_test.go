package sourcemeta

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"muniment/snapshot/record"
)

func TestSet(t *testing.T) {
	var v Values
	for _, set := range [][2]string{
		{"title", "  To Clara "}, {"creators", "Ada Vale; Ben Vale;"}, {"publisher", "Vale & Sons"}, {"url", "https://example.org/a?b=c"},
		{"published_at", "1921-03-07"}, {"fetched_at", "2026-02-11T02:15:00Z"}, {"credibility_tier", "1"}, {"paywall_policy", "metadata_only"},
		{"tags", "letters;family"}, {"language", "en-GB"}, {"csl_type", "personal_communication"}, {"source_id", "vale.letters-1_a"},
		{"title", "  "},
	} {
		if err := v.Set(set[0], set[1]); err != nil {
			t.Errorf("%s: %v", set[0], err)
		}
	}
	want := Values{Title: "To Clara", Creators: []string{"Ada Vale", "Ben Vale"}, Publisher: "Vale & Sons", URL: "https://example.org/a?b=c",
		PublishedAt: "1921-03-07", FetchedAt: "2026-02-11T02:15:00Z", Tier: 1, PaywallPolicy: "metadata_only",
		Tags: []string{"letters", "family"}, Language: "en-GB", CSLType: "personal_communication", SourceID: "vale.letters-1_a"}
	if diff := cmp.Diff(want, v); diff != "" {
		t.Errorf("values (-want +got):\n%s", diff)
	}
	if err := v.Check(); err != nil {
		t.Error(err)
	}
	if len(FieldNames()) != 22 {
		t.Errorf("%d fields, want 22", len(FieldNames()))
	}
}

func TestSetRefuses(t *testing.T) {
	tried := 0
	for _, c := range [][3]string{
		{"titel", "x", `no field "titel"`}, {"path", "x", "no field"},
		{"title", "a\nb", "control characters"}, {"title", "\xff", "not UTF-8"}, {"title", strings.Repeat("x", MaxText+1), "4097 bytes"},
		{"creators", "Ada; Ada", `"Ada" twice`}, {"tags", strings.Repeat(strings.Repeat("x", 4000)+"1;", 1) + strings.Repeat("y", 5000), "bytes"},
		{"url", "example.org/a", "want it whole"}, {"url", "https://u:secret@example.org/", "must not keep"}, {"url", "https://u:%zz@h/", "not shown"},
		{"url", "http:///a", "no host"}, {"url", "https://h/a b", "percent-encoded"}, {"url", "http://h/%zz", "not a URL"},
		{"published_at", "1921-13-07", "want a date of EDTF"}, {"published_at", "1890/1880", "want a date of EDTF"}, {"published_at", "1921-02-30", "want a date of EDTF"},
		{"published_at", "1921-03-07T10:00", "EDTF"}, {"level", "drawer", "one of collection"}, {"fetched_at", "2026-02-11", "RFC 3339"}, {"fetched_at", "2026-02-11T02:15:00+01:00", "UTC"},
		{"tier", "0", "1 to 4"}, {"tier", "5", "1 to 4"}, {"tier", "01", "1 to 4"}, {"tier", "one", "1 to 4"}, {"tier", "1.0", "1 to 4"},
		{"paywall_policy", "Full", "full or metadata_only"}, {"language", "english language", "BCP 47"}, {"language", "x", "BCP 47"}, {"language", "e", "BCP 47"},
		{"csl_type", "web page", "CSL 1.0.2"}, {"source_id", "fed press", "letters, digits"}, {"source_id", strings.Repeat("x", 129), "128"},
	} {
		v := Values{Title: "kept"}
		err := v.Set(c[0], c[1])
		if err == nil || !strings.Contains(err.Error(), c[2]) {
			t.Errorf("%s %q: error %v, want %q in it", c[0], c[1], err, c[2])
		}
		if err != nil && strings.Contains(err.Error(), "secret") {
			t.Errorf("the error %q shows the password", err)
		}
		if diff := cmp.Diff(Values{Title: "kept"}, v); diff != "" {
			t.Errorf("%s %q left (-want +got):\n%s", c[0], c[1], diff)
		}
		tried++
	}
	if tried != 32 {
		t.Errorf("%d values tried, want 32", tried)
	}
	if (Values{Creators: []string{" "}}).Check() == nil || !(Values{}).IsZero() || (Values{Tier: 1}).IsZero() {
		t.Error("an empty creator, or what is zero, is judged wrongly")
	}
	big := Values{}
	for range MaxList/4000 + 1 {
		big.Tags = append(big.Tags, strings.Repeat("x", 3990)+strings.Repeat("y", len(big.Tags)))
	}
	if err := big.Check(); err == nil || !strings.Contains(err.Error(), "65536") {
		t.Errorf("error %v for tags of more than 64 KiB", err)
	}
}

func TestMerge(t *testing.T) {
	cmdline := Layer{From: CommandLine, Values: Values{Title: "By hand", Tags: []string{"mine"}, PaywallPolicy: "full"}}
	side := Layer{From: FromSidecar, Where: "letters.csv:3", Values: Values{Title: "Aside", Creators: []string{"Ada Vale"}, Tags: []string{"mine", "side"}}}
	reg := Layer{From: FromRegistry, Where: "source_registry.yaml:4", Values: Values{Publisher: "Times", Tier: 2, PaywallPolicy: "metadata_only",
		Tags: []string{"news"}, SourceID: "times"}}
	fetch := Layer{From: Fetch, Values: Values{URL: "https://example.org/a", FetchedAt: "2026-02-11T02:15:00Z"}}
	doc := Layer{From: Document, Values: Values{Title: "Own", Creators: []string{" Ben\n Vale", "", "Ben Vale"}, Publisher: "Self", URL: "https://elsewhere.example/",
		PublishedAt: "Tuesday", Language: "en"}}
	name := FromName("letters/1921-03-07 to Clara.txt")
	source, facts := Merge(name, doc, fetch, reg, side, cmdline)
	want := record.Source{Title: "By hand", Creators: []string{"Ada Vale"}, Publisher: "Times", URL: "https://example.org/a", PublishedAt: "1921-03-07",
		FetchedAt: "2026-02-11T02:15:00Z", Tier: 2, PaywallPolicy: "metadata_only", Tags: []string{"mine", "side", "news"}, Language: "en"}
	if diff := cmp.Diff(want, source); diff != "" {
		t.Errorf("source (-want +got):\n%s", diff)
	}
	wantFacts := map[string]string{
		"origin_title": "command line", "origin_creators": "sidecar letters.csv:3", "origin_publisher": "registry source_registry.yaml:4",
		"origin_url": "fetch", "origin_fetched_at": "fetch", "origin_published_at": "file name", "origin_tier": "registry source_registry.yaml:4",
		"origin_paywall_policy": "registry source_registry.yaml:4", "origin_language": "document", "origin_source_id": "registry source_registry.yaml:4",
		"origin_tags": "command line; sidecar letters.csv:3; registry source_registry.yaml:4", "source_id": "times",
		"dropped_published_at": `document: published_at is "Tuesday", want a date of EDTF, as YYYY-MM-DD, YYYY-MM, 1817~, 1880/1890 or 18XX`,
	}
	if diff := cmp.Diff(wantFacts, facts); diff != "" {
		t.Errorf("facts (-want +got):\n%s", diff)
	}
	alone := record.Record{Time: "2026-02-11T02:15:00Z", Agent: "Ada", Source: &source, Facts: facts}
	if _, err := alone.Encode(); err != nil {
		t.Errorf("the record: %v", err)
	}

	source, _ = Merge(Layer{From: Document, Values: Values{Creators: []string{" Ben\n Vale", "", "Ben Vale"}, Title: " On\t two\nlines "}})
	if diff := cmp.Diff(record.Source{Title: "On two lines", Creators: []string{"Ben Vale"}}, source); diff != "" {
		t.Errorf("a document's values (-want +got):\n%s", diff)
	}
	if source, facts := Merge(); !source.IsZero() || len(facts) != 0 {
		t.Errorf("nothing becomes %+v, %v", source, facts)
	}
	long := Layer{From: Document, Values: Values{Language: "\xff" + strings.Repeat("ü", 1000)}}
	if _, facts := Merge(long); len(facts["dropped_language"]) > maxDropped+3 || !strings.HasPrefix(facts["dropped_language"], "document: language ") {
		t.Errorf("fact %q, want it short", facts["dropped_language"])
	}
}

func TestFromName(t *testing.T) {
	for name, want := range map[string]string{
		"1921-03-07.txt": "1921-03-07", "1665-13-01 1665-12-31": "1665-12-31", "letter-00001.txt": "", "1921-3-07": "", "a/b 2020-02-29x": "2020-02-29", "2021-02-29": "", "12021-03-07": "", "2021-03-071": "", "2021-03-07/a.txt": "", "x": "",
	} {
		if got := FromName(name).Values.PublishedAt; got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

func TestOrigins(t *testing.T) {
	for o := CommandLine; o <= FileName; o++ {
		if o.String() == "unknown" || o.String() == "" {
			t.Errorf("origin %d is %q", o, o)
		}
	}
	if Origin(0).String() != "unknown" || Origin(9).String() != "unknown" {
		t.Error("an origin that is none has a name")
	}
}

// Every field counts, so that none is forgotten when one is added.
func TestValuesIsZero(t *testing.T) {
	if !(Values{}).IsZero() || !(Values{Tags: []string{}}).IsZero() {
		t.Error("values without a value are not zero")
	}
	all := reflect.TypeFor[Values]()
	for i := range all.NumField() {
		var v Values
		switch f := reflect.ValueOf(&v).Elem().Field(i); f.Kind() {
		case reflect.String:
			f.SetString("x")
		case reflect.Int:
			f.SetInt(1)
		case reflect.Map:
			f.Set(reflect.ValueOf(map[string]string{"x": "x"}))
		default:
			f.Set(reflect.ValueOf([]string{"x"}))
		}
		if v.IsZero() {
			t.Errorf("values with %s are zero", all.Field(i).Name)
		}
	}
	if n := all.NumField() - 1; n != len(fields) { // Other is no field
		t.Errorf("%d members, %d fields", n, len(fields))
	}
}

// A date as people write it is read, its words are kept, and no row of a table is lost for one that is not.
func TestDatesAsWritten(t *testing.T) {
	rows := []struct{ cell, date string }{
		{"c. 1911", "1911~"}, {"between 1920 and 1922", "1920/1922"}, {"4 février 1913", "1913-02-04"}, {"n.d.", ""}, {"3/5/1911", "1911"},
		{"the year of the flood", ""}, {"1911", "1911"}, {"Michaelmas 1817", "1817-09-29~"}, {"[1901]", "1901?"},
	}
	table := "path,published_at\n"
	for i, r := range rows {
		table += fmt.Sprintf("%d.txt,%s\n", i, r.cell)
	}
	s, err := ReadCSV("", []byte(table))
	if err != nil || len(s.Notes()) != 1 {
		t.Fatalf("%v, notes %v", err, s.Notes())
	}
	for i, r := range rows {
		l, ok, err := s.For(fmt.Sprintf("%d.txt", i))
		words := l.Values.Other["published_at"]
		if !ok || err != nil || l.Values.PublishedAt != r.date || words != r.cell && r.date != r.cell {
			t.Errorf("%s: %q, words %q, %v", r.cell, l.Values.PublishedAt, words, err)
		}
	}
}
