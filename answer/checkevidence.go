package answer

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"muniment/answer/assign"
	"muniment/answer/contract"
	"muniment/answer/gate"
	"muniment/answer/model"
	"muniment/answer/pack"
	"muniment/answer/policy"
	"muniment/answer/profile"
	"muniment/answer/repair"
	"muniment/answer/retrieve"
	"muniment/answer/segment"
	"muniment/archive"
	"muniment/canon"
	"muniment/cid"
	"muniment/cite"
	"muniment/engine"
	"muniment/ledger"
	"muniment/objects"
	"muniment/snapshot/record"
)

// maxOnFile is how many citations of the ledger a repair looks at.
const maxOnFile = 5000

// A checker holds what the drafts of one check are held against.
type checker struct {
	engine  *engine.Engine
	rules   *profile.Profile
	options CheckOptions
	ledger  *ledger.Ledger
	context contract.Context
	catalog *archive.Catalog
	tree    objects.Hash
	names   []string // of the archive's subject

	onFile  []ledger.Citation // that may be attached
	newer   map[int64]int64   // citations that another one supersedes
	seen    map[string]onFile // evidence by the id that a draft gives it
	numbers map[string]int64
	docs    map[string]*canon.Document

	pack        *pack.Metadata
	packFailure string
	warnings    []string
	before      int // claims that stood before repair
}

// onFile is evidence with its entry in the ledger.
type onFile struct {
	evidence contract.Evidence
	entry    ledger.Citation
}

func newChecker(e *engine.Engine, rules *profile.Profile, o CheckOptions) (*checker, error) {
	a := e.Archive()
	l, err := a.Ledger()
	if err != nil {
		return nil, err
	}
	tree, err := a.NewestTree()
	if err != nil {
		return nil, err
	}
	c, err := a.Catalog(tree)
	if err != nil {
		return nil, err
	}
	p, err := a.ReadPolicy(tree)
	if err != nil {
		return nil, err
	}
	k := &checker{engine: e, rules: rules, options: o, ledger: l, catalog: c, tree: tree, seen: map[string]onFile{}, numbers: map[string]int64{}, docs: map[string]*canon.Document{}}
	if p.Subject.Name != "" {
		k.names = append([]string{p.Subject.Name}, p.Subject.Aliases...)
	}
	f := e.Caller().Narrow(ledger.Filter{Session: e.Caller().Session, Limit: maxOnFile})
	if k.onFile, err = l.List(f); err != nil {
		return nil, archive.Environment(err, "ledger")
	}
	ordinals := make([]int64, len(k.onFile))
	for i := range k.onFile {
		ordinals[i] = k.onFile[i].Ordinal
	}
	if k.newer, err = l.Superseded(ordinals); err != nil {
		return nil, archive.Environment(err, "ledger")
	}
	k.context = contract.Context{Lookup: k.lookup, Support: k.support}
	if k.context.Freeform, err = freeform(a, rules, policy.Requestor{Name: o.Requestor, Tier: o.Tier}); err != nil {
		return nil, err
	}
	k.context.Available = k.available()
	return k, nil
}

// available is all the evidence on file that counts, by number.
func (k *checker) available() []contract.Evidence {
	var out []contract.Evidence
	for i := range k.onFile {
		if ev, ok := k.lookup(strconv.FormatInt(k.onFile[i].Ordinal, 10)); ok && ev.Invalid == "" {
			out = append(out, ev)
		}
	}
	return out
}

// addPacked makes the sources of a pack known as available; they have no number
// to be cited by.
func (k *checker) addPacked(p *PackResult) {
	for i, c := range p.Chunks {
		id, err := cid.Parse(strings.Split(c.ChunkID, "#")[0])
		if err != nil || k.catalog.ByID[id] == nil {
			continue
		}
		h, ok := k.catalog.ByID[id].FirstRecord()
		if !ok {
			continue
		}
		ev := contract.Evidence{ID: fmt.Sprintf("pack-%d", i+1), Document: id.String(), Chunk: c.ChunkID}
		describeSource(&ev, h.Record, "")
		k.context.Available = append(k.context.Available, ev)
	}
}

