package bundle

import (
	"fmt"
	"slices"
	"strings"

	"muniment/cid"
	"muniment/cite"
	"muniment/sign"
)

// checkSources returns the axis of step 16. The leaves are by index, nil where
// unknown, and complete says that none is unknown. Without trust in q the signers
// of the snapshots are compared with nothing. counted are the keys whose signatures
// of the statement count.
func checkSources(leaves []Leaf, complete bool, archive cid.ID, q Requirements, counted []sign.Key) Axis {
	fail := func(i int, err error) Axis {
		return Axis{AxisSpan, Fail, fmt.Sprintf("leaf %d: %v", i, err)}
	}
	sources, unshown := 0, ""
	signers := make(map[string]bool)
	for i, l := range leaves {
		s, ok := l.(*Source)
		if !ok {
			continue
		}
		snap, err := s.verify(archive)
		if err != nil {
			return fail(i, err)
		}
		sources++
		signers[snap.Key.Fingerprint()] = true
		vouched := slices.ContainsFunc(counted, func(k sign.Key) bool { return k.Point() != snap.Key.Point() })
		reason, err := q.judgeSnapshotKey(snap, vouched)
		if err != nil {
			return fail(i, err)
		}
		if reason != "" {
			unshown = reason
		}
	}
	cites, sealed := 0, 0
	for i, l := range leaves {
		c, ok := l.(*Cite)
		if !ok {
			continue
		}
		cites++
		s, ok := leaves[c.Source].(*Source)
		if !ok {
			sealed++
			continue
		}
		if err := checkCite(c, s, leaves); err != nil {
			return fail(i, err)
		}
	}
	switch {
	case sealed > 0:
		return Axis{AxisSpan, NotChecked, fmt.Sprintf("the sources of %d of %d citations are sealed", sealed, cites)}
	case !complete && sources == 0:
		return Axis{AxisSpan, NotChecked, "the sources are sealed"}
	case sources == 0:
		return Axis{AxisSpan, Pass, "nothing is cited"}
	case unshown != "":
		return Axis{AxisSpan, NotChecked, unshown}
	}
	reason := fmt.Sprintf("%d sources stand in snapshots signed by %s", sources, strings.Join(sortedKeys(signers), ", "))
	if !q.hasTrust() {
		reason += "; no trust file says whether that counts"
	}
	return Axis{AxisSpan, Pass, reason}
}

// checkCite takes step 16f: the public half of a citation agrees with its source,
// and its excerpt is a run of the source's words.
func checkCite(c *Cite, s *Source, leaves []Leaf) error {
	full, err := cite.ParseCitation([]byte(s.CitationJSON))
	if err != nil {
		return err
	}
	if full.Relation != c.Relation {
		return fmt.Errorf("relation %s, the citation says %s", c.Relation, full.Relation)
	}
	text, err := s.text()
	if err != nil {
		return err
	}
	// Adjacent known chunks form a run; the runs must follow each other in
	// the text. Where no chunk is unknown there is one run.
	var runs []string
	gap := true
	for _, i := range c.Chunks {
		k, ok := leaves[i].(*Chunk)
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
func judgeGates(leaves []Leaf, complete bool) Axis {
	fail := func(i int, format string, args ...any) Axis {
		return Axis{AxisGate, Fail, fmt.Sprintf("leaf %d: ", i) + fmt.Sprintf(format, args...)}
	}
	gates, claims, sealed := 0, 0, 0
	tables := make(map[string]bool)
	for i, l := range leaves {
		switch l := l.(type) {
		case *Gate:
			if l.Stage != StageCoverage {
				continue
			}
			if l.Table != cite.GateTableVersion {
				tables[l.Table] = true
				continue
			}
			gates++
			if v := cite.Judge(l.Inputs); v.Rung != l.Rung || !slices.Equal(v.Failed, l.Failed) {
				return fail(i, "its inputs give %s %v, it says %s %v", v.Rung, v.Failed, l.Rung, l.Failed)
			}
		case *Claim:
			claims++
			g, ok := leaves[l.Gate].(*Gate)
			if !ok {
				sealed++
			} else if g.Rung != l.Rung {
				return fail(i, "claim %d has the rung %s, its gate says %s", l.Claim, l.Rung, g.Rung)
			}
		}
	}
	switch {
	case len(tables) > 0:
		return Axis{AxisGate, NotChecked, fmt.Sprintf("the rung tables %q are not known here", sortedKeys(tables))}
	case sealed > 0:
		return Axis{AxisGate, NotChecked, fmt.Sprintf("the gates of %d of %d claims are sealed", sealed, claims)}
	case !complete && gates == 0:
		return Axis{AxisGate, NotChecked, "the gates are sealed"}
	case gates == 0:
		return Axis{AxisGate, Pass, "there is no claim to judge"}
	default:
		return Axis{AxisGate, Pass, fmt.Sprintf("%d gates judged again by %s", gates, cite.GateTableVersion)}
	}
}

// sortedKeys returns the members of a set in order.
func sortedKeys(set map[string]bool) []string {
	keys := make([]string, 0, len(set))
	for k := range set {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
