package ledger

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func synthesis() Synthesis {
	return Synthesis{Time: noon, Profile: "market-brief", Decision: "deliver", Attempt: 1, Text: "- It burned. [1][2]\n", Report: `{}`, Findings: `[]`, Passes: `[]`,
		Claims: 3, CoveredBefore: 1, CoveredAfter: 2, Session: "s", Agent: "a",
		Bullets: []Bullet{{"prevailing", 1, "It burned.", []int64{2, 1}}, {"watch", 1, "[Insufficient evidence to assess this claim]", nil}}}
}

func testSyntheses(t *testing.T, address string) {
	l := open(t, address)
	add(t, l, entry("It burned."))
	add(t, l, entry("It burned again."))
	want := synthesis()
	id, err := l.AddSynthesis(want)
	if err != nil || id != 1 {
		t.Fatalf("synthesis %d, %v", id, err)
	}
	want.ID = 1
	got, err := l.Synthesis(1)
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v\n%s", err, diff)
	}
	// One with a citation that is not there leaves nothing.
	bad := synthesis()
	bad.Bullets = append(bad.Bullets, Bullet{"counter", 1, "x", []int64{99}})
	if _, err := l.AddSynthesis(bad); !errors.Is(err, ErrNotFound) {
		t.Errorf("a dangling citation: %v", err)
	}
	for _, change := range []func(*Synthesis){
		func(s *Synthesis) { s.Decision = "maybe" }, func(s *Synthesis) { s.Attempt = 0 }, func(s *Synthesis) { s.Text = "\x00" },
		func(s *Synthesis) { s.Bullets = append(s.Bullets, s.Bullets[0]) }, func(s *Synthesis) { s.Bullets[0].Number = 0 },
	} {
		s := synthesis()
		change(&s)
		if _, err := l.AddSynthesis(s); err == nil {
			t.Errorf("%+v is taken", s)
		}
	}
	if _, err := l.AddSynthesis(synthesis()); err != nil {
		t.Fatal(err)
	}
	all, err := l.Syntheses(Filter{Session: "s"})
	if err != nil || len(all) != 2 || all[1].ID != 2 || all[0].Bullets != nil {
		t.Errorf("%+v, %v", all, err)
	}
	if all, err := l.Syntheses(Filter{Session: "other"}); err != nil || len(all) != 0 {
		t.Errorf("%+v, %v", all, err)
	}
	if _, err := l.Synthesis(3); !errors.Is(err, ErrNotFound) {
		t.Errorf("no synthesis: %v", err)
	}
}

func testPacks(t *testing.T, address string) {
	l := open(t, address)
	want := Pack{Time: noon, PackID: "pack_1", Query: "rates", Profile: "market-brief", Snapshot: "s", Metadata: `{}`, Session: "s"}
	id, err := l.AddPack(want)
	if err != nil || id != 1 {
		t.Fatalf("pack %d, %v", id, err)
	}
	want.ID = 1
	got, err := l.Pack("pack_1")
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v\n%s", err, diff)
	}
	if _, err := l.AddPack(want); err == nil {
		t.Error("the same pack twice")
	}
	if _, err := l.AddPack(Pack{}); err == nil {
		t.Error("an empty pack")
	}
	if _, err := l.Pack("pack_2"); !errors.Is(err, ErrNotFound) {
		t.Errorf("no pack: %v", err)
	}
}
