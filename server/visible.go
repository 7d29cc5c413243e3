package server

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"sync"

	"muniment/accession"
	"muniment/archive"
	"muniment/archive/holdings"
	"muniment/archive/problem"
	"muniment/archive/search"
	"muniment/canon"
	"muniment/cid"
	"muniment/cite"
	"muniment/engine"
	"muniment/objects"
	"muniment/policy"
	"muniment/snapshot/access"
	"muniment/text/legible"
)

// A handle is one open archive, used by one goroutine at a time, with what was read of the trees that clients see.
type handle struct {
	archive *archive.Archive
	group   *engine.Group // of the registrations that the writer makes now
	rooms   []*room       // the latest one first: that of the newest snapshot and that of what is staged
}

// A room is what was read of one tree.
type room struct {
	tree     objects.Hash
	rules    *policy.Policy
	contents *holdings.Contents            // nil until somebody lists them
	withheld map[policy.Requestor][]string // by requestor, the artifacts whose words it may not see
	papers   map[cid.ID]*policy.Paper      // whose they are, without their words
	mu       sync.Mutex                    // of papers
}

// paperOf returns read with what it returned kept for all clients of the room.
func (r *room) paperOf(rules *policy.Policy, read func(cid.ID) (*policy.Paper, error)) func(cid.ID) (*policy.Paper, error) {
	return func(id cid.ID) (*policy.Paper, error) {
		r.mu.Lock()
		known, ok := r.papers[id]
		r.mu.Unlock()
		if ok && rules == r.rules {
			return known, nil
		}
		paper, err := read(id) // two clients may read one paper: a long one makes nobody wait
		if paper = rules.Reduce(paper); err == nil && rules == r.rules {
			r.mu.Lock()
			defer r.mu.Unlock()
			if len(r.papers) >= maxPapers || r.papers == nil {
				r.papers = map[cid.ID]*policy.Paper{}
			}
			r.papers[id] = paper
		}
		return paper, err
	}
}

const (
	maxRooms    = 2
	maxPapers   = 1 << 16
	maxWithheld = 64 // requestors of a room whose lists of withheld artifacts are kept
)

// A view is what one client may see of one tree.
type view struct {
	handle  *handle
	room    *room
	tree    objects.Hash
	catalog *holdings.Catalog
	rules   *policy.Policy // nil where the client sees everything
	door    *policy.View   // what the client may know of, with what waits to be signed
	who     policy.Requestor

	// staged is what waits to be signed, nil where the client is shown that or nothing waits. It takes away at once
	// what it withholds or withdraws, and adds only what the client registered itself.
	staged *view
	engine *engine.Engine // of the client
}

// readRoom returns the room of a tree.
func (h *handle) readRoom(tree objects.Hash) (*room, error) {
	for _, r := range h.rooms {
		if r.tree == tree {
			return r, nil
		}
	}
	rules, err := h.archive.ReadPolicy(tree)
	if err != nil {
		return nil, err
	}
	r := &room{tree: tree, rules: rules, withheld: map[policy.Requestor][]string{}}
	h.rooms = append([]*room{r}, h.rooms[:min(len(h.rooms), maxRooms-1)]...)
	return r, nil
}

// viewOf returns the view of a client on a tree.
func (h *handle) viewOf(c *Client, tree objects.Hash) (*view, error) {
	r, err := h.readRoom(tree)
	if err != nil {
		return nil, err
	}
	v := &view{handle: h, room: r, tree: tree, who: c.cred.requestor(), door: policy.HolderView()}
	if !c.cred.seesAll() {
		v.rules = r.rules
	}
	v.open()
	return v, nil
}

// open opens the door of a view and the catalogue that is seen through it.
func (v *view) open() {
	if v.rules != nil {
		v.door = v.handle.archive.View(v.tree, v.rules, v.who)
		v.door.Paper = v.room.paperOf(v.rules, v.door.Paper)
	}
	v.catalog = v.handle.archive.ShownCatalog(v.tree, v.door)
}

