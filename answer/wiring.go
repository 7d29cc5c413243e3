package answer

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"iter"
	"slices"
	"strings"

	"muniment/archive"
	"muniment/archive/answerlog"
	"muniment/archive/holdings"
	"muniment/archive/logref"
	"muniment/archive/problem"
	"muniment/archive/search"
	"muniment/bundle"
	"muniment/canon"
	"muniment/cid"
	"muniment/draft/profile"
	"muniment/engine"
	"muniment/history"
	"muniment/objects"
	"muniment/policy"
	"muniment/search/retrieve"
	"muniment/sign"
	"muniment/sign/trust"
	"muniment/snapshot"
	"muniment/snapshot/access"
	"muniment/snapshot/edtf"
	"muniment/snapshot/layout"
	"muniment/text/legible"
	"muniment/text/segment"
)

// NewPipeline returns the pipeline on a snapshot of an archive, under the default
// profile and without a model. The Signer of the options is required.
func NewPipeline(a *archive.Archive, head *snapshot.Snapshot, o AskOptions) (*Pipeline, error) {
	if o.Signer == nil {
		return nil, problem.New(problem.Key, problem.Next(problem.DoListKeys), "an answer is signed, and no key was given")
	}
	rules, err := a.ReadPolicy(head.Tree)
	if err != nil {
		return nil, err
	}
	if len(rules.Scopes) == 0 {
		return nil, problem.New(problem.NoAuditor, problem.Next(problem.DoNewAuditor, "audit").Or(problem.DoSnapshot),
			"no auditor is enrolled, so what is not disclosed could never be checked")
	}
	inForce, err := a.TrustText(head.Tree)
	if err != nil {
		return nil, err
	}
	logDir, err := a.LocalPath("log")
	if err != nil {
		return nil, err
	}
	if err := a.CheckIdentity(); err != nil {
		return nil, err
	}
	logged, err := answerlog.Open(logDir, o.Signer, a.ID())
	if err != nil {
		return nil, problem.Wrap(err, "answer log")
	}
	lost, err := openLog(a, logged, o.Signer.Key().ID())
	if err != nil { // what cannot be logged is not delivered
		return nil, pipelineError(fmt.Errorf("%w: %w", ErrAssembly, err))
	}
	who := policy.Requestor{Name: o.Requestor, Tier: o.Tier}
	caller := policy.HolderView()
	if !o.Archivist {
		caller = a.View(head.Tree, rules, who)
	}
	view, err := NewView(a, head, caller)
	if err != nil {
		return nil, err
	}
	if view.CoversTo, err = coversTo(a, head.Tree, a.View(head.Tree, rules, who)); err != nil {
		return nil, err
	}
	stranger, err := isStranger(a, head, o.Signer.Key())
	if err != nil {
		return nil, err
	}
	p := &Pipeline{
		LogNotice: lost,
		Stranger:  stranger,
		View:      *view,
		Policy:    rules,
		Env: bundle.Env{Rand: a.World().Rand, Now: a.World().Now(), Archive: a.ID(), Signers: []sign.Signer{o.Signer}, Log: logged,
			Scopes: rules.Scopes, PolicyDigest: rules.Digest(), TrustDigest: sha256.Sum256(inForce)},
	}
	p.Index = func(ctx context.Context) (retrieve.Index, error) {
		ix, _, err := search.Index(ctx, a, head, o.Progress)
		if err != nil {
			return nil, err
		}
		if p.Searched == nil || ix.Searched.Percent < p.Searched.Percent { // the least of several searches counts
			p.Searched, p.IndexNotice = &ix.Searched, ix.Notice
		}
		return ix, nil
	}
	return p, nil
}

