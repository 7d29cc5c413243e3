package container

import (
	"bytes"
	"io"
)

// Begins reports whether bytes begin as a container or as a packed file.
func Begins(head []byte) bool {
	return len(head) >= 4 && (le.Uint32(head) == zipLocal || le.Uint32(head) == zipEnd) || bytes.HasPrefix(head, []byte(sevenZipMagic)) ||
		compressionOf(head) != nil || len(head) >= blockSize && isHeader(head[:blockSize])
}

// Detect returns the kind of the container in src, "" if it is none. A tar
// begins with a whole header; a packed file counts only when a tar is in it.
func Detect(src io.ReaderAt, size int64) Format {
	head := make([]byte, min(size, blockSize))
	if n, err := src.ReadAt(head, 0); n < len(head) && err != nil || len(head) < 4 {
		return ""
	}
	switch {
	case le.Uint32(head) == zipLocal || le.Uint32(head) == zipEnd && size >= zipEndLen:
		return Zip
	case bytes.HasPrefix(head, []byte(sevenZipMagic)):
		return SevenZip
	case compressionOf(head) != nil:
		c := compressionOf(head)
		z, err := c.open(io.NewSectionReader(src, 0, size))
		if err != nil {
			return ""
		}
		block := make([]byte, blockSize)
		if _, err := io.ReadFull(z, block); err != nil || !isHeader(block) {
			return ""
		}
		return c.format
	case isHeader(head):
		return Tar
	}
	return ""
}
