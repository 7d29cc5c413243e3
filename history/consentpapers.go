package history

import (
	"cmp"
	"encoding/csv"
	"io"
	"maps"
	"slices"
	"strings"
	"unicode"

	"muniment/archive"
	"muniment/archive/holdings"
	"muniment/archive/problem"
	"muniment/cid"
	"muniment/objects"
	"muniment/policy"
	"muniment/snapshot/access"
	"muniment/snapshot/layout"
	"muniment/snapshot/record"
	"muniment/text/legible"
)

// A PaperSelection selects papers as an archivist describes them. What several members select is
// put together.
type PaperSelection struct {
	Folders []string  // of their names, or the box or folder where they are kept
	Series  []string  // reference codes: those below them too
	Queries []string  // words that all occur in the text or the description
	Kinds   []string  // media types, image/png or image, or item types such as letter
	Naming  []string  // persons whom the text names, as the policy would find them
	List    io.Reader // CSV with a name or an ID first in each row; nil for none
}

// IsZero reports whether the selection selects nothing by itself.
func (s PaperSelection) IsZero() bool {
	return len(s.Folders)+len(s.Series)+len(s.Queries)+len(s.Kinds)+len(s.Naming) == 0 && s.List == nil
}

// mostListed is the longest list of papers in a file, and the longest row of it, in cells.
const mostListed = 1_000_000

// selectPapers returns the artifacts that options name or describe, each once, by id.
func selectPapers(a *archive.Archive, tree objects.Hash, o ConsentOptions) ([]*holdings.Artifact, error) {
	names := slices.Clone(o.Artifacts)
	if o.Select.List != nil {
		listed, err := readPaperList(o.Select.List)
		if err != nil {
			return nil, err
		}
		names = append(names, listed...)
	}
	c := a.Catalog(tree)
	found := map[cid.ID]*holdings.Artifact{}
	for _, ref := range names {
		art, err := c.Resolve(ref)
		if err != nil {
			return nil, err
		}
		found[art.ID] = art
	}
	described := o.Select
	described.List = nil
	if !described.IsZero() {
		all, err := c.ReadAll()
		if err != nil {
			return nil, err
		}
		n := len(found)
		for _, art := range all.Artifacts {
			if len(art.Records) == 0 || art.Withdrawn {
				continue
			}
			is, err := described.describes(a, tree, art)
			if err != nil {
				return nil, err
			}
			if is {
				found[art.ID] = art
			}
		}
		if n == len(found) && n == 0 {
			return nil, problem.New(problem.NotFound, problem.Next(problem.DoList), "no paper is selected by what was given")
		}
	}
	return slices.SortedFunc(maps.Values(found), func(a, b *holdings.Artifact) int { return strings.Compare(a.ID.Hex(), b.ID.Hex()) }), nil
}

// readPaperList returns the first cell of each row, without a heading.
func readPaperList(r io.Reader) ([]string, error) {
	rows := csv.NewReader(r)
	rows.FieldsPerRecord, rows.TrimLeadingSpace = -1, true
	var out []string
	for {
		row, err := rows.Read()
		switch {
		case err == io.EOF:
			return out, nil
		case err != nil:
			return nil, problem.New(problem.Usage, problem.Advise("each row begins with the name or the id of a paper"), "list of papers: %w", err)
		case len(out) == mostListed:
			return nil, problem.New(problem.Usage, problem.Advise("divide the list"), "the list has more than %d papers", mostListed)
		}
		first := strings.TrimSpace(strings.TrimPrefix(row[0], "\ufeff"))
		if first == "" || len(out) == 0 && slices.Contains([]string{"name", "id", "artifact", "paper", "file"}, strings.ToLower(first)) {
			continue
		}
		out = append(out, first)
	}
}

