package accession

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"muniment/accession/container"
	"muniment/accession/sourcemeta"
	"muniment/accession/web"
	"muniment/archive"
	"muniment/archive/problem"
	"muniment/cid"
	"muniment/snapshot/record"
	"muniment/text/legible"
	"muniment/text/weburl"
)

// packedNames are the endings of names of packed folders: the files in such a
// folder are added, not the folder's own file.
var packedNames = []string{".zip", ".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tbz2", ".tbz", ".tar.xz", ".txz", ".tar.zst", ".tzst", ".7z"}

// isPackedFolder reports whether a name is that of a packed folder.
func isPackedFolder(name string) bool {
	return slices.ContainsFunc(packedNames, func(end string) bool { return strings.HasSuffix(strings.ToLower(name), end) })
}

// unpack replaces the packed folders among inputs by the files in them, named
// like the files of a folder of the container's name. What cannot be taken out
// is a skip, and a damaged container is kept beside what can be read of it; a file that is no container after all stays as it is. The closers
// release the containers. keepQuery is that of web.CrawlOptions.
func unpack(ctx context.Context, inputs []Input, keepQuery bool) (out []Input, skips []Skip, closers []io.Closer) {
	if !slices.ContainsFunc(inputs, func(in Input) bool {
		return in.Fetch == nil && (isPackedFolder(in.Name) || isWARC(in.Name) || isWACZ(in.Name) || isOutlookBox(in))
	}) {
		return inputs, nil, nil
	}
	for _, in := range inputs {
		if in.Fetch == nil && (isWARC(in.Name) || isWACZ(in.Name)) {
			pages, left, kept := unpackWARC(ctx, in, keepQuery)
			out, skips, closers = append(out, pages...), append(skips, left...), append(closers, kept...)
			continue
		}
		if in.Fetch == nil && isOutlookBox(in) {
			mails, left, box := unpackOutlook(ctx, in)
			out, skips = append(out, mails...), append(skips, left...)
			if box != nil {
				closers = append(closers, box)
			}
			continue
		}
		if in.Fetch != nil || !isPackedFolder(in.Name) {
			out = append(out, in)
			continue
		}
		files, left, kept := unpackFolder(ctx, in, keepQuery)
		out, skips, closers = append(out, files...), append(skips, left...), append(closers, kept...)
	}
	return out, skips, closers
}

// unpackFolder returns the files in a packed folder, and the folder itself where it may have to be
// kept; another file as it is. A zip that has WARC as a WACZ does is one under another name.
func unpackFolder(ctx context.Context, in Input, keepQuery bool) (out []Input, skips []Skip, closers []io.Closer) {
	r, err := container.Salvage(ctx, in.Path)
	switch {
	case errors.Is(err, container.ErrFormat):
		return []Input{in}, nil, nil
	case err != nil:
		in.Facts = map[string]string{"container_damage": legible.Reason(err)}
		return []Input{in}, []Skip{{Path: in.Name, Reason: legible.Reason(err) + "; it is kept as it is"}}, nil
	}
	if r.Document() != "" { // an office file under another name
		r.Close()
		return []Input{in}, nil, nil
	}
	if slices.ContainsFunc(r.Entries(), func(e *container.Entry) bool { return r.Format() == container.Zip && web.IsArchiveEntry(e.Path) }) {
		r.Close()
		return unpackWARC(ctx, in, keepQuery)
	}
	entries, unread := r.TakeEntries(), 0
	for _, s := range r.Skipped() {
		if s.Unread {
			unread++
		}
		// Not path.Join: a refused name is told as it stood, with its "..".
		skips = append(skips, Skip{Path: in.Name + "/" + legible.Printable(s.Name), Reason: s.Reason})
	}
	facts := containerFacts(r, in)
	if d := r.Damage(); d != nil {
		skips = append(skips, Skip{Path: in.Name, Reason: fmt.Sprintf("damaged: %v; what could be read of it was taken, files: %d", d, len(entries))})
	}
	whole := wholeInput(in, unread, r.Damage())
	if len(entries)+len(r.Skipped()) == 0 && r.Damage() == nil {
		skips = append(skips, Skip{Path: in.Name, Reason: "no file lies in it: there is nothing to keep"})
	}
	for _, e := range entries {
		name, encoded := record.EncodeName(path.Join(in.Name, e.Path))
		out = append(out, Input{Path: in.Path, Name: name, Encoded: encoded || in.Encoded, Fetch: entryFetcher(e), Facts: facts, within: whole.whole}) // read clones them
	}
	if len(entries) > 0 || unread > 0 {
		out = append(out, whole)
	}
	return out, skips, []io.Closer{r}
}

