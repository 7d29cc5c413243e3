package snapshot

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"muniment/cid"
	"muniment/objects"
	"muniment/sign"
	"muniment/sign/trust"
	"muniment/snapshot/access"
	"muniment/snapshot/layout"
)

// A Step is the difference of one snapshot from the one before.
type Step struct {
	// Acts need a signature by a key with the role withdraw. For an act that
	// changes trust a key with the role policy suffices too.
	Acts []Act

	// Broken is what no key may do.
	Broken []Act

	// Originals went away; the artifacts that came of them decide whether
	// they may.
	Originals []cid.ID
}

// An Act is a change at a path and what it is, as in "withdraws the artifact".
type Act struct {
	Path, What string
	Trust      bool // it changes who may act
}

// Permitted returns nil when keys, which signed at or countersigned it, suffice for
// every act of the step under may, and else why they do not.
func (s *Step) Permitted(may Permit, at *Snapshot, keys []sign.Key) error {
	err := may(trust.Withdraw, at, keys)
	if err == nil || slices.ContainsFunc(s.Acts, func(a Act) bool { return !a.Trust }) {
		return err
	}
	if may(trust.Policy, at, keys) == nil {
		return nil
	}
	return err
}

// String returns the act on one line.
func (a Act) String() string { return a.What + ": " + a.Path }

// First returns the act that tells most of what needs the role: a withdrawal
// where there is one; the zero Act where there are none.
func (s *Step) First() Act {
	if i := slices.IndexFunc(s.Acts, func(a Act) bool { return a.What == actWithdraws }); i >= 0 {
		return s.Acts[i]
	}
	if len(s.Acts) == 0 {
		return Act{}
	}
	return s.Acts[0]
}

// actWithdraws is the act of withdrawing.
const actWithdraws = "withdraws the artifact"

// NewStep compares the tree of a snapshot with that of its parent:
//
//   - it withdraws an artifact, changes why, or takes a withdrawal back;
//   - it drops a payload or a record, which must be withdrawn then, or
//     releases or changes a hold;
//   - it loosens consent: a dimension is allowed that was not, the tier it
//     needs falls, a consent file goes, or the archive's default opens;
//   - it loosens the list of third parties or the tiers;
//   - it changes or drops the Cedar text, the subject or a profile that were
//     there: what they let through is not told from their bytes;
//   - it changes anything below trust/: who may sign, withdraw or answer.
//
// Nobody may withdraw what is held, drop a payload or record that is not
// withdrawn, drop a record without an artifact, a citation or a review, or change a pointer.
func NewStep(get Getter, from, to objects.Hash) (*Step, error) {
	return NewStepWith(get, from, to, func(string, objects.Hash, objects.Hash) error { return nil })
}

// NewStepWith is NewStep, and calls fn as [EachChange] does on the same walk.
func NewStepWith(get Getter, from, to objects.Hash, fn func(path string, old, blob objects.Hash) error) (*Step, error) {
	w := stepper{get: get, from: from, to: to}
	err := EachChange(get, from, to, func(path string, old, blob objects.Hash) error {
		if err := w.file(path, old, blob); err != nil {
			return err
		}
		return fn(path, old, blob)
	})
	if err != nil {
		return nil, err
	}
	return &w.step, nil
}

// A stepper collects a step.
type stepper struct {
	get      Getter
	from, to objects.Hash
	step     Step
	policy   *consentPolicy // of from, read when first asked for
}

func (w *stepper) addAct(path, what string) {
	w.step.Acts = append(w.step.Acts, Act{Path: path, What: what})
}
func (w *stepper) addBroken(path, what string) {
	w.step.Broken = append(w.step.Broken, Act{Path: path, What: what})
}

