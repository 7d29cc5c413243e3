package pack

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"muniment/canon"
	"muniment/search/retrieve"
)

var day = time.Date(2026, 2, 11, 8, 0, 0, 0, time.UTC)

func candidate(id int, publisher string, tier int, similarity float64, published string) Candidate {
	return Candidate{ChunkID: fmt.Sprintf("c%03d", id), Publisher: publisher, Tier: tier, Similarity: similarity, Published: published}
}

func TestScore(t *testing.T) {
	n := 0
	for _, c := range []struct {
		similarity float64
		published  string
		tier       int
		calendar   bool
		want       float64
	}{
		{1, "2026-02-11", 1, false, 1},
		{1, "2026-02-04", 1, false, 1},             // 7 days
		{1, "2026-02-03", 1, false, .7 + .3*22/23}, // 8 days
		{1, "2026-01-12", 1, false, .7},            // 30 days
		{.5, "2026-02-10T14:00:00Z", 2, false, .25 + .3 + .16},
		{.5, "2026-02-12", 3, false, .25 + .3 + .12}, // after the query
		{.5, "", 4, false, .25 + .06},
		{.5, "", 0, true, .25 + .3 + .06},
		{2, "2026-02-11", 9, false, .5 + .3 + .06},
		{-1, "soon", 1, false, .2},
	} {
		x := candidate(1, "P", c.tier, c.similarity, c.published)
		x.Calendar = c.calendar
		if got := Score(x, day, contractRules()); got < c.want-1e-12 || got > c.want+1e-12 {
			t.Errorf("score of %+v is %v, want %v", c, got, c.want)
		}
		n++
	}
	if n != 10 {
		t.Errorf("%d cases", n)
	}
	// Without recency its weight goes to similarity.
	if got := Score(candidate(1, "P", 2, .5, ""), day, plainRules()); got != .5*.8+.16 {
		t.Errorf("score without recency %v", got)
	}
}

// TestPackMeetsItsLimits builds packs of random candidates and counts them; where
// few enough, every subset is tried to see that the pack is the largest.
func TestPackMeetsItsLimits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := contractRules()
		r.PublisherPercent = rapid.SampledFrom([]int{20, 34, 40, 60, 100}).Draw(t, "publisher")
		r.TopTierPercent = rapid.SampledFrom([]int{0, 34, 50, 80}).Draw(t, "top")
		r.MonitorPercent = rapid.SampledFrom([]int{0, 15, 34, 50, 100}).Draw(t, "monitor")
		r.MaxChunks = rapid.IntRange(1, 10).Draw(t, "max")
		var all []Candidate
		for i := range rapid.IntRange(0, 12).Draw(t, "n") {
			all = append(all, candidate(i, rapid.SampledFrom([]string{"A", "B", "The C, Inc.", "c", ""}).Draw(t, "p"), rapid.IntRange(0, 4).Draw(t, "tier"),
				rapid.Float64Range(.1, 1).Draw(t, "s"), "2026-02-10"))
		}
		best := 0
		for set := range 1 << len(all) {
			var some []Candidate
			for i, c := range all {
				if set>>i&1 == 1 {
					some = append(some, c)
				}
			}
			if len(some) > best && len(some) <= r.MaxChunks && within(some, r) {
				best = len(some)
			}
		}
		p, err := Build(all, day, r)
		if best == 0 {
			var limit *LimitError
			if !errors.As(err, &limit) || p != nil || len(limit.Limits) == 0 {
				t.Fatalf("no pack is possible: %v, %v", p, err)
			}
			return
		}
		if err != nil {
			t.Fatalf("a pack of %d is possible: %v", best, err)
		}
		var taken []Candidate
		for i, c := range p.Chunks {
			taken = append(taken, c.Candidate)
			if i > 0 && c.Score > p.Chunks[i-1].Score {
				t.Fatalf("chunk %d is out of order", i)
			}
		}
		if len(taken) != best || !within(taken, r) {
			t.Fatalf("%d chunks, within the limits: %v; %d are possible", len(taken), within(taken, r), best)
		}
	})
}

