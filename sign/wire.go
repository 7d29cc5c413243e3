package sign

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
)

// A reader takes SSH wire fields from the front of rest. The first error
// sticks, and every later field is then empty.
type reader struct {
	rest []byte
	err  error
}

func (r *reader) bytes(what string, n int) []byte {
	if r.err == nil && len(r.rest) < n {
		r.err = fmt.Errorf("%s is cut short: %d bytes left, want %d", what, len(r.rest), n)
	}
	if r.err != nil {
		return make([]byte, n)
	}
	b := r.rest[:n:n]
	r.rest = r.rest[n:]
	return b
}

func (r *reader) uint32(what string) uint32 {
	return binary.BigEndian.Uint32(r.bytes(what, 4))
}

func (r *reader) str(what string) []byte {
	n := r.uint32(what)
	if r.err == nil && uint64(n) > uint64(len(r.rest)) {
		r.err = fmt.Errorf("%s is cut short: %d bytes left, want %d", what, len(r.rest), n)
	}
	if r.err != nil {
		return nil
	}
	return r.bytes(what, int(n))
}

// end returns the sticky error, or one for bytes that were not read.
func (r *reader) end(what string) error {
	if r.err == nil && len(r.rest) > 0 {
		r.err = fmt.Errorf("%d bytes after the end of %s", len(r.rest), what)
	}
	return r.err
}

// appendStr appends s as an SSH wire string.
func appendStr[T string | []byte](b []byte, s T) []byte {
	b = binary.BigEndian.AppendUint32(b, uint32(len(s)))
	return append(b, s...)
}

// decode64 decodes standard base64 with padding and accepts only what the
// encoder writes. (encoding/base64 skips line ends, even in strict mode.)
func decode64(s string) ([]byte, bool) {
	b, err := base64.StdEncoding.DecodeString(s)
	if err != nil || base64.StdEncoding.EncodeToString(b) != s {
		return nil, false
	}
	return b, true
}

// plainASCII reports whether s has 1 to most characters, all printable ASCII
// and none a space.
func plainASCII[T string | []byte](s T, most int) bool {
	if len(s) < 1 || len(s) > most {
		return false
	}
	for i := range len(s) {
		if s[i] <= ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

// clip shortens s for an error message.
func clip[T string | []byte](s T) string {
	const most = 64
	if len(s) > most {
		return string(s[:most]) + "…"
	}
	return string(s)
}
