package inventory

// A ShowResult is whatever an id or a name names.
type ShowResult struct {
	Kind   string `json:"kind"` // artifact, original, record, snapshot, citation, consent, archive
	ID     string `json:"id"`
	SHA256 string `json:"sha256"` // the id's digest in hex, as sha256sum prints it
	Path   string `json:"path,omitempty"`
	Object any    `json:"object"`
}
