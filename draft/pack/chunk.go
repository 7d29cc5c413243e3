package pack

import (
	"math"
	"slices"

	"muniment/canon"
	"muniment/cite"
	"muniment/search/retrieve"
	"muniment/text/segment"
)

// A Chunk is a run of tokens of one text.
type Chunk struct {
	Span       cite.Span
	Text       string
	Tokens     int
	Similarity float64 // 0 where Chunks was given no passages
}

// Chunks cuts a text by the rules and returns, in reading order, the chunks that
// hold the beginning of one of the passages, with their similarity to the query
// that found those; all chunks, where passages is empty. The passages are of
// this text.
func Chunks(d *canon.Document, passages []retrieve.Passage, r Rules) ([]Chunk, error) {
	text := string(d.Payload())
	starts := make([]int, len(passages))
	for i := range passages {
		start, _, err := cite.Resolve(d, passages[i].Span)
		if err != nil {
			return nil, err
		}
		starts[i] = start
	}
	var out []Chunk
	for _, piece := range cut(text, r) {
		var inside []retrieve.Passage
		for i, at := range starts {
			if at >= piece.start && at < piece.end {
				inside = append(inside, passages[i])
			}
		}
		if len(passages) > 0 && len(inside) == 0 {
			continue
		}
		span, err := cite.SpanAt(d, piece.start, piece.end)
		if err != nil {
			return nil, err
		}
		out = append(out, Chunk{Span: span, Text: text[piece.start:piece.end], Tokens: piece.tokens, Similarity: similarity(inside)})
	}
	return out, nil
}

// similarity is the share of the query's words that the passages hold together,
// weighted by idf.
func similarity(passages []retrieve.Passage) float64 {
	if len(passages) == 0 {
		return 0
	}
	found, all := 0.0, 0.0
	for i, t := range passages[0].Terms {
		if math.IsNaN(t.IDF) || t.IDF < 0 {
			continue
		}
		all += t.IDF
		if slices.ContainsFunc(passages, func(p retrieve.Passage) bool { return i < len(p.Terms) && p.Terms[i].Found }) {
			found += t.IDF
		}
	}
	if all == 0 {
		return 0
	}
	return min(1, found/all)
}

type piece struct{ start, end, tokens int }

// cut finds the chunks of a text as byte ranges.
func cut(text string, r Rules) []piece {
	words := segment.Words(text)
	n := len(words)
	if n == 0 {
		return nil
	}
	at := func(from, to int) piece {
		end := len(text)
		if to < n {
			end = words[to].Start
		}
		for end > words[to-1].End && white(text[end-1]) {
			end--
		}
		return piece{words[from].Start, end, to - from}
	}
	var out []piece
	for from := 0; ; {
		to := from + r.ChunkTokens
		if to >= n {
			from = max(0, min(from, n-MinChunkTokens))
			return append(out, at(from, n))
		}
		if rest := n - (to - r.OverlapTokens); rest < MinChunkTokens && n-from <= MaxChunkTokens {
			return append(out, at(from, n))
		}
		out = append(out, at(from, to))
		from = to - r.OverlapTokens
	}
}

func white(c byte) bool { return c == ' ' || c == '\n' || c == '\t' }
