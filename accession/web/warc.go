package web

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/textproto"
	"os"
	"slices"
	"strings"

	"muniment/text/weburl"
)

// Limits of a WARC.
const (
	maxRecords = 1 << 18   // as of packed folders
	maxCrawl   = 256 << 30 // bytes of all records, unpacked
	maxHead    = 64 << 10  // bytes of the header of a record or a response; servers refuse more
	maxDamaged = 1000      // places where the next whole record is looked for behind a damaged one
)

// ErrWARC reports that a file is no WARC.
var ErrWARC = errors.New("it does not begin with a record of WARC 1.0 or 1.1")

// errTooMuch reports that a WARC is beyond a limit.
var errTooMuch = errors.New("beyond what is read")

// A Crawl is the list of the pages in a WARC, plain or with a gzip member for each
// record: the responses of status 2xx, and resources. The pages are read from the file
// when they are asked for.
type Crawl struct {
	Captures []*Capture
	Skipped  []CrawlSkip
	Damage   error // why the rest of the file is not read, or nil

	close []func() error
}

// Close releases the files that the pages are read from.
func (c *Crawl) Close() error {
	var err error
	for _, one := range c.close {
		err = errors.Join(err, one())
	}
	return err
}

// A CrawlSkip is a record that is no page, and the reason.
type CrawlSkip struct{ URL, Reason string }

// A Capture is a page in a WARC.
type Capture struct {
	page   Page // without the body
	open   func() (io.ReadSeekCloser, error)
	member int64 // where its gzip member begins, or the record itself
	before int64 // bytes of the member before the record
	packed bool
	digest string
	facts  map[string]string
	masker masker
}

// CrawlOptions change how a crawl is read. The zero value leaves secrets out of addresses.
type CrawlOptions struct {
	KeepQuery bool // keep parameters of addresses that weburl.CheckAddress refuses

	// Holds, if set, reports whether a body holds another web archive: Scrub drops such a record.
	Holds func(body []byte) bool
}

// OpenWARC lists the pages of the WARC in a file. The error is ErrWARC when it is none.
func OpenWARC(ctx context.Context, path string, o CrawlOptions) (*Crawl, error) {
	s := newScan(o)
	err := s.list(ctx, func() (io.ReadSeekCloser, error) { return os.Open(path) })
	if err != nil {
		return nil, err
	}
	s.finish()
	return s.crawl, nil
}

// newScan returns the scan of a new crawl.
func newScan(o CrawlOptions) *crawlScan {
	return &crawlScan{options: o, crawl: &Crawl{}, redirects: map[string][]Hop{}}
}

// list reads the list of the records of a WARC. The error is ErrWARC when it is none.
func (s *crawlScan) list(ctx context.Context, open func() (io.ReadSeekCloser, error)) error {
	f, err := open()
	if err != nil {
		return err
	}
	defer f.Close()
	before := s.records
	s.open, s.file, s.at = open, f, &offsetReader{r: bufio.NewReaderSize(f, maxHead)}
	damage := s.scan(ctx)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case s.records == before:
		return ErrWARC
	case damage != nil && s.crawl.Damage == nil:
		s.crawl.Damage = damage
	}
	return nil
}

// A crawlScan is the first pass over a WARC.
type crawlScan struct {
	options   CrawlOptions
	crawl     *Crawl
	open      func() (io.ReadSeekCloser, error)
	file      io.ReadSeeker
	at        *offsetReader
	records   int
	total     int64
	redirects map[string][]Hop // by where they lead
	revisits  []textproto.MIMEHeader
}

