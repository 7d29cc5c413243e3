package policy

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"muniment/cid"
	"muniment/snapshot/access"
	"muniment/snapshot/layout"
)

var artifact = cid.Of([]byte("a letter\n"))

// load loads the default policy with changes.
func load(t testing.TB, o Defaults, change func(map[string][]byte)) *Policy {
	t.Helper()
	if o.Tiers == nil {
		o.Tiers = []access.Tier{{Name: "public", Excerpt: 140}, {Name: "researcher", Excerpt: 280}, {Name: "family", Excerpt: 500}}
	}
	files, err := DefaultFiles(o)
	if err != nil {
		t.Fatal(err)
	}
	if change != nil {
		change(files)
	}
	p, err := Load(files)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func consent(bits int, tier string) *access.Consent {
	return &access.Consent{Artifact: artifact.String(), MinTier: tier, Reason: "test", Time: "2026-01-01T00:00:00Z", Agent: "test",
		Inclusion: bits&1 != 0, Surfacing: bits&2 != 0, Display: bits&4 != 0, Existence: bits&8 != 0}
}

// TestConsentMatrix tries every combination of the four dimensions, the
// lowest tier of the artifact, the tier of the requestor, and the person
// mentioned, against the sentence of the package comment; once with the
// default Cedar text and once with one that permits everything, which must
// not widen anything.
func TestConsentMatrix(t *testing.T) {
	persons := []access.Person{
		{Name: "Ann", State: access.PersonSealed}, {Name: "Bea", State: access.PersonAnonymized}, {Name: "Cy", State: access.PersonCleared},
	}
	tiers := []string{"public", "researcher", "family"}
	excerpt := map[string]int{"public": 140, "researcher": 280, "family": 500}
	tried := 0
	for _, mode := range []string{access.ThirdPartiesOpen, access.ThirdPartiesListed, access.ThirdPartiesStrict} {
		o := Defaults{ThirdParties: mode, Persons: persons}
		policies := []*Policy{load(t, o, nil), load(t, o, func(f map[string][]byte) {
			f[layout.PathCedar] = []byte("permit (principal, action, resource);")
		})}
		for bits := range 16 {
			for minRank, minTier := range []string{"", "researcher", "family", "unheard"} {
				for rank, tier := range tiers {
					for _, named := range []bool{true, false} {
						for _, mention := range []string{"", "Ann", "Bea", "Cy", "Stranger"} {
							who := Requestor{Tier: tier}
							has := 0
							if named {
								who.Name, has = "Dora", rank
							}
							what := Resource{Artifact: artifact, Consent: consent(bits, minTier)}
							if mention != "" {
								what.Persons = []string{mention}
							}
							strict := mode == access.ThirdPartiesStrict
							blocked := mention == "Ann" || strict && (mention == "Bea" || mention == "Stranger")
							want := Permission{Sealed: blocked}
							want.Existence = bits&1 != 0 && bits&8 != 0 && has >= minRank
							want.Surface = want.Existence && bits&2 != 0 && !blocked
							want.Display = want.Surface && bits&4 != 0
							if want.Display {
								want.Excerpt, want.Reading = excerpt[tiers[has]], access.ReadingWhole
							}
							for i, p := range policies {
								got, err := p.Decide(who, what)
								if err != nil {
									t.Fatal(err)
								}
								if (len(got.Reasons) == 0) != (got.Display) {
									t.Errorf("display %v with reasons %q", got.Display, got.Reasons)
								}
								got.Reasons = nil
								if diff := cmp.Diff(want, got); diff != "" {
									t.Fatalf("policy %d, %s, bits %04b, min %q, %+v, mention %q (-want +got)\n%s", i, mode, bits, minTier, who, mention, diff)
								}
								tried++
							}
						}
					}
				}
			}
		}
	}
	if want := 3 * 16 * 4 * 3 * 2 * 5 * 2; tried != want {
		t.Errorf("tried %d, want %d", tried, want)
	}
}

func TestDefaultConsent(t *testing.T) {
	for mode, want := range map[string]Permission{
		access.ConsentOpen:   {Surface: true, Display: true, Existence: true, Excerpt: 140, Reading: access.ReadingWhole},
		access.ConsentClosed: {},
	} {
		p := load(t, Defaults{Consent: mode}, nil)
		got, err := p.Decide(Requestor{}, Resource{Artifact: artifact})
		if err != nil {
			t.Fatal(err)
		}
		got.Reasons = nil
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got)\n%s", mode, diff)
		}
		if c := p.DefaultConsent(); !c.Inclusion || c.Display != (mode == access.ConsentOpen) {
			t.Errorf("%s: default consent %+v", mode, c)
		}
	}
}

