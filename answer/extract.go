package answer

import (
	"regexp"
	"strings"

	"muniment/answer/assign"
	"muniment/answer/gate"
	"muniment/answer/retrieve"
	"muniment/answer/segment"
	"muniment/cite"
)

// speculative are words by which a question asks for what lies behind the words. The archive's own words
// are looked for without them.
var speculative = regexp.MustCompile(`(?i)\b(?:secretly|really|truly|actually|deep down|inwardly|privately|(?:sub|un)consciously),?\s*`)

// plain is a part as it is put to the archive.
func (r *run) plain(part segment.Part) segment.Part {
	if r.decision.Action != gate.ArchiveOnly {
		return part
	}
	part.Text = strings.TrimSpace(speculative.ReplaceAllString(part.Text, ""))
	return part
}

// extracted drafts with the archive's own words.
func (r *run) extracted(part segment.Part, passages []retrieve.Passage) ([]candidate, error) {
	fits := func(sentence string) bool { return !gate.Trim(sentence, part.Words, r.limit()).Empty() }
	var found []candidate
	for _, d := range assign.Draft(part, passages, fits) {
		found = append(found, r.quoted(part, d))
	}
	return found, nil
}

// quoted makes a candidate of a sentence that the drafter chose: its claim is
// the words themselves.
func (r *run) quoted(part segment.Part, d assign.Drafted) candidate {
	ev := assign.Evidence{Relation: cite.DirectQuote, Match: cite.Exact, Aligned: true, Artifact: d.Artifact, Span: d.Span, Quote: d.Text, Similarity: d.Similarity}
	return candidate{topic: part.Text, text: d.Text, own: true, ev: ev, input: ev.Input(), need: part.Words}
}
