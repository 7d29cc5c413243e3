package canon

import (
	"bytes"
	"crypto/sha256"
	"hash"

	"muniment/merkle"
)

// A Meter counts the paragraphs and lines of a text that passes through it, and
// computes the roots over them, in memory that does not grow with the text. It
// agrees with a Document of the whole. The zero Meter has seen nothing.
type Meter struct {
	line, paragraph leaf
	pending         bool // a LF that belongs to the paragraph if it goes on
	lines, runs     merkle.Frontier
}

// A leaf is a unit being hashed.
type leaf struct {
	h    hash.Hash
	open bool
}

func (l *leaf) write(p []byte) {
	if !l.open {
		if l.h == nil {
			l.h = sha256.New()
		}
		l.h.Reset()
		l.h.Write([]byte{0}) // RFC 6962: a leaf
		l.open = true
	}
	l.h.Write(p)
}

func (l *leaf) end(f *merkle.Frontier) {
	f.Add(merkle.Hash(l.h.Sum(nil)))
	l.open = false
}

var lf = []byte{'\n'}

// Write takes in the next bytes of the text. It never fails.
func (m *Meter) Write(p []byte) (int, error) {
	n := len(p)
	for len(p) > 0 {
		end := bytes.IndexByte(p, '\n')
		part := p
		if end >= 0 {
			part = p[:end]
		}
		if len(part) > 0 {
			if m.pending {
				m.paragraph.write(lf)
				m.pending = false
			}
			m.line.write(part)
			m.paragraph.write(part)
		}
		if end < 0 {
			break
		}
		p = p[end+1:]
		if m.pending { // an empty line
			m.paragraph.end(&m.runs)
		}
		m.pending = m.paragraph.open
		if !m.line.open {
			m.line.write(nil)
		}
		m.line.end(&m.lines)
	}
	return n, nil
}

// Count returns the number of units of a kind and the root over them, of the
// text up to here as if it ended.
func (m *Meter) Count(kind byte) (n int64, root merkle.Hash) {
	f, unit := m.lines, m.line
	if kind == Paragraphs {
		f, unit = m.runs, m.paragraph
	}
	if unit.open {
		f = f.Clone()
		f.Add(merkle.Hash(unit.h.Sum(nil)))
	}
	return f.Size(), f.Root()
}
