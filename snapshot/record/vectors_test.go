package record

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"muniment/cid"
	"muniment/cid/jcs"
	"muniment/snapshot/access"
	"muniment/snapshot/layout"
	"muniment/testvectors"
)

const vectorDir = "../../testvectors/record"

// A vector is one object, or one path, with what must become of it. expect is
// ok or the class of the defect for an object, the kind for a path.
type vector struct{ name, expect, typ, comment, data string }

// classes is the closed set of expect values of objects, with what one of the
// errors of the class says.
var classes = map[string][]string{
	"ok":    nil,
	"form":  {"is missing", "is unknown", "canonical form", "type is", "made by a newer program", "want ", "null", "follow the object"},
	"id":    {"codec", "is not an id"},
	"name":  {"name"},
	"time":  {"RFC 3339", "YYYY-MM-DD", "is before"},
	"text":  {"paragraph", "unicode", "p_root", "l_root", "reason", "artifact differs"},
	"chunk": {"chunk"},
	"value": {"want", "is missing", "is empty", "twice", "control characters", "recipient", "already", "cannot hold", "aliases of nobody", "paywall_policy"},
}

var kindNames = map[layout.Kind]string{
	layout.KindNone: "none", layout.KindReadme: "readme", layout.KindAttributes: "attributes", layout.KindArchive: "archive",
	layout.KindPolicy: "policy", layout.KindTrust: "trust", layout.KindPayload: "payload", layout.KindPayloadChunk: "payload-chunk",
	layout.KindRecord: "record", layout.KindConsent: "consent", layout.KindHold: "hold", layout.KindWithdrawn: "withdrawn", layout.KindOriginal: "original",
	layout.KindOriginalChunk: "original-chunk", layout.KindLoneRecord: "lone-record", layout.KindCitation: "citation",
	layout.KindPointer: "pointer", layout.KindOriginalPointer: "original-pointer", layout.KindReview: "review",
}

var (
	artifactID = cid.Of([]byte("a letter\n"))
	originalID = cid.Of([]byte("a letter\r\n"))
	recordID   = cid.OfJSON([]byte("{}"))
	sixtyFour  = strings.Repeat("0f", 32)
)

func textRecord() Record {
	return Record{
		Artifact: artifactID.String(), Original: originalID.String(), Names: []string{"letters/07.txt"},
		MediaType: "text/plain", Canonicalizer: "text@1", Unicode: "15.0.0", Charset: "utf-8", Size: 9,
		PCount: 1, PRoot: sixtyFour, LCount: 1, LRoot: sixtyFour,
		Time: "2024-05-01T09:30:00Z", Agent: "Ada Vale <ada@example.org>",
	}
}

func bytesRecord() Record {
	return Record{
		Artifact: artifactID.String(), Original: artifactID.String(), Names: []string{"scan.png"},
		MediaType: "image/png", Canonicalizer: BytesForm, Reason: "no text reader for image/png", Size: 9,
		Time: "2024-05-01T09:30:00Z", Agent: "Ada Vale <ada@example.org>",
	}
}

func loneRecord() Record {
	return Record{Time: "2024-05-01T09:30:00Z", Agent: "Ada Vale <ada@example.org>",
		Source: &Source{Title: "The Harbour", URL: "https://example.org/harbour", PaywallPolicy: PaywallMetadataOnly}}
}

func fullSource() *Source {
	return &Source{Title: "Letter 7", Creators: []string{"Ada Vale"}, Publisher: "Vale Papers", URL: "https://example.org/7",
		PublishedAt: "1911-03-04", FetchedAt: "2024-05-01T09:29:59Z", Tier: 1, PaywallPolicy: PaywallFull,
		Tags: []string{"family"}, Language: "en", CSLType: "personal_communication"}
}

// with returns the canonical bytes of v after change, unchecked.
func with[T any](v T, typ func(*T) *string, want string, change func(*T)) string {
	*typ(&v) = want
	change(&v)
	data, err := jcs.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(data)
}

