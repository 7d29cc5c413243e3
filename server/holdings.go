package server

import (
	"cmp"
	"context"
	_ "embed"
	"slices"
	"strings"
	"sync"

	"muniment/archive/holdings"
	"muniment/archive/problem"
	"muniment/objects"
	"muniment/text/legible"
)

// A Holding describes an artifact in the inventory.
type Holding struct {
	ID         string   `json:"id"`
	Name       string   `json:"name"`
	Title      string   `json:"title,omitempty"`
	Date       string   `json:"date,omitempty"` // EDTF
	Creators   []string `json:"creators,omitempty"`
	Tags       []string `json:"tags,omitempty"`
	Place      string   `json:"place,omitempty"` // where it was written, or what it is about
	Kind       string   `json:"kind"`            // see kinds.txt
	MediaType  string   `json:"media_type"`
	Paragraphs int      `json:"paragraphs"`
}

// Label returns the title, or the name of the file where there is none.
func (h Holding) Label() string { return cmp.Or(h.Title, h.Name, h.ID) }

// Year returns the year of the date, "" where there is none.
func (h Holding) Year() string {
	if len(h.Date) < 4 || strings.Trim(h.Date[:4], "0123456789") != "" {
		return ""
	}
	return h.Date[:4]
}

// A HoldingsRequest selects holdings; an empty field selects everything.
type HoldingsRequest struct {
	Words   string // of title or name, each of them
	Year    string // "none" selects those without a date
	Kind    string
	Creator string
	Tag     string
	Place   string
	Sort    string // date (the default), title, or name; with - before it from the last to the first
	Offset  int
	Limit   int // 0 counts alone
}

// A NamedCount is how many holdings have a value.
type NamedCount struct {
	Name  string `json:"name"`
	Count int    `json:"count"`
}

// A HoldingList is a page of the inventory, with counts over all holdings that the
// client may know of.
type HoldingList struct {
	Holdings []Holding    `json:"holdings"`
	Total    int          `json:"total"` // that the request selects
	All      int          `json:"all"`   // that the client may know of
	Years    []NamedCount `json:"years"` // by year; the last is none where dates are unknown
	Kinds    []NamedCount `json:"kinds"`
	Creators []NamedCount `json:"creators"` // the commonest first
	Tags     []NamedCount `json:"tags"`
	Places   []NamedCount `json:"places"`
}

const (
	noYear      = "none"
	maxSights   = 32  // of credentials whose view of the shelf is kept: a byte for each artifact
	maxNames    = 500 // creators, tags and places that are counted by name in one list
	ofYear      = "year"
	ofKind      = "kind"
	ofCreator   = "creator"
	ofTag       = "tag"
	ofPlace     = "place"
	sortByDate  = "date"
	sortByTitle = "title"
	sortByName  = "name"
)

//go:embed kinds.txt
var kindsText string

// kindOf returns the common name of a media type.
func kindOf(media string) string {
	for line := range strings.Lines(kindsText) {
		begin, kind, ok := strings.Cut(strings.TrimRight(line, "\n"), "\t")
		if ok && !strings.HasPrefix(line, "#") && strings.HasPrefix(media, begin) {
			return kind
		}
	}
	return "other"
}

// A shelf is what one tree holds, in three orders. It does not change.
type shelf struct {
	tree   objects.Hash
	items  []Holding
	papers []*holdings.Artifact
	titles string             // the titles and names of all items in lower case, each item's ended by NUL
	ends   []int              // where those of each item end in titles
	facets map[facet][]int32  // indices of the items that have a value
	orders map[string][]int32 // indices of items by order

	mu     sync.Mutex
	sights map[string]*sight
}

// A facet is a value of a field by which holdings are selected.
type facet struct{ field, value string }

// A sight is what one credential may know of a shelf, with its counts.
type sight struct {
	known  []bool
	counts HoldingList
	own    *shelf // of the papers as the credential knows them; nil where it knows all of those that it knows
}

// shelves keeps the shelves of the trees that clients see, the latest one first.
type shelves struct {
	mu  sync.Mutex
	all []*shelf // of maxRooms trees at most
}

// shelf returns the shelf of a view's tree. The first call after a change of the
// archive reads every record.
func (s *shelves) shelf(v *view) (*shelf, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, f := range s.all {
		if f.tree == v.tree {
			return f, nil
		}
	}
	all, err := v.handle.archive.Catalog(v.tree).ReadAll()
	if err != nil {
		return nil, err
	}
	s.all = append([]*shelf{newShelf(v.tree, all)}, s.all[:min(len(s.all), maxRooms-1)]...)
	return s.all[0], nil
}

// maxAhead is how many papers are read before somebody asks for a list of them: 8 s and
// 400 MB. Of a larger archive perhaps nobody does.
const maxAhead = 200_000

