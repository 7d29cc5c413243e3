// Package record holds the JSON objects that say how the artifacts of an archive came to be and
// what became of them.
//
// Every object is canonical JSON (package jcs) with a type member
// "muniment/<kind>/v<n>" and is checked by meaning when it is written and when
// it is read, by the same code. An object of which there are two versions is
// written in the first one that can say it, and read in no other. The two calls
// most people need are
//
//	data, err := rec.Encode()
//	rec, err := record.ParseRecord(data)
//
// A Record says how one artifact came to be: from which original, by which
// canonicalizer, under which names, from what source. It is immutable; a
// correction is a new Record that supersedes it. The other objects are the
// archive's identity (Archive), what was decided of an artifact (Hold,
// Withdrawal) and where its bytes are (Pointer). Who may see what is said by the
// objects of package access; package layout has the paths.
//
// The specification is docs/spec/object.md; its vectors are in
// testvectors/record.
package record

import (
	"errors"
	"fmt"
	"strings"

	"muniment/snapshot/edtf"
	"muniment/snapshot/layout"
	"muniment/snapshot/member"
)

// The types of the objects, as their type member says them.
const (
	TypeArchive    = "muniment/archive/v1"
	TypeRecord     = "muniment/record/v1"
	TypeWithdrawal = "muniment/withdrawal/v1"
	TypeHold       = "muniment/hold/v1"
	TypePointer    = "muniment/pointer/v1"

	// TypeSecondRecord is the type of a record whose source has a member that the
	// first version lacks, or a date that is not known to the day.
	TypeSecondRecord = "muniment/record/v2"
)

// BytesForm is the canonicalizer of a payload that is the original itself, and
// that therefore has no paragraphs and lines.
const BytesForm = "bytes@1"

// FactDateFound and FactDateText are the facts with the date at the head of a text, in EDTF, and the words it was read from.
const FactDateFound, FactDateText = "date_found", "date_found_text"

// UnicodeVersion is the version of Unicode by which texts are normalized, that of
// canon.UnicodeVersion.
const UnicodeVersion = "15.0.0"

// The values of Source.PaywallPolicy.
const (
	PaywallFull         = "full"          // the body was taken in
	PaywallMetadataOnly = "metadata_only" // the record stands alone
)

// A Record describes one accession. Members without omitempty are always
// there. A record without an artifact stands alone: it describes a source
// whose body may not be kept, and has a Source with the paywall policy
// metadata_only and no member that speaks of a payload.
type Record struct {
	Type          string            `json:"type"`                    // TypeRecord or TypeSecondRecord; set by Encode when empty
	Artifact      string            `json:"artifact,omitempty"`      // raw ID of the payload
	Original      string            `json:"original,omitempty"`      // raw ID of the bytes as received, may equal Artifact
	Names         []string          `json:"names,omitempty"`         // relative paths as added
	NamesEncoded  bool              `json:"names_encoded,omitempty"` // the names went through EncodeName
	MediaType     string            `json:"media_type,omitempty"`    // of the original
	Canonicalizer string            `json:"canonicalizer,omitempty"` // name@version
	Unicode       string            `json:"unicode,omitempty"`       // UnicodeVersion; none for BytesForm
	Extractor     string            `json:"extractor,omitempty"`     // outside program or library and its version
	Charset       string            `json:"charset,omitempty"`       // the decision about the original's charset
	Reason        string            `json:"reason,omitempty"`        // why the payload is the original itself
	Size          int64             `json:"size,omitempty"`          // bytes of the payload
	PCount        int64             `json:"p_count,omitempty"`       // paragraphs of the payload
	PRoot         string            `json:"p_root,omitempty"`        // RFC 6962 root over them, hex
	LCount        int64             `json:"l_count,omitempty"`       // lines of the payload
	LRoot         string            `json:"l_root,omitempty"`        // RFC 6962 root over them, hex
	ChunkCount    int64             `json:"chunk_count,omitempty"`   // of a payload above MaxBlob
	ChunkRoot     string            `json:"chunk_root,omitempty"`    // RFC 6962 root over the chunks' sha256 digests, hex
	Parts         []Part            `json:"parts,omitempty"`         // what lay inside and is an artifact of its own
	Time          string            `json:"time"`                    // of the accession, RFC 3339 UTC seconds
	Agent         string            `json:"agent"`                   // who took it in
	Source        *Source           `json:"source,omitempty"`        // nil when nothing is known
	Facts         map[string]string `json:"facts,omitempty"`         // by the canonicalizer's page in the specification
	Supersedes    string            `json:"supersedes,omitempty"`    // json ID of the record this one corrects
}

