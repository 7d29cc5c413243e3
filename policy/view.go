package policy

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unicode/utf8"

	"muniment/cid"
	"muniment/snapshot/access"
	"muniment/snapshot/record"
)

// A View answers for one caller and one tree what there is: whether a paper exists for the
// caller, which words and fields of it may be shown, how long a piece, and which persons are
// replaced. Whatever leaves an archive asks a View, and nothing else decides:
//
//	v := a.View(tree, rules, who)            // archive.Archive
//	known, err := v.Knows(id)                // false: answer as if the paper were not there
//	shown, err := v.Show(id, passage)        // the words, or nothing and the reason
//	rec, err = v.Describe(rec)               // the fields of a record that the caller may read
//
// The zero View shows nothing. A View reads consent and changes nothing; it may be used by
// as many goroutines as its Consent allows.
type View struct {
	Rules *Policy
	Who   Requestor

	// Consent returns the consent in force for an artifact of the tree, its own and what
	// it inherits; nil is the default of the policy. The function is required.
	Consent func(cid.ID) (*access.Consent, error)

	// Narrow, unless nil, reduces a permission by what the policy does not know of, such as
	// a change that waits to be signed. It can only take away. See Decide.
	Narrow func(id cid.ID, words string, whole bool) (Permission, error)

	// Paper, unless nil, returns an artifact as Rules read it for whose it is. Without it no paper is withheld
	// whole for its persons, and a given name alone is always theirs.
	Paper func(cid.ID) (*Paper, error)

	papers  sync.Map // of cid.ID: *Paper, without their words
	seesAll bool
	usual   atomic.Int32 // whether papers without a consent are known: usualYes, usualNo, 0 before it is decided
}

// The values of View.usual.
const (
	usualYes = 1
	usualNo  = 2
)

// HolderView returns the View of a holder of the archive itself, who may copy its folder.
// Nothing is withheld from them.
func HolderView() *View { return &View{seesAll: true} }

// SeesAll reports whether nothing is withheld from the caller.
func (v *View) SeesAll() bool { return v != nil && v.seesAll }

// unlimited is the permission of a View that sees everything.
var unlimited = Permission{Surface: true, Display: true, Existence: true, Excerpt: access.Unlimited, Reading: access.ReadingWhole}

// Permission returns the permission of the caller for an artifact, with words of it that are to
// be shown: the persons whom they name count. With "" it is that of the artifact as such.
func (v *View) Permission(id cid.ID, words string) (Permission, error) {
	return v.Decide(id, words, true)
}

// Decide returns what Permission does. Without whole only Existence is right: whose a paper is, which is dear to find out, bears
// on that only where the policy has a Cedar text of its own.
func (v *View) Decide(id cid.ID, words string, whole bool) (Permission, error) {
	switch {
	case v == nil:
		return Permission{}, nil
	case v.seesAll:
		return unlimited, nil
	case v.Rules == nil || v.Consent == nil:
		return Permission{}, nil
	}
	consent, err := v.Consent(id)
	if err != nil {
		return Permission{}, err
	}
	var paper *Paper
	if whole || !v.Rules.hasDefaultCedar {
		if paper, err = v.PaperOf(id); err != nil {
			return Permission{}, err
		}
	}
	perm, err := v.Rules.DecideWords(v.Who, id, consent, paper, words)
	if err != nil || v.Narrow == nil || !perm.Existence {
		return perm, err
	}
	next, err := v.Narrow(id, words, whole)
	if err != nil {
		return Permission{}, err
	}
	return perm.Stricter(next), nil
}

// PaperOf returns an artifact as the policy reads it for whose it is, once; nil where nobody is protected.
func (v *View) PaperOf(id cid.ID) (*Paper, error) {
	if v == nil || v.Paper == nil || v.seesAll || v.Rules == nil || len(v.Rules.veils) == 0 {
		return nil, nil
	}
	if known, ok := v.papers.Load(id); ok {
		return known.(*Paper), nil
	}
	paper, err := v.Paper(id)
	if paper = v.Rules.Reduce(paper); err == nil {
		v.papers.Store(id, paper)
	}
	return paper, err
}

// Knows reports whether the caller may know that an artifact is there.
func (v *View) Knows(id cid.ID) (bool, error) {
	perm, err := v.Decide(id, "", false)
	return perm.Existence, err
}

