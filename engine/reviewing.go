package engine

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"muniment/archive/problem"
	"muniment/canon"
	"muniment/cid"
	"muniment/cite"
	"muniment/cite/people"
	"muniment/cite/review"
	"muniment/judge"
	"muniment/ledger"
	"muniment/objects"
	"muniment/sign"
	"muniment/snapshot/layout"
	"muniment/text/legible"
)

// maxNote is the longest text of their own that reviewers leave in the ledger, in bytes.
const maxNote = 4096

// ReviewOptions say what a person found. Citation and Verdict are required, or the three
// fields of a claim that is not registered.
type ReviewOptions struct {
	Citation              string // number or ID
	Claim, Artifact, Span string // of a quotation that nobody registered, in place of Citation

	Verdict string // follows, not or unsure; f, n or ?
	Reason  string // a word of the fixed list; "" is the first of the verdict
	Day     string // YYYY-MM-DD; "" is today
	Name    string // of the reviewer who agrees to be named; "" is a pseudonym
	Note    string // the reviewer's own words; they stay in the ledger
}

// A ReviewResult is a review that was kept, with what persons now make of the claim.
type ReviewResult struct {
	Review             string          `json:"review"` // ID of the signed object
	ReviewID           int64           `json:"review_id"`
	Subject            string          `json:"subject"`
	CitationID         int64           `json:"citation_id,omitempty"`
	Claim              string          `json:"claim"`
	Verdict            string          `json:"verdict"`
	Reason             string          `json:"reason"`
	Counted            bool            `json:"counted"`
	NotCounted         string          `json:"not_counted,omitempty"` // why it does not count
	VerificationStatus string          `json:"verification_status,omitempty"`
	VerificationNotes  string          `json:"verification_notes,omitempty"`
	Reviews            []people.Review `json:"reviews"` // all that are in force, this one among them
}

// Outcome returns the state of the citation after the review, with its reason.
func (r *ReviewResult) Outcome() string {
	return r.VerificationStatus + ": " + strings.TrimPrefix(r.VerificationNotes, r.VerificationStatus+": ")
}

// A reviewTarget is a claim with its words, as a reviewer sees it.
type reviewTarget struct {
	subject       review.Subject
	digest        string
	before, after string
}

// describeSubject returns the subject of reviews of a citation, with the rest of the paragraphs of its words.
func (rs Reviews) describeSubject(c *ledger.Citation) (*reviewTarget, error) {
	checks, ev, err := rs.e.Citations().recheck(c)
	if err != nil {
		return nil, err
	}
	for _, k := range checks {
		if k.Result == "fail" && k.Step != "sealed" && k.Step != "object" && k.Step != "prefix" && k.Step != "suffix" {
			return nil, problem.New(problem.Usage, problem.Next(DoListCitations), "the words of the citation are not there: %s: expected %s, found %s",
				k.Step, legible.Printable(clip(k.Expected)), legible.Printable(clip(k.Found)))
		}
	}
	out := &reviewTarget{subject: review.Subject{Artifact: c.Artifact, Claim: c.Claim, Span: c.Span}}
	switch {
	case ev.doc != nil:
		out.before, out.subject.Words, out.after, err = surround(ev.doc, ev.span)
	case c.Relation == cite.MetadataFact:
		out.subject.Words = c.Text
	}
	if err == nil {
		out.subject.Surroundings, err = review.HashSurroundings(out.before, out.after)
	}
	if err == nil {
		out.digest, err = out.subject.Digest()
	}
	return out, problem.Wrap(err, "review")
}

// findWords is describeSubject that returns nil where the words are not there.
func (rs Reviews) findWords(c *ledger.Citation) (*reviewTarget, error) {
	what, err := rs.describeSubject(c)
	var gone *problem.Error
	if errors.As(err, &gone) && gone.Kind == problem.Usage {
		return nil, nil
	}
	return what, err
}

