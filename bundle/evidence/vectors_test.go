package evidence

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"testing"

	"muniment/bundle"
	"muniment/cid/merkle"
	"muniment/sign"
	"muniment/snapshot"
	"muniment/testvectors"
)

const evidenceDir = "../../testvectors/evidence"

// An evidenceVector is a file with at most one defect.
type evidenceVector struct {
	name, expect, axis, trust, proves string
	data                              []byte
}

// evidenceFiles returns the members of the zip with two snapshots, in order.
func evidenceFiles(kind string, ours, theirs *snapshot.Snapshot) [][2]string {
	head := func(s *snapshot.Snapshot) string {
		return fmt.Sprintf(`{"archive":"%s","key":"%s","seq":%d,"snapshot":"%s"}`, s.Archive, s.Key.Authorized(), s.Seq, s.ID)
	}
	return [][2]string{
		{"evidence.json", fmt.Sprintf(`{"kind":"%s","ours":%s,"remote":"ssh://museum/letters.git","seen":"2023-11-14T22:13:20Z","theirs":%s,"type":"muniment/evidence/v1"}`, kind, head(ours), head(theirs))},
		{"ours.commit", string(ours.Content)}, {"ours.payload", string(ours.Payload)}, {"ours.sshsig", string(ours.Armored)},
		{"theirs.commit", string(theirs.Content)}, {"theirs.payload", string(theirs.Payload)}, {"theirs.sshsig", string(theirs.Armored)},
	}
}

