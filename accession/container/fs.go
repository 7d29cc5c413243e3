package container

import (
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// FS returns the reader's files as a file system. Entries whose path is not
// UTF-8 are not in it: package io/fs cannot name them.
func (r *Reader) FS() *FS {
	f := &FS{}
	for _, e := range r.entries {
		if utf8.ValidString(e.Path) {
			f.sorted = append(f.sorted, e)
		}
	}
	slices.SortFunc(f.sorted, func(a, b *Entry) int { return strings.Compare(a.Path, b.Path) })
	return f
}

// An FS is the files of a container, read only. It implements fs.FS and
// fs.ReadDirFS; folders are those that files lie in.
type FS struct{ sorted []*Entry }

// Lookup returns the entry at path, nil if there is none.
func (f *FS) Lookup(path string) *Entry {
	i := f.search(path)
	if i == len(f.sorted) || f.sorted[i].Path != path {
		return nil
	}
	return f.sorted[i]
}

// search returns the place of the first entry that is not before path.
func (f *FS) search(path string) int {
	i, _ := slices.BinarySearchFunc(f.sorted, path, func(e *Entry, p string) int { return strings.Compare(e.Path, p) })
	return i
}

// Open implements fs.FS.
func (f *FS) Open(name string) (fs.File, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	if e := f.Lookup(name); e != nil {
		rc, err := e.Open()
		if err != nil {
			return nil, &fs.PathError{Op: "open", Path: name, Err: err}
		}
		return &file{ReadCloser: rc, node: node{name: path.Base(name), entry: e}}, nil
	}
	list, err := f.ReadDir(name)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return &folder{node: node{name: path.Base(name)}, list: list}, nil
}

// ReadDir implements fs.ReadDirFS.
func (f *FS) ReadDir(name string) ([]fs.DirEntry, error) {
	missing := &fs.PathError{Op: "readdir", Path: name, Err: fs.ErrNotExist}
	if !fs.ValidPath(name) {
		return nil, missing
	}
	prefix := ""
	if name != "." {
		prefix = name + "/"
	}
	var list []fs.DirEntry
	for i := f.search(prefix); i < len(f.sorted) && strings.HasPrefix(f.sorted[i].Path, prefix); {
		rest := f.sorted[i].Path[len(prefix):]
		child, _, deeper := strings.Cut(rest, "/")
		if !deeper {
			list = append(list, fs.FileInfoToDirEntry(node{name: child, entry: f.sorted[i]}))
			i++
			continue
		}
		list = append(list, fs.FileInfoToDirEntry(node{name: child}))
		i = f.search(prefix + child + "0") // "0" follows "/": past everything below child
	}
	if len(list) == 0 && name != "." {
		return nil, missing
	}
	slices.SortFunc(list, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return list, nil
}

// A node is a file, or without an entry a folder.
type node struct {
	name  string
	entry *Entry
}

func (n node) Name() string { return n.name }
func (n node) IsDir() bool  { return n.entry == nil }
func (n node) Sys() any     { return nil }

func (n node) Mode() fs.FileMode {
	if n.IsDir() {
		return fs.ModeDir | 0o555
	}
	return 0o444
}

func (n node) Size() int64 {
	if n.IsDir() {
		return 0
	}
	return n.entry.Size
}

func (n node) ModTime() time.Time {
	if n.IsDir() {
		return time.Time{}
	}
	return n.entry.ModTime
}

type file struct {
	io.ReadCloser
	node
}

func (f *file) Stat() (fs.FileInfo, error) { return f.node, nil }

type folder struct {
	node
	list []fs.DirEntry
}

func (d *folder) Stat() (fs.FileInfo, error) { return d.node, nil }
func (d *folder) Close() error               { return nil }

func (d *folder) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: d.name, Err: fs.ErrInvalid}
}

func (d *folder) ReadDir(n int) ([]fs.DirEntry, error) {
	if n <= 0 {
		list := d.list
		d.list = nil
		return list, nil
	}
	if len(d.list) == 0 {
		return nil, io.EOF
	}
	n = min(n, len(d.list))
	list := d.list[:n]
	d.list = d.list[n:]
	return list, nil
}
