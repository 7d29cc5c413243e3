package server

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"muniment/archive/problem"
)

// A messageError is the JSON-RPC error of a message that is answered before it is decoded.
type messageError struct {
	Version string         `json:"jsonrpc"`
	ID      any            `json:"id"` // null where it is not known
	Error   *jsonrpc.Error `json:"error"`
}

// bad returns the error of a message whose id is not known.
func bad(code int64, message string) *messageError {
	return &messageError{Version: "2.0", Error: &jsonrpc.Error{Code: code, Message: message}}
}

// checkMessage returns the error of one JSON-RPC message, nil for one that may be decoded.
// Several messages in one array are refused: each would be a call.
func checkMessage(data []byte) *messageError {
	if err := checkShape(data); err != nil {
		return bad(jsonrpc.CodeInvalidRequest, err.Error())
	}
	if !json.Valid(data) {
		return bad(jsonrpc.CodeParseError, "the message is no JSON")
	}
	message, err := jsonrpc.DecodeMessage(data)
	if err != nil {
		return bad(jsonrpc.CodeInvalidRequest, "the message is no JSON-RPC call: send one object with jsonrpc, id, method and params")
	}
	call, ok := message.(*jsonrpc.Request)
	if !ok {
		return nil
	}
	if params := bytes.TrimSpace(call.Params); len(params) > 0 && params[0] != '{' {
		return bad(jsonrpc.CodeInvalidParams, "params is no object")
	}
	if id, ok := call.ID.Raw().(string); ok && len(id) > maxCallID {
		return bad(jsonrpc.CodeInvalidRequest, "the id of the call is too long")
	}
	return nil
}

// checkMessages answers messages over HTTP that next should not decode.
func checkMessages(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			next.ServeHTTP(&messageWriter{ResponseWriter: w}, r)
			return
		}
		data, _ := io.ReadAll(r.Body) // withBody read it
		if wrong := checkMessage(data); wrong != nil {
			wrong.send(w, http.StatusBadRequest)
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(data))
		next.ServeHTTP(&messageWriter{ResponseWriter: w, message: data}, r)
	})
}

// A replyWriter writes whole messages, of two writers.
type replyWriter struct {
	io.WriteCloser
	mu sync.Mutex
}

func (w *replyWriter) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	_, err := w.WriteCloser.Write(boundMessage(p))
	return len(p), err
}

// A messageReader reads JSON-RPC messages, one in each line; one too long or too deep to decode gets its error here.
type messageReader struct {
	in      io.Closer
	lines   *bufio.Reader
	replies io.Writer
	left    []byte // of a message that was checked
	longest int    // bytes of a message
}

// Close closes the stream.
func (m *messageReader) Close() error { return m.in.Close() }

func (m *messageReader) Read(p []byte) (int, error) {
	for len(m.left) == 0 {
		line, long, err := m.line()
		if len(bytes.TrimSpace(line)) == 0 && !long {
			if err != nil {
				return 0, err
			}
			continue
		}
		wrong := bad(jsonrpc.CodeInvalidRequest, "the message is too long")
		if !long {
			wrong = checkMessage(line)
		}
		if wrong == nil {
			m.left = append(line, '\n')
			break
		}
		data, err := json.Marshal(wrong)
		if err != nil {
			return 0, err
		}
		if _, err := m.replies.Write(append(data, '\n')); err != nil {
			return 0, err
		}
	}
	n := copy(p, m.left)
	m.left = m.left[n:]
	return n, nil
}

// line returns the next line without its end. Of one longer than a body may be it returns
// that it is long, and passes over it.
func (m *messageReader) line() (line []byte, long bool, err error) {
	for {
		part, err := m.lines.ReadSlice('\n')
		if long = long || len(line)+len(part) > m.longest; !long {
			line = append(line, part...)
		} else {
			line = nil
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return bytes.TrimRight(line, "\r\n"), long, err
		}
	}
}

