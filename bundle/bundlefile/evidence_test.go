package bundlefile

import (
	"os"
	"path/filepath"
	"testing"

	"muniment/bundle"
)

// Evidence is told from a bundle by its beginning, whatever its name says.
func TestEvidence(t *testing.T) {
	for name, verdict := range map[string]string{
		"snapshots-equivocation": bundle.Valid, "snapshots-same-payload": bundle.Invalid, "snapshots-cut": bundle.Invalid,
		"log-one-size": bundle.Valid, "log-v1": bundle.Incomplete, "log-size-altered": bundle.Invalid,
	} {
		path := write(t, "answer.zip", payload(t, "evidence/"+name))
		if !IsEvidence(path) || IsProof(path) {
			t.Errorf("%s is not taken for evidence", name)
		}
		v, err := CheckEvidence(path, bundle.Requirements{})
		if err != nil || v.Verdict != verdict || v.File != path {
			t.Errorf("%s: %+v, %v", name, v, err)
		}
	}
	large := write(t, "large", payload(t, "evidence/log-one-size"))
	if err := os.Truncate(large, bundle.MaxZip); err != nil {
		t.Fatal(err)
	}
	if v, err := CheckEvidence(large, bundle.Requirements{}); err != nil || v.Verdict != bundle.Invalid {
		t.Errorf("a large file: %+v, %v", v, err)
	}
	if _, err := CheckEvidence(t.TempDir(), bundle.Requirements{}); err == nil {
		t.Error("a folder was verified as evidence")
	}
	if IsEvidence(write(t, "b.zip", payload(t, "bundle/zip-good"))) || IsEvidence(filepath.Join(t.TempDir(), "none")) {
		t.Error("a bundle, or nothing, is taken for evidence")
	}
}
