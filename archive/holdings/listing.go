package holdings

import (
	"bytes"
	"cmp"
	"iter"
	"slices"
	"strings"

	"muniment/archive/keyfile"
	"muniment/search/catalogue"
	"muniment/snapshot/record"
	"muniment/text/segment"
)

// noDay is the day in the key of a record without a date; it sorts after all days.
var noDay = bytes.Repeat([]byte{0xff}, len("2006-01-02"))

// HeadLines returns the lines that are the head and the signature of a letter, none of a text without a salutation.
func HeadLines(text string) []string { return catalogue.ReadHead(text, "").Lines }

// EntryOf returns a record as questions about records see it.
func EntryOf(r *record.Record) catalogue.Entry {
	e := catalogue.Entry{Date: r.Date(), MediaType: r.MediaType}
	if len(r.Names) > 0 {
		e.Name = r.Names[0]
	}
	if s := r.Source; s != nil {
		e.Title, e.Tags, e.Form = s.Title, s.Tags, s.CSLType
	}
	return e
}

// fileWords sets the words of file names apart.
var fileWords = strings.NewReplacer(".", " ", "_", " ", "-", " ", "/", " ")

// Description returns the text that describes a record: its file names, title,
// publisher, creators and tags, a line each.
func Description(r *record.Record) string {
	text := fileWords.Replace(strings.Join(r.Names, "\n"))
	if s := r.Source; s != nil {
		text += "\n" + s.Title + "\n" + s.Publisher + "\n" + strings.Join(s.Creators, "\n") + "\n" + strings.Join(s.Tags, "\n")
	}
	return text
}

// descriptionStems returns the stems of the words that describe a record, each once.
// A file name counts with its words apart and as it is.
func descriptionStems(r *record.Record) []string {
	stems := segment.Stems(Description(r) + "\n" + strings.Join(r.Names, "\n"))
	slices.Sort(stems)
	return slices.Compact(stems)
}

// descriptionKeys returns the keys of a record's kinds and of the stems that describe it.
func descriptionKeys(r *record.Record, place []byte) [][]byte {
	var keys [][]byte
	for _, stem := range descriptionStems(r) {
		keys = append(keys, keyfile.Key(keyWord, textHash(stem), place))
	}
	if place[0] == placeLone {
		return keys
	}
	day := noDay
	kinds := catalogue.Kinds(EntryOf(r))
	if days := lastDays(r); len(days) > 0 {
		day = invert(days[0])
	} else {
		kinds = append(kinds, "") // those with a date have keyDate
	}
	for _, kind := range kinds {
		keys = append(keys, keyfile.Key(keyKind, append(textHash(kind), day...), place))
	}
	return keys
}

// DatedLone yields the current records without a body whose last day lies between two, as
// InPeriod does those of artifacts, the newest first.
func (c *Catalog) DatedLone(from, to string) iter.Seq2[Place, error] {
	return c.listDays(dayList{prefix: []byte{keyLoneDate}, from: from, to: to})
}

// A Period selects records of artifacts by their last day. A record without a date counts
// by the date at the head of its text.
type Period struct {
	Kind        string // one of catalogue.Kinds; "" for all
	From, To    string // YYYY-MM-DD, both count; "" leaves an end open
	OldestFirst bool   // instead of the newest first
}

// InPeriod yields the current records of artifacts that a period selects. It reads what
// it yields and no other record. An error ends it.
func (c *Catalog) InPeriod(p Period) iter.Seq2[Place, error] {
	l := dayList{prefix: []byte{keyDate}, from: p.From, to: p.To, backward: p.OldestFirst}
	if p.Kind != "" {
		l.prefix = append([]byte{keyKind}, textHash(p.Kind)...)
		l.from = cmp.Or(p.From, firstDay) // behind it stand those without a day
		l.kind = p.Kind
	}
	return c.listDays(l)
}

// firstDay is the first day that a key can hold.
const firstDay = "0000-01-01"

// A dayList is a run of keys that end with an inverted day and a place.
type dayList struct {
	prefix   []byte
	from, to string // days, "" for an open end
	backward bool   // the oldest first
	kind     string // that a record must be of; "" for any
}

// listDays yields the current records of a run of days.
func (c *Catalog) listDays(l dayList) iter.Seq2[Place, error] {
	first, last := slices.Clone(l.prefix), slices.Clone(l.prefix)
	if l.to != "" {
		first = append(first, invert(l.to)...)
	}
	if l.from != "" {
		last = append(last, invert(l.from)...)
	}
	scan := c.scan
	if l.backward {
		scan = func(from, to []byte, fn func([]byte) (bool, error)) error {
			return scanBack(c.scan, maxBack, from, to, fn)
		}
	}
	return func(yield func(Place, error) bool) {
		err := scan(first, last, func(found []byte) (bool, error) {
			day := string(invert(string(found[len(l.prefix) : len(found)-placeSize])))
			return c.currentAt(found, func(p Place) bool {
				return !slices.Contains(lastDays(p.Record.Record), day) || l.kind != "" && !isOfKind(p.Record.Record, l.kind) || yield(p, nil)
			})
		})
		if err != nil {
			yield(Place{}, err)
		}
	}
}

