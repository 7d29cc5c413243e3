// Package gate holds the decisions that stand between a question and a
// display: the category filter before anything is read, the rung of a whole
// response, the words of every refusal, and
// the three display gates.
//
// The two calls most programs need:
//
//	d := gate.Category(question, gate.Facts{Subject: subject, Persons: persons, CoversTo: "1669-05-31"})
//	if d.Action == gate.Refuse {
//		return d.Message, d.Suggestions // no artifact has been read
//	}
//	…
//	shown := gate.Display(gate.Trim(sentence, words, permission.Excerpt), permission)
//
// # The category filter
//
// Category reads the question and the Facts, nothing else. Its rules are tried
// in this order; the first that fires decides:
//
//  1. malformed: empty, too long, not UTF-8, control characters, no letters;
//  2. injection: attempts to replace or read the instructions, to have the
//     answers impersonate somebody or forge words, to go round consent and
//     citations, by whatever right or pretext;
//  3. third_party_privacy: the question names a person whom the archive's
//     persons.json does not let through, in full or in a form that people use;
//     a street, a ship or an office is nobody;
//  4. post_death_event: every date in the question, calendar or relative, lies
//     after the end of the archive and the subject's death, or the question
//     supposes that the subject were alive, or is about what followed the death
//     in an archive that ends before it;
//  5. general_knowledge: world knowledge, arithmetic and errands, unless the
//     question is tied to the subject, the archive or something in it; in an archive
//     of nobody there is no such thing;
//  6. private_mental_state: diagnoses, hidden motives and hidden feelings are
//     downgraded to archive_only (quotation, no conclusions), unless what was
//     said about them is asked for.
//
// A question that no rule matches proceeds, and so does one of several parts
// of which one proceeds by itself. Rules are written so that a doubt proceeds
// too: the coverage gate handles uncertainty better than a filter that has read
// nothing. Three kinds of question are borderline. A refusal as general knowledge
// holds only where no passage scores as the nearest answers do, which Decision.Score
// says; one after the end whose topic the records could still claim for the archive
// has it in Decision.Lookup; see Found for both. A pass that has the outward signs of a category has it in
// Decision.Doubt, and somebody else may make it stricter; see Judged.
//
// The rules are for English. No table says what things there are in the world
// and since when: a question about a later thing that names no date goes to the
// coverage gate, which finds nothing to cite. Dates and names of persons are
// recognized in any language.
//
// # The rules
//
// The rules stand in rules/*.txt, one a line, with six fields that are
// separated by tabs:
//
//	group  name  pattern  unless  a question that fires  one that must not
//
// Package pattern says how they are read. In them the subject is zzsubject, a listed person
// zzperson and a name of the archive zzname. The group says when a rule is tried; of a group
// the first rule that fires gives its name to the decision.
// Rules of the group "sign" are patterns that the code asks for by name.
// rules/words.txt holds lists of words; for its grammar see segment.ReadLists.
//
// A test demands that each rule fires on its own question and not on the other
// one. A rule stays only while the figures of heldout_test.go fall without it.
//
// # The display gates
//
// Consent, tier and minimum span, in this order. Each takes what the one
// before left and can only withhold more; no call in this package returns a
// wider excerpt than it was given. A cut that could change what is said is not
// made: an excerpt may be empty although display is allowed, and a claim that
// would consist of its words is then not made either (see Trim).
//
// The package is pure: no clock, no files, no network, no randomness.
package gate

import "muniment/snapshot/access"

// An Action is what the category filter does with a question.
type Action string

// The three actions.
const (
	Proceed     Action = "proceed"      // go on to retrieval
	Refuse      Action = "refuse"       // refuse with Message; nothing has been read
	ArchiveOnly Action = "archive_only" // go on, but quote only: no paraphrase, inference or conclusion
)

// The categories of a Decision.
const (
	PostDeathEvent     = "post_death_event"
	PrivateMentalState = "private_mental_state"
	GeneralKnowledge   = "general_knowledge"
	Injection          = "injection"
	ThirdPartyPrivacy  = "third_party_privacy" // a consent refusal: see Decision.Kind
	Malformed          = "malformed"
)

// Facts are the facts about an archive that the category filter may use: its policy and its newest
// date, no artifact. The zero Facts switch off the rules that need them.
type Facts struct {
	Subject  access.Subject
	Persons  access.Persons
	CoversTo string   // newest date of the archive, in EDTF, or "" when unknown
	Undated  int      // papers that nothing dates, as far as known: they may be later
	Names    []string // further names that tie a question to the archive: its own name, titles, places
}

// A Decision is the category filter's verdict on one question.
type Decision struct {
	Action      Action
	Category    string   // one of the category constants, or "" when the question proceeds
	Message     string   // for the requestor; empty when the question proceeds
	Suggestions []string // next steps; never empty unless the question proceeds
	Rule        string   // the rule that fired, category/name, for auditors; or ""
	Lookup      []string // words that make a refusal borderline where a record has them: see Found; or none
	Score       bool     // a refusal is borderline, and holds only while the archive holds too little of the question: see Found
	Doubt       string   // the category that a question which proceeds has the outward signs of: see Judged; or ""
}

// Kind returns the refusal kind of a refused question: KindConsent for
// third-party privacy, KindCategory for every other category, "" when the
// question is not refused.
func (d Decision) Kind() Kind {
	switch {
	default:
		return KindCategory
	case d.Action != Refuse:
		return ""
	case d.Category == ThirdPartyPrivacy:
		return KindConsent
	}
}
