package engine

import (
	"strings"

	"muniment/archive/problem"
	"muniment/canon"
	"muniment/cite"
	"muniment/judge"
)

// What a caller can do about an error or a verdict of this package. Where a comment
// names no arguments, the step has none.
const (
	// DoCite registers a citation. Args are names and values in turn: the fields
	// artifact, source, span, quote, claim, relation, session, agent, user,
	// project, locator, reasoning and confidence of CiteOptions that matter, ""
	// for a value that the caller has to fill in.
	DoCite          problem.Action = "cite"
	DoCiteNegative  problem.Action = "cite-negative"  // record a search without support: CiteNegative
	DoSearch        problem.Action = "search"         // search the archive; Args: the words
	DoListCitations problem.Action = "list-citations" // list the registered citations
	DoVerifyPending problem.Action = "verify-pending" // verify again what is pending: VerifyPending
	DoLink          problem.Action = "link"           // link two citations; Args: the number of the first, the type of the link, the number of the second
	DoListWorks     problem.Action = "list-works"     // list works: WriteBibliography

	DoAddDoc      problem.Action = "add-doc"      // register a file as a source: Sources.AddDoc; Args: the path, or none
	DoAddWeb      problem.Action = "add-web"      // register a page as a source: Sources.AddWeb; Args: the address, or none
	DoAddDB       problem.Action = "add-db"       // register the answer of a database: Sources.AddDB
	DoAddCustom   problem.Action = "add-custom"   // register what an agent made: Sources.AddCustom
	DoShowSource  problem.Action = "show-source"  // show a registered source; Args: its number
	DoListSources problem.Action = "list-sources" // list the registered sources

	DoListProfiles problem.Action = "list profiles" // list the profiles, and print one to read or to begin from
	DoAddProfile   problem.Action = "add profile"   // add a profile under its own name
)

// nextCite returns the step to a citation of the words at a place that verifies: with the caller's claim where these
// words, or the sentences that hold them, say it; else with that claim after the number, unit, date or name of the
// words is put in place of its own; else with the nearest of the sentences as the claim. No step keeps a claim that its
// quote does not support: where none of the three follows, the step is to claim what the words say.
func (r *CiteResult) nextCite(doc *canon.Document, at cite.Span, relation cite.Relation, o CiteOptions, passageAt func(cite.Span) (judge.Passage, error)) (problem.Step, error) {
	step := func(claim string, span cite.Span) (problem.Step, error) {
		words, err := cite.Quote(doc, span)
		o := o
		o.Claim = claim
		return citeAgain(r, o, span.String(), words), err
	}
	places, err := placesAround(doc, at)
	if err != nil {
		return problem.Step{}, err
	}
	corrected, correctedAt := "", cite.Span{}
	own, ownAt, nearest := "", cite.Span{}, -1.0
	for i, span := range places {
		p, err := passageAt(span)
		if err != nil {
			return problem.Step{}, err
		}
		follows := func(claim string) bool { return judgeClaim(claim, relation, p).Verdict == cite.ClaimFollows }
		j := judgeClaim(o.Claim, relation, p)
		if j.Verdict == cite.ClaimFollows {
			return step(o.Claim, span)
		}
		if claim := correctClaim(o.Claim, j.Findings); corrected == "" && claim != "" && follows(claim) {
			corrected, correctedAt = claim, span
		}
		words := strings.Join(strings.Fields(p.Words), " ")
		if isSentence := i > 1 || len(places) <= 2 && i == len(places)-1; isSentence && j.Share > nearest && follows(words) {
			own, ownAt, nearest = words, span, j.Share
		}
	}
	switch {
	case corrected != "":
		return step(corrected, correctedAt)
	case own != "":
		return step(own, ownAt)
	}
	return problem.Advise("claim what the words say, or quote words that say it; with CITATION_LLM_URL a model judges"), nil
}

// placesAround returns a place, the sentences that hold its words as one place where these are more, and each of these
// sentences by itself where they are several.
func placesAround(doc *canon.Document, at cite.Span) ([]cite.Span, error) {
	places := []cite.Span{at}
	whole, err := sentencesAround(doc, at)
	if err != nil {
		return nil, err
	}
	start, end, err := cite.Resolve(doc, at)
	if err != nil {
		return nil, err
	}
	sentences := sentencesIn(doc, at, start, end)
	if whole != at || len(sentences) > 1 {
		places = append(places, whole)
	}
	for _, s := range sentences {
		one, err := cite.SpanIn(doc, at.Kind, s.Start, s.End)
		if err != nil {
			return nil, err
		}
		if len(sentences) > 1 {
			places = append(places, one)
		}
	}
	return places, nil
}

// correctClaim returns a claim with the numbers, units, dates and names of the words in place of its own, "" where a
// finding is about something else.
func correctClaim(claim string, findings []judge.Finding) string {
	for _, f := range findings {
		fixable := f.Test == judge.Number || f.Test == judge.Unit || f.Test == judge.Date || f.Test == judge.Name
		if !fixable || f.Claim == "" || f.Words == "" || strings.Contains(f.Words, ", ") || !strings.Contains(claim, f.Claim) {
			return ""
		}
		claim = strings.Replace(claim, f.Claim, f.Words, 1)
	}
	if len(findings) == 0 {
		return ""
	}
	return claim
}

// correctFact returns the step to a citation of words of a record whose claim follows from them.
func (r *CiteResult) correctFact(o CiteOptions, j judge.Judgement, again func(claim string) judge.Judgement) problem.Step {
	if claim := correctClaim(o.Claim, j.Findings); claim != "" && again(claim).Verdict == cite.ClaimFollows {
		o.Claim = claim
		return citeAgain(r, o, r.Span, r.Quote)
	}
	return problem.Advise("claim what the words say, or quote words that say it; with CITATION_LLM_URL a model judges")
}
