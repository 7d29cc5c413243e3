package leaf

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"muniment/canon"
	"muniment/cid"
	"muniment/cid/jcs"
	"muniment/cid/merkle"
	"muniment/cite"
	"muniment/snapshot"
	"muniment/snapshot/layout"
	"muniment/snapshot/record"
)

// NewSource makes the source leaf of a bound citation: of a text, for which d
// is the artifact, or of a metadata_fact, for which d is nil. recordJSON is the
// record that describes the artifact, proof shows its line in the snapshot,
// commit is the content of the snapshot's commit.
func NewSource(c *cite.Citation, d *canon.Document, recordJSON []byte, proof *snapshot.Proof, commit []byte) (*Source, error) {
	data, err := c.Encode()
	if err != nil {
		return nil, err
	}
	s := &Source{
		Citation:     cid.OfJSON(data).String(),
		CitationJSON: string(data),
		Artifact:     c.Artifact,
		Record:       cid.OfJSON(recordJSON).String(),
		Snapshot:     c.Snapshot,
		Seq:          c.Seq,
		Span:         c.Span,
		QuoteSHA256:  c.QuoteSHA256,
		Prefix:       c.Prefix,
		Suffix:       c.Suffix,
		RecordJSON:   string(recordJSON),
		RecordProof:  *proof,
		Commit:       string(commit),
	}
	if c.Relation == cite.MetadataFact {
		m, err := c.MetaSpan()
		if err != nil {
			return nil, err
		}
		s.Quote, err = cite.QuoteMeta(recordJSON, m)
		return s, err
	}
	span, err := c.TextSpan()
	if err != nil {
		return nil, err
	}
	if s.Quote, err = cite.Quote(d, span); err != nil {
		return nil, err
	}
	units := d.Units(span.Kind)
	for n := span.From.Unit; n <= span.To.Unit; n++ {
		u := units[n-1]
		p := Paragraph{Kind: string(span.Kind), Ordinal: n, Text: string(d.Payload()[u.Start:u.End])}
		for _, h := range d.Prove(span.Kind, n-1) {
			p.Proof = append(p.Proof, hex.EncodeToString(h[:]))
		}
		s.Paragraphs = append(s.Paragraphs, p)
	}
	return s, nil
}

// Verify checks everything a source leaf says against its proofs. It returns
// the snapshot. The signature of the snapshot is verified; the caller decides
// whether its key counts.
func (s *Source) Verify(archive cid.ID) (*snapshot.Snapshot, error) {
	// Step 16a: the snapshot is the one named, of this archive, and signed.
	snap, err := snapshot.Parse([]byte(s.Commit))
	if err != nil {
		return nil, fmt.Errorf("commit: %w", err)
	}
	var late error // of the parts, the first that is newer: the others are verified first
	if snap.Newer != nil {
		late = snap.Newer
	}
	switch {
	case snap.ID.String() != s.Snapshot:
		return nil, fmt.Errorf("the commit is snapshot %s, want %s", snap.ID, s.Snapshot)
	case snap.Archive != archive:
		return nil, fmt.Errorf("snapshot %s is of archive %s, want %s", s.Snapshot, snap.Archive, archive)
	case snap.Seq != s.Seq:
		return nil, fmt.Errorf("snapshot %s has seq %d, want %d", s.Snapshot, snap.Seq, s.Seq)
	}
	// Step 16b: the record is the one named, and lies in the snapshot.
	rec, err := s.verifyRecord(snap.Root)
	if newer := (*jcs.NewerError)(nil); errors.As(err, &newer) {
		late = cmp.Or(late, err)
	} else if err != nil {
		return nil, err
	}
	// Step 16c: the citation is the one named, and says what the leaf says.
	c, err := s.verifyCitation()
	if err = cmp.Or(err, late); err != nil {
		return nil, err
	}
	// Steps 16d and 16e: the words stand where the span says.
	if c.Relation == cite.MetadataFact {
		err = s.verifyField(c)
	} else {
		err = s.verifyWords(c, rec)
	}
	if err != nil {
		return nil, err
	}
	return snap, nil
}

