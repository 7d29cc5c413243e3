package draft

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"muniment/archive/holdings"
	"muniment/archive/problem"
	"muniment/canon"
	"muniment/cid"
	"muniment/cite"
	"muniment/draft/contract"
	"muniment/draft/pack"
	"muniment/draft/profile"
	"muniment/engine"
	"muniment/judge"
	"muniment/judge/model/entail"
	"muniment/ledger"
	"muniment/objects"
	"muniment/policy"
	"muniment/search/retrieve"
	"muniment/snapshot/record"
)

// maxOnFile is how many citations of the ledger a repair looks at.
const maxOnFile = 5000

// A checker judges the drafts of one check by a profile and the citations on file.
type checker struct {
	engine  *engine.Engine
	rules   *profile.Profile
	options CheckOptions
	ledger  *ledger.Ledger
	context contract.Context
	catalog *holdings.Catalog
	tree    objects.Hash
	names   []string // of the archive's subject

	citations  []ledger.Citation             // that may be attached
	byNumber   map[int64]ledger.Citation     // citations, and those of the pages that were read
	pages      map[int64]bool                // that were read, by number; see find
	end        int64                         // no citation has this number or a larger one; 0 while not known
	successors map[int64]int64               // citations that another one supersedes
	seen       map[string]filedEvidence      // evidence by the id that a draft gives it
	rungs      map[string]sentenceSupport    // by sentence and citations; see weigh
	opposed    map[int64][]contract.Evidence // what contradicts a citation; see against
	compared   map[string]comparedSentence   // by sentence and what its draft says before it; see closest
	numbers    map[string]int64
	documents  map[string]*canon.Document

	pack        *pack.Metadata
	packFailure string
	judge       *entail.Judge     // nil until a claim needs one
	entailed    map[string]string // its verdicts, by claim and citation
	model       string            // which judged last
	unread      bool              // its last reply had no verdict
	standing    []contract.Claim  // the cited claims of the draft that stand as drafted
	warnings    []string
	before      int // claims that stood before repair
}

// A filedEvidence is evidence with its entry in the ledger.
type filedEvidence struct {
	evidence contract.Evidence
	entry    ledger.Citation
	terms    []string // content words of what was cited
}

// newChecker returns a checker over the citations that the caller may read.
func newChecker(e *engine.Engine, rules *profile.Profile, o CheckOptions) (*checker, error) {
	a := e.Archive()
	l, err := ledger.Of(a)
	if err != nil {
		return nil, err
	}
	tree, err := a.NewestTree()
	if err != nil {
		return nil, err
	}
	c := e.Catalog(tree)
	p, err := a.ReadPolicy(tree)
	if err != nil {
		return nil, err
	}
	k := &checker{engine: e, rules: rules, options: o, ledger: l, catalog: c, tree: tree, seen: map[string]filedEvidence{}, numbers: map[string]int64{}, documents: map[string]*canon.Document{},
		byNumber: map[int64]ledger.Citation{}, pages: map[int64]bool{}, rungs: map[string]sentenceSupport{}, opposed: map[int64][]contract.Evidence{}, compared: map[string]comparedSentence{}}
	k.names = p.Subject.Names()
	f := e.Caller().Narrow(ledger.Filter{Session: e.Caller().Session, Limit: maxOnFile})
	if k.citations, err = l.List(f); err != nil {
		return nil, problem.Wrap(err, "ledger")
	}
	k.citations = slices.DeleteFunc(k.citations, func(one ledger.Citation) bool { return !k.sees(&one) })
	ordinals := make([]int64, len(k.citations))
	for i := range k.citations {
		ordinals[i] = k.citations[i].Ordinal
		k.byNumber[ordinals[i]] = k.citations[i]
	}
	if k.successors, err = l.Superseded(ordinals); err != nil {
		return nil, problem.Wrap(err, "ledger")
	}
	k.context = contract.Context{Lookup: k.lookupCited, Support: k.support, Closest: k.closest, Day: o.On, Outline: !e.Reader().Door().SeesAll()}
	if day, err := time.Parse(time.DateOnly, o.On); err == nil && rules.Pack.ContextDays > 0 {
		k.context.Horizon = day.AddDate(0, 0, -rules.Pack.ContextDays).Format(time.DateOnly)
	}
	if k.context.Freeform, err = allowsFreeform(a, rules, policy.Requestor{Name: o.Requestor, Tier: o.Tier}); err != nil {
		return nil, err
	}
	k.context.Available = k.available()
	return k, nil
}

