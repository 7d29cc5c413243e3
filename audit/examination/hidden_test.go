package examination_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"time"

	"muniment/archive/problem"
	"muniment/archive/search"
	"muniment/audit/examination"
)

// TestHiddenPapers quotes a paper that is hidden from the reader, and words that no paper has. The two reports are the same but for the words of the
// document, and making them takes the same time.
func TestHiddenPapers(t *testing.T) {
	a := newArchive(t)
	all := examineText(t, a, "Ada wrote: “The dam was mended on Monday by two men from Skelby.”")
	if all.Items[0].Verdict != examination.Exact {
		t.Fatalf("to the holder: %+v", all.Items[0])
	}
	reader := search.Reader{Hidden: []string{all.Items[0].Found.Artifact}}
	words := []string{"The dam was mended on Monday by two men from Skelby.", "The inn was emptied on Friday by ten men from Yarrow."}
	var reports [2]string
	var least [2]time.Duration
	for range 40 {
		for k, w := range words {
			begun := time.Now()
			r, err := examination.Examine(context.Background(), examination.Input{Name: "t.txt", Data: fmt.Appendf(nil, "In her letter of 2 April 1931 Ada wrote: “%s”\n", w)}, examination.Options{Places: []examination.Place{{Archive: a, Reader: reader}}})
			if err != nil {
				t.Fatal(err)
			}
			if d := time.Since(begun); least[k] == 0 || d < least[k] {
				least[k] = d
			}
			i := r.Items[0]
			i.Text, i.Sentence, i.At, i.Claim = "", "", examination.At{}, nil
			data, err := json.Marshal(i)
			if err != nil {
				t.Fatal(err)
			}
			if reports[k] = string(data); i.Verdict != examination.Nowhere {
				t.Fatalf("%s: %s", w, data)
			}
		}
	}
	if reports[0] != reports[1] {
		t.Errorf("of a hidden paper: %s\nof none: %s", reports[0], reports[1])
	}
	if a, b := least[0], least[1]; a > 2*b || b > 2*a {
		t.Errorf("of a hidden paper %s, of none %s", a, b)
	}
}

// TestCompleteScope declares what the archive has nothing of.
func TestCompleteScope(t *testing.T) {
	a := newArchive(t)
	for scope, held := range map[string]bool{"nosuchscope": false, "Ada": true, "letters": true, "all": true, "letters of Clara": false} {
		_, err := examination.Examine(context.Background(), examination.Input{Name: "t.txt", Data: []byte("Ada wrote: “The rent is £40 a year.”\n")}, examination.Options{Places: []examination.Place{{Archive: a}}, Complete: []string{scope}})
		var fault *problem.Error
		if (err == nil) != held || err != nil && (!errors.As(err, &fault) || fault.Kind != problem.Usage) {
			t.Errorf("%s: %v", scope, err)
		}
	}
}
