package web

import (
	"bufio"
	"bytes"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base32"
	"encoding/hex"
	"hash"
	"io"
	"net/http"
	"net/http/httputil"
	"strconv"
	"strings"
	"sync/atomic"
)

// storedBody returns the content of a body. Some crawlers store it decoded and leave the
// headers as they were: what is not in the encoding that a header states has none.
func storedBody(block io.Reader, header http.Header, maxBody int64, sent *payloadCheck) ([]byte, error) {
	block = io.TeeReader(block, sent.whole)
	in := bufio.NewReader(block)
	if strings.EqualFold(header.Get("Transfer-Encoding"), "chunked") {
		if line, _ := in.Peek(18); isChunk(line) {
			in = bufio.NewReader(io.TeeReader(httputil.NewChunkedReader(in), sent.joined))
		}
	}
	encoded := header.Values("Content-Encoding")
	if start, _ := in.Peek(2); strings.EqualFold(strings.Join(encoded, ","), "gzip") && !bytes.Equal(start, []byte{0x1f, 0x8b}) {
		encoded = nil
	}
	body, err := readBody(&counter{r: in, n: atomic.Int64{}, limit: maxBody}, encoded, maxBody)
	if err != nil {
		return nil, err
	}
	_, _ = io.Copy(io.Discard, in)      // the body is read; a defect behind it is none of its own
	_, err = io.Copy(io.Discard, block) // line ends behind the last chunk
	return body, err
}

// A payloadCheck compares a body with the digest that its record states. Some writers
// take it of the body as it was sent, others of its chunks joined.
type payloadCheck struct {
	stated        []byte // nil where nothing is stated, or in a way that is not known
	whole, joined hash.Hash
}

// newPayloadCheck returns the check of a digest, written as sha1:BASE32 or in hex digits.
func newPayloadCheck(digest string) *payloadCheck {
	algorithm, value, _ := strings.Cut(digest, ":")
	fresh := map[string]func() hash.Hash{"sha1": sha1.New, "sha256": sha256.New, "sha512": sha512.New, "md5": md5.New}[strings.ReplaceAll(strings.ToLower(algorithm), "-", "")]
	if fresh == nil {
		fresh = sha256.New
		value = ""
	}
	c := &payloadCheck{whole: fresh(), joined: fresh()}
	if stated, err := hex.DecodeString(value); err == nil && len(stated) == c.whole.Size() {
		c.stated = stated
	} else if stated, err := base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(strings.TrimRight(strings.ToUpper(value), "=")); err == nil && len(stated) == c.whole.Size() {
		c.stated = stated
	}
	return c
}

// agrees reports whether the body is the one of which the digest was taken, as far as that
// can be told.
func (c *payloadCheck) agrees() bool {
	return c.stated == nil || bytes.Equal(c.stated, c.whole.Sum(nil)) || bytes.Equal(c.stated, c.joined.Sum(nil))
}

// isChunk reports whether a body begins with the size of a chunk.
func isChunk(start []byte) bool {
	line, _, ok := bytes.Cut(start, []byte("\r\n"))
	size, _, _ := bytes.Cut(line, []byte(";"))
	_, err := strconv.ParseUint(strings.TrimSpace(string(size)), 16, 63)
	return ok && err == nil
}
