package server

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"

	"muniment/archive/holdings"
	"muniment/archive/problem"
	"muniment/objects"
	"muniment/snapshot/edtf"
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

	Heading  string    `json:"-"` // the first line, where no title is known and the client may read it
	Dated    edtf.Date `json:"-"` // Date, else the date at the head of the text
	Found    bool      `json:"-"` // Dated is from the text
	Series   string    `json:"-"` // path in the arrangement
	Language string    `json:"-"` // BCP 47
	Form     string    `json:"-"` // letter, cutting, minutes; "" where it is known as its kind
	From, To string    `json:"-"` // the persons of a letter or a mail, by the names that the archive knows them by

	Salutation, Signature string `json:"-"` // as a letter has them

	Text *Holding `json:"-"` // the text of a scan without a title, whose title it has

	Paired bool `json:"-"` // a scan or recording whose text is no entry of its own

	folders  []string // path in the arrangement, the outermost first
	subjects []string
}

// A Filter selects holdings; an empty field selects everything.
type Filter struct {
	Words    string `json:"words,omitempty"` // of title or name, each of them
	Year     string `json:"year,omitempty"`  // "none" selects those without a date
	Kind     string `json:"kind,omitempty"`
	Creator  string `json:"creator,omitempty"`
	Tag      string `json:"tag,omitempty"`
	Place    string `json:"place,omitempty"`
	Sort     string `json:"sort,omitempty"`   // date (the default), title or name; with - before it backwards
	Decade   string `json:"decade,omitempty"` // such as 1900s
	Series   string `json:"series,omitempty"`
	Language string `json:"language,omitempty"`
	To       string `json:"to,omitempty"`
}

// Fields returns the fields of the filter by name.
func (f *Filter) Fields() map[string]*string {
	return map[string]*string{"words": &f.Words, ofYear: &f.Year, ofKind: &f.Kind, ofCreator: &f.Creator, ofTag: &f.Tag, ofPlace: &f.Place, "sort": &f.Sort, ofDecade: &f.Decade, ofSeries: &f.Series, ofLanguage: &f.Language, ofTo: &f.To}
}

// A HoldingsRequest asks for a page of what a filter selects.
type HoldingsRequest struct {
	Filter
	Facets bool // count what is selected, too
	Offset int
	Limit  int // 0 counts alone
}

// A NamedCount is how many holdings have a value.
type NamedCount struct {
	Name  string `json:"name"`
	Count int    `json:"count"`
}

// A HoldingList is a page of the inventory, with counts over all holdings that the client may know of.
type HoldingList struct {
	Holdings []Holding    `json:"holdings"`
	Total    int          `json:"total"` // that the request selects
	All      int          `json:"all"`   // that the client may know of
	Years    []NamedCount `json:"years"` // by year; the last is none where dates are unknown
	Kinds    []NamedCount `json:"kinds"`
	Creators []NamedCount `json:"creators"` // the commonest first
	Tags     []NamedCount `json:"tags"`
	Places   []NamedCount `json:"places"`

	Among     *HoldingList `json:"-"` // counts over those that the request selects; nil where that is all, or nobody asked
	Decades   []NamedCount `json:"-"`
	Series    []NamedCount `json:"-"`
	Languages []NamedCount `json:"-"`
	To        []NamedCount `json:"-"` // to whom letters are
}

// Counts returns the counts of the list by the field that they are of.
func (l *HoldingList) Counts() map[string]*[]NamedCount {
	return map[string]*[]NamedCount{ofYear: &l.Years, ofKind: &l.Kinds, ofCreator: &l.Creators, ofTag: &l.Tags, ofPlace: &l.Places, ofDecade: &l.Decades, ofSeries: &l.Series, ofLanguage: &l.Languages, ofTo: &l.To}
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
	ofDecade    = "decade"
	ofLanguage  = "language"
	ofTo        = "to"
	ofSeries    = "series"
	maxHeads    = 500 // papers whose heads are read for kinds and persons, anew whenever something is staged
	sortByDate  = "date"
	sortByTitle = "title"
	sortByName  = "name"
)

