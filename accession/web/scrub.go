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
	"os"
	"path"
	"regexp"
	"strings"

	"muniment/accession/sourcemeta"
)

// A Scrubbed says what a copy that Scrub wrote lacks of a web archive.
type Scrubbed struct {
	Masked int  // addresses and headers in which a secret was replaced by spaces
	Lost   bool // bytes could not be unpacked, or belong to no record, and are not in the copy
	Packed bool // the copy is a WARC in gzip; else a plain one
}

// Changed reports whether the copy differs from what was received.
func (s Scrubbed) Changed() bool { return s.Masked > 0 || s.Lost }

// errPackedWhole reports that nothing in a file can be unpacked, and so not be looked at.
var errPackedWhole = errors.New("nothing in it can be unpacked, so nobody can say that its addresses hold no password or token")

// Scrub writes the records of a web archive, which may be damaged, without the secrets that
// the pages of a crawl lose: passwords and, unless KeepQuery, tokens in addresses. The
// values of headers with which a client or server names a session go too. Spaces take the
// place of what is left out, so that the length of every record stays right; what cannot be
// unpacked, and so not be read, is left out. Of a WACZ the copy has its WARC alone.
func Scrub(ctx context.Context, file string, out io.Writer, o CrawlOptions) (s Scrubbed, err error) {
	f, err := os.Open(file)
	if err != nil {
		return s, err
	}
	defer f.Close()
	head := make([]byte, 2)
	n, _ := io.ReadFull(f, head)
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return s, err
	}
	packed, zipped := n == 2 && head[0] == 0x1f && head[1] == 0x8b, string(head) == "PK"
	m := &masker{keepQuery: o.KeepQuery, out: bufio.NewWriter(out)}
	if packed || zipped {
		z := gzip.NewWriter(out)
		m.out = bufio.NewWriter(z)
		defer func() { err = errors.Join(err, z.Close()) }()
		m.Packed = true
	}
	switch {
	case zipped:
		err = m.wacz(ctx, file)
	case packed:
		err = m.members(ctx, f)
	default:
		err = m.mask(ctx, f)
	}
	if err == nil && m.Lost && m.read == 0 {
		err = errPackedWhole
	}
	return m.Scrubbed, errors.Join(err, m.out.Flush())
}

// A masker copies text and masks the secrets in it.
type masker struct {
	Scrubbed
	keepQuery bool
	out       *bufio.Writer
	read      int64
}

// wacz copies the WARC of a WACZ.
func (m *masker) wacz(ctx context.Context, file string) error {
	z, err := zip.OpenReader(file)
	if err != nil {
		return errPackedWhole
	}
	defer z.Close()
	m.Lost = true // its indexes, which have every address once more
	for _, f := range z.File {
		name := strings.ToLower(f.Name)
		if path.Dir(f.Name) != "archive" || !strings.HasSuffix(strings.TrimSuffix(name, ".gz"), ".warc") {
			continue
		}
		r, err := f.Open()
		if err != nil {
			continue // a method that is not read
		}
		if strings.HasSuffix(name, ".gz") {
			err = m.packedEntry(ctx, r)
		} else if err = m.mask(ctx, r); !errors.Is(err, errTooMuch) && ctx.Err() == nil {
			err = nil // its checksum is wrong: what was read is copied
		}
		if err = errors.Join(err, r.Close()); err != nil {
			return err
		}
	}
	return nil
}

// packedEntry copies a WARC in gzip, which is looked through for members and therefore
// unpacked into a file first.
func (m *masker) packedEntry(ctx context.Context, r io.Reader) error {
	f, err := os.CreateTemp("", "muniment-wacz-")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	defer f.Close()
	_, _ = io.Copy(f, io.LimitReader(r, maxCrawl)) // a wrong checksum ends it
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return err
	}
	return m.members(ctx, f)
}

// members copies what the members of a gzip hold. After damage it goes on at the next one.
func (m *masker) members(ctx context.Context, f io.ReadSeeker) error {
	s := &crawlScan{file: f, at: &offsetReader{r: bufio.NewReaderSize(f, maxHead)}}
	for tries := 0; ; {
		start := s.at.n
		if _, err := s.at.r.Peek(1); errors.Is(err, io.EOF) {
			return nil
		}
		z, err := gzip.NewReader(s.at)
		if err == nil {
			z.Multistream(false)
			err = m.mask(ctx, z)
		}
		if ctx.Err() != nil || errors.Is(err, errTooMuch) {
			return errors.Join(ctx.Err(), err)
		}
		if err == nil {
			continue
		}
		m.Lost = true
		if tries++; tries > maxDamaged || !s.seekMember(start+1) {
			return nil
		}
	}
}

// mask copies text to the end of r.
func (m *masker) mask(ctx context.Context, r io.Reader) error {
	in := bufio.NewReaderSize(r, maxHead)
	within := false // the line goes on from the part before
	for {
		line, err := in.ReadSlice('\n')
		if m.read += int64(len(line)); m.read > maxCrawl {
			return fmt.Errorf("%w: more than %d bytes", errTooMuch, int64(maxCrawl))
		}
		part := errors.Is(err, bufio.ErrBufferFull)
		m.line(line, within, part)
		if _, err := m.out.Write(line); err != nil {
			return err
		}
		switch within = part; {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, io.EOF):
			return nil
		case err != nil && !part:
			return err
		}
	}
}

var (
	// sessionHeader is a header whose value lets its reader act as the crawler did.
	sessionHeader = regexp.MustCompile(`(?i)^(?:cookie2?|set-cookie2?|authorization|proxy-authorization):`)
	// addressLike is a run of what addresses have, whether in a header, a request or a text.
	addressLike = regexp.MustCompile(`[^\s<>"']+`)
)

// line masks a line in place. One of more than maxHead bytes comes in parts: a run that
// crosses their border and may be an address is masked as a whole.
func (m *masker) line(line []byte, within, part bool) {
	if at := sessionHeader.FindIndex(line); at != nil && !within {
		m.blank(bytes.TrimRight(line[at[1]:], "\r\n"))
		return
	}
	for _, at := range addressLike.FindAllIndex(line, -1) {
		run := line[at[0]:at[1]]
		if within && at[0] == 0 || part && at[1] == len(line) {
			if bytes.ContainsAny(run, "=@?&:%") {
				m.blank(run)
			}
			continue
		}
		if !bytes.ContainsAny(run, "=@%") {
			continue
		}
		const relative = "//host/" // in which a mail's address is no password
		text, added := string(run), ""
		if !strings.Contains(text, "//") {
			added = relative
		}
		clean, dropped := sourcemeta.StripAddress(added+text, m.keepQuery)
		if len(dropped) == 0 {
			continue
		}
		m.blank(run)
		copy(run, strings.TrimPrefix(clean, added))
	}
}

// blank replaces bytes by spaces.
func (m *masker) blank(b []byte) {
	if len(bytes.TrimSpace(b)) > 0 {
		m.Masked++
	}
	for i := range b {
		b[i] = ' '
	}
}
