package bundle

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"muniment/bundle/display"
	"muniment/bundle/leaf"
	"muniment/cid"
	"muniment/cite"
	"muniment/cite/review"
	"muniment/sign"
	"muniment/sign/trust"
	"muniment/snapshot"
	"muniment/snapshot/layout"
)

// A reviewer is a person of the fixture.
type reviewer struct {
	key       seedKey
	name, org string
}

var (
	ada = reviewer{newSeedKey('p'), "Ada Vale", "mill-trust"}
	ben = reviewer{newSeedKey('q'), "Ben Court", "county-office"}
	eva = reviewer{newSeedKey('u'), "", "mill-trust"}
)

// The claims that persons judge in the fixture, with their words.
const (
	claimOne   = "It took about seven rods to walk from the stackyard to the barn that was new."
	claimTwo   = "The builders were done on a Tuesday."
	claimThree = "The river was often on the writer's mind."
	wordsOne   = "The new barn stands about seven rods from the stackyard."
	wordsTwo   = "The masons finished on Tuesday."
	wordsThree = "I think often of the river"
)

// said returns a review of words of the letter, and its subject's claim and span.
func (f *fixture) said(t testing.TB, by reviewer, claim, words string, verdict review.Verdict, reason, replaces string) []byte {
	t.Helper()
	at := strings.Index(letterText, words)
	span := must[cite.Span](t)(cite.SpanAt(f.letter, at, at+len(words)))
	unit := f.letter.Units(span.Kind)[span.From.Unit-1]
	around := must[string](t)(review.HashSurroundings(letterText[unit.Start:at], letterText[at+len(words):unit.End]))
	s := review.Subject{Artifact: cid.Of(f.letter.Payload()).String(), Claim: claim, Span: span.String(), Words: words, Surroundings: around}
	return must[[]byte](t)(review.Sign(review.Review{Verdict: verdict, Reason: reason, Day: "2021-05-03", Name: by.name, Replaces: replaces}, s, by.key))
}

// hold makes the snapshot of the fixture hold reviews.
func (f *fixture) hold(t testing.TB, all ...[]byte) {
	t.Helper()
	artifact := cid.Of(f.letter.Payload())
	lines := []snapshot.Line{{Digest: f.archive.Digest(), Path: layout.PathArchive}, {Digest: artifact.Digest(), Path: layout.ArtifactPath(artifact)},
		{Digest: f.recordID.Digest(), Path: layout.RecordPath(artifact, f.recordID)}}
	for _, data := range all {
		r := must[*review.Review](t)(review.Parse(data))
		lines = append(lines, snapshot.Line{Digest: r.ID().Digest(), Path: layout.ReviewPath(must[cid.ID](t)(review.SubjectID(r.Subject)), r.ID())})
	}
	f.tree = must[*snapshot.Tree](t)(snapshot.NewTree(lines))
	f.proof = must[*snapshot.Proof](t)(f.tree.Prove(layout.RecordPath(artifact, f.recordID)))
	f.snap = f.commit(t, f.archivist, f.tree.Root(), 1)
}

// kept returns a review as a leaf carries it.
func (f *fixture) kept(t testing.TB, by reviewer, data []byte) leaf.Review {
	t.Helper()
	r := must[*review.Review](t)(review.Parse(data))
	path := layout.ReviewPath(must[cid.ID](t)(review.SubjectID(r.Subject)), r.ID())
	return leaf.Review{Commit: string(f.snap.Content), Organisation: by.org, Proof: *must[*snapshot.Proof](t)(f.tree.Prove(path)), Review: string(data), Seq: f.snap.Seq, Snapshot: f.snap.ID.String()}
}