// A Part names an artifact that lay inside the original.
type Part struct {
	Artifact  string `json:"artifact"` // raw ID
	Name      string `json:"name"`
	MediaType string `json:"media_type"`
}

// A Source is what is known about where an original comes from. Every member
// may be absent.
type Source struct {
	Title         string   `json:"title,omitempty"`
	Creators      []string `json:"creators,omitempty"`
	Publisher     string   `json:"publisher,omitempty"`
	URL           string   `json:"url,omitempty"`
	PublishedAt   string   `json:"published_at,omitempty"` // a day, RFC 3339 with the offset the source states, or EDTF (TypeSecondRecord)
	FetchedAt     string   `json:"fetched_at,omitempty"`   // RFC 3339 UTC seconds
	Tier          int      `json:"tier,omitempty"`         // 1 (primary) to 4; 0 when not rated
	PaywallPolicy string   `json:"paywall_policy,omitempty"`
	Tags          []string `json:"tags,omitempty"`
	Language      string   `json:"language,omitempty"` // BCP 47
	CSLType       string   `json:"csl_type,omitempty"` // item type of the Citation Style Language

	// The members of TypeSecondRecord, which archivists describe papers by.
	Identifier  string   `json:"identifier,omitempty"`  // reference code
	Description string   `json:"description,omitempty"` // scope and content
	Extent      string   `json:"extent,omitempty"`      // such as "2 leaves"
	Rights      string   `json:"rights,omitempty"`      // conditions of access and use
	Place       string   `json:"place,omitempty"`       // where it was written, or what it is about
	Box         string   `json:"box,omitempty"`         // where it is kept
	Folder      string   `json:"folder,omitempty"`      // within the box
	Level       string   `json:"level,omitempty"`       // one of Levels
	Subjects    []string `json:"subjects,omitempty"`    // topics, persons and places it is about
	Related     []string `json:"related,omitempty"`     // other units of description
}

// Levels are the levels of description, the widest first.
var Levels = []string{"collection", "fonds", "subfonds", "series", "subseries", "file", "item"}

// IsZero reports whether nothing is known.
func (s Source) IsZero() bool {
	return s.Title+s.Publisher+s.URL+s.PublishedAt+s.FetchedAt+s.PaywallPolicy+s.Language+s.CSLType == "" &&
		s.Tier == 0 && len(s.Creators) == 0 && len(s.Tags) == 0 && s.secondMember() == ""
}

// secondMember returns the name of a member of s that only TypeSecondRecord has, or
// "".
func (s Source) secondMember() string {
	for _, m := range []struct {
		name  string
		given bool
	}{
		{"identifier", s.Identifier != ""}, {"description", s.Description != ""}, {"extent", s.Extent != ""}, {"rights", s.Rights != ""},
		{"place", s.Place != ""}, {"box", s.Box != ""}, {"folder", s.Folder != ""}, {"level", s.Level != ""},
		{"subjects", len(s.Subjects) > 0}, {"related", len(s.Related) > 0},
	} {
		if m.given {
			return m.name
		}
	}
	return ""
}

// firstType returns the type of the first version that can hold the record.
func (r *Record) firstType() string {
	if s := r.Source; s != nil && (s.secondMember() != "" || s.PublishedAt != "" && member.DayOrTime("", s.PublishedAt) != nil) {
		return TypeSecondRecord
	}
	return TypeRecord
}

