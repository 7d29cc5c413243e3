package contract

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"muniment/draft/pack"
	"muniment/text/segment"
)

// A Fault says which rule a claim or a citation breaks.
type Fault string

// The faults.
const (
	Uncited     Fault = "uncited"     // no citation, or none left
	NotFound    Fault = "not_found"   // a citation that resolves to nothing
	Incomplete  Fault = "incomplete"  // a citation without a required field
	Invalid     Fault = "invalid"     // a citation whose verification failed
	Unreliable  Fault = "unreliable"  // a number or date without a credible source
	Unofficial  Fault = "unofficial"  // a policy claim without the official source
	Unread      Fault = "unread"      // words quoted from a source of which only metadata is known
	Unsupported Fault = "unsupported" // the claim does not follow from what it cites, or from this citation
	Judged      Fault = "judged"      // no fault: no rule shows that the claim follows, and a model judged so
	Unverified  Fault = "unverified"  // a citation of which nothing shows that its claim follows from its words

	Contradicted Fault = "contradicted" // what it cites says otherwise
	Conflict     Fault = "conflict"     // a citation that contradicts what it cites is on file, and not cited
	Outdated     Fault = "outdated"     // all its sources are older than the profile's horizon
	Weak         Fault = "weak"         // it rests on one source of tier 4, and does not say so
	Unrelated    Fault = "unrelated"    // it has no content word, number or name in common with what it cites
)

// A Claim is one sentence of a draft that must be covered, with what it cites.
type Claim struct {
	Section    string
	Bullet     int // of the draft's claim bullets, from 1
	Start, End int // bytes of the draft, marks included
	Text       string
	Before     string     // of the draft, under the same heading: whom a pronoun means
	Marked     bool       // it has marks of its own
	Evidence   []Evidence // that counts, carried included
	Free       bool       // it cites nothing, and may; it does not count as covered
	Fault      Fault      // "" when it stands
	Reason     string
	Doubt      Fault // a fault of its alignment, where the rules let it stand; Reason says which

	Compared bool // it has no mark, and words on file that are near it were judged

	tail    bool             // a clause of it stands behind its last mark
	own     []segment.Marker // its marks, those that count for nothing too
	refused []string         // ids of citations from whose words no clause of it follows
	idle    []Evidence       // of its marks, that does not count though its words are there: they do not show what it was registered for
}

// A BadMark is a citation that does not count.
type BadMark struct {
	ID         string
	Start, End int // bytes of the whole mark
	Fault      Fault
	Reason     string
}

// An Examination is what is right and wrong with a draft.
type Examination struct {
	Claims   []Claim
	BadMarks []BadMark

	draft   string
	read    string // the draft as its sentences are read: without comments, with a stop at each forced line break
	blocks  []block
	bullets []bullet
	marks   map[int]mark // by start
}

// Covered counts the claims without a fault.
func (x *Examination) Covered() int {
	n := 0
	for i := range x.Claims {
		if x.Claims[i].Fault == "" && !x.Claims[i].Free {
			n++
		}
	}
	return n
}

// A bullet is a block that makes claims.
type bullet struct {
	block      int
	claims     []int // in Examination.Claims
	abstention bool  // it says that the evidence does not suffice, and nothing else
	open       bool  // it has sentences that need no evidence
}

type mark struct {
	end int
	ids []string // that count
}

// Examine checks every claim of a draft. The draft is UTF-8.
func Examine(draft string, c Context, r Rules) *Examination {
	read := stopBreaks(blankFlags(blankComments(draft)))
	x := &Examination{draft: draft, read: read, blocks: blocks(read, r.Sections), marks: map[int]mark{}}
	claims := segment.Claims(read, "en")
	at := 0
	for b := range x.blocks {
		first := at
		for at < len(claims) && claims[at].Start < x.blocks[b].end {
			at++
		}
		if x.blocks[b].references {
			continue
		}
		x.block(b, claims[first:at], c, r)
	}
	for i := range x.Claims {
		x.Claims[i].setSaid(read)
		x.Claims[i].judge(c, r)
	}
	for i := range x.Claims {
		x.refuse(i, r)
	}
	if c.Outline {
		for i := range x.Claims {
			x.Claims[i].Reason = outline(x.Claims[i].Reason)
		}
		for i := range x.BadMarks {
			x.BadMarks[i].Reason = outline(x.BadMarks[i].Reason)
		}
	}
	return x
}

// outline returns a reason without what it says of words: all from the first colon before the first quotation mark.
func outline(reason string) string {
	before, _, quotes := strings.Cut(reason, "“")
	if before, _, _ = strings.Cut(before, ": "); !quotes {
		return reason
	}
	return before + "; cite says why"
}

// flagBehind matches a flag after the end of a sentence.
var flagBehind = regexp.MustCompile(`[.!?"”’'\])][ \t]+` + regexp.QuoteMeta(Flag))

