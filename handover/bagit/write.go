package bagit

import (
	"cmp"
	"context"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"muniment/accession/container"
)

// A Payload is one file to go into a bag.
type Payload struct {
	// Name is the path below data/: relative, slash separated, UTF-8. Names
	// with other bytes go through record.EncodeName first.
	Name string
	Open func() (io.ReadCloser, error)
}

// Options of Write. The zero value but for Now makes a plain bag.
type Options struct {
	Info  []Field   // of bag-info.txt, in this order, before those that Write adds
	Now   time.Time // for Bagging-Date, in UTC
	Agent string    // Bag-Software-Agent; "Muniment" if empty
	Tags  []Payload // other tag files; Name is the path in the bag, outside data/
}

// Written counts the output of Write.
type Written struct {
	Octets   int64    `json:"octets"`  // of all payload files
	Streams  int      `json:"streams"` // payload files
	Warnings []string `json:"warnings"`
}

// A bagFile is a file that was written into the bag.
type bagFile struct {
	path           string
	sha256, sha512 string
}

// Write makes a bag of the payloads in the new folder dir. Payload bytes are
// kept as they are, and so are names; what another system could not hold (names
// that differ only in case, characters Windows reserves), and what sha256sum does
// not find by the manifest's name, is in Warnings. Names
// that are unsafe, repeat, or differ only in Unicode normalization are refused.
//
// The bag is made in a folder beside dir, named ".BASE.*.part", which is removed
// on any error; dir appears when everything in it is synced.
func Write(ctx context.Context, dir string, payloads iter.Seq2[Payload, error], o Options) (*Written, error) {
	b := &bagWriter{ctx: ctx, names: &names{nfc: map[string]string{}, fold: map[string]string{}, folders: map[string]bool{}}, written: &Written{Warnings: []string{}}}
	err := MakeFolder(dir, func(root *os.Root) error {
		b.root = root
		if err := b.fill(payloads, o); err != nil {
			return err
		}
		return b.sync()
	})
	if err != nil {
		return nil, err
	}
	return b.written, nil
}

// MakeFolder makes the folder dir with what fill writes and syncs in root, and syncs its folders. There must be
// none of that name; on any error but one of the last sync there is none then.
func MakeFolder(dir string, fill func(root *os.Root) error) (err error) {
	if _, err := os.Lstat(dir); err == nil {
		return fmt.Errorf("%s: %w", dir, fs.ErrExist)
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	parent, base := filepath.Split(filepath.Clean(dir))
	parent = cmp.Or(parent, ".")
	temp, err := os.MkdirTemp(parent, "."+base+".*.part")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(temp))
		}
	}()
	if err := os.Chmod(temp, 0o755); err != nil {
		return err
	}
	root, err := os.OpenRoot(temp)
	if err != nil {
		return err
	}
	defer root.Close()
	err = fill(root)
	if err == nil {
		err = fs.WalkDir(root.FS(), ".", func(path string, d fs.DirEntry, err error) error {
			if err != nil || !d.IsDir() {
				return err
			}
			return syncIn(root, path)
		})
	}
	if err != nil {
		return err
	}
	if err := os.Rename(temp, dir); err != nil {
		return err
	}
	f, err := os.Open(parent)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// A bagWriter writes one bag.
type bagWriter struct {
	ctx     context.Context
	root    *os.Root
	names   *names
	paths   []string // files, to be synced
	written *Written
}

