package bundle

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"testing"

	"muniment/cid/merkle"
	"muniment/sign"
	"muniment/sign/trust"
)

// rootText is a trust root for the fixture: the answering key of vale, the
// archivist's of vale, a custodian of the museum.
func (f *fixture) rootText(answer string, more ...string) string {
	line := func(role, org string, s sign.Signer, from string) string {
		return fmt.Sprintf("key %s %s %s %s -\n", role, org, s.Key().Authorized(), from)
	}
	return trust.Head + "\narchive " + f.archive.String() + "\nversion 1\nprev -\nthreshold snapshot 1 1\nthreshold withdraw 1 1\nthreshold answer " + answer +
		"\nthreshold witness 0 0\nthreshold policy 1 1\n" +
		line("snapshot", "vale", f.archivist, "1") + line("answer", "vale", f.answerer, "-") + line("answer", "museum", newSeedKey('m'), "-") +
		line("log", "vale", f.answerer, "-") + line("witness", "museum", newSeedKey('m'), "-") + line("policy", "vale", f.archivist, "1") + strings.Join(more, "")
}

func mustRoot(t testing.TB, text string) *trust.Root {
	t.Helper()
	return must[*trust.Root](t)(trust.Parse([]byte(text)))
}

// Attacks on trust: each against a root that would accept the answer otherwise.
func TestTrustAttacks(t *testing.T) {
	f := newFixture(t)
	for range 3 { // others before it in the log
		f.log.hashes = append(f.log.hashes, merkle.LeafHash([]byte{byte(len(f.log.hashes))}))
	}
	b := f.bundle(t)
	museum, thief := newSeedKey('m'), newSeedKey('t')
	both := must[*Bundle](t)(b.Sign(museum))
	stranger := must[*Bundle](t)(b.Sign(thief))
	hot := trust.Name(f.answerer.Key())
	now := must[sign.Checkpoint](t)(f.log.Head())
	pin := func(size int, root merkle.Hash) string {
		return fmt.Sprintf("%s/1/%d/%x", hot, size, root)
	}
	revoke := func(last string) []string {
		return []string{"revoke answer " + hot + " " + last + "\n", "revoke log " + hot + " " + last + "\n"}
	}
	small := f.rootText("1 1")
	other := strings.Replace(small, f.archive.String(), otherArchive().String(), 1)
	witnessed := func(quorum string) string {
		return strings.Replace(small, "threshold witness 0 0", "threshold witness "+quorum, 1)
	}
	cosign := func(b *Bundle, s sign.Signer) *Bundle {
		p := b.Proof()
		p.Note = must[[]byte](t)(sign.Cosign(s, p.Note, 1772528400))
		return must[*Bundle](t)(b.WithProof(p.Encode()))
	}
	cases := []struct {
		name, root, verdict, axis string
		b                         *Bundle
		result                    Result
	}{
		{"good", small, Valid, AxisSigners, b, Pass},
		{"not revoked", small, Valid, AxisRevocation, b, Pass},
		{"two organisations", f.rootText("2 2"), Valid, AxisSigners, both, Pass},
		{"stripped signature", f.rootText("2 2"), Invalid, AxisSigners, b, Fail},
		{"stranger beside", f.rootText("2 2"), Invalid, AxisSigners, stranger, Fail},
		{"two keys of one organisation", strings.ReplaceAll(f.rootText("2 1"), " museum ", " vale "), Valid, AxisSigners, both, Pass},
		{"root of another archive", other, Invalid, AxisArchive, b, Fail},
		{"not yet valid", strings.Replace(small, "key answer vale "+f.answerer.Key().Authorized()+" -", "key answer vale "+f.answerer.Key().Authorized()+" "+hot+"/1/4", 1), Invalid, AxisSigners, b, Fail},
		{"valid from here", strings.Replace(small, "key answer vale "+f.answerer.Key().Authorized()+" -", "key answer vale "+f.answerer.Key().Authorized()+" "+hot+"/1/3", 1), Valid, AxisSigners, b, Pass},
		{"revoked wholly", f.rootText("1 1", revoke("-")...), Invalid, AxisRevocation, b, Fail},
		{"revoked before", f.rootText("1 1", revoke(pin(3, now.Root))...), Invalid, AxisRevocation, b, Fail},
		{"revoked after, same tree", f.rootText("1 1", revoke(pin(4, now.Root))...), Valid, AxisRevocation, b, Pass},
		{"back-dated into another tree", f.rootText("1 1", revoke(pin(4, merkle.Hash{1}))...), Invalid, AxisRevocation, b, Fail},
		{"back-dated, not shown", f.rootText("1 1", revoke(pin(9, merkle.Hash{1}))...), Incomplete, AxisRevocation, b, NotChecked},
		{"revoked and not needed", f.rootText("1 1", revoke("-")[:1]...), Valid, AxisSigners, both, Pass},
		{"log of a stranger", strings.Replace(small, "key log vale "+f.answerer.Key().Authorized(), "key log vale "+thief.Key().Authorized(), 1), Incomplete, AxisLog, b, NotChecked},
		{"no cosignature yet", witnessed("1 1"), Incomplete, AxisWitnesses, b, NotChecked},
		{"cosigned", witnessed("1 1"), Valid, AxisWitnesses, cosign(b, museum), Pass},
		{"cosigned by a stranger", witnessed("1 1"), Incomplete, AxisWitnesses, cosign(b, thief), NotChecked},
		{"cosigned twice by one", witnessed("1 1"), Valid, AxisWitnesses, cosign(cosign(b, museum), museum), Pass},
	}
	for _, c := range cases {
		v := Verify(c.b, Requirements{Root: mustRoot(t, c.root)})
		for _, a := range v.Axes {
			if a.Name == c.axis && a.Result != c.result {
				t.Errorf("%s: %s is %s (%s), want %s", c.name, a.Name, a.Result, a.Reason, c.result)
			}
		}
		if v.Verdict != c.verdict {
			t.Errorf("%s: %s, want %s: %+v", c.name, v.Verdict, c.verdict, v.Axes)
		}
	}
	// Consistency with a checkpoint that was kept.
	kept := func(s sign.Signer, size int, root merkle.Hash, origin string) []byte {
		return must[[]byte](t)(sign.SignCheckpoint(s, sign.Checkpoint{Origin: origin, Size: int64(size), Root: root}))
	}
	hashes := func(_ string, from, to int64) ([]merkle.Hash, error) {
		if from != 2 || to != 4 {
			return nil, fmt.Errorf("no proof from %d to %d", from, to)
		}
		// The tree over the last two.
		return []merkle.Hash{merkle.Root(f.log.hashes[2:4])}, nil
	}
	before := merkle.Root(f.log.hashes[:2])
	since := []struct {
		name    string
		note    []byte
		find    func(string, int64, int64) ([]merkle.Hash, error)
		verdict string
	}{
		{"same", kept(f.answerer, 4, now.Root, now.Origin), nil, Valid},
		{"grown", kept(f.answerer, 2, before, now.Origin), hashes, Valid},
		{"grown, not shown", kept(f.answerer, 2, before, now.Origin), nil, Incomplete},
		{"rewritten", kept(f.answerer, 2, merkle.Hash{1}, now.Origin), hashes, Invalid},
		{"forked", kept(f.answerer, 4, merkle.Hash{1}, now.Origin), nil, Invalid},
		{"foreign key", kept(thief, 4, now.Root, now.Origin), nil, Incomplete},
		{"foreign origin", kept(f.answerer, 4, now.Root, now.Origin+"0"), nil, Incomplete},
	}
	for _, c := range since {
		v := Verify(b, Requirements{Root: mustRoot(t, small), Since: c.note, Consistency: c.find})
		if v.Verdict != c.verdict {
			t.Errorf("since %s: %s, want %s: %+v", c.name, v.Verdict, c.verdict, v.Axes)
		}
	}
	if n := len(cases) + len(since); n != 27 {
		t.Errorf("%d cases", n)
	}
}