// A shelf is what one tree holds, in three orders. It does not change.
type shelf struct {
	tree   objects.Hash
	items  []Holding
	papers []*holdings.Artifact
	titles string             // the titles and names of all items in lower case, each item's ended by NUL
	ends   []int              // where those of each item end in titles
	facets map[facet][]int32  // indices of the items that have a value
	orders map[string][]int32 // indices of items by order
	texts  map[int32]int32    // the scan or recording of each text, by index
	byID   map[string]int     // of a shelf of one client, whose heads were read; nil for all clients'

	mu     sync.Mutex
	sights map[string]*sight
}

// A facet is a value of a field by which holdings are selected.
type facet struct{ field, value string }

// A sight is what one credential may know of a shelf, with its counts.
type sight struct {
	known  []bool // that the credential knows and that has an entry in lists
	counts HoldingList
	texts  map[int32]int32 // those of the shelf of which the credential knows both, which are one entry
	paired []bool          // these and what they were made from
	own    *shelf          // of the papers as the credential knows them; nil where it knows all of those that it knows
	root   []string        // the folders in which all of the papers lie that the credential knows

	mu       sync.Mutex
	headings map[string]string // by id, first lines that the credential may read; "" for none
}

// shelves keeps the shelves of the trees that clients see, the latest one first.
type shelves struct {
	mu  sync.Mutex
	all []*shelf // of maxRooms trees at most
}

// shelf returns the shelf of a view's tree. The first call after a change of the archive reads every record.
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
	f, err := newShelf(v.tree, all, nil)
	s.all = append([]*shelf{f}, s.all[:min(len(s.all), maxRooms-1)]...)
	return f, err
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
			_, _, err = c.shelf(v)
		}
		return err
	})
}

// newShelf returns the shelf of what a tree holds. describe, if set, completes the items.
func newShelf(tree objects.Hash, all *holdings.Contents, describe func([]*holdings.Artifact, []Holding) error) (*shelf, error) {
	f := &shelf{tree: tree, facets: map[facet][]int32{}, orders: map[string][]int32{}, sights: map[string]*sight{}}
	var titles strings.Builder
	for _, art := range all.Artifacts {
		if _, ok := art.FirstRecord(); !ok || art.Withdrawn {
			continue
		}
		f.items, f.papers = append(f.items, newHolding(art)), append(f.papers, art)
	}
	if describe != nil {
		f.byID = map[string]int{}
		if err := describe(f.papers, f.items); err != nil {
			return nil, err
		}
	}
	at := map[string]int32{}
	f.texts = map[int32]int32{}
	for i := range f.items {
		h := &f.items[i]
		if at[h.ID] = int32(i); f.byID != nil {
			f.byID[h.ID] = i
		}
		for _, of := range h.facets() {
			if all := f.facets[of]; len(all) == 0 || all[len(all)-1] != int32(i) { // a record may name one twice
				f.facets[of] = append(all, int32(i))
			}
		}
		titles.WriteString(strings.ToLower(h.Title + "\n" + h.Heading + "\n" + strings.Join(f.papers[i].Info().Names, "\n")))
		titles.WriteByte(0)
		f.ends = append(f.ends, titles.Len())
	}
	f.titles = titles.String()
	f.order()
	for i, art := range f.papers {
		first, _ := art.FirstRecord()
		facts := first.Record.Facts
		if scan, ok := at[facts[holdings.FactDerivedFrom]]; ok && facts[holdings.FactTextMade] != "" {
			f.texts[int32(i)] = scan
		}
	}
	return f, nil
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
	f.orders[sortByDate] = sorted(byName, func(i, j int32) int { return CompareDates(f.items[i].Dated, f.items[j].Dated) })
	dated, _ := slices.BinarySearchFunc(f.orders[sortByDate], true, func(i int32, _ bool) int {
		if f.items[i].Dated.IsZero() {
			return 1
		}
		return -1
	})
	backwards := slices.Clone(f.orders[sortByDate])
	slices.Reverse(backwards[:dated])
	slices.Reverse(backwards[dated:])
	f.orders["-"+sortByDate] = backwards // what has no date is last in both
}