// surround returns the words at a span, and the rest of the units that the span touches: the part before, and the part after.
func surround(doc *canon.Document, span cite.Span) (before, words, after string, err error) {
	start, end, err := cite.Resolve(doc, span)
	if err != nil {
		return "", "", "", err
	}
	units, text := doc.Units(span.Kind), doc.Payload()
	first, last := units[span.From.Unit-1], units[span.To.Unit-1]
	return string(text[first.Start:start]), string(text[start:end]), string(text[end:last.End]), nil
}

// Review signs what a person found about a citation, keeps it in the ledger, and gives the
// citation the status that follows. The next snapshot seals it.
func (rs Reviews) Review(o ReviewOptions, key sign.Signer) (*ReviewResult, error) {
	if key == nil {
		return nil, problem.New(problem.Key, problem.Next(problem.DoListKeys), "no key was given to sign with")
	}
	c, what, err := rs.findSubject(o)
	if err != nil {
		return nil, err
	}
	verdict, err := review.ParseVerdict(o.Verdict)
	if err != nil {
		return nil, problem.New(problem.Usage, problem.Advise("follows, not or unsure; f, n or ?"), "%w", err)
	}
	r := review.Review{Verdict: verdict, Reason: o.Reason, Day: cmp.Or(o.Day, rs.e.arch.World().Now().Format(time.DateOnly)), Name: o.Name}
	if r.Replaces, err = rs.ownReview(what.digest, key.Key()); err != nil {
		return nil, err
	}
	data, err := review.Sign(r, what.subject, key)
	if err != nil {
		return nil, problem.New(problem.Usage, problem.Advise("see muniment review --help for the reasons of each verdict"), "%w", err)
	}
	return rs.keepReview(c, what, data, o.Note)
}

// Add keeps a review that was signed elsewhere, of a citation or of a claim that is not registered. Nothing of o
// but these and the note is read.
func (rs Reviews) Add(o ReviewOptions, data []byte) (*ReviewResult, error) {
	c, what, err := rs.findSubject(o)
	if err != nil {
		return nil, err
	}
	r, err := review.Parse(data)
	if err == nil {
		err = r.IsOf(what.subject)
	}
	if err != nil {
		return nil, problem.New(problem.Usage, problem.Advise("sign the subject that the citation has now"), "%w", err)
	}
	return rs.keepReview(c, what, data, o.Note)
}

// findSubject finds the citation or the quotation that options name.
func (rs Reviews) findSubject(o ReviewOptions) (*ledger.Citation, *reviewTarget, error) {
	if err := rs.e.require(ActReview, rs.e.Caller().Self()); err != nil {
		return nil, nil, err
	}
	if len(o.Note) > maxNote {
		return nil, nil, problem.New(problem.Usage, problem.Advise("shorten the note"), "a note of %d bytes, want at most %d", len(o.Note), maxNote)
	}
	c := ledger.Citation{Entry: ledger.Entry{Claim: o.Claim, Artifact: o.Artifact, Span: o.Span}}
	if o.Citation != "" {
		var err error
		if c, _, err = rs.e.Citations().findAnywhere(o.Citation); err != nil {
			return nil, nil, err
		}
	}
	tree, err := rs.e.arch.NewestTree()
	if err != nil {
		return nil, nil, err
	}
	switch sees, err := rs.e.SeesCitation(rs.e.arch.Catalog(tree), &c); {
	case err != nil:
		return nil, nil, err
	case !sees:
		return nil, nil, problem.New(problem.NotFound, problem.Next(DoListCitations), "no citation %s", legible.Printable(o.Citation))
	}
	// A copy without this ledger could not tell who registered the claim, and would count it.
	if by := registrant(&c, &ledger.Review{Agent: rs.e.caller.Agent, User: rs.e.caller.User}); by != "" {
		return nil, nil, problem.New(problem.NotPermitted, problem.Advise("let somebody else review it"), "%s registered citation %s, and nobody reviews a claim of their own", by, legible.Printable(o.Citation))
	}
	if c.Ordinal == 0 && o.Citation == "" {
		if err := rs.anchorSpan(&c); err != nil {
			return nil, nil, err
		}
	}
	what, err := rs.describeSubject(&c)
	return &c, what, err
}