// lookup returns the evidence that a mark names: a citation's number (3, g3,
// ^3), within the caller's session where it has one.
func (k *checker) lookup(id string) (contract.Evidence, bool) {
	if one, ok := k.seen[id]; ok {
		return one.evidence, true
	}
	n, err := strconv.ParseInt(strings.TrimLeft(id, "g^"), 10, 64)
	if err != nil || n < 1 {
		return contract.Evidence{}, false
	}
	var c ledger.Citation
	at := slices.IndexFunc(k.onFile, func(c ledger.Citation) bool { return c.Ordinal == n })
	if at >= 0 {
		c = k.onFile[at]
	} else if c, _, err = k.engine.Find(strconv.FormatInt(n, 10)); err != nil {
		return contract.Evidence{}, false
	} else if newer, err := k.ledger.Superseded([]int64{n}); err == nil && newer[n] > 0 {
		k.newer[n] = newer[n]
	}
	if s := k.engine.Caller().Session; s != "" && c.Session != s {
		return contract.Evidence{}, false
	}
	if !k.engine.Caller().May(engine.ActReadCitation, engine.OwnerOf(&c)) {
		return contract.Evidence{}, false
	}
	ev := k.evidence(id, &c)
	k.seen[id], k.numbers[id] = onFile{ev, c}, n
	return ev, true
}

// evidence says what a citation on file is worth now.
func (k *checker) evidence(id string, c *ledger.Citation) contract.Evidence {
	ev := contract.Evidence{ID: id, Number: c.Ordinal, Document: c.Artifact, Chunk: c.Artifact + "#" + c.Span}
	artifact, err := cid.Parse(c.Artifact)
	var h archive.StoredRecord
	ok := false
	if err == nil {
		if art := k.catalog.ByID[artifact]; art != nil {
			h, ok = art.FirstRecord()
		} else {
			h, ok = k.catalog.FindRecord(artifact)
		}
	}
	switch {
	case c.Status == ledger.Failed:
		ev.Invalid = "its verification failed: " + c.Notes
	case k.newer[c.Ordinal] > 0:
		ev.Invalid = fmt.Sprintf("citation %d supersedes it", k.newer[c.Ordinal])
	case !ok:
		ev.Invalid = "its source is not in the archive"
	case c.Span == "":
		ev.Invalid = "it names no place"
	}
	if !ok {
		return ev
	}
	describeSource(&ev, h.Record, h.Label())
	if entry, wrong := k.misplaced(h.Record); wrong {
		ev.Invalid = entry
	}
	if c.Relation == cite.MetadataFact {
		ev.Snippet = c.Text
		return ev
	}
	words, start, end, err := k.words(c)
	switch {
	case err != nil && ev.Invalid == "":
		ev.Invalid = "its words are not there: " + err.Error()
	case ev.Paywall:
		ev.Snippet = ev.Title // its body is not for quoting
	case err == nil:
		ev.Quote = &contract.Quote{Start: start, End: end, Text: words}
	}
	return ev
}

// describeSource fills in what a record knows of a source.
func describeSource(ev *contract.Evidence, rec *record.Record, label string) {
	ev.SourceID = sourceKey(rec, ev.Document)
	ev.Title = label
	ev.FetchedAt = rec.Time
	s := rec.Source
	if s == nil {
		return
	}
	ev.Publisher, ev.URL, ev.PublishedAt, ev.Tier, ev.Tags = s.Publisher, s.URL, s.PublishedAt, s.Tier, s.Tags
	ev.Paywall = s.PaywallPolicy == record.PaywallMetadataOnly
	if s.Title != "" {
		ev.Title = s.Title
	}
	if s.FetchedAt != "" {
		ev.FetchedAt = s.FetchedAt
	}
}

// misplaced compares a source's address with the registry that was given.
func (k *checker) misplaced(rec *record.Record) (string, bool) {
	key := rec.Facts["source_id"]
	if k.options.Registry == nil || rec.Source == nil || rec.Source.URL == "" {
		return "", false
	}
	if key == "" {
		return "its source is in no registry", true
	}
	entry, ok := k.options.Registry.ByID(key)
	switch {
	case !ok:
		return "source " + key + " is not in the registry", true
	case !entry.Matches(rec.Source.URL):
		return "its address is none of source " + key, true
	}
	return "", false
}

// words returns the words of a citation and their place in code points.
func (k *checker) words(c *ledger.Citation) (words string, start, end int, err error) {
	d, err := k.open(c.Artifact)
	if err != nil {
		return "", 0, 0, err
	}
	span, err := cite.ParseSpan(c.Span)
	if err != nil {
		return "", 0, 0, err
	}
	from, to, err := cite.Resolve(d, span)
	if err != nil {
		return "", 0, 0, err
	}
	if start, err = d.CodePoint(from); err != nil {
		return "", 0, 0, err
	}
	end, err = d.CodePoint(to)
	return string(d.Payload()[from:to]), start, end, err
}

