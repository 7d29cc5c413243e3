// Command million makes an archive of very many small letters, and measures look-ups in its store.
//
//	go run ./internal/bench/million make DIR [N]    stages N letters, a million if not given
//	go run ./internal/bench/million sign DIR N KEY  signs N snapshots of a letter each, with a key file
//	go run ./internal/bench/million look DIR        prints what opening and looking up cost
//
// The letters are written through the library's own store and record packages, not read as files.
package main

import (
	"bytes"
	"context"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"muniment/accession"
	"muniment/archive"
	"muniment/canon"
	"muniment/cid"
	"muniment/engine"
	"muniment/history"
	"muniment/objects"
	"muniment/sign/sshkey"
	"muniment/snapshot/layout"
	"muniment/snapshot/record"
)

const staged = "refs/muniment/staged"

func main() {
	err := fmt.Errorf("usage: million make DIR [N] | million sign DIR N KEY | million look DIR")
	switch {
	case len(os.Args) >= 3 && os.Args[1] == "make":
		n := 1_000_000
		if len(os.Args) > 3 {
			n, err = strconv.Atoi(os.Args[3])
		} else {
			err = nil
		}
		if err == nil {
			err = fill(filepath.Join(os.Args[2], "archive.git"), n)
		}
	case len(os.Args) == 5 && os.Args[1] == "sign":
		var n int
		if n, err = strconv.Atoi(os.Args[3]); err == nil {
			err = signMany(os.Args[2], n, os.Args[4])
		}
	case len(os.Args) == 3 && os.Args[1] == "look":
		err = look(filepath.Join(os.Args[2], "archive.git"))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "million:", err)
		os.Exit(1)
	}
}

func letter(i int) []byte {
	return fmt.Appendf(nil, "Dear Ada,\n\nthis is letter %d of very many.\nIt says that the year was %d.\n\nBen\n", i, 1600+i%400)
}

// fill stages letters on top of what an archive that was just made has staged.
func fill(dir string, n int) error {
	type one struct {
		id cid.ID
		n  int
	}
	all := make([]one, n)
	for i := range all {
		all[i] = one{cid.Of(letter(i)), i}
	}
	// In the order of their paths, so that every directory is written once.
	slices.SortFunc(all, func(a, b one) int {
		x, y := a.id.Digest(), b.id.Digest()
		return bytes.Compare(x[:], y[:])
	})
	st, err := objects.Open(dir)
	if err != nil {
		return err
	}
	defer st.Close()
	b, err := st.NewBatch()
	if err != nil {
		return err
	}
	defer b.Abort()
	old, err := st.Ref(staged)
	if err != nil {
		return err
	}
	tree, err := st.TreeOf(old)
	if err != nil {
		return err
	}
	begin := time.Now()
	for len(all) > 0 {
		// Up to the last of a two-digit directory.
		size := min(len(all), max(1, n/64))
		for size < len(all) && all[size].id.Digest()[0] == all[size-1].id.Digest()[0] {
			size++
		}
		var edits []objects.Edit
		for _, o := range all[:size] {
			e, err := accede(b, o.id, o.n)
			if err != nil {
				return err
			}
			edits = append(edits, e...)
		}
		if tree, err = b.Edit(tree, edits); err != nil {
			return err
		}
		all = all[size:]
	}
	commit, err := b.Put(objects.Commit, fmt.Appendf(nil, "tree %s\nauthor A <a@archive.invalid> 0 +0000\ncommitter A <a@archive.invalid> 0 +0000\n\nstaged\n", tree))
	if err != nil {
		return err
	}
	lock, err := st.Lock(objects.Owner{PID: os.Getpid(), Host: "bench", Start: begin}, time.Minute)
	if err != nil {
		return err
	}
	defer lock.Unlock()
	if err := b.Publish(lock, objects.RefUpdate{Name: staged, Old: old, New: commit}); err != nil {
		return err
	}
	took := time.Since(begin)
	fmt.Printf("%d artifacts with their records staged in %.1f s, %.0f objects/s with trees and syncs\n", n, took.Seconds(), 2*float64(n)/took.Seconds())
	return nil
}

