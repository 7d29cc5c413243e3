package pages

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"muniment/archive"
	"muniment/archive/problem"
	"muniment/history"
	"muniment/server"
	"muniment/sign"
)

// SiteOptions say what a site shows and who signs it. Signer is required.
type SiteOptions struct {
	Signer   sign.Signer
	Private  bool                  // only its owner may read the files; else everybody
	Progress func(done, total int) // nil for none
}

// A SiteResult describes a site that was written.
type SiteResult struct {
	Dir      string `json:"dir"`
	Archive  string `json:"archive"`
	Snapshot string `json:"snapshot"`
	Seq      int64  `json:"seq"`
	Shown    string `json:"shown"` // everything, or the tier
	Papers   int    `json:"papers"`
	Files    int    `json:"files"`
	Bytes    int64  `json:"bytes"`
	Pages    int    `json:"pages"`        // of HTML
	Largest  int    `json:"largest_page"` // bytes of it
	Search   int64  `json:"search_bytes"`
	Links    int    `json:"links_checked"`
	Signer   string `json:"signer"` // fingerprint
}

// mediaNames are the ends of the names of media in a site: a web server or a browser
// goes by them. Nothing else is copied, as a browser might run it.
var mediaNames = map[string]string{
	"image/png": ".png", "image/jpeg": ".jpg", "image/gif": ".gif", "image/webp": ".webp", "image/avif": ".avif", "image/bmp": ".bmp",
	"audio/mpeg": ".mp3", "audio/wav": ".wav", "audio/x-wav": ".wav", "audio/vnd.wave": ".wav", "audio/ogg": ".oga", "audio/flac": ".flac", "audio/mp4": ".m4a", "audio/aac": ".aac",
	"video/mp4": ".mp4", "video/webm": ".webm", "video/ogg": ".ogv",
}

// mediaName returns the name in a site of the medium of a paper.
func mediaName(id, media string) string {
	kind, _, _ := strings.Cut(strings.ToLower(media), ";")
	return "o/" + id + mediaNames[strings.TrimSpace(kind)]
}

// A site is a folder that is being written.
type site struct {
	source
	ctx    context.Context
	dir    string
	sums   map[string][sha256.Size]byte // by path
	leads  map[string][]string          // paths that a page leads to, by page
	starts map[string][]int             // the paragraphs at which the pages of a paper begin
	lists  map[string]string            // names of lists, as links have them
	result SiteResult
	index  *searchIndex

	fileMode, folderMode fs.FileMode
}

// Export writes the part of the newest snapshot that a client may see as the files of a site into
// dir, which must not exist, and signs their list. An interrupted export leaves no folder.
func Export(ctx context.Context, c *server.Client, dir string, o SiteOptions) (*SiteResult, error) {
	status, err := c.Status(ctx)
	switch {
	case err != nil:
		return nil, err
	case status.Seq == 0:
		return nil, problem.New(problem.NoSnapshot, problem.Next(problem.DoSnapshot), "there is no snapshot yet, and a site names the one that it shows")
	case status.Staged:
		return nil, problem.New(problem.Usage, problem.Next(problem.DoSnapshot), "something is staged that snapshot %d does not hold, and a site shows what is signed", status.Seq)
	case o.Signer == nil:
		return nil, problem.New(problem.Key, problem.Advise("name the key that signs the list of its files"), "a site is signed, and there is no key")
	}
	if err := archive.CheckNewFile(dir); err != nil {
		return nil, err
	}
	building, err := os.MkdirTemp(filepath.Dir(filepath.Clean(dir)), ".muniment-site-*")
	if err != nil {
		return nil, problem.Wrap(err, "site")
	}
	defer os.RemoveAll(building)
	s := &site{ctx: ctx, dir: building, sums: map[string][sha256.Size]byte{}, leads: map[string][]string{}, starts: map[string][]int{}, index: &searchIndex{at: map[string]int{}, terms: map[string]map[int][]int{}}}
	s.client = c
	s.fileMode, s.folderMode = archive.FileModes(o.Private)
	s.result = SiteResult{Dir: dir, Archive: status.Archive, Snapshot: status.Snapshot, Seq: status.Seq, Shown: map[bool]string{true: shownEverything, false: shownTier + status.Tier}[c.SeesAll()], Signer: o.Signer.Key().Fingerprint()}
	if err := s.writeAll(o); err != nil {
		return nil, err
	}
	if err := s.sign(o.Signer); err != nil {
		return nil, err
	}
	if err := os.Chmod(building, s.folderMode); err != nil {
		return nil, problem.Wrap(err, "site")
	}
	return &s.result, problem.Wrap(os.Rename(building, dir), "site")
}

