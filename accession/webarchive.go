package accession

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"strings"

	"muniment/accession/container"
	"muniment/accession/web"
	"muniment/archive/problem"
	"muniment/text/legible"
)

// isWARC reports whether a name is that of a WARC, packed or not.
func isWARC(name string) bool {
	name = strings.ToLower(path.Base(name))
	if end := path.Ext(name); end == ".gz" || end == ".bz2" || end == ".xz" || end == ".zst" {
		name = strings.TrimSuffix(name, end)
	}
	return strings.HasSuffix(name, ".warc")
}

// isWACZ reports whether a name is that of a WACZ.
func isWACZ(name string) bool { return strings.HasSuffix(strings.ToLower(name), ".wacz") }

// unpackWARC returns the pages of a WARC or a WACZ, each with the name that a page has which is
// fetched from its address. A damaged one is kept too, as a copy of its whole records without
// the secrets that the pages lose.
func unpackWARC(ctx context.Context, in Input, keepQuery bool) (out []Input, skips []Skip, closers []io.Closer) {
	o := web.CrawlOptions{KeepQuery: keepQuery, Holds: func(body []byte) bool {
		return exposes(ctx, "", bytes.NewReader(body), int64(len(body)))
	}}
	file, unpacked, damage := unpackLayers(ctx, in.Path)
	if unpacked != nil {
		closers = append(closers, unpacked)
	}
	open := web.OpenWARC
	if isZip(file) {
		open = web.OpenWACZ
	}
	c, err := open(ctx, file, o)
	if c != nil {
		closers = append(closers, c)
		err = errors.Join(damage, c.Damage)
	}
	whole := Input{whole: &wholeFile{}}
	if err != nil {
		kept, copied, refused := scrub(ctx, in, file, o)
		if copied != nil {
			closers = append(closers, copied)
		}
		if refused != nil {
			return nil, append(skips, Skip{Path: in.Name, Reason: "a damaged web archive, not kept: " + legible.Reason(refused), Next: problem.Advise("take what is whole in it out with another program, and add that")}), closers
		}
		skips = append(skips, Skip{Path: in.Name, Reason: "damaged: " + legible.Reason(err) + "; it is kept as a copy, " + kept.Facts[factScrubbed]})
		if c == nil { // a zip without the list that a WACZ has
			if c, _ = web.OpenWARC(ctx, kept.Path, o); c != nil {
				closers = append(closers, c)
			}
		}
		whole = wholeInput(kept, 0, err)
		whole.Facts[factScrubbed] = kept.Facts[factScrubbed]
	}
	if c != nil {
		for _, s := range c.Skipped {
			skips = append(skips, Skip{Path: in.Name + "/" + legible.Printable(s.URL), Reason: s.Reason})
		}
		for _, capture := range c.Captures {
			out = append(out, Input{Path: in.Path, Name: capture.Name(), Facts: map[string]string{"warc": in.Name}, within: whole.whole, Fetch: fetchCapture(capture)})
		}
	}
	if err != nil {
		out = append(out, whole)
	}
	return out, skips, closers
}

// fetchCapture returns the Fetch of the input of a page in a web archive.
func fetchCapture(capture *web.Capture) func(context.Context) (Body, error) {
	return func(context.Context) (Body, error) {
		page, facts, err := capture.Page(maxRead)
		if err != nil {
			return Body{}, err
		}
		if len(page.Body) == 0 {
			return Body{}, errEmpty
		}
		return Body{Data: page.Body, MediaType: page.MediaType, Facts: facts, source: page.Source()}, nil
	}
}

// factScrubbed is the fact of a record that its original is not what was received, as that
// held secrets: a web archive is a copy without them, and what had one in it is its text alone.
const factScrubbed = "web_scrubbed"

// scrub returns the input of the copy of a web archive without secrets, which the closer
// removes. file has its bytes without the layers that unpackLayers takes off.
func scrub(ctx context.Context, in Input, file string, o web.CrawlOptions) (Input, io.Closer, error) {
	f, err := os.CreateTemp("", "muniment-web-")
	if err != nil {
		return in, nil, err
	}
	kept := temporary(f.Name())
	done, err := web.Scrub(ctx, file, f, o)
	if err = errors.Join(err, f.Close()); err != nil {
		return in, kept, err
	}
	if file != in.Path {
		in.Name = strings.TrimSuffix(in.Name, path.Ext(in.Name))
	}
	in.Path, in.scrubbed = f.Name(), true
	if done.Packed && !strings.HasSuffix(strings.ToLower(in.Name), ".gz") {
		in.Name += ".warc.gz"
	}
	in.Facts = map[string]string{factScrubbed: fmt.Sprintf("records kept: %d, with spaces in the place of secrets: %d, dropped as not whole: %d", done.Kept, done.Masked, done.Dropped)}
	return in, kept, nil
}

// unpackLayers takes off what packs a WARC as a whole: bzip2, xz or zstd, and gzip but for
// the last, whose members are the records. It returns the file with the bytes, which the
// closer, if not nil, removes, and what ended them before their time.
func unpackLayers(ctx context.Context, file string) (string, io.Closer, error) {
	var copied io.Closer
	var damage error
	for range maxPacked {
		f, err := os.Open(file)
		if err != nil {
			return file, copied, err
		}
		b := bufio.NewReaderSize(f, headLen)
		head, _ := b.Peek(headLen)
		inner, err := container.Decompress(head, b)
		if inner == nil || err != nil {
			return file, copied, errors.Join(damage, f.Close())
		}
		if head[0] == 0x1f {
			b := bufio.NewReader(inner)
			if next, _ := b.Peek(16); !container.Begins(next) {
				return file, copied, errors.Join(damage, f.Close())
			}
			inner = b
		}
		e := &salvageReader{r: inner}
		next, c, err := spool(ctx, e)
		f.Close()
		if copied != nil {
			copied.Close()
		}
		if err != nil {
			return file, nil, err
		}
		file, copied, damage = next, c, errors.Join(damage, e.err)
	}
	return file, copied, damage
}

// A salvageReader ends where another reader fails, and keeps the error.
type salvageReader struct {
	r   io.Reader
	err error
}

func (e *salvageReader) Read(p []byte) (int, error) {
	n, err := e.r.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		e.err, err = err, io.EOF
	}
	return n, err
}

// isZip reports whether a file begins as a zip.
func isZip(file string) bool {
	f, err := os.Open(file)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, 2)
	_, _ = f.ReadAt(head, 0)
	return string(head) == "PK"
}