// judgedBySix is an answer of six claims: judged by the rules, a model, one person, two persons, two who disagree, and nobody.
func (f *fixture) judgedBySix(t testing.TB) Answer {
	t.Helper()
	one := f.said(t, ada, claimOne, wordsOne, review.Follows, "computed", "")
	late := f.said(t, ben, claimTwo, wordsTwo, review.Unsure, "context", "")
	two, again := f.said(t, ada, claimTwo, wordsTwo, review.Follows, "", ""), f.said(t, ben, claimTwo, wordsTwo, review.Follows, "", cid.OfJSON(late).String())
	yes, no := f.said(t, eva, claimThree, wordsThree, review.Follows, "", ""), f.said(t, ben, claimThree, wordsThree, review.Not, "missing", "")
	f.hold(t, one, late, two, again, yes, no)

	a := Answer{Tier: "public"}
	add := func(n int, claim, text, words string, in cite.GateInput, judge *leaf.Judge) int {
		src := a.Add(f.source(t, f.citation(t, in.Relation, claim, words, "")), false)
		k := a.Add(&leaf.Chunk{Text: words}, true)
		c := a.Add(&leaf.Cite{Claim: n, Relation: in.Relation, Chunks: []int{k}, Source: src, Title: "Letter from Mill House", Date: "1871-03-04"}, true)
		g := coverage(n, in)
		g.Judge = judge
		a.Add(&leaf.Claim{Claim: n, Text: text, Rung: g.Rung, Cites: []int{c}, Gate: a.Add(g, true)}, true)
		return c
	}
	says := func(n, c, needed int, claim, words, outcome string, all ...leaf.Review) {
		span := f.citation(t, cite.Paraphrase, claim, words, "").Span
		a.Add(&leaf.Reviews{Cite: c, Claim: n, Needed: needed, Outcome: outcome, Quote: words, Reviews: all, Span: span, Text: claim}, true)
	}
	exact := cite.GateInput{Relation: cite.DirectQuote, Match: cite.Exact, SpanResolves: true}
	person := cite.GateInput{Relation: cite.Paraphrase, Match: cite.Exact, SpanResolves: true, Entailed: cite.EntailedYes}
	open := cite.GateInput{Relation: cite.InferenceFrom, Match: cite.Exact, SpanResolves: true, Marker: true}
	add(1, wordsOne, wordsOne, wordsOne, exact, nil)
	add(2, "The writer may have been lonely.", "The writer may have been lonely.", wordsThree, open,
		&leaf.Judge{Model: "mill-7b", PromptSHA256: strings.Repeat("1f", 32), ReplySHA256: strings.Repeat("2e", 32), Verdict: "yes"})
	says(3, add(3, claimOne, claimOne, wordsOne, person, nil), 1, claimOne, wordsOne, leaf.OutcomeFollows, f.kept(t, ada, one))
	says(4, add(4, claimTwo, claimTwo, wordsTwo, person, nil), 2, claimTwo, wordsTwo, leaf.OutcomeFollows, f.kept(t, ben, late), f.kept(t, ada, two), f.kept(t, ben, again))
	says(5, add(5, claimThree, "People disagree whether this follows from these words: "+claimThree, wordsThree, open, nil), 1, claimThree, wordsThree, leaf.OutcomeDisputed,
		f.kept(t, eva, yes), f.kept(t, ben, no))
	add(6, "Somebody whom the writer knew may have died.", "Somebody whom the writer knew may have died.", wordsThree, open, nil)
	return a
}

// onReviews edits the reviews of a claim after they were signed.
func onReviews(n int, edit func(r *leaf.Reviews, leaves []leaf.Leaf)) func(testing.TB, []leaf.Leaf, []bool) {
	return func(_ testing.TB, leaves []leaf.Leaf, _ []bool) {
		for _, r := range find[*leaf.Reviews](leaves) {
			if r.Claim == n {
				edit(r, leaves)
			}
		}
	}
}

