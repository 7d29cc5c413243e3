package server

import (
	"bytes"
	"context"
	"os"
	"slices"
	"strings"

	"muniment/archive/problem"
	"muniment/audit"
	"muniment/audit/examination"
	"muniment/bundle"
	"muniment/sign"
	"muniment/snapshot/layout"
)

// A CheckedFile is the verdict on a bundle in words, with the words of it that were changed.
type CheckedFile struct {
	*audit.BundleVerdict
	Own      bool           // a key of the archive that is served has signed it
	Sentence string         // the verdict, for people
	Changes  []ChangedWords // where it was changed after it was signed
}

// ChangedWords holds words of a forged bundle as they are now and as they were signed, and the paper that has them.
type ChangedWords struct {
	bundle.Change
	Paper AnswerPlace // where the archive has Was, the zero value where the bundle itself has
}

// maxLookedUp is how many changed passages of one file are looked up in the papers.
const maxLookedUp = 4

// VerifyBundle returns the verdict on a bundle, under the trust that the server was
// started with. For a bundle of the archive that is served, the keys of the archive count too.
func (c *Client) VerifyBundle(ctx context.Context, data []byte) (*audit.BundleVerdict, error) {
	v, _, err := c.verifyBundle(ctx, data)
	return v, err
}

// CheckBundle is VerifyBundle in words.
func (c *Client) CheckBundle(ctx context.Context, data []byte) (*CheckedFile, error) {
	if !bundle.IsBundle(data) {
		return &CheckedFile{Sentence: audit.NotBundle}, nil
	}
	v, own, err := c.verifyBundle(ctx, data)
	if err != nil {
		return nil, err
	}
	out := &CheckedFile{BundleVerdict: v, Own: own, Sentence: v.Sentence(own)}
	if v.Verdict == bundle.Invalid {
		out.Changes = c.changedWords(ctx, data)
	}
	return out, nil
}

// verifyBundle returns the verdict on a bundle, and reports whether it is signed by the archive that is served.
func (c *Client) verifyBundle(ctx context.Context, data []byte) (v *audit.BundleVerdict, own bool, err error) {
	verify := func(file string, o audit.VerifyOptions) (*audit.BundleVerdict, error) {
		return audit.VerifyBundle(file, o)
	}
	if v, err = verifyPosted(c, data, "bundle", c.options().Trust, verify); err != nil {
		return nil, false, err
	}
	ours, archive, err := c.ownTrust(ctx)
	if err == nil && ours.Allowed != nil && v.Archive == archive {
		var as *audit.BundleVerdict
		as, err = verifyPosted(c, data, "bundle", ours, verify)
		if err == nil {
			if own = as.Passes(bundle.AxisSigners); own && !(v.Passes(bundle.AxisSigners) && v.Passes(bundle.AxisArchive)) {
				v = as
			}
		}
	}
	if err != nil {
		return nil, false, err
	}
	v.File, v.Redo = "the posted bundle", bundle.Redo("", "")
	return v, own, nil
}

// ownTrust returns the keys by which the newest snapshot of the served archive is to be judged, and the archive's id.
func (c *Client) ownTrust(ctx context.Context) (o audit.VerifyOptions, archive string, err error) {
	_, err = call(ctx, c, func(h *handle) (_ struct{}, err error) {
		o.Archive, archive = h.archive.ID(), h.archive.ID().String()
		head, _, err := h.archive.Head()
		if err != nil || head == nil {
			return
		}
		text, err := h.archive.File(head.Tree, layout.PathAllowedSigners)
		if err != nil || len(bytes.TrimSpace(text)) == 0 {
			return struct{}{}, err
		}
		o.Allowed, err = sign.ParseAllowedSigners(text)
		return struct{}{}, err
	})
	return o, archive, err
}

// OwnKeys returns the keys of the served archive as an allowed_signers file without names, and the
// archive's id, for a verifier in the reader's browser.
func (c *Client) OwnKeys(ctx context.Context) (text, archive string, err error) {
	o, archive, err := c.ownTrust(ctx)
	if err != nil || o.Allowed == nil {
		return "", archive, err
	}
	var lines strings.Builder
	for _, e := range o.Allowed.Entries() {
		e.Principals = []string{"archive"}
		e.Comment = strings.Join(slices.DeleteFunc(strings.Fields(e.Comment), func(w string) bool { return !strings.HasPrefix(w, sign.ArchiveWord) }), " ")
		lines.WriteString(e.String() + "\n")
	}
	return lines.String(), archive, nil
}

// changedWords returns the changes of a bundle since it was signed. Where the bundle has only a hash
// of the signed words, the words most like those in the file are looked up in the papers that the
// client may read, and charged as an examination is.
func (c *Client) changedWords(ctx context.Context, data []byte) []ChangedWords {
	var out []ChangedWords
	for _, one := range bundle.Changes(data) {
		if one.Now == "" {
			continue
		}
		w := ChangedWords{Change: one}
		if one.Was == "" && len(out) < maxLookedUp {
			w.Now = strings.Trim(one.Now, "“”\"\n ")
			w.Was, w.Paper = c.likest(ctx, w.Now)
		}
		out = append(out, w)
	}
	return out
}

// likest returns the words of a paper that are most like some, "" where there are none.
func (c *Client) likest(ctx context.Context, words string) (string, AnswerPlace) {
	report, err := c.Examine(ctx, ExamineRequest{Text: "> " + strings.ReplaceAll(words, "\n", "\n> ") + "\n"})
	if err != nil {
		return "", AnswerPlace{} // the verdict is given all the same
	}
	for _, item := range report.Items {
		for _, found := range []*examination.Found{item.Found, item.Nearest} {
			if found != nil && found.Text != "" {
				return found.Text, AnswerPlace{found.Artifact, found.Span}
			}
		}
	}
	return "", AnswerPlace{}
}

// verifyPosted calls verify with a temporary file of posted bytes.
func verifyPosted[V any](c *Client, data []byte, what string, o audit.VerifyOptions, verify func(string, audit.VerifyOptions) (*V, error)) (*V, error) {
	f, err := os.CreateTemp("", "muniment-posted-*")
	if err != nil {
		return nil, problem.Wrap(err, what)
	}
	defer os.Remove(f.Name())
	_, err = f.Write(data)
	if end := f.Close(); err == nil {
		err = end
	}
	if err != nil {
		return nil, problem.Wrap(err, what)
	}
	o.Now = c.Now()
	return verify(f.Name(), o)
}

// VerifyProof returns the verdict on the proof of a paragraph or an artifact.
func (c *Client) VerifyProof(data []byte) (*audit.ProofVerdict, error) {
	return verifyPosted(c, data, "proof", c.options().Trust, audit.VerifyProofFile)
}
