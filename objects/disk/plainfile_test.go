//go:build unix

package disk

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// special makes what is no regular file, by name, and a regular file outside.
func special(t *testing.T) (dir, outside string) {
	t.Helper()
	dir = t.TempDir()
	outside = filepath.Join(t.TempDir(), "outside")
	for _, err := range []error{
		os.WriteFile(outside, []byte("outside"), 0o600),
		os.WriteFile(filepath.Join(dir, "file"), []byte("file"), 0o600),
		os.Symlink(outside, filepath.Join(dir, "link")),
		os.Symlink(filepath.Join(dir, "gone"), filepath.Join(dir, "dangling")),
		os.Symlink("/dev/zero", filepath.Join(dir, "zero")),
		syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600),
		os.Mkdir(filepath.Join(dir, "folder"), 0o700),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir, outside
}

func TestOpen(t *testing.T) {
	dir, outside := special(t)
	begun := time.Now()
	for _, name := range []string{"link", "dangling", "zero", "pipe", "folder"} {
		path := filepath.Join(dir, name)
		if err := WritePlain(path, []byte("through"), 0o600); err == nil {
			t.Errorf("%s was written", name)
		}
		for _, flag := range []int{os.O_RDONLY, os.O_RDWR, os.O_WRONLY | os.O_APPEND, os.O_RDWR | os.O_CREATE} {
			if f, err := OpenPlain(path, flag, 0o600); err == nil {
				f.Close()
				t.Errorf("%s was opened with %#x", name, flag)
			}
		}
		if _, err := ReadOwnPlain(path, 10); err == nil {
			t.Errorf("%s was read as a file of the archive", name)
		}
		data, err := ReadPlain(path, 10)
		if name == "link" {
			if string(data) != "outside" || err != nil {
				t.Errorf("a link that a person named: %q, %v", data, err)
			}
		} else if err == nil {
			t.Errorf("%s was read", name)
		}
	}
	if _, err := ReadPlain("/dev/zero", 10); !errors.Is(err, ErrNotRegular) {
		t.Errorf("/dev/zero: %v", err)
	}
	if data, err := os.ReadFile(outside); string(data) != "outside" || err != nil {
		t.Errorf("the file outside is %q, %v", data, err)
	}
	if _, err := os.Lstat(filepath.Join(dir, "gone")); err == nil {
		t.Error("a file was made through a dangling link")
	}
	path := filepath.Join(dir, "file")
	if _, err := ReadPlain(path, 3); !errors.Is(err, ErrTooLarge) {
		t.Errorf("4 bytes of 3: %v", err)
	}
	if err := WritePlain(path, []byte("new"), 0o600); err != nil {
		t.Error(err)
	}
	if data, err := ReadOwnPlain(path, 3); string(data) != "new" || err != nil {
		t.Errorf("%q, %v", data, err)
	}
	if took := time.Since(begun); took > time.Minute {
		t.Errorf("it waited %v", took)
	}
}

func TestCheckFolder(t *testing.T) {
	dir, outside := special(t)
	if err := CheckFolder(filepath.Join(dir, "gone")); err != nil {
		t.Errorf("a folder that is not there: %v", err)
	}
	for _, name := range []string{"link", "dangling", "zero", "pipe"} {
		if err := CheckFolder(filepath.Join(dir, name)); !errors.Is(err, ErrNotRegular) {
			t.Errorf("%s: %v", name, err)
		}
		if err := CheckFolder(dir); !errors.Is(err, ErrNotRegular) {
			t.Errorf("with %s: %v", name, err)
		}
		os.Remove(filepath.Join(dir, name))
	}
	packs := filepath.Join(dir, "folder", "objects", "pack")
	if err := os.MkdirAll(packs, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.Symlink(outside, filepath.Join(packs, "a.pack")), CheckFolder(dir)); err != nil {
		t.Errorf("a link to a pack: %v", err)
	}
	if err := os.Symlink("/dev/zero", filepath.Join(packs, "b.pack")); err != nil || CheckFolder(dir) == nil {
		t.Errorf("a link to a device among the packs: %v", err)
	}
}
