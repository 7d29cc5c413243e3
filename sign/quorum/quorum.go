// Package quorum says whose cosignatures of a checkpoint are enough: witnesses, groups of them
// and a quorum, in the words of C2SP tlog-policy. A trust root has such lines, and a verifier
// may bring them in a file of their own, so that nobody of the archive needs to be trusted:
//
//	log muniment/bagaaiera…/answers/3f…/1+d2a4b6e8+Abc…=
//	witness harbour harbour.example/w1+7e9f1a3c+BAbc…=
//	witness museum  museum.example/w2+55aa10ff+BAbc…=
//	witness court   court.example/w+0be1c9d2+BAbc…=
//	group towns any harbour museum
//	group seen all towns court
//	quorum seen
//
// [Parse] reads such a file, [Policy.Judge] counts the lines of a signed checkpoint. A line of a
// listed witness that is wrong is an error; lines of others are named and count for nothing.
// A witness's word is that it saw the log grow and never be rewritten; its time is its own.
//
// Witnesses of one organisation that are members of one group count once in it. A file in
// C2SP's form has no organisations: there each witness is one.
package quorum

import (
	"fmt"
	"slices"
	"strings"

	"muniment/sign"
)

// Limits of a policy; C2SP asks a reader for 32 of each.
const (
	MaxWitnesses = 32
	MaxGroups    = 32
	MaxLogs      = 32
	MaxName      = 64 // bytes of the name of a witness or a group
)

// None is the quorum that asks for nobody, and the group of what is in none.
const None = "none"

// A Policy says which witnesses are known and which of them are enough. The zero Policy knows
// nobody and asks for nobody.
type Policy struct {
	Logs      []sign.LogKey // that may have signed; none: any
	Witnesses []Witness
	Groups    []Group // each before the group that it is a member of
	Quorum    string  // the name of a witness or group; None or "" asks for nobody
}

// A Witness is a cosigner under the name that groups know.
type Witness struct {
	Name     string
	Cosigner sign.Cosigner
	Org      string // "" counts as an organisation of its own
	Group    string // whose member it is; None or "" for no group
}

// A Group has seen a checkpoint when enough of its members have.
type Group struct {
	Name  string
	Needs int    // members; All for all of them
	Group string // whose member it is; None or "" for no group
}

// All is the need of a group for each of its members.
const All = 0

// A Count is what a policy says of a signed checkpoint.
type Count struct {
	Seen    []Sight  // by the listed witnesses, in the order of the policy
	Unknown []string // the names of other lines, in their order
	Reached bool     // the quorum has seen it; also where nobody is asked for
}

// A Sight is the cosignature of a listed witness.
type Sight struct {
	Name string
	Org  string // the organisation, or the name of the witness where it has none
	Time int64  // seconds since 1970, as the witness says
}

// Asks reports whether the policy asks for any witness.
func (p *Policy) Asks() bool { return p != nil && p.Quorum != "" && p.Quorum != None }

// Organisations returns how many organisations the listed witnesses are of.
func (p *Policy) Organisations() int {
	orgs := make(map[string]bool)
	for _, w := range p.Witnesses {
		orgs[w.org()] = true
	}
	return len(orgs)
}

// org returns the organisation of a witness; a name of a witness is no name of one, as that
// has no space.
func (w Witness) org() string {
	if w.Org == "" {
		return "witness " + w.Name
	}
	return w.Org
}

// Judge counts the cosignatures of a signed checkpoint, whose log must have been verified. A
// line of a listed witness that is wrong is an error.
func (p *Policy) Judge(signed []byte) (*Count, error) {
	foreign, err := sign.ForeignLines(signed)
	if err != nil {
		return nil, err
	}
	out := &Count{}
	known := make(map[string]bool)
	seen := make(map[string]bool)
	for _, w := range p.Witnesses {
		c, found, err := w.Cosigner.Open(signed)
		if err != nil {
			return nil, err
		}
		if !found {
			continue
		}
		known[w.Cosigner.Name()], seen[w.Name] = true, true
		org := w.Org
		if org == "" {
			org = w.Name
		}
		out.Seen = append(out.Seen, Sight{w.Name, org, c.Time})
	}
	for _, name := range foreign {
		if !known[name] {
			out.Unknown = append(out.Unknown, name)
		}
	}
	for _, g := range p.Groups { // members before their group
		seen[g.Name] = p.hasEnough(g, seen)
	}
	out.Reached = !p.Asks() || seen[p.Quorum]
	return out, nil
}