// writeAll writes every page, the search and the assets.
func (s *site) writeAll(o SiteOptions) error {
	var ids []string
	for at := 0; ; at += pageSize {
		list, err := s.client.Holdings(s.ctx, server.HoldingsRequest{Offset: at, Limit: pageSize})
		if err != nil {
			return err
		}
		for _, h := range list.Holdings {
			ids = append(ids, h.ID)
		}
		if len(list.Holdings) < pageSize {
			break
		}
	}
	s.result.Papers = len(ids)
	if err := s.nameLists(); err != nil {
		return err
	}
	s.readLinks("../")
	for i, id := range ids {
		if s.ctx.Err() != nil {
			return problem.InterruptedError()
		}
		if err := s.writePaper(id); err != nil {
			return err
		}
		if o.Progress != nil {
			o.Progress(i+1, len(ids))
		}
	}
	for _, write := range []func() error{s.writeLists, s.writeCitations, s.writeKeeping, s.writeAssets, func() error { return s.index.write(s) }, s.checkLinks} {
		if err := write(); err != nil {
			return err
		}
	}
	return nil
}

// readLinks sets the addresses for pages that lie in the root of the site, or below it.
func (s *site) readLinks(root string) {
	s.source.links = links{static: true, root: root, starts: s.starts, lists: s.lists, have: func(p string) bool { _, ok := s.sums[p]; return ok }}
}

// writePaper writes the pages of an artifact, and its medium.
func (s *site) writePaper(id string) error {
	for from := 1; from != 0; {
		f, err := s.paper(s.ctx, server.PaperRequest{Artifact: id, From: from}, place{})
		if err != nil {
			return err
		}
		p, ok := f.Page.(*Paper)
		if !ok {
			return problem.New(problem.Internal, problem.Advise("report it"), "the page of a paper is another")
		}
		s.starts[id] = append(s.starts[id], from)
		if from == 1 && p.Media != "" {
			if err := s.writeMedium(id, p); err != nil {
				return err
			}
		}
		s.index.add(p)
		if err := s.write(paperName(id, from), f); err != nil {
			return err
		}
		from = p.Next
	}
	return nil
}

// paperName returns the name of the page of a paper that begins at a paragraph.
func paperName(id string, from int) string {
	if from > 1 {
		return "a/" + id + "-" + itoa(from)
	}
	return "a/" + id
}

// writeMedium writes the medium of a paper. One that is too large is left out.
func (s *site) writeMedium(id string, p *Paper) error {
	var data []byte
	err := s.client.Original(s.ctx, id, func(o *server.Original) (io.Writer, error) {
		data = o.Data
		return io.Discard, nil
	})
	if err != nil {
		return err
	}
	if data == nil {
		p.Media = ""
		return nil
	}
	return s.put(mediaName(id, p.MediaType), data)
}

// at sets the addresses of a page of the site, and returns the function that writes it.
func (s *site) at(name string) func(*frame, error) error {
	s.readLinks(strings.Repeat("../", strings.Count(name, "/")))
	return func(f *frame, err error) error {
		if err != nil {
			return err
		}
		return s.write(name, f)
	}
}

// writeLists writes the first page, the lists of papers, the names, and the pages that search and verify.
func (s *site) writeLists() error {
	for of, name := range s.lists {
		ask := Filter{Page: 1, name: name}
		if value, field, ok := strings.Cut(of, "\n"); ok {
			*ask.Fields()[field] = value
		}
		for more := true; more; ask.Page++ {
			write := s.at(partName(name, ask.Page))
			f, err := s.inventory(s.ctx, ask)
			if err := write(f, err); err != nil {
				return err
			}
			list, ok := f.Page.(*Inventory)
			more = ok && list.Next != ""
		}
	}
	if err := s.at("index")(s.home(s.ctx)); err != nil {
		return err
	}
	if err := s.at("names")(s.names(s.ctx)); err != nil {
		return err
	}
	if err := s.at("verify")(s.verify(s.ctx, &Verify{})); err != nil {
		return err
	}
	return s.at("search")(s.frame(s.ctx, "sitesearch", "Search", struct{}{}))
}

// allPapers is the name of the page that lists all papers.
const allPapers = "inventory"

// nameLists names the pages that list the papers with one value of a field, also of a series within another, and that
// of all papers; the next export gives the same names.
func (s *site) nameLists() error {
	all, err := s.client.Holdings(s.ctx, server.HoldingsRequest{})
	if err != nil {
		return err
	}
	s.lists = map[string]string{"": allPapers}
	for field, counts := range all.Counts() {
		for _, c := range *counts {
			for value := c.Name; value != ""; value = value[:max(0, strings.LastIndex(value, " › "))] {
				sum := sha256.Sum256([]byte(value))
				if s.lists[value+"\n"+field] = "inventory/" + field + "-" + hex.EncodeToString(sum[:5]); field == "year" {
					s.lists[value+"\n"+field] = "inventory/" + value
				}
			}
		}
	}
	return nil
}

// partName returns the name in a site of a page of a list.
func partName(list string, page int) string {
	switch {
	case page == 1:
		return list
	case list == allPapers:
		list += "/all"
	}
	return list + "-" + itoa(page)
}

