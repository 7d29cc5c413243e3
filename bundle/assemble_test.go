package bundle

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"muniment/bundle/display"
	"muniment/bundle/leaf"
	"muniment/cite"
	"muniment/sign"
	"muniment/snapshot/access"
)

func TestAssembleRefuses(t *testing.T) {
	gate := func() *leaf.Gate {
		return coverage(1, cite.GateInput{Relation: cite.DirectQuote, Match: cite.Exact, SpanResolves: true})
	}
	cases := []struct {
		name, want string
		edit       func(f *fixture, a *Answer, env *Env)
	}{
		{"no scope", "no auditor scope", func(_ *fixture, _ *Answer, env *Env) { env.Scopes = nil }},
		{"two general scopes", "want exactly one", func(_ *fixture, _ *Answer, env *Env) {
			env.Scopes = append(env.Scopes, access.Scope{Name: "other", Recipients: []string{fixtureRecipient}})
		}},
		{"no signer", "a signer", func(_ *fixture, _ *Answer, env *Env) { env.Signers = nil }},
		{"randomness runs out", "EOF", func(_ *fixture, _ *Answer, env *Env) { env.Rand = bytes.NewReader(make([]byte, 100)) }},
		{"no tier", "requestor_tier", func(_ *fixture, a *Answer, _ *Env) { a.Tier = "" }},
		{"nothing shown", "neither a claim nor a refusal", func(_ *fixture, a *Answer, _ *Env) { *a = Answer{Tier: "public"} }},
		{"display leaf", "only Assemble makes", func(_ *fixture, a *Answer, _ *Env) { a.Add(&leaf.Display{}, true) }},
		{"handle", "only Assemble gives", func(_ *fixture, a *Answer, _ *Env) { a.Add(&leaf.Cite{Claim: 9, Handle: "Source A"}, true) }},
		{"reference beyond", "refers to draft 999", func(_ *fixture, a *Answer, _ *Env) {
			a.Add(&leaf.Claim{Claim: 9, Text: "x", Rung: cite.Supported, Gate: 999}, true)
		}},
		{"reference to other kind", "refers to draft 0 as a gate", func(_ *fixture, a *Answer, _ *Env) {
			a.Add(&leaf.Claim{Claim: 9, Text: "x", Rung: cite.Supported, Gate: 0}, true)
		}},
		{"hidden refusal", "always shown", func(_ *fixture, a *Answer, _ *Env) {
			a.Add(&leaf.Refusal{RefusalKind: "coverage", Message: "x"}, false)
		}},
		{"claim twice", "claim 1, as is leaf", func(_ *fixture, a *Answer, _ *Env) {
			a.Add(&leaf.Claim{Claim: 1, Text: "x", Rung: cite.Supported, Gate: a.Add(gate(), true)}, true)
		}},
		{"rung not of its gate", "its gate says supported", func(_ *fixture, a *Answer, _ *Env) {
			a.Add(&leaf.Claim{Claim: 5, Text: "x", Rung: cite.Labeled, Gate: a.Add(coverage(5, gate().Inputs), true)}, true)
		}},
		{"refused claim shown", "never are", func(_ *fixture, a *Answer, _ *Env) {
			a.Add(&leaf.Claim{Claim: 5, Text: "x", Rung: cite.Refused, Gate: a.Add(coverage(5, cite.GateInput{}), true)}, true)
		}},
		{"leaf too long", "bytes", func(_ *fixture, a *Answer, _ *Env) {
			a.Add(&leaf.Chunk{Text: strings.Repeat("x", leaf.MaxSize)}, true)
		}},
		{"too many leaves", "at most 4096", func(_ *fixture, a *Answer, _ *Env) { a.MinLeaves = leaf.MaxCount + 1 }},
		{"too much room", "are allowed", func(_ *fixture, a *Answer, _ *Env) { a.MinSealed = 1 << 62 }},
		{"log of another key", "log inclusion", func(f *fixture, _ *Answer, env *Env) {
			env.Log = &memoryLog{signer: newSeedKey('x'), archive: f.archive}
		}},
		{"log fails", "disk full", func(f *fixture, _ *Answer, env *Env) { env.Log = fullLog{f.log} }},
		{"snapshot of another archive", "is of archive", func(_ *fixture, _ *Answer, env *Env) {
			env.Archive = otherArchive()
			env.Log = &memoryLog{signer: env.Signers[0], archive: env.Archive}
		}},
	}
	for _, c := range cases {
		f := newFixture(t)
		a, env := f.answer(t), f.env()
		c.edit(f, &a, &env)
		b, err := Assemble(a, env)
		if b != nil || err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want an error with %q and no bundle", c.name, err, c.want)
		}
	}
}

// fullLog is a log whose disk is full.
type fullLog struct{ *memoryLog }

func (fullLog) Append([32]byte) ([]byte, error) { return nil, errors.New("disk full") }

// The order of leaves, salts and handles change; what is shown does not.
func TestAssembleShuffles(t *testing.T) {
	f := newFixture(t)
	env := f.env()
	first := must[*Bundle](t)(Assemble(f.answer(t), env))
	second := must[*Bundle](t)(Assemble(f.answer(t), env))
	a, b := must[display.View](t)(Render(first)), must[display.View](t)(Render(second))
	if a.Answer == b.Answer || first.statement.Root == second.statement.Root {
		t.Error("two answers share an id or a root")
	}
	b.Answer = a.Answer
	for i := range b.Claims {
		for j := range b.Claims[i].Citations {
			b.Claims[i].Citations[j].Handle = a.Claims[i].Citations[j].Handle
		}
	}
	if diff := cmp.Diff(a, b); diff != "" {
		t.Error(diff)
	}
	if second.statement.After.Size != 1 {
		t.Errorf("the second answer is after a log of size %d, want 1", second.statement.After.Size)
	}
	if v := Verify(second, Requirements{Allowed: f.allowed(t)}); v.Verdict != Valid {
		t.Errorf("second answer: %s", v.Verdict)
	}
}

