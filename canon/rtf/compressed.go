package rtf

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
)

// The head of a compressed document (MS-OXRTFCP 2.1.3.1) and its two kinds.
const (
	compressedHead = 16
	kindCompressed = 0x75465A4C // LZFu
	kindPlain      = 0x414C454D // MELA
)

// window is how many bytes back a copy may reach; maxCopy is the longest one.
const (
	window  = 4096
	maxCopy = 17
)

// firstWindow is the content of the window before the first byte.
const firstWindow = `{\rtf1\ansi\mac\deff0\deftab720{\fonttbl;}{\f0\fnil \froman \fswiss \fmodern \fscript \fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\colortbl\red0\green0\blue0` +
	"\r\n" + `\par \pard\plain\f0\fs20\b\i\u\tab\tx`

// Decompress returns the document that a mail of Outlook keeps compressed
// (MS-OXRTFCP). A document longer than limit bytes is an error.
func Decompress(data []byte, limit int) ([]byte, error) {
	if len(data) < compressedHead {
		return nil, errors.New("the compressed text has no head")
	}
	size, raw := uint64(binary.LittleEndian.Uint32(data)), uint64(binary.LittleEndian.Uint32(data[4:]))
	kind, sum := binary.LittleEndian.Uint32(data[8:]), binary.LittleEndian.Uint32(data[12:])
	switch {
	case size < compressedHead-4 || size+4 > uint64(len(data)):
		return nil, errors.New("the compressed text is cut off")
	case raw > uint64(limit):
		return nil, fmt.Errorf("the compressed text states %d bytes, at most %d are read", raw, limit)
	}
	body := data[compressedHead : size+4]
	switch kind {
	case kindPlain:
		if raw > uint64(len(body)) {
			return nil, errors.New("the text is cut off")
		}
		return body[:raw], nil
	case kindCompressed:
	default:
		return nil, fmt.Errorf("the text is compressed in the unknown way %08x", kind)
	}
	if got := ^crc32.Update(0xFFFFFFFF, crc32.IEEETable, body); got != sum {
		return nil, errors.New("the compressed text is damaged: its checksum is another")
	}
	return expand(body, int(raw))
}

// expand undoes the compression: a byte of eight marks, then for each a byte, or a copy
// of what came before.
func expand(body []byte, raw int) ([]byte, error) {
	var dict [window]byte
	at := copy(dict[:], firstWindow)
	out := make([]byte, 0, min(raw, len(body)*maxCopy))
	put := func(c byte) {
		out = append(out, c)
		dict[at%window] = c
		at++
	}
	for i := 0; i < len(body); {
		marks := body[i]
		i++
		for bit := range 8 {
			if marks>>bit&1 == 0 {
				if i >= len(body) {
					break
				}
				put(body[i])
				i++
				continue
			}
			if i+2 > len(body) {
				return nil, errors.New("the compressed text ends within a copy")
			}
			place := binary.BigEndian.Uint16(body[i:])
			i += 2
			from, length := int(place>>4), int(place&15)+2
			if from == at%window { // the end
				if len(out) < raw {
					return nil, errors.New("the compressed text is shorter than it states")
				}
				return out[:raw], nil
			}
			for n := range length {
				put(dict[(from+n)%window])
			}
			if len(out) > raw+maxCopy {
				return nil, errors.New("the compressed text is longer than it states")
			}
		}
		if len(out) > raw+maxCopy {
			return nil, errors.New("the compressed text is longer than it states")
		}
	}
	return nil, errors.New("the compressed text has no end")
}
