package audit

import (
	"fmt"
	"strings"

	"muniment/archive"
	"muniment/policy"
)

// checkPublic returns the check that says how much of most papers the public sees.
func checkPublic(a *archive.Archive) Check {
	c := Check{Name: "public", State: "ok"}
	v, err := a.ReaderView("")
	if err == nil {
		var perm policy.Permission
		perm, err = v.Rules.Decide(v.Who, policy.Resource{})
		c.Detail = "the public sees " + publicSight(perm) + " of papers without a consent of their own"
	}
	if err != nil {
		c.State, c.Detail = "failed", err.Error()
	}
	return c
}

// publicSight returns how much of a paper a permission shows, in words.
func publicSight(p policy.Permission) string {
	switch {
	case !p.Existence:
		return "nothing"
	case p.Whole():
		return "all"
	case p.Display && p.Piece() > 0:
		return "excerpts"
	case p.Surface && p.Display:
		return "what answers quote"
	}
	return "no words, but that they exist,"
}

// mostSent is how many papers the line of what was sent lists.
const mostSent = 5

// checkSent says of which papers words were sent to endpoints.
func checkSent(a *archive.Archive) Check {
	c := Check{Name: "sent", State: "ok"}
	all, err := a.SentPapers()
	switch {
	case err != nil:
		c.State, c.Detail = "warning", err.Error()
		return c
	case len(all) == 0:
		c.Detail = "no words of papers were sent to a model"
		return c
	}
	var list []string
	for _, p := range all[:min(len(all), mostSent)] {
		list = append(list, fmt.Sprintf("%s to %s (%s), the last %s", p.Artifact, p.Endpoint, strings.Join(p.Purposes, ", "), p.Last))
	}
	c.Detail = "words were sent: " + strings.Join(list, "; ")
	if more := len(all) - mostSent; more > 0 {
		c.Detail += fmt.Sprintf("; %d more in %s/sent.jsonl", more, archive.LocalDir)
	}
	return c
}