// describes reports whether the selection describes an artifact.
func (s PaperSelection) describes(a *archive.Archive, tree objects.Hash, art *holdings.Artifact) (bool, error) {
	for _, h := range art.CurrentRecords() {
		if s.describesRecord(h.Record) {
			return true, nil
		}
	}
	if len(s.Queries)+len(s.Naming) == 0 {
		return false, nil
	}
	text, err := textOf(a, tree, art)
	if err != nil {
		return false, err
	}
	for _, h := range art.CurrentRecords() {
		text += "\n" + holdings.Description(h.Record)
	}
	words := wordsIn(text)
	hasAll := func(query string) bool {
		for w := range wordsIn(query) {
			if !words[w] {
				return false
			}
		}
		return query != ""
	}
	if slices.ContainsFunc(s.Queries, hasAll) {
		return true, nil
	}
	if len(s.Naming) == 0 {
		return false, nil
	}
	rules, err := a.ReadPolicy(tree)
	if err != nil {
		return false, err
	}
	return slices.ContainsFunc(s.Naming, func(name string) bool {
		return slices.Contains(rules.Mentions(text), name) || hasAll(name)
	}), nil
}

// describesRecord reports whether a record lies in a folder or series of the selection, or is of a kind
// of it.
func (s PaperSelection) describesRecord(r *record.Record) bool {
	source := r.Source
	if source == nil {
		source = &record.Source{}
	}
	inFolder := func(folder string) bool {
		folder = strings.Trim(folder, "/")
		return folder != "" && (source.Folder == folder || source.Box == folder || slices.ContainsFunc(r.Names, func(name string) bool { return strings.HasPrefix(name, folder+"/") }))
	}
	inSeries := func(code string) bool {
		rest, ok := strings.CutPrefix(source.Identifier, code)
		return ok && code != "" && (rest == "" || strings.ContainsAny(rest[:1], "/.-_ ,:"))
	}
	isKind := func(kind string) bool {
		return kind != "" && (r.MediaType == kind || strings.HasPrefix(r.MediaType, kind+"/") || source.CSLType == kind)
	}
	return slices.ContainsFunc(s.Folders, inFolder) || slices.ContainsFunc(s.Series, inSeries) || slices.ContainsFunc(s.Kinds, isKind)
}

// textOf returns the text of an artifact, "" for what has none.
func textOf(a *archive.Archive, tree objects.Hash, art *holdings.Artifact) (string, error) {
	if first, ok := art.FirstRecord(); !ok || !first.Record.Textual() {
		return "", nil
	}
	data, err := a.Payload(tree, art.ID)
	return string(data), err
}

// wordsIn returns the words of a text in lower case.
func wordsIn(text string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		out[w] = true
	}
	return out
}

// A ConsentPreview says what a change of consent lets anybody see less or more of, before it is
// signed.
type ConsentPreview struct {
	Closes int              `json:"closes"` // papers of which some tier sees less
	Opens  int              `json:"opens"`  // papers of which some tier sees more
	Papers []PreviewedPaper `json:"papers"`
}

// A PreviewedPaper is a paper of which somebody sees more or less.
type PreviewedPaper struct {
	Artifact string `json:"artifact"`
	Name     string `json:"name"`
	Closes   bool   `json:"closes"`
	Opens    bool   `json:"opens"`
	Partly   bool   `json:"partly,omitempty"` // only passages or fields that name a person, not the paper
	Only     string `json:"only,omitempty"`   // the surname alone for which it closes; the full name does not stand in it
	Others   bool   `json:"others,omitempty"` // it closes for a surname after a title, and another of the name may be meant
}

// previewConsent compares what every tier may see under a tree and with files changed in it.
func previewConsent(a *archive.Archive, tree objects.Hash, files map[string][]byte, person string) (*ConsentPreview, error) {
	before, err := a.ReadPolicy(tree)
	if err != nil {
		return nil, err
	}
	all, err := a.PolicyFiles(tree)
	if err != nil {
		return nil, err
	}
	for path, data := range files {
		if kind, _ := layout.ClassifyPath(path); kind == layout.KindPolicy {
			all[path] = data
		}
	}
	after, err := policy.Load(all)
	if err != nil {
		return nil, problem.New(problem.Usage, problem.Next(problem.DoReadOptions, "consent"), "%w", err)
	}
	papers, err := touchedPapers(a.Catalog(tree), files, after.Digest() != before.Digest())
	if err != nil {
		return nil, err
	}
	out, next := &ConsentPreview{Papers: []PreviewedPaper{}}, holdings.NewLookup(a.Store(), tree).With(files) // with what parts and texts inherit
	for _, art := range papers {
		if len(art.Records) == 0 {
			continue
		}
		c := comparedPaper{art: art, readsText: files[layout.PathPersons] != nil, person: person}
		if c.paper, err = archive.PaperOf(a, tree, art.ID); err != nil {
			return nil, err
		}
		if c.was, err = a.Consent(tree, art.ID); err != nil {
			return nil, err
		}
		if c.is, err = next.Consent(art.ID); err != nil {
			return nil, err
		}
		one, err := c.compare(a, tree, before, after)
		if err != nil {
			return nil, err
		}
		if one.Closes || one.Opens {
			out.Papers = append(out.Papers, one)
		}
		if one.Closes {
			out.Closes++
		}
		if one.Opens {
			out.Opens++
		}
	}
	slices.SortStableFunc(out.Papers, func(a, b PreviewedPaper) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.Artifact, b.Artifact))
	})
	return out, nil
}

