// Package objects is a content-addressed store on a bare git repository.
//
// Everything an archive keeps is a git object: blobs hold bytes, trees give
// them paths, commits are the snapshots. The store writes only what stock git
// accepts under `git fsck --strict`, and reads whatever stock git may have
// made of it since: packs with deltas after `git gc`, loose objects, packed
// refs. It never runs git.
//
// Writing goes through one batch, which becomes one pack:
//
//	lock, err := store.Lock(owner, 10*time.Second)
//	defer lock.Unlock()
//	batch, err := store.NewBatch()
//	defer batch.Abort()
//	blob, err := batch.Put(objects.Blob, payload) // from any goroutine
//	tree, err := batch.Edit(objects.Hash{}, []objects.Edit{{Path: "a/b", Blob: blob}})
//	commit, err := batch.Put(objects.Commit, text)
//	err = batch.Publish(lock, objects.RefUpdate{Name: "refs/heads/main", New: commit})
//
// Reading needs no lock: [Store.Get] returns an object after hashing it again,
// [Store.Walk] and [Store.Lookup] go by path, [Store.Check] re-hashes all that
// is reachable.
//
// # What holds
//
// Publish order. The pack is written to a temporary file and synced, then its
// index; the index is renamed into place, then the pack (stock git ignores an
// index without its pack); the directory is synced; every ref is moved by a
// lock file created exclusively, written, synced and renamed, and its
// directory is synced. The rename of the first ref is the commit point:
// before it, every ref and every reader sees the old state. A batch that moves
// one ref takes five syncs, whatever the number of objects.
//
// One writer. [Store.Lock] takes a file that names process, host and start
// time; it is broken when that process is gone from the same host. Building a
// batch needs no lock, publishing does. Refs are compared with their expected
// value under git's own ref lock, so that a stock `git push` into the same
// repository is either seen or refused.
//
// Names. Objects are named by SHA-1 as git does it, computed with collision
// detection (github.com/pjbgf/sha1cd): content made by a known collision
// attack is refused on the way in and on the way out. What an archive trusts
// is SHA-256, one layer above.
//
// Packages. objects/object names objects; objects/pack reads, writes and checks
// packs and their indexes; objects/flate compresses; objects/disk does the
// operations on files, which objects/powercut breaks at every step. This package
// is the repository: config, refs, lock, batches, publishing, trees, lookup,
// checks and the parts of a repair.
//
// Limits are the constants of this package, each with its reason. Git's
// replace refs, grafts and alternates are never followed; [Store.Doctor]
// names them.
package objects

import (
	"errors"

	"muniment/objects/disk"
	"muniment/objects/object"
	"muniment/objects/pack"
)

// Limits of the store.
const (
	// MaxObject is the largest object in bytes, in or out.
	MaxObject = object.MaxSize

	// MaxPack is the size in bytes at which a batch closes one pack and
	// begins the next. It keeps all offsets below 2^31, so that no index
	// needs its 64-bit table, and stays under the file limits of git hosts.
	MaxPack = 1_500_000_000

	// MaxDepth is the deepest path in components. The archive's layout uses
	// six; the rest is room, and a bound on recursion.
	MaxDepth = 64
)

// Names and kinds of objects, which package objects/object defines.
type (
	Hash = object.Hash
	Kind = object.Kind
)

// The four kinds of git object.
const (
	Commit = object.Commit
	Tree   = object.Tree
	Blob   = object.Blob
	Tag    = object.Tag
)

// The file system of the store, which package objects/disk defines.
type (
	Hooks     = disk.Hooks
	Operation = disk.Operation
)

// ReceiveLimits are the bounds of one received pack; a zero field is the
// constant of package objects/pack that its comment names.
type ReceiveLimits = pack.Limits

// Errors that callers branch on, found with [errors.Is].
var (
	ErrNoStore  = errors.New("not a git repository")
	ErrNotFound = errors.New("object not found")

	ErrCorrupt   = object.ErrCorrupt
	ErrCollision = object.ErrCollision
	ErrTooLarge  = object.ErrTooLarge
)

// ParseHash reads 40 lower case hexadecimal digits.
func ParseHash(s string) (Hash, error) { return object.ParseHash(s) }

// Sum returns the git name of an object. Content from a collision attack gets
// a name too; [SumChecked] refuses it.
func Sum(k Kind, data []byte) Hash { return object.Sum(k, data) }

// SumChecked returns the git name of an object, or an ErrCollision error when
// the content carries the marks of a SHA-1 collision attack.
func SumChecked(k Kind, data []byte) (Hash, error) { return object.SumChecked(k, data) }
