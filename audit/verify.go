package audit

import (
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"muniment/archive"
	"muniment/bundle"
	"muniment/bundle/bundlefile"
	"muniment/canon"
	"muniment/custody"
	"muniment/history"
	"muniment/merkle"
	"muniment/objects"
	"muniment/sign"
	"muniment/sign/trust"
)

// VerifyOptions are the verifier's own requirements. Nothing of them comes
// from the bundle.
type VerifyOptions struct {
	Allowed    *sign.AllowedSigners // nil, and no Root: nobody is trusted and the verdict is at best INCOMPLETE
	Root       *trust.Root          // a trust root, in the place of Allowed
	TrustFile  string               // the name of the file they came from, for the commands that take a step again
	Require    []string             // axes that must pass besides the usual ones
	Identities []byte               // age identities, to open the sealed layer
	Request    *bundle.RequestProof // the question and its nonce, or nil
	Since      []byte               // a signed checkpoint of the answer log that was kept, or nil

	// Consistency finds the hashes between two sizes of a log; see
	// bundle.Requirements.
	Consistency func(origin string, from, to int64) ([]merkle.Hash, error)
}

// BundleVerdict is the verdict on a bundle, and what the bundle shows.
type BundleVerdict struct {
	File    string            `json:"file"`
	Verdict string            `json:"verdict"` // VALID, INVALID or INCOMPLETE
	Axes    []bundle.Axis     `json:"axes"`
	Signers []bundle.Signer   `json:"signers"`
	Remarks []string          `json:"remarks"`
	Redo    map[string]string `json:"redo"` // the command that takes the steps of an axis again
	bundle.View

	Report *bundle.Verdict `json:"-"`
}

// VerifyBundle verifies the bundle in a file or folder, with no archive. A
// malformed bundle is a verdict, not an error.
func VerifyBundle(path string, o VerifyOptions) (*BundleVerdict, error) {
	require := make([]string, len(o.Require))
	for i, axis := range o.Require {
		var err error
		if require[i], err = bundle.ParseAxis(axis); err != nil {
			return nil, archive.Problem(archive.TypeUsage, archive.Advise("muniment verify --help"), "--require: %w", err)
		}
	}
	if len(o.Identities) > 0 {
		if err := bundle.CheckIdentities(o.Identities); err != nil {
			return nil, archive.Problem(archive.TypeKey, archive.Advise("give the file that key new --auditor made"), "identity: %w", err)
		}
	}
	v, view, err := bundlefile.Check(path, bundle.Requirements{Allowed: o.Allowed, Root: o.Root, Require: require, Identities: o.Identities, Request: o.Request,
		Since: o.Since, Consistency: o.Consistency})
	if err != nil {
		return nil, archive.BundleError(path, err)
	}
	v.File, v.Trust = path, o.TrustFile
	full := bundle.NewReport(v, view)
	return &BundleVerdict{File: path, Verdict: full.Verdict, Axes: full.Axes, Signers: full.Signers, Remarks: full.Remarks, Redo: full.Redo, View: full.View, Report: v}, nil
}

// BundleInfo is what a bundle displays.
type BundleInfo struct {
	File      string   `json:"file"`
	Statement string   `json:"statement"`
	Leaves    int      `json:"leaves"`
	Disclosed int      `json:"disclosed"`
	Sealed    int      `json:"sealed"`  // files of the sealed layer, here or left out
	Signers   []string `json:"signers"` // fingerprints; whether they count is for verify
	bundle.View
}

// ShowBundle describes a bundle without judging it.
func ShowBundle(path string) (*BundleInfo, error) {
	b, err := archive.ReadValidBundle(path)
	if err != nil {
		return nil, err
	}
	return describeBundle(path, b)
}

