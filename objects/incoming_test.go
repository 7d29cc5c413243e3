package objects

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// noise is n bytes that do not shrink.
func noise(seed byte, n int) []byte {
	b := make([]byte, n)
	rand.NewChaCha8([32]byte{seed}).Read(b)
	return b
}

// chunks are five of which the last shrinks.
func chunks() [][]byte {
	out := [][]byte{noise(1, 1<<20), noise(2, 70_000), noise(3, 300_000), noise(4, 1), bytes.Repeat([]byte("silence "), 50_000)}
	return out
}

func putChunks(t *testing.T, b *Batch, list [][]byte) {
	t.Helper()
	for i, c := range list {
		h, err := b.PutChunk(c)
		if err != nil {
			t.Fatal(err)
		}
		if k, data, err := b.Get(h); err != nil || k != Blob || !bytes.Equal(data, c) {
			t.Fatalf("chunk %d from the batch: %s of %d bytes, %v", i, k, len(data), err)
		}
	}
}

// publishChunks publishes a commit that holds the chunks, and has git look.
func publishChunks(t *testing.T, s *Store, b *Batch, list [][]byte) {
	t.Helper()
	var edits []Edit
	for i, c := range list {
		edits = append(edits, Edit{Path: fmt.Sprintf("a/%03d", i), Blob: Sum(Blob, c)})
	}
	tree, err := b.Edit(Hash{}, edits)
	if err != nil {
		t.Fatal(err)
	}
	publish(t, b, RefUpdate{Name: "refs/heads/main", New: put(t, b, Commit, commitText(tree, 1))})
	s = reopen(t, s)
	for i, c := range list {
		if _, data, err := s.Get(Sum(Blob, c)); err != nil || !bytes.Equal(data, c) {
			t.Fatalf("chunk %d: %d bytes, %v", i, len(data), err)
		}
	}
	fsck(t, s)
}

