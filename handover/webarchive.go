package handover

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"muniment/accession/web"
	"muniment/archive"
	"muniment/archive/holdings"
	"muniment/archive/problem"
	"muniment/text/legible"
)

// A WebArchiveResult says what ExportWARC wrote.
type WebArchiveResult struct {
	File     string   `json:"file"`
	Pages    int      `json:"pages"`
	Octets   int64    `json:"octets"` // of the pages
	Snapshot string   `json:"snapshot"`
	Left     int      `json:"left"` // papers that no address is known of, or that were never fetched
	Warnings []string `json:"warnings"`
}

// maxWARCPage is the largest page that goes into a WARC: a record is built in memory.
const maxWARCPage = 256 << 20

// ExportWARC writes the pages from the web in the newest snapshot, or those that the
// options name, into a new file of WARC 1.1: plain, with a gzip member for each record where the
// name ends in .gz, or packed with an index as WACZ 1.1.1 where it ends in .wacz.
func ExportWARC(ctx context.Context, a *archive.Archive, file, software string, o Options) (*WebArchiveResult, error) {
	h, err := gatherHandover(a, o)
	if err != nil {
		return nil, err
	}
	r := &WebArchiveResult{File: file, Snapshot: h.head.ID.String(), Warnings: []string{}}
	lower := strings.ToLower(file)
	isWACZ := strings.HasSuffix(lower, ".wacz")
	if !isWACZ && !strings.HasSuffix(strings.TrimSuffix(lower, ".gz"), ".warc") {
		return nil, problem.New(problem.Usage, problem.Advise("name it FILE.warc.gz, FILE.warc or FILE.wacz"), "%s is no name of a web archive", legible.Printable(file))
	}
	pages := h.webPages(a, r)
	if len(pages) == 0 {
		return nil, problem.New(problem.Usage, problem.Next(problem.DoList), "there is no page from the web among what is to be written")
	}
	err = writeNewFile(file, func(out io.Writer) error {
		fields := []web.Field{{Name: "software", Value: software}, {Name: "format", Value: "WARC file version 1.1"},
			{Name: "conformsTo", Value: "https://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/"},
			{Name: "isPartOf", Value: "urn:cid:" + a.ID().String()}, {Name: "description", Value: "pages of snapshot " + r.Snapshot + ", made for " + o.View.For()}}
		write := func(out io.Writer, packed bool) (*web.WARCWriter, error) {
			w, err := web.NewWARCWriter(out, packed, h.head.Time, fields...)
			for _, p := range pages {
				if err != nil || ctx.Err() != nil {
					break
				}
				err = p.write(a, h, w, r)
			}
			return w, errors.Join(err, ctx.Err())
		}
		if isWACZ {
			return writeWACZ(out, h.head.Time, software, a.Info().Name, write)
		}
		_, err := write(out, strings.HasSuffix(lower, ".gz"))
		return err
	})
	switch {
	case ctx.Err() != nil:
		return nil, problem.InterruptedError()
	case errors.Is(err, os.ErrExist):
		return nil, problem.New(problem.Usage, problem.Advise("name a file that is not there"), "%s is there already", legible.Printable(file))
	case err != nil:
		return nil, problem.Wrap(err, file)
	}
	return r, nil
}

// A webPage is a page to be written.
type webPage struct {
	artifact *holdings.Artifact
	record   holdings.StoredRecord
	at       time.Time
}

// webPages returns the pages among what is handed over, by address and time, and counts
// the others.
func (h *handover) webPages(a *archive.Archive, r *WebArchiveResult) []webPage {
	var out []webPage
	for _, b := range h.originals {
		s := b.record.Record.Source
		if s == nil || !strings.HasPrefix(s.URL, "http://") && !strings.HasPrefix(s.URL, "https://") || s.FetchedAt == "" {
			r.Left++
			continue
		}
		at, err := time.Parse(time.RFC3339, s.FetchedAt)
		if err != nil || len(strings.Fields(s.URL)) != 1 {
			r.Left++
			continue
		}
		out = append(out, webPage{b.artifact, b.record, at})
	}
	slices.SortFunc(out, func(x, y webPage) int {
		return strings.Compare(x.record.Record.Source.URL+"\x00"+x.record.Record.Source.FetchedAt+x.record.ID.String(), y.record.Record.Source.URL+"\x00"+y.record.Record.Source.FetchedAt+y.record.ID.String())
	})
	return out
}

