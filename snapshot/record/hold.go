package record

import "errors"

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
func (h Hold) Encode() ([]byte, error) { return encode(&h, &h.Type, TypeHold) }

// ParseHold reads the output of Encode and nothing else.
func ParseHold(data []byte) (*Hold, error) { return parse[Hold](data, TypeHold) }

func (h *Hold) check() error {
	return first(errors.Join(
		checkRaw("artifact", h.Artifact),
		line("reason", h.Reason),
		line("authority", h.Authority),
		optional("reference", h.Reference, line),
		instant("time", h.Time),
		line("agent", h.Agent),
	))
}
