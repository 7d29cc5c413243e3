package bundle

import (
	"errors"
	"fmt"
	"maps"
	"muniment/bundle/display"
	"muniment/bundle/leaf"
	"slices"
	"strings"

	"muniment/cid"
	"muniment/cid/jcs"
	"muniment/cite"
	"muniment/sign"
	"muniment/snapshot/record"
)

// checkSources returns the axis of step 16. The leaves are by index, nil where
// unknown, and complete says that none is unknown. Without trust in q the signers
// of the snapshots are compared with nothing. counted are the keys whose signatures
// of the statement count.
func checkSources(leaves []leaf.Leaf, complete bool, archive cid.ID, q Requirements, counted []sign.Key) contentAxis {
	var late *contentAxis
	sources, unshown := 0, ""
	signers := make(map[string]bool)
	for i, l := range leaves {
		s, ok := l.(*leaf.Source)
		if !ok {
			continue
		}
		snap, err := s.Verify(archive)
		if err != nil {
			if j := sourceFault(i, err); !j.newer {
				return j
			} else if late == nil {
				late = &j
			}
			continue
		}
		sources++
		signers[snap.Key.Fingerprint()] = true
		vouched := slices.ContainsFunc(counted, func(k sign.Key) bool { return k.Point() != snap.Key.Point() })
		reason, err := q.judgeSnapshotKey(snap, vouched)
		if err != nil {
			return sourceFault(i, err)
		}
		if few := q.undersigned(snap); few != "" {
			reason = few
		}
		if reason != "" {
			unshown = reason
		}
	}
	for i, l := range leaves {
		r, ok := l.(*leaf.Reviews)
		if !ok {
			continue
		}
		if err := checkReviewProofs(r, archive, q); err != nil {
			if j := sourceFault(i, err); !j.newer {
				return j
			} else if late == nil {
				late = &j
			}
		}
	}
	cites, sealed, bad := checkCites(leaves)
	if bad != nil {
		return *bad
	}
	axis := func(r Result, reason string) contentAxis { return contentAxis{Axis: Axis{AxisSpan, r, reason}} }
	switch {
	case late != nil:
		return *late
	case sealed > 0:
		return axis(NotChecked, fmt.Sprintf("the sources of %d of %d citations are sealed", sealed, cites))
	case !complete && sources == 0:
		return axis(NotChecked, "the sources are sealed")
	case sources == 0:
		return axis(Pass, "nothing is cited")
	case unshown != "":
		return axis(NotChecked, unshown)
	}
	reason := fmt.Sprintf("%s signed by %s", display.CountOf(sources, "source stands in a snapshot", "sources stand in snapshots"), strings.Join(slices.Sorted(maps.Keys(signers)), ", "))
	if !q.hasTrust() {
		reason += "; no trust file says whether that counts"
	}
	return axis(Pass, reason)
}

// checkCites compares each cite with its source. It returns how many cites there are, how many have a sealed source, and
// the axis of the first that does not agree, nil where all do.
func checkCites(leaves []leaf.Leaf) (cites, sealed int, bad *contentAxis) {
	for i, l := range leaves {
		c, ok := l.(*leaf.Cite)
		if !ok {
			continue
		}
		cites++
		s, ok := leaves[c.Source].(*leaf.Source)
		if !ok {
			sealed++
			continue
		}
		if err := checkCite(c, s, leaves); err != nil {
			if j := sourceFault(i, err); !j.newer {
				return cites, sealed, &j
			}
		}
	}
	return cites, sealed, nil
}

// sourceFault returns the axis of a leaf that does not agree with its source, or is newer than this program.
func sourceFault(i int, err error) contentAxis {
	if newer := (*jcs.NewerError)(nil); errors.As(err, &newer) {
		return contentAxis{Axis{AxisSpan, NotChecked, fmt.Sprintf("leaf %d: %v", i, err)}, true}
	}
	return contentAxis{Axis: Axis{AxisSpan, Fail, fmt.Sprintf("leaf %d: %v", i, err)}}
}

