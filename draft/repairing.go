package draft

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"muniment/cite"
	"muniment/draft/contract"
	"muniment/draft/repair"
	"muniment/judge"
	"muniment/judge/hedge"
	"muniment/judge/model"
	"muniment/judge/model/entail"
	"muniment/ledger"
	"muniment/policy"
	"muniment/search/retrieve"
	"muniment/text/segment"
)

// A comparedSentence is a result of closest.
type comparedSentence struct {
	fault  contract.Fault
	reason string
}

// closest judges a sentence without a mark on the citations on file, those too of which only the claim does not hold: their words are there.
func (k *checker) closest(claim, said string) (contract.Fault, string) {
	key := said + "\x00" + claim // a draft is examined several times
	if known, ok := k.compared[key]; ok {
		return known.fault, known.reason
	}
	out := comparedSentence{}
	for i, part := range append([]segment.Claim{{Text: claim}}, segment.Claims(claim, "en")...) { // the whole, then each clause that is a claim
		var near []contract.Evidence
		for _, one := range k.near(part.Text, half, func(ev *contract.Evidence) bool { return ev.Invalid == "" || ev.Unverified || ev.Contradicts }) {
			ev, _ := k.lookup(strconv.FormatInt(one.Ordinal, 10))
			ev.Around.Said = said
			near = append(near, ev)
		}
		if fault, reason := contract.Closest(part.Text, near); i == 0 || fault == contract.Contradicted {
			out = comparedSentence{fault, reason}
		}
	}
	k.compared[key] = out
	return out.fault, out.reason
}

// half is the share of the content words of a claim that words near it have.
const half = 0.5

// near returns the citations on file that count and share most with a claim, at least one content word and a share of them all, best first.
func (k *checker) near(claim string, least float64, counts func(*contract.Evidence) bool) []ledger.Citation {
	const most = 16 // of which the right one is one, if there is any
	wanted := retrieve.ContentWords(claim, nil)
	type scored struct {
		entry ledger.Citation
		share int
	}
	var all []scored
	for i := range k.citations {
		c := &k.citations[i]
		id := strconv.FormatInt(c.Ordinal, 10)
		if ev, ok := k.lookup(id); !ok || !counts(&ev) || ev.Paywall || c.Relation == cite.MetadataFact {
			continue
		}
		share := 0
		for _, w := range wanted {
			if slices.Contains(k.seen[id].terms, w) {
				share++
			}
		}
		if float64(share) >= least*float64(len(wanted)) && share > 0 {
			all = append(all, scored{*c, share})
		}
	}
	slices.SortStableFunc(all, func(a, b scored) int { return cmp.Compare(b.share, a.share) })
	var out []ledger.Citation
	for _, s := range all[:min(len(all), most)] {
		out = append(out, s.entry)
	}
	return out
}

// maxAttached is the most citations that a repair attaches to one claim: two
// publishers, and one in reserve.
const maxAttached = 3

// repairPasses returns the repairs of a draft, at most two.
func (k *checker) repairPasses() []repair.Pass {
	known := repair.Known(func(c contract.Claim) []string {
		if ids := repair.Restated(c.Text, k.standing); ids != nil {
			return ids
		}
		return k.attachable(c.Text, func(one ledger.Citation) bool {
			return k.weigh(c.Text, c.Before, []ledger.Citation{one}).rung == cite.Supported
		})
	})
	if drafter := k.engine.Archive().World().Drafter; drafter != nil {
		return []repair.Pass{known, {By: "model", Run: func(ctx context.Context, draft string, flagged []contract.Claim) (string, error) {
			f := model.RepairRequest{Draft: draft, Flagged: []string{}, Evidence: k.markedEvidence()}
			for _, c := range flagged {
				f.Flagged = append(f.Flagged, draft[c.Start:c.End])
			}
			return drafter.Repair(ctx, f)
		}}}
	}
	return []repair.Pass{known, repair.Suggested(func(c contract.Claim) []string {
		return k.attachable(c.Text, func(one ledger.Citation) bool {
			words := k.passage(&one)
			words.Said = c.Before
			return hedge.InfersNothingNew(c.Text, words)
		})
	})}
}

