package bundle

import (
	"muniment/bundle/display"
	"slices"
	"strings"
	"testing"
	"time"

	"muniment/cid"
	"muniment/cid/merkle"
	"muniment/sign"
	"muniment/sign/trust"
	"muniment/snapshot"
)

// axisResults returns results by the name of the axis.
func axisResults(axes []Axis) map[string]Result {
	out := map[string]Result{}
	for _, a := range axes {
		out[a.Name] = a.Result
	}
	return out
}

// proofs returns the proofs of a paragraph and of an artifact.
func (f *fixture) proofs(t testing.TB) map[string][]byte {
	t.Helper()
	artifact := cid.Of(f.letter.Payload())
	r := must[*snapshot.Range](t)(f.tree.ProveRange(artifact))
	return map[string][]byte{
		"paragraph": must[[]byte](t)(paragraphProof(t, f).Encode()),
		"artifact":  must[[]byte](t)((&ArtifactProof{Type: TypeArtifactProof, Range: *r, Commit: string(f.snap.Content)}).Encode()),
	}
}

// allowedFor returns an allowed_signers file of two keys, whose lines name an
// archive unless it is zero.
func (f *fixture) allowedFor(t testing.TB, archive cid.ID) *sign.AllowedSigners {
	t.Helper()
	word := ""
	if !archive.IsZero() {
		word = " mill " + sign.ArchiveWord + archive.String()
	}
	text := "ada@example.org " + f.archivist.Key().Authorized() + word + "\nada@example.org " + f.answerer.Key().Authorized() + word + "\n"
	return must[*sign.AllowedSigners](t)(sign.ParseAllowedSigners([]byte(text)))
}

// What one key signs in an archive does not count in another: every form of
// evidence is compared with the archive that the verifier names.
func TestOtherArchive(t *testing.T) {
	f := newFixture(t)
	root := f.rootText("1 1")
	otherRoot := mustRoot(t, strings.Replace(root, f.archive.String(), otherArchive().String(), 1))
	for _, c := range []struct {
		name           string
		q              Requirements
		archive        Result
		bundle, lonely string
	}{
		{"its root", Requirements{Root: mustRoot(t, root)}, Pass, Valid, Valid},
		{"root of another archive", Requirements{Root: otherRoot}, Fail, Invalid, Invalid},
		{"nothing names it", Requirements{Allowed: f.allowedFor(t, cid.ID{})}, NotChecked, Valid, Valid},
		{"named and required", Requirements{Allowed: f.allowedFor(t, cid.ID{}), Require: []string{AxisArchive}}, NotChecked, Incomplete, Incomplete},
		{"its lines", Requirements{Allowed: f.allowedFor(t, f.archive)}, Pass, Valid, Valid},
		{"lines of another archive", Requirements{Allowed: f.allowedFor(t, otherArchive())}, Fail, Invalid, Invalid},
		{"asked for", Requirements{Allowed: f.allowedFor(t, cid.ID{}), Archive: f.archive}, Pass, Valid, Valid},
		{"asked for another", Requirements{Allowed: f.allowedFor(t, cid.ID{}), Archive: otherArchive()}, Fail, Invalid, Invalid},
		{"asked for another than the lines", Requirements{Allowed: f.allowedFor(t, f.archive), Archive: otherArchive()}, Fail, Invalid, Invalid},
		{"asked for, without trust", Requirements{Archive: f.archive}, Pass, Incomplete, Incomplete},
		{"asked for another, without trust", Requirements{Archive: otherArchive()}, Fail, Invalid, Invalid},
	} {
		v := Verify(f.bundle(t), c.q)
		if got := axisResults(v.Axes)[AxisArchive]; got != c.archive || v.Verdict != c.bundle {
			t.Errorf("%s: bundle %s, archive %s, want %s and %s: %+v", c.name, v.Verdict, got, c.bundle, c.archive, v.Axes)
		}
		for kind, data := range f.proofs(t) {
			v := JudgeProof(data, c.q)
			if got := axisResults(v.Axes)[AxisArchive]; got != c.archive || v.Verdict != c.lonely {
				t.Errorf("%s: proof of a %s %s, archive %s, want %s and %s: %+v", c.name, kind, v.Verdict, got, c.lonely, c.archive, v.Axes)
			}
			if v.Verdict == Invalid && (v.Text != "" || v.Holds != nil || v.Artifact != "") {
				t.Errorf("%s: what is INVALID shows %+v", c.name, v)
			}
			_, _, paragraphError := VerifyParagraph(data, c.q)
			_, _, _, artifactError := VerifyArtifact(data, c.q)
			if held := paragraphError == nil || artifactError == nil; held != (c.lonely != Invalid) {
				t.Errorf("%s: proof of a %s: %v %v", c.name, kind, paragraphError, artifactError)
			}
		}
	}
	// Without a name the reader is told which archive it is.
	v := Verify(f.bundle(t), Requirements{Allowed: f.allowedFor(t, cid.ID{})})
	i := slices.IndexFunc(v.Axes, func(a Axis) bool { return a.Name == AxisArchive })
	if v.Archive != f.archive.String() || !strings.Contains(v.Axes[i].Reason, f.archive.String()) {
		t.Errorf("archive %q, %+v", v.Archive, v.Axes[i])
	}
}

