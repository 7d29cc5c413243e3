package holdings

import (
	"cmp"
	"slices"
	"strings"

	"muniment/archive/keyfile"
	"muniment/archive/problem"
	"muniment/cid"
	"muniment/objects"
	"muniment/snapshot/access"
	"muniment/snapshot/layout"
)

// maxInherited is how many papers are followed from a part or a text to what it came in or was made from: a mail in a
// mail in an archive, its scan, the scan's text and a translation take six. What lies deeper is closed.
const maxInherited = 12

// FollowsOthers reports whether an artifact has a consent of its own or may be subject to
// that of the papers in which it came or of which it is the text.
func (art *Artifact) FollowsOthers() bool {
	return art.HasConsent || slices.ContainsFunc(art.Records, func(h StoredRecord) bool { return len(h.Origins()) > 0 })
}

// Origins returns the IDs of the artifacts that an accession came in or was made from: the
// scans and recordings of which it is the text, and the whole of which it is a part. Whoever
// may not know of one of them may not know of the accession.
func (h StoredRecord) Origins() []cid.ID {
	if h.Record == nil {
		return nil
	}
	return append(h.scans(), h.wholes()...)
}

// scans returns the IDs of the scans and recordings whose text a record describes.
func (h StoredRecord) scans() []cid.ID {
	d := DerivationOf(h.Record)
	if d == nil {
		return nil
	}
	return h.others(d.From)
}

// wholes returns the IDs of what the paper of a record lay in.
func (h StoredRecord) wholes() []cid.ID { return h.others(strings.Fields(h.Record.Facts[FactPartOf])) }

// others returns the IDs of artifacts among refs that are not that of the record.
func (h StoredRecord) others(refs []string) []cid.ID {
	var out []cid.ID
	for _, ref := range refs {
		if id, err := cid.ParseAs(cid.Raw, ref); err == nil && ref != h.Record.Artifact {
			out = append(out, id)
		}
	}
	return out
}

// Consent returns the consent in force for an artifact: its own, restricted by that of what it came in or was made
// from; nil where the archive's default holds. An artifact that came in several times inherits from the accession that
// restricts it least. What came from an address is read in excerpts at most until a consent states rights.
func (s *Lookup) Consent(id cid.ID) (*access.Consent, error) { return s.consent(id, maxInherited) }

// SignedConsent returns the consent that was signed for an artifact: its own or that of the scans
// whose text it is; nil where it has none.
func (s *Lookup) SignedConsent(id cid.ID) (*access.Consent, error) {
	if own, err := s.OwnConsent(id); own != nil || err != nil {
		return own, err
	}
	return s.InheritedConsent(id)
}

// InheritedConsent returns the consent that holds for an artifact where it has none of its
// own; nil where that is the archive's default.
func (s *Lookup) InheritedConsent(id cid.ID) (*access.Consent, error) {
	art, err := s.Artifact(id)
	if art == nil || err != nil {
		return nil, err
	}
	return s.findInherited(art, maxInherited)
}

// consent is Consent; depth is how many papers are followed.
func (s *Lookup) consent(id cid.ID, depth int) (*access.Consent, error) {
	art, err := s.Artifact(id) // cheaper than a path from the root: its upper directories are cached
	if err != nil {
		return nil, err
	}
	var inForce *access.Consent
	if art == nil || art.HasConsent || s.changed[layout.ConsentPath(id)] != nil {
		if inForce, err = s.OwnConsent(id); err != nil || art == nil {
			return inForce, err
		}
	}
	inherited, err := s.findInherited(art, depth)
	switch {
	case err != nil:
		return nil, err
	case inForce == nil:
		inForce = inherited
	case inherited != nil:
		if err := s.restrict(inForce, *inherited); err != nil {
			return nil, err
		}
	}
	if !art.IsCapture() {
		return inForce, nil
	}
	return s.restrictCapture(art, inForce)
}

// IsCapture reports whether the artifact came from an address, and from nowhere else: who put it
// there may have rights in it that nobody gave the archive.
func (art *Artifact) IsCapture() bool {
	current := art.CurrentRecords()
	for _, h := range current {
		if h.Record.Source == nil || h.Record.Source.FetchedAt == "" {
			return false
		}
	}
	return len(current) > 0
}