// file looks at one file that differs.
func (w *stepper) file(path string, old, blob objects.Hash) error {
	kind, ids := layout.ClassifyPath(path)
	gone := blob.IsZero()
	switch kind {
	default:
		return nil
	case layout.KindConsent:
		return w.consent(path, ids[0], old, blob)
	case layout.KindPolicy:
		switch path {
		case layout.PathConsent:
			return w.defaultConsent(old, blob)
		case layout.PathPersons:
			return w.persons(old, blob)
		case layout.PathTiers:
			return w.tiers(old, blob)
		case layout.PathFreeform:
			return w.freeform(old, blob)
		}
		switch what := ruleAt(path); {
		case what != "" && !old.IsZero():
			w.addAct(path, map[bool]string{true: "drops ", false: "changes "}[gone]+what)
		case path == layout.PathAuditors: // whoever names the first ones reads all that is sealed from then on
			w.addAct(path, "begins a list of auditors")
		}
		return nil
	case layout.KindTrust:
		return w.trust(path, old, blob)
	case layout.KindWithdrawn:
		return w.addWithdrawal(path, ids[0], old, blob)
	case layout.KindHold:
		if !old.IsZero() {
			w.addAct(path, map[bool]string{true: "releases the hold", false: "changes the hold"}[gone])
		}
		return nil
	case layout.KindPayload, layout.KindPayloadChunk, layout.KindRecord, layout.KindOriginal, layout.KindOriginalChunk,
		layout.KindPointer, layout.KindOriginalPointer, layout.KindLoneRecord, layout.KindCitation, layout.KindReview:
	}
	if !gone {
		if !old.IsZero() && (kind == layout.KindPointer || kind == layout.KindOriginalPointer) {
			w.addBroken(path, "changes a pointer")
		}
		return nil
	}
	switch kind {
	case layout.KindLoneRecord, layout.KindCitation, layout.KindReview:
		w.addBroken(path, "drops what no archive loses")
		return nil
	case layout.KindPointer, layout.KindOriginalPointer:
		if back, err := lookup(w.get, w.to, strings.TrimSuffix(path, layout.PointerPath(""))); err != nil || !back.IsZero() {
			return err // the bytes came back into the tree
		}
	}
	switch kind {
	case layout.KindOriginal, layout.KindOriginalChunk, layout.KindOriginalPointer:
		if n := len(w.step.Originals); n == 0 || w.step.Originals[n-1] != ids[0] {
			w.step.Originals = append(w.step.Originals, ids[0])
		}
		return nil
	}
	return w.addRemoval(path, kind, ids[0])
}

// addRemoval adds the removal of a payload, of a chunk of one, or of a record.
func (w *stepper) addRemoval(path string, kind layout.Kind, artifact cid.ID) error {
	if kind == layout.KindPayloadChunk {
		path = layout.ArtifactPath(artifact)
		if n := len(w.step.Acts); n > 0 && w.step.Acts[n-1].Path == path {
			return nil
		}
	}
	what := "drops the payload"
	if kind == layout.KindRecord {
		what = "drops a record"
	}
	w.addAct(path, what)
	withdrawal, err := lookup(w.get, w.to, layout.WithdrawnPath(artifact))
	if err == nil && withdrawal.IsZero() {
		w.addBroken(path, what+" and no withdrawal says why")
	}
	return err
}

// addWithdrawal adds a withdrawal that was made, changed or taken back.
func (w *stepper) addWithdrawal(path string, artifact cid.ID, old, blob objects.Hash) error {
	switch {
	case blob.IsZero():
		w.addAct(path, "takes a withdrawal back")
		return nil
	case !old.IsZero():
		w.addAct(path, "changes a withdrawal")
		return nil
	}
	w.addAct(path, actWithdraws)
	hold, err := lookup(w.get, w.from, layout.HoldPath(artifact))
	if err == nil && !hold.IsZero() {
		w.addBroken(path, "withdraws what is held")
	}
	return err
}

// consent is a consent file that came, changed or went.
func (w *stepper) consent(path string, artifact cid.ID, old, blob objects.Hash) error {
	if blob.IsZero() {
		w.addAct(path, "drops a consent")
		return nil
	}
	p, err := w.policyBefore()
	if err != nil {
		return err
	}
	before := p.standard
	if old.IsZero() {
		payload, err := lookup(w.get, w.from, layout.ArtifactPath(artifact))
		if err == nil && payload.IsZero() {
			payload, err = lookup(w.get, w.from, layout.PointerPath(layout.ArtifactPath(artifact)))
		}
		if err != nil || payload.IsZero() { // nothing was in force
			return err
		}
	} else if before, err = readConsent(w.get, old); err != nil {
		return err
	}
	after, err := readConsent(w.get, blob)
	if err == nil && p.loosens(before, after) {
		w.addAct(path, "loosens consent")
	}
	return err
}

func (w *stepper) defaultConsent(old, blob objects.Hash) error {
	before, err := readDefault(w.get, old)
	if err != nil {
		return err
	}
	after, err := readDefault(w.get, blob)
	if err != nil {
		return err
	}
	loose, err := loosensLabels(w.get, old, blob)
	if err == nil && (loose || !before.Surfacing && after.Surfacing || w.loosensReading(before, after)) {
		w.addAct(layout.PathConsent, "loosens the archive's consent")
	}
	return err
}

