package objects

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"muniment/objects/pack"
)

func TestBatchConcurrentPut(t *testing.T) {
	s := newStore(t)
	b := newBatch(t, s)
	const goroutines, each = 8, 200
	var wg sync.WaitGroup
	for g := range goroutines {
		wg.Go(func() {
			for i := range each {
				n := i + g%2*50 // half of them in common
				h, err := b.Put(Blob, []byte(letter(n)))
				if err != nil {
					t.Error(err)
					return
				}
				if i%20 == 0 {
					if k, data, err := b.Get(h); err != nil || k != Blob || string(data) != letter(n) {
						t.Errorf("letter %d from the batch: %s of %d bytes, %v", n, k, len(data), err)
					}
				}
			}
		})
	}
	wg.Wait()
	publish(t, b)
	for i := range each + 50 {
		text := letter(i)
		if _, data, err := s.Get(Sum(Blob, []byte(text))); err != nil || string(data) != text {
			t.Fatalf("letter %d: %v", i, err)
		}
	}
	v, err := s.acquire()
	if err != nil {
		t.Fatal(err)
	}
	defer s.release(v)
	if len(v.all) != 1 || v.all[0].Index.Len() != each+50 {
		t.Errorf("%d packs, the first of %d objects; want 1 of %d", len(v.all), v.all[0].Index.Len(), each+50)
	}
}

// The same puts make the same pack, whatever the workers do.
func TestBatchDeterministic(t *testing.T) {
	var first string
	for range 3 {
		s := newStore(t)
		b := newBatch(t, s)
		for i := range 300 {
			put(t, b, Blob, letter(i))
		}
		publish(t, b)
		files := strings.Join(packFiles(t, s), " ")
		if first == "" {
			first = files
		}
		if files != first || !strings.Contains(files, ".pack") {
			t.Errorf("packs %s, then %s", first, files)
		}
	}
}

func TestBatchDedup(t *testing.T) {
	s := newStore(t)
	want := commitLetters(t, s, 0, 20)
	before := packFiles(t, s)
	b := newBatch(t, s)
	for i := range 20 {
		put(t, b, Blob, letter(i))
		put(t, b, Blob, letter(i))
	}
	publish(t, b)
	if after := packFiles(t, s); len(after) != len(before) {
		t.Errorf("nothing new made files: %v", after)
	}
	wantLetters(t, s, want)
}

func TestBatchLimits(t *testing.T) {
	s := newStore(t)
	b := newBatch(t, s)
	big := make([]byte, MaxObject+1)
	if h, err := b.Put(Blob, big); !errors.Is(err, ErrTooLarge) || !h.IsZero() {
		t.Errorf("an object above the limit: %s, %v", h, err)
	}
	h, err := b.Put(Blob, big[:MaxObject])
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.Put(Kind(9), nil); err == nil {
		t.Error("an object of kind 9")
	}
	publish(t, b)
	if k, data, err := s.Get(h); err != nil || k != Blob || !bytes.Equal(data, big[:MaxObject]) {
		t.Errorf("the largest object: %s of %d bytes, %v", k, len(data), err)
	}
	if _, err := b.Put(Blob, nil); !errors.Is(err, errBatchEnded) {
		t.Errorf("put after publish: %v", err)
	}
	if err := b.Abort(); err != nil {
		t.Errorf("abort after publish: %v", err)
	}
}

