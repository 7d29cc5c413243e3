package pst

import (
	"bytes"
	"encoding/binary"
	"os"
	"testing"
)

// A property of a node (MS-PST 2.3.3): its value is a number, or bytes in the heap.
type property struct {
	id, kind uint16
	number   uint32
	data     []byte
}

// text returns a property of one-byte text.
func text(id uint16, s string) property { return property{id: id, kind: 0x1E, data: []byte(s)} }

// number returns a property of 32 bits.
func number(id uint16, n uint32) property { return property{id: id, kind: 3, number: n} }

// heap writes properties, in the order of their ids, as a heap with a tree (MS-PST 2.3.1, 2.3.2).
func heap(properties []property) []byte {
	const first = 12 // bytes of the head
	le := binary.LittleEndian
	var records []byte
	pieces := [][]byte{{0xB5, 2, 6, 0, 2 << 5, 0, 0, 0}, nil}
	for _, p := range properties {
		value := p.number
		if p.data != nil {
			pieces = append(pieces, p.data)
			value = uint32(len(pieces) << 5)
		}
		records = le.AppendUint32(le.AppendUint16(le.AppendUint16(records, p.id), p.kind), value)
	}
	pieces[1] = records
	var body []byte
	places := le.AppendUint16(nil, first)
	for _, piece := range pieces {
		body = append(body, piece...)
		places = le.AppendUint16(places, uint16(first+len(body)))
	}
	if len(body)%2 == 1 {
		body = append(body, 0)
	}
	out := le.AppendUint16(nil, uint16(first+len(body)))
	out = append(out, 0xEC, 0xBC, 1<<5, 0, 0, 0, 0, 0, 0, 0)
	out = le.AppendUint16(append(out, body...), uint16(len(pieces)))
	return append(le.AppendUint16(out, 0), places...)
}

// folder returns the properties of a folder with so many mails.
func folder(name string, mails uint32) []property {
	return []property{text(0x3001, name), number(0x3602, mails), number(0x3603, 0), {id: 0x360A, kind: 0xB, number: 1}}
}

// sample writes a box of the format before 2003 (MS-PST 2.2), not encoded: a folder with
// one mail, as far as readpst looks at one.
func sample() []byte {
	le := binary.LittleEndian
	sent := le.AppendUint64(nil, (1046685600+11644473600)*10_000_000)
	nodes := []struct {
		id, parent uint32
		properties []property
	}{
		{0x21, 0, []property{text(0x3001, "Box"), number(0x35DF, 0x89)}},
		{0x122, 0x122, folder("Root", 0)},
		{0x2142, 0x122, folder("Top of Personal Folders", 0)},
		{0x8042, 0x2142, folder("Inbox", 1)},
		{0x200024, 0x8042, []property{text(0x1A, "IPM.Note"), text(0x37, "The mill"), {id: 0x39, kind: 0x40, data: sent}, text(0x42, "Anne"), text(0xC1A, "Anne"),
			text(0xC1E, "SMTP"), text(0xC1F, "anne@example.org"), text(0xE04, "zoe@example.net"), number(0xE07, 1), text(0x1000, "It burnt down.\r\n")}},
	}
	out := make([]byte, 0x400)
	var blocks, descriptors []byte
	for i, n := range nodes {
		id, data := uint32(4*(i+1)), heap(n.properties)
		blocks = le.AppendUint16(le.AppendUint16(le.AppendUint32(le.AppendUint32(blocks, id), uint32(len(out))), uint16(len(data))), 2)
		for _, v := range []uint32{n.id, id, 0, n.parent} {
			descriptors = le.AppendUint32(descriptors, v)
		}
		out = append(out, data...)
		out = append(out, make([]byte, -len(out)&63)...)
	}
	page := func(entries []byte, size int, id uint32) (at uint32) {
		out = append(out, make([]byte, -len(out)&511)...)
		p := make([]byte, 512)
		copy(p, entries)
		p[0x1F0], p[0x1F1], p[0x1F2] = byte(len(entries)/size), byte(496/size), byte(size)
		le.PutUint32(p[0x1F8:], id)
		out = append(out, p...)
		return uint32(len(out) - len(p))
	}
	atBlocks, atNodes := page(blocks, 12, 0x10), page(descriptors, 16, 0x11)
	copy(out, magic+"\x00\x00\x00\x00SM\x0E")
	for at, v := range map[int]uint32{0xA8: uint32(len(out)), 0xB8: 0x11, 0xBC: atNodes, 0xC0: 0x10, 0xC4: atBlocks} {
		le.PutUint32(out[at:], v)
	}
	return out
}

// The sample that other tests read is what is written here.
func TestSample(t *testing.T) {
	kept, err := os.ReadFile("testdata/box.pst")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(kept, sample()) {
		t.Error("testdata/box.pst is another file")
	}
}
