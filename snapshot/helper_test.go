package snapshot

import (
	"crypto/ed25519"
	"encoding/hex"
	"strings"
	"testing"
	"time"

	"muniment/canon"
	"muniment/cid"
	"muniment/objects"
	"muniment/sign"
	"muniment/snapshot/layout"
	"muniment/snapshot/record"
)

// A testSigner is an Ed25519 key made from a seed of one repeated byte, so
// that what it signs is the same in every run.
type testSigner struct{ private ed25519.PrivateKey }

func newSigner(b byte) testSigner {
	return testSigner{ed25519.NewKeyFromSeed([]byte(strings.Repeat(string(rune(b)), ed25519.SeedSize)))}
}

func (s testSigner) Key() sign.Key {
	k, err := sign.KeyOf([32]byte(s.private.Public().(ed25519.PublicKey)))
	if err != nil {
		panic(err)
	}
	return k
}

func (s testSigner) SignSSH(data []byte) ([]byte, error) {
	sig := ed25519.Sign(s.private, data)
	blob := append([]byte{0, 0, 0, 11}, "ssh-ed25519\x00\x00\x00\x40"...)
	return append(blob, sig...), nil
}

// signed returns the commit of payload signed by s, whatever payload is.
func signed(s sign.Signer, payload []byte) []byte {
	armored, err := sign.Sign(s, sign.NamespaceGit, payload)
	if err != nil {
		panic(err)
	}
	return attach(payload, armored)
}

var (
	alice = newSigner('a')
	noon  = time.Unix(1714564800, 0).UTC()

	// archiveJSON is the identity of the archive of every test.
	archiveJSON = must(record.Archive{FormatVersion: 1, Name: "Vale Papers", Random: strings.Repeat("0f", 32), ObjectFormat: "sha1"}.Encode())
	archiveID   = cid.OfJSON(archiveJSON)
)

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// files returns what an archive of one letter holds, by path.
func letter(text, name string) map[string][]byte {
	payload := canon.Text([]byte(text))
	id, original := cid.Of(payload), cid.Of([]byte(text))
	d := canon.NewDocument(payload)
	p, l := d.Root('p'), d.Root('l')
	rec := record.Record{
		Artifact: id.String(), Original: original.String(), Names: []string{name}, MediaType: "text/plain",
		Canonicalizer: canon.TextForm, Unicode: canon.UnicodeVersion, Charset: "utf-8", Size: int64(len(payload)),
		PCount: int64(len(d.Units('p'))), PRoot: hex.EncodeToString(p[:]),
		LCount: int64(len(d.Units('l'))), LRoot: hex.EncodeToString(l[:]),
		Time: "2024-05-01T11:59:00Z", Agent: "Ada Vale",
	}
	data := must(rec.Encode())
	out := map[string][]byte{
		layout.ArtifactPath(id):                 payload,
		layout.RecordPath(id, cid.OfJSON(data)): data,
		layout.PathArchive:                      archiveJSON,
		layout.PathReadme:                       []byte(layout.Readme),
		layout.PathAttributes:                   []byte(layout.Attributes),
	}
	if original != id {
		out[layout.OriginalPath(original)] = []byte(text)
	}
	return out
}

// A chain is an archive on disk that grows by snapshots.
type chain struct {
	t     testing.TB
	dir   string
	store *objects.Store
	tip   objects.Hash
	all   []*Snapshot
	by    sign.Signer // alice when nil
}

