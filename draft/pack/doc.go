// Package pack chooses the evidence that a text may be written from: a bounded
// set of chunks, none of which one publisher or one class of sources dominates.
//
//	chunks, err := pack.Chunks(document, passages, rules) // of every text that was found
//	p, err := pack.Build(candidates, day, rules)
//	metadata := p.Metadata(id, query, now)
//
// # Chunks
//
// A token is a word of Unicode's annex 29 that holds a letter or a digit. A
// text is cut into chunks of ChunkTokens, each of which begins OverlapTokens
// before the end of the one before it. The last chunk has at least
// MinChunkTokens: a short rest is joined to the chunk before it where that
// stays below MaxChunkTokens, else the last chunk begins earlier. A text that
// is shorter is one chunk.
//
// # Score
//
//	score       = similarity × 0.5 + recency × 0.3 + credibility × 0.2
//	similarity  = share of the query's words found, weighted by their idf, 0 to 1
//	recency     = 1 up to RecentDays before the query's day, then falling in a
//	              straight line to 0 at ContextDays; 0 without a date
//	credibility = 1.0, 0.8, 0.6 and 0.3 for the tiers 1 to 4; 0.3 without one
//
// The weights are the rules' own, in percent. Rules without RecentDays have no
// recency, and its weight goes to similarity. Equal scores are ordered by
// chunk ID.
//
// # Limits
//
// What is older than ContextDays is left out, and what is older than RecentDays
// too, unless its similarity reaches ContextPercent. Official calendars have no
// age. Then the largest pack is built, of at most MaxChunks, in which no
// publisher has more than PublisherPercent, the tiers 1 and 2 have at least
// TopTierPercent, and tier 4 at most MonitorPercent. A source without a tier
// counts as tier 4, and sources without a publisher count as one. Among the
// packs of that size the one with the best score comes first, then the second
// best, and so on; but where they can be had, one chunk of tier 1, one of tier
// 2, and one of the tiers 3 and 4 are taken before all others, so that an
// official, a common and another view are there.
//
// Where no chunk at all can be taken the error is a *LimitError that names
// every limit in the way. Nothing is ever left out silently: Pack.Notes says
// how many were found, how many taken, and why.
//
// The package is pure: no clock, no files, no randomness.
package pack

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
)

// Bounds of the rules, as the citation contract sets them.
const (
	MaxChunks      = 40  // of one pack: what a model reads at once
	MinChunkTokens = 300 // a chunk says what it is about
	MaxChunkTokens = 800 // and can be read beside its claim
)

// Rules say how a pack is built. They are part of a profile and have no useful
// zero value; the built-in profiles have good ones. Shares and weights are in
// percent.
type Rules struct {
	MaxChunks         int `json:"max_chunks"`         // 1 to MaxChunks
	ChunkTokens       int `json:"chunk_tokens"`       // MinChunkTokens to MaxChunkTokens
	OverlapTokens     int `json:"overlap_tokens"`     // less than half of ChunkTokens
	SimilarityPercent int `json:"similarity_percent"` // least similarity of a chunk
	RecentDays        int `json:"recent_days"`        // 0: age does not matter
	ContextDays       int `json:"context_days"`       // 0 with RecentDays 0, else more than it
	ContextPercent    int `json:"context_percent"`    // least similarity of what is older than RecentDays
	PublisherPercent  int `json:"publisher_percent"`  // most that one publisher may have; 100 is no limit
	TopTierPercent    int `json:"top_tier_percent"`   // least that the tiers 1 and 2 must have
	MonitorPercent    int `json:"monitor_percent"`    // most that tier 4 may have
	SimilarityWeight  int `json:"similarity_weight"`
	RecencyWeight     int `json:"recency_weight"`
	CredibilityWeight int `json:"credibility_weight"`
}

// Check reports the first rule that is out of its bounds.
func (r Rules) Check() error {
	for _, b := range []struct {
		name         string
		have, lo, hi int
	}{
		{"max_chunks", r.MaxChunks, 1, MaxChunks},
		{"chunk_tokens", r.ChunkTokens, MinChunkTokens, MaxChunkTokens},
		{"overlap_tokens", r.OverlapTokens, 0, (r.ChunkTokens - 1) / 2},
		{"similarity_percent", r.SimilarityPercent, 0, 100},
		{"recent_days", r.RecentDays, 0, 36500},
		{"context_percent", r.ContextPercent, 0, 100},
		{"publisher_percent", r.PublisherPercent, 1, 100},
		{"top_tier_percent", r.TopTierPercent, 0, 100},
		{"monitor_percent", r.MonitorPercent, 0, 100},
		{"similarity_weight", r.SimilarityWeight, 0, 100},
		{"recency_weight", r.RecencyWeight, 0, 100},
		{"credibility_weight", r.CredibilityWeight, 0, 100},
	} {
		if b.have < b.lo || b.have > b.hi {
			return fmt.Errorf("%s is %d, want %d to %d", b.name, b.have, b.lo, b.hi)
		}
	}
	switch sum := r.SimilarityWeight + r.RecencyWeight + r.CredibilityWeight; {
	case sum != 100:
		return fmt.Errorf("similarity_weight, recency_weight and credibility_weight add up to %d, want 100", sum)
	case r.RecentDays == 0 && r.ContextDays|r.ContextPercent != 0:
		return errors.New("context_days and context_percent are set without recent_days")
	case r.RecentDays != 0 && (r.ContextDays <= r.RecentDays || r.ContextDays > 36500):
		return fmt.Errorf("context_days is %d, want more than recent_days, %d", r.ContextDays, r.RecentDays)
	}
	return nil
}

// Publisher returns the form of a publisher's name by which independence is
// counted: letters and digits in lower case, without a leading "the" and the
// words that only say what kind of company it is. "" is nobody known.
func Publisher(name string) string {
	words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	if len(words) > 1 && words[0] == "the" {
		words = words[1:]
	}
	for len(words) > 1 {
		switch words[len(words)-1] {
		case "inc", "llc", "ltd", "plc", "corp", "co", "gmbh", "ag", "sa", "limited", "corporation", "company":
			words = words[:len(words)-1]
			continue
		}
		break
	}
	return strings.Join(words, " ")
}