// fill writes every file of the bag.
func (b *bagWriter) fill(payloads iter.Seq2[Payload, error], o Options) error {
	if err := b.mkdir("data"); err != nil {
		return err
	}
	var files, tags []bagFile
	for p, err := range payloads {
		if err != nil {
			return err
		}
		f, n, err := b.copy(payloadFolder, p)
		if err != nil {
			return err
		}
		files = append(files, f)
		b.written.Octets += n
		b.written.Streams++
	}
	if len(files) == 0 {
		return errors.New("no payload: there is nothing to put into the bag")
	}
	for _, p := range o.Tags {
		if reason := reservedReason(p.Name); reason != "" {
			return fmt.Errorf("tag file %q: %s", p.Name, reason)
		}
		f, _, err := b.copy("", p)
		if err != nil {
			return err
		}
		tags = append(tags, f)
	}
	info, err := b.info(o)
	if err != nil {
		return err
	}
	for _, own := range []struct {
		name string
		data []byte
	}{
		{declarationFile, []byte("BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n")},
		{infoFile, info},
		{"manifest-sha256.txt", formatManifest(files, func(a bagFile) string { return a.sha256 })},
		{"manifest-sha512.txt", formatManifest(files, func(a bagFile) string { return a.sha512 })},
	} {
		f, err := b.put(own.name, own.data)
		if err != nil {
			return err
		}
		tags = append(tags, f)
	}
	if _, err := b.put("tagmanifest-sha256.txt", formatManifest(tags, func(a bagFile) string { return a.sha256 })); err != nil {
		return err
	}
	_, err = b.put("tagmanifest-sha512.txt", formatManifest(tags, func(a bagFile) string { return a.sha512 }))
	b.written.Warnings = append(b.written.Warnings, b.names.warnings...)
	return err
}

// info returns bag-info.txt.
func (b *bagWriter) info(o Options) ([]byte, error) {
	if o.Now.IsZero() {
		return nil, errors.New("bag-info: no time given for Bagging-Date")
	}
	own := []Field{
		{"Bagging-Date", o.Now.UTC().Format(time.DateOnly)},
		{"Bag-Software-Agent", cmp.Or(o.Agent, "Muniment")},
		{"Payload-Oxum", formatOxum(b.written.Octets, b.written.Streams)},
	}
	for _, f := range o.Info {
		for _, w := range own {
			if strings.EqualFold(f.Label, w.Label) {
				return nil, fmt.Errorf("bag-info %q is set by the writer", f.Label)
			}
		}
	}
	return formatInfo(append(slices.Clone(o.Info), own...))
}

// formatManifest returns a manifest sorted by path, in the form that sha256sum
// and sha512sum check, too.
func formatManifest(files []bagFile, sum func(bagFile) string) []byte {
	var b strings.Builder
	for _, f := range slices.SortedFunc(slices.Values(files), func(a, b bagFile) int { return strings.Compare(a.path, b.path) }) {
		b.WriteString(sum(f) + "  " + encodePath(f.path) + "\n")
	}
	return []byte(b.String())
}

// reservedReason returns why a tag file may not have this name, or "".
func reservedReason(name string) string {
	lower := strings.ToLower(name)
	switch {
	case lower == "data" || strings.HasPrefix(lower, payloadFolder):
		return "the payload lies there"
	case lower == declarationFile, lower == infoFile, lower == fetchFile, manifestName.MatchString(lower):
		return "the name is reserved by BagIt"
	}
	return ""
}

// copy writes one file, below prefix.
func (b *bagWriter) copy(prefix string, p Payload) (a bagFile, n int64, err error) {
	if err := b.names.add(prefix, p.Name); err != nil {
		return bagFile{}, 0, err
	}
	in, err := p.Open()
	if err != nil {
		return bagFile{}, 0, fmt.Errorf("%q: %w", p.Name, err)
	}
	defer in.Close()
	a.path = prefix + p.Name
	if i := strings.LastIndexByte(a.path, '/'); i >= 0 {
		if err := b.mkdir(a.path[:i]); err != nil {
			return bagFile{}, 0, err
		}
	}
	out, err := b.root.OpenFile(a.path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return bagFile{}, 0, fmt.Errorf("%q: this file system takes another file's name for it", p.Name)
	}
	if err != nil {
		return bagFile{}, 0, err
	}
	h256, h512 := sha256.New(), sha512.New()
	n, err = io.Copy(io.MultiWriter(out, h256, h512), &contextReader{b.ctx, in})
	if err = errors.Join(err, out.Close()); err != nil {
		return bagFile{}, 0, fmt.Errorf("%q: %w", p.Name, err)
	}
	b.paths = append(b.paths, a.path)
	a.sha256, a.sha512 = hex.EncodeToString(h256.Sum(nil)), hex.EncodeToString(h512.Sum(nil))
	return a, n, nil
}