// thirdCases are bundles with reviews, one defect each.
func thirdCases() []struct {
	name, expect, axis string
	edit               func(testing.TB, []leaf.Leaf, []bool)
} {
	type reviews = *leaf.Reviews
	claim := func(leaves []leaf.Leaf, n int) *leaf.Claim { return leaves[sourceClaim(leaves, n)].(*leaf.Claim) }
	return []struct {
		name, expect, axis string
		edit               func(testing.TB, []leaf.Leaf, []bool)
	}{
		{"judged-by-six", expectValid, "", func(testing.TB, []leaf.Leaf, []bool) {}},
		{"source-of-reviewed", expectValid, "", func(t testing.TB, leaves []leaf.Leaf, shown []bool) {
			showAlso(leaves, shown, sourceOf(leaves, 3).Index)
		}},
		{"not-counted", expectValid, "", onReviews(5, func(r reviews, _ []leaf.Leaf) {
			r.Reviews[0].Not, r.Outcome = "its key had the role review only later", leaf.OutcomeNotShown
		})},
		{"disputed-called-follows", expectInvalid, AxisGate, onReviews(5, func(r reviews, _ []leaf.Leaf) { r.Outcome = leaf.OutcomeFollows })},
		{"too-few", expectInvalid, AxisGate, onReviews(3, func(r reviews, _ []leaf.Leaf) { r.Needed = 2 })},
		{"one-organisation", expectInvalid, AxisGate, onReviews(4, func(r reviews, _ []leaf.Leaf) { r.Reviews[2].Organisation = ada.org })},
		{"replaced-review-counted", expectInvalid, AxisGate, onReviews(4, func(r reviews, _ []leaf.Leaf) { r.Reviews = r.Reviews[:2] })},
		{"disputed-and-supported", expectInvalid, AxisGate, onReviews(5, func(r reviews, leaves []leaf.Leaf) {
			c := claim(leaves, 5)
			g := leaves[c.Gate].(*leaf.Gate)
			t := leaves[c.Cites[0]].(*leaf.Cite)
			g.Inputs = cite.GateInput{Relation: cite.DirectQuote, Match: cite.Exact, SpanResolves: true}
			g.Rung, g.Failed, c.Rung, t.Relation, t.Label = cite.Supported, nil, cite.Supported, cite.DirectQuote, leaf.Label(cite.DirectQuote)
		})},
		{"another-claim", expectInvalid, AxisGate, onReviews(3, func(r reviews, leaves []leaf.Leaf) { claim(leaves, 3).Text = "It is false that it took seven rods." })},
		{"gate-without-yes", expectInvalid, AxisGate, onReviews(3, func(r reviews, leaves []leaf.Leaf) {
			in := &leaves[claim(leaves, 3).Gate].(*leaf.Gate).Inputs
			in.Entailed, in.Aligned = "", true
		})},
		{"words-of-another-span", expectInvalid, AxisGate, func(t testing.TB, leaves []leaf.Leaf, shown []bool) {
			for _, c := range find[*leaf.Cite](leaves) {
				if c.Claim == 3 {
					c.Source = sourceOf(leaves, 4).Index
				}
			}
			showAlso(leaves, shown, sourceOf(leaves, 4).Index)
		}},
		{"of-another-cite", expectMalformed, "", onReviews(3, func(r reviews, leaves []leaf.Leaf) { r.Cite = claim(leaves, 4).Cites[0] })},
		{"of-one-cite-twice", expectMalformed, "", onReviews(3, func(r reviews, leaves []leaf.Leaf) {
			for _, o := range find[*leaf.Reviews](leaves) {
				if o.Claim == 5 {
					o.Cite, o.Claim = r.Cite, 3
				}
			}
		})},
		{"review-of-another-snapshot", expectInvalid, AxisSpan, onReviews(3, func(r reviews, _ []leaf.Leaf) { r.Reviews[0].Seq = 2 })},
		{"review-proof", expectInvalid, AxisSpan, onReviews(3, func(r reviews, _ []leaf.Leaf) { r.Reviews[0].Proof.Lines[0].Index++ })},
	}
}

// newThird returns a forgery of a bundle with reviews.
func newThird(t testing.TB) *forgery {
	g := newForgery(t)
	g.oneKey(t)
	g.answer = g.f.judgedBySix(t)
	return g
}

// thirdVectors are bundles and leaves of the third version.
func thirdVectors(t *testing.T, trust string) []vector {
	t.Helper()
	var out []vector
	whole := ""
	for _, c := range thirdCases() {
		g := newThird(t)
		g.leaves = func(t testing.TB, leaves []leaf.Leaf, shown []bool) {
			for _, r := range find[*leaf.Reviews](leaves) {
				if whole == "" && r.Claim == 3 {
					whole = string(must[[]byte](t)(leaf.Encode(r)))
				}
			}
			c.edit(t, leaves, shown)
		}
		files := g.make(t)
		delete(files, "sealed/auditor.age")
		out = append(out, vector{name: "zip-v3-" + c.name, kind: "zip", expect: c.expect, axis: c.axis, trust: trust, data: must[[]byte](t)(writeZip(files))})
	}
	addLeaf := func(name, expect, data string) {
		out = append(out, vector{name: "leaf-v3-" + name, kind: "leaf", expect: expect, data: []byte(data)})
	}
	addLeaf("reviews", expectOK, whole)
	bad := func(name, from, to string) {
		if !strings.Contains(whole, from) {
			t.Fatalf("leaf vector %s: no %q in %s", name, from, whole)
		}
		addLeaf(name, expectMalformed, strings.Replace(whole, from, to, 1))
	}
	bad("reviews-of-v2", leaf.Type3, leaf.Type2)
	bad("reviews-of-v1", leaf.Type3, leaf.Type1)
	bad("needed-none", `"needed":1`, `"needed":0`)
	bad("needed-nine", `"needed":1`, `"needed":9`)
	bad("outcome-unknown", `"outcome":"follows"`, `"outcome":"true"`)
	bad("claim-0", `"claim":3`, `"claim":0`)
	bad("seq-0", `"seq":1`, `"seq":0`)
	bad("span-missing", whole[strings.Index(whole, `"span":`):strings.Index(whole, `"text":`)], ``)
	bad("no-reviews", whole[strings.Index(whole, `"reviews":[`):strings.Index(whole, `"salt":`)], `"reviews":[],`)
	bad("review-of-v2", `muniment/review/v1`, `muniment/review/v2`)
	bad("verdict-changed", `\"verdict\":\"follows\"`, `\"verdict\":\"unsure\"`)
	bad("signature-of-another-day", `2021-05-03`, `2021-05-04`)
	bad("subject-claim", claimOne, claimTwo)
	bad("subject-words", `"quote":"The new`, `"quote":"The old`)
	bad("subject-span", `"span":"p2:0`, `"span":"p2:1`)
	reviews := whole[strings.Index(whole, `"reviews":[`)+len(`"reviews":[`) : strings.Index(whole, `],"salt":`)]
	bad("review-twice", reviews, reviews+","+reviews)
	bad("member-unknown", `"needed":1,`, `"needed":1,"note":"",`)
	return out
}

