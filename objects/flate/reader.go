package flate

import (
	"bufio"
	"errors"
	"io"
	"io/fs"
	"sync"

	"github.com/klauspost/compress/zlib"

	"muniment/objects/object"
)

// maxRatio is the most that deflate can shrink: a stream that would grow by
// more is announced with a wrong size.
const maxRatio = 1032

// sourceBuffer is one read of a pack: most entries fit.
const sourceBuffer = 4 << 10

// A Reader inflates zlib streams that lie one after another, or among other
// bytes, in a source. It reads no byte of the source beyond its buffer, and is
// used by one goroutine.
type Reader struct {
	in *bufio.Reader
	z  io.ReadCloser
}

var readers = sync.Pool{New: func() any { return NewReader(nil, sourceBuffer) }}

// NewReader returns a Reader of src that reads at least buffer bytes at a time.
func NewReader(src io.Reader, buffer int) *Reader {
	return &Reader{in: bufio.NewReaderSize(src, buffer)}
}

// Borrow returns a Reader of src that others have used before. Its buffer is
// made for the entries of a pack; Return gives it back.
func Borrow(src io.Reader) *Reader {
	r := readers.Get().(*Reader)
	r.in.Reset(src)
	return r
}

// Return ends the use of a Reader that Borrow returned.
func (r *Reader) Return() {
	r.in.Reset(nil)
	readers.Put(r)
}

// Peek returns the next n bytes of the source, at most the buffer, as they are.
func (r *Reader) Peek(n int) ([]byte, error) { return r.in.Peek(n) }

// Discard skips n bytes of the source.
func (r *Reader) Discard(n int) error {
	_, err := r.in.Discard(n)
	return err
}

// Buffered returns how many bytes were read from the source and not used.
func (r *Reader) Buffered() int { return r.in.Buffered() }

// Next begins the stream at the next byte of the source. [Reader.Read] then
// returns its content.
func (r *Reader) Next() error {
	var err error
	if r.z == nil {
		r.z, err = zlib.NewReader(r.in)
	} else {
		err = r.z.(zlib.Resetter).Reset(r.in, nil)
	}
	return streamError(err)
}

// Read returns content of the stream that Next began, and io.EOF after its end once the checksum is
// known to be right.
func (r *Reader) Read(p []byte) (int, error) {
	n, err := r.z.Read(p)
	if err == io.EOF {
		return n, err
	}
	return n, streamError(err)
}

// Content returns the content of the stream at the next byte of the source,
// in room if it fits. size is what its header claims, follow how many bytes the
// stream can take at most: a stream of another size is an error, and so is a
// size that follow bytes cannot make.
func (r *Reader) Content(size, follow int64, room []byte) ([]byte, error) {
	if size > object.MaxSize || follow*maxRatio < size {
		return nil, object.Corruptf("entry of %d bytes cannot come from the %d that follow", size, follow)
	}
	if err := r.Next(); err != nil {
		return nil, err
	}
	return readAll(r.z, int(size), room)
}

// readAll returns the content of a stream of exactly size bytes, in room if it
// fits.
func readAll(z io.Reader, size int, room []byte) ([]byte, error) {
	data := room[:0]
	if size > cap(room) {
		data = make([]byte, size)
	}
	data = data[:size]
	if _, err := io.ReadFull(z, data); err != nil {
		return nil, streamError(err)
	}
	// The checksum is read only with the end.
	var more [1]byte
	if n, err := z.Read(more[:]); n != 0 || err == nil {
		return nil, object.Corruptf("deflated bytes go on after the %d announced", size)
	} else if err != io.EOF {
		return nil, streamError(err)
	}
	return data, nil
}

// ContentAt returns the size bytes of the stream that begins at an offset of r
// and ends before end.
func ContentAt(r io.ReaderAt, offset, end, size int64) ([]byte, error) {
	f := Borrow(io.NewSectionReader(r, offset, end-offset))
	defer f.Return()
	return f.Content(size, end-offset, nil)
}

// streamError returns err of a failing disk as it is, and any other as damage.
func streamError(err error) error {
	var path *fs.PathError
	if err == nil || errors.As(err, &path) {
		return err
	}
	return object.Corruptf("deflated bytes are damaged: %v", err)
}
