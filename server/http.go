package server

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"path"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"muniment/archive/problem"
)

func itoa(n int) string { return strconv.Itoa(n) }

// setHumaErrors makes errors of huma faults; the variable is the process's.
var setHumaErrors = sync.OnceFunc(func() { huma.NewError = newHumaError })

// Handler returns the HTTP handler: the calls under /api/v1/, /mcp, /openapi.json, /problems/, /livez,
// /readyz and /metrics.
func (s *Server) Handler() http.Handler {
	setHumaErrors()
	calls := http.NewServeMux()
	description := s.addAll(humago.New(calls, s.apiConfig()))
	describe(description)
	addExamples(description, readExamples())
	outer := http.NewServeMux()
	outer.Handle("/api/v1/", s.admit(askToken, s.withBody(s.withETag(calls))))
	outer.Handle("/mcp", s.admit(askToken, s.withBody(checkMessages(s.mcpHandler()))))
	outer.Handle("GET /openapi.json", calls)
	outer.Handle("GET /metrics", s.admit(askToken, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/plain; version=0.0.4")
		if s.count.write(w) == nil {
			_ = s.writeGauges(r.Context(), w) // the caller went away
		}
	})))
	outer.HandleFunc("GET /problems/{kind}", serveProblem)
	outer.HandleFunc("GET /livez", serveLive)
	outer.HandleFunc("GET /readyz", s.serveReady)
	outer.HandleFunc("GET /healthz", s.serveReady) // the name of before
	if s.pages != nil {
		outer.Handle("/", s.admitPeople(s.pages))
	}
	return s.observe(outer, calls)
}

// addAll adds every call to an API, and returns its description.
func (s *Server) addAll(api huma.API) *huma.OpenAPI {
	s.addCalls(api)
	s.addResources(api)
	s.addStreams(api)
	s.addEvents(api)
	typeMembers(api.OpenAPI().Components.Schemas)
	return api.OpenAPI()
}

// ServePages has every other path answered by pages, which asks ClientOf for the client of a request. Call it before
// Handler. The lists of papers are made at once, while the first calls are answered.
func (s *Server) ServePages(pages http.Handler) {
	s.pages = pages
	s.wait.Go(s.readAhead)
}

// ClientOf returns the client of a request that the server let through to pages.
func ClientOf(r *http.Request) *Client { return clientOf(r.Context()) }

// admitPeople is admit for browsers, which send a token as the password of HTTP
// Basic, and which post only from a page of this server.
func (s *Server) admitPeople(next http.Handler) http.Handler {
	inner := s.admit(askPassword, next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost && r.Header.Get("Origin") == "" {
			writeFault(w, newFault(http.StatusForbidden, string(problem.NotPermitted), "a form that names no origin", "send it from the page, or use the call under /api/v1/"))
			return
		}
		if _, secret, ok := r.BasicAuth(); ok {
			r.Header.Set("Authorization", "Bearer "+secret)
		}
		inner.ServeHTTP(w, r)
	})
}

// apiConfig describes the interface.
func (s *Server) apiConfig() huma.Config {
	c := huma.DefaultConfig("Muniment", s.o.Version)
	c.Info.Description = "An archive whose citations can be proved. A citation that does not verify is a reply with the nearest words and the call that would mend it; only what cannot be looked up is an error."
	c.Info.License = &huma.License{Name: "Apache-2.0", Identifier: "Apache-2.0"}
	c.Servers = []*huma.Server{{URL: "/", Description: "the server that this document came from"}}
	strict := huma.Format{Marshal: huma.DefaultJSONFormat.Marshal, Unmarshal: decodeJSON}
	c.Formats = map[string]huma.Format{"application/json": strict, "json": strict}
	c.Transformers = append(c.Transformers, withRequestID)
	c.DocsPath, c.SchemasPath, c.CreateHooks = "", "", nil
	c.Components.Schemas = huma.NewMapRegistry("#/components/schemas/", nameSchema)
	c.Components.SecuritySchemes = map[string]*huma.SecurityScheme{"token": {Type: "http", Scheme: "bearer", Description: "made by muniment token new; not needed on loopback"}}
	c.Security = []map[string][]string{{"token": {}}, {}}
	return c
}

