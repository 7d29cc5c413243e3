package server

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"muniment/archive/problem"
	"muniment/cite"
	"muniment/engine"
	"muniment/text/legible"
)

// A NextCall is a call of this interface that would mend something, as it is sent: an MCP tool with its arguments, or a
// method and a path of HTTP with the same arguments as the body, or as the query of GET. An argument that is empty is
// for the caller to fill in.
type NextCall struct {
	Tool      string         `json:"tool"`
	Method    string         `json:"method"`
	Path      string         `json:"path"`
	Arguments map[string]any `json:"arguments"`
}

// A Fault is an error in the form of RFC 9457.
type Fault struct {
	Type          string        `json:"type"`
	Title         string        `json:"title"`
	Status        int           `json:"status"`
	Detail        string        `json:"detail"`
	ErrorType     string        `json:"error_type"`
	Suggestion    string        `json:"suggestion"`
	NextCall      *NextCall     `json:"next_call,omitempty"`
	PartialResult any           `json:"partial_result,omitempty"`
	Errors        []FaultDetail `json:"errors,omitempty" doc:"the first places where the request is not as its schema says"`
	RetryAfter    int           `json:"retry_after,omitempty" doc:"seconds after which the same call may succeed"`
	RequestID     string        `json:"request_id,omitempty" doc:"the id of the request: that of its header X-Request-Id, or one that the server made"`
}

// A FaultDetail is a place of a request and what is expected there. The value is not repeated.
type FaultDetail struct {
	Location string `json:"location" doc:"such as body.citations[2].claim"`
	Message  string `json:"message"`
}

// Error returns the detail.
func (f *Fault) Error() string { return f.Detail }

// GetStatus returns the status of the reply.
func (f *Fault) GetStatus() int { return f.Status }

// ContentType returns the media type of RFC 9457 instead of plain JSON.
func (f *Fault) ContentType(string) string { return "application/problem+json" }

// statusOf is the status of each kind of error; one that is not listed is 500.
var statusOf = map[problem.Kind]int{
	problem.Usage: http.StatusUnprocessableEntity, problem.Ambiguous: http.StatusConflict, problem.NotFound: http.StatusNotFound,
	problem.SourceNotFound: http.StatusNotFound, problem.NoSnapshot: http.StatusConflict, problem.InvalidLocator: http.StatusUnprocessableEntity,
	problem.Reasoning: http.StatusUnprocessableEntity, problem.NotPermitted: http.StatusForbidden, problem.NoAuditor: http.StatusForbidden,
	problem.Busy: http.StatusServiceUnavailable, problem.Database: http.StatusServiceUnavailable, problem.Interrupted: http.StatusServiceUnavailable,
	problem.PartlyDone: http.StatusUnprocessableEntity, problem.Key: http.StatusServiceUnavailable, problem.Remote: http.StatusBadGateway,
	problem.NotSearched: http.StatusServiceUnavailable, problem.InvalidBundle: http.StatusUnprocessableEntity, problem.NothingToDo: http.StatusConflict, problem.VerdictNegative: http.StatusConflict,
}

// faultOf returns an error as a reply. What is no error of the archive is a bug, and its text stays here.
func faultOf(err error) *Fault {
	var known *problem.Error
	var fault *Fault
	switch {
	case errors.As(err, &fault):
		return fault.bound()
	case errors.Is(err, context.DeadlineExceeded):
		return newFault(http.StatusGatewayTimeout, string(endedLate), "the call took too long", "ask for less, or again")
	case !errors.As(err, &known):
		return newFault(http.StatusInternalServerError, string(problem.Internal), "a bug", "report it with the server's log of this moment")
	}
	status, ok := statusOf[known.Kind]
	if !ok {
		status = http.StatusInternalServerError
	}
	if known.Wait > 0 {
		f := newFault(http.StatusTooManyRequests, string(known.Kind), known.Message, adviceOf(known.Next))
		f.RetryAfter = wholeSeconds(known.Wait)
		return f
	}
	if isOfHere(status) && known.Kind != problem.NotSearched { // which says how much was searched
		return unavailable(status, known.Kind)
	}
	f := newFault(status, string(known.Kind), known.Message, adviceOf(known.Next))
	f.NextCall, f.PartialResult = callOf(known.Next), known.Partial
	return f.bound()
}

