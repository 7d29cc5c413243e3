package ledger

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var searched = Coverage{Snapshot: "bafsnapshot", Papers: 70, Of: 91}

// asked is a question, refused for a reason or answered.
func asked(at time.Time, profile, reason string) Question {
	q := Question{Time: at, Profile: profile, Type: "factual", Reached: true, Best: 8123, Threshold: 7500, Sources: 2, Searched: searched}
	if reason != "" {
		q.Refused, q.Kind, q.Reason, q.TrueKind, q.Stage = true, "coverage", reason, "consent", "consent"
	}
	return q
}

func testQuestions(t *testing.T, address string) {
	l := open(t, address)
	all := []Question{
		asked(noon, "educator", ""), asked(noon.Add(time.Hour), "builder", "low_similarity_score"), asked(noon.Add(2*time.Hour), "educator", "below_min_sources"),
	}
	for _, q := range all {
		if err := l.AddQuestion(q); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		since   time.Time
		profile string
		want    []Question
	}{
		{time.Time{}, "", all},
		{noon.Add(time.Hour), "", all[1:]},
		{time.Time{}, "educator", []Question{all[0], all[2]}},
		{noon.Add(3 * time.Hour), "", nil},
	} {
		got, err := l.Questions(c.since, c.profile)
		if d := cmp.Diff(c.want, got); err != nil || d != "" {
			t.Errorf("since %v of %q: %v\n%s", c.since, c.profile, err, d)
		}
	}
	for name, q := range map[string]Question{
		"no time":                     {Profile: "educator", Type: "factual"},
		"no profile":                  {Time: noon, Type: "factual"},
		"no type":                     {Time: noon, Profile: "educator"},
		"no reason":                   {Time: noon, Profile: "educator", Type: "factual", Refused: true, Kind: "coverage"},
		"more searched than there is": {Time: noon, Profile: "educator", Type: "factual", Searched: Coverage{"s", 2, 1}},
		"papers of no snapshot":       {Time: noon, Profile: "educator", Type: "factual", Searched: Coverage{"", 1, 1}},
		"fewer than none":             {Time: noon, Profile: "educator", Type: "factual", Searched: Coverage{"s", -1, 1}},
		"no refusal":                  {Time: noon, Profile: "educator", Type: "factual", Kind: "coverage", Reason: "x"},
	} {
		if l.AddQuestion(q) == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}