// open returns the text of an artifact.
func (k *checker) open(artifact string) (*canon.Document, error) {
	if d := k.docs[artifact]; d != nil {
		return d, nil
	}
	id, err := cid.ParseAs(cid.Raw, artifact)
	if err != nil {
		return nil, err
	}
	art := k.catalog.ByID[id]
	if art == nil {
		return nil, fmt.Errorf("no artifact %s", artifact)
	}
	d, err := k.engine.Archive().Document(k.tree, art)
	if err != nil {
		return nil, err
	}
	k.docs[artifact] = d
	return d, nil
}

// align holds a claim against the words of one citation.
func (k *checker) align(claim segment.Claim, c *ledger.Citation) (assign.Evidence, error) {
	span, err := cite.ParseSpan(c.Span)
	if err != nil {
		return assign.Evidence{}, err
	}
	p := retrieve.Passage{Artifact: c.Artifact, Span: span, Text: c.Text}
	if id, err := cid.Parse(c.Artifact); err == nil && k.catalog.ByID[id] != nil {
		if h, ok := k.catalog.ByID[id].FirstRecord(); ok && h.Record.Source != nil {
			p.Date, p.Lang = h.Record.Source.PublishedAt, h.Record.Source.Language
			if len(h.Record.Source.Creators) > 0 {
				p.Author = h.Record.Source.Creators[0]
			}
		}
	}
	return assign.Assign(claim, []retrieve.Passage{p}, k.open, k.names...)
}

// reached returns the best rung that a sentence reaches on one of the entries,
// each of its claims by itself, and the test that kept it from support.
func (k *checker) reached(sentence string, entries []ledger.Citation) (rung cite.Rung, failed string) {
	rung = cite.Supported
	claims := segment.Claims(sentence, "en")
	if len(claims) == 0 {
		return cite.Refused, "words"
	}
	for _, claim := range claims {
		best, why := cite.Refused, "words"
		for i := range entries {
			if entries[i].Relation == cite.MetadataFact {
				continue
			}
			ev, err := k.align(claim, &entries[i])
			if err != nil {
				continue
			}
			switch r := cite.Judge(ev.Input()).Rung; {
			case r == cite.Supported || r == cite.Narrowed:
				best = cite.Supported
			case r == cite.Labeled && best == cite.Refused && !gate.HedgeStacked(claim.Text) && Falsifiable(claim.Text):
				best = cite.Labeled
			case len(ev.Tests) > 0:
				why = ev.Tests[0]
			}
		}
		if best != cite.Supported && rung != cite.Refused {
			rung, failed = best, why
		}
	}
	return rung, failed
}

// support is the rule of claims that must follow from what they cite.
func (k *checker) support(claim string, cited []contract.Evidence) string {
	rung, failed := k.reached(claim, k.entries(ids(cited)))
	if rung == cite.Supported || rung == cite.Labeled {
		return ""
	}
	return "it does not follow from the words cited: the test of " + failed + " fails"
}

func ids(all []contract.Evidence) []string {
	out := make([]string, len(all))
	for i := range all {
		out[i] = all[i].ID
	}
	return out
}

func (k *checker) entries(ids []string) []ledger.Citation {
	var out []ledger.Citation
	for _, id := range ids {
		if ev, ok := k.lookup(id); ok && ev.Invalid == "" {
			out = append(out, k.seen[id].entry)
		}
	}
	return out
}

// candidates are the citations on file that share most with a claim, best first.
func (k *checker) candidates(claim string) []ledger.Citation {
	const most = 16 // of which the right one is one, if there is any
	wanted := retrieve.ContentWords(claim, nil)
	type scored struct {
		entry ledger.Citation
		share int
	}
	var all []scored
	for i := range k.onFile {
		c := &k.onFile[i]
		id := strconv.FormatInt(c.Ordinal, 10)
		if ev, ok := k.lookup(id); !ok || ev.Invalid != "" || ev.Paywall || c.Relation == cite.MetadataFact {
			continue
		}
		have, share := retrieve.ContentWords(c.Text, nil), 0
		for _, w := range wanted {
			if slices.Contains(have, w) {
				share++
			}
		}
		if share*2 >= len(wanted) && share > 0 {
			all = append(all, scored{*c, share})
		}
	}
	slices.SortStableFunc(all, func(a, b scored) int { return cmp.Compare(b.share, a.share) })
	var out []ledger.Citation
	for _, s := range all[:min(len(all), most)] {
		out = append(out, s.entry)
	}
	return out
}