// within counts a pack as the contract says.
func within(some []Candidate, r Rules) bool {
	publishers, topTier, low := map[string]int{}, 0, 0
	for _, c := range some {
		publishers[Publisher(c.Publisher)]++
		switch c.Tier {
		case 1, 2:
			topTier++
		case 3:
		default:
			low++
		}
	}
	for _, n := range publishers {
		if n*100 > len(some)*r.PublisherPercent {
			return false
		}
	}
	return topTier*100 >= len(some)*r.TopTierPercent && low*100 <= len(some)*r.MonitorPercent
}

func TestBuild(t *testing.T) {
	var all []Candidate
	for i := range 60 {
		all = append(all, candidate(i, "Reuters", 2, .9, "2026-02-10"))
	}
	all = append(all, candidate(60, "Federal Reserve", 1, .6, "2026-02-10"), candidate(61, "Blog", 4, .5, "2026-02-10"), candidate(62, "Journal", 3, .5, "2026-02-10"),
		candidate(63, "Federal Reserve", 1, .55, "2026-02-10"), candidate(64, "Old", 1, .9, "2025-12-01"), candidate(65, "Older news", 2, .2, "2026-01-20"),
		candidate(66, "Context", 2, .8, "2026-01-20"), candidate(67, "Undated", 1, 1, ""), candidate(68, "Unlike", 1, .01, "2026-02-10"))
	p, err := Build(all, day, contractRules())
	if err != nil {
		t.Fatal(err)
	}
	// Five chunks are not Reuters', who may have 40 %: eight in all, three of
	// Reuters'. Tier 4 may have 15 %, one of eight.
	want := Stats{UniquePublishers: 5, Tier1: 25, Tier2: 50, Tier3: 13, Tier4: 13, MaxPublisher: 38}
	if diff := cmp.Diff(want, p.Stats); diff != "" || len(p.Chunks) != 8 {
		t.Errorf("%d chunks\n%s", len(p.Chunks), diff)
	}
	notes := strings.Join(p.Notes, "\n")
	for _, part := range []string{"older than 30 days", "no date", "less than 10 %", "older than 7 days and share less than 50 %", "8 of 65 chunks taken", "Reuters has 60 of 65"} {
		if !strings.Contains(notes, part) {
			t.Errorf("the notes do not say %q:\n%s", part, notes)
		}
	}
	m := p.Metadata("pack_1", "rates", day)
	if len(m.Chunks) != 8 || m.GeneratedAt != "2026-02-11T08:00:00Z" || m.Stats != want {
		t.Errorf("metadata %+v", m)
	}
}

func TestImpossibleLimitsAreTold(t *testing.T) {
	n := 0
	for _, c := range []struct {
		name string
		in   []Candidate
		want string
	}{
		{"nothing", nil, "nothing in the archive has a word of the query"},
		{"one publisher", []Candidate{candidate(1, "Reuters", 1, 1, "2026-02-10"), candidate(2, "Reuters", 2, 1, "2026-02-10")}, "publishers: 1 in all, Reuters has 2 of 2 chunks, at most 40 % allowed"},
		{"no publisher", []Candidate{candidate(1, "", 1, 1, "2026-02-10"), candidate(2, "", 2, 1, "2026-02-10")}, "publishers that are not named has 2 of 2"},
		{"low tiers", []Candidate{candidate(1, "A", 3, 1, "2026-02-10"), candidate(2, "B", 3, 1, "2026-02-10"), candidate(3, "C", 3, 1, "2026-02-10")}, "tiers: 0 of 3 chunks are of tier 1 or 2, at least 50 % wanted"},
		{"monitor only", []Candidate{candidate(1, "A", 4, 1, "2026-02-10"), candidate(2, "B", 0, 1, "2026-02-10"), candidate(3, "C", 4, 1, "2026-02-10")}, "tiers: 3 of 3 chunks are of tier 4 or not rated, at most 15 % allowed"},
		{"old", []Candidate{candidate(1, "A", 1, 1, "2025-02-10")}, "1 chunks left out: they are older than 30 days"},
	} {
		p, err := Build(c.in, day, contractRules())
		if p != nil || err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
		n++
	}
	if n != 6 {
		t.Errorf("%d cases", n)
	}
}

