package answer

import (
	"math"
	"strings"

	"muniment/answer/enforce"
	"muniment/answer/policy"
	"muniment/answer/profile"
	"muniment/answer/segment"
	"muniment/archive"
	"muniment/cid"
	"muniment/cite"
	"muniment/ledger"
	"muniment/objects"
)

// contractOf describes an answer in the form of the answer contract.
func contractOf(a *archive.Archive, question string, res *Response, out *AnswerResult) *enforce.Answer {
	c := &enforce.Answer{Version: enforce.Version, Persona: out.Profile, Sources: []enforce.Source{},
		Retrieval: enforce.Retrieval{Query: question, TopK: res.TopK, Namespaces: []string{a.Info().Name}, Results: []enforce.Found{}},
		Unknowns:  enforce.Unknowns{UnsupportedClaims: []string{}, MissingContext: []string{}, ClarifyingQuestions: []string{}},
		Integrity: enforce.Integrity{CitationRequired: true, RetrievalConfidence: "none", FallbackBehavior: enforce.FallbackRefusal}}
	if res.Enforced != nil {
		c.Integrity.CitationRequired = res.Enforced.Required
	}
	for _, r := range out.Removed {
		c.Unknowns.UnsupportedClaims = append(c.Unknowns.UnsupportedClaims, r.Topic)
		c.Unknowns.MissingContext = append(c.Unknowns.MissingContext, r.Topic+": "+r.Reason)
	}
	if out.Refusal != nil {
		c.Answer = enforce.Text{Text: out.Refusal.Message, Completeness: enforce.InsufficientData}
		c.Unknowns.ClarifyingQuestions = append(c.Unknowns.ClarifyingQuestions, out.Refusal.Suggestions...)
		switch d := res.Enforced; {
		case d != nil && d.Refuse:
			c.Unknowns.MissingContext = append(c.Unknowns.MissingContext, d.Gaps...)
			c.Unknowns.ClarifyingQuestions = append(c.Unknowns.ClarifyingQuestions, d.Questions...)
		case len(c.Unknowns.MissingContext) == 0:
			c.Unknowns.MissingContext = append(c.Unknowns.MissingContext, out.Refusal.Message)
		}
		return c
	}
	var text []string
	for i, claim := range out.Claims {
		said := claim.Text
		if claim.Label != "" {
			said += " [" + claim.Label + "]"
		}
		text = append(text, said)
		for _, s := range claim.Citations {
			c.Sources = append(c.Sources, enforce.Source{Handle: s.Handle, Relation: s.Relation, Label: s.Label, Claim: claim.Text, Excerpt: s.Quote,
				Restricted: s.Restricted, Artifact: s.Artifact, Snapshot: s.Snapshot, Span: s.Span})
			c.Retrieval.Results = append(c.Retrieval.Results, enforce.Found{Handle: s.Handle, Score: twoPlaces(res.Claims[i].Citation.Similarity)})
		}
	}
	c.Answer = enforce.Text{Text: strings.Join(text, "\n"), Completeness: "complete"}
	if len(out.Removed) > 0 || res.Outcome == cite.Narrowed {
		c.Answer.Completeness = "partial"
	}
	c.Integrity.CitationsProvided, c.Integrity.FallbackBehavior = len(c.Sources) > 0, enforce.FallbackNone
	if c.Integrity.RetrievalConfidence = "medium"; res.Enforced != nil {
		c.Integrity.RetrievalConfidence = res.Enforced.Confidence()
	}
	return c
}

func twoPlaces(x float64) float64 { return math.Round(max(0, min(1, x))*100) / 100 }

// noteQuestion keeps what became of a question, never the question.
func noteQuestion(a *archive.Archive, res *Response, rules *profile.Profile) error {
	l, err := a.Ledger()
	if err != nil {
		return err
	}
	q := ledger.Question{Time: a.World().Now(), Profile: rules.Name, Type: string(res.Type)}
	if d := res.Enforced; d != nil {
		q.Reached, q.Sources = true, d.Sources
		q.Best, q.Threshold = int(math.Round(d.Best*10_000)), int(math.Round(d.Threshold*10_000))
	}
	if res.Refusal != nil {
		q.Refused, q.Kind, q.TrueKind, q.Stage = true, string(res.Refusal.Kind), string(res.TrueKind), string(res.TrueStage)
		switch {
		default:
			q.Reason = q.Kind
		case res.Category != "":
			q.Reason = res.Category
		case res.Enforced != nil && res.Enforced.Refuse:
			q.Reason = string(res.Enforced.Reason)
		}
	}
	return archive.Environment(l.AddQuestion(q), "ledger")
}

// mentions reports whether a record that the requestor may know of names one of
// the words, in the title, the names, the creators, the publisher or the tags.
// No text is read for it.
func mentions(a *archive.Archive, tree objects.Hash, rules *policy.Policy, who policy.Requestor) func([]string) (bool, error) {
	return func(words []string) (bool, error) {
		c, err := a.Catalog(tree)
		if err != nil {
			return false, err
		}
		var wanted [][]string
		for _, w := range words {
			if s := stemsOf(w); len(s) > 0 {
				wanted = append(wanted, s)
			}
		}
		for _, art := range c.Artifacts {
			for _, h := range art.CurrentRecords() {
				if art.Withdrawn || !namesOne(h, wanted) {
					continue
				}
				if known, err := mayKnow(a, tree, rules, who, art.ID); err != nil || known {
					return known, err
				}
			}
		}
		for _, h := range c.LoneRecords {
			if namesOne(h, wanted) {
				return true, nil
			}
		}
		return false, nil
	}
}

// mayKnow reports whether a requestor may know that an artifact is there.
func mayKnow(a *archive.Archive, tree objects.Hash, rules *policy.Policy, who policy.Requestor, id cid.ID) (bool, error) {
	consent, err := a.OwnConsent(tree, id)
	if err != nil {
		return false, err
	}
	perm, err := rules.Decide(who, policy.Resource{Artifact: id, Consent: consent})
	return perm.Existence, archive.Environment(err, "policy")
}

// fileWords sets the words of file names apart.
var fileWords = strings.NewReplacer(".", " ", "_", " ", "-", " ", "/", " ")

func namesOne(h archive.StoredRecord, wanted [][]string) bool {
	text := fileWords.Replace(strings.Join(h.Record.Names, "\n"))
	if s := h.Record.Source; s != nil {
		text += "\n" + s.Title + "\n" + s.Publisher + "\n" + strings.Join(s.Creators, "\n") + "\n" + strings.Join(s.Tags, "\n")
	}
	have := " " + strings.Join(stemsOf(text), " ") + " "
	for _, w := range wanted {
		if strings.Contains(have, " "+strings.Join(w, " ")+" ") {
			return true
		}
	}
	return false
}

func stemsOf(text string) []string {
	var out []string
	for _, w := range segment.Words(text) {
		out = append(out, segment.Stem(w.Lower))
	}
	return out
}