// writeCitations writes the citations, a page for each, and the claims.
func (s *site) writeCitations() error {
	for more, after := true, int64(0); more; {
		write := s.at(listName("citations", after))
		f, err := s.citations(s.ctx, "", after, 0)
		if err := write(f, err); err != nil {
			return err
		}
		list, ok := f.Page.(*Citations)
		for i := 0; ok && i < len(list.Citations); i++ {
			number := strconv.FormatInt(list.Citations[i].CitationID, 10)
			if number == "0" {
				continue
			}
			if err := s.at("citations/" + number)(s.citation(s.ctx, number)); err != nil {
				return err
			}
		}
		if more = ok && list.Next != 0; more {
			after = list.Next
		}
	}
	for more, after := true, int64(0); more; {
		write := s.at(listName("claims", after))
		f, err := s.claims(s.ctx, after)
		if err := write(f, err); err != nil {
			return err
		}
		list, ok := f.Page.(*Claims)
		if more = ok && list.Next != 0; more {
			after = list.Next
		}
	}
	return nil
}

// writeKeeping writes the pages of custody and of the snapshots.
func (s *site) writeKeeping() error {
	if err := s.at("custody")(s.custody(s.ctx)); err != nil {
		return err
	}
	list, err := s.client.Snapshots(s.ctx, history.LogOptions{})
	if err != nil {
		return err
	}
	for _, one := range list.Snapshots {
		if err := s.at("snapshots/" + strconv.FormatInt(one.Seq, 10))(s.snapshot(s.ctx, one.Seq)); err != nil {
			return err
		}
	}
	return nil
}

// writeAssets writes styles and scripts, and the page that verifies.
func (s *site) writeAssets() error {
	for _, name := range []string{"style.css", "page.js", "cite.js", "media.js", "search.js", "icon.svg", "verify.js", "sentence.js", "drop.js", "verify.html", "README.txt"} {
		data, _, err := assetOf(name)
		if err != nil {
			return problem.Wrap(err, "site")
		}
		if err := s.put("assets/"+name, data); err != nil {
			return err
		}
	}
	return nil
}

// linked matches what a page leads to: a path of the site, without fragment.
var linked = regexp.MustCompile(` (?:href|src)="([^"#?:]+)(?:#[^"]*)?"`)

// write writes a page and its twin.
func (s *site) write(name string, f *frame) error {
	f.Twin = path.Base(name) + ".json"
	twin, err := f.json()
	if err != nil {
		return err
	}
	page, err := f.html()
	if err != nil {
		return err
	}
	s.result.Pages++
	s.result.Largest = max(s.result.Largest, len(page))
	for _, m := range linked.FindAllSubmatch(page, -1) {
		s.leads[name] = append(s.leads[name], path.Join(path.Dir(name), string(m[1])))
	}
	if err := s.put(name+".json", twin); err != nil {
		return err
	}
	return s.put(name+".html", page)
}

// put writes a file and keeps its hash.
func (s *site) put(name string, data []byte) error {
	full := filepath.Join(s.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(full), s.folderMode); err != nil {
		return problem.Wrap(err, "site")
	}
	err := os.WriteFile(full, data, s.fileMode)
	if err = errors.Join(err, os.Chmod(full, s.fileMode), os.Chmod(filepath.Dir(full), s.folderMode)); err != nil { // whatever the umask is
		return problem.Wrap(err, "site")
	}
	s.sums[name] = sha256.Sum256(data)
	s.result.Files++
	s.result.Bytes += int64(len(data))
	return nil
}

// checkLinks requires that every page leads to files of the site.
func (s *site) checkLinks() error {
	for page, to := range s.leads {
		for _, name := range to {
			if _, ok := s.sums[name]; !ok {
				return problem.New(problem.Internal, problem.Advise("report it"), "the page %s leads to %s, which is not in the site", page, name)
			}
			s.result.Links++
		}
	}
	return nil
}

// sign writes the list of files, the statement and its signature.
func (s *site) sign(signer sign.Signer) error {
	var sums strings.Builder
	for _, name := range slices.Sorted(maps.Keys(s.sums)) {
		sum := s.sums[name]
		sums.WriteString(hex.EncodeToString(sum[:]) + "  " + name + "\n")
	}
	st := siteStatement{Archive: s.result.Archive, Snapshot: s.result.Snapshot, Seq: s.result.Seq, Shown: s.result.Shown, Made: s.client.Now().UTC().Format(timeOfSite), Files: len(s.sums), Sums: sha256.Sum256([]byte(sums.String()))}
	text := st.encode()
	armored, err := sign.Sign(signer, sign.NamespaceSite, text)
	if err != nil {
		return problem.New(problem.Key, problem.Advise("try the key with another command"), "sign the site: %w", err)
	}
	for name, data := range map[string][]byte{siteSums: []byte(sums.String()), siteFile: text, siteSignature: armored} {
		if err := s.put(name, data); err != nil {
			return err
		}
	}
	return nil
}