func TestChunkSizes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := contractRules()
		r.ChunkTokens = rapid.IntRange(MinChunkTokens, MaxChunkTokens).Draw(t, "size")
		r.OverlapTokens = rapid.IntRange(0, (r.ChunkTokens-1)/2).Draw(t, "overlap")
		n := rapid.IntRange(1, 4000).Draw(t, "tokens")
		text := strings.Repeat("word. ", n-1) + "word.\n"
		all, err := Chunks(canon.NewDocument([]byte(text)), nil, r)
		if err != nil {
			t.Fatal(err)
		}
		end := 0
		for i, c := range all {
			if c.Tokens > MaxChunkTokens || c.Tokens < min(n, MinChunkTokens) || i < len(all)-1 && c.Tokens != r.ChunkTokens {
				t.Fatalf("chunk %d of %d of %d tokens has %d", i, len(all), n, c.Tokens)
			}
			start := c.Span.From.Offset
			if i < len(all)-1 && i > 0 && (end-start+1)/6 != r.OverlapTokens || start > end+1 {
				t.Fatalf("chunk %d begins at %d, the one before ends at %d: want an overlap of %d tokens", i, start, end, r.OverlapTokens)
			}
			end = c.Span.To.Offset
		}
		if len(all) == 0 || end != len(text)-1 {
			t.Fatalf("the chunks end at %d of %d", end, len(text)-1)
		}
	})
}

func TestChunksHoldPassages(t *testing.T) {
	text := strings.Repeat("word ", 600) + "mill. " + strings.Repeat("other ", 600) + "wheel.\n"
	d := canon.NewDocument([]byte(text))
	all, err := Chunks(d, nil, contractRules())
	if err != nil {
		t.Fatal(err)
	}
	mill := retrieve.Passage{Span: all[1].Span, Terms: []retrieve.Term{{IDF: 3, Found: true}, {IDF: 1}}}
	some, err := Chunks(d, []retrieve.Passage{mill}, contractRules())
	if err != nil || len(some) != 2 { // the passage begins where two chunks overlap
		t.Fatalf("%d chunks, %v", len(some), err)
	}
	if some[0].Similarity != .75 {
		t.Errorf("similarity %v, want 3 of 4", some[0].Similarity)
	}
}

func TestRulesCheck(t *testing.T) {
	for _, r := range []Rules{contractRules(), plainRules()} {
		if err := r.Check(); err != nil {
			t.Error(err)
		}
	}
	n := 0
	for _, change := range []func(*Rules){
		func(r *Rules) { r.MaxChunks = 41 }, func(r *Rules) { r.ChunkTokens = 299 }, func(r *Rules) { r.OverlapTokens = 250 },
		func(r *Rules) { r.ContextDays = 7 }, func(r *Rules) { r.RecentDays = 0 }, func(r *Rules) { r.RecencyWeight = 31 }, func(r *Rules) { r.PublisherPercent = 0 },
	} {
		r := contractRules()
		change(&r)
		if r.Check() == nil {
			t.Errorf("%+v passes", r)
		}
		if _, err := Build(nil, day, r); err == nil {
			t.Errorf("%+v builds", r)
		}
		n++
	}
	if n != 7 {
		t.Errorf("%d cases", n)
	}
}

func TestPublisher(t *testing.T) {
	n := 0
	for _, pair := range [][2]string{{"The Reuters", "reuters"}, {"Reuters, Inc.", "REUTERS"}, {"The", "the"}, {"Thomson  Reuters Corp.", "thomson reuters"}} {
		if Publisher(pair[0]) != Publisher(pair[1]) {
			t.Errorf("%q and %q are two publishers", pair[0], pair[1])
		}
		n++
	}
	if n != 4 || Publisher("A") == Publisher("B") || Publisher(" – ") != "" {
		t.Error("publishers are not told apart")
	}
}
