package sourcemeta

import (
	"fmt"
	"strconv"
)

// maxErrors is how many defects of one file are reported at once.
const maxErrors = 20

// An Error is one defect of a sidecar or registry.
type Error struct {
	File   string
	Line   int    // from 1; 0 when the file as a whole is meant
	Field  string // "" when no single field is meant
	Reason string // saw against wanted; begins with the field, if there is one
}

func (e *Error) Error() string {
	if e.Line == 0 {
		return e.File + ": " + e.Reason
	}
	return e.File + ":" + strconv.Itoa(e.Line) + ": " + e.Reason
}

// Errors are the defects of one file in the order of its lines, one at least.
type Errors []*Error

func (e Errors) Error() string {
	switch len(e) {
	case 0:
		return "no defects"
	case 1:
		return e[0].Error()
	case maxErrors:
		return e[0].Error() + ", and " + strconv.Itoa(len(e)-1) + " or more other defects"
	}
	return e[0].Error() + ", and " + strconv.Itoa(len(e)-1) + " more"
}

// Unwrap returns every defect.
func (e Errors) Unwrap() []error {
	out := make([]error, len(e))
	for i, one := range e {
		out[i] = one
	}
	return out
}

// defects collects the Errors of one file.
type defects struct {
	file string
	list Errors   // of the file
	rows []*Error // of rows, which are left out; the first one of each
	full bool     // too many rows have a defect
}

// addRow adds a defect of a row, unless the row has one already.
func (d *defects) addRow(line int, field, format string, args ...any) {
	if n := len(d.rows); n == 0 || d.rows[n-1].Line != line {
		d.refuse(line, field, format, args...)
	}
}

// refuse adds a defect of a row that has none. Too many of them are a defect of the file.
func (d *defects) refuse(line int, field, format string, args ...any) {
	switch n := len(d.rows); {
	case d.full:
	case n == maxRefused:
		d.full = true
		d.add(line, "", "more than %d rows have a defect, the first in line %d: %s", maxRefused, d.rows[0].Line, d.rows[0].Reason)
	default:
		d.rows = append(d.rows, &Error{d.file, line, field, fmt.Sprintf(format, args...)})
	}
}

func (d *defects) add(line int, field, format string, args ...any) {
	if len(d.list) < maxErrors {
		d.list = append(d.list, &Error{d.file, line, field, fmt.Sprintf(format, args...)})
	}
}

func (d *defects) err() error {
	if len(d.list) == 0 {
		return nil
	}
	return d.list
}