func TestPresets(t *testing.T) {
	want := map[string]Permission{
		"open":         {Surface: true, Display: true, Existence: true, Excerpt: 500, Reading: access.ReadingExcerpts},
		"auditor-only": {Surface: true, Existence: true},
		"hidden":       {},
		"closed":       {},
	}
	p := load(t, Defaults{Consent: access.ConsentClosed}, nil)
	if len(Presets()) != len(want) {
		t.Fatalf("%d presets, want %d", len(Presets()), len(want))
	}
	for _, preset := range Presets() {
		c := preset.Apply(*consent(0, ""))
		got, err := p.Decide(Requestor{"Dora", "family"}, Resource{Artifact: artifact, Consent: &c})
		if err != nil {
			t.Fatal(err)
		}
		got.Reasons = nil
		if diff := cmp.Diff(want[preset.Name], got); diff != "" {
			t.Errorf("%s (-want +got)\n%s", preset.Name, diff)
		}
		if again, err := FindPreset(preset.Name); err != nil || again != preset {
			t.Errorf("%s: found %+v, %v", preset.Name, again, err)
		}
	}
	if _, err := FindPreset("secret"); err == nil {
		t.Error("an unknown preset is found")
	}
}

func TestDecideErrors(t *testing.T) {
	p := load(t, Defaults{}, nil)
	other := consent(15, "")
	other.Artifact = cid.Of([]byte("another\n")).String()
	for name, c := range map[string]struct {
		who  Requestor
		what Resource
	}{
		"unknown tier":             {Requestor{"Dora", "royal"}, Resource{Artifact: artifact}},
		"unknown tier of nobody":   {Requestor{"", "royal"}, Resource{Artifact: artifact}},
		"tier in capitals":         {Requestor{"Dora", "Family"}, Resource{Artifact: artifact}},
		"control character":        {Requestor{"Do\nra", "family"}, Resource{Artifact: artifact}},
		"long name":                {Requestor{strings.Repeat("x", MaxRequestor+1), "family"}, Resource{Artifact: artifact}},
		"name not UTF-8":           {Requestor{"\xff", "family"}, Resource{Artifact: artifact}},
		"consent of another":       {Requestor{}, Resource{Artifact: artifact, Consent: other}},
		"consent without artifact": {Requestor{}, Resource{Artifact: artifact, Consent: &access.Consent{}}},
	} {
		got, err := p.Decide(c.who, c.what)
		if err == nil || !cmp.Equal(got, Permission{}) {
			t.Errorf("%s: %+v, %v; want an error and nothing", name, got, err)
		}
	}
	for who, want := range map[Requestor]string{{}: "public", {"", "family"}: "public", {"Dora", ""}: "public", {"Dora", "family"}: "family"} {
		if got, err := p.Tier(who); err != nil || got != want {
			t.Errorf("%+v: tier %q, %v; want %q", who, got, err, want)
		}
	}
}

