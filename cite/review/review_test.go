package review

import (
	"crypto/ed25519"
	"strings"
	"testing"

	"muniment/cid"
	"muniment/sign"
)

// A person is a reviewer with a key made from a name.
type person struct{ private ed25519.PrivateKey }

func newPerson(name string) person {
	return person{ed25519.NewKeyFromSeed([]byte((name + strings.Repeat(".", ed25519.SeedSize))[:ed25519.SeedSize]))}
}

func (p person) Key() sign.Key {
	k, err := sign.KeyOf([32]byte(p.private.Public().(ed25519.PublicKey)))
	if err != nil {
		panic(err)
	}
	return k
}

func (p person) SignSSH(data []byte) ([]byte, error) {
	field := func(b []byte, s string) []byte {
		return append(append(b, byte(len(s)>>24), byte(len(s)>>16), byte(len(s)>>8), byte(len(s))), s...)
	}
	return field(field(nil, sign.TypeEd25519), string(ed25519.Sign(p.private, data))), nil
}

func newSubject(t testing.TB) Subject {
	around, err := HashSurroundings("On 3 May ", ", and nobody was hurt.")
	if err != nil {
		t.Fatal(err)
	}
	return Subject{Artifact: cid.Of([]byte("On 3 May the mill burned down, and nobody was hurt.\n")).String(), Claim: "The mill was lost to a fire.",
		Span: "p1:9-29", Words: "the mill burned down", Surroundings: around}
}

func mustSign(t testing.TB, r Review, s Subject, by person) []byte {
	data, err := Sign(r, s, by)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func mustParse(t testing.TB, data []byte) *Review {
	r, err := Parse(data)
	if err != nil {
		t.Fatalf("%v: %s", err, data)
	}
	return r
}

func TestSign(t *testing.T) {
	ada, s := newPerson("ada"), newSubject(t)
	r := mustParse(t, mustSign(t, Review{Verdict: Follows, Day: "2026-05-03", Name: "Ada Vale"}, s, ada))
	if r.Key() != ada.Key() || r.Reviewer() != "Ada Vale" || r.Reason != "meaning" {
		t.Errorf("by %s for %s", r.Reviewer(), r.Reason)
	}
	if err := r.IsOf(s); err != nil {
		t.Error(err)
	}
	for name, change := range map[string]func(*Subject){
		"claim": func(s *Subject) { s.Claim += "!" }, "words": func(s *Subject) { s.Words += "." }, "span": func(s *Subject) { s.Span = "p1:9-30" },
		"artifact": func(s *Subject) { s.Artifact = cid.Of([]byte("another")).String() }, "surroundings": func(s *Subject) { s.Surroundings = strings.Repeat("ab", 32) },
	} {
		other := s
		change(&other)
		if r.IsOf(other) == nil {
			t.Errorf("it is taken for a review of another %s", name)
		}
	}
}

func TestRefused(t *testing.T) {
	s, ada := newSubject(t), newPerson("ada")
	for name, r := range map[string]Review{
		"no verdict":                  {Day: "2026-05-03"},
		"no day":                      {Verdict: Follows},
		"a day of no month":           {Verdict: Follows, Day: "2026-02-30"},
		"a reason of another verdict": {Verdict: Follows, Reason: "missing", Day: "2026-05-03"},
		"a name of two lines":         {Verdict: Follows, Day: "2026-05-03", Name: "Ada\nVale"},
		"what it replaces is no ID":   {Verdict: Follows, Day: "2026-05-03", Replaces: "the first one"},
	} {
		if data, err := Sign(r, s, ada); err == nil || data != nil {
			t.Errorf("%s is signed", name)
		}
	}
	if _, err := Sign(Review{Verdict: Follows, Day: "2026-05-03"}, Subject{}, ada); err == nil {
		t.Error("a review of nothing is signed")
	}
}

// The newest review of a key is in force; both stay, and nobody replaces another's.
func TestNewest(t *testing.T) {
	ada, ben, s := newPerson("ada"), newPerson("ben"), newSubject(t)
	first := mustParse(t, mustSign(t, Review{Verdict: Follows, Day: "2026-05-03"}, s, ada))
	second := mustParse(t, mustSign(t, Review{Verdict: Not, Day: "2026-05-04", Replaces: first.ID().String()}, s, ada))
	thief := mustParse(t, mustSign(t, Review{Verdict: Not, Day: "2026-05-05", Replaces: second.ID().String()}, s, ben))
	got := Newest([]*Review{first, second, thief})
	if len(got) != 2 || got[0] != second || got[1] != thief {
		t.Errorf("%d reviews in force, want the second of the one and that of the other", len(got))
	}
}
