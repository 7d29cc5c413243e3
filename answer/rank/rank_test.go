package rank

import "testing"

func TestFiles(t *testing.T) {
	if shippedError != nil {
		t.Error(shippedError)
	}
	if wordListsError != nil {
		t.Error(wordListsError)
	}
	for _, lang := range tableOrder {
		for section := range kindSections {
			if len(wordLists[lang+" "+section]) == 0 {
				t.Errorf("words.txt has no section %q", lang+" "+section)
			}
		}
	}
	if w, err := ParseWeights(shipped.String()); err != nil || w.String() != shipped.String() {
		t.Errorf("weights do not come back: %v", err)
	}
}
