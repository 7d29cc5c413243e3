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
		j := judgeLine(t, line[2:])
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

// TestTurned counts, for each half of turned.txt, how many retracted statements and how many plain ones are judged to follow.
func TestTurned(t *testing.T) {
	var all, follow [2][2]int // by what they are to do, and by halves: the one looked at, the other
	for _, line := range ownLines(t, "turned.txt") {
		kind := 0
		if line[0] == '=' {
			kind = 1
		}
		half := all[kind][0] - all[kind][1] // the first is of the one looked at
		all[kind][half]++
		if j := judgeLine(t, line[2:]); j.Verdict == cite.ClaimFollows {
			follow[kind][half]++
		}
	}
	t.Logf("taken back: %d and %d of %d follow; standing: %d and %d", follow[0][0], follow[0][1], all[0], follow[1][0], follow[1][1])
	if all != [2][2]int{{30, 30}, {30, 30}} || follow[0][0] > 1 || follow[0][1] > 2 || follow[1] != all[1] {
		t.Errorf("%v follow of %v; want at most 1 and 2 of those taken back, and all of those that stand", follow, all)
	}
}

// TestParagraphs checks each row of paragraphs.txt: whether the text around the words keeps the claim from following.
func TestParagraphs(t *testing.T) {
	lines := ownLines(t, "paragraphs.txt")
	for _, line := range lines {
		if j := judgeLine(t, line[2:]); (j.Verdict == cite.ClaimFollows) != (line[0] == '=') {
			t.Errorf("%s: %s, %s", line, j.Verdict, j.Reason)
		}
	}
	if len(lines) != 145 {
		t.Errorf("%d lines, want 145", len(lines))
	}
}

// judgeLine judges a line "text with its [words] => claim", where the claim may be left out: it is the words.
func judgeLine(t *testing.T, line string) judge.Judgement {
	t.Helper()
	text, claim, other := strings.Cut(line, " => ")
	words := text
	if _, rest, marked := strings.Cut(text, "["); marked {
		words, _, _ = strings.Cut(rest, "]")
	}
	if !other {
		claim = words
	}
	return judgeIn(t, strings.NewReplacer("[", "", "]", "", " ¶ ↵ ", "\n\n", " ¶ ", "\n\n", " ↵ ", "\n").Replace(text), words, claim)
}

// TestDraftReferents judges claims with a pronoun in drafts: it must mean there whom it means in the paper.
func TestDraftReferents(t *testing.T) {
	data, err := os.ReadFile("testdata/own/referents.txt")
	if err != nil {
		t.Fatal(err)
	}
	other, same, delivered, lost := 0, 0, 0, 0
	for line := range strings.Lines(strings.TrimSpace(string(data))) {
		if line[0] == '#' {
			continue
		}
		f := strings.Split(strings.TrimSpace(line[2:]), " | ")
		words := f[2]
		if !strings.Contains(f[1], words) { // within a sentence
			words = strings.ToLower(words[:1]) + words[1:]
		}
		p := wordsIn(t, strings.ReplaceAll(f[1], " ¶ ", "\n\n"), words)
		p.Said = f[0]
		j := judge.Judge(f[2], p)
		follows := j.Verdict == cite.ClaimFollows
		if line[0] == '-' {
			if other++; follows || j.IsOpen() {
				delivered++
				t.Logf("%s (%s)", line, j.Reason)
			}
			continue
		}
		if same++; !follows {
			lost++
			t.Logf("%s (%s)", line, j.Reason)
		}
	}
	t.Logf("somebody else: %d of %d follow; the same person: %d of %d do not", delivered, other, lost, same)
	if other != 36 || same != 33 || delivered > 0 || lost > 0 {
		t.Errorf("somebody else: %d of %d follow; the same person: %d of %d do not; want none of 36 and of 33", delivered, other, lost, same)
	}
}

// judgeIn judges a claim over words in a text.
func judgeIn(t *testing.T, text, words, claim string) judge.Judgement {
	t.Helper()
	return judge.Judge(strings.ToUpper(claim[:1])+claim[1:], wordsIn(t, text, words))
}

// wordsIn returns words in a text with their surroundings.
func wordsIn(t *testing.T, text, words string) judge.Passage {
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
	return p
}
