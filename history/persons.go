package history

import (
	"slices"
	"strings"

	"muniment/archive"
	"muniment/archive/problem"
	"muniment/objects"
	"muniment/snapshot/access"
	"muniment/snapshot/layout"
	"muniment/text/names"
)

// PersonsOptions change the record of a listed person. With nothing set Persons only reports.
type PersonsOptions struct {
	Name      string
	Aliases   []string // added; a surname decides that it means the person where it is alone
	Not       []string // added: names that are another person's, or a place's
	Born      string   // a day, or a date of EDTF
	Died      string
	Relations []string // added, as IS=OF: "mother=Tom Brigg"
}

func (o PersonsOptions) isEmpty() bool {
	return len(o.Aliases)+len(o.Not)+len(o.Relations) == 0 && o.Born+o.Died == ""
}

// PersonsResult lists the persons of an archive as the next snapshot would have them.
type PersonsResult struct {
	ThirdParties string          `json:"third_parties"`
	Persons      []access.Person `json:"persons"`
	Undecided    []SharedName    `json:"undecided"` // the words to decide
	Staged       bool            `json:"staged"`
}

// A SharedName is a word of a protected person's name that others bear too: alone it reads
// "[name withheld]".
type SharedName struct {
	Word    string   `json:"word"`
	Persons []string `json:"persons"` // protected persons with it
	Others  []string `json:"others"`  // other bearers, listed, told by the record, or found in a text
	Unknown []string `json:"unknown"` // of the others, those that no record names yet
}

// Persons reports the persons of an archive and the names to decide, and stages a change where
// options are set.
func Persons(a *archive.Archive, o PersonsOptions) (*PersonsResult, error) {
	tree, err := a.NewestTree()
	if err != nil {
		return nil, err
	}
	list, err := a.Persons(tree)
	if err != nil {
		return nil, err
	}
	changes := !o.isEmpty()
	if changes {
		if err := o.apply(list); err != nil {
			return nil, err
		}
		encoded, err := list.Encode()
		if err != nil {
			return nil, problem.New(problem.Usage, problem.Advise("dates are YYYY-MM-DD, YYYY-MM, YYYY or others of EDTF"), "persons: %w", err)
		}
		if err := a.Edit(map[string][]byte{layout.PathPersons: encoded}); err != nil {
			return nil, err
		}
	}
	r := &PersonsResult{ThirdParties: list.ThirdParties, Persons: list.Persons, Staged: changes}
	if r.Persons == nil {
		r.Persons = []access.Person{}
	}
	r.Undecided, err = sharedNames(a, tree, list.Persons)
	return r, err
}

// apply changes the person of the options.
func (o PersonsOptions) apply(list *access.Persons) error {
	at := slices.IndexFunc(list.Persons, func(p access.Person) bool { return p.Name == o.Name })
	if at < 0 {
		return problem.New(problem.Usage, problem.Advise("muniment consent --person NAME --state anonymized lists a person"), "no person is listed as %q", o.Name)
	}
	p := &list.Persons[at]
	p.Aliases, p.Not = union(p.Aliases, o.Aliases), union(p.Not, o.Not)
	if o.Born != "" {
		p.Born = o.Born
	}
	if o.Died != "" {
		p.Died = o.Died
	}
	for _, relation := range o.Relations {
		is, of, ok := strings.Cut(relation, "=")
		if !ok {
			return problem.New(problem.Usage, problem.Advise(`write --relation "mother=Tom Brigg"`), "relation %q names nobody", relation)
		}
		if r := (access.Relation{Is: is, Of: of}); !slices.Contains(p.Relations, r) {
			p.Relations = append(p.Relations, r)
		}
	}
	return nil
}

// union returns a list with the elements of another one that it lacks.
func union(list, more []string) []string {
	for _, s := range more {
		if !slices.Contains(list, s) {
			list = append(list, s)
		}
	}
	return list
}

