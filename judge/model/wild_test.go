package model

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestWild demands that replies count which say what was asked for among other words.
func TestWild(t *testing.T) {
	replies := []string{
		"```json\n{\"entailed\":\"yes\",\"reason\":\"r\"}\n```",
		"<think>The claim {says} \"no\": {\"entailed\":\"no\",\"reason\":\"r\"}</think>\n{\"entailed\":\"yes\",\"reason\":\"r\"}",
		"It may be no.</think>{\"entailed\":\"yes\",\"reason\":\"r\"}",
		`{"entailed":"yes","reason":"r","confidence":0.9,"notes":{"a":[1]}}`,
		`{"ENTAILED":"YES","Reason":"r"}`,
		`Sure! {here} is my verdict: {"entailed":"yes","reason":"r"} I hope this helps.`,
		`[{"entailed":"yes","reason":"r"}]`,
		`{"entailed":"yes","reason":"r"}` + "\n" + `{"entailed":"yes","reason":"r"}`,
	}
	for _, reply := range replies {
		srv, _, _ := endpoint(t, reply)
		j, err := (&Client{URL: srv.URL + "/v1"}).Entails(context.Background(), question)
		if err != nil || j.Verdict != Yes || j.Reply != reply {
			t.Errorf("%s: %+v, %v", reply, j, err)
		}
	}
	if len(replies) != 8 {
		t.Errorf("%d replies", len(replies))
	}
}

// TestDraft demands that a draft is read with its quotes, and that passages go out with
// their numbers.
func TestDraft(t *testing.T) {
	srv, _, messages := endpoint(t, `Here: {"sentences":[{"text":" The mill stood still. ","quotes":[{"passage":1,"words":"The wheel has stopped."},{"passage":"2","words":"No flour."}]},{"text":"It rained.","quotes":[]}]}`)
	d, err := (&Client{URL: srv.URL + "/v1", Model: "m"}).Draft(t.Context(), DraftRequest{Question: "q", Passages: []Passage{{Text: "a"}, {Text: "b", Date: "1931"}}})
	if err != nil {
		t.Fatal(err)
	}
	want := []Sentence{{"The mill stood still.", []Quote{{1, "The wheel has stopped."}, {2, "No flour."}}}, {Text: "It rained."}}
	if diff := cmp.Diff(want, d.Sentences); diff != "" || d.Model != "m" || len(d.PromptSHA256) != 64 {
		t.Errorf("%s %+v", diff, d)
	}
	var asked DraftRequest
	if err := json.Unmarshal([]byte((*messages)[1].Content), &asked); err != nil || len(asked.Passages) != 2 || asked.Passages[1].Passage != 2 {
		t.Errorf("asked %+v, %v", asked, err)
	}
	many := `{"text":"x","quotes":[]}`
	for range MaxSentences {
		many += `,{"text":"x","quotes":[]}`
	}
	bad := []string{
		``, `{"sentences":"none"}`, `{"sentences":null}`, `{"draft":"The mill stood still."}`, `{"sentences":["The mill stood still."]}`,
		`{"sentences":[{"text":"x"}]}`, `{"sentences":[{"text":1,"quotes":[]}]}`, `{"sentences":[{"text":"x","quotes":[{"words":"y"}]}]}`,
		`{"sentences":[{"text":"x","quotes":[{"passage":1.5,"words":"y"}]}]}`, `{"sentences":[{"text":"x\u001b[2J","quotes":[]}]}`,
		`{"sentences":[{"text":"x","quotes":null}]}`, `{"sentences":[` + many + `]}`,
	}
	for _, reply := range bad {
		srv, _, _ := endpoint(t, reply)
		var problem *ReplyError
		if d, err := (&Client{URL: srv.URL + "/v1"}).Draft(t.Context(), DraftRequest{}); !errors.As(err, &problem) || d.Sentences != nil || d.Reply != reply {
			t.Errorf("%.90s: %+v, %v", reply, d.Sentences, err)
		}
	}
	srv, _, _ = endpoint(t, `{"sentences":[]}`)
	if d, err := (&Client{URL: srv.URL + "/v1"}).Draft(t.Context(), DraftRequest{}); err != nil || d.Sentences != nil {
		t.Errorf("no sentence: %+v, %v", d, err)
	}
}

