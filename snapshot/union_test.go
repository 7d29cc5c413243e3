package snapshot

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"muniment/cid"
	"muniment/objects"
	"muniment/sign"
	"muniment/sign/trust"
	"muniment/snapshot/access"
	"muniment/snapshot/layout"
	"muniment/snapshot/record"
)

const someTime = "2024-05-01T00:00:00Z"

func withdrawalOf(id cid.ID) []byte {
	return must(record.Withdrawal{Artifact: id.String(), Reason: "r", Authority: "a", Time: someTime, Agent: "a"}.Encode())
}

func holdOn(id cid.ID) []byte {
	return must(record.Hold{Artifact: id.String(), Reason: "r", Authority: "a", Time: someTime, Agent: "a"}.Encode())
}

func consentTo(id cid.ID, display, existence bool, reason string) []byte {
	return must(access.Consent{Artifact: id.String(), Inclusion: true, Display: display, Existence: existence, Reason: reason, Time: someTime, Agent: "a"}.Encode())
}

// withdraw returns the edits that withdraw a letter.
func withdraw(files map[string][]byte) map[string][]byte {
	id := artifactOf(files)
	return map[string][]byte{layout.ArtifactPath(id): nil, one(files, layout.KindRecord): nil, layout.WithdrawnPath(id): withdrawalOf(id)}
}

// held returns the paths of a snapshot below artifacts/ and originals/.
func held(c *chain, s *Snapshot) map[string]objects.Hash {
	out := map[string]objects.Hash{}
	for _, top := range []string{"artifacts", "originals"} {
		if err := c.store.Walk(s.Tree, top, func(path string, h objects.Hash) error { out[path] = h; return nil }); err != nil {
			c.t.Fatal(err)
		}
	}
	return out
}

// Two keys add, withdraw and hold at random; the join is valid whichever side
// comes first, holds the same payloads and records, and loses nothing of what
// neither withdrew. Every older snapshot still holds what it held.
func TestJoinProperty(t *testing.T) {
	var letters []map[string][]byte
	for i := range 6 {
		letters = append(letters, letter(fmt.Sprintf("Letter %d.\r\n", i), fmt.Sprintf("%d.txt", i)))
	}
	bob := newSigner('b')
	round := 0
	rapid.Check(t, func(rt *rapid.T) {
		if round++; round > 15 { // each writes two repositories
			return
		}
		var trees []map[string]objects.Hash
		changes := func(label string) map[string][]byte {
			out := map[string][]byte{layout.PathReadme: []byte(layout.Readme)}
			for i, l := range letters {
				id := artifactOf(l)
				switch rapid.IntRange(0, 4).Draw(rt, fmt.Sprint(label, i)) {
				case 1:
					if i >= 3 { // add
						for path, data := range l {
							out[path] = data
						}
					}
				case 2:
					if i < 3 {
						for path, data := range withdraw(l) {
							out[path] = data
						}
						if rapid.Bool().Draw(rt, fmt.Sprint(label, "original", i)) {
							out[one(l, layout.KindOriginal)] = nil
						}
					}
				case 3:
					out[layout.HoldPath(id)] = holdOn(id)
				case 4:
					out[layout.ConsentPath(id)] = consentTo(id, rapid.Bool().Draw(rt, fmt.Sprint(label, "display", i)), rapid.Bool().Draw(rt, fmt.Sprint(label, "existence", i)), label)
				}
			}
			return out
		}
		base := map[string][]byte{}
		for _, l := range letters[:3] {
			for path, data := range l {
				base[path] = data
			}
		}
		ours, theirs := changes("ours"), changes("theirs")
		for _, swap := range []bool{false, true} {
			c := newChain(t)
			first := c.add(base, nil)
			c.by = alice
			a := c.add(ours, nil)
			c.back(first, bob)
			b := c.add(theirs, nil)
			before := held(c, first)
			if swap {
				c.to(a)
				a, b = b, a
			}
			joined := c.join(a, nil, nil)
			report, err := CheckWith(c.store, c.tip, Checking{})
			if err != nil || report.Failed > 0 || report.NotChecked > 0 {
				rt.Fatalf("swapped %t: %v %v", swap, report.Problems, err)
			}
			got := held(c, joined)
			for path := range held(c, a) {
				stillThere(rt, c, got, path, b)
			}
			for path := range held(c, b) {
				stillThere(rt, c, got, path, a)
			}
			trees = append(trees, got)
			if after := held(c, first); len(after) != len(before) {
				rt.Fatal("the first snapshot lost something")
			}
		}
		for path, h := range trees[0] {
			kind, _ := layout.ClassifyPath(path)
			if kind == layout.KindPayload || kind == layout.KindRecord || kind == layout.KindOriginal {
				if trees[1][path] != h {
					rt.Fatalf("%s differs by which side comes first", path)
				}
			}
		}
	})
}