// verifyRecord takes step 16b: the record is the one named, and a line of the
// snapshot.
func (s *Source) verifyRecord(root merkle.Hash) (*record.Record, error) {
	id := cid.OfJSON([]byte(s.RecordJSON))
	if id.String() != s.Record {
		return nil, fmt.Errorf("the record is %s, want %s", id, s.Record)
	}
	rec, err := record.ParseRecord([]byte(s.RecordJSON))
	var newer *jcs.NewerError
	if err != nil && !errors.As(err, &newer) {
		return nil, fmt.Errorf("record %s: %w", s.Record, err)
	}
	path := layout.LoneRecordPath(id)
	if newer == nil && rec.Artifact != "" {
		artifact, err := cid.ParseAs(cid.Raw, rec.Artifact)
		if err != nil {
			return nil, fmt.Errorf("record %s: %w", s.Record, err)
		}
		path = layout.RecordPath(artifact, id)
	}
	present, line, err := s.RecordProof.Verify(root)
	switch {
	case err != nil:
		return nil, fmt.Errorf("proof of record %s: %w", s.Record, err)
	case !present:
		return nil, fmt.Errorf("proof of record %s shows that the snapshot does not hold it", s.Record)
	case line.Path != path && newer == nil || line.Digest != id.Digest():
		return nil, fmt.Errorf("proof of record %s is one of %x %s, want %s", s.Record, line.Digest, line.Path, path)
	case newer != nil:
		return nil, fmt.Errorf("record %s: %w", s.Record, newer)
	}
	return rec, nil
}

// verifyCitation takes step 16c: the citation is the one named, and agrees with
// the leaf.
func (s *Source) verifyCitation() (*cite.Citation, error) {
	if id := cid.OfJSON([]byte(s.CitationJSON)); id.String() != s.Citation {
		return nil, fmt.Errorf("the citation is %s, want %s", id, s.Citation)
	}
	c, err := cite.ParseCitation([]byte(s.CitationJSON))
	if err != nil {
		return nil, err
	}
	if c.Artifact != s.Artifact || c.Snapshot != s.Snapshot || c.Seq != s.Seq || c.Span != s.Span ||
		c.QuoteSHA256 != s.QuoteSHA256 || c.Prefix != s.Prefix || c.Suffix != s.Suffix ||
		c.Record != "" && c.Record != s.Record {
		return nil, fmt.Errorf("citation %s and the source leaf name different artifacts, records, snapshots, spans or quotes", s.Citation)
	}
	if sum := sha256.Sum256([]byte(s.Quote)); hex.EncodeToString(sum[:]) != s.QuoteSHA256 {
		return nil, fmt.Errorf("the quote has sha256 %x, want %s", sum, s.QuoteSHA256)
	}
	return c, nil
}

// verifyField checks a quote from the record itself.
func (s *Source) verifyField(c *cite.Citation) error {
	if s.Artifact != s.Record || len(s.Paragraphs) > 0 {
		return fmt.Errorf("a metadata_fact cites %s and has %d paragraphs, want its record %s and none", s.Artifact, len(s.Paragraphs), s.Record)
	}
	return c.CheckRecord([]byte(s.RecordJSON))
}

// verifyWords checks the units a span touches against the record's roots, and
// the quote, its prefix and its suffix against the units.
func (s *Source) verifyWords(c *cite.Citation, rec *record.Record) error {
	if rec.Artifact != s.Artifact {
		return fmt.Errorf("record %s is of artifact %s, want %s", s.Record, rec.Artifact, s.Artifact)
	}
	span, err := c.TextSpan()
	if err != nil {
		return err
	}
	count, rootHex := rec.PCount, rec.PRoot
	if span.Kind == cite.Lines {
		count, rootHex = rec.LCount, rec.LRoot
	}
	if !IsHex(rootHex, sha256.Size) {
		return fmt.Errorf("record %s has no root of a text", s.Record)
	}
	var root merkle.Hash
	if _, err := hex.Decode(root[:], []byte(rootHex)); err != nil {
		return err
	}
	if want := span.To.Unit - span.From.Unit + 1; len(s.Paragraphs) != want {
		return fmt.Errorf("%d units, want the %d of span %s", len(s.Paragraphs), want, s.Span)
	}
	for i, p := range s.Paragraphs {
		if p.Kind != string(span.Kind) || p.Ordinal != span.From.Unit+i {
			return fmt.Errorf("unit %s%d, want %c%d", p.Kind, p.Ordinal, span.Kind, span.From.Unit+i)
		}
		proof := make([]merkle.Hash, len(p.Proof))
		for j, h := range p.Proof {
			if _, err := hex.Decode(proof[j][:], []byte(h)); err != nil {
				return err
			}
		}
		if err := merkle.Verify(merkle.LeafHash([]byte(p.Text)), int64(p.Ordinal-1), count, proof, root); err != nil {
			return fmt.Errorf("unit %s%d: %w", p.Kind, p.Ordinal, err)
		}
	}
	_, err = s.surroundings(span)
	return err
}

