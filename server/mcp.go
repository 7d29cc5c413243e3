package server

import (
	"bufio"
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"muniment/archive/problem"
	"muniment/text/legible"
)

//go:embed citing.md
var citing string

// resourceScheme begins the addresses of resources.
const resourceScheme = "muniment://"

// A tool is a call of the Model Context Protocol, for a server and for other hosts.
type tool struct {
	definition *mcp.Tool
	add        func(*mcp.Server, *Client)
}

// newTool returns a tool that answers with what do returns. An error is a result
// that the model reads, with the kind of the error and what to do.
func newTool[I, O any](name, title, description string, annotations mcp.ToolAnnotations, do func(*Client, context.Context, I) (*O, error)) tool {
	annotations.Title = title
	t := &mcp.Tool{Name: name, Title: title, Description: description, InputSchema: inputSchema[I](), Annotations: &annotations}
	return tool{t, func(s *mcp.Server, c *Client) {
		mcp.AddTool(s, t, func(ctx context.Context, _ *mcp.CallToolRequest, in I) (*mcp.CallToolResult, *O, error) {
			out, err := do(c, context.WithValue(ctx, clientKey{}, c), in)
			if err == nil {
				return withLinks(out), out, nil
			}
			return nil, nil, faultError{faultOf(err)}
		})
	}}
}

// withLinks returns a result with the links of a reply after its text, of a citation what a model goes on from alone;
// nil where there is nothing to link to: the library writes the reply as text.
func withLinks(reply any) *mcp.CallToolResult {
	to, said := links(reply), reply
	if r, ok := reply.(*CiteReply); ok {
		said = struct {
			ID       int64     `json:"citation_id"`
			Status   string    `json:"verification_status"`
			Reason   string    `json:"reason"`
			Span     string    `json:"span,omitempty"`
			NextCall *NextCall `json:"next_call,omitempty"`
		}{r.CitationID, r.VerificationStatus, cmp.Or(r.Reason, r.VerificationNotes, r.SummaryNote), r.Span, r.NextCall}
	} else if len(to) == 0 {
		return nil
	}
	text, err := json.Marshal(said)
	if err != nil {
		return nil // the library says so
	}
	return &mcp.CallToolResult{Content: append([]mcp.Content{&mcp.TextContent{Text: string(text)}}, to...)}
}

// A faultError is a fault whose words are its JSON, as a model gets nothing else of an error.
type faultError struct{ *Fault }

func (e faultError) Error() string {
	data, err := json.Marshal(e.bound())
	if err != nil {
		return e.Detail
	}
	return string(data)
}

// inputSchema returns the schema of a request, with the descriptions and the choices of its fields.
func inputSchema[I any]() *jsonschema.Schema {
	schema, err := jsonschema.For[I](nil)
	if err != nil {
		panic("server: the schema of a request: " + err.Error())
	}
	for _, field := range reflect.VisibleFields(reflect.TypeFor[I]()) {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		property := schema.Properties[name]
		if property == nil {
			continue
		}
		property.Description = field.Tag.Get("doc")
		if choices := field.Tag.Get("enum"); choices != "" {
			for one := range strings.SplitSeq(choices, ",") {
				property.Enum = append(property.Enum, one)
			}
		}
		if len(property.Types) == 2 && property.Types[0] == "null" { // of a slice: hosts want one type
			property.Type, property.Types = property.Types[1], nil
		}
	}
	return schema
}

// tools returns the tools, in the order in which an agent uses them. They are made once:
// the library keeps what it made of each schema that it has seen.
var tools = sync.OnceValue(makeTools)