// signMany signs snapshots of one new letter each, as add and snapshot do it.
func signMany(dir string, n int, key string) error {
	signer, err := sshkey.Load(key, nil)
	if err != nil {
		return err
	}
	a, err := archive.Open(dir, archive.World{PID: os.Getpid(), Host: "bench", Author: "A <a@archive.invalid>"})
	if err != nil {
		return err
	}
	defer a.Close()
	in, err := os.MkdirTemp("", "million-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(in)
	begin := time.Now()
	for i := range n {
		file := filepath.Join(in, fmt.Sprintf("signed-%07d.txt", i))
		if err := os.WriteFile(file, fmt.Appendf(nil, "Dear Ada,\n\nthis is letter %d of those that were signed one by one.\n\nBen\n", i), 0o666); err != nil {
			return err
		}
		if _, err := accession.Add(context.Background(), a, []string{file}, accession.AddOptions{}); err != nil {
			return err
		}
		if _, err := engine.Snapshot(a, history.SnapshotOptions{Text: "a letter", Signer: signer}); err != nil {
			return err
		}
		if err := os.Remove(file); err != nil {
			return err
		}
	}
	fmt.Printf("%d snapshots in %.1f s\n", n, time.Since(begin).Seconds())
	return nil
}

// accede puts a letter and its record.
func accede(b *objects.Batch, id cid.ID, i int) ([]objects.Edit, error) {
	text := letter(i)
	d := canon.NewDocument(text)
	p, l := d.Root(canon.Paragraphs), d.Root(canon.Lines)
	rec := record.Record{Artifact: id.String(), Original: id.String(), Names: []string{fmt.Sprintf("letters/%07d.txt", i)},
		MediaType: "text/plain", Canonicalizer: canon.TextForm, Unicode: canon.UnicodeVersion, Charset: "utf-8", Size: int64(len(text)),
		PCount: int64(len(d.Units(canon.Paragraphs))), PRoot: hex.EncodeToString(p[:]),
		LCount: int64(len(d.Units(canon.Lines))), LRoot: hex.EncodeToString(l[:]),
		Time: "2024-05-01T11:59:00Z", Agent: "bench"}
	data, err := rec.Encode()
	if err != nil {
		return nil, err
	}
	payload, err := b.Put(objects.Blob, text)
	if err != nil {
		return nil, err
	}
	about, err := b.Put(objects.Blob, data)
	if err != nil {
		return nil, err
	}
	return []objects.Edit{{Path: layout.ArtifactPath(id), Blob: payload}, {Path: layout.RecordPath(id, cid.OfJSON(data)), Blob: about}}, nil
}

// look measures the opening of the store and its look-ups of objects and of paths.
func look(dir string) error {
	begin := time.Now()
	st, err := objects.Open(dir)
	if err != nil {
		return err
	}
	defer st.Close()
	fmt.Printf("open: %.2f ms\n", float64(time.Since(begin).Microseconds())/1000)
	main, err := st.Ref("refs/heads/main")
	if err != nil {
		return err
	}
	tree, err := st.TreeOf(main)
	if err != nil {
		return err
	}
	var names []objects.Hash
	var paths []string
	err = st.Walk(tree, "artifacts", func(path string, h objects.Hash) error {
		names = append(names, h)
		if len(names)%997 == 0 {
			paths = append(paths, path)
		}
		return nil
	})
	if err != nil {
		return err
	}
	rng := rand.New(rand.NewPCG(1, 2))
	rng.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	begin = time.Now()
	for _, h := range names {
		if !st.Has(h) {
			return fmt.Errorf("object %s is not found", h)
		}
	}
	fmt.Printf("look-up of %d object names in any order: %.0f ns each\n", len(names), float64(time.Since(begin).Nanoseconds())/float64(len(names)))
	begin = time.Now()
	for _, path := range paths {
		if _, ok, err := st.Lookup(tree, path); !ok || err != nil {
			return fmt.Errorf("%s is not found: %v", path, err)
		}
	}
	fmt.Printf("look-up of %d artifacts by their paths, through three trees: %.1f µs each\n", len(paths), float64(time.Since(begin).Nanoseconds())/1e3/float64(len(paths)))
	return nil
}