// CompareDates orders dates by their first day, or by the last one where the beginning is open; no date
// comes after every date.
func CompareDates(a, b edtf.Date) int {
	switch {
	case a.IsZero() && b.IsZero():
		return 0
	case a.IsZero():
		return 1
	case b.IsZero():
		return -1
	}
	from, to := a.Interval()
	from2, to2 := b.Interval()
	if from == edtf.Earliest {
		from = to
	}
	if from2 == edtf.Earliest {
		from2 = to2
	}
	return cmp.Or(from.Compare(from2), to.Compare(to2))
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
	if len(f.items) <= maxHeads {
		return f.ownSight(v, key)
	}
	g, first := &sight{known: make([]bool, len(f.items))}, true
	for i, art := range f.papers {
		known, err := v.catalog.See(art)
		if err != nil {
			return nil, err
		}
		if known != nil && known != art { // it came in something that is hidden too, or names somebody who is protected
			return f.ownSight(v, key)
		}
		if g.known[i] = known != nil; g.known[i] {
			g.root = commonFolders(g.root, &f.items[i], first)
			first = false
		}
	}
	f.pair(g)
	g.counts = f.count(g.known, g)
	f.keep(key, g)
	return g, nil
}

// ownSight returns the sight of a client on a shelf of its own: with what heads say to it, without accessions that it
// does not know.
func (f *shelf) ownSight(v *view, key string) (*sight, error) {
	all, err := v.catalog.ReadAll()
	if err != nil {
		return nil, err
	}
	describe := v.describeAll
	if len(all.Artifacts) > maxHeads {
		describe = nil
	}
	own, err := newShelf(f.tree, all, describe)
	if err != nil {
		return nil, err
	}
	g := &sight{known: make([]bool, len(own.items)), own: own}
	for i := range g.known {
		g.known[i] = true
		g.root = commonFolders(g.root, &own.items[i], i == 0)
	}
	own.pair(g)
	g.counts = own.count(g.known, g)
	f.keep(key, g)
	return g, nil
}

// pair leaves to lists one entry of a scan and its text, where the client knows both.
func (f *shelf) pair(g *sight) {
	g.texts, g.paired = map[int32]int32{}, make([]bool, len(f.items))
	for text, scan := range f.texts {
		if _, chained := f.texts[scan]; !chained && g.known[text] && g.known[scan] {
			g.texts[text], g.known[text], g.paired[text], g.paired[scan] = scan, false, true, true
		}
	}
}

// count counts the entries of lists that some client knows, or that a request selects.
func (f *shelf) count(known []bool, g *sight) (out HoldingList) {
	by := map[facet]int{}
	for of, items := range f.facets {
		for _, i := range items {
			scan, isText := g.texts[i]
			_, has := slices.BinarySearch(items, scan)
			if known[i] || isText && known[scan] && !has && of.value != noYear {
				by[of]++
			}
		}
	}
	for i := range f.items {
		if known[i] {
			out.All++
			by[facet{ofSeries, f.items[i].seriesBelow(g.root)}]++
		}
	}
	out.fill(by)
	return out
}

// CountAll returns a list that counts some papers.
func CountAll(all []Holding) *HoldingList {
	out, by := &HoldingList{Total: len(all)}, map[facet]int{}
	for i := range all {
		for _, of := range append(all[i].facets(), facet{ofSeries, all[i].Series}) {
			by[of]++
		}
	}
	out.fill(by)
	return out
}

// fill sets the counts of a list.
func (l *HoldingList) fill(by map[facet]int) {
	fields := map[string]map[string]int{}
	for field := range l.Counts() {
		fields[field] = map[string]int{}
	}
	for of, n := range by {
		if of.value != "" {
			fields[of.field][of.value] = n
		}
	}
	for field, to := range l.Counts() {
		*to = countsOf(fields[field], field != ofYear && field != ofDecade)
	}
}

// keep keeps a sight for the clients of a key.
func (f *shelf) keep(key string, g *sight) {
	if len(f.sights) >= maxSights {
		clear(f.sights)
	}
	f.sights[key] = g
}

