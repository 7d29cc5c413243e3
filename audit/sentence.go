package audit

import (
	"slices"
	"strings"
	"time"

	"muniment/bundle"
)

// NotBundle is the sentence of a file that is no bundle. It says nothing bad of the file.
const NotBundle = "Not a bundle: nothing in this file was signed by an archive."

// Sentence returns the verdict in one sentence for people. own says that a key of the archive that
// the reader looks at has signed. The verifier in a browser says the same words of the same verdict:
// verifiers/js/sentence.js.
func (v *BundleVerdict) Sentence(own bool) string {
	if v == nil {
		return NotBundle
	}
	signed := v.signedWords(own)
	switch {
	case v.result(bundle.AxisIntegrity) == bundle.Fail, v.result(bundle.AxisSigners) == bundle.Fail && len(v.Signers) == 0:
		return "Forged or damaged: this is not what was signed. Do not rely on it."
	case v.failsOutside(bundle.AxisSigners, bundle.AxisArchive):
		return "Signed by " + signed + ", but a check failed. Do not rely on it."
	case v.result(bundle.AxisArchive) == bundle.Fail:
		return "Unchanged since it was signed by " + signed + ", but it is of another archive than the one that is trusted here."
	case v.result(bundle.AxisSigners) == bundle.Fail:
		return "Unchanged since it was signed by " + signed + ", but nobody here vouches for that key."
	case v.result(bundle.AxisIntegrity) != bundle.Pass, v.Verdict == bundle.Incomplete && v.result(bundle.AxisSigners) == bundle.Pass:
		return "Signed by " + signed + ". It has parts that were not checked here."
	case v.Verdict == bundle.Incomplete:
		return "Unchanged since it was signed by " + signed + ". Whose key that is, compare with what the archive publishes."
	case v.Verdict == bundle.Valid:
		return "Signed by " + signed + ", and unchanged since."
	}
	return "Signed by " + signed + ", and unchanged since; parts of the answer are left out of this copy."
}

// Passes reports whether an axis passes.
func (v *BundleVerdict) Passes(axis string) bool { return v != nil && v.result(axis) == bundle.Pass }

// result returns the result of an axis.
func (v *BundleVerdict) result(name string) bundle.Result {
	for _, a := range v.Axes {
		if a.Name == name {
			return a.Result
		}
	}
	return bundle.NotChecked
}

// failsOutside reports whether an axis fails that is none of some.
func (v *BundleVerdict) failsOutside(names ...string) bool {
	return slices.ContainsFunc(v.Axes, func(a bundle.Axis) bool { return a.Result == bundle.Fail && !slices.Contains(names, a.Name) })
}

// maxKeyShown is how many signs of a fingerprint a sentence has: a page shows all of them below it.
const maxKeyShown = len("SHA256:") + 10

// signedWords returns who signed a bundle, and when.
func (v *BundleVerdict) signedWords(own bool) string {
	var names []string
	for _, s := range v.Signers {
		name := "the key " + s.Fingerprint[:min(len(s.Fingerprint), maxKeyShown)] + "…"
		if s.Counted {
			name = s.Who
		}
		names = append(names, name)
	}
	who := strings.Join(names, " and ")
	switch {
	case own:
		who = "this archive"
	case who == "":
		who = "somebody"
	}
	if t, err := time.Parse(time.RFC3339, v.Issued); err == nil {
		who += " on " + t.UTC().Format("2 January 2006")
	}
	return who
}
