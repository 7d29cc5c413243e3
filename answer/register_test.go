package answer

import (
	"testing"

	"muniment/search/catalogue"
	"muniment/snapshot/record"
)

// A surname in a salutation means its one bearer of the sex that the title says.
func TestRegister(t *testing.T) {
	papers := []heldPaper{
		{stored: StoredRecord{Record: &record.Record{}}, paper: paper{record: &record.Record{}}, head: catalogue.Head{Salutation: "Dear Oldroyd", Closing: "Your affectionate wife", Signature: "Clara Oldroyd"}},
		{stored: StoredRecord{Record: &record.Record{}}, paper: paper{record: &record.Record{}}, head: catalogue.Head{Salutation: "My dear Clara", Closing: "Your brother", Signature: "Silas Hallam"}},
	}
	r := newRegister(papers, []string{"Edmund Oldroyd"})
	for salutation, want := range map[string]string{
		"Dear Mr. Oldroyd": "Edmund Oldroyd", "Dear Oldroyd": "Edmund Oldroyd", "Dear Mrs. Oldroyd": "Clara Oldroyd",
		"Dear Mr. Hallam": "Silas Hallam", "Dear Mrs. Hallam": "", "Dear Mr. Nobody": "", "Dear Clara Oldroyd": "",
	} {
		if got := r.find(salutation); got != want {
			t.Errorf("%s: %q, want %q", salutation, got, want)
		}
	}
}

// A paper of the same day and salutation with nearly the same words is a copy; another letter of that day is none.
func TestCopiesAreLeftOut(t *testing.T) {
	text := "The mill wheel has stopped, and there is flour for nine days. Nobody in the valley knows who can mend it."
	head := catalogue.Head{Salutation: "Dear Ruth", DateText: "14 March 1931"}
	s := shelf{papers: []heldPaper{{head: head, text: text}, {head: head, text: text}, {head: head, text: "We sold both horses at the fair."}, {text: text}}}
	s.leaveOutCopies()
	if len(s.papers) != 3 || len(s.copies) != 1 {
		t.Errorf("%d papers and %d copies, want 3 and 1", len(s.papers), len(s.copies))
	}
}
