package forms

import (
	"testing"

	"muniment/canon"
	"muniment/canon/read"
	"muniment/cid"
	"muniment/cite"
)

// Pages that a reader sees to differ, in raised figures, numbers of lists or
// fields alone, are as many artifacts.
func TestShownDiffers(t *testing.T) {
	groups := [][]string{
		{"<p>106", "<p>10<sup>6</sup>", "<p>10<sub>6</sub>", "<p>10 6", "<p>10<sup>7</sup>"},
		{"<p>x2a", "<p>x<sup>2a</sup>", "<p>x<sub>2a</sub>", "<p>x<sup>2</sup>a", "<p>x<sub>2</sub>a"},
		{"<p>223", "<p>2<sup>23</sup>", "<p>2<sup>2<sup>3</sup></sup>", "<p>2<sup>2</sup>3", "<p>22<sup>3</sup>"},
		{"<math><mn>12</mn></math>", "<math><mfrac><mn>1</mn><mn>2</mn></mfrac></math>", "<math><msup><mn>1</mn><mn>2</mn></msup></math>"},
		{"<ol><li>a<li>b</ol>", "<ol start=2><li>a<li>b</ol>", "<ol reversed><li>a<li>b</ol>", "<ol type=a><li>a<li>b</ol>", "<ol type=I><li>a<li>b</ol>", "<ol><li>a<li value=3>b</ol>", "<ul><li>a<li>b</ul>"},
		{"<p>Sum", "<p>Sum <input value=5>", "<p>Sum <input value=6>", "<p>Sum <input type=checkbox>", "<p>Sum <input type=checkbox checked>", "<p>Sum <input type=radio>"},
	}
	n := 0
	for _, pages := range groups {
		seen := map[cid.ID]string{}
		for _, page := range pages {
			f, err := all.Canonicalize(read.Input{Name: "a.html", Data: []byte(page)})
			if err != nil {
				t.Fatalf("%s: %v", page, err)
			}
			id := cid.Of(f.Payload)
			if other, double := seen[id]; double {
				t.Errorf("%s and %s are one artifact: %q", page, other, f.Payload)
			}
			seen[id] = page
			n++
		}
	}
	if n != 31 {
		t.Errorf("%d pages, want 31", n)
	}
}

// A quotation in which a raised figure has lost its place is not that of the
// text.
func TestRaisedQuotes(t *testing.T) {
	f, err := all.Canonicalize(read.Input{Name: "a.html", Data: []byte("<p>There were 10<sup>6</sup> men, H<sub>2</sub>O and 2<sup>3/4</sup> of it.<ol start=3><li>He went home.</ol>")})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		quote    string
		verifies bool
	}{
		{"There were 10⁶ men", true}, {"There were 106 men", false}, {"There were 10 men", false}, {"There were 10", false},
		{"H₂O", true}, {"H2O", false}, {"2^(3/4) of it", true}, {"23/4 of it", false},
		{"He went home.", true}, {"3. He went home.", true}, {"4. He went home.", false},
	} {
		m, err := cite.Find(canon.NewDocument(f.Payload), c.quote, nil)
		if err != nil || m.Verifies() != c.verifies {
			t.Errorf("%q in %q: %s %q, %v; want verified %t", c.quote, f.Payload, m.Status, m.Found, err, c.verifies)
		}
	}
}