// FaultOf returns an error in the form of RFC 9457, for those who show it to people: its suggestion speaks of pages,
// not of calls, and is "" where a reader can do nothing.
func FaultOf(err error) *Fault {
	f := faultOf(err)
	var known *problem.Error
	if errors.As(err, &known) && f.Detail == known.Message {
		out := *f
		out.Suggestion = readerAdviceOf(known.Next)
		return &out
	}
	return f
}

// readerAdviceOf returns a step in words for a reader of pages.
func readerAdviceOf(s problem.Step) string {
	parts := []string{s.Advice, callForms[s.Do].page}
	if s.Other != nil {
		parts[1] = cmp.Or(parts[1], callForms[s.Other.Do].page)
	}
	if s.Advice == "" && parts[1] == "" && s.Do != "" && s.Do != problem.DoGive {
		return "the archive's owner can help"
	}
	return strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), "; ")
}

// newFault returns a fault. Its type is an address below /problems, which says what it means.
func newFault(status int, kind, detail, suggestion string) *Fault {
	f := &Fault{Type: "/problems/" + kind, Title: http.StatusText(status), Status: status, Detail: detail, ErrorType: kind, Suggestion: suggestion}
	if isBusy(status) {
		f.RetryAfter = busySeconds
	}
	return f
}

// isBusy reports whether a reply of a status says when to call again.
func isBusy(status int) bool {
	return status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable
}

// busySeconds is when to call again where nothing says: most calls end within a second.
const busySeconds = 2

// GetHeaders returns the headers of the reply except its media type.
func (f *Fault) GetHeaders() http.Header {
	if f.RetryAfter == 0 {
		return nil
	}
	return http.Header{"Retry-After": {itoa(f.RetryAfter)}}
}

// unavailable returns the fault of an error whose cause is here: what its kind means. The error itself names files and
// hosts, which are for the owner: they are in the server's log.
func unavailable(status int, kind problem.Kind) *Fault {
	suggestion := "the archive's owner finds the reason in the server's log, and with muniment doctor"
	if status == http.StatusServiceUnavailable {
		suggestion = "call again later; if it stays so, " + suggestion
	}
	return newFault(status, string(kind), cmp.Or(meanings[kind], "the server could not do this"), suggestion)
}

// logCause returns an error, noted in the server's log where a caller learns only its kind.
func (s *Server) logCause(err error) error {
	var known *problem.Error
	if errors.As(err, &known) && isOfHere(statusOf[known.Kind]) && known.Wait == 0 {
		s.o.Log.Error("cause", "kind", known.Kind, "what", known.Message)
	}
	return err
}

// isOfHere reports whether the cause of an error of a status, 0 for none, is on the
// server's side, and not the caller's or a page's that was fetched.
func isOfHere(status int) bool {
	return status == 0 || status >= http.StatusInternalServerError && status != http.StatusBadGateway
}

// newHumaError returns the fault of a request that is not as its schema says.
func newHumaError(status int, message string, errs ...error) huma.StatusError {
	f := newFault(status, string(problem.Usage), message, "/openapi.json describes every call")
	if status == http.StatusUnsupportedMediaType {
		f.Detail, f.Suggestion = "the body has another content type than the call takes", "send application/json"
		return f
	}
	for _, err := range errs {
		var detail huma.ErrorDetailer
		if errors.As(err, &detail) {
			d := detail.ErrorDetail()
			f.Errors = append(f.Errors, FaultDetail{legible.Printable(clip(d.Location, maxPlace)), d.Message})
		}
	}
	slices.SortFunc(f.Errors, func(a, b FaultDetail) int { return strings.Compare(a.Location, b.Location) })
	if n := len(f.Errors); n > maxDetails {
		f.Detail += fmt.Sprintf(": %d places, of which %d are named", n, maxDetails)
	}
	return f.bound()
}

