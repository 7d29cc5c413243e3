package web

import (
	"archive/zip"
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/textproto"
	"os"
	"path"
	"regexp"
	"strings"
)

// A Scrubbed says what a copy that Scrub wrote lacks of a web archive.
type Scrubbed struct {
	Masked  int  // places in which a secret was replaced by spaces
	Kept    int  // records in the copy
	Dropped int  // records, and stretches of bytes, that do not parse to their end and are not in the copy
	Packed  bool // the copy has a gzip member for each record; else it is a plain WARC
}

// maxBlock is the most bytes of a record in a copy, of which it is held in memory; as of a page.
const maxBlock = 32 << 20

// errNothingParses reports that no record of a file is whole, so that it cannot be looked through.
var errNothingParses = errors.New("no record in it is whole, so nobody can say that it holds no password or token")

// Scrub writes the whole records of a web archive, which may be damaged, without the secrets
// that its pages lose: see masker. Spaces are in the place of what is left out. A record that
// does not parse to its end is dropped and counted, and so is a gzip member with a wrong
// checksum, as any byte of it may be wrong. Of a WACZ the copy has its WARC alone.
func Scrub(ctx context.Context, file string, out io.Writer, o CrawlOptions) (Scrubbed, error) {
	f, err := os.Open(file)
	if err != nil {
		return Scrubbed{}, err
	}
	defer f.Close()
	head := make([]byte, 2)
	_, _ = f.ReadAt(head, 0)
	s := &scrubber{masker: masker{keepQuery: o.KeepQuery}, holds: o.Holds, out: out}
	switch {
	case string(head) == "PK":
		s.Packed = true
		err = s.wacz(ctx, file)
	case string(head) == "\x1f\x8b":
		s.Packed = true
		err = s.members(ctx, f)
	default:
		err = s.records(ctx, f)
	}
	if err == nil && s.Kept == 0 {
		err = errNothingParses
	}
	s.Scrubbed.Masked = s.masker.Masked
	return s.Scrubbed, err
}

// A scrubber writes the copy of one web archive.
type scrubber struct {
	Scrubbed
	masker
	holds func([]byte) bool
	out   io.Writer
	read  int64 // bytes, unpacked
}

// wacz copies the WARC of a WACZ.
func (s *scrubber) wacz(ctx context.Context, file string) error {
	z, err := zip.OpenReader(file)
	if err != nil {
		return errNothingParses
	}
	defer z.Close()
	for _, f := range z.File {
		if !IsArchiveEntry(f.Name) {
			continue
		}
		r, err := f.Open()
		if err != nil { // a method that is not read
			s.Dropped++
			continue
		}
		if strings.HasSuffix(strings.ToLower(f.Name), ".gz") {
			err = s.unpacked(ctx, r, func(f *os.File, damage error) error {
				if damage != nil {
					s.Dropped++
				}
				return s.members(ctx, f)
			})
		} else {
			err = s.unpacked(ctx, r, s.wholeRecords(ctx))
		}
		if err = errors.Join(err, r.Close()); err != nil {
			return err
		}
	}
	return nil
}

// IsArchiveEntry reports whether a name in a zip is that of a WARC of a WACZ.
func IsArchiveEntry(name string) bool {
	return path.Dir(name) == "archive" && strings.HasSuffix(strings.TrimSuffix(strings.ToLower(name), ".gz"), ".warc")
}

// wholeRecords returns the function that copies the records of unpacked bytes. Those that a
// cut ended are right as far as they go; with any other damage none of them may be.
func (s *scrubber) wholeRecords(ctx context.Context) func(*os.File, error) error {
	return func(f *os.File, damage error) error {
		if damage != nil {
			s.Dropped++
		}
		if damage != nil && !errors.Is(damage, io.ErrUnexpectedEOF) {
			return nil
		}
		return s.records(ctx, f)
	}
}

// unpacked calls read with a file of the bytes of r, and with the error that ended them.
func (s *scrubber) unpacked(ctx context.Context, r io.Reader, read func(f *os.File, damage error) error) error {
	f, err := os.CreateTemp("", "muniment-web-")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	defer f.Close()
	n, damage := io.Copy(f, io.LimitReader(r, maxCrawl-s.read+1))
	if s.read += n; s.read > maxCrawl {
		return fmt.Errorf("%w: more than %d bytes", errTooMuch, int64(maxCrawl))
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return err
	}
	return read(f, damage)
}

// members copies the records in the members of a gzip. After damage it goes on at the next one.
func (s *scrubber) members(ctx context.Context, f io.ReadSeeker) error {
	scan := &crawlScan{file: f, at: &offsetReader{r: bufio.NewReaderSize(f, maxHead)}}
	for tries := 0; ; {
		start := scan.at.n
		if _, err := scan.at.r.Peek(1); errors.Is(err, io.EOF) {
			return nil
		}
		dropped := s.Dropped
		z, err := gzip.NewReader(scan.at)
		if err == nil {
			z.Multistream(false)
			if err = s.unpacked(ctx, z, s.wholeRecords(ctx)); err != nil {
				return err
			}
			if s.Dropped == dropped {
				continue
			}
		} else {
			s.Dropped++
		}
		if tries++; tries > maxDamaged || !scan.seekMember(start+1) {
			return nil
		}
	}
}

