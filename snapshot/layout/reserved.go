package layout

import (
	_ "embed"
	"strings"

	"muniment/cid/jcs"
)

//go:embed reserved.txt
var reserved string

// ReservedType returns why a path is not checked, where it lies below a folder that is
// reserved for what newer programs write: docs/spec/reserved.md; else nil.
func ReservedType(path string) *jcs.NewerError {
	if !CleanPath(path) {
		return nil
	}
	for line := range strings.Lines(reserved) {
		fields := strings.Split(line, "\t")
		if len(fields) == 4 && strings.HasSuffix(fields[1], "/") && strings.HasPrefix(path, fields[1]) {
			return &jcs.NewerError{Type: fields[0]}
		}
	}
	return nil
}
