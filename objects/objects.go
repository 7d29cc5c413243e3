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
// Limits are the constants of this package, each with its reason. Git's
// replace refs, grafts and alternates are never followed; [Store.Doctor]
// names them.
package objects

import (
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"strconv"
	"sync"

	"github.com/pjbgf/sha1cd"
)

// Limits of the store.
const (
	// MaxObject is the largest object in bytes, in or out. Payloads above
	// 8 MiB are stored as chunks; four times that leaves room for the tree
	// and commit sizes of a very large archive while a reader never holds
	// more than a few such buffers.
	MaxObject = 32 << 20

	// MaxPack is the size in bytes at which a batch closes one pack and
	// begins the next. It keeps all offsets below 2^31, so that no index
	// needs its 64-bit table, and stays under the file limits of git hosts.
	MaxPack = 1_500_000_000

	// MaxDepth is the deepest path in components. The archive's layout uses
	// six; the rest is room, and a bound on recursion.
	MaxDepth = 64
)

// A Hash is the SHA-1 name of a git object. The zero Hash names nothing.
type Hash [sha1cd.Size]byte

// String returns 40 lower case hexadecimal digits.
func (h Hash) String() string { return hex.EncodeToString(h[:]) }

// IsZero reports whether h names nothing.
func (h Hash) IsZero() bool { return h == Hash{} }

// ParseHash reads 40 lower case hexadecimal digits.
func ParseHash(s string) (Hash, error) {
	var h Hash
	if len(s) != 2*len(h) {
		return Hash{}, fmt.Errorf("object name %q has %d characters, want %d", clip(s), len(s), 2*len(h))
	}
	if _, err := hex.Decode(h[:], []byte(s)); err != nil || h.String() != s {
		return Hash{}, fmt.Errorf("object name %q is not lower case hexadecimal", s)
	}
	return h, nil
}

// A Kind is the type of an object, numbered as in a pack.
type Kind uint8

// The four kinds of git object.
const (
	Commit Kind = 1
	Tree   Kind = 2
	Blob   Kind = 3
	Tag    Kind = 4
)

var kindNames = [...]string{Commit: "commit", Tree: "tree", Blob: "blob", Tag: "tag"}

// String returns git's word for the kind.
func (k Kind) String() string {
	if k.valid() {
		return kindNames[k]
	}
	return "kind " + strconv.Itoa(int(k))
}

func (k Kind) valid() bool { return k >= Commit && k <= Tag }

func parseKind(s string) (Kind, bool) {
	for k := Commit; k <= Tag; k++ {
		if kindNames[k] == s {
			return k, true
		}
	}
	return 0, false
}

// Errors that callers branch on, found with [errors.Is].
var (
	ErrNoStore  = errors.New("not a git repository")
	ErrNotFound = errors.New("object not found")
	ErrCorrupt  = errors.New("corrupt object store")

	// ErrCollision marks content built by a SHA-1 collision attack, or two
	// contents with one name.
	ErrCollision = errors.New("sha-1 collision")

	// ErrTooLarge marks an object above MaxObject.
	ErrTooLarge = errors.New("object too large")
)

// Sum returns the git name of an object. Content from a collision attack gets
// a name too; [SumChecked] refuses it.
func Sum(k Kind, data []byte) Hash {
	h, _ := sum(k, data)
	return h
}

// SumChecked returns the git name of an object, or an ErrCollision error when
// the content carries the marks of a SHA-1 collision attack.
func SumChecked(k Kind, data []byte) (Hash, error) {
	h, attack := sum(k, data)
	if attack {
		return Hash{}, fmt.Errorf("%s of %d bytes carries a collision attack: %w", k, len(data), ErrCollision)
	}
	return h, nil
}

var hashers = sync.Pool{New: func() any { return sha1cd.New() }}

func sum(k Kind, data []byte) (Hash, bool) {
	d := hashers.Get().(hash.Hash)
	defer hashers.Put(d)
	d.Reset()
	var head [32]byte
	d.Write(objectHeader(head[:0], k, len(data)))
	d.Write(data)
	var h Hash
	_, attack := d.(sha1cd.CollisionResistantHash).CollisionResistantSum(h[:0])
	return h, attack
}

// objectHeader appends what git hashes before the content: "blob 12\x00".
func objectHeader(b []byte, k Kind, size int) []byte {
	b = append(b, k.String()...)
	b = append(b, ' ')
	b = strconv.AppendInt(b, int64(size), 10)
	return append(b, 0)
}

func corrupt(format string, args ...any) error {
	return fmt.Errorf("%s: %w", fmt.Sprintf(format, args...), ErrCorrupt)
}

// clip bounds what an error message repeats of a hostile input.
func clip(s string) string {
	const most = 80
	if len(s) > most {
		return s[:most] + "…"
	}
	return s
}