// openLog brings back what the folder of a log has lost from the log's ref, and returns
// in words what was done, or why another epoch begins.
func openLog(a *archive.Archive, logged *answerlog.Log, key string) (string, error) {
	if err := logref.RequireFirst(a, key); err != nil {
		return "", err
	}
	copies, err := logref.PublishedEpochs(a.Repository, key)
	if err != nil {
		return "", err
	}
	if err := requireUnproved(a, key, copies); err != nil {
		return "", err
	}
	restored, err := logged.Restore(copies)
	if err != nil {
		return "", err
	}
	lost, err := logged.Lost()
	return cmp.Or(lost, restored), err
}

// isStranger reports whether the trust in a snapshot gives no answers to a key that did
// not sign the snapshot either.
func isStranger(a *archive.Archive, head *snapshot.Snapshot, k sign.Key) (bool, error) {
	if head.Key.Point() == k.Point() {
		return false, nil
	}
	root, err := a.TrustRootIn(head.Tree)
	if err != nil {
		return false, err
	}
	if root != nil {
		return !slices.ContainsFunc(root.Keys, func(line trust.Key) bool { return line.Role == trust.Answer && line.Key.Point() == k.Point() }), nil
	}
	lines, err := a.TrustText(head.Tree)
	if err != nil || lines == nil {
		return err == nil, err
	}
	signers, err := sign.ParseAllowedSigners(lines)
	if err != nil {
		return false, problem.Negative(problem.Damaged, problem.Next(problem.DoVerify), "%s: %w", layout.PathAllowedSigners, err)
	}
	_, ok := signers.Allows(k, sign.NamespaceAnswer, a.ID())
	return !ok, nil
}

// pipelineUnder returns the pipeline under the rules of a profile, with a model
// where there is one and it is wanted, and who asks.
func pipelineUnder(a *archive.Archive, head *snapshot.Snapshot, rules *profile.Profile, o AskOptions) (*Pipeline, policy.Requestor, error) {
	p, err := NewPipeline(a, head, o)
	if err != nil {
		return nil, policy.Requestor{}, err
	}
	p.Profile = *rules
	if o.Archivist {
		may, err := history.IsArchivist(a, head, o.Signer.Key())
		if err != nil {
			return nil, policy.Requestor{}, err
		}
		if !may {
			return nil, policy.Requestor{}, problem.New(problem.NotPermitted, problem.Advise("ask without --as archivist, or with a key that may withdraw or change policy"), "this key may not ask as an archivist")
		}
		p.Policy = p.Policy.ForArchivist()
	}
	who, err := requestorOf(p.Policy, o.Requestor, o.Tier)
	if err != nil {
		return nil, policy.Requestor{}, err
	}
	if judge := a.World().Judge; judge != nil && !o.NoModel {
		p.Judge = judge.Entails
	}
	if reranker := a.World().Reranker; reranker != nil && !o.NoModel {
		p.Rerank = reranker.Rerank
	}
	if drafter := a.World().Drafter; drafter != nil && !o.NoModel {
		p.Draft, p.Classify = drafter.Draft, drafter.Classify
		p.JudgeDrafts = a.World().Judge != nil && a.World().Judge.Name() == drafter.Name()
	}
	reviews, err := engine.New(a, engine.Caller{})
	if err != nil {
		return nil, policy.Requestor{}, err
	}
	p.Reviewed = func(claim string) ([]engine.ReviewedClaim, error) {
		return reviews.Reviews().OfClaim(claim, rules.Reviews)
	}
	p.Freeform = rules.Freeform && p.Policy.Freeform(who)
	p.View.Sends = sender(a, head, p.Policy)
	p.View.Mentions = mentions(a.Catalog(head.Tree), a.View(head.Tree, p.Policy, who))
	p.View.Hidden = func(who policy.Requestor) ([]string, error) {
		return a.Withheld(head.Tree, a.View(head.Tree, p.Policy, who), exists)
	}
	return p, who, nil
}

