package muniment

import (
	"slices"
	"strings"
	"time"

	"muniment/objects"
	"muniment/sign"
	"muniment/snapshot"
)

// refTags is below which tags lie.
const refTags = "refs/tags/"

// TagOptions describe a new tag. Signer is required.
type TagOptions struct {
	Name     string // matches [0-9a-z][0-9a-z._-]*
	Snapshot string // id, prefix, number or other tag; "" for the newest
	Text     string // "snapshot N" when empty
	Signer   sign.Signer
}

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

// Tag signs a name for a snapshot. A tag that is there is not moved.
func (a *Archive) Tag(o TagOptions) (*TagResult, error) {
	if err := snapshot.CheckTagName(o.Name); err != nil {
		return nil, problem(TypeUsage, ExitUsage, "muniment tag 2024-05, or muniment tag deposit-1", "%w", err)
	}
	if digits(o.Name) {
		return nil, problem(TypeUsage, ExitUsage, "put a letter into it: v"+o.Name, "tag name %s could be mistaken for the number of a snapshot", o.Name)
	}
	lock, err := a.writeLock()
	if err != nil {
		return nil, err
	}
	defer lock.Unlock()
	old, err := a.store.Ref(refTags + o.Name)
	if err != nil {
		return nil, environment(err, refTags+o.Name)
	}
	if !old.IsZero() {
		return nil, problem(TypeNothingToDo, ExitNo, "muniment tag lists the tags; choose another name", "the tag %s is there already and is not moved", o.Name)
	}
	s, err := a.findSnapshot(o.Snapshot)
	if err != nil {
		return nil, err
	}
	author, err := parseAuthor(a.world.Author)
	if err != nil {
		return nil, err
	}
	if o.Text == "" {
		o.Text = "snapshot " + itoa64(s.Seq)
	}
	t := snapshot.Tag{Name: o.Name, Commit: objects.Sum(objects.Commit, s.Content), Tagger: author, Time: a.world.Now().UTC().Truncate(time.Second),
		Text: o.Text, Archive: a.id, Seq: s.Seq, Snapshot: s.ID}
	if _, err := t.Payload(); err != nil {
		return nil, problem(TypeUsage, ExitUsage, "give 1 to 4096 bytes of plain text with -m; no line may begin with Muniment- or -----BEGIN", "tag: %w", err)
	}
	content, err := t.Sign(o.Signer)
	if err != nil {
		return nil, problem(TypeKey, ExitKey, "muniment key list shows the keys that can sign", "the key did not sign: %w", err)
	}
	b, err := a.store.NewBatch()
	if err != nil {
		return nil, environment(err, "tag")
	}
	defer b.Abort()
	h, err := b.Put(objects.Tag, content)
	if err != nil {
		return nil, environment(err, "tag")
	}
	if err := b.Publish(lock, objects.RefUpdate{Name: refTags + o.Name, New: h}); err != nil {
		return nil, environment(err, "tag")
	}
	a.noteRefs()
	r := a.readTag(o.Name, h)
	return &r, nil
}

// Tags lists the tags by name, each with what is wrong about it.
func (a *Archive) Tags() ([]TagResult, error) {
	refs, err := a.store.Refs()
	if err != nil {
		return nil, environment(err, "tags")
	}
	out := []TagResult{}
	for name, h := range refs {
		if short, ok := strings.CutPrefix(name, refTags); ok {
			out = append(out, a.readTag(short, h))
		}
	}
	slices.SortFunc(out, func(a, b TagResult) int { return strings.Compare(a.Name, b.Name) })
	return out, nil
}

// readTag reads one tag and checks that it names what it says.
func (a *Archive) readTag(name string, h objects.Hash) TagResult {
	r := TagResult{Name: name}
	t, s, err := a.tagged(name, h)
	if err != nil {
		r.Problem = err.Error()
		return r
	}
	r.Snapshot, r.Seq, r.Commit, r.Signer = s.ID.String(), s.Seq, t.Commit.String(), t.Key.Fingerprint()
	r.Time, r.Author, r.Text = t.Time.Format(time.RFC3339), t.Tagger.Name+" <"+t.Tagger.Email+">", t.Text
	return r
}

// tagged returns a tag and its snapshot.
func (a *Archive) tagged(name string, h objects.Hash) (*snapshot.Tag, *snapshot.Snapshot, error) {
	kind, data, err := a.store.Get(h)
	if err != nil {
		return nil, nil, err
	}
	if kind != objects.Tag {
		return nil, nil, problem(TypeVerification, ExitNo, "muniment tag makes signed ones", "tag %s is not signed: it names a %s", printable(name), kind)
	}
	t, err := snapshot.ParseTag(data)
	if err != nil {
		return nil, nil, err
	}
	if t.Name != name {
		return nil, nil, problem(TypeVerification, ExitNo, "muniment tag lists the tags", "tag %s says it is the tag %s", printable(name), t.Name)
	}
	_, content, err := a.store.Get(t.Commit)
	if err != nil {
		return nil, nil, err
	}
	s, err := snapshot.Parse(content)
	if err != nil {
		return nil, nil, err
	}
	if s.Archive != a.id {
		return nil, nil, problem(TypeVerification, ExitNo, "muniment tag lists the tags", "tag %s is of the archive %s", printable(name), s.Archive)
	}
	return t, s, t.Names(s)
}