// A contentAxis is an axis of steps 15 to 17, and says whether it is NOT-CHECKED because something is newer.
type contentAxis struct {
	Axis
	newer bool
}

// checkCite takes step 16f: the public half of a citation agrees with its source,
// and its excerpt is a run of the source's words.
func checkCite(c *leaf.Cite, s *leaf.Source, leaves []leaf.Leaf) error {
	full, err := cite.ParseCitation([]byte(s.CitationJSON))
	if err != nil {
		return err
	}
	if full.Relation != c.Relation {
		return fmt.Errorf("relation %s, the citation says %s", c.Relation, full.Relation)
	}
	if c.Title+c.Date != "" {
		rec, err := record.ParseRecord([]byte(s.RecordJSON))
		if err != nil {
			return err
		}
		if title, date := display.SourceOf(rec); c.Title != title && c.Title != "" || c.Date != date && c.Date != "" {
			return fmt.Errorf("it calls its source %q of %q, the record says %q of %q", clip(c.Title), clip(c.Date), clip(title), clip(date))
		}
	}
	text, err := s.Words()
	if err != nil {
		return err
	}
	// Adjacent known chunks form a run; the runs must follow each other in
	// the text. Where no chunk is unknown there is one run.
	var runs []string
	gap := true
	for _, i := range c.Chunks {
		k, ok := leaves[i].(*leaf.Chunk)
		switch {
		case !ok:
		case gap:
			runs = append(runs, k.Text)
		default:
			runs[len(runs)-1] += k.Text
		}
		gap = !ok
	}
	for _, r := range runs {
		at := strings.Index(text, r)
		if at < 0 {
			return fmt.Errorf("the excerpt %q is not in the source's text", clip(r))
		}
		text = text[at+len(r):]
	}
	return nil
}

// judgeGates returns the axis of step 17. The leaves are by index, nil where
// unknown, and complete says that none is unknown.
func judgeGates(leaves []leaf.Leaf, complete bool, archive cid.ID, q Requirements) contentAxis {
	g := gateJudge{leaves: leaves, tables: map[string]bool{}, roles: map[int]cite.Role{}, strangers: map[string]bool{}, archive: archive, trust: q}
	for i, l := range leaves {
		gate, ok := l.(*leaf.Gate)
		if !ok {
			continue
		}
		if fault := g.judgeGate(gate); fault != "" {
			return contentAxis{Axis: Axis{AxisGate, Fail, fmt.Sprintf("leaf %d: %s", i, fault)}}
		}
	}
	for i, l := range leaves {
		c, ok := l.(*leaf.Claim)
		if !ok {
			continue
		}
		if fault := g.judgeClaim(c, complete); fault != "" {
			return contentAxis{Axis: Axis{AxisGate, Fail, fmt.Sprintf("leaf %d: %s", i, fault)}}
		}
	}
	for i, l := range leaves {
		r, ok := l.(*leaf.Reviews)
		if !ok {
			continue
		}
		if fault := g.judgeReviews(r); fault != "" {
			return contentAxis{Axis: Axis{AxisGate, Fail, fmt.Sprintf("leaf %d: %s", i, fault)}}
		}
	}
	if newer := g.newerTable(); newer != nil {
		return contentAxis{Axis{AxisGate, NotChecked, newer.Error()}, true}
	}
	return contentAxis{Axis: g.conclude(complete)}
}

// A gateJudge counts what became of the gates and claims of an answer.
type gateJudge struct {
	leaves         []leaf.Leaf
	tables         map[string]bool   // rung tables and weights that are not known here
	roles          map[int]cite.Role // by ordinal of the claim, of the scores at hand
	gates, claims  int
	sealed, scores int // claims whose gate, or whose score, is not at hand

	archive   cid.ID
	trust     Requirements    // whose reviews count
	strangers map[string]bool // fingerprints of reviewers that no trust at hand knows
}

