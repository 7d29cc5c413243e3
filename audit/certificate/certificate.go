package certificate

import (
	"archive/zip"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"muniment/archive"
	"muniment/archive/holdings"
	"muniment/archive/problem"
	"muniment/audit"
	"muniment/bundle"
	"muniment/bundle/display"
	"muniment/cid"
	"muniment/handover/bagit"
	"muniment/internal/release"
	"muniment/policy"
	"muniment/sign"
	"muniment/snapshot"
	"muniment/text/legible"
)

// maxPapers is the most papers of one certificate: a person signs for all of them.
const maxPapers = 100

// Options choose what a certificate is about and for whom it is made. Refs, View and To are required.
type Options struct {
	Refs    []string     // names or IDs of papers
	Answers []string     // files of bundles that go with the certificate
	Tokens  []string     // files of time-stamp tokens over the checkpoints of these bundles
	TSA     string       // file in PEM of the roots of the authorities that count, required with Tokens
	View    *policy.View // of those for whom it is made, on the newest snapshot
	Trust   archive.Trust
	To      string // a new folder, or a new file whose name ends in .zip
	Whole   bool   // verify the whole archive too
	Now     time.Time
}

// A Certificate is what is said of some papers, and the files that prove it.
type Certificate struct {
	Archive    string        `json:"archive"`
	Name       string        `json:"name"` // of the archive
	Made       string        `json:"made"` // RFC 3339, UTC, by the clock of this computer
	For        string        `json:"for"`  // for whom it is made
	Program    Program       `json:"program"`
	Snapshot   Snapshot      `json:"snapshot"` // the newest one
	Verdict    string        `json:"verdict"`  // on the proofs of the papers: VALID, or INCOMPLETE without trust
	Axes       []bundle.Axis `json:"axes"`
	Whole      []bundle.Axis `json:"whole,omitempty"` // of the whole archive, where it was verified
	Papers     []Paper       `json:"papers"`
	Answers    []Answer      `json:"answers"`
	Times      []Time        `json:"times"`
	NotChecked []string      `json:"not_checked"`
	Files      []File        `json:"files"` // all but certificate.html, certificate.json and SHA256SUMS
	To         string        `json:"to,omitempty"`

	head    *snapshot.Snapshot
	history []*snapshot.Snapshot // oldest first
}

// A Program is the build that made a certificate.
type Program struct {
	Version  string `json:"version"`
	Revision string `json:"revision,omitempty"`
	Modified bool   `json:"modified"`
	Go       string `json:"go"`
	System   string `json:"system"`
}

// A Snapshot names the signed snapshot that holds the papers.
type Snapshot struct {
	Seq      int64    `json:"seq"`
	ID       string   `json:"id"`
	Time     string   `json:"time"` // as its signer says
	Root     string   `json:"root"` // sha256 in hex
	Signer   string   `json:"signer"`
	Cosigned []string `json:"cosigned"` // fingerprints of the keys that countersigned it
}

// A Paper is one artifact of a certificate.
type Paper struct {
	Number    int     `json:"number"`
	Artifact  string  `json:"artifact"`
	Title     string  `json:"title"`
	Date      string  `json:"date"` // in words, where it is a plain one
	MediaType string  `json:"media_type"`
	Form      string  `json:"form"`   // how its text was read: a canonicalizer with its version
	Size      int64   `json:"size"`   // bytes of the payload
	SHA256    string  `json:"sha256"` // of the payload, in hex
	Original  string  `json:"original_sha256"`
	Withheld  string  `json:"withheld,omitempty"` // why its bytes are not here
	Events    []Event `json:"events"`             // oldest first
}

// An Event is what happened to a paper, and what says so.
type Event struct {
	Time   string `json:"time"`
	What   string `json:"what"`
	Who    string `json:"who,omitempty"`
	Source string `json:"source"`
}

// An Answer is a bundle that goes with a certificate.
type Answer struct {
	File     string        `json:"file"`
	Question string        `json:"question"`
	Verdict  string        `json:"verdict"`
	Axes     []bundle.Axis `json:"axes"`
}

