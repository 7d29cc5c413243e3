package contract

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// A Report counts what validation did, under the names that the contract gives.
type Report struct {
	TotalBullets     int  `json:"total_bullets"`
	CitedBullets     int  `json:"cited_bullets"`
	RemovedBullets   int  `json:"removed_bullets"`
	ValidationPassed bool `json:"validation_passed"`
}

// A Bullet is one bullet of the validated text.
type Bullet struct {
	Section   string
	Index     int // in its section, from 1, as a reader counts
	Text      string
	Citations []string // ids, in the order of the text
}

// A SectionState says whether a section has what it must.
type SectionState struct {
	Key       string `json:"section"`
	Cited     int    `json:"cited_bullets"`
	Removed   int    `json:"removed_bullets"`
	Abstained bool   `json:"abstained"` // the drafter says that the evidence does not suffice
	Empty     bool   `json:"empty"`
}

// A Finding is something that was changed, and why.
type Finding struct {
	Section string `json:"section"`
	Bullet  int    `json:"bullet"` // of the draft, from 1; 0 for a citation outside of one
	Action  string `json:"action"` // one of the values below
	Fault   Fault  `json:"fault"`
	Text    string `json:"text"`
	Reason  string `json:"reason"`
}

// The values of Finding.Action.
const (
	ActionRemoved  = "removed"
	ActionReplaced = "replaced"
	ActionCitation = "citation_removed"
	ActionKept     = "kept"     // the rules let it stand
	ActionFlagged  = "flagged"  // it stays, and Flag stands behind it
	ActionSoftened = "softened" // it stays, and Unconfirmed stands before it
)

// A Validation is what is left of a draft.
type Validation struct {
	Text     string // without what failed, with its references
	Report   Report
	Bullets  []Bullet
	Sections []SectionState
	Findings []Finding
	Cited    []Evidence // in the order of the references
	Removals int        // bullets, and sentences of bullets that stay
	Cut      int        // sentences removed from bullets that stay, and lines of a list of references that are no reference
	Open     int        // sentences that cite nothing and stay, as the rules say
	Covered  int        // claims that stood
	Claims   int
	Free     []string // claims that cite nothing, and were let
	Warnings []string
}

// Validate removes from a draft what breaks the rules and writes its references.
// What the validation gives is valid: validated again it stays as it is.
// HTML comments are taken out first; one with words in it counts as a bullet that was removed.
func Validate(draft string, c Context, r Rules) *Validation {
	shown, hidden := cutComments(draft)
	v := once(shown, c, r)
	if len(hidden) > 0 {
		v.Findings = append(hidden, v.Findings...)
		v.Removals += len(hidden)
		v.Report.RemovedBullets += len(hidden)
		v.Report.TotalBullets += len(hidden)
		v.Report.ValidationPassed = v.Report.ValidationPassed && v.Removals <= r.MaxRemoved
	}
	// What is cut out may make a heading or a list of the words behind it, which
	// are then read anew. Two or three rounds end it; else nothing is left, and the
	// whole is one removal.
	const rounds = 8
	for range rounds {
		next := once(v.Text, c, r)
		if next.Text == v.Text {
			return v
		}
		// What stays uncited is found again in each round.
		v.Findings = slices.DeleteFunc(v.Findings, func(f Finding) bool {
			return f.Action == ActionKept || f.Action == ActionFlagged || f.Action == ActionSoftened
		})
		next.Findings = append(v.Findings, next.Findings...)
		next.Removals += v.Removals + 1
		next.Cut += v.Cut
		next.Report.RemovedBullets += v.Report.RemovedBullets
		next.Report.TotalBullets = next.Report.CitedBullets + next.Report.RemovedBullets
		next.Report.ValidationPassed = next.Report.ValidationPassed && next.Removals <= r.MaxRemoved
		next.Claims, next.Covered = v.Claims, v.Covered
		v = next
	}
	none := once("", c, r)
	none.Findings = append(v.Findings, Finding{Section: bodyKey, Action: ActionRemoved, Fault: Uncited, Text: strings.TrimSpace(v.Text), Reason: "what is cut out of it makes another text of the rest each time"})
	none.Removals, none.Cut, none.Claims, none.Covered = v.Removals+1, v.Cut, v.Claims, v.Covered
	none.Report.RemovedBullets = v.Report.TotalBullets
	none.Report.TotalBullets, none.Report.ValidationPassed = v.Report.TotalBullets, false
	return none
}

