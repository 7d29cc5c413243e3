package problem

import (
	"fmt"
	"testing"
)

// A step says in words what the act is about, and the words of its parts are told apart.
func TestStepInWords(t *testing.T) {
	for _, c := range []struct {
		step Step
		want string
	}{
		{Step{}, ""},
		{Advise("make room on the disk"), "make room on the disk"},
		{Next(DoShow), "show"},
		{Next(DoShow, "letter-07.txt", ""), "show letter-07.txt"},
		{Next(DoGive, "quote", "the mill wheel", "span", "p2:0-27"), `give quote "the mill wheel" span p2:0-27`},
		{Next(DoRepair).Or(DoListDamage).With("look at the disk"), "repair; list damage; look at the disk"},
	} {
		if got := c.step.String(); got != c.want {
			t.Errorf("%+v in words: %q, want %q", c.step, got, c.want)
		}
		if err := fmt.Errorf("while reading: %w", New(NotFound, c.step, "no artifact")); err.(interface{ Unwrap() error }).Unwrap().(*Error).Hint() != c.want {
			t.Errorf("the hint of an error with %+v is not %q", c.step, c.want)
		}
	}
}