// write writes a page into the WARC.
func (p webPage) write(a *archive.Archive, h *handover, w *web.WARCWriter, r *WebArchiveResult) error {
	rec := p.record.Record
	content, err := a.OriginalContent(h.head.Tree, p.artifact, p.record)
	if err != nil {
		return err
	}
	body, err := io.ReadAll(io.LimitReader(content, maxWARCPage+1))
	if err != nil {
		return err
	}
	if len(body) > maxWARCPage {
		r.Left++
		r.Warnings = append(r.Warnings, fmt.Sprintf("%s has more than %d bytes and is left out", rec.Source.URL, maxWARCPage))
		return nil
	}
	if err := w.Write(web.Stored{URL: rec.Source.URL, FetchedAt: p.at, Facts: rec.Facts, MediaType: rec.MediaType, Body: body}); err != nil {
		return err
	}
	r.Pages++
	r.Octets += int64(len(body))
	return nil
}

// writeNewFile writes a new file as a whole or not at all.
func writeNewFile(file string, write func(io.Writer) error) error {
	if _, err := os.Lstat(file); err == nil {
		return os.ErrExist
	}
	f, err := os.CreateTemp(filepath.Dir(file), ".muniment-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	if err := errors.Join(write(f), f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Link(f.Name(), file) // which fails where the file came to be meanwhile
}

// writeWACZ packs a WARC with its index and the list of its pages, as the WACZ
// specification 1.1.1 has them.
func writeWACZ(out io.Writer, now time.Time, software, title string, write func(io.Writer, bool) (*web.WARCWriter, error)) error {
	z := zip.NewWriter(out)
	type resource struct {
		Name  string `json:"name"`
		Path  string `json:"path"`
		Hash  string `json:"hash"`
		Bytes int64  `json:"bytes"`
	}
	var resources []resource
	put := func(path string, fill func(io.Writer) error) error {
		f, err := z.CreateHeader(&zip.FileHeader{Name: path, Method: zip.Store, Modified: now})
		if err != nil {
			return err
		}
		sum, n := sha256.New(), &countWriter{}
		if err := fill(io.MultiWriter(f, sum, n)); err != nil {
			return err
		}
		resources = append(resources, resource{path[strings.LastIndexByte(path, '/')+1:], path, "sha256:" + hex.EncodeToString(sum.Sum(nil)), n.n})
		return nil
	}
	var w *web.WARCWriter
	if err := put("archive/data.warc.gz", func(out io.Writer) (err error) {
		w, err = write(out, true)
		return err
	}); err != nil {
		return err
	}
	if err := errors.Join(
		put("indexes/index.cdxj", func(out io.Writer) error { return writeCDXJ(out, w.Lines) }),
		put("pages/pages.jsonl", func(out io.Writer) error { return writePages(out, w.Lines) }),
	); err != nil {
		return err
	}
	described, err := json.MarshalIndent(map[string]any{"profile": "data-package", "wacz_version": "1.1.1", "title": title, "software": software,
		"created": now.UTC().Format(time.RFC3339), "resources": resources}, "", "  ")
	if err != nil {
		return err
	}
	sum := sha256.Sum256(described)
	digest, err := json.Marshal(map[string]string{"path": "datapackage.json", "hash": "sha256:" + hex.EncodeToString(sum[:])})
	if err != nil {
		return err
	}
	plain := func(data []byte) func(io.Writer) error {
		return func(out io.Writer) error { _, err := out.Write(data); return err }
	}
	return errors.Join(put("datapackage.json", plain(described)), put("datapackage-digest.json", plain(digest)), z.Close())
}

// countWriter counts bytes.
type countWriter struct{ n int64 }

// Write implements io.Writer.
func (c *countWriter) Write(p []byte) (int, error) {
	c.n += int64(len(p))
	return len(p), nil
}

// writeCDXJ writes the index of a WARC, a line for each page, sorted.
func writeCDXJ(out io.Writer, lines []web.CDXLine) error {
	var all []string
	for _, l := range lines {
		object, err := json.Marshal(map[string]string{"url": l.URL, "mime": l.MediaType, "status": fmt.Sprint(l.Status), "digest": l.Digest,
			"length": fmt.Sprint(l.Length), "offset": fmt.Sprint(l.Offset), "filename": "data.warc.gz"})
		if err != nil {
			return err
		}
		all = append(all, web.SURT(l.URL)+" "+l.Time.UTC().Format("20060102150405")+" "+string(object)+"\n")
	}
	slices.Sort(all)
	_, err := io.WriteString(out, strings.Join(all, ""))
	return err
}

// writePages writes the list of the pages of a WACZ.
func writePages(out io.Writer, lines []web.CDXLine) error {
	var b bytes.Buffer
	b.WriteString(`{"format": "json-pages-1.0", "id": "pages", "title": "All pages"}` + "\n")
	for i, l := range lines {
		data, err := json.Marshal(map[string]string{"id": fmt.Sprint(i + 1), "url": l.URL, "ts": l.Time.UTC().Format(time.RFC3339)})
		if err != nil {
			return err
		}
		b.Write(append(data, '\n'))
	}
	_, err := out.Write(b.Bytes())
	return err
}