// anchorSpan fills in the anchor of a claim's words that nobody registered, and the verdict of the rules.
func (rs Reviews) anchorSpan(c *ledger.Citation) error {
	c.Match = cite.Exact
	if cite.IsMediaSpan(c.Span) {
		c.Match = cite.NoWords
		return nil
	}
	id, err := cid.ParseAs(cid.Raw, c.Artifact)
	if err != nil {
		return problem.New(problem.Usage, problem.Next(DoListCitations), "artifact: %w", err)
	}
	tree, err := rs.e.arch.NewestTree()
	if err != nil {
		return err
	}
	art, err := rs.e.arch.Catalog(tree).Artifact(id)
	switch {
	case err != nil:
		return err
	case art == nil:
		return problem.New(problem.NotFound, problem.Next(problem.DoList), "no artifact %s", legible.Printable(c.Artifact))
	}
	var at evidence
	c.Text, c.Anchor, err = quoteText(rs.e.arch, tree, art, c.Span, &at)
	if err != nil {
		return problem.New(problem.Usage, problem.Next(DoListCitations), "span: %w", err)
	}
	paper, err := rs.e.Citations().paperOf(tree, art)
	if err != nil {
		return err
	}
	words, err := judge.At(at.doc, at.span, paper)
	j := judge.Judge(c.Claim, words)
	c.Verdict, c.Status, c.Notes = j.Verdict, ledger.StatusOf(c.Match, j.Verdict), j.Reason
	return problem.Wrap(err, "review")
}

// keepReview keeps a signed review and lets the ledger note what persons now make of the citation.
func (rs Reviews) keepReview(c *ledger.Citation, what *reviewTarget, data []byte, note string) (*ReviewResult, error) {
	l, err := rs.e.ledger()
	if err != nil {
		return nil, err
	}
	r, err := review.Parse(data)
	if err != nil {
		return nil, problem.Wrap(err, "review")
	}
	if c.Ordinal > 0 {
		own, err := rs.isOwnKey(l, c, r.Key())
		if err != nil {
			return nil, err
		}
		if own {
			return nil, problem.New(problem.NotPermitted, problem.Advise("let somebody else review it"), "the key %s is one of whoever registered citation %d, and nobody reviews a claim of their own", r.Key().Fingerprint(), c.Ordinal)
		}
	}
	n, err := l.AddReview(ledger.Review{Time: rs.e.arch.World().Now(), Project: rs.e.caller.Project, Agent: rs.e.caller.Agent, User: rs.e.caller.User, Citation: c.Ordinal,
		Subject: what.digest, Object: r.ID(), JSON: data, Note: note})
	if err != nil {
		return nil, problem.Wrap(err, "ledger")
	}
	out := &ReviewResult{Review: r.ID().String(), ReviewID: n, Subject: what.digest, CitationID: c.Ordinal, Claim: c.Claim, Verdict: string(r.Verdict), Reason: r.Reason}
	said, opinions, err := rs.weighReviews(l, c, what.digest)
	if err != nil {
		return nil, err
	}
	out.Reviews = opinions
	for _, o := range opinions {
		if o.Key == r.Key().ID() {
			out.Counted, out.NotCounted = o.Not == "", o.Not
		}
	}
	a, err := rs.attestPeople(l, c, said)
	out.VerificationStatus, out.VerificationNotes = string(a.Status), a.Notes
	return out, err
}

// reviewStep names the check of an attestation that persons decided.
const reviewStep = "review"

// attestPeople appends what persons make of a citation to its attestations, where that changes its state.
func (rs Reviews) attestPeople(l *ledger.Ledger, c *ledger.Citation, said people.Decision) (ledger.Attestation, error) {
	last, err := lastUnreviewed(l, c)
	if err != nil {
		return last, err
	}
	a := underPeople(last, said)
	a.Time, a.Agent = rs.e.arch.World().Now(), rs.e.caller.Agent
	if c.Ordinal == 0 || a.Status == c.Status && a.Notes == c.Notes {
		return a, nil
	}
	return a, problem.Wrap(l.Attest(c.Ordinal, a), "ledger")
}

