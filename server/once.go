package server

import (
	"bytes"
	"crypto/sha256"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"muniment/archive/problem"
)

// Limits of the replies that are kept for the header Idempotency-Key.
const (
	onceHeader    = "Idempotency-Key"
	maxOnceKey    = 200     // bytes of a key: what the ledger takes of a citation's
	maxOnceReply  = 4 << 20 // bytes of one reply: a batch of a thousand citations takes half
	onceOverhead  = 1 << 10 // bytes of headers and of what keeps them
	onceHowToCall = "give each call a key of its own, and a call that is sent again its old one"
)

// A onceReply is the reply to a call with a key. Where it was too long to be kept, Body is nil and Long set.
type onceReply struct {
	request [sha256.Size]byte
	status  int
	header  http.Header
	body    []byte
	long    bool
}

// once answers a POST whose Idempotency-Key its principal has used before, in the same session, with the reply of then,
// and calls next for the others. Calls that come with one key at the same time wait for the first. A call that gave an
// error did nothing; its key is free.
func (s *Server) once(next http.Handler) http.Handler {
	keyed := s.withBody(s.onceByKey(next))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		keys := r.Header.Values(onceHeader)
		if r.Method != http.MethodPost || len(keys) == 0 {
			next.ServeHTTP(w, r)
			return
		}
		key := keys[0]
		if len(keys) > 1 || key == "" || len(key) > maxOnceKey || strings.ContainsFunc(key, func(c rune) bool { return c < ' ' || c == 0x7f }) {
			writeFault(w, newFault(http.StatusUnprocessableEntity, string(problem.Usage), "the Idempotency-Key is not one key of 1 to "+itoa(maxOnceKey)+" bytes", onceHowToCall))
			return
		}
		keyed.ServeHTTP(w, r)
	})
}

// onceByKey is once for a request whose key is well-formed and whose body was read.
func (s *Server) onceByKey(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		request := digestRequest(r)
		c := clientOf(r.Context())
		owner, key := c.cred.account(), c.session+"\x00"+r.Header.Get(onceHeader)
		leave, err := s.turns.take(r.Context(), "key "+owner+"\x00"+key)
		if err != nil {
			writeFault(w, faultOf(err))
			return
		}
		defer leave()
		if known, ok := s.replies.Get(owner, key, s.now()); ok {
			known.write(w, request)
			return
		}
		rec := &recorder{ResponseWriter: w, status: http.StatusOK}
		next.ServeHTTP(rec, r)
		if rec.status < http.StatusBadRequest && !rec.failed() {
			known := onceReply{request, rec.status, w.Header().Clone(), bytes.Clone(rec.body.Bytes()), rec.long}
			s.replies.Put(owner, key, known, onceOverhead+len(key)+len(known.body), s.now())
		}
	})
}

// digestRequest returns the hash of what a request asks, whose body withBody has read.
func digestRequest(r *http.Request) [sha256.Size]byte {
	h := sha256.New()
	for _, part := range []string{r.URL.Path, r.URL.RawQuery, r.Header.Get("Content-Type")} {
		h.Write([]byte(part + "\x00"))
	}
	if body, ok := r.Body.(wholeBody); ok {
		h.Write(body.Bytes())
	}
	return [sha256.Size]byte(h.Sum(nil))
}

// write writes the reply again, or an error where the request is another one.
func (o *onceReply) write(w http.ResponseWriter, request [sha256.Size]byte) {
	switch {
	case request != o.request:
		writeFault(w, newFault(http.StatusUnprocessableEntity, string(problem.Usage), "the Idempotency-Key is that of another call, which had another body", onceHowToCall))
		return
	case o.long:
		writeFault(w, newFault(http.StatusConflict, string(problem.NothingToDo), "the call with this Idempotency-Key was done, and its reply was too long to be kept", "list what it registered; do not send it again"))
		return
	}
	for name, values := range o.header {
		w.Header()[name] = values
	}
	w.WriteHeader(o.status)
	_, _ = w.Write(o.body) // the caller went away
}

// onceParameter describes the header Idempotency-Key to readers of /openapi.json.
func onceParameter(method string) []*huma.Param {
	if method != http.MethodPost {
		return nil
	}
	longest := maxOnceKey
	return []*huma.Param{{Name: onceHeader, In: "header", Description: "a retry with the same key, session and body gets the reply of the first call",
		Schema: &huma.Schema{Type: huma.TypeString, MaxLength: &longest}}}
}

// A recorder copies a reply while it is sent.
type recorder struct {
	http.ResponseWriter
	status int
	body   bytes.Buffer
	long   bool
}

func (w *recorder) WriteHeader(status int) {
	w.status = status
	w.ResponseWriter.WriteHeader(status)
}

func (w *recorder) Write(data []byte) (int, error) {
	if w.long = w.long || w.body.Len()+len(data) > maxOnceReply; w.long {
		w.body = bytes.Buffer{}
	} else {
		w.body.Write(data)
	}
	return w.ResponseWriter.Write(data)
}

// failed reports whether a stream of events ended with an error, which has no status of its own.
func (w *recorder) failed() bool {
	return strings.HasPrefix(w.Header().Get("Content-Type"), "text/event-stream") && (w.long || bytes.Contains(w.body.Bytes(), []byte("event: error\n")))
}

// Unwrap returns the writer below, for http.ResponseController.
func (w *recorder) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// Flush sends what was written, as a stream of events needs it.
func (w *recorder) Flush() { _ = http.NewResponseController(w.ResponseWriter).Flush() }
