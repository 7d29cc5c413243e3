package custody

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"muniment/archive"
	"muniment/archive/payloads"
	"muniment/archive/problem"
	"muniment/objects/chunk"
	"muniment/snapshot/layout"
	"muniment/snapshot/record"
)

// NamePayloadStore names the payload store of this copy: what is added from now on and is larger than it says goes
// there. Nothing is contacted. A configuration that names no store is an error of kind Usage.
func NamePayloadStore(a *archive.Archive, c payloads.Config) error {
	if err := c.Check(); err != nil {
		return problem.New(problem.Usage, problem.Next(problem.DoNamePayloadStore), "%w", err)
	}
	data, err := json.MarshalIndent(c, "", "  ")
	if err != nil {
		return problem.Wrap(err, "payload store")
	}
	path, err := a.LocalPath(archive.PayloadStoreFile)
	if err != nil {
		return err
	}
	return problem.Wrap(replaceFile(path, append(data, '\n')), "payload store")
}

// ForgetPayloadStore removes the name of the payload store of this copy. What lies there
// stays, and so do the pointers to it.
func ForgetPayloadStore(a *archive.Archive) error {
	path, err := a.LocalPath(archive.PayloadStoreFile)
	if err != nil {
		return err
	}
	err = os.Remove(path)
	if errors.Is(err, fs.ErrNotExist) {
		return problem.New(problem.NothingToDo, problem.Next(problem.DoNamePayloadStore), "this copy names no payload store")
	}
	return problem.Wrap(err, "payload store")
}

// A PayloadRepairResult describes what a payload store lacked and what came back.
type PayloadRepairResult struct {
	Store    string                 `json:"store"`
	Objects  int                    `json:"objects"`  // that the pointers of the newest tree name
	Restored int                    `json:"restored"` // absent or wrong, and put again
	Missing  []archive.CheckProblem `json:"missing"`  // whose bytes are in none of the files
}

// RepairPayloads reads from the payload store every object that a pointer of the newest tree names, and uploads again
// each object that is absent or wrong. The bytes come from the files below paths: each file is cut as add cuts it, and
// its hashes decide. Where something stays missing the error is of kind Damaged and carries the result.
func RepairPayloads(ctx context.Context, a *archive.Archive, paths []string) (*PayloadRepairResult, error) {
	store, err := a.PayloadStore()
	if err == nil && store == nil {
		err = problem.New(problem.NotFound, problem.Next(problem.DoNamePayloadStore), "this copy names no payload store")
	}
	if err != nil {
		return nil, err
	}
	tree, err := a.NewestTree()
	if err != nil {
		return nil, err
	}
	r := &PayloadRepairResult{Store: store.Config().Address, Missing: []archive.CheckProblem{}}
	wanted := map[[32]byte]archive.CheckProblem{}
	seen := map[[32]byte]bool{}
	err = a.EachPointer(tree, func(path string, p *record.Pointer) error {
		digests, err := p.ObjectDigests()
		for i, d := range digests {
			if seen[d] || err != nil {
				continue
			}
			seen[d] = true
			_, failed := store.Get(ctx, d, p.ObjectLimit(i, 0))
			switch {
			case failed == nil:
			case errors.Is(failed, payloads.ErrAbsent), errors.Is(failed, payloads.ErrWrongBytes):
				wanted[d] = archive.CheckProblem{Path: path, State: "absent", Reason: failed.Error()}
			default:
				err = archive.PayloadStoreError(failed)
			}
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	r.Objects = len(seen)
	for _, path := range paths {
		if err := restoreFrom(ctx, store, path, wanted, r); err != nil {
			return nil, err
		}
	}
	for _, p := range wanted {
		r.Missing = append(r.Missing, p)
	}
	if len(r.Missing) > 0 {
		e := problem.Negative(problem.Damaged, problem.Advise("give the files that were added, or a folder that holds them"), "still missing of the payload store: %d, first: %s: %s",
			len(r.Missing), r.Missing[0].Path, r.Missing[0].Reason)
		e.Partial = r
		return nil, e
	}
	return r, nil
}

// restoreFrom puts the wanted objects that the files below path hold into the store, and takes them out of wanted.
func restoreFrom(ctx context.Context, store *payloads.Store, path string, wanted map[[32]byte]archive.CheckProblem, r *PayloadRepairResult) error {
	put := func(data []byte) error {
		d := sha256.Sum256(data)
		if _, is := wanted[d]; !is {
			return nil
		}
		if err := store.Replace(ctx, data); err != nil {
			return archive.PayloadStoreError(err)
		}
		delete(wanted, d)
		r.Restored++
		return nil
	}
	return problem.Wrap(filepath.WalkDir(path, func(at string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() || len(wanted) == 0 {
			return err
		}
		f, err := os.Open(at)
		if err != nil {
			return err
		}
		defer f.Close()
		return eachObject(f, put)
	}), "repair")
}

// eachObject calls fn with the objects that a payload store holds of the bytes of r.
func eachObject(r io.Reader, fn func([]byte) error) error {
	s := chunk.NewSplitter(r)
	var first []byte // while it may be all there is
	total, n := 0, 0
	for {
		data, err := s.Next()
		if errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return err
		}
		if total += len(data); total <= layout.MaxBlob {
			first = append(first, data...)
		}
		if err := fn(data); err != nil {
			return err
		}
		n++
	}
	if n > 1 && total <= layout.MaxBlob { // a payload of that size is one object
		return fn(first)
	}
	return nil
}
