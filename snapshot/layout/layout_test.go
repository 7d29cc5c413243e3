package layout

import (
	"testing"

	"pgregory.net/rapid"

	"muniment/cid"
)

func TestPathsRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func(name string) (d [32]byte) {
			copy(d[:], rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(t, name))
			return d
		}
		raw, object := cid.FromDigest(cid.Raw, draw("raw")), cid.FromDigest(cid.JSON, draw("json"))
		for path, want := range map[string]Kind{
			ArtifactPath(raw): KindPayload, RecordPath(raw, object): KindRecord, ConsentPath(raw): KindConsent,
			HoldPath(raw): KindHold, WithdrawnPath(raw): KindWithdrawn, OriginalPath(raw): KindOriginal, LoneRecordPath(object): KindLoneRecord,
			CitationPath(object): KindCitation, ReviewPath(object, object): KindReview, ChunkPath(ArtifactPath(raw), 7): KindPayloadChunk,
			PointerPath(ArtifactPath(raw)): KindPointer, PointerPath(OriginalPath(raw)): KindOriginalPointer,
		} {
			kind, ids := ClassifyPath(path)
			if kind != want {
				t.Fatalf("%s is kind %d, want %d", path, kind, want)
			}
			for _, id := range ids {
				if id != raw && id != object {
					t.Fatalf("%s carries %s", path, id)
				}
			}
		}
	})
}

// What git must be told, byte for byte.
func TestAttributes(t *testing.T) {
	const want = "* -text -ident -filter -working-tree-encoding -export-subst -export-ignore -diff -merge\n"
	if Attributes != want {
		t.Errorf("got %q", Attributes)
	}
	for _, r := range Readme {
		if r >= 0x7f || r < ' ' && r != '\n' {
			t.Errorf("README.txt has %q, want printable ASCII", r)
		}
	}
}
