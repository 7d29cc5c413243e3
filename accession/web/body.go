package web

import (
	"bufio"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"muniment/text/weburl"
)

// An answer is one response, its body read and decoded.
type answer struct {
	status  int
	header  http.Header
	tls     *tls.ConnectionState
	body    []byte // of a 2xx alone
	encoded int64
	framing string
}

// get sends one request and returns its response. Only the body of a 2xx is read. A body of more than limit bytes is an error, or, with cut,
// ends there.
func (f *fetchSession) get(ctx context.Context, u *url.URL, limit int64, cut bool) (*answer, error) {
	at := u.String()
	if !f.o.AllowPrivate {
		if err := checkHost(u.Hostname()); err != nil {
			return nil, explain(ctx, at, err)
		}
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, at, nil)
	if err != nil {
		return nil, fail(KindURL, "", "the URL at %s cannot be sent", u.Host)
	}
	req.Header.Set("User-Agent", UserAgent)
	req.Header.Set("Accept", "text/html,application/xhtml+xml,text/plain;q=0.9,*/*;q=0.8")
	req.Header.Set("Accept-Encoding", "gzip, deflate")
	resp, err := f.transport.RoundTrip(req)
	if err != nil {
		return nil, explain(ctx, at, err)
	}
	defer resp.Body.Close()
	a := &answer{status: resp.StatusCode, header: resp.Header, tls: resp.TLS, framing: describeFraming(resp)}
	if a.status < 200 || a.status > 299 {
		return a, nil
	}
	if resp.ContentLength > limit && !cut {
		return nil, fail(KindTooLarge, at, "the body has %d bytes, more than %d", resp.ContentLength, limit)
	}
	raw := &counter{r: resp.Body, limit: limit}
	stop := watch(cancel, &raw.n, f.o.Stall)
	defer stop()
	a.body, err = readBody(raw, resp.Header.Values("Content-Encoding"), limit)
	a.encoded = raw.n.Load()
	if err != nil && !(cut && errors.Is(err, errLimit)) {
		return nil, explain(ctx, at, err)
	}
	return a, nil
}

func describeFraming(resp *http.Response) string {
	switch {
	case len(resp.TransferEncoding) > 0:
		return "chunked"
	case resp.ContentLength >= 0:
		return "length"
	}
	return "close"
}

// errLimit is the cause of errors about too many bytes.
var errLimit = errors.New("limit reached")

func tooLarge(limit int64, when string) error {
	e := fail(KindTooLarge, "", "the body has more than %d bytes %s decoding", limit, when)
	e.Err = errLimit
	return e
}

// A counter counts and limits the bytes as they were sent.
type counter struct {
	r     io.Reader
	n     atomic.Int64
	limit int64
	err   error // of the connection, or too many bytes
}

func (c *counter) Read(p []byte) (n int, err error) {
	if room := c.limit - c.n.Load(); room > 0 {
		n, err = c.r.Read(p[:min(int64(len(p)), room)])
		c.n.Add(int64(n))
	} else {
		// One more byte shows a body that is longer than the limit.
		var one [1]byte
		if n, err = io.ReadFull(c.r, one[:]); n > 0 {
			n, err = 0, tooLarge(c.limit, "before")
		}
	}
	if err != nil && !errors.Is(err, io.EOF) {
		c.err = err
	}
	return n, err
}

// watch cancels the request with a KindSlow error when the byte count n grows by
// less than MinProgress within a window, until stop is called.
func watch(cancel context.CancelCauseFunc, n *atomic.Int64, window time.Duration) (stop func()) {
	done := make(chan struct{})
	go func() {
		t := time.NewTicker(window)
		defer t.Stop()
		var last int64
		for {
			select {
			case <-done:
				return
			case <-t.C:
				now := n.Load()
				if now-last < MinProgress {
					cancel(fail(KindSlow, "", "only %d bytes of the body came in %s, want at least %d", now-last, window, MinProgress))
					return
				}
				last = now
			}
		}
	}()
	return func() { close(done) }
}

