package answer

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"muniment/answer/gate"
	"muniment/answer/model"
	"muniment/answer/retrieve"
	"muniment/answer/segment"
	"muniment/bundle"
	"muniment/cid"
	"muniment/cite"
)

const (
	// modelShare is the least share of the question's words that a passage which a model is shown
	// holds. It may put the question's words in others, so it is shown more than what is quoted by itself.
	modelShare = 0.4
	// maxTold and maxToldBytes bound what a model is shown for one part of a question. With the
	// instructions, and everything escaped twice, the prompt fits into one leaf.
	maxTold      = 12
	maxToldBytes = 12 << 10
	// maxSentences is how many sentences of a model's draft are looked at. It is asked for six.
	maxSentences = 8
	// maxKeptPrompt and maxKeptReply are how much of a prompt and of a reply is kept, in bytes as they
	// are written in a leaf, which has 64 KiB. Only texts made of quotation marks come to so much.
	maxKeptPrompt, maxKeptReply = 40 << 10, 16 << 10
)

// A writing is one request for a draft, as it is kept for auditors.
type writing struct {
	draft model.Draft
	err   error
}

// written drafts the answer to a part with a model, from passages that the requestor may read. Every
// claim of the draft goes through assignment, against the same passages, and the coverage gate. What does
// not reach a rung there is kept for auditors and counted, never listed: a removed topic is in nobody's words
// but the requestor's. ok is false where there is nothing of it to deliver.
func (r *run) written(ctx context.Context, part segment.Part, passages []retrieve.Passage) (found []candidate, ok bool, err error) {
	if r.p.Draft == nil || r.decision.Action == gate.ArchiveOnly {
		return nil, false, nil // to an archive-only question nothing but the archive's words is said
	}
	readable, err := r.readable(passages)
	if err != nil || len(readable) == 0 {
		return nil, false, err
	}
	asked := model.Asked{Question: part.Query()}
	for _, p := range readable {
		asked.Passages = append(asked.Passages, model.Told{Date: p.Date, Text: p.Text})
	}
	d, failure := r.p.Draft(ctx, asked)
	if ctx.Err() != nil {
		return nil, false, ctx.Err()
	}
	r.writings = append(r.writings, writing{d, failure})
	if failure != nil {
		r.note("no model's draft was used: " + told(failure))
		return nil, false, nil
	}
	var labeled []candidate
	cut, free := 0, []string{}
	for i, claim := range assertionsOf(d.Text) {
		if i == maxSentences {
			break
		}
		cs, err := r.checked(part, claim, readable)
		if err != nil {
			return nil, false, err
		}
		passed := false
		for _, c := range cs {
			switch c.verdict = cite.Judge(c.input); {
			case c.verdict.Rung == cite.Labeled && isLabelable(c.text, r.decision):
				labeled, passed = append(labeled, c), true
			case c.verdict.Rung == cite.Supported || c.verdict.Rung == cite.Narrowed:
				if c.cut != "" {
					cut++ // in a model's words, which nobody asked for
					c.cut = ""
				}
				found, passed = append(found, c), true
			default:
				r.failed = append(r.failed, c)
			}
		}
		if passed {
			continue
		}
		if cut++; r.p.Freeform && uncited(claim) {
			free = append(free, claim.Text)
		}
	}
	if len(found) == 0 && len(labeled) > 0 { // an inference does not take a quotation's place
		if own, err := r.extracted(part, passages); err != nil || len(own) > 0 {
			r.note("the model's draft was an inference: the archive's own words stand in its place")
			return nil, false, err
		}
	}
	found = append(found, labeled...)
	for _, text := range free {
		r.uncited(text)
	}
	switch {
	case len(found) > 0:
		r.note(fmt.Sprintf("drafted by the model %s; every sentence was checked against the archive", d.Model))
		if cut -= len(free); cut > 0 {
			r.remove(part.Text, fmt.Sprintf("%d of the drafted sentences, or parts of them, are not supported by the archive", cut), gate.KindCoverage, false)
		}
	case d.Text == "":
		r.note("no model's draft was used: it is empty")
	case len(free) == 0:
		r.note("no model's draft was used: the archive supports no sentence of it")
	}
	return found, len(found) > 0, nil
}

// told says why a draft was not used, to a requestor: no address, and no word of the model's.
func told(err error) string {
	var bad *model.ReplyError
	var away *model.UnavailableError
	switch {
	case errors.As(err, &bad):
		return "the model's reply does not count"
	case errors.As(err, &away) && away.Timeout:
		return away.Error()
	}
	return "the model could not be asked"
}

// note adds a notice, once.
func (r *run) note(text string) {
	if !slices.Contains(r.notices, text) {
		r.notices = append(r.notices, text)
	}
}

