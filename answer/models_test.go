package answer_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"muniment/archive"
	"muniment/engine"
	"muniment/text/segment"
)

// aModel answers every request with what say makes of the user's message.
func aModel(t *testing.T, say func(asked string, w http.ResponseWriter) (reply string)) *archive.Judge {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var in struct {
			Messages []struct{ Content string }
		}
		if err := json.NewDecoder(r.Body).Decode(&in); err != nil || len(in.Messages) != 2 {
			t.Errorf("request: %v", err)
			return
		}
		reply := say(in.Messages[1].Content, w)
		if reply == "" {
			return
		}
		reply = copyQuotes(in.Messages[1].Content, reply)
		out, err := json.Marshal(map[string]any{"choices": []any{map[string]any{"message": map[string]string{"content": reply}, "finish_reason": "stop"}}})
		if err != nil {
			t.Error(err)
		}
		w.Write(out)
	}))
	t.Cleanup(s.Close)
	return &archive.Judge{URL: s.URL, Timeout: 500 * time.Millisecond, Backoff: time.Millisecond}
}

// copyQuotes returns a reply in which sentences without quotes rest on the sentence of
// the passages that shares most words with them, as a model copies it.
func copyQuotes(asked, reply string) string {
	var in struct{ Passages []struct{ Text string } }
	var said struct {
		Draft     string           `json:"draft"`
		Sentences []map[string]any `json:"sentences"`
	}
	if json.Unmarshal([]byte(asked), &in) != nil || json.Unmarshal([]byte(reply), &said) != nil || said.Sentences == nil {
		return reply
	}
	for _, s := range said.Sentences {
		if quotes, ok := s["quotes"].([]any); !ok || len(quotes) > 0 {
			continue
		}
		best := -1
		for i, p := range in.Passages {
			for _, r := range segment.Sentences(p.Text, "en") {
				shared := 0
				for _, w := range segment.Words(s["text"].(string)) {
					for _, o := range segment.Words(p.Text[r.Start:r.End]) {
						if segment.Stem(o.Lower) == segment.Stem(w.Lower) {
							shared++
							break
						}
					}
				}
				if shared > best {
					best = shared
					s["quotes"] = []any{map[string]any{"passage": i + 1, "words": p.Text[r.Start:r.End]}}
				}
			}
		}
	}
	out, err := json.Marshal(said)
	if err != nil {
		return reply
	}
	return string(out)
}

// draftReply is a reply in the form that is asked for.
func draftReply(draft string) string {
	sentences := []map[string]any{}
	for _, r := range segment.Sentences(draft, "en") {
		sentences = append(sentences, map[string]any{"text": draft[r.Start:r.End], "quotes": []any{}})
	}
	out, err := json.Marshal(map[string]any{"draft": draft, "sentences": sentences})
	if err != nil {
		panic(err) // text always marshals
	}
	return string(out)
}

// engineOf returns the engine of an archive for nobody in particular.
func engineOf(t *testing.T, a *archive.Archive) *engine.Engine {
	t.Helper()
	e, err := engine.New(a, engine.Caller{})
	if err != nil {
		t.Fatal(err)
	}
	return e
}
