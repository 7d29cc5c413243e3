package archive

import (
	"iter"
	"maps"
	"strings"

	"muniment/objects"
	"muniment/snapshot"
)

// IsMergeable reports whether two copies of a ref that went on apart are put
// together: those that are sets of files, each of which stands for itself.
func IsMergeable(name string) bool { return IsLogRef(name) || name == snapshot.RefCosigs }

func IsLogRef(name string) bool { return strings.HasPrefix(name, RefLog) }

// RefLog is where the log of an answering key is copied to, by key ID: a
// commit whose tree has, for each epoch, the files of C2SP tlog-tiles and the
// cosigned checkpoints of witnesses:
//
//	<epoch>/checkpoint
//	<epoch>/tile/<level>/<number>    <epoch>/tile/entries/<number>
//	<epoch>/cosigned/<hex of the witness's point>
const RefLog = "refs/muniment/log/"

func IsTagRef(name string) bool { return strings.HasPrefix(name, "refs/tags/") }

func KeysOf(refs map[string]objects.Hash) iter.Seq[string] { return maps.Keys(refs) }

// TagDefect says why a tag is not a signed tag in the archive's form that names
// a snapshot of the verified history.
func TagDefect(st *objects.Store, name string, h objects.Hash, held map[objects.Hash]bool) string {
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
	s, err := SnapshotAt(st, tag.Commit)
	if err == nil {
		err = tag.Names(s)
	}
	if err != nil {
		return err.Error()
	}
	return ""
}
