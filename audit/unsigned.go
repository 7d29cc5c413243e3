package audit

import (
	"fmt"
	"math"
	"muniment/bundle/display"

	"muniment/archive"
	"muniment/archive/problem"
	"muniment/bundle"
	"muniment/custody"
)

// quickObjects is the most objects among which doctor looks for those that no ref leads
// to: some seconds. Verify reads them all anyway.
const quickObjects = 500_000

// describeUnsigned names the objects of a copy that nothing signed leads to, "" where
// there are none or none were looked for. droppable reports whether gc takes some of them
// out. What earlier staged trees left, or a process that is writing, is not among them.
// They make no verdict worse: nothing that is signed is missing.
func describeUnsigned(a *archive.Archive, deep bool) (text string, droppable bool) {
	add := func(format string, args ...any) {
		if text != "" {
			text += "; "
		}
		text += fmt.Sprintf(format, args...)
	}
	limit := quickObjects
	if deep {
		limit = math.MaxInt
	}
	refs, err := custody.FindJunk(a, deep)
	if err != nil {
		return "", false // the axis of what is damaged says it
	}
	for _, j := range refs {
		if j.Kept == "" {
			droppable = true
			add("nothing signed accounts for all of %s: %s", j.Name, j.Reason)
		} else {
			add("nothing signed accounts for all of %s: %s; gc leaves it: %s", j.Name, j.Reason, j.Kept)
		}
	}
	if u, err := custody.FindUnsigned(a, limit); err == nil && u != nil && u.Others > 0 {
		add("no ref leads to %s, such as %s", display.Count(u.Others, "object"), u.First)
	}
	return text, droppable
}

// checkUnsigned returns a check of the objects that nothing signed leads to, none where
// there are no such.
func checkUnsigned(a *archive.Archive) []Check {
	text, droppable := describeUnsigned(a, false)
	if text == "" {
		return nil
	}
	c := Check{Name: "unsigned objects", State: "warning", Detail: text}
	if droppable {
		c.Next = problem.Next(problem.DoMend)
	}
	return []Check{c}
}

// addUnsigned adds the objects that nothing signed leads to as a remark of the axis of
// tags and refs, which is the last one.
func (v *ArchiveVerdict) addUnsigned(a *archive.Archive) {
	axis := &v.Axes[len(v.Axes)-1]
	if axis.Result != bundle.Pass {
		return
	}
	if text, _ := describeUnsigned(a, true); text != "" {
		axis.Reason += "; remark: " + text
	}
}
