package engine

import (
	"context"

	"muniment/cite"
	"muniment/ledger"
)

// An Outcome is what became of a candidate: its result, or why it was not registered.
type Outcome struct {
	Result *CiteResult
	Err    error
}

// RegisterAll registers candidates in a group, in their order, as Cite does each, with few
// statements for all of them. What one of them rests on may be one before it.
func RegisterAll(ctx context.Context, g *Group, all []*Candidate) []Outcome {
	out := make([]Outcome, len(all))
	r := run{group: g}
	for i, c := range all {
		if c == nil || c.result == nil || g == nil || g.archive == nil {
			out[i].Err = errNoArchive()
			continue
		}
		e := c.engine(g)
		if alone := c.relation == cite.Aggregation || e.awaitsModel(c); alone {
			r.flush(ctx, out)
			out[i].Result, out[i].Err = e.register(ctx, c)
			continue
		}
		p := pending{at: i, asked: c, engine: e, candidate: c.attempt()}
		if p.entry, out[i].Err = e.enter(p.candidate); out[i].Err == nil {
			r.all = append(r.all, p)
		}
	}
	r.flush(ctx, out)
	return out
}

// A run is candidates that are registered with one another.
type run struct {
	group *Group
	all   []pending
}

// A pending is a candidate with the entry that is to be made of it, and its place among
// the outcomes.
type pending struct {
	at        int
	asked     *Candidate
	engine    *Engine
	candidate *Candidate
	entry     ledger.Entry
}

// flush registers the run. What cannot be written together is written one by one, so
// that an entry that the ledger refuses keeps no other out.
func (r *run) flush(ctx context.Context, out []Outcome) {
	all := r.all
	if r.all = nil; len(all) == 0 {
		return
	}
	entries := make([]ledger.Entry, len(all))
	for i := range all {
		entries[i] = all[i].entry
	}
	l, err := all[0].engine.ledger()
	var added []ledger.Added
	if err == nil {
		added, err = l.AddKeyed(entries)
	}
	if err != nil {
		for _, p := range all {
			out[p.at].Result, out[p.at].Err = p.engine.register(ctx, p.asked)
		}
		return
	}
	var fresh []pending
	for i, p := range all {
		c := p.candidate
		out[p.at].Result = c.result
		if c.result.CitationID = added[i].Ordinal; added[i].Known {
			out[p.at].Err = p.engine.repeat(c, l, added[i].Ordinal)
			continue
		}
		of := &ledger.Citation{Ordinal: added[i].Ordinal, Entry: p.entry}
		if _, err := p.engine.Reviews().applyReviews(c, l, &p.entry); err != nil {
			out[p.at].Err = err
			continue
		}
		if err := p.engine.Reviews().requireReviews(c, l, of); err != nil {
			out[p.at].Err = err
			continue
		}
		if c.complete(p.entry); c.result.Binding != "failed" {
			fresh = append(fresh, p)
		}
	}
	r.bind(l, fresh, out)
}

// bind binds new citations to the newest snapshot where that holds what they cite.
func (r *run) bind(l *ledger.Ledger, fresh []pending, out []Outcome) {
	head, _, err := r.group.archive.Head()
	var objects []ledger.CitationObject
	var bound []*CiteResult
	for _, p := range fresh {
		c := p.candidate
		c.result.Binding = "unbound"
		if err != nil {
			out[p.at].Err = err
		}
		if err != nil || head == nil {
			continue
		}
		o, ok, err := p.engine.citationObject(l, ledger.Citation{Ordinal: c.result.CitationID, Entry: p.entry}, c.evidence.artifact, head, c.held)
		if err != nil {
			out[p.at].Err = err
		} else if ok {
			objects, bound = append(objects, o), append(bound, c.result)
		} else if c.result.Waits, err = p.engine.waitsFor(); err != nil {
			out[p.at].Err = err
		}
	}
	if len(objects) == 0 {
		return
	}
	n, err := l.Bind(objects, r.group.archive.World().Now())
	if err != nil || n < len(objects) { // a snapshot of another process was faster
		for _, p := range fresh {
			if c := p.candidate; out[p.at].Err == nil {
				out[p.at].Err = p.engine.bindNew(c.result, l, p.entry, c.evidence.artifact, c.held)
			}
		}
		return
	}
	for i, o := range objects {
		bound[i].bindTo(o.ID, head.ID.String())
	}
}
