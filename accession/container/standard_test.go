package container

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"errors"
	"io"
	"testing"
)

// readStandard reads every entry with the standard library alone.
func readStandard(kind string, data []byte) error {
	if kind == "zip" {
		z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			return err
		}
		for _, f := range z.File {
			rc, err := f.Open()
			if err != nil {
				return err
			}
			if _, err := io.Copy(io.Discard, rc); err != nil {
				return err
			}
		}
		return nil
	}
	r := tar.NewReader(bytes.NewReader(data))
	for {
		if _, err := r.Next(); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		if _, err := io.Copy(io.Discard, io.LimitReader(r, 1<<20)); err != nil {
			return err
		}
	}
}

// TestStandardAlone counts the hostile containers that the standard readers
// accept: the figures of docs/decisions/0018-container-reading.md.
func TestStandardAlone(t *testing.T) {
	type figure struct{ whole, wholeAccepted, entry, entryAccepted int }
	want := map[string]figure{"zip": {24, 13, 27, 18}, "tar": {27, 12, 18, 16}}
	for kind, cases := range map[string][]hostile{"zip": zipCases(t), "tar": tarCases()} {
		var got figure
		for _, c := range cases {
			accepted := 0
			if readStandard(kind, c.data) == nil {
				accepted = 1
			}
			switch {
			case c.refuse != "":
				got.whole++
				got.wholeAccepted += accepted
			case c.skip != "" || c.read != "":
				got.entry++
				got.entryAccepted += accepted
			}
		}
		if got != want[kind] {
			t.Errorf("%s: %+v, want %+v", kind, got, want[kind])
		}
	}
}
