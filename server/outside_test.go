package server

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Programs that share no code with this one cite over HTTP: curl, Python with its
// standard library, and Go in a module of its own.
func TestOutsideClients(t *testing.T) {
	_, _, _, url := serve(t)
	example, err := filepath.Abs("../docs/examples/cite.py")
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