// surroundings returns the text of the units of a span as far as the leaf shows
// it, and requires quote, prefix and suffix to be parts of it.
func (s *Source) surroundings(span cite.Span) (string, error) {
	first, last := s.Paragraphs[0], s.Paragraphs[len(s.Paragraphs)-1]
	from, ok1 := offset(first.Text, span.From.Offset)
	to, ok2 := offset(last.Text, span.To.Offset)
	if !ok1 || !ok2 {
		return "", fmt.Errorf("span %s is not within its units", s.Span)
	}
	if err := s.checkQuote(span.Kind, from, to); err != nil {
		return "", fmt.Errorf("the quote is not the text at %s: %w", s.Span, err)
	}
	before, after := first.Text[:from], last.Text[to:]
	if !strings.HasSuffix(before, s.Prefix) && !strings.HasSuffix(s.Prefix, before) {
		return "", fmt.Errorf("the prefix is not the text before %s", s.Span)
	}
	if !strings.HasPrefix(after, s.Suffix) && !strings.HasPrefix(s.Suffix, after) {
		return "", fmt.Errorf("the suffix is not the text after %s", s.Span)
	}
	return before + s.Quote + after, nil
}

// checkQuote requires the quote to be the units' text from byte from of the first to
// byte to of the last. Separators between units are not proved: they must be
// one LF between lines, and two or more between paragraphs, in the number that
// the quote's sha256 vouches for.
func (s *Source) checkQuote(kind byte, from, to int) error {
	rest := s.Quote
	for i, p := range s.Paragraphs {
		text := p.Text
		if i == len(s.Paragraphs)-1 {
			text = text[:to]
		}
		if i == 0 {
			if len(text) < from {
				return errors.New("it ends before it begins")
			}
			text = text[from:]
		} else {
			lf := len(rest) - len(strings.TrimLeft(rest, "\n"))
			if kind == cite.Lines {
				lf = min(lf, 1)
			}
			if lf == 0 || kind == cite.Paragraphs && lf == 1 {
				return fmt.Errorf("no separator before unit %s%d", p.Kind, p.Ordinal)
			}
			rest = rest[lf:]
		}
		if !strings.HasPrefix(rest, text) {
			return fmt.Errorf("it differs in unit %s%d", p.Kind, p.Ordinal)
		}
		rest = rest[len(text):]
	}
	if rest != "" {
		return errors.New("it goes on after the end")
	}
	return nil
}

// Words returns the text that chunks of this source may come from.
func (s *Source) Words() (string, error) {
	if strings.HasPrefix(s.Span, cite.MetaPrefix) {
		return s.Quote, nil
	}
	span, err := cite.ParseSpan(s.Span)
	if err != nil {
		return "", err
	}
	return s.surroundings(span)
}

// offset returns the byte offset of code point n of a text.
func offset(text string, n int) (int, bool) {
	at := 0
	for range n {
		_, size := utf8.DecodeRuneInString(text[at:])
		if size == 0 {
			return 0, false
		}
		at += size
	}
	return at, true
}

// Subject returns the ID of the artifact that a source is about: for a
// metadata_fact the one that its record describes, if there is one.
func (s *Source) Subject() string {
	if s.Artifact == s.Record {
		if rec, err := record.ParseRecord([]byte(s.RecordJSON)); err == nil && rec.Artifact != "" {
			return rec.Artifact
		}
	}
	return s.Artifact
}
