package accession

import (
	"errors"
	"fmt"

	"muniment/archive/problem"
	"muniment/text/legible"
)

// errMetadataOnly is the reason of an input whose source may not be kept.
var errMetadataOnly = &refusal{"its source is metadata_only: the body may not be kept", problem.Next(DoAddSource)}

// A refusal is the reason why an input is not taken, with what its adder can do
// instead.
type refusal struct {
	reason string
	next   problem.Step
}

// Error implements error.
func (r *refusal) Error() string { return r.reason }

// skipOf returns the skip of an input that ended in err.
func skipOf(name string, err error) Skip {
	s := Skip{Path: name, Reason: legible.Reason(err)}
	var r *refusal
	if errors.As(err, &r) {
		s.Next = r.next
	}
	return s
}

// errEmpty is the reason of a file without bytes.
var errEmpty = errors.New("an empty file: there is nothing to keep")

// errChanged is the reason of a file that did not hold still.
var errChanged = errors.New("changed while it was read")

// errInterrupted is the reason of an input that an interrupted add did not reach.
var errInterrupted = errors.New("not read: the add was interrupted")

// errPart is the reason of a part that is not taken.
var errPart = fmt.Errorf("a part that is empty, above %d bytes, or inside more than %d containers", maxRead, maxDepth)

// errDeadline is the reason of an input that a reader did not finish.
var errDeadline = fmt.Errorf("not read within %s", readDeadline)