// blankFlags returns a draft with the flags after its sentences replaced by spaces, as they would
// join a sentence to the next. Offsets stay as they are.
func blankFlags(draft string) string {
	return flagBehind.ReplaceAllStringFunc(draft, func(s string) string {
		return strings.TrimSuffix(s, Flag) + strings.Repeat(" ", len(Flag))
	})
}

// refuse takes the marks of a claim out from whose words neither it nor a claim that they are carried to follows. The
// marks of a claim that goes as a whole go with it.
func (x *Examination) refuse(i int, r Rules) {
	k := &x.Claims[i]
	if k.Fault != "" && (k.Fault != Unsupported || r.Uncited == "") {
		return
	}
	for _, m := range k.own {
		carried := func(other int) bool {
			o := &x.Claims[other]
			return o.Fault == "" && !o.Marked && slices.ContainsFunc(o.Evidence, func(e Evidence) bool { return e.ID == m.ID })
		}
		if !slices.Contains(k.refused, m.ID) || k.Bullet > 0 && slices.ContainsFunc(x.bullets[k.Bullet-1].claims, carried) {
			continue
		}
		kept := x.marks[m.Start]
		kept.ids = slices.DeleteFunc(slices.Clone(kept.ids), func(id string) bool { return id == m.ID })
		x.marks[m.Start] = kept
		x.BadMarks = append(x.BadMarks, BadMark{ID: m.ID, Start: m.Start, End: m.End, Fault: Unsupported, Reason: "citation " + m.ID + " does not say it: no clause of the sentence follows from its words"})
	}
}

// block examines the claims of one block.
func (x *Examination) block(b int, claims []segment.Claim, c Context, r Rules) {
	k := bullet{block: b}
	found := map[string]Evidence{}
	parts, stray := sentences(x.read, claims)
	x.resolve(stray, c, r, map[string]Evidence{})
	for _, s := range parts {
		for _, one := range s.claims {
			x.resolve(one.Markers, c, r, found)
		}
		switch {
		case len(s.claims) == 1 && IsAbstention(s.text):
			k.abstention = true
			continue
		case !s.asserts(x.blocks[b]):
			k.open = true
			continue
		}
		claim := Claim{Section: x.blocks[b].section, Start: s.start, End: s.end, Text: s.text, tail: s.tail}
		has := map[string]bool{}
		for _, one := range s.claims {
			for _, m := range one.Markers {
				claim.Marked = true
				claim.own = append(claim.own, m)
				if e, _ := c.Lookup(m.ID); e.Contradicts || e.Unverified {
					claim.idle = append(claim.idle, e)
				}
				if e, ok := found[m.ID]; ok && !has[e.ID] {
					has[e.ID] = true
					claim.Evidence = append(claim.Evidence, e)
				}
			}
			if reason := unread(one.Quotes, claim.Evidence); reason != "" {
				claim.Fault, claim.Reason = Unread, reason
			}
		}
		k.claims = append(k.claims, len(x.Claims))
		x.Claims = append(x.Claims, claim)
	}
	if r.Carry == CarryParagraph {
		x.carry(k.claims)
	}
	if len(k.claims) > 0 {
		k.abstention = false
	}
	if len(k.claims) > 0 || k.abstention {
		x.bullets = append(x.bullets, k)
		for _, i := range k.claims {
			x.Claims[i].Bullet = len(x.bullets)
		}
	}
}

// carry gives the sentences before a mark its evidence.
func (x *Examination) carry(claims []int) {
	var later []Evidence
	for _, i := range slices.Backward(claims) {
		k := &x.Claims[i]
		if !k.Marked {
			k.Evidence = later
			continue
		}
		if own := k.Evidence; k.tail && len(later) > 0 {
			k.Evidence, k.tail = append(slices.Clip(own), later...), false
			later = own
		} else {
			later = own
		}
	}
}

// resolve looks up the citations of marks; those that count go into found.
func (x *Examination) resolve(marks []segment.Marker, c Context, r Rules, found map[string]Evidence) {
	for _, m := range marks {
		kept := x.marks[m.Start]
		kept.end = m.End
		e, ok := c.Lookup(m.ID)
		e.ID = m.ID
		bad := BadMark{ID: m.ID, Start: m.Start, End: m.End}
		switch field := e.Missing(r.Require); {
		case !ok:
			bad.Fault, bad.Reason = NotFound, "no citation "+m.ID+" is on file"
		case e.Unverified:
			bad.Fault, bad.Reason = Unverified, "citation "+m.ID+": "+e.Invalid
		case e.Invalid != "":
			bad.Fault, bad.Reason = Invalid, "citation "+m.ID+": "+e.Invalid
		case field != "":
			bad.Fault, bad.Reason = Incomplete, "citation "+m.ID+" has no "+field
		default:
			found[m.ID] = e
			if !slices.Contains(kept.ids, m.ID) {
				kept.ids = append(kept.ids, m.ID)
			}
		}
		if bad.Fault != "" {
			delete(found, m.ID)
			x.BadMarks = append(x.BadMarks, bad)
		}
		x.marks[m.Start] = kept
	}
}