func vectors() []vector {
	rec := func(base Record, change func(*Record)) string {
		return with(base, func(r *Record) *string { return &r.Type }, TypeRecord, change)
	}
	text := func(change func(*Record)) string { return rec(textRecord(), change) }
	source := func(change func(*Source)) string {
		return text(func(r *Record) { r.Source = fullSource(); change(r.Source) })
	}
	second := func(change func(*Source)) string {
		return strings.Replace(source(change), TypeRecord, TypeSecondRecord, 1)
	}
	same := func(*Record) {}
	out := []vector{
		{"record-text", "ok", TypeRecord, "a text", text(same)},
		{"record-bytes", "ok", TypeRecord, "a payload that is its original", rec(bytesRecord(), same)},
		{"record-alone", "ok", TypeRecord, "a source without a body", rec(loneRecord(), same)},
		{"record-full", "ok", TypeRecord, "every member", source(func(*Source) {})},
		{"record-offset-fraction", "ok", TypeRecord, "nine digits of a second and the largest offset", source(func(s *Source) { s.PublishedAt = "1999-12-31T23:30:00.123456789+23:59" })},
		{"record-encoded-name", "ok", TypeRecord, "a file name in Latin-1", text(func(r *Record) { r.Names, r.NamesEncoded = []string{"caf%E9.txt"}, true })},
		{"record-literal-percent", "ok", TypeRecord, "a percent sign that encodes nothing", text(func(r *Record) { r.Names = []string{"100%.txt"} })},
		{"record-offset", "ok", TypeRecord, "published at a time with an offset", source(func(s *Source) { s.PublishedAt = "1999-12-31T23:30:00-05:00" })},
		{"record-url-only", "ok", TypeRecord, "a url in the place of names", text(func(r *Record) { r.Names, r.Source = nil, &Source{URL: "https://example.org/7"} })},
		{"record-chunks", "ok", TypeRecord, "a payload above 8 MiB", text(func(r *Record) { r.Size, r.ChunkCount, r.ChunkRoot = layout.MaxBlob+1, 2, sixtyFour })},
		{"record-parts", "ok", TypeRecord, "a part, facts, a correction", text(func(r *Record) {
			r.Parts = []Part{{Artifact: originalID.String(), Name: "seal.png", MediaType: "image/png"}}
			r.Facts, r.Supersedes = map[string]string{"rows": "12"}, recordID.String()
		})},

		{"record-null", "form", TypeRecord, "null for the source", strings.Replace(text(same), `"time"`, `"source":null,"time"`, 1)},
		{"record-unknown", "form", TypeRecord, "a member of no record", strings.Replace(text(same), `"size"`, `"score":1,"size"`, 1)},
		{"record-no-agent", "form", TypeRecord, "agent is missing", strings.Replace(text(same), `"agent":"Ada Vale <ada@example.org>",`, "", 1)},
		{"record-other-type", "form", TypeRecord, "the type of a later version", strings.Replace(text(same), "record/v1", "record/v2", 1)},
		{"record-empty-source", "form", TypeRecord, "an empty source", strings.Replace(text(same), `"time"`, `"source":{},"time"`, 1)},
		{"record-empty-names", "form", TypeRecord, "an empty list of names", strings.Replace(text(same), `["letters/07.txt"]`, `[]`, 1)},
		{"record-space", "form", TypeRecord, "a line feed at the end", text(same) + "\n"},

		{"record-artifact-json", "id", TypeRecord, "a json id for the artifact", text(func(r *Record) { r.Artifact = recordID.String() })},
		{"record-artifact-hex", "id", TypeRecord, "a bare digest for the artifact", text(func(r *Record) { r.Artifact = artifactID.Hex() })},
		{"record-original-json", "id", TypeRecord, "a json id for the original", text(func(r *Record) { r.Original = recordID.String() })},
		{"record-no-original", "id", TypeRecord, "no original", text(func(r *Record) { r.Original = "" })},
		{"record-supersedes-raw", "id", TypeRecord, "a raw id for a record", text(func(r *Record) { r.Supersedes = artifactID.String() })},
		{"record-part-json", "id", TypeRecord, "a json id for a part", text(func(r *Record) {
			r.Parts = []Part{{Artifact: recordID.String(), Name: "seal.png", MediaType: "image/png"}}
		})},

		{"record-no-names", "name", TypeRecord, "no names and no url", text(func(r *Record) { r.Names = nil })},
		{"record-name-empty", "name", TypeRecord, "an empty name", text(func(r *Record) { r.Names = []string{""} })},
		{"record-name-twice", "name", TypeRecord, "one name twice", text(func(r *Record) { r.Names = []string{"a", "a"} })},
		{"record-encoded-flag-off", "name", TypeRecord, "a control character that is not encoded", text(func(r *Record) { r.Names = []string{"a\nb"} })},
		{"record-encoded-lower", "name", TypeRecord, "lower case in %xx", text(func(r *Record) { r.Names, r.NamesEncoded = []string{"caf%e9"}, true })},
		{"record-encoded-cut", "name", TypeRecord, "%X at the end", text(func(r *Record) { r.Names, r.NamesEncoded = []string{"caf%E9%E"}, true })},
		{"record-encoded-letter", "name", TypeRecord, "an encoded letter", text(func(r *Record) { r.Names, r.NamesEncoded = []string{"%E9%41"}, true })},
		{"record-encoded-needless", "name", TypeRecord, "names_encoded where no name needs it", text(func(r *Record) { r.Names, r.NamesEncoded = []string{"100%25"}, true })},

		{"record-time-offset", "time", TypeRecord, "an offset other than Z", text(func(r *Record) { r.Time = "2024-05-01T09:30:00+00:00" })},
		{"record-time-fraction", "time", TypeRecord, "parts of a second", text(func(r *Record) { r.Time = "2024-05-01T09:30:00.5Z" })},
		{"record-time-day", "time", TypeRecord, "a day that no month has", text(func(r *Record) { r.Time = "2024-02-30T09:30:00Z" })},
		{"record-time-empty", "time", TypeRecord, "an empty time", text(func(r *Record) { r.Time = "" })},
		{"record-published-month", "time", TypeRecord, "a month for published_at", source(func(s *Source) { s.PublishedAt = "1911-03" })},
		{"record-published-offset", "time", TypeRecord, "an offset of a day", source(func(s *Source) { s.PublishedAt = "1999-12-31T23:30:00+24:00" })},
		{"record-published-offset-minute", "time", TypeRecord, "an offset with 60 minutes", source(func(s *Source) { s.PublishedAt = "1999-12-31T23:30:00+01:60" })},
		{"record-published-fraction", "time", TypeRecord, "ten digits of a second", source(func(s *Source) { s.PublishedAt = "1999-12-31T23:30:00.0123456789Z" })},
		{"record-published-lower", "time", TypeRecord, "a lower case z", source(func(s *Source) { s.PublishedAt = "1999-12-31T23:30:00z" })},
		{"record-published-leap", "time", TypeRecord, "a leap second", source(func(s *Source) { s.PublishedAt = "1998-12-31T23:59:60Z" })},
		{"record-fetched-day", "time", TypeRecord, "a day for fetched_at", source(func(s *Source) { s.FetchedAt = "2024-05-01" })},

		{"record-text-no-paragraph", "text", TypeRecord, "a text without paragraphs", text(func(r *Record) { r.PCount, r.PRoot = 0, "" })},
		{"record-text-few-lines", "text", TypeRecord, "more paragraphs than lines", text(func(r *Record) { r.PCount = 2 })},
		{"record-text-root-upper", "text", TypeRecord, "upper case in a root", text(func(r *Record) { r.PRoot = strings.ToUpper(sixtyFour) })},
		{"record-text-root-short", "text", TypeRecord, "a short root", text(func(r *Record) { r.LRoot = sixtyFour[2:] })},
		{"record-text-no-unicode", "text", TypeRecord, "no Unicode version", text(func(r *Record) { r.Unicode = "" })},
		{"record-text-unicode", "text", TypeRecord, "a Unicode version that no form has", text(func(r *Record) { r.Unicode = "16.0.0" })},
		{"record-text-reason", "text", TypeRecord, "a reason for bytes@1 in a text", text(func(r *Record) { r.Reason = "x" })},
		{"record-bytes-paragraphs", "text", TypeRecord, "paragraphs of a bytes@1 payload", rec(bytesRecord(), func(r *Record) { r.PCount, r.PRoot = 1, sixtyFour })},
		{"record-bytes-unicode", "text", TypeRecord, "a Unicode version for bytes@1", rec(bytesRecord(), func(r *Record) { r.Unicode = "15.0.0" })},
		{"record-bytes-other-original", "text", TypeRecord, "a bytes@1 payload that is not its original", rec(bytesRecord(), func(r *Record) { r.Original = originalID.String() })},

		{"record-chunks-small", "chunk", TypeRecord, "chunks of a small payload", text(func(r *Record) { r.ChunkCount, r.ChunkRoot = 2, sixtyFour })},
		{"record-chunks-missing", "chunk", TypeRecord, "a payload above 8 MiB without chunks", text(func(r *Record) { r.Size = layout.MaxBlob + 1 })},
		{"record-chunks-one", "chunk", TypeRecord, "one chunk", text(func(r *Record) { r.Size, r.ChunkCount, r.ChunkRoot = layout.MaxBlob+1, 1, sixtyFour })},

		{"record-size-zero", "value", TypeRecord, "size 0 is left out, and wanted", text(func(r *Record) { r.Size = 0 })},
		{"record-agent-empty", "value", TypeRecord, "an empty agent", text(func(r *Record) { r.Agent = "" })},
		{"record-agent-lines", "value", TypeRecord, "an agent of two lines", text(func(r *Record) { r.Agent = "a\nb" })},
		{"record-media-type-upper", "value", TypeRecord, "a media type in upper case", text(func(r *Record) { r.MediaType = "Text/Plain" })},
		{"record-media-type-parameter", "value", TypeRecord, "a media type with a parameter", text(func(r *Record) { r.MediaType = "text/plain; charset=utf-8" })},
		{"record-canonicalizer-version", "value", TypeRecord, "a canonicalizer without a version", text(func(r *Record) { r.Canonicalizer = "text" })},
		{"record-tier-5", "value", TypeRecord, "tier 5", source(func(s *Source) { s.Tier = 5 })},
		{"record-tier-minus", "value", TypeRecord, "tier -1", source(func(s *Source) { s.Tier = -1 })},
		{"record-paywall", "value", TypeRecord, "another paywall policy", source(func(s *Source) { s.PaywallPolicy = "partial" })},
		{"record-paywall-body", "value", TypeRecord, "metadata_only with a body", source(func(s *Source) { s.PaywallPolicy = PaywallMetadataOnly })},
		{"record-alone-full", "value", TypeRecord, "a record alone under paywall policy full", rec(loneRecord(), func(r *Record) { r.Source.PaywallPolicy = PaywallFull })},
		{"record-alone-untitled", "value", TypeRecord, "a record alone with neither title nor url", rec(loneRecord(), func(r *Record) { r.Source.Title, r.Source.URL = "", "" })},
		{"record-alone-size", "value", TypeRecord, "a record alone with a size", rec(loneRecord(), func(r *Record) { r.Size = 1 })},
		{"record-tags-twice", "value", TypeRecord, "one tag twice", source(func(s *Source) { s.Tags = []string{"a", "a"} })},
		{"record-extractor-blank", "value", TypeRecord, "an extractor of white space", text(func(r *Record) { r.Extractor = "\u2003" })},
		{"record-part-name-blank", "value", TypeRecord, "a part with a blank name", text(func(r *Record) {
			r.Parts = []Part{{Artifact: originalID.String(), Name: " ", MediaType: "image/png"}}
		})},
		{"record-creator-empty", "value", TypeRecord, "an empty creator", source(func(s *Source) { s.Creators = []string{""} })},
		{"record-url-lines", "value", TypeRecord, "a url of two lines", source(func(s *Source) { s.URL = "https://example.org/a\nb" })},
	}
	out = append(out, secondVectors(source, second)...)
	for i, name := range []string{"..", "../a", "a/../b", "/a", "a/", "a//b", ".", "./a", "a/.", strings.Repeat("a", MaxName+1)} {
		out = append(out, vector{fmt.Sprintf("record-name-path-%d", i), "name", TypeRecord, "a name that is no clean relative path",
			text(func(r *Record) { r.Names = []string{name} })})
	}
	return slices.Concat(out, otherVectors(), pointerVectors(), pathVectors())
}