// sharedNames returns the words of protected persons' names that others bear too and that no alias
// decides. It reads every text that has one of the words.
func sharedNames(a *archive.Archive, tree objects.Hash, persons []access.Person) ([]SharedName, error) {
	words := undecidedWords(persons)
	found, err := bearersInTexts(a, tree, words)
	if err != nil {
		return nil, err
	}
	out := []SharedName{}
	for _, w := range words {
		one := SharedName{Word: w, Persons: []string{}, Others: []string{}, Unknown: []string{}}
		for _, p := range persons {
			switch {
			case !slices.Contains(strings.Fields(p.Name), w):
			case p.State == access.PersonCleared:
				one.Others = union(one.Others, []string{p.Name})
			default:
				one.Persons = append(one.Persons, p.Name)
				for _, n := range p.Not {
					if slices.Contains(strings.Fields(n), w) {
						one.Others = union(one.Others, []string{n})
					}
				}
			}
		}
		for _, name := range found[w] {
			if !slices.Contains(one.Others, name) {
				one.Others, one.Unknown = append(one.Others, name), append(one.Unknown, name)
			}
		}
		if len(one.Persons)+len(one.Others) > 1 {
			out = append(out, one)
		}
	}
	return out, nil
}

// undecidedWords returns the words of the names of protected persons that are nobody's alias, and that
// no record denies.
func undecidedWords(persons []access.Person) []string {
	var out []string
	for _, p := range persons {
		if fields := strings.Fields(p.Name); p.State != access.PersonCleared && len(fields) > 1 {
			out = union(out, fields)
		}
	}
	return slices.DeleteFunc(out, func(w string) bool {
		return len(w) < 3 || slices.ContainsFunc(persons, func(p access.Person) bool {
			return slices.Contains(p.Aliases, w) || slices.Contains(p.Not, w)
		})
	})
}

// bearersInTexts returns for each word the full names with it that the texts of a tree have, except
// those of listed persons.
func bearersInTexts(a *archive.Archive, tree objects.Hash, words []string) (map[string][]string, error) {
	out := map[string][]string{}
	if len(words) == 0 {
		return out, nil
	}
	list, err := a.Persons(tree)
	if err != nil {
		return nil, err
	}
	all, err := a.Catalog(tree).ReadAll()
	if err != nil {
		return nil, err
	}
	for _, art := range all.Artifacts {
		if rec, ok := art.FirstRecord(); !ok || !rec.Record.Textual() {
			continue
		}
		doc, err := a.Document(tree, art)
		if err != nil {
			return nil, err
		}
		text := string(doc.Payload())
		if !slices.ContainsFunc(words, func(w string) bool { return strings.Contains(text, w) }) {
			continue
		}
		for _, at := range names.Find(text) {
			name := strings.Join(strings.Fields(text[at.Start:at.End]), " ")
			fields := strings.Fields(name)
			if len(fields) < 2 || strings.Contains(text[at.Start:at.End], "\n") || !names.Known(strings.TrimSuffix(fields[0], ".")) && !strings.HasSuffix(fields[0], ".") || slices.ContainsFunc(list.Persons, func(p access.Person) bool { return isOfPerson(p, fields) }) {
				continue
			}
			for _, w := range words {
				if slices.Contains(fields, w) {
					out[w] = union(out[w], []string{name})
				}
			}
		}
	}
	return out, nil
}

// isOfPerson reports whether every word of a name is a word, or the initial of one, of a person's names.
func isOfPerson(p access.Person, fields []string) bool {
	own := strings.Fields(strings.Join(append([]string{p.Name}, p.Aliases...), " "))
	return !slices.ContainsFunc(fields, func(w string) bool {
		initial := strings.TrimSuffix(w, ".")
		return !slices.ContainsFunc(own, func(o string) bool {
			return strings.EqualFold(o, w) || len(initial) == 1 && strings.HasPrefix(o, initial)
		})
	})
}

// addBearers adds to a person who is not to be named the others in the archive's texts who have a word
// of the name, so that the word alone is not taken for the person.
func addBearers(a *archive.Archive, tree objects.Hash, p *access.Person) error {
	if p.State == access.PersonCleared {
		return nil
	}
	found, err := bearersInTexts(a, tree, undecidedWords([]access.Person{*p}))
	if err != nil {
		return err
	}
	for _, w := range strings.Fields(p.Name) {
		for _, name := range found[w] {
			if !isOfPerson(*p, strings.Fields(name)) {
				p.Not = union(p.Not, []string{name})
			}
		}
	}
	return nil
}
