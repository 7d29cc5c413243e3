package certificate

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"path"
	"regexp"
	"slices"
	"strings"

	"muniment/archive"
	"muniment/archive/holdings"
	"muniment/archive/problem"
	"muniment/audit"
	"muniment/bundle"
	"muniment/bundle/bundlefile"
	"muniment/bundle/display"
	"muniment/cid"
	"muniment/history"
	"muniment/sign"
	"muniment/snapshot"
	"muniment/snapshot/layout"
	"muniment/text/legible"
	"muniment/verifiers"
)

// A folder is a certificate that is being written.
type folder struct {
	ctx    context.Context
	c      *Certificate
	a      *archive.Archive
	o      Options
	keys   []signKey
	notes  [][]byte // signed checkpoints of the answers
	create func(name string) (file, error)
	sums   strings.Builder
}

// A signKey is a key that signed something here.
type signKey struct {
	key        sign.Key
	what       string
	namespaces []string // that it signed under
}

// A file is a file that is being written.
type file interface {
	io.Writer
	Sync() error
	Close() error
}

// A zipEntry is a file in a zip.
type zipEntry struct{ io.Writer }

func (zipEntry) Sync() error  { return nil }
func (zipEntry) Close() error { return nil }

// fill writes every file; the page and its twin in JSON are the last ones.
func (f *folder) fill() error {
	arts, err := f.resolve()
	if err != nil {
		return err
	}
	tree, err := f.a.OpenTree(f.c.head)
	if err != nil {
		return err
	}
	for i, art := range arts {
		p, err := f.describe(art, i+1)
		if err != nil {
			return err
		}
		f.c.Papers = append(f.c.Papers, p)
		if err := f.writePaper(art, p, tree); err != nil {
			return err
		}
	}
	for i, from := range f.o.Answers {
		if err := f.writeAnswer(from, i+1); err != nil {
			return err
		}
	}
	if err := f.writeTimes(); err != nil {
		return err
	}
	f.c.NotChecked = f.limits()
	var keys strings.Builder
	for _, k := range f.keys {
		fmt.Fprintf(&keys, "# signed %s: %s\n%s", k.what, k.key.Fingerprint(), history.TrustLine(k.key, "muniment", k.namespaces...))
	}
	recipe, err := f.recipe()
	if err != nil {
		return err
	}
	for _, one := range []struct {
		name string
		data []byte
	}{{"snapshot.txt", f.c.head.Payload}, {"snapshot.sig", f.c.head.Armored}, {"claimed_signers", []byte(keys.String())},
		{"verify.html", verifiers.Page}, {"README.txt", recipe}} {
		if err := f.put(one.name, bytes.NewReader(one.data)); err != nil {
			return err
		}
	}
	page, err := f.c.Page()
	if err != nil {
		return err
	}
	kept := *f.c
	kept.To = "" // a path of the machine that wrote it
	twin, err := json.MarshalIndent(kept, "", "  ")
	if err != nil {
		return err
	}
	listed := slices.Clone(f.c.Files)
	if err := f.put("certificate.html", bytes.NewReader(page)); err != nil {
		return err
	}
	if err := f.put("certificate.json", bytes.NewReader(append(display.SafeJSON(twin), '\n'))); err != nil {
		return err
	}
	f.c.Files = listed
	return f.put("SHA256SUMS", strings.NewReader(f.sums.String()))
}

// put writes a file and lists it with its hash.
func (f *folder) put(name string, from io.Reader) error {
	if err := f.ctx.Err(); err != nil {
		return problem.InterruptedError()
	}
	to, err := f.create(name)
	if err != nil {
		return err
	}
	sum := sha256.New()
	n, err := io.Copy(io.MultiWriter(to, sum), from)
	for _, end := range []func() error{to.Sync, to.Close} {
		if failed := end(); err == nil {
			err = failed
		}
	}
	if err != nil {
		return err
	}
	digest := hex.EncodeToString(sum.Sum(nil))
	f.c.Files = append(f.c.Files, File{name, n, digest})
	fmt.Fprintf(&f.sums, "%s  %s\n", digest, name)
	return nil
}

