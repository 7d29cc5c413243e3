package answer

import (
	"errors"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"muniment/archive"
	"muniment/archive/problem"
	"muniment/bundle"
	"muniment/bundle/bundlefile"
	"muniment/cite"
)

// Reread returns an answer that is kept here as its bundle shows it, and the bundle without its sealed
// layer. The question is "" where the bundle does not show it. The error of one that was pruned
// says when, and what of it stays provable. The caller checks who may read it today.
func Reread(a *archive.Archive, id string) (*Result, *bundle.Bundle, error) {
	file, err := a.LocalPath(archive.BundlesDir, id+keptExt)
	if err != nil {
		return nil, nil, err
	}
	b, err := bundlefile.Read(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, prunedError(a, id)
	}
	if err != nil {
		return nil, nil, archive.BundleError(file, err)
	}
	st := b.Statement()
	if answerID(&st) != id {
		return nil, nil, problem.New(problem.Damaged, problem.Advise("restore the folder of kept answers from a copy"), "the bundle that is kept as %s has another ID", id)
	}
	b = b.WithoutSealed()
	view, err := bundle.Render(b)
	if err != nil {
		return nil, nil, problem.Wrap(err, "bundle")
	}
	r := &Result{Outcome: string(view.Rung), Question: view.Asked, Claims: []ResultClaim{}, Removed: []RemovedTopic{}, Notices: view.Notes, BundleID: id, Tier: view.Tier}
	for _, c := range view.Claims {
		for i := range c.Citations {
			if one := &c.Citations[i]; one.Restricted {
				one.Title, one.Date = "", "" // where it is from may be hidden by now
			}
		}
		r.Claims = append(r.Claims, resultClaim(c, Claim{Rung: c.Rung}, nil, nil))
	}
	if len(view.Refused) > 0 {
		one := view.Refused[0]
		r.Refusal = &Refusal{Kind: one.Kind, Message: one.Message, Suggestions: one.Suggestions}
	}
	r.Unanswered = !slices.ContainsFunc(r.Claims, func(c ResultClaim) bool { return c.Role != string(cite.RoleNearest) })
	var removed []RemovedTopic
	for _, topic := range view.Removed {
		removed = append(removed, RemovedTopic(topic))
	}
	r.listRemoved(removed, view.Asked, r.Unanswered)
	return r, b, nil
}

// prunedError returns the error of an answer whose bundle is not here.
func prunedError(a *archive.Archive, id string) error {
	data, err := readPruned(a)
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(data)) {
		fields := strings.SplitN(strings.TrimSuffix(line, "\n"), " ", 4)
		if len(fields) < 4 || fields[0] != id {
			continue
		}
		logged, err := strconv.Unquote(fields[3])
		if err != nil {
			return problem.Wrap(err, prunedFile)
		}
		day := func(at string) string { d, _, _ := strings.Cut(at, "T"); return d }
		return problem.New(problem.NotFound, problem.Advise("whoever downloaded it can still check it: that it was given is "+logged), "the answer of %s was removed here on %s, as the archive keeps answers for a time", day(fields[1]), day(fields[2]))
	}
	return problem.New(problem.NotFound, problem.Next(DoAskFirst), "the bundle of that answer is not in this copy of the archive")
}
