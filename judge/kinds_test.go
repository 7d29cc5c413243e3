package judge_test

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"muniment/canon"
	"muniment/cite"
	"muniment/judge"
)

// A pair is a line of testdata/sets: by somebody who had not seen the rules. The half "dev" was looked at while they were written, of "held" only the
// counts of each kind.
type pair struct {
	kind, truth, claim string
	words              judge.Passage
}

// readSet returns the pairs of a half.
func readSet(t *testing.T, name string) (out []pair) {
	t.Helper()
	data, err := os.ReadFile("testdata/sets/" + name + ".tsv")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(strings.TrimSpace(string(data))) {
		f := strings.Split(strings.ReplaceAll(strings.TrimSuffix(line, "\n"), " ¶ ", "\n"), "\t")
		if len(f) != 8 {
			t.Fatalf("%s: %q has %d fields, want 8", name, line, len(f))
		}
		doc := canon.NewDocument(canon.Text([]byte(f[5])))
		at := strings.Index(string(doc.Payload()), f[6])
		span, err := cite.SpanAt(doc, at, at+len(f[6]))
		if err != nil {
			t.Fatal(err)
		}
		words, err := judge.At(doc, span, judge.Paper{Title: strings.TrimPrefix(f[4], "-"), Lang: f[2]})
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, pair{f[1], f[3], f[7], words})
	}
	return out
}

// A count is how many claims of a kind there are, and how many have a verdict.
type count struct{ all, follow, contradicted, likely, against int }

func countKinds(t *testing.T, name string) map[string]*count {
	t.Helper()
	n := map[string]*count{}
	for _, p := range readSet(t, name) {
		if n[p.kind] == nil {
			n[p.kind] = &count{}
		}
		k, j := n[p.kind], judge.Judge(p.claim, p.words)
		k.all++
		switch {
		case j.Verdict == cite.ClaimFollows:
			k.follow++
		case j.Verdict == cite.ClaimContradicted:
			k.contradicted++
		case j.IsLikely():
			k.likely++
		}
		if j.Verdict != cite.ClaimFollows && !j.IsOpen() {
			k.against++ // no model's yes would verify it
		}
	}
	for _, kind := range slices.Sorted(maps.Keys(n)) {
		t.Logf("%-4s %-16s %+v", name, kind, *n[kind])
	}
	return n
}

// TestKinds prints the table of both halves and demands what the held one reaches.
func TestKinds(t *testing.T) {
	countKinds(t, "dev")
	held := countKinds(t, "held")
	for kind, want := range map[string]struct{ all, leastFollow, mostFollow, leastContradicted, mostContradicted, mostLikely int }{
		"verbatim": {40, 40, 40, 0, 0, 0}, "typographic": {8, 8, 8, 0, 0, 0}, "scopekept": {20, 19, 20, 0, 0, 20}, "scopeends": {20, 16, 20, 0, 0, 20},
		"scope": {36, 0, 5, 0, 0, 36}, "restriction": {26, 0, 0, 0, 0, 26}, "changed": {26, 0, 0, 16, 26, 0}, "titleonly": {8, 0, 0, 0, 0, 8},
		"openslot": {12, 0, 0, 0, 0, 12}, "roleswap": {16, 0, 0, 0, 0, 2}, "pronoun": {16, 0, 0, 0, 0, 16}, "pronounright": {10, 0, 10, 0, 0, 10},
		"paraphrase_true": {30, 0, 30, 0, 0, 30}, "paraphrase_false": {30, 0, 0, 0, 0, 13}, "plaindrop": {10, 0, 10, 0, 0, 10}, "computed": {10, 0, 10, 0, 0, 10},
	} {
		k := held[kind]
		if k == nil || k.all != want.all || k.follow < want.leastFollow || k.follow > want.mostFollow || k.contradicted < want.leastContradicted || k.contradicted > want.mostContradicted || k.likely > want.mostLikely {
			t.Errorf("%s: %+v, want %+v", kind, k, want)
		}
	}
}