// find returns the view of a client on the archive, and the artifact that a reference names to it.
func (h *handle) find(c *Client, ref string) (*view, *holdings.Artifact, error) {
	v, err := h.view(c)
	if err != nil {
		return nil, nil, err
	}
	art, err := v.resolve(ref)
	return v, art, err
}

// view returns the view of a client on the archive. The newest tree is looked up each time, so that a snapshot by
// another process counts from the next call on. A client that is shown signed papers alone sees the newest snapshot.
func (h *handle) view(c *Client) (*view, error) {
	tree, err := h.archive.NewestTree()
	if err != nil {
		return nil, err
	}
	newest, err := h.viewOf(c, tree)
	if err != nil || !c.signed || c.cred.seesAll() {
		return newest, err
	}
	head, _, err := h.archive.Head()
	if err != nil || head != nil && head.Tree == tree {
		return newest, err
	}
	// Before the first snapshot nothing is signed: the tree is empty, under the rules to come.
	v := &view{handle: h, room: &room{rules: newest.rules, contents: &holdings.Contents{}}, who: newest.who, rules: newest.rules}
	v.open()
	if head != nil {
		if v, err = h.viewOf(c, head.Tree); err != nil {
			return nil, err
		}
	}
	v.staged, v.door.Narrow = newest, v.narrow
	e, err := engine.New(h.archive, engine.Caller{Role: c.cred.Role, Session: c.session, Agent: c.cred.Name, Project: c.cred.Project})
	v.engine = e.In(h.group)
	return v, err
}

// reader returns the client of the view as searches and references know it.
func (v *view) reader() (search.Reader, error) {
	if v.rules == nil {
		return search.Reader{}, nil
	}
	hidden, known := v.room.withheld[v.who]
	if !known && !v.tree.IsZero() {
		var err error
		a := v.handle.archive
		if hidden, err = a.Withheld(v.tree, v.door, func(p policy.Permission) bool { return p.Display }); err != nil {
			return search.Reader{}, err
		}
		if len(v.room.withheld) >= maxWithheld {
			clear(v.room.withheld)
		}
		v.room.withheld[v.who] = hidden
	}
	return search.Reader{Hidden: hidden, View: v.door}, nil
}

// artifacts returns the artifacts that the client may know of and whose names
// contain part, by their ids, those above the id after, until take returns false.
func (v *view) artifacts(part, after string, take func(holdings.ArtifactInfo) bool) error {
	if v.room.contents == nil {
		all, err := v.handle.archive.Catalog(v.tree).ReadAll() // as the next client sees it
		if err != nil {
			return err
		}
		v.room.contents = all
	}
	begin := 0
	if after != "" {
		id, err := cid.ParseAs(cid.Raw, after)
		if err != nil {
			return problem.New(problem.Usage, problem.Advise("leave it out for the first page"), "%s is no id of an artifact", legible.Printable(after))
		}
		begin, _ = slices.BinarySearchFunc(v.room.contents.Artifacts, id, func(art *holdings.Artifact, id cid.ID) int { return strings.Compare(art.ID.Hex(), id.Hex()) })
	}
	for _, art := range v.room.contents.Artifacts[begin:] {
		if after == art.ID.String() {
			continue
		}
		known, err := v.catalog.See(art)
		if err != nil {
			return err
		}
		if known == nil {
			continue
		}
		info := known.Info()
		if len(info.Records) > 0 && strings.Contains(strings.Join(info.Names, "\n"), part) && !take(info) {
			return nil
		}
	}
	return nil
}

// knows reports whether the client may know of an artifact.
func (v *view) knows(art *holdings.Artifact) (bool, error) {
	if v.rules == nil {
		return true, nil
	}
	known, err := v.door.Knows(art.ID)
	return known, problem.Wrap(err, "policy")
}

// permission returns the client's permission for an artifact, with the words of it that are to be shown.
func (v *view) permission(art *holdings.Artifact, words string) (policy.Permission, error) {
	if v.rules == nil {
		return policy.Permission{Surface: true, Display: true, Existence: true, Excerpt: access.Unlimited, Reading: access.ReadingWhole}, nil
	}
	perm, err := v.permissionVeiled(art, words)
	paper, failed := v.door.PaperOf(art.ID)
	if err = cmp.Or(err, problem.Wrap(failed, "policy")); err == nil && len(v.rules.VeilsIn(words, paper)) > 0 {
		perm.Display, perm.Excerpt = false, 0 // a name that only a veil could show
	}
	return perm, err
}