// zipEvidence returns the zip of members, with their sums before them.
func zipEvidence(t *testing.T, members [][2]string, method uint16) []byte {
	t.Helper()
	var sums strings.Builder
	for _, m := range members {
		fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256([]byte(m[1])), m[0])
	}
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for i, m := range append([][2]string{{"SHA256SUMS", sums.String()}}, members...) {
		h := &zip.FileHeader{Name: m[0], Method: zip.Store}
		if i > 0 {
			h.Method = method
		}
		w, err := z.CreateHeader(h)
		if err == nil {
			_, err = w.Write([]byte(m[1]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// snapshotEvidence are files with two snapshots.
func snapshotEvidence(t *testing.T) []evidenceVector {
	one, two := newSeedKey('1'), newSeedKey('2')
	base, other := signedSnapshot(t, one, "a", 3, "base"), signedSnapshot(t, one, "a", 3, "other")
	var out []evidenceVector
	add := func(name, expect, axis, trust string, data []byte) {
		out = append(out, evidenceVector{"snapshots-" + name, expect, axis, trust, Judge(data, allowedLine(t, trust)).Proves, data})
	}
	pair := func(kind string, ours, theirs *snapshot.Snapshot) []byte {
		return zipEvidence(t, evidenceFiles(kind, ours, theirs), zip.Store)
	}
	ada := "ada@example.org " + one.Key().Authorized()
	good := pair("equivocation", base, other)
	add("equivocation", expectValid, "", "", good)
	add("equivocation-trusted", expectValid, "", ada, good)
	add("equivocation-trust-in-another", expectInvalid, bundle.AxisSigners, "eve@example.org "+two.Key().Authorized(), good)
	add("fork", expectValid, "", "", pair("fork", base, signedSnapshot(t, two, "a", 3, "other")))
	add("rollback", expectValid, "", "", pair("rollback", base, signedSnapshot(t, one, "a", 2, "older")))
	add("unrelated", expectValid, "", "", pair("unrelated", base, signedSnapshot(t, one, "b", 3, "base")))
	nothing := func(name, kind string, theirs *snapshot.Snapshot) {
		add(name, expectInvalid, AxisDisagreement, "", pair(kind, base, theirs))
	}
	nothing("same-payload", "equivocation", base)
	nothing("two-keys", "equivocation", signedSnapshot(t, two, "a", 3, "other"))
	nothing("two-numbers", "equivocation", signedSnapshot(t, one, "a", 4, "other"))
	nothing("two-archives", "equivocation", signedSnapshot(t, one, "b", 3, "other"))
	nothing("fork-of-nothing", "fork", base)
	nothing("rollback-to-newer", "rollback", signedSnapshot(t, one, "a", 4, "newer"))
	nothing("unrelated-of-one", "unrelated", other)
	nothing("kind-unknown", "quarrel", other)
	damaged := func(name string, change func(members [][2]string) [][2]string) {
		add(name, expectInvalid, bundle.AxisIntegrity, "", zipEvidence(t, change(evidenceFiles("equivocation", base, other)), zip.Store))
	}
	swap := func(i int, old, with string) func([][2]string) [][2]string {
		return func(m [][2]string) [][2]string {
			if !strings.Contains(m[i][1], old) {
				t.Fatalf("%q is not in %s", old, m[i][0])
			}
			m[i][1] = strings.Replace(m[i][1], old, with, 1)
			return m
		}
	}
	damaged("not-signed", func(m [][2]string) [][2]string { m[4][1] = m[5][1]; return m })
	damaged("signature-of-another-payload", swap(4, "other", "Other"))
	damaged("payload-differs", swap(5, "other", "Other"))
	damaged("signature-differs", func(m [][2]string) [][2]string { m[6][1] = m[3][1]; return m })
	damaged("note-key", swap(0, two.Key().Type(), "ssh-rsa"))
	damaged("note-seq", swap(0, `"seq":3`, `"seq":4`))
	damaged("note-time", swap(0, "22:13:20Z", "24:13:20+02:00"))
	add("note-type", expectIncomplete, "", "", zipEvidence(t, swap(0, "evidence/v1", "evidence/v2")(evidenceFiles("equivocation", base, other)), zip.Store))
	damaged("member-missing", func(m [][2]string) [][2]string { return m[:6] })
	damaged("member-more", func(m [][2]string) [][2]string { return append(m, [2]string{"x", "x"}) })
	damaged("order", func(m [][2]string) [][2]string { m[1], m[2] = m[2], m[1]; return m })
	add("compressed", expectInvalid, bundle.AxisIntegrity, "", zipEvidence(t, evidenceFiles("equivocation", base, other), zip.Deflate))
	add("trailing", expectInvalid, bundle.AxisIntegrity, "", append(bytes.Clone(good), 0))
	add("cut", expectInvalid, bundle.AxisIntegrity, "", good[:len(good)-1])
	sums := bytes.Index(good, []byte("SHA256SUMS")) + len("SHA256SUMS")
	add("sums", expectInvalid, bundle.AxisIntegrity, "", slices.Concat(good[:sums], []byte("0"), good[sums+1:]))
	return out
}

// consistency returns the hashes of RFC 6962, 2.1.2, from size m.
func consistency(leaves []merkle.Hash, m int, whole bool) []merkle.Hash {
	n := len(leaves)
	if m == n {
		if whole {
			return nil
		}
		return []merkle.Hash{merkle.Root(leaves)}
	}
	k := 1
	for 2*k < n {
		k *= 2
	}
	if m <= k {
		return append(consistency(leaves[:k], m, whole), merkle.Root(leaves[k:]))
	}
	return append(consistency(leaves[k:], m-k, false), merkle.Root(leaves[:k]))
}

// conflictEvidence are files with two checkpoints.
func conflictEvidence(t *testing.T) []evidenceVector {
	log, eve := newSeedKey('1'), newSeedKey('2')
	origin := "muniment/" + signedSnapshot(t, log, "a", 1, "x").Archive.String() + "/answers/" + log.Key().ID() + "/1"
	history := func(word string) []merkle.Hash {
		var out []merkle.Hash
		for i := range 7 {
			out = append(out, merkle.LeafHash(fmt.Appendf(nil, "%s %d", word, i)))
		}
		return out
	}
	honest, forked := history("entry"), history("forked")
	checkpoint := func(s sign.Signer, origin string, leaves []merkle.Hash, size int) []byte {
		return must[[]byte](t)(sign.SignCheckpoint(s, sign.Checkpoint{Origin: origin, Size: int64(size), Root: merkle.Root(leaves[:size])}))
	}
	var out []evidenceVector
	ada := "ada@example.org " + log.Key().Authorized()
	add := func(name, expect, axis, trust string, c sign.Conflict, edit ...string) {
		data := c.Encode()
		for i := 0; i < len(edit); i += 2 {
			if !bytes.Contains(data, []byte(edit[i])) {
				t.Fatalf("%s: %q is not in it", name, edit[i])
			}
			data = bytes.Replace(data, []byte(edit[i]), []byte(edit[i+1]), 1)
		}
		out = append(out, evidenceVector{"log-" + name, expect, axis, trust, Judge(data, allowedLine(t, trust)).Proves, data})
	}
	two := sign.Conflict{Key: log.Key(), Prefix: merkle.Root(forked[:3]), Hashes: consistency(forked, 3, true), First: checkpoint(log, origin, honest, 3), Second: checkpoint(log, origin, forked, 7)}
	add("two-sizes", expectValid, "", "", two)
	add("two-sizes-trusted", expectValid, "", ada, two)
	add("trust-in-another", expectInvalid, bundle.AxisSigners, "eve@example.org "+eve.Key().Authorized(), two)
	power := sign.Conflict{Key: log.Key(), Prefix: merkle.Root(forked[:4]), Hashes: consistency(forked, 4, true), First: checkpoint(log, origin, honest, 4), Second: checkpoint(log, origin, forked, 7)}
	add("power-of-two", expectValid, "", "", power)
	same := sign.Conflict{Key: log.Key(), Prefix: merkle.Root(forked[:4]), First: checkpoint(log, origin, honest, 4), Second: checkpoint(log, origin, forked, 4)}
	add("one-size", expectValid, "", "", same)
	with := func(change func(*sign.Conflict)) sign.Conflict {
		c := two
		change(&c)
		return c
	}
	old := with(func(c *sign.Conflict) { c.Key = sign.Key{} })
	add("v1", expectIncomplete, "", "", old)
	add("v1-trusted", expectValid, "", ada, old)
	add("v1-trust-in-another", expectIncomplete, "", "eve@example.org "+eve.Key().Authorized(), old)
	add("agree", expectInvalid, AxisDisagreement, "", with(func(c *sign.Conflict) { c.First = checkpoint(log, origin, forked, 3) }))
	add("no-hashes", expectInvalid, AxisDisagreement, "", with(func(c *sign.Conflict) { c.Hashes = nil }))
	add("hash-more", expectInvalid, AxisDisagreement, "", with(func(c *sign.Conflict) { c.Hashes = append(slices.Clone(c.Hashes), c.Prefix) }))
	add("other-prefix", expectInvalid, AxisDisagreement, "", with(func(c *sign.Conflict) { c.Prefix = merkle.Root(forked[:2]) }))
	add("larger-first", expectInvalid, AxisDisagreement, "", with(func(c *sign.Conflict) { c.First, c.Second = c.Second, c.First }))
	add("empty-first", expectInvalid, AxisDisagreement, "", with(func(c *sign.Conflict) { c.First = checkpoint(log, origin, honest, 0) }))
	add("two-logs", expectInvalid, AxisDisagreement, "", with(func(c *sign.Conflict) { c.First = checkpoint(log, origin+"0", honest, 3) }))
	add("hashes-of-one-size", expectInvalid, AxisDisagreement, "", func() sign.Conflict { c := same; c.Hashes = two.Hashes; return c }())
	add("second-of-another-key", expectInvalid, bundle.AxisIntegrity, "", with(func(c *sign.Conflict) { c.Second = checkpoint(eve, origin, forked, 7) }))
	add("key-of-another-log", expectInvalid, bundle.AxisIntegrity, "", sign.Conflict{Key: eve.Key(), Prefix: two.Prefix, Hashes: two.Hashes, First: checkpoint(eve, origin, honest, 3), Second: checkpoint(eve, origin, forked, 7)})
	add("no-answer-log", expectInvalid, bundle.AxisIntegrity, "", with(func(c *sign.Conflict) {
		c.First, c.Second = checkpoint(log, "example.org/log", honest, 3), checkpoint(log, "example.org/log", forked, 7)
	}))
	add("head-v3", expectIncomplete, "", "", two, "conflict/v2", "conflict/v3")
	add("key-missing", expectInvalid, bundle.AxisIntegrity, "", old, "conflict/v1", "conflict/v2")
	add("key-in-v1", expectInvalid, bundle.AxisIntegrity, "", two, "conflict/v2", "conflict/v1")
	add("size-altered", expectInvalid, bundle.AxisIntegrity, "", two, "\n7\n", "\n8\n")
	add("line-more", expectInvalid, bundle.AxisIntegrity, "", two, "\n7\n", "\n7\n\n")
	return out
}

// allowedLine returns requirements with one line of an allowed_signers file, or with
// nothing.
func allowedLine(t *testing.T, line string) (q bundle.Requirements) {
	t.Helper()
	if line != "" {
		q.Allowed = must[*sign.AllowedSigners](t)(sign.ParseAllowedSigners([]byte(line + "\n")))
	}
	return q
}

// TestEvidenceVectors judges the files, which are made from fixed keys.
func TestEvidenceVectors(t *testing.T) {
	var made []testvectors.Vector
	for _, v := range append(snapshotEvidence(t), conflictEvidence(t)...) {
		one := testvectors.New(v.name, v.data, "kind", "evidence", "expect", v.expect)
		one.AddIf("axis", v.axis)
		one.AddIf("trust", v.trust)
		one.AddIf("proves", v.proves)
		made = append(made, one)
	}
	testvectors.Generate(t, evidenceDir, made)
	testvectors.Run(t, evidenceDir, 53, func(t *testing.T, v testvectors.Vector) {
		e := Judge(v.Body, allowedLine(t, v.Get("trust")))
		axis := ""
		for _, a := range e.Axes {
			if a.Result == bundle.Fail && axis == "" {
				axis = a.Name
			}
		}
		if got := strings.ToLower(e.Verdict); got != v.Get("expect") || axis != v.Get("axis") || e.Proves != v.Get("proves") || (got == expectValid) != (e.Proves != "") {
			t.Errorf("%s, %q, proves %q: %+v", got, axis, e.Proves, e.Axes)
		}
	})
}
