package container

import (
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"strings"
)

// sevenZipMagic begins a 7z.
const sevenZipMagic = "7z\xbc\xaf\x27\x1c"

// The attributes of a file in a 7z.
const (
	sevenFolderBit  = 0x10   // of Windows
	sevenReparseBit = 0x400  // of Windows: a link
	sevenUnixBit    = 0x8000 // the upper half is the mode of Unix
)

// scanSevenZip lists the entries of a 7z and unpacks it once, so that damage is known
// before any entry is read. Damage is the reason why the 7z as a whole is refused
// although some entries can be read; err, why none may be.
func (r *Reader) scanSevenZip(ctx context.Context) (all []candidate, damage, err error) {
	l, err := readSevenList(r.src, r.size, r.lim)
	if err != nil {
		return nil, nil, err
	}
	if l.trailer > 0 {
		damage = fmt.Errorf("%d bytes after the end", l.trailer)
	}
	if d := r.limitFolders(l.folders); d != nil {
		damage = d
	}
	parts, names := l.parts, 0
	for i := range l.files {
		f := &l.files[i]
		if names += len(f.name); names > r.lim.names {
			return nil, nil, fmt.Errorf("more than %d bytes of names", r.lim.names)
		}
		c := candidate{entry: &Entry{Name: f.name, Modified: formatTime(f.modified)}}
		if !f.empty {
			if len(parts) == 0 {
				return nil, nil, errSevenZip
			}
			p := parts[0]
			parts = parts[1:]
			c.entry.folder, c.entry.offset, c.entry.Size, c.entry.digest = p.folder, p.offset, p.size, p.digest
			c.reason = p.folder.reason
		}
		f.classify(&c)
		all = append(all, c)
	}
	if len(parts) > 0 {
		return nil, nil, errSevenZip
	}
	lost, err := r.checkFolders(ctx, all)
	if lost != nil {
		damage = lost
	}
	return all, damage, err
}

// classify sets the kind of a candidate that is no file.
func (f *sevenFile) classify(c *candidate) {
	mode := uint32(0)
	if f.attributes&sevenUnixBit != 0 {
		mode = f.attributes >> 16 & 0o170000
	}
	folder := f.empty && !f.isFile || mode == 0o040000 || mode == 0 && f.attributes&sevenFolderBit != 0
	switch {
	case f.anti:
		c.reason = "an order to delete a file"
	case mode == 0o120000 || f.attributes&sevenReparseBit != 0:
		c.isLink = true
		c.reason = "a symbolic link"
	case mode != 0 && mode != 0o100000 && mode != 0o040000:
		c.reason = "a device, a pipe or a socket"
	case folder && c.entry.Size > 0:
		c.reason = fmt.Sprintf("a folder with %d bytes of data", c.entry.Size)
	case folder:
		c.folder = true
		c.entry.Name = strings.TrimSuffix(c.entry.Name, "/")
	}
}

// limitFolders requires that the files expand within the limit and else leaves out the
// folders that expand most. Folders that are not read do not count.
func (r *Reader) limitFolders(folders []*sevenFolder) error {
	limit, total := r.lim.expansion(r.size), int64(0)
	var err error
	for _, f := range folders {
		most := f.size
		for _, c := range f.coders {
			most = max(most, c.size)
		}
		if f.reason != "" {
			continue
		}
		if most > limit-total {
			f.reason = fmt.Sprintf("%d bytes expand to %d, of %d bytes at most %d are read", f.packed, most, r.size, limit)
			err = errors.New(f.reason)
			continue
		}
		total += f.size
	}
	return err
}

// checkFolders unpacks each folder once and gives the entries that cannot be read
// their reason. The first of the reasons is returned as lost.
func (r *Reader) checkFolders(ctx context.Context, all []candidate) (lost, err error) {
	var folder *sevenFolder
	var stream io.Reader
	var broken error
	for i := range all {
		c := &all[i]
		f := c.entry.folder
		if f == nil || f.reason != "" {
			continue
		}
		if f != folder {
			folder = f
			stream, broken = f.open(r.src)
		}
		if broken == nil {
			broken = c.entry.digest.check(ctx, stream, c.entry.Size)
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if broken == nil {
			continue
		}
		if c.reason == "" {
			c.reason = fmt.Sprintf("damaged: %v", broken)
		}
		if lost == nil {
			lost = fmt.Errorf("%q: %w", c.entry.Name, broken)
		}
		if errors.Is(broken, errDigest) { // those behind it have their own
			broken = nil
		}
	}
	return lost, nil
}

var errDigest = errors.New("its checksum is wrong")

// check reads size bytes and compares their checksum.
func (d digest) check(ctx context.Context, from io.Reader, size int64) error {
	const step = 1 << 20 // bytes between two looks at ctx
	sum := crc32.NewIEEE()
	for left := size; left > 0; left -= min(left, step) {
		if err := ctx.Err(); err != nil {
			return err
		}
		if _, err := io.CopyN(sum, from, min(left, step)); errors.Is(err, io.EOF) {
			return errCut
		} else if err != nil {
			return err
		}
	}
	if d.there && sum.Sum32() != d.crc {
		return errDigest
	}
	return nil
}
