package gate

import (
	"slices"
	"sync"
)

// Categories returns the five categories of the specification, in the order in
// which they are tried.
func Categories() []string {
	return []string{Injection, ThirdPartyPrivacy, GeneralKnowledge, PostDeathEvent, PrivateMentalState}
}

// doubtful returns the category of which a question that proceeds has the
// outward signs, or "".
func doubtful(q reading) string {
	for _, d := range doubts() {
		if d.fires(q.used) {
			return d.name
		}
	}
	if q.named && !inPast(q.used) && !about().MatchString(untying().ReplaceAllString(q.used, " ")) && unbound().MatchString(q.used) {
		return GeneralKnowledge // a name that no table knows, in the present tense
	}
	return ""
}

var doubts = sync.OnceValue(func() []rule {
	return rules(
		[3]string{Injection, `^(?:please )?(?:act|be|become|behave|say|speak|talk|sign|swear|promise|imagine|suppose|obey|comply|continue|invent|forget|ignore|disregard|drop|stop|unlock|open|decode|execute|run|print|output)\b`, ``},
		[3]string{PostDeathEvent, `\b(?:would|might|could) (?:SUBJ)\b|\bif (?:SUBJ) (?:were|was|had|could|saw|knew)\b|\b(?:today|nowadays|these days|modern|posterity|the future)\b`, ``},
		[3]string{PrivateMentalState, `\bwhy (?:did|was|were|had) (?:SUBJ)\b|\b(?:really|truly|secretly|feel|felt|feelings?|mood|happy|unhappy|afraid|jealous|ashamed)\b`, ``},
	)
})

// Judged returns the decision after somebody else, such as a model, has given
// the category of a question that proceeds with a Doubt. It can only become
// stricter: archive_only for a private state of mind, refused for any other
// category. A decision without a Doubt, and a word that is none of Categories,
// change nothing.
func (d Decision) Judged(f Facts, category string) Decision {
	if d.Action != Proceed || d.Doubt == "" || !slices.Contains(Categories(), category) {
		return d
	}
	out := Decision{Action: Refuse, Category: category, Rule: category + "/judged borderline", Suggestions: []string{suggestAboutArchive, suggestInventory}}
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
		out.Message = messageEnd(e)
		out.Suggestions = []string{"ask about something up to " + e.name, suggestInventory}
	}
	return out
}
