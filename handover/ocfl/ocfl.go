// Package ocfl reads and writes objects of the Oxford Common File Layout, version
// 1.1; objects of 1.0 are read too.
//
//	objects, err := ocfl.Open(ctx, "store")
//	for _, o := range objects { for _, f := range o.Files { ... f.Path, f.Open } }
//
//	inventory := ocfl.NewInventory(version, files)
//
// A storage root is a folder with the file 0=ocfl_1.1 and objects in folders below
// it. An object is a folder with
//
//	0=ocfl_object_1.1          the declaration
//	inventory.json             which content each version has, by digest
//	inventory.json.sha512      the digest of the inventory
//	v1/content/…               the files that version 1 brought
//	v1/inventory.json          the inventory as it was with version 1
//
// Open validates an object by sections 3.1 to 3.5 of the specification before it
// returns any file: declaration, digest and structure of the inventory, the
// sequence of versions, and every byte of content against the manifest. Whatever
// lies in the object's folder and should not is an error. The content of the head
// version is returned; older versions are validated.
package ocfl

import (
	"bytes"
	"context"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// The names of the files that the layout defines, and what the declarations hold.
const (
	RootDeclaration   = "0=ocfl_1.1"
	ObjectDeclaration = "0=ocfl_object_1.1"
	InventoryFile     = "inventory.json"
	SidecarFile       = InventoryFile + ".sha512"

	declarationPrefix = "0=ocfl_object_"
	typePrefix        = "https://ocfl.io/1."
	typeSuffix        = "/spec/#inventory"
	contentFolder     = "content"
)

// maxInventory is the most bytes of an inventory, which is read whole: a million
// files of some 500 bytes each.
const maxInventory = 512 << 20

// ErrFormat reports that a folder is neither a storage root nor an object.
var ErrFormat = errors.New("neither a storage root nor an object of OCFL 1.0 or 1.1")

// An Inventory says which content an object has.
type Inventory struct {
	ID               string              `json:"id"`
	Type             string              `json:"type"`
	DigestAlgorithm  string              `json:"digestAlgorithm"`
	Head             string              `json:"head"`
	ContentDirectory string              `json:"contentDirectory,omitempty"`
	Manifest         map[string][]string `json:"manifest"`
	Versions         map[string]Version  `json:"versions"`
	Fixity           map[string]Fixity   `json:"fixity,omitempty"`
}

// A Fixity is a list of paths by another digest than the manifest's.
type Fixity map[string][]string

// A Version is one state of an object: logical paths by the digest of their bytes.
type Version struct {
	Created string              `json:"created"` // RFC 3339
	State   map[string][]string `json:"state"`
	Message string              `json:"message,omitempty"`
	User    *User               `json:"user,omitempty"`
}

// A User is who made a version.
type User struct {
	Name    string `json:"name"`
	Address string `json:"address,omitempty"`
}

// An Object is a valid object with the files of its head version.
type Object struct {
	Inventory
	Files []File // by path

	// Beside are the inventory, and the files of older versions whose bytes the head version
	// has no more, each as the last version that had it: VERSION/PATH.
	Beside []File
}

// A File is a file of an object.
type File struct {
	Path    string // logical
	Size    int64
	content string // in the file system
}

// Open opens the file's content.
func (f File) Open() (io.ReadCloser, error) { return os.Open(f.content) }

// Encode returns the bytes of inventory.json and of its sidecar.
func (v *Inventory) Encode() (inventory, sidecar []byte, err error) {
	inventory, err = json.MarshalIndent(v, "", "  ")
	if err != nil {
		return nil, nil, err
	}
	inventory = append(inventory, '\n')
	sum := sha512.Sum512(inventory)
	return inventory, fmt.Appendf(nil, "%x %s\n", sum, InventoryFile), nil
}

// NewInventory returns the inventory of an object of one version, whose content is
// added with Add.
func NewInventory(id string, v Version) *Inventory {
	v.State = map[string][]string{}
	return &Inventory{ID: id, Type: typePrefix + "1" + typeSuffix, DigestAlgorithm: "sha512", Head: "v1",
		Manifest: map[string][]string{}, Versions: map[string]Version{"v1": v}, Fixity: map[string]Fixity{"sha256": {}}}
}

// ContentPath returns where the content of a logical path lies in a new object.
func ContentPath(logical string) string { return "v1/" + contentFolder + "/" + logical }

// Add adds a file that lies at its ContentPath, with its digests in hex.
func (v *Inventory) Add(logical, sha512, sha256 string) {
	if v.Versions["v1"].State == nil {
		*v = *NewInventory(v.ID, v.Versions["v1"])
	}
	state := v.Versions["v1"].State
	state[sha512] = append(state[sha512], logical)
	v.Manifest[sha512] = append(v.Manifest[sha512], ContentPath(logical))
	v.Fixity["sha256"][sha256] = append(v.Fixity["sha256"][sha256], ContentPath(logical))
}

// Open validates every object of the storage root in dir, or the object in dir, and
// returns them in the order of their folders. An error names the folder and what is
// wrong in it.
func Open(ctx context.Context, dir string) ([]*Object, error) {
	if isObject(dir) {
		o, err := openObject(ctx, dir)
		return []*Object{o}, err
	}
	if found, err := filepath.Glob(filepath.Join(dir, "0=ocfl_1.*")); err != nil || len(found) != 1 {
		return nil, ErrFormat
	}
	var out []*Object
	err := filepath.WalkDir(dir, func(at string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		if at == filepath.Join(dir, "extensions") {
			return fs.SkipDir
		}
		if !isObject(at) {
			return nil
		}
		o, err := openObject(ctx, at)
		if err != nil {
			rel, _ := filepath.Rel(dir, at)
			return fmt.Errorf("object %s: %w", rel, err)
		}
		out = append(out, o)
		return fs.SkipDir
	})
	return out, err
}

// isObject reports whether a folder has the declaration of an object.
func isObject(dir string) bool {
	found, err := filepath.Glob(filepath.Join(dir, declarationPrefix+"*"))
	return err == nil && len(found) > 0
}

// openObject validates one object.
func openObject(ctx context.Context, dir string) (*Object, error) {
	version, err := readDeclaration(dir)
	if err != nil {
		return nil, err
	}
	inventory, raw, err := readInventory(dir)
	if err != nil {
		return nil, err
	}
	if inventory.Type != typePrefix+version+typeSuffix {
		return nil, fmt.Errorf("the inventory is of type %q, the declaration of 1.%s", inventory.Type, version)
	}
	if err := inventory.check(); err != nil {
		return nil, fmt.Errorf("inventory: %w", err)
	}
	if head, err := os.ReadFile(filepath.Join(dir, inventory.Head, InventoryFile)); err == nil && !bytes.Equal(head, raw) {
		return nil, fmt.Errorf("the inventory of %s differs from the object's", inventory.Head)
	}
	sizes, err := inventory.checkContent(ctx, dir)
	if err != nil {
		return nil, err
	}
	o := &Object{Inventory: *inventory}
	for digest, logical := range inventory.Versions[inventory.Head].State {
		content := inventory.Manifest[digest][0]
		for _, p := range logical {
			o.Files = append(o.Files, File{Path: p, Size: sizes[content], content: filepath.Join(dir, filepath.FromSlash(content))})
		}
	}
	slices.SortFunc(o.Files, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	o.Beside = []File{{Path: InventoryFile, Size: int64(len(raw)), content: filepath.Join(dir, InventoryFile)}}
	last, _ := versionNumber(inventory.Head)
	seen := map[string]bool{}
	for digest := range inventory.Versions[inventory.Head].State {
		seen[strings.ToLower(digest)] = true
	}
	for n := last - 1; n > 0; n-- {
		for name, v := range inventory.Versions {
			if at, _ := versionNumber(name); at != n {
				continue
			}
			for _, digest := range slices.Sorted(maps.Keys(v.State)) {
				if key := strings.ToLower(digest); !seen[key] {
					seen[key] = true
					content := inventory.Manifest[digest][0]
					o.Beside = append(o.Beside, File{Path: name + "/" + slices.Min(v.State[digest]), Size: sizes[content], content: filepath.Join(dir, filepath.FromSlash(content))})
				}
			}
		}
	}
	return o, nil
}

// versionNumber returns the number of a version by its name, which may be padded.
func versionNumber(name string) (int, error) { return strconv.Atoi(strings.TrimPrefix(name, "v")) }

// readDeclaration returns the last number of the version that an object declares.
func readDeclaration(dir string) (version string, err error) {
	for _, v := range []string{"0", "1"} {
		data, err := os.ReadFile(filepath.Join(dir, declarationPrefix+"1."+v))
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return "", err
		case version != "":
			return "", errors.New("two declarations")
		case string(data) != "ocfl_object_1."+v+"\n":
			return "", fmt.Errorf("the declaration holds %.40q", data)
		default:
			version = v
		}
	}
	if version == "" {
		return "", errors.New("its declaration is of another version than 1.0 and 1.1")
	}
	return version, nil
}

// readInventory reads the inventory in dir and compares it with its sidecar.
func readInventory(dir string) (*Inventory, []byte, error) {
	f, err := os.Open(filepath.Join(dir, InventoryFile))
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxInventory+1))
	if err != nil {
		return nil, nil, err
	}
	if len(data) > maxInventory {
		return nil, nil, fmt.Errorf("the inventory has more than %d bytes", maxInventory)
	}
	var v Inventory
	if err := json.Unmarshal(data, &v); err != nil {
		return nil, nil, fmt.Errorf("inventory: %w", err)
	}
	h, ok := newHash(v.DigestAlgorithm)
	if !ok {
		return nil, nil, fmt.Errorf("inventory: digestAlgorithm %q, want sha512 or sha256", v.DigestAlgorithm)
	}
	h.Write(data)
	sidecar, err := os.ReadFile(filepath.Join(dir, InventoryFile+"."+v.DigestAlgorithm))
	if err != nil {
		return nil, nil, err
	}
	fields := strings.Fields(string(sidecar))
	if len(fields) != 2 || fields[1] != InventoryFile {
		return nil, nil, fmt.Errorf("the sidecar of the inventory holds %.80q", sidecar)
	}
	if !strings.EqualFold(fields[0], hex.EncodeToString(h.Sum(nil))) {
		return nil, nil, errors.New("the inventory does not have the digest of its sidecar")
	}
	return &v, data, nil
}

