package record

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"muniment/cid"
	"muniment/snapshot/access"
	"muniment/snapshot/layout"
	"muniment/testvectors"
)

func TestEncodeSetsTypeAndChecks(t *testing.T) {
	rec := textRecord()
	data, err := rec.Encode()
	if err != nil {
		t.Fatal(err)
	}
	got, err := ParseRecord(data)
	if err != nil {
		t.Fatal(err)
	}
	rec.Type = TypeRecord
	if diff := cmp.Diff(rec, *got); diff != "" {
		t.Error(diff)
	}
	rec.Type = access.TypeConsent
	if data, err := rec.Encode(); err == nil || data != nil {
		t.Errorf("a record of type %s was encoded: %s", access.TypeConsent, data)
	}
	rec = textRecord()
	rec.Source = &Source{Tier: 5}
	if data, err := rec.Encode(); err == nil || data != nil {
		t.Errorf("a record of tier 5 was encoded: %s", data)
	}
	if _, err := (Archive{}).Encode(); err == nil {
		t.Error("an empty archive was encoded")
	}
}

func TestErrorsAreOneLine(t *testing.T) {
	rec := textRecord()
	rec.Time, rec.Agent, rec.Names = "", "", []string{"/a", "/b"}
	_, err := rec.Encode()
	if err == nil || strings.Contains(err.Error(), "\n") {
		t.Errorf("error %q, want one line", err)
	}
}

func TestDateAndTextual(t *testing.T) {
	rec := textRecord()
	if rec.Date() != "" || !rec.Textual() {
		t.Errorf("date %q, textual %t", rec.Date(), rec.Textual())
	}
	rec.Source = &Source{PublishedAt: "1999-12-31T23:30:00-05:00"}
	if got := rec.Date(); got != "1999-12-31" {
		t.Errorf("date %q", got)
	}
	if bytesRecord().Textual() || loneRecord().Textual() {
		t.Error("a record without a text is textual")
	}
	if !(Source{}).IsZero() || (Source{Tags: []string{"a"}}).IsZero() {
		t.Error("IsZero")
	}
}

func TestNamesRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		path := string(rapid.SliceOfN(rapid.Byte(), 1, 40).Draw(t, "path"))
		name, encoded := EncodeName(path)
		if !encoded {
			if name != path {
				t.Fatalf("%q became %q without being encoded", path, name)
			}
			return
		}
		if back, err := DecodeName(name); err != nil || back != path {
			t.Fatalf("%q became %q and then %q, %v", path, name, back, err)
		}
		if strings.ContainsFunc(name, unprintable) {
			t.Fatalf("%q is not printable", name)
		}
	})
}

// Whatever any parser reads encodes to the same bytes.
func FuzzParse(f *testing.F) {
	for _, v := range testvectors.Read(f, vectorDir) {
		if bytes.HasPrefix(v.Body, []byte("{")) {
			f.Add(v.Body)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		accepted := 0
		for typ, parse := range parsers {
			if strings.HasSuffix(typ, "/v2") { // read by the function of the first
				continue
			}
			got, err := parse(data)
			if err != nil {
				continue
			}
			accepted++
			if !bytes.Equal(got, data) {
				t.Fatalf("%s: %q encodes to %q", typ, data, got)
			}
		}
		if accepted > 1 {
			t.Fatalf("%q is read as %d types", data, accepted)
		}
	})
}

// The example on the first screen of the specification is what it says.
func TestSpecExample(t *testing.T) {
	page, err := os.ReadFile("../../docs/spec/object.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := bytes.Cut(page, []byte("```json\n"))
	data, _, ok := bytes.Cut(rest, []byte("\n```"))
	if !ok {
		t.Fatal("no example")
	}
	rec, err := ParseRecord(data)
	if err != nil {
		t.Fatal(err)
	}
	id := cid.OfJSON(data)
	artifact, err := cid.ParseAs(cid.Raw, rec.Artifact)
	if err != nil {
		t.Fatal(err)
	}
	original, err := cid.ParseAs(cid.Raw, rec.Original)
	if err != nil {
		t.Fatal(err)
	}
	const letter = "Dear Ben,\n\nthe harbour froze on Tuesday.\n\nAda\n"
	if cid.Of([]byte(letter)) != artifact || cid.Of([]byte(strings.ReplaceAll(letter, "\n", "\r\n"))) != original {
		t.Error("the letter has another id")
	}
	for _, s := range []string{id.String(), layout.ArtifactPath(artifact) + "\n", layout.RecordPath(artifact, id) + "\n", layout.OriginalPath(original) + "\n", layout.Attributes} {
		if !bytes.Contains(page, []byte(s)) {
			t.Errorf("the page lacks %q", s)
		}
	}
}

// Whatever has a kind is built again from the ids it carries.
func FuzzClassifyPath(f *testing.F) {
	for _, v := range pathVectors() {
		f.Add(v.data)
	}
	f.Fuzz(func(t *testing.T, path string) {
		kind, _ := layout.ClassifyPath(path)
		checkPath(t, kindNames[kind], path)
	})
}