// readBody reads raw to its end and returns the decoded body. With an error it
// returns the bytes before the error, for robots.txt, of which the beginning
// counts.
func readBody(raw *counter, header []string, limit int64) ([]byte, error) {
	names, err := encodings(header)
	if err != nil {
		return nil, err
	}
	// A bufio.Reader at each layer keeps a decoder from taking bytes beyond the
	// end of its own stream.
	layers := []*bufio.Reader{bufio.NewReader(raw)}
	if _, err := layers[0].Peek(1); errors.Is(err, io.EOF) {
		return nil, nil // nothing, in whatever encoding
	}
	for _, name := range slices.Backward(names) {
		d, err := decoder(name, layers[len(layers)-1])
		if err != nil {
			return nil, encodingError(err, raw, name)
		}
		layers = append(layers, bufio.NewReader(d))
	}
	body, err := drain(layers[len(layers)-1], raw, limit)
	if err != nil {
		return body, encodingError(err, raw, strings.Join(names, ", "))
	}
	for _, layer := range layers {
		if _, err := layer.ReadByte(); err == nil {
			return nil, fail(KindEncoding, "", "bytes follow the compressed body")
		} else if !errors.Is(err, io.EOF) {
			return nil, encodingError(err, raw, strings.Join(names, ", "))
		}
	}
	return body, nil
}

// drain returns the decoded body, read within its limits.
func drain(in io.Reader, raw *counter, limit int64) ([]byte, error) {
	var body bytes.Buffer
	in = io.LimitReader(in, limit+1)
	chunk := make([]byte, 32<<10)
	for {
		n, err := in.Read(chunk)
		body.Write(chunk[:n])
		size, sent := int64(body.Len()), raw.n.Load()
		switch {
		case size > ratioFloor && size/MaxRatio > sent:
			return nil, fail(KindExpansion, "", "%d bytes decode to more than %d, over %d times as many", sent, size, MaxRatio)
		case size > limit:
			return body.Bytes()[:limit], tooLarge(limit, "after")
		case errors.Is(err, io.EOF):
			return body.Bytes(), nil
		case err != nil:
			return body.Bytes(), err
		}
	}
}

// encodings returns the names in Content-Encoding headers, first applied first.
func encodings(header []string) ([]string, error) {
	var names []string
	for name := range strings.SplitSeq(strings.Join(header, ","), ",") {
		name = strings.ToLower(strings.TrimSpace(name))
		switch name {
		case "", "identity":
			continue
		case "x-gzip":
			name = "gzip"
		case "gzip", "deflate":
		default:
			return nil, fail(KindEncoding, "", "the content encoding is %q, want gzip or deflate as asked for", weburl.Printable(name, 60))
		}
		names = append(names, name)
	}
	if len(names) > maxEncodings {
		return nil, fail(KindEncoding, "", "%d content encodings on top of each other, more than %d", len(names), maxEncodings)
	}
	return names, nil
}

// decoder returns a reader that decodes one content encoding. Some servers send deflate without the
// zlib header that RFC 9110 wants.
func decoder(name string, in *bufio.Reader) (io.Reader, error) {
	if name == "gzip" {
		return gzip.NewReader(in)
	}
	head, err := in.Peek(2)
	if err != nil {
		return nil, err
	}
	if head[0]&0x0f == 8 && (int(head[0])<<8|int(head[1]))%31 == 0 {
		return zlib.NewReader(in)
	}
	return flate.NewReader(in), nil
}

// encodingError returns err as an error about damaged compressed data, unless the
// connection broke or a limit was reached.
func encodingError(err error, raw *counter, names string) error {
	var ours *Error
	switch {
	case errors.As(err, &ours):
		return err
	case raw.err != nil:
		return raw.err
	case names == "":
		return err
	}
	return &Error{Kind: KindEncoding, Reason: "the body is not whole " + names + ": " + err.Error(), Err: err}
}
