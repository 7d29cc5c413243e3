package bundlefile

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"muniment/bundle"
	"muniment/testvectors"
)

// payload returns the body of a test vector.
func payload(t *testing.T, vector string) []byte {
	t.Helper()
	return testvectors.ReadFile(t, "../../testvectors/"+vector).Body
}

// write writes a file into a new folder and returns its path.
func write(t *testing.T, name string, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// A bundle is the same one in each of its forms, whatever the file's name says.
func TestForms(t *testing.T) {
	zip := payload(t, "bundle/zip-good")
	b, err := bundle.Read(bytes.NewReader(zip))
	if err != nil {
		t.Fatal(err)
	}
	page, err := b.Page()
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	for name, data := range b.Files() {
		path := filepath.Join(folder, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, data, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(folder, link); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{write(t, "answer.json", zip), write(t, "answer.zip", page), folder, link} {
		again, err := Read(path)
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		if again.Statement().ID != b.Statement().ID {
			t.Errorf("%s: another bundle", path)
		}
		v, view, err := Check(path, bundle.Requirements{})
		if err != nil || v.Verdict != bundle.Incomplete || len(view.Claims) != 4 {
			t.Errorf("%s: %v, %d claims, %v", path, v, len(view.Claims), err)
		}
		if IsProof(path) {
			t.Errorf("%s: taken for a proof", path)
		}
		if _, err := CheckProof(path, bundle.Requirements{}); err == nil {
			t.Errorf("%s: verified as a proof", path)
		}
	}
}

func TestProof(t *testing.T) {
	good := write(t, "answer.zip", payload(t, "paragraph/good"))
	if !IsProof(good) {
		t.Error("a proof is not taken for one")
	}
	v, err := CheckProof(good, bundle.Requirements{})
	if err != nil || v.Verdict != bundle.Incomplete || v.File != good {
		t.Errorf("%+v, %v", v, err)
	}
	bad := write(t, "p.json", payload(t, "paragraph/text"))
	if v, err := CheckProof(bad, bundle.Requirements{}); err != nil || v.Verdict != bundle.Invalid {
		t.Errorf("%+v, %v", v, err)
	}
	other := write(t, "p.json", []byte(`{"type":"other"}`))
	if _, err := CheckProof(other, bundle.Requirements{}); !errors.Is(err, ErrNotProof) {
		t.Errorf("JSON that is no proof: %v", err)
	}
	if v, _, err := Check(other, bundle.Requirements{}); err != nil || v.Verdict != bundle.Invalid {
		t.Errorf("JSON as a bundle: %v, %v", v, err)
	}
}

// A file that is malformed is an *bundle.InvalidError and the verdict INVALID.
func TestMalformed(t *testing.T) {
	large := write(t, "large.zip", nil)
	if err := os.Truncate(large, bundle.MaxZip+1); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		write(t, "empty", nil):          "not a zip",
		write(t, "text", []byte("one")): "not a zip",
		large:                           "larger than a bundle can be",
		t.TempDir():                     "statement",
	} {
		var invalid *bundle.InvalidError
		if _, err := Read(path); !errors.As(err, &invalid) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", path, err, want)
		}
		if v, _, err := Check(path, bundle.Requirements{}); err != nil || v.Verdict != bundle.Invalid {
			t.Errorf("%s: %v, %v", path, v, err)
		}
	}
}

// requireUnreadable requires every function to return a *fs.PathError.
func requireUnreadable(t *testing.T, path string) {
	t.Helper()
	var unreadable *fs.PathError
	if _, err := Read(path); !errors.As(err, &unreadable) {
		t.Errorf("Read(%s): %v", path, err)
	}
	if _, _, err := Check(path, bundle.Requirements{}); !errors.As(err, &unreadable) {
		t.Errorf("Check(%s): %v", path, err)
	}
	if _, err := CheckProof(path, bundle.Requirements{}); !errors.As(err, &unreadable) {
		t.Errorf("CheckProof(%s): %v", path, err)
	}
	if IsProof(path) {
		t.Errorf("IsProof(%s)", path)
	}
}

func TestUnreadable(t *testing.T) {
	requireUnreadable(t, filepath.Join(t.TempDir(), "none.zip"))
}