// sender returns the function that reports whether words of an artifact may be sent to the
// model of a purpose, and logs that they are.
func sender(a *archive.Archive, head *snapshot.Snapshot, rules *policy.Policy) func(string, cid.ID) (bool, error) {
	return func(purpose string, id cid.ID) (bool, error) {
		w := a.World()
		endpoint := map[string]*archive.Judge{toRerank: w.Reranker, toDraft: w.Drafter, toJudge: w.Judge}[purpose]
		if endpoint == nil {
			return false, nil
		}
		may, err := a.MaySend(head.Tree, rules, id, endpoint.URL)
		if err != nil || !may {
			return false, err
		}
		return true, a.LogSent(endpoint.URL, purpose, []string{id.String()})
	}
}

// NewView returns one snapshot of an archive as the pipeline reads it for a caller: what a paper is
// called, and of which day it is, says the accession that the caller may know of.
func NewView(a *archive.Archive, head *snapshot.Snapshot, caller *policy.View) (*View, error) {
	whole := a.Catalog(head.Tree)
	added, err := whole.ListUnaccepted()
	if err != nil {
		return nil, err
	}
	unaccepted := make([]string, len(added))
	for i, art := range added {
		unaccepted[i] = art.ID.String()
	}
	c := a.CatalogFor(head.Tree, caller).WithoutUnaccepted()
	trees := map[cid.ID]*snapshot.Tree{}
	proofIn := func(in *snapshot.Snapshot, path string) (*snapshot.Proof, error) {
		if trees[in.ID] == nil {
			var err error
			if trees[in.ID], err = a.OpenTree(in); err != nil {
				return nil, err
			}
		}
		return trees[in.ID].Prove(path)
	}
	return &View{
		Snapshot: head,
		Names:    []string{a.Name()},

		Unaccepted: unaccepted,
		Record: func(id cid.ID) (StoredRecord, error) {
			art, err := c.Artifact(id)
			if err == nil && art == nil { // unknown to the requestor: for the sealed layer
				art, err = whole.Artifact(id)
			}
			if err != nil {
				return StoredRecord{}, err
			}
			if art == nil {
				return StoredRecord{}, fmt.Errorf("no record of %s", id)
			}
			h, ok := art.FirstRecord()
			if !ok {
				return StoredRecord{}, fmt.Errorf("no record of %s", id)
			}
			data, err := h.Record.Encode()
			return StoredRecord{ID: h.ID, Record: h.Record, JSON: data}, err
		},
		Dated:   func(p holdings.Period, visit Visit) error { return visitPlaces(c.InPeriod(p), visit) },
		Undated: func(kind string, visit Visit) error { return visitPlaces(c.ListUndated(kind), visit) },
		Described: func(words []string, visit Visit) error {
			return visitPlaces(c.ListDescribed(segment.Stems(strings.Join(words, " "))), visit)
		},
		Document: func(id cid.ID) (*canon.Document, error) {
			data, err := a.Payload(head.Tree, id)
			if err != nil {
				return nil, err
			}
			return canon.NewDocument(data), nil
		},
		Consent: func(id cid.ID) (*access.Consent, error) { return a.Consent(head.Tree, id) },
		Paper:   func(id cid.ID) (*policy.Paper, error) { return archive.PaperOf(a, head.Tree, id) },
		Proof:   func(path string) (*snapshot.Proof, error) { return proofIn(head, path) },
		ProofIn: proofIn,
	}, nil
}

