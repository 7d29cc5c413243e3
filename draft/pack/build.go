package pack

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

// A Candidate is a chunk that a pack may take.
type Candidate struct {
	ChunkID    string // artifact ID, #, span
	SourceID   string
	Publisher  string
	Tier       int    // 1 to 4; 0 when the source is not rated
	Published  string // begins with YYYY-MM-DD; "" when not known
	Calendar   bool   // an official calendar: its age does not matter
	Similarity float64
	Text       string
}

// A Scored is a candidate that was taken.
type Scored struct {
	Candidate
	Score float64
}

// Stats describe how diverse a pack is. Shares are in percent, rounded to the
// nearest.
type Stats struct {
	UniquePublishers int `json:"unique_publishers"`
	Tier1            int `json:"tier_1_pct"`
	Tier2            int `json:"tier_2_pct"`
	Tier3            int `json:"tier_3_pct"`
	Tier4            int `json:"tier_4_pct"` // with those that are not rated
	MaxPublisher     int `json:"max_publisher_pct"`
}

// A Pack is the evidence that was chosen, best first.
type Pack struct {
	Chunks []Scored
	Stats  Stats
	Notes  []string // what was left out and why
}

// Metadata is the stored description of a pack, in the contract's words.
type Metadata struct {
	PackID      string          `json:"pack_id"`
	Query       string          `json:"query"`
	GeneratedAt string          `json:"generated_at"`
	Chunks      []ChunkMetadata `json:"chunks"`
	Stats       Stats           `json:"diversity_stats"`
}

// ChunkMetadata is the stored description of a chunk.
type ChunkMetadata struct {
	ChunkID  string  `json:"chunk_id"`
	SourceID string  `json:"source_id"`
	Score    float64 `json:"score"`
	Tier     int     `json:"credibility_tier"` // 0 when the source is not rated
}

// Metadata describes the pack.
func (p *Pack) Metadata(id, query string, at time.Time) Metadata {
	m := Metadata{PackID: id, Query: query, GeneratedAt: at.UTC().Format(time.RFC3339), Chunks: []ChunkMetadata{}, Stats: p.Stats}
	for _, c := range p.Chunks {
		m.Chunks = append(m.Chunks, ChunkMetadata{c.ChunkID, c.SourceID, c.Score, c.Tier})
	}
	return m
}

// A LimitError says that no pack meets the rules, and which limits are in the way.
type LimitError struct {
	Found  int // candidates before any limit
	Left   int // after similarity and age
	Limits []string
}

func (e *LimitError) Error() string {
	return fmt.Sprintf("no evidence pack: %d chunks found: %s", e.Found, strings.Join(e.Limits, "; "))
}

// Score returns the score of a candidate for a query asked on a day.
func Score(c Candidate, day time.Time, r Rules) float64 {
	similar, recent := r.SimilarityWeight, r.RecencyWeight
	if r.RecentDays == 0 {
		similar, recent = similar+recent, 0
	}
	// The conversions keep every machine from fusing a multiplication and an
	// addition, which would round differently.
	s := float64(clamp(c.Similarity)*float64(similar)) / 100
	s += float64(recency(c, day, r)*float64(recent)) / 100
	s += float64(credibility(c.Tier)*float64(r.CredibilityWeight)) / 100
	return s
}

func clamp(x float64) float64 {
	if !(x > 0) { // also not a number
		return 0
	}
	return min(1, x)
}

// recency is 1 for official calendars and for what is dated after the query.
func recency(c Candidate, day time.Time, r Rules) float64 {
	days, known := age(c, day)
	switch {
	case r.RecentDays == 0 || c.Calendar:
		return 1
	case !known || days >= r.ContextDays:
		return 0
	case days <= r.RecentDays:
		return 1
	}
	return float64(r.ContextDays-days) / float64(r.ContextDays-r.RecentDays)
}

// age counts whole days from the day of publication.
func age(c Candidate, day time.Time) (days int, known bool) {
	if len(c.Published) < len(time.DateOnly) {
		return 0, false
	}
	t, err := time.Parse(time.DateOnly, c.Published[:len(time.DateOnly)])
	if err != nil {
		return 0, false
	}
	y, m, d := day.UTC().Date()
	return int(time.Date(y, m, d, 0, 0, 0, 0, time.UTC).Sub(t).Hours() / 24), true
}

func credibility(tier int) float64 {
	switch tier {
	default:
		return 0.3
	case 1:
		return 1
	case 2:
		return 0.8
	case 3:
		return 0.6
	}
}