// nameSchema returns the name of a type in the description: several packages have
// a Finding or a Citation, so that all but ours begin with the package's name.
func nameSchema(t reflect.Type, hint string) string {
	name := huma.DefaultSchemaNamer(t, hint)
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	if pkg := path.Base(t.PkgPath()); t.Name() != "" && pkg != "server" && pkg != "." {
		return strings.ToUpper(pkg[:1]) + pkg[1:] + name
	}
	return name
}

// noBound leaves the bound of a body to admit, which knows the limits of this server.
const noBound = -1

// A reply is a message.
type reply[T any] struct{ Body T }

// A posted body is a request.
type posted[T any] struct{ Body T }

// An operation describes a call of the interface.
type operation struct {
	method, at, id, summary string
}

// faults are the statuses of the errors of every call.
var faults = []int{400, 401, 403, 404, 409, 413, 415, 422, 429, 500, 503}

// add adds a call that answers with what do returns.
func add[I, O any](api huma.API, c operation, do func(context.Context, *Client, *I) (*O, error)) {
	op := huma.Operation{OperationID: c.id, Method: c.method, Path: "/api/v1" + c.at, Summary: c.summary, MaxBodyBytes: noBound, Parameters: onceParameter(c.method),
		Errors: faults}
	huma.Register(api, op, func(ctx context.Context, in *I) (*reply[O], error) {
		out, err := do(ctx, clientOf(ctx), in)
		if err != nil {
			return nil, faultOf(err)
		}
		return &reply[O]{Body: *out}, nil
	})
}

// addPost adds a call with a body, which is a method of the client.
func addPost[I, O any](api huma.API, at, id, summary string, do func(*Client, context.Context, I) (*O, error)) {
	add(api, operation{http.MethodPost, at, id, summary}, func(ctx context.Context, c *Client, in *posted[I]) (*O, error) { return do(c, ctx, in.Body) })
}

// addRead adds a call without a body, which is a method of the client.
func addRead[I, O any](api huma.API, at, id, summary string, do func(*Client, context.Context, I) (*O, error)) {
	add(api, operation{http.MethodGet, at, id, summary}, func(ctx context.Context, c *Client, in *I) (*O, error) { return do(c, ctx, *in) })
}

// ofSnapshot begins the paths of calls whose replies are the same until the archive or its policy changes.
var ofSnapshot = []string{"/api/v1/search", "/api/v1/artifacts", "/api/v1/snapshots"}

// withETag answers 304 to a caller that has the reply already, and gives the others
// the ETag: a hash of the newest tree and of who asks.
func (s *Server) withETag(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		stable := r.Method == http.MethodGet && slices.ContainsFunc(ofSnapshot, func(begin string) bool { return strings.HasPrefix(r.URL.Path, begin) })
		if !stable {
			next.ServeHTTP(w, r)
			return
		}
		tag, err := clientOf(r.Context()).etag(r.Context())
		if err != nil {
			writeFault(w, faultOf(err))
			return
		}
		w.Header().Set("ETag", tag)
		w.Header().Set("Cache-Control", "private, no-cache")
		if hasTag(strings.Join(r.Header.Values("If-None-Match"), ","), tag) {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// etag returns the tag of what the client sees of the archive as it is.
func (c *Client) etag(ctx context.Context) (tag string, err error) {
	err = c.server.with(ctx, func(h *handle) error {
		tree, err := h.archive.NewestTree()
		sum := sha256.Sum256([]byte(tree.String() + "\n" + c.cred.Name + "\n" + string(c.cred.Role) + "\n" + c.cred.Tier))
		tag = `"` + hex.EncodeToString(sum[:16]) + `"`
		return err
	})
	return tag, err
}