// isOfKind reports whether a record is of a kind.
func isOfKind(r *record.Record, kind string) bool {
	return slices.Contains(catalogue.Kinds(EntryOf(r)), kind)
}

// maxBack is how many keys scanBack remembers: 150 kB.
const maxBack = 4096

// scanBack calls fn with the keys of a run that scan goes through, from the last key to the first, until fn returns
// false. It remembers size keys, and goes over the whole run, 100 ns a key, for every size keys that fn is called with.
func scanBack(scan func(from, to []byte, fn func([]byte) (bool, error)) error, size int, from, to []byte, fn func(key []byte) (bool, error)) error {
	for bound := []byte(nil); ; {
		ring, n := make([][]byte, 0, size), 0
		err := scan(from, to, func(key []byte) (bool, error) {
			if bound != nil && bytes.Compare(key, bound) >= 0 {
				return false, nil
			}
			if n++; len(ring) < size {
				ring = append(ring, bytes.Clone(key))
			} else {
				at := (n - 1) % size
				ring[at] = append(ring[at][:0], key...)
			}
			return true, nil
		})
		if err != nil {
			return err
		}
		for i := range ring {
			if more, err := fn(ring[(n-1-i)%size]); err != nil || !more {
				return err
			}
		}
		if n <= size {
			return nil
		}
		bound = ring[n%size]
	}
}

// currentAt calls fn with the current records of what lies at the place that ends a key, until fn returns false.
func (c *Catalog) currentAt(found []byte, fn func(Place) bool) (bool, error) {
	return c.at(found, func(art *Artifact, lone *StoredRecord) (bool, error) {
		var places []Place
		if lone != nil {
			places = []Place{{nil, *lone}}
		} else if art != nil {
			for _, h := range art.CurrentRecords() {
				places = append(places, Place{art, h})
			}
		}
		for _, p := range places {
			if is, err := c.IsCurrent(p); err != nil {
				return false, err
			} else if is && !fn(p) {
				return false, nil
			}
		}
		return true, nil
	})
}

// ListUndated yields the current records of artifacts without a date that are of a kind, of
// any kind where it is "". An error ends it.
func (c *Catalog) ListUndated(kind string) iter.Seq2[Place, error] {
	prefix := append(append([]byte{keyKind}, textHash(kind)...), noDay...)
	return func(yield func(Place, error) bool) {
		err := c.scan(prefix, prefix, func(found []byte) (bool, error) {
			return c.currentAt(found, func(p Place) bool {
				return len(lastDays(p.Record.Record)) > 0 || kind != "" && !isOfKind(p.Record.Record, kind) || yield(p, nil)
			})
		})
		if err != nil {
			yield(Place{}, err)
		}
	}
}

// ListDescribed yields the current records, with an artifact or without, whose description has all of some stems, which
// segment.Stems makes; none where there is no stem. An error ends it.
func (c *Catalog) ListDescribed(stems []string) iter.Seq2[Place, error] {
	return func(yield func(Place, error) bool) {
		places, err := c.placesOf(stems)
		for _, place := range places {
			more := false
			more, err = c.currentAt([]byte(place), func(p Place) bool {
				have := descriptionStems(p.Record.Record)
				lacks := func(stem string) bool { _, ok := slices.BinarySearch(have, stem); return !ok }
				return slices.ContainsFunc(stems, lacks) || yield(p, nil)
			})
			if err != nil || !more {
				break
			}
		}
		if err != nil {
			yield(Place{}, err)
		}
	}
}

// placesOf returns the places, in order, that the index has for each of some stems.
func (c *Catalog) placesOf(stems []string) ([]string, error) {
	var all []string
	for i, stem := range stems {
		prefix := append([]byte{keyWord}, textHash(stem)...)
		var of []string
		err := c.scan(prefix, prefix, func(found []byte) (bool, error) {
			place := found[len(found)-placeSize:]
			if i > 0 {
				if _, ok := slices.BinarySearch(all, string(place)); !ok {
					return true, nil
				}
			}
			of = append(of, string(place))
			return true, nil
		})
		if err != nil || len(of) == 0 {
			return nil, err
		}
		all = of
	}
	return all, nil
}
