package gate

import (
	"fmt"
	"strings"

	"muniment/answer/budget"
)

// A Kind is the kind of a refusal.
type Kind string

// The refusal kinds of the ledger, the sealed gate leaf and the display.
const (
	KindCategory  Kind = "category"  // the question is not one for this archive
	KindRetrieval Kind = "retrieval" // no artifact matches
	KindCoverage  Kind = "coverage"  // what matches does not support an answer
	KindConsent   Kind = "consent"   // what supports it may not be shown
	KindAssembly  Kind = "assembly"  // the answer could not be signed and logged
)

// RestrictedNotice replaces an excerpt that consent withholds from a claim that keeps its rung.
const RestrictedNotice = "Supported by archived material (source restricted by the person's instructions)."

// ArchiveOnlyNotice is shown above an answer to a question that was
// downgraded to archive_only.
const ArchiveOnlyNotice = "I can show what was written about that, in the person's own words. I cannot draw conclusions about diagnoses, motives or hidden feelings."

const (
	MessageMalformed  = "I cannot read that question. Please ask it in plain words, in at most 4,000 characters."
	messageInjection  = "I cannot do that. I answer only from the archive, with citations."
	messageGeneral    = "I am not a general assistant. I answer only from what this archive holds."
	messageThirdParty = "That question concerns someone whose privacy this archive protects. I cannot answer it."
	// The persona specification has this sentence for a question of which the archive holds nothing.
	messageCoverage = "I do not have enough in the archive to answer that. Would you like to browse what is there?"
	messageConsent  = "The archive holds material on that, but the person's instructions do not allow it to be shown here."
	messageAssembly = "The answer could not be signed and recorded, so nothing is delivered."
)

// MessageUnanswered is the text of a coverage refusal of a question near which the requestor may know of papers.
const MessageUnanswered = "I found no sentence that answers this. The papers may still say it in other words."

// MessageUndelivered is the text of a refusal of a draft whose sentences are listed with what they lack.
const MessageUndelivered = "No sentence of the draft is shown by the archive. Each is listed with what keeps it from that."

// The suggestions that lead to an act other than asking. How it is done is for the
// program to say.
const (
	SuggestInventory = "browse the inventory"
	SuggestCheck     = "check the key, the disk and the answer log"
	SuggestSearch    = "see the closest passages by a search for: " // words follow
)

// SuggestAsk is the suggestion of a question that was tried and has an answer.
const SuggestAsk = `ask "%s"; it has an answer`

const suggestNarrow = "only the words of your question were looked for: ask in other words, or about one thing at a time, with a name, a place or a date"

// A Refusal is the text of a refusal: what is said and what to do next.
type Refusal struct {
	Kind        Kind
	Message     string
	Suggestions []string
}

// RefusalOf returns the text of a refusal of the given kind. A category
// refusal carries the text of its Decision instead; RefusalOf(KindCategory)
// is the text for when there is none. The texts of retrieval and coverage are
// the same: a reader who may not know that an artifact exists must not learn
// from the wording whether something was found.
func RefusalOf(k Kind) Refusal {
	r := Refusal{Kind: k}
	switch k {
	default: // coverage, retrieval, and any other value
		r.Message = messageCoverage
		r.Suggestions = []string{SuggestInventory, suggestNarrow}
	case KindCategory:
		r.Message = messageGeneral
		r.Suggestions = []string{suggestAboutArchive, SuggestInventory}
	case KindConsent:
		r.Message = messageConsent
		r.Suggestions = []string{"ask the archivist which tier may read it", SuggestInventory}
	case KindAssembly:
		r.Message = messageAssembly
		r.Suggestions = []string{SuggestCheck, "ask again; nothing was delivered or spent"}
	}
	return r
}

const suggestWritten = "ask what was written or said about it"

// messageEnd returns the text of a refusal about what came after an end. It says of
// the archive only what its dates say.
func messageEnd(e ending, undated int) string {
	if e.dead == "" && undated > 0 {
		return fmt.Sprintf("No paper with a date is later than %s, and %s no date. I cannot speak to anything after that.", e.name, haveNo(undated))
	}
	if e.dead == "" {
		return "The archive does not extend past " + e.name + ". I cannot speak to anything after that."
	}
	at := " on "
	if !strings.Contains(e.name, " ") {
		at = " in "
	}
	return e.dead + " died" + at + e.name + ". I cannot speak to what somebody did or thought after death."
}

// haveNo returns how many papers have none of something: 1 paper has, 12 papers have.
func haveNo(n int) string {
	if n == 1 {
		return "1 paper has"
	}
	return fmt.Sprintf("%d papers have", n)
}

const suggestAboutArchive = "ask what the archive says, naming a person, a document or a date in it"

// BudgetNotice is the number of delivered claims without their excerpt.
const BudgetNotice = "claims without their excerpt, because the requestor's budget for excerpts is spent: %d"

// BudgetReason says why a passage was not shown that the requestor's budget
// denied.
func BudgetReason(t budget.Taken) string {
	again := ""
	if !t.Again.IsZero() {
		again = "; again from " + t.Again.UTC().Format("2006-01-02 15:04 UTC")
	}
	switch t.Denied {
	default:
		return "today's budget for excerpts is spent" + again
	case budget.Artifact:
		return "as much of this source was shown as one reader is shown"
	case budget.Archive:
		return "as much of this archive was shown as one reader is shown within 30 days"
	case budget.Probing:
		return "this source was asked after many times today" + again
	}
}

// BudgetRefusal returns the text of a refusal of which the requestor's budget
// is the reason. Its kind is that of the display gates.
func BudgetRefusal(t budget.Taken) Refusal {
	return Refusal{Kind: KindConsent, Message: "Nothing is shown on that: " + BudgetReason(t) + ".",
		Suggestions: []string{"what was shown before can be asked for again at no cost", SuggestInventory}}
}

// Shown returns the refusal that a requestor is shown for a refusal whose
// true kind is k. Where existence may not be disclosed, a consent refusal is
// shown as a coverage refusal. A retrieval refusal always is: whether
// retrieval found something that may not be mentioned would otherwise show in
// the kind. The true kind belongs in the sealed gate leaf and the ledger.
func Shown(k Kind, existence bool) Kind {
	if k == KindRetrieval || k == KindConsent && !existence {
		return KindCoverage
	}
	return k
}
