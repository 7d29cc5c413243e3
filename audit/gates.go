package audit

import (
	"fmt"
	"muniment/bundle/display"
	"muniment/bundle/leaf"
	"slices"
	"strings"
	"unicode/utf8"

	"muniment/answer/gate"
	"muniment/archive"
	"muniment/archive/problem"
	"muniment/bundle"
	"muniment/cid"
	"muniment/history"
	"muniment/objects"
	"muniment/policy"
	"muniment/snapshot"
	"muniment/snapshot/record"
	"muniment/text/legible"
)

// A gateCheck is the outcome of rerunning the display gates of a bundle.
type gateCheck struct {
	decisions int      // gates that were rerun: one for each citation
	faults    []string // citations that show more than the policy allows
	stricter  int      // citations that show less
	notRun    string   // why the gates were not rerun, or ""
}

// A gateRun is one rerun of the display gates of an answer.
type gateRun struct {
	archive  *archive.Archive
	bundle   *bundle.Bundle
	opened   *bundle.Opened
	who      policy.Requestor
	more     bool                      // the answer showed more context than an excerpt
	shown    map[int]bool              // leaves that the bundle discloses, by index
	policies map[string]*policy.Policy // by snapshot
	check    gateCheck
}

// rerunGates reruns the display gates of an answer: the Cedar policy and the consents
// of the snapshots that the citations name, for the requestor that the sealed layer
// names, over the words that the bundle shows.
func rerunGates(a *archive.Archive, b *bundle.Bundle, opened *bundle.Opened) (*gateCheck, error) {
	if !opened.Complete {
		return &gateCheck{notRun: "not every sealed leaf was opened"}, nil
	}
	g := &gateRun{archive: a, bundle: b, opened: opened, shown: map[int]bool{}, policies: map[string]*policy.Policy{}}
	for _, l := range b.Leaves() {
		g.shown[l.Head().Index] = true
	}
	if !g.readRequestor() {
		return &gateCheck{notRun: "the answer does not say who asked"}, nil
	}
	for _, l := range opened.Leaves {
		c, ok := l.(*leaf.Cite)
		if !ok {
			continue
		}
		src, ok := opened.Leaves[c.Source].(*leaf.Source)
		if !ok {
			g.check.notRun = "a citation has no source"
			return &g.check, nil
		}
		if err := g.addCitation(c, src); err != nil {
			return nil, err
		}
		if g.check.notRun != "" {
			break
		}
	}
	return &g.check, nil
}

// readRequestor sets who asked, at which tier and for how much, from the sealed
// leaves, and reports whether they name the requestor.
func (g *gateRun) readRequestor() bool {
	found := false
	for _, l := range g.opened.Leaves {
		switch l := l.(type) {
		case *leaf.Display:
			g.who.Tier = l.RequestorTier
		case *leaf.Gate:
			if l.Stage == leaf.StageCategory {
				g.who.Name, found = gate.RequestorIn(l.Notes)
				g.more = slices.Contains(l.Notes, gate.MoreNote)
			}
		}
	}
	return found
}

// addCitation reruns the gates for one citation under the policy of its snapshot and
// counts the outcome. A snapshot that the archive lacks ends the rerun.
func (g *gateRun) addCitation(c *leaf.Cite, src *leaf.Source) error {
	s, err := snapshot.Parse([]byte(src.Commit))
	if err != nil {
		return problem.Wrap(err, "source")
	}
	p := g.policies[src.Snapshot]
	if p == nil {
		if !g.archive.Store().Has(objects.Sum(objects.Commit, s.Content)) {
			g.check.notRun = fmt.Sprintf("this copy of the archive does not hold snapshot %d", s.Seq)
			return nil
		}
		if p, err = g.archive.ReadPolicy(s.Tree); err != nil {
			return err
		}
		if p.Digest() != g.bundle.Statement().Policy {
			g.check.faults = append(g.check.faults, fmt.Sprintf("the policy of snapshot %d is not the one that the statement names", s.Seq))
		}
		if g.who.Tier == policy.ArchivistTier {
			if _, own := p.FindTier(policy.ArchivistTier); !own {
				if p, err = g.forArchivist(p, s); err != nil {
					return err
				}
			}
		}
		g.policies[src.Snapshot] = p
	}
	fault, stricter, err := g.rerunCitation(p, s.Tree, c, src)
	if err != nil {
		return err
	}
	g.check.decisions++
	if fault != "" {
		g.check.faults = append(g.check.faults, fmt.Sprintf("claim %d, %s: %s", c.Claim, c.Handle, fault))
	}
	if stricter {
		g.check.stricter++
	}
	return nil
}