// TestCedarClosesMore checks that a Cedar text can take away, and that a
// closed action takes the stricter ones with it.
func TestCedarClosesMore(t *testing.T) {
	add := func(text string) func(map[string][]byte) {
		return func(f map[string][]byte) { f[layout.PathCedar] = append(f[layout.PathCedar], text...) }
	}
	all := Permission{Surface: true, Display: true, Existence: true, Excerpt: 500, Reading: access.ReadingWhole}
	for _, c := range []struct {
		name, cedar string
		who         Requestor
		want        Permission
	}{
		{"nothing more", "", Requestor{"Dora", "family"}, all},
		{"one artifact", `forbid (principal, action == Action::"display", resource == Artifact::"` + artifact.String() + `");`,
			Requestor{"Dora", "family"}, Permission{Surface: true, Existence: true}},
		{"one requestor", `forbid (principal == Requestor::"Dora", action, resource);`, Requestor{"Dora", "family"}, Permission{}},
		{"another requestor", `forbid (principal == Requestor::"Eve", action, resource);`, Requestor{"Dora", "family"}, all},
		{"existence alone", `forbid (principal, action == Action::"existence", resource);`, Requestor{"Dora", "family"}, Permission{}},
		{"surface alone", `forbid (principal, action == Action::"surface", resource);`, Requestor{"Dora", "family"}, Permission{Existence: true}},
		{"the unnamed", `forbid (principal, action, resource) unless { principal.named };`, Requestor{"", "family"}, Permission{}},
		{"below a tier", `forbid (principal, action, resource) unless { principal in Tier::"researcher" };`, Requestor{"Dora", "public"}, Permission{}},
		{"at a tier", `forbid (principal, action, resource) unless { principal in Tier::"researcher" };`, Requestor{"Dora", "researcher"},
			Permission{Surface: true, Display: true, Existence: true, Excerpt: 280, Reading: access.ReadingWhole}},
		{"above a tier", `forbid (principal, action, resource) unless { principal in Tier::"researcher" };`, Requestor{"Dora", "family"}, all},
		{"a broken forbid", `forbid (principal, action, resource == Artifact::"` + artifact.String() + `") when { resource.secret };`,
			Requestor{"Dora", "family"}, Permission{}},
	} {
		got, err := load(t, Defaults{}, add(c.cedar)).Decide(c.who, Resource{Artifact: artifact})
		if err != nil {
			t.Fatal(err)
		}
		got.Reasons = nil
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got)\n%s", c.name, diff)
		}
	}
}

