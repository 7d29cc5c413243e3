package container

import (
	"archive/tar"
	"bytes"
	"encoding/base64"
	"io"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz"
)

// A tar of one file a.txt with "a letter\n", packed by bzip2, which Go only reads.
const packedByBzip2 = "QlpoOTFBWSZTWQe+Z6oAAHH7hMqQAGBAAWUAAAhiBJ5AAACACCAAVDJT1NNNPQjQabQSREaBtQGgW+bNnQgpMBIiKEZY3lWSQOFnJO/BKaRtqRELXhlSCoHt0PmoLi/MvcQdHbfDrIkgZF3JFOFCQB75nqg="

// A tar gives its files however it is packed, and what can be read of it where it is
// cut off.
func TestCompressions(t *testing.T) {
	var plain bytes.Buffer
	w := tar.NewWriter(&plain)
	for _, name := range []string{"a.txt", "b.txt"} {
		if err := w.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: 9}); err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(w, "a letter\n"); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	pack := func(open func(io.Writer) (io.WriteCloser, error)) []byte {
		var b bytes.Buffer
		z, err := open(&b)
		if err == nil {
			_, err = z.Write(plain.Bytes())
		}
		if err == nil {
			err = z.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	bz, err := base64.StdEncoding.DecodeString(packedByBzip2)
	if err != nil {
		t.Fatal(err)
	}
	for format, data := range map[Format][]byte{
		TarXz:  pack(func(w io.Writer) (io.WriteCloser, error) { return xz.NewWriter(w) }),
		TarZst: pack(func(w io.Writer) (io.WriteCloser, error) { return zstd.NewWriter(w) }),
		TarBz2: bz,
	} {
		r, err := New(t.Context(), bytes.NewReader(data), int64(len(data)))
		if err != nil || r.Format() != format || len(r.Entries()) == 0 {
			t.Fatalf("%s: %v", format, err)
		}
		for i := len(r.Entries()) - 1; i >= 0; i-- { // out of order: expanded again
			f, err := r.Entries()[i].Open()
			if err != nil {
				t.Fatal(err)
			}
			if text, err := io.ReadAll(f); err != nil || string(text) != "a letter\n" {
				t.Errorf("%s: %q, %v", format, text, err)
			}
			f.Close()
		}
		r.Close()
		if _, err := New(t.Context(), bytes.NewReader(data[:len(data)-8]), int64(len(data)-8)); err == nil {
			t.Errorf("%s: cut off and taken for whole", format)
		}
	}
	// A window that no program uses by itself is refused before any room is made.
	wide := pack(func(w io.Writer) (io.WriteCloser, error) { return xz.NewWriter(w) })
	wide[16] = 40
	if _, err := New(t.Context(), bytes.NewReader(wide), int64(len(wide))); err != ErrFormat {
		t.Error(err)
	}
}
