package engine

import (
	"errors"
	"net/url"
	"strconv"
	"strings"
	"time"

	"muniment/archive"
	"muniment/archive/problem"
	"muniment/cid"
	"muniment/cite"
	"muniment/cite/locator"
	"muniment/engine/references/exchange"
	"muniment/ledger"
	"muniment/policy"
)

// ExportAnnotations returns the verified citations of a session, or of all, of which
// somebody with the view may read every word, as a W3C Web Annotation collection in JSON-LD.
// A view that does not see everything is of the newest snapshot.
func ExportAnnotations(a *archive.Archive, session string, v *policy.View) ([]byte, error) {
	list, shown, err := selectExported(a, session, v)
	if err != nil {
		return nil, err
	}
	var out []exchange.Annotation
	for _, one := range list {
		an := exchange.Annotation{ID: formatIRI(&one.Citation), Claim: one.Claim, Created: formatInstant(one.Time), Creator: one.Agent, Source: iri(one.Artifact), Relation: string(one.Relation),
			Selectors: one.selectors, Snapshot: iri(one.snapshot), Fragment: one.Span, Verdicts: verdictsOf(&one.Citation)}
		if id, err := cid.Parse(one.Artifact); err == nil {
			art, err := shown.catalog.Artifact(id)
			if err != nil {
				return nil, err
			}
			if art != nil {
				if h, ok := art.FirstRecord(); ok && h.Record.Source != nil {
					an.Canonical = v.Word(h.Record.Source.URL)
				}
			}
		}
		out = append(out, an)
	}
	collection := iri(a.ID().String()) + "/citations"
	if session != "" {
		collection += "?session=" + url.QueryEscape(session)
	}
	return exchange.WriteAnnotations(collection, out), nil
}

// ExportPROV returns the provenance of the verified citations of a session, or of
// all, as PROV-JSON: artifacts, the accessions that brought them in, citations
// and what they were derived from. What an aggregation or a custom source rests
// on is followed down to the papers, whatever session cited it, as far as the view shows it.
func ExportPROV(a *archive.Archive, session string, v *policy.View) ([]byte, error) {
	list, shown, err := selectExported(a, session, v)
	if err != nil {
		return nil, err
	}
	l, err := ledger.Of(a)
	if err != nil {
		return nil, err
	}
	w := provenance{shown: shown, ledger: l, seen: map[string]bool{}}
	for _, one := range list {
		if err := w.citation(&one.Citation); err != nil {
			return nil, err
		}
	}
	return exchange.WritePROV(w.out), nil
}

// provenance collects artifacts and citations with what each rests on, each once.
type provenance struct {
	shown  *shownCitations
	ledger *ledger.Ledger
	seen   map[string]bool // IRIs of artifacts, numbers of citations
	out    exchange.Provenance
}

// citation adds a citation, its artifact and its inputs.
func (w *provenance) citation(one *ledger.Citation) error {
	// Equal citations are one entity; each was an act of its own.
	number := strconv.FormatInt(one.Ordinal, 10)
	if one.Ordinal == 0 {
		number = one.ID.String()
	}
	if w.seen[number] {
		return nil
	}
	w.seen[number] = true
	inputs, err := w.inputs(one.Inputs)
	if err != nil {
		return err
	}
	w.out.Citations = append(w.out.Citations, exchange.CitationProvenance{ID: formatIRI(one), Claim: one.Claim, Relation: string(one.Relation), Span: one.Span, Status: string(one.Status),
		Time: formatInstant(one.Time), Agent: one.Agent, Session: one.Session, Artifact: iri(one.Artifact), Inputs: inputs, Verdicts: verdictsOf(one)})
	return w.artifact(one.Artifact)
}