// writePaper writes the bytes of a paper, its record, and the proof of each of them. Of a paper whose
// bytes are withheld, and of a record in which something is, the proofs alone are written; the
// bytes are read all the same, and damage is an error.
func (f *folder) writePaper(art *holdings.Artifact, p Paper, tree *snapshot.Tree) error {
	rec, _ := art.FirstRecord()
	held, err := f.a.Catalog(f.c.head.Tree).Artifact(art.ID)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(held.Records, func(h holdings.StoredRecord) bool { return h.ID == rec.ID })
	stored := held.Records[i]
	dir := fmt.Sprintf("papers/%d/", p.Number)
	original, err := f.a.OriginalContent(f.c.head.Tree, held, stored)
	if err != nil {
		return err
	}
	at := layout.ArtifactPath(art.ID)
	if original.ID != art.ID {
		payload, err := f.a.PayloadContent(f.c.head.Tree, art.ID)
		if err != nil {
			return err
		}
		if err := f.writeProven(dir+"text.txt", at, art.ID, payload, p.Withheld == "", tree); err != nil {
			return err
		}
		at = layout.OriginalPath(original.ID)
	}
	if err := f.writeProven(dir+"original"+extension(stored), at, original.ID, original, p.Withheld == "", tree); err != nil {
		return err
	}
	data, err := stored.Record.Encode()
	if err != nil {
		return problem.Wrap(err, "record")
	}
	shown, err := rec.Record.Encode()
	give := err == nil && bytes.Equal(shown, data) && p.Withheld == ""
	return f.writeProven(dir+"record.json", layout.RecordPath(art.ID, stored.ID), stored.ID, bytes.NewReader(data), give, tree)
}

// writeProven reads content, which has to be that of an ID, writes it where it may be given, and
// the proof of the line at a path. What lies in chunks has no such line: its record proves it.
func (f *folder) writeProven(name, at string, id cid.ID, content io.Reader, give bool, tree *snapshot.Tree) error {
	sum := sha256.New()
	content = io.TeeReader(content, sum)
	if give {
		if err := f.put(name, content); err != nil {
			return err
		}
	} else if _, err := io.Copy(io.Discard, content); err != nil {
		return err
	}
	if got := hex.EncodeToString(sum.Sum(nil)); got != id.Hex() {
		return problem.Negative(problem.Damaged, problem.Next(problem.DoRepair).Or(problem.DoListDamage), "%s has the sha256 %s", id, got)
	}
	if _, ok := tree.Line(at); !ok {
		return nil
	}
	proof, err := tree.Prove(at)
	if err != nil {
		return problem.Wrap(err, "proof")
	}
	if present, line, err := proof.Verify(f.c.head.Root); err != nil || !present || hex.EncodeToString(line.Digest[:]) != id.Hex() {
		return problem.New(problem.Verification, problem.Next(problem.DoVerify), "%s is not proved by the snapshot", legible.Printable(at))
	}
	text, err := proofText(proof)
	if err != nil {
		return err
	}
	return f.put(name+".proof", strings.NewReader(text))
}

var plainExtension = regexp.MustCompile(`^\.[a-z0-9]{1,8}$`)

// extension returns the end of the name of an original, ".bin" where it is not a plain one.
func extension(h holdings.StoredRecord) string {
	if end := strings.ToLower(path.Ext(h.Label())); plainExtension.MatchString(end) && end != ".proof" {
		return end
	}
	return ".bin"
}

// writeAnswer verifies a bundle of this archive and copies it.
func (f *folder) writeAnswer(from string, number int) error {
	v, err := audit.VerifyBundleInArchive(f.a, from, audit.VerifyOptions{Allowed: f.o.Trust.Allowed, Root: f.o.Trust.Root, Archive: f.a.ID(), Now: f.o.Now})
	if err != nil {
		return err
	}
	if v.Verdict == bundle.Invalid {
		return problem.New(problem.InvalidBundle, problem.Advise("muniment verify says why; leave it out, or ask its sender for another copy"), "%s is INVALID: %s", legible.Printable(from), failure(v.Axes))
	}
	b, err := bundlefile.Read(from)
	if err != nil {
		return archive.BundleError(from, err)
	}
	data, err := b.Zip()
	if err != nil {
		return problem.Wrap(err, "bundle")
	}
	for _, k := range b.Signers() {
		at := slices.IndexFunc(f.keys, func(have signKey) bool { return have.key == k })
		if at < 0 {
			at, f.keys = len(f.keys), append(f.keys, signKey{key: k, what: fmt.Sprintf("answer %d", number)})
		}
		if have := &f.keys[at]; !slices.Contains(have.namespaces, sign.NamespaceAnswer) {
			have.namespaces = append(have.namespaces, sign.NamespaceAnswer)
		}
	}
	f.notes = append(f.notes, b.Proof().Note)
	name := fmt.Sprintf("answers/%d.zip", number)
	f.c.Answers = append(f.c.Answers, Answer{name, v.Asked, v.Verdict, v.Axes})
	return f.put(name, bytes.NewReader(data))
}
