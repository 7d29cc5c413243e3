package draft

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"time"

	"muniment/archive"
	"muniment/archive/holdings"
	"muniment/archive/problem"
	"muniment/archive/search"
	"muniment/cid"
	"muniment/draft/pack"
	"muniment/draft/profile"
	"muniment/engine"
	"muniment/ledger"
	"muniment/search/retrieve"
	"muniment/snapshot"
	"muniment/snapshot/record"
	"muniment/text/legible"
)

// PackOptions choose evidence for a question.
type PackOptions struct {
	Query    string
	Profile  string // policy.DefaultProfile when empty
	On       string // the day the question is asked, YYYY-MM-DD; today when empty
	Progress func(done, total int)
}

// A PackResult is an evidence pack with its texts.
type PackResult struct {
	pack.Metadata
	Profile  string      `json:"profile"`
	Snapshot string      `json:"snapshot"`
	Notes    []string    `json:"notes"` // what was left out, and why
	Texts    []PackChunk `json:"texts"`

	Searched search.Coverage `json:"searched"` // which share of the snapshot
}

// A PackChunk is the text of one chunk.
type PackChunk struct {
	ChunkID   string `json:"chunk_id"`
	Name      string `json:"name"`
	Publisher string `json:"publisher,omitempty"`
	Tier      int    `json:"credibility_tier"`
	Published string `json:"published_at,omitempty"`
	Text      string `json:"text"`
}

// Pack chooses evidence for a question by the rules of a profile and keeps what
// was chosen in the ledger. Where the rules allow no pack the error says which
// limits are in the way; nothing is kept then.
func Pack(ctx context.Context, e *engine.Engine, o PackOptions) (*PackResult, error) {
	if strings.TrimSpace(o.Query) == "" {
		return nil, problem.New(problem.Usage, problem.Advise("ask something, as: What moved rates?"), "the question is empty")
	}
	if err := e.Caller().Require(engine.ActCreate, e.Caller().Self()); err != nil {
		return nil, err
	}
	a := e.Archive()
	rules, err := FindProfile(a, o.Profile)
	if err != nil {
		return nil, err
	}
	built, err := buildPack(ctx, a, e.Reader(), o, rules)
	if err != nil {
		return nil, err
	}
	metadata, err := json.Marshal(built.Metadata)
	if err != nil {
		return nil, problem.Wrap(err, "pack")
	}
	l, err := ledger.Of(a)
	if err != nil {
		return nil, err
	}
	_, err = l.AddPack(ledger.Pack{Time: a.World().Now(), PackID: built.PackID, Query: o.Query, Profile: rules.Name, Snapshot: built.Snapshot, Metadata: string(metadata),
		Project: e.Caller().Project, Session: e.Caller().Session, Agent: e.Caller().Agent, User: e.Caller().User})
	if err != nil {
		return nil, problem.Wrap(err, "ledger")
	}
	return built, nil
}