func makeTools() []tool {
	no := false
	reads := mcp.ToolAnnotations{ReadOnlyHint: true, IdempotentHint: true, OpenWorldHint: &no}
	registers := mcp.ToolAnnotations{DestructiveHint: &no, IdempotentHint: true, OpenWorldHint: &no}
	fetches := mcp.ToolAnnotations{DestructiveHint: &no, IdempotentHint: true}
	makes := mcp.ToolAnnotations{DestructiveHint: &no, OpenWorldHint: &no}
	return []tool{
		newTool("search_archive", "Search the archive", "Find passages of the archive by words. Each comes with its artifact and span, ready to cite.", reads, (*Client).Search),
		newTool("read_passage", "Read a passage", "Read words of an artifact: those at a span, or paragraphs from one on.", reads, (*Client).Read),
		newTool("register_source", "Register a source", "Register what is to be cited: a page of the web, the answer of a database, something that you made, or an artifact of the archive. A source that is registered keeps its number.", fetches, (*Client).RegisterSource),
		newTool("cite", "Cite", "Register a claim with words of a source and learn at once whether the words are there and whether the claim follows from them. The span is found for you. A verdict of no is a result: read suggestion, nearest and next_call, and cite again. The same call again returns the same citation.", registers, (*Client).Cite),
		newTool("cite_negative", "Cite a search without support", "Record that a search found no support for a claim. It supports nothing.", makes, (*Client).CiteNegative),
		newTool("check_draft", "Check a draft", "Gate a markdown draft whose marks [1], [2] are numbers of citations: gaps are closed from citations on file, what breaks the rules of the profile is removed.", makes, (*Client).Check),
		newTool("examine", "Examine a text", "Say what each quotation of a finished text is worth: exact, altered, cut, stitched, in another paper than the one named, nowhere, or not checkable, with the words of the paper and what differs. Nothing has to be marked or registered. The report is kept as a page, to which the reply links.", makes, (*Client).ExamineAndKeep),
		newTool("ask", "Ask the archive", "Ask a question. The answer is in words of the archive, each claim with its evidence; a refusal says why and what to do. The reply links to the signed bundle, which anybody verifies offline.", makes, (*Client).Ask),
		newTool("seal_report", "Seal a report", "Seal a finished draft: each sentence that the archive supports is delivered with its evidence, the others are listed as removed. The reply links to the signed bundle, to be sent to whoever asked.", makes, (*Client).Seal),
		newTool("get_bundle", "Get a bundle", "Show an answer, a sealed report or the bundle of an examination by its id, with links to its signed bundle and its page.", reads, (*Client).Bundle),
		newTool("list_sources", "List sources", "List the registered sources that you may read, by type.", reads, (*Client).Sources),
		newTool("get_source", "Get a source", "Show a registered source by its number.", reads, (*Client).Source),
		newTool("get_citation", "Get a citation", "Show a citation by its number or id: its words, its place, both verdicts.", reads, (*Client).Citation),
		newTool("list_citations", "List citations", "List the citations that you may read, by session or status.", reads, (*Client).Citations),
		newTool("list_to_review", "List what nobody has judged", "List the citations that no rule, model or person has settled, each with its words in their paragraph, for a person to judge. It takes a role that may review: an agent may not.", reads, (*Client).ToReview),
		newTool("review", "Hand in a review", "Hand in what a person found of a claim and its words, as the statement that the person signed with their own key. It is checked and kept; whether it counts is in the reply. No model reviews.", registers, (*Client).Review),
		newTool("request_snapshot", "Ask for a snapshot", "Sign what your own calls added, and your citations, so that they can be proved. A report rests on custom content once an archivist has rated it. What the owner has not granted, or something forbids, waits for a person; waits is a result.", registers, requestSnapshot),
		newTool("format_bibliography", "Format a bibliography", "List the works behind citations in a style.", reads, (*Client).Bibliography),
	}
}

