package evidence

import (
	"strings"
	"testing"
	"time"

	"muniment/bundle"
	"muniment/cid"
	"muniment/objects"
	"muniment/sign"
	"muniment/snapshot"
	"muniment/snapshot/dispute"
)

// signedSnapshot returns a snapshot of a number, with a text, by a key.
func signedSnapshot(t *testing.T, s sign.Signer, archive string, seq int64, text string) *snapshot.Snapshot {
	t.Helper()
	d := snapshot.Draft{Tree: objects.Sum(objects.Blob, []byte(text)), Author: snapshot.Author{Name: "Ada", Email: "ada@archive.invalid"},
		Time: time.Unix(1, 0), Text: text, Archive: cid.OfJSON([]byte(archive)), Seq: seq, Entries: 1}
	if seq > 1 {
		d.Parents, d.Prev = []objects.Hash{{1}}, cid.Of([]byte("before"))
	}
	payload := must[[]byte](t)(d.Payload())
	content := must[[]byte](t)(snapshot.Attach(payload, must[[]byte](t)(sign.Sign(s, sign.NamespaceGit, payload))))
	return must[*snapshot.Snapshot](t)(snapshot.Parse(content))
}

// evidenceOf returns a file with two snapshots.
func evidenceOf(t *testing.T, kind string, ours, theirs *snapshot.Snapshot) []byte {
	t.Helper()
	return must[[]byte](t)(dispute.Encode(dispute.Evidence{Kind: kind, Remote: "ssh://museum/letters.git", Seen: time.Unix(1_700_000_000, 0).UTC(), Ours: ours, Theirs: theirs}))
}

// axisResult returns the result of an axis of evidence, or "" without one.
func axisResult(v *Verdict, name string) bundle.Result {
	for _, a := range v.Axes {
		if a.Name == name {
			return a.Result
		}
	}
	return ""
}

func TestEvidenceOfSnapshots(t *testing.T) {
	one, two := newSeedKey('1'), newSeedKey('2')
	base := signedSnapshot(t, one, "a", 3, "base")
	trusts := func(s sign.Signer) bundle.Requirements {
		return bundle.Requirements{Allowed: must[*sign.AllowedSigners](t)(sign.ParseAllowedSigners([]byte("ada@example.org " + s.Key().Authorized() + "\n")))}
	}
	genuine := evidenceOf(t, "equivocation", base, signedSnapshot(t, one, "a", 3, "other"))
	for _, c := range []struct {
		name    string
		data    []byte
		q       bundle.Requirements
		verdict string
		signer  bundle.Result
		proves  string
	}{
		{"no trust", genuine, bundle.Requirements{}, bundle.Valid, bundle.NotChecked, "signed two histories"},
		{"trust", genuine, trusts(one), bundle.Valid, bundle.Pass, "signed two histories"},
		{"trust in another key", genuine, trusts(two), bundle.Invalid, bundle.Fail, ""},
		{"the signer is wanted", genuine, bundle.Requirements{Require: []string{bundle.AxisSigners}}, bundle.Incomplete, bundle.NotChecked, "signed two histories"},
		{"an axis of bundles is wanted", genuine, bundle.Requirements{Require: []string{bundle.AxisSealed}}, bundle.Incomplete, bundle.NotChecked, "signed two histories"},
		{"fork", evidenceOf(t, "fork", base, signedSnapshot(t, two, "a", 3, "other")), bundle.Requirements{}, bundle.Valid, bundle.NotChecked, "nothing against a key"},
		{"rollback", evidenceOf(t, "rollback", base, signedSnapshot(t, one, "a", 2, "older")), bundle.Requirements{}, bundle.Valid, bundle.NotChecked, "nothing against a key"},
		{"unrelated", evidenceOf(t, "unrelated", base, signedSnapshot(t, one, "b", 3, "base")), bundle.Requirements{}, bundle.Valid, bundle.NotChecked, "two archives"},
	} {
		if !Is(c.data) {
			t.Errorf("%s: not taken for evidence", c.name)
		}
		v := Judge(c.data, c.q)
		if v.Verdict != c.verdict || axisResult(v, bundle.AxisSigners) != c.signer || !strings.Contains(v.Proves, c.proves) || (c.proves == "") != (v.Proves == "") {
			t.Errorf("%s: %+v", c.name, v)
		}
	}
}
