package answer

import (
	"testing"

	"muniment/canon"
	"muniment/cid"
	"muniment/cite"
	"muniment/judge/assign"
	"muniment/policy"
	"muniment/snapshot/access"
)

// Relation × match × consent → rung, through the gates of the pipeline: consent
// and tier change what is displayed, never the rung.
func TestConsentNeverChangesTheRung(t *testing.T) {
	const words = "Ines Roth painted the barn."
	doc := canon.NewDocument([]byte(words + "\n"))
	id := cid.Of(doc.Payload())
	files, err := policy.DefaultFiles(policy.Defaults{Persons: []access.Person{{Name: "Ines Roth", State: access.PersonAnonymized}}})
	if err != nil {
		t.Fatal(err)
	}
	rules, err := policy.Load(files)
	if err != nil {
		t.Fatal(err)
	}
	span, err := cite.ParseSpan("p1:0-27")
	if err != nil {
		t.Fatal(err)
	}
	tried, rungs, displays := 0, map[cite.Rung]int{}, map[string]int{}
	for _, relation := range cite.Relations {
		for _, match := range []cite.Status{"", cite.Exact, cite.Normalized, cite.Fuzzy, cite.Ambiguous, cite.Absent} {
			for bits := range 1 << 4 {
				in := cite.GateInput{Relation: relation, Match: match, Aligned: bits&1 != 0, InputsResolve: bits&2 != 0, Narrowed: bits&4 != 0, Marker: bits&8 != 0, SpanResolves: true}
				for dims := range 1 << 4 {
					for _, label := range [][]string{nil, {"health"}} {
						consent := &access.Consent{Artifact: id.String(), Inclusion: dims&1 != 0, Surfacing: dims&2 != 0, Display: dims&4 != 0, Existence: dims&8 != 0, Sensitive: label}
						p := &Pipeline{Policy: rules, View: View{
							Document: func(cid.ID) (*canon.Document, error) { return doc, nil },
							Consent:  func(cid.ID) (*access.Consent, error) { return consent, nil },
						}}
						q := p.question("a draft", fromOutside, Request{Requestor: policy.Requestor{Name: "Ann", Tier: "family"}})
						c := candidate{topic: "the barn", text: "The barn may have been painted.", input: in,
							ev: assign.Evidence{Relation: relation, Match: match, Artifact: id.String(), Span: span, Quote: words}}
						covered, err := p.cover(q, scope{}, []evidence{{topic: "the barn", found: []candidate{c}}})
						if err != nil {
							t.Fatal(err)
						}
						r, err := p.display(q, display{}, covered)
						if err != nil {
							t.Fatal(err)
						}
						tried++
						want := cite.Judge(in)
						all := append(r.claims, r.failed...)
						if len(all) != 1 || all[0].verdict.Rung != want.Rung {
							t.Fatalf("%+v with consent %+v: %d claims, want one of rung %s", in, consent, len(all), want.Rung)
						}
						rungs[want.Rung]++
						// What becomes of it is the consent's.
						got, open := "removed", consent.Inclusion && consent.Existence
						if len(r.claims) == 1 {
							got = "shown"
							if r.claims[0].view.Restricted {
								got = "restricted"
							}
						}
						expect := "removed"
						switch {
						case want.Rung == cite.Refused || !open || !consent.Surfacing:
						case consent.Display && label == nil:
							expect = "shown"
						case want.Rung != cite.Labeled: // an inference is nothing without its words
							expect = "restricted"
						}
						if got != expect {
							t.Fatalf("%+v with consent %+v: %s, want %s", in, consent, got, expect)
						}
						displays[got]++
						if got == "shown" {
							if text := r.claims[0].view.Excerpt.Text(); text != "[Person A] painted the barn." {
								t.Fatalf("shown as %q", text)
							}
						} else if got == "restricted" && !r.claims[0].view.Excerpt.Empty() {
							t.Fatalf("%+v is restricted and shown", consent)
						}
					}
				}
			}
		}
	}
	if tried != len(cite.Relations)*6*16*16*2 || len(rungs) != 4 || len(displays) != 3 {
		t.Errorf("%d combinations, rungs %v, displays %v", tried, rungs, displays)
	}
}
