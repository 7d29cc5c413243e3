package muniment

import (
	"fmt"
	"iter"
	"maps"
	"strings"

	"muniment/objects"
)

func isTag(name string) bool { return strings.HasPrefix(name, "refs/tags/") }

func keysOf(refs map[string]objects.Hash) iter.Seq[string] { return maps.Keys(refs) }

// unfitTag says why a tag is not one of a snapshot: it leads, itself or through
// one tag object, to a commit of the verified history.
func unfitTag(st *objects.Store, h objects.Hash, held map[objects.Hash]bool) string {
	if held[h] {
		return ""
	}
	k, data, err := st.Get(h)
	if err != nil {
		return err.Error()
	}
	if k == objects.Tag {
		var target, typ string
		if _, err := fmt.Sscanf(string(data), "object %40s\ntype %s\n", &target, &typ); err == nil && typ == objects.Commit.String() {
			if c, err := objects.ParseHash(target); err == nil && held[c] {
				return ""
			}
		}
	}
	return "it does not name a snapshot of this history"
}
