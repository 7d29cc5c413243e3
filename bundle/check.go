package bundle

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"muniment/bundle/display"
	"muniment/bundle/leaf"
)

// maxView is the most bytes of text, with a little for every piece of it, that Check renders: an
// answer for people has a few thousand, and many citations can repeat one chunk.
const maxView = 1 << 20

// Read reads a bundle in a file: its zip or its page. The error is what r
// returned, or an *InvalidError.
func Read(r io.Reader) (*Bundle, error) { return readFile(r, true) }

// readFile reads the zip or the page of a bundle, and keeps its sealed files or
// their sha256 alone.
func readFile(r io.Reader, keepSealed bool) (*Bundle, error) {
	in := bufio.NewReaderSize(r, readBuffer)
	first, err := in.Peek(len(pageBegin))
	if err != nil && err != io.EOF {
		return nil, err
	}
	if !IsPage(first) {
		return read(&zipInput{r: in}, keepSealed)
	}
	data, err := io.ReadAll(io.LimitReader(in, MaxPage+1))
	if err != nil {
		return nil, err
	}
	return ReadPage(data)
}

// readBuffer is the number of bytes that one read asks of a file.
const readBuffer = 64 << 10

// Check reads a bundle's zip or page, verifies and renders it, in less memory
// than Read and Verify take: sealed files are hashed while they are read and not
// held, unless q has identities. The error is what r returned; whatever is wrong
// with the bundle stands in the verdict.
func Check(r io.Reader, q Requirements) (*Verdict, display.View, error) {
	b, err := readFile(r, q.Identities != nil)
	return conclude(b, err, q)
}

// CheckDir is Check for an unpacked bundle.
func CheckDir(dir fs.FS, q Requirements) (*Verdict, display.View, error) {
	found, err := readDir(dir, q.Identities != nil)
	if err != nil {
		return conclude(nil, err, q)
	}
	b, err := found.bundle()
	return conclude(b, err, q)
}

// conclude verifies and renders what was read.
func conclude(b *Bundle, err error, q Requirements) (*Verdict, display.View, error) {
	var bad *InvalidError
	switch {
	case errors.As(err, &bad):
		return InvalidVerdict(bad), display.View{}, nil
	case err != nil:
		return nil, display.View{}, err
	}
	v := Verify(b, q)
	view, err := Show(b)
	if err == ErrViewTooLarge {
		v.remark("%v", err)
		return v, display.View{}, nil
	}
	return v, view, err
}

// ErrViewTooLarge is the error of Show for an answer that is not for people.
var ErrViewTooLarge = fmt.Errorf("the answer has more than %d bytes of text and is not shown here", maxView)

// Show is Render for a bundle from anybody: thousands of citations may repeat one text, so that a
// small bundle would be shown at a thousand times its size.
func Show(b *Bundle) (display.View, error) {
	if b == nil || b.statement == nil {
		return display.View{}, errEmpty
	}
	if b.viewSize() > maxView {
		return display.View{}, ErrViewTooLarge
	}
	return Render(b)
}

// ReadShown is Read without the content of the sealed files, which are hashed: for
// whoever shows the bundle and does not write it.
func ReadShown(r io.Reader) (*Bundle, error) { return readFile(r, false) }

// ReadShownDir is ReadShown for an unpacked bundle.
func ReadShownDir(dir fs.FS) (*Bundle, error) {
	found, err := readDir(dir, false)
	if err != nil {
		return nil, err
	}
	return found.bundle()
}

// viewSize returns about how much Render would hold.
func (b *Bundle) viewSize() int {
	const piece = 64
	size := 0
	add := func(texts ...string) {
		for _, t := range texts {
			size += piece + len(display.Safe(t))
		}
	}
	for _, i := range b.display().Shown {
		switch l := b.leaves[i].(type) {
		case *leaf.Claim:
			add(l.Text)
			for _, n := range l.Cites {
				t, ok := b.leaves[n].(*leaf.Cite)
				for j := 0; ok && j < len(t.Chunks) && size <= maxView; j++ {
					if k, ok := b.leaves[t.Chunks[j]].(*leaf.Chunk); ok {
						add(k.Text)
					}
				}
				add("")
			}
		case *leaf.Removed:
			add(l.Topic, l.Reason)
		case *leaf.Refusal:
			add(l.Message, l.Topic)
			add(l.Suggestions...)
		}
		if size > maxView {
			break
		}
	}
	return size
}