// once validates a draft as it is read.
func once(draft string, c Context, r Rules) *Validation {
	x := Examine(draft, c, r)
	v := &Validation{Claims: len(x.Claims), Covered: x.Covered()}
	w := writer{x: x, v: v, rules: r, day: c.Day, index: map[string]int{}, cited: map[string]bool{}, sections: map[string]*SectionState{}}
	for _, s := range r.Sections {
		w.section(s.Key)
	}
	for _, m := range x.BadMarks {
		v.Findings = append(v.Findings, Finding{Section: x.sectionAt(m.Start), Bullet: x.bulletAt(m.Start), Action: ActionCitation, Fault: m.Fault, Text: draft[m.Start:m.End], Reason: m.Reason})
	}
	for i := range x.bullets {
		w.bullet(i)
	}
	for _, b := range x.blocks {
		if b.references {
			w.references(b)
		}
	}
	w.marks()
	v.Text = w.text()
	w.finish()
	return v
}

// sectionAt returns the section of a byte of the draft.
func (x *Examination) sectionAt(at int) string {
	if b := x.blockAt(at); b < len(x.blocks) {
		return x.blocks[b].section
	}
	return bodyKey
}

// blockAt returns the first block that ends after a byte of the draft.
func (x *Examination) blockAt(at int) int {
	n, _ := slices.BinarySearchFunc(x.blocks, at, func(b block, at int) int { return cmp.Compare(b.end, at+1) })
	return n
}

// bulletAt returns the number of the bullet that holds a byte of the draft.
func (x *Examination) bulletAt(at int) int {
	n, found := slices.BinarySearchFunc(x.bullets, x.blockAt(at), func(k bullet, b int) int { return cmp.Compare(k.block, b) })
	if !found {
		return 0
	}
	return n + 1
}

type edit struct {
	start, end int
	with       string
}

type writer struct {
	x        *Examination
	v        *Validation
	rules    Rules
	day      string
	edits    []edit
	index    map[string]int
	cited    map[string]bool // ids of Validation.Cited
	sections map[string]*SectionState
	order    []string
}

func (w *writer) section(key string) *SectionState {
	s := w.sections[key]
	if s == nil {
		s = &SectionState{Key: key}
		w.sections[key] = s
		w.order = append(w.order, key)
	}
	return s
}

// references removes a block of the draft's own references, of which the validation writes others. A line that begins
// with no mark is no reference: what it says is lost, and is counted.
func (w *writer) references(b block) {
	w.cut(b.start, b.end, "")
	if b.kind == heading {
		return
	}
	for line := range strings.Lines(w.x.draft[b.start:b.end]) {
		text := strings.TrimSpace(line)
		if !hasWord(text) || referenceLine.MatchString(text) || text == paywallLine {
			continue
		}
		w.v.Cut++
		w.v.Findings = append(w.v.Findings, Finding{Section: b.section, Action: ActionRemoved, Fault: Uncited, Text: text, Reason: "it stands in the list of references, which is written again from what is cited"})
	}
}

// referenceLine is a line of a list of references: a mark, or the number of an item, begins it.
var referenceLine = regexp.MustCompile(`^(?:[-*+]\s+)?(?:\[(?:cite:)?[g^]?\d+\]|\d+[.)]\s)`)

func (w *writer) cut(start, end int, with string) {
	w.edits = append(w.edits, edit{start, end, with})
}

// bullet keeps, shortens, replaces or removes one bullet.
func (w *writer) bullet(n int) {
	x, k := w.x, &w.x.bullets[n]
	b := x.blocks[k.block]
	s := w.section(b.section)
	if k.abstention {
		s.Abstained = true
		w.keep(b, nil)
		return
	}
	w.v.Report.TotalBullets++
	var failed, kept, open []int
	for _, i := range k.claims {
		if c := x.Claims[i]; (c.Fault == Uncited || c.Fault == Unsupported || c.Compared) && w.rules.Uncited != "" {
			open = append(open, i)
		} else if c.Fault != "" {
			failed = append(failed, i)
		} else {
			kept = append(kept, i)
		}
	}
	if len(kept)+len(open) == 0 {
		w.drop(n, failed)
		return
	}
	for _, i := range open {
		w.leave(n, &x.Claims[i])
	}
	cited := slices.ContainsFunc(kept, func(i int) bool { return !x.Claims[i].Free })
	if cited {
		w.v.Report.CitedBullets++
		s.Cited++
	}
	for _, i := range kept {
		w.remark(n, &x.Claims[i])
	}
	for _, i := range failed {
		f := x.Claims[i]
		w.v.Removals++
		w.v.Cut++
		end := f.End
		for end < b.end && white(x.draft[end]) {
			end++
		}
		action, with := ActionRemoved, w.left(k, i, end == b.end)
		if f.Fault == Unread && b.kind != row { // what it cites cannot show is said in its place
			action, with = ActionReplaced, with+Paywalled+". "
			if end == b.end {
				with = strings.TrimSpace(with) + "\n"
			}
		}
		w.v.Findings = append(w.v.Findings, Finding{b.section, n + 1, action, f.Fault, f.Text, f.Reason})
		w.cut(f.Start, end, with)
	}
	var ids []string
	has := map[string]bool{}
	for _, i := range kept {
		for _, e := range x.Claims[i].Evidence {
			if !has[e.ID] {
				has[e.ID] = true
				ids = append(ids, e.ID)
				w.cite(e)
			}
		}
	}
	w.keep(b, ids)
	if cited && w.allPaywalled(kept) {
		w.v.Warnings = append(w.v.Warnings, fmt.Sprintf("section %s, bullet %d: its source is paywalled; the citation is based on headline or snippet", b.section, w.index[b.section]))
	}
	if weak := w.weak(kept); weak != "" && cited {
		w.v.Warnings = append(w.v.Warnings, fmt.Sprintf("section %s, bullet %d: %s", b.section, w.index[b.section], weak))
	}
}

