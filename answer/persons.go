package answer

import (
	"slices"
	"strings"

	"muniment/policy"
	"muniment/text/lexicon"
)

// Persons is the list of those whom the signatures and salutations of an archive may mean.
type Persons struct{ listed, signed []identity }

// NewPersons returns the persons of an archive: its subject, the cleared ones of its list, and those of the signatures
// that have given name and surname. Rules may be nil.
func NewPersons(rules *policy.Policy, signatures []string) *Persons {
	out := &Persons{}
	if rules != nil {
		v := &viewer{policy: rules}
		for _, name := range append([]string{rules.Subject.Name}, v.clearedNames()...) {
			id := v.identityOf(name)
			if name != "" && !slices.ContainsFunc(out.listed, func(o identity) bool { return o.names[0] == id.names[0] }) {
				out.listed = append(out.listed, id)
			}
		}
	}
	names := make([]string, len(signatures))
	for i, by := range signatures { // “Your Ada Vale” names Ada Vale
		names[i] = out.Find(by)
	}
	for _, b := range newRegister(nil, names) {
		out.signed = append(out.signed, identity{names: []string{b.name}})
	}
	return out
}

// Find returns whom a signature or a salutation means: the one listed person, else the one who signs so in full, else
// the name that it holds; "" where it holds none, or several are meant.
func (p *Persons) Find(words string) string {
	means := func(id identity) bool { return id.matches(words) == isMeant }
	for _, all := range [][]identity{p.listed, p.signed} {
		if at := slices.IndexFunc(all, means); at >= 0 {
			if slices.ContainsFunc(all[at+1:], means) {
				return ""
			}
			return all[at].names[0]
		}
	}
	words, _, _ = strings.Cut(words, ",")
	fields := strings.Fields(words)
	for len(fields) > 0 && (slices.Contains(greetings, strings.ToLower(fields[0])) || len(fields) > 1 && lexicon.Kin.Has(strings.ToLower(fields[0]))) {
		fields = fields[1:]
	}
	name := strings.Trim(strings.Join(fields, " "), ".")
	if !hasName(words) || len(fields) > mostNamed || len([]rune(name)) == 1 { // an initial is nobody
		return ""
	}
	return name
}

// mostNamed is how many words a name has at most; a longer closing is a sentence.
const mostNamed = 4
