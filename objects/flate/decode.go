package flate

import (
	"bytes"
	"io"
	"sync"

	"github.com/klauspost/compress/zlib"
)

// A decoder inflates streams that are in memory as a whole. It is used by one
// goroutine at a time.
type decoder struct {
	in bytes.Reader
	z  io.ReadCloser
}

var decoders = sync.Pool{New: func() any { return new(decoder) }}

// Decode returns the size bytes of the zlib stream that begins at the start of
// b, in room if they fit. ok is false when the stream is damaged, has another
// size or does not end within b; a [Reader] says which.
func Decode(b []byte, size int, room []byte) (data []byte, ok bool) {
	d := decoders.Get().(*decoder)
	defer decoders.Put(d)
	d.in.Reset(b)
	defer d.in.Reset(nil)
	var err error
	if d.z == nil {
		d.z, err = zlib.NewReader(&d.in)
	} else {
		err = d.z.(zlib.Resetter).Reset(&d.in, nil)
	}
	if err != nil {
		return nil, false
	}
	data, err = readAll(d.z, size, room)
	return data, err == nil
}
