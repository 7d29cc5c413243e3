package server

import (
	"regexp"
	"slices"
	"strings"

	"muniment/archive/holdings"
)

// How a companion belongs to a paper.
const (
	MadeFrom   = "original"   // the paper is a text of it, such as of a scan or a recording
	MadeInto   = "text"       // it is a text of the paper
	Attached   = "attachment" // it lay inside the paper
	AttachedTo = "whole"      // the paper lay inside it
	Translated = "translated" // it is the same in another language
)

// A Companion is another artifact of the same page as a paper.
type Companion struct {
	Holding
	Relation string
	How      string // how a text was made: OCR, subtitles, a transcript
	Paper    *Paper // what may be read of it; nil for attachments
}

// maxCompanions is how many companions a page has.
const maxCompanions = 40

// companions returns the companions of a paper: the scan or recording of a text and the texts of
// a scan, the attachments of a mail and the mail of an attachment.
func (c *Client) companions(v *view, art *holdings.Artifact) ([]Companion, error) {
	var out []Companion
	add := func(id, relation, how string) error {
		other, err := v.resolve(id)
		if err != nil || len(out) == maxCompanions || slices.ContainsFunc(out, func(o Companion) bool { return o.ID == id }) {
			return nil // nothing that the client may know of
		}
		one := Companion{Relation: relation, How: how}
		if one.Holding, err = c.holding(v, other); err != nil {
			return err
		}
		if relation != Attached && relation != AttachedTo {
			one.Paper = &Paper{Holding: one.Holding, Info: other.Info(), From: 1}
			err = v.showPaper(other, one.Paper)
		}
		out = append(out, one)
		return err
	}
	first, ok := art.FirstRecord()
	if !ok {
		return nil, nil
	}
	made, err := v.catalog.DerivedFrom(art.ID)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(made, func(a, b holdings.Place) int { return strings.Compare(b.Record.Record.Time, a.Record.Record.Time) })
	how := func(r holdings.StoredRecord) string { return r.Record.Facts[holdings.FactTextMade] }
	for _, id := range strings.Fields(first.Record.Facts[holdings.FactDerivedFrom]) {
		if err := add(id, MadeFrom, how(first)); err != nil {
			return nil, err
		}
	}
	for _, place := range made { // the newest reading comes first
		if place.Artifact == nil {
			continue
		}
		if err := add(place.Artifact.ID.String(), MadeInto, how(place.Record)); err != nil {
			return nil, err
		}
	}
	for _, id := range strings.Fields(first.Record.Facts[holdings.FactPartOf]) {
		if err := add(id, AttachedTo, ""); err != nil {
			return nil, err
		}
	}
	for _, part := range first.Record.Parts {
		if err := add(part.Artifact, Attached, ""); err != nil {
			return nil, err
		}
	}
	f, _, err := c.shelf(v)
	if err != nil {
		return nil, err
	}
	for _, id := range f.translationsOf(art.Name()) {
		if err := add(id, Translated, ""); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// languageInName matches a file name with an optional language code: letter.de.txt.
var languageInName = regexp.MustCompile(`^(.+?)(?:\.([a-z][a-z]))?(\.[^./!]+)$`)

// translationsOf returns the ids of the papers whose file has the same name but for the code of its language.
func (f *shelf) translationsOf(name string) (out []string) {
	m := languageInName.FindStringSubmatch(name)
	if m == nil {
		return nil
	}
	byName := f.orders[sortByName]
	at, _ := slices.BinarySearchFunc(byName, m[1]+".", func(i int32, to string) int { return strings.Compare(f.items[i].Name, to) })
	for ; at < len(byName) && strings.HasPrefix(f.items[byName[at]].Name, m[1]+"."); at++ {
		one := &f.items[byName[at]]
		if n := languageInName.FindStringSubmatch(one.Name); n != nil && n[1] == m[1] && n[2] != m[2] && n[3] == m[3] {
			out = append(out, one.ID)
		}
	}
	return out
}

// withoutAddresses returns the names of the people of a mail header.
func withoutAddresses(header string) string {
	var names []string
	for one := range strings.SplitSeq(header, ",") {
		name, _, _ := strings.Cut(one, "<")
		if name = strings.Trim(name, ` "`); name == "" {
			name = strings.Trim(one, " <>")
		}
		names = append(names, name)
	}
	return strings.Join(names, ", ")
}

// Neighbours are the papers before and after one in its series, by date; nil where there is none.
type Neighbours struct{ Before, After *Holding }

// neighbours returns the papers around one in its series that the client may know of and that are not on its page.
func (c *Client) neighbours(v *view, p *Paper) (Neighbours, error) {
	f, g, err := c.shelf(v)
	if err != nil {
		return Neighbours{}, err
	}
	var out Neighbours
	passed := false
	for _, i := range f.orders[sortByDate] {
		one := &f.items[i]
		switch {
		case one.ID == p.ID:
			passed = true
			continue
		case !g.known[i] || !slices.Equal(one.folders, p.folders) || slices.ContainsFunc(p.Companions, func(o Companion) bool { return o.ID == one.ID }):
			continue
		}
		if other := *one; passed {
			out.After = &other
			break
		} else {
			out.Before = &other
		}
	}
	if !passed {
		return Neighbours{}, nil // of an older snapshot
	}
	for _, one := range []*Holding{out.Before, out.After} {
		if one == nil {
			continue
		}
		art, err := v.resolve(one.ID)
		if err == nil {
			err = g.name(v, art, one)
		}
		if err != nil {
			return Neighbours{}, err
		}
	}
	return out, nil
}