// Encode returns the canonical bytes of r after checking it.
func (r Record) Encode() ([]byte, error) {
	return member.Encode(&r, &r.Type, r.firstType(), (*Record).check)
}

// ParseRecord reads the output of Encode and nothing else.
func ParseRecord(data []byte) (*Record, error) {
	return member.ParseEither(data, TypeRecord, TypeSecondRecord, (*Record).check)
}

// Textual reports whether the payload is a text with paragraphs and lines.
func (r Record) Textual() bool { return r.Artifact != "" && r.Canonicalizer != BytesForm }

// Date returns when the source was published, in EDTF and without a time of day, or
// "".
func (r Record) Date() string {
	if r.Source == nil {
		return ""
	}
	if day, _, ok := strings.Cut(r.Source.PublishedAt, "T"); ok {
		return day
	}
	return r.Source.PublishedAt
}

// Published returns the date of publication, the zero date where there is none.
func (r Record) Published() edtf.Date {
	d, _ := edtf.Parse(r.Date()) // "" is no date
	return d
}

func (r *Record) check() error {
	err := errors.Join(
		checkNames(r.Names, r.NamesEncoded),
		member.Optional("supersedes", r.Supersedes, member.JSONID),
		member.Instant("time", r.Time),
		member.Line("agent", r.Agent),
		checkParts(r.Parts),
		r.Source.check(r.Type),
		member.Optional("extractor", r.Extractor, member.Line),
		member.Optional("charset", r.Charset, member.Line),
		member.Optional("reason", r.Reason, member.Line),
	)
	if err != nil {
		return member.FirstOf(err)
	}
	if want := r.firstType(); r.Type != want {
		return fmt.Errorf("type is %q, want %q: nothing in the record needs a later version", r.Type, want)
	}
	if r.Artifact == "" {
		return r.checkAlone()
	}
	return r.checkPayload()
}

// checkOriginal requires an ID, which as a rule is that of the artifact.
func (r *Record) checkOriginal() error {
	if r.Original == r.Artifact {
		return nil // which is checked itself
	}
	return member.RawID("original", r.Original)
}

// checkAlone checks a record that describes no payload.
func (r *Record) checkAlone() error {
	switch {
	case r.Original+r.MediaType+r.Canonicalizer+r.Unicode+r.Extractor+r.Charset+r.Reason+r.PRoot+r.LRoot+r.ChunkRoot != "",
		r.Size|r.PCount|r.LCount|r.ChunkCount != 0, len(r.Parts) > 0:
		return errors.New("artifact is missing in a record that describes a payload")
	case r.Source == nil || r.Source.PaywallPolicy != PaywallMetadataOnly:
		return errors.New("a record without an artifact wants the paywall_policy metadata_only")
	case r.Source.Title == "" && r.Source.URL == "":
		return errors.New("a record without an artifact wants a title or a url")
	}
	return nil
}

// checkPayload checks the fields of a record about its payload.
func (r *Record) checkPayload() error {
	if err := errors.Join(
		member.RawID("artifact", r.Artifact),
		r.checkOriginal(),
		member.MediaType("media_type", r.MediaType),
		member.Form("canonicalizer", r.Canonicalizer),
	); err != nil {
		return member.FirstOf(err)
	}
	switch {
	case r.Source != nil && r.Source.PaywallPolicy == PaywallMetadataOnly:
		return errors.New("paywall_policy is metadata_only in a record with an artifact")
	case len(r.Names) == 0 && (r.Source == nil || r.Source.URL == ""):
		return errors.New("names is missing, and there is no url in its place")
	case r.Size < 1:
		return fmt.Errorf("size is %d, want at least 1", r.Size)
	}
	if err := r.checkChunks(); err != nil {
		return err
	}
	if r.Textual() {
		return r.checkText()
	}
	switch {
	case r.PCount|r.LCount != 0 || r.PRoot+r.LRoot != "":
		return errors.New("a bytes@1 payload has no paragraphs and lines")
	case r.Unicode != "":
		return errors.New("a bytes@1 payload has no unicode version")
	case r.Artifact != r.Original:
		return errors.New("a bytes@1 payload is the original, and artifact differs from it")
	}
	return nil
}

