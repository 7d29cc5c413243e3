package container

import (
	"archive/zip"
	"bufio"
	"bytes"
	"cmp"
	"compress/flate"
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"slices"
	"sync"
)

// Open returns the entry's bytes. What is read ends with io.EOF only if it has
// exactly Size bytes and, where the container keeps one, the right checksum.
// The entries of a tar.gz share a stream: opened in order, one pass serves
// all; out of order, the stream is expanded again from its start.
func (e *Entry) Open() (io.ReadCloser, error) {
	if e.r == nil || e.r.isClosed() {
		return nil, errClosed
	}
	c := &entryReader{e: e, close: func() error { return nil }}
	switch e.r.format {
	case Tar:
		c.src = io.NewSectionReader(e.r.src, e.offset, e.Size)
	case SevenZip, TarGz, TarBz2, TarXz, TarZst:
		if e.r.format == SevenZip && e.folder == nil {
			c.src = bytes.NewReader(nil)
			break
		}
		s, err := e.r.takeStream(e.folder, e.offset)
		if err != nil {
			return nil, err
		}
		if _, err := io.CopyN(io.Discard, s, e.offset-s.pos); err != nil {
			return nil, fmt.Errorf("%q: %w", e.Name, err)
		}
		c.src = io.LimitReader(s, e.Size)
		c.close = func() error {
			if c.err == nil || errors.Is(c.err, io.EOF) {
				e.r.keepStream(s)
			}
			return nil
		}
	case Zip:
		packed, err := e.zip.OpenRaw()
		if err != nil {
			return nil, fmt.Errorf("%q: %w", e.Name, err)
		}
		if c.src = packed; e.zip.Method == zip.Deflate {
			z := newInflater(packed)
			c.src, c.close = z, z.Close
		}
	}
	return c, nil
}

var (
	errLonger = errors.New("more bytes than declared")
	errBehind = errors.New("bytes behind the end of its packed data")
)

// An entryReader reads the bytes of one entry and compares their number and
// checksum with the container's before it returns io.EOF.
type entryReader struct {
	e     *Entry
	src   io.Reader
	n     int64
	sum   uint32
	close func() error
	err   error
}

func (c *entryReader) Read(p []byte) (int, error) {
	if c.err == nil && c.e.r.isClosed() {
		c.err = errClosed
	}
	if c.err != nil || len(p) == 0 {
		return 0, c.err
	}
	n, err := c.src.Read(p)
	if left := c.e.Size - c.n; int64(n) > left {
		n, err = int(left), errLonger
	}
	c.n += int64(n)
	if c.e.digest.there {
		c.sum = crc32.Update(c.sum, crc32.IEEETable, p[:n])
	}
	switch {
	case err == nil:
	case errors.Is(err, io.EOF) && c.n == c.e.Size:
		if c.err = io.EOF; c.e.digest.there && c.sum != c.e.digest.crc {
			c.err = fmt.Errorf("%q has checksum %08x, %08x is declared", c.e.Name, c.sum, c.e.digest.crc)
		}
	case errors.Is(err, errLonger):
		c.err = fmt.Errorf("%q holds more than the %d bytes it declares", c.e.Name, c.e.Size)
	case errors.Is(err, errBehind) && c.n == c.e.Size:
		c.err = fmt.Errorf("%q has %w", c.e.Name, err)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, errBehind):
		c.err = fmt.Errorf("%q ends after %d bytes, %d are declared", c.e.Name, c.n, c.e.Size)
	default:
		c.err = fmt.Errorf("%q at byte %d: %w", c.e.Name, c.n, err)
	}
	return n, c.err
}

func (c *entryReader) Close() error {
	err := c.close()
	c.close = func() error { return nil }
	if c.err == nil {
		c.err = errClosed
	}
	return err
}

// An inflater expands the packed bytes of one entry of a zip and requires that
// none follow the end of the deflated data. The reader of archive/zip allows
// them, and takes a checksum of 0 for none.
type inflater struct {
	packed *bufio.Reader
	z      io.ReadCloser // nil once closed
}