// restrictCapture returns the consent in force for what came from an address, of which others read excerpts at most
// until a signed consent states rights; inForce is the consent in force without that, nil for the archive's default.
func (s *Lookup) restrictCapture(art *Artifact, inForce *access.Consent) (*access.Consent, error) {
	usual, err := s.usualConsent()
	if err != nil {
		return nil, err
	}
	if inForce == nil {
		if usual.Reading != access.ReadingWhole {
			return nil, nil
		}
		inForce = &usual
		inForce.Artifact = art.ID.String()
	}
	if inForce.Rights == "" {
		inForce.Reading = access.StricterReading(cmp.Or(inForce.Reading, usual.Reading), access.ReadingExcerpts)
	}
	return inForce, nil
}

// findInherited returns the consent that an artifact takes from what it came in or was made from, nil for none.
func (s *Lookup) findInherited(art *Artifact, depth int) (*access.Consent, error) {
	var out *access.Consent
	for _, h := range art.CurrentRecords() {
		if len(h.Origins()) == 0 {
			return nil, nil // this accession brought it by itself
		}
		next, err := s.inheritedBy(h, depth)
		if err != nil || next == nil {
			return nil, err
		}
		if out == nil {
			out = next
		} else if opens, err := s.isLooser(next, out); err != nil {
			return nil, err
		} else if opens {
			out = next
		}
	}
	if out != nil {
		out.Artifact = art.ID.String()
	}
	return out, nil
}

