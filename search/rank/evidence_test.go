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
