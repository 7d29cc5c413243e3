package archive

import (
	"bytes"
	"errors"
	"fmt"
	"iter"
	"maps"
	"strconv"
	"strings"

	"muniment/archive/problem"
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

// CommitFiles commits edits of a tree on top of a mergeable ref, whose commit is the
// first of the parents, or zero where there is none. The commit is unsigned.
func (a *Repository) CommitFiles(b *objects.Batch, lock *objects.Lock, ref string, base objects.Hash, edits []objects.Edit, parents ...objects.Hash) error {
	tree, err := b.Edit(base, edits)
	if err != nil {
		return problem.Wrap(err, ref)
	}
	c := CopyCommit{Tree: tree, Time: a.World().Now().Unix()}
	for _, p := range parents {
		if !p.IsZero() {
			c.Parents = append(c.Parents, p)
		}
	}
	commit, err := b.Put(objects.Commit, c.Encode(ref))
	if err != nil {
		return problem.Wrap(err, ref)
	}
	return problem.Wrap(b.Publish(lock, objects.RefUpdate{Name: ref, Old: parents[0], New: commit}), ref)
}

// A CopyCommit is a commit of a mergeable ref. Its author and text are fixed by the
// ref, so that it carries nothing but files.
type CopyCommit struct {
	Tree    objects.Hash
	Parents []objects.Hash
	Time    int64 // in seconds since 1970; 0 where the tree was taken from a remote without its commits
}

// Encode returns the content of the commit for a ref.
func (c CopyCommit) Encode(ref string) []byte {
	author, text := "Muniment cosignatures <cosigs@archive.invalid>", "countersignatures of snapshots; each stands for itself"
	if IsLogRef(ref) {
		author, text = "Muniment log <log@archive.invalid>", "copy of an answer log; unsigned, its checkpoint is signed"
	}
	out := fmt.Appendf(nil, "tree %s\n", c.Tree)
	for _, p := range c.Parents {
		out = fmt.Appendf(out, "parent %s\n", p)
	}
	who := fmt.Sprintf("%s %d +0000", author, c.Time)
	return fmt.Appendf(out, "author %s\ncommitter %s\n\n%s\n", who, who, text)
}

// maxCopyCommit is more bytes than a commit of a mergeable ref has: two parents, author,
// committer and text are below 512.
const maxCopyCommit = 1 << 10

// ParseCopyCommit parses a commit of a mergeable ref. Any other author, text, header or
// number of parents than Encode writes is an error.
func ParseCopyCommit(ref string, content []byte) (CopyCommit, error) {
	var c CopyCommit
	err := errors.New("it is not a commit that this program writes for such a ref")
	if len(content) > maxCopyCommit {
		return CopyCommit{}, err
	}
	for line := range strings.Lines(string(content)) {
		name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		switch h, bad := objects.ParseHash(value); {
		case name == "tree" && bad == nil:
			c.Tree = h
		case name == "parent" && bad == nil && len(c.Parents) < 2:
			c.Parents = append(c.Parents, h)
		case name == "author":
			fields := strings.Fields(value)
			if len(fields) < 2 {
				return CopyCommit{}, err
			}
			if c.Time, bad = strconv.ParseInt(fields[len(fields)-2], 10, 64); bad != nil {
				return CopyCommit{}, err
			}
		}
	}
	if !bytes.Equal(c.Encode(ref), content) {
		return CopyCommit{}, err
	}
	return c, nil
}
