package canon

import (
	"bytes"
	"crypto/sha256"
	"hash"
	"sync"

	"muniment/cid/merkle"
)

// A Meter counts the paragraphs and lines of a text that passes through it, and
// computes the roots over them, in memory that does not grow with the text. It
// agrees with a Document of the whole. The zero Meter has seen nothing.
type Meter struct {
	line, paragraph leaf
	pendingLF       bool // a LF that belongs to the paragraph if it goes on
	lines, runs     merkle.Frontier
}

// A leaf is a unit being hashed.
type leaf struct {
	h    hash.Hash
	open bool
}

// write adds bytes to the unit, and begins one if none is open.
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

// end adds the hash of the open unit to a tree and closes the unit.
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
			if m.pendingLF {
				m.paragraph.write(lf)
				m.pendingLF = false
			}
			m.line.write(part)
			m.paragraph.write(part)
		}
		if end < 0 {
			break
		}
		p = p[end+1:]
		if m.pendingLF { // an empty line
			m.paragraph.end(&m.runs)
		}
		m.pendingLF = m.paragraph.open
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

// A Measure is how many units of each kind a text has, and the RFC 6962 roots
// over them.
type Measure struct {
	Paragraphs, Lines int64
	PRoot, LRoot      merkle.Hash
}

// Measure returns the measure of the text up to here as if it ended.
func (m *Meter) Measure() (out Measure) {
	out.Paragraphs, out.PRoot = m.Count(Paragraphs)
	out.Lines, out.LRoot = m.Count(Lines)
	return out
}

// trees are the buffers that MeasureText reuses.
type trees struct{ lines, runs merkle.Frontier }

var treePool = sync.Pool{New: func() any { return new(trees) }}

// MeasureText returns the measure of a whole text, as a Document of it has it,
// without an index.
func MeasureText(text []byte) Measure {
	t := treePool.Get().(*trees)
	defer treePool.Put(t)
	t.lines.Reset()
	t.runs.Reset()
	open, from := -1, -1 // where the paragraph and its last line began
	var line merkle.Hash // of that line
	add := func(end int) {
		if from == open { // a paragraph of one line is that line
			t.runs.Add(line)
		} else {
			t.runs.AddData(text[open:end])
		}
		open = -1
	}
	for at := 0; at < len(text); {
		end := len(text)
		if lf := bytes.IndexByte(text[at:], '\n'); lf >= 0 {
			end = at + lf
		}
		leaf := t.lines.AddData(text[at:end])
		switch {
		case end > at:
			if open < 0 {
				open = at
			}
			from, line = at, leaf
		case open >= 0:
			add(at - 1)
		}
		at = end + 1
	}
	if open >= 0 {
		add(len(bytes.TrimSuffix(text, lf)))
	}
	return Measure{t.runs.Size(), t.lines.Size(), t.runs.Root(), t.lines.Root()}
}
