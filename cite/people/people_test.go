package people

import (
	"strings"
	"testing"

	"muniment/cite"
)

func TestWeigh(t *testing.T) {
	by := func(verdict, name, org string) Review {
		return Review{Verdict: verdict, Reason: "meaning", Text: "the words do not say it", By: name, Org: org, Day: "2026-05-03", Key: name}
	}
	yes, other, same, no, doubt := by("follows", "Ada", "vale"), by("follows", "Ben", "court"), by("follows", "Cid", "vale"), by("not", "Dora", "court"), by("unsure", "Eva", "court")
	against, own := no, yes
	against.Reason, own.Not = "contradicts", "registered by the same agent"
	for name, c := range map[string]struct {
		rules   cite.ClaimVerdict
		least   int
		reviews []Review
		want    cite.ClaimVerdict
		says    string
	}{
		"nobody":                       {cite.ClaimNotShown, 0, nil, "", ""},
		"one":                          {cite.ClaimNotShown, 0, []Review{yes}, cite.ClaimFollows, "Ada of vale checked it on 3 May 2026"},
		"one who does not count":       {cite.ClaimNotShown, 0, []Review{own}, "", ""},
		"one who is unsure":            {cite.ClaimNotShown, 0, []Review{doubt}, "", ""},
		"one with one who is unsure":   {cite.ClaimNotShown, 0, []Review{doubt, yes}, cite.ClaimFollows, "Ada"},
		"one against identity":         {cite.ClaimFollows, 0, []Review{no}, cite.ClaimNotShown, "Dora of court said on 3 May 2026 that it does not follow"},
		"one who sees a contradiction": {cite.ClaimFollows, 0, []Review{against}, cite.ClaimContradicted, "Dora"},
		"two who disagree":             {cite.ClaimFollows, 0, []Review{yes, no}, cite.ClaimNotShown, "disputed: Ada of vale checked it"},
		"one against a contradiction":  {cite.ClaimContradicted, 0, []Review{yes}, "", "1 more of another organisation"},
		"two against a contradiction":  {cite.ClaimContradicted, 0, []Review{yes, other}, cite.ClaimFollows, "Ada of vale checked it on 3 May 2026, and Ben of court"},
		"two of one organisation":      {cite.ClaimContradicted, 0, []Review{yes, same}, "", "1 more"},
		"two asked for, one there":     {cite.ClaimFollows, 2, []Review{yes}, "", "the profile asks for it"},
		"one asked for, nobody there":  {cite.ClaimFollows, 1, nil, "", "1 of different organisations must check it first"},
	} {
		got := Weigh(c.rules, c.reviews, c.least)
		if got.Verdict != c.want || !strings.Contains(got.Reason, c.says) || got.Disputed != (name == "two who disagree") || got.Settles() != (c.want != "") {
			t.Errorf("%s: %+v, want %q and %q", name, got, c.want, c.says)
		}
	}
}
