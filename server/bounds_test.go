package server_test

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"muniment/archive"
	"muniment/archive/archivetest"
	"muniment/engine"
	"muniment/history"
	"muniment/server"
	"muniment/server/pages"
)

const (
	maxMemory   = 256 << 20         // of a server of a small archive, in bytes, whatever it is sent
	serverLives = 3 * time.Minute   // longer than the test of it
	childEnv    = "MUNIMENT_BOUNDS" // set in the process of that server
	callers     = 8
	largeBody   = 1 << 20 // bytes; such bodies are tried with some operations alone
)

// TestServedProcess is the server of TestBounds, in a process of its own; elsewhere it has
// nothing to do.
func TestServedProcess(t *testing.T) {
	if os.Getenv(childEnv) == "" {
		return
	}
	a, key := archivetest.New(t, archivetest.Papers)
	if _, err := engine.Snapshot(a, history.SnapshotOptions{Text: "papers", Signer: key}); err != nil {
		t.Fatal(err)
	}
	s, err := server.New(server.Options{Open: func() (*archive.Archive, error) { return archive.Open(a.Dir(), a.World()) }, Signer: key,
		Limits: server.Limits{StreamTime: 5 * time.Second}}) // whoever follows events is left then
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	s.ServePages(pages.New())
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	h := &http.Server{Handler: s.Handler(), ReadTimeout: serverLives, MaxHeaderBytes: 32 << 10}
	go func() { _ = h.Serve(l) }()
	for i := range callers { // no caller is held back for the calls of all
		secret, _, err := server.NewToken(a, server.Credential{Name: fmt.Sprint("caller", i), Role: engine.RoleAdmin})
		if err != nil {
			t.Fatal(err)
		}
		fmt.Printf("token %s\n", secret)
	}
	fmt.Printf("listening on %s\n", l.Addr())
	time.AfterFunc(serverLives, func() { os.Exit(1) })
	_, _ = io.Copy(io.Discard, os.Stdin) // until the test ends
	h.Close()
}

// A target is a server in a process of its own.
type target struct {
	t       *testing.T
	url     string
	pid     int
	mu      sync.Mutex
	tokens  []string
	replies int
	longest int
}

// startTarget starts the server and stops it when the test ends.
func startTarget(t *testing.T) *target {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestServedProcess$")
	cmd.Env = append(os.Environ(), childEnv+"=1", "GOGC=60") // as muniment serve collects
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
	})
	lines := bufio.NewScanner(out)
	var tokens []string
	for lines.Scan() {
		if token, ok := strings.CutPrefix(lines.Text(), "token "); ok {
			tokens = append(tokens, token)
		}
		if at, ok := strings.CutPrefix(lines.Text(), "listening on "); ok {
			go func() { _, _ = io.Copy(os.Stderr, out) }()
			return &target{t: t, url: "http://" + at, pid: cmd.Process.Pid, tokens: tokens}
		}
	}
	t.Fatal("the server did not start")
	return nil
}

// memory returns the most memory that the server has held, in bytes.
func (g *target) memory() int {
	g.t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", g.pid))
	if err != nil {
		g.t.Fatal(err)
	}
	peak := regexp.MustCompile(`VmHWM:\s+(\d+) kB`).FindSubmatch(text)
	if peak == nil {
		g.t.Fatal("no VmHWM in /proc")
	}
	kb, err := strconv.Atoi(string(peak[1]))
	if err != nil {
		g.t.Fatal(err)
	}
	return kb << 10
}

