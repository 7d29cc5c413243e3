package gate

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

const longSentence = "I down to the water-side, and there got a boat and through the bridge, and there saw a lamentable fire, everybody endeavouring to remove their goods, and flinging into the river or bringing them into lighters that lay off."

// theft is a clause that the tests hang under others.
const theft = "Hans stole the silver spoons of the parish"

// TestTrim states what a claim made of a trimmed sentence says, "" for none.
func TestTrim(t *testing.T) {
	cases := []struct {
		text  string
		need  string
		limit int
		want  string
	}{
		// What fits is whole, what may not be shown is not.
		{"A short sentence.", "", 140, "A short sentence."},
		{"He did not steal it; they lied.", "steal", 31, "He did not steal it; they lied."},
		{"A short sentence.", "", 0, ""},
		{"A short sentence.", "", -1, ""},
		{"", "word", 140, ""},
		{strings.Repeat("x", 200), "", 140, ""},
		{"see " + strings.Repeat("x", 200), "see", 140, ""},
		{"一二三四五六七八九十", "", 4, ""},
		{"...; ... , and ...", "", 5, ""},

		// Inversions by what governs the piece.
		{"Nobody in the whole of this town, who has ever spoken with his neighbours or sat at their table in the long winter evenings, believes for one moment that Hans stole the silver spoons of the parish.", "Hans stole spoons", 140, ""},
		{"It is a wicked lie, which Peter has told in every tavern from the harbour to the upper gate since the feast of Saint Martin, that I burned the letters of my sister in the garden.", "burned letters sister", 140, ""},
		{"The mayor declared before the council; " + theft + ".", "spoons", 60, ""},
		{"The mayor said a thing before the council, and " + theft + ".", "spoons", 60, ""},
		{"The priest dreamed in the night; " + theft + ".", "spoons", 60, ""},
		{"I read a novel by the fire; " + theft + ".", "spoons", 60, ""},
		{"They played a comedy at the inn; " + theft + ".", "spoons", 60, ""},
		{"Peter denied the whole matter; " + theft + ".", "spoons", 60, ""},
		{"The rumour went through the town; " + theft + ".", "spoons", 60, ""},
		{"Perhaps the sun was shining, and " + theft + ".", "spoons", 60, ""},
		{"The enemies of his house had put it about; " + theft + ".", "spoons", 60, ""},
		{"My neighbour thinks the following; " + theft + ".", "spoons", 60, ""},
		{"When the bells were rung in the night, and " + theft + ", we came home.", "spoons", 60, ""},
		{"If the doors were open in the night; " + theft + ".", "spoons", 60, ""},
		{"Unless the sexton saw wrong that evening; " + theft + ".", "spoons", 60, ""},
		{"Had the sexton come it would be known; " + theft + ".", "spoons", 60, ""},
		{"I shall dance on the table; if " + theft + ".", "spoons", 60, ""},
		{"I hold a poor opinion of the men that came in the night; that " + theft + ".", "spoons", 60, ""},
		{"It was the tale of the liars in the harbour: " + theft + ".", "spoons", 60, ""},
		{"The sexton knew the men of the town: " + theft + ".", "spoons", 60, ""}, // nothing begins after a colon

		// Inversions by what follows.
		{theft + ", as the liars of the harbour say.", "spoons", 50, ""},
		{theft + "; so runs the song in the tavern of the harbour.", "spoons", 50, ""},
		{theft + "; not a word of this is true.", "spoons", 50, ""},
		{theft + "; nobody who knows him believes it.", "spoons", 50, ""},
		{theft + ", and I dreamed it in the night.", "spoons", 50, ""},
		{theft + ", and this was in a play.", "spoons", 50, ""},
		{theft + "; but it was a jest of the young men.", "spoons", 50, ""},
		{theft + "; or Peter took them in the night.", "spoons", 50, ""},
		{theft + "; if the sexton saw well.", "spoons", 50, ""},
		{theft + "; unless the sexton saw wrong.", "spoons", 50, ""},
		{theft + "; though the sexton swore the contrary.", "spoons", 50, ""},
		{theft + ": a rumour of the young men in the tavern.", "spoons", 50, ""},
		{theft + ", and has the sexton seen him in the church?", "spoons", 50, ""},
		{"“" + theft + "; and he fled,” was the word of Peter.", "spoons", 60, ""},
		{"‘" + theft + "; and he fled’, was the word of Peter.", "spoons", 60, ""},
		{"'" + theft + "; and he fled', was the word of Peter.", "spoons", 60, ""},
		{"\"" + theft + "; and he fled\", was the word of Peter.", "spoons", 60, ""},
		{"The sexton came (in the morning; " + theft + "; and he wept) and went.", "spoons", 60, ""},
		{"The sexton — he was ill; " + theft + "; and he wept — came home.", "spoons", 60, ""},

		{theft + ", to tell the truth of the lie in the tavern of the harbour.", "spoons", 50, ""},
		{theft + ", at least as the young men of the harbour have it.", "spoons", 50, ""},
		{theft + ", that is to say his brother, and in another year.", "spoons", 50, ""},

		// Nothing ends before what completes it.
		{"This evening Mr. Hewer came with a drink which Mr. Batten had ordered of the brewer by the gate.", "drink", 60, ""},
		{"So we went by water down as far as St. Magnus’s Church and saw the houses near it, all of them on fire.", "church", 60, ""},
		{"I do find myself worth in money, about three thousand pounds and in plate of all kinds some two hundred.", "money", 60, ""},
		{"I do find myself worth in money; 3000l. in gold and silver at the goldsmith’s in the street.", "money", 60, ""},
		{"The sexton gave me at the door of the church; viz. a spoon of silver and a cup.", "sexton", 60, ""},
		{"The men who came to us in the night, and stole the spoons of the parish, were of the town.", "men spoons", 60, ""},
		{"I saw Peter in the house, and Hans, and the whole of the parish, dressed in black and silver.", "Peter", 60, ""},
		{"He sold the house, and the garden of his father by the river, to the brewer of the lower town.", "house", 60, ""},

		{"I do find myself worth in money, and in plate of all kinds, some three thousand pounds at the goldsmith’s.", "money", 60, ""},

		// German.
		{"Niemand in der Stadt hat es gesehen; Hans war ein Dieb und hatte die Löffel.", "Löffel", 50, ""},
		{"Der Pfarrer behauptete es im Rathaus; Hans hatte die silbernen Löffel.", "Löffel", 50, ""},
		{"Hans hatte die silbernen Löffel der Gemeinde; das ist nicht wahr.", "Löffel", 50, ""},
		{"Hans hatte die silbernen Löffel der Gemeinde, wenn der Küster recht gesehen hat.", "Löffel", 50, ""},
		{"Es ist keine Wahrheit daran; Hans hatte die silbernen Löffel.", "Löffel", 50, ""},
		{"Peter träumte in der Nacht, und Hans hatte die silbernen Löffel.", "Löffel", 50, ""},
		{"Hans hatte die silbernen Löffel der Gemeinde; der Küster war krank und lag im Bett.", "Löffel", 50, "Hans hatte die silbernen Löffel der Gemeinde […]"},

		// Cuts that are safe.
		{longSentence, "lamentable fire", 140, "I down to the water-side, and there got a boat and through the bridge, and there saw a lamentable fire […]"},
		{longSentence, "lamentable fire", 60, ""},
		{longSentence, "river lighters", 140, ""},
		{theft + "; he went to the harbour, and the sexton was ill.", "spoons", 50, theft + " […]"},
		{theft + ", and he went to the harbour before the gates were shut.", "spoons", 50, theft + " […]"},
		{theft + ", where the sexton had laid them upon the table.", "spoons", 50, theft + " […]"},
		{theft + ", the sexton being ill and the doors of the church open.", "spoons", 50, theft + " […]"},
		{"The sexton was ill in his house by the river; " + theft + ".", "spoons", 60, "[…] " + theft + "."},
		{"The sexton was ill in his house by the river, and " + theft + ".", "spoons", 60, "[…] and " + theft + "."},
		{"The sexton was ill in his house; " + theft + "; we came home in the evening.", "spoons", 60, "[…] " + theft + " […]"},
		{"Nobody believes that " + theft + "; we came home in the evening by the river.", "spoons", 80, "Nobody believes that " + theft + " […]"},
		{"They told me that " + theft + "; we came home in the evening by the river.", "spoons", 70, "They told me that " + theft + " […]"},
		{"In May the sexton was ill in his house; " + theft + ".", "spoons", 50, "[…] " + theft + "."},
		{"The sexton was ill in his house; " + theft + ".", "absent", 50, "The sexton was ill in his house […]"},
		{"Some of our maids sitting up late last night to get things ready against our feast today, Jane called us up about three in the morning, to tell us of a great fire they saw in the City.",
			"called three morning", 140, "Some of our maids sitting up late last night to get things ready against our feast today, Jane called us up about three in the morning […]"},
		{"I after supper walked in the dark down to Tower Street, and there saw it all on fire, at the Trinity House on that side, and the Dolphin Tavern on this side, which was very near us; and the fire with extraordinary vehemence.",
			"fire", 140, "I after supper walked in the dark down to Tower Street, and there saw it all on fire […]"},
		{"We stayed till, it being darkish, we saw the fire as only one entire arch of fire from this to the other side the bridge, and in a bow up the hill for an arch of above a mile long: it made me weep to see it.",
			"fire", 140, "We stayed till, it being darkish, we saw the fire as only one entire arch of fire from this to the other side the bridge […]"},
		{"The sexton was ill. " + theft + ". We came home.", "spoons", 50, "[…] " + theft + ". […]"},
	}
	const least = 60
	if len(cases) < least {
		t.Fatalf("%d cases, want %d", len(cases), least)
	}
	for _, c := range cases {
		if got := Trim(c.text, strings.Fields(c.need), c.limit).Text(); got != c.want {
			t.Errorf("Trim(%q, %q, %d): %q, want %q", c.text, c.need, c.limit, got, c.want)
		}
	}
	t.Logf("%d cases", len(cases))
}

