package accession

import (
	"fmt"

	"muniment/accession/container"
	"muniment/snapshot/record"
)

// findLookalikes returns a note for each name among the inputs that a person, or a
// file system, may mistake for another one.
func findLookalikes(inputs []Input) []string {
	var notes []string
	first := make(map[string]string, len(inputs))
	for _, in := range inputs {
		name := in.Name
		if in.Encoded {
			if path, err := record.DecodeName(name); err == nil {
				name = path
			}
		}
		key := container.Skeleton(name)
		other, ok := first[key]
		switch {
		case !ok:
			first[key] = name
		case other != name:
			notes = append(notes, fmt.Sprintf("%s and %s differ only %s", container.Quoted(other), container.Quoted(name), container.Difference(other, name)))
		}
	}
	return notes
}
