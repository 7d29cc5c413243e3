package audit

import (
	"fmt"
	"time"

	"muniment/archive"
)

// fixityCheck is the line of Doctor on fixity.
func fixityCheck(a *archive.Archive) Check {
	c := Check{Name: "fixity", State: "ok"}
	last, err := a.LastFixity()
	switch {
	case err != nil:
		c.State, c.Detail, c.Fix = "failed", err.Error(), "move "+archive.LocalDir+"/"+archive.FixityFile+" away and keep it: the next check begins a new one"
	case last == nil:
		c.State, c.Detail, c.Fix = "absent", "no check was made here yet", "muniment fixity"
	default:
		c.Detail = last.String()
		at, err := time.Parse(time.RFC3339, last.Time)
		switch age := a.World().Now().Sub(at); {
		case last.Outcome != "pass":
			c.State, c.Fix = "failed", "muniment verify says which snapshots are touched; muniment repair --from REMOTE, then muniment fixity"
		case err != nil || age > archive.FixityAge:
			c.State, c.Fix = "warning", fmt.Sprintf("muniment fixity: the last check is more than %d days old", int(archive.FixityAge.Hours()/24))
		}
	}
	return c
}
