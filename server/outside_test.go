package server

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"muniment/internal/npm"
)

// Programs that share no code with this one cite over HTTP: curl, Python with the
// client of one file, and Go in a module of its own.
func TestOutsideClients(t *testing.T) {
	_, _, _, url := serve(t)
	example, err := filepath.Abs("../clients/python/cite.py")
	if err != nil {
		t.Fatal(err)
	}
	module := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module outside\n\ngo 1.26.0\n", "main.go": outsideGo} {
		if err := os.WriteFile(filepath.Join(module, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	clients := []struct {
		name string
		args []string
	}{
		{"curl", []string{"curl", "-sf", url + "/api/v1/cite", "-H", "Content-Type: application/json", "-d", `{"artifact":"1931-03-14.txt","quote":"The mill wheel has stopped.","claim":"The mill wheel has stopped."}`}},
		{"python", []string{"python3", example, url, "1931-03-14.txt", "The mill wheel has stoped.", "The mill wheel has stopped."}},
		{"go", []string{"go", "run", ".", url}},
	}
	for _, c := range clients {
		t.Run(c.name, func(t *testing.T) {
			if _, err := exec.LookPath(c.args[0]); err != nil {
				t.Skipf("%s is not installed", c.args[0])
			}
			cmd := exec.CommandContext(t.Context(), c.args[0], c.args[1:]...)
			cmd.Dir = module
			out, err := cmd.CombinedOutput()
			if err != nil || !strings.Contains(string(out), "verified") {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
}

// packages are the programs of others that TestNpmClients runs.
var packages = []string{"@modelcontextprotocol/sdk@1.32.2", "@modelcontextprotocol/inspector@0.15.0", "@seriousme/openapi-schema-validator@2.11.0", "@apidevtools/swagger-parser@13.0.0",
	"openapi-typescript@7.13.0", "openapi-fetch@0.17.0", "typescript@5.9.3"}

// The TypeScript SDK and the inspector's command line speak MCP with the server, a
// validator of OpenAPI accepts its document, and a client cites whose types are
// generated from it.
func TestNpmClients(t *testing.T) {
	for _, tool := range []string{"node", "curl"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("SKIPPED: the clients from npm did not run: there is no %s", tool)
		}
	}
	_, _, _, url := serve(t)
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("testdata")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "package.json"), []byte(`{"type":"module"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	run := func(args ...string) (string, error) {
		cmd := exec.CommandContext(t.Context(), args[0], args[1:]...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	modules, err := npm.Install(t.Context(), packages...)
	if err != nil {
		t.Skipf("SKIPPED: the clients from npm did not run: %v", err)
	}
	if err := os.Symlink(modules, filepath.Join(dir, "node_modules")); err != nil {
		t.Fatal(err)
	}
	const paper = "1931-03-14.txt"
	bin := func(pkg, file string) string { return filepath.Join("node_modules", pkg, file) }
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"curl", "-sf", "-o", "openapi.json", url + "/openapi.json"}, ""},
		{[]string{"node", "validate.mjs", "openapi.json"}, "OpenAPI 3.1 valid"},
		{[]string{"node", "parse.mjs", "openapi.json"}, "3.1.0 valid, 33 paths"},
		{[]string{"node", "mcpclient.mjs", url, paper}, "18 tools, 5 resources, 1 prompts; good: verified, bad: failed, its next call: verified"},
		{[]string{"node", bin("@modelcontextprotocol/inspector", "cli/build/cli.js"), "--cli", url + "/mcp", "--transport", "http", "--method", "tools/call", "--tool-name", "cite",
			"--tool-arg", "artifact=" + paper, "quote=The mill wheel has stopped.", "claim=The mill wheel has stopped."}, `"verification_status": "verified"`},
		{[]string{"node", bin("openapi-typescript", "bin/cli.js"), "openapi.json", "-o", "api.d.ts"}, ""},
		{[]string{"node", bin("typescript", "bin/tsc"), "--strict", "--target", "es2022", "--module", "esnext", "--moduleResolution", "bundler", "--skipLibCheck", "client.ts"}, ""},
		{[]string{"node", "client.js", url, paper}, "typed: verified"},
	} {
		out, err := run(c.args...)
		if err != nil || !strings.Contains(out, c.want) {
			t.Fatalf("%s: %v, want %q: %s", strings.Join(c.args, " "), err, c.want, out)
		}
		t.Logf("%s: %s", filepath.Base(c.args[1]), strings.TrimSpace(out[:min(len(out), 200)]))
	}
}

const outsideGo = `package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
)

func main() {
	body, _ := json.Marshal(map[string]any{"citations": []map[string]string{
		{"artifact": "1931-03-14.txt", "quote": "The mill wheel has stopped.", "claim": "The mill wheel has stopped."},
		{"artifact": "nothing.txt", "quote": "x", "claim": "x"}}})
	reply, err := http.Post(os.Args[1]+"/api/v1/cite/batch", "application/json", bytes.NewReader(body))
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	var got struct {
		Results []struct {
			Citation *struct {
				Status string ` + "`json:\"verification_status\"`" + `
			}
			Error *struct {
				Type string ` + "`json:\"error_type\"`" + `
			}
		}
	}
	if err := json.NewDecoder(reply.Body).Decode(&got); err != nil || len(got.Results) != 2 || got.Results[1].Error == nil || got.Results[1].Error.Type != "SourceNotFound" {
		fmt.Println(err, got)
		os.Exit(1)
	}
	fmt.Println(got.Results[0].Citation.Status)
}
`
