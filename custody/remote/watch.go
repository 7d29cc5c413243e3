package remote

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"time"

	"github.com/go-git/go-git/v5/plumbing/transport"
)

type heartbeatKey struct{}

// heartbeat returns the callback by which a session reports that it moves.
func heartbeat(ctx context.Context) func() {
	if f, ok := ctx.Value(heartbeatKey{}).(func()); ok {
		return f
	}
	return func() {}
}

// A progressReader calls alive whenever bytes arrive.
type progressReader struct {
	r     io.Reader
	alive func()
}

func (n *progressReader) Read(p []byte) (int, error) {
	c, err := n.r.Read(p)
	if c > 0 {
		n.alive()
	}
	return c, err
}

// watch runs a session and returns its error, or gives the session up when no byte moved for Stall or the caller's
// context ends. Some calls of the transports cannot be interrupted: such a session ends when its connection does.
func (r *Remote) watch(ctx context.Context, session func(context.Context) error) error {
	if r.endpoint == nil {
		return errNotOpen
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var moved atomic.Int64
	moved.Store(1)
	ctx = context.WithValue(ctx, heartbeatKey{}, func() { moved.Add(1) })
	done := make(chan error, 1)
	go func() { done <- session(ctx) }()
	tick := time.NewTicker(r.options.Stall)
	defer tick.Stop()
	for last := int64(0); ; {
		select {
		case err := <-done:
			if cause := context.Cause(ctx); err != nil && cause != nil {
				return cause
			}
			return r.explain(err)
		case <-ctx.Done():
			select {
			case <-done:
			case <-time.After(grace):
			}
			return context.Cause(ctx)
		case <-tick.C:
			now := moved.Load()
			if now == last {
				cancel(fmt.Errorf("%s: %w for %s", Redacted(r.url), ErrStalled, r.options.Stall))
			}
			last = now
		}
	}
}

// grace is how long a session that was stopped may take to end.
const grace = 2 * time.Second

// explain returns an error of the transports as one of this package's errors.
func (r *Remote) explain(err error) error {
	if err == nil {
		return nil
	}
	where := Redacted(r.url)
	switch {
	case errors.Is(err, ErrRefused), errors.Is(err, ErrAuth), errors.Is(err, ErrHostKey), errors.Is(err, ErrNoRepository):
		return fmt.Errorf("%s: %w", where, err)
	case strings.Contains(err.Error(), "object-format=sha256"): // go-git quotes what it cannot read
		return fmt.Errorf("%s: %w", where, ErrFormat)
	case strings.Contains(err.Error(), "invalid gitfile format"):
		return fmt.Errorf("%s: %w", where, ErrFile)
	case errors.Is(err, transport.ErrRepositoryNotFound):
		return fmt.Errorf("%s: %w", where, ErrNoRepository)
	case errors.Is(err, transport.ErrAuthenticationRequired), errors.Is(err, transport.ErrAuthorizationFailed), strings.Contains(err.Error(), "unable to authenticate"):
		return fmt.Errorf("%s: %w: %s", where, ErrAuth, oneLine(err))
	case strings.Contains(err.Error(), "knownhosts:"):
		return fmt.Errorf("%s: %w: %s", where, ErrHostKey, oneLine(err))
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return fmt.Errorf("%s: the connection was cut: %w", where, io.ErrUnexpectedEOF)
	}
	return fmt.Errorf("%s: %w", where, err)
}

func oneLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}
