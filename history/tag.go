package history

import (
	"strconv"
	"time"

	"muniment/archive"
	"muniment/archive/holdings"
	"muniment/archive/problem"
	"muniment/objects"
	"muniment/sign"
	"muniment/snapshot"
)

// TagOptions describe a new tag. Signer is required.
type TagOptions struct {
	Name     string // matches [0-9a-z][0-9a-z._-]*
	Snapshot string // id, prefix, number or other tag; "" for the newest
	Text     string // "snapshot N" when empty
	Signer   sign.Signer
}

// Tag signs a name for a snapshot. A tag that is there is not moved.
func Tag(a *archive.Archive, o TagOptions) (*archive.TagResult, error) {
	if err := needSigner(o.Signer); err != nil {
		return nil, err
	}
	if err := snapshot.CheckTagName(o.Name); err != nil {
		return nil, problem.New(problem.Usage, problem.Advise("choose a name as 2024-05 or deposit-1"), "%w", err)
	}
	if holdings.IsDigits(o.Name) {
		return nil, problem.New(problem.Usage, problem.Advise("put a letter into it: v"+o.Name), "tag name %s could be mistaken for the number of a snapshot", o.Name)
	}
	lock, err := a.Lock()
	if err != nil {
		return nil, err
	}
	defer lock.Unlock()
	old, err := a.Store().Ref(archive.RefTags + o.Name)
	if err != nil {
		return nil, problem.Wrap(err, archive.RefTags+o.Name)
	}
	if !old.IsZero() {
		return nil, problem.New(problem.NothingToDo, problem.Next(problem.DoTags).With("choose another name"), "the tag %s is there already and is not moved", o.Name)
	}
	s, err := a.FindSnapshot(o.Snapshot)
	if err != nil {
		return nil, err
	}
	author, err := parseAuthor(a.World().Author)
	if err != nil {
		return nil, err
	}
	if o.Text == "" {
		o.Text = "snapshot " + strconv.FormatInt(s.Seq, 10)
	}
	t := snapshot.Tag{Name: o.Name, Commit: objects.Sum(objects.Commit, s.Content), Tagger: author, Time: a.World().Now().UTC().Truncate(time.Second),
		Text: o.Text, Archive: a.ID(), Seq: s.Seq, Snapshot: s.ID}
	if _, err := t.Payload(); err != nil {
		return nil, problem.New(problem.Usage, problem.Advise("give 1 to 4096 bytes of plain text; no line may begin with Muniment- or -----BEGIN"), "tag: %w", err)
	}
	content, err := t.Sign(o.Signer)
	if err != nil {
		return nil, problem.New(problem.Key, problem.Next(problem.DoListKeys), "the key did not sign: %w", err)
	}
	b, err := a.Store().NewBatch()
	if err != nil {
		return nil, problem.Wrap(err, "tag")
	}
	defer b.Abort()
	h, err := b.Put(objects.Tag, content)
	if err != nil {
		return nil, problem.Wrap(err, "tag")
	}
	if err := b.Publish(lock, objects.RefUpdate{Name: archive.RefTags + o.Name, New: h}); err != nil {
		return nil, problem.Wrap(err, "tag")
	}
	a.RememberRefs()
	r := a.ReadTag(o.Name, h)
	return &r, nil
}
