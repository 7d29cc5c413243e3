package archive

// A CheckProblem is something that does not hold.
type CheckProblem struct {
	Seq    int64  `json:"seq"`
	Path   string `json:"path"`
	State  string `json:"state"` // failed, absent or not checked
	Reason string `json:"reason"`
}