// KnowsPlain reports whether the caller may know of an artifact that has no consent of its own
// and inherits none. Where no rule names artifacts one by one it is decided once.
func (v *View) KnowsPlain(id cid.ID) (bool, error) {
	switch {
	case v == nil || v.seesAll || v.Rules == nil:
		return v.SeesAll(), nil
	case !v.Rules.hasDefaultCedar && v.HidesNames():
		return v.Knows(id)
	}
	known := v.usual.Load()
	if known == 0 {
		perm, err := v.Rules.Decide(v.Who, Resource{Artifact: id})
		if err != nil {
			return false, err
		}
		if known = usualNo; perm.Existence {
			known = usualYes
		}
		if v.Rules.hasDefaultCedar {
			v.usual.Store(known)
		}
	}
	if known == usualNo || v.Narrow == nil {
		return known == usualYes, nil
	}
	perm, err := v.Narrow(id, "", false)
	return perm.Existence, err
}

// KnowsRef reports whether the caller may know of the artifact with an ID in text form.
// What is no ID of an artifact is unknown.
func (v *View) KnowsRef(id string) (bool, error) {
	if v.SeesAll() {
		return true, nil
	}
	parsed, err := cid.ParseAs(cid.Raw, id)
	if err != nil {
		return false, nil
	}
	return v.Knows(parsed)
}

// A Shown is as much of some words as a caller may read.
type Shown struct {
	Text   string // "" where nothing may be shown
	Whole  bool   // Text is all of the words, with the names in them
	Reason string // why not, for auditors; "" where Whole
}

// Show returns words of an artifact as the caller may read them: cut to the longest piece,
// names of anonymized persons replaced by pseudonyms; nothing where a sealed person is named.
func (v *View) Show(id cid.ID, words string) (Shown, error) {
	perm, err := v.Permission(id, words)
	switch {
	case err != nil:
		return Shown{}, err
	case !perm.Display:
		return Shown{Reason: strings.Join(perm.Reasons, "; ")}, nil
	case v.seesAll:
		return Shown{Text: words, Whole: true}, nil
	}
	paper, err := v.PaperOf(id)
	if err != nil {
		return Shown{}, err
	}
	veiled := v.Rules.HideNames(words, paper)
	text, whole := perm.Cut(veiled) // after the names are replaced: half of one is one too
	switch {
	case veiled != words:
		return Shown{text, false, "a person is anonymized"}, nil
	case !whole:
		return Shown{text, false, "longer than the tier may read in one piece"}, nil
	}
	return Shown{Text: text, Whole: true}, nil
}

// ShowsWhole reports whether the caller may read every word of an artifact, and so have its
// bytes. text returns the words; nil is for one without a text, of which Display decides. It
// is called only where the words decide.
func (v *View) ShowsWhole(id cid.ID, size int64, text func() ([]byte, error)) (bool, error) {
	perm, err := v.Permission(id, "")
	switch {
	case err != nil || perm.Piece() == 0:
		return false, err
	case v.seesAll || text == nil:
		return true, nil
	case size > int64(perm.Piece())*utf8.UTFMax:
		return false, nil
	case size <= int64(perm.Piece()) && !v.Rules.protectsPersons():
		return true, nil
	}
	words, err := text()
	if err != nil {
		return false, err
	}
	shown, err := v.Show(id, string(words))
	return shown.Whole, err
}

// WithoutNamed returns a text of an artifact with spaces for each paragraph in which names of protected persons keep words from
// the caller.
func (v *View) WithoutNamed(id cid.ID, text []byte) ([]byte, error) {
	if v.seesAll || v.Rules == nil {
		return text, nil
	}
	whole, err := v.Permission(id, string(text))
	if err != nil {
		return nil, err
	}
	paper, err := v.PaperOf(id)
	if err != nil {
		return nil, err
	}
	veils := v.Rules.VeilsIn(string(text), paper) // of the whole paper: it tells whom a given name means
	if whole.Display && len(veils) == 0 {
		return text, nil
	}
	at := 0
	return v.Rules.WithoutParagraphs(text, func(words string) (bool, error) {
		from := at
		if at += len(words) + len("\n\n"); slices.ContainsFunc(veils, func(one Veil) bool { return one.Start < from+len(words) && one.End > from }) {
			return true, nil
		}
		perm, err := v.Permission(id, words)
		return !perm.Display, err
	})
}

// WithoutWithheld returns a text of an artifact with spaces for each paragraph that is withheld from the caller whole.
func (v *View) WithoutWithheld(id cid.ID, text []byte) ([]byte, error) {
	if v.seesAll || v.Rules == nil {
		return text, nil
	}
	return v.Rules.WithoutParagraphs(text, func(words string) (bool, error) {
		perm, err := v.Permission(id, words)
		return !perm.Display, err
	})
}

