package history

import (
	"muniment/archive"
)

// A Change is one difference between two trees of an archive.
type Change struct {
	Kind     string `json:"kind"`
	Path     string `json:"path"`
	Artifact string `json:"artifact,omitempty"`
	Name     string `json:"name,omitempty"`
}

// StatusResult is the difference between the newest snapshot and what is
// staged for the next one.
type StatusResult struct {
	Archive   string              `json:"archive"`
	Name      string              `json:"name"`
	Snapshot  string              `json:"snapshot,omitempty"`
	Seq       int64               `json:"seq"`
	Counts    map[string]int      `json:"counts"`
	Changes   []Change            `json:"changes"`
	Citations int                 `json:"citations_waiting"`
	Clean     bool                `json:"clean"`
	Fixity    *archive.LastFixity `json:"last_fixity,omitempty"`
}
