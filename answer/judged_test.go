package answer

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"muniment/canon"
	"muniment/cid"
	"muniment/cite"
	"muniment/judge/model"
	"muniment/judge/model/entail"
	"muniment/policy"
	"muniment/search/retrieve"
	"muniment/snapshot/access"
	"muniment/text/segment"
)

// A judgedCase is one sentence of testdata/judged.txt.
type judgedCase struct{ kind, text, passage string }

// readJudged returns the sentences of testdata/judged.txt.
func readJudged(t *testing.T) []judgedCase {
	data, err := os.ReadFile("testdata/judged.txt")
	if err != nil {
		t.Fatal(err)
	}
	var out []judgedCase
	passage := ""
	for _, line := range strings.Split(string(data), "\n") {
		switch kind, text, _ := strings.Cut(line, " "); kind {
		case "=":
			passage = text
		case "+", "-", "~", "^":
			out = append(out, judgedCase{kind, text, passage})
		}
	}
	return out
}

// judgeServer is an endpoint that says what decide says of a claim; "" is a failure.
func judgeServer(t *testing.T, decide func(claim string) string) *model.Client {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var in struct{ Messages []struct{ Content string } }
		var q model.Question
		if json.NewDecoder(r.Body).Decode(&in) != nil || json.Unmarshal([]byte(in.Messages[1].Content), &q) != nil || q.Claim == "" || q.Passage == "" {
			t.Errorf("asked %+v", in)
		}
		verdict := decide(q.Claim)
		if verdict == "" {
			http.Error(w, "broken", http.StatusInternalServerError)
			return
		}
		content, err := json.Marshal(fmt.Sprintf("<think>hm</think>```json\n{\"entailed\":%q,\"reason\":\"so\"}\n```", verdict))
		if err != nil {
			t.Error(err)
		}
		fmt.Fprintf(w, `{"choices":[{"message":{"content":%s},"finish_reason":"stop"}]}`, content)
	}))
	t.Cleanup(srv.Close)
	return &model.Client{URL: srv.URL + "/v1", Model: "oracle", Backoff: time.Millisecond}
}

// passageQuestion returns a question before an archive of one passage, and the passage.
func passageQuestion(t *testing.T, text string, j *entail.Judge) (question, []retrieve.Passage) {
	doc := canon.NewDocument([]byte(text + "\n"))
	id := cid.Of(doc.Payload())
	span, err := cite.SpanIn(doc, cite.Paragraphs, 0, len(text))
	if err != nil {
		t.Fatal(err)
	}
	view := View{Document: func(cid.ID) (*canon.Document, error) { return doc, nil }}
	rules := &policy.Policy{Tiers: []access.Tier{{Name: "family", Excerpt: 4000}}}
	q := question{origin: asked, viewer: newViewer(view, rules, policy.Requestor{Name: "x", Tier: "family"}), judge: j}
	return q, []retrieve.Passage{{ID: "1", Artifact: id.String(), Span: span, Text: text, Lang: "en"}}
}

// rungsOf returns the rungs that the claims of a drafted sentence reach.
func rungsOf(t *testing.T, c judgedCase, j *entail.Judge) (out []cite.Rung) {
	q, read := passageQuestion(t, c.passage, j)
	for _, claim := range segment.Claims(c.text, "en") {
		found, err := q.assignWritten(context.Background(), drafted{claim, []model.Quote{{Passage: 1, Words: c.passage}}}, read)
		if err != nil {
			t.Fatal(err)
		}
		best := cite.Refused
		for _, one := range found {
			if v := cite.Judge(one.input); v.Rung != cite.Refused {
				best = v.Rung
			}
			if one.judge != nil && one.judge.Verdict == "yes" && !strings.HasPrefix(one.text, "Judged by oracle to follow from these words: ") {
				t.Errorf("%q does not name its judge", one.text)
			}
		}
		out = append(out, best)
	}
	return out
}

// TestJudges counts what is delivered of drafts under five judges: true sentences should
// be, subtly wrong ones not where the judge is truthful, and changed ones not whatever it
// says. What the rules alone support is never wrong.
func TestJudges(t *testing.T) {
	all := readJudged(t)
	kinds := map[string]int{}
	truth := map[string]bool{}
	for _, c := range all {
		kinds[c.kind]++
		for _, claim := range segment.Claims(c.text, "en") {
			truth[claim.Text] = truth[claim.Text] || c.kind == "+"
		}
	}
	if kinds["+"] != 60 || kinds["-"] != 60 || kinds["~"] != 200 || kinds["^"] != 18 {
		t.Fatalf("%v", kinds)
	}
	say := func(yes bool) string {
		if yes {
			return "yes"
		}
		return "no"
	}
	for _, j := range []struct {
		name              string
		decide            func(claim string) string
		good, wrong, turn int // the least of the good, the most of the others that may be delivered
	}{
		{"truthful", func(claim string) string { return say(truth[claim]) }, 54, 1, 0},
		{"always yes", func(string) string { return "yes" }, 54, 60, 8},
		{"liar", func(claim string) string { return say(!truth[claim]) }, 0, 60, 8},
		{"doubtful", func(string) string { return "unclear" }, 0, 0, 0},
		{"broken", func(string) string { return "" }, 0, 0, 0},
	} {
		client := judgeServer(t, j.decide)
		delivered, supported := map[string]int{}, map[string]int{}
		for _, c := range all {
			rungs := rungsOf(t, c, &entail.Judge{Ask: client.Entails})
			n, firm := 0, 0
			for _, r := range rungs {
				if r != cite.Refused {
					n++
				}
				if r == cite.Supported || r == cite.Narrowed {
					firm++
				}
			}
			if c.kind == "+" && n == len(rungs) || c.kind != "+" && n > 0 {
				delivered[c.kind]++
			}
			if c.kind == "+" && firm == len(rungs) || c.kind != "+" && firm > 0 {
				supported[c.kind]++
			}
			switch {
			case c.kind == "+" && n < len(rungs) && j.name == "truthful", c.kind == "~" && n > 0 && j.name == "always yes", c.kind != "+" && firm > 0:
				t.Logf("%s: %s %s %v", j.name, c.kind, c.text, rungs)
			}
		}
		t.Logf("%s: delivered of 60 good %d, of 60 wrong %d, of 200 changed %d, of 18 with another word %d; by rules alone %v", j.name, delivered["+"], delivered["-"], delivered["~"], delivered["^"], supported)
		if delivered["+"] < j.good || delivered["-"] > j.wrong || delivered["~"] > j.turn || supported["-"]+supported["~"]+supported["^"] > 0 {
			t.Errorf("%s: delivered %v, supported %v", j.name, delivered, supported)
		}
	}
}