// attachable returns the numbers of the citations near a claim that hold for it,
// best first, at most maxAttached.
func (k *checker) attachable(claim string, holds func(ledger.Citation) bool) []string {
	var out []string
	for _, one := range k.near(claim, half, func(ev *contract.Evidence) bool { return ev.Invalid == "" }) {
		if len(out) < maxAttached && holds(one) {
			out = append(out, strconv.FormatInt(one.Ordinal, 10))
		}
	}
	return out
}

// judgeAttached returns the test of what a pass has attached: the claim restates a cited claim of the
// draft, it follows from the words with or without its hedges, or a model says yes.
func (k *checker) judgeAttached(ctx context.Context) repair.Holds {
	return func(claim contract.Claim, ids []string) bool {
		entries := k.entries(ids)
		if len(entries) == 0 || len(entries) != len(ids) {
			return false
		}
		restated := repair.Restated(claim.Text, k.standing)
		for i, one := range entries {
			w := k.weigh(claim.Text, claim.Before, []ledger.Citation{one})
			words := k.passage(&one)
			words.Said = claim.Before
			switch {
			case w.rung == cite.Supported, slices.Contains(restated, ids[i]), hedge.InfersNothingNew(claim.Text, words):
			case k.judgesOwnRepairs(), k.entails(ctx, claim.Text, claim.Before, one) != judgedYes:
				return false
			}
		}
		return true
	}
}

// judgesOwnRepairs reports whether the only model is the one that repairs: it judges nothing that it proposed.
func (k *checker) judgesOwnRepairs() bool {
	w := k.engine.Archive().World()
	return w.Drafter != nil && w.Judge != nil && w.Drafter.Name() == w.Judge.Name()
}

// The verdicts of a judge that decide; the third is doubt.
const (
	judgedYes = "yes"
	judgedNo  = "no"
)

// entails returns the verdict of the judge of the check, if there is one and the profile allows it, on a
// claim and the words of a citation: yes, no or doubt; "" where none was asked. One that fails is not
// asked again.
func (k *checker) entails(ctx context.Context, claim, said string, one ledger.Citation) string {
	if k.judge == nil {
		k.entailed = map[string]string{}
		k.judge = &entail.Judge{}
		if m := k.engine.Archive().World().Judge; m != nil && k.rules.JudgedClaims() != policy.JudgedNever {
			k.judge.Ask = func(ctx context.Context, q model.Question) (model.Judgement, error) {
				said, err := m.Entails(ctx, q)
				var bad *model.ReplyError
				k.unread = errors.As(err, &bad) && !strings.Contains(said.Reply, judgedYes)
				return said, err
			}
		}
	}
	k.unread = false
	key := said + "\x00" + claim + "\x00" + strconv.FormatInt(one.Ordinal, 10)
	if known, asked := k.entailed[key]; asked || !k.judge.Asks() {
		return known
	}
	if may, err := k.engine.MaySend(one.Artifact); err != nil || !may || k.engine.LogJudged(one.Artifact) != nil {
		return "" // what cannot be written down is not sent
	}
	words := k.passage(&one)
	words.Said = said
	answer, test := k.judge.Decide(ctx, claim, words)
	if k.judge.Failed != nil {
		k.warn(k.judge.Notice())
	}
	switch {
	case answer != nil && k.unread: // a reply without a verdict is none
		k.entailed[key] = ""
	case answer != nil:
		k.entailed[key], k.model = answer.Verdict, answer.Model
	case test != entail.TestAllowed && test != entail.Veto+string(judge.Scoped): // a veto
		k.entailed[key] = judgedNo
	}
	return k.entailed[key]
}

// passage returns the words of a citation with those around them.
func (k *checker) passage(one *ledger.Citation) judge.Passage {
	if _, p, err := k.quote(one); err == nil {
		return p
	}
	return judge.Passage{Words: one.Text, Writers: k.names}
}

// markedEvidence lists the evidence that a model may cite.
func (k *checker) markedEvidence() []model.Evidence {
	const most = 40 // as many chunks as a pack has
	out := []model.Evidence{}
	for _, ev := range k.available() {
		if ev.Quote != nil && ev.Invalid == "" && len(out) < most {
			out = append(out, model.Evidence{Mark: "[" + ev.ID + "]", Words: ev.Quote.Text})
		}
	}
	return out
}
