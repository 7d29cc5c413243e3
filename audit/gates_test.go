package audit

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"muniment/answer"
	"muniment/archive"
	"muniment/archive/archivetest"
	"muniment/bundle"
	"muniment/cid"
	"muniment/history"
	"muniment/policy"
	"muniment/snapshot/access"
)

// With the archive at hand the policy of an answer is run again: an answer that
// shows what it allows passes, and one that a laxer policy made does not.
func TestPolicyIsRunAgain(t *testing.T) {
	a, s := archivetest.New(t, archivetest.Papers)
	archivetest.Seal(t, a, s, history.ConsentOptions{Artifacts: []string{"1935-08-16.txt"}, Preset: "auditor-only"}, history.ConsentOptions{Person: "Ines Roth", State: "anonymized"},
		history.ConsentOptions{Artifacts: []string{"1937-01-09.txt"}, Preset: "closed"})
	head, _, err := a.RequireHead()
	if err != nil {
		t.Fatal(err)
	}
	gates := func(b *bundle.Bundle) bundle.Axis {
		data, err := b.Zip()
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(t.TempDir(), "answer.zip")
		if err := (archive.NewFile{Path: file}).Write(data); err != nil {
			t.Fatal(err)
		}
		v, err := VerifyBundleInArchive(a, file, VerifyOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for _, axis := range v.Axes {
			if axis.Name == bundle.AxisGate {
				return axis
			}
		}
		t.Fatal("no axis of the gates")
		return bundle.Axis{}
	}
	who := policy.Requestor{Name: "Ann", Tier: "researcher"}
	asked := 0
	for question, fault := range map[string]string{
		"Who repaired the mill wheel?":                  "",
		"What did Dr. Marsh tell her about the ladder?": "may not be shown",
		"Who told her about the lantern in the chapel?": "anonymized or sealed person is named",
		"Where did the brass telescope come from?":      "no answer may rest on it",
	} {
		honest, err := answer.NewPipeline(a, head, answer.AskOptions{Signer: s, Requestor: who.Name, Tier: who.Tier})
		if err != nil {
			t.Fatal(err)
		}
		request := answer.Request{Requestor: who, Nonce: make([]byte, 32)}
		r, err := honest.Ask(context.Background(), question, request)
		if err != nil {
			t.Fatal(err)
		}
		if r.Refusal == nil {
			if axis := gates(r.Bundle); axis.Result != bundle.Pass || !strings.Contains(axis.Reason, "run again for 1 citation and allows") {
				t.Errorf("%q: %+v", question, axis)
			}
		}
		// The same with nobody's instructions.
		lax, err := answer.NewPipeline(a, head, answer.AskOptions{Signer: s, Requestor: who.Name, Tier: who.Tier})
		if err != nil {
			t.Fatal(err)
		}
		files, err := policy.DefaultFiles(policy.Defaults{})
		if err != nil {
			t.Fatal(err)
		}
		if lax.Policy, err = policy.Load(files); err != nil {
			t.Fatal(err)
		}
		lax.View.Consent = func(cid.ID) (*access.Consent, error) { return nil, nil }
		if r, err = lax.Ask(context.Background(), question, request); err != nil || r.Refusal != nil {
			t.Fatalf("%q: %+v, %v", question, r, err)
		}
		axis := gates(r.Bundle)
		if wrong := axis.Result == bundle.Fail; wrong != (fault != "") || !strings.Contains(axis.Reason, fault) {
			t.Errorf("%q, without instructions: %+v, want %q", question, axis, fault)
		}
		asked++
	}
	if asked != 4 {
		t.Errorf("%d questions asked", asked)
	}
}