// stillThere checks that a file of one parent is in the join unless the other
// withdrew its artifact.
func stillThere(rt *rapid.T, c *chain, joined map[string]objects.Hash, path string, other *Snapshot) {
	kind, ids := layout.ClassifyPath(path)
	if _, ok := joined[path]; ok || kind == layout.KindOriginal {
		return
	}
	if w, err := lookup(c.store, other.Tree, layout.WithdrawnPath(ids[0])); err != nil || w.IsZero() {
		rt.Fatalf("%s is lost, %v", path, err)
	}
}

// A join whose tree is not the union is found.
func TestJoinForged(t *testing.T) {
	for name, files := range map[string]map[string][]byte{
		"more": letter("Four.\n", "4.txt"),
		"less": withdraw(letter("Two.\n", "2.txt")),
	} {
		c := newChain(t)
		first := c.add(letter("One.\n", "1.txt"), nil)
		ours := c.add(letter("Two.\n", "2.txt"), nil)
		c.back(first, newSigner('b'))
		c.add(letter("Three.\n", "3.txt"), nil)
		c.join(ours, files, nil)
		report := must(CheckWith(c.store, c.tip, Checking{}))
		if report.Sound() || !strings.Contains(fmt.Sprint(report.Problems), "it is not the union") {
			t.Errorf("%s: %v", name, report.Problems)
		}
	}
}

// Two histories that one key signed are joined by a key with the role withdraw, and by
// no other.
func TestJoinEquivocation(t *testing.T) {
	bob, carol := newSigner('b'), newSigner('c')
	for name, tc := range map[string]struct {
		by   sign.Signer
		want bool
	}{"by the key that signed both": {bob, false}, "by another key without the role": {carol, false}, "by a key with the role": {alice, true}} {
		c := newChain(t)
		list := []byte(string(listOf(bob, alice)) + `carol namespaces="git" ` + carol.Key().Authorized() + "\n")
		c.by = alice
		base := c.add(map[string][]byte{layout.PathAllowedSigners: list}, nil)
		c.by = bob
		first := c.add(letter("One.\n", "1.txt"), nil)
		c.by = alice
		ours := c.add(letter("Two.\n", "2.txt"), nil)
		c.back(base, bob)
		theirs := c.add(letter("Three.\n", "3.txt"), nil)
		c.by = tc.by
		joined := c.join(ours, letter("One.\n", "1.txt"), nil)
		history, err := History(c.get, c.tip)
		if err != nil {
			t.Fatal(err)
		}
		if twice := FindEquivocation(history, ours, theirs); twice == nil || twice.ID != first.ID {
			t.Errorf("%s: the equivocation found is %+v", name, twice)
		}
		report := must(CheckWith(c.store, c.tip, Checking{Allowed: must(sign.ParseAllowedSigners(list))}))
		bad := slices.ContainsFunc(report.Unauthorized, func(p Problem) bool {
			return p.Seq == joined.Seq && strings.Contains(p.Reason, "two snapshots 2 by the key "+bob.Key().Fingerprint())
		})
		if bad == tc.want || report.Withdrawing == 0 {
			t.Errorf("%s: %v, %v", name, report.Unauthorized, report.Problems)
		}
	}
}