// hasEnough reports whether enough members of a group have seen a checkpoint.
func (p *Policy) hasEnough(g Group, seen map[string]bool) bool {
	needs, have := p.members(g.Name), make(map[string]bool)
	if g.Needs != All {
		needs = g.Needs
	}
	for _, w := range p.Witnesses {
		if w.Group == g.Name && seen[w.Name] {
			have[w.org()] = true
		}
	}
	for _, inner := range p.Groups {
		if inner.Group == g.Name && seen[inner.Name] {
			have["group "+inner.Name] = true
		}
	}
	return len(have) >= needs
}

// members returns how many members of a group count: organisations and groups.
func (p *Policy) members(group string) int {
	members := make(map[string]bool)
	for _, w := range p.Witnesses {
		if w.Group == group {
			members[w.org()] = true
		}
	}
	for _, g := range p.Groups {
		if g.Group == group {
			members["group "+g.Name] = true
		}
	}
	return len(members)
}

// Check refuses what no signing could reach, and what would count twice.
func (p *Policy) Check() error {
	if len(p.Witnesses) > MaxWitnesses || len(p.Groups) > MaxGroups || len(p.Logs) > MaxLogs {
		return fmt.Errorf("%d witnesses, %d groups and %d logs, at most %d, %d and %d", len(p.Witnesses), len(p.Groups), len(p.Logs), MaxWitnesses, MaxGroups, MaxLogs)
	}
	names := map[string]bool{None: true}
	points := make(map[[32]byte]string)
	lines := make(map[string]string)
	for _, w := range p.Witnesses {
		if names[w.Name] || !isName(w.Name) {
			return fmt.Errorf("witness %q: the name is taken, or has no 1 to %d characters without space", w.Name, MaxName)
		}
		names[w.Name] = true
		if other, ok := points[w.Cosigner.Key().Point()]; ok {
			return fmt.Errorf("witness %s has the key of %s: it would count twice", w.Name, other)
		}
		points[w.Cosigner.Key().Point()] = w.Name
		if strings.HasPrefix(w.Cosigner.Name(), sign.WitnessPrefix) && w.Cosigner.Name() != sign.WitnessName(w.Cosigner.Key()) {
			return fmt.Errorf("witness %s: a name that begins %s ends in the digits of its key", w.Name, sign.WitnessPrefix)
		}
		if other, ok := lines[w.Cosigner.Name()]; ok {
			return fmt.Errorf("witnesses %s and %s sign under one name, %s", other, w.Name, w.Cosigner.Name())
		}
		lines[w.Cosigner.Name()] = w.Name
	}
	for i, g := range p.Groups {
		if names[g.Name] || !isName(g.Name) {
			return fmt.Errorf("group %q: the name is taken, or has no 1 to %d characters without space", g.Name, MaxName)
		}
		names[g.Name] = true
		n := p.members(g.Name)
		if n == 0 || g.Needs < All || g.Needs > n {
			return fmt.Errorf("group %s needs %d of %d members; witnesses of one organisation count once", g.Name, g.Needs, n)
		}
		if !isNone(g.Group) && !slices.ContainsFunc(p.Groups[i+1:], func(o Group) bool { return o.Name == g.Group }) {
			return fmt.Errorf("group %s is a member of %q, which no group after it is named", g.Name, g.Group)
		}
	}
	for _, w := range p.Witnesses {
		if !isNone(w.Group) && !slices.ContainsFunc(p.Groups, func(g Group) bool { return g.Name == w.Group }) {
			return fmt.Errorf("witness %s is a member of %q, which is no group", w.Name, w.Group)
		}
	}
	if p.Quorum != "" && !names[p.Quorum] {
		return fmt.Errorf("quorum %q is no witness and no group", p.Quorum)
	}
	return nil
}

// isName reports whether s can name a witness or a group.
func isName(s string) bool {
	if s == "" || len(s) > MaxName {
		return false
	}
	for i := range len(s) {
		if s[i] <= ' ' || s[i] == 0x7F {
			return false
		}
	}
	return true
}

func isNone(group string) bool { return group == "" || group == None }
