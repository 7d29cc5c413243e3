package container

import (
	"bufio"
	"compress/flate"
	"context"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
	"sync"
)

// checked reads the bytes of one entry and vouches for their number and
// checksum before it says io.EOF.
type checked struct {
	e     *Entry
	r     io.Reader
	n     int64
	sum   hash.Hash32  // of a zip
	rest  func() error // that nothing follows in the packed bytes, of a zip
	close func()
	err   error
}

func (c *checked) Read(p []byte) (int, error) {
	if c.err != nil {
		return 0, c.err
	}
	if len(p) == 0 {
		return 0, nil
	}
	if c.n%(1<<20) == 0 && c.e.r.isClosed() {
		c.err = errClosed
		return 0, c.err
	}
	left := c.e.Size - c.n
	if left == 0 {
		c.err = c.finish()
		return 0, c.err
	}
	if int64(len(p)) > left {
		p = p[:left]
	}
	n, err := c.r.Read(p)
	c.n += int64(n)
	if c.sum != nil {
		c.sum.Write(p[:n])
	}
	switch {
	case err == nil || errors.Is(err, io.EOF) && c.n == c.e.Size:
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		c.err = fmt.Errorf("%q ends after %d bytes, %d are declared", c.e.Name, c.n, c.e.Size)
	default:
		c.err = fmt.Errorf("%q at byte %d: %w", c.e.Name, c.n, err)
	}
	return n, c.err
}

// finish returns io.EOF if the entry is what it was said to be.
func (c *checked) finish() error {
	if c.sum == nil {
		return io.EOF
	}
	var more [1]byte
	for range 2 {
		n, err := c.r.Read(more[:])
		if n > 0 {
			return fmt.Errorf("%q holds more than the %d bytes it declares", c.e.Name, c.e.Size)
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return fmt.Errorf("%q at byte %d: %w", c.e.Name, c.n, err)
		}
	}
	if err := c.rest(); err != nil {
		return err
	}
	if sum := c.sum.Sum32(); sum != c.e.crc {
		return fmt.Errorf("%q has checksum %08x, %08x is declared", c.e.Name, sum, c.e.crc)
	}
	return io.EOF
}

func (c *checked) Close() error {
	if c.close != nil {
		c.close()
		c.close = nil
	}
	if c.err == nil {
		c.err = errClosed
	}
	return nil
}

// inflaters are reused: one holds 40 kB.
var inflaters = sync.Pool{New: func() any { return flate.NewReader(nil) }}

func (e *Entry) openZip() (io.ReadCloser, error) {
	packed := bufio.NewReader(io.NewSectionReader(e.r.src, e.offset, e.packed))
	c := &checked{e: e, r: packed, sum: crc32.NewIEEE(), rest: func() error {
		if _, err := packed.ReadByte(); err == nil {
			return fmt.Errorf("%q has bytes behind the end of its packed data", e.Name)
		}
		return nil
	}}
	if e.method == zipDeflate {
		z := inflaters.Get().(io.ReadCloser)
		if err := z.(flate.Resetter).Reset(packed, nil); err != nil {
			return nil, err
		}
		c.r, c.close = z, func() { inflaters.Put(z) }
	}
	return c, nil
}

func (e *Entry) openGzip() (io.ReadCloser, error) {
	t, err := e.r.takeTape(e.offset)
	if err != nil {
		return nil, err
	}
	if err := t.skip(context.Background(), e.offset-t.pos); err != nil {
		return nil, fmt.Errorf("%q: %w", e.Name, err)
	}
	c := &checked{e: e, r: t}
	c.close = func() {
		if c.err == nil || errors.Is(c.err, io.EOF) {
			e.r.giveTape(t)
		}
	}
	return c, nil
}
