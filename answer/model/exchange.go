package model

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// An Exchange is one question to a model and what it said, to be kept with
// whatever rests on it.
type Exchange struct {
	Model        string // as asked for
	Prompt       string // the messages that were sent, JSON
	PromptSHA256 string // lower case hexadecimal
	Reply        string // what the model said; at most MaxReply bytes
}

// exchange sends instructions and, as one JSON object, what they are about. The
// error is an *UnavailableError, a *ReplyError of a response without words, or
// about the call itself; the prompt and the reply are there with either of the
// first two.
func (c *Client) exchange(ctx context.Context, instructions string, about any) (Exchange, error) {
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
	ctx, cancel := c.bounded(ctx)
	defer cancel()
	x.Reply, err = c.chat(ctx, x.Model, messages)
	return x, err
}

// texts reads a reply that is one JSON object with the named members, each once,
// each a text, and no other. The error is a *ReplyError.
func texts(reply string, names ...string) (map[string]string, error) {
	text := strings.TrimSpace(reply)
	if !strings.HasPrefix(text, "{") {
		return nil, &ReplyError{"it is not one JSON object"}
	}
	if err := once([]byte(text)); err != nil {
		return nil, &ReplyError{err.Error()}
	}
	var members map[string]*string
	if json.Unmarshal([]byte(text), &members) != nil || len(members) != len(names) ||
		slices.ContainsFunc(names, func(n string) bool { return members[n] == nil }) {
		return nil, &ReplyError{fmt.Sprintf("it has not just the texts %s", strings.Join(names, ", "))}
	}
	out := make(map[string]string, len(names))
	for _, n := range names {
		if out[n] = *members[n]; strings.ContainsRune(out[n], 0) {
			return nil, &ReplyError{fmt.Sprintf("%s holds a NUL", n)}
		}
	}
	return out, nil
}
