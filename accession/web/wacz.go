package web

import (
	"archive/zip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"muniment/text/weburl"
)

// Limits of a WACZ.
const (
	maxEntries  = 1 << 16 // files in it: some thousand WARC at most
	maxManifest = 8 << 20 // bytes of datapackage.json, a line for each of these
)

// ErrWACZ reports that a file is no WACZ.
var ErrWACZ = errors.New("it is no zip with a datapackage.json and WARC in a folder archive")

// A manifest is the datapackage.json of a WACZ.
type manifest struct {
	Resources []struct {
		Path  string `json:"path"`
		Hash  string `json:"hash"`
		Bytes int64  `json:"bytes"`
	} `json:"resources"`
}

// OpenWACZ lists the pages of the WARC in a WACZ, whose digests are checked first. A file
// that differs from its digest is a damage of the crawl, and nothing is read from it. The
// caller closes the crawl. The error is ErrWACZ when the file is none.
func OpenWACZ(ctx context.Context, file string, o CrawlOptions) (*Crawl, error) {
	z, err := zip.OpenReader(file)
	if err != nil {
		return nil, ErrWACZ
	}
	s := newScan(o)
	s.crawl.close = append(s.crawl.close, z.Close)
	if err := s.wacz(ctx, file, &z.Reader); err != nil {
		return nil, errors.Join(err, s.crawl.Close())
	}
	s.finish()
	return s.crawl, nil
}

// wacz reads the lists of the records of the WARC in a WACZ.
func (s *crawlScan) wacz(ctx context.Context, file string, z *zip.Reader) error {
	if len(z.File) > maxEntries {
		return fmt.Errorf("it has more than %d files", maxEntries)
	}
	described, err := readManifest(z)
	if err != nil {
		return err
	}
	hashes := map[string]string{}
	for _, r := range described.Resources {
		hashes[r.Path] = r.Hash
	}
	there, found := map[string]bool{}, false
	for _, f := range z.File {
		there[f.Name] = true
		if !IsArchiveEntry(f.Name) {
			continue
		}
		found = true
		if err := checkEntry(ctx, f, hashes[f.Name]); err != nil {
			s.damage(f.Name, err)
			continue
		}
		open, err := s.entry(file, f)
		if err == nil {
			err = s.list(ctx, open)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			s.damage(f.Name, err)
		}
	}
	for _, r := range described.Resources {
		if !there[r.Path] {
			s.damage(r.Path, errors.New("datapackage.json lists it, and it is not there"))
		}
	}
	if !found {
		return ErrWACZ
	}
	return nil
}

// damage notes the first thing that is wrong.
func (s *crawlScan) damage(name string, err error) {
	if s.crawl.Damage == nil {
		s.crawl.Damage = fmt.Errorf("%s: %w", weburl.Printable(name, weburl.MaxURL), err)
	}
}

// readManifest returns the datapackage.json of a WACZ.
func readManifest(z *zip.Reader) (*manifest, error) {
	f, err := z.Open("datapackage.json")
	if err != nil {
		return nil, ErrWACZ
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxManifest+1))
	if err != nil {
		return nil, err
	}
	var m manifest
	if err := json.Unmarshal(data, &m); err != nil || len(data) > maxManifest {
		return nil, ErrWACZ
	}
	return &m, nil
}

// checkEntry compares an entry with the digest that the manifest has of it.
func checkEntry(ctx context.Context, f *zip.File, want string) error {
	hash, ok := strings.CutPrefix(want, "sha256:")
	if !ok {
		return errors.New("datapackage.json has no sha256 of it")
	}
	r, err := f.Open()
	if err != nil {
		return err
	}
	defer r.Close()
	sum := sha256.New()
	for n := int64(0); err == nil; {
		var got int64
		got, err = io.CopyN(sum, r, 1<<20)
		if n += got; n > maxCrawl {
			return fmt.Errorf("it has more than %d bytes", int64(maxCrawl))
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	if !errors.Is(err, io.EOF) {
		return err
	}
	if got := hex.EncodeToString(sum.Sum(nil)); got != strings.ToLower(hash) {
		return fmt.Errorf("its sha256 is %s, and datapackage.json says %s", got, weburl.Printable(hash, len(got)))
	}
	return nil
}

// entry returns the function that opens an entry: within the WACZ if it is stored uncompressed,
// which the standard asks for, else from a copy that Close removes.
func (s *crawlScan) entry(file string, f *zip.File) (func() (io.ReadSeekCloser, error), error) {
	if f.Method == zip.Store {
		at, err := f.DataOffset()
		if err != nil {
			return nil, err
		}
		return func() (io.ReadSeekCloser, error) {
			whole, err := os.Open(file)
			if err != nil {
				return nil, err
			}
			return section{io.NewSectionReader(whole, at, int64(f.UncompressedSize64)), whole}, nil
		}, nil
	}
	r, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	unpacked, err := os.CreateTemp("", "muniment-wacz-")
	if err != nil {
		return nil, err
	}
	s.crawl.close = append(s.crawl.close, func() error { return os.Remove(unpacked.Name()) })
	_, err = io.Copy(unpacked, r) // its size was counted when its digest was checked
	return func() (io.ReadSeekCloser, error) { return os.Open(unpacked.Name()) }, errors.Join(err, unpacked.Close())
}

// A section is a part of a file.
type section struct {
	*io.SectionReader
	io.Closer
}
