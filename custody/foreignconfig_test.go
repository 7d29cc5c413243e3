package custody_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"muniment/archive/archivetest"
	"muniment/custody"
)

// pushHooks are the hooks that git runs on the side that is pushed to.
var pushHooks = []string{"pre-receive", "update", "post-receive", "post-update", "reference-transaction", "proc-receive", "push-to-checkout", "pre-auto-gc", "post-index-change", "post-checkout"}

// A push to a folder, and a fetch from one, run nothing that the folder's own
// hooks and config name.
func TestForeignHooks(t *testing.T) {
	for _, bare := range []bool{true, false} {
		dir := t.TempDir()
		ran := filepath.Join(dir, "ran")
		script := filepath.Join(dir, "evil")
		if err := os.WriteFile(script, []byte("#!/bin/sh\necho \"$0 $*\" >> "+ran+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		repo := filepath.Join(dir, "r.git")
		store := repo
		if bare {
			archivetest.NewBareRepository(t, repo)
		} else {
			archivetest.Git(t, "", "init", "-q", "-b", "other", repo)
			store = filepath.Join(repo, ".git")
		}
		other := archivetest.NewBareRepository(t, filepath.Join(dir, "alternate.git"))
		if err := os.WriteFile(filepath.Join(store, "objects/info/alternates"), []byte(filepath.Join(other, "objects")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		for _, folder := range []string{filepath.Join(store, "hooks"), filepath.Join(dir, "hooks")} {
			if err := os.MkdirAll(folder, 0o755); err != nil {
				t.Fatal(err)
			}
			for _, hook := range pushHooks {
				if err := os.Symlink(script, filepath.Join(folder, hook)); err != nil {
					t.Fatal(err)
				}
			}
		}
		for name, value := range map[string]string{"core.alternateRefsCommand": script, "core.fsmonitor": script, "core.hooksPath": filepath.Join(dir, "hooks"), "receive.procReceiveRefs": "refs/none",
			"uploadpack.packObjectsHook": script, "gc.auto": "1", "gc.recentObjectsHook": script, "receive.denyCurrentBranch": "updateInstead", "core.sshCommand": script, "filter.x.smudge": script, "core.pager": script, "core.editor": script} {
			archivetest.Git(t, store, "config", name, value)
		}
		if !bare { // of a work tree a push would move the files
			archivetest.Git(t, store, "symbolic-ref", "HEAD", "refs/heads/elsewhere")
		}
		a, s := archivetest.NewLetters(t, 2)
		if _, err := custody.AddRemote(a, "host", store); err != nil {
			t.Fatal(err)
		}
		for i := range 2 {
			if _, err := custody.Push(t.Context(), a, "host", custody.Transfer{}); err != nil {
				t.Fatalf("push: %v", err)
			}
			archivetest.AddLetter(t, a, s, fmt.Sprintf("%d more letters.\n", i+1))
		}
		if _, err := custody.Fetch(t.Context(), a, "host", custody.FetchOptions{}); err != nil {
			t.Fatalf("fetch: %v", err)
		}
		if _, err := custody.Clone(t.Context(), store, filepath.Join(dir, "copy"), custody.CloneOptions{}, a.World()); err != nil {
			t.Fatalf("clone: %v", err)
		}
		if data, err := os.ReadFile(ran); err == nil {
			t.Errorf("bare %v: it was run:\n%s", bare, data)
		}
	}
}

// The credential helpers and certificates of a web server are those of the
// user's configuration. The .git/config of the working folder, which may be
// somebody else's, is not read.
func TestForeignWorkingFolder(t *testing.T) {
	dir := t.TempDir()
	ran := filepath.Join(dir, "ran")
	archivetest.Git(t, "", "init", "-q", filepath.Join(dir, "work"))
	work := filepath.Join(dir, "work")
	archivetest.Git(t, work, "config", "credential.helper", "!touch "+ran+"; false")
	archivetest.Git(t, work, "config", "core.askPass", "touch "+ran)
	archivetest.Git(t, work, "config", "http.sslCAInfo", filepath.Join(dir, "evil.pem"))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("WWW-Authenticate", `Basic realm="letters"`)
		w.WriteHeader(http.StatusUnauthorized)
	}))
	defer server.Close()
	secure := httptest.NewTLSServer(http.NotFoundHandler())
	defer secure.Close()
	home(t, "")
	t.Chdir(work)
	a, _ := archivetest.NewLetters(t, 1)
	_, err := custody.Push(t.Context(), a, server.URL+"/r.git", custody.Transfer{})
	refusedWith(t, "no password", err, "not let in")
	if _, err := os.Lstat(ran); err == nil {
		t.Error("the credential helper of the working folder was run")
	}
	_, err = custody.Push(t.Context(), a, secure.URL+"/r.git", custody.Transfer{})
	refusedWith(t, "an unknown authority", err, "certificate")
}
