package compound

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"maps"
	"math/bits"
	"slices"
	"strings"
	"unicode/utf16"
)

// Kinds of entries and their colours (MS-CFB 2.6.1).
const (
	kindFolder = 1
	kindStream = 2
	kindRoot   = 5

	colourRed   = 0
	colourBlack = 1
)

// maxEntryName is the longest name of an entry, in units of UTF-16.
const maxEntryName = 31

// A node is an entry of a directory that is written.
type node struct {
	name               []uint16
	kind, colour       byte
	left, right, child uint32
	start              uint32
	data               []byte
	inner              map[string]*node
}

// Write returns a container with streams by their paths, folders apart by slashes. Equal
// streams give equal bytes.
func Write(streams map[string][]byte) ([]byte, error) {
	root := &node{name: utf16.Encode([]rune("Root Entry")), kind: kindRoot, colour: colourBlack, inner: map[string]*node{}}
	for _, path := range slices.Sorted(maps.Keys(streams)) {
		at := root
		parts := strings.Split(path, "/")
		for i, part := range parts {
			name := utf16.Encode([]rune(part))
			if len(name) == 0 || len(name) > maxEntryName {
				return nil, fmt.Errorf("%q is no name in a container", part)
			}
			last := i == len(parts)-1
			inner := at.inner[part]
			switch {
			case inner == nil && last:
				inner = &node{name: name, kind: kindStream, data: streams[path]}
			case inner == nil:
				inner = &node{name: name, kind: kindFolder, inner: map[string]*node{}}
			case last || inner.kind == kindStream:
				return nil, fmt.Errorf("%q is a folder and a stream", path)
			}
			at.inner[part], at = inner, inner
		}
	}
	w := &containerWriter{}
	w.add(root)
	return w.write(), nil
}

// A containerWriter lays out a container.
type containerWriter struct {
	nodes []*node
	body  bytes.Buffer // sectors
	fat   []uint32
	mini  bytes.Buffer
	small []uint32 // the FAT of the mini stream
}

// add numbers a node and what lies in it, and makes the trees of siblings.
func (w *containerWriter) add(n *node) uint32 {
	id := uint32(len(w.nodes))
	w.nodes = append(w.nodes, n)
	n.left, n.right, n.child = noEntry, noEntry, noEntry
	inner := slices.SortedFunc(maps.Values(n.inner), func(a, b *node) int {
		return cmp.Or(cmp.Compare(len(a.name), len(b.name)), slices.Compare(upper(a.name), upper(b.name)))
	})
	ids := map[*node]uint32{}
	for _, one := range inner {
		ids[one] = w.add(one)
	}
	n.child = balance(inner, ids, bits.Len(uint(len(inner)+1))-1)
	return id
}

// upper returns a name as names are compared.
func upper(name []uint16) []uint16 {
	return utf16.Encode([]rune(strings.ToUpper(string(utf16.Decode(name)))))
}

// balance makes a tree of siblings and returns its top. Levels up to the last full one
// are black, as in a red-black tree.
func balance(list []*node, ids map[*node]uint32, black int) uint32 {
	if len(list) == 0 {
		return noEntry
	}
	middle := len(list) / 2
	top := list[middle]
	top.left, top.right = balance(list[:middle], ids, black-1), balance(list[middle+1:], ids, black-1)
	if top.colour = colourBlack; black <= 0 {
		top.colour = colourRed
	}
	return ids[top]
}

// put appends data as a chain of sectors and returns the first one.
func (w *containerWriter) put(data []byte) uint32 {
	return chain(&w.body, &w.fat, data, sectorSize)
}

// chain appends data to a list of sectors and their table.
func chain(body *bytes.Buffer, table *[]uint32, data []byte, size int) uint32 {
	if len(data) == 0 {
		return sectEnd
	}
	first := uint32(len(*table))
	for part := range slices.Chunk(data, size) {
		body.Write(part)
		body.Write(make([]byte, size-len(part)))
		*table = append(*table, uint32(len(*table)+1))
	}
	(*table)[len(*table)-1] = sectEnd
	return first
}

