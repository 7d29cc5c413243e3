package accession

import (
	"slices"
	"strings"

	"muniment/archive"
	"muniment/archive/holdings"
	"muniment/archive/problem"
	"muniment/cid"
	"muniment/ledger"
	"muniment/objects"
	"muniment/snapshot"
	"muniment/snapshot/layout"
	"muniment/text/legible"
)

// An Unstaged is a paper of which what was staged is taken back.
type Unstaged struct {
	Artifact string `json:"artifact,omitempty"`
	Name     string `json:"name"`
	Signed   bool   `json:"signed"` // a snapshot holds it: only what was staged of it since is taken back
}

// An UnstageResult is what Unstage did.
type UnstageResult struct {
	Unstaged  []Unstaged      `json:"unstaged"`
	Erased    int             `json:"erased"`    // objects that are no longer in the store
	Citations []UnboundOfGone `json:"citations"` // that are not bound, and stay without their paper
	Others    int             `json:"others"`    // staged changes that are about no paper, such as policy; all of them with all
}

// An UnboundOfGone is a citation that waits for a paper that was taken back.
type UnboundOfGone struct {
	Ordinal  int64  `json:"citation"`
	Artifact string `json:"artifact"`
	Claim    string `json:"claim"`
}

// Unstage takes back what is staged of the papers that refs name, by id, by name or by
// the folder they lie in, or all that is staged. What no snapshot holds is then
// removed from the store.
func Unstage(a *archive.Archive, refs []string, all bool) (*UnstageResult, error) {
	if len(refs) == 0 && !all {
		return nil, problem.New(problem.Usage, problem.Next(DoUnstage), "nothing to take back: no paper is named")
	}
	w, err := planUnstage(a, refs, all)
	if err != nil {
		return nil, err
	}
	if len(w.edits) == 0 {
		return nil, problem.New(problem.VerdictNegative, problem.Next(problem.DoStatus), "nothing is staged")
	}
	if err := a.Unstage(w.base, w.edits); err != nil {
		return nil, err
	}
	w.result.Erased, err = a.Store().Forget(archive.Owner(a.World()), archive.LockWait, w.blobs)
	if err == nil {
		err = a.Holdings().Forget()
	}
	if err != nil {
		return nil, problem.Wrap(err, "unstage")
	}
	return w.result, w.findCitations(a)
}

// An unstaging is what is to be taken back of the staged tree base.
type unstaging struct {
	base   objects.Hash
	edits  []objects.Edit
	blobs  []objects.Hash // of the files that go
	result *UnstageResult
}

