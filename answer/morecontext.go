package answer

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"muniment/answer/budget"
	"muniment/archive"
	"muniment/bundle"
	"muniment/cid"
	"muniment/cite"
	"muniment/history"
	"muniment/ledger"
)

// More shows more of the text around a citation of an answer: the sentences
// beside it, within the budget. ref is the handle that the answer gave it,
// "Source A" or "A"; the number that the answer printed before the claim; or the
// ID of the citation, for whoever can open the bundle. file is the answer's
// bundle, complete or as displayed; "" is the last answer to the same requestor.
func More(ctx context.Context, a *archive.Archive, ref, file string, o AskOptions) (*AnswerResult, error) {
	all, b, err := shownIn(a, file, o)
	if err != nil {
		return nil, err
	}
	at, err := shownAs(a, strings.TrimSpace(ref), all, b)
	if err != nil {
		return nil, err
	}
	if at.Requestor != accountName(o.Requestor) && !o.Auditor {
		return nil, archive.Problem(archive.TypeNotPermitted, archive.Advise("ask with the name that the answer was given to: --requestor NAME"), "the answer was given to another requestor")
	}
	if strings.HasPrefix(at.Span, cite.MetaPrefix) {
		return nil, archive.Problem(archive.TypeUsage, archive.Advise("muniment show NAME prints the whole record of an artifact"), "%s is a field of a record, which has no text around it", at.Handle)
	}
	span, err := cite.ParseSpan(at.Span)
	if err != nil {
		return nil, archive.Environment(err, "ledger")
	}
	return deliver(ctx, a, "more", o, func(p *Pipeline, r Request) (*Response, error) {
		return p.More(ctx, Place{Handle: at.Handle, Answer: at.Answer, Artifact: at.Artifact, Span: span, Shown: budget.Range{Start: at.First, End: at.Past}}, r)
	})
}

// shownIn returns what an answer showed, in the order of its claims, and its
// bundle, which is nil where only the ledger knows it.
func shownIn(a *archive.Archive, file string, o AskOptions) ([]ledger.Shown, *bundle.Bundle, error) {
	l, err := a.Ledger()
	if err != nil {
		return nil, nil, err
	}
	var b *bundle.Bundle
	id, from := "", "no citation of this answer is known here"
	if file != "" {
		if b, err = archive.ReadBundle(file); err != nil {
			return nil, nil, err
		}
		st := b.Statement()
		id = answerID(&st)
	} else {
		from = "no answer with a citation was given here to " + ifNamed(o.Requestor)
		last, err := l.LastShown(accountName(o.Requestor), o.Auditor)
		if err != nil && !errors.Is(err, ledger.ErrNotFound) {
			return nil, nil, archive.Environment(err, "ledger")
		}
		id = last.Answer
	}
	all, err := l.ShownUnder(id, "")
	if errors.Is(err, ledger.ErrNotFound) {
		return nil, nil, archive.Negative(archive.TypeNotFound, archive.Advise(`ask first, in this copy of the archive: muniment ask "QUESTION"; an answer given elsewhere is known there`), "%s", from)
	}
	return all, b, archive.Environment(err, "ledger")
}

func ifNamed(requestor string) string {
	if requestor == "" {
		return "whoever gives no name"
	}
	return archive.Printable(requestor)
}

// shownAs finds the citation that ref means.
func shownAs(a *archive.Archive, ref string, all []ledger.Shown, b *bundle.Bundle) (*ledger.Shown, error) {
	for i := range all {
		if h := all[i].Handle; strings.EqualFold(h, ref) || strings.EqualFold(strings.TrimPrefix(h, "Source "), ref) {
			return &all[i], nil
		}
	}
	n, err := strconv.Atoi(strings.TrimSuffix(strings.TrimPrefix(ref, "#"), "."))
	if err == nil && n >= 1 && n <= len(all) {
		return &all[n-1], nil
	}
	if _, err := cid.ParseAs(cid.JSON, ref); err == nil {
		return shownBy(a, ref, all, b)
	}
	var handles []string
	for _, s := range all {
		if !slices.Contains(handles, s.Handle) {
			handles = append(handles, s.Handle)
		}
	}
	hint := "muniment more " + strings.TrimPrefix(handles[0], "Source ")
	if len(handles) > 1 {
		hint = "it has " + strings.Join(handles[:min(len(handles), 8)], ", ") + ": " + hint
	}
	return nil, archive.Negative(archive.TypeNotFound, archive.Advise(hint+", or the number before a claim"), "the answer has no %q", archive.Printable(ref))
}

// shownBy finds a citation by its ID, which only the sealed part of a bundle holds.
func shownBy(a *archive.Archive, id string, all []ledger.Shown, b *bundle.Bundle) (*ledger.Shown, error) {
	none := func(why string) error {
		return archive.Negative(archive.TypeNotFound, archive.Advise("use its handle: muniment more "+strings.TrimPrefix(all[0].Handle, "Source ")), "%s", why)
	}
	if b == nil {
		file, err := a.LocalPath("bundles", all[0].Answer+".zip")
		if err != nil {
			return nil, err
		}
		if b, err = archive.ReadBundle(file); err != nil {
			return nil, none("the answer's bundle is not in this copy of the archive, so its citations' IDs are not known; --bundle FILE.zip names it")
		}
	}
	identity, err := history.ArchivistIdentity(a)
	if err != nil {
		return nil, err
	}
	if identity == nil {
		return nil, none("a citation's ID is sealed, and this copy of the archive has no auditor identity")
	}
	o, err := b.Open(identity)
	if err != nil {
		return nil, archive.Environment(err, "bundle")
	}
	for _, l := range o.Leaves {
		c, ok := l.(*bundle.Cite)
		if !ok {
			continue
		}
		src, ok := o.Leaves[c.Source].(*bundle.Source)
		if !ok || src.Citation != id {
			continue
		}
		for i := range all {
			if all[i].Handle == c.Handle && all[i].Span == src.Span {
				return &all[i], nil
			}
		}
	}
	return nil, none(fmt.Sprintf("the answer has no citation %s", id))
}
