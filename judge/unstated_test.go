package judge_test

import (
	"strings"
	"testing"

	"muniment/canon"
	"muniment/cite"
	"muniment/judge"
)

// statedIn returns of which sentences of a text, judged by their own words, a verdict says that they follow.
func statedIn(t *testing.T, text string, sentences ...string) (follow int) {
	t.Helper()
	doc := canon.NewDocument(canon.Text([]byte(text)))
	text = string(doc.Payload())
	for _, s := range sentences {
		at := strings.Index(text, s)
		span, err := cite.SpanAt(doc, at, at+len(s))
		if err != nil {
			t.Fatal(err)
		}
		words, err := judge.At(doc, span, judge.Paper{Title: "papers.txt"})
		if err != nil {
			t.Fatal(err)
		}
		if judge.Judge(s, words).Verdict == cite.ClaimFollows {
			follow++
		}
	}
	return follow
}

// TestHeadingsThatStateNothing puts a heading above a statement, at once and a paragraph above it. The second list of each kind was only counted, and
// written with the first.
func TestHeadingsThatStateNothing(t *testing.T) {
	const said = "The bank in Market Street stopped payment on Monday."
	for _, c := range []struct {
		heads   string
		stated  bool
		atLeast int // as many follow, or do not, of two for each
	}{
		{"Things said of me in the town which are false|Draft, never sent|Aus meinem Traumbuch|Sentences for a child to copy|From the novel that Charlotte is writing|A play acted at Trelow in May|What I shall say if I am asked|" +
			"Deposition of John Pike, afterwards convicted of perjury|Lies about the bank|Entwurf, nicht abgesandt|A letter that I did not send|What the fortune-teller told us|Sätze zum Abschreiben|Was ich geträumt habe|Erdichtete Begebenheiten", false, 28},
		{"Notes for a story|From my sister's novel|Not sent|Nie abgeschickt|What the gypsy foretold|Was der Wahrsager verkündete|Dictation for the second class|Diktat der dritten Klasse|Copybook sentences|Aus einem Roman von Fritz|" +
			"Eine Komödie in drei Akten|A farce performed by the pupils|Statements which are not true|Behauptungen, die falsch sind|What I would tell the judge|Was ich dem Richter sagen werde|What my lawyer claimed|Unsent letter to Mr. Hale|Invented letters|Erfundene Briefe", false, 30},
		{"Facts of the year|Accounts for 1811|News from Trelow|Our summer at the mill|Repairs|Aus dem Leben unserer Stadt|Notes on the harbour|Report of the treasurer|The flood of 1812|Beschlüsse der Versammlung|Letter to my sister", true, 22},
		{"The play at the Corn Exchange|Why the letter was not sent|What we saw in Trelow|Was wir in Trelow sahen|What the flood destroyed|From the mill|Aus der Stadt|The novel reading society|A visit to Trelow|False alarm at the mill|" +
			"Papers sent to London|What I shall plant|The school play|Unser Theater|Answer to Mr. Hale|Copies of letters|The trial of Pike|What the committee decided|Letters never answered|Prices not paid", true, 32},
	} {
		right := 0
		for head := range strings.SplitSeq(c.heads, "|") {
			for _, between := range []string{"", "The market was held on Tuesday.\n\n"} {
				follows := statedIn(t, head+"\n\n"+between+said+" The mill burned down in March.\n\nThe school got a new roof.\n", said) == 1
				if follows == c.stated {
					right++
				} else {
					t.Logf("follows %v: %s", follows, head)
				}
			}
		}
		t.Logf("right %d of %d", right, 2*(1+strings.Count(c.heads, "|")))
		if right < c.atLeast {
			t.Errorf("%d right, want %d, of: %s", right, c.atLeast, c.heads)
		}
	}
}

// TestPostscripts judges four statements of a letter above a postscript: one that takes the whole letter back leaves none, another takes none.
func TestPostscripts(t *testing.T) {
	letter := "Trelow, 3 May 1811\n\nDear Anna,\n\nThe bank in Market Street stopped payment on Monday. The mill burned down in March.\n\nThe harbour was dredged in the summer. Three ships came in.\n\nYours,\nThomas\n\n"
	for after, want := range map[string]int{
		"P.S. Not a word of this is so.|P.S. All of this I made up to tease you.|P.S. – I invented every line of it.|Das oben Geschriebene hat sich als falsch erwiesen.|The above proved to be false.|P.S. Kein Wort davon ist wahr.|" +
			"N.B. None of this happened.|PS: I have made all this up.|P.S. Believe nothing of the above.|Nachschrift. Das ist alles erlogen.|What I wrote above has turned out to be wrong.": 0,
		"P.S. The horse is better.|P.S. Not a word from Charlotte yet.|P.S. This is the last of my paper.|P.S. Only two of us came.|P.S. I was wrong about the horse.|P.S. It is not true that I am ill.|P.S. Do not believe what Pike says of me.|" +
			"P.S. Nothing of this to my mother.|N.B. This is not for the newspapers.|P.S. Kein Wort davon zu Fritz.": 4,
	} {
		for one := range strings.SplitSeq(after, "|") {
			if got := statedIn(t, letter+one+"\n", "The bank in Market Street stopped payment on Monday.", "The mill burned down in March.", "The harbour was dredged in the summer.", "Three ships came in."); got != want {
				t.Errorf("%d follow, want %d: %s", got, want, one)
			}
		}
	}
}