// A key that has ended chooses the place of what it signs, so its word alone does
// not show that it signed before its end.
func TestEndedKey(t *testing.T) {
	f := newFixture(t)
	root := f.rootText("1 1")
	archivist := "key snapshot vale " + f.archivist.Key().Authorized() + " 1 "
	ended := strings.Replace(root, archivist+"-", archivist+"5", 1)
	if ended == root {
		t.Fatal("nothing ends")
	}
	again := strings.Replace(ended, archivist+"5\n", archivist+"5\nkey snapshot vale "+f.archivist.Key().Authorized()+" 9 -\n", 1)
	inForce := strings.Replace(ended, archivist+"5\n", archivist+"5\nkey snapshot vale "+f.archivist.Key().Authorized()+" 2 -\n", 1)
	inForce = strings.Replace(inForce, " 2 -\n", " 1 -\n", 1)
	inForce = strings.Replace(inForce, archivist+"5\n", "", 1)
	pinned := root + "revoke snapshot " + trust.Name(f.archivist.Key()) + " 7/" + cid.Of([]byte("last good")).String() + "\n"
	last := root + "revoke snapshot " + trust.Name(f.archivist.Key()) + " 1/" + f.snap.ID.String() + "\n"
	for _, c := range []struct {
		name, root, verdict string
		revocation          Result
	}{
		{"in force", root, Valid, Pass},
		{"in force by another line", inForce, Valid, Pass},
		{"ended", ended, Incomplete, NotChecked},
		{"ended, and in force later", again, Incomplete, NotChecked},
		{"revoked later", pinned, Incomplete, NotChecked},
		{"the last good one", last, Valid, Pass},
		{"not yet in force", strings.Replace(root, archivist+"-", "key snapshot vale "+f.archivist.Key().Authorized()+" 2 -", 1), Invalid, NotChecked},
	} {
		for kind, data := range f.proofs(t) {
			v := JudgeProof(data, Requirements{Root: mustRoot(t, c.root)})
			if got := axisResults(v.Axes)[AxisRevocation]; v.Verdict != c.verdict || got != c.revocation {
				t.Errorf("%s: proof of a %s %s, revocation %s, want %s and %s: %+v", c.name, kind, v.Verdict, got, c.verdict, c.revocation, v.Axes)
			}
		}
		_, _, err := VerifyParagraph(f.proofs(t)["paragraph"], Requirements{Root: mustRoot(t, c.root)})
		if (err == nil) != (c.verdict == Valid) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	// In a bundle another key vouches for the snapshot: the one that answers.
	open := Requirements{Identities: f.identity, Require: []string{AxisSpan}}
	open.Root = mustRoot(t, ended)
	if v := Verify(f.bundle(t), open); v.Verdict != Valid {
		t.Errorf("vouched for by the answering key: %s %+v", v.Verdict, v.Axes)
	}
	// Where the archivist's key is the one that answers, nobody else does.
	f.answerer, f.log.signer = f.archivist, f.archivist
	open.Root = mustRoot(t, strings.Replace(f.rootText("1 1"), archivist+"-", archivist+"5", 1))
	if v := Verify(f.bundle(t), open); v.Verdict != Incomplete || axisResults(v.Axes)[AxisSpan] != NotChecked {
		t.Errorf("vouched for by itself: %s %+v", v.Verdict, v.Axes)
	}
}

// An answering key that has ended writes its own log, and can write a shorter one
// again.
func TestEndedAnsweringKey(t *testing.T) {
	f := newFixture(t)
	b := f.bundle(t)
	museum := newSeedKey('m')
	both := must[*Bundle](t)(b.Sign(museum))
	root, hot := f.rootText("1 1"), trust.Name(f.answerer.Key())
	answer, log := "key answer vale "+f.answerer.Key().Authorized()+" - ", "key log vale "+f.answerer.Key().Authorized()+" - "
	end := func(root, line string) string { return strings.Replace(root, line+"-", line+hot+"/1/9", 1) }
	custodian := "key answer museum " + museum.Key().Authorized() + " - "
	witnessed := strings.Replace(root, "threshold witness 0 0", "threshold witness 1 1", 1)
	p := b.Proof()
	p.Note = must[[]byte](t)(sign.Cosign(museum, p.Note, 1772528400))
	cosigned := must[*Bundle](t)(b.WithProof(p.Encode()))
	f.log.hashes = append(f.log.hashes, merkle.LeafHash([]byte("later")))
	head := must[sign.Checkpoint](t)(f.log.Head())
	kept := must[[]byte](t)(sign.SignCheckpoint(f.answerer, head))
	grown := func(_ string, from, to int64) ([]merkle.Hash, error) { return []merkle.Hash{f.log.hashes[1]}, nil }
	for _, c := range []struct {
		name, root, verdict string
		b                   *Bundle
		q                   Requirements
	}{
		{"in force", root, Valid, b, Requirements{}},
		{"the answering key has ended", end(root, answer), Incomplete, b, Requirements{}},
		{"the log has ended", end(end(root, answer), log), Incomplete, b, Requirements{}},
		{"the log alone has ended", end(root, log), Incomplete, b, Requirements{}},
		{"witnessed", end(witnessed, answer), Valid, cosigned, Requirements{}},
		{"not witnessed", end(witnessed, answer), Incomplete, b, Requirements{}},
		{"a larger checkpoint was kept", end(root, answer), Valid, b, Requirements{Since: kept, Consistency: grown}},
		{"a larger one, not shown to be of that log", end(root, answer), Incomplete, b, Requirements{Since: kept}},
		{"a custodian that has ended, in a log in force", end(strings.Replace(root, "threshold answer 1 1", "threshold answer 2 2", 1), custodian), Valid, both, Requirements{}},
	} {
		c.q.Root = mustRoot(t, c.root)
		if v := Verify(c.b, c.q); v.Verdict != c.verdict {
			t.Errorf("%s: %s, want %s: %+v", c.name, v.Verdict, c.verdict, v.Axes)
		}
	}
}

// A root that was to be replaced is enough no longer, and the verdict says how old
// the newest signed thing is.
func TestExpiry(t *testing.T) {
	f := newFixture(t)
	forever := f.rootText("1 1")
	until := func(s string) *trust.Root {
		return mustRoot(t, strings.NewReplacer(trust.Head, trust.HeadExpiring, "prev -\n", "prev -\nexpires "+s+"\n").Replace(forever))
	}
	end := time.Date(2021, 6, 30, 0, 0, 0, 0, time.UTC)
	root := until("2021-06-30T00:00:00Z")
	for _, c := range []struct {
		name, verdict string
		q             Requirements
		want          Result
	}{
		{"without an end", Valid, Requirements{Root: mustRoot(t, forever), Now: end}, NotChecked},
		{"in time", Valid, Requirements{Root: root, Now: end.Add(-time.Second)}, Pass},
		{"expired", Incomplete, Requirements{Root: root, Now: end}, NotChecked},
		{"long ago", Incomplete, Requirements{Root: root, Now: end.AddDate(5, 0, 0)}, NotChecked},
		{"no clock", Incomplete, Requirements{Root: root}, NotChecked},
		{"required", Incomplete, Requirements{Root: mustRoot(t, forever), Now: end, Require: []string{AxisExpiry}}, NotChecked},
		{"allowed signers", Valid, Requirements{Allowed: f.allowedFor(t, cid.ID{}), Now: end}, NotChecked},
	} {
		v := Verify(f.bundle(t), c.q)
		if got := axisResults(v.Axes)[AxisExpiry]; v.Verdict != c.verdict || got != c.want {
			t.Errorf("%s: bundle %s, expiry %s, want %s and %s", c.name, v.Verdict, got, c.verdict, c.want)
		}
		for kind, data := range f.proofs(t) {
			v := JudgeProof(data, c.q)
			if got := axisResults(v.Axes)[AxisExpiry]; v.Verdict != c.verdict || got != c.want {
				t.Errorf("%s: proof of a %s %s, expiry %s, want %s and %s", c.name, kind, v.Verdict, got, c.verdict, c.want)
			}
		}
	}
	v := Verify(f.bundle(t), Requirements{Root: root, Now: fixtureTime.AddDate(0, 0, 10)})
	if v.Newest == nil || v.Newest.Days == nil || *v.Newest.Days != 10 || v.Newest.What != "the statement" {
		t.Errorf("newest %+v", v.Newest)
	}
	var report strings.Builder
	if err := WriteReport(&report, v, display.View{}); err != nil || !strings.Contains(report.String(), "which says "+fixtureTime.Format(trust.TimeForm)+", 10 days before this verification\n") || !strings.HasPrefix(report.String(), "VALID\n") {
		t.Errorf("%v %s", err, &report)
	}
	for days, want := range map[int]string{1: ", 1 day before", 0: ", 0 days before", -1: ", after the time of"} {
		if got := NewNewest("x", fixtureTime, fixtureTime.AddDate(0, 0, days)).String(); !strings.Contains(got, want) {
			t.Errorf("%d days: %s", days, got)
		}
	}
}
