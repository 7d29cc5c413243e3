package rank

import (
	"testing"

	"muniment/search/retrieve"
)

// The words of a question count that stand around a passage in its paper, and in the head of the paper.
func TestEvidenceOfAPaper(t *testing.T) {
	x := letters(t, "testdata/letters.txt")
	const text = "Did Samuel buy the mare at the fair in Ripon?"
	weighing, err := x.Weigh(t.Context(), retrieve.Query{Text: text})
	if err != nil {
		t.Fatal(err)
	}
	q := NewQuestion(text, "", weighing)
	weigh := func(p Passage) Evidence {
		return q.Weigh(Rank(q, []Passage{p}, Default()), []Passage{p})
	}
	passage := Passage{Text: "I bought the mare for thirty guineas."}
	scattered := weigh(passage)
	passage.Describe("Ripon, 3 May 1840\n\nDear Ann,\n\nThe fair was wet. "+passage.Text+"\n\nYour loving brother,\nSamuel", "box 1")
	meeting := weigh(passage)
	if scattered.Strange == 0 || meeting.Strange != 0 || meeting.Likely <= scattered.Likely || meeting.Together != 1000 || meeting.Held <= scattered.Held {
		t.Errorf("of the passage alone %+v, with its paper %+v", scattered, meeting)
	}
	if scattered.Suffices() || !meeting.Suffices() {
		t.Errorf("suffices alone: %v, with its paper: %v", scattered.Suffices(), meeting.Suffices())
	}
	if e := q.Weigh(nil, nil); e.Suffices() {
		t.Errorf("no candidate suffices: %+v", e)
	}
}

// A German question names a correspondent by the word that the head or the signature has as a name, also in the genitive; a kinship, an office or a name
// that nobody signs with is none.
func TestCorrespondentsInGerman(t *testing.T) {
	x := letters(t, "testdata/letters.txt")
	passage := Passage{Text: "Papa muß nicht, weil die Fabrik Tuch für das Heer macht.", Lang: "de"}
	passage.Describe("Wolmern, den 3. Mai 1916\n\nSehr geehrter Herr Bürgermeister,\n\n"+passage.Text+"\n\nHochachtungsvoll\nLene Bruhn", "Lene 1916")
	for text, want := range map[string]bool{
		"Weshalb wurde Lenes Vater nicht eingezogen?":            true,
		"Was verlangte man damals von Lene in der Stadt?":        true,
		"Weshalb wurde der Vater nicht eingezogen?":              false,
		"Was verlangte man von der Frau des Bürgermeisters?":     false,
		"Weshalb wurde Augustes Vater nicht eingezogen?":         false,
		"Wie oft wurden die Leneser Bürger im Kriege vertrieben": false,
	} {
		weighing, err := x.Weigh(t.Context(), retrieve.Query{Text: text})
		if err != nil {
			t.Fatal(err)
		}
		q := NewQuestion(text, "de", weighing)
		if got := q.namesParty(passage); got != want {
			t.Errorf("%s: names a correspondent: %v", text, got)
		}
	}
}