func (r *Record) checkText() error {
	switch {
	case r.PCount < 1 || r.LCount < r.PCount:
		return fmt.Errorf("p_count is %d and l_count %d, want at least one paragraph and no fewer lines", r.PCount, r.LCount)
	case r.Unicode == "":
		return errors.New("unicode is missing for a text")
	case r.Unicode != UnicodeVersion:
		return fmt.Errorf("unicode is %q, want %s: no form has another", r.Unicode, UnicodeVersion)
	case r.Reason != "":
		return errors.New("reason is given for a text; it says why a payload is bytes@1")
	}
	return member.FirstOf(errors.Join(member.Digest("p_root", r.PRoot), member.Digest("l_root", r.LRoot)))
}

func (r *Record) checkChunks() error {
	switch {
	case r.Size <= layout.MaxBlob && r.ChunkCount == 0 && r.ChunkRoot == "":
		return nil
	case r.Size <= layout.MaxBlob:
		return fmt.Errorf("a payload of %d bytes has no chunks", r.Size)
	case r.ChunkCount < 2:
		return fmt.Errorf("chunk_count is %d for a payload of %d bytes, want at least 2", r.ChunkCount, r.Size)
	}
	return member.Digest("chunk_root", r.ChunkRoot)
}

func checkParts(parts []Part) error {
	for i, p := range parts {
		if err := errors.Join(member.RawID("artifact", p.Artifact), member.Line("name", p.Name), member.MediaType("media_type", p.MediaType)); err != nil {
			return fmt.Errorf("parts[%d]: %w", i, member.FirstOf(err))
		}
	}
	return nil
}

// check checks the source of a record of a type.
func (s *Source) check(typ string) error {
	switch {
	case s == nil:
		return nil
	case s.IsZero():
		return errors.New("source is empty, want it left out")
	case s.Tier < 0 || s.Tier > 4:
		return fmt.Errorf("source.tier is %d, want 1 to 4, or none", s.Tier)
	case s.PaywallPolicy != "" && s.PaywallPolicy != PaywallFull && s.PaywallPolicy != PaywallMetadataOnly:
		return fmt.Errorf("source.paywall_policy is %q, want full or metadata_only", s.PaywallPolicy)
	case typ == TypeRecord && s.secondMember() != "":
		return fmt.Errorf("source.%s is unknown in %s", s.secondMember(), TypeRecord)
	}
	published := member.DayOrTime
	if typ == TypeSecondRecord {
		published = member.DateOrTime
	}
	return member.FirstOf(errors.Join(
		member.Optional("source.url", s.URL, member.Address),
		member.Texts("source.creators", s.Creators),
		member.Texts("source.tags", s.Tags),
		member.Optional("source.published_at", s.PublishedAt, published),
		member.Optional("source.fetched_at", s.FetchedAt, member.Instant),
		member.Optional("source.language", s.Language, member.Line),
		member.Optional("source.csl_type", s.CSLType, member.Line),
		s.checkSecond(),
	))
}

// checkSecond checks the members of TypeSecondRecord.
func (s *Source) checkSecond() error {
	return errors.Join(
		member.Optional("source.identifier", s.Identifier, member.Line),
		member.Optional("source.extent", s.Extent, member.Line),
		member.Optional("source.place", s.Place, member.Line),
		member.Optional("source.box", s.Box, member.Line),
		member.Optional("source.folder", s.Folder, member.Line),
		member.Optional("source.level", s.Level, func(name, value string) error { return member.OneOf(name, value, Levels...) }),
		member.Texts("source.subjects", s.Subjects),
		member.Texts("source.related", s.Related),
	)
}