// try sends a request and checks the reply, but for what more than one caller at a time may
// be told.
func (g *target) try(what, method, path string, body []byte, headers ...string) (int, []byte) {
	g.t.Helper()
	for try := range 20 {
		r, err := http.NewRequestWithContext(g.t.Context(), method, g.url, bytes.NewReader(body))
		if err != nil {
			g.t.Fatal(err)
		}
		r.URL.Opaque = path
		g.mu.Lock()
		r.Header.Set("Authorization", "Bearer "+g.tokens[(g.replies+try)%callers])
		g.mu.Unlock()
		for i := 0; i+1 < len(headers); i += 2 {
			r.Header.Set(headers[i], headers[i+1])
		}
		if host := r.Header.Get("Host"); host != "" {
			r.Host = host
		}
		reply, err := http.DefaultClient.Do(r)
		if err != nil {
			if len(body) < 1<<20 && !strings.Contains(err.Error(), "server closed") {
				g.t.Errorf("%s: %s %.80s: %v", what, method, path, err)
			}
			return 0, nil // the reply came before the body was sent, and the connection ended
		}
		data, err := io.ReadAll(io.LimitReader(reply.Body, 64<<20))
		reply.Body.Close()
		if err != nil {
			g.t.Errorf("%s: %s %.80s: %v", what, method, path, err)
		}
		busy := reply.StatusCode == http.StatusServiceUnavailable && bytes.Contains(data, []byte("other requests fill the memory"))
		if reply.StatusCode == http.StatusTooManyRequests || busy { // a client tries again
			time.Sleep(50 * time.Millisecond)
			continue
		}
		g.check(fmt.Sprintf("%s: %s %.80s", what, method, path), reply, data)
		return reply.StatusCode, data
	}
	g.t.Errorf("%s: %s %.80s: too many requests twenty times", what, method, path)
	return 0, nil
}

// check holds a reply to the bounds.
func (g *target) check(what string, reply *http.Response, data []byte) {
	g.t.Helper()
	g.mu.Lock()
	defer g.mu.Unlock()
	g.replies++
	if reply.StatusCode >= 500 {
		g.t.Errorf("%s: %d %.300s", what, reply.StatusCode, data)
	}
	failed := reply.StatusCode >= 400 && !strings.HasPrefix(reply.Header.Get("Content-Type"), "text/html")
	if failed || bytes.Contains(data, []byte(`"isError":true`)) || bytes.HasPrefix(data, []byte("event: error")) {
		g.longest = max(g.longest, len(data))
		if len(data) > server.MaxErrorReply+512 || failed && len(data) > server.MaxErrorReply {
			g.t.Errorf("%s: %d: an error of %d bytes: %.200s", what, reply.StatusCode, len(data), data)
		}
		if _, details, _ := bytes.Cut(data, []byte(`"errors":`)); bytes.Contains(data, []byte(`"value":`)) || bytes.Contains(details, []byte(secretValue)) || bytes.Contains(data, []byte("arguments are not")) && bytes.Contains(data, []byte(secretValue)) {
			g.t.Errorf("%s: an error repeats a value: %.300s", what, data)
		}
		if n := bytes.Count(data, []byte(`"location"`)); n > 10 {
			g.t.Errorf("%s: an error of %d details", what, n)
		}
	}
}

// secretValue is in every value that is of a wrong type; no reply may repeat it.
const secretValue = "hunter2"

// unknownMembers returns an object of n members that no request has, with a good one
// before them.
func unknownMembers(n int) []byte {
	var b bytes.Buffer
	b.WriteString(`{"claim":"` + secretValue + `"`)
	for i := range n {
		fmt.Fprintf(&b, `,"a%d":"%s"`, i, secretValue)
	}
	b.WriteByte('}')
	return b.Bytes()
}

// badBodies are bodies that no call takes, and some that many take and that are large.
func badBodies() map[string][]byte {
	many := func(begin, one, end string, n int) []byte { return []byte(begin + strings.Repeat(one, n) + end) }
	return map[string][]byte{
		"unknown members":  unknownMembers(4000),
		"one long member":  many(`{"`, "a", `":0}`, 1<<20),
		"items of unknown": many(`{"citations":[`, `{"x":"`+secretValue+`","y":1},`, `{}],"files":[{}]}`, 999),
		"arrays":           many("", "[", "", 200_000),
		"objects":          many("", `{"locator":`, "", 100_000),
		"values":           many(`{"locator":{"a":[`, "0,", "0]}}", 1_500_000),
		"empty objects":    many(`{"citations":[`, "{},", "{}]}", 1_000_000),
		"no JSON":          []byte(`{"claim": ` + secretValue + `}`),
		"cut off":          []byte(`{"claim":"` + secretValue),
		"bytes":            []byte("\x00\xff\xfe{"),
		"a long number":    many(`{"source":`, "9", "}", 1<<20),
		"a large exponent": []byte(`{"source":1e999999999,"limit":1e400}`),
		"a list":           []byte(`["` + secretValue + `"]`),
		"null":             []byte(`null`),
		"a text":           many(`"`, secretValue, `"`, 100_000),
		"too large":        many(`{"claim":"`, "a", `"}`, 17<<20),
	}
}

