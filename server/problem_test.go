package server

import (
	"testing"

	"muniment/archive/problem"
	"muniment/engine"
)

// TestAdvice: a step is told with the call that does it, with the fields that are missing, or
// with its words alone.
func TestAdvice(t *testing.T) {
	for _, c := range []struct {
		step problem.Step
		want string
	}{
		{problem.Next(problem.DoGive, "reasoning", "TEXT"), "give reasoning"},
		{problem.Next(problem.DoGive, "media-type", "text/plain", "name", "x").With("once more"), "once more: give media_type and name"},
		{problem.Next(engine.DoSearch, "mill").With("nothing is there"), "nothing is there; call search_archive"},
		{problem.Next(problem.DoRepair).Or(problem.DoShow, "a"), "call read_passage"},
		{problem.Advise("wait"), "wait"},
		{problem.Next(problem.DoDoctor), "the archive's owner can help, by an act that no call here has: doctor"},
	} {
		if got := adviceOf(c.step); got != c.want {
			t.Errorf("%+v: %q, want %q", c.step, got, c.want)
		}
	}
}
