package server

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"muniment/archive/problem"
)

// Bounds of what one request may cost, whatever it sends.
const (
	// MaxErrorReply is the longest reply to a request that fails, in bytes. A program reads a sentence and some places;
	// a longer reply would let a caller multiply what it sends.
	MaxErrorReply = 4 << 10

	maxDetails  = 10       // places that an error names: a caller mends them and asks again
	maxPlace    = 120      // bytes of the name of a place, which the caller chose
	maxSentence = 1000     // bytes of a sentence of an error
	maxDepth    = 32       // of nested JSON: the deepest request has five levels
	maxValues   = 100_000  // of a JSON body, members and items: a batch of 1,000 citations has a third
	maxString   = 96 << 10 // bytes of a text in JSON, but for longTexts: maxWords characters, each escaped
	maxList     = 1 << 20  // bytes of a page of a list, but that it has at least one item
	listPortion = 100      // items that are read at once for a page of a list
	maxCallID   = 128      // bytes of the id of a JSON-RPC call, which the reply repeats
	bodyUnit    = 64 << 10 // of the memory for bodies, of which they take their share
	largeMemory = 48 << 20 // bytes that the program may grow by while a large body is read and answered; beyond it the collector works harder
)

// largeBodies are the paths of requests that carry files or many citations.
var largeBodies = []string{"/api/v1/verify", "/api/v1/cite/batch", "/api/v1/sources", atStreams + "add", "/verify"}

// longTexts are the members of requests whose text may be longer than maxString.
var longTexts = []string{"draft", "second", "content", "text", "question", "base64", "bundle"}

// clip returns at most n bytes of s, with an ellipsis where some are left out.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}

// bound clips a fault so that its JSON has at most MaxErrorReply bytes, and returns it.
func (f *Fault) bound() *Fault {
	if len(f.Errors) > maxDetails {
		f.Errors = f.Errors[:maxDetails]
	}
	for i := range f.Errors {
		f.Errors[i] = FaultDetail{clip(f.Errors[i].Location, maxPlace), clip(f.Errors[i].Message, maxPlace)}
	}
	for n := maxSentence; ; n /= 2 {
		f.Detail, f.Suggestion = clip(f.Detail, n), clip(f.Suggestion, n)
		data, err := json.Marshal(f)
		switch {
		case err == nil && len(data) < MaxErrorReply: // a newline ends the reply
			return f
		case f.PartialResult != nil:
			f.PartialResult = nil
		case f.NextCall != nil:
			f.NextCall = nil
		case n < maxPlace:
			f.Errors = nil
		}
		if n == 0 {
			return f
		}
	}
}

// A list is read in portions for a page of it.
type list[T any] struct {
	read   func(after int64, most int) ([]T, error) // the items above a number, in its order
	number func(*T) int64
	shows  func(*T) (bool, error) // whether an item is for the client
}

// page returns the items above a number that are for the client: at most limit of them, and of maxList bytes at most
// but that there is one; all of them where limit is 0. next is the number after which the next page begins, 0 at the
// end. A page is as full as if there were no others.
func (l list[T]) page(after int64, limit int) (page []T, next int64, err error) {
	page = []T{}
	for size := 0; ; {
		all, err := l.read(after, listPortion)
		if err != nil {
			return nil, 0, err
		}
		for i := range all {
			may, err := l.shows(&all[i])
			if err != nil {
				return nil, 0, err
			}
			if !may {
				continue
			}
			if limit > 0 {
				data, err := json.Marshal(&all[i])
				if err != nil {
					return nil, 0, err
				}
				if size += len(data); len(page) > 0 && (len(page) == limit || size > maxList) {
					return page, l.number(&page[len(page)-1]), nil
				}
			}
			page = append(page, all[i])
		}
		if len(all) < listPortion {
			return page, 0, nil
		}
		after = l.number(&all[len(all)-1])
	}
}

// checkShape returns an error for JSON that would take more memory or time to decode than
// its size suggests. It does not check the syntax.
func checkShape(data []byte) error {
	depth, values, quoted := 0, 0, false
	member, from := "", 0 // the last short text that a colon follows; where the text under way begins
	for i := 0; i < len(data); i++ {
		switch b := data[i]; {
		case quoted && b == '\\':
			i++
		case b == '"':
			if quoted && i-from > maxString && !slices.Contains(longTexts, member) {
				return fmt.Errorf("the JSON has a text of %d bytes, at most %d are read here", i-from, maxString)
			}
			if quoted && i-from <= maxPlace && bytes.HasPrefix(bytes.TrimLeft(data[i+1:min(len(data), i+1+maxPlace)], " \t\r\n"), []byte(":")) {
				member = string(data[from:i])
			}
			quoted, from = !quoted, i+1
		case quoted:
		case b == '{', b == '[':
			depth++
			values++
		case b == '}', b == ']':
			depth--
		case b == ',':
			values++
		}
		if depth > maxDepth {
			return fmt.Errorf("the JSON has more than %d levels", maxDepth)
		}
		if values > maxValues {
			return fmt.Errorf("the JSON has more than %d members and items", maxValues)
		}
	}
	return nil
}

