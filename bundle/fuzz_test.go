package bundle

import (
	"bytes"
	"muniment/bundle/leaf"
	"testing"
)

// Whatever parses must encode to the same bytes.

func FuzzStatement(f *testing.F) {
	seedVectors(f, "statement")
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := ParseStatement(data)
		if err != nil {
			if s != nil {
				t.Error("an error and a statement")
			}
			return
		}
		if again, err := s.Encode(); err != nil || !bytes.Equal(again, data) {
			t.Errorf("encodes to %q, %v", again, err)
		}
	})
}

func FuzzLeaf(f *testing.F) {
	seedVectors(f, "leaf")
	f.Fuzz(func(t *testing.T, data []byte) {
		l, err := leaf.Parse(data)
		if err != nil {
			if l != nil {
				t.Error("an error and a leaf")
			}
			return
		}
		if again, err := leaf.Encode(l); err != nil || !bytes.Equal(again, data) {
			t.Errorf("encodes to %q, %v", again, err)
		}
	})
}

func FuzzZip(f *testing.F) {
	seedVectors(f, "zip")
	f.Fuzz(func(t *testing.T, data []byte) {
		files, err := unzip(data)
		if err != nil {
			if files != nil {
				t.Error("an error and files")
			}
			return
		}
		if again, err := writeZip(files); err != nil || !bytes.Equal(again, data) {
			t.Errorf("encodes to %d bytes, %v", len(again), err)
		}
		b, err := fromFiles(files)
		if err != nil {
			if !isInvalid(err) {
				t.Errorf("%v is not an InvalidError", err)
			}
			return
		}
		if _, err := Render(b); err != nil {
			t.Error(err)
		}
		if v := Verify(b, Requirements{}); v.Verdict == Valid {
			t.Error("VALID without trust")
		}
	})
}

func FuzzPlain(f *testing.F) {
	f.Add([]byte("1 {}\n2 {}\n"))
	f.Add([]byte("01 {}\n\x00\x01"))
	f.Fuzz(func(t *testing.T, lines []byte) {
		size := sealUnit
		for size < len(lines) {
			size *= 2
		}
		plain := append(bytes.Clone(lines), make([]byte, size-len(lines))...)
		leaves, err := parsePlain(plain)
		if err != nil {
			return
		}
		if again, err := encodePlain(leaves, size); err != nil || !bytes.Equal(again, plain) {
			t.Errorf("encodes to other bytes: %v", err)
		}
	})
}

func FuzzSums(f *testing.F) {
	f.Add([]byte("00"), 64)
	f.Fuzz(func(t *testing.T, data []byte, n int) {
		n = max(0, min(n, leaf.MaxCount))
		c, err := parseSums(data, n)
		if err == nil && !bytes.Equal(encodeSums(c), data) {
			t.Error("encodes to other bytes")
		}
		if err != nil && c != nil {
			t.Error("an error and commitments")
		}
	})
}

func FuzzPage(f *testing.F) {
	page, err := newFixture(f).bundle(f).Page()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(page)
	f.Fuzz(func(t *testing.T, data []byte) {
		b, err := ReadPage(data)
		if err != nil {
			if b != nil || !isInvalid(err) {
				t.Errorf("%v, %v", b, err)
			}
			return
		}
		if again, err := b.Page(); err != nil || !bytes.Equal(again, data) {
			t.Errorf("encodes to other bytes: %v", err)
		}
	})
}