// personsOf is a list of third parties: names, each with its state.
func personsOf(rule string, names ...string) map[string][]byte {
	p := access.Persons{ThirdParties: rule, Persons: []access.Person{}}
	for i := 0; i < len(names); i += 2 {
		p.Persons = append(p.Persons, access.Person{Name: names[i], State: names[i+1]})
	}
	return map[string][]byte{layout.PathPersons: must(p.Encode())}
}

// tiersOf is a list of tiers: names, each with its excerpt.
func tiersOf(tiers ...any) map[string][]byte {
	var t access.Tiers
	for i := 0; i < len(tiers); i += 2 {
		t.Tiers = append(t.Tiers, access.Tier{Name: tiers[i].(string), Excerpt: tiers[i+1].(int)})
	}
	return map[string][]byte{layout.PathTiers: must(t.Encode())}
}

func auditorsOf(recipients ...string) map[string][]byte {
	return map[string][]byte{layout.PathAuditors: must(access.Auditors{Scopes: []access.Scope{{Name: "auditor", Recipients: recipients}}}.Encode())}
}

func subjectOf(died string) map[string][]byte {
	return map[string][]byte{layout.PathSubject: must(access.Subject{Name: "Ada Vale", Died: died}.Encode())}
}

func profileOf(text string) map[string][]byte {
	return map[string][]byte{layout.PathProfiles + "own.json": []byte(text)}
}

func signersOf(namespaces string) map[string][]byte {
	return map[string][]byte{layout.PathAllowedSigners: []byte(`ada namespaces="` + namespaces + `" ` + alice.Key().Authorized() + "\n")}
}

