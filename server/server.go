package server

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/netip"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"muniment/archive"
	"muniment/archive/problem"
	"muniment/audit"
	"muniment/engine"
	"muniment/server/fair"
	"muniment/server/webhook"
	"muniment/sign"
)

// Options say what a server serves. Open is required.
type Options struct {
	// Open opens the archive. It is called once for each handle, as a handle is used by one goroutine at a time.
	Open func() (*archive.Archive, error)
	// Signer signs answers, one at a time; nil leaves ask unavailable.
	Signer sign.Signer
	// Reviewer signs what the archivist's browser finds of a claim without a statement
	// signed elsewhere; nil where the server signs no reviews.
	Reviewer sign.Signer
	// Trust is what verify holds a posted bundle against; the zero value trusts nobody.
	Trust audit.VerifyOptions
	// Log gets one line for each request; nil is silent. No line holds a query, a quote or an excerpt.
	Log *slog.Logger
	// Version is the program's, for the description of the interface.
	Version string
	// ReasoningRequired is engine.CiteOptions.ReasoningRequired of every citation.
	ReasoningRequired string
	// Limits bound what callers cost.
	Limits Limits
	// Hosts are the host names, beside loopback, under which the server is asked.
	Hosts []string
	// Proxies are the addresses whose X-Forwarded-For and X-Forwarded-Host count.
	Proxies []netip.Prefix
	// Webhooks are the addresses to which what happens is posted, as auditors see it; WebhookSecret
	// signs it. Both are as webhook.NewTarget reads them.
	Webhooks      []string
	WebhookSecret string
	// Remote is set where the server listens beyond loopback: every call then needs a token.
	Remote bool
}

const (
	maxTogether = 100 // citations of one transaction: more make the first one wait
)

// A Server is an open archive for many callers at once.
type Server struct {
	o        Options
	now      func() time.Time
	handles  *fair.Lender[*handle]
	writer   *handle
	cites    chan *citeJob
	ended    chan struct{}
	wait     sync.WaitGroup
	count    *counters
	tokens   *tokenFile
	limits   fair.Limiter // of calls
	stored   fair.Limiter // of bytes
	shelves  shelves
	pictures pictures
	answers  fair.Shares[*KeptAnswer]
	replies  fair.Shares[onceReply] // for the keys of calls
	turns    turns
	streams  chan struct{} // holds the long calls under way
	large    chan struct{} // holds the request under way that has a large body
	draining chan struct{} // is closed when streams of events are to end
	drain    sync.Once
	listen   listeners
	webhooks string // the file of what was posted
	browsers browsers
	bodies   *bodyMemory
	ready    readiness
	pages    http.Handler     // of people; nil for none
	schemas  *mcp.SchemaCache // of the tools, which each request over HTTP has anew
}

// New opens the handles of a server. Close it.
func New(o Options) (*Server, error) {
	if o.Open == nil {
		return nil, errors.New("server: no archive to open")
	}
	o.Limits = o.Limits.orDefault()
	o.Hosts = slices.Clone(o.Hosts)
	for i, host := range o.Hosts {
		o.Hosts[i] = strings.ToLower(host)
	}
	var targets []webhook.Target
	for _, address := range o.Webhooks {
		to, err := webhook.NewTarget(address, o.WebhookSecret)
		if err == nil && slices.ContainsFunc(targets, func(t webhook.Target) bool { return t.URL == to.URL }) {
			err = errors.New("an address of a webhook is named twice")
		}
		if err != nil {
			return nil, problem.New(problem.Usage, problem.Advise("muniment serve --print-config says what webhooks and webhook_secret hold"), "%w", err)
		}
		targets = append(targets, to)
	}
	if o.Log == nil {
		o.Log = slog.New(slog.NewTextHandler(io.Discard, nil))
	}
	l := o.Limits
	s := &Server{o: o, handles: &fair.Lender[*handle]{}, cites: make(chan *citeJob, l.Waiting), ended: make(chan struct{}), count: &counters{calls: map[callLabel]*callCount{}, limited: map[string]int64{}},
		limits: fair.Limiter{PerSecond: float64(l.CallsPerSecond), Most: float64(l.CallsAtOnce)}, stored: fair.Limiter{PerSecond: float64(l.KeepPerSecond), Most: float64(l.KeepAtOnce)},
		streams: make(chan struct{}, l.Streams), draining: make(chan struct{}), listen: listeners{most: l.Listeners}, large: make(chan struct{}, 1), bodies: newBodyMemory(l), schemas: mcp.NewSchemaCache(),
		answers: fair.Shares[*KeptAnswer]{Most: l.Answers, Bytes: l.AnswerMemory}, replies: fair.Shares[onceReply]{Most: l.Replies, Bytes: l.ReplyMemory, Age: l.ReplyAge}, pictures: pictures{most: l.Pictures}}
	for i := range l.Readers + 1 {
		a, err := o.Open()
		if err != nil {
			s.closeHandles()
			return nil, err
		}
		h := &handle{archive: a}
		if i == l.Readers {
			s.writer = h
		} else {
			s.handles.Add(h)
		}
	}
	s.now = s.writer.archive.World().Now
	path, err := s.writer.archive.LocalPath(tokensName)
	if err != nil {
		s.closeHandles()
		return nil, err
	}
	s.tokens = &tokenFile{path: path}
	s.webhooks = filepath.Join(filepath.Dir(path), webhooksName)
	s.wait.Go(s.registerCitations)
	for _, to := range targets {
		s.wait.Go(func() { s.post(to) })
	}
	return s, nil
}