// loosensReading reports whether a default lets more of papers be read, or be sent to other programs.
func (w *stepper) loosensReading(before, after *access.Consent) bool {
	return access.StricterReading(after.Reading, before.Reading) != after.Reading || !access.AllowsProcessing(before.Processing, after.Processing)
}

// policyBefore reads the consent policy of the snapshot before.
func (w *stepper) policyBefore() (*consentPolicy, error) {
	if w.policy == nil {
		p, err := readConsentPolicy(w.get, w.from)
		if err != nil {
			return nil, err
		}
		w.policy = p
	}
	return w.policy, nil
}

// A consentPolicy says what holds without a consent file, and how the tiers
// are ordered.
type consentPolicy struct {
	standard *access.Consent
	rank     map[string]int // by tier, lowest first; the empty name is 0
}

func readConsentPolicy(get Getter, tree objects.Hash) (*consentPolicy, error) {
	p := &consentPolicy{rank: map[string]int{"": 0}}
	h, err := lookup(get, tree, layout.PathConsent)
	if err != nil {
		return nil, err
	}
	if p.standard, err = readDefault(get, h); err != nil {
		return nil, err
	}
	if h, err = lookup(get, tree, layout.PathTiers); err != nil || h.IsZero() {
		return p, err
	}
	data, err := getBlob(get, h)
	if err != nil {
		return nil, err
	}
	tiers, err := access.ParseTiers(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", layout.PathTiers, err)
	}
	for i, t := range tiers.Tiers {
		p.rank[t.Name] = i
	}
	return p, nil
}

// loosens reports whether after allows anything that before does not. A tier
// that is not in the list counts as lower than any other.
func (p *consentPolicy) loosens(before, after *access.Consent) bool {
	for _, label := range before.Sensitive {
		if !slices.Contains(after.Sensitive, label) {
			return true
		}
	}
	a, known := p.rank[after.MinTier]
	return p.loosensSecond(before, after) || after.Inclusion && !before.Inclusion || after.Surfacing && !before.Surfacing ||
		after.Display && !before.Display || after.Existence && !before.Existence ||
		after.MinTier != before.MinTier && (!known || a < p.rank[before.MinTier])
}

// loosensSecond reports whether the members of the second version of a consent let more be read or
// sent, or shorten the time for which it holds.
func (p *consentPolicy) loosensSecond(before, after *access.Consent) bool {
	b, a := *before, *after
	for _, c := range []*access.Consent{&b, &a} {
		c.Reading, c.Processing = cmp.Or(c.Reading, p.standard.Reading), cmp.Or(c.Processing, p.standard.Processing)
	}
	return access.StricterReading(a.Reading, b.Reading) != a.Reading || !access.AllowsProcessing(b.Processing, a.Processing) ||
		a.Rights != "" && a.Rights != b.Rights || b.Until != "" && access.End(a.Until).Compare(access.End(b.Until)) < 0
}

// readDefault returns the consent that the file of a blob sets for artifacts
// without their own; no file is an open one.
func readDefault(get Getter, blob objects.Hash) (*access.Consent, error) {
	d := &access.ConsentDefault{Default: access.ConsentOpen}
	if !blob.IsZero() {
		data, err := getBlob(get, blob)
		if err != nil {
			return nil, err
		}
		if d, err = access.ParseConsentDefault(data); err != nil {
			return nil, fmt.Errorf("%s: %w", layout.PathConsent, err)
		}
	}
	c := d.Consent()
	return &c, nil
}

func readConsent(get Getter, blob objects.Hash) (*access.Consent, error) {
	data, err := getBlob(get, blob)
	if err != nil {
		return nil, err
	}
	return access.ParseConsent(data)
}

// lookup returns the object at a path of a tree, the zero hash if there is none.
func lookup(get Getter, tree objects.Hash, path string) (objects.Hash, error) {
	w := differ{get: get}
	for depth, name := range strings.Split(path, "/") {
		entries, err := w.entries(path, tree, depth)
		if err != nil {
			return objects.Hash{}, err
		}
		i := slices.IndexFunc(entries, func(e objects.TreeEntry) bool { return e.Name == name })
		if i < 0 {
			return objects.Hash{}, nil
		}
		tree = entries[i].Hash
	}
	return tree, nil
}
