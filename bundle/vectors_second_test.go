package bundle

import (
	"bytes"
	"maps"
	"muniment/bundle/display"
	"muniment/bundle/leaf"
	"strconv"
	"strings"
	"testing"

	"muniment/cite"
)

// firstWeights is the version of the weights in most vectors.
const firstWeights = "rank/v1"

// weights returns the lines of a version of the weights, each a name and a number.
func weights(table string) []cite.Feature {
	var out []cite.Feature
	for line := range strings.Lines(cite.RankWeights[table]) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		if n, err := strconv.ParseInt(value, 10, 64); err == nil {
			out = append(out, cite.Feature{Name: name, Value: n})
		}
	}
	return out
}

// ranking returns a ranking by a version of the weights with these features, the others
// being 0.
func ranking(table string, features map[string]int64) *cite.Ranking {
	r := &cite.Ranking{Table: table}
	for _, w := range weights(table) {
		switch w.Name {
		case "high":
			r.High = w.Value
			continue
		case "low":
			r.Low = w.Value
			continue
		}
		if strings.HasPrefix(w.Name, "least-") {
			continue
		}
		r.Features = append(r.Features, cite.Feature{Name: w.Name, Value: features[w.Name]})
		r.Score += w.Value * features[w.Name]
	}
	return r
}

// weightOf returns what a feature weighs.
func weightOf(table, feature string) int64 {
	for _, w := range weights(table) {
		if w.Name == feature {
			return w.Value
		}
	}
	return 0
}

// byWeights returns a function that ranks a gate's quote again, by the weights of a version.
func byWeights(table string) func(g *leaf.Gate) {
	return func(g *leaf.Gate) {
		features := map[string]int64{}
		for _, f := range g.Rank.Features {
			features[f.Name] = f.Value
		}
		g.Rank = ranking(table, features)
	}
}

// barredBy ranks a gate's quote again, by the weights of a version, with one feature that no answer has.
func barredBy(table, feature string) func(g *leaf.Gate) {
	return func(g *leaf.Gate) {
		byWeights(table)(g)
		for i, f := range g.Rank.Features {
			if f.Name == feature {
				g.Rank.Score += weightOf(table, f.Name) * 1000
				g.Rank.Features[i].Value = 1000
			}
		}
	}
}

// Features whose score is high, low, and neither.
var (
	highFeatures = map[string]int64{"sentence": 1 << 14, "around": 1000, "lead": 4000}
	lowFeatures  = map[string]int64{"sentence": 1000}
	noFeatures   = map[string]int64{"unknown": 1000}
)

// second is an answer with what the second version of leaves has: a question, a
// named source, a scored answer and, where nearest is set, one of the nearest
// passages, whose scores are sealed; and a judged inference.
func (f *fixture) second(t testing.TB, answered, nearest bool) Answer {
	t.Helper()
	a := Answer{Tier: "public"}
	exact := cite.GateInput{Relation: cite.DirectQuote, Match: cite.Exact, SpanResolves: true}
	a.Add(&leaf.Question{Text: fixtureQuestion}, true)
	quote := func(n int, words string, role cite.Role, rung cite.Rung, features map[string]int64, scored cite.Role) {
		src := a.Add(f.source(t, f.citation(t, cite.DirectQuote, words, words, "")), false)
		k := a.Add(&leaf.Chunk{Text: words}, true)
		c := a.Add(&leaf.Cite{Claim: n, Relation: cite.DirectQuote, Chunks: []int{k}, Source: src, Title: "Letter from Mill House", Date: "1871-03-04"}, true)
		g := a.Add(coverage(n, exact), true)
		a.Add(&leaf.Gate{Stage: leaf.StageRank, Claim: n, Role: scored, Rank: ranking(firstWeights, features)}, false)
		a.Add(&leaf.Claim{Claim: n, Text: "“" + words + "”", Rung: rung, Role: role, Cites: []int{c}, Gate: g}, true)
	}
	if answered {
		quote(1, "The new barn stands about seven rods from the stackyard.", cite.RoleAnswer, cite.Supported, highFeatures, cite.RoleAnswer)
		src := a.Add(f.source(t, f.citation(t, cite.InferenceFrom, "The writer may have been lonely.", "I think often of the river", "")), false)
		k := a.Add(&leaf.Chunk{Text: "I think often of the river"}, true)
		c := a.Add(&leaf.Cite{Claim: 2, Relation: cite.InferenceFrom, Chunks: []int{k}, Source: src}, true)
		g := coverage(2, cite.GateInput{Relation: cite.InferenceFrom, Match: cite.Exact, SpanResolves: true, Marker: true})
		g.Judge = &leaf.Judge{Model: "mill-7b", PromptSHA256: strings.Repeat("1f", 32), ReplySHA256: strings.Repeat("2e", 32), Verdict: "yes"}
		a.Add(&leaf.Claim{Claim: 2, Text: "The writer may have been lonely.", Rung: cite.Labeled, Cites: []int{c}, Gate: a.Add(g, true)}, true)
	}
	if nearest {
		quote(3, "The masons finished on Tuesday.", cite.RoleNearest, "", lowFeatures, cite.RoleNearest)
		a.Add(&leaf.Removed{Topic: "what did it cost?", Reason: display.NearestReason}, true)
	}
	a.Add(&leaf.Gate{Stage: leaf.StageRank, Rank: ranking(firstWeights, noFeatures), Notes: []string{"topic: the price"}}, false)
	return a
}