// underPeople returns an attestation of rules or a model after persons have decided, or as it was where they have not. The verdict on
// the claim stays that of rules or model, which the citation object has; of one that persons overruled nothing is left.
func underPeople(last ledger.Attestation, said people.Decision) ledger.Attestation {
	if !said.Settles() {
		if said.Reason != "" && last.Status != ledger.Verified {
			last.Notes = said.Reason
		}
		return last
	}
	out := ledger.Attestation{Status: ledger.Unverified, Verdict: last.Verdict, Notes: said.Reason,
		Checks: []ledger.Check{{Step: reviewStep, Result: "fail", Expected: string(review.Follows), Found: said.Reason}}}
	switch said.Verdict {
	case cite.ClaimFollows:
		out.Status, out.Notes, out.Checks[0].Result = ledger.Verified, said.Sentence(), "pass"
		if out.Verdict == cite.ClaimContradicted {
			out.Verdict = cite.ClaimNotShown
		}
	case cite.ClaimContradicted:
		out.Status = ledger.Failed
	}
	return out
}

// lastUnreviewed returns the newest attestation of a citation that no person decided; of one that nobody registered, what the rules say.
func lastUnreviewed(l *ledger.Ledger, c *ledger.Citation) (ledger.Attestation, error) {
	if c.Ordinal == 0 {
		return ledger.Attestation{Status: c.Status, Verdict: c.Verdict, Notes: c.Notes}, nil
	}
	all, err := l.Attestations(c.Ordinal)
	if err != nil {
		return ledger.Attestation{}, problem.Wrap(err, "ledger")
	}
	for _, a := range slices.Backward(all) {
		if !slices.ContainsFunc(a.Checks, func(k ledger.Check) bool { return k.Step == reviewStep }) {
			return a, nil
		}
	}
	return all[0], nil
}

// ownReview returns the ID of the review of a subject that a key signed and that is in force, "" for none.
func (rs Reviews) ownReview(digest string, key sign.Key) (string, error) {
	l, err := rs.e.ledger()
	if err != nil {
		return "", err
	}
	all, err := rs.collectReviews(l, digest)
	if err != nil {
		return "", err
	}
	for _, r := range slices.Backward(review.Newest(reviewsIn(all))) {
		if r.Key().Point() == key.Point() {
			return r.ID().String(), nil
		}
	}
	return "", nil
}

// A keptReview is a review with where it is.
type keptReview struct {
	*review.Review
	entry *ledger.Review // nil where only the tree has it
	path  string         // in the tree; "" where only the ledger has it
}

func reviewsIn(all []keptReview) []*review.Review {
	out := make([]*review.Review, len(all))
	for i := range all {
		out[i] = all[i].Review
	}
	return out
}

// collectReviews returns the reviews of a subject that the ledger or the newest tree holds, those of the ledger first.
func (rs Reviews) collectReviews(l *ledger.Ledger, digest string) ([]keptReview, error) {
	var out []keptReview
	byID := map[cid.ID]int{}
	kept, err := l.ReviewsOf([]string{digest})
	if err != nil {
		return nil, problem.Wrap(err, "ledger")
	}
	for i := range kept[digest] {
		one := &kept[digest][i]
		r, err := review.Parse(one.JSON)
		if err != nil {
			return nil, problem.Wrap(err, "ledger")
		}
		byID[r.ID()] = len(out)
		out = append(out, keptReview{Review: r, entry: one})
	}
	tree, err := rs.e.arch.NewestTree()
	if err != nil {
		return nil, err
	}
	subject, err := review.SubjectID(digest)
	if err != nil {
		return nil, problem.Wrap(err, "review")
	}
	err = rs.e.arch.Store().Walk(tree, layout.ReviewFolder(subject), func(path string, h objects.Hash) error {
		if kind, ids := layout.ClassifyPath(path); kind != layout.KindReview || ids[0] != subject {
			return nil
		}
		_, data, err := rs.e.arch.Store().Get(h)
		if err != nil {
			return err
		}
		r, err := review.Parse(data)
		if err != nil {
			return problem.Negative(problem.Damaged, problem.Next(problem.DoVerify), "%s: %w", path, err)
		}
		if i, known := byID[r.ID()]; known {
			out[i].path = path
			return nil
		}
		out = append(out, keptReview{Review: r, path: path})
		return nil
	})
	return out, problem.Wrap(err, "reviews")
}

