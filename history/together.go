package history

import (
	"muniment/archive/holdings"
	"muniment/archive/problem"
	"muniment/snapshot/access"
	"muniment/snapshot/layout"
)

// addReadings puts a new consent of an artifact into files for the earlier readings of its
// original too: they are the same paper, and are found by their IDs.
func addReadings(c *holdings.Catalog, art *holdings.Artifact, consent access.Consent, files map[string][]byte) error {
	earlier, err := c.RereadBy(art)
	if err != nil {
		return err
	}
	for _, id := range earlier {
		consent.Artifact = id.String()
		encoded, err := consent.Encode()
		if err != nil {
			return problem.Wrap(err, "consent")
		}
		files[layout.ConsentPath(id)] = encoded
	}
	return nil
}