// scoresShown discloses every score, so that verifiers that open nothing judge
// them.
func scoresShown(edit func(g *leaf.Gate)) func(testing.TB, []leaf.Leaf, []bool) {
	return func(_ testing.TB, leaves []leaf.Leaf, shown []bool) {
		for _, g := range find[*leaf.Gate](leaves) {
			if g.Stage == leaf.StageRank {
				edit(g)
				showAlso(leaves, shown, g.Index)
			}
		}
	}
}

// onClaim edits the claim with a number, on top of another edit.
func onClaim(n int, also func(testing.TB, []leaf.Leaf, []bool), edit func(c *leaf.Claim, leaves []leaf.Leaf)) func(testing.TB, []leaf.Leaf, []bool) {
	return func(t testing.TB, leaves []leaf.Leaf, shown []bool) {
		also(t, leaves, shown)
		for _, c := range find[*leaf.Claim](leaves) {
			if c.Claim == n {
				edit(c, leaves)
			}
		}
	}
}

// secondCases are bundles with leaves of the second version, one defect each.
func secondCases() []struct {
	name, expect, axis string
	answered, nearest  bool
	edit               func(testing.TB, []leaf.Leaf, []bool)
} {
	same := func(*leaf.Gate) {}
	claimed := func(n int, edit func(g *leaf.Gate)) func(testing.TB, []leaf.Leaf, []bool) {
		return scoresShown(func(g *leaf.Gate) {
			if g.Claim == n {
				edit(g)
			}
		})
	}
	leave := func(testing.TB, []leaf.Leaf, []bool) {}
	return []struct {
		name, expect, axis string
		answered, nearest  bool
		edit               func(testing.TB, []leaf.Leaf, []bool)
	}{
		{"roles", expectValid, "", true, true, leave},
		{"answer", expectValid, "", true, false, leave},
		{"nearest", expectValid, "", false, true, leave},
		{"scores-shown", expectValid, "", true, true, scoresShown(same)},
		{"score", expectInvalid, AxisGate, true, true, claimed(1, func(g *leaf.Gate) { g.Rank.Score++ })},
		{"score-feature", expectInvalid, AxisGate, true, true, claimed(1, func(g *leaf.Gate) { g.Rank.Features[1].Value = 7 })},
		{"score-feature-missing", expectInvalid, AxisGate, true, true, claimed(1, func(g *leaf.Gate) { g.Rank.Features = g.Rank.Features[:len(g.Rank.Features)-1] })},
		{"score-feature-name", expectInvalid, AxisGate, true, true, claimed(1, func(g *leaf.Gate) { g.Rank.Features[1].Name = "beauty" })},
		{"score-threshold", expectInvalid, AxisGate, true, true, claimed(3, func(g *leaf.Gate) { g.Rank.High = 1 })},
		{"score-role", expectInvalid, AxisGate, true, true, claimed(3, func(g *leaf.Gate) { g.Role = cite.RoleAnswer })},
		{"score-weights-unknown", expectValid, "", true, true, scoresShown(func(g *leaf.Gate) { g.Rank.Table = "rank/v0" })},
		{"scores-of-weights-2", expectValid, "", true, true, scoresShown(byWeights("rank/v2"))},
		{"score-of-weights-2", expectInvalid, AxisGate, true, true, claimed(1, func(g *leaf.Gate) {
			byWeights("rank/v2")(g)
			g.Rank.Score++
		})},
		{"score-of-weights-1-as-2", expectInvalid, AxisGate, true, true, claimed(1, func(g *leaf.Gate) { g.Rank.Table = "rank/v2" })},
		{"answer-barred-by-weights-2", expectInvalid, AxisGate, true, true, claimed(1, barredBy("rank/v2", "contrary"))},
		{"scores-of-weights-3", expectValid, "", true, true, scoresShown(byWeights("rank/v3"))},
		{"score-of-weights-2-as-3", expectInvalid, AxisGate, true, true, claimed(1, func(g *leaf.Gate) {
			byWeights("rank/v2")(g)
			g.Rank.Table = "rank/v3"
		})},
		{"answer-without-verb-by-weights-3", expectInvalid, AxisGate, true, true, claimed(1, barredBy("rank/v3", "verbless"))},
		{"answer-opposed-by-weights-3", expectInvalid, AxisGate, true, true, claimed(1, barredBy("rank/v3", "opposed"))},
		{"nearest-of-weights-4", expectValid, "", true, true, scoresShown(func(g *leaf.Gate) {
			byWeights(cite.RankTable)(g)
			if g.Role == "" {
				g.Role = cite.RoleNearest // any score is at least that
			}
		})},
		{"no-role-by-weights-4", expectInvalid, AxisGate, true, true, scoresShown(byWeights(cite.RankTable))},
		{"score-of-weights-3-as-4", expectInvalid, AxisGate, true, true, claimed(1, func(g *leaf.Gate) {
			byWeights("rank/v3")(g)
			g.Rank.Table = cite.RankTable
		})},
		{"answer-opposed-by-weights-4", expectInvalid, AxisGate, true, true, claimed(1, barredBy(cite.RankTable, "opposed"))},
		{"answer-barred", expectInvalid, AxisGate, true, true, claimed(1, func(g *leaf.Gate) {
			barred := maps.Clone(highFeatures)
			barred["contrary"] = 1000
			*g.Rank = *ranking(firstWeights, barred)
		})},
		{"answer-without-lead", expectInvalid, AxisGate, true, true, claimed(1, func(g *leaf.Gate) {
			level := maps.Clone(highFeatures)
			level["lead"] = 0
			*g.Rank = *ranking(firstWeights, level)
		})},
		{"answer-by-a-low-score", expectInvalid, AxisGate, true, true, onClaim(3, scoresShown(same), func(c *leaf.Claim, _ []leaf.Leaf) { c.Role, c.Rung = cite.RoleAnswer, cite.Supported })},
		{"nearest-by-a-high-score", expectValid, "", true, true, onClaim(1, scoresShown(same), func(c *leaf.Claim, _ []leaf.Leaf) { c.Role, c.Rung = cite.RoleNearest, "" })},
		{"nearest-by-no-score", expectInvalid, AxisGate, true, true, claimed(3, func(g *leaf.Gate) {
			g.Role = ""
			*g.Rank = *ranking(firstWeights, noFeatures)
		})},
		{"nearest-of-another-rung", expectInvalid, AxisGate, true, true, onClaim(3, leave, func(c *leaf.Claim, leaves []leaf.Leaf) {
			g := leaves[c.Gate].(*leaf.Gate)
			g.Inputs.Narrowed = true
			v := cite.Judge(g.Inputs)
			g.Rung, g.Failed = v.Rung, v.Failed
		})},
		{"nearest-of-a-paraphrase", expectMalformed, "", true, true, onClaim(3, leave, func(c *leaf.Claim, leaves []leaf.Leaf) {
			s := leaves[c.Cites[0]].(*leaf.Cite)
			s.Relation, s.Label = cite.Paraphrase, leaf.Label(cite.Paraphrase)
		})},
		{"nearest-called-answered", expectInvalid, AxisDisplay, false, true, func(_ testing.TB, leaves []leaf.Leaf, _ []bool) {
			find[*leaf.Display](leaves)[0].OutcomeRung = cite.Supported
		}},
		{"scored-twice", expectMalformed, "", true, true, claimed(3, func(g *leaf.Gate) { g.Claim = 1 })},
		{"source-name", expectInvalid, AxisSpan, true, true, func(t testing.TB, leaves []leaf.Leaf, shown []bool) {
			leaves[leaves[sourceClaim(leaves, 1)].(*leaf.Claim).Cites[0]].(*leaf.Cite).Title = "Letter from the Hall"
			showAlso(leaves, shown, sourceOf(leaves, 1).Index)
		}},
		{"source-named", expectValid, "", true, true, func(t testing.TB, leaves []leaf.Leaf, shown []bool) {
			showAlso(leaves, shown, sourceOf(leaves, 1).Index)
		}},
	}
}

