package pack

import (
	"crypto/sha1"
	"io"
	"os"

	"muniment/objects/object"
)

// checkBuffer is how much of a pack is read at a time for its checksum.
const checkBuffer = 256 << 10

// CheckSum compares the pack at path with the checksum at its end.
func CheckSum(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	tail, size, err := readTail(f, "a pack")
	if err != nil {
		return err
	}
	// Plain SHA-1 guards against accidents; what an object is, its name says,
	// which is computed with the detection of collisions.
	d := sha1.New()
	if _, err := io.CopyBuffer(d, io.NewSectionReader(f, 0, size-int64(TailSize)), make([]byte, checkBuffer)); err != nil {
		return err
	}
	if got := object.Hash(d.Sum(nil)); got != tail {
		return object.Corruptf("it hashes to %s and ends in %s", got, tail)
	}
	return nil
}

// CheckIndex reads the index at path + ".idx" whole, and compares the checksum
// that it names with the end of its pack, path + ".pack".
func CheckIndex(path string) error {
	x, err := OpenIndex(path + ".idx")
	if err != nil {
		return err
	}
	defer x.Close()
	if err := x.Verify(); err != nil {
		return err
	}
	f, err := os.Open(path + ".pack")
	if err != nil {
		return err
	}
	defer f.Close()
	tail, _, err := readTail(f, "its pack")
	if err != nil {
		return err
	}
	if tail != x.PackSum() {
		return object.Corruptf("its pack ends in checksum %s, the index names %s: cut short or altered", tail, x.PackSum())
	}
	return nil
}

// readTail returns the checksum at the end of a pack, and the pack's size.
func readTail(f *os.File, what string) (tail object.Hash, size int64, err error) {
	st, err := f.Stat()
	if err != nil {
		return tail, 0, err
	}
	size = st.Size()
	if size < int64(HeadSize+TailSize) {
		return tail, 0, object.Corruptf("%s of %d bytes is cut short", what, size)
	}
	_, err = f.ReadAt(tail[:], size-int64(TailSize))
	return tail, size, err
}