// newHash returns the hash of an algorithm that an inventory may use.
func newHash(algorithm string) (hash.Hash, bool) {
	switch algorithm {
	case "sha512":
		return sha512.New(), true
	case "sha256":
		return sha256.New(), true
	}
	return nil, false
}

// contentDirectory returns the folder of content within a version.
func (v *Inventory) contentDirectory() string {
	if v.ContentDirectory == "" {
		return contentFolder
	}
	return v.ContentDirectory
}

// check checks the structure of an inventory (section 3.5).
func (v *Inventory) check() error {
	switch n := len(v.Versions); {
	case v.ID == "":
		return errors.New("id is missing")
	case n == 0:
		return errors.New("versions is missing")
	case strings.Contains(v.ContentDirectory, "/") || v.ContentDirectory == "." || v.ContentDirectory == "..":
		return fmt.Errorf("contentDirectory %q", v.ContentDirectory)
	}
	if err := v.checkVersions(); err != nil {
		return err
	}
	used := map[string]bool{}
	for name, version := range v.Versions {
		if version.Created == "" {
			return fmt.Errorf("%s: created is missing", name)
		}
		if version.State == nil {
			return fmt.Errorf("%s: state is missing", name)
		}
		if err := checkPaths(version.State); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		for digest := range version.State {
			if used[digest] = true; len(v.Manifest[digest]) == 0 {
				return fmt.Errorf("%s: digest %.16s… is not in the manifest", name, digest)
			}
		}
	}
	if err := checkPaths(v.Manifest); err != nil {
		return fmt.Errorf("manifest: %w", err)
	}
	for digest, paths := range v.Manifest {
		if !used[digest] {
			return fmt.Errorf("manifest: %s is in no version", paths[0])
		}
		for _, p := range paths {
			if parts := strings.SplitN(p, "/", 3); len(parts) < 3 || parts[1] != v.contentDirectory() {
				return fmt.Errorf("manifest: %q is no content path", p)
			} else if _, ok := v.Versions[parts[0]]; !ok {
				return fmt.Errorf("manifest: %q is in a version that is not there", p)
			}
		}
	}
	return nil
}

