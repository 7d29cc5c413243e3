package answer

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"muniment/answer/gate"
	"muniment/cid"
	"muniment/judge/model"
	"muniment/search/retrieve"
	"muniment/text/segment"
)

const (
	// modelShare is the least share of the question's words that a passage which a model is shown
	// holds. It may put the question's words in others, so it is shown more than what is quoted by itself.
	modelShare = 0.4
	// maxRead and maxReadBytes bound what a model is shown for one part of a question. With the
	// instructions, and everything escaped twice, the prompt fits into one leaf.
	maxRead      = 12
	maxReadBytes = 12 << 10
	// maxSentences is how many sentences of a model's draft are looked at. It is asked for six.
	maxSentences = 8
	// maxKeptPrompt and maxKeptReply are how much of a prompt and of a reply is kept, in bytes as they
	// are written in a leaf, which has 64 KiB. Only texts made of quotation marks come to so much.
	maxKeptPrompt, maxKeptReply = 40 << 10, 16 << 10
)

// draft drafts each topic with the archive's own words and, where there is a
// model and the question is not for the archive's words alone, has the model
// write too.
func (p *Pipeline) draft(ctx context.Context, q question, s scope, found []passages) ([]topicDraft, error) {
	out := make([]topicDraft, len(found))
	for i, f := range found {
		nearest := p.Profile.Answers.MostNearest()
		out[i] = topicDraft{passages: f, quotes: q.viewer.quotes(f, f.open, nearest)}
		if len(q.lines) > 0 {
			out[i].quotes = q.viewer.quoteLines(f.topic.part, q.lines, f.open)
			continue
		}
		if len(f.open) < len(f.all) {
			out[i].hidden = q.viewer.unknown(q.viewer.quotes(f, f.all, nearest))
		}
		if p.Draft == nil || s.Action == gate.ArchiveOnly {
			continue // to an archive-only question nothing but the archive's words is said
		}
		read, err := readable(q, f.open)
		if err != nil {
			return nil, err
		}
		if len(read) == 0 {
			continue
		}
		out[i].read = read
		if out[i].written, err = p.write(ctx, f.topic.part, read); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// write asks the model for a draft of a topic from passages that the requestor
// may read.
func (p *Pipeline) write(ctx context.Context, part segment.Part, read []retrieve.Passage) (*writing, error) {
	asked := model.DraftRequest{Question: part.Query()}
	for _, passage := range read {
		asked.Passages = append(asked.Passages, model.Passage{Date: passage.Date, Text: passage.Text})
	}
	d, failure := p.Draft(ctx, asked)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return &writing{d, failure}, nil
}

// speculative are words by which a question asks for what lies behind the words. The archive's own words
// are looked for without them.
var speculative = regexp.MustCompile(`(?i)\b(?:secretly|really|truly|actually|deep down|inwardly|privately|(?:sub|un)consciously),?\s*`)

// topicOf returns a part of a question as it is put to the archive.
func topicOf(part segment.Part, s scope) topic {
	t := topic{text: part.Text, part: part}
	if s.Action == gate.ArchiveOnly {
		t.part.Text = strings.TrimSpace(speculative.ReplaceAllString(part.Text, ""))
	}
	t.query = t.part.Query()
	return t
}

// readable returns the passages that a model may see: those that the requestor could be shown word for
// word. A passage has to speak of what is asked, and of every name in the question something has to be known.
func readable(q question, found []retrieve.Passage) ([]retrieve.Passage, error) {
	var out []retrieve.Passage
	size := 0
	for _, p := range found {
		if p.Share < modelShare || size+len(p.Text) > maxReadBytes {
			continue
		}
		if slices.ContainsFunc(p.Terms, func(t retrieve.Term) bool { return t.Name && !t.Known }) {
			return nil, nil
		}
		id, err := cid.ParseAs(cid.Raw, p.Artifact)
		if err != nil {
			return nil, err
		}
		perm, err := q.viewer.permission(id, p.Text)
		if err != nil {
			return nil, err
		}
		if !perm.Display || q.names(q.viewer.policy.Veils(p.Text)) {
			continue
		}
		if may, err := q.viewer.sends(toDraft, p.Artifact); err != nil {
			return nil, err
		} else if !may {
			continue
		}
		if out = append(out, p); len(out) == maxRead {
			break
		}
		size += len(p.Text)
	}
	return out, nil
}

// cutToLeaf returns as much of a text as a leaf has room for.
func cutToLeaf(text string, limit int) string {
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
