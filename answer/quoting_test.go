package answer_test

import (
	"slices"
	"strings"
	"testing"

	"muniment/answer"
	"muniment/archive/archivetest"
)

// familyPapers are papers with headings, lists, salutations, a copy and a letter in the first person.
func familyPapers() map[string]string {
	letter := "Selby, 3 May 1902\n\nDear Uncle,\n\nI sold the grey pony to Tom Arkle for nine pounds. The saddle went with it.\n\nYour niece\nHester Loame\n"
	return map[string]string{
		"1902-05-03.txt":      letter,
		"1902-05-03 copy.txt": "TYPESCRIPT COPY\n\n" + letter,
		"minutes.txt":         "Selby Chess Club\n\nMinutes of the Meeting, 4 March 1903\n\nPresent: Mr. E. Dunnock, Mr. W. Arkle, Rev. Alfred Moule.\n\nThe clock is to be mended.\n",
		"barley broth.txt":    "Aunt Loame's barley broth\n\nTake one pound of pearl barley, two turnips and a knuckle of mutton.\n",
		"news.txt":            "FLOOD AT CAWOOD BRIDGE. Three barges were torn from their ropes on Monday night.\n",
		"brief.txt":           "Bremen, den 4. Mai 1904\n\nLiebe Tante,\n\nich habe das Klavier für zwanzig Mark verkauft, und der Hund ist fort.\n\nDein Neffe\nUwe\n",
		"list.txt":            "Lamp oil, two gallons\n\nCandles, one box\n\nSoft soap, a firkin\n",
	}
}

// Headings are no quotes: what stands under them is quoted. A list has no headings, and no sentence ends at Mr.
func TestHeadingsAreNoQuotes(t *testing.T) {
	a, s := archivetest.New(t, familyPapers())
	archivetest.Seal(t, a, s)
	for _, c := range []struct{ question, want, not string }{
		{"How is barley broth boiled?", "“Take one pound of pearl barley, two turnips and a knuckle of mutton.”", "“Aunt Loame's barley broth”"},
		{"Who drowned in the flood at Cawood Bridge?", "“Three barges were torn from their ropes on Monday night.”", "“FLOOD AT CAWOOD BRIDGE.”"},
		{"Who paid the minutes of the Meeting?", "“Present: Mr. E. Dunnock, Mr. W. Arkle, Rev. Alfred Moule.”", "“Minutes of the Meeting, 4 March 1903”"},
		{"Who wants candles in a box?", "“Candles, one box”", "“Soft soap, a firkin”"},
	} {
		r, err := answer.Ask(t.Context(), a, c.question, answer.AskOptions{Signer: s, NoModel: true})
		if err != nil {
			t.Fatal(err)
		}
		var texts []string
		for _, claim := range r.Claims {
			texts = append(texts, claim.Text)
		}
		if !slices.Contains(texts, c.want) || slices.Contains(texts, c.not) {
			t.Errorf("%q: %q, want %s and not %s", c.question, texts, c.want, c.not)
		}
	}
}

// A quote that says I names the writer, and copies are said of the quote that they have. Another quote has neither.
func TestNotesOfAQuote(t *testing.T) {
	a, s := archivetest.New(t, familyPapers())
	archivetest.Seal(t, a, s)
	for question, want := range map[string]string{
		"Who sold the grey pony?":          "also in 1 other paper, 1902; it is a copy|the writer signs “Hester Loame”: Selby, 3 May 1902",
		"What was torn from its ropes?":    "",
		"Wer hat das Klavier verkauft?":    "the writer signs “Uwe”: Bremen, 4. Mai 1904",
		"Which clock is to be mended?":     "",
		"When did the saddle go with him?": "also in 1 other paper, 1902; it is a copy",
	} {
		r, err := answer.Ask(t.Context(), a, question, answer.AskOptions{Signer: s, NoModel: true})
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Claims) == 0 {
			t.Fatalf("%q: %+v", question, r.Refusal)
		}
		if got := strings.Join(r.Claims[0].Notes, "|"); got != want {
			t.Errorf("%q: %s %q, want %q", question, r.Claims[0].Text, got, want)
		}
	}
}

// A refusal tries questions about the names and nouns of a question, in its language.
func TestHintsOfARefusal(t *testing.T) {
	a, s := archivetest.New(t, familyPapers())
	archivetest.Seal(t, a, s)
	for question, want := range map[string]string{
		"Who has a fever and a trumpet near the saddle?":               "What is there about saddle?",
		"Which violin did Marjorie Fell tune first?":                   "",
		"Wer hat dort den Mantel und die Mütze genäht?":                "",
		"Wer hat dort den Mantel und die Mütze neben dem Hund genäht?": "Was gibt es über Hund?",
		"Which papers were lost in the third year?":                    "",
	} {
		got := ""
		for _, hint := range suggestionsOf(t, a, s, question) {
			if strings.HasPrefix(hint, "ask \"") {
				got += hint
			}
		}
		if want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%q: %q, want %q", question, got, want)
		}
	}
}

// An open slot without a word of its own is named where nothing answers it.
func TestOpenSlot(t *testing.T) {
	a, s := archivetest.New(t, familyPapers())
	archivetest.Seal(t, a, s)
	r, err := answer.Ask(t.Context(), a, "Who sold the grey pony, and since when?", answer.AskOptions{Signer: s, NoModel: true})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Claims) != 1 || r.Outcome != "narrowed" || len(r.Removed) != 1 || r.Removed[0].Topic != "since when?" {
		t.Errorf("%s %+v, removed %+v", r.Outcome, r.Claims, r.Removed)
	}
}