// What stands before, under or after the theft, each with the word that makes
// it harmless to read, or inverts it. No excerpt may show the theft without it.
var (
	governing = []string{
		"nobody", "not", "never", "no", "none", "neither", "hardly", "scarcely", "without", "lie", "false", "untrue", "denied", "denies",
		"doubts", "doubted", "dreamed", "dreamt", "fears", "hopes", "claims", "claimed", "pretended", "rumour", "rumoured", "reported", "supposed",
		"believes", "believed", "thinks", "thought", "said", "says", "told", "heard", "hear", "imagined", "fancied", "alleged", "accused", "suspected",
		"swore", "sworn", "whispered", "gossip", "invented", "slander", "story", "tale", "comedy", "novel", "vision", "jest", "perhaps", "possibly",
		"probably", "seems", "seemed", "would", "might", "could", "if", "whether", "unless", "though", "lest", "mistaken", "feigned", "deceived",
		"didn't", "wasn't", "couldn’t", "cannot", "nicht", "kein", "keine", "nie", "niemand", "niemals", "weder", "glaubt", "behauptet", "leugnet",
		"träumte", "gelogen", "angeblich", "ob", "falls", "wenn", "jamais", "niet", "nunquam",
	}
	befores = []string{
		"The sexton was WORD in his house", "Peter and the mayor WORD went home", "WORD the mayor was at the gate", "It was WORD in the town",
		"I went to the harbour, and there was WORD", "We WORD", "The mayor WORD this", "In the evening we came home; he was WORD",
	}
	joints = []string{"; ", ", and ", ", that ", ": ", "; and ", " that ", ", ", "; and so ", ". ", "; then "}
	afters = []string{"", "; we came home", ", and the bells were rung", "; he was ill, and I saw him", ", where I saw it", ", it being dark"}
	tails  = []string{"; he was WORD", ", and it was WORD", ", as WORD", "; so WORD", ", WORD", ": WORD", "; I was at home, and they were WORD of it", ". It was WORD"}
)