// newMCP returns the tools, resources and prompts of a client.
func (s *Server) newMCP(c *Client) *mcp.Server {
	m := mcp.NewServer(&mcp.Implementation{Name: "muniment", Title: "Muniment", Version: s.o.Version}, &mcp.ServerOptions{Instructions: citing, Logger: s.o.Log, SchemaCache: s.schemas, CompletionHandler: c.completeName})
	m.AddReceivingMiddleware(c.listResources, s.boundResults)
	for _, t := range tools() {
		t.add(m, c)
	}
	m.AddResourceTemplate(&mcp.ResourceTemplate{Name: "artifact", Title: "Text of an artifact", MIMEType: "text/plain", URITemplate: resourceScheme + "artifact/{id}",
		Description: "the canonical text of an artifact, as far as your tier may see it"}, c.readResource)
	m.AddResourceTemplate(&mcp.ResourceTemplate{Name: "passage", Title: "Words at a span", MIMEType: "text/plain", URITemplate: resourceScheme + "artifact/{id}/{span}",
		Description: "the words at a span of an artifact, such as p4:0-41"}, c.readResource)
	m.AddResourceTemplate(&mcp.ResourceTemplate{Name: "bundle", Title: "A signed bundle", MIMEType: "application/zip", URITemplate: resourceScheme + "bundle/{name}",
		Description: "the bundle ID.zip of an answer or a sealed report, or its page ID.html"}, c.readFile)
	m.AddResourceTemplate(&mcp.ResourceTemplate{Name: "examination", Title: "An examination", MIMEType: "text/html", URITemplate: resourceScheme + "examination/{name}",
		Description: "the page ID.html of an examination, or its bundle ID.zip, which the first reading seals"}, c.readFile)
	m.AddPrompt(&mcp.Prompt{Name: "cite_sources", Title: "Write with citations that can be proved", Description: "how to search, cite, mend a citation that fails, and check a draft",
		Arguments: []*mcp.PromptArgument{{Name: "task", Description: "what is to be written"}}},
		func(_ context.Context, r *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
			text := citing
			if task := r.Params.Arguments["task"]; task != "" {
				text += "\nThe task: " + task + "\n"
			}
			return &mcp.GetPromptResult{Description: "how to cite", Messages: []*mcp.PromptMessage{{Role: "user", Content: &mcp.TextContent{Text: text}}}}, nil
		})
	return m
}

// artifactPage returns a page of the artifacts that the client may know of as resources, each by its first name that
// contains part, and where the next page begins.
func artifactPage(ctx context.Context, c *Client, part, after string) (out []*mcp.Resource, next string, err error) {
	page, err := c.Artifacts(ctx, part, after, pageLength)
	var known *problem.Error
	switch {
	case errors.As(err, &known) && known.Kind == problem.Usage:
		return nil, "", &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: faultOf(err).Detail}
	case err != nil:
		return nil, "", &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: faultError{faultOf(err)}.Error()}
	}
	out = []*mcp.Resource{}
	for _, a := range page.Artifacts {
		all := append(slices.Clone(a.Names), a.ID)
		name := all[max(0, slices.IndexFunc(all, func(name string) bool { return strings.Contains(name, part) }))]
		out = append(out, &mcp.Resource{URI: resourceScheme + "artifact/" + a.ID, Name: name, MIMEType: "text/plain"})
	}
	return out, page.Next, nil
}

// listResources answers resources/list a page at a time: the library would hold all artifacts.
func (c *Client) listResources(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, r mcp.Request) (mcp.Result, error) {
		p, ok := r.GetParams().(*mcp.ListResourcesParams)
		if !ok {
			return next(ctx, method, r)
		}
		page, after, err := artifactPage(ctx, c, "", cmp.Or(p, &mcp.ListResourcesParams{}).Cursor)
		return &mcp.ListResourcesResult{NextCursor: after, Resources: page}, err
	}
}

// completeName completes the id in the addresses of artifacts with names that the client may know of.
func (c *Client) completeName(ctx context.Context, r *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
	of, named := r.Params.Ref, mcp.CompletionResultDetails{Values: []string{}}
	if of == nil || r.Params.Argument.Name != "id" || !strings.HasPrefix(of.URI, resourceScheme+"artifact/") {
		return &mcp.CompleteResult{Completion: named}, nil
	}
	page, next, err := artifactPage(ctx, c, r.Params.Argument.Value, "")
	for _, a := range page {
		named.Values = append(named.Values, a.Name)
	}
	named.HasMore = next != ""
	return &mcp.CompleteResult{Completion: named}, err
}