func leftFiles(t *testing.T, s *Store) []string {
	t.Helper()
	files, err := filepath.Glob(s.path(incomingDir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestPutChunk(t *testing.T) {
	s := newStore(t)
	b := newBatch(t, s)
	b.limit = 500_000 // several packs
	list := chunks()
	putChunks(t, b, list)
	putChunks(t, b, list[:2])
	if got, want := b.ChunkCounts(), (ChunkCounts{Written: 5, Known: 2}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	publishChunks(t, s, b, list)
	if files := leftFiles(t, s); len(files) > 0 {
		t.Errorf("left behind: %v", files)
	}
	b = newBatch(t, reopen(t, s))
	putChunks(t, b, list)
	if got, want := b.ChunkCounts(), (ChunkCounts{Known: 5}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

func TestAbortRemovesChunks(t *testing.T) {
	s := newStore(t)
	b := newBatch(t, s)
	putChunks(t, b, chunks())
	if err := b.Abort(); err != nil {
		t.Fatal(err)
	}
	if files := leftFiles(t, s); len(files) > 0 {
		t.Errorf("left behind: %v", files)
	}
}

// interrupted leaves three chunks.
func interrupted(t *testing.T) (*Store, [][]byte) {
	t.Helper()
	s := newStore(t)
	b := newBatch(t, s)
	list := chunks()
	putChunks(t, b, list[:3])
	if err := b.Interrupt(); err != nil {
		t.Fatal(err)
	}
	if files := leftFiles(t, s); len(files) != 2 {
		t.Fatalf("want a pack and its journal, got %v", files)
	}
	return reopen(t, s), list
}

func TestResume(t *testing.T) {
	damage := func(path string, at int64) {
		f, err := os.OpenFile(path, os.O_RDWR, 0)
		if err == nil {
			_, err = f.WriteAt([]byte{0x55}, at)
			f.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	appendTo := func(path, text string) {
		f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
		if err == nil {
			_, err = f.WriteString(text)
			f.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, one := range []struct {
		name    string
		damage  func(pack, journal string)
		skip    int // chunks of the first add that the second has not
		resumed int
		left    int // files that stay
	}{
		{"whole", func(string, string) {}, 0, 3, 0},
		{"a line cut short", func(_, journal string) { appendTo(journal, "0123") }, 0, 3, 0},
		{"an entry cut short", func(pack, _ string) { appendTo(pack, "half an entry") }, 0, 3, 0},
		{"read only", func(pack, _ string) { os.Chmod(pack, 0o444) }, 0, 3, 0},
		{"other bytes wanted", func(string, string) {}, 1, 2, 0},
		{"a damaged entry", func(pack, _ string) { damage(pack, 1<<20+200) }, 0, 2, 0},
		{"a damaged journal", func(_, journal string) { damage(journal, 30) }, 0, 0, 0},
		{"a longer line", func(_, journal string) { appendTo(journal, "0123456789abcdef0123456789abcdef01234567 012 00000000\n") }, 0, 0, 0},
		{"no journal", func(_, journal string) { os.Remove(journal) }, 0, 0, 1},
		{"no pack", func(pack, _ string) { os.Remove(pack) }, 0, 0, 0},
		{"a short pack", func(pack, _ string) { os.Truncate(pack, 1<<20) }, 0, 0, 0},
	} {
		t.Run(one.name, func(t *testing.T) {
			s, list := interrupted(t)
			var pack, journal string
			for _, f := range leftFiles(t, s) {
				if filepath.Ext(f) == journalExt {
					journal = f
				} else {
					pack = f
				}
			}
			one.damage(pack, journal)
			b := newBatch(t, s)
			putChunks(t, b, list[one.skip:])
			want := ChunkCounts{Resumed: one.resumed, Written: len(list) - one.skip - one.resumed}
			if got := b.ChunkCounts(); got != want {
				t.Errorf("%+v, want %+v", got, want)
			}
			publishChunks(t, s, b, list[one.skip:])
			if files := leftFiles(t, s); len(files) != one.left {
				t.Errorf("%d files are left, want %d: %v", len(files), one.left, files)
			}
			s = reopen(t, s)
			if one.skip > 0 && s.Has(Sum(Blob, list[0])) {
				t.Error("a chunk that nobody asked for entered the store")
			}
		})
	}
}

// A batch that was interrupted again leaves what it took over.
func TestResumeTwice(t *testing.T) {
	s, list := interrupted(t)
	b := newBatch(t, s)
	putChunks(t, b, list[:4])
	if err := b.Interrupt(); err != nil {
		t.Fatal(err)
	}
	s = reopen(t, s)
	b = newBatch(t, s)
	putChunks(t, b, list)
	if got, want := b.ChunkCounts(), (ChunkCounts{Resumed: 4, Written: 1}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	publishChunks(t, s, b, list)
}

// What another process is writing is not taken.
func TestResumeHeld(t *testing.T) {
	s := newStore(t)
	one, two := newBatch(t, s), newBatch(t, s)
	list := chunks()
	putChunks(t, one, list)
	if left, err := s.IncomingFiles(); err != nil || len(left) > 0 {
		t.Errorf("%v, %v: a living batch leaves nothing", left, err)
	}
	putChunks(t, two, list)
	if got, want := two.ChunkCounts(), (ChunkCounts{Written: 5}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	one.Abort()
	publishChunks(t, s, two, list)
}

func TestSweepIncoming(t *testing.T) {
	s, list := interrupted(t)
	if swept, err := s.SweepIncoming(time.Now().Add(-time.Hour)); err != nil || len(swept) > 0 {
		t.Errorf("%v, %v: too young to be swept", swept, err)
	}
	if left, err := s.IncomingFiles(); err != nil || len(left) != 2 {
		t.Errorf("%v, %v: want two files", left, err)
	}
	if swept, err := s.SweepIncoming(time.Now().Add(time.Hour)); err != nil || len(swept) != 2 {
		t.Errorf("%v, %v: want both files swept", swept, err)
	}
	b := newBatch(t, s)
	putChunks(t, b, list)
	if got := b.ChunkCounts(); got.Resumed > 0 {
		t.Errorf("%+v after the sweep", got)
	}
}

func FuzzJournal(f *testing.F) {
	f.Add([]byte(journalHead))
	f.Add([]byte(journalHead + "0123456789abcdef0123456789abcdef01234567 512 00c0ffee\n"))
	f.Add([]byte(journalHead + "0123456789abcdef0123456789abcdef01234567 512 00c0ffee\n01"))
	f.Fuzz(func(t *testing.T, data []byte) {
		entries, err := parseJournal(data)
		if err != nil {
			if entries != nil {
				t.Fatal("entries beside an error")
			}
			return
		}
		again := []byte(journalHead)
		for _, e := range entries {
			again = e.append(again)
		}
		rest, ok := bytes.CutPrefix(data, again)
		if !ok || bytes.IndexByte(rest, '\n') >= 0 {
			t.Fatalf("%q was read as %q", data, again)
		}
	})
}

// What is put and taken back does not enter the store.
func TestDropChunks(t *testing.T) {
	s := newStore(t)
	b := newBatch(t, s)
	list := chunks()
	putChunks(t, b, list)
	putChunks(t, b, list[1:2])
	b.DropChunks([]Hash{Sum(Blob, list[0]), Sum(Blob, list[1])})
	publishChunks(t, s, b, list[1:])
	if reopen(t, s).Has(Sum(Blob, list[0])) {
		t.Error("a chunk that was dropped is in the store")
	}
	if files := leftFiles(t, s); len(files) > 0 {
		t.Errorf("left behind: %v", files)
	}
}
