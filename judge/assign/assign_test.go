package assign

import (
	"testing"

	"muniment/canon"
	"muniment/cite"
	"muniment/search/retrieve"
	"muniment/text/segment"
)

// onText assigns a claim over a text of one passage.
func onText(t *testing.T, claim, text, author string) Evidence {
	t.Helper()
	d := canon.NewDocument(canon.Text([]byte(text)))
	span, err := cite.SpanAt(d, 0, len(d.Payload())-1)
	if err != nil {
		t.Fatal(err)
	}
	p := retrieve.Passage{Artifact: "a", Author: author, Date: "1931-05-03", Lang: "en", Span: span, Text: text}
	// Of several claims, the evidence is that of the first which does not align.
	var e Evidence
	for _, c := range segment.Claims(claim, "en") {
		if e, err = Assign(c, []retrieve.Passage{p}, func(string) (*canon.Document, error) { return d, nil }, "Anna Brandt"); err != nil {
			t.Fatal(err)
		}
		if !e.Aligned {
			break
		}
	}
	return e
}

// In each case the claim says something else than the text, or more. None may align.
func TestNeverAligned(t *testing.T) {
	tests := []struct{ claim, text string }{
		{"Anna paid Peter.", "Peter paid Anna."},
		{"Peter paid Clara.", "Clara paid Peter."},
		{"Peter was paid by Clara.", "Peter paid Clara."},
		{"She planted four apple trees.", "I planted three apple trees."},
		{"She planted one tree.", "I planted three trees behind the barn."},
		{"He paid 5 shillings for 3 hens.", "I paid 3 shillings for 5 hens."},
		{"The mill burned.", "The mill never burned."},
		{"The mill never burned.", "The mill burned in the night."},
		{"She planted peas.", "I did not plant the peas this year."},
		{"She planted peas.", "I never said that I planted peas."},
		{"She planted peas.", "If it had rained I would have planted peas."},
		{"She planted peas.", "Peter planted peas in the lower field."},
		{"She planted peas.", "Clara says I planted peas where the beans were."},
		{"Peter repaired the mill.", "Peter saw that the miller repaired the mill."},
		{"Peter repaired the mill.", "Clara repaired the mill."},
		{"Peter repaired the mill.", "Peter refused to repair the mill."},
		{"Peter repaired the mill.", "Peter wants to repair the mill."},
		{"The dog bit the man.", "The man bit the dog."},
		{"She travelled from London to York.", "I travelled from York to London."},
		{"She travelled to London.", "I travelled from London."},
		{"She came with Peter.", "I came without Peter."},
		{"All the houses burned.", "Some houses burned and some were saved."},
		{"She planted potatoes.", "I planted beans, and the potatoes rotted in the cellar."},
		{"She sold the cow.", "I kept the cow and sold the calf."},
		{"On 4 May 1931 she planted beans.", "I planted beans."},
		{"In 1932 she planted beans.", "I planted beans."},
		{"He planted beans.", "She planted beans."},
		{"Clara gave the book to Peter.", "Peter gave the book to Clara."},
		{"The bridge fell because the river rose.", "The bridge fell. The river rose."},
		{"She wrote “the mill has burned”.", "The mill had burned."},
		{"She wrote “we have five cows”.", "We have four cows."},
		{"She left before the war began.", "I left after the war began."},
		{"The vicar nearly drowned the cat.", "The vicar drowned the cat."},
		{"The vicar drowned the cat.", "The vicar nearly drowned the cat."},
		{"She bought sugar, and Peter bought flour.", "I bought flour. Peter bought sugar."},
		{"She had seventeen cards.", "We had 7 cards; the Millers have 17."},
		{"The miller died.", "The miller's dog died."},
		{"Peter has never been to the mill.", "Peter has been to the mill."},
		{"She did not plant beans.", "I planted beans."},
		{"The baker said nothing about the flour.", "The baker said much about the flour."},
	}
	for _, tt := range tests {
		for _, c := range segment.Claims(tt.claim, "en") {
			if e := onText(t, c.Text, tt.text, ""); e.Aligned {
				if len(segment.Claims(tt.claim, "en")) > 1 {
					continue
				}
				t.Errorf("%q aligned as %s with %q", tt.claim, e.Relation, tt.text)
			} else if len(e.Tests) == 0 {
				t.Errorf("%q against %q: no failed test named", tt.claim, tt.text)
			}
		}
	}
}