// sourceClaim returns the index of a claim.
func sourceClaim(leaves []leaf.Leaf, n int) int {
	for _, c := range find[*leaf.Claim](leaves) {
		if c.Claim == n {
			return c.Index
		}
	}
	return -1
}

// secondVectors are bundles and leaves of the second version.
func secondVectors(t *testing.T, trust string) []vector {
	t.Helper()
	var out []vector
	byKind := make(map[string]string) // a leaf of each kind; of gates one for each stage
	for _, c := range secondCases() {
		g := newForgery(t)
		g.oneKey(t)
		g.answer, g.leaves = g.f.second(t, c.answered, c.nearest), c.edit
		if c.name == "roles" {
			g.leaves = func(t testing.TB, leaves []leaf.Leaf, shown []bool) {
				for _, l := range leaves {
					name := string(leaf.KindOf(l))
					switch l := l.(type) {
					case *leaf.Gate:
						if name += string(l.Stage); l.Judge != nil {
							name = "judge"
						} else if l.Stage == leaf.StageRank && l.Role == "" {
							continue
						}
					case *leaf.Cite:
						if l.Title == "" {
							continue
						}
					case *leaf.Claim:
						name += string(l.Role)
					}
					if byKind[name] == "" {
						byKind[name] = string(must[[]byte](t)(leaf.Encode(l)))
					}
				}
			}
		}
		files := g.make(t)
		delete(files, "sealed/auditor.age")
		out = append(out, vector{name: "zip-v2-" + c.name, kind: "zip", expect: c.expect, axis: c.axis, trust: trust, data: must[[]byte](t)(writeZip(files))})
	}
	addLeaf := func(name, expect, data string) {
		out = append(out, vector{name: "leaf-v2-" + name, kind: "leaf", expect: expect, data: []byte(data)})
	}
	for name, of := range map[string]string{"question": "question", "claim-answer": "claimanswer", "claim-nearest": "claimnearest", "gate-rank": "gaterank", "gate-judge": "judge"} {
		addLeaf(name, expectOK, byKind[of])
	}
	bad := func(name, of, from, to string) {
		if !strings.Contains(byKind[of], from) {
			t.Fatalf("leaf vector %s: no %q in %s", name, from, byKind[of])
		}
		addLeaf(name, expectMalformed, strings.Replace(byKind[of], from, to, 1))
	}
	bad("question-empty", "question", `"text":"`+fixtureQuestion+`"`, `"text":""`)
	bad("question-of-v1", "question", leaf.Type2, leaf.Type1)
	bad("claim-without-role", "claimanswer", `"role":"answer",`, ``)
	bad("claim-role-unknown", "claimanswer", `"role":"answer"`, `"role":"best"`)
	bad("claim-role-in-v1", "claimanswer", leaf.Type2, leaf.Type1)
	bad("claim-nearest-with-rung", "claimnearest", `"rung":""`, `"rung":"supported"`)
	bad("claim-answer-without-rung", "claimanswer", `"rung":"supported"`, `"rung":""`)
	bad("gate-rank-without-score", "gaterank", byKind["gaterank"][strings.Index(byKind["gaterank"], `"rank":`):strings.Index(byKind["gaterank"], `"rung":`)], ``)
	bad("gate-rank-without-table", "gaterank", `"table":"`+firstWeights+`"`, `"table":""`)
	bad("gate-rank-of-v1", "gaterank", leaf.Type2, leaf.Type1)
	bad("gate-rank-at-coverage", "gaterank", `"stage":"rank"`, `"stage":"coverage"`)
	bad("gate-rank-role-unknown", "gaterank", `"role":"`, `"role":"un`)
	bad("gate-judge-verdict", "judge", `"verdict":"yes"`, `"verdict":"perhaps"`)
	bad("gate-judge-hash", "judge", `"reply_sha256":"2e`, `"reply_sha256":"`)
	bad("gate-judge-at-consent", "judge", `"stage":"coverage"`, `"stage":"consent"`)
	bad("cite-title-empty", "cite", `"title":"Letter from Mill House"`, `"title":""`)
	bad("cite-title-in-v1", "cite", leaf.Type2, leaf.Type1)
	return out
}

