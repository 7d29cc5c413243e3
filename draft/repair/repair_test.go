package repair

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"muniment/draft/contract"
)

var rules = contract.Rules{Title: "Note", Carry: contract.CarryParagraph}

// gate knows the citations 1 to 9.
func gate(draft string) *contract.Examination {
	return contract.Examine(draft, contract.Context{Lookup: func(id string) (contract.Evidence, bool) {
		return contract.Evidence{Title: id}, len(id) == 1
	}}, rules)
}

// on is the evidence of the tests: what each citation says.
var on = map[string]string{"2": "The miller left.", "3": "It was rebuilt in 1932."}

func find(c contract.Claim) []string {
	for _, id := range []string{"2", "3"} {
		if c.Text == on[id] {
			return []string{id}
		}
	}
	return nil
}

func holds(c contract.Claim, ids []string) bool {
	claim := c.Text
	return len(ids) > 0 && !slices.ContainsFunc(ids, func(id string) bool { return claim != on[id] && !(id == "4" && claim == "The town paid.") })
}

const note = "The mill burned. [1]\n\nThe miller left.\n\nIt was rebuilt in 1932. The town paid.\n\nTail stays. [1]\n"

func TestKnownAndSuggested(t *testing.T) {
	hint := func(c contract.Claim) []string {
		if strings.HasPrefix(c.Text, "The town") {
			return []string{"4"}
		}
		return nil
	}
	o, err := Run(context.Background(), note, gate, holds, Known(find), Suggested(hint))
	if err != nil {
		t.Fatal(err)
	}
	want := "The mill burned. [1]\n\nThe miller left. [2]\n\nIt was rebuilt in 1932. [3] According to limited available reports, the town paid. [4]\n\nTail stays. [1]\n"
	if o.Draft != want {
		t.Errorf("draft %q\nwant  %q\n%+v", o.Draft, want, o.Passes)
	}
	if o.Before != (Coverage{2, 5}) || o.After != (Coverage{5, 5}) || o.Gain() < .599 || o.Gain() > .601 || len(o.Passes) != 2 {
		t.Errorf("before %+v after %+v gain %v, %+v", o.Before, o.After, o.Gain(), o.Passes)
	}
}

func TestGateEndsIt(t *testing.T) {
	ran := 0
	count := Pass{"count", func(_ context.Context, draft string, _ []contract.Claim) (string, error) { ran++; return draft, nil }}
	for _, c := range []struct {
		draft string
		want  int
	}{{"All is cited. [1]\n", 0}, {"", 0}, {"Nothing is.\n", MaxPasses}} {
		ran = 0
		if _, err := Run(context.Background(), c.draft, gate, holds, count, count, count, count); err != nil || ran != c.want {
			t.Errorf("%q: %d passes, want %d, %v", c.draft, ran, c.want, err)
		}
	}
}

