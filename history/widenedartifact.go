package history

import (
	"slices"
	"strings"

	"muniment/archive/holdings"
	"muniment/cid"
	"muniment/snapshot/access"
	"muniment/snapshot/layout"
)

// compareArtifact compares an artifact whose consent or records differ.
func (c *comparison) compareArtifact(id cid.ID) error {
	was, err := c.from.Artifact(id)
	if err != nil {
		return err
	}
	is, err := c.to.Artifact(id)
	if err != nil || is == nil {
		return err // what went away shows nothing
	}
	if len(is.Records) == 0 {
		if is.HasConsent && (was == nil || !was.Withdrawn && !is.Withdrawn) {
			c.add(layout.ConsentPath(id), "plants a consent for a paper that is not in the archive")
		}
		return nil
	}
	old, err := c.predecessors(was, is)
	if err != nil {
		return err
	}
	lost := lostLinks(old, is)
	for _, l := range lost {
		c.add(l.path, "of %s: its record no longer says that it is %s", is.Name(), l.link)
	}
	return c.compareConsent(was, is, old, lost)
}

// A predecessor is a record that was in force and that others take over from.
type predecessor struct {
	artifact cid.ID
	stored   holdings.StoredRecord
	by       cid.ID // the record that supersedes it; zero for the artifact's own
}

// predecessors returns the records whose derivation the records of an artifact must keep: the
// current ones that it had, and those of other artifacts that a new one supersedes.
func (c *comparison) predecessors(was, is *holdings.Artifact) ([]predecessor, error) {
	var out []predecessor
	had := map[cid.ID]bool{}
	if was != nil {
		for _, h := range was.CurrentRecords() {
			out = append(out, predecessor{artifact: was.ID, stored: h})
		}
		for _, h := range was.Records {
			had[h.ID] = true
		}
	}
	for _, h := range is.Records {
		if h.Record.Supersedes == "" || had[h.ID] {
			continue
		}
		superseded, err := cid.ParseAs(cid.JSON, h.Record.Supersedes)
		if err != nil || slices.ContainsFunc(is.Records, func(o holdings.StoredRecord) bool { return o.ID == superseded }) {
			continue
		}
		artifact, known, err := c.locateRecord(superseded)
		if err != nil {
			return nil, err
		}
		if !known {
			continue
		}
		stored, err := c.storedRecord(artifact, superseded)
		if err != nil {
			return nil, err
		}
		if stored != nil {
			out = append(out, predecessor{artifact, *stored, h.ID})
		}
	}
	return out, nil
}

// storedRecord returns a record of an artifact in the tree before or, where that has none,
// in the one after it; nil where neither has it.
func (c *comparison) storedRecord(artifact, id cid.ID) (*holdings.StoredRecord, error) {
	for _, lookup := range []*holdings.Lookup{c.from, c.to} {
		art, err := lookup.Artifact(artifact)
		if err != nil {
			return nil, err
		}
		if art == nil {
			continue
		}
		for _, h := range art.Records {
			if h.ID == id {
				return &h, nil
			}
		}
	}
	return nil, nil
}

// A lostLink is what a record said of its derivation and its successor does not.
type lostLink struct{ path, link string }

// lostLinks returns the links that the records of an artifact no longer have.
func lostLinks(old []predecessor, is *holdings.Artifact) []lostLink {
	var now []string
	for _, h := range is.CurrentRecords() {
		now = append(now, linksOf(h.Record)...)
	}
	var out []lostLink
	for _, p := range old {
		have, path := now, layout.RecordPath(p.artifact, p.stored.ID)
		if !p.by.IsZero() {
			path = layout.RecordPath(is.ID, p.by)
			at := slices.IndexFunc(is.Records, func(h holdings.StoredRecord) bool { return h.ID == p.by })
			have = linksOf(is.Records[at].Record)
		}
		for _, link := range linksOf(p.stored.Record) {
			if !slices.Contains(have, link) && !strings.HasSuffix(link, " "+is.ID.String()) {
				out = append(out, lostLink{path, link})
			}
		}
	}
	return out
}

// compareConsent compares the consents in force for an artifact in both trees. One that was
// not there had what holds without a consent of its own, and what held for the papers whose
// readings it takes over.
func (c *comparison) compareConsent(was, is *holdings.Artifact, old []predecessor, lost []lostLink) error {
	if c.before == nil || c.after == nil {
		if is.HasConsent && len(c.found) == 0 {
			c.add(layout.ConsentPath(is.ID), "of %s: has a consent under a policy that cannot be read", is.Name())
		}
		return nil
	}
	after, err := c.to.Consent(is.ID)
	if err != nil {
		return err
	}
	isOld := was != nil && len(was.Records) > 0
	var before *access.Consent
	rules := c.before
	if isOld {
		before, err = c.from.Consent(is.ID)
	} else {
		rules = c.after
		before, err = c.to.InheritedConsent(is.ID)
	}
	if err != nil {
		return err
	}
	path := layout.ConsentPath(is.ID)
	if !is.HasConsent {
		path = layout.ArtifactPath(is.ID)
	}
	n := len(c.found)
	hadOwn := isOld && was.HasConsent
	for _, w := range rules.WidensConsent(is.ID, before, c.after, after) {
		w.Aside = w.Aside || len(lost) > 0 || hadOwn == is.HasConsent && !is.HasConsent
		c.found = append(c.found, exposure{path, "of " + is.Name() + ": " + w.What, w.Aside})
	}
	for _, p := range old {
		if p.artifact == is.ID {
			continue
		}
		rules, tree := c.before, c.from
		if there, err := tree.Artifact(p.artifact); err != nil {
			return err
		} else if there == nil { // it came with this one
			rules, tree = c.after, c.to
		}
		held, err := tree.Consent(p.artifact)
		if err != nil {
			return err
		}
		for _, w := range rules.WidensConsent(is.ID, held, c.after, after) {
			c.found = append(c.found, exposure{path, "of " + is.Name() + ", which was " + p.stored.Label() + ": " + w.What, true})
		}
	}
	if len(c.found) == n && is.HasConsent && !hadOwn && len(c.after.WidensConsent(is.ID, after, c.after, before)) == 0 {
		c.add(path, "of %s: has a consent of its own that closes nothing, and later ones would not reach it", is.Name())
	}
	return nil
}