// The rule of who may: each step with the acts it needs the role for.
func TestStep(t *testing.T) {
	one1 := letter("One.\r\n", "1.txt")
	id := artifactOf(one1)
	closed := must(access.ConsentDefault{Default: access.ConsentClosed}.Encode())
	open := must(access.ConsentDefault{Default: access.ConsentOpen}.Encode())
	path := layout.ConsentPath(id)
	for _, c := range []struct {
		name         string
		base, change map[string][]byte
		acts         []string
		broken       string
	}{
		{"adding", nil, letter("Two.\n", "2.txt"), nil, ""},
		{"withdrawing", nil, withdraw(one1), []string{"drops the payload", "drops a record", "withdraws the artifact"}, ""},
		{"dropping", nil, map[string][]byte{layout.ArtifactPath(id): nil}, []string{"drops the payload"}, "no withdrawal says why"},
		{"withdrawing what is held", map[string][]byte{layout.HoldPath(id): holdOn(id)}, withdraw(one1), []string{"drops the payload", "drops a record", "withdraws the artifact"}, "withdraws what is held"},
		{"holding", nil, map[string][]byte{layout.HoldPath(id): holdOn(id)}, nil, ""},
		{"releasing", map[string][]byte{layout.HoldPath(id): holdOn(id)}, map[string][]byte{layout.HoldPath(id): nil}, []string{"releases the hold"}, ""},
		{"tightening", map[string][]byte{path: consentTo(id, true, true, "r")}, map[string][]byte{path: consentTo(id, false, true, "r")}, nil, ""},
		{"loosening", map[string][]byte{path: consentTo(id, false, true, "r")}, map[string][]byte{path: consentTo(id, true, true, "r")}, []string{"loosens consent"}, ""},
		{"another reason", map[string][]byte{path: consentTo(id, true, true, "r")}, map[string][]byte{path: consentTo(id, true, true, "s")}, nil, ""},
		{"dropping a consent", map[string][]byte{path: consentTo(id, false, true, "r")}, map[string][]byte{path: nil}, []string{"drops a consent"}, ""},
		{"above the default", map[string][]byte{layout.PathConsent: closed}, map[string][]byte{path: consentTo(id, true, true, "r")}, []string{"loosens consent"}, ""},
		{"within the default", nil, map[string][]byte{path: consentTo(id, true, true, "r")}, nil, ""},
		{"opening", map[string][]byte{layout.PathConsent: closed}, map[string][]byte{layout.PathConsent: open}, []string{"loosens the archive's consent"}, ""},
		{"closing", nil, map[string][]byte{layout.PathConsent: closed}, nil, ""},
		{"sealing a person", nil, personsOf("listed", "Ann Vale", "sealed"), nil, ""},
		{"clearing a person", personsOf("listed", "Ann Vale", "sealed"), personsOf("listed", "Ann Vale", "cleared"), []string{"loosens the list of persons"}, ""},
		{"naming a sealed person", personsOf("listed", "Ann Vale", "sealed"), personsOf("listed", "Ann Vale", "anonymized"), []string{"loosens the list of persons"}, ""},
		{"striking a person out", personsOf("listed", "Ann Vale", "sealed"), personsOf("listed"), []string{"loosens the list of persons"}, ""},
		{"dropping the persons", personsOf("listed", "Ann Vale", "sealed"), map[string][]byte{layout.PathPersons: nil}, []string{"loosens the list of persons"}, ""},
		{"dropping cleared persons", personsOf("listed", "Ann Vale", "cleared"), map[string][]byte{layout.PathPersons: nil}, nil, ""},
		{"a longer name around a sealed one", personsOf("listed", "Ann", "sealed"), personsOf("listed", "Ann", "sealed", "Ann Vale", "cleared"), []string{"loosens the list of persons"}, ""},
		{"a longer sealed name", personsOf("listed", "Ann", "sealed"), personsOf("listed", "Ann", "sealed", "Ann Vale", "sealed"), nil, ""},
		{"third parties open", personsOf("listed"), personsOf("open"), []string{"loosens the list of persons"}, ""},
		{"third parties strict", personsOf("listed", "Ann Vale", "sealed"), personsOf("strict", "Ann Vale", "sealed"), nil, ""},
		{"strict no more", personsOf("strict"), personsOf("listed"), []string{"loosens the list of persons"}, ""},
		{"clearing where it is strict", personsOf("strict"), personsOf("strict", "Ann Vale", "cleared"), []string{"loosens the list of persons"}, ""},
		{"first tiers", nil, tiersOf("guest", 0, "reader", 140), nil, ""},
		{"a tier between", tiersOf("guest", 0, "reader", 140), tiersOf("guest", 0, "member", 80, "reader", 140), nil, ""},
		{"a tier goes", tiersOf("guest", 0, "reader", 140), tiersOf("guest", 0), []string{"loosens the tiers"}, ""},
		{"tiers change places", tiersOf("guest", 0, "reader", 0, "staff", 0), tiersOf("guest", 0, "staff", 0, "reader", 0), []string{"loosens the tiers"}, ""},
		{"longer excerpts", tiersOf("guest", 0, "reader", 140), tiersOf("guest", 10, "reader", 140), []string{"loosens the tiers"}, ""},
		{"shorter excerpts", tiersOf("guest", 10, "reader", 140), tiersOf("guest", 0, "reader", 100), nil, ""},
		{"more for nobody in particular", tiersOf("guest", 0), tiersOf("visitor", 10, "guest", 0), []string{"loosens the tiers"}, ""},
		{"no tiers", tiersOf("guest", 0), map[string][]byte{layout.PathTiers: nil}, []string{"drops the tiers"}, ""},
		{"a first Cedar text", nil, map[string][]byte{layout.PathCedar: []byte("permit (principal, action, resource);\n")}, nil, ""},
		{"another Cedar text", map[string][]byte{layout.PathCedar: []byte("forbid (principal, action, resource);\n")}, map[string][]byte{layout.PathCedar: []byte("permit (principal, action, resource);\n")}, []string{"changes the Cedar text"}, ""},
		{"no Cedar text", map[string][]byte{layout.PathCedar: []byte("forbid (principal, action, resource);\n")}, map[string][]byte{layout.PathCedar: nil}, []string{"drops the Cedar text"}, ""},
		{"first auditors", nil, auditorsOf("age1ours"), []string{"begins a list of auditors"}, ""},
		{"an auditor more", auditorsOf("age1ours"), auditorsOf("age1ours", "age1eve"), []string{"changes the auditors"}, ""},
		{"an auditor less", auditorsOf("age1ours", "age1eve"), auditorsOf("age1ours"), []string{"changes the auditors"}, ""},
		{"no auditors", auditorsOf("age1ours"), map[string][]byte{layout.PathAuditors: nil}, []string{"drops the auditors"}, ""},
		{"another subject", subjectOf("1977-10-30"), subjectOf("1999-10-30"), []string{"changes the subject"}, ""},
		{"a profile", nil, profileOf("{}"), nil, ""},
		{"another profile", profileOf("{}"), profileOf("{ }"), []string{"changes a profile"}, ""},
		{"a key to sign", signersOf("git"), signersOf("git,answer@muniment"), []string{"changes the allowed signers"}, ""},
		{"a key to withdraw", signersOf("git"), signersOf("git,withdraw@muniment"), []string{"gives a key the role withdraw"}, ""},
		{"a key for everything", signersOf("git"), signersOf("*"), []string{"gives a key the role withdraw"}, ""},
		{"a key to withdraw no more", signersOf("git,withdraw@muniment"), signersOf("git"), []string{"changes the allowed signers"}, ""},
		{"no signers", signersOf("git"), map[string][]byte{layout.PathAllowedSigners: nil}, []string{"drops the allowed signers"}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			ch := newChain(t)
			files := maps.Clone(one1)
			if c.base[layout.PathAllowedSigners] != nil { // who begins the list is a rule of its own
				maps.Copy(files, c.base)
			}
			first := ch.add(files, nil)
			if c.base != nil && c.base[layout.PathAllowedSigners] == nil {
				first = ch.add(c.base, nil)
			}
			second := ch.add(c.change, nil)
			step := must(NewStep(ch.store, first.Tree, second.Tree))
			var acts []string
			for _, a := range step.Acts {
				acts = append(acts, a.What)
			}
			if strings.Join(acts, "; ") != strings.Join(c.acts, "; ") {
				t.Errorf("acts %q, want %q", acts, c.acts)
			}
			if broken := fmt.Sprint(step.Broken); (c.broken == "") != (len(step.Broken) == 0) || !strings.Contains(broken, c.broken) {
				t.Errorf("broken %s, want %q", broken, c.broken)
			}
			// The rule over the history: alice may not withdraw, bob may.
			bob := newSigner('b')
			allowed := must(sign.ParseAllowedSigners([]byte(`ada namespaces="git" ` + alice.Key().Authorized() + "\n" + `bob namespaces="withdraw@muniment" ` + bob.Key().Authorized() + "\n")))
			report := must(CheckWith(ch.store, ch.tip, Checking{Allowed: allowed}))
			if want := len(c.acts) > 0; (report.Withdrawing > 0) != want || (len(report.Unauthorized) > 0) != want || len(report.Untrusted) > 0 {
				t.Errorf("%d withdrawing, %v unauthorized", report.Withdrawing, report.Unauthorized)
			}
			countersignatures := Countersignatures{second.Seq: {*must(second.Countersign(bob))}}
			if err := PermitSigners(allowed)(trust.Withdraw, second, countersignatures.Signers(second)); err != nil {
				t.Errorf("countersigned: %v", err)
			}
			if err := PermitSigners(allowed)(trust.Withdraw, first, Countersignatures{first.Seq: countersignatures[second.Seq]}.Signers(first)); err == nil {
				t.Error("the countersignature of one snapshot counts for another")
			}
		})
	}
}