// The grades of signers are shown apart, and a root in a bundle is refused as
// any other file.
func TestGrades(t *testing.T) {
	f := newFixture(t)
	b := must[*Bundle](t)(f.bundle(t).Sign(newSeedKey('m')))
	v := Verify(b, Requirements{Root: mustRoot(t, f.rootText("1 1"))})
	grades := map[string]string{}
	for _, s := range v.Signers {
		grades[s.Who] = s.Grade
	}
	if grades["vale"] != GradeAnswering || grades["museum"] != GradeCustodian || len(v.Signers) != 2 {
		t.Errorf("signers %+v", v.Signers)
	}
	files := b.Files()
	files["root.txt"] = []byte(f.rootText("1 1"))
	if _, err := fromFiles(files); err == nil || !strings.Contains(err.Error(), "belongs into a bundle") {
		t.Errorf("a bundle with a trust root of its own: %v", err)
	}
	if v := Verify(b, Requirements{}); v.Verdict != Incomplete {
		t.Errorf("without trust: %s", v.Verdict)
	}
	env := f.env()
	env.TrustDigest = sha256.Sum256([]byte("an older version"))
	old := must[*Bundle](t)(Assemble(f.answer(t), env))
	v = Verify(old, Requirements{Root: mustRoot(t, f.rootText("1 1"))})
	if !strings.Contains(strings.Join(v.Remarks, "\n"), "another trust file") {
		t.Errorf("remarks %q", v.Remarks)
	}
}
