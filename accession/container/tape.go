package container

import (
	"bufio"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
)

// A tape is the bytes of a tar from first to last.
type tape interface {
	// read fills p, or fails; io.EOF at the end, before any byte.
	read(p []byte) error
	// skip passes over n bytes that must be there.
	skip(ctx context.Context, n int64) error
	// at returns how many bytes have gone by.
	at() int64
}

var errCut = errors.New("cut off")

// A fileTape is a tar that lies open in a file.
type fileTape struct {
	src       io.ReaderAt
	size, pos int64
}

func (t *fileTape) at() int64 { return t.pos }

func (t *fileTape) read(p []byte) error {
	switch left := t.size - t.pos; {
	case left == 0:
		return io.EOF
	case left < int64(len(p)):
		return errCut
	}
	if n, err := t.src.ReadAt(p, t.pos); n < len(p) {
		return err
	}
	t.pos += int64(len(p))
	return nil
}

func (t *fileTape) skip(_ context.Context, n int64) error {
	if n > t.size-t.pos {
		return errCut
	}
	t.pos += n
	return nil
}

// A gzipTape is a tar that is expanded as it goes by.
type gzipTape struct {
	z     *gzip.Reader
	in    *bufio.Reader
	pos   int64
	limit int64 // of the expanded bytes
}

func openGzip(src io.ReaderAt, size int64, lim limits) (*gzipTape, error) {
	in := bufio.NewReaderSize(io.NewSectionReader(src, 0, size), 64<<10)
	z, err := gzip.NewReader(in)
	if err != nil {
		return nil, err
	}
	return &gzipTape{z: z, in: in, limit: lim.expansion(size)}, nil
}

func (t *gzipTape) at() int64 { return t.pos }

// Read counts what goes by and stops at the limit.
func (t *gzipTape) Read(p []byte) (int, error) {
	n, err := t.z.Read(p)
	if t.pos += int64(n); t.pos > t.limit {
		return 0, fmt.Errorf("expands to more than %d bytes", t.limit)
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = errCut
	}
	return n, err
}

func (t *gzipTape) read(p []byte) error {
	_, err := io.ReadFull(t, p)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = errCut
	}
	return err
}

func (t *gzipTape) skip(ctx context.Context, n int64) error {
	for n > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		did, err := io.CopyN(io.Discard, t, min(n, 1<<20))
		if n -= did; errors.Is(err, io.EOF) {
			return errCut
		} else if err != nil {
			return err
		}
	}
	return nil
}

// maxIdle streams are kept between two entries: one for each of a few workers.
const maxIdle = 4

// takeTape returns a stream that stands before offset, the nearest there is.
func (r *Reader) takeTape(offset int64) (*gzipTape, error) {
	r.mu.Lock()
	best := -1
	for i, t := range r.idle {
		if t.pos <= offset && (best < 0 || t.pos > r.idle[best].pos) {
			best = i
		}
	}
	if best >= 0 {
		t := r.idle[best]
		r.idle = append(r.idle[:best], r.idle[best+1:]...)
		r.mu.Unlock()
		return t, nil
	}
	r.mu.Unlock()
	return openGzip(r.src, r.size, r.lim)
}

// giveTape takes a stream back. Of too many, the farthest behind goes.
func (r *Reader) giveTape(t *gzipTape) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return
	}
	r.idle = append(r.idle, t)
	if len(r.idle) > maxIdle {
		last := 0
		for i := range r.idle {
			if r.idle[i].pos < r.idle[last].pos {
				last = i
			}
		}
		r.idle = append(r.idle[:last], r.idle[last+1:]...)
	}
}

func (r *Reader) isClosed() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.closed
}
