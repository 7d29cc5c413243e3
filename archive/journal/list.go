package journal

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"muniment/archive/mark"
	"muniment/objects/disk"
)

// MaxList is the most bytes of a list that are read: 200,000 receipts, or a fixity check every day for two centuries.
const MaxList = 64 << 20

// sumMember begins the checksum of a line of a list, which ends in it.
const sumMember = `,"crc32c":"`

// ReadList returns the entries of a list: a file to which lines are only added, each one JSON
// object. Its last member, crc32c, is the CRC-32C of the line without that member. There are none
// where there is no file. A last line that was cut short, or turned to zeros, was never acknowledged and is passed over.
// For any other line that is not as it was written the error is a *DamagedError; the entries are then those of the sound lines.
//
// Versions before wrote no checksum. Such a line is sound where accept, if it is not nil, accepts its
// entry and the line itself.
func ReadList[T any](path string, accept func(entry T, line []byte) bool) ([]T, error) {
	data, err := disk.ReadOwnPlain(path, MaxList)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	list, _, err := parseList(path, wholeLines(path, data), accept)
	return list, err
}

// parseList returns the entries and the lines of a list that are sound.
func parseList[T any](path string, data []byte, accept func(T, []byte) bool) (list []T, sound []byte, err error) {
	damage, n := &DamagedError{Path: nameOf(path)}, 0
	for line := range bytes.Lines(data) {
		n++
		entry, ok := parseObject(line, accept)
		if !ok {
			damage.Lines = append(damage.Lines, n)
			continue
		}
		list, sound = append(list, entry), append(sound, line...)
	}
	if len(damage.Lines) > 0 {
		return list, sound, damage
	}
	return list, sound, nil
}

// parseObject reads one line of a list.
func parseObject[T any](line []byte, accept func(T, []byte) bool) (entry T, ok bool) {
	text := line
	if at := bytes.LastIndex(line, []byte(sumMember)); at >= 0 {
		text = append(bytes.Clone(line[:at]), "}\n"...)
		if !bytes.Equal(sealObject(text), line) {
			return entry, false
		}
		accept = nil
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&entry); err != nil {
		return entry, false
	}
	if _, err := d.Token(); err != io.EOF || !bytes.HasSuffix(line, []byte("}\n")) {
		return entry, false
	}
	return entry, accept == nil || accept(entry, line)
}

// sealObject returns the line of a JSON object, which is not empty and ends in a line end, with its checksum.
func sealObject(text []byte) []byte {
	object := bytes.TrimSuffix(text, []byte("}\n"))
	return fmt.Appendf(bytes.Clone(object), "%s%08x\"}\n", sumMember, crc32.Checksum(text, castagnoli))
}

// encodeObject returns the line of an entry of a list.
func encodeObject(entry any) ([]byte, error) {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	err := e.Encode(entry)
	return sealObject(text.Bytes()), err
}

// AppendList adds entries, structs with members, to the list at path, which is made where it is absent, and
// returns when they are on the disk. What a crash left of a line is removed first.
func AppendList[T any](path string, hooks disk.Hooks, entries ...T) error {
	var text []byte
	for _, e := range entries {
		line, err := encodeObject(e)
		if err != nil {
			return err
		}
		text = append(text, line...)
	}
	return update(path, "", hooks, func(f *os.File, locked bool) error {
		info, err := f.Stat()
		if err != nil {
			return err
		}
		if mark.WholeSize(path, info.Size()) < info.Size() {
			if text, err = cutTail(path, hooks, f, text, locked); err != nil {
				return err
			}
		}
		if _, err := disk.Disk(hooks).Write(f, text); err != nil {
			return err
		}
		return disk.Disk(hooks).Sync(f)
	})
}

// cutTail removes from a list the end that a crash left of a line, and returns text. An end that was
// acknowledged stays, as a damaged line of its own: text then begins with a line end.
func cutTail(path string, hooks disk.Hooks, f *os.File, text []byte, locked bool) ([]byte, error) {
	data, err := disk.ReadOwnPlain(path, MaxList)
	if err != nil {
		return nil, err
	}
	if whole := wholeLines(path, data); len(whole) < len(data) && locked {
		return text, disk.Disk(hooks).Truncate(f, int64(len(whole)))
	}
	if data[len(data)-1] != '\n' {
		text = append([]byte("\n"), text...)
	}
	return text, nil
}

// MendList writes the sound lines of a damaged list to a new file, after it has kept the damaged file at
// aside, and reports whether there was damage.
func MendList[T any](path string, hooks disk.Hooks, aside string, accept func(entry T, line []byte) bool) (mended bool, err error) {
	if _, err := ReadList(path, accept); err == nil { // or there is no file, and none is to be made
		return false, nil
	}
	err = update(path, "", hooks, func(*os.File, bool) error {
		data, err := disk.ReadOwnPlain(path, MaxList)
		if err != nil {
			return err
		}
		_, sound, err := parseList(path, wholeLines(path, data), accept)
		var damage *DamagedError
		if !errors.As(err, &damage) {
			return err
		}
		if err := hooks.Replace(aside, data, 0o600); err != nil {
			return err
		}
		if err := mark.Forget(filepath.Dir(path), filepath.Base(path)); err != nil {
			return err
		}
		mended = true
		return hooks.Replace(path, sound, 0o600)
	})
	return mended, err
}
