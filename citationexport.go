package muniment

import (
	"errors"
	"net/url"
	"strconv"
	"strings"
	"time"

	"muniment/cid"
	"muniment/cite"
	"muniment/engine/exchange"
	"muniment/ledger"
)

// ExportAnnotations writes the verified citations of a session, or of all, as a
// W3C Web Annotation collection in JSON-LD.
func (a *Archive) ExportAnnotations(session string) ([]byte, error) {
	list, c, err := a.exported(session)
	if err != nil {
		return nil, err
	}
	var out []exchange.Annotation
	for _, one := range list {
		an := exchange.Annotation{ID: citationIRI(&one.Citation), Claim: one.Claim, Created: one.Time.UTC().Format(time.RFC3339), Creator: one.Agent, Source: iri(one.Artifact), Relation: string(one.Relation),
			Exact: one.words, Prefix: one.Anchor.Prefix, Suffix: one.Anchor.Suffix, Snapshot: iri(one.snapshot), Fragment: one.Span, Start: one.start, End: one.end}
		if id, err := cid.Parse(one.Artifact); err == nil {
			if art := c.byID[id]; art != nil {
				if h, ok := art.first(); ok && h.rec.Source != nil {
					an.Canonical = h.rec.Source.URL
				}
			}
		}
		out = append(out, an)
	}
	collection := iri(a.id.String()) + "/citations"
	if session != "" {
		collection += "?session=" + url.QueryEscape(session)
	}
	return exchange.WriteAnnotations(collection, out), nil
}

// ExportPROV writes the provenance of the verified citations of a session, or of
// all, as PROV-JSON: artifacts, the accessions that brought them in, citations
// and what they were derived from. What an aggregation or a custom source rests
// on is followed down to the papers, whatever session cited it.
func (a *Archive) ExportPROV(session string) ([]byte, error) {
	list, c, err := a.exported(session)
	if err != nil {
		return nil, err
	}
	l, err := a.openLedger()
	if err != nil {
		return nil, err
	}
	w := provenance{catalog: c, ledger: l, seen: map[string]bool{}}
	for _, one := range list {
		if err := w.citation(&one.Citation); err != nil {
			return nil, err
		}
	}
	return exchange.WritePROV(w.out), nil
}

// provenance gathers what rests on what, each thing once.
type provenance struct {
	catalog *catalog
	ledger  *ledger.Ledger
	seen    map[string]bool // IRIs of artifacts, numbers of citations
	out     exchange.Provenance
}

func (w *provenance) citation(one *ledger.Citation) error {
	// Equal citations are one entity; each was an act of its own.
	number := itoa64(one.Ordinal)
	if w.seen[number] {
		return nil
	}
	w.seen[number] = true
	inputs, err := w.inputs(one.Inputs)
	if err != nil {
		return err
	}
	w.out.Citations = append(w.out.Citations, exchange.CitationProvenance{ID: citationIRI(one), Claim: one.Claim, Relation: string(one.Relation), Span: one.Span, Status: string(one.Status),
		Time: one.Time.UTC().Format(time.RFC3339), Agent: one.Agent, Session: one.Session, Artifact: iri(one.Artifact), Inputs: inputs})
	return w.artifact(one.Artifact)
}

// artifact adds an artifact's accessions and what it was made from.
func (w *provenance) artifact(ref string) error {
	id, err := cid.Parse(ref)
	if err != nil || w.seen[iri(ref)] {
		return nil
	}
	w.seen[iri(ref)] = true
	art := w.catalog.byID[id]
	if art == nil {
		return nil
	}
	for _, h := range art.records {
		inputs, err := w.inputs(strings.Fields(h.rec.Facts[factDerivedFrom]))
		if err != nil {
			return err
		}
		title := ""
		if h.rec.Source != nil {
			title = h.rec.Source.Title
		}
		w.out.Accessions = append(w.out.Accessions, exchange.AccessionProvenance{Record: iri(h.id.String()), Artifact: iri(h.rec.Artifact), Original: iri(h.rec.Original), Canonicalizer: h.rec.Canonicalizer,
			Time: h.rec.Time, Agent: h.rec.Agent, Title: title, Inputs: inputs})
	}
	return nil
}

// inputs adds what something rests on and returns the IRIs. The loop ends:
// every input is older than what was made from it, and is added once.
func (w *provenance) inputs(refs []string) ([]string, error) {
	var out []string
	for _, ref := range refs {
		if !isCitationRef(ref) {
			out = append(out, iri(ref))
			if err := w.artifact(ref); err != nil {
				return nil, err
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
			out = append(out, iri(ref)) // of another ledger; its address says which
		case err != nil:
			return nil, environment(err, "ledger")
		default:
			out = append(out, citationIRI(&one))
			if err := w.citation(&one); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// An exportedCitation is a citation with what its text says.
type exportedCitation struct {
	ledger.Citation
	words      string
	start, end int // code points of the whole text; 0, 0 for a metadata fact
	snapshot   string
}

// citationIRI is the content address of a bound citation; one that no snapshot
// holds yet has the number of this ledger only.
func citationIRI(e *ledger.Citation) string {
	if e.ID.IsZero() {
		return "urn:muniment:citation:" + itoa64(e.Ordinal)
	}
	return iri(e.ID.String())
}

// iri is the address of a content ID.
func iri(id string) string {
	if id == "" {
		return ""
	}
	return "ipfs://" + id
}

func (a *Archive) exported(session string) ([]exportedCitation, *catalog, error) {
	tree, err := a.newestTree()
	if err != nil {
		return nil, nil, err
	}
	c, err := a.load(tree)
	if err != nil {
		return nil, nil, err
	}
	l, err := a.openLedger()
	if err != nil {
		return nil, nil, err
	}
	list, err := l.List(ledger.Filter{Session: session})
	if err != nil {
		return nil, nil, environment(err, "ledger")
	}
	var out []exportedCitation
	for _, one := range list {
		if one.Status != ledger.Verified && one.Status != ledger.Unverified || one.Span == "" {
			continue
		}
		e := exportedCitation{Citation: one, words: one.Quote}
		if object, err := cite.ParseCitation(one.JSON); err == nil {
			e.snapshot = object.Snapshot
		}
		id, err := cid.Parse(one.Artifact)
		span, spanErr := cite.ParseSpan(one.Span)
		if art := c.byID[id]; err == nil && spanErr == nil && art != nil {
			if doc, err := a.document(tree, art); err == nil {
				if start, end, err := cite.Resolve(doc, span); err == nil {
					e.words = string(doc.Payload()[start:end])
					e.start = len([]rune(string(doc.Payload()[:start])))
					e.end = e.start + len([]rune(e.words))
				}
			}
		}
		if strings.TrimSpace(e.words) == "" {
			continue
		}
		out = append(out, e)
	}
	return out, c, nil
}