// secondVectors are records of the second version; source and second make one of the
// first and of the second.
func secondVectors(source, second func(func(*Source)) string) []vector {
	full := func(s *Source) {
		s.PublishedAt, s.Identifier, s.Description, s.Extent, s.Rights = "1817~", "VP 1/7", "Writes of the harbour.\nAsks for books.", "2 leaves", "open from 2030"
		s.Place, s.Box, s.Folder, s.Level = "Ashford", "3", "12", "item"
		s.Subjects, s.Related = []string{"harbours", "Ost, Ben"}, []string{"VP 1/8"}
	}
	dated := func(date string) string { return second(func(s *Source) { s.PublishedAt = date }) }
	out := []vector{
		{"record2-full", "ok", TypeSecondRecord, "every member of the second version", second(full)},
		{"record2-day", "ok", TypeSecondRecord, "a day, and a member of the second version", second(func(s *Source) { s.Place = "Ashford" })},
		{"record2-offset", "ok", TypeSecondRecord, "a time with a fraction, and a member of the second version", second(func(s *Source) { s.PublishedAt, s.Box = "1999-12-31T23:30:00.5-05:00", "3" })},
		{"record2-needless", "form", TypeSecondRecord, "nothing that the first version lacks", second(func(*Source) {})},
		{"record2-member-in-first", "form", TypeRecord, "a member of the second version in the first", source(func(s *Source) { s.Place = "Ashford" })},
		{"record2-unknown", "form", TypeSecondRecord, "a member of no record", strings.Replace(second(full), `"box"`, `"bin":"1","box"`, 1)},
		{"record2-third", "form", TypeSecondRecord, "the type of a later version", strings.Replace(second(full), "record/v2", "record/v3", 1)},
		{"record2-published-words", "time", TypeSecondRecord, "words for a date", dated("May 1931")},
		{"record2-published-local", "time", TypeSecondRecord, "a time without an offset", dated("1931-05-20T10:15:00")},
		{"record2-published-backwards", "time", TypeSecondRecord, "an interval that ends before it begins", dated("1890/1880")},
		{"record2-level", "value", TypeSecondRecord, "a level that does not exist", second(func(s *Source) { s.Level = "drawer" })},
		{"record2-box-lines", "value", TypeSecondRecord, "a box of two lines", second(func(s *Source) { s.Box = "a\nb" })},
		{"record2-subject-twice", "value", TypeSecondRecord, "one subject twice", second(func(s *Source) { s.Subjects = []string{"a", "a"} })},
	}
	for _, d := range []struct{ name, date string }{{"year", "1931"}, {"month", "1931-05"}, {"approximate", "1817~"}, {"uncertain", "1913-11?"}, {"interval", "1880/1890"}, {"century", "18XX"}, {"open", "1880/.."}} {
		out = append(out, vector{"record2-published-" + d.name, "ok", TypeSecondRecord, "published at a date that is not a day", dated(d.date)})
	}
	return out
}

