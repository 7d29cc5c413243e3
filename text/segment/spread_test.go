package segment

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestQuotationOverSeveralClaims(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string // the quoted runs of each claim
	}{
		{`She wrote: "I was ill. I went home. It rained." Then she left.`, []string{"I was ill.", "I went home.", "It rained.", ""}},
		{`“I was ill. I went home.”`, []string{"I was ill.", "I went home."}},
		{`Er schrieb: „Ich war krank. Ich ging heim.“`, []string{"Ich war krank.", "Ich ging heim."}},
		{`She wrote "no" and "I was ill. I went home."`, []string{"no|I was ill.", "I went home."}},
		{`She wrote: "I was ill. I went home." He wrote: "It rained. It poured."`, []string{"I was ill.", "I went home.", "It rained.", "It poured."}},
		{`She wrote: "I was ill. I went home.` + "\n\n" + `It rained."`, []string{"", "", ""}}, // not closed in its paragraph
		{`She wrote: "I was ill. Then "it rained" all day. I went home."`, []string{"", "it rained", ""}},
		{`It was 5" wide. He left.`, []string{"", ""}},
		{`“I was ill. ` + strings.Repeat("It rained. ", maxSpread) + `I went home.”`, make([]string, maxSpread+2)},
	} {
		var got []string
		for _, claim := range Claims(c.text, "") {
			var runs []string
			for _, q := range claim.Quotes {
				if claim.Text[q.Start:q.End] != q.Text {
					t.Errorf("%s: %q is not at %d-%d", c.text, q.Text, q.Start, q.End)
				}
				runs = append(runs, q.Text)
			}
			got = append(got, strings.Join(runs, "|"))
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s", c.text, diff)
		}
	}
}