func newChain(t testing.TB) *chain {
	t.Helper()
	dir := t.TempDir() + "/archive.git"
	st, err := objects.InitWith(dir, objects.Hooks{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	return &chain{t: t, dir: dir, store: st}
}

// add signs a snapshot with files put in and, where the content is nil, taken
// out. change, which may be nil, spoils the draft first.
func (c *chain) add(files map[string][]byte, change func(*Draft)) *Snapshot {
	c.t.Helper()
	lock, err := c.store.Lock(objects.Owner{PID: 1, Host: "test", Start: noon}, time.Second)
	if err != nil {
		c.t.Fatal(err)
	}
	defer lock.Unlock()
	b := must(c.store.NewBatch())
	defer b.Abort()
	var base objects.Hash
	d := Draft{Author: Author{"Ada Vale", "ada@example.org"}, Text: "letters", Archive: archiveID, Seq: 1}
	if n := len(c.all); n > 0 {
		last := c.all[n-1]
		base, d.Seq, d.Prev, d.Parents = last.Tree, last.Seq+1, last.ID, []objects.Hash{c.tip}
	}
	d.Time = noon.Add(time.Duration(d.Seq) * time.Minute)
	var edits []objects.Edit
	for path, data := range files {
		e := objects.Edit{Path: path}
		if data != nil {
			e.Blob = must(b.Put(objects.Blob, data))
		}
		edits = append(edits, e)
	}
	d.Tree = must(b.Edit(base, edits))
	tree := must(NewTree(must(Lines(c.store, d.Tree, b))))
	d.Root, d.Entries = tree.Root(), tree.Entries()
	if change != nil {
		change(&d)
	}
	by := c.by
	if by == nil {
		by = alice
	}
	content := signed(by, must(d.Payload()))
	commit := must(b.Put(objects.Commit, content))
	if err := b.Publish(lock, objects.RefUpdate{Name: "refs/heads/main", Old: c.tip, New: commit}); err != nil {
		c.t.Fatal(err)
	}
	s, err := Parse(content)
	if err != nil {
		c.t.Fatal(err)
	}
	c.tip, c.all = commit, append(c.all, s)
	return s
}

// back goes to an earlier snapshot, so that the next one makes a fork.
func (c *chain) back(to *Snapshot, by sign.Signer) {
	c.t.Helper()
	ours := c.tip
	c.tip, c.by = objects.Sum(objects.Commit, to.Content), by
	for i, s := range c.all {
		if s == to {
			c.all = c.all[: i+1 : i+1]
			break
		}
	}
	lock := must(c.store.Lock(objects.Owner{PID: 1, Host: "test", Start: noon}, time.Second))
	defer lock.Unlock()
	b := must(c.store.NewBatch())
	defer b.Abort()
	if err := b.Publish(lock, objects.RefUpdate{Name: "refs/heads/main", Old: ours, New: c.tip}); err != nil {
		c.t.Fatal(err)
	}
}

// to makes a snapshot that was made before the newest one.
func (c *chain) to(s *Snapshot) {
	c.t.Helper()
	lock := must(c.store.Lock(objects.Owner{PID: 1, Host: "test", Start: noon}, time.Second))
	defer lock.Unlock()
	b := must(c.store.NewBatch())
	defer b.Abort()
	old := c.tip
	c.tip, c.all = objects.Sum(objects.Commit, s.Content), []*Snapshot{s}
	if err := b.Publish(lock, objects.RefUpdate{Name: "refs/heads/main", Old: old, New: c.tip}); err != nil {
		c.t.Fatal(err)
	}
}

// join signs the union of the newest snapshot and other, with more files.
func (c *chain) join(other *Snapshot, files map[string][]byte, change func(*Draft)) *Snapshot {
	c.t.Helper()
	head := c.all[len(c.all)-1]
	edits := map[string][]byte{}
	for _, m := range must(Union(c.store, head.Tree, other.Tree)) {
		edits[m.Path] = m.Data
		if m.Data == nil && !m.Blob.IsZero() {
			edits[m.Path] = must(getBlob(c.store, m.Blob))
		}
	}
	for path, data := range files {
		edits[path] = data
	}
	return c.add(edits, func(d *Draft) {
		d.Parents = []objects.Hash{c.tip, objects.Sum(objects.Commit, other.Content)}
		d.Join, d.Seq = other.ID, max(head.Seq, other.Seq)+1
		if change != nil {
			change(d)
		}
	})
}

func (c *chain) get(h objects.Hash) ([]byte, error) {
	_, data, err := c.store.Get(h)
	return data, err
}

func allowedSigners(s sign.Signer) *sign.AllowedSigners {
	return must(sign.ParseAllowedSigners([]byte(`ada namespaces="git" ` + s.Key().Authorized() + "\n")))
}
