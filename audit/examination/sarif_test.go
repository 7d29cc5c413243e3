package examination_test

import (
	"context"
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"testing"

	"muniment/audit/examination"
)

// TestSARIFForm holds a report against what the standard for SARIF 2.1.0 (OASIS, 2020) requires of the objects that it has: the log file
// (section 3.13), runs (3.14), tools and their rules (3.18, 3.19, 3.49), results (3.27), messages (3.11), locations and regions (3.28 to 3.30).
func TestSARIFForm(t *testing.T) {
	text := "# Grüße\n\nÄhnlich schrieb Ada. In her letter of 2 April 1931 Ada wrote: “Tobias Lunt repaired the mill dam.”\n\nIn *Miller v. Regions Bank*, 12 F.3d 345 (5th Cir. 1999), the court held that “a sluice is no highway for herons”.\n"
	r, err := examination.Examine(context.Background(), examination.Input{Name: "drafts/a text: ü.md", Data: []byte(text)}, examination.Options{Places: []examination.Place{{Archive: newArchive(t)}}})
	if err != nil {
		t.Fatal(err)
	}
	data, err := examination.SARIF(r)
	if err != nil {
		t.Fatal(err)
	}
	var log map[string]any
	if err := json.Unmarshal(data, &log); err != nil {
		t.Fatal(err)
	}
	// object returns a member that has to be an object, list one that has to be a list, word a string that is not empty.
	object := func(of map[string]any, name string) map[string]any {
		m, ok := of[name].(map[string]any)
		if !ok {
			t.Fatalf("%s is %T", name, of[name])
		}
		return m
	}
	list := func(of map[string]any, name string) []any {
		l, ok := of[name].([]any)
		if !ok {
			t.Fatalf("%s is %T", name, of[name])
		}
		return l
	}
	word := func(of map[string]any, name string) string {
		s, ok := of[name].(string)
		if !ok || s == "" {
			t.Fatalf("%s is %v", name, of[name])
		}
		return s
	}
	count := func(of map[string]any, name string) int {
		n, ok := of[name].(float64)
		if !ok || n != float64(int(n)) {
			t.Fatalf("%s is %v", name, of[name])
		}
		return int(n)
	}
	if word(log, "version") != "2.1.0" || len(list(log, "runs")) != 1 {
		t.Fatalf("%s", data)
	}
	run := list(log, "runs")[0].(map[string]any)
	driver := object(object(run, "tool"), "driver")
	word(driver, "name")
	var ids []string
	for _, rule := range list(driver, "rules") {
		id := word(rule.(map[string]any), "id")
		word(object(rule.(map[string]any), "shortDescription"), "text")
		if slices.Contains(ids, id) {
			t.Errorf("two rules %s", id)
		}
		ids = append(ids, id)
	}
	if k := word(run, "columnKind"); k != "unicodeCodePoints" {
		t.Errorf("offsets are in %s", k)
	}
	results := list(run, "results")
	for _, one := range results {
		result := one.(map[string]any)
		if id := word(result, "ruleId"); !slices.Contains(ids, id) {
			t.Errorf("no rule %s", id)
		}
		if level := word(result, "level"); !slices.Contains([]string{"none", "note", "warning", "error"}, level) {
			t.Errorf("level %s", level)
		}
		word(object(result, "message"), "text")
		for _, at := range list(result, "locations") {
			place := object(at.(map[string]any), "physicalLocation")
			uri := word(object(place, "artifactLocation"), "uri")
			if u, err := url.Parse(uri); err != nil || u.IsAbs() || u.Path != "drafts/a text: ü.md" || strings.ContainsAny(uri, " ü") {
				t.Errorf("the address %s: %v", uri, err)
			}
			region := object(place, "region")
			from, n := count(region, "charOffset"), count(region, "charLength")
			if line := count(region, "startLine"); line < 1 || from < 0 || n < 1 {
				t.Errorf("the region %v", region)
			} else if words := string([]rune(text)[from : from+n]); !strings.HasPrefix(words, "“") || !strings.HasSuffix(words, "”") || strings.Count(string([]rune(text)[:from]), "\n") != line-1 {
				t.Errorf("line %d has %q", line, words)
			}
		}
	}
	if len(results) != 2 {
		t.Errorf("%d results", len(results))
	}
}
