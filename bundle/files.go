package bundle

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"maps"
	"muniment/bundle/display"
	"muniment/bundle/leaf"
	"slices"
	"strings"

	"muniment/cid/merkle"
	"muniment/sign"
)

// MaxDisclosed is the most bytes of the disclosed leaves together. A verifier
// holds them, and what they are made of, in 32 MiB of memory.
const MaxDisclosed = 4 << 20

// maxSums is SHA256SUMS with the most leaves.
const maxSums = leaf.MaxCount * sumsLine

// files are the files of a bundle. Sealed ones may be known by their sha256
// alone: they can be as large as the bundle, and nobody without an identity
// looks into them.
type files struct {
	content    map[string][]byte
	sealed     map[string]merkle.Hash // sha256 of the sealed files
	keepSealed bool                   // sealed files are in content, too
	leaves     int                    // bytes of leaves
}

// newFiles returns a set without files.
func newFiles(keepSealed bool) *files {
	return &files{content: make(map[string][]byte), sealed: make(map[string]merkle.Hash), keepSealed: keepSealed}
}

// filesOf returns the set of files that are in memory.
func filesOf(content map[string][]byte) (*files, error) {
	f := &files{content: content, sealed: make(map[string]merkle.Hash), keepSealed: true}
	for name, data := range content {
		if err := f.allow(name, len(data)); err != nil {
			return nil, err
		}
		if strings.HasPrefix(name, sealedDir) {
			f.sealed[name] = sha256.Sum256(data)
		}
	}
	return f, nil
}

// has reports whether there is a file of a name.
func (f *files) has(name string) bool {
	_, ok := f.sealed[name]
	return ok || f.content[name] != nil
}

// count returns the number of files.
func (f *files) count() int {
	n := len(f.content)
	if !f.keepSealed {
		n += len(f.sealed)
	}
	return n
}

// names returns the names of all files, sorted.
func (f *files) names() []string {
	names := make([]string, 0, f.count())
	for name := range f.content {
		names = append(names, name)
	}
	if !f.keepSealed {
		names = slices.AppendSeq(names, maps.Keys(f.sealed))
	}
	slices.Sort(names)
	return names
}

// allow requires a file to have a size that a file of its name can have. It is
// called before the file is read.
func (f *files) allow(name string, size int) error {
	most := MaxZip
	switch {
	case name == nameStatement:
		most = MaxStatement
	case name == nameSums:
		most = maxSums
	case name == nameProof:
		most = sign.MaxLogProof
	case strings.HasPrefix(name, sigsDir):
		most = sign.MaxSignature
	case strings.HasPrefix(name, leavesDir):
		if most = leaf.MaxSize; size <= most {
			if f.leaves += size; f.leaves > MaxDisclosed {
				return invalid(leavesDir, fmt.Errorf("with %s the leaves have more than %d bytes together", name, MaxDisclosed))
			}
		}
	}
	if size > most {
		return invalid(display.Safe(name), fmt.Errorf("%d bytes, at most %d are allowed", size, most))
	}
	return nil
}

// readZipFile reads a file of a zip and returns its CRC-32.
func (f *files) readZipFile(z *zipInput, name string, size int) (uint32, error) {
	if err := f.allow(name, size); err != nil {
		return 0, err
	}
	cut := func(got int) error {
		return invalid("zip", fmt.Errorf("zip at byte %d: file %s of %d bytes is cut off after %d", z.at, name, size, got))
	}
	if !strings.HasPrefix(name, sealedDir) || f.keepSealed {
		data, err := z.take(size)
		if err != nil {
			return 0, err
		}
		if len(data) < size {
			return 0, cut(len(data))
		}
		f.put(name, data)
		return crc32.ChecksumIEEE(data), nil
	}
	sum, crc := sha256.New(), crc32.NewIEEE()
	got, err := z.pass(size, io.MultiWriter(sum, crc))
	if err != nil {
		return 0, err
	}
	if got < size {
		return 0, cut(got)
	}
	f.sealed[name] = merkle.Hash(sum.Sum(nil))
	return crc.Sum32(), nil
}

// put adds a file that was read.
func (f *files) put(name string, data []byte) {
	if data == nil {
		data = []byte{} // has tells an empty file from none
	}
	f.content[name] = data
	if strings.HasPrefix(name, sealedDir) {
		f.sealed[name] = sha256.Sum256(data)
	}
}

// readDir reads an unpacked bundle. The error is an *InvalidError unless dir
// itself could not be read.
func readDir(dir fs.FS, keepSealed bool) (*files, error) {
	found := newFiles(keepSealed)
	size := 0
	err := fs.WalkDir(dir, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir():
			if name != "." && !slices.Contains([]string{leavesDir, sealedDir, sigsDir}, name+"/") {
				return invalid(display.Safe(name), errors.New("no folder of this name belongs into a bundle"))
			}
			return nil
		case !d.Type().IsRegular():
			return invalid(display.Safe(name), fmt.Errorf("it is not a plain file but %v", d.Type()))
		}
		if err := checkName(name); err != nil {
			return invalid(display.Safe(name), err)
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if found.count() == zipMaxNames || info.Size() > MaxZip || size+int(info.Size()) > MaxZip {
			return invalid(display.Safe(name), fmt.Errorf("with this file there are more than %d files or %d bytes", zipMaxNames, MaxZip))
		}
		size += int(info.Size())
		if err := found.allow(name, int(info.Size())); err != nil {
			return err
		}
		return found.readFile(dir, name, info.Size())
	})
	if err != nil {
		return nil, err
	}
	return found, nil
}

// readFile reads a file of a folder, which must have the size it was listed with.
func (f *files) readFile(dir fs.FS, name string, size int64) error {
	file, err := dir.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	var got int64
	all := io.LimitReader(file, size+1)
	if strings.HasPrefix(name, sealedDir) && !f.keepSealed {
		sum := sha256.New()
		got, err = io.Copy(sum, all)
		f.sealed[name] = merkle.Hash(sum.Sum(nil))
	} else {
		var data []byte
		data, err = io.ReadAll(all)
		got = int64(len(data))
		f.put(name, data)
	}
	if err == nil && got != size {
		err = &fs.PathError{Op: "read", Path: name, Err: errors.New("it changed while it was read")}
	}
	return err
}