// An operation is one of /openapi.json.
type operation struct {
	id, method, path string
	parameters       []struct{ Name, In string }
	properties       []string // of the JSON body
}

// operations reads every operation of the interface.
func (g *target) operations() []operation {
	g.t.Helper()
	type schema struct {
		Ref        string `json:"$ref"`
		Properties map[string]json.RawMessage
	}
	var doc struct {
		Paths map[string]map[string]struct {
			OperationID string
			Parameters  []struct{ Name, In string }
			RequestBody struct {
				Content map[string]struct{ Schema schema }
			}
		}
		Components struct{ Schemas map[string]schema }
	}
	_, data := g.try("document", "GET", "/openapi.json", nil)
	if err := json.Unmarshal(data, &doc); err != nil {
		g.t.Fatal(err)
	}
	var all []operation
	for path, methods := range doc.Paths {
		for method, op := range methods {
			one := operation{id: op.OperationID, method: strings.ToUpper(method), path: path, parameters: op.Parameters}
			body := op.RequestBody.Content["application/json"].Schema
			for name := range doc.Components.Schemas[strings.TrimPrefix(body.Ref, "#/components/schemas/")].Properties {
				one.properties = append(one.properties, name)
			}
			slices.Sort(one.properties)
			all = append(all, one)
		}
	}
	return all
}

// at returns the path of an operation with a value for each of its parameters.
func (o *operation) at(value string) string {
	path := regexp.MustCompile(`\{\w+\}`).ReplaceAllString(o.path, url.PathEscape(value))
	query := url.Values{}
	for _, p := range o.parameters {
		if p.In == "query" {
			query.Set(p.Name, value)
		}
	}
	return path + "?" + query.Encode()
}

// attack sends what no call of an operation should be sent.
func (g *target) attack(o operation, bodies map[string][]byte, large bool) {
	const good = "1931-03-14.txt"
	for what, body := range bodies {
		if len(body) >= largeBody && !large {
			continue
		}
		g.try(what, o.method, o.at(good), body, "Content-Type", "application/json")
	}
	for _, name := range o.properties {
		for what, value := range map[string]string{"number": "7", "text": `"` + secretValue + `"`, "list": `["` + secretValue + `",{"x":"` + secretValue + `"}]`,
			"object": `{"` + secretValue[:3] + `":{"x":"` + secretValue + `"}}`, "long text": `"` + strings.Repeat("a\\u0001 ", 50_000) + `"`, "null": "null"} {
			g.try(name+" is a "+what, o.method, o.at(good), []byte(`{"`+name+`":`+value+`}`), "Content-Type", "application/json")
		}
	}
	for _, kind := range []string{"text/plain", "application/xml", "multipart/form-data", "application/cbor", "application/json; charset=utf-16", strings.Repeat("x", 20_000) + "/json", ";;;", "a/b/c"} {
		g.try("content type", o.method, o.at(good), []byte(`{"claim":"x"}`), "Content-Type", kind)
	}
	for _, value := range []string{"", strings.Repeat("a", 20_000), "\x00\xff", "../../x", "-1", "99999999999999999999", strings.Repeat("\u202e", 3000), "p4:0-999999999999"} {
		g.try("parameters", o.method, o.at(value), []byte(`{}`), "Content-Type", "application/json")
	}
	for _, name := range []string{"Idempotency-Key", "Muniment-Session", "If-None-Match", "Origin", "Authorization", "Accept", "Accept-Encoding", "Host"} {
		g.try(name, o.method, o.at(good), []byte(`{}`), "Content-Type", "application/json", name, strings.Repeat("é", 10_000))
	}
	var query strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&query, "&q%d=%s", i, secretValue)
	}
	g.try("query", o.method, o.at(good)+query.String(), nil)
	g.attackChunks(o.method, o.at(good))
}

