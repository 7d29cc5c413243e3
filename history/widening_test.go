package history_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"muniment/archive/holdings"
	"muniment/cid"
	"muniment/history"
	"muniment/internal/casecount"
	"muniment/objects"
	"muniment/policy"
	"muniment/snapshot"
	"muniment/snapshot/access"
	"muniment/snapshot/layout"
	"muniment/snapshot/record"
)

// A small archive, from which trees are made.
type papers struct {
	consents map[int]access.Consent
	links    map[int][]int // scans whose text a paper is, each with a record of its own
	rules    policy.Defaults
	labels   []access.SensitiveRule
	cedar    string
}

const count = 6 // papers

// id returns the artifact of a paper.
func id(paper int) cid.ID { return cid.Of([]byte{byte(paper)}) }

// files returns the files of the tree. extra is a number of the last papers that are not in it.
func (p papers) files(t *testing.T, extra int) map[string][]byte {
	t.Helper()
	files, err := policy.DefaultFiles(p.rules)
	if err != nil {
		t.Fatal(err)
	}
	open := p.rules.Consent
	if open == "" {
		open = access.ConsentOpen
	}
	if files[layout.PathConsent], err = (access.ConsentDefault{Default: open, Sensitive: p.labels}).Encode(); err != nil {
		t.Fatal(err)
	}
	if p.cedar != "" {
		files[layout.PathCedar] = append(files[layout.PathCedar], p.cedar...)
	}
	for i := range count - extra {
		for n, scan := range append([]int{-1}, p.links[i]...) {
			r := record.Record{Artifact: id(i).String(), Original: id(i).String(), Names: []string{fmt.Sprintf("paper-%d-%d", i, n)}, MediaType: "image/png",
				Canonicalizer: record.BytesForm, Reason: "a scan", Size: 1, Time: "2024-05-01T12:00:00Z", Agent: "Somebody"}
			if scan >= 0 {
				r.Facts = map[string]string{holdings.FactDerivedFrom: id(scan).String(), holdings.FactTextMade: holdings.MadeByOCR}
			}
			data, err := r.Encode()
			if err != nil {
				t.Fatal(err)
			}
			files[layout.RecordPath(id(i), cid.OfJSON(data))] = data
		}
		if c, ok := p.consents[i]; ok {
			c.Artifact, c.Reason, c.Time, c.Agent = id(i).String(), "a reason", "2024-05-01T12:00:00Z", "Somebody"
			data, err := c.Encode()
			if err != nil {
				t.Fatal(err)
			}
			files[layout.ConsentPath(id(i))] = data
		}
	}
	return files
}

