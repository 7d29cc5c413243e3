package accession

import (
	"context"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"muniment/archive"
	"muniment/archive/holdings"
	"muniment/archive/problem"
	"muniment/canon/read"
	"muniment/cid"
	"muniment/objects"
	"muniment/snapshot/access"
	"muniment/snapshot/layout"
	"muniment/snapshot/record"
	"muniment/text/legible"
)

// A RereadResult is what Reread did.
type RereadResult struct {
	Name        string                `json:"name"`
	Artifact    string                `json:"artifact"`
	Was         string                `json:"was"` // the artifact of the reading before
	Record      string                `json:"record,omitempty"`
	Supersedes  string                `json:"supersedes,omitempty"`
	Corrections []holdings.Correction `json:"corrections"`
	Charset     string                `json:"charset"`   // of the reading, and how it was found; "" where there is none
	Unchanged   bool                  `json:"unchanged"` // the reading is the same
}

// Reread reads the original of a paper again, as mediaType or, where that is "", as
// its name and bytes tell today's readers, and stages what comes of it with a record
// that supersedes the one before and keeps what is said of the paper: the scan of which it
// is the text, the whole of which it is a part, and its consent. The reading before stays,
// and what cites it stays valid.
func Reread(ctx context.Context, a *archive.Archive, ref, mediaType string) (*RereadResult, error) {
	if err := checkMediaType(mediaType); err != nil {
		return nil, err
	}
	tree, err := a.NewestTree()
	if err != nil {
		return nil, err
	}
	place, err := a.Catalog(tree).ResolvePlace(ref)
	if err != nil {
		return nil, err
	}
	old := place.Record.Record
	if place.Artifact == nil {
		return nil, problem.New(problem.Usage, problem.Next(problem.DoList), "%s is a record without a body: there is nothing to read", legible.Printable(ref))
	}
	data, err := readOriginal(a, tree, place)
	if err != nil {
		return nil, err
	}
	form, err := canonicalizeWithin(read.Input{Name: place.Record.Label(), MediaType: mediaType, Data: data})
	if err != nil {
		return nil, problem.New(problem.PartlyDone, problem.Advise("give the right --media-type, or leave the paper as it is"), "%s: %w", legible.Printable(ref), err)
	}
	b, err := a.Store().NewBatch()
	if err != nil {
		return nil, problem.Wrap(err, "reread")
	}
	defer b.Abort()
	next, artifact := rereadRecord(a, place, form)
	r := &RereadResult{Name: place.Record.Label(), Artifact: artifact.String(), Was: place.Artifact.ID.String(), Corrections: holdings.Corrections(old, next), Charset: next.Charset}
	if len(r.Corrections) == 0 && next.Extractor == old.Extractor {
		r.Unchanged = true
		return r, nil
	}
	encoded, err := next.Encode()
	if err != nil {
		return nil, problem.New(problem.Usage, problem.Next(problem.DoReadOptions, "describe"), "%s: %w", legible.Printable(ref), err)
	}
	id := cid.OfJSON(encoded)
	r.Record, r.Supersedes = id.String(), next.Supersedes
	add := addition{name: place.Record.Label()}
	add.put(ctx, b, layout.RecordPath(artifact, id), encoded)
	if artifact != place.Artifact.ID {
		add.put(ctx, b, layout.ArtifactPath(artifact), form.Payload)
		if original, err := cid.ParseAs(cid.Raw, old.Original); err == nil && original != artifact {
			add.put(ctx, b, layout.OriginalPath(original), data)
			add.large = append(add.large, layout.OriginalPath(original))
		}
		consent, err := carryConsent(a, tree, place.Artifact.ID, artifact)
		if err != nil {
			return nil, err
		}
		if consent != nil {
			add.put(ctx, b, layout.ConsentPath(artifact), consent)
		}
	}
	if add.err != nil {
		return nil, problem.Wrap(add.err, "reread")
	}
	return r, archive.Stage(a, b, func(base objects.Hash) ([]objects.Edit, error) {
		return settlePointers(a.Store(), base, add.edits, add.large)
	})
}

// carryConsent returns the own consent of one artifact as that of another, which is made
// from the same original; nil where the first has none, or the other has its own.
func carryConsent(a *archive.Archive, tree objects.Hash, from, to cid.ID) ([]byte, error) {
	own, err := a.File(tree, layout.ConsentPath(to))
	if own != nil || err != nil {
		return nil, err
	}
	data, err := a.File(tree, layout.ConsentPath(from))
	if data == nil || err != nil {
		return nil, err
	}
	consent, err := access.ParseConsent(data)
	if err != nil {
		return nil, problem.Negative(problem.Damaged, problem.Next(problem.DoListDamage), "%s: %w", layout.ConsentPath(from), err)
	}
	consent.Artifact = to.String()
	encoded, err := consent.Encode()
	return encoded, problem.Wrap(err, "reread")
}

// readOriginal returns the bytes of the original of a paper.
func readOriginal(a *archive.Archive, tree objects.Hash, place holdings.Place) ([]byte, error) {
	content, err := a.OriginalContent(tree, place.Artifact, place.Record)
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(io.LimitReader(content, maxRead+1))
	if err != nil {
		return nil, problem.Wrap(err, "reread")
	}
	if len(data) > maxRead {
		return nil, problem.New(problem.Usage, problem.Advise("its bytes are kept as they are"), "%s has more than %d bytes: no text is read from it", place.Record.Label(), maxRead)
	}
	return data, nil
}

// rereadRecord returns the record of a new reading of the original at a place, and
// the id of its artifact.
func rereadRecord(a *archive.Archive, place holdings.Place, form read.Form) (*record.Record, cid.ID) {
	old := place.Record.Record
	in := &intake{archive: a, now: a.World().Now().UTC().Format(time.RFC3339)}
	artifact := cid.Of(form.Payload)
	original, err := cid.ParseAs(cid.Raw, old.Original)
	if err != nil {
		original = place.Artifact.ID
	}
	next := in.newRecord(Input{Name: place.Record.Label()}, form, artifact, original)
	next.Names, next.NamesEncoded, next.Source, next.Supersedes = slices.Clone(old.Names), old.NamesEncoded, old.Source, place.Record.ID.String()
	next.Parts = slices.Clone(old.Parts)
	if len(form.Payload) > layout.MaxBlob {
		if c, err := splitChunks(context.Background(), strings.NewReader(string(form.Payload)), nil); err == nil {
			c.describe(next)
		}
	}
	facts := maps.Clone(next.Facts)
	for name, value := range old.Facts {
		if _, has := facts[name]; !has && slices.ContainsFunc(sourceFacts, func(prefix string) bool { return strings.HasPrefix(name, prefix) }) {
			if facts == nil {
				facts = map[string]string{}
			}
			facts[name] = value
		}
	}
	next.Facts = facts
	return next, artifact
}

// sourceFacts begin the names of the facts that tell how an original arrived, what it was
// made from and who says what of it, rather than how it was read. The consent of a text
// follows from them.
var sourceFacts = []string{"container_", "http_", "tls_", "origin_", "dropped_", "other_", "source_", "identifier", "query", "result_description", "description", holdings.FactDerivedFrom, holdings.FactTextMade, record.FactDateFound, factBox, factConvertedBy, factScrubbed, holdings.FactPartOf}