// setSaid gives a claim and its evidence the draft before it, by which its pronouns mean somebody.
func (k *Claim) setSaid(draft string) {
	k.Before, k.Evidence = segment.Before(draft, k.Start), slices.Clone(k.Evidence)
	for i := range k.Evidence {
		k.Evidence[i].Around.Said = k.Before
	}
	for i := range k.idle {
		k.idle[i].Around.Said = k.Before
	}
}

// judge applies the rules to a claim, the first that it breaks.
func (k *Claim) judge(c Context, r Rules) {
	if k.Fault != "" {
		return
	}
	fail := func(f Fault, reason string) { k.Fault, k.Reason = f, reason }
	if len(k.Evidence) == 0 && c.Freeform && !k.Marked {
		k.Free = true
		return
	}
	if len(k.Evidence) == 0 {
		fault, reason := opposed(k.Text, k.idle)
		if fault != Contradicted && k.Marked {
			fault, reason = Closest(k.Text, k.idle)
		} else if c.Closest != nil && !k.Marked {
			fault, reason = c.Closest(k.Text, k.Before)
			k.Compared = reason != ""
		}
		if reason == "" {
			fault, reason = Uncited, "no citation on file supports it"
		}
		fail(fault, reason)
		return
	}
	if k.tail {
		fail(Uncited, "what it says behind its last mark cites nothing")
		return
	}
	fault, reason := opposed(k.Text, k.Evidence)
	if fault == "" && !c.Freeform {
		if reason = uncitedBeside(k.Text, k.Evidence); reason != "" {
			fault = Uncited
		}
	}
	if fault != "" && r.Alignment == AlignmentOff {
		k.Doubt, k.Reason = fault, reason
	} else if fault != "" {
		fail(fault, reason)
		return
	}
	if reason := disputed(k.Evidence); reason != "" {
		fail(Conflict, reason)
		return
	}
	counted, unsupported := k.support(c, r)
	if r.Numeric {
		if reason := outdated(counted, c.Horizon); reason != "" {
			fail(Outdated, reason)
			return
		}
		if reason := unreliable(k.Text, counted); reason != "" {
			fail(Unreliable, reason)
			return
		}
		if isWeak(k.Text, counted) {
			fail(Weak, "it rests on a single source of tier 4, and no word says so")
			return
		}
	}
	if r.Policy {
		if tag := unofficial(k.Text, counted, c.Available); tag != "" {
			fail(Unofficial, "it is about "+tag+", and cites no source of tier 1, though there is one")
			return
		}
	}
	if unsupported != "" {
		fail(Unsupported, unsupported)
	}
}

// support returns the evidence that counts for a claim, all of it where the claim does not follow, and why it does not.
// What no clause of the claim follows from is no evidence of it any more, but for the other side of a contradiction
// that the claim has to cite.
func (k *Claim) support(c Context, r Rules) (counted []Evidence, reason string) {
	if c.Support == nil || r.Alignment == AlignmentOff && !r.Aligned {
		return k.Evidence, ""
	}
	counted, reason = c.Support(k.Text, k.Evidence)
	has := func(all []Evidence, number int64) bool {
		return slices.ContainsFunc(all, func(e Evidence) bool { return e.Number == number })
	}
	var kept []Evidence
	for _, e := range k.Evidence {
		counts := slices.ContainsFunc(counted, func(o Evidence) bool { return o.ID == e.ID })
		opposes := slices.ContainsFunc(counted, func(o Evidence) bool { return has(o.Against, e.Number) })
		if !counts && !opposes {
			k.refused = append(k.refused, e.ID)
			continue
		}
		kept = append(kept, e)
	}
	if reason != "" {
		return k.Evidence, reason
	}
	for i := range kept {
		if at := slices.IndexFunc(counted, func(o Evidence) bool { return o.ID == kept[i].ID }); at >= 0 {
			kept[i].Judge = counted[at].Judge
		}
	}
	k.Evidence = kept
	return counted, ""
}

