package server

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"muniment/accession"
	"muniment/accession/sourcemeta"
	"muniment/archive/archivetest"
	"muniment/engine"
	"muniment/history"
	"muniment/snapshot/access"
)

// The references of a checked draft name nobody whom the archive protects, to whoever may not know.
func TestCheckNamesNobodyProtected(t *testing.T) {
	a, key := archivetest.New(t, map[string]string{"other.txt": "The mill wheel was sold.\n"})
	file := filepath.Join(t.TempDir(), "garden.txt")
	if err := os.WriteFile(file, []byte("The beans were planted in April.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	described, err := sourcemeta.ReadJSON("said.json", []byte(`[{"path":"garden.txt","title":"Diary of Ottilie Quarnstrom","creators":["Ottilie Quarnstrom"],"publisher":"Garden Press","date":"1935"}]`))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := accession.Add(t.Context(), a, []string{file}, accession.AddOptions{Sidecar: described}); err != nil {
		t.Fatal(err)
	}
	archivetest.Seal(t, a, key, history.ConsentOptions{Person: "Ottilie Quarnstrom", State: access.PersonAnonymized})
	_, url := serveArchive(t, a, key)
	admin, _, err := NewToken(a, Credential{Name: "ann", Role: engine.RoleAdmin})
	if err != nil {
		t.Fatal(err)
	}
	for who, headers := range map[string][]string{"public": nil, "admin": {"Authorization", "Bearer " + admin}} {
		if status, _, got := send(t, http.MethodPost, url+"/api/v1/cite", CiteRequest{Artifact: "garden.txt", Quote: "The beans were planted in April.", Claim: "The beans were planted in April."}, headers...); status != http.StatusOK || got["verification_status"] != "verified" {
			t.Fatalf("cite: %d %v", status, got)
		}
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url+"/api/v1/check", strings.NewReader(`{"draft":"The beans were planted in April.\n","profile":"notes"}`))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		status, _, data := exchange(t, r, headers...)
		if text := string(data); status != http.StatusOK || !strings.Contains(text, "Diary of ") || strings.Contains(text, "Quarnstrom") != (who == "admin") {
			t.Errorf("%s is told %d %s", who, status, text)
		}
	}
}

// Of words that may not be shown, a caller is not told how near its guess at them comes.
func TestGuessesAreNotMeasured(t *testing.T) {
	a, key := archivetest.New(t, map[string]string{"ward.txt": "On Friday Ottilie Quarnstrom was taken to the asylum at Weymouth by her brother.\n"})
	archivetest.Seal(t, a, key, history.ConsentOptions{Person: "Ottilie Quarnstrom", State: access.PersonAnonymized})
	_, url := serveArchive(t, a, key)
	var first string
	for _, name := range []string{"Ottilie Quarnstrem", "Ottilie Qumrstrem", "Ottokie Bernstein", "Alfred Wetherby Smythe"} {
		quote := "On Friday " + name + " was taken to the asylum at Weymouth by her brother."
		status, _, got := send(t, http.MethodPost, url+"/api/v1/cite", CiteRequest{Artifact: "ward.txt", Quote: quote, Claim: "She was taken there."})
		if status != http.StatusOK {
			t.Fatalf("%d %v", status, got)
		}
		_, _, kept := send(t, http.MethodGet, url+"/api/v1/citations/"+itoa(int(got["citation_id"].(float64))), nil)
		told := ""
		for _, member := range []string{"match", "edits", "length", "similarity_score", "difference", "span", "summary_note", "claim_verdict", "error_type", "verification_status", "suggestion"} {
			told += fmt.Sprintf("%s %v %v\n", member, got[member], kept[member])
		}
		if first == "" {
			first = told
		}
		if told != first || strings.Contains(told, "fuzzy") {
			t.Errorf("%s: %s, and of the first guess %s", name, told, first)
		}
	}
}
