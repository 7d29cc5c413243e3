package server

import (
	"context"
	"errors"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"muniment/archive"
	"muniment/engine"
)

// A NextCall is a call of this interface that would mend something: the name of an
// MCP tool, which is also the last part of a path under /api/v1/, and its
// arguments. An argument that is empty is for the caller to fill in.
type NextCall struct {
	Tool      string            `json:"tool"`
	Arguments map[string]string `json:"arguments"`
}

// A Fault is an error in the form of RFC 9457.
type Fault struct {
	Type          string              `json:"type"`
	Title         string              `json:"title"`
	Status        int                 `json:"status"`
	Detail        string              `json:"detail"`
	ErrorType     string              `json:"error_type"`
	Suggestion    string              `json:"suggestion"`
	NextCall      *NextCall           `json:"next_call,omitempty"`
	PartialResult any                 `json:"partial_result,omitempty"`
	Errors        []*huma.ErrorDetail `json:"errors,omitempty" doc:"where the request is not as its schema says"`
}

// Error returns what happened.
func (f *Fault) Error() string { return f.Detail }

// GetStatus returns the status of the reply.
func (f *Fault) GetStatus() int { return f.Status }

// ContentType returns the media type of RFC 9457 in the place of plain JSON.
func (f *Fault) ContentType(string) string { return "application/problem+json" }

// statusOf is the status of each kind of error; one that is not listed is 500.
var statusOf = map[archive.Kind]int{
	archive.TypeUsage: http.StatusUnprocessableEntity, archive.TypeAmbiguous: http.StatusConflict, archive.TypeNotFound: http.StatusNotFound,
	archive.TypeSourceNotFound: http.StatusNotFound, archive.TypeNoSnapshot: http.StatusConflict, archive.TypeInvalidLocator: http.StatusUnprocessableEntity,
	archive.TypeReasoning: http.StatusUnprocessableEntity, archive.TypeNotPermitted: http.StatusForbidden, archive.TypeNoAuditor: http.StatusForbidden,
	archive.TypeBusy: http.StatusServiceUnavailable, archive.TypeDatabase: http.StatusServiceUnavailable, archive.TypeInterrupted: http.StatusServiceUnavailable,
	archive.TypePartlyDone: http.StatusUnprocessableEntity, archive.TypeKey: http.StatusServiceUnavailable, archive.TypeRemote: http.StatusBadGateway,
	archive.TypeInvalidBundle: http.StatusUnprocessableEntity, archive.TypeNothingToDo: http.StatusConflict, archive.TypeVerdictNegative: http.StatusConflict,
}

// faultOf returns an error as a reply. What is no error of the archive is a bug,
// and its text stays here.
func faultOf(err error) *Fault {
	var known *archive.Error
	var fault *Fault
	switch {
	case errors.As(err, &fault):
		return fault
	case errors.Is(err, context.DeadlineExceeded):
		return newFault(http.StatusGatewayTimeout, "Timeout", "the call took too long", "ask for less, or again")
	case !errors.As(err, &known):
		return newFault(http.StatusInternalServerError, string(archive.TypeInternal), "a bug", "report it with the server's log of this moment")
	}
	status, ok := statusOf[known.Kind]
	if !ok {
		status = http.StatusInternalServerError
	}
	f := newFault(status, string(known.Kind), known.Message, adviceOf(known.Next))
	f.NextCall, f.PartialResult = callOf(known.Next), known.Partial
	return f
}

// FaultOf returns an error in the form of RFC 9457, for those who show it to people.
func FaultOf(err error) *Fault { return faultOf(err) }

// newFault returns a fault. Its type is a name below /problems, which need not be
// a page.
func newFault(status int, kind, detail, suggestion string) *Fault {
	return &Fault{Type: "/problems/" + kind, Title: http.StatusText(status), Status: status, Detail: detail, ErrorType: kind, Suggestion: suggestion}
}

// newHumaError returns the fault of a request that is not as its schema says.
func newHumaError(status int, message string, errs ...error) huma.StatusError {
	f := newFault(status, string(archive.TypeUsage), message, "/openapi.json describes every call")
	for _, err := range errs {
		var detail huma.ErrorDetailer
		if errors.As(err, &detail) {
			f.Errors = append(f.Errors, detail.ErrorDetail())
		}
	}
	return f
}

// callNames has, for each act that a caller can do here, its tool and the names of
// the act's arguments.
var callNames = map[archive.Action][]string{
	engine.DoCiteNegative: {"cite_negative"},
	engine.DoSearch:       {"search_archive", "query"}, engine.DoReadText: {"read_passage"}, engine.DoReadSpans: {"read_passage"},
	engine.DoListCitations: {"list_citations"},
	engine.DoAddWeb:        {"register_source", "url"}, engine.DoRegisterWeb: {"register_source", "url"}, engine.DoAddDB: {"register_source"},
	engine.DoAddCustom: {"register_source"}, engine.DoAddCustomAgain: {"register_source"},
	archive.DoList: {"search_archive"}, archive.DoShow: {"read_passage", "artifact"},
}

// callOf returns the call of a step, nil where nothing here does it.
func callOf(s archive.Step) *NextCall {
	if s.Do == engine.DoCite {
		c := &NextCall{Tool: "cite", Arguments: map[string]string{}}
		for i := 0; i+1 < len(s.Args); i += 2 {
			c.Arguments[s.Args[i]] = s.Args[i+1]
		}
		return c
	}
	if names, ok := callNames[s.Do]; ok {
		c := &NextCall{Tool: names[0], Arguments: map[string]string{}}
		for i, name := range names[1:] {
			if i < len(s.Args) {
				c.Arguments[name] = s.Args[i]
			}
		}
		return c
	}
	if s.Other != nil {
		return callOf(*s.Other)
	}
	return nil
}

// adviceOf returns a step in words.
func adviceOf(s archive.Step) string {
	words := s.Advice
	if c := callOf(s); c != nil {
		if words != "" {
			words += "; "
		}
		return words + "call " + c.Tool
	}
	if words == "" && s.Do != "" {
		return "the archive's owner can help: " + string(s.Do)
	}
	if words == "" {
		return "/openapi.json describes every call"
	}
	return words
}