// TestTrimNeverInverts hangs a clause under and before everything that
// inverts it, at every limit: whatever shows the clause shows that too.
func TestTrimNeverInverts(t *testing.T) {
	tried, shown := 0, 0
	check := func(text, word string) {
		tried++
		for _, limit := range []int{45, 60, 80, 100, utf8.RuneCountInString(text) - 1} {
			for _, e := range []Excerpt{Trim(text, []string{"Hans", "spoons"}, limit), excerptOf(text, 0, len(text)).Limit(limit)} {
				if s := e.Shown(); strings.Contains(s, "stole") && !strings.Contains(s, word) {
					t.Errorf("%q at %d shows %q without %q", text, limit, s, word)
				} else if s != "" {
					shown++
				}
			}
		}
	}
	for _, word := range governing {
		for _, joint := range joints {
			for _, after := range afters {
				for _, before := range befores {
					check(strings.Replace(before, "WORD", word, 1)+joint+theft+after+".", word)
				}
			}
		}
		for _, tail := range tails {
			for _, after := range afters {
				check(theft+after+strings.Replace(tail, "WORD", word, 1)+".", word)
				check("The sexton was ill; "+theft+after+strings.Replace(tail, "WORD", word, 1)+".", word)
			}
		}
	}
	if want := len(governing) * len(afters) * (len(joints)*len(befores) + 2*len(tails)); tried != want || shown == 0 {
		t.Fatalf("tried %d sentences, %d excerpts shown; want %d", tried, shown, want)
	}
}