// decodeJSON decodes a body of bounded shape. Its errors name places and types, and no values.
func decodeJSON(data []byte, v any) error {
	if err := checkShape(data); err != nil {
		return err
	}
	err := json.Unmarshal(data, v)
	var syntax *json.SyntaxError
	var typed *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return fmt.Errorf("no JSON from byte %d on", syntax.Offset)
	case errors.As(err, &typed):
		return fmt.Errorf("the value at byte %d has another type, or is out of range", typed.Offset)
	}
	return err
}

// withBody reads the whole body of a request before next sees it, so that a body that
// cannot be read is an error of the request.
func (s *Server) withBody(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, read := r.Body.(wholeBody); read || r.Body == nil || r.Body == http.NoBody {
			next.ServeHTTP(w, r)
			return
		}
		data := &bytes.Buffer{}
		data.Grow(int(min(max(0, r.ContentLength), int64(s.o.Limits.TextBody))) + bytes.MinRead)
		_, err := io.CopyN(data, r.Body, int64(s.o.Limits.TextBody))
		large := err == nil
		if large { // one at a time: it is decoded in six times its bytes
			leave, busy := s.enterLarge(r.Context())
			if err = busy; err == nil {
				defer leave()
				data.Grow(max(0, int(min(r.ContentLength, s.o.Limits.bodyOf(r.URL.Path)))-data.Len()) + 2*bytes.MinRead)
				_, err = data.ReadFrom(r.Body)
			}
		}
		if err != nil && !errors.Is(err, io.EOF) {
			writeFault(w, bodyFault(err))
			return
		}
		r.Body, r.ContentLength = wholeBody{data}, int64(data.Len())
		next.ServeHTTP(w, r)
	})
}

// enterLarge waits until no other request has a large body. The function it returns is
// called when the request has been answered. Its error is errBodies, or the context's.
func (s *Server) enterLarge(ctx context.Context) (leave func(), err error) {
	wait := time.NewTimer(s.o.Limits.BodyWait)
	defer wait.Stop()
	select {
	case s.large <- struct{}{}:
		debug.FreeOSMemory() // what the last one left goes before this one is read and decoded
		var now runtime.MemStats
		runtime.ReadMemStats(&now)
		before := debug.SetMemoryLimit(-1)
		debug.SetMemoryLimit(min(before, int64(now.Sys-now.HeapReleased)+largeMemory))
		return func() { debug.SetMemoryLimit(before); <-s.large }, nil
	case <-wait.C:
		return nil, errBodies
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// A wholeBody is a body that withBody has read.
type wholeBody struct{ *bytes.Buffer }

// Close frees the bytes: what decodes them holds a copy.
func (b wholeBody) Close() error {
	*b.Buffer = bytes.Buffer{}
	return nil
}

// bodyFault returns the error of a body that cannot be read.
func bodyFault(err error) *Fault {
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return newFault(http.StatusRequestEntityTooLarge, string(problem.Usage), fmt.Sprintf("the body has more than %d bytes", large.Limit), "send less in one call")
	case errors.Is(err, errBodies):
		return newFault(http.StatusServiceUnavailable, string(problem.Busy), errBodies.Error(), "send it again in a second")
	case errors.Is(err, os.ErrDeadlineExceeded):
		return newFault(http.StatusRequestTimeout, string(problem.Usage), "the body took too long to come", "send it again at once")
	}
	return newFault(http.StatusBadRequest, string(problem.Usage), "the body cannot be read", "send as many bytes as Content-Length says, or well-formed chunks")
}

// A statusWriter remembers the status of a reply, and holds the reply to a request that
// fails back until it is known to be short enough. A page for people is not held.
type statusWriter struct {
	http.ResponseWriter
	status int
	failed *bytes.Buffer // nil for other replies
	long   bool
}

func (w *statusWriter) WriteHeader(status int) {
	w.status = status
	if w.Header().Get("Retry-After") == "" && isBusy(status) { // of a page, which is no fault
		w.Header().Set("Retry-After", itoa(busySeconds))
	}
	if status >= http.StatusBadRequest && !strings.HasPrefix(w.Header().Get("Content-Type"), "text/html") {
		w.failed = &bytes.Buffer{}
		return
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *statusWriter) Write(p []byte) (int, error) {
	if w.failed == nil {
		return w.ResponseWriter.Write(p)
	}
	if w.long = w.long || w.failed.Len()+len(p) > MaxErrorReply; w.long {
		return len(p), nil
	}
	return w.failed.Write(p)
}

// finish sends a reply that was held back.
func (w *statusWriter) finish() {
	if w.failed == nil {
		return
	}
	if w.long {
		w.failed.Reset()
		w.Header().Del("Content-Length")
		w.Header().Set("Content-Type", (*Fault)(nil).ContentType(""))
		_ = json.NewEncoder(w.failed).Encode(newFault(w.status, string(problem.Usage), "the call failed; what it says of it is too long to send", "/openapi.json describes every call")) // memory does not fail
	}
	w.ResponseWriter.WriteHeader(w.status)
	_, _ = w.ResponseWriter.Write(w.failed.Bytes()) // the caller went away
}

// Unwrap returns the writer below, for http.ResponseController.
func (w *statusWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// Flush sends what was written, as a stream of events needs it.
func (w *statusWriter) Flush() {
	if w.failed == nil {
		_ = http.NewResponseController(w.ResponseWriter).Flush()
	}
}
