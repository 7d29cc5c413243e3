package bagit

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"muniment/accession/container"
)

const (
	declarationFile = "bagit.txt"
	infoFile        = "bag-info.txt"
	oldInfoFile     = "package-info.txt" // of 0.93 to 0.95
	fetchFile       = "fetch.txt"
	payloadFolder   = "data/"
)

// ValidateDir validates the bag in the folder dir. No path in it, and no
// symbolic link, leads outside.
func ValidateDir(ctx context.Context, dir string, progress func(done, total int64)) (*Report, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	return Validate(ctx, root.FS(), progress)
}

// Validate validates the bag in the top folder of fsys. Links are not followed. progress, if set, is called with the bytes hashed and the
// bytes of all. An error means that there is no result: ctx was cancelled, the
// folder cannot be read, or it holds more than MaxFiles files.
func Validate(ctx context.Context, fsys fs.FS, progress func(done, total int64)) (*Report, error) {
	c := newCheck(ctx, func(path string) (io.ReadCloser, error) { return fsys.Open(path) })
	if err := c.walk(fsys); err != nil {
		return nil, err
	}
	return c.run(strings.Compare, progress)
}

// A check is one validation under way.
type check struct {
	ctx       context.Context
	open      func(path string) (io.ReadCloser, error)
	report    *Report
	files     map[string]int64 // sizes of the regular files
	payload   bool             // the payload folder is there
	states    map[string]State
	alike     map[string][]string // by Fold; made when it is needed
	charset   charset
	manifests []*manifest
	missing   map[string][]string // manifests that list a path that is not there
}

func newCheck(ctx context.Context, open func(path string) (io.ReadCloser, error)) *check {
	return &check{ctx: ctx, open: open, files: map[string]int64{}, states: map[string]State{}, missing: map[string][]string{},
		report: &Report{Algorithms: []string{}, TagAlgorithms: []string{}, Info: []Field{}, Payload: []File{}, Problems: []Problem{}}}
}

// run validates the bag whose files were added, reading them in the order of
// compare.
func (c *check) run(compare func(a, b string) int, progress func(done, total int64)) (*Report, error) {
	slices.SortFunc(c.report.Payload, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	if c.readDeclaration() {
		c.readManifests()
		holes := c.checkFetch()
		c.checkMissing()
		c.checkListed()
		c.readInfo(holes == 0)
		if err := c.hashAll(compare, progress); err != nil {
			return nil, err
		}
	}
	c.report.finish(c.states)
	return c.report, nil
}

// addFile adds a regular file of the bag.
func (c *check) addFile(path string, size int64) {
	c.files[path], c.states[path] = size, NotChecked
	if r := container.DirectionMark(path); r != 0 {
		c.fail(path, fmt.Sprintf("the name holds %U, which turns the direction of what follows: it is shown as another name", r))
	}
	if strings.HasPrefix(path, payloadFolder) {
		c.payload = true
		c.report.Payload = append(c.report.Payload, File{Path: path, Size: size})
		c.report.Octets += size
	}
}

// note adds a finding about a path to the report. The state of the file becomes
// the worst of its findings.
func (c *check) note(path string, state State, reason string) {
	c.report.Problems = append(c.report.Problems, Problem{Path: path, State: state, Reason: reason})
	if path != "" && state != OK {
		c.states[path] = worseOf(c.states[path], state)
	}
}

func (c *check) fail(path, reason string) { c.note(path, Failed, reason) }

// walk adds the files below a folder. What is neither a folder nor a regular
// file fails, and so does what cannot be read.
func (c *check) walk(fsys fs.FS) error {
	return fs.WalkDir(fsys, ".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case c.ctx.Err() != nil:
			return c.ctx.Err()
		case err != nil && path == ".":
			return err
		case err != nil:
			c.fail(path, fmt.Sprintf("cannot be read: %v", causeOf(err)))
			return nil
		case d.IsDir():
			c.payload = c.payload || path+"/" == payloadFolder
			return nil
		case len(c.states) == MaxFiles:
			return fmt.Errorf("more than %d files in the bag", MaxFiles)
		case !fs.ValidPath(path):
			c.fail(path, "the name is not UTF-8")
			return nil
		case d.Type()&fs.ModeSymlink != 0:
			c.fail(path, "a symbolic link: what it leads to is no part of the bag")
			return nil
		case !d.Type().IsRegular():
			c.fail(path, "not a regular file")
			return nil
		}
		info, err := d.Info()
		if err != nil {
			c.fail(path, fmt.Sprintf("cannot be read: %v", causeOf(err)))
			return nil
		}
		c.addFile(path, info.Size())
		return nil
	})
}

