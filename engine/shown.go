package engine

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"muniment/archive"
	"muniment/archive/holdings"
	"muniment/archive/problem"
	"muniment/cid"
	"muniment/ledger"
	"muniment/objects"
	"muniment/policy"
)

// A shownCitations decides which citations somebody with a view may read in an export, which
// cuts no quote.
type shownCitations struct {
	view    *policy.View
	catalog *holdings.Catalog // as the view lets it be known
}

// exportedTree returns the tree of an export: the newest one for a holder of the archive,
// and the newest that is signed for others.
func exportedTree(a *archive.Archive, v *policy.View) (objects.Hash, error) {
	if v.SeesAll() {
		return a.NewestTree()
	}
	head, _, err := a.RequireHead()
	if err != nil {
		return objects.Hash{}, err
	}
	return head.Tree, nil
}

// has reports whether somebody with the view may read every word of a citation. It takes
// the words around the quote out of one where they are too many.
func (s *shownCitations) has(c *ledger.Citation) (bool, error) {
	if s.view.SeesAll() {
		return true, nil
	}
	id, err := s.artifact(c.Artifact)
	if err != nil || id.IsZero() {
		return false, err
	}
	said, err := s.view.Permission(id, strings.Join([]string{c.Claim, c.Reasoning, c.Quote}, "\n"))
	if err != nil || !said.Display || utf8.RuneCountInString(c.Quote) > said.Excerpt || s.view.Word(c.Claim) != c.Claim || s.view.Word(c.Quote) != c.Quote {
		return false, problem.Wrap(err, "policy")
	}
	around := strings.Join([]string{c.Anchor.Prefix, c.Quote, c.Anchor.Suffix, c.Context}, "\n")
	shown, err := s.view.Show(id, around)
	if err == nil && !shown.Whole {
		c.Anchor.Prefix, c.Anchor.Suffix, c.Context, c.Reasoning = "", "", "", s.view.Word(c.Reasoning)
	}
	return true, problem.Wrap(err, "policy")
}

// artifact returns the artifact that a citation cites, or whose record it cites; the zero ID
// for none of which anybody with the view may know.
func (s *shownCitations) artifact(ref string) (cid.ID, error) {
	id, err := cid.Parse(ref)
	if err != nil {
		return cid.ID{}, nil
	}
	if id.Codec() == cid.Raw {
		art, err := s.catalog.Artifact(id)
		if err != nil || art == nil || len(art.Records) == 0 {
			return cid.ID{}, err
		}
		return id, nil
	}
	at, found, err := s.catalog.FindPlace(id)
	if err != nil || !found || at.Artifact == nil {
		return cid.ID{}, err
	}
	return at.Artifact.ID, nil
}

// inputs returns the references among some of which anybody with the view may know.
func (s *shownCitations) inputs(l *ledger.Ledger, refs []string) ([]string, error) {
	if s.view.SeesAll() {
		return refs, nil
	}
	var out []string
	for _, ref := range refs {
		known, err := s.knows(l, ref)
		if err != nil {
			return nil, err
		}
		if known {
			out = append(out, ref)
		}
	}
	return out, nil
}

// knows reports whether anybody with the view may know of what a reference names.
func (s *shownCitations) knows(l *ledger.Ledger, ref string) (bool, error) {
	if !isCitationRef(ref) {
		id, err := s.artifact(ref)
		return !id.IsZero(), err
	}
	var one ledger.Citation
	var err error
	if id, notID := cid.ParseAs(cid.JSON, ref); notID == nil {
		one, err = l.ByID(id)
	} else if n, notNumber := strconv.ParseInt(ref, 10, 64); notNumber == nil {
		one, err = l.Get(n)
	} else {
		return false, nil
	}
	if err != nil {
		return false, nil // of another ledger: what it cites is not known here
	}
	return s.has(&one)
}