// readable returns the passages that a model may see: those that the requestor could be shown word for
// word. A passage has to speak of what is asked, and of every name in the question something has to be known.
func (r *run) readable(passages []retrieve.Passage) ([]retrieve.Passage, error) {
	var out []retrieve.Passage
	size := 0
	for _, p := range passages {
		if p.Share < modelShare || size+len(p.Text) > maxToldBytes {
			continue
		}
		if slices.ContainsFunc(p.Terms, func(t retrieve.Term) bool { return t.Name && !t.Known }) {
			return nil, nil
		}
		id, err := cid.ParseAs(cid.Raw, p.Artifact)
		if err != nil {
			return nil, err
		}
		perm, err := r.permission(id, p.Text)
		if err != nil {
			return nil, err
		}
		veils := r.p.Policy.Veils(p.Text)
		if !perm.Display || r.names(veils) {
			continue
		}
		if out = append(out, p); len(out) == maxTold {
			break
		}
		size += len(p.Text)
	}
	return out, nil
}

// checked assigns a sentence of a model's draft. One that names a source, an id or a mark is not from
// the archive: the model was given none. One that is longer than an excerpt would show more than one.
func (r *run) checked(part segment.Part, claim segment.Claim, told []retrieve.Passage) ([]candidate, error) {
	fails := func(test string) []candidate {
		c := candidate{topic: claim.Text, text: claim.Text, drafted: true}
		c.ev.Tests = []string{test}
		return []candidate{c}
	}
	switch {
	case identifiers.MatchString(claim.Text) || len(claim.Markers) > 0:
		return fails("identifier"), nil
	case utf8.RuneCountInString(claim.Text) > r.limit():
		return fails("excerpt"), nil
	}
	cs, err := r.assigned(claim, told)
	if err != nil {
		return nil, err
	}
	if len(cs) == 0 {
		return fails("evidence"), nil
	}
	for i := range cs {
		c := &cs[i]
		c.drafted = true
		if c.ev.Relation == "" {
			continue
		}
		if !answersTo(part, told, c.ev.Quote) {
			return fails("question"), nil
		}
		c.own = c.ev.Relation == cite.DirectQuote && strings.Trim(c.text, "“”\"' ") == strings.TrimSpace(c.ev.Quote)
	}
	return cs, nil
}

// identifiers are what looks like a reference: a model that is shown no ids can only invent them.
var identifiers = regexp.MustCompile(`(?i)\bsources? [a-z]{1,3}\b|\bbaf[ky][a-z0-9]{8,}|\bcite[_:-]|\bpassages? \d|[\[(](?:\^|g)?\d{1,4}[\])]|https?:|\bdoi\b|§`)

// answersTo tells whether words that are cited hold a word of the question, where it has any but a date.
func answersTo(part segment.Part, told []retrieve.Passage, quote string) bool {
	asked := 0
	stems := map[string]bool{}
	for _, w := range segment.Words(quote) {
		stems[segment.Stem(w.Lower)] = true
	}
	for _, t := range told[0].Terms {
		if t.Stem == "" {
			continue
		}
		if asked++; stems[t.Stem] {
			return true
		}
	}
	return asked == 0
}

func assertionsOf(draft string) []segment.Claim {
	return slices.DeleteFunc(segment.Claims(draft, "en"), func(c segment.Claim) bool { return !asserts(c) })
}

// uncited tells whether a claim may pass as text that is not from the archive: it does not pretend to be.
func uncited(c segment.Claim) bool {
	return len(c.Quotes) == 0 && len(c.Markers) == 0 && !strings.ContainsAny(c.Text, "“”\"„«»") && !identifiers.MatchString(c.Text)
}

// NotFromArchive is the reason with which text that cites nothing is listed, where a profile and the
// archive's policy both let it through.
const NotFromArchive = "not from the archive"

// uncited lists a sentence that cites nothing. It is no claim and has no rung.
func (r *run) uncited(text string) {
	text = r.p.Policy.Veiled(text)
	r.free = append(r.free, text)
	r.removed = append(r.removed, Removed{Topic: text, Reason: NotFromArchive})
	r.kinds = append(r.kinds, gate.KindCoverage)
	r.hidden = append(r.hidden, false)
}

// attest adds what models were asked and said, sealed. A draft as a whole rests on nothing: its rung is
// that of no evidence.
func (r *run) attest(a *bundle.Answer) {
	for _, w := range r.writings {
		notes := []string{"drafted by a model", "model " + w.draft.Model, "prompt_sha256 " + w.draft.PromptSHA256,
			"prompt " + kept(w.draft.Prompt, maxKeptPrompt), "reply " + kept(w.draft.Reply, maxKeptReply)}
		if w.err != nil {
			notes = append(notes, "not used: "+w.err.Error())
		}
		var in cite.GateInput
		v := cite.Judge(in)
		a.Add(&bundle.Gate{Stage: bundle.StageCoverage, Inputs: in, Rung: v.Rung, Failed: v.Failed, Notes: notes}, false)
	}
}

// kept returns as much of a text as a leaf has room for.
func kept(text string, limit int) string {
	text = strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", "\uFFFD")
	for i, c := range text {
		switch {
		case c == '"' || c == '\\':
			limit -= 2
		case c < ' ':
			limit -= 6
		default:
			limit -= utf8.RuneLen(c)
		}
		if limit < 0 {
			return text[:i] + "… (cut)"
		}
	}
	return text
}
