package draft

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"muniment/cid"
	"muniment/cite"
	"muniment/draft/contract"
	"muniment/engine"
	"muniment/judge"
	"muniment/judge/assign"
	"muniment/judge/hedge"
	"muniment/ledger"
	"muniment/search/retrieve"
	"muniment/text/clause"
	"muniment/text/segment"
)

// A sentenceSupport is a result of weigh.
type sentenceSupport struct {
	rung   cite.Rung
	reason string // what kept the sentence from support, one sentence
	counts []bool // by citation: a clause of the sentence follows from it alone
}

// notShown is the reason where nothing more is known.
const notShown = "the words do not say it"

// align returns the evidence that the words of one citation give a claim. Package assign reads the paragraph that they are in: what another sentence of
// it says is no evidence of this citation.
func (k *checker) align(claim segment.Claim, c *ledger.Citation) (assign.Evidence, error) {
	span, err := cite.ParseSpan(c.Span)
	if err != nil {
		return assign.Evidence{}, err
	}
	of := k.paperOf(c)
	p := retrieve.Passage{Artifact: c.Artifact, Span: span, Text: c.Text, Title: of.Title, Date: of.Date, Lang: of.Lang, Author: of.Creator}
	ev, err := assign.Assign(claim, []retrieve.Passage{p}, k.document, k.names...)
	if err != nil || ev.Relation == "" {
		return ev, err
	}
	d, err := k.document(c.Artifact)
	if err != nil {
		return ev, err
	}
	from, to, err := cite.Resolve(d, span)
	if err != nil {
		return ev, err
	}
	if start, end, err := cite.Resolve(d, ev.Span); err != nil || end <= from || start >= to {
		return assign.Evidence{Reason: "the words that say it are beside those that are cited"}, err
	}
	return ev, nil
}

// paperOf returns title, date and names from the record of a citation's source.
func (k *checker) paperOf(c *ledger.Citation) judge.Paper {
	id, err := cid.Parse(c.Artifact)
	if err != nil {
		return judge.Paper{Subject: k.names}
	}
	h, _ := k.firstRecord(id)
	return engine.PaperOf(h.Record, k.names)
}

// weigh holds each claim of a sentence, after what its draft said before, against each of the entries, by the test of Bind.
func (k *checker) weigh(sentence, said string, entries []ledger.Citation) sentenceSupport {
	key := said + "\x00" + sentence // a draft may repeat a sentence, and is examined several times
	for i := range entries {
		key += "\x00" + strconv.FormatInt(entries[i].Ordinal, 10)
	}
	if known, ok := k.rungs[key]; ok {
		return known
	}
	w := sentenceSupport{rung: cite.Supported, counts: make([]bool, len(entries))}
	claims := segment.Claims(sentence, "en")
	if whole := k.supportWhole(claims, sentence, said, entries, w.counts); whole {
		k.rungs[key] = w
		return w
	}
	if len(claims) == 0 {
		w.rung, w.reason = cite.Refused, notShown
	}
	for _, claim := range claims {
		claim.Before = said + claim.Before
		best, why := cite.Refused, notShown
		for i := range entries {
			rung, reason := k.rungOn(claim, &entries[i])
			w.counts[i] = w.counts[i] || rung != cite.Refused
			switch {
			case rung == cite.Supported, rung == cite.Labeled && best == cite.Refused:
				best = rung
			case reason != "":
				why = reason
			}
		}
		if best != cite.Supported && w.rung != cite.Refused {
			w.rung, w.reason = best, why
		}
	}
	if w.rung != cite.Supported && k.supportParts(claims, sentence, said, entries, w.counts) {
		w.rung, w.reason = cite.Supported, ""
	}
	k.rungs[key] = w
	return w
}

// supportParts reports whether a sentence divides into parts each of which repeats the words of one of the entries and follows from
// it, and marks these entries.
func (k *checker) supportParts(claims []segment.Claim, sentence, said string, entries []ledger.Citation, counts []bool) bool {
	if len(entries) < 2 || slices.ContainsFunc(claims, func(c segment.Claim) bool { return len(c.Quotes) > 0 || c.Kind != segment.Assertion }) {
		return false
	}
	by := map[string][]int{} // the entries from which a part follows
	parts := clause.Cover(strings.TrimRight(strings.TrimSpace(sentence), "."), len(entries), func(part string) bool {
		for i := range entries {
			if !clause.Repeats(part, entries[i].Text) {
				continue
			}
			if rung, _ := k.rungOn(segment.Claim{Text: part, Before: said, Kind: segment.Assertion}, &entries[i]); rung == cite.Supported {
				by[part] = append(by[part], i)
			}
		}
		return len(by[part]) > 0
	})
	for _, part := range parts {
		for _, i := range by[part] {
			counts[i] = true
		}
	}
	return parts != nil
}