// Build chooses a pack of candidates for a query asked on a day. On error there
// is no pack; the error is a *LimitError, or about the rules.
func Build(candidates []Candidate, day time.Time, r Rules) (*Pack, error) {
	if err := r.Check(); err != nil {
		return nil, fmt.Errorf("rules of the pack: %w", err)
	}
	p := &Pack{}
	left, why := p.narrow(candidates, day, r)
	if len(left) == 0 {
		return nil, &LimitError{Found: len(candidates), Limits: why}
	}
	n := min(r.MaxChunks, len(left))
	for n > 0 && !feasible(left, nil, n, r) {
		n--
	}
	if n == 0 {
		return nil, &LimitError{Found: len(candidates), Left: len(left), Limits: append(why, blame(left, r)...)}
	}
	p.Chunks = choose(left, n, r)
	p.Stats = stats(p.Chunks)
	p.Notes = append(p.Notes, why...)
	if n < len(left) {
		p.Notes = append(p.Notes, fmt.Sprintf("%d of %d chunks taken", n, len(left)))
	}
	if most := min(r.MaxChunks, len(left)); n < most {
		p.Notes = append(p.Notes, fmt.Sprintf("%d fewer than there is room for, because of the limits of publishers and tiers: %s", most-n, strings.Join(blameAt(left, most, r), "; ")))
	}
	p.Notes = append(p.Notes, views(left, p.Chunks)...)
	return p, nil
}

// narrow scores the candidates, takes out what similarity and age exclude, and
// sorts the rest.
func (p *Pack) narrow(candidates []Candidate, day time.Time, r Rules) ([]Scored, []string) {
	var left []Scored
	seen := map[string]bool{}
	unlike, old, less, undated := 0, 0, 0, 0
	for _, c := range candidates {
		days, known := age(c, day)
		switch {
		case seen[c.ChunkID]:
			continue
		case clamp(c.Similarity)*100 < float64(r.SimilarityPercent):
			unlike++
		case r.RecentDays == 0 || c.Calendar:
			left = append(left, Scored{c, Score(c, day, r)})
		case !known:
			undated++
		case days > r.ContextDays:
			old++
		case days > r.RecentDays && clamp(c.Similarity)*100 < float64(r.ContextPercent):
			less++
		default:
			left = append(left, Scored{c, Score(c, day, r)})
		}
		seen[c.ChunkID] = true
	}
	slices.SortFunc(left, func(a, b Scored) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), strings.Compare(a.ChunkID, b.ChunkID))
	})
	var why []string
	for _, x := range []struct {
		n    int
		text string
	}{
		{unlike, fmt.Sprintf("share less than %d %% of the query's words", r.SimilarityPercent)},
		{undated, "have no date of publication"},
		{old, fmt.Sprintf("are older than %d days", r.ContextDays)},
		{less, fmt.Sprintf("are older than %d days and share less than %d %% of the query's words", r.RecentDays, r.ContextPercent)},
	} {
		if x.n > 0 {
			why = append(why, fmt.Sprintf("%d chunks left out: they %s", x.n, x.text))
		}
	}
	if len(left) == 0 && len(why) == 0 {
		why = []string{"nothing in the archive has a word of the query"}
	}
	return left, why
}

// choose takes n chunks: one of each view first, then the best.
func choose(left []Scored, n int, r Rules) []Scored {
	var order []int
	for view := range 3 {
		if i := slices.IndexFunc(left, func(s Scored) bool { return viewOf(s.Tier) == view }); i >= 0 {
			order = append(order, i)
		}
	}
	slices.Sort(order)
	for i := range left {
		if !slices.Contains(order, i) {
			order = append(order, i)
		}
	}
	var taken []int
	for _, i := range order {
		if len(taken) == n {
			break
		}
		if feasible(left, append(slices.Clone(taken), i), n, r) {
			taken = append(taken, i)
		}
	}
	slices.Sort(taken)
	out := make([]Scored, len(taken))
	for k, i := range taken {
		out[k] = left[i]
	}
	return out
}

// viewOf sorts tiers into official, common and other sources.
func viewOf(tier int) int {
	switch tier {
	default:
		return 2
	case 1:
		return 0
	case 2:
		return 1
	}
}

// views notes the views that no chunk gives.
func views(left, taken []Scored) []string {
	var out []string
	for view, name := range []string{"an official source (tier 1)", "a common source (tier 2)", "another view (tiers 3 and 4)"} {
		is := func(s Scored) bool { return viewOf(s.Tier) == view }
		switch {
		case slices.ContainsFunc(taken, is):
		case slices.ContainsFunc(left, is):
			out = append(out, "no chunk of "+name+" fits the limits")
		default:
			out = append(out, "no chunk of "+name+" was found")
		}
	}
	return out
}

func stats(chunks []Scored) Stats {
	publishers, tiers := map[string]int{}, [5]int{}
	for _, c := range chunks {
		publishers[Publisher(c.Publisher)]++
		tiers[tierOf(c.Tier)]++
	}
	percent := func(n int) int { return (200*n + len(chunks)) / (2 * len(chunks)) }
	most := 0
	for _, n := range publishers {
		most = max(most, n)
	}
	return Stats{len(publishers), percent(tiers[1]), percent(tiers[2]), percent(tiers[3]), percent(tiers[4]), percent(most)}
}

// tierOf counts an unrated source as tier 4.
func tierOf(tier int) int {
	if tier < 1 || tier > 4 {
		return 4
	}
	return tier
}
