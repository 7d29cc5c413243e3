package container

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"compress/flate"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
	"github.com/stangelandcl/ppmd"
	"github.com/ulikunitz/xz/lzma"
)

// maxSevenWindow is the most memory that one method of packing may need: what 7-Zip
// asks for at its highest level.
const maxSevenWindow = 256 << 20

// A sevenFolder is what a 7z packs as one stream: one file, or of a solid 7z many.
type sevenFolder struct {
	coders     []sevenCoder // from the packed bytes to the files
	streams    int          // packed ones
	at, packed int64        // the packed bytes in the 7z
	size       int64        // unpacked
	main       int          // the output that is the files, among those of all coders
	outs       []int        // for each output its place among coders, -1 for none
	reason     string       // why it is not read, "" if it is
}

// A sevenCoder is one step of packing.
type sevenCoder struct {
	method     string
	properties []byte
	size       int64 // of what it unpacks to
}

// folder reads the coders of one folder and puts them in the order in which they
// unpack.
func (h *sevenHead) folder() *sevenFolder {
	n := h.count()
	if n == 0 || n > maxSevenCoders {
		h.fail()
		return nil
	}
	f := &sevenFolder{}
	coders := make([]sevenCoder, n)
	ins, outs := 0, 0
	plain := true
	for i := range coders {
		flags := h.byte()
		coders[i].method = string(h.take(uint64(flags & 0x0f)))
		in, out := 1, 1
		if flags&0x10 != 0 {
			in, out = h.count(), h.count()
		}
		if flags&0x20 != 0 {
			coders[i].properties = h.take(h.number())
		}
		if ins, outs = ins+in, outs+out; flags&0xc0 != 0 || ins > 2*maxSevenCoders || outs > maxSevenCoders {
			h.fail()
			return nil
		}
		plain = plain && in == 1 && out == 1
		if f.reason == "" {
			f.reason = coders[i].unread()
		}
	}
	if outs == 0 || outs-1 > ins {
		h.fail()
		return nil
	}
	next := make([]int, outs) // the input that each output goes into
	for i := range next {
		next[i] = -1
	}
	bound := make([]bool, ins)
	for range outs - 1 {
		in, out := h.number(), h.number()
		if h.err != nil || in >= uint64(ins) || out >= uint64(outs) || bound[in] || next[out] >= 0 {
			h.fail()
			return nil
		}
		bound[in], next[out] = true, int(in)
	}
	if f.streams = ins - (outs - 1); f.streams > 1 {
		for range f.streams {
			h.number()
		}
	}
	for i, to := range next {
		if to < 0 {
			f.main = i
		}
	}
	f.order(coders, next, bound, plain)
	return f
}

// order puts coders into the order in which they unpack. Those that divide what they
// pack into several streams are not read.
func (f *sevenFolder) order(coders []sevenCoder, next []int, bound []bool, plain bool) {
	f.outs = make([]int, len(next))
	for i := range f.outs {
		f.outs[i] = -1
	}
	if plain && f.streams == 1 {
		at := 0
		for bound[at] {
			at++
		}
		for ; at >= 0 && len(f.coders) < len(coders); at = next[at] {
			f.outs[at] = len(f.coders)
			f.coders = append(f.coders, coders[at])
		}
	}
	if len(f.coders) < len(coders) && f.reason == "" {
		f.reason = "packed in several streams, which are not read"
	}
}

// setSizes reads how much each coder unpacks to.
func (f *sevenFolder) setSizes(h *sevenHead) {
	for i, coder := range f.outs {
		n := h.size()
		if i == f.main {
			f.size = n
		}
		if coder >= 0 {
			f.coders[coder].size = n
		}
	}
}

// The methods of packing that are read.
const (
	sevenCopy    = "\x00"
	sevenLZMA    = "\x03\x01\x01"
	sevenLZMA2   = "\x21"
	sevenPPMd    = "\x03\x04\x01"
	sevenDeflate = "\x04\x01\x08"
	sevenBzip2   = "\x04\x02\x02"
	sevenZstd    = "\x04\xf7\x11\x01"
	sevenDelta   = "\x03"
	sevenAES     = "\x06\xf1\x07\x01"
)

