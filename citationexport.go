package muniment

import (
	"sort"
	"strings"
	"time"

	"muniment/cid"
	"muniment/cite"
	"muniment/exchange"
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
		an := exchange.Annotation{ID: one.citationIRI(), Claim: one.Claim, Created: one.Time.UTC().Format(time.RFC3339), Creator: one.Agent, Source: iri(one.Artifact), Relation: string(one.Relation),
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
	return exchange.WriteAnnotations(out), nil
}

// ExportPROV writes the provenance of the verified citations of a session, or of
// all, as PROV-JSON: artifacts, the accessions that brought them in, citations
// and what they were derived from.
func (a *Archive) ExportPROV(session string) ([]byte, error) {
	list, c, err := a.exported(session)
	if err != nil {
		return nil, err
	}
	var p exchange.Provenance
	seen := map[string]bool{}
	for _, one := range list {
		p.Citations = append(p.Citations, exchange.CitationProvenance{ID: one.citationIRI(), Claim: one.Claim, Relation: string(one.Relation), Span: one.Span, Status: string(one.Status),
			Time: one.Time.UTC().Format(time.RFC3339), Agent: one.Agent, Session: one.Session, Artifact: iri(one.Artifact), Inputs: one.inputs})
		id, err := cid.Parse(one.Artifact)
		if err != nil || seen[one.Artifact] {
			continue
		}
		seen[one.Artifact] = true
		if art := c.byID[id]; art != nil {
			for _, h := range art.records {
				title := ""
				if h.rec.Source != nil {
					title = h.rec.Source.Title
				}
				p.Accessions = append(p.Accessions, exchange.AccessionProvenance{Record: iri(h.id.String()), Artifact: iri(h.rec.Artifact), Original: iri(h.rec.Original), Canonicalizer: h.rec.Canonicalizer,
					Time: h.rec.Time, Agent: h.rec.Agent, Title: title})
			}
		}
	}
	return exchange.WritePROV(p), nil
}

// An exportedCitation is a citation with what its text says.
type exportedCitation struct {
	ledger.Citation
	words      string
	start, end int // code points of the whole text; 0, 0 for a metadata fact
	snapshot   string
	inputs     []string
}

// citationIRI is the content address of a bound citation; one that no snapshot
// holds yet has the number of this ledger only.
func (e exportedCitation) citationIRI() string {
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
			for _, in := range object.Inputs {
				e.inputs = append(e.inputs, iri(in))
			}
			sort.Strings(e.inputs)
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
