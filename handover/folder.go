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
	"os"
	"path"

	"muniment/handover/bagit"
)

// A folderWriter fills a new folder under another name, which gets its own when
// everything in it is on the disk.
type folderWriter struct {
	ctx  context.Context
	root *os.Root
}

// A writtenFile is a file that a folderWriter wrote, with its digests in hex.
type writtenFile struct {
	size           int64
	sha256, sha512 string
}

// writeFolder makes the folder dir with what fill writes. On any error there is no
// folder.
func writeFolder(ctx context.Context, dir string, fill func(*folderWriter) error) error {
	return bagit.MakeFolder(dir, func(root *os.Root) error {
		return fill(&folderWriter{ctx: ctx, root: root})
	})
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