// TestBadPassesAreRejected lets a pass, as a model might, do what it must not.
func TestBadPassesAreRejected(t *testing.T) {
	n := 0
	for _, c := range []struct{ name, next, want string }{
		{"other text", strings.Replace(note, "The mill burned. [1]", "The mill fell. [1]", 1), "altered"},
		{"the last byte", note + "x", "altered"},
		{"a space", strings.Replace(note, "\n\nTail", "\nTail", 1), "altered"},
		{"a mark on a claim that stands", strings.Replace(note, "burned. [1]", "burned. [1][2]", 1), "altered"},
		{"nothing", "", "altered"},
		{"invented citation", strings.Replace(note, "The miller left.", "The miller left. [99]", 1), "dangling"},
		{"citation of something else", strings.Replace(note, "The miller left.", "The miller left. [3]", 1), "unheld"},
		{"one that holds and one that does not", strings.Replace(note, "The miller left.", "The miller left. [2][3]", 1), "unheld"},
		{"changed number", strings.Replace(note, "in 1932.", "in 1933. [3]", 1), "rewritten"},
		{"changed sign", strings.Replace(note, "in 1932.", "in -1932. [3]", 1), "rewritten"},
		{"negation", strings.Replace(note, "It was rebuilt in 1932.", "It was not rebuilt in 1932. [3]", 1), "rewritten"},
		{"another sentence", strings.Replace(note, "The miller left.", "The miller left. [2] He drowned. [2]", 1), "altered"},
		{"a claim less", strings.Replace(note, " The town paid.", "", 1), "altered"},
		{"softened without evidence", strings.Replace(note, "The town paid.", "According to limited available reports, the town paid.", 1), "unheld"},
		{"softened otherwise", strings.Replace(note, "The town paid.", "Perhaps the town paid. [4]", 1), "rewritten"},
		{"words inside the softening", strings.Replace(note, "The town paid.", "According to limited available reports, the rich town paid. [4]", 1), "rewritten"},
	} {
		n++
		pass := Pass{"model", func(context.Context, string, []contract.Claim) (string, error) { return c.next, nil }}
		o, err := Run(context.Background(), note, gate, holds, pass)
		if err != nil {
			t.Fatal(err)
		}
		if o.Draft != note || o.After != o.Before || len(o.Passes) != 1 || o.Passes[0].Accepted || !strings.HasPrefix(o.Passes[0].Reason, c.want) {
			t.Errorf("%s: %+v, want rejected as %s", c.name, o.Passes, c.want)
		}
	}
	if n != 16 {
		t.Errorf("%d cases", n)
	}
	failing := Pass{"model", func(context.Context, string, []contract.Claim) (string, error) { return "x", errors.New("no answer") }}
	o, err := Run(context.Background(), note, gate, holds, failing, Known(find))
	if err != nil || o.Passes[0].Reason != "no answer" || !o.Passes[1].Accepted {
		t.Errorf("%v, %+v", err, o)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Run(ctx, note, gate, holds, failing); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
}

// TestOwnMarks: what a pass says of a claim that has marks already is held
// against these.
func TestOwnMarks(t *testing.T) {
	strict := func(draft string) *contract.Examination {
		return contract.Examine(draft, contract.Context{Lookup: func(id string) (contract.Evidence, bool) { return contract.Evidence{Title: id}, true },
			Support: func(claim string, cited []contract.Evidence) ([]contract.Evidence, string) {
				if strings.HasPrefix(claim, "According to") {
					return cited, ""
				}
				return nil, "not said"
			}}, contract.Rules{Title: "Note", Carry: contract.CarryNone, Aligned: true})
	}
	for _, c := range []struct {
		draft, want string
		accepted    bool
	}{
		{"The town paid. [4]\n", "According to limited available reports, the town paid. [4]\n", true},
		{"The town paid. [5]\n", "The town paid. [5]\n", false},
	} {
		o, err := Run(context.Background(), c.draft, strict, holds, Suggested(func(contract.Claim) []string { return []string{c.draft[16:17]} }))
		if err != nil || o.Draft != c.want || o.Passes[0].Accepted != c.accepted {
			t.Errorf("%q: %v, %+v", c.draft, err, o)
		}
	}
}

func TestGoodPassOfAModelIsTaken(t *testing.T) {
	next := strings.Replace(note, "The miller left.", "The miller left. [2]", 1)
	pass := Pass{"model", func(context.Context, string, []contract.Claim) (string, error) { return next, nil }}
	o, err := Run(context.Background(), note, gate, holds, pass)
	if err != nil || o.Draft != next || !o.Passes[0].Accepted || o.After.Covered != 3 {
		t.Errorf("%v, %+v", err, o)
	}
}

// TestContradictedIsNotAttached: a softening that the gate calls contradicted is not taken; the claim stays uncited.
func TestContradictedIsNotAttached(t *testing.T) {
	onFile := contract.Context{Lookup: func(id string) (contract.Evidence, bool) {
		return contract.Evidence{Publisher: "Office", Tier: 1, Quote: &contract.Quote{Text: "The council refused the petition of the weavers."}}, id == "1"
	}}
	examine := func(draft string) *contract.Examination {
		return contract.Examine(draft, onFile, contract.Rules{Title: "Note", Carry: contract.CarryNone})
	}
	const text = "The council refused the petition. [1]\n\nThe council did not refuse the petition of the weavers.\n"
	pass := Suggested(func(contract.Claim) []string { return []string{"1"} })
	o, err := Run(context.Background(), text, examine, func(contract.Claim, []string) bool { return true }, pass)
	if err != nil || o.Draft != text || o.Passes[0].Accepted || !strings.Contains(o.Passes[0].Reason, "contradicted") {
		t.Errorf("%v, %+v", err, o)
	}
}
