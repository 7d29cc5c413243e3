package server

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"muniment/archive/holdings"
	"muniment/cid"
	"muniment/objects"
	"muniment/snapshot/record"
)

// newTestShelf returns a shelf of n letters, and a sight that knows all but every seventh.
func newTestShelf(n int) (*shelf, *sight) {
	all := &holdings.Contents{}
	for i := range n {
		name := fmt.Sprintf("box-%d/letter-%06d.txt", i%40, i)
		source := &record.Source{Title: fmt.Sprintf("Letter %d of Ada Vale to the Mill", i), Tags: []string{fmt.Sprintf("tag %d", i%30), fmt.Sprintf("tag %d", i%30)}}
		if i%3 > 0 {
			source.Creators = []string{fmt.Sprintf("Creator %d", i%50), "Tobias Lunt"}
		}
		if i%5 > 0 {
			source.Place, source.PublishedAt = fmt.Sprintf("Place %d", i%9), fmt.Sprintf("%d-03-%02d", 1900+i%60, i%28+1)
		}
		id := cid.Of([]byte(name))
		all.Artifacts = append(all.Artifacts, &holdings.Artifact{ID: id, Records: []holdings.StoredRecord{{ID: cid.OfJSON([]byte(name)), Record: &record.Record{Names: []string{name}, MediaType: "text/plain", Source: source, Artifact: id.String()}}}})
	}
	f, _ := newShelf(objects.Hash{}, all, nil) // which reads nothing
	g := &sight{known: make([]bool, len(f.items))}
	for i := range g.known {
		g.known[i] = i%7 > 0
	}
	f.pair(g)
	return f, g
}

// What a page of the inventory lists is what a look at each holding finds.
func TestInventoryPages(t *testing.T) {
	f, g := newTestShelf(700)
	requests := 0
	for _, filter := range []Filter{
		{}, {Words: "letter"}, {Words: "LETTER 12"}, {Words: "box-3/ ada"}, {Words: "nothing"}, {Words: "mill\x00"}, {Words: "69"}, {Year: "1931"}, {Year: noYear}, {Kind: "text"}, {Kind: "none of these"},
		{Creator: "Tobias Lunt"}, {Creator: "Creator 4", Place: "Place 4"}, {Place: "Place 3"}, {Tag: "tag 7", Words: "7"}, {Tag: "tag 7", Place: "Place 2", Year: "1917", Creator: "Creator 17"},
	} {
		for _, sort := range []string{"", "-date", "title", "-name"} {
			r := HoldingsRequest{Filter: filter}
			r.Sort = sort
			var want []string
			name, backwards := strings.CutPrefix(cmp.Or(sort, sortByDate), "-")
			order := slices.Clone(f.orders[name])
			if backwards {
				slices.Reverse(order)
				if name == sortByDate { // what has no date stays at the end
					slices.SortStableFunc(order, func(i, j int32) int { return cmp.Compare(len(f.items[j].Year()), len(f.items[i].Year())) })
				}
			}
			for _, i := range order {
				h := &f.items[i]
				fits := g.known[i] && (r.Year == "" || cmp.Or(h.Year(), noYear) == r.Year) && (r.Kind == "" || h.Kind == r.Kind) && (r.Place == "" || h.Place == r.Place) &&
					(r.Creator == "" || slices.Contains(h.Creators, r.Creator)) && (r.Tag == "" || slices.Contains(h.Tags, r.Tag))
				for _, w := range strings.Fields(strings.ToLower(r.Words)) {
					fits = fits && strings.Contains(strings.ToLower(h.Title+"\n"+h.Name), w)
				}
				if fits {
					want = append(want, h.ID)
				}
			}
			var got []string
			for r.Offset, r.Limit = 0, 90; ; r.Offset += r.Limit {
				list, err := f.page(&r, g)
				if err != nil || list.Total != len(want) {
					t.Fatalf("%+v: %d in all, want %d: %v", r, list.Total, len(want), err)
				}
				if len(list.Holdings) == 0 {
					break
				}
				for _, h := range list.Holdings {
					got = append(got, h.ID)
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("%+v: %d holdings, want %d", r, len(got), len(want))
			}
			requests++
		}
	}
	if requests != 64 {
		t.Errorf("%d requests", requests)
	}
}

// A page of an inventory of 100,000 papers.
func BenchmarkInventory(b *testing.B) {
	f, g := newTestShelf(100_000)
	for name, r := range map[string]HoldingsRequest{"all": {Limit: 100}, "words": {Filter: Filter{Words: "letter 31"}, Limit: 100}, "creator": {Filter: Filter{Creator: "Tobias Lunt"}, Limit: 100}, "last": {Offset: 80_000, Limit: 100}} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := f.page(&r, g); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
