package payloads_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"muniment/archive/payloads"
	"muniment/archive/payloads/gateway"
)

// server is the S3 server of all tests; missing says why there is none.
var (
	server  *gateway.Gateway
	missing error
)

func TestMain(m *testing.M) {
	ctx := context.Background()
	path, err := gateway.Build(ctx)
	folder := ""
	if err == nil {
		if folder, err = os.MkdirTemp("", "gateway"); err == nil {
			server, err = gateway.Start(ctx, path, folder)
		}
	}
	if missing = err; err == nil {
		os.Setenv("AWS_ACCESS_KEY_ID", server.Access)
		os.Setenv("AWS_SECRET_ACCESS_KEY", server.Secret)
	}
	code := m.Run()
	if server != nil {
		server.Stop()
	}
	os.RemoveAll(folder)
	os.Exit(code)
}

// needServer skips a test where no server could be built.
func needServer(t *testing.T) {
	t.Helper()
	if missing != nil {
		t.Skipf("no S3 server: %v", missing)
	}
}

// open returns the store of the server at an endpoint, under a prefix of the test's own.
func open(t *testing.T, endpoint string) *payloads.Store {
	t.Helper()
	prefix := strings.NewReplacer("/", "-", " ", "-").Replace(t.Name())
	s, err := payloads.Open(payloads.Config{Address: "s3://" + server.Bucket + "/" + prefix, Endpoint: endpoint, Above: payloads.MinAbove},
		payloads.Options{RequestTime: 2 * time.Second, Pause: 10 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// noise returns n bytes that are the same in every run.
func noise(n int, seed byte) []byte {
	b := make([]byte, n)
	rand.NewChaCha8([32]byte{seed}).Read(b)
	return b
}

func TestStore(t *testing.T) {
	needServer(t)
	ctx, s := context.Background(), open(t, server.Endpoint)
	for i, size := range []int{1, 70_000, payloads.MaxObject} {
		data := noise(size, byte(i))
		digest := sha256.Sum256(data)
		if _, err := s.Get(ctx, digest, payloads.MaxObject); !errors.Is(err, payloads.ErrAbsent) {
			t.Fatalf("before it was put: %v", err)
		}
		for _, want := range []bool{true, false} {
			if sent, err := s.Put(ctx, data); err != nil || sent != want {
				t.Fatalf("put: sent %v, %v", sent, err)
			}
		}
		if got, err := s.Get(ctx, digest, payloads.MaxObject); err != nil || !bytes.Equal(got, data) {
			t.Fatalf("get: %d bytes, %v", len(got), err)
		}
	}
	for _, size := range []int{0, payloads.MaxObject + 1} {
		if _, err := s.Put(ctx, make([]byte, size)); err == nil {
			t.Errorf("%d bytes were put", size)
		}
	}
}

// What somebody changes in the bucket is noticed, and Replace mends it.
func TestStoreWrongBytes(t *testing.T) {
	needServer(t)
	ctx, s := context.Background(), open(t, server.Endpoint)
	data := noise(100_000, 7)
	digest := sha256.Sum256(data)
	if _, err := s.Put(ctx, data); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(server.Folder, t.Name(), filepath.FromSlash(payloads.Key(digest)))
	for name, wrong := range map[string][]byte{"a bit": append([]byte{data[0] ^ 1}, data[1:]...), "short": data[:99_999], "long": append(bytes.Clone(data), 0)} {
		if err := os.WriteFile(file, wrong, 0o644); err != nil {
			t.Fatal(err)
		}
		if got, err := s.Get(ctx, digest, payloads.MaxObject); got != nil || !errors.Is(err, payloads.ErrWrongBytes) {
			t.Errorf("%s: %d bytes, %v", name, len(got), err)
		}
		if err := s.Replace(ctx, data); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Get(ctx, digest, payloads.MaxObject); err != nil {
			t.Errorf("%s, replaced: %v", name, err)
		}
	}
}

// A fault is what a proxy before the server does to a request. It returns whether it has
// answered.
type fault func(w http.ResponseWriter, r *http.Request, n int64) bool

// cut closes the connection of a request.
func cut(w http.ResponseWriter) {
	conn, _, err := w.(http.Hijacker).Hijack()
	if err == nil {
		conn.Close()
	}
}

// faulty returns the endpoint of a proxy before the server and the counter of its
// requests.
func faulty(t *testing.T, f fault, change func(*http.Response) error) (string, *atomic.Int64) {
	target, err := url.Parse(server.Endpoint)
	if err != nil {
		t.Fatal(err)
	}
	pass := &httputil.ReverseProxy{ModifyResponse: change, Rewrite: func(r *httputil.ProxyRequest) {
		r.Out.URL.Scheme, r.Out.URL.Host, r.Out.Host = target.Scheme, target.Host, r.In.Host
	}, ErrorHandler: func(w http.ResponseWriter, _ *http.Request, _ error) { cut(w) }}
	var n atomic.Int64
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if k := n.Add(1); f == nil || !f(w, r, k) {
			pass.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(proxy.Close)
	return proxy.URL, &n
}

// body replaces the body of answers to GET.
func body(change func([]byte) []byte) func(*http.Response) error {
	return func(r *http.Response) error {
		if r.Request.Method != http.MethodGet || r.StatusCode != http.StatusOK {
			return nil
		}
		data, err := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(change(data)))
		return err
	}
}

// Whatever happens between client and server, Get returns the right bytes or an error,
// and Put returns nil only where the server has them.
func TestStoreFaults(t *testing.T) {
	needServer(t)
	slow := func(w http.ResponseWriter, r *http.Request, _ int64) bool {
		select {
		case <-r.Context().Done():
		case <-time.After(5 * time.Second):
		}
		return true
	}
	refuse := func(code int) fault {
		return func(w http.ResponseWriter, _ *http.Request, _ int64) bool { w.WriteHeader(code); return true }
	}
	only := func(method string, f fault) fault {
		return func(w http.ResponseWriter, r *http.Request, n int64) bool { return r.Method == method && f(w, r, n) }
	}
	gone := func(w http.ResponseWriter, _ *http.Request, _ int64) bool { cut(w); return true }
	twice := func(f fault) fault { // then it works
		return func(w http.ResponseWriter, r *http.Request, n int64) bool { return n <= 2 && f(w, r, n) }
	}
	for _, c := range []struct {
		name     string
		fault    fault
		change   func(*http.Response) error
		put, get error // wanted; nil: it works
	}{
		{"sound", nil, nil, nil, nil},
		{"cut", gone, nil, payloads.ErrUnavailable, payloads.ErrUnavailable},
		{"cut-twice", twice(gone), nil, nil, nil},
		{"error-500-twice", twice(refuse(500)), nil, nil, nil},
		{"error-503", refuse(503), nil, payloads.ErrUnavailable, payloads.ErrUnavailable},
		{"denied", refuse(403), nil, payloads.ErrDenied, payloads.ErrDenied},
		{"slow", slow, nil, payloads.ErrUnavailable, payloads.ErrUnavailable},
		{"put-cut", only("PUT", gone), nil, payloads.ErrUnavailable, payloads.ErrAbsent},
		{"put-swallowed", only("PUT", refuse(200)), nil, payloads.ErrAbsent, payloads.ErrAbsent},
		{"get-cut-in-the-middle", nil, body(func(b []byte) []byte { return b[:len(b)/2] }), nil, payloads.ErrUnavailable},
		{"get-wrong-byte", nil, body(func(b []byte) []byte { b[len(b)-1] ^= 1; return b }), nil, payloads.ErrWrongBytes},
		{"get-other", nil, body(func(b []byte) []byte { return noise(len(b), 99) }), nil, payloads.ErrWrongBytes},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			endpoint, _ := faulty(t, c.fault, c.change)
			s, ctx := open(t, endpoint), context.Background()
			data := noise(300_000, byte(len(c.name)))
			digest := sha256.Sum256(data)
			_, err := s.Put(ctx, data)
			if !errors.Is(err, c.put) {
				t.Fatalf("put: %v, want %v", err, c.put)
			}
			if got, there := open(t, server.Endpoint).Get(ctx, digest, payloads.MaxObject); err == nil && (there != nil || !bytes.Equal(got, data)) {
				t.Fatalf("what was acknowledged is not there: %v", there)
			}
			got, err := s.Get(ctx, digest, payloads.MaxObject)
			if !errors.Is(err, c.get) || err == nil && !bytes.Equal(got, data) || err != nil && got != nil {
				t.Fatalf("get: %d bytes, %v, want %v", len(got), err, c.get)
			}
			if err != nil && (strings.Contains(err.Error(), server.Secret) || strings.Contains(err.Error(), server.Access)) {
				t.Errorf("a credential is in the text of an error: %v", err)
			}
		})
	}
}

// An answer that does not end is cut where the pointer's size ends, whether the server
// states a length or not, and is told apart from one that was cut off.
func TestStoreEndless(t *testing.T) {
	const size = 1000
	for name, length := range map[string]string{"without a length": "", "with one": "9000000"} {
		var sent atomic.Int64
		endless := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Last-Modified", "Mon, 02 Jan 2006 15:04:05 GMT")
			w.Header().Set("ETag", `"1"`)
			if length != "" {
				w.Header().Set("Content-Length", length)
			}
			piece := noise(size, 1)
			for r.Context().Err() == nil && sent.Load() < 64<<20 {
				n, err := w.Write(piece)
				if sent.Add(int64(n)); err != nil {
					return
				}
			}
		}))
		t.Setenv("AWS_ACCESS_KEY_ID", "a")
		t.Setenv("AWS_SECRET_ACCESS_KEY", "b")
		s, err := payloads.Open(payloads.Config{Address: "s3://museum/letters", Endpoint: endless.URL, Above: payloads.MinAbove}, payloads.Options{RequestTime: 2 * time.Second, Pause: time.Millisecond})
		if err != nil {
			t.Fatal(err)
		}
		got, err := s.Get(context.Background(), sha256.Sum256(noise(size, 1)), size)
		endless.Close()
		// What lies in the buffers of a loopback connection is sent and never read.
		const buffers = 6 << 20
		if got != nil || !errors.Is(err, payloads.ErrWrongBytes) || sent.Load() > buffers {
			t.Errorf("%s: %d bytes, %v, after %d bytes were sent", name, len(got), err, sent.Load())
		}
	}
}