// unread returns why a method is not read, "" if it is.
func (c *sevenCoder) unread() string {
	switch c.method {
	case sevenCopy, sevenLZMA, sevenLZMA2, sevenPPMd, sevenDeflate, sevenBzip2, sevenZstd, sevenDelta:
		return ""
	case sevenAES:
		return "encrypted"
	default:
		return fmt.Sprintf("packed by method %x, which is not read here", c.method)
	}
}

// open returns the unpacked bytes of a folder.
func (f *sevenFolder) open(src io.ReaderAt) (io.Reader, error) {
	if f.reason != "" {
		return nil, errors.New(f.reason)
	}
	r := io.Reader(io.NewSectionReader(src, f.at, f.packed))
	for _, c := range f.coders {
		next, err := c.open(bufio.NewReader(r))
		if err != nil {
			return nil, err
		}
		r = &partReader{next, c.size}
	}
	return r, nil
}

// open returns the unpacked stream of a step of packing.
func (c *sevenCoder) open(in *bufio.Reader) (io.Reader, error) {
	p := c.properties
	switch c.method {
	case sevenCopy:
		return in, nil
	case sevenLZMA:
		if len(p) != 5 {
			return nil, errSevenZip
		}
		window, err := c.window(int64(le.Uint32(p[1:])))
		if err != nil {
			return nil, err
		}
		head := binary.LittleEndian.AppendUint32([]byte{p[0]}, uint32(window))
		head = binary.LittleEndian.AppendUint64(head, uint64(c.size))
		return lzma.NewReader(bufio.NewReader(io.MultiReader(bytes.NewReader(head), in)))
	case sevenLZMA2:
		if len(p) != 1 || p[0] > 40 {
			return nil, errSevenZip
		}
		window, err := c.window(int64(2|p[0]&1) << (p[0]/2 + 11))
		if err != nil {
			return nil, err
		}
		return lzma.Reader2Config{DictCap: window}.NewReader2(in)
	case sevenPPMd:
		if len(p) != 5 {
			return nil, errSevenZip
		}
		memory := le.Uint32(p[1:])
		if memory > maxSevenWindow {
			return nil, errWindow
		}
		r, err := ppmd.NewH7zReader(in, int(p[0]), int(memory), int(c.size))
		return &steadyReader{&r}, err
	case sevenDeflate:
		return flate.NewReader(in), nil
	case sevenBzip2:
		return bzip2.NewReader(in), nil
	case sevenZstd:
		return zstd.NewReader(in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow))
	case sevenDelta:
		if len(p) != 1 {
			return nil, errSevenZip
		}
		return &deltaReader{r: in, past: make([]byte, int(p[0])+1)}, nil
	}
	return nil, errors.New(c.unread())
}

var errWindow = fmt.Errorf("its window is larger than %d bytes", maxSevenWindow)

// window returns how much of what was unpacked last a method refers to: never more
// than all of it.
func (c *sevenCoder) window(declared int64) (int, error) {
	n := max(min(declared, c.size), lzma.MinDictCap)
	if n > maxSevenWindow {
		return 0, errWindow
	}
	return int(n), nil
}

// A partReader reads the first bytes of a stream and no more.
type partReader struct {
	r    io.Reader
	left int64
}

// Read implements io.Reader.
func (e *partReader) Read(p []byte) (int, error) {
	if e.left == 0 {
		return 0, io.EOF
	}
	n, err := e.r.Read(p[:min(int64(len(p)), e.left)])
	if e.left -= int64(n); e.left == 0 {
		err = nil
	}
	return n, err
}

// A steadyReader turns a panic into an error: package ppmd indexes beyond its memory
// where the packed bytes are damaged.
type steadyReader struct{ r io.Reader }

// Read implements io.Reader.
func (s *steadyReader) Read(p []byte) (n int, err error) {
	defer func() {
		if recover() != nil {
			n, err = 0, errors.New("its packed data is damaged")
		}
	}()
	return s.r.Read(p)
}

// A deltaReader adds to each byte the output byte a fixed distance before it.
type deltaReader struct {
	r    io.Reader
	past []byte
	at   int
}

// Read implements io.Reader.
func (d *deltaReader) Read(p []byte) (int, error) {
	n, err := d.r.Read(p)
	for i := range p[:n] {
		d.past[d.at] += p[i]
		p[i] = d.past[d.at]
		d.at = (d.at + 1) % len(d.past)
	}
	return n, err
}
