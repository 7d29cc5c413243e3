package muniment

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"muniment/answer"
	"muniment/answer/budget"
	"muniment/bundle"
	"muniment/cid"
	"muniment/cite"
	"muniment/ledger"
)

// More shows more of the text around a citation of an answer: the sentences
// beside it, within the budget. ref is the handle that the answer gave it,
// "Source A" or "A"; the number that the answer printed before the claim; or the
// ID of the citation, for whoever can open the bundle. file is the answer's
// bundle, complete or as displayed; "" is the last answer to the same requestor.
func (a *Archive) More(ctx context.Context, ref, file string, o AskOptions) (*AnswerResult, error) {
	all, b, err := a.shownIn(file, o)
	if err != nil {
		return nil, err
	}
	at, err := a.shownAs(strings.TrimSpace(ref), all, b)
	if err != nil {
		return nil, err
	}
	if at.Requestor != accountName(o.Requestor) && !o.Auditor {
		return nil, problem(TypeNotPermitted, ExitNotAllowed, "ask with the name that the answer was given to: --requestor NAME", "the answer was given to another requestor")
	}
	if strings.HasPrefix(at.Span, cite.MetaPrefix) {
		return nil, problem(TypeUsage, ExitUsage, "muniment show NAME prints the whole record of an artifact", "%s is a field of a record, which has no text around it", at.Handle)
	}
	span, err := cite.ParseSpan(at.Span)
	if err != nil {
		return nil, environment(err, "ledger")
	}
	return a.deliver(ctx, "more", o, func(p *answer.Pipeline, r answer.Request) (*answer.Response, error) {
		return p.More(ctx, answer.Place{Handle: at.Handle, Answer: at.Answer, Artifact: at.Artifact, Span: span, Shown: budget.Range{Start: at.First, End: at.Past}}, r)
	})
}

// shownIn returns what an answer showed, in the order of its claims, and its
// bundle, which is nil where only the ledger knows it.
func (a *Archive) shownIn(file string, o AskOptions) ([]ledger.Shown, *bundle.Bundle, error) {
	l, err := a.openLedger()
	if err != nil {
		return nil, nil, err
	}
	var b *bundle.Bundle
	id, from := "", "no citation of this answer is known here"
	if file != "" {
		if b, err = readBundle(file); err != nil {
			return nil, nil, err
		}
		st := b.Statement()
		id = answerID(&st)
	} else {
		from = "no answer with a citation was given here to " + ifNamed(o.Requestor)
		last, err := l.LastShown(accountName(o.Requestor), o.Auditor)
		if err != nil && !errors.Is(err, ledger.ErrNotFound) {
			return nil, nil, environment(err, "ledger")
		}
		id = last.Answer
	}
	all, err := l.ShownUnder(id, "")
	if errors.Is(err, ledger.ErrNotFound) {
		return nil, nil, problem(TypeNotFound, ExitNo, `ask first, in this copy of the archive: muniment ask "QUESTION"; an answer given elsewhere is known there`, "%s", from)
	}
	return all, b, environment(err, "ledger")
}

func ifNamed(requestor string) string {
	if requestor == "" {
		return "whoever gives no name"
	}
	return printable(requestor)
}

// shownAs finds the citation that ref means.
func (a *Archive) shownAs(ref string, all []ledger.Shown, b *bundle.Bundle) (*ledger.Shown, error) {
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
		return a.shownBy(ref, all, b)
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
	return nil, problem(TypeNotFound, ExitNo, hint+", or the number before a claim", "the answer has no %q", printable(ref))
}

// shownBy finds a citation by its ID, which only the sealed part of a bundle holds.
func (a *Archive) shownBy(id string, all []ledger.Shown, b *bundle.Bundle) (*ledger.Shown, error) {
	none := func(why string) error {
		return problem(TypeNotFound, ExitNo, "use its handle: muniment more "+strings.TrimPrefix(all[0].Handle, "Source "), "%s", why)
	}
	if b == nil {
		file, err := a.local("bundles", all[0].Answer+".zip")
		if err != nil {
			return nil, err
		}
		if b, err = readBundle(file); err != nil {
			return nil, none("the answer's bundle is not in this copy of the archive, so its citations' IDs are not known; --bundle FILE.zip names it")
		}
	}
	identity, err := a.ArchivistIdentity()
	if err != nil {
		return nil, err
	}
	if identity == nil {
		return nil, none("a citation's ID is sealed, and this copy of the archive has no auditor identity")
	}
	o, err := b.Open(identity)
	if err != nil {
		return nil, environment(err, "bundle")
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
