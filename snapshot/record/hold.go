package record

import (
	"errors"

	"muniment/snapshot/member"
)

// A Hold says that an artifact must be kept: while the file exists, the artifact is not withdrawn.
// Releasing it removes the file.
type Hold struct {
	Type      string `json:"type"`     // TypeHold; set by Encode when empty
	Artifact  string `json:"artifact"` // raw ID
	Reason    string `json:"reason"`
	Authority string `json:"authority"`           // who demands it
	Reference string `json:"reference,omitempty"` // where the demand is on file
	Time      string `json:"time"`                // RFC 3339 UTC seconds
	Agent     string `json:"agent"`               // who carried it out
}

// Encode returns the canonical bytes of h after checking it.
func (h Hold) Encode() ([]byte, error) { return member.Encode(&h, &h.Type, TypeHold, (*Hold).check) }

// ParseHold reads the output of Encode and nothing else.
func ParseHold(data []byte) (*Hold, error) { return member.Parse(data, TypeHold, (*Hold).check) }

func (h *Hold) check() error {
	return member.FirstOf(errors.Join(
		member.RawID("artifact", h.Artifact),
		member.Line("reason", h.Reason),
		member.Line("authority", h.Authority),
		member.Optional("reference", h.Reference, member.Line),
		member.Instant("time", h.Time),
		member.Line("agent", h.Agent),
	))
}