// supportWhole reports whether a sentence of several claims follows as a whole from one of the entries, and marks those from which it does. Claims cut
// out of a sentence may lack what it says of them.
func (k *checker) supportWhole(claims []segment.Claim, sentence, said string, entries []ledger.Citation, counts []bool) (found bool) {
	if len(claims) < 2 || slices.ContainsFunc(claims, func(c segment.Claim) bool { return len(c.Quotes) > 0 || c.Kind == segment.Table }) {
		return false
	}
	whole := segment.Claim{Text: strings.TrimSpace(sentence), Before: said, Kind: claims[0].Kind}
	for i := range entries {
		if rung, _ := k.rungOn(whole, &entries[i]); rung == cite.Supported {
			counts[i], found = true, true
		}
	}
	return found
}

// rungOn returns the rung that a claim reaches on one citation, supported, labeled or refused, and the reason why it
// is refused. What is marked as inferred is labeled where it follows without its hedges.
func (k *checker) rungOn(claim segment.Claim, one *ledger.Citation) (rung cite.Rung, reason string) {
	if strings.TrimSpace(claim.Text) == strings.TrimSpace(one.Claim) { // persons, who go first, reviewed this very claim
		switch people, err := k.engine.Reviews().WeighPeople(one, k.rules.Reviews); {
		case err == nil && people.Verdict == cite.ClaimFollows:
			return cite.Supported, ""
		case err != nil:
			return cite.Refused, "its reviews cannot be read"
		case people.Settles():
			return cite.Refused, people.Sentence()
		}
	}
	if one.Relation == cite.MetadataFact {
		return cite.Refused, ""
	}
	ev, err := k.align(claim, one)
	if err != nil {
		return cite.Refused, ""
	}
	if assign.VetoesElided(claim, ev, k.names) {
		return cite.Refused, "the words that it leaves out turn round what it says"
	}
	switch r := cite.Judge(ev.Input()).Rung; {
	case r == cite.Supported || r == cite.Narrowed:
		return cite.Supported, ""
	case r == cite.Labeled && !hedge.IsStacked(claim.Text) && hedge.IsFalsifiable(claim.Text) && hedge.InfersNothingNew(claim.Text, k.passage(one)):
		return cite.Labeled, ""
	}
	return cite.Refused, ev.Reason
}

// support returns the evidence that counts for a claim, and why the claim does not follow from it, or "". The frame
// of a restatement says nothing: a claim may follow with or without it.
func (k *checker) support(claim string, cited []contract.Evidence) (counted []contract.Evidence, reason string) {
	entries := k.entries(ids(cited))
	w := k.weigh(claim, saidBefore(cited), entries)
	if bare := contract.WithoutFrame(claim); bare != claim && w.rung == cite.Refused {
		w = k.weigh(bare, saidBefore(cited), entries)
	}
	for i, e := range entries {
		for _, ev := range cited {
			if ev.Number == e.Ordinal && (w.counts[i] || isHeadline(claim, ev)) {
				counted = append(counted, ev)
			}
		}
	}
	if w.rung != cite.Refused || slices.ContainsFunc(counted, func(ev contract.Evidence) bool { return isHeadline(claim, ev) }) {
		return counted, ""
	}
	return counted, "it does not follow from the words cited: " + w.reason
}

// saidBefore returns the draft before the claim that evidence is cited for.
func saidBefore(cited []contract.Evidence) string {
	if len(cited) == 0 {
		return ""
	}
	return cited[0].Around.Said
}

// isHeadline reports whether a claim follows from the words of a record: of a citation of a record, or of a source of
// which only metadata is known.
func isHeadline(claim string, ev contract.Evidence) bool {
	if ev.Snippet == "" {
		return false
	}
	j, known := contract.Judge(claim, ev)
	return known && j.Verdict == cite.ClaimFollows
}

// supportOrJudge is support where the profile lets a model judge, as Bind does: it decides what the rules leave open.
func (k *checker) supportOrJudge(ctx context.Context) func(claim string, cited []contract.Evidence) ([]contract.Evidence, string) {
	return func(claim string, cited []contract.Evidence) ([]contract.Evidence, string) {
		counted, why := k.support(claim, cited)
		if why == "" {
			return counted, ""
		}
		for _, ev := range cited {
			for _, one := range k.entries([]string{ev.ID}) {
				if k.entails(ctx, claim, ev.Around.Said, one) == judgedYes {
					ev.Judge = k.model
					counted, why = append(counted, ev), ""
				}
			}
		}
		return counted, why
	}
}
