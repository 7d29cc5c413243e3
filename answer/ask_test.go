package answer_test

import (
	"errors"
	"testing"

	"muniment/answer"
	"muniment/archive/archivetest"
	"muniment/archive/problem"
)

// A call without a key is an error of the key, whatever is asked for.
func TestAnswersNeedAKey(t *testing.T) {
	a, s := archivetest.New(t, archivetest.Papers)
	archivetest.Seal(t, a, s)
	for name, call := range map[string]func() error{
		"ask": func() error {
			_, err := answer.Ask(t.Context(), a, "Who repaired the mill wheel?", answer.AskOptions{})
			return err
		},
		"bind": func() error {
			_, err := answer.Bind(t.Context(), a, "The mill was repaired.", answer.AskOptions{})
			return err
		},
	} {
		var e *problem.Error
		if err := call(); !errors.As(err, &e) || e.Kind != problem.Key || e.Next.IsZero() {
			t.Errorf("%s without a key: %v", name, err)
		}
	}
}
