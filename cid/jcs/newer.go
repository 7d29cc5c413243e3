package jcs

import (
	"fmt"
	"strconv"
	"strings"
)

// A NewerError reports bytes of a type that no version of this program reads, and that a
// later one may: docs/spec/versions.md. What a reader makes of it is NOT-CHECKED, and only
// where the bytes hash to their name and what names them is signed.
type NewerError struct {
	Type string // such as muniment/leaf/v3
}

// Error says which version reads the bytes.
func (e *NewerError) Error() string {
	base, version, _ := splitType(e.Type)
	return fmt.Sprintf("made by a newer program; version %d of %s reads it", version, base)
}

// Newer returns a *NewerError where the type saw has the name of the known types, which
// have one name, and a higher version than each of them; else nil.
func Newer(saw string, known ...string) *NewerError {
	base, version, ok := splitType(saw)
	for _, k := range known {
		name, read, _ := splitType(k)
		ok = ok && name == base && read < version
	}
	if !ok {
		return nil
	}
	return &NewerError{saw}
}

// maxVersion is the highest version that a type can have: six digits.
const maxVersion = 999999

// splitType splits a type, such as muniment/leaf/v3, into its name and its version.
func splitType(s string) (base string, version int, ok bool) {
	at := strings.LastIndex(s, "/v")
	if at <= 0 {
		return "", 0, false
	}
	version, err := strconv.Atoi(s[at+2:])
	return s[:at], version, err == nil && version >= 1 && version <= maxVersion && strconv.Itoa(version) == s[at+2:]
}