// readAhead reads the shelf of the newest tree. What fails fails again for the first
// list that is asked for, and is reported there.
func (s *Server) readAhead() {
	_ = s.with(context.Background(), func(h *handle) error {
		c := s.Client(public, "")
		c.signed = true
		v, err := h.view(c)
		if err != nil {
			return err
		}
		totals, err := v.catalog.Totals()
		if err == nil && totals.Artifacts <= maxAhead {
			_, err = s.shelves.shelf(v)
		}
		return err
	})
}

// newShelf returns the shelf of what a tree holds.
func newShelf(tree objects.Hash, all *holdings.Contents) *shelf {
	f := &shelf{tree: tree, facets: map[facet][]int32{}, orders: map[string][]int32{}, sights: map[string]*sight{}}
	var titles strings.Builder
	for _, art := range all.Artifacts {
		first, ok := art.FirstRecord()
		if !ok || art.Withdrawn {
			continue
		}
		info := art.Info()
		h := Holding{ID: info.ID, Name: art.Name(), Title: info.Title, Date: info.Date, Kind: kindOf(info.MediaType), MediaType: info.MediaType, Paragraphs: info.Paragraphs}
		if src := first.Record.Source; src != nil {
			h.Creators, h.Tags, h.Place = src.Creators, src.Tags, src.Place
		}
		for _, of := range h.facets() {
			if all := f.facets[of]; len(all) == 0 || all[len(all)-1] != int32(len(f.items)) { // a record may name one twice
				f.facets[of] = append(all, int32(len(f.items)))
			}
		}
		f.items, f.papers = append(f.items, h), append(f.papers, art)
		titles.WriteString(strings.ToLower(h.Title + "\n" + strings.Join(info.Names, "\n")))
		titles.WriteByte(0)
		f.ends = append(f.ends, titles.Len())
	}
	f.titles = titles.String()
	f.order()
	return f
}

// order sorts the items by date, title and name into f.orders; items that are equal in one are sorted by id.
func (f *shelf) order() {
	sorted := func(before []int32, compare func(i, j int32) int) []int32 {
		at := slices.Clone(before)
		slices.SortStableFunc(at, compare)
		return at
	}
	at := make([]int32, len(f.items))
	labels := make([]string, len(f.items))
	for i := range f.items {
		at[i], labels[i] = int32(i), strings.ToLower(f.items[i].Label())
	}
	byID := sorted(at, func(i, j int32) int { return strings.Compare(f.items[i].ID, f.items[j].ID) })
	byName := sorted(byID, func(i, j int32) int { return strings.Compare(f.items[i].Name, f.items[j].Name) })
	f.orders[sortByName] = byName
	f.orders[sortByTitle] = sorted(byID, func(i, j int32) int { return strings.Compare(labels[i], labels[j]) })
	f.orders[sortByDate] = sorted(byName, func(i, j int32) int {
		a, b := f.items[i].Date, f.items[j].Date
		if (a == "") != (b == "") {
			return strings.Compare(b, a) // without a date: at the end
		}
		return strings.Compare(a, b)
	})
}

