package compound

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// Marks in tables of sectors and entries (MS-CFB 2.1, 2.6).
const (
	sectFAT   = 0xFFFFFFFD // a sector that holds a part of the FAT
	sectDIFAT = 0xFFFFFFFC // a sector that lists others of the FAT
	sectEnd   = 0xFFFFFFFE
	sectFree  = 0xFFFFFFFF
	noEntry   = 0xFFFFFFFF
)

// Sizes of a container, in bytes but for the first.
const (
	headSectors = 109 // sectors of the FAT that the head lists
	headSize    = 512
	entrySize   = 128
	sectorSize  = 512 // of containers that are written
	miniSize    = 64
	miniCutoff  = 4096 // streams below it lie in the mini stream
)

// errDirectory is the error for a directory whose entries lead to each other, or nowhere.
var errDirectory = errors.New("the directory of the container goes in a circle")

// sectors reads the chains of sectors of a container.
type sectors struct {
	data []byte
	size int
	fat  []uint32 // sectors that hold the FAT
}

// sector returns a sector, nil where the file does not have all of it.
func (s *sectors) sector(n uint32) []byte {
	at := (uint64(n) + 1) * uint64(s.size)
	if at+uint64(s.size) > uint64(len(s.data)) {
		return nil
	}
	return s.data[at : at+uint64(s.size)]
}

// next returns the sector after another in its chain.
func (s *sectors) next(n uint32) (uint32, bool) {
	per := uint32(s.size / 4)
	if int(n/per) >= len(s.fat) {
		return 0, false
	}
	table := s.sector(s.fat[n/per])
	if table == nil {
		return 0, false
	}
	return binary.LittleEndian.Uint32(table[n%per*4:]), true
}

// openSectors reads the list of the sectors of the FAT; nil where the file does not have
// it.
func openSectors(data []byte) *sectors {
	if len(data) < headSize {
		return nil
	}
	s := &sectors{data: data, size: 1 << (binary.LittleEndian.Uint16(data[30:]) & 31)}
	if s.size != 512 && s.size != 4096 {
		return nil
	}
	for i := range headSectors {
		s.fat = append(s.fat, binary.LittleEndian.Uint32(data[76+4*i:]))
	}
	at := binary.LittleEndian.Uint32(data[68:])
	for range min(binary.LittleEndian.Uint32(data[72:]), uint32(len(data)/s.size)) {
		list := s.sector(at)
		if list == nil {
			return nil
		}
		for i := 0; i < s.size-4; i += 4 {
			s.fat = append(s.fat, binary.LittleEndian.Uint32(list[i:]))
		}
		at = binary.LittleEndian.Uint32(list[s.size-4:])
	}
	return s
}

// checkDepth returns an error for a container whose folders lie deeper in each other
// than maxDepth, or refer to each other in a circle. A directory that is cut off is left
// to the library.
func checkDepth(data []byte) error {
	s := openSectors(data)
	if s == nil {
		return nil
	}
	var entries [][]byte
	at := binary.LittleEndian.Uint32(data[48:])
	for at != sectEnd {
		sector := s.sector(at)
		if sector == nil || len(entries) > len(data)/entrySize {
			return nil
		}
		for i := 0; i < s.size; i += entrySize {
			entries = append(entries, sector[i:i+entrySize])
		}
		next, ok := s.next(at)
		if !ok {
			return nil
		}
		at = next
	}
	type place struct{ entry, depth uint32 }
	seen := make([]bool, len(entries))
	for todo := []place{{0, 0}}; len(todo) > 0; {
		p := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		switch {
		case p.entry == noEntry:
			continue
		case int(p.entry) >= len(entries) || seen[p.entry]:
			return errDirectory
		case p.depth > maxDepth:
			return fmt.Errorf("folders of the container lie deeper in each other than %d", maxDepth)
		}
		seen[p.entry] = true
		e := entries[p.entry]
		todo = append(todo, place{binary.LittleEndian.Uint32(e[68:]), p.depth},
			place{binary.LittleEndian.Uint32(e[72:]), p.depth}, place{binary.LittleEndian.Uint32(e[76:]), p.depth + 1})
	}
	return nil
}