// A Time is what an authority says of the checkpoint of an answer: that it existed before a time.
type Time struct {
	File       string `json:"file"`       // of the token
	Checkpoint string `json:"checkpoint"` // file of the bytes that it is over
	Answer     string `json:"answer"`     // file of the bundle that has the checkpoint
	Name       string `json:"name"`       // of the authority
	Before     string `json:"before"`     // RFC 3339, UTC
}

// A File is a file of the folder.
type File struct {
	Name   string `json:"name"`
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"`
}

// Make gathers what the archive keeps about papers, proves them in the newest snapshot, and
// writes the folder or zip. A paper that is unknown to the readers of the view, withdrawn,
// damaged or not signed yet is an error, and nothing is written.
func Make(ctx context.Context, a *archive.Archive, o Options) (*Certificate, error) {
	if len(o.Refs) == 0 || len(o.Refs) > maxPapers {
		return nil, problem.New(problem.Usage, problem.Next(problem.DoList), "a certificate is of 1 to %d papers, not of %d", maxPapers, len(o.Refs))
	}
	if err := archive.CheckNewFile(o.To); err != nil {
		return nil, err
	}
	head, tip, err := a.RequireHead()
	if err != nil {
		return nil, err
	}
	if err := a.CheckRollback(head); err != nil {
		return nil, err
	}
	build := release.Current("muniment")
	c := &Certificate{Archive: a.ID().String(), Name: display.SafeLine(a.Name()), Made: o.Now.UTC().Format(time.RFC3339), For: o.View.For(), head: head,
		Program: Program{build.Version, build.Revision, build.Modified, build.Go, build.System}, Answers: []Answer{}, Times: []Time{}, To: o.To}
	if c.history, err = a.History(tip); err != nil {
		return nil, problem.Negative(problem.Damaged, problem.Next(problem.DoVerify), "the history: %w", err)
	}
	slices.SortStableFunc(c.history, func(x, y *snapshot.Snapshot) int { return int(x.Seq - y.Seq) })
	s := archive.SnapshotResult{Snapshot: head.ID.String()}
	if err := a.AddWitnesses(&s, head); err != nil {
		return nil, err
	}
	c.Snapshot = Snapshot{head.Seq, head.ID.String(), head.Time.UTC().Format(time.RFC3339), hex.EncodeToString(head.Root[:]), head.Key.Fingerprint(), append([]string{}, s.Cosigned...)}
	f := &folder{ctx: ctx, c: c, a: a, o: o, keys: []signKey{{head.Key, "the snapshot", []string{sign.NamespaceGit, sign.NamespaceSnapshot}}}}
	if err := f.judgeWhole(); err != nil {
		return nil, err
	}
	return c, writeTo(o.To, f)
}

// judgeWhole verifies the whole archive where that was asked for.
func (f *folder) judgeWhole() error {
	if !f.o.Whole {
		return nil
	}
	v, err := audit.Verify(f.a, audit.ArchiveVerifyOptions{Allowed: f.o.Trust.Allowed, Root: f.o.Trust.Root, Now: f.o.Now})
	if err != nil {
		return err
	}
	if f.c.Whole = v.Axes; v.Verdict == bundle.Invalid {
		return problem.Negative(problem.Damaged, problem.Next(problem.DoVerify), "the archive is INVALID, and has no certificate")
	}
	return nil
}

// resolve returns the artifacts of the references, each once, as the readers may know them.
func (f *folder) resolve() ([]*holdings.Artifact, error) {
	shown := f.a.ShownCatalog(f.c.head.Tree, f.o.View)
	var out []*holdings.Artifact
	for _, ref := range f.o.Refs {
		art, err := shown.ResolveCapture(ref)
		if err != nil {
			return nil, err
		}
		if staged, err := f.a.NewestTree(); err != nil {
			return nil, err
		} else if staged != f.c.head.Tree {
			now, err := f.a.CatalogFor(staged, f.o.View).Artifact(art.ID)
			if err != nil {
				return nil, err
			}
			if now == nil || now.Withdrawn {
				return nil, problem.New(problem.NotPermitted, problem.Next(problem.DoStatus), "a withdrawal of %s waits to be signed", legible.Printable(ref))
			}
		}
		if !slices.ContainsFunc(out, func(b *holdings.Artifact) bool { return b.ID == art.ID }) {
			out = append(out, art)
		}
	}
	return out, nil
}