// In each case the text supports the claim.
func TestAligned(t *testing.T) {
	tests := []struct {
		claim, text string
		relation    cite.Relation
	}{
		{"I planted three apple trees.", "Dear Clara. I planted three apple trees. It rained.", cite.DirectQuote},
		{"She wrote “I planted three apple trees” in her letter.", "Dear Clara. I planted three apple trees. It rained.", cite.DirectQuote},
		{"“the mill burned down entirely,” she noted.", "In the night the mill burned down entirely and all the flour with it.", cite.DirectQuote},
		{"She planted three apple trees.", "Yesterday I planted three apple trees behind the barn.", cite.Paraphrase},
		{"Anna Brandt planted three apple trees.", "I planted three apple trees behind the barn.", cite.Paraphrase},
		{"Peter repaired the mill.", "On Friday Peter repaired the mill.", cite.Paraphrase},
		{"Peter paid Clara five shillings.", "On Friday Peter paid Clara 5 shillings.", cite.Paraphrase},
		{"The mill never burned.", "The mill never burned and Peter repaired it.", cite.Paraphrase},
		{"She never planted peas.", "I never planted peas.", cite.Paraphrase},
		{"The mill probably burned because of the dry flour.", "The mill burned. The flour was dry as tinder.", cite.InferenceFrom},
	}
	for _, tt := range tests {
		e := onText(t, tt.claim, tt.text, "")
		if e.Relation != tt.relation || (e.Relation != cite.InferenceFrom) != e.Aligned {
			t.Errorf("%q against %q: %q, aligned %v, failed %v", tt.claim, tt.text, e.Relation, e.Aligned, e.Tests)
			continue
		}
		if e.Quote == "" || e.Span.IsZero() {
			t.Errorf("%q: no span", tt.claim)
		}
	}
	if e := onText(t, "She planted beans.", "I planted beans.", "Clara Vogt"); e.Aligned {
		t.Error("the first person of another author taken for the subject")
	}
}

func TestNarrow(t *testing.T) {
	text := "On Friday Peter repaired the old mill. I planted three apple trees behind the barn."
	d := canon.NewDocument(canon.Text([]byte(text)))
	span, err := cite.SpanAt(d, 0, len(text))
	if err != nil {
		t.Fatal(err)
	}
	ps := []retrieve.Passage{{Artifact: "a", Date: "1931-05-03", Lang: "en", Span: span, Text: text}}
	doc := func(string) (*canon.Document, error) { return d, nil }
	tests := []struct{ claim, want, cut string }{
		{"Peter repaired the old mill because the baker had paid him.", "Peter repaired the old mill.", "because the baker had paid him."},
		{"She planted three apple trees behind the barn, which her father had built.", "She planted three apple trees behind the barn.", "which her father had built."},
		{"It was a warm day; Peter repaired the old mill.", "Peter repaired the old mill.", "It was a warm day"},
		{"Peter sold the mill and moved to town.", "", ""},
		{"Peter never repaired the mill, and he left.", "", ""},
	}
	for _, tt := range tests {
		n, ok, err := Narrow(segment.Claim{Text: tt.claim, Kind: segment.Assertion}, ps, doc, "Anna Brandt")
		if err != nil {
			t.Fatal(err)
		}
		if n.Text != tt.want || n.Cut != tt.cut || ok != (tt.want != "") {
			t.Errorf("%q: %q, cut %q", tt.claim, n.Text, n.Cut)
		}
	}
}