// TestJudgedBySix checks the sentence that a reader gets for each of six claims, and that a page of the bundle is a reduced copy without the reviews.
func TestJudgedBySix(t *testing.T) {
	g := newThird(t)
	b := must[*Bundle](t)(Assemble(g.answer, g.env))
	view := must[display.View](t)(Render(b))
	want := []string{
		"verified: the rules found it in the words; no person checked it",
		"unverified: the model mill-7b says that it follows; no person checked it",
		"verified: Ada Vale of mill-trust checked it on 3 May 2021",
		"verified: Ada Vale of mill-trust checked it on 3 May 2021, and Ben Court of county-office checked it on 3 May 2021",
		"disputed: reviewer " + eva.key.Key().ID()[:8] + " of mill-trust checked it on 3 May 2021, Ben Court of county-office said on 3 May 2021 that it does not follow: the words do not say it",
		display.JudgedByNobody,
	}
	var got []string
	for _, c := range view.Claims {
		got = append(got, c.Judged)
	}
	if !slices.Equal(got, want) {
		t.Errorf("it says\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	page := must[[]byte](t)(b.Page())
	read := must[*Bundle](t)(Read(bytes.NewReader(page)))
	v := Verify(read, Requirements{Allowed: g.f.allowed(t)})
	if !strings.HasPrefix(v.Verdict, Reduced) {
		t.Errorf("the page is %s", v.Verdict)
	}
}

// Whose review counts is asked of the trust root at the number of the snapshot.
func TestReviewers(t *testing.T) {
	g := newThird(t)
	b := must[*Bundle](t)(Assemble(g.answer, g.env))
	root := func(lines ...trust.Key) Requirements {
		r := trust.First(g.f.archive)
		owner := g.f.answerer.Key()
		for _, role := range []trust.Role{trust.Policy, trust.Snapshot, trust.Answer, trust.Log} {
			r.Keys = append(r.Keys, trust.Key{Role: role, Key: owner, Org: "mill-trust"})
		}
		r.Keys = append(r.Keys, lines...)
		return Requirements{Root: r}
	}
	line := func(by reviewer, org string, to int64) trust.Key {
		k := trust.Key{Role: trust.Review, Key: by.key.Key(), Org: org}
		if to > 0 {
			k.From, k.To = trust.Seq(to), trust.Seq(to+5)
		}
		return k
	}
	lines := func(all ...reviewer) *sign.AllowedSigners {
		keys := []sign.Signer{g.f.answerer}
		for _, r := range all {
			keys = append(keys, r.key)
		}
		return g.f.allowed(t, keys...)
	}
	for name, c := range map[string]struct {
		q    Requirements
		want Result
		says string
	}{
		"nobody's trust":            {Requirements{}, NotChecked, "may review"},
		"all allowed":               {Requirements{Allowed: lines(ada, ben, eva)}, Pass, ""},
		"one not allowed":           {Requirements{Allowed: lines(ada, eva)}, NotChecked, ben.key.Key().Fingerprint()},
		"all in the root":           {root(line(ada, ada.org, 0), line(ben, ben.org, 0), line(eva, eva.org, 0)), Pass, ""},
		"one not in the root":       {root(line(ada, ada.org, 0), line(ben, ben.org, 0)), NotChecked, eva.key.Key().Fingerprint()},
		"of another organisation":   {root(line(ada, ada.org, 0), line(ben, ada.org, 0), line(eva, eva.org, 0)), Fail, "the trust root says"},
		"the role began afterwards": {root(line(ada, ada.org, 3), line(ben, ben.org, 0), line(eva, eva.org, 0)), Fail, "from"},
	} {
		v := Verify(b, c.q)
		i := slices.IndexFunc(v.Axes, func(a Axis) bool { return a.Name == AxisGate })
		if a := v.Axes[i]; a.Result != c.want || !strings.Contains(a.Reason, c.says) {
			t.Errorf("%s: %s %s, want %s %q", name, a.Result, a.Reason, c.want, c.says)
		}
	}
}
