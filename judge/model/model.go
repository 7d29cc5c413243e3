// Package model asks a language model whether a passage entails a claim, for the draft of an answer and for repairs of
// a draft, and an embedding model for vectors of texts, over the protocols that OpenAI-compatible endpoints share
// (llama.cpp, vLLM, Ollama and others).
//
//	c := model.Client{URL: "http://127.0.0.1:8080/v1"}
//	j, err := c.Entails(ctx, model.Question{Claim: "The mill stood still.", Passage: "The mill wheel has stopped."})
//	// j.Verdict == model.Yes, j.Reason, j.Reply …
//
// The model sees the passage that was matched and the text around it, not the beginning of a document. All of it
// travels as the strings of one JSON object, so that no text inside a passage can end its own quotation; the prompt
// declares every string to be data. That keeps the form of the verdict out of the passage's reach. It does not keep
// a model from being persuaded: whoever acts on a verdict lets deterministic checks go first, and a yes never undoes
// what they found.
//
// A reply counts when it holds exactly one JSON object with the members asked for,
//
//	{"entailed":"yes","reason":"the passage says that the wheel has stopped"}
//
// where entailed is yes, no, contradiction or unclear, in any case. What models put around the object is skipped:
// thoughts in <think>, a code fence, sentences before and behind it, further members. Everything else is a *ReplyError
// and decides nothing: a member that stands twice, two objects that differ, several choices, a reply that was cut off,
// and a yes whose reason denies it.
//
// A draft is sentences with the words that each rests on, copied from passages that are numbered as shown:
//
//	{"sentences":[{"text":"The mill stood still.","quotes":[{"passage":1,"words":"The mill wheel has stopped."}]}]}
//
// The model is shown words and dates, and no id or name of a passage, so a draft that
// names one has invented it. A draft without sentences says that there is no answer.
// Whether the words stand in the passages is for the caller to look up.
//
// Replies are asked for by a JSON schema (response_format); an endpoint that rejects
// it is asked again without. A Judgement and a Draft keep the prompt, its sha256, the
// model and the reply as they were, with an error too, so that they can be recorded.
//
// An endpoint that is busy (429), fails (500, 502, 503, 504) or does not answer in
// time is asked again, MaxAttempts times in all; then the error is an
// *UnavailableError. A status that says that the configuration is wrong (401, 403,
// 404) is a *ConfigurationError at once.
//
// Limits: replies above MaxReply bytes are not read; redirects are not followed.
package model

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync/atomic"
	"time"
)

const (
	// MaxReply is the longest response in bytes: a verdict takes two hundred,
	// its envelope a thousand, and models that think aloud are cut off.
	MaxReply = 256 << 10
	// DefaultTimeout is how long an answer is waited for, from the connection
	// to its last byte. Small machines need ten seconds for a short verdict.
	DefaultTimeout = 60 * time.Second
	// MaxAttempts is how often one question is put to an endpoint that is busy or
	// fails: what three attempts do not get, a person looks into.
	MaxAttempts = 3
	// DefaultBackoff is the wait before the second attempt.
	DefaultBackoff = 500 * time.Millisecond
	// MaxBackoff is the longest wait that an endpoint can ask for by Retry-After.
	MaxBackoff = 10 * time.Second
	// DefaultModel is the name that is asked for where none is given; servers with one model ignore it.
	DefaultModel = "default"
)

// A Client is an endpoint. The zero value of every member but URL works. It is safe
// for concurrent use and must not be copied after its first.
type Client struct {
	URL     string // base of the endpoint, such as http://127.0.0.1:8080/v1
	Model   string
	Key     string        // sent as a bearer token; "" sends none
	Timeout time.Duration // of each attempt; DefaultTimeout when 0
	Backoff time.Duration // before the second attempt, doubled before the third; DefaultBackoff when 0

	plain atomic.Bool // the endpoint takes no schema of replies
	texts atomic.Bool // it takes the passages to rerank as texts, not as documents
}

// A ReplyError is a reply that decides nothing.
type ReplyError struct{ Reason string }

func (e *ReplyError) Error() string { return "the model's reply does not count: " + e.Reason }

type message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

// chat asks for words in the form of a schema and returns what the model said. An
// endpoint that rejects the schema is asked without, from then on.
func (c *Client) chat(ctx context.Context, name string, messages []message, form *schema) (string, error) {
	body := map[string]any{"model": name, "messages": messages, "temperature": 0, "stream": false}
	if form != nil && !c.plain.Load() {
		body["response_format"] = form.format()
	}
	data, err := c.post(ctx, c.at("chat/completions"), body, MaxReply)
	var refused *rejectionError
	if errors.As(err, &refused) && body["response_format"] != nil {
		delete(body, "response_format")
		if data, err = c.post(ctx, c.at("chat/completions"), body, MaxReply); err == nil {
			c.plain.Store(true)
		}
	}
	if err != nil {
		return string(data), err
	}
	return spoken(data)
}

// spoken takes the model's words out of a response.
func spoken(data []byte) (string, error) {
	if err := once(data); err != nil {
		return string(data), &ReplyError{"the response is not of the protocol: " + err.Error()}
	}
	var r struct {
		Choices []struct {
			Message struct {
				Content *string `json:"content"`
			} `json:"message"`
			FinishReason string `json:"finish_reason"`
		} `json:"choices"`
	}
	switch err := json.Unmarshal(data, &r); {
	case err != nil:
		return string(data), &ReplyError{"the response is not of the protocol: " + err.Error()}
	case len(r.Choices) != 1:
		return string(data), &ReplyError{fmt.Sprintf("%d choices, want one", len(r.Choices))}
	case r.Choices[0].Message.Content == nil:
		return string(data), &ReplyError{"it has no content"}
	case r.Choices[0].FinishReason == "length":
		return *r.Choices[0].Message.Content, &ReplyError{"it was cut off"}
	}
	return *r.Choices[0].Message.Content, nil
}

// Explain returns why a reply was not used, for a requestor: no address, and no word of the model's.
func Explain(err error) string {
	var bad *ReplyError
	var away *UnavailableError
	var wrong *ConfigurationError
	switch {
	case errors.As(err, &wrong):
		return wrong.Error()
	case errors.As(err, &bad):
		return "the model's reply does not count"
	case errors.As(err, &away) && away.Timeout:
		return away.Error()
	}
	return "the model could not be asked"
}