// buildPack returns a pack from the newest snapshot, for a reader.
func buildPack(ctx context.Context, a *archive.Archive, reader search.Reader, o PackOptions, rules *profile.Profile) (*PackResult, error) {
	day := a.World().Now()
	if o.On != "" {
		var err error
		if day, err = time.Parse(time.DateOnly, o.On); err != nil {
			return nil, problem.New(problem.Usage, problem.Next(problem.DoGive, "on", "2026-02-11"), "%q is no day", legible.Printable(o.On))
		}
	}
	head, _, err := a.RequireHead()
	if err != nil {
		return nil, err
	}
	index, c, err := search.Index(ctx, a, head, o.Progress)
	if err != nil {
		return nil, err
	}
	defer index.Close()
	passages, _, err := index.SearchFor(ctx, c, retrieve.Query{Text: o.Query, K: retrieve.MaxK}, reader)
	if err != nil {
		return nil, err
	}
	r := &PackResult{Profile: rules.Name, Snapshot: head.ID.String(), Searched: index.Searched, Notes: []string{}, Texts: []PackChunk{}}
	if index.Notice != "" {
		r.Notes = append(r.Notes, index.Searched.String()+": "+index.Notice)
	}
	candidates, names, err := packCandidates(a, head, c, passages, rules)
	if err != nil {
		return nil, err
	}
	built, err := pack.Build(candidates, day, rules.Pack)
	var limits *pack.LimitError
	if errors.As(err, &limits) || err == nil && len(built.Chunks) == 0 {
		if unsearched := index.Searched.NotSearched(); unsearched != nil {
			return nil, unsearched
		}
	}
	if errors.As(err, &limits) {
		return nil, problem.New(problem.VerdictNegative, problem.Next(engine.DoListProfiles).With("add sources that meet the limits, or choose another profile"), "%w", limits)
	}
	if err != nil {
		return nil, problem.Wrap(err, "pack")
	}
	id, err := packID(a)
	if err != nil {
		return nil, err
	}
	r.Metadata, r.Notes = built.Metadata(id, o.Query, a.World().Now()), append(r.Notes, built.Notes...)
	for _, k := range built.Chunks {
		r.Texts = append(r.Texts, PackChunk{k.ChunkID, names[k.ChunkID], k.Publisher, k.Tier, k.Published, k.Text})
	}
	return r, nil
}

// packCandidates returns the chunks around the passages that were found, paper by paper in
// their order, and the name of the paper of each chunk by the chunk's id.
func packCandidates(a *archive.Archive, head *snapshot.Snapshot, c *holdings.Catalog, passages []retrieve.Passage, rules *profile.Profile) ([]pack.Candidate, map[string]string, error) {
	found := map[string][]retrieve.Passage{}
	var order []string
	for _, p := range passages {
		if found[p.Artifact] == nil {
			order = append(order, p.Artifact)
		}
		found[p.Artifact] = append(found[p.Artifact], p)
	}
	names := map[string]string{}
	var candidates []pack.Candidate
	for _, id := range order {
		parsed, err := cid.Parse(id)
		if err != nil {
			continue
		}
		art, err := c.Artifact(parsed)
		if err != nil {
			return nil, nil, err
		}
		if art == nil {
			continue
		}
		doc, err := a.Document(head.Tree, art)
		if err != nil {
			return nil, nil, err
		}
		chunks, err := pack.Chunks(doc, found[id], rules.Pack)
		if err != nil {
			return nil, nil, problem.Wrap(err, "chunks of "+art.Name())
		}
		h, _ := art.FirstRecord()
		for _, k := range chunks {
			one := packCandidate(h.Record, id)
			one.ChunkID, one.Similarity, one.Text = id+"#"+k.Span.String(), k.Similarity, k.Text
			candidates = append(candidates, one)
			names[one.ChunkID] = art.Name()
		}
	}
	return candidates, names, nil
}

// packCandidate returns a source as its record describes it.
func packCandidate(rec *record.Record, document string) pack.Candidate {
	c := pack.Candidate{SourceID: sourceKey(rec, document)}
	if s := rec.Source; s != nil {
		c.Publisher, c.Tier, c.Published = s.Publisher, s.Tier, s.PublishedAt
		c.Calendar = slices.Contains(s.Tags, "official_calendar")
	}
	return c
}

// sourceKey is the key of a source in its registry; a source that is in none is
// one of its own.
func sourceKey(rec *record.Record, document string) string {
	if key := rec.Facts["source_id"]; key != "" {
		return key
	}
	return document
}

// packID draws a pack_<uuid>: a random one, version 4.
func packID(a *archive.Archive) (string, error) {
	b := make([]byte, 16)
	if _, err := io.ReadFull(a.World().Rand, b); err != nil {
		return "", problem.Wrap(err, "randomness")
	}
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	h := hex.EncodeToString(b)
	return "pack_" + h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:], nil
}
