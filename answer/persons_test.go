package answer

import "testing"

// TestPersons requires of a signature and a salutation the one person who may be meant, the name as it is where the archive knows no fuller one,
// and nobody where several are meant or nobody is named.
func TestPersons(t *testing.T) {
	p := NewPersons(nil, []string{"Silas Thorne", "Edwin Oakes", "Anna Vale", "Anna Roth", "Mother", "C."})
	for words, want := range map[string]string{
		"Silas": "Silas Thorne", "S. Thorne": "Silas Thorne", "My dear Edwin": "Edwin Oakes", "Dear Uncle Silas": "Silas Thorne", "Anna": "", "Anna Roth": "Anna Roth",
		"Your Mother": "", "Dear Sir": "", "C.": "", "Lieber Heinrich": "Heinrich", "Dear Mrs. Penn": "Mrs. Penn", "": "",
		"Ever your most obliged and Humble Servant who remains": "",
	} {
		if got := p.Find(words); got != want {
			t.Errorf("%q: %q, want %q", words, got, want)
		}
	}
}