func describeBundle(path string, b *bundle.Bundle) (*BundleInfo, error) {
	st := b.Statement()
	text, err := st.Encode()
	if err != nil {
		return nil, archive.Environment(err, "bundle")
	}
	view, err := bundle.Render(b)
	if err != nil {
		return nil, archive.Problem(archive.TypeInvalidBundle, archive.Advise("muniment verify says what is wrong with it"), "%s: %w", archive.Printable(path), err)
	}
	info := &BundleInfo{File: path, Statement: string(text), Leaves: st.Leaves, Disclosed: len(b.Leaves()), Sealed: len(st.Sealed), View: view}
	for _, k := range b.Signers() {
		info.Signers = append(info.Signers, k.Fingerprint())
	}
	return info, nil
}

// DiscloseBundle writes a narrower copy of a bundle: no sealed layer, and with
// claims only those claims of it. It needs no key.
func DiscloseBundle(path, out string, claims []int) (*BundleInfo, error) {
	b, err := archive.ReadValidBundle(path)
	if err != nil {
		return nil, err
	}
	b = b.WithoutSealed()
	if len(claims) > 0 {
		var keep []int
		for _, n := range claims {
			leaves := b.LeavesOf(n)
			if len(leaves) == 0 {
				return nil, archive.Problem(archive.TypeUsage, archive.Advise("muniment bundle show lists the claims with their numbers"), "%s shows no claim %d", archive.Printable(path), n)
			}
			keep = append(keep, leaves...)
		}
		if b, err = b.Disclose(keep); err != nil {
			return nil, archive.Problem(archive.TypeUsage, archive.Advise("muniment bundle show lists the claims with their numbers"), "disclose: %w", err)
		}
	}
	return writeBundle(out, b)
}

// PageInfo is a page that was written.
type PageInfo struct {
	File    string   `json:"file"`
	Bytes   int      `json:"bytes"`
	Signers []string `json:"signers"` // fingerprints to compare with a trust root
}

// ExportPage writes the display of a bundle as one page; see bundle.Page. An
// existing file is not replaced.
func ExportPage(path, out string) (*PageInfo, error) {
	b, err := archive.ReadValidBundle(path)
	if err != nil {
		return nil, err
	}
	data, err := b.Page()
	if err != nil {
		return nil, archive.Problem(archive.TypeUsage, archive.Advise("muniment bundle disclose "+archive.Printable(path)+" --claims 1 -o part.zip makes it smaller"), "export: %w", err)
	}
	if err := archive.WriteNew(out, data); err != nil {
		return nil, err
	}
	r := &PageInfo{File: out, Bytes: len(data), Signers: []string{}}
	for _, k := range b.Signers() {
		r.Signers = append(r.Signers, k.Fingerprint())
	}
	return r, nil
}

// Check is one line of Doctor.
type Check struct {
	Name   string `json:"name"`
	State  string `json:"state"` // ok, warning, failed or absent
	Detail string `json:"detail"`
	Fix    string `json:"fix,omitempty"`
}

// storeChecks are the lines on what the store's own look found.
func storeChecks(problems []objects.Problem) []Check {
	var checks []Check
	for _, p := range problems {
		fix := "undo it with git, or muniment repair --from REMOTE; muniment verify shows whether anything is lost"
		if strings.HasPrefix(path.Base(p.Object), "tmp_") {
			fix = "nothing is lost by it; if no other muniment is at work: muniment doctor --sweep"
		}
		checks = append(checks, Check{Name: "store", State: "failed", Detail: p.String(), Fix: fix})
	}
	return checks
}

// DoctorStore looks at the repository of an archive that Open refuses with
// cause.
func DoctorStore(dir string, cause error, w archive.World) []Check {
	checks := []Check{{Name: "archive", State: "failed", Detail: cause.Error(), Fix: "muniment repair --from REMOTE brings back what is damaged or absent"}}
	st, err := archive.OpenStore(dir, w.Disk)
	if err != nil {
		return checks
	}
	defer st.Close()
	return append(checks, storeChecks(st.Doctor())...)
}