// attackChunks sends bodies whose framing is wrong, over plain connections.
func (g *target) attackChunks(method, path string) {
	head := method + " " + path + " HTTP/1.1\r\nHost: " + strings.TrimPrefix(g.url, "http://") + "\r\nContent-Type: application/json\r\nConnection: close\r\n"
	for what, rest := range map[string]string{
		"chunk header":    "Transfer-Encoding: chunked\r\n\r\nzzz\r\n{}\r\n0\r\n\r\n",
		"chunk length":    "Transfer-Encoding: chunked\r\n\r\nffffffffffffffff1\r\n{}\r\n0\r\n\r\n",
		"chunk end":       "Transfer-Encoding: chunked\r\n\r\n2\r\n{}no end\r\n0\r\n\r\n",
		"chunk extension": "Transfer-Encoding: chunked\r\n\r\n2;" + strings.Repeat("x", 10_000) + "\r\n{}\r\n0\r\n\r\n",
		"no last chunk":   "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n",
		"a short body":    "Content-Length: 100\r\n\r\n{}",
		"no length":       "Content-Length: -1\r\n\r\n{}",
	} {
		c, err := net.Dial("tcp", strings.TrimPrefix(g.url, "http://"))
		if err != nil {
			g.t.Fatal(err)
		}
		_ = c.SetDeadline(time.Now().Add(time.Minute))
		_, err = io.WriteString(c, head+rest)
		_ = c.(*net.TCPConn).CloseWrite()
		if err == nil {
			if reply, err := http.ReadResponse(bufio.NewReader(c), nil); err == nil {
				data, _ := io.ReadAll(reply.Body) // the server may end the connection
				g.check(what+" "+method+" "+path, reply, data)
			}
		}
		c.Close()
	}
}

// attackMessages sends messages to the Model Context Protocol.
func (g *target) attackMessages() {
	for what, message := range badMessages(g.t) {
		_, data := g.try("mcp "+what, "POST", "/mcp", []byte(message), "Content-Type", "application/json", "Accept", "application/json, text/event-stream")
		if bytes.Contains(data, []byte(`"error":`)) && len(data) > server.MaxErrorReply {
			g.t.Errorf("mcp %s: an error of %d bytes", what, len(data))
		}
	}
}

// badMessages returns messages for every tool, and for no call at all.
func badMessages(t *testing.T) map[string]string {
	t.Helper()
	call := func(method, params string) string {
		return `{"jsonrpc":"2.0","id":1,"method":"` + method + `","params":` + params + `}`
	}
	long := strings.Repeat("a", 500_000)
	all := map[string]string{
		"method":       call(long, "{}"),
		"tool":         call("tools/call", `{"name":"`+long+`","arguments":{}}`),
		"resource":     call("resources/read", `{"uri":"muniment://artifact/`+long+`"}`),
		"other uri":    call("resources/read", `{"uri":"`+long+`"}`),
		"span":         call("resources/read", `{"uri":"muniment://artifact/1931-03-14.txt/`+long+`"}`),
		"prompt":       call("prompts/get", `{"name":"`+long+`"}`),
		"cursor":       call("tools/list", `{"cursor":"`+long+`"}`),
		"params":       call("tools/call", `["`+long+`"]`),
		"level":        call("logging/setLevel", `{"level":"`+long+`"}`),
		"completion":   call("completion/complete", `{"ref":{"type":"ref/prompt","name":"`+long+`"},"argument":{"name":"a","value":"b"}}`),
		"id":           `{"jsonrpc":"2.0","id":"` + long + `","method":"tools/list"}`,
		"object id":    `{"jsonrpc":"2.0","id":{"a":1},"method":"tools/list"}`,
		"many":         "[" + strings.Repeat(call("x", "{}")+",", 2000) + call("x", "{}") + "]",
		"no call":      `{"claim":"` + long + `"}`,
		"deep":         strings.Repeat("[", 100_000),
		"deep objects": call("tools/call", strings.Repeat(`{"a":`, 50_000)+"1"+strings.Repeat("}", 50_000)),
		"cut off":      `{"jsonrpc":"2.0","id":1`,
		"version":      `{"jsonrpc":"1.0","id":1,"method":"tools/list"}`,
	}
	tools, err := server.ToolDefinitions("openai")
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range tools.([]map[string]any) {
		fn := one["function"].(map[string]any)
		name := fn["name"].(string)
		data, err := json.Marshal(fn["parameters"])
		if err != nil {
			t.Fatal(err)
		}
		var schema struct{ Properties map[string]any }
		if err := json.Unmarshal(data, &schema); err != nil || len(schema.Properties) == 0 {
			t.Fatalf("%s: %v", name, err)
		}
		use := func(arguments string) string {
			return call("tools/call", `{"name":"`+name+`","arguments":`+arguments+`}`)
		}
		all[name+" unknown members"] = use(string(unknownMembers(4000)))
		all[name+" deep"] = use(strings.Repeat("[", 90_000) + strings.Repeat("]", 90_000))
		all[name+" list"] = use(`["` + secretValue + `"]`)
		for property := range schema.Properties {
			for i, value := range []string{"7", `{"x":"` + secretValue + `"}`, `["` + secretValue + `",[1]]`, `"` + secretValue + strings.Repeat("\\u0001", 50_000) + `"`, "true", "1e400"} {
				all[fmt.Sprintf("%s %s %d", name, property, i)] = use(`{"` + property + `":` + value + `}`)
			}
		}
	}
	return all
}