// maxComment is the most bytes of a packed folder's comment that its records repeat: a
// page of text, where a zip may have 65,535 bytes.
const maxComment = 4096

// containerFacts returns the facts about a packed folder in the records of its files.
func containerFacts(r *container.Reader, in Input) map[string]string {
	facts := map[string]string{}
	if id, err := hashFile(in.Path); err == nil {
		facts["container_id"] = id.String()
	}
	if d := r.Damage(); d != nil {
		facts["container_damage"] = d.Error()
	}
	if c := commentText(r.Comment()); c != "" {
		facts["container_comment"] = c
	}
	return facts
}

// commentText returns a comment of a zip on one line. Bytes that are not UTF-8, as the
// charset is not said, are percent-encoded.
func commentText(comment string) string {
	var b strings.Builder
	for _, word := range strings.Fields(comment) {
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		for len(word) > 0 {
			r, n := utf8.DecodeRuneInString(word)
			if r == utf8.RuneError && n == 1 {
				fmt.Fprintf(&b, "%%%02X", word[0])
			} else {
				b.WriteString(word[:n])
			}
			word = word[n:]
		}
	}
	c := b.String()
	if len(c) > maxComment {
		c = strings.ToValidUTF8(c[:maxComment], "") + " …"
	}
	return legible.Printable(c)
}

// hashFile returns the content ID of a file's bytes.
func hashFile(file string) (cid.ID, error) {
	f, err := os.Open(file)
	if err != nil {
		return cid.ID{}, err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return cid.ID{}, err
	}
	return cid.FromDigest(cid.Raw, [sha256.Size]byte(h.Sum(nil))), nil
}

// entryFetcher returns the Fetch of an Input that reads one entry of a container.
func entryFetcher(e *container.Entry) func(context.Context) (Body, error) {
	fetch := ContentFetcher(e.Size, e.Open)
	return func(ctx context.Context) (Body, error) {
		got, err := fetch(ctx)
		got.Facts = map[string]string{}
		for key, value := range map[string]string{"container_note": e.Note, "container_time": e.Modified, "container_file_comment": commentText(e.Comment)} {
			if value != "" {
				got.Facts[key] = value
			}
		}
		return got, err
	}
}

// ContentFetcher returns the Fetch of an Input of size bytes that open reads.
func ContentFetcher(size int64, open func() (io.ReadCloser, error)) func(context.Context) (Body, error) {
	return func(context.Context) (Body, error) {
		if size == 0 {
			return Body{}, errEmpty
		}
		r, err := open()
		if err != nil {
			return Body{}, err
		}
		var got Body
		if size > maxRead {
			got.stream = &stream{ReadCloser: r, size: size, checkUnchanged: func(n int64) error {
				if n != size {
					return fmt.Errorf("it has %d bytes, and its container says %d", n, size)
				}
				return nil
			}}
			return got, nil
		}
		defer r.Close()
		got.Data, err = io.ReadAll(io.LimitReader(r, maxRead+1))
		return got, err
	}
}

// Scheme returns the scheme of an argument of Add that is an address and no
// file, in lower case; "" for a path.
func Scheme(s string) string {
	name, rest, ok := strings.Cut(s, "://")
	if !ok || rest == "" || len(name) < 2 || strings.Trim(strings.ToLower(name), "abcdefghijklmnopqrstuvwxyz0123456789+.-") != "" {
		return ""
	}
	if _, err := os.Lstat(s); err == nil {
		return ""
	}
	return strings.ToLower(name)
}

// schemeSkip returns the skip of an address whose scheme is not fetched.
func schemeSkip(arg, scheme string) Skip {
	s := Skip{Path: legible.Printable(arg), Reason: "only http and https addresses are fetched, and this is " + scheme,
		Next: problem.Advise("download it with another program and add the file")}
	if scheme == "file" {
		s.Next = problem.Next(problem.DoAdd, strings.TrimPrefix(arg[len("file://"):], "localhost"))
	}
	return s
}

// webSkip returns the skip of a page that could not be fetched.
func webSkip(arg string, err error) Skip {
	s := Skip{Path: legible.Printable(arg), Reason: err.Error()}
	var e *web.Error
	if !errors.As(err, &e) {
		return s
	}
	if s.Reason = e.Reason; e.URL != "" && e.URL != arg {
		s.Reason = e.Reason + ", at " + e.URL
	}
	switch s.Next = problem.Advise(e.Suggestion()); e.Kind {
	case web.KindAddress:
		s.Next = problem.Next(problem.DoGive, "allow-private", "").With("save the page as a file and add the file, or, where you trust that host")
	case web.KindRobots:
		s.Next = problem.Next(problem.DoGive, "ignore-robots", "REASON").With("save the page as a file and add the file, or state why you may")
	}
	return s
}

