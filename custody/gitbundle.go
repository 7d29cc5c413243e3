package custody

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"muniment/archive"
	"muniment/archive/problem"
	"muniment/custody/remote"
	"muniment/objects"
	"muniment/text/legible"
)

// A GitBundleResult describes a git bundle that was written.
type GitBundleResult struct {
	File     string   `json:"file"`
	Snapshot string   `json:"snapshot"`
	Seq      int64    `json:"seq"`
	Objects  int      `json:"objects"`
	Refs     []string `json:"refs"`
}

// ExportGitBundle writes the archive up to the newest snapshot, with its tags,
// logs and countersignatures, into one new file that `git clone FILE` and, in any
// repository, `git bundle verify` read. The file appears under its name when it is whole.
func ExportGitBundle(a *archive.Archive, file string, progress func(done, total int)) (*GitBundleResult, error) {
	head, tip, err := a.RequireHead()
	if err != nil {
		return nil, err
	}
	if _, err := os.Lstat(file); err == nil {
		return nil, problem.New(problem.Usage, problem.Advise("choose another name, or move it away"), "%s exists", legible.Printable(file))
	}
	refs, err := a.Store().Refs()
	if err != nil {
		return nil, problem.Wrap(err, "refs")
	}
	lines := fmt.Sprintf("%s HEAD\n%s %s\n", tip, tip, archive.RefMain)
	tips := []objects.Hash{tip}
	result := &GitBundleResult{File: file, Snapshot: head.ID.String(), Seq: head.Seq, Refs: []string{archive.RefMain}}
	for _, name := range slices.Sorted(archive.KeysOf(refs)) {
		if name != archive.RefMain && remote.IsExchanged(name) {
			lines += fmt.Sprintf("%s %s\n", refs[name], name)
			tips = append(tips, refs[name])
			result.Refs = append(result.Refs, name)
		}
	}
	sel, err := a.Store().Select(tips, nil)
	if err != nil {
		return nil, problem.Wrap(err, "git bundle")
	}
	defer sel.Close()
	result.Objects = sel.Objects()
	f, err := os.CreateTemp(filepath.Dir(file), ".muniment-bundle-*")
	if errors.Is(err, os.ErrNotExist) || errors.Is(err, os.ErrPermission) {
		return nil, problem.New(problem.Environment, problem.Advise("choose a folder that can be written"), "%s: %s", legible.Printable(file), legible.Reason(err))
	} else if err != nil {
		return nil, problem.Wrap(err, "git bundle")
	}
	defer os.Remove(f.Name())
	w := bufio.NewWriterSize(f, 1<<20)
	_, err = w.WriteString("# v2 git bundle\n" + lines + "\n")
	if err == nil {
		err = sel.WritePack(w, func(done int) {
			if progress != nil {
				progress(done, result.Objects)
			}
		})
	}
	if err = errors.Join(err, w.Flush(), f.Chmod(0o644), f.Sync(), f.Close()); err == nil {
		err = os.Rename(f.Name(), file)
	}
	return result, problem.Wrap(err, "git bundle")
}