// remark notes of a sentence that stays what a reader has to know: what speaks against its citations, which model judged
// that it follows, or that it cites nothing and may.
func (w *writer) remark(n int, c *Claim) {
	note := func(fault Fault, reason string) {
		w.v.Findings = append(w.v.Findings, Finding{c.Section, n + 1, ActionKept, fault, c.Text, reason})
	}
	if c.Doubt != "" {
		note(c.Doubt, c.Reason)
	}
	if at := slices.IndexFunc(c.Evidence, func(e Evidence) bool { return e.Judge != "" }); at >= 0 {
		note(Judged, "no rule shows that it follows; "+c.Evidence[at].Judge+" judged that it does")
	}
	if !c.Free {
		return
	}
	w.v.Free = append(w.v.Free, c.Text)
	if !strings.HasSuffix(c.Text, NotFromArchive) {
		w.cut(c.End, c.End, " "+NotFromArchive)
	}
}

// leave lets a sentence stay that cites nothing, as the rules say.
func (w *writer) leave(n int, c *Claim) {
	action := ActionKept
	switch w.rules.Uncited {
	case UncitedFlag:
		action = ActionFlagged
		if !strings.HasSuffix(c.Text, Flag) && !strings.HasPrefix(strings.TrimLeft(w.x.draft[c.End:], " \t"), Flag) {
			w.cut(c.End, c.End, " "+Flag)
		}
	case UncitedSoften:
		action = ActionSoftened
		if !strings.HasPrefix(c.Text, Unconfirmed) {
			w.cut(c.Start, c.Start, Unconfirmed+" ")
		}
	}
	w.v.Open++
	w.v.Findings = append(w.v.Findings, Finding{c.Section, n + 1, action, c.Fault, c.Text, c.Reason})
}

// left returns the text that replaces a removed sentence: the marks that cover the sentence before
// it, and the line end.
func (w *writer) left(k *bullet, i int, last bool) string {
	x, with := w.x, ""
	if x.Claims[i].Marked && i > k.claims[0] && x.Claims[i-1].Fault == "" && !x.Claims[i-1].Marked {
		for _, e := range x.Claims[i].Evidence {
			with += w.mark(e.ID, x.draft[x.Claims[i].Start:x.Claims[i].End])
		}
		if with != "" {
			with += " "
		}
	}
	if last {
		return strings.TrimRight(with, " ") + "\n"
	}
	return with
}

// allPaywalled reports whether a sentence of a bullet rests on nothing but sources of which only
// metadata is known.
func (w *writer) allPaywalled(kept []int) bool {
	return slices.ContainsFunc(kept, func(i int) bool {
		all := w.x.Claims[i].Evidence
		return len(all) > 0 && !slices.ContainsFunc(all, func(e Evidence) bool { return !e.Paywall })
	})
}

// weak returns the weakness of a bullet's evidence that is no fault, "" for none.
func (w *writer) weak(kept []int) string {
	for _, i := range kept {
		for _, e := range w.x.Claims[i].Evidence {
			if e.Tier != 4 {
				return ""
			}
		}
	}
	return "its only sources are of tier 4; a word such as “according to limited available reports” would say so"
}