// forArchivist returns the policy as it holds for an archivist, where a key that signed the answer
// may ask as one under a snapshot; else the policy, which knows no such requestor.
func (g *gateRun) forArchivist(p *policy.Policy, s *snapshot.Snapshot) (*policy.Policy, error) {
	for _, key := range g.bundle.Signers() {
		may, err := history.IsArchivist(g.archive, s, key)
		if err != nil {
			return nil, err
		}
		if may {
			return p.ForArchivist(), nil
		}
	}
	return p, nil
}

// rerunCitation reruns the gates for one citation under a policy; tree is that of its
// snapshot. fault says what is shown against the policy, "" where all is allowed;
// stricter reports whether less is shown than the policy allows.
func (g *gateRun) rerunCitation(p *policy.Policy, tree objects.Hash, c *leaf.Cite, src *leaf.Source) (fault string, stricter bool, err error) {
	id, err := cid.Parse(src.Artifact)
	if err != nil {
		return "", false, problem.Wrap(err, "source")
	}
	if rec, err := record.ParseRecord([]byte(src.RecordJSON)); err == nil && rec.Artifact != "" {
		if id, err = cid.ParseAs(cid.Raw, rec.Artifact); err != nil {
			return "", false, problem.Wrap(err, "source")
		}
	}
	consent, err := g.archive.Consent(tree, id)
	if err != nil {
		return "", false, err
	}
	paper, err := archive.PaperOf(g.archive, tree, id)
	if err != nil {
		return "", false, err
	}
	who := g.who
	if who.Name == "" {
		who.Tier = ""
	}
	perm, err := p.DecideWords(who, id, consent, paper, src.Quote)
	if err != nil {
		return fmt.Sprintf("the policy does not know this requestor: %v", err), false, nil
	}
	limit := perm.Excerpt
	if g.more {
		limit *= gate.ContextFactor
	}
	length, named := 0, false
	for _, i := range c.Chunks {
		k, ok := g.opened.Leaves[i].(*leaf.Chunk)
		if ok && g.shown[i] {
			length += utf8.RuneCountInString(k.Text)
			named = named || slices.ContainsFunc(p.VeilsIn(k.Text, paper), func(v policy.Veil) bool { return len(v.Persons) > 0 })
		}
	}
	switch {
	case !perm.Surface:
		return "no answer may rest on it: " + strings.Join(perm.Reasons, "; "), false, nil
	case length > 0 && !perm.Display:
		return "its words may not be shown: " + strings.Join(perm.Reasons, "; "), false, nil
	case length > limit:
		return fmt.Sprintf("%d code points are shown, the tier allows %d", length, limit), false, nil
	case named:
		return "an anonymized or sealed person is named", false, nil
	}
	return "", c.Restricted && perm.Display, nil
}

// addTo adds the outcome to the axis of the gates, or a remark where the gates were
// not rerun.
func (r *gateCheck) addTo(v *BundleVerdict) {
	reason := ""
	switch {
	case r.notRun != "":
		v.Remarks = append(v.Remarks, "the policy was not run again: "+r.notRun)
		v.Report.Remarks = append(v.Report.Remarks, "the policy was not run again: "+r.notRun)
		return
	case len(r.faults) > 0:
		reason = "run again with the archive's policy: " + r.faults[0] + legible.AndMore(len(r.faults)-1)
		v.Verdict, v.Report.Verdict = bundle.Invalid, bundle.Invalid
	default:
		reason = fmt.Sprintf("the policy was run again for %s and allows what is shown", display.Count(r.decisions, "citation"))
		if r.stricter > 0 {
			reason += fmt.Sprintf(", and more of %d", r.stricter)
		}
	}
	for _, axes := range [][]bundle.Axis{v.Axes, v.Report.Axes} {
		for i := range axes {
			if axes[i].Name != bundle.AxisGate {
				continue
			}
			if len(r.faults) > 0 {
				axes[i].Result, axes[i].Reason = bundle.Fail, reason
			} else if !strings.Contains(axes[i].Reason, reason) {
				axes[i].Reason += "; " + reason
			}
		}
	}
}