// sight returns the part of the shelf that the client of a view may know.
func (f *shelf) sight(v *view, c *Client) (*sight, error) {
	key := string(c.cred.Role) + "\n" + c.cred.Tier + "\n" + c.cred.Name
	if v.staged != nil {
		key += "\n" + v.staged.tree.String()
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if g, ok := f.sights[key]; ok {
		return g, nil
	}
	g := &sight{known: make([]bool, len(f.items))}
	for i, art := range f.papers {
		known, err := v.catalog.See(art)
		if err != nil {
			return nil, err
		}
		if known != nil && known != art { // it came in something that is hidden too, or names somebody who is protected
			return f.ownSight(v, key)
		}
		if g.known[i] = known != nil; g.known[i] {
			g.counts.All++
		}
	}
	f.count(g)
	f.keep(key, g)
	return g, nil
}

// ownSight returns the sight of a client that does not know every accession of a paper that
// it knows: of a shelf of its own.
func (f *shelf) ownSight(v *view, key string) (*sight, error) {
	all, err := v.catalog.ReadAll()
	if err != nil {
		return nil, err
	}
	own := newShelf(f.tree, all)
	g := &sight{known: make([]bool, len(own.items)), own: own}
	for i := range g.known {
		g.known[i] = true
	}
	g.counts.All = len(own.items)
	own.count(g)
	f.keep(key, g)
	return g, nil
}

// count counts the items of the shelf that a sight knows.
func (f *shelf) count(g *sight) {
	by := map[string]map[string]int{ofYear: {}, ofKind: {}, ofCreator: {}, ofTag: {}, ofPlace: {}}
	for of, items := range f.facets {
		for _, i := range items {
			if g.known[i] {
				by[of.field][of.value]++
			}
		}
	}
	g.counts.Years, g.counts.Kinds = countsOf(by[ofYear], false), countsOf(by[ofKind], true)
	g.counts.Creators, g.counts.Tags, g.counts.Places = countsOf(by[ofCreator], true), countsOf(by[ofTag], true), countsOf(by[ofPlace], true)
}

// keep keeps a sight for the clients of a key.
func (f *shelf) keep(key string, g *sight) {
	if len(f.sights) >= maxSights {
		clear(f.sights)
	}
	f.sights[key] = g
}

// countsOf returns counts by name, or the commonest first, at most maxNames of
// these.
func countsOf(by map[string]int, commonest bool) []NamedCount {
	out := []NamedCount{}
	for name, n := range by {
		out = append(out, NamedCount{name, n})
	}
	slices.SortFunc(out, func(a, b NamedCount) int {
		if commonest {
			return cmp.Or(cmp.Compare(b.Count, a.Count), strings.Compare(a.Name, b.Name))
		}
		return strings.Compare(a.Name, b.Name)
	})
	if commonest && len(out) > maxNames {
		out = out[:maxNames]
	}
	return out
}

// facets returns the values by which a holding is selected.
func (h *Holding) facets() []facet {
	out := []facet{{ofYear, cmp.Or(h.Year(), noYear)}, {ofKind, h.Kind}}
	for _, name := range h.Creators {
		out = append(out, facet{ofCreator, name})
	}
	for _, name := range h.Tags {
		out = append(out, facet{ofTag, name})
	}
	if h.Place != "" {
		out = append(out, facet{ofPlace, h.Place})
	}
	return out
}

// choose returns which items a request selects of those that a sight knows, and their
// number.
func (f *shelf) choose(r *HoldingsRequest, g *sight) (chosen []bool, total int) {
	chosen = g.known
	keep := func(mark func(found []bool)) {
		found := make([]bool, len(f.items))
		mark(found)
		for i, was := range chosen {
			found[i] = found[i] && was
		}
		chosen = found
	}
	for _, of := range []facet{{ofYear, r.Year}, {ofKind, r.Kind}, {ofCreator, r.Creator}, {ofTag, r.Tag}, {ofPlace, r.Place}} {
		if of.value != "" {
			keep(func(found []bool) {
				for _, i := range f.facets[of] {
					found[i] = true
				}
			})
		}
	}
	for _, word := range strings.Fields(strings.ToLower(r.Words)) {
		keep(func(found []bool) { f.findTitles(word, found) })
	}
	for _, is := range chosen {
		if is {
			total++
		}
	}
	return chosen, total
}

// findTitles marks the items whose titles or names have a word in lower case. All titles
// are one text: to search it is much faster than to search each.
func (f *shelf) findTitles(word string, found []bool) {
	if strings.Contains(word, "\x00") {
		return
	}
	item := 0
	for at := 0; ; at = f.ends[item] {
		next := strings.Index(f.titles[at:], word)
		if next < 0 {
			return
		}
		for f.ends[item] <= at+next {
			item++
		}
		found[item] = true
	}
}

// page returns a page of the inventory of what a sight knows.
func (f *shelf) page(r *HoldingsRequest, g *sight) (*HoldingList, error) {
	name, backwards := strings.CutPrefix(cmp.Or(r.Sort, sortByDate), "-")
	order, ok := f.orders[name]
	if !ok {
		return nil, problem.New(problem.Usage, problem.Advise("sort by date, title or name"), "no list is sorted by %q", legible.Printable(name))
	}
	out := g.counts
	out.Holdings = []Holding{}
	var chosen []bool
	chosen, out.Total = f.choose(r, g)
	for i, passed := 0, 0; i < len(order) && len(out.Holdings) < r.Limit; i++ {
		at := order[i]
		if backwards {
			at = order[len(order)-1-i]
		}
		if !chosen[at] {
			continue
		}
		if passed >= r.Offset {
			out.Holdings = append(out.Holdings, f.items[at])
		}
		passed++
	}
	return &out, nil
}

// Holdings returns a page of the inventory of what the client may know of.
func (c *Client) Holdings(ctx context.Context, r HoldingsRequest) (*HoldingList, error) {
	return call(ctx, c, func(h *handle) (*HoldingList, error) {
		v, err := h.view(c)
		if err != nil {
			return nil, err
		}
		f, err := c.server.shelves.shelf(v)
		if err != nil {
			return nil, err
		}
		g, err := f.sight(v, c)
		if err != nil {
			return nil, err
		}
		if g.own != nil {
			f = g.own
		}
		return f.page(&r, g)
	})
}