func TestReasons(t *testing.T) {
	p := load(t, Defaults{}, nil)
	got, err := p.Decide(Requestor{}, Resource{Artifact: artifact, Consent: consent(11, "")})
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Reasons) != 2 || got.Reasons[0] != "display: consent withholds display" || !strings.HasPrefix(got.Reasons[1], "display: Cedar policy display at line ") {
		t.Errorf("reasons %q", got.Reasons)
	}
	none := load(t, Defaults{}, func(f map[string][]byte) {
		f[layout.PathCedar] = []byte(`permit (principal, action == Action::"existence", resource);`)
	})
	if got, err = none.Decide(Requestor{}, Resource{Artifact: artifact}); err != nil || !got.Existence || got.Surface || len(got.Reasons) != 2 {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestLoadErrors(t *testing.T) {
	for name, change := range map[string]func(map[string][]byte){
		"unknown path":  func(f map[string][]byte) { f["policy/extra.json"] = []byte("{}") },
		"path outside":  func(f map[string][]byte) { f["trust/allowed_signers"] = nil },
		"no persons":    func(f map[string][]byte) { delete(f, layout.PathPersons) },
		"no consent":    func(f map[string][]byte) { delete(f, layout.PathConsent) },
		"no tiers":      func(f map[string][]byte) { delete(f, layout.PathTiers) },
		"no Cedar":      func(f map[string][]byte) { delete(f, layout.PathCedar) },
		"final newline": func(f map[string][]byte) { f[layout.PathTiers] = append(f[layout.PathTiers], '\n') },
		"wrong type":    func(f map[string][]byte) { f[layout.PathTiers] = f[layout.PathPersons] },
		"empty file":    func(f map[string][]byte) { f[layout.PathConsent] = nil },
		"empty Cedar":   func(f map[string][]byte) { f[layout.PathCedar] = []byte("// nothing\n") },
		"broken Cedar":  func(f map[string][]byte) { f[layout.PathCedar] = []byte("permit (principal") },
		"wrong attribute": func(f map[string][]byte) {
			f[layout.PathCedar] = []byte("permit (principal, action, resource) when { resource.dispaly };")
		},
		"wrong value type": func(f map[string][]byte) {
			f[layout.PathCedar] = []byte("permit (principal, action, resource) when { principal.tier > 1 };")
		},
		"long Cedar": func(f map[string][]byte) {
			f[layout.PathCedar] = append(f[layout.PathCedar], strings.Repeat("/", MaxCedar)...)
		},
		"many policies": func(f map[string][]byte) {
			f[layout.PathCedar] = []byte(strings.Repeat("permit(principal,action,resource);", MaxPolicies+1))
		},
		"Cedar not UTF-8":  func(f map[string][]byte) { f[layout.PathCedar] = append(f[layout.PathCedar], "// \xff\n"...) },
		"Cedar with a NUL": func(f map[string][]byte) { f[layout.PathCedar] = append(f[layout.PathCedar], "// \x00\n"...) },
		"tier without name": func(f map[string][]byte) {
			f[layout.PathTiers] = []byte(`{"tiers":[{"excerpt":1,"name":""}],"type":"muniment/tiers/v1"}`)
		},
		"unknown state": func(f map[string][]byte) {
			f[layout.PathPersons] = []byte(`{"persons":[{"name":"A","state":"maybe"}],"third_parties":"open","type":"muniment/persons/v1"}`)
		},
	} {
		files, err := DefaultFiles(Defaults{})
		if err != nil {
			t.Fatal(err)
		}
		change(files)
		if p, err := Load(files); err == nil || p != nil {
			t.Errorf("%s: loaded", name)
		}
	}
	if _, err := Load(nil); err == nil {
		t.Error("no files: loaded")
	}
}

func TestDefaultFilesErrors(t *testing.T) {
	for name, o := range map[string]Defaults{
		"consent":       {Consent: "ajar"},
		"third parties": {ThirdParties: "some"},
		"no tiers":      {Tiers: []access.Tier{}},
		"negative":      {Tiers: []access.Tier{{Name: "a", Excerpt: -1}}},
		"same tiers":    {Tiers: []access.Tier{{Name: "a", Excerpt: 1}, {Name: "a", Excerpt: 2}}},
		"subject":       {Subject: access.Subject{Name: "A", Born: "yesterday"}},
	} {
		if files, err := DefaultFiles(o); err == nil || files != nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

func TestDigest(t *testing.T) {
	files, err := DefaultFiles(Defaults{Subject: access.Subject{Name: "Ada Vale"}})
	if err != nil {
		t.Fatal(err)
	}
	p, err := Load(files)
	if err != nil {
		t.Fatal(err)
	}
	var list strings.Builder
	for _, path := range slices.Sorted(maps.Keys(files)) {
		fmt.Fprintf(&list, "%x  %s\n", sha256.Sum256(files[path]), path)
	}
	want := sha256.Sum256([]byte(list.String()))
	if p.Digest() != want {
		t.Errorf("digest %s, want %s", hex.EncodeToString(p.digest[:]), hex.EncodeToString(want[:]))
	}
	files[layout.PathCedar] = append(files[layout.PathCedar], '\n')
	if changed, err := Load(files); err != nil || changed.Digest() == want {
		t.Errorf("a changed file keeps the digest (%v)", err)
	}
	if p.Subject.Name != "Ada Vale" || p.Lowest() != "public" || len(p.Scopes) != 0 {
		t.Errorf("loaded %+v", p)
	}
}

func TestAuditorScopes(t *testing.T) {
	scopes := []access.Scope{{Name: "audit", Recipients: []string{"age1" + strings.Repeat("q", 58)}, Default: true}}
	files, err := DefaultFiles(Defaults{Auditors: scopes})
	if err != nil {
		t.Fatal(err)
	}
	if p, err := Load(files); err != nil || !cmp.Equal(p.Scopes, scopes) {
		t.Errorf("loaded policy: %v", err)
	}
	files[layout.PathAuditors] = []byte("{}")
	if _, err := Load(files); err == nil {
		t.Error("damaged auditors: no error")
	}
}

// TestConsentReduces checks that taking away a dimension, a tier or a
// person's clearance never widens a permission.
func TestConsentReduces(t *testing.T) {
	p := load(t, Defaults{Persons: []access.Person{{Name: "Ann", State: access.PersonSealed}, {Name: "Bea", State: access.PersonAnonymized}}}, nil)
	rapid.Check(t, func(t *rapid.T) {
		bits := rapid.IntRange(0, 15).Draw(t, "bits")
		fewer := bits & rapid.IntRange(0, 15).Draw(t, "mask")
		rank := rapid.IntRange(0, 2).Draw(t, "rank")
		lower := rapid.IntRange(0, rank).Draw(t, "lower")
		mentioned := rapid.SliceOfN(rapid.SampledFrom([]string{"Ann", "Bea", "Cy"}), 0, 3).Draw(t, "mentioned")
		wide, err := p.Decide(Requestor{"Dora", p.Tiers[rank].Name}, Resource{Artifact: artifact, Consent: consent(bits, "")})
		if err != nil {
			t.Fatal(err)
		}
		narrow, err := p.Decide(Requestor{"Dora", p.Tiers[lower].Name}, Resource{artifact, consent(fewer, ""), mentioned})
		if err != nil {
			t.Fatal(err)
		}
		if narrow.Existence && !wide.Existence || narrow.Surface && !wide.Surface || narrow.Display && !wide.Display || narrow.Excerpt > wide.Excerpt {
			t.Fatalf("wide %+v, narrow %+v", wide, narrow)
		}
		if narrow.Display && !narrow.Surface || narrow.Surface && !narrow.Existence || !narrow.Display && narrow.Excerpt != 0 {
			t.Fatalf("out of order: %+v", narrow)
		}
	})
}

func FuzzLoad(f *testing.F) {
	files, err := DefaultFiles(Defaults{Subject: access.Subject{Name: "Ada Vale"}, Persons: []access.Person{{Name: "Ann", State: access.PersonSealed}}})
	if err != nil {
		f.Fatal(err)
	}
	paths := slices.Sorted(maps.Keys(files))
	for i, path := range paths {
		f.Add(uint8(i), files[path])
	}
	f.Fuzz(func(t *testing.T, which uint8, data []byte) {
		changed := maps.Clone(files)
		path := paths[int(which)%len(paths)]
		changed[path] = data
		p, err := Load(changed)
		if err != nil {
			if p != nil {
				t.Fatal("an error and a policy")
			}
			return
		}
		var again []byte
		switch path {
		default:
			return
		case layout.PathSubject:
			again, err = p.Subject.Encode()
		case layout.PathPersons:
			again, err = p.Persons.Encode()
		case layout.PathTiers:
			again, err = access.Tiers{Tiers: p.Tiers}.Encode()
		}
		if err != nil || string(again) != string(data) {
			t.Fatalf("%s: %q loads and re-encodes as %q (%v)", path, data, again, err)
		}
	})
}

// Load does not try the Cedar text of a new archive: it holds on every combination, with one tier and with many.
func TestDefaultCedarHolds(t *testing.T) {
	for _, names := range [][]string{{"all"}, {"public", "researcher", "family"}, {"a", "b", "c", "d", "e", "f", "g", "h"}} {
		var tiers []access.Tier
		for i, name := range names {
			tiers = append(tiers, access.Tier{Name: name, Excerpt: 100 * (i + 1)})
		}
		p := load(t, Defaults{Tiers: tiers}, nil)
		if err := p.try(); err != nil {
			t.Errorf("%d tiers: %v", len(tiers), err)
		}
	}
}