// made returns the vectors as their files are.
func made() []testvectors.Vector {
	var out []testvectors.Vector
	for _, v := range vectors() {
		out = append(out, testvectors.New(v.name, []byte(v.data), "expect", v.expect, "type", v.typ, "comment", v.comment))
	}
	return out
}

func TestVectors(t *testing.T) {
	testvectors.Generate(t, vectorDir, made())
	testvectors.Run(t, vectorDir, 196+24+26+16+2+7, func(t *testing.T, v testvectors.Vector) {
		if v.Get("type") == "path" {
			checkPath(t, v.Get("expect"), string(v.Body))
			return
		}
		checkObject(t, v)
	})
}

// parsers reads an object of each type and writes it again.
var parsers = map[string]func([]byte) ([]byte, error){
	TypeArchive:               again(ParseArchive),
	TypeRecord:                again(ParseRecord),
	access.TypeConsent:        again(access.ParseConsent),
	TypeWithdrawal:            again(ParseWithdrawal),
	TypeHold:                  again(ParseHold),
	TypePointer:               again(ParsePointer),
	access.TypeSubject:        again(access.ParseSubject),
	TypeSecondRecord:          again(ParseRecord),
	access.TypeSecondSubject:  again(access.ParseSubject),
	access.TypePersons:        again(access.ParsePersons),
	access.TypeConsentDefault: again(access.ParseConsentDefault),
	access.TypeTiers:          again(access.ParseTiers),
	access.TypeAuditors:       again(access.ParseAuditors),

	access.TypeSecondConsent:        again(access.ParseConsent),
	access.TypeSecondConsentDefault: again(access.ParseConsentDefault),
	access.TypeSecondTiers:          again(access.ParseTiers),
	access.TypeSecondPersons:        again(access.ParsePersons),
}

