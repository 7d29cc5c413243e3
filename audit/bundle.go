package audit

import (
	"errors"
	"muniment/archive"
	"muniment/archive/problem"
	"muniment/bundle"
	"muniment/bundle/bundlefile"
	"muniment/bundle/display"
	"muniment/cid"
	"muniment/cid/merkle"
	"muniment/sign"
	"muniment/sign/quorum"
	"muniment/sign/trust"
	"muniment/text/legible"
	"time"
)

// VerifyOptions are the demands and the trust of a verifier of a bundle; none of it comes from the
// bundle. The zero value trusts nobody.
type VerifyOptions struct {
	Allowed    *sign.AllowedSigners // nil, and no Root: nobody is trusted and the verdict is at best INCOMPLETE
	Root       *trust.Root          // a trust root, in the place of Allowed
	Archive    cid.ID               // the archive that is meant; zero where only the trust names one
	Now        time.Time            // for what expires; zero where there is no clock
	TrustFile  string               // the name of the file with the trust, which Redo repeats
	Require    []string             // axes that must pass besides the usual ones
	Identities []byte               // age identities, to open the sealed layer
	Request    *bundle.RequestProof // the question and its nonce, for the axis of request binding; or nil
	Since      []byte               // an older signed checkpoint of the answer log, or nil
	Witnesses  *quorum.Policy       // that the verifier brings, which replaces that of Root; or nil

	// Consistency finds the hashes between two sizes of a log; see
	// bundle.Requirements.
	Consistency func(origin string, from, to int64) ([]merkle.Hash, error)
}

// BundleVerdict is the verdict on a bundle, with what the bundle displays.
type BundleVerdict struct {
	File    string            `json:"file"`
	Verdict string            `json:"verdict"` // VALID, "VALID, reduced: …", INVALID or INCOMPLETE
	Archive string            `json:"archive,omitempty"`
	Newest  *bundle.Newest    `json:"newest,omitempty"`
	Axes    []bundle.Axis     `json:"axes"`
	Signers []bundle.Signer   `json:"signers"`
	Remarks []string          `json:"remarks"`
	Redo    map[string]string `json:"redo"` // the command that takes the steps of an axis again
	display.View

	Report *bundle.Verdict `json:"-"`
}

// VerifyBundle verifies the bundle in a file or folder, with no archive. A
// malformed bundle is a verdict, not an error.
func VerifyBundle(path string, o VerifyOptions) (*BundleVerdict, error) {
	q, err := o.requirements()
	if err != nil {
		return nil, err
	}
	if len(o.Identities) > 0 {
		if err := bundle.CheckIdentities(o.Identities); err != nil {
			return nil, problem.New(problem.Key, problem.Advise("give the file of an auditor's identity"), "identity: %w", err)
		}
	}
	v, view, err := bundlefile.Check(path, q)
	if err != nil {
		return nil, archive.BundleError(path, err)
	}
	v.File, v.Trust = path, o.TrustFile
	full := bundle.NewReport(v, view)
	return &BundleVerdict{File: path, Verdict: full.Verdict, Archive: full.Archive, Newest: full.Newest, Axes: full.Axes, Signers: full.Signers, Remarks: full.Remarks, Redo: full.Redo, View: full.View, Report: v}, nil
}

// requirements returns the options as package bundle takes them, with the names of
// the axes read.
func (o VerifyOptions) requirements() (bundle.Requirements, error) {
	require := make([]string, len(o.Require))
	for i, axis := range o.Require {
		var err error
		if require[i], err = bundle.ParseAxis(axis); err != nil {
			return bundle.Requirements{}, problem.New(problem.Usage, problem.Next(problem.DoReadOptions, "verify"), "required axis: %w", err)
		}
	}
	return bundle.Requirements{Allowed: o.Allowed, Root: o.Root, Archive: o.Archive, Now: o.Now, Require: require, Identities: o.Identities, Request: o.Request,
		Since: o.Since, Consistency: o.Consistency, Witnesses: o.Witnesses}, nil
}

// BundleInfo is the displayed content of a bundle.
type BundleInfo struct {
	File      string   `json:"file"`
	Statement string   `json:"statement"`
	Leaves    int      `json:"leaves"`
	Disclosed int      `json:"disclosed"`
	Sealed    int      `json:"sealed"`              // files of the sealed layer, here or left out
	Signers   []string `json:"signers"`             // fingerprints; whether they count is for verify
	NotShown  string   `json:"not_shown,omitempty"` // why the view is empty, or ""
	display.View
}

// ShowBundle describes a bundle without judging it.
func ShowBundle(path string) (*BundleInfo, error) {
	b, err := validBundle(path, bundlefile.ReadShown)
	if err != nil {
		return nil, err
	}
	info, err := describeBundle(path, b)
	if err == nil && info.NotShown != "" {
		return nil, problem.New(problem.InvalidBundle, problem.Advise("unpack it and look at its leaves, or ask its sender for an answer that people can read"), "%s: %s", legible.Printable(path), info.NotShown)
	}
	return info, err
}