// permissionVeiled is permission for words that are shown with pseudonyms for names.
func (v *view) permissionVeiled(art *holdings.Artifact, words string) (policy.Permission, error) {
	if v.rules == nil {
		return v.permission(art, words)
	}
	perm, err := v.door.Permission(art.ID, words)
	if err != nil {
		return policy.Permission{}, problem.Wrap(err, "policy")
	}
	return perm, nil
}

// narrow returns the permission that what waits to be signed leaves of an artifact.
func (v *view) narrow(id cid.ID, words string, whole bool) (policy.Permission, error) {
	shown, err := v.hasSigned(id)
	if err == nil && !shown {
		shown, err = v.engine.Sources().Registered(id.String())
	}
	if err != nil || !shown {
		return policy.Permission{}, err
	}
	later, err := v.handle.archive.Catalog(v.staged.tree).Artifact(id)
	if err != nil || later == nil || later.Withdrawn {
		return policy.Permission{}, err
	}
	return v.staged.door.Decide(id, words, whole)
}

// hasSigned reports whether an artifact is in the tree of the view, and not only in what is staged.
func (v *view) hasSigned(id cid.ID) (bool, error) {
	if v.staged == nil {
		return true, nil
	}
	return v.handle.archive.Catalog(v.tree).Holds(id)
}

// treeOf returns the tree from which the client is shown an artifact that resolve found.
func (v *view) treeOf(art *holdings.Artifact) (objects.Hash, error) {
	if signed, err := v.hasSigned(art.ID); err != nil || signed {
		return v.tree, err
	}
	return v.staged.tree, nil
}

// document returns the text of an artifact that resolve found.
func (v *view) document(art *holdings.Artifact) (*canon.Document, error) {
	tree, err := v.treeOf(art)
	if err != nil {
		return nil, err
	}
	return v.handle.archive.Document(tree, art)
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
		var at holdings.Place
		at, _, err = v.catalog.FindPlace(id)
		art = at.Artifact
	}
	if err == nil && art == nil && v.staged != nil {
		if art, err = v.resolve(c.Artifact); err != nil {
			return false, nil // nothing that the client registered
		}
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
	c.SourceName, c.Name = v.door.FileName(c.SourceName), v.door.FileName(c.Name)
	c.Links = nil // why lists those to citations that the client may read
	if c.ContextFrom == engine.ContextFilled {
		around, err := v.permission(art, c.QuoteContext)
		if err != nil {
			return false, err
		}
		if _, whole := around.Cut(c.QuoteContext); !whole {
			c.QuoteContext, c.ContextFrom = "", ""
		}
	}
	perm, err := v.permission(art, strings.Join([]string{c.Claim, c.Text, c.VerbatimQuote, c.QuoteContext, c.VerificationNotes, c.RelevanceReasoning}, "\n"))
	if err != nil {
		return false, err
	}
	for _, words := range []*string{&c.Text, &c.VerbatimQuote, &c.QuoteContext, &c.Difference, &c.VerificationNotes} {
		if text, whole := perm.Cut(*words); whole || text == "" {
			*words = text
		} else {
			*words = text + " […]"
		}
	}
	if !perm.Display {
		c.RelevanceReasoning, c.Locator = "", nil
	}
	if isGuess(c.Match) && v.door.HidesNames() {
		doc, err := v.document(art)
		if err != nil {
			return false, err
		}
		if at, err := v.permission(art, string(doc.Payload())); err != nil || !at.Display || !perm.Display {
			c.Match, c.SimilarityScore, c.Difference, c.Span, c.ClaimVerdict, c.VerificationNotes = string(cite.Absent), 0, "", "", "", ""
			return err == nil, err
		}
	}
	return true, nil
}

