package pst

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A damaged file is an error with what readpst says of it, and leaves no folder behind.
func TestDamaged(t *testing.T) {
	tool, err := Find()
	if errors.Is(err, ErrMissing) {
		t.Skip("readpst is not installed: install the Debian package pst-utils")
	}
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(tool.Name(), "readpst 0.") {
		t.Errorf("the program is %s", tool.Name())
	}
	t.Setenv("TMPDIR", t.TempDir())
	for name, data := range map[string]string{"cut.pst": magic, "zeros.pst": magic + strings.Repeat("\x00", 4096), "other.pst": "no file of Outlook"} {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, want := Begins(path), strings.HasPrefix(data, magic); got != want {
			t.Errorf("%s begins as one: %v, want %v", name, got, want)
		}
		box, err := tool.Extract(context.Background(), path)
		if err == nil || box != nil {
			t.Errorf("%s: %v, %v", name, box, err)
		}
	}
	left, err := os.ReadDir(os.Getenv("TMPDIR"))
	if err != nil || len(left) > 0 {
		t.Errorf("%d folders are left, %v", len(left), err)
	}
}

// Without the program the error says so.
func TestMissing(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	if _, err := Find(); !errors.Is(err, ErrMissing) {
		t.Errorf("the error is %v", err)
	}
}

// Files are listed by their paths; a link is none.
func TestList(t *testing.T) {
	b := &Box{dir: t.TempDir()}
	for _, name := range []string{"Outlook/Inbox/2.eml", "Outlook/Inbox/1.eml", "Outlook/Contacts/1.vcf"} {
		path := filepath.Join(b.dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte("From: a@b.example\n"), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("/etc/hostname", filepath.Join(b.dir, "link.eml")); err != nil {
		t.Fatal(err)
	}
	if err := b.list(); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range b.Files {
		names = append(names, f.Path)
		if f.Size != 18 {
			t.Errorf("%s has %d bytes", f.Path, f.Size)
		}
	}
	if got := strings.Join(names, " "); got != "Outlook/Contacts/1.vcf Outlook/Inbox/1.eml Outlook/Inbox/2.eml" {
		t.Errorf("the files are %s", got)
	}
	if err := b.Close(); err != nil {
		t.Error(err)
	}
}

// A folder that grows beyond its room stops the program that fills it.
func TestWatch(t *testing.T) {
	dir := t.TempDir()
	ctx, stop := context.WithCancel(context.Background())
	full := watch(ctx, stop, dir, 100)
	if err := os.WriteFile(filepath.Join(dir, "a"), make([]byte, 101), 0o600); err != nil {
		t.Fatal(err)
	}
	select {
	case <-ctx.Done():
	case <-time.After(time.Minute):
		t.Fatal("nothing stops the program")
	}
	if !full() {
		t.Error("the folder is not full")
	}
	ctx, stop = context.WithCancel(context.Background())
	defer stop()
	if watch(ctx, stop, dir, 1000)() {
		t.Error("a folder with room is full")
	}
}