// weighReviews returns the verdict of persons on a citation whose subject has a digest, and their reviews in force.
func (rs Reviews) weighReviews(l *ledger.Ledger, c *ledger.Citation, digest string) (people.Decision, []people.Review, error) {
	all, err := rs.collectReviews(l, digest)
	if err != nil || len(all) == 0 {
		return people.Decision{}, []people.Review{}, err
	}
	last, err := lastUnreviewed(l, c)
	if err != nil {
		return people.Decision{}, nil, err
	}
	who, err := rs.openReviewers()
	if err != nil {
		return people.Decision{}, nil, err
	}
	opinions := []people.Review{}
	newest := review.Newest(reviewsIn(all))
	for _, k := range all {
		if !slices.Contains(newest, k.Review) {
			continue
		}
		o, err := describeReview(k)
		if err == nil {
			o.Org, o.Not, err = rs.countsFor(who, l, c, k)
		}
		if err == nil {
			o.Unsealed, err = who.awaitsSnapshot(k)
		}
		if err != nil {
			return people.Decision{}, nil, err
		}
		opinions = append(opinions, o)
	}
	return people.Weigh(last.Verdict, opinions, 0), opinions, nil
}

// describeReview returns a review as it is weighed, without its organisation and whether it counts.
func describeReview(k keptReview) (people.Review, error) {
	reason, err := review.FindReason(k.Verdict, k.Reason)
	return people.Review{Verdict: string(k.Verdict), Reason: k.Reason, Text: reason.Text, By: legible.Printable(k.Reviewer()), Day: k.Day, Key: k.Key().ID()}, problem.Wrap(err, "review")
}

// countsFor returns the organisation of a review's key, and why the review does not count for a citation, "" where it does: neither whoever
// registered the claim nor a key of theirs counts.
func (rs Reviews) countsFor(who *reviewers, l *ledger.Ledger, c *ledger.Citation, k keptReview) (org, not string, err error) {
	if org, not, err = who.counts(k); err != nil || not != "" || c.Ordinal == 0 {
		return org, not, err
	}
	if by := registrant(c, k.entry); by != "" {
		return org, fmt.Sprintf("%s registered the claim too", by), nil
	}
	own, err := rs.isOwnKey(l, c, k.Key())
	if own {
		not = "its key is one of whoever registered the claim"
	}
	return org, not, err
}

// reviewsNow is weighReviews of a citation, whose words it looks up; of one whose words are not there nobody is asked.
func (rs Reviews) reviewsNow(l *ledger.Ledger, c *ledger.Citation) (people.Decision, []people.Review, error) {
	if any, err := rs.hasReviews(l); err != nil || !any || c.Span == "" {
		return people.Decision{}, []people.Review{}, err
	}
	what, err := rs.findWords(c)
	if what == nil {
		return people.Decision{}, []people.Review{}, err
	}
	return rs.weighReviews(l, c, what.digest)
}

// hasReviews reports whether the ledger or the newest tree holds a review of anything.
func (rs Reviews) hasReviews(l *ledger.Ledger) (bool, error) {
	if any, err := l.HasReviews(); err != nil || any {
		return any, problem.Wrap(err, "ledger")
	}
	tree, err := rs.e.arch.NewestTree()
	if err != nil {
		return false, err
	}
	found := errors.New("found")
	err = rs.e.arch.Store().Walk(tree, layout.FolderReviews, func(string, objects.Hash) error { return found })
	if errors.Is(err, found) {
		return true, nil
	}
	return false, problem.Wrap(err, "reviews")
}

// registrant returns the agent or user who registered a citation, where the same handed in a review of it; else "".
func registrant(c *ledger.Citation, r *ledger.Review) string {
	switch {
	case r == nil || c.Ordinal == 0:
	case c.User != "" && c.User == r.User:
		return legible.Printable(c.User)
	case c.User == "" && c.Agent != "" && c.Agent == r.Agent:
		return legible.Printable(c.Agent)
	}
	return ""
}
