package objects

import (
	"cmp"
	"runtime"
	"slices"
	"sync"

	"muniment/objects/object"
	"muniment/objects/pack"
)

// Blobs reads blobs on all processors, those of a pack in the order in which
// they lie in it, and hashes each against its name. fn gets the position of
// the blob in list and its bytes, or the error that Get would give, from
// several goroutines at once; the bytes are fn's. Where fn returns false no
// further blob is begun.
//
// It takes some 8 bytes for each blob beside the list, and is several times
// faster on a disk with a head than as many calls of Get.
func (s *Store) Blobs(list []Hash, fn func(i int, data []byte, err error) bool) error {
	v, err := s.acquire()
	if err != nil {
		return err
	}
	defer s.release(v)
	c := &checker{store: s, packs: v}
	work, stop := make(chan []int32), make(chan struct{})
	var once sync.Once
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			var near pack.Nearby
			for part := range work {
				for _, i := range part {
					k, data, err := c.read(list[i], &near)
					if err == nil && k != Blob {
						data, err = nil, object.Corruptf("it is a %s, want a blob", k)
					}
					if !fn(int(i), data, err) {
						once.Do(func() { close(stop) })
						return
					}
				}
			}
		})
	}
	for _, part := range v.inPackOrder(list, checkBatch) {
		select {
		case work <- part:
			continue
		case <-stop:
		}
		break
	}
	close(work)
	wg.Wait()
	return nil
}

// inPackOrder returns the positions of a list, at most n in each part, by pack
// and offset; those that are not found come last.
func (v *packSet) inPackOrder(list []Hash, n int) [][]int32 {
	type place struct {
		offset int64
		at     int32
	}
	find := func(h Hash) (int, int64) {
		for i, p := range v.all {
			if pos, ok := p.Index.Find(h); ok {
				off, _ := p.Index.Offset(pos) // a bad one shows when it is read
				return i, off
			}
		}
		return len(v.all), 0
	}
	byPack := make([][]place, len(v.all)+1)
	for i, h := range list {
		in, off := find(h)
		byPack[in] = append(byPack[in], place{off, int32(i)})
	}
	var out [][]int32
	for _, places := range byPack {
		slices.SortFunc(places, func(a, b place) int { return cmp.Or(cmp.Compare(a.offset, b.offset), cmp.Compare(a.at, b.at)) })
		for part := range slices.Chunk(places, n) {
			order := make([]int32, len(part))
			for j, p := range part {
				order[j] = p.at
			}
			out = append(out, order)
		}
	}
	return out
}
