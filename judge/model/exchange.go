package model

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
)

// An Exchange is one question to a model and what it said, to be kept with whatever rests on it.
type Exchange struct {
	Model        string // as asked for
	Prompt       string // the messages that were sent, JSON
	PromptSHA256 string // lower case hexadecimal
	Reply        string // what the model said; at most MaxReply bytes
}

// exchange sends instructions and, as one JSON object, what they are about. The error is an *UnavailableError, a
// *ReplyError of a response without words, or about the call itself; the prompt and the reply are there with either of
// the first two.
func (c *Client) exchange(ctx context.Context, instructions string, about any, form *schema) (Exchange, error) {
	data, err := json.Marshal(about)
	if err != nil {
		return Exchange{}, err
	}
	messages := []message{{"system", instructions}, {"user", string(data)}}
	prompt, err := json.Marshal(messages)
	if err != nil {
		return Exchange{}, err
	}
	sum := sha256.Sum256(prompt)
	x := Exchange{Model: c.Model, Prompt: string(prompt), PromptSHA256: hex.EncodeToString(sum[:])}
	if x.Model == "" {
		x.Model = DefaultModel
	}
	x.Reply, err = c.chat(ctx, x.Model, messages, form)
	return x, err
}