func again[T any, P interface {
	*T
	Encode() ([]byte, error)
}](parse func([]byte) (P, error)) func([]byte) ([]byte, error) {
	return func(data []byte) ([]byte, error) {
		v, err := parse(data)
		if err != nil {
			if v != nil {
				return nil, fmt.Errorf("after an error the result is %v", v)
			}
			return nil, err
		}
		return v.Encode()
	}
}

// checkObject parses an object and compares the outcome with expect.
func checkObject(t *testing.T, v testvectors.Vector) {
	data, expect := v.Body, v.Get("expect")
	parts, known := classes[expect]
	if !known {
		t.Fatalf("expect %q is not in the closed set", expect)
	}
	got, err := parsers[v.Get("type")](data)
	if expect == "ok" {
		if err != nil || !bytes.Equal(got, data) {
			t.Fatalf("encodes to %q, %v", got, err)
		}
		return
	}
	if err == nil {
		t.Fatalf("accepted, want %s", expect)
	}
	for _, part := range parts {
		if strings.Contains(err.Error(), part) {
			return
		}
	}
	t.Errorf("error %q, want one that says %q", err, parts)
}

// checkPath classifies path and builds it again from what came out.
func checkPath(t *testing.T, expect, path string) {
	kind, ids := layout.ClassifyPath(path)
	if kindNames[kind] != expect {
		t.Fatalf("%q is %s, want %s", path, kindNames[kind], expect)
	}
	built := path
	switch kind {
	case layout.KindPayload:
		built = layout.ArtifactPath(ids[0])
	case layout.KindPayloadChunk:
		built = layout.ArtifactPath(ids[0]) + path[len(path)-len("/000/000"):]
	case layout.KindRecord:
		built = layout.RecordPath(ids[0], ids[1])
	case layout.KindConsent:
		built = layout.ConsentPath(ids[0])
	case layout.KindHold:
		built = layout.HoldPath(ids[0])
	case layout.KindWithdrawn:
		built = layout.WithdrawnPath(ids[0])
	case layout.KindOriginal:
		built = layout.OriginalPath(ids[0])
	case layout.KindOriginalChunk:
		built = layout.OriginalPath(ids[0]) + path[len(path)-len("/000/000"):]
	case layout.KindLoneRecord:
		built = layout.LoneRecordPath(ids[0])
	case layout.KindPointer:
		built = layout.PointerPath(layout.ArtifactPath(ids[0]))
	case layout.KindOriginalPointer:
		built = layout.PointerPath(layout.OriginalPath(ids[0]))
	case layout.KindCitation:
		built = layout.CitationPath(ids[0])
	case layout.KindReview:
		built = layout.ReviewPath(ids[0], ids[1])
	}
	if built != path {
		t.Errorf("%q is built again as %q", path, built)
	}
	if kind != layout.KindNone && !layout.CleanPath(path) {
		t.Errorf("%q has a kind and is not clean", path)
	}
}