// WithoutParagraphs returns a text with spaces for each paragraph that hides reports, as long as the paragraph was: what
// compares, counts or quotes words finds none there, and every other paragraph is at its place. A policy that protects nobody
// leaves the text as it is.
func (p *Policy) WithoutParagraphs(text []byte, hides func(words string) (bool, error)) ([]byte, error) {
	if !p.protectsPersons() {
		return text, nil
	}
	out := bytes.Clone(text)
	for from := 0; from < len(text); {
		to := len(text)
		if i := bytes.Index(text[from:], []byte("\n\n")); i >= 0 {
			to = from + i
		}
		hidden, err := hides(string(text[from:to]))
		if err != nil {
			return nil, err
		}
		for i := from; hidden && i < to; i++ {
			if out[i] != '\n' {
				out[i] = ' '
			}
		}
		from = to + 2
	}
	return out, nil
}

// protectsPersons reports whether words of a text may be withheld for the persons in it.
func (p *Policy) protectsPersons() bool {
	return len(p.veils) > 0 || p.Persons.ThirdParties == access.ThirdPartiesStrict
}

// HidesNames reports whether words of a record may be withheld for the persons in them.
func (v *View) HidesNames() bool {
	return v != nil && !v.seesAll && (v.Rules == nil || v.Rules.protectsPersons())
}

// For says for whom what a View shows is made, for its head.
func (v *View) For() string {
	if v.SeesAll() {
		return "whoever holds the archive: nothing is withheld"
	}
	if v == nil || v.Rules == nil {
		return "nobody"
	}
	tier, err := v.Rules.Tier(v.Who)
	if err != nil {
		return "nobody"
	}
	return "the tier " + tier + ": it has what the tier may know of"
}

// Describe returns a record as the caller may read it: without what names papers of which
// the caller may not know, a text in which a sealed person is named left out, and the names of
// anonymized persons replaced. It is nil where the caller may not know of the paper. A record
// that stands alone has no consent, and is known to everybody.
func (v *View) Describe(rec *record.Record) (*record.Record, error) {
	if !v.SeesAll() && v != nil && v.Rules != nil && rec != nil && rec.Artifact != "" {
		if known, err := v.KnowsRef(rec.Artifact); err != nil || !known {
			return nil, err
		}
	}
	return v.DescribeKnown(rec)
}

// DescribeKnown is Describe for a record of a paper that the caller is known to know of, as
// one of the catalogue of the view.
func (v *View) DescribeKnown(rec *record.Record) (*record.Record, error) {
	if v.SeesAll() || rec == nil {
		return rec, nil
	}
	if v == nil || v.Rules == nil {
		return nil, nil
	}
	out := *rec
	out.Parts = nil
	for _, p := range rec.Parts {
		known, err := v.KnowsRef(p.Artifact)
		if err != nil {
			return nil, err
		}
		if known && v.FileName(p.Name) != "" {
			out.Parts = append(out.Parts, p)
		}
	}
	out.Names = slices.DeleteFunc(slices.Clone(rec.Names), func(name string) bool { return v.FileName(name) == "" })
	if rec.Source != nil {
		out.Source = v.source(*rec.Source)
		sealed := len(out.Source.Creators) < len(rec.Source.Creators)
		if id, err := cid.ParseAs(cid.Raw, rec.Artifact); err == nil && out.Source.Title+out.Source.Description != "" && v.HidesNames() {
			perm, err := v.Permission(id, "")
			if err != nil {
				return nil, err
			}
			sealed = sealed || perm.Sealed
		}
		if sealed { // words of a sealed person or to one, as the subject of a mail is
			out.Source.Title, out.Source.Description = "", ""
		}
	}
	facts, err := v.facts(rec.Facts)
	if err != nil {
		return nil, err
	}
	out.Facts = facts
	hidden, err := v.hidesDate(rec)
	if hidden {
		delete(facts, record.FactDateFound)
		delete(facts, record.FactDateText)
		if facts["origin_published_at"] == "document" { // taken from those words
			out.Source.PublishedAt = ""
		}
	}
	return &out, err
}

// hidesDate reports whether the words of a paper from which a date of its record was read are withheld for the persons in their paragraph.
func (v *View) hidesDate(rec *record.Record) (bool, error) {
	id, err := cid.ParseAs(cid.Raw, rec.Artifact)
	if rec.Facts[record.FactDateText] == "" || err != nil {
		return false, nil
	}
	paper, err := v.PaperOf(id)
	if paper == nil || err != nil {
		return err != nil, err
	}
	perm, err := v.Permission(id, strings.Join(v.Rules.personsIn(paper).dated, "; "))
	return perm.Sealed && !perm.Display, err
}