// judgeGate judges a gate of the stages coverage and rank again, and returns what
// is wrong with it, or "".
func (g *gateJudge) judgeGate(l *leaf.Gate) string {
	switch {
	case l.Stage == leaf.StageRank && !cite.KnowsRanking(l.Rank.Table):
		g.tables[l.Rank.Table] = true
	case l.Stage == leaf.StageRank:
		role, err := l.Rank.Role()
		if err != nil {
			return err.Error()
		}
		if role != l.Role {
			return fmt.Sprintf("its score gives the role %q, it says %q", role, l.Role)
		}
		if l.Claim > 0 {
			g.roles[l.Claim] = role
		}
	case l.Stage == leaf.StageCoverage && l.Table != cite.GateTableVersion:
		g.tables[l.Table] = true
	case l.Stage == leaf.StageCoverage:
		g.gates++
		if v := cite.Judge(l.Inputs); v.Rung != l.Rung || !slices.Equal(v.Failed, l.Failed) {
			return fmt.Sprintf("its inputs give %s %v, it says %s %v", v.Rung, v.Failed, l.Rung, l.Failed)
		}
	}
	return ""
}

// judgeClaim compares a claim with its gate and its score, and returns what is
// wrong with it, or "". A score that is enough for an answer is enough for one of
// the nearest passages, as only what ranks first is called an answer. A claim that
// nobody scored, which answers by its rung alone, is never one of the nearest.
func (g *gateJudge) judgeClaim(c *leaf.Claim, complete bool) string {
	g.claims++
	gate, ok := g.leaves[c.Gate].(*leaf.Gate)
	switch {
	case !ok:
		g.sealed++
	case c.Role != cite.RoleNearest && gate.Rung != c.Rung:
		return fmt.Sprintf("claim %d has the rung %s, its gate says %s", c.Claim, c.Rung, gate.Rung)
	case c.Role == cite.RoleNearest && gate.Rung != cite.Supported:
		return fmt.Sprintf("claim %d is one of the nearest passages, its gate says %s", c.Claim, gate.Rung)
	}
	role, scored := g.roles[c.Claim]
	switch {
	case scored && role != c.Role && (c.Role != cite.RoleNearest || role == ""):
		return fmt.Sprintf("claim %d has the role %q, its score gives %q", c.Claim, c.Role, role)
	case !scored && c.Role == cite.RoleNearest && complete && len(g.tables) == 0:
		return fmt.Sprintf("claim %d is one of the nearest passages and has no score", c.Claim)
	case !scored && c.Role != "" && !complete:
		g.scores++
	}
	return ""
}

// conclude returns the axis where nothing failed.
func (g *gateJudge) conclude(complete bool) Axis {
	switch {
	case len(g.tables) > 0:
		return Axis{AxisGate, NotChecked, fmt.Sprintf("the tables %q are not known here", slices.Sorted(maps.Keys(g.tables)))}
	case g.sealed > 0:
		return Axis{AxisGate, NotChecked, fmt.Sprintf("the gates of %d of %d claims are sealed", g.sealed, g.claims)}
	case len(g.strangers) > 0:
		return Axis{AxisGate, NotChecked, "no trust at hand says that these may review: " + strings.Join(slices.Sorted(maps.Keys(g.strangers)), ", ")}
	case !complete && g.gates == 0:
		return Axis{AxisGate, NotChecked, "the gates are sealed"}
	case g.gates == 0:
		return Axis{AxisGate, Pass, "there is no claim to judge"}
	case g.scores > 0:
		return Axis{AxisGate, Pass, fmt.Sprintf("%s judged again by %s; scores are sealed", display.Count(g.gates, "gate"), cite.GateTableVersion)}
	default:
		return Axis{AxisGate, Pass, fmt.Sprintf("%s judged again by %s", display.Count(g.gates, "gate"), cite.GateTableVersion)}
	}
}