// checkVersions requires the sequence v1, v2 … without gaps, all padded alike, and
// that head is the last.
func (v *Inventory) checkVersions() error {
	width := len(v.Head) - 1
	padded := strings.HasPrefix(v.Head, "v0")
	for i := 1; i <= len(v.Versions); i++ {
		name := "v" + strconv.Itoa(i)
		if padded {
			name = fmt.Sprintf("v%0*d", width, i)
		}
		if _, ok := v.Versions[name]; !ok {
			return fmt.Errorf("version %s is missing", name)
		}
		if i == len(v.Versions) && name != v.Head {
			return fmt.Errorf("head is %q, want %q", v.Head, name)
		}
	}
	return nil
}

// checkPaths requires clean relative paths, none twice and none that is a folder of
// another.
func checkPaths(byDigest map[string][]string) error {
	seen := map[string]bool{}
	for _, paths := range byDigest {
		if len(paths) == 0 {
			return errors.New("a digest without paths")
		}
		for _, p := range paths {
			if !fs.ValidPath(p) || p == "." {
				return fmt.Errorf("path %q", p)
			}
			if seen[p] {
				return fmt.Errorf("path %q twice", p)
			}
			seen[p] = true
		}
	}
	for p := range seen {
		for dir := path.Dir(p); dir != "."; dir = path.Dir(dir) {
			if seen[dir] {
				return fmt.Errorf("%q is a file and a folder", dir)
			}
		}
	}
	return nil
}