// Cites of one artifact share a handle, and the letters leave no gap.
func TestHandles(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		var a Answer
		arts := rapid.SliceOfN(rapid.IntRange(0, 40), 1, 60).Draw(r, "artifacts")
		for i, n := range arts {
			src := a.Add(&leaf.Source{Artifact: string(rune('a' + n))}, false)
			a.Add(&leaf.Cite{Source: src}, i%3 != 0)
		}
		seed := [32]byte{byte(len(arts))}
		handles, err := a.nameSources(chacha(seed))
		if err != nil {
			r.Fatal(err)
		}
		byArtifact := map[string]string{}
		used := map[string]bool{}
		for i, d := range a.drafts {
			c, ok := d.leaf.(*leaf.Cite)
			if !ok {
				continue
			}
			art := a.drafts[c.Source].leaf.(*leaf.Source).Artifact
			if had, ok := byArtifact[art]; ok && had != handles[i] {
				r.Fatalf("artifact %s has the handles %s and %s", art, had, handles[i])
			}
			if !leaf.IsHandle(handles[i]) {
				r.Fatalf("handle %q", handles[i])
			}
			byArtifact[art] = handles[i]
			used[handles[i]] = true
		}
		if len(used) != len(byArtifact) {
			r.Fatalf("%d handles for %d artifacts", len(used), len(byArtifact))
		}
		for i := range len(used) {
			if !used["Source "+letters(i)] {
				r.Fatalf("letters leave out %s", letters(i))
			}
		}
	})
}

func TestPermutation(t *testing.T) {
	counts := map[[3]int]int{}
	source := chacha([32]byte{1})
	const rounds = 6000
	for range rounds {
		p := must[[]int](t)(permutation(source, 3))
		counts[[3]int(p)]++
	}
	if len(counts) != 6 {
		t.Errorf("%d of 6 orders", len(counts))
	}
	for p, n := range counts {
		if n < rounds/6-200 || n > rounds/6+200 {
			t.Errorf("order %v came %d times of %d", p, n, rounds)
		}
	}
}

// The public shape of a refusal does not depend on its kind or on what was
// withheld.
func TestRefusalsLookAlike(t *testing.T) {
	f := newFixture(t)
	shape := func(a Answer) map[string]int {
		b := must[*Bundle](t)(Assemble(a, f.env()))
		out := map[string]int{"leaves": b.statement.Leaves, "shown": len(b.Leaves())}
		for _, s := range b.statement.Sealed {
			out[s.Name()] = len(b.files[s.Name()])
		}
		return out
	}
	coverageRefusal := func(hidden bool) Answer {
		a := Answer{Tier: "public"}
		if hidden {
			a.Add(f.source(t, f.citation(t, cite.DirectQuote, "x", "seven rods", "")), false)
			a.Add(&leaf.Gate{Stage: leaf.StageConsent, TrueKind: "consent", Notes: []string{"existence is not disclosed"}}, false)
		} else {
			a.Add(&leaf.Gate{Stage: leaf.StageConsent, TrueKind: "coverage"}, false)
		}
		a.Add(&leaf.Refusal{RefusalKind: "coverage", Message: "There is not enough in the archive."}, true)
		return a
	}
	if diff := cmp.Diff(shape(coverageRefusal(false)), shape(coverageRefusal(true))); diff != "" {
		t.Errorf("a hidden artifact shows (-none +hidden):\n%s", diff)
	}
	roomy := coverageRefusal(true)
	roomy.MinLeaves, roomy.MinSealed = 100, 100<<10
	got := shape(roomy)
	if got["leaves"] != 256 || got["sealed/auditor.age"] < 128<<10 {
		t.Errorf("room for 100 leaves and 100 KiB: %v", got)
	}
}

// No disclosed leaf holds an identifier, a span or a hash of what is sealed.
func TestNothingLeaks(t *testing.T) {
	f := newFixture(t)
	b := f.bundle(t).WithoutSealed()
	c := f.citation(t, cite.DirectQuote, "x", "seven rods", "")
	data := must[[]byte](t)(b.Zip())
	secrets := []string{c.Artifact, f.recordID.String(), f.recordID.Hex(), f.snap.ID.String(), "p2:20-55", "from the stackyard\"", "masons finished on Tuesday", fixtureQuestion}
	for _, s := range secrets {
		if bytes.Contains(data, []byte(s)) {
			t.Errorf("the display holds %q", s)
		}
	}
	if len(b.statement.Sealed) != 1 || slices.ContainsFunc(b.Leaves(), func(l leaf.Leaf) bool { return leaf.KindOf(l) == leaf.KindSource }) {
		t.Error("the display has a source leaf, or no sealed line")
	}
	if !bytes.Contains(must[[]byte](t)(sign.Open(f.identity, f.bundle(t).files["sealed/auditor.age"])), []byte(c.Artifact)) {
		t.Error("the sealed file does not hold the artifact's id")
	}
}