// sees reports whether the caller may see the words of a citation; where that cannot be
// found out, it may not.
func (k *checker) sees(one *ledger.Citation) bool {
	sees, err := k.engine.SeesCitation(k.catalog, one)
	return err == nil && sees
}

// available returns all the evidence on file whose words are there, by number: what is unverified counts for no
// sentence, and says what its source holds all the same.
func (k *checker) available() []contract.Evidence {
	var out []contract.Evidence
	for i := range k.citations {
		if ev, ok := k.lookup(strconv.FormatInt(k.citations[i].Ordinal, 10)); ok && (ev.Invalid == "" || ev.Unverified) {
			out = append(out, ev)
		}
	}
	return out
}

// availableFor returns the available evidence that claims rest on or that has a content word of one of them, and that of some numbers.
func (k *checker) availableFor(claims []contract.Claim, numbers []int64) []contract.Evidence {
	wanted := map[int64]bool{}
	for _, n := range numbers {
		wanted[n] = true
	}
	for _, c := range claims {
		for _, e := range c.Evidence {
			wanted[e.Number] = true
		}
		for _, one := range k.near(c.Text, 0, func(*contract.Evidence) bool { return true }) {
			wanted[one.Ordinal] = true
		}
	}
	return slices.DeleteFunc(k.available(), func(e contract.Evidence) bool { return !wanted[e.Number] })
}