// inheritedBy returns the strictest consent of what one accession came in or was made from,
// nil where none of these has one.
func (s *Lookup) inheritedBy(h StoredRecord, depth int) (*access.Consent, error) {
	if depth == 0 {
		return &access.Consent{Inclusion: true, Reason: "what it came in lies too deep to be looked up"}, nil
	}
	var out *access.Consent
	wholes := h.wholes()
	for i, from := range slices.Concat(wholes, h.scans()) {
		next, err := s.consent(from, depth-1)
		if err != nil {
			return nil, err
		}
		if i < len(wholes) { // a part is never more open than a paper by itself
			if next, err = s.restrictDefault(next); err != nil {
				return nil, err
			}
		} else if origin, err := s.Artifact(from); err != nil {
			return nil, err
		} else if origin != nil && origin.Withdrawn {
			next = &access.Consent{Existence: true, Reason: "the scan of which it is the text was withdrawn"}
		}
		switch {
		case next == nil:
		case out == nil:
			out = next
		default:
			err = s.restrict(out, *next)
		}
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// restrictDefault leaves in a consent what the archive's default allows too; nil stays nil.
func (s *Lookup) restrictDefault(c *access.Consent) (*access.Consent, error) {
	if c == nil {
		return nil, nil
	}
	usual, err := s.usualConsent()
	if err == nil {
		c.Restrict(usual, usual)
	}
	return c, err
}

// isLooser reports whether a consent lets the papers that have it be known to more callers than
// another does or, to as many, lets more of them be shown.
func (s *Lookup) isLooser(a, b *access.Consent) (bool, error) {
	if known := a.Inclusion && a.Existence; known != (b.Inclusion && b.Existence) {
		return known, nil
	}
	if a.MinTier != b.MinTier {
		higher := b.MinTier
		if a.MinTier != "" && b.MinTier != "" {
			var err error
			if higher, err = s.higherTier(a.MinTier, b.MinTier); err != nil {
				return false, err
			}
		} else if a.MinTier != "" {
			higher = a.MinTier
		}
		return higher == b.MinTier, nil
	}
	for _, pair := range [][2]bool{{a.Surfacing, b.Surfacing}, {a.Display, b.Display}} {
		if pair[0] != pair[1] {
			return pair[0], nil
		}
	}
	if a.Reading != b.Reading {
		return access.StricterReading(a.Reading, b.Reading) == b.Reading, nil
	}
	return len(a.Sensitive)+len(a.Persons) < len(b.Sensitive)+len(b.Persons), nil
}

// restrict leaves in a what both consents allow. Of two tiers the higher one holds.
func (s *Lookup) restrict(a *access.Consent, b access.Consent) error {
	switch {
	case a.MinTier == "":
		a.MinTier = b.MinTier
	case b.MinTier != "" && b.MinTier != a.MinTier:
		higher, err := s.higherTier(a.MinTier, b.MinTier)
		if err != nil {
			return err
		}
		a.MinTier = higher
	}
	usual, err := s.usualConsent()
	if err == nil {
		a.Restrict(b, usual)
	}
	return err
}

// usualConsent returns the consent of artifacts without one of their own.
func (s *Lookup) usualConsent() (access.Consent, error) {
	data, err := s.file(layout.PathConsent)
	if err != nil {
		return access.Consent{}, err
	}
	d := &access.ConsentDefault{Default: access.ConsentOpen}
	if data == nil {
		return d.Consent(), nil
	}
	if d, err = access.ParseConsentDefault(data); err != nil {
		return access.Consent{}, problem.Negative(problem.Damaged, problem.Next(problem.DoVerify), "%s: %w", layout.PathConsent, err)
	}
	return d.Consent(), nil
}

// higherTier returns which of two tiers the policy of the tree has later; one that it does
// not have is above all that it has.
func (s *Lookup) higherTier(a, b string) (string, error) {
	data, err := s.file(layout.PathTiers)
	if err != nil || data == nil {
		return a, err
	}
	list, err := access.ParseTiers(data)
	if err != nil {
		return "", problem.Negative(problem.Damaged, problem.Next(problem.DoVerify), "%s: %w", layout.PathTiers, err)
	}
	for _, t := range list.Tiers {
		switch t.Name {
		case a:
			return b, nil
		case b:
			return a, nil
		}
	}
	return a, nil
}

// OwnConsent returns an artifact's own consent, nil when it has none.
func (s *Lookup) OwnConsent(id cid.ID) (*access.Consent, error) {
	path := layout.ConsentPath(id)
	data, err := s.file(path)
	if err != nil || data == nil {
		return nil, err
	}
	own, err := access.ParseConsent(data)
	if err != nil {
		return nil, problem.Negative(problem.Damaged, problem.Next(problem.DoListDamage), "%s: %w", path, err)
	}
	return own, nil
}

// file returns the bytes of a file of the tree, nil where it has none.
func (s *Lookup) file(path string) ([]byte, error) {
	if data := s.changed[path]; data != nil {
		return data, nil
	}
	names := strings.Split(path, "/")
	at := s.tree
	for i, name := range names {
		entries, err := readTree(s.store, at)
		if err != nil {
			return nil, problem.Wrap(err, path)
		}
		j := slices.IndexFunc(entries, func(e objects.TreeEntry) bool {
			return e.Name == name && (e.Mode == objects.ModeTree) == (i < len(names)-1)
		})
		if j < 0 {
			return nil, nil
		}
		at = entries[j].Hash
	}
	_, data, err := s.store.Get(at)
	return data, problem.Wrap(err, path)
}

// WithInheritors adds the artifacts that inherit the consent of some to their list, each once.
func (c *Catalog) WithInheritors(list []*Artifact) ([]*Artifact, error) {
	seen := map[cid.ID]bool{}
	for _, art := range list {
		seen[art.ID] = true
	}
	for i := 0; i < len(list); i++ {
		next, err := c.inheritors(list[i].ID)
		if err != nil {
			return nil, err
		}
		for _, art := range next {
			if !seen[art.ID] {
				seen[art.ID] = true
				list = append(list, art)
			}
		}
	}
	return list, nil
}

// inheritors returns the artifacts with an accession that came in an artifact or was made from it.
func (c *Catalog) inheritors(id cid.ID) ([]*Artifact, error) {
	d := id.Digest()
	return c.list(keyfile.Key(keyDerived, d[:digestPart], nil), func(art *Artifact) bool {
		return slices.ContainsFunc(recordsOf(art), func(h StoredRecord) bool { return slices.Contains(h.Origins(), id) })
	})
}
