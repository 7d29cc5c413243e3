package server

import (
	"errors"
	"strings"

	"muniment/accession"
	"muniment/answer/policy"
	"muniment/archive"
	"muniment/cid"
	"muniment/engine"
	"muniment/objects"
	"muniment/snapshot/record"
)

// A handle is one open archive, used by one goroutine at a time, with what was read
// of its newest tree.
type handle struct {
	archive  *archive.Archive
	of       objects.Hash // the tree of rules and contents
	rules    *policy.Policy
	contents *archive.Contents // nil until somebody lists them
}

// A view is what one client may see of the newest tree.
type view struct {
	handle  *handle
	tree    objects.Hash
	catalog *archive.Catalog
	rules   *policy.Policy // nil where the client sees everything
	who     policy.Requestor
}

// view returns what a client may see. The archive is looked at anew, so that a
// snapshot that another process made counts from the next call on.
func (h *handle) view(c *Client) (*view, error) {
	tree, err := h.archive.NewestTree()
	if err != nil {
		return nil, err
	}
	v := &view{handle: h, tree: tree, catalog: h.archive.Catalog(tree), who: c.cred.requestor()}
	if h.rules == nil || h.of != tree {
		rules, err := h.archive.ReadPolicy(tree)
		if err != nil {
			return nil, err
		}
		h.rules, h.of, h.contents = rules, tree, nil
	}
	if !c.cred.seesAll() {
		v.rules = h.rules
	}
	return v, nil
}

// artifacts returns the artifacts that the client may know of and whose names
// contain part, behind the one with the id after, until take returns false.
func (v *view) artifacts(part, after string, take func(archive.ArtifactInfo) bool) error {
	if v.handle.contents == nil {
		all, err := v.catalog.ReadAll()
		if err != nil {
			return err
		}
		v.handle.contents = all
	}
	past := after == ""
	for _, art := range v.handle.contents.Artifacts {
		if !past {
			past = art.ID.String() == after
			continue
		}
		info := art.Info()
		if len(info.Records) == 0 || !strings.Contains(strings.Join(info.Names, "\n"), part) {
			continue
		}
		known, err := v.knows(art)
		if err != nil {
			return err
		}
		if known && !take(info) {
			return nil
		}
	}
	return nil
}

// knows reports whether the client may know of an artifact.
func (v *view) knows(art *archive.Artifact) (bool, error) {
	perm, err := v.permission(art, "")
	return perm.Existence, err
}

// permission returns what the client may see of an artifact, in words that are to
// be shown of it.
func (v *view) permission(art *archive.Artifact, words string) (policy.Permission, error) {
	if v.rules == nil {
		return policy.Permission{Surface: true, Display: true, Existence: true, Excerpt: maxExcerpt}, nil
	}
	var consent *record.Consent
	if art.FollowsOthers() {
		var err error
		if consent, err = v.handle.archive.Consent(v.tree, art.ID); err != nil {
			return policy.Permission{}, err
		}
	}
	persons := v.rules.Mentions(words)
	for _, veil := range v.rules.Veils(words) {
		persons = append(persons, veil.Persons...)
	}
	perm, err := v.rules.Decide(v.who, policy.Resource{Artifact: art.ID, Consent: consent, Persons: persons})
	if err == nil && len(v.rules.Veils(words)) > 0 {
		perm.Display, perm.Excerpt = false, 0 // a name stands there that only a veil could show
	}
	return perm, archive.Environment(err, "policy")
}