// Every case of the second version is judged as its vector says, and a leaf of the
// second version encodes to the bytes it was read from.
func TestSecondVersion(t *testing.T) {
	n := 0
	for _, v := range secondVectors(t, "") {
		if v.kind != "leaf" || v.expect != expectOK {
			continue
		}
		l, err := leaf.Parse(v.data)
		if err != nil {
			t.Fatalf("%s: %v", v.name, err)
		}
		if again := must[[]byte](t)(leaf.Encode(l)); !bytes.Equal(again, v.data) {
			t.Errorf("%s encodes to %s", v.name, again)
		}
		n++
	}
	if n != 5 {
		t.Errorf("%d leaves", n)
	}
}

// examinedVectors are bundles of an examined text: with a quotation that a paper has, and three that are altered, nowhere and not checkable; and the
// same without one of these.
func examinedVectors(t *testing.T, trust string) []vector {
	t.Helper()
	const gone = "The barn has a door of oak."
	make := func() map[string][]byte {
		g := newForgery(t)
		g.oneKey(t)
		g.answer = g.f.second(t, true, false)
		g.answer.Add(&leaf.Removed{Topic: "The new barn stands about nine rods\nfrom the stackyard.", Reason: "altered: the paper says “seven”, the text says “nine”; claim 1 has the words of the paper"}, true)
		g.answer.Add(&leaf.Removed{Topic: gone, Reason: "nowhere: none of the 2 papers open to you has these words"}, true)
		g.answer.Add(&leaf.Removed{Topic: "The masons sing.", Reason: "uncheckable: the source named is not here: Miller v. Regions Bank"}, true)
		g.leaves = func(_ testing.TB, leaves []leaf.Leaf, _ []bool) {
			find[*leaf.Question](leaves)[0].Text = display.NameExamination("brief.md", strings.Repeat("5a", 32), 4)
		}
		files := g.make(t)
		delete(files, "sealed/auditor.age")
		return files
	}
	less := make()
	maps.DeleteFunc(less, func(_ string, data []byte) bool { return bytes.Contains(data, []byte(gone)) })
	zip := func(name, expect, axis string, files map[string][]byte) vector {
		return vector{name: "zip-examination" + name, kind: "zip", expect: expect, axis: axis, trust: trust, data: must[[]byte](t)(writeZip(files))}
	}
	return []vector{zip("", expectValid, "", make()), zip("-without-an-item", expectInvalid, AxisDisplay, less)}
}
