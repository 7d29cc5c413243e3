package custody

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"muniment/archive"
	"muniment/objects"
	"muniment/text/legible"
)

// maxChain is the most commits of a mergeable ref that are taken from a remote at a time:
// one each minute of a week of working days, some 3 MB of commits.
const maxChain = 10_000

// maxChainFiles bounds the files of all versions that are compared with the accepted
// ones: a thousand versions of a log of half a million answers.
const maxChainFiles = 4_000_000

// A chainLimit bounds how much of the versions of a mergeable ref is looked at.
type chainLimit struct{ commits, files int }

// remoteChain bounds a version that a remote shows.
var remoteChain = chainLimit{maxChain, maxChainFiles}

// errLongChain is of a chain that has more commits or files than a chainLimit.
var errLongChain = errors.New("its commits or their files are too many")

// A refCopy is a version of a mergeable ref with the files of it that are accepted.
type refCopy struct {
	name    string
	tip     objects.Hash
	files   map[string]objects.Hash // accepted blobs, by path
	strange error                   // why the commits themselves are not taken, or nil
}

// A fileJudge decides which files of the versions of a mergeable ref are accepted.
type fileJudge struct {
	// accept returns those of the newest version's files, by path, that are accepted, and
	// what is strange about the others, or nil. The error is for a version that is refused.
	accept func(tree objects.Hash, files map[string]objects.Hash) (accepted map[string]objects.Hash, strange, err error)

	// checkEarlier returns an error where an earlier version has any other files. It is called after accept.
	checkEarlier func(files map[string]objects.Hash) error
}

// judgeCopy reads the version of a mergeable ref at tip. Its commits are taken as they are where each has the form of
// this program's and its tree holds accepted files alone, back to the commits in known; else strange says why not.
func judgeCopy(st *objects.Store, name string, tip objects.Hash, known map[objects.Hash]bool, judge fileJudge, limit chainLimit) (*refCopy, error) {
	tree, err := st.TreeOf(tip)
	if err != nil {
		return nil, err
	}
	files, strange, err := strictFiles(st, tree)
	if err != nil {
		return nil, err
	}
	c := &refCopy{name: name, tip: tip}
	var foreign error
	if c.files, foreign, err = judge.accept(tree, files); err != nil {
		return nil, err
	}
	if c.strange = strange; foreign != nil {
		c.strange = foreign
	}
	if c.strange == nil {
		c.strange = checkChain(st, name, tip, known, judge.checkEarlier, limit)
	}
	return c, nil
}

// checkChain returns an error where a commit between tip and the known ones has another
// form than this program's, or a tree with files that are not accepted.
func checkChain(st *objects.Store, name string, tip objects.Hash, known map[objects.Hash]bool, checkFiles func(map[string]objects.Hash) error, limit chainLimit) error {
	seen, trees := map[objects.Hash]bool{}, map[objects.Hash]bool{}
	visited := 0
	for stack := []objects.Hash{tip}; len(stack) > 0; {
		h := stack[len(stack)-1]
		if stack = stack[:len(stack)-1]; seen[h] || known[h] {
			continue
		}
		if seen[h] = true; len(seen) > limit.commits {
			return fmt.Errorf("%w: more than %d commits", errLongChain, limit.commits)
		}
		content, err := archive.CommitReader(st)(h)
		if err != nil {
			return err
		}
		commit, err := archive.ParseCopyCommit(name, content)
		if err != nil {
			return fmt.Errorf("commit %s: %w", h, err)
		}
		stack = append(stack, commit.Parents...)
		if trees[commit.Tree] {
			continue
		}
		trees[commit.Tree] = true
		files, strange, err := strictFiles(st, commit.Tree)
		if err == nil {
			err = strange
		}
		if err == nil && h != tip {
			err = checkFiles(files)
		}
		if err != nil {
			return fmt.Errorf("commit %s: %w", h, err)
		}
		if visited += len(files); visited > limit.files {
			return fmt.Errorf("%w: more than %d files", errLongChain, limit.files)
		}
	}
	return nil
}

// strictFiles returns the blobs of a tree by path. strange is not nil where the tree has
// empty folders, whose names no file accounts for.
func strictFiles(st *objects.Store, tree objects.Hash) (files map[string]objects.Hash, strange, err error) {
	files = map[string]objects.Hash{}
	var walk func(tree objects.Hash, prefix string, depth int) error
	walk = func(tree objects.Hash, prefix string, depth int) error {
		entries, err := st.Tree(tree)
		if err == nil && depth > objects.MaxDepth {
			err = fmt.Errorf("%s is too deep", legible.Printable(prefix))
		}
		if err != nil {
			return err
		}
		if len(entries) == 0 {
			strange = fmt.Errorf("the folder %q is empty", legible.Printable(prefix))
		}
		for _, e := range entries {
			if e.Mode != objects.ModeTree {
				files[prefix+e.Name] = e.Hash
			} else if err := walk(e.Hash, prefix+e.Name+"/", depth+1); err != nil {
				return err
			}
		}
		return nil
	}
	return files, strange, walk(tree, "", 0)
}

// commitAccepted writes a commit of the accepted files alone, of time 0, so that two copies which accept the same files write the same commit.
func (c *refCopy) commitAccepted(st *objects.Store, lock *objects.Lock, parents ...objects.Hash) (objects.Hash, error) {
	b, err := st.NewBatch()
	if err != nil {
		return objects.Hash{}, err
	}
	defer b.Abort()
	var edits []objects.Edit
	for _, name := range slices.Sorted(maps.Keys(c.files)) {
		edits = append(edits, objects.Edit{Path: name, Blob: c.files[name]})
	}
	tree, err := b.Edit(objects.Hash{}, edits)
	if err != nil {
		return objects.Hash{}, err
	}
	h, err := b.Put(objects.Commit, archive.CopyCommit{Tree: tree, Parents: parents}.Encode(c.name))
	if err != nil {
		return objects.Hash{}, err
	}
	return h, b.Publish(lock)
}

// hasNew reports whether a copy holds files that a tree's lack.
func (c *refCopy) hasNew(ours map[string]objects.Hash) bool {
	for name, h := range c.files {
		if ours[name] != h {
			return true
		}
	}
	return false
}

// ownerCommand returns the command by which the keeper of a remote lets the next push write the ref again.
func ownerCommand(name string) string { return "git update-ref -d " + name }