// touchedPapers returns the papers on which changed files bear: all where the policy changes, else
// those whose consent does and what inherits it. Only the first reads the whole archive.
func touchedPapers(c *holdings.Catalog, files map[string][]byte, policyChanges bool) ([]*holdings.Artifact, error) {
	if policyChanges {
		all, err := c.ReadAll()
		if err != nil {
			return nil, err
		}
		return all.Artifacts, nil
	}
	var changed []*holdings.Artifact
	for path := range files {
		kind, ids := layout.ClassifyPath(path)
		if kind != layout.KindConsent {
			continue
		}
		art, err := c.Artifact(ids[0])
		if err != nil {
			return nil, err
		}
		if art != nil {
			changed = append(changed, art)
		}
	}
	return c.WithInheritors(changed)
}

// A comparedPaper is a paper with its consents before and after a change.
type comparedPaper struct {
	art       *holdings.Artifact
	paper     *policy.Paper
	was, is   *access.Consent
	readsText bool // persons changed: whom the text names counts
	person    string
}

// compare decides for every tier under both policies.
func (c comparedPaper) compare(a *archive.Archive, tree objects.Hash, before, after *policy.Policy) (PreviewedPaper, error) {
	one := PreviewedPaper{Artifact: c.art.ID.String(), Name: legible.Printable(c.art.Name())}
	text, words := "", ""
	if c.readsText {
		var err error
		if text, err = textOf(a, tree, c.art); err != nil {
			return one, err
		}
		words = text
		for _, h := range c.art.CurrentRecords() {
			data, err := h.Record.Encode()
			if err != nil {
				return one, err
			}
			words += "\n\n" + string(data)
		}
	}
	decide := func(p *policy.Policy, consent *access.Consent, tier, words string) (policy.Permission, error) {
		who := policy.Requestor{Name: "somebody", Tier: tier}
		if _, known := p.FindTier(tier); !known {
			who = policy.Requestor{}
		}
		return p.DecideWords(who, c.art.ID, consent, c.paper, words)
	}
	whole := false
	for _, t := range after.Tiers {
		for _, shown := range []string{"", words} {
			w, err := decide(before, c.was, t.Name, shown)
			if err != nil {
				return one, err
			}
			s, err := decide(after, c.is, t.Name, shown)
			if err != nil {
				return one, err
			}
			one.Closes, one.Opens = one.Closes || seesMore(s, w), one.Opens || seesMore(w, s)
			whole = whole || shown == "" && (seesMore(s, w) || seesMore(w, s))
		}
	}
	one.Partly = !whole
	one.Others = one.Closes && whole && slices.Contains(after.OthersOf(c.paper), c.person)
	if one.Closes && c.person != "" && text != "" && !strings.Contains(strings.ToLower(text), strings.ToLower(c.person)) {
		words := strings.Fields(c.person)
		one.Only = words[len(words)-1]
	}
	return one, nil
}

// seesMore reports whether the second of two permissions lets more be seen than the first.
func seesMore(was, is policy.Permission) bool {
	return is.Existence && !was.Existence || is.Surface && !was.Surface || is.Display && !was.Display || is.Piece() > was.Piece() || is.Excerpt > was.Excerpt
}