// TestTrimBeginsAndEndsWell draws long sentences of clauses: a run never
// begins or ends with a word that waits for another.
func TestTrimBeginsAndEndsWell(t *testing.T) {
	clauses := rapid.SampledFrom([]string{
		"I went to the office", "my wife came home", "Mr. Hewer was at St. Paul’s", "which he liked", "that the house burned", "where we sat all day",
		"it being late", "he said so", "no man came", "if he came", "about three hundred pounds", "to bed", "a fire near the bridge", "the King was there",
	})
	joints := rapid.SampledFrom([]string{", ", "; ", ": ", ", and ", "; and ", " and ", " of ", ", but ", " that ", ". ", " — ", " (", ") "})
	rapid.Check(t, func(t *rapid.T) {
		var b strings.Builder
		for range rapid.IntRange(2, 12).Draw(t, "clauses") {
			b.WriteString(clauses.Draw(t, "clause"))
			b.WriteString(joints.Draw(t, "joint"))
		}
		text := b.String() + "we parted."
		limit := rapid.IntRange(10, 160).Draw(t, "limit")
		e := Trim(text, []string{rapid.SampledFrom([]string{"office", "fire", "king", "wife", "absent"}).Draw(t, "need")}, limit)
		checkExcerpt(t, e, text, limit)
		if e.Empty() != (e.Text() == "") || e.Empty() != (e.Shown() == "") {
			t.Fatalf("empty %v, text %q", e.Empty(), e.Text())
		}
		if e.Empty() || len(e.Pieces) == 1 {
			return
		}
		words := strings.FieldsFunc(strings.ToLower(e.Shown()), func(r rune) bool { return strings.ContainsRune(" ,;:.()—", r) })
		if last := words[len(words)-1]; !e.Pieces[len(e.Pieces)-1].Shown && (dangling[last] || titles[last]) {
			t.Fatalf("%q ends with %q", e.Text(), last)
		}
		if !e.Pieces[0].Shown && (subordinators[words[0]] || !strings.HasPrefix(e.Text(), "[…] ")) {
			t.Fatalf("%q begins with %q", e.Text(), words[0])
		}
		if !e.Pieces[len(e.Pieces)-1].Shown && !strings.HasSuffix(e.Text(), " […]") {
			t.Fatalf("%q does not say that it goes on", e.Text())
		}
	})
}

func TestText(t *testing.T) {
	const text = "one two three."
	for _, c := range []struct {
		from, to int
		want     string
	}{
		{0, len(text), "one two three."}, {0, 3, "one […]"}, {4, 7, "[…] two […]"}, {8, len(text), "[…] three."}, {0, len(text) - 1, "one two three"}, {0, 0, ""},
	} {
		e := excerptOf(text, c.from, c.to)
		if got := e.Text(); got != c.want {
			t.Errorf("[%d, %d): %q, want %q", c.from, c.to, got, c.want)
		}
		if got := e.Shown(); got != text[c.from:c.to] {
			t.Errorf("[%d, %d) shows %q", c.from, c.to, got)
		}
	}
	two := Excerpt{[]Piece{{"a", 0, 1, false, ""}, {"b", 1, 2, true, ""}, {"c", 2, 3, false, ""}, {"d", 3, 4, true, ""}, {".", 4, 5, false, ""}}}
	if got := two.Text(); got != "[…] b […] d" {
		t.Errorf("two pieces: %q", got)
	}
}

func TestLimit(t *testing.T) {
	const text = "The sexton was ill in his house; " + theft + "; we came home in the evening."
	whole := excerptOf(text, 0, len(text))
	for limit, want := range map[int]string{200: text, 80: "The sexton was ill in his house; " + theft, 40: "The sexton was ill in his house", 20: "", 0: "", -1: ""} {
		if got := whole.Limit(limit).Shown(); got != want {
			t.Errorf("limit %d: %q, want %q", limit, got, want)
		}
	}
	e := Trim(longSentence, []string{"lamentable"}, 140)
	if got := e.Limit(2).Pieces; len(e.Pieces) != 2 || !cmp.Equal(got, []Piece{{longSentence, 0, len(longSentence), false, ""}}) {
		t.Errorf("with no clause left: %+v, want one withheld piece", got)
	}
	if got := whole.Limit(140); !cmp.Equal(got.Pieces, []Piece{{text, 0, len(text), true, ""}}) {
		t.Errorf("a short quote is cut: %+v", got)
	}
}