// A callForm is how an act is called here. names are those of the act's arguments, in their order, of which the last
// optional ones may be absent; fixed are arguments that the act always has. lacks is set where these are not enough for
// a call: then its tool is named in words alone. page is how a reader of pages does it, "" where no page does.
type callForm struct {
	tool, method, path string
	page               string
	names              []string
	optional           int
	fixed              map[string]any
	lacks              bool
}

// callForms has the acts that a caller can do here.
var callForms = map[problem.Action]callForm{
	engine.DoCiteNegative:  {tool: "cite_negative", method: http.MethodPost, path: "/api/v1/cite_negative", lacks: true},
	engine.DoSearch:        {tool: "search_archive", method: http.MethodGet, path: "/api/v1/search", names: []string{"query"}, page: "search for its words"},
	problem.DoList:         {tool: "search_archive", method: http.MethodGet, path: "/api/v1/search", names: []string{"query"}, page: "search or browse; both lead to every paper that may be shown"},
	problem.DoCat:          {tool: "read_passage", method: http.MethodGet, path: "/api/v1/artifacts/{artifact}/text", names: []string{"artifact", "span"}, optional: 1, page: "read the paper"},
	problem.DoShow:         {tool: "read_passage", method: http.MethodGet, path: "/api/v1/artifacts/{artifact}/text", names: []string{"artifact"}, page: "read the paper"},
	engine.DoListCitations: {tool: "list_citations", method: http.MethodGet, path: "/api/v1/citations", page: "the page of citations lists them"},
	engine.DoAddWeb:        {tool: "register_source", method: http.MethodPost, path: "/api/v1/sources", names: []string{"url"}, fixed: map[string]any{"type": "website"}},
	engine.DoAddDB:         {tool: "register_source", method: http.MethodPost, path: "/api/v1/sources", lacks: true},
	engine.DoAddCustom:     {tool: "register_source", method: http.MethodPost, path: "/api/v1/sources", lacks: true},
}

// callOf returns the call of a step, nil where nothing here does it.
func callOf(s problem.Step) *NextCall {
	if s.Do == engine.DoCite {
		for i := 1; i < len(s.Args); i += 2 {
			if s.Args[i] == "" { // the caller has to fill it in: as it is, the call fails
				return nil
			}
		}
		c := &NextCall{Tool: "cite", Method: http.MethodPost, Path: "/api/v1/cite", Arguments: map[string]any{}}
		for i := 0; i+1 < len(s.Args); i += 2 {
			c.Arguments[s.Args[i]] = argument(s.Args[i], s.Args[i+1])
		}
		delete(c.Arguments, "agent") // these three are of the caller's token
		delete(c.Arguments, "user")
		delete(c.Arguments, "project")
		return c
	}
	if f, ok := callForms[s.Do]; ok && !f.lacks && len(s.Args) >= len(f.names)-f.optional {
		c := &NextCall{Tool: f.tool, Method: f.method, Path: f.path, Arguments: map[string]any{}}
		maps.Copy(c.Arguments, f.fixed)
		for i, name := range f.names {
			if i < len(s.Args) {
				c.Arguments[name] = s.Args[i]
				c.Path = strings.ReplaceAll(c.Path, "{"+name+"}", url.PathEscape(s.Args[i]))
			}
		}
		return c
	}
	if s.Other != nil {
		return callOf(*s.Other)
	}
	return nil
}