// put writes one of the files that BagIt defines.
func (b *bagWriter) put(name string, data []byte) (bagFile, error) {
	a, _, err := b.copy("", Payload{Name: name, Open: func() (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader(string(data))), nil
	}})
	return a, err
}

// mkdir makes a folder and those above it.
func (b *bagWriter) mkdir(path string) error {
	if b.names.folders[path] {
		return nil
	}
	if err := b.root.MkdirAll(path, 0o755); err != nil {
		return err
	}
	b.names.folders[path] = true
	return nil
}

// syncers is how many goroutines sync files at a time, so that the disk commits many
// together.
const syncers = 16

// sync brings every file to the disk.
func (b *bagWriter) sync() error {
	paths := make(chan string)
	errs := make(chan error, syncers)
	for range syncers {
		go func() {
			var failed error
			for p := range paths {
				if failed == nil {
					failed = syncIn(b.root, p)
				}
			}
			errs <- failed
		}()
	}
	for _, p := range b.paths {
		if b.ctx.Err() != nil {
			break
		}
		paths <- p
	}
	close(paths)
	err := b.ctx.Err()
	for range syncers {
		err = errors.Join(err, <-errs)
	}
	return err
}

// syncIn syncs a file or folder below root.
func syncIn(root *os.Root, path string) error {
	f, err := root.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// names are the file names of a bag that is being written.
type names struct {
	nfc, fold map[string]string
	folders   map[string]bool
	warnings  []string
}

// add adds a name, or returns an error when it cannot be in a bag.
func (n *names) add(prefix, name string) error {
	clean, reason := container.CheckName(name)
	switch {
	case reason != "":
		return fmt.Errorf("%q: %s", name, reason)
	case clean != name:
		return fmt.Errorf("%q: want %q", name, clean)
	case !utf8.ValidString(name):
		return fmt.Errorf("%q: the name is not UTF-8", name)
	case prefix == "" && name[0] == '~':
		return fmt.Errorf("%q: a tag file's name begins with ~, which readers refuse", name)
	}
	path := prefix + name
	nfc := container.NFC(path)
	if other, ok := n.nfc[nfc]; ok && other == path {
		return fmt.Errorf("%q twice", name)
	} else if ok {
		return fmt.Errorf("%q differs from %q only in Unicode normalization", path, other)
	}
	n.nfc[nfc] = path
	fold := container.Fold(path)
	if other, ok := n.fold[fold]; ok {
		n.warnings = append(n.warnings, fmt.Sprintf("%q differs from %q only in case: Windows and macOS keep one of them", path, other))
	}
	n.fold[fold] = path
	if strings.ContainsAny(path, "%\r\n") {
		n.warnings = append(n.warnings, fmt.Sprintf("%q is percent-encoded in the manifests, as RFC 8493 wants it: sha256sum -c does not find it", path))
	}
	if why := windowsReason(name); why != "" {
		n.warnings = append(n.warnings, fmt.Sprintf("%q cannot be unpacked on Windows: %s", path, why))
	}
	return nil
}

// windowsReason returns why Windows cannot hold a path (RFC 8493 section 6.1.2),
// or "".
func windowsReason(path string) string {
	for part := range strings.SplitSeq(path, "/") {
		stem, _, _ := strings.Cut(strings.ToUpper(part), ".")
		device := strings.TrimRight(stem, "123456789")
		switch {
		case strings.ContainsAny(part, `<>:"|?*`):
			return `one of < > : " | ? *`
		case strings.ContainsFunc(part, func(r rune) bool { return r < ' ' }):
			return "a control character"
		case strings.HasSuffix(part, ".") || strings.HasSuffix(part, " "):
			return "a part ends with a dot or a space"
		case slices.Contains([]string{"CON", "PRN", "AUX", "NUL"}, stem), len(stem) == 4 && (device == "COM" || device == "LPT"):
			return fmt.Sprintf("%s names a device", stem)
		}
	}
	return ""
}
