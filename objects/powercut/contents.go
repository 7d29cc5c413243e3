package powercut

import (
	"slices"

	"muniment/objects/disk"
)

// Steps at which the bytes of a file may end after a cut.
const (
	sector    = 512  // the least that a disk writes
	page      = 4096 // the least that a file system writes
	smallEdit = 160  // a write up to this is tried at every byte
)

// contents returns the possible contents of a file after the steps: first with none of the writes
// since its last sync, last with all of them.
func contents(n *node, steps []step) []content {
	safe := n.base
	var writes []disk.Operation
	for _, s := range steps {
		if s.owner != n {
			continue
		}
		switch s.op.Op {
		case "write":
			writes = append(writes, s.op)
		case "sync":
			safe, writes = apply(safe, writes...), nil
		}
	}
	out := []content{contentOf(safe)}
	if len(writes) == 0 {
		return out
	}
	for i, w := range writes {
		before := apply(safe, writes[:i]...)
		for _, cut := range cuts(len(w.Data)) {
			part := w
			part.Data = w.Data[:cut]
			out = append(out, contentOf(apply(before, part)))
		}
	}
	whole := apply(safe, writes...)
	out = append(out, contentOf(append(slices.Clone(safe), make([]byte, len(whole)-len(safe))...)))
	for at := 0; at < len(whole); at += page {
		hole := slices.Clone(whole)
		clear(hole[at:min(at+page, len(hole))])
		out = append(out, contentOf(hole))
	}
	if len(writes) > 1 {
		for i := range writes {
			rest := slices.Delete(slices.Clone(writes), i, i+1)
			out = append(out, contentOf(apply(safe, rest...)))
		}
	}
	return append(out, contentOf(whole))
}

// cuts returns the lengths at which a write may be cut short.
func cuts(size int) []int {
	every := sector
	if size <= smallEdit {
		every = 1
	}
	var out []int
	for n := every; n < size; n += every {
		out = append(out, n)
	}
	return append(out, size)
}

// apply returns data after the writes; a gap is zeros.
func apply(data []byte, writes ...disk.Operation) []byte {
	data = slices.Clone(data)
	for _, w := range writes {
		if end := int(w.Offset) + len(w.Data); end > len(data) {
			data = append(data, make([]byte, end-len(data))...)
		}
		copy(data[w.Offset:], w.Data)
	}
	return data
}