// toolOf returns the tool of a step, or of the one that would do as well; "" where nothing here does either.
func toolOf(s problem.Step) string {
	if c := callOf(s); c != nil {
		return c.Tool
	}
	if f, ok := callForms[s.Do]; ok {
		return f.tool
	}
	if s.Do == engine.DoCite {
		return "cite"
	}
	if s.Other != nil {
		return toolOf(*s.Other)
	}
	return ""
}

// nextOf returns the call that a reply to a citation names: that of its step, with what the step leaves to the request;
// else the one that reads the paragraph of the words, or searches for them.
func (r *CiteRequest) nextOf(s problem.Step, artifact, span string) *NextCall {
	c := callOf(s)
	switch {
	case c != nil && c.Tool == "cite":
		if _, named := c.Arguments["artifact"]; named && artifact != "" {
			c.Arguments["artifact"] = artifact // several papers may have one name
		}
		if len(r.DerivedFrom) > 0 {
			c.Arguments["derived_from"] = r.DerivedFrom
		}
		return c
	case c != nil:
		return c
	case artifact != "" && !strings.HasPrefix(span, cite.MetaPrefix) && !cite.IsMediaSpan(span):
		args := []string{artifact}
		if at, err := cite.ParseSpan(span); err == nil {
			args = append(args, string(at.Kind)+itoa(at.From.Unit))
		}
		return callOf(problem.Next(problem.DoCat, args...))
	case cmp.Or(r.Quote, r.Claim) != "":
		return callOf(problem.Next(engine.DoSearch, cmp.Or(r.Quote, r.Claim)))
	}
	return nil
}

// faultOf returns the error of a citation, with a call that may mend it where the request says enough for one.
func (r *CiteRequest) faultOf(err error) *Fault {
	f := faultOf(err)
	if f.NextCall != nil || f.Status >= http.StatusInternalServerError || f.ErrorType == string(problem.NotPermitted) {
		return f
	}
	artifact := r.Artifact
	if f.ErrorType == string(problem.SourceNotFound) || f.ErrorType == string(problem.Ambiguous) {
		artifact = "" // it cannot be read under this name
	}
	out := *f
	out.NextCall = r.nextOf(problem.Step{}, artifact, "")
	return out.bound()
}

// argument returns the value of an argument of cite in its JSON type.
func argument(name, value string) any {
	switch name {
	case "source":
		if n, err := strconv.ParseInt(value, 10, 64); err == nil {
			return n
		}
	case "locator":
		var object map[string]any
		if json.Unmarshal([]byte(value), &object) == nil {
			return object
		}
	}
	return value
}

// adviceOf returns a step in words.
func adviceOf(s problem.Step) string {
	words := s.Advice
	if tool := toolOf(s); tool != "" {
		if words != "" {
			words += "; "
		}
		return words + "call " + tool
	}
	if s.Do == problem.DoGive {
		if words != "" {
			words += ": "
		}
		return words + "give " + strings.Join(optionNames(s.Args), " and ")
	}
	if words == "" && s.Do != "" {
		return "the archive's owner can help, by an act that no call here has: " + strings.ReplaceAll(string(s.Do), "-", " ")
	}
	if words == "" {
		return "/openapi.json describes every call"
	}
	return words
}

// optionNames returns the fields of a call that the args of problem.DoGive name.
func optionNames(args []string) []string {
	var names []string
	for i := 0; i < len(args); i += 2 {
		names = append(names, strings.ReplaceAll(args[i], "-", "_"))
	}
	return names
}

// newWaitFault returns the fault of a principal that has to wait.
func newWaitFault(wait time.Duration, detail, suggestion string) *Fault {
	f := newFault(http.StatusTooManyRequests, string(overRate), detail, suggestion)
	f.RetryAfter = wholeSeconds(wait)
	return f
}

// wholeSeconds returns a wait in seconds, rounded up.
func wholeSeconds(wait time.Duration) int { return int((wait + time.Second - 1) / time.Second) }