// planUnstage lists the staged changes that refs, or all, mean.
func planUnstage(a *archive.Archive, refs []string, all bool) (*unstaging, error) {
	head, _, err := a.Head()
	if err != nil {
		return nil, err
	}
	var signed objects.Hash
	if head != nil {
		signed = head.Tree
	}
	base, _, err := a.StagedTree()
	if err != nil {
		return nil, err
	}
	changes, err := snapshot.Diff(a.Store(), signed, base)
	if err != nil {
		return nil, problem.Wrap(err, "unstage")
	}
	w := &unstaging{base: base, result: &UnstageResult{Unstaged: []Unstaged{}, Citations: []UnboundOfGone{}}}
	now, before := a.Catalog(base), holdings.NewLookup(a.Store(), signed)
	chosen, err := choosePapers(now, before, changes, refs, all)
	if err != nil {
		return nil, err
	}
	originals := map[string]bool{} // those that only chosen papers have
	for id := range chosen {
		if err := w.addPaper(now, before, id, chosen, originals); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(w.result.Unstaged, func(x, y Unstaged) int { return strings.Compare(x.Name, y.Name) })
	for _, c := range changes {
		kind, ids := layout.ClassifyPath(c.Path)
		if head == nil && (kind == layout.KindPolicy || kind == layout.KindTrust) || c.Kind == snapshot.ChangeArchive {
			continue // what makes it an archive
		}
		aboutChosen := !c.Artifact.IsZero() && chosen[c.Artifact]
		lone := strings.HasPrefix(c.Path, "records/") && len(ids) == 1 && slices.ContainsFunc(refs, func(ref string) bool { return holdings.MatchesID(ids[0].String(), ref) })
		if !all && !aboutChosen && !originals[c.Path] && !lone {
			continue
		}
		if lone {
			w.result.Unstaged = append(w.result.Unstaged, Unstaged{Name: ids[0].String()})
		} else if !aboutChosen && !strings.HasPrefix(c.Path, "originals/") {
			w.result.Others++
		}
		if err := w.revert(a, signed, c.Path); err != nil {
			return nil, err
		}
	}
	return w, nil
}

// addPaper adds a paper to the result, and the paths of its originals that no other
// paper has.
func (w *unstaging) addPaper(now *holdings.Catalog, before *holdings.Lookup, id cid.ID, chosen map[cid.ID]bool, originals map[string]bool) error {
	art, err := now.Artifact(id)
	if err != nil {
		return err
	}
	was, err := before.Artifact(id)
	if err != nil {
		return err
	}
	one := Unstaged{Artifact: id.String(), Name: id.String(), Signed: was != nil && len(was.Records) > 0}
	if art == nil {
		art = was
	}
	if art == nil {
		return nil
	}
	if one.Name = art.Name(); len(art.Records) == 0 && was != nil {
		one.Name = was.Name() // it is withdrawn
	}
	w.result.Unstaged = append(w.result.Unstaged, one)
	for _, h := range art.Records {
		original, err := cid.ParseAs(cid.Raw, h.Record.Original)
		if err != nil || original == id {
			continue
		}
		others, err := now.MadeFrom(original)
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(others, func(o *holdings.Artifact) bool { return !chosen[o.ID] }) {
			originals[layout.OriginalPath(original)] = true
			originals[layout.PointerPath(layout.OriginalPath(original))] = true
		}
	}
	return nil
}

// choosePapers returns the changed artifacts that refs, or all, mean, with the parts
// that lay inside them.
func choosePapers(now *holdings.Catalog, before *holdings.Lookup, changes []snapshot.Change, refs []string, all bool) (map[cid.ID]bool, error) {
	chosen := map[cid.ID]bool{}
	met := map[string]bool{}
	changed := map[cid.ID]*holdings.Artifact{}
	for _, c := range changes {
		if c.Artifact.IsZero() || changed[c.Artifact] != nil {
			continue
		}
		art, err := now.Artifact(c.Artifact)
		if err == nil && (art == nil || len(art.Records) == 0) {
			art, err = before.Artifact(c.Artifact)
		}
		if err != nil {
			return nil, err
		}
		if art == nil {
			art = &holdings.Artifact{ID: c.Artifact}
		}
		changed[c.Artifact] = art
	}
	for id, art := range changed {
		chosen[id] = all
		for _, ref := range refs {
			if namesPaper(art, ref) {
				chosen[id], met[ref] = true, true
			}
		}
	}
	for _, ref := range refs {
		lone := slices.ContainsFunc(changes, func(c snapshot.Change) bool {
			_, ids := layout.ClassifyPath(c.Path)
			return strings.HasPrefix(c.Path, "records/") && len(ids) == 1 && holdings.MatchesID(ids[0].String(), ref)
		})
		if !met[ref] && !lone {
			return nil, problem.New(problem.NotFound, problem.Next(problem.DoStatus), "nothing of %s is staged", legible.Printable(ref))
		}
	}
	for id := range chosen {
		if !chosen[id] {
			delete(chosen, id)
		}
	}
	return chosen, nil
}

// namesPaper reports whether ref is the id of an artifact or a prefix of it, one of its
// names or the end of one, or a folder or container around one.
func namesPaper(art *holdings.Artifact, ref string) bool {
	if holdings.MatchesID(art.ID.String(), ref) || art.HasName(ref) {
		return true
	}
	for _, h := range art.Records {
		for _, name := range h.Record.Names {
			folder := strings.TrimSuffix(ref, "/")
			for _, inside := range []string{folder + "/", folder + "!/"} {
				if strings.HasPrefix(name, inside) || strings.Contains(name, "/"+inside) {
					return true
				}
			}
		}
	}
	return false
}

// revert adds the edit that gives a path what the signed tree has there. A directory
// of chunks is one path.
func (w *unstaging) revert(a *archive.Archive, signed objects.Hash, path string) error {
	var files []string
	err := a.Store().Walk(w.base, path, func(file string, h objects.Hash) error {
		files = append(files, file)
		w.blobs = append(w.blobs, h)
		return nil
	})
	if h, ok, err2 := a.Store().Lookup(w.base, path); err2 == nil && ok && len(files) == 0 {
		files, w.blobs, err = []string{path}, append(w.blobs, h), nil
	}
	if err != nil {
		return problem.Wrap(err, path)
	}
	if len(files) == 0 { // the staged tree took it away
		files = []string{path}
	}
	for _, file := range files {
		h, ok, err := a.Store().Lookup(signed, file)
		if err != nil {
			return problem.Wrap(err, file)
		}
		if !ok {
			h = objects.Hash{}
		}
		w.edits = append(w.edits, objects.Edit{Path: file, Blob: h})
	}
	return nil
}

// findCitations lists the citations of papers that were taken back which no snapshot
// binds.
func (w *unstaging) findCitations(a *archive.Archive) error {
	l, err := ledger.Find(a)
	if err != nil || l == nil {
		return err
	}
	waiting, err := l.Unbound()
	if err != nil {
		return problem.Wrap(err, "ledger")
	}
	for _, c := range waiting {
		gone := slices.ContainsFunc(w.result.Unstaged, func(u Unstaged) bool { return !u.Signed && u.Artifact == c.Artifact })
		if gone {
			w.result.Citations = append(w.result.Citations, UnboundOfGone{Ordinal: c.Ordinal, Artifact: c.Artifact, Claim: c.Claim})
		}
	}
	return nil
}
