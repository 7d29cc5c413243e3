package container

import (
	"bufio"
	"compress/flate"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
)

// Salvage opens the container in the file path like Open, and one that Open
// refuses as far as it can be read:
//
//   - of a tar and a gzipped tar, every member that lies whole before the place
//     of the damage, or before the expansion limit is reached;
//   - of a zip that is cut off, every member whose header and data lie whole
//     before the cut, found by the headers before the data, which do not say
//     whether a member is a symbolic link;
//   - of a zip whose directory is whole, every member but those whose header is
//     damaged and, where all together expand beyond the limit, those that
//     expand by more than MaxRatio.
//
// Damage then says what is wrong with the whole and Skipped lists the members
// that are lost and known. A container of which nothing can be read, and one
// that could be read in two ways, is refused with an error as Open does.
func Salvage(ctx context.Context, path string) (*Reader, error) { return openFile(ctx, path, salvage) }

func salvage(ctx context.Context, src io.ReaderAt, size int64) (*Reader, error) {
	return salvageWithin(ctx, src, size, standard)
}

func salvageWithin(ctx context.Context, src io.ReaderAt, size int64, lim limits) (*Reader, error) {
	whole, err := newReader(ctx, src, size, lim)
	if err == nil || errors.Is(err, ErrFormat) || ctx.Err() != nil {
		return whole, err
	}
	r := &Reader{format: Detect(src, size), src: src, size: size, lim: lim, damage: err}
	var found []found
	switch r.format {
	case Zip:
		found, err = r.salvageZip(ctx)
	case Tar:
		found, _ = scanTar(ctx, &fileTape{src: src, size: size}, lim)
		followHardLinks(found, lim.expansion(size), false)
	case TarGz:
		if tape, err := openGzip(src, size, lim); err == nil {
			found, _ = scanTar(ctx, tape, lim)
			followHardLinks(found, lim.expansion(size), true)
		}
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if r.settle(found); len(r.entries) == 0 {
		return nil, r.damage
	}
	if r.format == Zip && err != nil { // in doubt, not damaged
		return nil, err
	}
	r.document = r.findDocument()
	return r, nil
}

// Damage returns what is wrong with a salvaged container, nil for a whole one.
func (r *Reader) Damage() error { return r.damage }

// salvageZip lists the members of a damaged zip that can be read.
func (r *Reader) salvageZip(ctx context.Context) ([]found, error) {
	files, total, end, err := r.readDirectory()
	if errors.Is(err, errCut) {
		return r.walkZip(ctx)
	}
	if err != nil {
		return nil, r.damage
	}
	lost := map[*zipFile]string{}
	if limit := r.lim.expansion(r.size); total > limit {
		for _, f := range files {
			if f.size/r.lim.ratio > f.packed {
				lost[f] = fmt.Sprintf("%d bytes expand to %d, at most %d times as many are read", f.packed, f.size, r.lim.ratio)
				total -= f.size
			}
		}
		if total > limit {
			return nil, r.damage
		}
	}
	err = checkLayout(ctx, r.src, files, end, func(f *zipFile, err error) { lost[f] = err.Error() })
	if err != nil {
		return nil, err
	}
	all := foundIn(files)
	for i, f := range files {
		if why, ok := lost[f]; ok && all[i].reason == "" {
			all[i].reason = why
		}
	}
	return all, nil
}

// walkZip reads a zip without a directory from its front, header by header,
// until one is not whole. The sum of what the members expand to stays within
// the limit.
func (r *Reader) walkZip(ctx context.Context) ([]found, error) {
	var all []found
	var at, total int64
	limit := r.lim.expansion(r.size)
	for len(all) < r.lim.entries && ctx.Err() == nil {
		f, next, err := r.cutLocal(at, limit-total)
		if err != nil {
			break
		}
		one := f.found(false)
		if f.size > limit-total {
			one.reason = fmt.Sprintf("%d bytes expand to %d, beyond the limit of the whole", f.packed, f.size)
		} else {
			total += f.size
		}
		all, at = append(all, one), next
	}
	return all, nil
}

// cutLocal reads the header at a place, and where its data ends.
func (r *Reader) cutLocal(at, room int64) (f *zipFile, next int64, err error) {
	head := make([]byte, zipLocalLen)
	if _, err := r.src.ReadAt(head, at); err != nil {
		return nil, 0, err
	}
	if le.Uint32(head) != zipLocal {
		return nil, 0, fmt.Errorf("%q, want a header", head[:4])
	}
	f = &zipFile{offset: at, flags: le.Uint16(head[6:]), method: le.Uint16(head[8:]), clock: le.Uint16(head[10:]), date: le.Uint16(head[12:]),
		crc: le.Uint32(head[14:]), packed: int64(le.Uint32(head[18:])), size: int64(le.Uint32(head[22:]))}
	nameLen, extraLen := int64(le.Uint16(head[26:])), int64(le.Uint16(head[28:]))
	rest := make([]byte, nameLen+extraLen)
	if _, err := r.src.ReadAt(rest, at+zipLocalLen); err != nil {
		return nil, 0, err
	}
	f.name, f.data = string(rest[:nameLen]), at+zipLocalLen+nameLen+extraLen
	x, err := parseExtra(rest[nameLen:], f.name)
	if err != nil {
		return nil, 0, err
	}
	if f.packed == math.MaxUint32 || f.size == math.MaxUint32 {
		if err := x.take64([]*int64{&f.size, &f.packed}); err != nil {
			return nil, 0, err
		}
	}
	f.modified, f.unicodePath = x.modified, x.unicodePath
	if f.flags&(1<<3) != 0 && f.packed == 0 {
		return r.measure(f, x.zip64 != nil, room)
	}
	if next = f.data + f.packed; next < f.data || next > r.size {
		return nil, 0, errCut
	}
	if f.flags&(1<<3) != 0 { // sizes known, with a descriptor all the same
		for _, n := range []int64{16, 12, 24, 20} {
			if _, err := f.descriptor(r.src, next, next+n); err == nil {
				next += n
				break
			}
		}
	}
	return f, next, nil
}

// measure finds the end of deflated data that only the descriptor behind it
// tells, by expanding it, and requires that the descriptor agrees.
func (r *Reader) measure(f *zipFile, wide bool, room int64) (*zipFile, int64, error) {
	if f.flags&1 != 0 || f.method != zipDeflate && f.method != zipStored {
		return nil, 0, errors.New("data of unknown length")
	}
	if f.method == zipStored {
		return r.measureStored(f)
	}
	in := &counter{r: bufio.NewReader(io.NewSectionReader(r.src, f.data, r.size-f.data))}
	n, err := io.Copy(io.Discard, io.LimitReader(flate.NewReader(in), room+1))
	if err != nil {
		return nil, 0, err
	}
	if n > room {
		return nil, 0, errors.New("expands beyond the limit")
	}
	f.packed, f.size = in.n, n
	end := f.data + f.packed
	sizes := []int64{16, 12}
	if wide {
		sizes = []int64{24, 20}
	}
	for _, length := range sizes {
		b := make([]byte, length)
		if _, err := r.src.ReadAt(b, end); err != nil {
			continue
		}
		if length == 16 || length == 24 { // with a signature before it
			f.crc = le.Uint32(b[4:])
		} else {
			f.crc = le.Uint32(b)
		}
		if _, err := f.descriptor(r.src, end, end+length); err == nil {
			return f, end + length, nil
		}
	}
	return nil, 0, errors.New("no descriptor after the data")
}

// measureStored finds the end of stored data: the first place with a descriptor
// of as many bytes as lie before it.
func (r *Reader) measureStored(f *zipFile) (*zipFile, int64, error) {
	in := bufio.NewReader(io.NewSectionReader(r.src, f.data, r.size-f.data))
	for n := int64(0); ; n++ {
		b, err := in.Peek(16)
		if err != nil {
			return nil, 0, errCut
		}
		if le.Uint32(b) == zipData && int64(le.Uint32(b[8:])) == n && int64(le.Uint32(b[12:])) == n {
			f.packed, f.size, f.crc = n, n, le.Uint32(b[4:])
			return f, f.data + n + 16, nil
		}
		in.Discard(1)
	}
}

// A counter counts the bytes that flate takes, which asks for single ones.
type counter struct {
	r *bufio.Reader
	n int64
}

func (c *counter) ReadByte() (byte, error) {
	b, err := c.r.ReadByte()
	if err == nil {
		c.n++
	}
	return b, err
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}