// An interrupted request ends at once.
func TestStoreInterrupted(t *testing.T) {
	needServer(t)
	endpoint, n := faulty(t, func(w http.ResponseWriter, r *http.Request, _ int64) bool { <-r.Context().Done(); return true }, nil)
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	begin := time.Now()
	if _, err := open(t, endpoint).Get(ctx, [32]byte{1}, payloads.MaxObject); !errors.Is(err, context.DeadlineExceeded) || n.Load() != 1 || time.Since(begin) > time.Minute {
		t.Errorf("%v after %d requests and %v", err, n.Load(), time.Since(begin))
	}
}

func TestConfig(t *testing.T) {
	good := payloads.Config{Address: "s3://museum/letters/2026", Endpoint: "https://s3.example.org", Above: payloads.MinAbove}
	if err := good.Check(); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*payloads.Config){
		"no scheme":              func(c *payloads.Config) { c.Address = "museum/letters" },
		"no bucket":              func(c *payloads.Config) { c.Address = "s3://" },
		"upper case":             func(c *payloads.Config) { c.Address = "s3://Museum" },
		"dots in the prefix":     func(c *payloads.Config) { c.Address = "s3://museum/../letters" },
		"a query in the address": func(c *payloads.Config) { c.Address = "s3://museum/letters?key=1" },
		"a password":             func(c *payloads.Config) { c.Endpoint = "https://ada:secret@s3.example.org" },
		"a path":                 func(c *payloads.Config) { c.Endpoint = "https://s3.example.org/minio" },
		"in the clear":           func(c *payloads.Config) { c.Endpoint = "http://s3.example.org" },
		"no endpoint":            func(c *payloads.Config) { c.Endpoint = "" },
		"too small":              func(c *payloads.Config) { c.Above = payloads.MinAbove - 1 },
		"a region of two lines":  func(c *payloads.Config) { c.Region = "a\nb" },
	} {
		c := good
		change(&c)
		if err := c.Check(); err == nil {
			t.Errorf("%s: accepted", name)
		} else if strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestNoCredentials(t *testing.T) {
	t.Setenv("AWS_ACCESS_KEY_ID", "")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "")
	t.Setenv("HOME", t.TempDir())
	if _, err := payloads.Open(payloads.Config{Address: "s3://museum", Endpoint: "http://127.0.0.1:1", Above: payloads.MinAbove}, payloads.Options{}); !errors.Is(err, payloads.ErrNoCredentials) {
		t.Errorf("%v, want %v", err, payloads.ErrNoCredentials)
	}
}
