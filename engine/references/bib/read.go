package bib

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// A FileFormat is a file format of reference managers.
type FileFormat string

// The formats.
const (
	BibTeX  FileFormat = "bibtex"
	RIS     FileFormat = "ris"
	CSLJSON FileFormat = "csl-json"
)

// Limits of a file.
const (
	MaxFile    = 64 << 20 // bytes: a library of a hundred thousand entries
	MaxEntries = 200_000
	MaxNames   = 10_000 // of one entry: the largest collaborations have half as many
)

var errLarge = errors.New("larger than a bibliography may be")

// A Row is one entry of a file.
type Row struct {
	Line int    // where the entry begins, from 1
	Key  string // the key or ID that the file gives the entry, else its number from 1
	Item Item
	Err  error // why the entry cannot be read; nil when Item holds it
}

// Detect returns the format of a file: the first line that only one of the
// formats may have decides. It reports false for a file of none of them.
func Detect(data []byte) (FileFormat, bool) {
	data = bytes.TrimSpace(bytes.TrimPrefix(data, []byte("\uFEFF")))
	if len(data) > 0 && (data[0] == '[' || data[0] == '{') {
		return CSLJSON, true
	}
	for line := range bytes.Lines(data) {
		line = bytes.TrimSpace(line)
		name, _, open := strings.Cut(strings.TrimPrefix(string(line[:min(len(line), 80)]), "@"), "{")
		switch {
		case bytes.HasPrefix(line, []byte("TY  -")):
			return RIS, true
		case bytes.HasPrefix(line, []byte("@")) && open && strings.IndexFunc(strings.TrimSpace(name), func(r rune) bool { return r|0x20 < 'a' || r|0x20 > 'z' }) < 0:
			return BibTeX, true
		}
	}
	return "", false
}

// Read reads a file. An entry that cannot be read is a row with an error, and
// the entries behind it are read.
func Read(f FileFormat, data []byte) ([]Row, error) {
	if len(data) > MaxFile {
		return nil, errLarge
	}
	read := map[FileFormat]func([]byte) ([]Row, error){BibTeX: readBibTeX, RIS: readRIS, CSLJSON: readCSL}[f]
	if read == nil {
		return nil, fmt.Errorf("unknown format %q: want bibtex, ris or csl-json", f)
	}
	rows, err := read(bytes.TrimPrefix(data, []byte("\uFEFF")))
	for i := range rows {
		if rows[i].Key == "" {
			rows[i].Key = strconv.Itoa(i + 1)
		}
	}
	return rows, err
}