// gatherInputs lists the inputs that the arguments of Add name: files, folders, packed folders, web
// addresses and a pipe. Pages are fetched here, one after the other.
func gatherInputs(ctx context.Context, a *archive.Archive, args []string, o AddOptions) (*gatheredInputs, error) {
	g := &gatheredInputs{}
	var sources []SourceInfo
	var paths []string
	var pages []Input
	var skips []Skip
	var piped *Input
	for _, arg := range args {
		if arg == PipePath && o.Piped != nil {
			if piped != nil { // it can be read once
				continue
			}
			in, kept, err := o.Piped.input(ctx)
			if err != nil {
				g.close()
				return nil, err
			}
			piped, g.closers = &in, append(g.closers, kept)
			continue
		}
		switch scheme := Scheme(arg); scheme {
		case "http", "https":
		case "":
			paths = append(paths, arg)
			continue
		default:
			skips = append(skips, schemeSkip(arg, scheme))
			continue
		}
		if err := weburl.CheckAddress(arg, o.Source.KeepQuery); err != nil {
			shown, _, _ := strings.Cut(arg, "?")
			if weburl.CheckAddress(shown, false) != nil {
				shown = Scheme(arg) + "://…"
			}
			skips = append(skips, Skip{Path: legible.Printable(shown), Reason: err.Error(), Next: withoutSecret(err)})
			continue
		}
		if alone, err := registerMetadataOnly(a, arg, o); err != nil || alone != nil {
			if err != nil {
				skips = append(skips, Skip{Path: legible.Printable(arg), Reason: err.Error()})
			} else {
				sources = append(sources, *alone)
			}
			continue
		}
		page, err := fetchPage(ctx, a, arg, o)
		switch {
		case ctx.Err() != nil:
			g.close()
			return nil, problem.InterruptedError()
		case err != nil:
			skips = append(skips, webSkip(arg, err))
		default:
			pages = append(pages, page)
		}
	}
	files, more, left := listFiles(a.Dir(), paths)
	if piped != nil {
		files = append(files, *piped)
	}
	files, inner, closers := unpack(ctx, files, o.Source.KeepQuery)
	g.inputs, g.skips = append(files, pages...), append(append(skips, more...), inner...)
	g.sources, g.closers, g.left = sources, append(closers, g.closers...), left
	return g, nil
}

// fetchPage returns the input of a page that is fetched from its address.
func fetchPage(ctx context.Context, a *archive.Archive, address string, o AddOptions) (Input, error) {
	page, err := web.Fetch(ctx, address, web.Options{Now: a.World().Now, KeepQuery: o.Source.KeepQuery, AllowPrivate: o.AllowPrivate, IgnoreRobots: o.IgnoreRobots})
	if err != nil {
		return Input{}, err
	}
	got := Body{Data: page.Body, MediaType: page.MediaType, Facts: page.Facts(), source: page.Source()}
	return Input{Name: page.Name(), Fetch: func(context.Context) (Body, error) { return got, nil }}, nil
}

// gatheredInputs are the inputs that the arguments of Add name.
type gatheredInputs struct {
	inputs  []Input
	skips   []Skip
	left    []LeftOut
	sources []SourceInfo // registered as records alone
	closers []io.Closer
}

// close releases the containers.
func (g *gatheredInputs) close() {
	for _, c := range g.closers {
		c.Close()
	}
}

// registerMetadataOnly registers a page whose body may not be kept, as the registry or
// the caller says, without fetching it. It returns nil for any other page.
func registerMetadataOnly(a *archive.Archive, url string, o AddOptions) (*SourceInfo, error) {
	layer := o.Source
	layer.From = sourcemeta.CommandLine
	layer.Values.URL = url
	policy := layer.Values.PaywallPolicy
	if o.Registry != nil {
		l, ok, err := o.Registry.Layer(layer)
		if err != nil {
			return nil, err
		}
		if ok && l.Values.PaywallPolicy != "" {
			policy = l.Values.PaywallPolicy
		}
	}
	if policy != record.PaywallMetadataOnly {
		return nil, nil
	}
	if o.DryRun {
		return &SourceInfo{Kind: record.PaywallMetadataOnly, Name: url}, nil
	}
	return AddSource(a, layer, o.Registry)
}