// maxAttached is how many citations a repair puts behind one claim: two
// publishers, and one in reserve.
const maxAttached = 3

// passes are the repairs of a draft, at most two.
func (k *checker) passes(context.Context) []repair.Pass {
	known := repair.Known(func(c contract.Claim) []string {
		return k.attachable(c.Text, func(one ledger.Citation) bool {
			rung, _ := k.reached(c.Text, []ledger.Citation{one})
			return rung == cite.Supported
		})
	})
	if judge := k.engine.Archive().World().Judge; judge != nil {
		return []repair.Pass{known, {By: "model", Run: func(ctx context.Context, draft string, flagged []contract.Claim) (string, error) {
			f := model.Flawed{Draft: draft, Flagged: []string{}, Evidence: k.marked()}
			for _, c := range flagged {
				f.Flagged = append(f.Flagged, draft[c.Start:c.End])
			}
			return judge.Repair(ctx, f)
		}}}
	}
	return []repair.Pass{known, repair.Suggested(func(c contract.Claim) []string {
		return k.attachable(c.Text, func(one ledger.Citation) bool { return k.suggests(c.Text, one) })
	})}
}

func (k *checker) attachable(claim string, holds func(ledger.Citation) bool) []string {
	var out []string
	for _, one := range k.candidates(claim) {
		if len(out) < maxAttached && holds(one) {
			out = append(out, strconv.FormatInt(one.Ordinal, 10))
		}
	}
	return out
}

// suggests reports whether the words of a citation suggest a claim that they do
// not say: as an inference, with the same numbers, names and negations, and
// without a word of its own, since it is put in the mouth of the source.
func (k *checker) suggests(claim string, one ledger.Citation) bool {
	there := retrieve.ContentWords(one.Text, nil)
	for _, w := range retrieve.ContentWords(claim, nil) {
		if !slices.Contains(there, w) {
			return false
		}
	}
	rung, _ := k.reached(repair.Softeners[0]+", "+claim, []ledger.Citation{one})
	return (rung == cite.Labeled || rung == cite.Supported) && len(negations.FindAllString(claim, -1)) == len(negations.FindAllString(one.Text, -1))
}

// negations are words that turn a statement round. An inference has the numbers
// and names of its words, and is not asked for these.
var negations = regexp.MustCompile(`(?i)\b(?:not|no|never|nor|neither|none|nobody|nothing|nowhere|without|hardly|scarcely|barely|cannot|fail(?:s|ed)?|den(?:y|ies|ied)|refus(?:e|es|ed)|nicht|kein\pL*|nie|ohne)\b|n['’]t\b`)

// sameButWording reports whether a claim and the words for it differ in wording only.
func sameButWording(claim, words string) bool {
	switch cite.Compare(claim, words) {
	case cite.ChangedNumber, cite.ChangedNegation, cite.ChangedName:
		return false
	}
	return true
}

// holds decides what a pass has attached: the alignment, or a model's yes where
// nothing but the wording differs.
func (k *checker) holds(ctx context.Context) repair.Holds {
	return func(claim string, ids []string, softened bool) bool {
		entries := k.entries(ids)
		if len(entries) == 0 || len(entries) != len(ids) {
			return false
		}
		for _, one := range entries {
			rung, failed := k.reached(claim, []ledger.Citation{one})
			switch {
			case rung == cite.Supported, softened && k.suggests(claim, one):
			case (failed == "words" || failed == "order") && sameButWording(claim, one.Text) && k.entailed(ctx, claim, one):
			default:
				return false
			}
		}
		return true
	}
}

// entailed asks the model, if there is one, whether the words entail the claim.
func (k *checker) entailed(ctx context.Context, claim string, one ledger.Citation) bool {
	judge := k.engine.Archive().World().Judge
	if judge == nil {
		return false
	}
	j, err := judge.Entails(ctx, model.Question{Claim: claim, Relation: string(cite.Paraphrase), Passage: one.Text})
	return err == nil && j.Verdict == model.Yes
}

// marked lists what a model may cite.
func (k *checker) marked() []model.Evidence {
	const most = 40 // as many chunks as a pack has
	out := []model.Evidence{}
	for _, ev := range k.available() {
		if ev.Quote != nil && len(out) < most {
			out = append(out, model.Evidence{Mark: "[" + ev.ID + "]", Words: ev.Quote.Text})
		}
	}
	return out
}