// describe returns the description of an artifact, after its proof was judged.
func (f *folder) describe(art *holdings.Artifact, number int) (Paper, error) {
	rec, ok := art.FirstRecord()
	if !ok {
		return Paper{}, problem.New(problem.NotFound, problem.Next(problem.DoList), "%s has no record", art.ID)
	}
	original, err := cid.ParseAs(cid.Raw, rec.Record.Original)
	if err != nil {
		return Paper{}, problem.Wrap(err, "record")
	}
	title, date := display.SourceOf(rec.Record)
	p := Paper{Number: number, Artifact: art.ID.String(), Title: display.SafeLine(title), Date: display.SafeLine(display.SourceName("", date)),
		MediaType: rec.Record.MediaType, Form: rec.Record.Canonicalizer, Size: rec.Record.Size, SHA256: art.ID.Hex(), Original: original.Hex()}
	proof, err := audit.ProveArtifact(f.a, art.ID.String())
	if err != nil {
		return p, err
	}
	data, err := proof.Encode()
	if err != nil {
		return p, problem.Wrap(err, "proof")
	}
	v := bundle.JudgeProof(data, bundle.Requirements{Allowed: f.o.Trust.Allowed, Root: f.o.Trust.Root, Archive: f.a.ID(), Now: f.o.Now})
	if v.Verdict == bundle.Invalid {
		return p, problem.New(problem.Verification, problem.Next(problem.DoVerify), "%s has no certificate: %s", legible.Printable(p.Title), failure(v.Axes))
	}
	f.c.Verdict, f.c.Axes = v.Verdict, v.Axes
	var text func() ([]byte, error)
	if rec.Record.Textual() {
		text = func() ([]byte, error) { return f.a.Payload(f.c.head.Tree, art.ID) }
	}
	whole, err := f.o.View.ShowsWhole(art.ID, rec.Record.Size, text)
	if err != nil {
		return p, problem.Wrap(err, "policy")
	}
	if !whole {
		p.Withheld = "its bytes are restricted, and are not in this certificate"
	}
	p.Events, err = f.events(art)
	return p, err
}

// failure returns the reason of the first axis that fails.
func failure(axes []bundle.Axis) string {
	for _, x := range axes {
		if x.Result == bundle.Fail {
			return x.Name + ": " + x.Reason
		}
	}
	return "it does not verify"
}

// writeTo writes the files of f into a new folder, or a new zip.
func writeTo(to string, f *folder) error {
	if !strings.HasSuffix(strings.ToLower(to), ".zip") {
		return problem.Wrap(bagit.MakeFolder(to, func(root *os.Root) error {
			f.create = func(name string) (file, error) {
				if err := root.MkdirAll(filepath.Dir(filepath.FromSlash(name)), 0o755); err != nil {
					return nil, err
				}
				return root.OpenFile(filepath.FromSlash(name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
			}
			return f.fill()
		}), "write "+legible.Printable(to))
	}
	temp, err := os.CreateTemp(filepath.Dir(to), ".muniment-*")
	if err != nil {
		return problem.Wrap(err, "write "+legible.Printable(to))
	}
	defer os.Remove(temp.Name())
	z := zip.NewWriter(temp)
	f.create = func(name string) (file, error) {
		w, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate, Modified: f.o.Now.UTC()})
		return zipEntry{w}, err
	}
	err = f.fill()
	shared, _ := archive.FileModes(false)
	err = errors.Join(err, z.Close(), temp.Chmod(shared), temp.Sync(), temp.Close())
	if err == nil {
		err = os.Link(temp.Name(), to)
	}
	if failed := (*problem.Error)(nil); errors.As(err, &failed) {
		return failed
	}
	return problem.Wrap(err, fmt.Sprintf("write %s", legible.Printable(to)))
}
