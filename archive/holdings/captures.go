package holdings

import (
	"slices"
	"strings"
	"time"

	"muniment/cid"
	"muniment/text/legible"
	"muniment/text/weburl"
)

// Captures returns the current records of the pages at an address, the newest capture first. The address may lack its
// scheme, and may be the one that was asked for where another one answered.
func (c *Catalog) Captures(ref string) ([]Place, error) {
	if _, err := cid.Parse(ref); err == nil {
		return nil, nil
	}
	var found []Place
	for _, address := range weburl.KeptAddresses(ref) {
		from, err := c.FromSource(address)
		if err != nil {
			return nil, err
		}
		for _, p := range from {
			if p.Record.Record.Source.URL == address {
				found = append(found, p)
			}
		}
		asked, err := c.capturesNamed(weburl.PageName(address))
		if err != nil {
			return nil, err
		}
		found = append(found, asked...)
	}
	slices.SortStableFunc(found, func(a, b Place) int { return captureTime(b).Compare(captureTime(a)) })
	var out []Place
	seen := map[cid.ID]bool{} // records, and their artifacts
	for _, p := range found {
		if seen[p.Record.ID] || p.Artifact != nil && p.Artifact.Withdrawn {
			continue
		}
		seen[p.Record.ID] = true
		if p.Artifact != nil {
			seen[p.Artifact.ID] = true
		}
		out = append(out, p)
	}
	return out, nil
}

// OnlyCaptures returns the Captures at an address, none where it also names an artifact that is no such page.
func (c *Catalog) OnlyCaptures(ref string) ([]Place, error) {
	pages, err := c.Captures(ref)
	if err != nil || len(pages) == 0 {
		return nil, err
	}
	named, err := c.findMeant(ref)
	isPage := func(art *Artifact) bool {
		return slices.ContainsFunc(pages, func(p Place) bool { return p.Artifact != nil && p.Artifact.ID == art.ID })
	}
	if err != nil || slices.ContainsFunc(named, func(art *Artifact) bool { return !isPage(art) }) {
		return nil, err
	}
	return pages, nil
}

// capturesNamed returns the current records with the whole name of a page.
func (c *Catalog) capturesNamed(name string) ([]Place, error) {
	named, err := c.findNamed(name)
	if err != nil {
		return nil, err
	}
	var out []Place
	for _, art := range named {
		for _, h := range art.CurrentRecords() {
			if slices.Contains(h.Record.Names, name) {
				out = append(out, Place{art, h})
			}
		}
	}
	return c.withoutSuperseded(out)
}

// captureTime returns when the page of a record was fetched or, where that is not said, taken in.
func captureTime(p Place) time.Time {
	r := p.Record.Record
	if r.Source != nil {
		if at, err := time.Parse(time.RFC3339Nano, r.Source.FetchedAt); err == nil {
			return at
		}
	}
	at, _ := time.Parse(time.RFC3339Nano, r.Time)
	return at
}

// ResolveCapture finds the artifact that ref names as Resolve does; the address of a page names its newest capture.
func (c *Catalog) ResolveCapture(ref string) (*Artifact, error) {
	pages, err := c.OnlyCaptures(ref)
	if err != nil {
		return nil, err
	}
	for _, p := range pages {
		if p.Artifact != nil {
			return p.Artifact, nil
		}
	}
	return c.Resolve(ref)
}

// maxOlder is how many older captures a note names; three lines of a terminal.
const maxOlder = 3

// CaptureNote returns a sentence that says which capture of a page is shown and names the
// older ones; "" where there is one alone.
func CaptureNote(pages []Place) string {
	if len(pages) < 2 {
		return ""
	}
	words := make([]string, len(pages))
	for i, p := range pages {
		id := p.Record.ID
		if p.Artifact != nil {
			id = p.Artifact.ID
		}
		words[i] = id.String() + " of " + captureTime(p).UTC().Format(time.RFC3339)
	}
	shown := words[1:min(len(words), 1+maxOlder)]
	return "the newest of " + CountFound(len(pages)) + " captures, of " + captureTime(pages[0]).UTC().Format(time.RFC3339) + "; older: " + strings.Join(shown, ", ") + legible.AndMore(len(pages)-1-len(shown))
}
