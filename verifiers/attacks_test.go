package verifiers_test

import (
	"bytes"
	"slices"
	"testing"

	"muniment/bundle"
	"muniment/sign"
)

// attacks names what somebody may try on a bundle, each once, with the defects
// that do it. Attacks on trust roots are in package trust, those on the sealed
// layer in package bundle, whose vectors zip-sealed-* are among them.
var attacks = []struct {
	name    string
	defects []string
}{
	{"re-signed other bytes", []string{"signed another statement", "statement changed after signing"}},
	{"malleated signature", []string{"malleated", "R of small order"}},
	{"trailing bytes", []string{"trailing bytes", "trailing bytes in the blob", "text behind the armor", "something behind a leaf", "proof with an empty line", "line added"}},
	{"text before the armor", []string{"text before the armor"}},
	{"wrong namespace", []string{"namespace file", "namespace git", "namespace in capitals"}},
	{"small-order key", []string{"key of small order"}},
	{"leaf passed off as a node", []string{"leaf passed off as a node", "the statement's text as entry"}},
	{"duplicate or case-variant JSON keys", []string{"member twice", "case variant of a member", "member of another case", "escaped member"}},
	{"number collisions", []string{"number with fraction", "number with exponent", "number that rounds", "number beyond", "minus zero", "number without end"}},
	{"reordered leaves", []string{"leaves swapped", "two leaves swapped after signing", "commitments swapped", "index another"}},
	{"duplicated leaves", []string{"commitment twice", "shown twice", "two displays"}},
	{"extra leaves", []string{"leaf beyond", "sealed leaf disclosed", "pad disclosed", "gate disclosed"}},
	{"forged leaves", []string{"leaf changed after signing", "kind unknown"}},
	{"swapped leaves", []string{"source is a cite", "chunks a cite", "gate is a claim"}},
	{"leaf from another answer", []string{"leaf of another answer", "answer another", "id of another answer"}},
	{"forged bytes in a withheld place", []string{"sealed file changed", "sealed file of nobody", "SHA256SUMS changed after signing"}},
	{"dropped refusal", []string{"kept leaf left out", "display left out"}},
	{"stripped signature", []string{"no signature", "signed by the custodian only"}},
	{"downgraded version", []string{"version 0", "version 2", "SSHSIG version 2", "proof of version 2", "type of version 4"}},
	{"proof of another tree", []string{"another statement in the log", "hash changed", "hash too many", "index one more", "checkpoint of another root"}},
	{"foreign checkpoint", []string{"another signature under the log's name", "checkpoint of a foreign log", "checkpoint of another origin", "checkpoint signed by a stranger", "after another key"}},
	{"path tricks in the zip", []string{"file of another name", "link", "another mode", "file twice", "files out of order"}},
	{"bombs in the zip", []string{"method deflate", "size of 4 GiB", "size too large", "extra field", "comment of the zip"}},
	{"signer that nobody trusts", []string{"signed by a stranger only", "signed by a stranger with a log"}},
	{"gate that was talked round", []string{"claim refused", "failed with one more"}},
}

// TestAttacks requires that no attack is VALID where it changed anything.
func TestAttacks(t *testing.T) {
	byName := map[string]defect{}
	for _, d := range defects() {
		byName[d.name] = d
	}
	allowed, err := sign.ParseAllowedSigners([]byte(trusts["answerer"]))
	if err != nil {
		t.Fatal(err)
	}
	sources := sourcesOfVectors(t)
	const each = 8
	made := 0
	for _, a := range attacks {
		done := 0
		for _, name := range a.defects {
			d, ok := byName[name]
			if !ok {
				t.Errorf("%s: no defect is named %q", a.name, name)
				continue
			}
			for seed := uint64(1); seed <= each; seed++ {
				good, bad := newSketch(seed, sources), newSketch(seed, sources)
				if !d.edit(bad) {
					continue
				}
				before, after := good.build(t), bad.build(t)
				if slices.Equal(before, after) {
					continue // there was nothing to do it to
				}
				done++
				if j, beyond := judge(after, bundle.Requirements{Allowed: allowed}); j.verdict == bundle.Valid {
					t.Errorf("%s: %s (seed %d) is VALID %s %s", a.name, name, seed, j.results, beyond)
				}
			}
		}
		if done == 0 {
			t.Errorf("%s: nothing was attacked", a.name)
		}
		made += done
		t.Logf("%-40s %3d bundles", a.name, done)
	}
	t.Logf("%d attacks, %d bundles, none VALID", len(attacks), made)
}

// A replayed answer is a good bundle; only who asked can tell, by the nonce.
func TestReplayedAnswer(t *testing.T) {
	b, err := bundle.Read(bytes.NewReader(newSketch(1, sourcesOfVectors(t)).build(t)))
	if err != nil {
		t.Fatal(err)
	}
	v := bundle.Verify(b, bundle.Requirements{Request: &bundle.RequestProof{Question: "How far was the barn?", Nonce: []byte("another")}})
	if v.Verdict != bundle.Invalid {
		t.Errorf("%s, want INVALID: the answer is bound to another question", v.Verdict)
	}
}
