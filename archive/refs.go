package archive

import (
	"fmt"
	"iter"
	"maps"
	"strings"

	"muniment/objects"
	"muniment/snapshot"
)

// IsMergeable reports whether two versions of a ref are united when they differ: a
// ref whose tree is a set of files that each stand for themselves.
func IsMergeable(name string) bool { return IsLogRef(name) || name == snapshot.RefCountersignatures }

// IsLogRef reports whether a ref is the copy of an answer log.
func IsLogRef(name string) bool { return strings.HasPrefix(name, RefLog) }

// RefLog is below which the logs of answering keys are copied, by key ID: each a
// commit whose tree has, for each epoch, the files of C2SP tlog-tiles and the
// cosigned checkpoints of witnesses:
//
//	<epoch>/checkpoint
//	<epoch>/tile/<level>/<number>    <epoch>/tile/entries/<number>
//	<epoch>/cosigned/<hex of the witness's point>
const RefLog = "refs/muniment/log/"

// IsTagRef reports whether a ref is a tag.
func IsTagRef(name string) bool { return strings.HasPrefix(name, RefTags) }

// KeysOf returns the names of references, in no order.
func KeysOf(refs map[string]objects.Hash) iter.Seq[string] { return maps.Keys(refs) }

// Git references of an archive.
const (
	RefMain   = "refs/heads/main"
	RefStaged = "refs/muniment/staged"
)

// RefTags is below which tags lie.
const RefTags = "refs/tags/"

// CommitFiles commits edits of a tree on top of a ref that holds files which
// stand for themselves. The commit is unsigned.
func (a *Repository) CommitFiles(b *objects.Batch, lock *objects.Lock, ref, author, text string, base objects.Hash, edits []objects.Edit, parents []objects.Hash) error {
	tree, err := b.Edit(base, edits)
	if err != nil {
		return err
	}
	content := fmt.Appendf(nil, "tree %s\n", tree)
	for _, p := range parents {
		if !p.IsZero() {
			content = fmt.Appendf(content, "parent %s\n", p)
		}
	}
	who := fmt.Sprintf("%s %d +0000", author, a.World().Now().Unix())
	content = fmt.Appendf(content, "author %s\ncommitter %s\n\n%s\n", who, who, text)
	commit, err := b.Put(objects.Commit, content)
	if err != nil {
		return err
	}
	return b.Publish(lock, objects.RefUpdate{Name: ref, Old: parents[0], New: commit})
}
