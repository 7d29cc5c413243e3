package custody_test

import (
	"crypto/rand"
	"fmt"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"muniment/archive"
	"muniment/archive/archivetest"
	"muniment/custody"
	"muniment/history"
	"muniment/sign/sshkey"
)

// Three custodians countersign a snapshot and sync at one moment, over one remote.
// When each has synced once more, everybody has every countersignature.
func TestCountersignaturesMerge(t *testing.T) {
	a, _ := archivetest.NewLetters(t, 2)
	remote := archivetest.NewBareRepository(t, filepath.Join(t.TempDir(), "r.git"))
	if _, err := custody.AddRemote(a, "host", remote); err != nil {
		t.Fatal(err)
	}
	quick := custody.FetchOptions{Transfer: custody.Transfer{Stall: 20 * time.Second}}
	if _, err := custody.Sync(t.Context(), a, quick, nil); err != nil {
		t.Fatal(err)
	}
	const custodians = 3
	var copies []*archive.Archive
	for i := range custodians {
		dir := filepath.Join(t.TempDir(), fmt.Sprint("copy", i))
		if _, err := custody.Clone(t.Context(), remote, dir, custody.CloneOptions{Transfer: quick.Transfer}, a.World()); err != nil {
			t.Fatal(err)
		}
		c, err := archive.Open(dir, a.World())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close() })
		s, err := sshkey.Generate(rand.Reader, filepath.Join(t.TempDir(), "key"), "custodian", nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := history.Countersign(c, "", s); err != nil {
			t.Fatal(err)
		}
		copies = append(copies, c)
	}
	var wg sync.WaitGroup
	for _, c := range copies {
		wg.Go(func() {
			if _, err := custody.Sync(t.Context(), c, quick, nil); err != nil {
				t.Log(err) // one that came between each time: the next sync brings it
			}
		})
	}
	wg.Wait()
	for range 2 {
		for _, c := range append(copies, a) {
			if _, err := custody.Sync(t.Context(), c, quick, nil); err != nil {
				t.Fatal(err)
			}
		}
	}
	for i, c := range append(copies, a) {
		head, _, err := c.RequireHead()
		if err != nil {
			t.Fatal(err)
		}
		countersignatures, err := c.Countersignatures()
		if err != nil {
			t.Fatal(err)
		}
		if n := len(countersignatures.Signers(head)); n != custodians+1 { // the signer of the snapshot too
			t.Errorf("copy %d has %d signers, want %d", i, n, custodians+1)
		}
	}
	archivetest.Git(t, remote, "fsck", "--strict", "--no-dangling")
}