// scan reads the list of records.
func (s *crawlScan) scan(ctx context.Context) error {
	head, err := s.at.r.Peek(2)
	if err != nil {
		return err
	}
	if !bytes.Equal(head, []byte{0x1f, 0x8b}) {
		return s.scanPlain(ctx)
	}
	var damage error
	for tries := 0; ; {
		start := s.at.n
		if _, err := s.at.r.Peek(1); errors.Is(err, io.EOF) {
			return damage
		}
		captures := len(s.crawl.Captures)
		err := s.member(ctx, start)
		if err == nil {
			continue
		}
		if !errors.Is(err, io.ErrUnexpectedEOF) { // any byte of it may be wrong
			s.drop(captures, "the gzip member that it is in is damaged")
		}
		damage = cmp.Or(damage, err)
		if tries++; ctx.Err() != nil || errors.Is(err, errTooMuch) || tries > maxDamaged || !s.seekMember(start+1) {
			return damage
		}
	}
}

// scanPlain reads the list of the records of a WARC that is not compressed. Behind damage
// it goes on at the next line that begins a record.
func (s *crawlScan) scanPlain(ctx context.Context) (damage error) {
	type place struct {
		start    int64
		captures int
		whole    bool // a line end stands behind it, where its length says
	}
	last := place{start: -1, whole: true}
	for tries := 0; ; {
		now, total := place{start: s.at.skipLineEnds(), captures: len(s.crawl.Captures)}, s.total
		err := s.next(ctx, s.at, now.start, 0, false)
		if err == nil {
			behind, _ := s.at.r.Peek(1)
			now.whole = len(behind) == 0 || behind[0] == '\r' || behind[0] == '\n'
			last = now
			continue
		}
		if errors.Is(err, io.EOF) {
			return damage
		}
		from := now.start + 1
		if !last.whole { // its length is wrong: other records may lie within
			from = last.start + 1
			s.drop(last.captures, "its length is wrong: another record does not begin behind it")
		}
		last.whole = true
		damage = cmp.Or(damage, err)
		s.total = total + s.at.n - now.start // not by a length that may be wrong
		if tries++; ctx.Err() != nil || s.records > maxRecords || s.total > maxCrawl || tries > maxDamaged || !s.seekRecord(from) {
			return damage
		}
	}
}

// drop takes back the pages from number n on.
func (s *crawlScan) drop(n int, reason string) {
	for _, c := range s.crawl.Captures[n:] {
		s.crawl.Skipped = append(s.crawl.Skipped, CrawlSkip{c.page.RequestURL, reason})
	}
	s.crawl.Captures = s.crawl.Captures[:n]
}

// seekRecord continues at the next line, from byte from on, that begins as a record. It reports
// false if there is none.
func (s *crawlScan) seekRecord(from int64) bool {
	if _, err := s.file.Seek(from, io.SeekStart); err != nil {
		return false
	}
	r := bufio.NewReaderSize(s.file, maxHead)
	for at := from; ; {
		line, err := r.ReadSlice('\n')
		at += int64(len(line))
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			return false
		}
		if err != nil {
			continue // within a long line
		}
		if head, _ := r.Peek(len(recordStart)); string(head) == recordStart {
			s.at = &offsetReader{r: r, n: at}
			return true
		}
	}
}

// member reads the records of the gzip member that begins at start.
func (s *crawlScan) member(ctx context.Context, start int64) error {
	z, err := gzip.NewReader(s.at) // reads no byte beyond its member: s.at is an io.ByteReader
	if err != nil {
		return err
	}
	z.Multistream(false)
	in := &offsetReader{r: bufio.NewReaderSize(z, maxHead)}
	for err == nil {
		err = s.next(ctx, in, start, in.n, true)
	}
	return endOf(err)
}

// seekMember goes on at the next place, from one on, that looks like the beginning of a
// gzip member. It reports false where there is none.
func (s *crawlScan) seekMember(from int64) bool {
	if _, err := s.file.Seek(from, io.SeekStart); err != nil {
		return false
	}
	r := bufio.NewReaderSize(s.file, maxHead)
	for at := from; ; at++ {
		head, err := r.Peek(4)
		if err != nil {
			return false
		}
		if head[0] == 0x1f && head[1] == 0x8b && head[2] == 8 && head[3] < 0x20 {
			s.at = &offsetReader{r: r, n: at}
			return true
		}
		if _, err := r.Discard(1); err != nil {
			return false
		}
	}
}

