package custody

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"

	"muniment/archive"
	"muniment/custody/payloads"
)

// NamePayloadStore names the payload store of this copy: what is added from now on and
// is larger than it says goes there. Nothing is contacted. A configuration that names no
// store is an error of kind Usage.
func NamePayloadStore(a *archive.Archive, c payloads.Config) error {
	if err := c.Check(); err != nil {
		return archive.Problem(archive.TypeUsage, archive.Next(archive.DoNamePayloadStore), "%w", err)
	}
	data, err := json.MarshalIndent(c, "", "  ")
	if err != nil {
		return archive.Environment(err, "payload store")
	}
	path, err := a.LocalPath(archive.PayloadStoreFile)
	if err != nil {
		return err
	}
	return archive.Environment(replaceFile(path, append(data, '\n')), "payload store")
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
		return archive.Problem(archive.TypeNothingToDo, archive.Next(archive.DoNamePayloadStore), "this copy names no payload store")
	}
	return archive.Environment(err, "payload store")
}