// readsWith is reads, and takes out of the citation also what it was made from that the client may not know of.
func (v *view) readsWith(e *engine.Engine, c *engine.CitationInfo) (bool, error) {
	may, err := v.reads(c)
	if may && v.rules != nil {
		c.DerivedFrom = slices.DeleteFunc(c.DerivedFrom, func(ref string) bool { return !v.knowsRef(e, ref) })
	}
	return may, err
}

// resolve returns the artifact of a reference: the id of an artifact or of a record, a name, or an address, which
// refers to its newest page. An artifact whose existence the client may not know is answered like a missing one.
func (v *view) resolve(ref string) (*holdings.Artifact, error) {
	art, err := v.find(ref)
	if err != nil && v.staged != nil && isMissing(err) {
		own, findErr := v.staged.find(ref)
		if findErr != nil {
			return nil, err
		}
		if signed, findErr := v.hasSigned(own.ID); findErr != nil || signed {
			return nil, cmp.Or(findErr, err)
		}
		if known, findErr := v.knows(own); findErr != nil || !known {
			return nil, cmp.Or(findErr, err)
		}
		return own, nil
	}
	return art, err
}

// find returns the artifact of a reference in the tree of the view.
func (v *view) find(ref string) (*holdings.Artifact, error) {
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
	var failure *problem.Error
	switch {
	case v.rules == nil:
		return art, err
	case err == nil:
		known, err := v.knows(art)
		if err != nil || known {
			return art, err
		}
		return nil, errUnknown(ref)
	case isMissing(err): // also one that was withdrawn: what it was is for those who see everything
		return nil, errUnknown(ref)
	case !errors.As(err, &failure) || failure.Kind != problem.Ambiguous:
		return nil, err
	}
	named, _, err := v.catalog.Match(ref)
	if err != nil {
		return nil, err
	}
	var known []*holdings.Artifact
	for _, one := range named {
		ok, err := v.knows(one)
		if err != nil {
			return nil, err
		}
		if ok && len(one.Records) > 0 {
			known = append(known, one)
		}
	}
	switch len(known) {
	case 0:
		return nil, errUnknown(ref)
	case 1:
		return known[0], nil
	}
	return nil, holdings.AmbiguousError(ref, known)
}

// knowsRef reports whether a reference names a citation or an artifact of which the client may know.
func (v *view) knowsRef(e *engine.Engine, ref string) bool {
	if one, err := e.Citations().Get(ref); err == nil {
		may, err := v.reads(one)
		return err == nil && may
	}
	_, err := v.resolve(ref)
	return err == nil
}

// readsSource reports whether the client may know of a source, and takes out of it what it
// was made from that the client may not know of.
func (v *view) readsSource(e *engine.Engine, s *engine.RegisteredSource) bool {
	if v.rules == nil {
		return true
	}
	s.DerivedFrom = slices.DeleteFunc(s.DerivedFrom, func(ref string) bool { return !v.knowsRef(e, ref) })
	v.concealNames(s)
	if s.Artifact == "" {
		return true // a record without a body, of which everybody may know
	}
	_, err := v.resolve(s.Artifact)
	return err == nil
}

// source returns a registered source that the client may know of.
func (v *view) source(e *engine.Engine, id int64) (*engine.RegisteredSource, error) {
	s, err := e.Sources().Get(id)
	if err == nil && !v.readsSource(e, s) {
		err = problem.New(problem.SourceNotFound, problem.Next(engine.DoListSources), "no source %d", id)
	}
	if err != nil {
		return nil, err
	}
	return s, nil
}

// newestPage returns the newest page of an address that the client may know of, nil for none.
func (v *view) newestPage(address string) (*holdings.Artifact, error) {
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
	return problem.New(problem.SourceNotFound, problem.Next(problem.DoList), "no artifact is named %s", legible.Printable(ref))
}

// namesHidden reports whether words name a person whom the archive protects from the client.
func (v *view) namesHidden(art *holdings.Artifact, words string) (bool, error) {
	if v.rules == nil {
		return false, nil
	}
	perm, err := v.permission(art, words)
	if err != nil || !perm.Display {
		return true, err
	}
	return v.staged != nil && v.staged.rules != nil && len(v.staged.rules.Veils(words)) > 0, nil
}