// schemaPlace matches the beginning of a schema error of a tool's arguments, before any value is
// repeated: the place, and the rule or the names.
var schemaPlace = regexp.MustCompile(`^validating "arguments": (?:validating [^: ]+: )*(?:unexpected additional properties .*|required: missing properties.*|[A-Za-z]+:)`)

// boundResults bounds what every tool says of a failure. A bug is a failure of its call: it
// happens in a goroutine of the library, where it would end the process.
func (s *Server) boundResults(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (result mcp.Result, err error) {
		defer func() {
			if bug := recover(); bug != nil {
				s.o.Log.Error("bug", "method", method, "what", fmt.Sprint(bug))
				result, err = nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "a bug; report it with the server's log of this moment"}
			}
		}()
		result, err = next(ctx, method, req)
		if tool, ok := result.(*mcp.CallToolResult); ok && err == nil && tool.IsError {
			boundToolError(tool)
		}
		return result, err
	}
}

// boundMessage returns a message to the caller, whose error has at most MaxErrorReply bytes.
func boundMessage(data []byte) []byte {
	if len(data) <= MaxErrorReply || !bytes.Contains(data[:4*maxCallID], []byte(`"error":`)) {
		return data
	}
	message, err := jsonrpc.DecodeMessage(bytes.TrimSpace(data))
	reply, ok := message.(*jsonrpc.Response)
	var coded *jsonrpc.Error
	if err != nil || !ok || !errors.As(reply.Error, &coded) {
		return data
	}
	reply.Error = &jsonrpc.Error{Code: coded.Code, Message: clip(coded.Message, maxPlace)}
	short, err := jsonrpc.EncodeMessage(reply)
	if err != nil {
		return data
	}
	return append(short, '\n')
}

// A messageWriter writes whole messages over HTTP. What the library says as text becomes the error of the message.
type messageWriter struct {
	http.ResponseWriter
	message []byte // that is answered, nil for none
	status  int    // of the text that follows; 0 where none does
}

func (w *messageWriter) WriteHeader(status int) {
	if strings.HasPrefix(w.Header().Get("Content-Type"), "text/plain") {
		w.status = status
		return
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *messageWriter) Write(p []byte) (int, error) {
	if w.status == 0 {
		_, err := w.ResponseWriter.Write(boundMessage(p))
		return len(p), err
	}
	wrong := bad(jsonrpc.CodeInvalidRequest, clip(strings.TrimSpace(string(p)), maxPlace))
	if message, err := jsonrpc.DecodeMessage(w.message); err == nil {
		if call, ok := message.(*jsonrpc.Request); ok {
			wrong.ID = call.ID.Raw()
		}
	}
	if strings.HasPrefix(wrong.Error.Message, "JSON RPC not handled") { // the one text about a message that is well formed
		wrong.Error.Code, w.status = jsonrpc.CodeMethodNotFound, http.StatusOK
	}
	wrong.send(w.ResponseWriter, w.status)
	return len(p), nil
}

// send answers a message with its error.
func (e *messageError) send(w http.ResponseWriter, status int) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(e) // the caller went away
}

// Unwrap returns the writer below, for http.ResponseController.
func (w *messageWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// boundToolError replaces what the library says of wrong arguments, which repeats them, by a fault.
func boundToolError(tool *mcp.CallToolResult) {
	for _, content := range tool.Content {
		text, ok := content.(*mcp.TextContent)
		if !ok || json.Valid([]byte(text.Text)) && len(text.Text) <= MaxErrorReply {
			continue
		}
		detail := "the arguments are not as the schema of the tool says"
		if at := schemaPlace.FindString(clip(text.Text, maxSentence)); at != "" {
			detail += ": " + clip(at, 2*maxPlace)
		}
		f := newFault(http.StatusUnprocessableEntity, string(problem.Usage), detail, "tools/list has the schema of every tool")
		text.Text = faultError{f}.Error()
	}
}
