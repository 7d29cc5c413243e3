package profile

import (
	"bytes"
	"fmt"
	"muniment/draft/enforce"
	"os"
	"strings"
	"testing"

	"muniment/draft/contract"

	"github.com/google/go-cmp/cmp"
)

func TestShipped(t *testing.T) {
	entries, err := os.ReadDir("../../policy/shipped")
	if err != nil || len(entries) != len(Names) || len(Names) != 9 {
		t.Fatalf("%d files, %d names, %v", len(entries), len(Names), err)
	}
	for _, name := range Names {
		data, err := os.ReadFile("../../policy/shipped/" + name + ".json")
		if err != nil {
			t.Fatal(err)
		}
		p, err := Read(data)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		canonical, err := p.Encode()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		again, err := Parse(canonical)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if diff := cmp.Diff(p, again); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if found, ok := Find(name); !ok || found.Name != name {
			t.Errorf("%s is not found", name)
		}
		if p.Freeform {
			t.Errorf("%s is freeform", name)
		}
	}
	if _, ok := Find("nobody"); ok {
		t.Error("nobody is found")
	}
	brief, _ := Find("market-brief")
	if brief.Pack.PublisherPercent != 40 || brief.Pack.MonitorPercent != 15 || brief.Draft.MaxRemoved != 3 {
		t.Errorf("market-brief %+v", brief)
	}
}

// TestThresholds are the numbers of the enforcement contract.
func TestThresholds(t *testing.T) {
	n := 0
	none, most := 0, enforce.MaxNearest
	for name, want := range map[string]enforce.Thresholds{
		"educator": {CitationsRequired: true, SimilarityPercent: 80, MinSources: 2, Strict: true, Nearest: &none}, "researcher": {CitationsRequired: true, SimilarityPercent: 75, MinSources: 3, PrimaryOnly: true, Strict: true, Nearest: &none},
		"creator": {SimilarityPercent: 60, MinSources: 1, Nearest: &most}, "builder": {SimilarityPercent: 65, MinSources: 1, Nearest: &most},
	} {
		p, ok := Find(name)
		if !ok || !cmp.Equal(p.Answers, want) {
			t.Errorf("%s: %+v, want %+v", name, p.Answers, want)
		}
		n++
	}
	if n != 4 {
		t.Errorf("%d cases", n)
	}
}

// TestNoShippedProfileDeliversUncited validates a draft without evidence, and
// one with evidence for one of its claims, under every shipped profile.
func TestNoShippedProfileDeliversUncited(t *testing.T) {
	lookup := func(id string) (contract.Evidence, bool) {
		return contract.Evidence{Number: 1, Tier: 1, Publisher: "P", URL: "https://p.example/", PublishedAt: "2026-02-10", Title: "T"}, id == "1"
	}
	support := func(claim string, cited []contract.Evidence) ([]contract.Evidence, string) {
		if strings.Contains(claim, "grounded") {
			return cited, ""
		}
		return nil, "it does not follow"
	}
	for _, name := range Names {
		p, _ := Find(name)
		c := contract.Context{Lookup: lookup, Support: support}
		if p.Draft.Uncited == contract.UncitedFlag {
			v := contract.Validate("- A grounded claim stands. [1]\n- The miller left.\n\nIt was rebuilt. [2]\n", c, p.Draft)
			if strings.Count(v.Text, contract.Flag) != 2 || v.Report.ValidationPassed || contract.Decide(v, 1, p.Draft) != contract.Flagged {
				t.Errorf("%s does not flag\n%s", name, v.Text)
			}
			continue
		}
		for _, heading := range []string{"", "## Prevailing View\n", "## Elsewhere\n"} {
			v := contract.Validate(heading+"- The mill burned in 1931.\n- The miller left. [2]\n\nIt was rebuilt.\n", c, p.Draft)
			if strings.Contains(v.Text, "mill") || strings.Contains(v.Text, "rebuilt") || v.Report.ValidationPassed || v.Report.CitedBullets != 0 {
				t.Errorf("%s delivers\n%s", name, v.Text)
			}
			v = contract.Validate(heading+"- A grounded claim stands. [1]\n- The miller left.\n", c, p.Draft)
			if !strings.Contains(v.Text, "grounded") || strings.Contains(v.Text, "miller") {
				t.Errorf("%s delivers\n%s", name, v.Text)
			}
		}
	}
}

func TestReadIsStrict(t *testing.T) {
	data, err := os.ReadFile("../../policy/shipped/engine.json")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, c := range []struct{ old, new string }{
		{`"freeform": false,`, ``},
		{`"freeform": false,`, `"freeform": false, "freeform": true,`},
		{`"freeform": false,`, `"Freeform": false,`},
		{`"freeform": false,`, `"freeform": false, "more": 1,`},
		{`"repair_passes": 2`, `"repair_passes": 3`},
		{`"repair_passes": 2`, `"repair_passes": 2.0`},
		{`"carry": "none"`, `"carry": "all"`},
		{`"name": "engine"`, `"name": "../engine"`},
		{`"name": "engine"`, `"name": ""`},
		{`"attempts": 1`, `"attempts": 3`},
		{`profile/v3`, `profile/v4`},
		{`profile/v3`, `profile/v1`},
		{`"nearest": 0`, `"nearest": 4`},
		{`"max_chunks": 30`, `"max_chunks": 41`},
	} {
		if !bytes.Contains(data, []byte(c.old)) {
			t.Fatalf("%q is not there", c.old)
		}
		for _, all := range [][]byte{bytes.Replace(data, []byte(c.old), []byte(c.new), 1), append(bytes.Clone(data), '{')} {
			if p, err := Read(all); err == nil || !cmp.Equal(p, Profile{}) {
				t.Errorf("%s is read: %v", c.new, err)
			}
		}
		n++
	}
	if n != 14 {
		t.Errorf("%d cases", n)
	}
	if _, err := Parse(data); err == nil {
		t.Error("Parse reads what is not canonical")
	}
	if _, err := Read([]byte(strings.Repeat("[", 100))); err == nil {
		t.Error("deep")
	}
	if _, err := Read([]byte(fmt.Sprintf("%*s", MaxFile+1, ""))); err == nil {
		t.Error("long")
	}
}

// FuzzParse: whatever parses is written back byte for byte.
func FuzzParse(f *testing.F) {
	for _, name := range Names {
		p, _ := Find(name)
		data, err := p.Encode()
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := Parse(data)
		if err != nil {
			if !cmp.Equal(p, Profile{}) {
				t.Fatal("a profile with an error")
			}
			return
		}
		again, err := p.Encode()
		if err != nil || !bytes.Equal(again, data) {
			t.Fatalf("%v\n%s\n%s", err, data, again)
		}
	})
}

// A profile of the first version does not say how many nearest passages are shown:
// none where citations are required, as a refusal there has no sources.
func TestFirstVersion(t *testing.T) {
	for name, want := range map[string]int{"engine": 0, "builder": enforce.MaxNearest} {
		p, _ := Find(name)
		p.Type, p.Answers.Nearest, p.Judged = firstType, nil, ""
		data, err := p.Encode()
		if err != nil {
			t.Fatal(err)
		}
		again, err := Parse(data)
		if err != nil || again.Answers.MostNearest() != want || again.Type != firstType {
			t.Errorf("%s: %+v, %v", name, again.Answers, err)
		}
	}
	if p, _ := Find("persona-archive"); p.Answers.MostNearest() != enforce.MaxNearest {
		t.Errorf("persona-archive: %d", p.Answers.MostNearest())
	}
}
