package model

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// An UnavailableError is an endpoint that did not answer as one does.
type UnavailableError struct {
	Timeout bool // the time was up
	Err     error
}

func (e *UnavailableError) Error() string {
	if e.Timeout {
		return "the model did not answer in time"
	}
	if e.Err == nil {
		return "the model did not answer"
	}
	return "the model's endpoint: " + e.Err.Error()
}

// Unwrap returns the cause.
func (e *UnavailableError) Unwrap() error { return e.Err }

// A ConfigurationError is an endpoint whose status says that its address, the name
// of the model or the key is wrong. Asking again does not help.
type ConfigurationError struct{ Status int }

func (e *ConfigurationError) Error() string {
	if e.Status == http.StatusNotFound {
		return "the model's endpoint has no such address or model (status 404)"
	}
	return fmt.Sprintf("the model's endpoint refuses the key (status %d)", e.Status)
}

// A rejectionError is a status that says that the request has a wrong form.
type rejectionError struct{ status int }

func (e *rejectionError) Error() string { return fmt.Sprintf("status %d", e.status) }

// A busyError is a status that says to come again.
type busyError struct {
	status int
	after  time.Duration // that the endpoint asks to wait; 0 where it does not say
}

func (e *busyError) Error() string { return fmt.Sprintf("status %d", e.status) }

// at returns the address of a path below the endpoint; "" where the endpoint has no address of http or https.
func (c *Client) at(path string) string {
	base, err := url.Parse(c.URL)
	if err != nil || base.Scheme != "http" && base.Scheme != "https" || base.Host == "" {
		return ""
	}
	if strings.HasSuffix(strings.TrimSuffix(base.Path, "/"), "/"+path) {
		return base.String()
	}
	return base.JoinPath(path).String()
}

// post makes a request, again where the endpoint is busy, fails or does not answer in time, and returns its response of
// at most so many bytes; of a response that is no answer, the beginning, with an error.
func (c *Client) post(ctx context.Context, address string, body map[string]any, limit int) ([]byte, error) {
	if address == "" {
		return nil, fmt.Errorf("endpoint %q, want an address such as http://127.0.0.1:8080/v1", c.URL)
	}
	asked, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	wait := c.Backoff
	if wait == 0 {
		wait = DefaultBackoff
	}
	for attempt := 1; ; attempt++ {
		data, err := c.attempt(ctx, address, asked, limit)
		var away *UnavailableError
		var busy *busyError
		if err == nil || attempt == MaxAttempts || ctx.Err() != nil || !errors.As(err, &away) || !away.Timeout && !errors.As(err, &busy) {
			return data, err
		}
		pause := wait
		if busy != nil && busy.after > 0 {
			pause = min(busy.after, MaxBackoff)
		}
		select {
		case <-ctx.Done():
			return data, err
		case <-time.After(pause):
		}
		wait *= 2
	}
}

// attempt makes one request within the client's time.
func (c *Client) attempt(ctx context.Context, address string, asked []byte, limit int) ([]byte, error) {
	timeout := c.Timeout
	if timeout == 0 {
		timeout = DefaultTimeout
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(asked))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	if c.Key != "" {
		req.Header.Set("Authorization", "Bearer "+c.Key)
	}
	// A redirect would carry claims, passages and the key elsewhere.
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	resp, err := client.Do(req)
	if err != nil {
		return nil, unavailable(ctx, err)
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(io.LimitReader(resp.Body, int64(limit)+1))
	if err != nil {
		return nil, unavailable(ctx, err)
	}
	if err := statusError(resp); err != nil {
		return data[:min(len(data), 1024)], err
	}
	if len(data) > limit {
		return nil, &ReplyError{fmt.Sprintf("it is longer than %d bytes", limit)}
	}
	return data, nil
}

// statusError returns the error of a status other than 200.
func statusError(resp *http.Response) error {
	switch code := resp.StatusCode; code {
	case http.StatusOK:
		return nil
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound:
		return &ConfigurationError{code}
	case http.StatusBadRequest, http.StatusUnprocessableEntity, http.StatusNotImplemented:
		return &UnavailableError{Err: &rejectionError{code}}
	case http.StatusTooManyRequests, http.StatusInternalServerError, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		after, _ := strconv.Atoi(resp.Header.Get("Retry-After"))
		return &UnavailableError{Err: &busyError{code, time.Duration(min(max(after, 0), int(MaxBackoff/time.Second))) * time.Second}}
	default:
		return &UnavailableError{Err: fmt.Errorf("status %d", code)}
	}
}

// unavailable returns the error of a request that got no response.
func unavailable(ctx context.Context, err error) error {
	return &UnavailableError{Timeout: errors.Is(ctx.Err(), context.DeadlineExceeded), Err: err}
}
