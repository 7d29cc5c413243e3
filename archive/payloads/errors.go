package payloads

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"github.com/minio/minio-go/v7"
)

// What can be wrong with a store, for callers that branch on it.
var (
	ErrAbsent        = errors.New("it is not there")
	ErrWrongBytes    = errors.New("its bytes are wrong")
	ErrUnavailable   = errors.New("the store does not answer")
	ErrDenied        = errors.New("the store refuses access")
	ErrNoBucket      = errors.New("there is no such bucket")
	ErrNoCredentials = errors.New("no credentials were found")
)

// An Error says what is wrong with an object of a store, or with the store itself. Its
// text holds no credential.
type Error struct {
	Address string // of the store
	Key     string // of the object, or ""
	Err     error
}

// Error implements error.
func (e *Error) Error() string {
	if e.Key == "" {
		return fmt.Sprintf("payload store %s: %v", e.Address, e.Err)
	}
	return fmt.Sprintf("payload store %s: %s: %v", e.Address, e.Key, e.Err)
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// reason returns the failure of a request as an Error. The client's own texts may repeat
// a signed address, so that only its codes are kept.
func (s *Store) reason(ctx context.Context, digest [32]byte, err error) error {
	out := &Error{Address: s.config.Address, Key: Key(digest)}
	var response minio.ErrorResponse
	var address *url.Error
	switch {
	case errors.Is(err, ErrWrongBytes):
		out.Err = err
	case ctx.Err() != nil:
		out.Err = ctx.Err()
	case errors.As(err, &response):
		out.Err = answered(response)
	case errors.As(err, &address):
		out.Err = fmt.Errorf("%w: %w", ErrUnavailable, address.Err)
	default:
		out.Err = fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	return out
}

// answered returns the error that a server's answer means.
func answered(r minio.ErrorResponse) error {
	switch {
	case r.Code == minio.NoSuchBucket:
		return ErrNoBucket
	case r.Code == minio.NoSuchKey || r.StatusCode == http.StatusNotFound:
		return ErrAbsent
	case r.StatusCode == http.StatusForbidden || r.StatusCode == http.StatusUnauthorized:
		return fmt.Errorf("%w (%s)", ErrDenied, r.Code)
	case r.StatusCode == 0 || r.StatusCode >= 500 || r.StatusCode == http.StatusTooManyRequests || r.StatusCode == http.StatusRequestTimeout:
		return fmt.Errorf("%w (%s)", ErrUnavailable, r.Code)
	}
	return fmt.Errorf("the store answers %d %s", r.StatusCode, r.Code)
}
