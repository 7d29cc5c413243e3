// Package pst takes the mails out of the files in which Outlook keeps them (PST, OST), by
// readpst of libpst, where it is installed.
//
//	tool, err := pst.Find()
//	box, err := tool.Extract(ctx, "archive.pst")
//	defer box.Close()
//	for _, f := range box.Files { … } // Inbox/1.eml, Contacts/1.vcf
//	mail = pst.Steady(mail)           // without numbers that are drawn at random
//
// readpst runs as a process of its own, with nothing of the caller's environment and limits
// on its time and on what it writes; the files lie in a folder that Close removes.
package pst

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// Limits of one file of Outlook.
const (
	// MaxTime is how long readpst may run: it writes some thousand mails in a second.
	MaxTime = 30 * time.Minute
	// MaxFiles is how many mails, contacts and appointments are taken.
	MaxFiles = 500_000
	// maxTimes is how many times its own size a file of Outlook may take unpacked, and
	// maxMore how much beyond: base64 takes a third more, packed rich text up to eight times.
	maxTimes = 8
	maxMore  = 64 << 20
	// watchEvery is how often the size of what was written is looked at.
	watchEvery = 2 * time.Second
	// maxSaid is how much of its complaints is kept.
	maxSaid = 4 << 10
)

// Install says how readpst is installed.
const Install = "install the package pst-utils (Debian, Ubuntu) or libpst (Fedora, Homebrew), then add the file again"

// ErrMissing reports that readpst is not installed.
var ErrMissing = errors.New("readpst is not installed")

// magic is the first bytes of Outlook's files.
const magic = "!BDN"

// Begins reports whether a file begins as one of Outlook does.
func Begins(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, len(magic))
	n, _ := f.Read(head)
	return string(head[:n]) == magic
}

// A Tool is readpst as it was found.
type Tool struct{ path, version string }

var versionLine = regexp.MustCompile(`LibPST v([0-9][0-9A-Za-z.+~-]{0,30})`)

// Find looks for readpst.
func Find() (*Tool, error) {
	path, err := exec.LookPath("readpst")
	if err != nil {
		return nil, ErrMissing
	}
	said, err := run(context.Background(), path, "-V")
	m := versionLine.FindStringSubmatch(said)
	if m == nil {
		return nil, errors.Join(errors.New("the readpst that is installed does not tell its version"), err)
	}
	return &Tool{path, m[1]}, nil
}

// Name returns the name and version of the program, for a record.
func (t *Tool) Name() string { return "readpst " + t.version + " (libpst)" }

// A Box is what lay in a file of Outlook.
type Box struct {
	Files []File // by path
	dir   string
}

// A File is one mail, contact or appointment.
type File struct {
	Path string // within the file of Outlook, folders apart by slashes
	At   string // where it lies until the box is closed
	Size int64
}

// Close removes the files.
func (b *Box) Close() error { return os.RemoveAll(b.dir) }

// Extract takes out everything that readpst finds in the file of Outlook at path. Deleted
// items are not among it.
func (t *Tool) Extract(ctx context.Context, path string) (*Box, error) {
	ctx, cancel := context.WithTimeout(ctx, MaxTime)
	defer cancel()
	whole, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	info, err := os.Stat(whole)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "muniment-pst-")
	if err != nil {
		return nil, err
	}
	b := &Box{dir: dir}
	full := watch(ctx, cancel, dir, info.Size()*maxTimes+maxMore)
	said, err := run(ctx, t.path, "-q", "-e", "-j", "0", "-o", dir, whole)
	if full() {
		err = errors.New("what lies in it takes more room than it may")
	}
	if err == nil {
		err = b.list()
	}
	if err == nil && len(b.Files) == 0 {
		err = errors.New("readpst finds nothing in it")
	}
	if err != nil {
		first, _, _ := strings.Cut(strings.TrimSpace(said), "\n")
		if first != "" {
			err = fmt.Errorf("%w: %s", err, first)
		}
		return nil, errors.Join(err, b.Close())
	}
	return b, nil
}

var (
	boundaryField = regexp.MustCompile(`boundary="[^"\r\n]{0,80}-LibPST-iamunique-([0-9]{1,20})_-_-"`)
	boundaryText  = regexp.MustCompile(`-LibPST-iamunique-[0-9]{1,20}_-_-`)
)

// Steady returns a mail that readpst wrote with its boundaries numbered from 1 in place of
// the random numbers that they have: equal mails are then equal bytes.
func Steady(mail []byte) []byte {
	numbers := map[string]string{}
	for _, m := range boundaryField.FindAllSubmatch(mail, -1) {
		if old := fmt.Sprintf("-LibPST-iamunique-%s_-_-", m[1]); numbers[old] == "" {
			numbers[old] = fmt.Sprintf("-LibPST-iamunique-%d_-_-", len(numbers)+1)
		}
	}
	if len(numbers) == 0 {
		return mail
	}
	return boundaryText.ReplaceAllFunc(mail, func(old []byte) []byte {
		if next := numbers[string(old)]; next != "" {
			return []byte(next)
		}
		return old
	})
}

// list lists the files of the box. A link or a device is no file.
func (b *Box) list() error {
	err := filepath.WalkDir(b.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		name, err := filepath.Rel(b.dir, path)
		if err != nil {
			return err
		}
		if len(b.Files) == MaxFiles {
			return fmt.Errorf("more than %d mails lie in it", MaxFiles)
		}
		b.Files = append(b.Files, File{filepath.ToSlash(name), path, info.Size()})
		return nil
	})
	slices.SortFunc(b.Files, func(x, y File) int { return strings.Compare(x.Path, y.Path) })
	return err
}

// watch calls stop when the files in a folder take more than most bytes. The result ends
// the watch and reports whether they did.
func watch(ctx context.Context, stop func(), dir string, most int64) (full func() bool) {
	done, over := make(chan struct{}), make(chan bool, 1)
	go func() {
		for {
			select {
			case <-done:
			case <-time.After(watchEvery):
				if ctx.Err() == nil && sizeOf(dir) <= most {
					continue
				}
				stop()
			}
			over <- sizeOf(dir) > most
			return
		}
	}()
	return func() bool {
		close(done)
		return <-over
	}
}

// sizeOf returns how many bytes the files in a folder take. What vanishes meanwhile takes
// none.
func sizeOf(dir string) (n int64) {
	filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil
		}
		if info, err := d.Info(); err == nil && d.Type().IsRegular() {
			n += info.Size()
		}
		return nil
	})
	return n
}

// run runs a program and returns the beginning of what it says.
func run(ctx context.Context, path string, args ...string) (string, error) {
	var said said
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Stdout, cmd.Stderr = &said, &said
	cmd.Env = []string{"LC_ALL=C.UTF-8", "TZ=UTC"}
	cmd.Dir, cmd.WaitDelay = "/", time.Second
	err := cmd.Run()
	if ctx.Err() != nil {
		err = fmt.Errorf("readpst was stopped: %w", ctx.Err())
	} else if err != nil {
		err = fmt.Errorf("readpst: %w", err)
	}
	return said.String(), err
}

// said keeps the beginning of what a program says.
type said struct{ bytes.Buffer }

// Write keeps the bytes that fit and drops the rest.
func (s *said) Write(p []byte) (int, error) {
	s.Buffer.Write(p[:min(len(p), max(maxSaid-s.Len(), 0))])
	return len(p), nil
}