// records copies the whole records of a plain WARC. After damage it goes on at the next line
// that begins a record.
func (s *scrubber) records(ctx context.Context, f io.ReadSeeker) error {
	scan := &crawlScan{file: f, at: &offsetReader{r: bufio.NewReaderSize(f, maxHead)}}
	for tries := 0; ; {
		if err := ctx.Err(); err != nil {
			return err
		}
		start := scan.at.skipLineEnds()
		r, err := readRecord(scan.at)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil && r.head.Get("Warc-Segment-Number") != "" { // the rest may have what belongs to a secret here
			err = errUnreadable
		}
		var block []byte
		if err == nil {
			block, err = r.whole(scan.at)
		}
		if err == nil {
			if block, err = s.record(r, block); err == nil {
				if err := s.write(block); err != nil {
					return err
				}
				continue
			}
		}
		s.Dropped++
		if tries++; tries > maxDamaged || !scan.seekRecord(start+1) {
			return nil
		}
	}
}

// errUnreadable reports that a record cannot be looked through.
var errUnreadable = errors.New("a record that is not whole, or whose block cannot be read")

// whole returns the block of a record whose length is right: a line end or nothing follows,
// and no other record begins within.
func (r *warcRecord) whole(in *offsetReader) ([]byte, error) {
	block, err := io.ReadAll(io.LimitReader(r.block, maxBlock))
	if err != nil || r.block.N > 0 || bytes.Contains(block, []byte("\n"+recordStart)) {
		return nil, errUnreadable
	}
	if next, _ := in.r.Peek(1); len(next) > 0 && next[0] != '\r' && next[0] != '\n' {
		return nil, errUnreadable
	}
	return block, nil
}

var (
	lengthLine    = regexp.MustCompile(`(?im)^content-length:.*$`)
	encodingLine  = regexp.MustCompile(`(?im)^(content-encoding|transfer-encoding|content-length):`)
	digestLine    = regexp.MustCompile(`(?im)^(warc-(?:payload|block)-digest):`)
	archiveOrigin = []byte("X-Archive-Orig-$1:") // as export writes it
)

// record returns the bytes of a record without secrets. A body that was sent in an encoding is
// written without it, as nobody could read it else.
func (s *scrubber) record(r *warcRecord, block []byte) ([]byte, error) {
	before := s.masker.Masked
	head, body, size := block, []byte(nil), len(block)
	if strings.HasPrefix(strings.ToLower(r.head.Get("Content-Type")), "application/http") || r.head.Get("Warc-Type") == "response" {
		if at := headEnd.FindIndex(block); at != nil {
			head, body = block[:at[1]], block[at[1]:]
		}
	} else if r.head.Get("Warc-Type") == "resource" || r.head.Get("Warc-Type") == "conversion" {
		head, body = nil, block
	}
	if len(body) > 0 && len(head) > 0 {
		_, fields, _ := bytes.Cut(head, []byte("\n"))
		header, err := textproto.NewReader(bufio.NewReader(bytes.NewReader(fields))).ReadMIMEHeader()
		if err != nil {
			return nil, errUnreadable
		}
		plain, err := storedBody(bytes.NewReader(body), map[string][]string(header), maxBlock, newPayloadCheck(""))
		if err != nil {
			return nil, errUnreadable
		}
		if !bytes.Equal(plain, body) {
			body, head = plain, encodingLine.ReplaceAll(head, archiveOrigin)
		}
		if r.head.Get("Warc-Type") == "request" { // a form that was sent
			s.header(body)
		}
	}
	if s.holds != nil && s.holds(body) {
		return nil, errUnreadable
	}
	s.header(r.raw)
	s.header(head)
	s.body(body)
	raw := r.raw
	if n := len(head) + len(body); n != size || s.masker.Masked > before {
		raw = digestLine.ReplaceAll(lengthLine.ReplaceAll(raw, fmt.Appendf(nil, "Content-Length: %d\r", n)), archiveOrigin)
	}
	return bytes.Join([][]byte{raw, head, body, []byte("\r\n\r\n")}, nil), nil
}

// headEnd is the end of the header of a request or response.
var headEnd = regexp.MustCompile(`\r?\n\r?\n`)

// write writes a record to the copy.
func (s *scrubber) write(record []byte) error {
	s.Kept++
	if !s.Packed {
		_, err := s.out.Write(record)
		return err
	}
	z := gzip.NewWriter(s.out)
	_, err := z.Write(record)
	return errors.Join(err, z.Close())
}