// attackPages sends to every page, as a browser and as a program, what no page takes.
func (g *target) attackPages() {
	long := strings.Repeat("a", 15_000)
	for _, path := range []string{"/", "/index", "/inventory", "/names", "/search", "/suggest", "/a/" + long, "/s/1/a/" + long, "/s/" + long + "/a/x", "/cite", "/ask", "/answers/" + long, "/citations",
		"/citations/" + long, "/claims", "/verify", "/custody", "/snapshots/" + long, "/o/" + long, "/answers/x/answer.zip", "/assets/" + long, "/" + long, "/api/v1/" + long, "/healthz", "/metrics"} {
		for _, end := range []string{"", ".json"} {
			query := "?q=" + long + "&artifact=x%00%ff&span=" + long[:100] + "&sort=" + long[:50] + "&page=-9223372036854775808&after=x&from=99999999999999&t=x&xywh=1,2"
			g.try("page", "GET", path+end+query, nil)
			g.try("page", "POST", path+end, []byte("question="+long), "Content-Type", "application/x-www-form-urlencoded", "Origin", g.url)
			g.try("page", "DELETE", path+end, nil)
		}
	}
	for what, body := range map[string]string{"no form": "x", "large": strings.Repeat("a", 17<<20), "parts": strings.Repeat("--b\r\nContent-Disposition: form-data; name=\"bundle\"\r\n\r\nx\r\n", 5000)} {
		for _, path := range []string{"/verify", "/verify.json", "/ask", "/answers/x/more"} {
			g.try(what, "POST", path, []byte(body), "Content-Type", "multipart/form-data; boundary=b", "Origin", g.url)
		}
	}
}

// flood sends large bodies at the same time, those that many calls take.
func (g *target) flood() {
	text := strings.Repeat("The mill wheel has stopped. There is flour for six days [1]. ", 4_000)
	quoted, err := json.Marshal(text)
	if err != nil {
		g.t.Fatal(err)
	}
	calls := map[string][]byte{
		"/api/v1/segment":     []byte(`{"text":` + string(quoted) + `}`),
		"/api/v1/check":       []byte(`{"draft":` + string(quoted) + `}`),
		"/api/v1/cite":        []byte(`{"claim":"x","quote":` + string(quoted[:8000]) + `"}`),
		"/api/v1/ask":         []byte(`{"question":` + string(quoted) + `}`),
		"/api/v1/archive/add": []byte(`{"files":[{"name":"a.bin","base64":"` + base64.StdEncoding.EncodeToString(make([]byte, 11<<20)) + `"}]}`),
		"/api/v1/verify":      bytes.Repeat([]byte("PK\x03\x04"), 3<<20),
		"/api/v1/sources":     []byte(`{"type":"custom","name":"x","content":` + string(quoted) + `}`),
	}
	var all sync.WaitGroup
	for path, body := range calls {
		for range 3 {
			all.Go(func() {
				r, err := http.NewRequestWithContext(g.t.Context(), "POST", g.url+path, bytes.NewReader(body))
				if err != nil {
					g.t.Error(err)
					return
				}
				r.Header.Set("Content-Type", "application/json")
				r.Header.Set("Authorization", "Bearer "+g.tokens[0])
				reply, err := http.DefaultClient.Do(r)
				if err != nil {
					return // refused before the body was sent
				}
				defer reply.Body.Close()
				n, _ := io.Copy(io.Discard, reply.Body) // the server may end the connection
				if reply.StatusCode >= 500 && (reply.StatusCode != http.StatusServiceUnavailable || reply.Header.Get("Retry-After") == "") {
					g.t.Errorf("flood of %s: %d", path, reply.StatusCode)
				}
				if reply.StatusCode >= 400 && n > server.MaxErrorReply {
					g.t.Errorf("flood of %s: %d: an error of %d bytes", path, reply.StatusCode, n)
				}
			})
		}
	}
	all.Wait()
}