// Word returns a text that somebody wrote of a paper, such as its title, as the caller may
// read it: with pseudonyms, and "" where a sealed person is named.
func (v *View) Word(text string) string {
	if v.SeesAll() || text == "" {
		return text
	}
	switch {
	case v == nil || v.Rules == nil:
		return ""
	case !v.Rules.protectsPersons():
		return text
	case v.Rules.Recognised(text) == sealedRank:
		return ""
	}
	return v.Rules.Veiled(text)
}

// WithoutNames returns a query without the names of protected persons: whatever has them is found as if it were not
// there.
func (v *View) WithoutNames(query string) string {
	for _, one := range slices.Backward(v.Rules.VeilsIn(query, nil)) {
		query = query[:one.Start] + " " + query[one.End:]
	}
	return query
}

// FileName returns the name of a file, "" where it names a protected person: a name with a pseudonym in
// it would be that of no file.
func (v *View) FileName(name string) string {
	if !v.HidesNames() {
		return name
	}
	spoken := spokenForm(name)
	if v.Word(name) != name || v.Word(spoken) != spoken || v.Rules.isOfPerson(spoken) {
		return ""
	}
	return name
}

// Label is Word for a tag, a subject or a place, and "" where its words name somebody protected with capitals: "koss-affair".
func (v *View) Label(text string) string {
	spoken := spokenForm(text)
	if shown := v.Word(text); shown != text || v.Word(spoken) == spoken {
		return shown
	}
	return ""
}

// spokenForm returns the words of the name of a file or of a tag, each with its capital.
func spokenForm(name string) string {
	spoken := notWord.ReplaceAllString(wordEnd.ReplaceAllString(name, "$1$3$5 $2$4$6"), " ")
	return wordStart.ReplaceAllStringFunc(spoken, strings.ToUpper)
}

// isOfPerson reports whether words of the name of a file, each with its capital, are one by one or together words of a protected person's
// name: around a name in it there is no sentence that would tell whose it is.
func (p *Policy) isOfPerson(spoken string) bool {
	words := strings.ReplaceAll(spoken, " ", "\n\n")
	return p != nil && len(p.veils) > 0 && slices.ContainsFunc(groupMatches(p.findIn(&searchForm{text: words, joined: true}, words, nil, nil)), func(group []match) bool { return p.veilOf(group).Pseudonym != "" })
}

var (
	wordEnd   = regexp.MustCompile(`(\p{Ll})(\p{Lu})|(\pL)(\d)|(\d)(\pL)`) // RothHouse2
	wordStart = regexp.MustCompile(`(?:^| )\p{Ll}`)                        // a file is seldom named in capitals
	notWord   = regexp.MustCompile(`[^\pL\pM\d'’]+`)                       // letter-roth.txt
)

// sealedRank is the result of Recognised for a text in which a sealed person is named.
const sealedRank = 2

// labels returns the texts of a list as the caller may read them.
func (v *View) labels(list []string) []string {
	var out []string
	for _, one := range list {
		if shown := v.Label(one); shown != "" {
			out = append(out, shown)
		}
	}
	return out
}

// source returns a source as the caller may read it.
func (v *View) source(s record.Source) *record.Source {
	for _, text := range []*string{&s.Title, &s.Publisher, &s.URL, &s.Description, &s.Rights, &s.Extent} {
		*text = v.Word(*text)
	}
	for _, text := range []*string{&s.Place, &s.Box, &s.Folder, &s.Identifier} {
		*text = v.Label(*text)
	}
	for _, list := range []*[]string{&s.Creators, &s.Tags, &s.Subjects, &s.Related} {
		*list = v.labels(*list)
	}
	return &s
}

// facts returns the facts of a record as the caller may read them. IDs of papers of which
// the caller may not know are left out of a list of IDs.
func (v *View) facts(all map[string]string) (map[string]string, error) {
	if all == nil {
		return nil, nil
	}
	out := make(map[string]string, len(all))
	for name, value := range all {
		ids := strings.Fields(value)
		if len(ids) > 0 && !slices.ContainsFunc(ids, func(one string) bool { _, err := cid.Parse(one); return err != nil }) {
			known := ids[:0]
			for _, id := range ids {
				is, err := v.KnowsRef(id)
				if err != nil {
					return nil, err
				}
				if is {
					known = append(known, id)
				}
			}
			value = strings.Join(known, " ")
		} else {
			value = v.Word(value)
		}
		if value != "" {
			out[name] = value
		}
	}
	return out, nil
}