// drop removes a bullet, or puts the placeholder of its first fault in its place.
func (w *writer) drop(n int, failed []int) {
	x := w.x
	b := x.blocks[x.bullets[n].block]
	w.v.Report.RemovedBullets++
	w.v.Removals++
	s := w.section(b.section)
	s.Removed++
	first := x.Claims[failed[0]]
	f := Finding{b.section, n + 1, ActionRemoved, first.Fault, strings.TrimSpace(x.draft[b.start:b.end]), first.Reason}
	phrase := abstainFor(first.Fault, w.day)
	s.Abstained = s.Abstained || phrase != ""
	if phrase == "" && w.rules.Placeholders {
		phrase = placeholder(first.Fault)
	}
	if phrase != "" && (b.kind == item || b.kind == paragraph) {
		f.Action = ActionReplaced
		w.cut(b.start, b.end, x.draft[b.start:max(b.start, first.Start)]+phrase+"\n")
		w.index[b.section]++
		w.v.Bullets = append(w.v.Bullets, Bullet{b.section, w.index[b.section], phrase, nil})
	} else if b.kind == item {
		w.cut(b.start, b.end, "")
	} else {
		w.cut(b.start, b.end, "\n") // what stood before and behind it stays apart
	}
	w.v.Findings = append(w.v.Findings, f)
}

func placeholder(f Fault) string {
	switch f {
	default:
		return NoEvidence
	case Unreliable:
		return NoCredibleSource
	case Unofficial:
		return NoOfficialSource
	}
}

// keep numbers a bullet of the validated text; its words are filled in later.
func (w *writer) keep(b block, ids []string) {
	w.index[b.section]++
	w.v.Bullets = append(w.v.Bullets, Bullet{b.section, w.index[b.section], fmt.Sprintf("\x00%d:%d", b.start, b.end), ids})
}

func (w *writer) cite(e Evidence) {
	key := e.ID
	if e.Number > 0 { // [3] and [^3] are one citation
		key = fmt.Sprint(e.Number)
	}
	if !w.cited[key] {
		w.cited[key] = true
		w.v.Cited = append(w.v.Cited, e)
	}
}

// marks rewrites the marks of which a citation does not count.
func (w *writer) marks() {
	for _, m := range w.x.BadMarks {
		kept := w.x.marks[m.Start]
		with, start := "", m.Start
		for _, id := range kept.ids {
			with += w.mark(id, w.x.draft[m.Start:m.End])
		}
		for with == "" && start > 0 && white(w.x.draft[start-1]) && w.x.draft[start-1] != '\n' {
			start--
		}
		w.cut(start, m.End, with)
	}
}

// mark writes the mark of one citation as it was written.
func (w *writer) mark(id, as string) string {
	if strings.Contains(as, "[cite:") {
		return "[cite:" + id + "]"
	}
	return "[" + id + "]"
}

// apply makes the edits within [from, to) of the draft; they are sorted. Of two
// that overlap the one that begins first, then the longer one, counts.
func (w *writer) apply(from, to int) string {
	first, _ := slices.BinarySearchFunc(w.edits, from, func(e edit, at int) int { return cmp.Compare(e.start, at) })
	var out strings.Builder
	at := from
	for _, e := range w.edits[first:] {
		if e.start > to {
			break
		}
		if e.start < at || e.end > to {
			continue
		}
		out.WriteString(w.x.draft[at:e.start] + e.with)
		at = e.end
	}
	return out.String() + w.x.draft[at:to]
}

// text is the draft after all edits, with its references.
func (w *writer) text() string {
	slices.SortStableFunc(w.edits, func(a, b edit) int {
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(b.end, a.end))
	})
	text := strings.TrimRight(w.apply(0, len(w.x.draft)), " \t\r\n") + "\n"
	for strings.Contains(text, "\n\n\n") {
		text = strings.ReplaceAll(text, "\n\n\n", "\n\n")
	}
	for i := range w.v.Bullets {
		var start, end int
		if _, err := fmt.Sscanf(w.v.Bullets[i].Text, "\x00%d:%d", &start, &end); err == nil {
			w.v.Bullets[i].Text = strings.TrimSpace(w.apply(start, end))
		}
	}
	slices.SortStableFunc(w.v.Cited, func(a, b Evidence) int {
		return cmp.Or(cmp.Compare(a.Number, b.Number), strings.Compare(a.ID, b.ID))
	})
	if refs := References(w.v.Cited); refs != "" {
		text += "\n" + refs
	}
	return text
}

// finish derives the verdict.
func (w *writer) finish() {
	empty := false
	for _, key := range w.order {
		s := w.sections[key]
		s.Empty = s.Cited == 0 && !s.Abstained
		required := slices.ContainsFunc(w.rules.Sections, func(r Section) bool { return r.Key == key })
		empty = empty || s.Empty && required
		w.v.Sections = append(w.v.Sections, *s)
	}
	if len(w.rules.Sections) == 0 && w.v.Report.CitedBullets == 0 && len(w.v.Free) == 0 && !slices.ContainsFunc(w.v.Sections, func(s SectionState) bool { return s.Abstained }) {
		empty = true // nothing is left of the draft
	}
	w.v.Report.ValidationPassed = w.v.Removals <= w.rules.MaxRemoved && !empty && w.v.Open == 0
}

func white(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }
