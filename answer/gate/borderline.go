package gate

import (
	"slices"

	"muniment/text/pattern"
)

// Categories returns the five categories of the specification, in the order in
// which they are tried.
func Categories() []string {
	return []string{Injection, ThirdPartyPrivacy, GeneralKnowledge, PostDeathEvent, PrivateMentalState}
}

// doubtOf returns the category of which a question that proceeds has the
// outward signs, or "".
func doubtOf(q reading) string {
	if category := pattern.First(doubtRules()["doubt"], q.used); category != "" {
		return category
	}
	if q.named && !inPast(q.used) && !sign("about").MatchString(sign("untied").ReplaceAllString(q.used, " ")) && sign("present question").MatchString(q.used) {
		return GeneralKnowledge // a name, in the present tense
	}
	return ""
}

// Judged returns the decision after somebody else, such as a model, has given
// the category of a question that proceeds with a Doubt. It can only become
// stricter: archive_only for a private state of mind, refused for any other
// category. A decision without a Doubt, and a word that is none of Categories,
// change nothing.
func (d Decision) Judged(f Facts, category string) Decision {
	if d.Action != Proceed || d.Doubt == "" || !slices.Contains(Categories(), category) {
		return d
	}
	out := Decision{Action: Refuse, Category: category, Rule: category + "/judged borderline", Suggestions: []string{suggestAboutArchive, SuggestInventory}}
	switch category {
	case PrivateMentalState:
		out.Action, out.Message, out.Suggestions = ArchiveOnly, ArchiveOnlyNotice, []string{suggestWritten}
	case GeneralKnowledge:
		out.Message = messageGeneral
	case ThirdPartyPrivacy:
		out.Message = messageThirdParty
	case Injection:
		out.Message, out.Suggestions = messageInjection, []string{suggestAboutArchive}
	case PostDeathEvent:
		e, ok := end(f)
		if !ok {
			return d
		}
		out.Message = messageEnd(e, f.Undated)
		out.Suggestions = []string{"ask about something up to " + e.name, SuggestInventory}
	}
	return out
}