// TestSchema demands that the form of the reply is sent, and left out where an endpoint
// rejects it, from then on at once.
func TestSchema(t *testing.T) {
	with, without := 0, 0
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body map[string]any
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
			t.Error(err)
		}
		if body["response_format"] != nil {
			with++
			http.Error(w, `{"error":"response_format is not supported"}`, http.StatusBadRequest)
			return
		}
		without++
		io.WriteString(w, `{"choices":[{"message":{"content":"{\"entailed\":\"no\",\"reason\":\"r\"}"},"finish_reason":"stop"}]}`)
	}))
	defer srv.Close()
	c := Client{URL: srv.URL + "/v1"}
	for range 3 {
		if j, err := c.Entails(t.Context(), question); err != nil || j.Verdict != No {
			t.Errorf("%+v, %v", j, err)
		}
	}
	if with != 1 || without != 3 {
		t.Errorf("%d requests with a schema, %d without", with, without)
	}
}

// TestAttempts demands that a busy endpoint is asked again, and one that is
// configured wrongly is not.
func TestAttempts(t *testing.T) {
	for _, c := range []struct {
		status, fails, asked int
		configuration        bool
	}{
		{429, 2, 3, false}, {500, 1, 2, false}, {503, 2, 3, false}, {500, 9, 3, false}, {401, 9, 1, true}, {403, 9, 1, true}, {404, 9, 1, true}, {418, 9, 1, false},
	} {
		asked := 0
		srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if asked++; asked <= c.fails {
				http.Error(w, "no", c.status)
				return
			}
			io.WriteString(w, `{"choices":[{"message":{"content":"{\"entailed\":\"yes\",\"reason\":\"r\"}"},"finish_reason":"stop"}]}`)
		}))
		j, err := (&Client{URL: srv.URL, Backoff: time.Millisecond}).Entails(t.Context(), question)
		var wrong *ConfigurationError
		var away *UnavailableError
		switch {
		case asked != c.asked:
			t.Errorf("%+v: asked %d times", c, asked)
		case c.fails < MaxAttempts && (err != nil || j.Verdict != Yes):
			t.Errorf("%+v: %+v, %v", c, j, err)
		case c.fails > MaxAttempts && (errors.As(err, &wrong) != c.configuration || errors.As(err, &away) == c.configuration):
			t.Errorf("%+v: %v", c, err)
		}
		srv.Close()
	}
	var n atomic.Int32
	slow := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if n.Add(1) < 3 {
			time.Sleep(250 * time.Millisecond)
			return
		}
		io.WriteString(w, `{"choices":[{"message":{"content":"{\"entailed\":\"yes\",\"reason\":\"r\"}"},"finish_reason":"stop"}]}`)
	}))
	defer slow.Close()
	if j, err := (&Client{URL: slow.URL, Timeout: 100 * time.Millisecond, Backoff: time.Millisecond}).Entails(t.Context(), question); err != nil || j.Verdict != Yes {
		t.Errorf("after two timeouts: %+v, %v", j, err)
	}
}

// A ranker is a server of POST /rerank in the form of one program.
type ranker struct {
	takesTexts bool
	reply      string
	asked      []string // the members of each request
}

func (r *ranker) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	var body struct {
		Query            string
		Texts, Documents []string
	}
	if err := json.NewDecoder(req.Body).Decode(&body); err != nil || req.URL.Path != "/rerank" || body.Query != "mill" {
		http.Error(w, "not the protocol", http.StatusTeapot)
		return
	}
	list := body.Documents
	kind := "documents"
	if r.takesTexts {
		list = body.Texts
	}
	if body.Texts != nil {
		kind = "texts"
	}
	r.asked = append(r.asked, kind)
	if len(list) != 3 {
		http.Error(w, `{"error":"missing field"}`, http.StatusUnprocessableEntity)
		return
	}
	fmt.Fprint(w, r.reply)
}