// next reads one record.
func (s *crawlScan) next(ctx context.Context, in *offsetReader, member, before int64, packed bool) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	r, err := readRecord(in)
	if err != nil {
		return err
	}
	if s.records++; s.records > maxRecords {
		return fmt.Errorf("%w: more than %d records", errTooMuch, maxRecords)
	}
	if s.total += r.block.N; s.total > maxCrawl {
		return fmt.Errorf("%w: its records have more than %d bytes", errTooMuch, int64(maxCrawl))
	}
	captures := len(s.crawl.Captures)
	s.note(r, &Capture{open: s.open, member: member, before: before, packed: packed, masker: masker{keepQuery: s.options.KeepQuery}})
	_, err = io.Copy(io.Discard, r.block)
	if err == nil && r.block.N > 0 {
		err = fmt.Errorf("the file ends within record %d", s.records)
	}
	if err != nil {
		s.drop(captures, "its record is not whole")
	}
	return err
}

// note adds a record to the crawl as a page, a redirect, a revisit or a skip.
func (s *crawlScan) note(r *warcRecord, c *Capture) {
	at := target(r.head)
	skip := func(format string, args ...any) {
		s.crawl.Skipped = append(s.crawl.Skipped, CrawlSkip{weburl.Printable(at, weburl.MaxURL), fmt.Sprintf(format, args...)})
	}
	kind := r.head.Get("Warc-Type")
	switch kind {
	case "response", "resource":
	case "revisit":
		s.revisits = append(s.revisits, r.head)
		return
	case "continuation", "conversion":
		skip("a record of the type %s", kind)
		return
	default: // about the crawl, or what was asked
		return
	}
	parse := readURL
	if kind == "resource" {
		parse = readResource
	}
	u, err := parse(at)
	if err != nil {
		if !strings.HasPrefix(at, "dns:") { // of a crawler's own work
			skip("%s", err)
		}
		return
	}
	c.digest = r.head.Get("Warc-Payload-Digest")
	if c.page, err = r.page(u.String()); err != nil {
		skip("%s", err)
		return
	}
	switch status := c.page.Status; {
	case status >= 300 && status < 400 && c.page.FinalURL != at:
		s.redirects[c.page.FinalURL] = append(s.redirects[c.page.FinalURL], Hop{URL: c.page.RequestURL, Status: status})
	case kind == "response" && (status < 200 || status > 299):
		skip("the server answered %d", status)
	default:
		c.facts = map[string]string{"warc_record": weburl.Printable(r.head.Get("Warc-Record-Id"), MaxHeaderValue)}
		if why := r.head.Get("Warc-Truncated"); why != "" {
			c.facts["warc_truncated"] = weburl.Printable(why, MaxHeaderValue)
		}
		s.crawl.Captures = append(s.crawl.Captures, c)
	}
}