// describeBundle returns the displayed content of a bundle.
func describeBundle(path string, b *bundle.Bundle) (*BundleInfo, error) {
	st := b.Statement()
	text, err := st.Encode()
	if err != nil {
		return nil, problem.Wrap(err, "bundle")
	}
	notShown := ""
	view, err := bundle.Show(b)
	if errors.Is(err, bundle.ErrViewTooLarge) {
		notShown = err.Error()
	} else if err != nil {
		return nil, problem.New(problem.InvalidBundle, problem.Next(problem.DoVerify), "%s: %w", legible.Printable(path), err)
	}
	info := &BundleInfo{NotShown: notShown, File: path, Statement: string(text), Leaves: st.Leaves, Disclosed: len(b.Leaves()), Sealed: len(st.Sealed), View: view}
	for _, k := range b.Signers() {
		info.Signers = append(info.Signers, k.Fingerprint())
	}
	return info, nil
}

// DiscloseBundle writes a copy of a bundle without its sealed layer and, where claims
// is not empty, with those claims alone, numbered from 1. It needs no key.
func DiscloseBundle(path string, out archive.NewFile, claims []int) (*BundleInfo, error) {
	b, err := readValidBundle(path)
	if err != nil {
		return nil, err
	}
	b = b.WithoutSealed()
	if len(claims) > 0 {
		keep := b.LeavesOf(0)
		for _, n := range claims {
			leaves := b.LeavesOf(n)
			if len(leaves) == 0 {
				return nil, problem.New(problem.Usage, problem.Next(DoListClaims), "%s shows no claim %d", legible.Printable(path), n)
			}
			keep = append(keep, leaves...)
		}
		if b, err = b.Disclose(keep); err != nil {
			return nil, problem.New(problem.Usage, problem.Next(DoListClaims), "disclose: %w", err)
		}
	}
	return writeBundle(out, b)
}

// SignBundle writes a copy of a bundle with the signature of one more key and
// describes the copy. The statement and every other file stay as they are. A key
// that cannot sign is an error of kind KeyUnusable.
func SignBundle(path string, out archive.NewFile, s sign.Signer) (*BundleInfo, error) {
	b, err := readValidBundle(path)
	if err != nil {
		return nil, err
	}
	if s == nil {
		return nil, problem.New(problem.Key, problem.Next(problem.DoListKeys).Or(problem.DoVerify), "no key was given to sign the bundle with")
	}
	if b, err = b.Sign(s); err != nil {
		return nil, problem.New(problem.Key, problem.Next(problem.DoListKeys).Or(problem.DoVerify), "%w", err)
	}
	return writeBundle(out, b)
}

// writeBundle writes the zip of a bundle into a new file and returns its description.
func writeBundle(out archive.NewFile, b *bundle.Bundle) (*BundleInfo, error) {
	data, err := b.Zip()
	if err != nil {
		return nil, problem.Wrap(err, "bundle")
	}
	if err := out.Write(data); err != nil {
		return nil, err
	}
	return describeBundle(out.Path, b)
}

// PageInfo describes a page that was written.
type PageInfo struct {
	File    string   `json:"file"`
	Bytes   int      `json:"bytes"`
	Signers []string `json:"signers"` // fingerprints to compare with a trust root
}

// ExportPage writes the display of a bundle as one page; see bundle.Page. An
// existing file is not replaced.
func ExportPage(path string, out archive.NewFile) (*PageInfo, error) {
	b, err := readValidBundle(path)
	if err != nil {
		return nil, err
	}
	data, err := b.Page()
	if err != nil {
		return nil, problem.New(problem.Usage, problem.Next(DoNarrowBundle, legible.Printable(path)), "export: %w", err)
	}
	if err := out.Write(data); err != nil {
		return nil, err
	}
	r := &PageInfo{File: out.Path, Bytes: len(data), Signers: []string{}}
	for _, k := range b.Signers() {
		r.Signers = append(r.Signers, k.Fingerprint())
	}
	return r, nil
}

// readValidBundle returns the bundle of a zip file, a page or an unpacked folder.
// The error is an *problem.Error, also for a malformed bundle.
func readValidBundle(path string) (*bundle.Bundle, error) {
	return validBundle(path, bundlefile.Read)
}

// validBundle is readValidBundle with the function that reads the file.
func validBundle(path string, read func(string) (*bundle.Bundle, error)) (*bundle.Bundle, error) {
	b, err := read(path)
	err = archive.BundleError(path, err)
	var invalid *bundle.InvalidError
	if errors.As(err, &invalid) {
		return nil, problem.New(problem.InvalidBundle, problem.Next(problem.DoVerify).With("ask its sender for another copy"), "%s is not a bundle: %w", legible.Printable(path), err)
	}
	return b, err
}