// TestRerank demands that the replies of four programs are read, and faulty ones are not.
func TestRerank(t *testing.T) {
	replies := []struct {
		program string
		r       ranker
		model   string
	}{
		{"text-embeddings-inference", ranker{takesTexts: true, reply: `[{"index":2,"score":0.9},{"index":0,"score":0.5},{"index":1,"score":-0.1}]`}, "m"},
		{"llama.cpp", ranker{reply: `{"model":"bge","object":"list","usage":{"prompt_tokens":9,"total_tokens":9},"results":[{"index":0,"relevance_score":0.5},{"index":1,"relevance_score":-0.1},{"index":2,"relevance_score":0.9}]}`}, "bge"},
		{"vLLM", ranker{reply: `{"id":"rerank-1","model":"bge","usage":{"total_tokens":9},"results":[{"index":2,"document":{"text":"c"},"relevance_score":0.9},{"index":0,"document":{"text":"a"},"relevance_score":0.5},{"index":1,"document":{"text":"b"},"relevance_score":-0.1}]}`}, "bge"},
		{"Jina", ranker{reply: `{"model":"jina-reranker-v2","usage":{"total_tokens":9},"results":[{"index":2,"relevance_score":0.9},{"index":0,"relevance_score":0.5},{"index":1,"relevance_score":-0.1}]}`}, "jina-reranker-v2"},
	}
	passages := []string{"a", "b", "c"}
	for _, c := range replies {
		srv := httptest.NewServer(&c.r)
		client := Client{URL: srv.URL, Model: "m"}
		for range 2 {
			got, err := client.Rerank(t.Context(), "mill", passages)
			if err != nil || !cmp.Equal(got.Scores, []float64{0.5, -0.1, 0.9}) || got.Model != c.model {
				t.Errorf("%s: %+v, %v", c.program, got, err)
			}
		}
		if want := 2; c.r.takesTexts && len(c.r.asked) != want+1 || !c.r.takesTexts && len(c.r.asked) != want {
			t.Errorf("%s: asked %q", c.program, c.r.asked)
		}
		srv.Close()
	}
	for _, reply := range []string{``, `[]`, `{}`, `[{"index":0,"score":1},{"index":0,"score":1},{"index":1,"score":1}]`, `[{"index":0,"score":1},{"index":1,"score":1},{"index":3,"score":1}]`,
		`[{"score":1},{"index":1,"score":1},{"index":2,"score":1}]`, `[{"index":0},{"index":1,"score":1},{"index":2,"score":1}]`} {
		srv := httptest.NewServer(&ranker{reply: reply})
		var problem *ReplyError
		if got, err := (&Client{URL: srv.URL + "/rerank"}).Rerank(t.Context(), "mill", passages); !errors.As(err, &problem) || got.Scores != nil {
			t.Errorf("%s: %+v, %v", reply, got, err)
		}
		srv.Close()
	}
}

// FuzzDraft demands that no reply makes parseDraft panic or keep more than its limits.
func FuzzDraft(f *testing.F) {
	f.Add(`{"sentences":[{"text":"x","quotes":[{"passage":1,"words":"y"}]}]}`)
	f.Add("<think>{</think>```{\"sentences\":[]}```")
	f.Fuzz(func(t *testing.T, reply string) {
		all, err := parseDraft(reply)
		if err != nil && all != nil || len(all) > MaxSentences {
			t.Errorf("%d sentences, %v", len(all), err)
		}
		for _, s := range all {
			if s.Text == "" || len(s.Text) > MaxDraft || len(s.Quotes) > MaxQuotes {
				t.Errorf("%+v", s)
			}
		}
	})
}