// finish gives the pages the redirects that lead to them and the captures that found
// them unchanged.
func (s *crawlScan) finish() {
	c := s.crawl
	byURL, byDigest := map[string]*Capture{}, map[string]*Capture{}
	reached := map[string]bool{} // addresses from which redirects lead to a page
	for _, p := range c.Captures {
		p.page.Redirects = s.leading(p.page.FinalURL, map[string]bool{})
		for _, h := range p.page.Redirects {
			reached[h.URL] = true
		}
		byURL[p.page.RequestURL] = p
		if p.digest != "" && byDigest[p.digest] == nil {
			byDigest[p.digest] = p
		}
	}
	for to, hops := range s.redirects {
		if byURL[to] == nil && !reached[to] {
			for _, h := range hops {
				c.Skipped = append(c.Skipped, CrawlSkip{h.URL, "it leads to " + weburl.Shown(to) + ", which is not in the file"})
			}
		}
	}
	const most = 4096 // bytes of a fact
	for _, h := range s.revisits {
		at := target(h)
		p := byDigest[h.Get("Warc-Payload-Digest")]
		if p == nil {
			u, err := readURL(cmp.Or(strings.Trim(h.Get("Warc-Refers-To-Target-Uri"), "<>"), at))
			if err == nil {
				p = byURL[u.String()]
			}
		}
		if p == nil {
			c.Skipped = append(c.Skipped, CrawlSkip{weburl.Printable(at, weburl.MaxURL), "a revisit of a page that is not in the file"})
			continue
		}
		again, _ := weburl.StripAddress(at, s.options.KeepQuery)
		entry := weburl.Printable(h.Get("Warc-Date")+" "+again, weburl.MaxURL)
		if known := p.facts["warc_revisits"]; known == "" {
			p.facts["warc_revisits"] = entry
		} else if len(known)+len(entry) < most {
			p.facts["warc_revisits"] = known + "; " + entry
		}
	}
	for _, p := range c.Captures { // last: redirects and revisits are found by whole addresses
		p.page.dropSecrets(s.options.KeepQuery)
	}
	for i, skip := range c.Skipped {
		c.Skipped[i].URL = weburl.Shown(skip.URL)
	}
}

// leading returns the redirects that lead to an address, those that lead to others of
// them before; of what was captured twice, once.
func (s *crawlScan) leading(to string, seen map[string]bool) (out []Hop) {
	if seen[to] || len(seen) > MaxRedirects {
		return nil
	}
	seen[to] = true
	for _, h := range s.redirects[to] {
		if !slices.Contains(out, h) && !seen[h.URL] {
			out = append(append(out, s.leading(h.URL, seen)...), h)
		}
	}
	return out
}

// Name returns the name of the page, as of one that is fetched.
func (c *Capture) Name() string { return c.page.Name() }

// Page reads the page from the file, with its facts. A body of more than maxBody bytes
// is an error.
func (c *Capture) Page(maxBody int64) (*Page, map[string]string, error) {
	if c.open == nil {
		return nil, nil, errors.New("a capture of no file")
	}
	f, err := c.open()
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	if _, err := f.Seek(c.member, io.SeekStart); err != nil {
		return nil, nil, err
	}
	in := &offsetReader{r: bufio.NewReaderSize(f, maxHead)}
	if c.packed {
		z, err := gzip.NewReader(in)
		if err != nil {
			return nil, nil, err
		}
		z.Multistream(false)
		in = &offsetReader{r: bufio.NewReaderSize(z, maxHead)}
	}
	if _, err := io.CopyN(io.Discard, in, c.before); err != nil {
		return nil, nil, err
	}
	r, err := readRecord(in)
	if err != nil {
		return nil, nil, err
	}
	p := c.page
	header := http.Header{}
	if p.Status > 0 {
		if header, _, err = r.response(); err != nil {
			return nil, nil, err
		}
	}
	p.EncodedSize = r.block.N
	sent := newPayloadCheck(c.digest)
	if p.Body, err = storedBody(r.block, header, maxBody, sent); err != nil {
		return nil, nil, err
	}
	if r.block.N > 0 {
		return nil, nil, errors.New("the record does not have its bytes")
	}
	masker := c.masker
	masker.body(p.Body)
	facts := p.Facts()
	if masker.Masked > 0 {
		facts["web_scrubbed"] = fmt.Sprintf("spaces are in the place of secrets in addresses and forms: %d", masker.Masked)
	}
	delete(facts, "http_robots") // nobody asked here
	if p.Status == 0 {
		delete(facts, "http_status")
	}
	if p.Framing == "" {
		delete(facts, "http_framing")
	}
	for k, v := range c.facts {
		facts[k] = v
	}
	if !sent.agrees() {
		facts["warc_digest_wrong"] = weburl.Printable(c.digest, MaxHeaderValue)
	}
	return &p, facts, nil
}