// checkContent hashes every content file and requires that the folder of the object
// holds nothing else. It returns the sizes by content path.
func (v *Inventory) checkContent(ctx context.Context, dir string) (map[string]int64, error) {
	want := map[string]string{}
	for digest, paths := range v.Manifest {
		for _, p := range paths {
			want[p] = strings.ToLower(digest)
		}
	}
	sizes := map[string]int64{}
	err := filepath.WalkDir(dir, func(at string, d fs.DirEntry, err error) error {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, at)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		if d.IsDir() {
			if rel == "extensions" || rel == "logs" {
				return fs.SkipDir
			}
			return nil
		}
		if !d.Type().IsRegular() {
			return fmt.Errorf("%s is no regular file", rel)
		}
		digest, listed := want[rel]
		if !listed {
			return v.checkOwnFile(rel)
		}
		h, _ := newHash(v.DigestAlgorithm)
		f, err := os.Open(at)
		if err != nil {
			return err
		}
		defer f.Close()
		if sizes[rel], err = io.Copy(h, f); err != nil {
			return err
		}
		if hex.EncodeToString(h.Sum(nil)) != digest {
			return fmt.Errorf("%s does not have the digest of the manifest", rel)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for p := range want {
		if _, ok := sizes[p]; !ok {
			return nil, fmt.Errorf("%s is missing", p)
		}
	}
	return sizes, nil
}

// checkOwnFile requires that a file that is no content is one that the layout
// defines.
func (v *Inventory) checkOwnFile(rel string) error {
	dir, base := path.Split(rel)
	_, isVersion := v.Versions[strings.TrimSuffix(dir, "/")]
	own := strings.HasPrefix(base, InventoryFile) && (dir == "" || isVersion) || dir == "" && strings.HasPrefix(base, declarationPrefix)
	if !own {
		return fmt.Errorf("%s is not in the manifest", rel)
	}
	return nil
}
