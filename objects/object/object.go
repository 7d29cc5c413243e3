// Package object names git's objects: their kinds, their hashes and the errors
// that every layer of the store gives about them.
//
//	name, err := object.SumChecked(object.Blob, data) // refuses a collision attack
//	name, err := object.ParseHash("e69de29bb2d1d6434b8b29ae775ad8c2e48c5391")
//
// A name is the SHA-1 of the kind, the size and the content, computed with
// collision detection (github.com/pjbgf/sha1cd). The package knows no file and
// no repository; packages objects, objects/pack and objects/flate share it.
//
// No object is larger than [MaxSize].
package object

import (
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"strconv"
	"sync"

	"github.com/pjbgf/sha1cd"
)

// MaxSize is the largest object in bytes, in or out. Payloads above 8 MiB are
// stored as chunks; four times that leaves room for the tree and commit sizes
// of a very large archive while a reader never holds more than a few such
// buffers.
const MaxSize = 32 << 20

// Errors that callers branch on, found with [errors.Is].
var (
	// ErrCorrupt marks bytes that are not what their format, their checksum or
	// their name says.
	ErrCorrupt = errors.New("corrupt object store")

	// ErrCollision marks content built by a SHA-1 collision attack, or two
	// contents with one name.
	ErrCollision = errors.New("sha-1 collision")

	// ErrTooLarge marks an object above MaxSize.
	ErrTooLarge = errors.New("object too large")
)

// Corruptf returns an ErrCorrupt error with a formatted reason.
func Corruptf(format string, args ...any) error {
	return fmt.Errorf("%s: %w", fmt.Sprintf(format, args...), ErrCorrupt)
}

// Clip returns at most 80 bytes of s, to bound what an error message repeats
// of a hostile input.
func Clip(s string) string {
	const most = 80
	if len(s) > most {
		return s[:most] + "…"
	}
	return s
}

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
		return Hash{}, fmt.Errorf("object name %q has %d characters, want %d", Clip(s), len(s), 2*len(h))
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
	if k.Valid() {
		return kindNames[k]
	}
	return "kind " + strconv.Itoa(int(k))
}

// Valid reports whether k is one of the four kinds.
func (k Kind) Valid() bool { return k >= Commit && k <= Tag }

// ParseKind returns the kind that git's word names, and whether there is one.
func ParseKind(s string) (Kind, bool) {
	for k := Commit; k <= Tag; k++ {
		if kindNames[k] == s {
			return k, true
		}
	}
	return 0, false
}

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

// Check compares content with its name. The error is ErrCorrupt when the
// content has another name, and ErrCollision as for [SumChecked].
func Check(h Hash, k Kind, data []byte) error {
	got, err := SumChecked(k, data)
	if err != nil {
		return err
	}
	if got != h {
		return Corruptf("content is that of %s", got)
	}
	return nil
}

var hashers = sync.Pool{New: func() any { return sha1cd.New() }}

// sum returns an object's name, and whether the content carries an attack.
func sum(k Kind, data []byte) (Hash, bool) {
	d := hashers.Get().(hash.Hash)
	defer hashers.Put(d)
	d.Reset()
	var head [32]byte
	d.Write(AppendHeader(head[:0], k, len(data)))
	d.Write(data)
	var h Hash
	_, attack := d.(sha1cd.CollisionResistantHash).CollisionResistantSum(h[:0])
	return h, attack
}

// AppendHeader appends what git hashes, and stores in a loose object, before
// the content: "blob 12\x00".
func AppendHeader(b []byte, k Kind, size int) []byte {
	b = append(b, k.String()...)
	b = append(b, ' ')
	b = strconv.AppendInt(b, int64(size), 10)
	return append(b, 0)
}
