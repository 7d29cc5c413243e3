package server

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"muniment/archive/holdings"
	"muniment/archive/problem"
	"muniment/engine"
	"muniment/policy"
	"muniment/snapshot/edtf"
)

// concealNames takes out of a source the words that name protected persons.
func (v *view) concealNames(s *engine.RegisteredSource) {
	if v.rules == nil {
		return
	}
	s.Identifier, s.Name = v.door.FileName(s.Identifier), v.door.FileName(s.Name)
	for _, words := range []*string{&s.Query, &s.Result, &s.Description, &s.Content} {
		*words = v.door.Word(*words)
	}
	for name, value := range s.Metadata {
		s.Metadata[name] = v.door.Word(value)
	}
	s.Name = cmp.Or(s.Name, s.Artifact)
}

// concealReplyNames does the same for the names in a verdict, which are those of the paper that it is of.
func (v *view) concealReplyNames(art *holdings.Artifact, r *engine.CiteResult) {
	for _, name := range []*string{&r.SourceName, &r.Name, &r.FormattedReference, &r.SummaryNote} {
		*name = v.door.FileName(*name)
	}
	for _, sentence := range []*string{&r.Reason, &r.VerificationNotes} {
		*sentence = v.door.Word(*sentence)
	}
	for i := len(r.Findings) - 1; i >= 0; i-- {
		if words := r.Findings[i].Words; v.door.Word(words) != words {
			r.Findings = slices.Delete(r.Findings, i, i+1)
		}
	}
	for i, arg := range r.Next.Args {
		if arg != "" && v.door.FileName(arg) == "" {
			r.Next.Args[i] = art.ID.String()
		}
	}
	for i := range r.Checks {
		r.Checks[i].Found = v.door.FileName(r.Checks[i].Found)
	}
	if r.MatchedLocation != nil {
		r.MatchedLocation.Name = v.door.FileName(r.MatchedLocation.Name)
	}
}

// An About says whose papers the archive holds.
type About struct {
	Subject    string // the person or body, "" where none is named
	Born, Died edtf.Date
}

// About returns the person whose papers the archive holds, from its rules.
func (c *Client) About(ctx context.Context) (*About, error) {
	return withView(ctx, c, func(v *view) (*About, error) {
		if v.room.rules == nil {
			return &About{}, nil
		}
		of := v.room.rules.Subject
		out := &About{Subject: of.Name}
		out.Born, _ = edtf.Parse(of.Born) // none of what is no date
		out.Died, _ = edtf.Parse(of.Died)
		return out, nil
	})
}

// Limits of a reply with words of a paper that may be read whole, in code points.
const (
	maxReply     = 20000  // some pages; what follows is in the next reply
	maxParagraph = 200000 // what has no paragraphs is shown up to here
)

// show returns the words of an artifact as the client may see them, and whether
// they are all of it: "" where they may not be shown.
func (v *view) show(art *holdings.Artifact, words string) (shown string, whole bool, err error) {
	shown, _, whole, err = v.showIn(art, words)
	return shown, whole, err
}

// showIn is show, and returns also which of the words shown are pseudonyms, and where they are.
func (v *view) showIn(art *holdings.Artifact, words string) (shown string, names []Pseudonym, whole bool, err error) {
	perm, err := v.permissionVeiled(art, words)
	if err != nil || !perm.Display {
		return "", nil, false, err
	}
	paper, err := v.door.PaperOf(art.ID)
	if err != nil {
		return "", nil, false, problem.Wrap(err, "policy")
	}
	veiled := words
	if v.rules != nil {
		veiled, names = veil(v.rules, words, paper)
		if v.staged != nil && v.staged.rules != nil {
			if paper, err = v.staged.door.PaperOf(art.ID); err != nil || len(v.staged.rules.VeilsIn(veiled, paper)) > 0 {
				return "", nil, false, problem.Wrap(err, "policy") // a name that waits to be hidden
			}
		}
	}
	shown, whole = policy.CutWords(veiled, min(perm.Piece(), maxParagraph))
	return shown, names, whole && len(names) == 0, nil
}

// veil returns words with pseudonyms for names, and the places of these.
func veil(rules *policy.Policy, words string, paper *policy.Paper) (veiled string, all []Pseudonym) {
	var b strings.Builder
	at, runes := 0, 0
	for _, one := range rules.VeilsIn(words, paper) {
		b.WriteString(words[at:one.Start])
		runes += utf8.RuneCountInString(words[at:one.Start])
		b.WriteString("[" + one.Pseudonym + "]")
		n := utf8.RuneCountInString(one.Pseudonym) + 2
		all = append(all, Pseudonym{At: runes, Length: n, hides: words[one.Start:one.End]})
		at, runes = one.End, runes+n
	}
	if at == 0 {
		return words, nil
	}
	return b.String() + words[at:], all
}

// A Pseudonym is a place of shown words that a name was taken from.
type Pseudonym struct {
	At, Length int    // in code points of the shown words
	hides      string // the name
}

// Shift returns where a code point of the paragraph's own words is in the words shown.
func Shift(all []Pseudonym, at int) int {
	moved := at
	for _, one := range all {
		switch was := utf8.RuneCountInString(one.hides); {
		case moved <= one.At:
			return moved
		case moved < one.At+was:
			return one.At + one.Length // within the name: after its pseudonym
		default:
			moved += one.Length - was
		}
	}
	return moved
}

// asksFor reports whether a query has a word of a hidden name: whoever asks by a name is not told its pseudonym.
func asksFor(query string, hidden []Pseudonym) bool {
	words := func(s string) []string {
		return strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	}
	return slices.ContainsFunc(hidden, func(one Pseudonym) bool {
		return slices.ContainsFunc(words(one.hides), func(w string) bool {
			return slices.ContainsFunc(words(query), func(q string) bool { return len(q) > 2 && (strings.HasPrefix(w, q) || strings.HasPrefix(q, w)) })
		})
	})
}
