package objects

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"muniment/objects/object"
	"muniment/objects/pack"
)

// A journalEntry is one line of a journal: an entry of the pack of the same name.
type journalEntry struct {
	hash Hash
	size int64 // bytes of the entry, with its header
	crc  uint32
}

// append adds the line of the entry to b; parseJournal reads it.
func (e journalEntry) append(b []byte) []byte {
	return fmt.Appendf(b, "%s %d %08x\n", e.hash, e.size, e.crc)
}

// parseJournal reads a journal. A last line without LF was being written when
// its process died, and is left out.
func parseJournal(data []byte) ([]journalEntry, error) {
	if !bytes.HasPrefix(data, []byte(journalHead)) {
		return nil, object.Corruptf("journal does not begin with %q", journalHead)
	}
	text := string(data[len(journalHead):])
	text = text[:strings.LastIndexByte(text, '\n')+1]
	var out []journalEntry
	end := int64(pack.HeadSize)
	for line := range strings.Lines(text) {
		if len(out) == maxJournal {
			return nil, object.Corruptf("journal of more than %d lines", maxJournal)
		}
		f := strings.Fields(line)
		if len(f) != 3 {
			return nil, object.Corruptf("journal line %q", object.Clip(line))
		}
		h, errHash := ParseHash(f[0])
		size, errSize := strconv.ParseInt(f[1], 10, 64)
		crc, errSum := strconv.ParseUint(f[2], 16, 32)
		e := journalEntry{h, size, uint32(crc)}
		if errHash != nil || errSize != nil || errSum != nil || string(e.append(nil)) != line {
			return nil, object.Corruptf("journal line %q", object.Clip(line))
		}
		if end += size; size < 1 || size > MaxPack || end > MaxPack {
			return nil, object.Corruptf("journal of a pack of %d bytes", end)
		}
		out = append(out, e)
	}
	return out, nil
}
