package handover

import (
	"bytes"
	"context"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
)

// A folderWriter fills a new folder under another name, which gets its own when
// everything in it is on the disk.
type folderWriter struct {
	ctx     context.Context
	root    *os.Root
	folders map[string]bool
}

// A writtenFile is a file that a folderWriter wrote, with its digests in hex.
type writtenFile struct {
	size           int64
	sha256, sha512 string
}

// writeFolder makes the folder dir with what fill writes. On any error there is no
// folder.
func writeFolder(ctx context.Context, dir string, fill func(*folderWriter) error) (err error) {
	if _, err := os.Lstat(dir); err == nil {
		return fmt.Errorf("%s: %w", dir, fs.ErrExist)
	}
	parent, base := filepath.Split(filepath.Clean(dir))
	if parent == "" {
		parent = "."
	}
	temp, err := os.MkdirTemp(parent, "."+base+".*.part")
	if err != nil {
		return err
	}
	w := &folderWriter{ctx: ctx, folders: map[string]bool{".": true}}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(temp))
		}
	}()
	if err := os.Chmod(temp, 0o755); err != nil {
		return err
	}
	if w.root, err = os.OpenRoot(temp); err != nil {
		return err
	}
	defer w.root.Close()
	if err := fill(w); err != nil {
		return err
	}
	for f := range w.folders {
		if err := w.sync(f); err != nil {
			return err
		}
	}
	return os.Rename(temp, dir)
}

// write writes one file and syncs it.
func (w *folderWriter) write(name string, open func() (io.ReadCloser, error)) (writtenFile, error) {
	in, err := open()
	if err != nil {
		return writtenFile{}, err
	}
	defer in.Close()
	if err := w.root.MkdirAll(path.Dir(name), 0o755); err != nil {
		return writtenFile{}, err
	}
	for d := path.Dir(name); !w.folders[d]; d = path.Dir(d) {
		w.folders[d] = true
	}
	out, err := w.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return writtenFile{}, err
	}
	h256, h512 := sha256.New(), sha512.New()
	n, err := io.Copy(io.MultiWriter(out, h256, h512), in)
	if err == nil {
		err = w.ctx.Err()
	}
	if err = errors.Join(err, out.Sync(), out.Close()); err != nil {
		return writtenFile{}, fmt.Errorf("%s: %w", name, err)
	}
	return writtenFile{n, hex.EncodeToString(h256.Sum(nil)), hex.EncodeToString(h512.Sum(nil))}, nil
}

// put writes a file that is in memory.
func (w *folderWriter) put(name string, data []byte) error {
	_, err := w.write(name, func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data)), nil })
	return err
}

// sync syncs a folder.
func (w *folderWriter) sync(name string) error {
	f, err := w.root.Open(name)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
