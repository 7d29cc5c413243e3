package model

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
)

const (
	// MaxTexts is how many texts one request embeds: what endpoints commonly take.
	MaxTexts = 64
	// MaxDimensions is how many numbers a vector has at most: twice what the largest models in use give.
	MaxDimensions = 8192
	// maxVectors is the longest response in bytes: MaxTexts vectors of
	// MaxDimensions numbers of about 22 digits, and their envelope.
	maxVectors = 16 << 20
)

// Embed returns a vector for each of 1 to MaxTexts texts, in their order, all of one length and of unit norm. The
// protocol is that of /v1/embeddings. The error is a *ReplyError where the response has another number of vectors,
// repeats or omits one, or holds one that is empty, zero or too long, vectors of different lengths or numbers that are
// none; else as with Entails.
func (c *Client) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	if len(texts) < 1 || len(texts) > MaxTexts {
		return nil, fmt.Errorf("%d texts to embed, want 1 to %d", len(texts), MaxTexts)
	}
	name := c.Model
	if name == "" {
		name = DefaultModel
	}
	data, err := c.post(ctx, c.at("embeddings"), map[string]any{"model": name, "input": texts, "encoding_format": "float"}, maxVectors)
	if err != nil {
		return nil, err
	}
	return vectors(data, len(texts))
}

// vectors reads a response.
func vectors(data []byte, n int) ([][]float32, error) {
	if err := once(data); err != nil {
		return nil, &ReplyError{"the response is not of the protocol: " + err.Error()}
	}
	var r struct {
		Data []struct {
			Index     *int      `json:"index"`
			Embedding []float64 `json:"embedding"`
		} `json:"data"`
	}
	if err := json.Unmarshal(data, &r); err != nil {
		return nil, &ReplyError{"the response is not of the protocol: " + err.Error()}
	}
	if len(r.Data) != n {
		return nil, &ReplyError{fmt.Sprintf("%d vectors for %d texts", len(r.Data), n)}
	}
	out := make([][]float32, n)
	for _, d := range r.Data {
		switch {
		case d.Index == nil || *d.Index < 0 || *d.Index >= n || out[*d.Index] != nil:
			return nil, &ReplyError{"a vector does not say which text it is of"}
		case len(d.Embedding) == 0 || len(d.Embedding) > MaxDimensions || len(d.Embedding) != len(r.Data[0].Embedding):
			return nil, &ReplyError{fmt.Sprintf("a vector of %d numbers", len(d.Embedding))}
		}
		sum := 0.0
		for _, x := range d.Embedding {
			sum += x * x
		}
		norm := math.Sqrt(sum)
		if norm == 0 || math.IsInf(norm, 0) {
			return nil, &ReplyError{"a vector without a direction"}
		}
		v := make([]float32, len(d.Embedding))
		for i, x := range d.Embedding {
			v[i] = float32(x / norm)
		}
		out[*d.Index] = v
	}
	return out, nil
}