// unreliable applies the rule of numbers and dates.
func unreliable(claim string, cited []Evidence) string {
	found, onlyDates := isNumeric(claim)
	if !found {
		return ""
	}
	publishers, sources, documents := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for i := range cited {
		e := &cited[i]
		if e.Tier == 1 || e.Tier == 2 || onlyDates && e.tagged(TagCalendar) && scheduled(claim) {
			return ""
		}
		// Who is not named is not known to be somebody else.
		if p := publisherKey(e.Publisher); p != "" {
			publishers[p], documents[e.Document] = true, true
			if e.SourceID == "" {
				sources["publisher "+p] = true
			} else {
				sources[e.SourceID] = true
			}
		}
	}
	if min(len(publishers), len(sources), len(documents)) >= 2 {
		return ""
	}
	return fmt.Sprintf("a number or date needs a source of tier 1 or 2, or two independent publishers; it has %d", min(len(publishers), len(sources), len(documents)))
}

// unread finds quoted words that a source of which only metadata is known cannot
// have given.
func unread(quotes []segment.Quoted, cited []Evidence) string {
	if len(cited) == 0 || slices.ContainsFunc(cited, func(e Evidence) bool { return !e.Paywall }) {
		return ""
	}
	const phrase = 3 // words; fewer are a name or a term
	for _, q := range quotes {
		if len(segment.Words(q.Text)) < phrase {
			continue
		}
		if !slices.ContainsFunc(cited, func(e Evidence) bool {
			return strings.Contains(folded(e.Title), folded(q.Text)) || strings.Contains(folded(e.Snippet), folded(q.Text))
		}) {
			return "it quotes words of a source of which only metadata is known"
		}
	}
	return ""
}

// folded is a text as its words, to be compared.
func folded(s string) string {
	words := segment.Words(s)
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = w.Lower
	}
	return " " + strings.Join(out, " ") + " "
}

// asserts reports whether a sentence needs evidence.
func (s *sentence) asserts(b block) bool {
	kind := s.claims[0].Kind
	for _, c := range s.claims {
		if c.Kind == segment.Assertion {
			kind = c.Kind
		}
	}
	switch kind {
	case segment.Assertion, segment.Table:
		if (b.kind == heading || b.head) && isSentence(s.text) {
			return true
		}
		if b.head || b.kind == heading {
			found, onlyDates := isNumeric(s.text)
			return found && !onlyDates
		}
		return true
	case segment.Code:
		return true
	case segment.Heading:
		if isSentence(s.text) {
			return true
		}
	}
	if kind == segment.Caveat && !ofEvidence(s.text) || kind == segment.Question && !asks(s.text) {
		return true
	}
	found, onlyDates := isNumeric(s.text)
	return found && !(onlyDates && b.kind == heading)
}

// isSentence reports whether the text of a heading, or of a cell at the head of a table, is a
// sentence: a verb with a tense follows its first word. A question, or a text that begins as one,
// is none.
func isSentence(text string) bool {
	for i, w := range segment.Words(text) {
		switch {
		case i == 0 && (segment.QuestionWord(w.Lower) || segment.FiniteVerb(w.Lower)):
			return false
		case i > 0 && segment.FiniteVerb(w.Lower):
			return !strings.HasSuffix(strings.TrimRight(text, " "), "?")
		}
	}
	return false
}

// ofEvidence reports whether a remark says what could not be found, and nothing of the world.
func ofEvidence(text string) bool {
	lower := strings.ToLower(text)
	i := slices.IndexFunc(remarks, func(r string) bool { return strings.HasPrefix(lower, r) })
	return i >= 0 && !subordinates(text[len(remarks[i]):])
}

// remarks begin a sentence about the text's own evidence.
var remarks = []string{"i could not find", "i cannot find", "i do not know", "i don't know", "the archive does not", "the archive has no", "no source was found", "no source is on file"}

// asks reports whether a sentence with a question mark asks and asserts nothing: it opens as a
// question does, and has no presupposed clause and no tag.
func asks(text string) bool {
	words := segment.Words(text)
	if len(words) == 0 {
		return true
	}
	first := 0
	for first < len(words)-1 && opening[words[first].Lower] {
		first++
	}
	w := words[first].Lower
	return (segment.QuestionWord(w) || segment.Auxiliary(w)) && !subordinates(text[words[first].End:])
}

// opening are words that may precede a question.
var opening = map[string]bool{"and": true, "but": true, "so": true, "then": true, "or": true, "yet": true, "now": true}

// subordinates reports whether a clause with a verb of its own follows a word that takes it for granted, or
// a sign that ends the clause before.
func subordinates(text string) bool {
	words := segment.Words(text)
	for i, w := range words {
		behind := i > 0 && strings.ContainsAny(text[words[i-1].End:w.Start], ",;:—–(")
		if (givens[w.Lower] || behind) && hasVerb(text[w.Start:]) {
			return true
		}
	}
	return false
}

// givens are words after which a clause is presupposed.
var givens = map[string]bool{"that": true, "because": true, "since": true, "although": true, "though": true, "while": true, "after": true, "before": true, "but": true, "as": true, "given": true}

// publisherKey is the form by which publishers are told apart.
func publisherKey(name string) string { return pack.Publisher(name) }
