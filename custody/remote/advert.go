package remote

import (
	"fmt"
	"io"
	"net/http"
	"reflect"
	"strings"
	"sync/atomic"

	"github.com/go-git/go-git/v5/plumbing/transport"
)

// MaxAdvert bounds what a peer may send before its list of refs ends: MaxRefs of the longest ref an archive has, some
// 130 bytes, and room. The list is kept in memory.
const MaxAdvert = 16 << 20

// A limitedReader returns an error after left bytes, until it is freed.
type limitedReader struct {
	r    io.Reader
	left int64
	free *atomic.Bool
}

// Read implements io.Reader.
func (b *limitedReader) Read(p []byte) (int, error) {
	if b.free != nil && b.free.Load() {
		return b.r.Read(p)
	}
	if b.left <= 0 {
		return 0, fmt.Errorf("its list of refs is longer than %d bytes", MaxAdvert)
	}
	if int64(len(p)) > b.left {
		p = p[:b.left]
	}
	n, err := b.r.Read(p)
	b.left -= int64(n)
	return n, err
}

// Close closes the reader below, if it is a closer.
func (b *limitedReader) Close() error {
	if c, ok := b.r.(io.Closer); ok {
		return c.Close()
	}
	return nil
}

// limitAdvert bounds what a session reads until the callback free is called. The sessions of file, git and ssh read
// their peer through an exported field, Stdout, of a type that has no name outside its package; those of http are
// limited by their transport.
func limitAdvert(session transport.Session) (free func()) {
	free = func() {}
	v := reflect.Indirect(reflect.ValueOf(session))
	if v.Kind() != reflect.Struct {
		return free
	}
	out := v.FieldByName("Stdout")
	if !out.IsValid() || !out.CanSet() {
		return free
	}
	r, ok := out.Interface().(io.Reader)
	if !ok {
		return free
	}
	b := &limitedReader{r: r, left: MaxAdvert, free: &atomic.Bool{}}
	out.Set(reflect.ValueOf(b))
	return func() { b.free.Store(true) }
}

// An advertLimiter is a round tripper that bounds the responses with a list of refs.
type advertLimiter struct{ next http.RoundTripper }

// RoundTrip implements http.RoundTripper.
func (l advertLimiter) RoundTrip(req *http.Request) (*http.Response, error) {
	res, err := l.next.RoundTrip(req)
	if err == nil && req.Method == http.MethodGet && strings.HasSuffix(req.URL.Path, "/info/refs") {
		res.Body = struct {
			io.Reader
			io.Closer
		}{&limitedReader{r: res.Body, left: MaxAdvert}, res.Body}
	}
	return res, err
}
