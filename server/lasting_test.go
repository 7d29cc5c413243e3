package server

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"muniment/accession"
	"muniment/archive/archivetest"
	"muniment/engine"
	"muniment/history"
)

// Signs that several papers share mean one of those that the public could know of first, also after
// it is hidden. One sign in the place of ten makes papers share it.
func TestFirstOfShared(t *testing.T) {
	a, key := archivetest.New(t, nil)
	add := func(batch string, consents ...history.ConsentOptions) (ids []string) {
		t.Helper()
		for i := range 12 {
			file := filepath.Join(t.TempDir(), fmt.Sprintf("%s-%d.txt", batch, i))
			if err := os.WriteFile(file, fmt.Appendf(nil, "Paper %d of the batch %s.\n", i, batch), 0o600); err != nil {
				t.Fatal(err)
			}
			r, err := accession.Add(t.Context(), a, []string{file}, accession.AddOptions{})
			if err != nil {
				t.Fatal(err)
			}
			ids = append(ids, r.Artifacts[0].ID)
		}
		archivetest.Seal(t, a, key, consents...)
		return ids
	}
	first := add("first", history.ConsentOptions{Artifacts: []string{"first-0.txt", "first-1.txt", "first-2.txt"}, Preset: "hidden"})
	second := add("second", history.ConsentOptions{Artifacts: []string{"first-0.txt"}, Preset: "open"}, history.ConsentOptions{Artifacts: []string{"first-3.txt", "first-4.txt"}, Preset: "hidden"})
	h := &handle{archive: a}
	v, err := h.view(&Client{cred: Credential{Role: engine.RoleAdmin}})
	if err != nil {
		t.Fatal(err)
	}
	shared := 0
	for _, sign := range strings.Split("abcdefgh", "") {
		among := func(ids []string) []string {
			return slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return !strings.HasPrefix(id, sharedSigns+sign) })
		}
		want := among(first[3:])
		if len(want) == 0 {
			want = among(append(slices.Clone(second), first...))
		}
		got, err := v.firstOf(sign)
		if err != nil || len(want) > 0 && !slices.Contains(want, got) || len(want) == 0 && got != "" {
			t.Errorf("%s means %q, want one of %q: %v", sign, got, want, err)
		}
		if len(among(first)) > 0 && len(among(second)) > 0 {
			shared++
		}
	}
	if shared < 4 {
		t.Errorf("%d signs are shared by papers of both batches", shared)
	}
}
