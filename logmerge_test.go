package muniment

import (
	"crypto/rand"
	"fmt"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"muniment/sign/sshkey"
)

// Three custodians co-sign a snapshot and sync at one moment, over one remote.
// When each has synced once more, everybody has every co-signature.
func TestCosignaturesMerge(t *testing.T) {
	a, _ := letters(t, 2)
	remote := bare(t, filepath.Join(t.TempDir(), "r.git"))
	if _, err := a.AddRemote("host", remote); err != nil {
		t.Fatal(err)
	}
	quick := FetchOptions{Transfer: Transfer{Stall: 20 * time.Second}}
	if _, err := a.Sync(t.Context(), quick, nil); err != nil {
		t.Fatal(err)
	}
	const custodians = 3
	var copies []*Archive
	for i := range custodians {
		dir := filepath.Join(t.TempDir(), fmt.Sprint("copy", i))
		if _, err := Clone(t.Context(), remote, dir, CloneOptions{Transfer: quick.Transfer}, a.world); err != nil {
			t.Fatal(err)
		}
		c, err := Open(dir, a.world)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close() })
		s, err := sshkey.Generate(rand.Reader, filepath.Join(t.TempDir(), "key"), "custodian", nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.Cosign("", s); err != nil {
			t.Fatal(err)
		}
		copies = append(copies, c)
	}
	var wg sync.WaitGroup
	for _, c := range copies {
		wg.Go(func() {
			if _, err := c.Sync(t.Context(), quick, nil); err != nil {
				t.Log(err) // one that came between each time: the next sync brings it
			}
		})
	}
	wg.Wait()
	for range 2 {
		for _, c := range append(copies, a) {
			if _, err := c.Sync(t.Context(), quick, nil); err != nil {
				t.Fatal(err)
			}
		}
	}
	for i, c := range append(copies, a) {
		head, _, err := c.mustHead()
		if err != nil {
			t.Fatal(err)
		}
		cosigs, err := c.cosigs()
		if err != nil {
			t.Fatal(err)
		}
		if n := len(cosigs.Signers(head)); n != custodians+1 { // the signer of the snapshot too
			t.Errorf("copy %d has %d signers, want %d", i, n, custodians+1)
		}
	}
	git(t, remote, "fsck", "--strict", "--no-dangling")
}
