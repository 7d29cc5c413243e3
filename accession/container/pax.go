package container

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// maxOctal is the largest size a plain header can hold: 11 octal digits.
const maxOctal = 1<<33 - 1

// readExtension reads the data of a PAX header or a GNU long name.
func readExtension(ctx context.Context, t tape, h tarHeader, lim limits) ([]byte, error) {
	if h.size > lim.extended {
		return nil, fmt.Errorf("a long name or PAX header of %d bytes, at most %d are read", h.size, lim.extended)
	}
	if h.size == 0 {
		return nil, errors.New("an empty long name or PAX header")
	}
	data := make([]byte, h.size)
	if err := t.read(data); err != nil {
		return nil, errCut
	}
	if err := t.skip(ctx, padded(h.size)-h.size); err != nil {
		return nil, err
	}
	return data, nil
}

// add keeps an extension for the next header.
func (p *pending) add(kind byte, data []byte) error {
	switch kind {
	case 'g':
		records, err := parsePAX(data)
		if err != nil {
			return fmt.Errorf("PAX: %w", err)
		}
		for key := range records {
			if tellsApart(key) {
				return fmt.Errorf("PAX sets %q for all files that follow, which readers treat differently", key)
			}
		}
	case 'x':
		if p.pax != nil {
			return errors.New("two PAX headers for one entry")
		}
		records, err := parsePAX(data)
		if err != nil {
			return fmt.Errorf("PAX: %w", err)
		}
		p.pax = records
	case 'L':
		if p.gnuName != nil {
			return errors.New("two long names for one entry")
		}
		name := string(bytes.TrimSuffix(data, []byte{0}))
		p.gnuName = &name
	case 'K':
		if p.gnuLink != nil {
			return errors.New("two long link names for one entry")
		}
		link := string(bytes.TrimSuffix(data, []byte{0}))
		p.gnuLink = &link
	}
	if _, ok := p.pax["path"]; ok && p.gnuName != nil {
		return errors.New("two long names for one entry")
	}
	if _, ok := p.pax["linkpath"]; ok && p.gnuLink != nil {
		return errors.New("two long link names for one entry")
	}
	return nil
}

// tellsApart reports whether a PAX key changes which files there are, or what is
// taken from them. Owners, access times, comments and what single programs add
// do not.
func tellsApart(key string) bool {
	switch key {
	case "path", "linkpath", "size", "mtime", "hdrcharset", "SCHILY.realsize":
		return true
	}
	return strings.HasPrefix(key, "GNU.sparse.")
}

// parsePAX reads records of the form "LENGTH KEY=VALUE\n"; the length counts
// itself.
func parsePAX(data []byte) (map[string]string, error) {
	records := map[string]string{}
	for len(data) > 0 {
		digits, _, ok := bytes.Cut(data[:min(len(data), 20)], []byte(" "))
		n, err := strconv.ParseUint(string(digits), 10, 31)
		if !ok || err != nil || digits[0] == '0' || digits[0] == '+' {
			return nil, fmt.Errorf("record %q has no length", data[:min(len(data), 20)])
		}
		if int(n) > len(data) || int(n) < len(digits)+len(" k=\n") || data[n-1] != '\n' {
			return nil, fmt.Errorf("record of %d bytes does not end with its line", n)
		}
		key, value, ok := strings.Cut(string(data[len(digits)+1:n-1]), "=")
		if !ok || key == "" {
			return nil, errors.New("record without a key")
		}
		if _, twice := records[key]; twice && key != "GNU.sparse.offset" && key != "GNU.sparse.numbytes" { // the map of format 0.0
			return nil, fmt.Errorf("%q twice", key)
		}
		records[key] = value
		data = data[n:]
	}
	return records, nil
}

// applyPAX changes the entry by its PAX header and reports whether the file is
// sparse. A size may only stand there when the plain header cannot hold it, or
// holds the same: else readers without PAX would find other entries.
func (p pending) applyPAX(e *Entry, h tarHeader) (sparse bool, err error) {
	for key, value := range p.pax {
		switch {
		case strings.HasPrefix(key, "GNU.sparse."), key == "SCHILY.realsize":
			sparse = true
		case value == "": // an empty value unsets
		case key == "path":
			e.Name = value
		case key == "size":
			n, err := strconv.ParseInt(value, 10, 64)
			if err != nil || n < 0 || strconv.FormatInt(n, 10) != value {
				return false, fmt.Errorf("PAX size %q", value)
			}
			if n != h.size && (n <= maxOctal || h.wide) {
				return false, fmt.Errorf("PAX size %d, %d in the header", n, h.size)
			}
			e.Size = n
		case key == "mtime":
			t, err := parseTime(value)
			if err != nil {
				return false, err
			}
			e.ModTime = t
		}
	}
	return sparse, nil
}

// parseTime reads seconds since 1970 with an optional fraction.
func parseTime(s string) (time.Time, error) {
	whole, fraction, _ := strings.Cut(s, ".")
	sec, err := strconv.ParseInt(whole, 10, 64)
	if err != nil || sec > math.MaxInt32*100 || sec < -math.MaxInt32*100 || strings.Trim(fraction, "0123456789") != "" {
		return time.Time{}, fmt.Errorf("PAX mtime %q", s)
	}
	nano, err := strconv.ParseInt((fraction + "000000000")[:9], 10, 64)
	if err != nil {
		return time.Time{}, fmt.Errorf("PAX mtime %q", s)
	}
	if strings.HasPrefix(whole, "-") {
		nano = -nano
	}
	return time.Unix(sec, nano).UTC(), nil
}
