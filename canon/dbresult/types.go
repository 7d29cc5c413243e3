package dbresult

import (
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// The tokens of the types.
var (
	integer   = regexp.MustCompile(`^-?(0|[1-9][0-9]*)$`)
	decimal   = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?$`)
	float     = regexp.MustCompile(`^(-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?|NaN|-?Infinity)$`)
	boolean   = regexp.MustCompile(`^(true|false)$`)
	bytesHex  = regexp.MustCompile(`^([0-9a-f]{2})*$`)
	date      = regexp.MustCompile(`^-?[0-9]{4,9}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$`)
	clock     = regexp.MustCompile(`^` + hours + `$`)
	timestamp = regexp.MustCompile(`^-?[0-9]{4,9}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T` + hours + `$`)
)

const hours = `([01][0-9]|2[0-4]):[0-5][0-9]:([0-5][0-9]|60)(\.[0-9]{1,12})?(Z|[+-][0-9]{2}:[0-5][0-9])?`

// types are the tests of the types' tokens. What databases have beyond them,
// intervals or addresses, is text.
var types = map[string]func(string) bool{
	"text":      func(string) bool { return true },
	"integer":   integer.MatchString,
	"decimal":   decimal.MatchString,
	"float":     float.MatchString,
	"boolean":   boolean.MatchString,
	"bytes":     bytesHex.MatchString,
	"date":      date.MatchString,
	"time":      clock.MatchString,
	"timestamp": timestamp.MatchString,
}

// Types returns the types a column may have: boolean (true, false), bytes
// (lower-case hexadecimal), date (1666-09-02), decimal (-1.50), float (a JSON
// number, NaN, Infinity or -Infinity), integer, text, time (03:00:00.5Z) and
// timestamp (1666-09-02T03:00:00+01:00, the zone where there is one).
func Types() []string { return slices.Sorted(maps.Keys(types)) }

// checkText refuses characters that a text cannot contain.
func checkText(s string) error {
	switch {
	case !utf8.ValidString(s):
		return errors.New("the text is not valid UTF-8")
	case strings.IndexByte(s, 0) >= 0:
		return errors.New("the text holds U+0000")
	}
	return nil
}

// CellOf returns the cell for a value as database/sql hands it out: nil, a
// boolean, an integer, a float, a string, bytes or a time. The column's type
// decides how bytes and times are written; a cell that is no token of its type
// is found by New.
func CellOf(v any, columnType string) (Cell, error) {
	switch v := v.(type) {
	default:
		return Cell{}, fmt.Errorf("a value of the Go type %T has no cell", v)
	case nil:
		return Cell{Null: true}, nil
	case string:
		return Cell{Text: v}, nil
	case bool:
		return Cell{Text: strconv.FormatBool(v)}, nil
	case int64:
		return Cell{Text: strconv.FormatInt(v, 10)}, nil
	case float64:
		return Cell{Text: formatFloat(v)}, nil
	case []byte:
		if columnType == "bytes" {
			return Cell{Text: hex.EncodeToString(v)}, nil
		}
		return Cell{Text: string(v)}, nil
	case time.Time:
		return Cell{Text: v.Format(layouts[columnType])}, nil
	}
}

// layouts are how times are written in columns of a type; RFC 3339 elsewhere.
var layouts = map[string]string{
	"date":      time.DateOnly,
	"time":      "15:04:05.999999999Z07:00",
	"timestamp": time.RFC3339Nano,
	"text":      time.RFC3339Nano,
}

// formatFloat writes the shortest token that is read as v again.
func formatFloat(v float64) string {
	switch {
	case math.IsInf(v, 1):
		return "Infinity"
	case math.IsInf(v, -1):
		return "-Infinity"
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}