// formatInstant returns a time in RFC 3339, UTC, "" for one that is not known.
func formatInstant(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

// verdictsOf returns the verdicts on a citation for exports.
func verdictsOf(c *ledger.Citation) exchange.Verdicts {
	return exchange.Verdicts{Match: string(c.Match), ClaimVerdict: string(c.Verdict), Judge: c.Judge}
}

// artifact adds an artifact's accessions and what it was made from.
func (w *provenance) artifact(ref string) error {
	id, err := cid.Parse(ref)
	if err != nil || w.seen[iri(ref)] {
		return nil
	}
	w.seen[iri(ref)] = true
	art, err := w.shown.catalog.Artifact(id)
	if err != nil || art == nil {
		return err
	}
	for _, h := range art.Records {
		if h.Record, err = w.shown.view.Describe(h.Record); err != nil || h.Record == nil {
			return problem.Wrap(err, "policy")
		}
		inputs, err := w.inputs(strings.Fields(h.Record.Facts[factDerivedFrom]))
		if err != nil {
			return err
		}
		title := ""
		if h.Record.Source != nil {
			title = h.Record.Source.Title
		}
		w.out.Accessions = append(w.out.Accessions, exchange.AccessionProvenance{Record: iri(h.ID.String()), Artifact: iri(h.Record.Artifact), Original: iri(h.Record.Original), Canonicalizer: h.Record.Canonicalizer,
			Time: h.Record.Time, Agent: h.Record.Agent, Title: title, Inputs: inputs})
	}
	return nil
}

// inputs adds the things that references name and returns their IRIs. The
// recursion ends: every input is older than what was made from it, and is added
// once.
func (w *provenance) inputs(refs []string) ([]string, error) {
	var out []string
	for _, ref := range refs {
		if !isCitationRef(ref) {
			known, err := w.shown.view.KnowsRef(ref)
			if err == nil && known {
				out = append(out, iri(ref))
				err = w.artifact(ref)
			}
			if err != nil {
				return nil, problem.Wrap(err, "policy")
			}
			continue
		}
		var one ledger.Citation
		var err error
		if id, idErr := cid.ParseAs(cid.JSON, ref); idErr == nil {
			one, err = w.ledger.ByID(id)
		} else if n, numErr := strconv.ParseInt(ref, 10, 64); numErr == nil {
			one, err = w.ledger.Get(n)
		} else {
			continue
		}
		switch {
		case errors.Is(err, ledger.ErrNotFound):
			if w.shown.view.SeesAll() {
				out = append(out, iri(ref)) // of another ledger, or of the snapshot; its address says which
			}
		case err != nil:
			return nil, problem.Wrap(err, "ledger")
		default:
			if shows, err := w.shown.has(&one); err != nil || !shows {
				if err != nil {
					return nil, err
				}
				continue
			}
			out = append(out, formatIRI(&one))
			if err := w.citation(&one); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// An exportedCitation is a citation with the selectors of its words: their quote
// and, unless they are a metadata fact, their position. A picture or a recording has
// that of its fragment.
type exportedCitation struct {
	ledger.Citation
	selectors []locator.Selector
	snapshot  string
}

// formatIRI returns the content address of a bound citation; one that no snapshot
// holds yet has the number of this ledger only.
func formatIRI(e *ledger.Citation) string {
	if e.ID.IsZero() {
		return "urn:muniment:citation:" + strconv.FormatInt(e.Ordinal, 10)
	}
	return iri(e.ID.String())
}

// iri returns the address of a content ID, "" for none.
func iri(id string) string {
	if id == "" {
		return ""
	}
	return "ipfs://" + id
}

// selectExported returns the verified and unverified citations of a session, or of
// all for "", that a view of the newest tree shows.
func selectExported(a *archive.Archive, session string, v *policy.View) ([]exportedCitation, *shownCitations, error) {
	tree, err := exportedTree(a, v)
	if err != nil {
		return nil, nil, err
	}
	shown := &shownCitations{view: v, catalog: a.CatalogFor(tree, v)}
	l, err := ledger.Of(a)
	if err != nil {
		return nil, nil, err
	}
	list, err := listWithSealed(a, l, session)
	if err != nil {
		return nil, nil, err
	}
	var out []exportedCitation
	for _, one := range list {
		if one.Status != ledger.Verified && one.Status != ledger.Unverified || one.Span == "" {
			continue
		}
		if shows, err := shown.has(&one); err != nil || !shows {
			if err != nil {
				return nil, nil, err
			}
			continue
		}
		e := exportedCitation{Citation: one}
		quote := locator.Selector{Exact: one.Quote, Prefix: one.Anchor.Prefix, Suffix: one.Anchor.Suffix}
		var position []locator.Selector
		if object, err := cite.ParseCitation(one.JSON); err == nil {
			e.snapshot = object.Snapshot
		}
		id, err := cid.Parse(one.Artifact)
		span, spanErr := cite.ParseSpan(one.Span)
		if err != nil || spanErr != nil {
			id = cid.ID{}
		}
		art, err := shown.catalog.Artifact(id)
		if err != nil {
			return nil, nil, err
		}
		if art != nil {
			if doc, err := a.Document(tree, art); err == nil {
				if words, start, end, err := locator.Points(doc, span); err == nil {
					quote.Exact, position = words, []locator.Selector{{Start: start, End: end}}
				}
			}
		}
		if m, err := cite.ParseMediaSpan(one.Span); err == nil {
			e.selectors = []locator.Selector{{Fragment: m.Fragment()}}
			out = append(out, e)
			continue
		}
		if strings.TrimSpace(quote.Exact) == "" {
			continue
		}
		e.selectors = append([]locator.Selector{quote}, position...)
		out = append(out, e)
	}
	return out, shown, nil
}
