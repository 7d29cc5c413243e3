package answer

import (
	"strings"
	"testing"

	"muniment/canon"
	"muniment/cid"
	"muniment/cite"
	"muniment/judge/assign"
	"muniment/judge/hedge"
	"muniment/policy"
	"muniment/snapshot/access"
)

// TestInferences: an inference is labeled when it has a marker, no stack of
// hedges, and a form that a text could show to be wrong; else it is removed with
// the reason, and the gate leaf names the test.
func TestInferences(t *testing.T) {
	doc := canon.NewDocument([]byte("Ines Roth painted the barn in May.\n"))
	id := cid.Of(doc.Payload())
	files, err := policy.DefaultFiles(policy.Defaults{})
	if err != nil {
		t.Fatal(err)
	}
	rules, err := policy.Load(files)
	if err != nil {
		t.Fatal(err)
	}
	span, err := cite.ParseSpan("p1:0-34")
	if err != nil {
		t.Fatal(err)
	}
	cases := []struct{ text, test string }{
		{"The barn was probably red.", ""},
		{"This suggests that Ines Roth lived near the barn.", ""},
		{"Ines Roth may have been paid for the barn.", ""},
		{"The barn could have been repaired before May.", ""},
		{"Perhaps the barn was hers.", ""},
		{"The barn was red.", "marked"},
		{"It seems clear that the barn was definitely red.", "hedges"},
		{"Perhaps it may suggest that the barn was red.", "hedges"},
		{"The barn may or may not have been red.", "falsifiable"},
		{"Perhaps the barn was red, or perhaps not.", "falsifiable"},
		{"The barn possibly meant something to her.", "falsifiable"},
		{"Perhaps anything could be read into the barn.", "falsifiable"},
		{"In some way the barn may reflect her life.", "falsifiable"},
		{"Perhaps nobody can know who painted the barn.", "falsifiable"},
		{"Was the barn perhaps red?", "falsifiable"},
		{"The barn was perhaps destined to be painted.", "falsifiable"},
	}
	for _, c := range cases {
		p := &Pipeline{Policy: rules, View: View{
			Document: func(cid.ID) (*canon.Document, error) { return doc, nil },
			Consent:  func(cid.ID) (*access.Consent, error) { return nil, nil },
		}}
		q := p.question("a draft", fromOutside, Request{})
		in := cite.GateInput{Relation: cite.InferenceFrom, Match: cite.Exact, SpanResolves: true, Marker: len(hedge.Markers(c.text)) > 0}
		one := candidate{topic: c.text, text: c.text, input: in, ev: assign.Evidence{Relation: cite.InferenceFrom, Match: cite.Exact, Artifact: id.String(), Span: span, Quote: "Ines Roth painted the barn in May."}}
		rungs, err := p.cover(q, scope{}, []evidence{{topic: c.text, found: []candidate{one}}})
		if err != nil {
			t.Fatal(err)
		}
		d, err := p.display(q, display{}, rungs)
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case c.test == "":
			if len(d.claims) != 1 || d.claims[0].verdict.Rung != cite.Labeled || d.claims[0].view.Excerpt.Empty() {
				t.Errorf("%s: %+v, failed %+v", c.text, d.claims, d.failed)
			}
		case len(d.claims) != 0 || len(d.failed) != 1 || len(d.removed) != 1:
			t.Errorf("%s: delivered", c.text)
		case c.test == "marked":
			if f := d.failed[0].verdict.Failed; f[len(f)-1].Test != "marked" {
				t.Errorf("%s: %+v", c.text, f)
			}
		case d.failed[0].ev.Tests[0] != c.test || !strings.HasPrefix(d.removed[0].Reason, "an inference that"):
			t.Errorf("%s: failed %v, want %s; %q", c.text, d.failed[0].ev.Tests, c.test, d.removed[0].Reason)
		}
	}
	if len(cases) != 16 {
		t.Errorf("%d cases", len(cases))
	}
}