// inflaters are reused: one holds 40 kB.
var inflaters = sync.Pool{New: func() any { return flate.NewReader(nil) }}

func newInflater(packed io.Reader) *inflater {
	f := &inflater{packed: bufio.NewReader(packed), z: inflaters.Get().(io.ReadCloser)}
	f.z.(flate.Resetter).Reset(f.packed, nil) // returns no error
	return f
}

func (f *inflater) Read(p []byte) (int, error) {
	if f.z == nil {
		return 0, errClosed
	}
	n, err := f.z.Read(p)
	if errors.Is(err, io.EOF) {
		if _, more := f.packed.ReadByte(); more == nil {
			return n, errBehind
		}
	}
	return n, err
}

func (f *inflater) Close() error {
	if f.z != nil {
		inflaters.Put(f.z)
		f.z = nil
	}
	return nil
}

// A packedStream is a packed tar, or a folder of a 7z, that is expanded from its
// start.
type packedStream struct {
	z      io.Reader
	folder *sevenFolder // nil of a tar
	pos    int64
	limit  int64 // of the expanded bytes
}

// openStream returns the stream of a folder of a 7z, or of the packed tar where the
// folder is nil.
func (r *Reader) openStream(folder *sevenFolder) (*packedStream, error) {
	if folder == nil {
		return openPacked(r.src, r.size, r.lim)
	}
	z, err := folder.open(r.src)
	return &packedStream{z: z, folder: folder, limit: folder.size}, err
}

func openPacked(src io.ReaderAt, size int64, lim limits) (*packedStream, error) {
	head := make([]byte, min(size, blockSize))
	if _, err := src.ReadAt(head, 0); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	c := compressionOf(head)
	if c == nil {
		return nil, ErrFormat
	}
	z, err := c.open(bufio.NewReaderSize(io.NewSectionReader(src, 0, size), 64<<10))
	if err != nil {
		return nil, err
	}
	return &packedStream{z: z, limit: lim.expansion(size)}, nil
}

// Read counts the expanded bytes and stops at the limit.
func (s *packedStream) Read(p []byte) (int, error) {
	n, err := s.z.Read(p)
	if s.pos += int64(n); s.pos > s.limit {
		return 0, fmt.Errorf("expands to more than %d bytes", s.limit)
	}
	return n, err
}

// scanPacked lists the entries of a packed tar.
func scanPacked(ctx context.Context, src io.ReaderAt, size int64, lim limits) ([]candidate, error) {
	s, err := openPacked(src, size, lim)
	if err != nil {
		return nil, err
	}
	return scanTar(ctx, s, lim)
}

// maxIdle streams are kept between two entries: one for each of a few workers.
const maxIdle = 4

// takeStream returns the idle stream of a folder (nil: of the tar) that is nearest
// before offset, or a new one.
func (r *Reader) takeStream(folder *sevenFolder, offset int64) (*packedStream, error) {
	r.mu.Lock()
	best := -1
	for i, s := range r.idle {
		if s.folder == folder && s.pos <= offset && (best < 0 || s.pos > r.idle[best].pos) {
			best = i
		}
	}
	if best < 0 {
		r.mu.Unlock()
		return r.openStream(folder)
	}
	defer r.mu.Unlock()
	s := r.idle[best]
	r.idle = slices.Delete(r.idle, best, best+1)
	return s, nil
}

// keepStream adds a stream to the idle ones. Of too many, the one nearest to
// its start is dropped. A folder of a 7z that is read to its end keeps no window.
func (r *Reader) keepStream(s *packedStream) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed || s.folder != nil && s.pos == s.folder.size {
		return
	}
	r.idle = append(r.idle, s)
	slices.SortFunc(r.idle, func(a, b *packedStream) int { return cmp.Compare(b.pos, a.pos) })
	r.idle = r.idle[:min(len(r.idle), maxIdle)]
}

func (r *Reader) isClosed() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.closed
}