// reads reports whether the client may know of a citation, and takes out of it the
// words that may not be shown to the client.
func (v *view) reads(c *engine.CitationInfo) (bool, error) {
	if v.rules == nil || c.Artifact == "" {
		return true, nil
	}
	id, err := cid.Parse(c.Artifact)
	if err != nil {
		return false, nil // a record, of which nobody need know
	}
	art, err := v.catalog.Artifact(id)
	if err == nil && art == nil { // a fact of a record is cited by the record's id
		var at archive.Place
		at, _, err = v.catalog.FindPlace(id)
		art = at.Artifact
	}
	if err != nil || art == nil || len(art.Records) == 0 {
		return false, err // withdrawn: what it was is for those who see everything
	}
	if known, err := v.knows(art); err != nil || !known {
		return false, err
	}
	said, err := v.permission(art, c.Claim+"\n"+c.RelevanceReasoning)
	if err != nil || !said.Surface {
		return false, err
	}
	c.Links = nil // why lists those to citations that the client may read
	if c.ContextFrom == engine.ContextFilled {
		around, err := v.permission(art, c.QuoteContext)
		if err != nil {
			return false, err
		}
		if !around.Display || len([]rune(c.QuoteContext)) > around.Excerpt {
			c.QuoteContext, c.ContextFrom = "", ""
		}
	}
	perm, err := v.permission(art, strings.Join([]string{c.Claim, c.Text, c.VerbatimQuote, c.QuoteContext, c.VerificationNotes, c.RelevanceReasoning}, "\n"))
	if err != nil {
		return false, err
	}
	for _, words := range []*string{&c.Text, &c.VerbatimQuote, &c.QuoteContext, &c.Difference, &c.VerificationNotes} {
		if runes := []rune(*words); !perm.Display {
			*words = ""
		} else if len(runes) > perm.Excerpt {
			*words = string(runes[:perm.Excerpt]) + "…"
		}
	}
	if !perm.Display {
		c.RelevanceReasoning, c.Locator = "", nil
	}
	return true, nil
}

// resolve returns the artifact of a reference: the id of an artifact or of a record, a
// name, or an address, which stands for its newest page. An artifact whose existence the
// client may not know is reported as not found.
func (v *view) resolve(ref string) (*archive.Artifact, error) {
	if accession.Scheme(ref) != "" {
		if best, err := v.newestPage(ref); best != nil || err != nil {
			return best, err
		}
	}
	art, err := v.catalog.Resolve(ref)
	if id, parseErr := cid.ParseAs(cid.JSON, ref); err != nil && parseErr == nil { // a record stands for its artifact
		if at, ok, findErr := v.catalog.FindPlace(id); findErr == nil && ok && at.Artifact != nil {
			art, err = at.Artifact, nil
		}
	}
	var problem *archive.Error
	switch {
	case err == nil:
		known, err := v.knows(art)
		if err != nil || known {
			return art, err
		}
		return nil, errUnknown(ref)
	case v.rules == nil || !errors.As(err, &problem) || problem.Kind != archive.TypeAmbiguous:
		return nil, err
	}
	named, _, err := v.catalog.Match(ref)
	if err != nil {
		return nil, err
	}
	var known []*archive.Artifact
	var names []string
	for _, one := range named {
		ok, err := v.knows(one)
		if err != nil {
			return nil, err
		}
		if ok && len(one.Records) > 0 {
			known, names = append(known, one), append(names, one.Name())
		}
	}
	switch len(known) {
	case 0:
		return nil, errUnknown(ref)
	case 1:
		return known[0], nil
	}
	return nil, archive.Problem(archive.TypeAmbiguous, archive.Advise("give more of the name, or the id: "+strings.Join(names[:min(3, len(names))], ", ")), "%s names %d artifacts", archive.Printable(ref), len(known))
}

// newestPage returns the newest page of an address that the client may know of, nil
// for none.
func (v *view) newestPage(address string) (*archive.Artifact, error) {
	pages, err := v.catalog.Captures(address)
	if err != nil {
		return nil, err
	}
	for _, p := range pages {
		if p.Artifact == nil {
			continue
		}
		if known, err := v.knows(p.Artifact); err != nil || known {
			return p.Artifact, err
		}
	}
	return nil, nil
}

// errUnknown is the error for an artifact that is not there, for this client.
func errUnknown(ref string) error {
	return archive.Problem(archive.TypeSourceNotFound, archive.Next(archive.DoList), "no artifact is named %s", archive.Printable(ref))
}

// maxExcerpt is the longest text of one reply to a client that sees everything, in
// code points: some pages.
const maxExcerpt = 20000

// show returns the words of an artifact as the client may see them, and whether
// they are all of it: "" where they may not be shown.
func (v *view) show(art *archive.Artifact, words string) (shown string, whole bool, err error) {
	perm, err := v.permission(art, words)
	if err != nil || !perm.Display {
		return "", false, err
	}
	if runes := []rune(words); len(runes) > perm.Excerpt {
		return string(runes[:perm.Excerpt]), false, nil
	}
	return words, true, nil
}
