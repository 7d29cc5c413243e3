package gate

import "muniment/cite"

// ResponseRung derives the rung of a response from the rungs of its claims.
// It is refused if nothing is delivered, else labeled if any delivered claim
// is, else narrowed if anything was cut, else supported. A refused claim is
// not delivered: it was stripped, so it counts as a cut, and cut says whether
// anything else was (a removed topic).
func ResponseRung(claims []cite.Rung, cut bool) cite.Rung {
	delivered, labeled := 0, false
	for _, r := range claims {
		switch r {
		default: // refused, and any value that is no rung
			cut = true
		case cite.Supported:
			delivered++
		case cite.Narrowed:
			delivered++
			cut = true
		case cite.Labeled:
			delivered++
			labeled = true
		}
	}
	switch {
	default:
		return cite.Supported
	case delivered == 0:
		return cite.Refused
	case labeled:
		return cite.Labeled
	case cut:
		return cite.Narrowed
	}
}
