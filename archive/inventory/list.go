package inventory

import (
	"slices"
	"strings"

	"muniment/archive"
	"muniment/archive/holdings"
)

// List returns the artifacts whose names contain part, by their first name.
func List(a *archive.Archive, part string) ([]holdings.ArtifactInfo, error) {
	tree, err := a.NewestTree()
	if err != nil {
		return nil, err
	}
	all, err := a.Catalog(tree).ReadAll()
	if err != nil {
		return nil, err
	}
	out := []holdings.ArtifactInfo{}
	for _, art := range all.Artifacts {
		if len(art.Records) == 0 {
			continue // withdrawn
		}
		info := art.Info()
		if part == "" || strings.Contains(strings.Join(info.Names, "\n"), part) {
			out = append(out, info)
		}
	}
	slices.SortStableFunc(out, func(a, b holdings.ArtifactInfo) int { return slices.Compare(a.Names, b.Names) })
	return out, nil
}