// addPackSources adds the sources of a pack to the available evidence; they have no number
// to be cited by.
func (k *checker) addPackSources(p *PackResult) {
	for i, c := range p.Chunks {
		id, err := cid.Parse(strings.Split(c.ChunkID, "#")[0])
		if err != nil {
			continue
		}
		h, ok := k.firstRecord(id)
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
	c, ok := k.find(n)
	if !ok {
		return contract.Evidence{}, false
	}
	if s := k.engine.Caller().Session; s != "" && c.Session != s {
		return contract.Evidence{}, false
	}
	if !k.engine.Caller().May(engine.ActReadCitation, engine.OwnerOf(&c)) {
		return contract.Evidence{}, false
	}
	ev := k.evidence(id, &c)
	k.seen[id], k.numbers[id] = filedEvidence{ev, c, retrieve.ContentWords(c.Text, nil)}, n
	return ev, true
}

// citationPage is how many citations are read at a time to look one up by its
// number: a draft may name thousands of numbers, none of them on file.
const citationPage = 1024

// find returns the citation with a number, whoever registered it, whose words the caller
// may see.
func (k *checker) find(n int64) (ledger.Citation, bool) {
	c, ok := k.byNumber[n]
	page := (n - 1) / citationPage
	if ok || k.pages[page] || k.end > 0 && n >= k.end {
		return c, ok
	}
	list, err := k.ledger.List(ledger.Filter{After: page * citationPage, Limit: citationPage})
	if err != nil {
		return c, false
	}
	k.pages[page] = true
	numbers := make([]int64, len(list))
	last := page * citationPage
	for i := range list {
		last = list[i].Ordinal
		if numbers[i] = last; k.sees(&list[i]) {
			k.byNumber[last] = list[i]
		}
	}
	if len(list) < citationPage {
		k.end = last + 1
	}
	if newer, err := k.ledger.Superseded(numbers); err == nil {
		maps.Copy(k.successors, newer)
	}
	c, ok = k.byNumber[n]
	return c, ok
}

// evidence returns a citation on file as a draft may use it now, with what makes
// it invalid.
func (k *checker) evidence(id string, c *ledger.Citation) contract.Evidence {
	ev := contract.Evidence{ID: id, Number: c.Ordinal, UUID: engine.ContractID(k.engine.Archive().ID(), c), Document: c.Artifact, Chunk: c.Artifact + "#" + c.Span}
	artifact, err := cid.Parse(c.Artifact)
	var h holdings.StoredRecord
	ok := false
	if err == nil {
		if h, ok = k.firstRecord(artifact); !ok {
			h, ok, err = k.catalog.FindRecord(artifact)
			ok = ok && err == nil
		}
	}
	switch {
	case c.Status == ledger.Failed:
		ev.Invalid, ev.Contradicts = "its verification failed: "+c.Notes, c.Verdict == cite.ClaimContradicted
	case k.successors[c.Ordinal] > 0:
		ev.Invalid = fmt.Sprintf("citation %d supersedes it", k.successors[c.Ordinal])
	case !ok:
		ev.Invalid = "its source is not in the archive"
	case c.Span == "":
		ev.Invalid = "it names no place"
	}
	if !ok {
		return ev
	}
	plain := h.Record
	if h.Record, err = k.engine.Reader().Door().DescribeKnown(plain); err != nil || h.Record == nil { // references name nobody whom the archive protects
		ev.Invalid = "its source is not in the archive"
		return ev
	}
	describeSource(&ev, h.Record, h.Label())
	ev.Names = append(ev.Names, k.names...)
	if fault := k.sourceFault(plain); fault != "" {
		ev.Invalid = fault
	}
	if c.Relation == cite.MetadataFact {
		ev.Snippet = c.Text
		return k.withStatus(ev, c)
	}
	q, rest, err := k.quote(c)
	switch {
	case err != nil && ev.Invalid == "":
		ev.Invalid = "its words are not there: " + err.Error()
	case ev.Paywall:
		ev.Snippet = ev.Title // its body is not for quoting
	case err == nil:
		ev.Quote, ev.Around = &q, rest
	}
	return k.withStatus(ev, c)
}

// withStatus returns evidence that counts for nothing where its citation is not verified.
func (k *checker) withStatus(ev contract.Evidence, c *ledger.Citation) contract.Evidence {
	if ev.Invalid == "" {
		switch said, err := k.engine.Reviews().WeighPeople(c, k.rules.Reviews); {
		case err != nil:
			ev.Invalid = "its reviews cannot be read: " + err.Error()
			return ev
		case said.Verdict == cite.ClaimFollows:
			ev.Confirmed = strings.TrimSpace(c.Claim)
			return ev
		case k.rules.Reviews > 0:
			ev.Unverified, ev.Invalid = true, "it counts for nothing: "+said.Reason
			return ev
		}
	}
	if c.Verdict == cite.ClaimJudged && c.Status == ledger.Unverified && k.rules.JudgedClaims() != policy.JudgedNever {
		return ev // the words are there; whether a sentence follows from them is asked of each sentence
	}
	if ev.Invalid == "" && c.Status != ledger.Verified {
		ev.Unverified, ev.Invalid = true, fmt.Sprintf("it is %s, so it counts for nothing", c.Status)
		if c.Notes != "" {
			ev.Invalid += ": " + c.Notes
		}
	}
	return ev
}

// lookupCited is lookup with what contradicts the evidence: asked of what a draft names alone, not of all on file.
func (k *checker) lookupCited(id string) (contract.Evidence, bool) {
	ev, ok := k.lookup(id)
	if ok {
		ev.Against = k.against(ev.Number)
	}
	return ev, ok
}

// against returns the citations that contradict one, or that it contradicts, as far as they count still.
func (k *checker) against(number int64) []contract.Evidence {
	if out, known := k.opposed[number]; known {
		return out
	}
	links, err := k.ledger.Links(number)
	if err != nil {
		return nil
	}
	var out []contract.Evidence
	for _, l := range links {
		other := l.To
		if other == number {
			other = l.From
		}
		if l.Type != "contradicts" || other == number {
			continue
		}
		if c, ok := k.find(other); ok && c.Status != ledger.Failed && k.successors[other] == 0 {
			out = append(out, contract.Evidence{Number: other})
		}
	}
	k.opposed[number] = out
	return out
}

// describeSource fills in the fields of evidence that a record holds about its
// source.
func describeSource(ev *contract.Evidence, rec *record.Record, label string) {
	ev.SourceID = sourceKey(rec, ev.Document)
	ev.Title = label
	ev.FetchedAt = rec.Time
	s := rec.Source
	if s == nil {
		s = &record.Source{}
	}
	ev.Publisher, ev.URL, ev.PublishedAt, ev.Tier, ev.Tags = s.Publisher, s.URL, s.PublishedAt, s.Tier, s.Tags
	ev.Names = append(ev.Names, s.Creators...)
	ev.Paywall = s.PaywallPolicy == record.PaywallMetadataOnly
	if holdings.IsUnaccepted(rec) { // the claimant's own words: the lowest tier, and nobody's independent publication
		ev.Publisher, ev.Tier = "", 4
	}
	if s.Title != "" {
		ev.Title = s.Title
	}
	if s.FetchedAt != "" {
		ev.FetchedAt = s.FetchedAt
	}
}

// sourceFault returns the fault of a source by the registry of the options,
// or "".
func (k *checker) sourceFault(rec *record.Record) string {
	if k.options.Registry == nil || rec.Source == nil || rec.Source.URL == "" {
		return ""
	}
	key := rec.Facts["source_id"]
	if key == "" {
		return "its source is in no registry"
	}
	entry, ok := k.options.Registry.ByID(key)
	switch {
	case !ok:
		return "source " + key + " is not in the registry"
	case !entry.Matches(rec.Source.URL):
		return "its address is none of source " + key
	}
	return ""
}

// quote returns the words of a citation with their place in code points, and the rest of their paragraphs.
func (k *checker) quote(c *ledger.Citation) (q contract.Quote, rest judge.Passage, err error) {
	d, err := k.document(c.Artifact)
	if err != nil {
		return q, rest, err
	}
	span, err := cite.ParseSpan(c.Span)
	if err != nil {
		return q, rest, err
	}
	from, to, err := cite.Resolve(d, span)
	if err != nil {
		return q, rest, err
	}
	if rest, err = judge.At(d, span, k.paperOf(c)); err != nil {
		return q, rest, err
	}
	q.Text = string(d.Payload()[from:to])
	if q.Start, err = d.CodePoint(from); err == nil {
		q.End, err = d.CodePoint(to)
	}
	return q, rest, err
}

// firstRecord returns the record that describes an artifact, and whether the tree
// has one that can be read.
func (k *checker) firstRecord(id cid.ID) (holdings.StoredRecord, bool) {
	art, err := k.catalog.Artifact(id)
	if err != nil || art == nil {
		return holdings.StoredRecord{}, false
	}
	return art.FirstRecord()
}

// document returns the text of an artifact.
func (k *checker) document(artifact string) (*canon.Document, error) {
	if d := k.documents[artifact]; d != nil {
		return d, nil
	}
	id, err := cid.ParseAs(cid.Raw, artifact)
	if err != nil {
		return nil, err
	}
	art, err := k.catalog.Artifact(id)
	if err != nil {
		return nil, err
	}
	if art == nil {
		return nil, fmt.Errorf("no artifact %s", artifact)
	}
	d, err := k.engine.Archive().Document(k.tree, art)
	if err != nil {
		return nil, err
	}
	k.documents[artifact] = d
	return d, nil
}

// ids returns the ids of evidence.
func ids(all []contract.Evidence) []string {
	out := make([]string, len(all))
	for i := range all {
		out[i] = all[i].ID
	}
	return out
}

// entries returns the citations of the ids that count.
func (k *checker) entries(ids []string) []ledger.Citation {
	var out []ledger.Citation
	for _, id := range ids {
		if ev, ok := k.lookup(id); ok && ev.Invalid == "" {
			out = append(out, k.seen[id].entry)
		}
	}
	return out
}
