package web

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/textproto"
	"strconv"
	"strings"
	"time"

	"muniment/text/weburl"
)

// recordStart is the beginning of a record.
const recordStart = "WARC/1."

// A warcRecord is a record being read.
type warcRecord struct {
	raw   []byte // its header with the blank line, as it is in the file
	head  textproto.MIMEHeader
	block *io.LimitedReader
}

// An offsetReader counts the bytes read from a file.
type offsetReader struct {
	r *bufio.Reader
	n int64
}

func (o *offsetReader) Read(p []byte) (int, error) {
	n, err := o.r.Read(p)
	o.n += int64(n)
	return n, err
}

func (o *offsetReader) ReadByte() (byte, error) {
	b, err := o.r.ReadByte()
	if err == nil {
		o.n++
	}
	return b, err
}

// skipLineEnds reads the line ends between two records, and returns where the second begins.
func (o *offsetReader) skipLineEnds() int64 {
	for next, _ := o.r.Peek(1); len(next) > 0 && (next[0] == '\r' || next[0] == '\n'); next, _ = o.r.Peek(1) {
		_, _ = o.ReadByte()
	}
	return o.n
}

// endOf returns nil for the end of a file between records.
func endOf(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// readRecord reads the header of a record; io.EOF is the end of the records.
func readRecord(in *offsetReader) (*warcRecord, error) {
	var head bytes.Buffer
	for {
		line, err := in.r.ReadSlice('\n')
		in.n += int64(len(line))
		blank := len(bytes.TrimSpace(line)) == 0
		switch {
		case errors.Is(err, io.EOF) && blank && head.Len() == 0:
			return nil, io.EOF
		case err != nil:
			return nil, fmt.Errorf("the header of a record does not end: %w", io.ErrUnexpectedEOF)
		case blank && head.Len() == 0: // between records
			continue
		case head.Len() == 0 && !bytes.HasPrefix(line, []byte(recordStart)):
			return nil, ErrWARC
		}
		if head.Write(line); head.Len() > maxHead {
			return nil, fmt.Errorf("the header of a record has more than %d bytes", maxHead)
		}
		if blank {
			break
		}
	}
	_, fields, _ := strings.Cut(head.String(), "\n")
	header, err := textproto.NewReader(bufio.NewReader(strings.NewReader(fields))).ReadMIMEHeader()
	if err != nil {
		return nil, fmt.Errorf("the header of a record: %w", err)
	}
	n, err := strconv.ParseInt(header.Get("Content-Length"), 10, 64)
	if err != nil || n < 0 {
		return nil, fmt.Errorf("the length of a record is %q", header.Get("Content-Length"))
	}
	return &warcRecord{head.Bytes(), header, &io.LimitedReader{R: in, N: n}}, nil
}

// target returns the address that a record is of. Some writers put it in brackets.
func target(h textproto.MIMEHeader) string {
	return strings.Trim(h.Get("Warc-Target-Uri"), "<>")
}

// page returns the description of a record's page, without the body. FinalURL of a redirect is its
// target.
func (r *warcRecord) page(at string) (p Page, err error) {
	p = Page{RequestURL: at, FinalURL: at}
	if p.FetchedAt, err = time.Parse(time.RFC3339Nano, r.head.Get("Warc-Date")); err != nil {
		return p, fmt.Errorf("the time of the capture is %q", weburl.Printable(r.head.Get("Warc-Date"), MaxHeaderValue))
	}
	if r.head.Get("Warc-Type") == "resource" {
		p.MediaType = mediaType(r.head.Get("Content-Type"))
		return p, nil
	}
	header, status, err := r.response()
	if err != nil {
		return p, err
	}
	p.fill(&answer{status: status, header: header, encoded: r.block.N, framing: "warc"})
	if to := header.Get("Location"); status >= 300 && status < 400 && to != "" {
		if base, err := readURL(at); err == nil {
			if next, err := base.Parse(to); err == nil {
				if next, err = readNormal(next); err == nil {
					p.FinalURL = next.String()
				}
			}
		}
	}
	return p, nil
}

// response reads the head of an HTTP response; the block then has the body.
func (r *warcRecord) response() (http.Header, int, error) {
	var head bytes.Buffer
	var one [1]byte
	for !bytes.HasSuffix(head.Bytes(), []byte("\r\n\r\n")) && !bytes.HasSuffix(head.Bytes(), []byte("\n\n")) {
		if _, err := io.ReadFull(r.block, one[:]); err != nil || head.Len() == maxHead {
			return nil, 0, errors.New("the header of the response does not end")
		}
		head.Write(one[:])
	}
	resp, err := http.ReadResponse(bufio.NewReader(&head), nil)
	if err != nil {
		return nil, 0, fmt.Errorf("the header of the response: %w", err)
	}
	header := resp.Header
	if len(resp.TransferEncoding) > 0 {
		header.Set("Transfer-Encoding", strings.Join(resp.TransferEncoding, ", "))
	}
	return header, resp.StatusCode, nil // its Body is of the head alone
}