// causeOf returns the error without its operation and path, which the report names separately.
func causeOf(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

// readDeclaration reads bagit.txt and reports whether the rest of the bag can be
// read by it.
func (c *check) readDeclaration() bool {
	_, ok := c.files[declarationFile]
	if !ok {
		if c.states[declarationFile] != Failed {
			c.note(declarationFile, Absent, "required, and not there")
		}
		return false
	}
	data, err := c.readTag(declarationFile, maxDeclaration)
	var version, name string
	ended := false
	if err == nil {
		version, name, ended, err = parseDeclaration(data)
	}
	if err == nil {
		c.charset, err = lookupCharset(name)
	}
	if errors.Is(err, errUnknown) {
		c.note(declarationFile, NotChecked, err.Error())
		return false
	} else if err != nil {
		c.fail(declarationFile, err.Error())
		return false
	}
	c.report.Version, c.report.Encoding = version, name
	if version != "1.0" && version != "0.97" {
		c.note(declarationFile, OK, fmt.Sprintf("version %s, read by the rules of 0.97", version))
	}
	if !ended {
		c.note(declarationFile, OK, "the last line has no end")
	}
	if c.charset.enc != nil {
		c.note(declarationFile, OK, fmt.Sprintf("tag files in %s; UTF-8 is strongly recommended", name))
	}
	if _, ok := c.files["data"]; ok {
		c.fail("data", "the payload folder is required, and this is none")
	} else if !c.payload && c.states["data"] != Failed {
		c.note("data", Absent, "the payload folder is required, and not there")
	}
	return true
}

// readTag returns the bytes of a tag file.
func (c *check) readTag(name string, limit int64) ([]byte, error) {
	f, err := c.open(name)
	if err != nil {
		return nil, fmt.Errorf("cannot be read: %w", causeOf(err))
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err != nil {
		return nil, fmt.Errorf("cannot be read: %w", causeOf(err))
	}
	if int64(len(data)) > limit {
		return nil, fmt.Errorf("more than %d bytes, which is all that is read", limit)
	}
	return data, nil
}

// readText returns the text of a tag file in the bag's encoding. ok is false when
// the report says why there is none.
func (c *check) readText(name string, limit int64) (text string, ok bool) {
	data, err := c.readTag(name, limit)
	if err != nil {
		c.fail(name, err.Error())
		return "", false
	}
	text, hasBOM, err := c.charset.decode(data)
	if err != nil {
		c.fail(name, err.Error())
		return "", false
	}
	if hasBOM {
		state := Failed
		if c.report.Version != "1.0" {
			state = OK
		}
		c.note(name, state, "begins with a byte-order mark")
	}
	if text != "" && !strings.HasSuffix(text, "\n") && !strings.HasSuffix(text, "\r") {
		c.note(name, OK, "the last line has no end")
	}
	return text, true
}

// readLines returns the lines of a manifest or fetch.txt.
func (c *check) readLines(name string, limit int64) (lines []string, ok bool) {
	text, ok := c.readText(name, limit)
	if !ok {
		return nil, false
	}
	if lines, _ = splitLines(text); len(lines) > MaxFiles {
		c.fail(name, fmt.Sprintf("%d lines, at most %d are read", len(lines), MaxFiles))
		return nil, false
	}
	return lines, true
}

// resolve returns the path and size of the file that a path in a manifest or
// fetch.txt means. Without such a file size is -1, and path is the reading of the
// specification. A path that may not be used has a reason.
func (c *check) resolve(s string) (path string, size int64, reason string) {
	var paths []string
	for _, r := range readings(c.report.Version, s) {
		p, reason := checkPath(r.path)
		if reason != "" {
			return "", 0, reason
		}
		if size, ok := c.files[p]; ok {
			if r.remark != "" {
				c.note(p, OK, r.remark)
			}
			return p, size, ""
		}
		paths = append(paths, p)
	}
	var same []string
	for _, f := range c.foldAlike(paths[0]) {
		if container.NFC(f) == container.NFC(paths[0]) {
			same = append(same, f)
		}
	}
	if len(same) == 1 {
		c.note(same[0], OK, "the manifest has the name in another Unicode normalization")
		return same[0], c.files[same[0]], ""
	}
	return paths[0], -1, ""
}

// foldAlike returns the files that differ from path in case or normalization
// only.
func (c *check) foldAlike(path string) []string {
	if c.alike == nil {
		c.alike = make(map[string][]string, len(c.files))
		for f := range c.files {
			key := container.Fold(f)
			c.alike[key] = append(c.alike[key], f)
		}
	}
	list := slices.Clone(c.alike[container.Fold(path)])
	slices.Sort(list)
	return list
}