// tree writes files into a batch.
func tree(t *testing.T, b *objects.Batch, files map[string][]byte) objects.Hash {
	t.Helper()
	var edits []objects.Edit
	for _, path := range slices.Sorted(maps.Keys(files)) {
		h, err := b.Put(objects.Blob, files[path])
		if err != nil {
			t.Fatal(err)
		}
		edits = append(edits, objects.Edit{Path: path, Blob: h})
	}
	h, err := b.Edit(objects.Hash{}, edits)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func newBatch(t *testing.T) *objects.Batch {
	t.Helper()
	st, err := objects.InitWith(t.TempDir()+"/archive.git", objects.Hooks{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	b, err := st.NewBatch()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Abort() })
	return b
}

var (
	names = []string{"Ruth Fenwick", "Ruth", "Ruth Fenwick's", "Karl Roth", "Roth", "Ines Roth", "Fenwick Lane", "Miss", "Rob Hill", "Zoe Quill", "Roth Lane"}
	texts = []string{"", "Ruth Fenwick came.", "Ruth Fenwick's lamp", "Ruth Fenwick’s lamp", "RUTH FENWICK", "R. Fenwick", "Mrs. Fenwick", "I. Roth", "Mr. R. H. wrote", "Ines Roth", "Roths Haus",
		"Karl\nRoth", "Mr. R. came", "Miss Roth", "Ruth Fenwick Lane", "Fenwick Lane", "Rob Hill", "Mr. Hill", "Z. Quill", "Karl Roth Lane", "Roth Lane", "Dr. Quill", "Mr. Unlisted"}
	states = []string{access.PersonCleared, access.PersonAnonymized, access.PersonSealed}
	modes  = []string{access.ThirdPartiesOpen, access.ThirdPartiesListed, access.ThirdPartiesStrict}
	rules  = access.SensitiveRules
	cedars = []string{"", "\nforbid (principal, action == Action::\"existence\", resource) when { resource.display };\n",
		"\nforbid (principal, action, resource) when { !resource.sensitive.contains(\"health\") && principal.tier_rank < 1 };\n"}
)

func pick[T any](r *rand.Rand, list []T) T { return list[r.IntN(len(list))] }

func randomConsent(r *rand.Rand) access.Consent {
	c := access.Consent{Inclusion: r.IntN(8) > 0, Surfacing: r.IntN(3) > 0, Display: r.IntN(3) > 0, Existence: r.IntN(3) > 0}
	c.MinTier = pick(r, []string{"", "", "public", "researcher", "family", "board"})
	if r.IntN(3) == 0 {
		c.Sensitive = []string{pick(r, access.SensitiveKinds[:4])}
	}
	if r.IntN(3) == 0 {
		c.Persons = []string{pick(r, names)}
	}
	c.Reading = pick(r, []string{"", "", access.ReadingWhole, access.ReadingExcerpts, access.ReadingNone})
	return c
}

// randomPapers returns an archive in which texts follow scans with greater numbers, so that
// none of them is not there.
func randomPapers(r *rand.Rand) papers {
	p := papers{consents: map[int]access.Consent{}, links: map[int][]int{}, cedar: cedars[max(0, r.IntN(20)-17)]}
	p.rules.Consent, p.rules.ThirdParties = pick(r, []string{access.ConsentOpen, access.ConsentClosed}), pick(r, modes)
	for i := range count {
		if r.IntN(2) == 0 {
			p.consents[i] = randomConsent(r)
		}
		for range r.IntN(3) {
			if i > 0 {
				p.links[i] = append(p.links[i], r.IntN(i))
			}
		}
	}
	for _, i := range r.Perm(len(names))[:r.IntN(4)] {
		p.rules.Persons = append(p.rules.Persons, access.Person{Name: names[i], State: pick(r, states)})
	}
	return p
}

// mutate changes an archive in one to three places.
func (p papers) mutate(r *rand.Rand) papers {
	p.consents, p.links = maps.Clone(p.consents), maps.Clone(p.links)
	p.rules.Persons, p.rules.Tiers = slices.Clone(p.rules.Persons), policy.DefaultTiers()
	for range 1 + r.IntN(3) {
		i := r.IntN(count)
		switch r.IntN(11) {
		case 0:
			p.consents[i] = randomConsent(r)
		case 1: // close something, as a helper does
			c, ok := p.consents[i]
			if !ok {
				c = access.Consent{Inclusion: true, Surfacing: true, Display: true, Existence: true}
			}
			c.Display, c.Existence = false, c.Existence && r.IntN(2) == 0
			p.consents[i] = c
		case 2:
			if i > 0 {
				p.links[i] = append(slices.Clone(p.links[i]), r.IntN(i))
			}
		case 3:
			p.links[i] = nil
		case 4, 5:
			name := pick(r, names)
			at := slices.IndexFunc(p.rules.Persons, func(one access.Person) bool { return one.Name == name })
			if at < 0 {
				at = len(p.rules.Persons)
				p.rules.Persons = append(p.rules.Persons, access.Person{Name: name})
			}
			p.rules.Persons[at].State = pick(r, states)
		case 6:
			p.rules.ThirdParties = pick(r, modes)
		case 7:
			p.labels = []access.SensitiveRule{{Kind: "health", Rule: pick(r, rules)}}
		case 8:
			at := r.IntN(3)
			p.rules.Tiers[at] = access.Tier{Name: p.rules.Tiers[at].Name, Excerpt: 100 * r.IntN(4)}
		case 9:
			p.rules.Tiers[r.IntN(3)].Reading = pick(r, access.Readings)
		case 10:
			at := r.IntN(3)
			p.rules.Tiers[at] = access.Tier{Name: p.rules.Tiers[at].Name, Uncapped: true}
		}
	}
	return p
}

// permissions returns what may be seen in a tree of the papers that another has too: one for
// each paper, text, and tier.
func permissions(t *testing.T, b *objects.Batch, files map[string][]byte, at objects.Hash, of int) []policy.Permission {
	t.Helper()
	own := map[string][]byte{}
	for path, data := range files {
		if kind, _ := layout.ClassifyPath(path); kind == layout.KindPolicy {
			own[path] = data
		}
	}
	p, err := policy.Load(own)
	if err != nil {
		t.Fatal(err)
	}
	lookup := holdings.NewLookup(b, at)
	persons, veiled := map[string][]string{}, map[string]bool{}
	for _, text := range texts {
		persons[text] = p.Mentions(text)
		for _, veil := range p.Veils(text) {
			persons[text], veiled[text] = append(persons[text], veil.Persons...), true
		}
	}
	type question struct {
		paper, tier        int
		sealed, anonymized bool
	}
	known := map[question]policy.Permission{}
	var out []policy.Permission
	for i := range of {
		consent, err := lookup.Consent(id(i))
		if err != nil {
			t.Fatal(err)
		}
		for tier, who := range []policy.Requestor{{}, {Name: "Ann", Tier: "researcher"}, {Name: "Bea", Tier: "family"}} {
			for _, text := range texts {
				has := func(state string) bool {
					return slices.ContainsFunc(persons[text], func(name string) bool { return policy.Protection(name, p.Persons) == state })
				}
				ask := question{i, tier, has(access.PersonSealed), has(access.PersonAnonymized)}
				perm, asked := known[ask]
				if !asked {
					if perm, err = p.Decide(who, policy.Resource{Artifact: id(i), Consent: consent, Persons: persons[text]}); err != nil {
						t.Fatal(err)
					}
					known[ask] = perm
				}
				if veiled[text] { // a name stands there that is not shown
					perm.Display, perm.Excerpt, perm.Reading = false, 0, ""
				}
				out = append(out, perm)
			}
		}
	}
	return out
}

// TestNobodySeesMore: where nothing is found between two trees, no tier may see more of any
// paper, in words about anybody, in any dimension. Pairs with a paper that is new are among
// them: what others take from it is no wider.
func TestNobodySeesMore(t *testing.T) {
	b := newBatch(t)
	const seed = 25
	r := rand.New(rand.NewPCG(seed, 0))
	none, widened, tighter := 0, 0, 0
	n := casecount.Of(100, 4000)
	for range n {
		p := randomPapers(r)
		q := p.mutate(r)
		extra := r.IntN(2)
		before, after := p.files(t, extra), q.files(t, 0)
		from, to := tree(t, b, before), tree(t, b, after)
		found, err := history.WideningActs(b, from, to, nil)
		if err != nil {
			t.Fatal(err)
		}
		was, is := permissions(t, b, before, from, count-extra), permissions(t, b, after, to, count-extra)
		more, less := "", false
		for i := range was {
			w, s := was[i], is[i]
			if s.Existence && !w.Existence || s.Surface && !w.Surface || s.Display && !w.Display || s.Excerpt > w.Excerpt || s.Piece() > w.Piece() {
				more = fmt.Sprintf("paper %d, tier %d, %q: %+v, then %+v", i/len(texts)/3, i/len(texts)%3, texts[i%len(texts)], w, s)
			}
			less = less || w.Existence && !s.Existence || w.Surface && !s.Surface || w.Display && !s.Display
		}
		switch {
		case more != "" && len(found) == 0:
			t.Fatalf("%s\n%+v\n%+v", more, p, q)
		case more != "":
			widened++
		case len(found) == 0:
			none++
			if less {
				tighter++
			}
		}
	}
	if none < n/12 || tighter < n/50 || widened < n/12 {
		t.Errorf("of %d pairs %d widen; nothing is found in %d, of which %d are tighter", n, widened, none, tighter)
	}
	t.Logf("%d pairs: %d widen, nothing found in %d, of which %d are tighter", n, widened, none, tighter)
}

// A countingGetter counts the objects that are read.
type countingGetter struct {
	snapshot.Getter
	reads int
}

func (g *countingGetter) Get(h objects.Hash) (objects.Kind, []byte, error) {
	g.reads++
	return g.Getter.Get(h)
}

// TestReadsWhatDiffers: one paper among many costs its own path, however many there are.
func TestReadsWhatDiffers(t *testing.T) {
	b := newBatch(t)
	files := papers{}.files(t, 0)
	for i := range 3000 {
		data := fmt.Appendf(nil, "letter %d\n", i)
		files[layout.ArtifactPath(cid.Of(data))] = data
	}
	from := tree(t, b, files)
	p := papers{links: map[int][]int{1: {0}}}
	maps.Copy(files, p.files(t, 0))
	to := tree(t, b, files)
	get := &countingGetter{Getter: b}
	found, err := history.WideningActs(get, from, to, nil)
	if err != nil || len(found) > 0 {
		t.Fatalf("%v, %v", found, err)
	}
	if get.reads == 0 || get.reads > 80 {
		t.Errorf("%d objects read", get.reads)
	}
	t.Logf("%d objects read", get.reads)
}
