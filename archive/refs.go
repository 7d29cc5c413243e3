package archive

import (
	"iter"
	"maps"
	"strings"

	"muniment/objects"
	"muniment/snapshot"
)

// IsMergeable reports whether two versions of a ref are united when they differ: a
// ref whose tree is a set of files that each stand for themselves.
func IsMergeable(name string) bool { return IsLogRef(name) || name == snapshot.RefCosigs }

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