// coversTo returns the date whose last day is the newest among the artifacts that
// the requestor may know of: a hidden one must not show in what the archive says of its end.
func coversTo(a *archive.Archive, tree objects.Hash, v *policy.View) (string, error) {
	if _, err := v.Rules.Tier(v.Who); err != nil {
		v.Who = policy.Requestor{} // an unknown tier is reported elsewhere
	}
	c := a.Catalog(tree).WithoutUnaccepted()
	var newest edtf.Date
	isNewer := func(d edtf.Date) bool {
		_, last := d.Interval()
		_, end := newest.Interval()
		return !d.IsZero() && last != edtf.Latest && (newest.IsZero() || last.Compare(end) > 0)
	}
	for p, err := range c.DatedLone("", "") {
		if err != nil {
			return "", err
		}
		newest = holdings.DateOf(p.Record.Record)
		break
	}
	if !v.Rules.DefaultConsent().Existence {
		special, err := c.WithConsent()
		if err != nil {
			return "", err
		}
		for _, art := range special {
			for _, h := range art.CurrentRecords() {
				date := holdings.DateOf(h.Record)
				if !isNewer(date) {
					continue
				}
				known, err := v.Knows(art.ID)
				if err != nil {
					return "", err
				}
				if known {
					newest = date
				}
			}
		}
		return newest.String(), nil
	}
	for p, err := range c.InPeriod(holdings.Period{}) {
		if err != nil {
			return "", err
		}
		date := holdings.DateOf(p.Record.Record)
		if !isNewer(date) {
			break
		}
		if known, err := v.Knows(p.Artifact.ID); err != nil || known {
			return date.String(), err
		}
	}
	return newest.String(), nil
}

// requestorOf returns who asks; the error says which tiers there are where the
// policy has no such tier.
func requestorOf(rules *policy.Policy, name, tier string) (policy.Requestor, error) {
	_, known := rules.FindTier(tier)
	switch {
	case tier != "" && !known:
		return policy.Requestor{}, problem.New(problem.Usage, problem.Advise("tiers here: "+rules.TierNames()), "no tier is named %q", legible.Printable(tier))
	}
	return policy.Requestor{Name: name, Tier: tier}, nil
}

// exists reports whether a permission lets its requestor know of the artifact.
func exists(p policy.Permission) bool { return p.Existence }

// textSize returns the bytes of the texts that a requestor may know of: what
// is hidden does not show in a budget.
func textSize(a *archive.Archive, tree objects.Hash, v *policy.View) (int, error) {
	c := a.Catalog(tree)
	totals, err := c.Totals()
	if err != nil {
		return 0, err
	}
	hidden, err := a.Withheld(tree, v, exists)
	if err != nil {
		return 0, err
	}
	size := int(totals.TextBytes)
	for _, one := range hidden {
		id, err := cid.Parse(one)
		if err != nil {
			return 0, err
		}
		art, err := c.Artifact(id)
		if err != nil {
			return 0, err
		}
		if h, ok := art.FirstRecord(); ok && h.Record.PCount > 0 {
			size -= int(h.Record.Size)
		}
	}
	return size, nil
}

// visitPlaces calls visit with the places of the record that describes an artifact in force.
func visitPlaces(places iter.Seq2[holdings.Place, error], visit Visit) error {
	for place, err := range places {
		if err != nil {
			return err
		}
		if place.Artifact == nil || place.Artifact.Withdrawn {
			continue
		}
		if first, ok := place.Artifact.FirstRecord(); !ok || first.ID != place.Record.ID {
			continue
		}
		if more, err := visit(place.Artifact.ID, place.Record.Record); err != nil || !more {
			return err
		}
	}
	return nil
}

// mentions returns the function that reports whether a record that the requestor may know of names one of
// the words, in the title, the names, the creators, the publisher or the tags.
// No text is read for it.
func mentions(c *holdings.Catalog, v *policy.View) func([]string) (bool, error) {
	return func(words []string) (bool, error) {
		for _, w := range words {
			stems := segment.Stems(w)
			for place, err := range c.ListDescribed(stems) {
				if err != nil {
					return false, err
				}
				if !names(place.Record, stems) || place.Artifact != nil && place.Artifact.Withdrawn {
					continue
				}
				if place.Artifact == nil {
					return true, nil
				}
				if known, err := v.Knows(place.Artifact.ID); err != nil || known {
					return known, err
				}
			}
		}
		return false, nil
	}
}

// names reports whether the description of a record has stems in a row.
func names(h holdings.StoredRecord, stems []string) bool {
	have := " " + strings.Join(segment.Stems(holdings.Description(h.Record)), " ") + " "
	return strings.Contains(have, " "+strings.Join(stems, " ")+" ")
}
