package audit

import (
	"bytes"
	"testing"

	"muniment/archive/archivetest"
	"muniment/bundle"
	"muniment/history"
	"muniment/sign"
)

// TestArtifactProofFlipped flips every byte of a proof: none is accepted.
func TestArtifactProofFlipped(t *testing.T) {
	a, s := archivetest.NewLetters(t, 2)
	p, err := ProveArtifact(a, "letter-1.txt")
	if err != nil {
		t.Fatal(err)
	}
	data, err := p.Encode()
	if err != nil {
		t.Fatal(err)
	}
	allowed, err := sign.ParseAllowedSigners([]byte(history.TrustLine(s.Key(), "ada")))
	if err != nil {
		t.Fatal(err)
	}
	whom := bundle.Requirements{Allowed: allowed}
	if _, head, beside, err := bundle.VerifyArtifact(data, whom); err != nil || head.Seq != 2 || !beside.Payload || len(beside.Records) != 1 {
		t.Fatalf("%+v, %v", beside, err)
	}
	tried := 0
	for i := range data {
		spoiled := bytes.Clone(data)
		spoiled[i] ^= 1
		if _, _, _, err := bundle.VerifyArtifact(spoiled, whom); err == nil {
			t.Errorf("byte %d of %d: %q became %q and the proof is accepted", i, len(data), data[i], spoiled[i])
		}
		tried++
	}
	if tried < 1000 {
		t.Errorf("%d bytes tried", tried)
	}
}