// countsOf returns counts by name, or the commonest first, at most maxNames of these.
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

// facets returns the values by which a holding is selected, besides its series; one that it does not have is "".
func (h *Holding) facets() []facet {
	out := []facet{{ofYear, cmp.Or(h.Year(), noYear)}, {ofKind, h.FullKind()}, {ofTo, h.To}, {ofLanguage, h.Language}, {ofDecade, h.Decade()}, {ofPlace, h.Place}}
	for _, name := range h.Writers() {
		out = append(out, facet{ofCreator, name})
	}
	for _, name := range slices.Concat(h.Tags, h.subjects) {
		out = append(out, facet{ofTag, name})
	}
	return out
}

// Selects reports whether the filter selects a paper, but for words and the order of a list.
func (f Filter) Selects(h *Holding) bool {
	has := append(h.facets(), facet{ofSeries, h.Series})
	f.Creator = givenFirst(f.Creator)
	for field := range (&HoldingList{}).Counts() {
		if value := *f.Fields()[field]; value != "" && !slices.Contains(has, facet{field, value}) {
			return false
		}
	}
	return true
}

// choose reports of each item whether a request selects it and a sight knows it, and returns the number of such items.
func (f *shelf) choose(r *HoldingsRequest, g *sight) (chosen []bool, total int) {
	chosen = g.known
	keep := func(mark func(found []bool)) {
		found := make([]bool, len(f.items))
		mark(found)
		for text, scan := range g.texts {
			found[scan] = found[scan] || found[text]
		}
		for i, was := range chosen {
			found[i] = found[i] && was
		}
		chosen = found
	}
	asked := r.Filter
	asked.Creator = givenFirst(asked.Creator)
	for field, value := range asked.Fields() {
		if items, ok := f.facets[facet{field, *value}]; *value != "" && (ok || (&HoldingList{}).Counts()[field] != nil && field != ofSeries) {
			keep(func(found []bool) {
				for _, i := range items {
					found[i] = true
				}
			})
		}
	}
	if r.Series != "" {
		keep(func(found []bool) {
			for i := range f.items {
				path := f.items[i].seriesBelow(g.root)
				found[i] = path == r.Series || strings.HasPrefix(path, r.Series+seriesDivide)
			}
		})
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
	name, backwards := cmp.Or(r.Sort, sortByDate), false
	order, ok := f.orders[name]
	if !ok {
		name, backwards = strings.CutPrefix(name, "-")
		order, ok = f.orders[name]
	}
	if !ok {
		return nil, problem.New(problem.Usage, problem.Advise("sort by date, title or name"), "no list is sorted by %q", legible.Printable(name))
	}
	out := g.counts
	out.Holdings = []Holding{}
	var chosen []bool
	chosen, out.Total = f.choose(r, g)
	if r.Facets && out.Total < out.All {
		among := f.count(chosen, g)
		out.Among = &among
	}
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
			out.Holdings[len(out.Holdings)-1].Paired = g.paired[at]
		}
		passed++
	}
	return &out, nil
}

// Holdings returns a page of the inventory of what the client may know of.
func (c *Client) Holdings(ctx context.Context, r HoldingsRequest) (*HoldingList, error) {
	return withView(ctx, c, func(v *view) (*HoldingList, error) {
		f, g, err := c.shelf(v)
		if err != nil {
			return nil, err
		}
		out, err := f.page(&r, g)
		for i := 0; err == nil && i < len(out.Holdings); i++ {
			var art *holdings.Artifact
			if art, err = v.resolve(out.Holdings[i].ID); err == nil {
				err = g.name(v, art, &out.Holdings[i])
			}
		}
		return out, err
	})
}

// shelf returns the shelf of a view's tree, with what the client may know of it.
func (c *Client) shelf(v *view) (*shelf, *sight, error) {
	f, err := c.server.shelves.shelf(v)
	if err != nil {
		return nil, nil, err
	}
	g, err := f.sight(v, c)
	if err == nil && g.own != nil {
		f = g.own
	}
	return f, g, err
}