// Whatever a server is sent, an error is no server's fault, has at most 4 KiB and ten places,
// and repeats no value; the memory of the server stays bounded.
func TestBounds(t *testing.T) {
	g := startTarget(t)
	all := g.operations()
	if len(all) < 25 {
		t.Fatalf("%d operations", len(all))
	}
	bodies := badBodies()
	large := func(o operation) bool {
		return os.Getenv("MUNIMENT_LONG") != "" || slices.Contains([]string{"cite", "cite_batch", "add", "verify_bundle", "search_archive"}, o.id)
	}
	work := make(chan operation)
	var workers sync.WaitGroup
	for range 4 {
		workers.Go(func() {
			for o := range work {
				g.attack(o, bodies, large(o))
			}
		})
	}
	for _, o := range all {
		work <- o
	}
	close(work)
	workers.Wait()
	t.Logf("after the operations: %d MB", g.memory()>>20)
	g.attackMessages()
	t.Logf("after messages: %d MB", g.memory()>>20)
	g.attackPages()
	t.Logf("after messages and pages: %d MB", g.memory()>>20)
	g.flood()
	t.Logf("%d operations, %d replies, the longest error %d bytes, memory %d MB", len(all), g.replies, g.longest, g.memory()>>20)
	if g.replies < 1000 {
		t.Errorf("%d replies", g.replies)
	}
	if memory := g.memory(); memory > maxMemory {
		t.Errorf("the server held %d MB, at most %d", memory>>20, maxMemory>>20)
	}
}

// A program that speaks the Model Context Protocol on two streams gets a short error for
// each message that is none, and the next message is answered.
func TestMessageBounds(t *testing.T) {
	a, key := archivetest.New(t, archivetest.Papers)
	if _, err := engine.Snapshot(a, history.SnapshotOptions{Text: "papers", Signer: key}); err != nil {
		t.Fatal(err)
	}
	s, err := server.New(server.Options{Open: func() (*archive.Archive, error) { return archive.Open(a.Dir(), a.World()) }, Limits: server.Limits{Readers: 1}})
	if err != nil {
		t.Fatal(err)
	}
	in, messages := io.Pipe()
	replies, out := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		ended <- s.RunMCP(t.Context(), server.Credential{Role: engine.RoleAgent}, "s", in, out)
		out.Close()
	}()
	bad := badMessages(t)
	bad["a long line"] = strings.Repeat("a", 2<<20)
	go func() {
		_, _ = io.WriteString(messages, `{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`+"\n"+`{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n")
		id := 0
		for _, message := range bad {
			id++ // of two calls of one id at the same time one is not answered
			_, _ = io.WriteString(messages, strings.Replace(message, `"id":1`, `"id":`+strconv.Itoa(id), 1)+"\n")
		}
		_, _ = io.WriteString(messages, `{"jsonrpc":"2.0","id":"last","method":"ping"}`+"\n")
	}()
	lines := bufio.NewReader(replies)
	answered, last := 0, false
	giveUp := time.AfterFunc(30*time.Second, func() { messages.Close() })
	for answered < len(bad)+2 {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			break
		}
		answered++
		last = last || bytes.Contains(line, []byte(`"id":"last","result"`))
		failed := bytes.Contains(line, []byte(`"error":`)) || bytes.Contains(line, []byte(`"isError":true`))
		if failed && len(line) > server.MaxErrorReply+512 {
			t.Errorf("an error of %d bytes: %.200s", len(line), line)
		}
	}
	giveUp.Stop()
	messages.Close()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if !last || answered < len(bad) {
		t.Errorf("%d replies to %d messages, the last one %v", answered, len(bad), last)
	}
}