// Two contents under one name are told apart, in the batch and in the store.
func TestCollision(t *testing.T) {
	s := newStore(t)
	b := newBatch(t, s)
	h := put(t, b, Blob, "one content")
	b.mu.Lock()
	b.entries[h].print++ // as if other bytes had come to this name
	b.mu.Unlock()
	if _, err := b.Put(Blob, []byte("one content")); !errors.Is(err, ErrCollision) {
		t.Errorf("two contents under one name: %v", err)
	}
	b.Abort()

	// The same in the store: a file under the name of other content, which
	// reading finds out.
	h = Sum(Blob, []byte("two"))
	b = newBatch(t, s)
	other := put(t, b, Blob, "three")
	publish(t, b)
	for _, f := range packFiles(t, s) {
		if !strings.HasSuffix(f, ".idx") {
			continue
		}
		path := filepath.Join(s.packDir(), f)
		data, _ := os.ReadFile(path)
		x, err := pack.ParseIndex(data)
		if err != nil || x.Name(0) != other {
			t.Fatal(err)
		}
		off, _ := x.Offset(0)
		crc, _ := x.CRC(0)
		forged := pack.EncodeIndex([]pack.IndexEntry{{Hash: h, Offset: off, CRC: crc}}, x.PackSum())
		os.Chmod(path, 0o644)
		if err := os.WriteFile(path, forged, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	r := reopen(t, s)
	if _, _, err := r.Get(h); !errors.Is(err, ErrCorrupt) {
		t.Errorf("another object's bytes under a name: %v", err)
	}
	if _, _, err := r.Get(other); !errors.Is(err, ErrNotFound) {
		t.Errorf("an object that no index names: %v", err)
	}
}

func TestAbortLeavesNothing(t *testing.T) {
	s := newStore(t)
	want := commitLetters(t, s, 0, 5)
	before := packFiles(t, s)
	b := newBatch(t, s)
	for i := range 3000 {
		put(t, b, Blob, fmt.Sprint("aborted ", i, letter(i)))
	}
	if err := b.Abort(); err != nil {
		t.Fatal(err)
	}
	if after := packFiles(t, s); fmt.Sprint(after) != fmt.Sprint(before) {
		t.Errorf("abort left %v, before %v", after, before)
	}
	if s.Has(Sum(Blob, []byte("aborted 0"+letter(0)))) {
		t.Error("an aborted object is there")
	}
	wantLetters(t, s, want)
	if p := s.Doctor(); p != nil {
		t.Errorf("doctor: %v", p)
	}
}

func TestPublishCompareAndSwap(t *testing.T) {
	s := newStore(t)
	commitLetters(t, s, 0, 2)
	tip, _ := s.Ref("refs/heads/main")
	l := lock(t, s)
	b := newBatch(t, s)
	h := put(t, b, Blob, "x")
	var moved *RefError
	if err := b.Publish(l, RefUpdate{"refs/heads/main", h, h}); !errors.As(err, &moved) || moved.Have != tip || moved.Want != h {
		t.Errorf("ref elsewhere: %v", err)
	}
	if err := b.Publish(l, RefUpdate{"refs/heads/main", Hash{}, h}); !errors.As(err, &moved) {
		t.Errorf("ref must be absent: %v", err)
	}
	for _, bad := range [][]RefUpdate{
		{{"refs/heads/new", Hash{}, h2}},
		{{"HEAD", tip, h}}, {{"refs/heads/../x", Hash{}, h}}, {{"refs/heads/a.lock", Hash{}, h}}, {{"refs/heads/main/x", Hash{}, h}}, {{"refs/heads", Hash{}, h}},
		{{"refs/a", Hash{}, h}, {"refs/a", Hash{}, h}}, {{"refs/a", Hash{}, h}, {"refs/a/b", Hash{}, h}},
	} {
		if err := b.Publish(l, bad...); err == nil {
			t.Fatalf("published %v", bad)
		}
	}
	// the batch is still open
	if err := b.Publish(l, RefUpdate{"refs/muniment/a/b", Hash{}, h}, RefUpdate{"refs/heads/main", tip, tip}); err != nil {
		t.Fatal(err)
	}
	if got, err := s.Ref("refs/muniment/a/b"); err != nil || got != h {
		t.Errorf("ref is %s, %v", got, err)
	}
	// a directory of refs that became empty gives way to a ref
	if err := newBatch(t, s).Publish(l, RefUpdate{"refs/muniment/a/b", h, Hash{}}); err != nil {
		t.Fatal(err)
	}
	if err := newBatch(t, s).Publish(l, RefUpdate{"refs/muniment/a", Hash{}, h}); err != nil {
		t.Fatal(err)
	}
	if err := newBatch(t, s).Publish(nil); err == nil {
		t.Error("published without a lock")
	}
	if err := l.Unlock(); err != nil {
		t.Fatal(err)
	}
	if err := newBatch(t, s).Publish(l); err == nil {
		t.Error("published with a lock given back")
	}
}

// A batch notices when an object it did not store again was pruned.
func TestReliedObjectPruned(t *testing.T) {
	s := newStore(t)
	b := newBatch(t, s)
	h := put(t, b, Blob, "soon gone")
	publish(t, b)
	b = newBatch(t, s)
	put(t, b, Blob, "soon gone")
	for _, f := range packFiles(t, s) {
		os.Remove(filepath.Join(s.packDir(), f))
	}
	if err := b.Publish(lock(t, s), RefUpdate{"refs/heads/main", Hash{}, h}); !errors.Is(err, ErrNotFound) {
		t.Errorf("published a ref to nothing: %v", err)
	}
	if got, _ := s.Ref("refs/heads/main"); !got.IsZero() {
		t.Error("the ref moved")
	}
}

// Memory is bounded by what waits, not by what was put: four producers of
// objects of a megabyte never hold more than the batch allows.
func TestBatchBacklog(t *testing.T) {
	s := newStore(t)
	b := newBatch(t, s)
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Go(func() {
			for i := range 16 {
				body := bytes.Repeat(fmt.Appendf(nil, "%d %d ", g, i), 200_000)
				if _, err := b.Put(Blob, body); err != nil {
					t.Error(err)
				}
				b.mu.Lock()
				if b.pending > batchBytes {
					t.Errorf("%d bytes wait, limit %d", b.pending, batchBytes)
				}
				b.mu.Unlock()
			}
		})
	}
	wg.Wait()
	publish(t, b)
}

// A batch above the size of a pack makes several.
func TestBatchManyPacks(t *testing.T) {
	s := newStore(t)
	b := newBatch(t, s)
	b.limit = 20_000
	var names []Hash
	for i := range 100 {
		names = append(names, put(t, b, Blob, letter(i)))
	}
	for i, h := range names {
		if _, data, err := b.Get(h); err != nil || string(data) != letter(i) {
			t.Fatalf("letter %d from the batch: %v", i, err)
		}
	}
	publish(t, b)
	packs := 0
	for _, f := range packFiles(t, s) {
		if st, err := os.Stat(filepath.Join(s.packDir(), f)); err != nil || st.Size() > 20_000 {
			t.Errorf("%s has %d bytes, %v", f, st.Size(), err)
		}
		if strings.HasSuffix(f, ".pack") {
			packs++
		}
	}
	if packs < 5 {
		t.Errorf("%d packs", packs)
	}
	for i, h := range names {
		if _, data, err := s.Get(h); err != nil || string(data) != letter(i) {
			t.Fatalf("letter %d: %v", i, err)
		}
	}
	if p := s.Doctor(); p != nil {
		t.Errorf("doctor: %v", p)
	}
}

func BenchmarkPut20k(b *testing.B) {
	const n = 20_000
	texts := make([][]byte, n)
	for i := range texts {
		text := letter(i) + letter(i+n)
		texts[i] = []byte(text[:4096])
	}
	b.SetBytes(n * 4096)
	for b.Loop() {
		b.StopTimer()
		s := newStore(b)
		b.StartTimer()
		batch := newBatch(b, s)
		for _, text := range texts {
			if _, err := batch.Put(Blob, text); err != nil {
				b.Fatal(err)
			}
		}
		publish(b, batch)
	}
	b.ReportMetric(float64(n*b.N)/b.Elapsed().Seconds(), "objects/s")
}