// Close waits for the calls under way and closes the archive.
func (s *Server) Close() error {
	if s == nil || s.ended == nil {
		return nil
	}
	s.Drain()
	close(s.ended)
	s.wait.Wait()
	return s.closeHandles()
}

// Drain ends the streams of events, which would hold a server that is being stopped; whoever follows them goes on
// from the last one elsewhere. It is for http.Server.RegisterOnShutdown.
func (s *Server) Drain() {
	if s != nil && s.draining != nil {
		s.drain.Do(func() { close(s.draining) })
	}
}

// closeHandles closes every handle, waiting for those in use.
func (s *Server) closeHandles() error {
	var all error
	n := s.o.Limits.Readers
	if s.writer == nil { // New failed half-way
		n, _ = s.handles.Load()
	}
	for i := range n {
		h, err := s.handles.Take(context.Background(), "close "+itoa(i))
		if all = errors.Join(all, err); err == nil {
			all = errors.Join(all, h.archive.Close())
		}
	}
	if s.writer == nil {
		return all
	}
	return errors.Join(all, s.writer.archive.Close())
}

// errNotOpen is the error of every call of a Server that New did not make.
var errNotOpen = errors.New("server: not open: New returns a server")

// with runs fn with a reader's handle, which nobody else uses meanwhile.
func (s *Server) with(ctx context.Context, fn func(*handle) error) error {
	if s == nil || s.handles == nil {
		return errNotOpen
	}
	who := clientOf(ctx).cred.account()
	h, err := s.handles.Take(ctx, who)
	if err != nil {
		return problem.InterruptedError()
	}
	defer s.handles.Give(who, h)
	return s.logCause(fn(h))
}

// A citeJob is a list of citations that wait for the writer. A call whose look-up failed for want of a source is looked
// up again where it follows another: that one may have registered the source.
type citeJob struct {
	ctx    context.Context // of the call, without its end
	client *Client
	calls  []CiteRequest
	found  []lookedUp
	err    error
	done   chan struct{}
}

// registerCitations registers the citations that wait, as many as there are in one
// transaction, until the server is closed.
func (s *Server) registerCitations() {
	for {
		select {
		case <-s.ended:
			return
		case first := <-s.cites:
			jobs, n := []*citeJob{first}, len(first.calls)
			for n < maxTogether {
				select {
				case next := <-s.cites:
					jobs, n = append(jobs, next), n+len(next.calls)
					continue
				default:
				}
				break
			}
			s.registerJobs(jobs)
		}
	}
}

// registerJobs registers the citations of jobs and wakes who waits for them.
func (s *Server) registerJobs(jobs []*citeJob) {
	err := engine.Together(s.writer.archive, func(g *engine.Group) error {
		s.writer.group = g
		var run []*lookedUp
		var candidates []*engine.Candidate
		flush := func() {
			for i, done := range engine.RegisterAll(context.Background(), g, candidates) {
				run[i].result, run[i].err = done.Result, done.Err
			}
			run, candidates = nil, nil
		}
		for _, j := range jobs {
			reader, err := j.client.readerOn(s.writer)
			for i := range j.found {
				x := &j.found[i]
				if x.candidate != nil && err != nil {
					x.candidate, x.err = nil, err
				}
				if i > 0 && isMissing(x.err) {
					flush()
					*x = j.client.examine(j.ctx, s.writer, j.calls[i])
				}
				if x.candidate != nil {
					x.candidate.For(reader)
					run, candidates = append(run, x), append(candidates, x.candidate)
				}
			}
		}
		flush()
		return nil
	})
	s.writer.group = nil
	for _, j := range jobs {
		j.err = err
		close(j.done)
	}
}

// isMissing reports whether an error says that a source is not there.
func isMissing(err error) bool {
	var missing *problem.Error
	return errors.As(err, &missing) && missing.Kind == problem.SourceNotFound
}

// register has the writer register what a job found.
func (s *Server) register(ctx context.Context, j *citeJob) error {
	if !slices.ContainsFunc(j.found, func(x lookedUp) bool { return x.candidate != nil }) {
		return nil
	}
	select {
	case s.cites <- j:
	case <-ctx.Done():
		return problem.InterruptedError()
	case <-s.ended:
		return problem.InterruptedError()
	}
	select {
	case <-j.done:
		return j.err
	case <-s.ended:
		return problem.InterruptedError()
	}
}
