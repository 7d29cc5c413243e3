package inventory

import (
	"slices"
	"strings"

	"muniment/archive"
)

// List returns the artifacts whose names contain part, by their first name.
func List(a *archive.Archive, part string) ([]archive.ArtifactInfo, error) {
	tree, err := a.NewestTree()
	if err != nil {
		return nil, err
	}
	all, err := a.Catalog(tree).ReadAll()
	if err != nil {
		return nil, err
	}
	out := []archive.ArtifactInfo{}
	for _, art := range all.Artifacts {
		if len(art.Records) == 0 {
			continue // withdrawn
		}
		info := art.Info()
		if part == "" || strings.Contains(strings.Join(info.Names, "\n"), part) {
			out = append(out, info)
		}
	}
	slices.SortStableFunc(out, func(a, b archive.ArtifactInfo) int { return slices.Compare(a.Names, b.Names) })
	return out, nil
}
