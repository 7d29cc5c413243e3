package muniment

import (
	"iter"
	"maps"
	"strings"

	"muniment/objects"
	"muniment/snapshot"
)

func isTag(name string) bool { return strings.HasPrefix(name, "refs/tags/") }

func keysOf(refs map[string]objects.Hash) iter.Seq[string] { return maps.Keys(refs) }

// unfitTag says why a tag is not a signed tag in the archive's form that names
// a snapshot of the verified history.
func unfitTag(st *objects.Store, name string, h objects.Hash, held map[objects.Hash]bool) string {
	if held[h] {
		return "it is not signed: it names a commit"
	}
	kind, data, err := st.Get(h)
	if err != nil {
		return err.Error()
	}
	if kind != objects.Tag {
		return "it does not name a snapshot of this history"
	}
	tag, err := snapshot.ParseTag(data)
	switch {
	case err != nil:
		return err.Error()
	case !held[tag.Commit]:
		return "it does not name a snapshot of this history"
	case "refs/tags/"+tag.Name != name:
		return "it is signed as tag " + tag.Name
	}
	s, err := snapshotAt(st, tag.Commit)
	if err == nil {
		err = tag.Names(s)
	}
	if err != nil {
		return err.Error()
	}
	return ""
}
