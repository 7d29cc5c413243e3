package archive

import (
	"errors"
	"fmt"
	"hash/crc32"
	"strings"
)

// noteSums is the table of the checksum of a note.
var noteSums = crc32.MakeTable(crc32.Castagnoli)

// noteSeal begins the last line of a note of lines: the CRC-32C of the lines before it.
const noteSeal = "crc32c "

// errNote is the error of a note that is not as it was written.
var errNote = errors.New("it does not have the checksum that it ends in, or was emptied or cut short")

// sealNote returns a note of lines with its checksum.
func sealNote(text string) []byte {
	return fmt.Appendf([]byte(text), "%s%08x\n", noteSeal, crc32.Checksum([]byte(text), noteSums))
}

// openNote returns the lines of a note. sealed is false for one of a version that wrote no
// checksum, which is read as it is but for an empty one or one that was cut short.
func openNote(data []byte) (text string, sealed bool, err error) {
	note := string(data)
	at := strings.LastIndex(note, noteSeal)
	switch {
	case at >= 0 && string(sealNote(note[:at])) == note:
		return note[:at], true, nil
	case at >= 0, note == "", !strings.HasSuffix(note, "\n"):
		return "", false, errNote
	}
	return note, false, nil
}
