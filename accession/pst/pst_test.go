package pst

import (
	"bytes"
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

// A mail is taken out of a box, with equal bytes each time.
func TestExtract(t *testing.T) {
	tool, err := Find()
	if errors.Is(err, ErrMissing) {
		t.Skip("readpst is not installed: install the Debian package pst-utils")
	}
	if err != nil {
		t.Fatal(err)
	}
	var before []byte
	for range 2 {
		box, err := tool.Extract(context.Background(), "testdata/box.pst")
		if err != nil {
			t.Fatal(err)
		}
		if len(box.Files) != 1 || box.Files[0].Path != "Box/Inbox/1.eml" {
			t.Fatalf("the files are %v", box.Files)
		}
		data, err := os.ReadFile(box.Files[0].At)
		if err != nil {
			t.Fatal(err)
		}
		data = Steady(data)
		if !bytes.Contains(data, []byte("Subject: The mill\n")) || !bytes.Contains(data, []byte("\n\nIt burnt down.\n")) {
			t.Errorf("the mail is\n%s", data)
		}
		if before != nil && !bytes.Equal(data, before) {
			t.Errorf("the mail is\n%s\nand was\n%s", data, before)
		}
		before = data
		if err := box.Close(); err != nil {
			t.Error(err)
		}
		if _, err := os.Stat(box.Files[0].At); err == nil {
			t.Error("the mail is left behind")
		}
	}
}

// Boundaries get numbers of their own; a number that is none of a boundary stays.
func TestSteady(t *testing.T) {
	const mail = "boundary=\"--boundary-LibPST-iamunique-77_-_-\"\n\n----boundary-LibPST-iamunique-77_-_-\n" +
		"boundary=\"alt---boundary-LibPST-iamunique-5_-_-\"\n--alt---boundary-LibPST-iamunique-5_-_-\n--boundary-LibPST-iamunique-8_-_-\n----boundary-LibPST-iamunique-77_-_---\n"
	const want = "boundary=\"--boundary-LibPST-iamunique-1_-_-\"\n\n----boundary-LibPST-iamunique-1_-_-\n" +
		"boundary=\"alt---boundary-LibPST-iamunique-2_-_-\"\n--alt---boundary-LibPST-iamunique-2_-_-\n--boundary-LibPST-iamunique-8_-_-\n----boundary-LibPST-iamunique-1_-_---\n"
	if got := string(Steady([]byte(mail))); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
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