// write returns the container.
func (w *containerWriter) write() []byte {
	for _, n := range w.nodes {
		switch {
		case n.kind != kindStream:
		case len(n.data) < miniCutoff:
			n.start = chain(&w.mini, &w.small, n.data, miniSize)
		default:
			n.start = w.put(n.data)
		}
	}
	root := w.nodes[0]
	root.data = w.mini.Bytes()
	root.start = w.put(root.data)
	smallSectors := (len(w.small)*4 + sectorSize - 1) / sectorSize
	smallStart := uint32(sectEnd)
	if len(w.small) > 0 {
		smallStart = w.put(table(w.small))
	}
	directory := w.put(w.directory())
	const per = sectorSize / 4
	fat, lists := 0, 0
	for { // the FAT has entries for its own sectors, too
		total := len(w.fat) + fat + lists
		needFAT := (total + per - 1) / per
		needLists := (max(needFAT-headSectors, 0) + per - 2) / (per - 1)
		if needFAT == fat && needLists == lists {
			break
		}
		fat, lists = needFAT, needLists
	}
	fatStart, listStart := uint32(len(w.fat)), uint32(len(w.fat)+fat)
	for range fat {
		w.fat = append(w.fat, sectFAT)
	}
	for range lists {
		w.fat = append(w.fat, sectDIFAT)
	}
	w.body.Write(table(w.fat))
	where := make([]uint32, 0, headSectors)
	for i := range fat {
		where = append(where, fatStart+uint32(i))
	}
	inHead := min(fat, headSectors)
	for rest, i := where[inHead:], uint32(1); len(rest) > 0; i++ {
		n := min(per-1, len(rest))
		list := table(rest[:n])
		next := uint32(sectEnd)
		if n < len(rest) {
			next = listStart + i
		}
		binary.LittleEndian.PutUint32(list[sectorSize-4:], next)
		w.body.Write(list)
		rest = rest[n:]
	}
	head := make([]byte, headSize)
	copy(head, Signature)
	for at, v := range map[int]uint16{24: 0x3E, 26: 3, 28: 0xFFFE, 30: 9, 32: 6} {
		binary.LittleEndian.PutUint16(head[at:], v)
	}
	if lists == 0 {
		listStart = sectEnd
	}
	for at, v := range map[int]uint32{44: uint32(fat), 48: directory, 56: miniCutoff, 60: smallStart, 64: uint32(smallSectors), 68: listStart, 72: uint32(lists)} {
		binary.LittleEndian.PutUint32(head[at:], v)
	}
	copy(head[76:], table(where[:inHead])[:headSectors*4])
	return append(head, w.body.Bytes()...)
}

// table returns numbers of sectors as bytes, filled to whole sectors with free ones.
func table(list []uint32) []byte {
	var out []byte
	for _, n := range list {
		out = binary.LittleEndian.AppendUint32(out, n)
	}
	if over := len(out) % sectorSize; over > 0 {
		out = append(out, bytes.Repeat([]byte{0xFF}, sectorSize-over)...)
	}
	return out
}

// directory returns the entries of all nodes.
func (w *containerWriter) directory() []byte {
	var out []byte
	for _, n := range w.nodes {
		e := make([]byte, entrySize)
		for i, unit := range n.name {
			binary.LittleEndian.PutUint16(e[2*i:], unit)
		}
		binary.LittleEndian.PutUint16(e[64:], uint16(2*len(n.name)+2))
		e[66], e[67] = n.kind, n.colour
		for i, v := range []uint32{n.left, n.right, n.child} {
			binary.LittleEndian.PutUint32(e[68+4*i:], v)
		}
		binary.LittleEndian.PutUint32(e[116:], n.start)
		binary.LittleEndian.PutUint64(e[120:], uint64(len(n.data)))
		out = append(out, e...)
	}
	for len(out)%sectorSize != 0 { // free entries
		e := make([]byte, entrySize)
		for at := 68; at < 80; at++ {
			e[at] = 0xFF
		}
		out = append(out, e...)
	}
	return out
}
