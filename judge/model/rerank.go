package model

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
)

// MaxRerank is how many passages one request ranks: as many as retrieval finds for one part of a question, twice.
const MaxRerank = 64

// A Reranking is the scores of passages for a query. A higher score is better; scores of
// two queries cannot be compared.
type Reranking struct {
	Model  string // as the endpoint names it, else as asked for
	Scores []float64
}

// Rerank returns a score for each of 1 to MaxRerank passages, in their order. The protocol is POST /rerank as
// text-embeddings-inference (texts), llama.cpp, vLLM and Jina (documents) speak it: the passages go out as documents,
// and as texts where the endpoint rejects that. The error is a *ReplyError where the response does not score each
// passage once, by a finite number; else as with Entails.
func (c *Client) Rerank(ctx context.Context, query string, passages []string) (Reranking, error) {
	if len(passages) < 1 || len(passages) > MaxRerank {
		return Reranking{}, fmt.Errorf("%d passages to rerank, want 1 to %d", len(passages), MaxRerank)
	}
	name := c.Model
	if name == "" {
		name = DefaultModel
	}
	documents := map[string]any{"model": name, "query": query, "documents": passages, "top_n": len(passages), "return_documents": false}
	texts := map[string]any{"query": query, "texts": passages, "truncate": true}
	first, second := documents, texts
	if c.texts.Load() {
		first, second = texts, documents
	}
	data, err := c.post(ctx, c.at("rerank"), first, maxVectors)
	var refused *rejectionError
	if errors.As(err, &refused) {
		if data, err = c.post(ctx, c.at("rerank"), second, maxVectors); err == nil {
			c.texts.Store(second["texts"] != nil)
		}
	}
	if err != nil {
		return Reranking{}, err
	}
	r, err := parseScores(data, len(passages))
	if err == nil && r.Model == "" {
		r.Model = name
	}
	return r, err
}

// A scored is a passage in a response: vLLM, llama.cpp and Jina call its score relevance_score.
type scored struct {
	Index     *int     `json:"index"`
	Score     *float64 `json:"score"`
	Relevance *float64 `json:"relevance_score"`
}

// parseScores reads a response: a list, or an object with a list of results or data.
func parseScores(data []byte, n int) (Reranking, error) {
	if err := once(data); err != nil {
		return Reranking{}, &ReplyError{"the response is not of the protocol: " + err.Error()}
	}
	var list []scored
	var in struct {
		Model   string   `json:"model"`
		Results []scored `json:"results"`
		Data    []scored `json:"data"`
	}
	if json.Unmarshal(data, &list) != nil {
		if err := json.Unmarshal(data, &in); err != nil {
			return Reranking{}, &ReplyError{"the response is not of the protocol: " + err.Error()}
		}
		if list = in.Results; list == nil {
			list = in.Data
		}
	}
	if len(list) != n {
		return Reranking{}, &ReplyError{fmt.Sprintf("%d scores for %d passages", len(list), n)}
	}
	out := Reranking{Model: in.Model, Scores: make([]float64, n)}
	seen := make([]bool, n)
	for _, s := range list {
		score := s.Relevance
		if score == nil {
			score = s.Score
		}
		if s.Index == nil || *s.Index < 0 || *s.Index >= n || seen[*s.Index] || score == nil || math.IsInf(*score, 0) {
			return Reranking{}, &ReplyError{"a score does not say which passage it is of, or is none"}
		}
		seen[*s.Index], out.Scores[*s.Index] = true, *score
	}
	return out, nil
}