// readResource returns the text of an artifact, or the words at a span.
func (c *Client) readResource(ctx context.Context, r *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	rest, ok := strings.CutPrefix(r.Params.URI, resourceScheme+"artifact/")
	id, span, _ := strings.Cut(rest, "/")
	id, err := url.PathUnescape(id)
	if !ok || err != nil {
		return nil, mcp.ResourceNotFoundError(r.Params.URI)
	}
	if span, err = url.PathUnescape(span); err != nil {
		return nil, mcp.ResourceNotFoundError(r.Params.URI)
	}
	var text []string
	for from := 1; from != 0; {
		reply, err := c.Read(ctx, ReadRequest{Artifact: id, Span: span, From: from})
		var known *problem.Error
		switch {
		case errors.As(err, &known) && (known.Kind == problem.NotFound || known.Kind == problem.SourceNotFound):
			return nil, mcp.ResourceNotFoundError(r.Params.URI)
		case err != nil:
			return nil, faultError{faultOf(err)}
		}
		for _, p := range reply.Passages {
			text = append(text, p.Text)
		}
		from = 0
		if c.cred.seesAll() {
			from = reply.Next
		}
	}
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: r.Params.URI, MIMEType: "text/plain", Text: strings.Join(text, "\n\n")}}}, nil
}

// mcpHandler answers the Model Context Protocol over HTTP. It keeps no session:
// each request has its credential, and so may see no other's.
func (s *Server) mcpHandler() http.Handler {
	of := func(r *http.Request) *mcp.Server {
		m := s.newMCP(clientOf(r.Context()))
		m.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
			return func(ctx context.Context, method string, call mcp.Request) (mcp.Result, error) {
				ctx, cancel := context.WithCancel(ctx)
				context.AfterFunc(r.Context(), cancel) // which the library would let the call outlive
				return next(ctx, method, call)
			}
		})
		return m
	}
	return mcp.NewStreamableHTTPHandler(of,
		&mcp.StreamableHTTPOptions{Stateless: true, JSONResponse: true, MaxRequestBodyBytes: int64(s.o.Limits.TextBody), DisableLocalhostProtection: true}) // admit checks the Host
}

// RunMCP answers the Model Context Protocol on a pair of streams until in ends.
func (s *Server) RunMCP(ctx context.Context, cred Credential, session string, in io.ReadCloser, out io.WriteCloser) error {
	cred.principal = agentPrincipal + cred.Name
	replies := &replyWriter{WriteCloser: out}
	messages := &messageReader{in: in, longest: s.o.Limits.TextBody, lines: bufio.NewReaderSize(in, bodyUnit), replies: replies}
	err := s.newMCP(s.Client(cred, session)).Run(ctx, &mcp.IOTransport{Reader: messages, Writer: replies})
	if errors.Is(err, io.EOF) || ctx.Err() != nil {
		return nil
	}
	return err
}

// ToolFormats are the formats of WriteTools.
var ToolFormats = []string{"openai", "anthropic"}

// ToolDefinitions returns the tools as the interface of another host takes them: openai or anthropic.
func ToolDefinitions(format string) (any, error) {
	var out []map[string]any
	for _, t := range tools() {
		d := t.definition
		switch format {
		case "openai":
			out = append(out, map[string]any{"type": "function", "function": map[string]any{"name": d.Name, "description": d.Description, "parameters": d.InputSchema}})
		case "anthropic":
			out = append(out, map[string]any{"name": d.Name, "description": d.Description, "input_schema": d.InputSchema})
		default:
			return nil, problem.New(problem.Usage, problem.Advise(strings.Join(ToolFormats, " or ")), "tools for %q", legible.Printable(format))
		}
	}
	return out, nil
}
