package contract

import (
	"strings"
	"testing"
)

// TestOutline demands that no reason for a caller who does not hold the archive has words of a paper.
func TestOutline(t *testing.T) {
	const words = "unless “the flood” had come and Ruth Marsh had signed"
	c := Context{
		Lookup: func(string) (Evidence, bool) {
			return Evidence{Unverified: true, Invalid: "it is failed: the words say “" + words + "”"}, true
		},
		Closest: func(_, _ string) (Fault, string) {
			return Contradicted, "citation 3 on file says otherwise: the words add “" + words + "”"
		},
	}
	for _, outlined := range []bool{false, true} {
		c.Outline = outlined
		x := Examine("The ferry was closed.\n\nThe weir was opened. [3]\n", c, Rules{})
		var all []string
		for _, one := range x.Claims {
			all = append(all, one.Reason)
		}
		for _, one := range x.BadMarks {
			all = append(all, one.Reason)
		}
		told := strings.Join(all, "\n")
		if strings.Contains(told, "Marsh") == outlined || strings.Contains(told, "“") == outlined || strings.Contains(told, "cite says why") != outlined {
			t.Errorf("outline %v: %s", outlined, told)
		}
	}
}
