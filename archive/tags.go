package archive

import (
	"slices"
	"strings"
	"time"

	"muniment/archive/problem"
	"muniment/objects"
	"muniment/snapshot"
	"muniment/text/legible"
)

// A TagResult is one tag.
type TagResult struct {
	Name     string `json:"name"`
	Snapshot string `json:"snapshot"`
	Seq      int64  `json:"seq"`
	Commit   string `json:"commit"`
	Signer   string `json:"signer"`
	Time     string `json:"time"`
	Author   string `json:"author"`
	Text     string `json:"text"`
	Problem  string `json:"problem,omitempty"` // why it does not hold; the other members may then be empty
}

// Tags returns the tags by name, each with what is wrong with it.
func (a *Archive) Tags() ([]TagResult, error) {
	refs, err := a.Store().Refs()
	if err != nil {
		return nil, problem.Wrap(err, "tags")
	}
	out := []TagResult{}
	for name, h := range refs {
		if short, ok := strings.CutPrefix(name, RefTags); ok {
			out = append(out, a.ReadTag(short, h))
		}
	}
	slices.SortFunc(out, func(a, b TagResult) int { return strings.Compare(a.Name, b.Name) })
	return out, nil
}

// ReadTag returns one tag, with a Problem where it does not name what it claims.
func (a *Archive) ReadTag(name string, h objects.Hash) TagResult {
	r := TagResult{Name: name}
	t, s, err := a.OpenTag(name, h)
	if err != nil {
		r.Problem = err.Error()
		return r
	}
	r.Snapshot, r.Seq, r.Commit, r.Signer = s.ID.String(), s.Seq, t.Commit.String(), t.Key.Fingerprint()
	r.Time, r.Author, r.Text = t.Time.Format(time.RFC3339), t.Tagger.Name+" <"+t.Tagger.Email+">", t.Text
	return r
}

// OpenTag returns the tag that an object is and the snapshot it names, checked
// against each other.
func (a *Archive) OpenTag(name string, h objects.Hash) (*snapshot.Tag, *snapshot.Snapshot, error) {
	kind, data, err := a.Store().Get(h)
	if err != nil {
		return nil, nil, err
	}
	if kind != objects.Tag {
		return nil, nil, problem.New(problem.Verification, problem.Next(problem.DoTags), "tag %s is not signed: it names a %s", legible.Printable(name), kind)
	}
	t, err := snapshot.ParseTag(data)
	if err != nil {
		return nil, nil, err
	}
	if t.Name != name {
		return nil, nil, problem.New(problem.Verification, problem.Next(problem.DoTags), "tag %s says it is the tag %s", legible.Printable(name), t.Name)
	}
	_, content, err := a.Store().Get(t.Commit)
	if err != nil {
		return nil, nil, err
	}
	s, err := snapshot.Parse(content)
	if err != nil {
		return nil, nil, err
	}
	if s.Archive != a.id {
		return nil, nil, problem.New(problem.Verification, problem.Next(problem.DoTags), "tag %s is of the archive %s", legible.Printable(name), s.Archive)
	}
	return t, s, t.Names(s)
}

// TagDefect returns why a tag is not a signed tag in the archive's form that names
// a commit of held, the verified history; "" for a tag that is.
func TagDefect(st *objects.Store, name string, h objects.Hash, held map[objects.Hash]bool) string {
	if held[h] {
		return "it is not signed: it names a commit"
	}
	kind, data, err := st.Get(h)
	if err != nil {
		return err.Error()
	}
	if kind != objects.Tag {
		return "it does not name a snapshot of this history"
	}
	tag, err := snapshot.ParseTag(data)
	switch {
	case err != nil:
		return err.Error()
	case !held[tag.Commit]:
		return "it does not name a snapshot of this history"
	case "refs/tags/"+tag.Name != name:
		return "it is signed as tag " + tag.Name
	}
	s, err := SnapshotAt(st, tag.Commit)
	if err == nil {
		err = tag.Names(s)
	}
	if err != nil {
		return err.Error()
	}
	return ""
}
