package server

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"muniment/answer"
	"muniment/archive"
	"muniment/archive/archivetest"
	"muniment/engine"
	"muniment/history"
)

// An answer keeps its address over a restart, for whoever asked and whom they share it with, as long as
// its words may be shown; the disk does not say what was asked; one that was pruned says when.
func TestAnswerAddresses(t *testing.T) {
	a, key, s, _ := serve(t)
	client := func(s *Server, name string) *Client {
		return s.Client(Credential{Name: name, Role: engine.RoleAgent}, "")
	}
	const question = "Who repaired the mill wheel?"
	given, err := client(s, "ann").AskAndKeep(t.Context(), question)
	if err != nil || len(given.Address) != 2*addressBytes || len(given.Claims) == 0 {
		t.Fatalf("%+v, %v", given, err)
	}
	again, err := New(Options{Open: s.o.Open, Signer: key})
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	kept, err := client(again, "ann").Answer(t.Context(), given.Address)
	if err != nil || !kept.Own || kept.Shared {
		t.Fatalf("after a restart: %+v, %v", kept, err)
	}
	for what, same := range map[string]bool{"claims": reflect.DeepEqual(kept.Claims, given.Claims), "zip": bytes.Equal(kept.Zip, given.Zip), "page": bytes.Equal(kept.Page, given.Page), "places": reflect.DeepEqual(kept.Places, given.Places),
		"question": kept.Question == question, "outcome": kept.Outcome == given.Outcome, "issued": kept.Issued == given.Issued} {
		if !same {
			t.Errorf("after a restart the %s differs: %+v, want %+v", what, kept, given)
		}
	}
	if got, err := client(again, "bob").Answer(t.Context(), given.Address); err == nil {
		t.Errorf("another reads %+v", got)
	}
	if err := client(again, "bob").Share(t.Context(), given.Address); err == nil {
		t.Error("another shared it")
	}
	if err := client(again, "ann").Share(t.Context(), given.Address); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{"ann": true, "bob": false} {
		if got, err := client(again, name).Answer(t.Context(), given.Address); err != nil || !got.Shared || got.Own != want {
			t.Errorf("shared, to %s: %+v, %v", name, got, err)
		}
	}
	isSilent(t, a, question, given.Address)
	later := archivetest.ReopenWithClock(t, a, func() time.Time { return a.World().Now().Add(40 * 24 * time.Hour) })
	archivetest.Seal(t, a, key, history.ConsentOptions{Artifacts: []string{"1931-04-02.txt"}, Preset: "hidden"})
	for _, name := range []string{"ann", "bob"} {
		if got, err := client(again, name).Answer(t.Context(), given.Address); err == nil || !strings.Contains(err.Error(), "withheld") {
			t.Errorf("%s reads what was hidden since: %+v, %v", name, got, err)
		}
	}
	if _, err := answer.KeepAnswers(later, 30); err != nil {
		t.Fatal(err)
	}
	if r, err := answer.PruneAnswers(later, false); err != nil || len(r.Pruned) != 1 {
		t.Fatalf("%+v, %v", r, err)
	}
	for name, want := range map[string]string{"ann": "was removed here on", "eve": "was removed here on"} {
		third, err := New(Options{Open: s.o.Open, Signer: key})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := client(third, name).Answer(t.Context(), given.Address); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("pruned, to %s: %v", name, err)
		}
		if err := third.Close(); err != nil {
			t.Error(err)
		}
	}
}

// isSilent requires that no file of the local folder has a question or an address.
func isSilent(t *testing.T, a *archive.Archive, words ...string) {
	t.Helper()
	dir, err := a.LocalPath(addressesDir)
	if err != nil {
		t.Fatal(err)
	}
	files := 0
	err = filepath.Walk(filepath.Dir(dir), func(file string, info os.FileInfo, err error) error {
		if err != nil || info.IsDir() || filepath.Base(filepath.Dir(file)) != addressesDir {
			return err
		}
		files++
		data, err := os.ReadFile(file)
		for _, w := range words {
			if bytes.Contains(data, []byte(w)) || strings.Contains(file, w) {
				t.Errorf("%s has %q", file, w)
			}
		}
		return err
	})
	if err != nil || files != 1 {
		t.Errorf("%d addresses are kept: %v", files, err)
	}
}

// An answer that lists records is read again at its address, when it was given a second time too.
func TestAddressOfList(t *testing.T) {
	_, key, s, _ := serve(t)
	again, err := New(Options{Open: s.o.Open, Signer: key})
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	for _, question := range []string{"How many papers are there?", "What is the oldest letter?"} {
		for range 2 {
			given, err := s.Client(Credential{Name: "ann", Role: engine.RoleAgent}, "").AskAndKeep(t.Context(), question)
			if err != nil || given.Outcome != "supported" {
				t.Fatalf("%s: %+v, %v", question, given, err)
			}
			if kept, err := again.Client(Credential{Name: "ann", Role: engine.RoleAgent}, "").Answer(t.Context(), given.Address); err != nil || !reflect.DeepEqual(kept.Claims, given.Claims) {
				t.Errorf("%s: %+v, %v", question, kept, err)
			}
		}
	}
}

// Pieces of a line that names a sealed person are withheld like the whole line, by each call that reads, compares or cites words.
func TestPiecesOfSealedLine(t *testing.T) {
	a, key, s, url := serve(t)
	archivetest.Seal(t, a, key, history.ConsentOptions{Person: "Tobias Lunt", State: "sealed"})
	client := s.Client(public, "")
	whole, err := s.Client(Credential{Name: "owner", Role: engine.RoleAdmin}, "").Read(t.Context(), ReadRequest{Artifact: "1931-04-02.txt"})
	if err != nil {
		t.Fatal(err)
	}
	line := ""
	for _, p := range whole.Passages {
		if strings.Contains(p.Text, "Tobias Lunt") {
			line = p.Span + "\x00" + p.Text
		}
	}
	unit, words, found := strings.Cut(line, "\x00")
	if !found {
		t.Fatal("no line names the person")
	}
	n := len([]rune(words))
	for from := 0; from+4 < n; from += 3 {
		for _, to := range []int{from + 4, n} {
			got, err := client.Read(t.Context(), ReadRequest{Artifact: "1931-04-02.txt", Span: fmt.Sprintf("%s:%d-%d", unit, from, to)})
			if err != nil || len(got.Passages) > 0 {
				t.Fatalf("%d to %d: %+v, %v", from, to, got, err)
			}
		}
	}
	tail := string([]rune(words)[n-12:])
	_, _, sealed := send(t, "POST", url+"/api/v1/cite", CiteRequest{Artifact: "1931-04-02.txt", Quote: tail, Claim: tail})
	_, _, absent := send(t, "POST", url+"/api/v1/cite", CiteRequest{Artifact: "1931-04-02.txt", Quote: "of no such line", Claim: "of no such line"})
	if sealed["match"] != "absent" || absent["match"] != "absent" || sealed["verification_status"] != absent["verification_status"] {
		t.Errorf("%q is %v %v, other words are %v", tail, sealed["verification_status"], sealed["match"], absent["match"])
	}
}
