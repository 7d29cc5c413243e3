package judge_test

import (
	"os"
	"strings"
	"testing"

	"muniment/canon"
	"muniment/cite"
	"muniment/judge"
)

// TestBesideWords judges claims over words whose surroundings govern them or do not, by kind. The sentences are invented, and were written before the rules
// that they measure.
func TestBesideWords(t *testing.T) {
	data, err := os.ReadFile("testdata/own/surroundings.txt")
	if err != nil {
		t.Fatal(err)
	}
	yes := map[string]int{"mood": 3} // that a model's yes may verify
	all, wrong, open := map[string]int{}, map[string]int{}, map[string]int{}
	kind := ""
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		if rest, is := strings.CutPrefix(line, "# "); is {
			kind, _, _ = strings.Cut(rest, ":")
			continue
		}
		all[kind]++
		text, claim, other := strings.Cut(line[2:], " => ")
		words := text
		if _, rest, marked := strings.Cut(text, "["); marked {
			words, _, _ = strings.Cut(rest, "]")
		}
		if !other {
			claim = words
		}
		text = strings.ReplaceAll(strings.NewReplacer("[", "", "]", "").Replace(text), " ¶ ", "\n\n")
		j := judgeIn(t, text, words, claim)
		if line[0] == '-' && j.IsOpen() {
			open[kind]++
			t.Logf("a model's yes would verify: %s (%s, %d)", line, j.Reason, j.Score)
		}
		if (j.Verdict == cite.ClaimFollows) != (line[0] == '=') {
			wrong[kind]++
			t.Logf("%s: %s (%s)", kind, line, j.Reason)
		}
	}
	for kind, n := range map[string]int{"back": 61, "beside": 61, "mood": 62, "sense": 42, "plain": 30} {
		t.Logf("%s: %d of %d wrong, a model's yes would verify %d", kind, wrong[kind], all[kind], open[kind])
		if all[kind] != n || wrong[kind] > 0 || open[kind] > yes[kind] {
			t.Errorf("%s: %d of %d wrong, %d open, want none of %d and at most %d open", kind, wrong[kind], all[kind], open[kind], n, yes[kind])
		}
	}
}

// judgeIn judges a claim over words in a text.
func judgeIn(t *testing.T, text, words, claim string) judge.Judgement {
	t.Helper()
	doc := canon.NewDocument(canon.Text([]byte(text)))
	at := strings.Index(string(doc.Payload()), words)
	if at < 0 {
		t.Fatalf("%q is not in %q", words, text)
	}
	span, err := cite.SpanAt(doc, at, at+len(words))
	if err != nil {
		t.Fatal(err)
	}
	p, err := judge.At(doc, span, judge.Paper{})
	if err != nil {
		t.Fatal(err)
	}
	return judge.Judge(strings.ToUpper(claim[:1])+claim[1:], p)
}
