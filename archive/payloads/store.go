// Package payloads keeps large payloads in a bucket that speaks S3.
//
// A Store puts and gets objects of at most layout.MaxBlob bytes, each named by the
// sha256 of its bytes. What Get returns has been hashed; what Put returned nil for the
// server has acknowledged and shown again. The two calls most people need are
//
//	store, err := payloads.Open(payloads.Config{Address: "s3://museum/letters", Endpoint: "https://s3.example.org"}, payloads.Options{})
//	data, err := store.Get(ctx, digest, size)
//
// Credentials come from the environment and the user's own file and are neither stored
// nor printed. A Store knows no archive and no pointer. The specification is
// docs/spec/payload-store.md.
package payloads

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
)

// Limits of a store.
const (
	// MaxObject is the largest object in bytes: what a reader holds before it knows
	// that the bytes are right.
	MaxObject = 8 << 20

	// attempts is how often a request is made whose connection failed: a short
	// outage passes, a wrong address does not keep anybody waiting.
	attempts = 3

	// requestTime ends a request: 8 MiB at 70 kB a second.
	requestTime = 2 * time.Minute

	// firstPause is the time before the second attempt; it doubles with each.
	firstPause = 200 * time.Millisecond
)

// Options change how a Store is used. The zero value waits as long as the package
// thinks right.
type Options struct {
	RequestTime time.Duration // the end of one request; 0 is two minutes
	Pause       time.Duration // before the second attempt; 0 is 200 ms
}

// A Store is a bucket, or a part of one. Its methods may be called from any goroutine.
type Store struct {
	config  Config
	bucket  string
	prefix  string // "" or ends in a slash
	options Options
	client  *minio.Core
}

// Open returns the store of a configuration. Nothing is sent before the first call.
func Open(c Config, o Options) (*Store, error) {
	where, err := c.parse()
	if err != nil {
		return nil, err
	}
	keys := credentials.NewChainCredentials([]credentials.Provider{
		&credentials.EnvAWS{}, &credentials.FileAWSCredentials{Profile: c.Profile},
	})
	if got, err := keys.GetWithContext(nil); err != nil || got.SignerType.IsAnonymous() || got.AccessKeyID == "" {
		return nil, &Error{Address: c.Address, Err: ErrNoCredentials}
	}
	o.RequestTime, o.Pause = orDefault(o.RequestTime, requestTime), orDefault(o.Pause, firstPause)
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.ResponseHeaderTimeout = o.RequestTime
	transport.DisableCompression = true // the bytes are the object's
	client, err := minio.NewCore(where.host, &minio.Options{Creds: keys, Secure: where.secure, Region: where.region,
		Transport: transport, BucketLookup: minio.BucketLookupPath, MaxRetries: 1})
	if err != nil {
		return nil, &Error{Address: c.Address, Err: err}
	}
	return &Store{config: c, bucket: where.bucket, prefix: where.prefix, options: o, client: client}, nil
}

func orDefault(d, standard time.Duration) time.Duration {
	if d == 0 {
		return standard
	}
	return d
}

// Config returns the configuration of the store.
func (s *Store) Config() Config { return s.config }

// Key returns the key of an object below the prefix of a store, by the rule sha256@1.
func Key(digest [32]byte) string {
	h := hex.EncodeToString(digest[:])
	return "sha256/" + h[:2] + "/" + h[2:4] + "/" + h[4:]
}

// Size returns the size of an object in bytes as the server states it. An object that
// is not there is ErrAbsent.
func (s *Store) Size(ctx context.Context, digest [32]byte) (int64, error) {
	var size int64
	err := s.try(ctx, digest, func(ctx context.Context) error {
		info, err := s.client.StatObject(ctx, s.bucket, s.prefix+Key(digest), minio.StatObjectOptions{})
		size = info.Size
		return err
	})
	return size, err
}

// Put sends bytes unless the store has an object of their name and size, and returns
// nil only when the server then shows it. It reports whether it sent them.
func (s *Store) Put(ctx context.Context, data []byte) (sent bool, err error) {
	if len(data) == 0 || len(data) > MaxObject {
		return false, fmt.Errorf("an object has 1 to %d bytes, not %d", MaxObject, len(data))
	}
	digest := sha256.Sum256(data)
	switch size, err := s.Size(ctx, digest); {
	case err == nil && size == int64(len(data)):
		return false, nil
	case err != nil && !errors.Is(err, ErrAbsent):
		return false, err
	}
	return true, s.Replace(ctx, data)
}

// Replace sends bytes whether or not the store has an object of their name, whose bytes
// may be wrong, and reads the object back.
func (s *Store) Replace(ctx context.Context, data []byte) error {
	digest := sha256.Sum256(data)
	err := s.try(ctx, digest, func(ctx context.Context) error {
		_, err := s.client.PutObject(ctx, s.bucket, s.prefix+Key(digest), bytes.NewReader(data), int64(len(data)), "", hex.EncodeToString(digest[:]),
			minio.PutObjectOptions{ContentType: "application/octet-stream", DisableMultipart: true})
		return err
	})
	if err != nil {
		return err
	}
	size, err := s.Size(ctx, digest)
	if err == nil && size != int64(len(data)) {
		err = &Error{Address: s.config.Address, Key: Key(digest), Err: fmt.Errorf("%w: %d bytes were sent and it has %d", ErrWrongBytes, len(data), size)}
	}
	return err
}

// Get returns an object of at most limit bytes, which is what its pointer leaves for it.
// Its bytes have the sha256 digest; other bytes, and more of them, are ErrWrongBytes, and
// an object that is not there is ErrAbsent. No more than a byte above the limit is read.
func (s *Store) Get(ctx context.Context, digest [32]byte, limit int64) ([]byte, error) {
	limit = min(limit, MaxObject)
	var data []byte
	err := s.try(ctx, digest, func(ctx context.Context) error {
		body, info, _, err := s.client.GetObject(ctx, s.bucket, s.prefix+Key(digest), minio.GetObjectOptions{})
		if err != nil {
			return err
		}
		defer body.Close()
		if info.Size > limit {
			return fmt.Errorf("%w: it has %d bytes, and its pointer allows at most %d", ErrWrongBytes, info.Size, limit)
		}
		data, err = io.ReadAll(io.LimitReader(body, limit+1))
		switch {
		case err != nil:
			return err
		case int64(len(data)) > limit:
			return fmt.Errorf("%w: the answer goes on after %d bytes, and its pointer allows no more", ErrWrongBytes, limit)
		case info.Size >= 0 && int64(len(data)) < info.Size:
			return io.ErrUnexpectedEOF
		case sha256.Sum256(data) != digest:
			return fmt.Errorf("%w: they have the sha256 %x", ErrWrongBytes, sha256.Sum256(data))
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return data, nil
}

// try makes a request, again where its connection fails, and returns what is wrong as
// an Error.
func (s *Store) try(ctx context.Context, digest [32]byte, request func(context.Context) error) error {
	if s.client == nil {
		return errors.New("the payload store is not open: Open returns one")
	}
	pause := s.options.Pause
	for n := 1; ; n++ {
		one, cancel := context.WithTimeout(ctx, s.options.RequestTime)
		err := request(one)
		cancel()
		if err == nil {
			return nil
		}
		err = s.reason(ctx, digest, err)
		if ctx.Err() != nil || n == attempts || !errors.Is(err, ErrUnavailable) {
			return err
		}
		select {
		case <-ctx.Done():
		case <-time.After(pause):
		}
		pause *= 2
	}
}