// Doctor looks at the store, the ledger and the local folder.
func Doctor(a *archive.Archive) ([]Check, error) {
	checks := []Check{{Name: "archive", State: "ok", Detail: a.Info().Name + " " + a.ID().String()}}
	problems := a.Store().Doctor()
	checks = append(checks, storeChecks(problems)...)

	if len(problems) == 0 {
		checks = append(checks, Check{Name: "store", State: "ok", Detail: "configuration, packs and refs are as written"})
	}
	head, _, err := a.Head()
	switch {
	case err != nil:
		checks = append(checks, Check{Name: "snapshot", State: "failed", Detail: err.Error(), Fix: "muniment verify"})
	case head == nil:
		checks = append(checks, Check{Name: "snapshot", State: "warning", Detail: "none yet", Fix: "muniment snapshot -m TEXT"})
	default:
		checks = append(checks, Check{Name: "snapshot", State: "ok", Detail: head.ID.String()})
	}
	checks = append(checks, fixityCheck(a))
	if _, err := a.Ledger(); err != nil {
		checks = append(checks, Check{Name: "ledger", State: "failed", Detail: err.Error(), Fix: "check the disk and the permissions of " + archive.LocalDir})
	} else {
		checks = append(checks, Check{Name: "ledger", State: "ok", Detail: "opens"})
	}
	identity, err := history.ArchivistIdentity(a)
	switch {
	case err != nil:
		checks = append(checks, Check{Name: "auditor", State: "failed", Detail: err.Error(), Fix: "check the permissions of " + archive.LocalDir})
	case identity == nil:
		checks = append(checks, Check{Name: "auditor", State: "absent", Detail: "this copy has no auditor identity of its own", Fix: "muniment key new --auditor SCOPE"})
	default:
		checks = append(checks, Check{Name: "auditor", State: "ok", Detail: "this copy can open what it seals for its own scope"})
	}
	return checks, nil
}

// Sweep removes what interrupted processes left in the store and beside it, and
// returns its paths.
func Sweep(a *archive.Archive) ([]string, error) {
	lock, err := a.Lock()
	if err != nil {
		return nil, err
	}
	defer lock.Unlock()
	swept, err := a.Store().Sweep(lock)
	if err != nil {
		return nil, archive.Environment(err, "sweep")
	}
	chunks, err := a.Store().SweepIncoming(a.World().Now().Add(time.Minute)) // all that no process holds
	if swept = append(swept, chunks...); err != nil {
		return swept, archive.Environment(err, "sweep")
	}
	swept = append(swept, custody.SweepQuarantines(filepath.Join(a.Dir(), archive.LocalDir, custody.IncomingDir), a.World())...)
	for _, pattern := range []string{filepath.Join(a.Dir(), archive.LocalDir, "search", "build-*"), filepath.Join(a.Dir(), ".muniment-*")} {
		left, err := filepath.Glob(pattern)
		if err != nil {
			return swept, archive.Environment(err, "sweep")
		}
		for _, path := range left {
			info, err := os.Lstat(path)
			if err != nil || a.World().Now().Sub(info.ModTime()) < custody.SweepAge {
				continue
			}
			if err := os.RemoveAll(path); err != nil {
				return swept, archive.Environment(err, "sweep")
			}
			swept = append(swept, path)
		}
	}
	return swept, nil
}

// Formats returns the versions of the formats that are written.
func Formats() map[string]string {
	return map[string]string{
		"record": "muniment/record/v1", "citation": "muniment/citation/v1", "leaf": "muniment/leaf/v1", "statement": "muniment/answer/v1",
		"snapshot": "git commit, Muniment-Root with 257 shards", "paragraph proof": bundle.TypeParagraphProof, "unicode": canon.UnicodeVersion,
		"canonicalizers": "text@1 html@1 csv@1 json@1 jsonl@1 dbresult@1 mail@1 mbox@1 docx@1 odt@1 epub@1 pdf@1 srt@1 vtt@1 bytes@1",
	}
}
