package policy

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"muniment/snapshot/access"
)

// veiling has persons of every state around Ada Fenwick.
func veiling(t testing.TB) *Policy {
	t.Helper()
	files, err := DefaultFiles(Defaults{Subject: access.Subject{Name: "Ada Fenwick", Aliases: []string{"Ada"}}, Persons: []access.Person{
		{Name: "Ines Roth", Aliases: []string{"the lantern woman", "Nessie"}, State: access.PersonAnonymized},
		{Name: "Tobias Lunt", State: access.PersonCleared},
		{Name: "Mary Ann O'Hara", State: access.PersonAnonymized},
		{Name: "Karl Roth", State: access.PersonSealed},
		{Name: "Tom Fenwick", State: access.PersonAnonymized},
		{Name: "Rose", State: access.PersonAnonymized},
		{Name: "Ines Lunt", State: access.PersonCleared},
	}})
	if err != nil {
		t.Fatal(err)
	}
	p, err := Load(files)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestVeiled(t *testing.T) {
	p := veiling(t)
	tried := 0
	for text, want := range map[string]string{
		"":                                             "",
		"Ines Roth told me.":                           "[Person A] told me.",
		"INES ROTH, ines roth":                         "[Person A], [Person A]",
		"Ines\n Roth told me.":                         "[Person A] told me.",
		"Ines Roth's lamp, Ines Roth’s":                "[Person A]'s lamp, [Person A]’s",
		"Ines told me.":                                "[name withheld] told me.",
		"Miss Ines told me.":                           "[name withheld] told me.",
		"ask the lantern woman":                        "ask [Person A]",
		"Nessie and Nessie's son":                      "[Person A] and [Person A]'s son",
		"I. Roth wrote; I Roth wrote":                  "[Person A] wrote; [Person A] wrote",
		"I. R. wrote, and I.R. signed":                 "[Person A] wrote, and [Person A] signed",
		"Mrs. R. came":                                 "[name withheld] came",
		"Mrs. R— came, Mrs R-- came":                   "[name withheld] came, [name withheld] came",
		"Ines R. came":                                 "[Person A] came",
		"Mrs. Roth came":                               "[name withheld] came",
		"Roth came":                                    "[name withheld] came",
		"Roths Haus":                                   "[name withheld]s Haus",
		"Karl Roth":                                    "[Person D]",
		"M. A. O’Hara and M. O'Hara":                   "[Person C] and [Person C]",
		"Mary O'Hara":                                  "[Person C]",
		"M. A. O. came":                                "[Person C] came",
		"Tobias Lunt and Ines Lunt met":                "Tobias Lunt and Ines Lunt met",
		"Ada Fenwick and Fenwick":                      "Ada Fenwick and Fenwick",
		"Tom and Tom Fenwick, T. Fenwick":              "[Person E] and [Person E], [Person E]",
		"Mr. Fenwick came":                             "[Person E] came",
		"Rose rose; a rose":                            "[Person F] rose; a rose",
		"Rothenburg, Rosemary, Inesita":                "Rothenburg, Rosemary, Inesita",
		"I read it. I rose. I regret. I R":             "I read it. I rose. I regret. I R",
		"It is I. Ready?":                              "It is I. Ready?",
		"Ines Roth, Ines Roth":                         "[Person A], [Person A]",
		"Ines Roth came. Ines told me, and Roth went.": "[Person A] came. [Person A] told me, and [Person A] went.",
		"Karl Roth and Ines Roth. Roth went.":          "[Person D] and [Person A]. [name withheld] went.",
		"Anton Roth came. Roth went.":                  "Anton Roth came. Roth went.",
		"Tom Roth, T. Roth, Roth Street, Roth & Sons":  "Tom Roth, T. Roth, Roth Street, Roth & Sons",
		"Roth, Ines: letters":                          "[Person A]: letters",
		"my neighbour Roth wept":                       "my neighbour [name withheld] wept",
	} {
		if got := p.Veiled(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
		tried++
	}
	if tried < 35 {
		t.Errorf("%d texts tried", tried)
	}
}

func TestVeils(t *testing.T) {
	got := veiling(t).Veils("Karl Roth and Ines")
	want := []Veil{{0, 9, "Person D", []string{"Karl Roth"}}, {14, 18, nameWithheld, nil}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	nobody := load(t, Defaults{Persons: []access.Person{{Name: "Ines Roth", State: access.PersonCleared}}}, nil)
	if got := nobody.Veils("Ines Roth"); got != nil {
		t.Errorf("a cleared person is veiled: %+v", got)
	}
	for n, want := range map[int]string{0: "A", 25: "Z", 26: "AA", 51: "AZ", 52: "BA", 702: "AAA"} {
		if got := letters(n); got != want {
			t.Errorf("letter %d is %s, want %s", n, got, want)
		}
	}
}

// Pseudonyms stay when a person's state changes and when others are added.
func TestPseudonymsAreStable(t *testing.T) {
	list := []access.Person{{Name: "Ann Ash", State: access.PersonAnonymized}, {Name: "Bea Birch", State: access.PersonAnonymized}}
	before := load(t, Defaults{Persons: list}, nil).Veiled("Bea Birch")
	list = []access.Person{{Name: "Ann Ash", State: access.PersonCleared}, {Name: "Bea Birch", State: access.PersonAnonymized}, {Name: "Cy", State: access.PersonSealed}}
	if after := load(t, Defaults{Persons: list}, nil).Veiled("Bea Birch"); before != "[Person B]" || after != before {
		t.Errorf("%s, then %s", before, after)
	}
}

// Wherever a name is planted, no part of it is left, and everything else is.
func TestVeilsHoldNames(t *testing.T) {
	p := veiling(t)
	plain := rapid.StringMatching(`([a-z]{1,8}[,.;:!?]? ){0,8}`)
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom([]string{"Ines Roth", "Ines", "Roth", "I. Roth", "Mrs. Roth", "Nessie", "the lantern woman", "Mary Ann O'Hara", "O’Hara", "Mr. Fenwick", "Karl"}).Draw(t, "name")
		tail := rapid.SampledFrom([]string{"", "'s", "’s", ".", ",", ")", "\n", "—"}).Draw(t, "tail")
		before, after := plain.Draw(t, "before"), plain.Draw(t, "after")
		got := p.Veiled(before + name + tail + " " + after)
		for _, part := range []string{"Ines", "Roth", "Nessie", "lantern", "Hara", "Fenwick", "Karl"} {
			if strings.Contains(got, part) {
				t.Fatalf("%q leaves %q", got, part)
			}
		}
		if !strings.HasPrefix(got, before) || !strings.HasSuffix(got, " "+after) {
			t.Fatalf("%q lost %q or %q", got, before, after)
		}
	})
}

// A surname alone is the person where nobody else of the archive is known to bear it, and where it
// is decided by an alias.
func TestSurnameAlone(t *testing.T) {
	brigg := func(ivy access.Person) *Policy {
		ivy.Name, ivy.State = "Ivy Brigg", access.PersonAnonymized
		return load(t, Defaults{Persons: []access.Person{ivy}}, nil)
	}
	for _, c := range []struct {
		ivy        access.Person
		text, want string
	}{
		{access.Person{}, "Brigg sold the boat.", "[Person A] sold the boat."},
		{access.Person{}, "Nathan Brigg broke his leg. Brigg wept.", "Nathan Brigg broke his leg. Brigg wept."},
		{access.Person{}, "Mr. Brigg and Ivy came.", "[Person A] and [Person A] came."},
		{access.Person{Not: []string{"Nathan Brigg"}}, "Brigg sold the boat.", "[name withheld] sold the boat."},
		{access.Person{Not: []string{"Nathan Brigg"}}, "Mr. Brigg came, and Ivy.", "[name withheld] came, and [Person A]."},
		{access.Person{Not: []string{"Nathan Brigg"}}, "Ivy Brigg came. Brigg wept.", "[Person A] came. [Person A] wept."},
		{access.Person{Not: []string{"Nathan Brigg"}, Aliases: []string{"Brigg"}}, "Brigg sold the boat.", "[Person A] sold the boat."},
		{access.Person{Not: []string{"Brigg"}}, "Brigg sold the boat to Ivy Brigg.", "Brigg sold the boat to [Person A]."},
		{access.Person{}, "Ivy Green sells ivy in Ivy Lane.", "Ivy Green sells ivy in Ivy Lane."},
		{access.Person{}, "Tom Brigg and Tom", "Tom Brigg and Tom"},
		{access.Person{}, "Yesterday Brigg came. Brigg wept.", "Yesterday [Person A] came. [Person A] wept."},
	} {
		if got := brigg(c.ivy).Veiled(c.text); got != c.want {
			t.Errorf("%q, not %q: %q, want %q", c.text, c.ivy.Not, got, c.want)
		}
	}
	p := brigg(access.Person{Not: []string{"Nathan Brigg"}})
	paper := NewPaper("Ivy Brigg was my aunt.\n\nBrigg sold the boat.", nil, nil)
	if got := p.HideNames("Brigg sold the boat.", paper); got != "[Person A] sold the boat." {
		t.Errorf("in a paper that has the full name: %q", got)
	}
}

// TestPrintedForms holds that a name is found in every form in which it is printed, and that a word that has its letters is not.
func TestPrintedForms(t *testing.T) {
	p := load(t, Defaults{Persons: []access.Person{{Name: "Ines Roth", State: access.PersonSealed}, {Name: "Jürgen Müller", State: access.PersonSealed}, {Name: "Rose Mary", State: access.PersonSealed}, {Name: "Goethe", State: access.PersonSealed}}}, nil)
	for person, texts := range map[string][]string{
		"Ines Roth": {"Ines Roth", "INES ROTH", "ines roth", "Ines Roth's", "INES ROTH'S", "INES ROTHS", "Roth, Ines", "ROTH INES", "Ines\u00a0Roth", "Ines\u2009Roth", "Ines-Roth-Weg", "Ines‑Roth‑Weg", "Ines-Roth", "Ines_Roth", "ines.roth",
			"InesRoth", "I n e s   R o t h", "I n e s R o t h", "I N E S  R O T H", "i n e s r o t h", "I.n.e.s. R.o.t.h.", "I.n.e.s", "I-N-E-S R-O-T-H", "R·o·t·h", "Ines Ro-\nth", "Ines Ro-\r\n  th", "INES RO-\nTH", "I-\nnes Roth", "Ines-\nRoth", "Ines\nRoth",
			"Ro-\nth", "Ines Ro\u00adth", "I\u200bnes Roth", "Roth —\nhe came", "Roth –\nhe", "Roth-\n\nhe", "ROTH-\nThe", "Roth House", "ROTH HOUSE", "Roth Cottage", "Mrs. Roth's", "The Roths"},
		"Jürgen Müller": {"Jürgen Müller", "Juergen Mueller", "Jurgen Muller", "JUERGEN MUELLER", "JÜRGEN MÜLLER", "Ju\u0308rgen Mu\u0308ller", "Herr Mueller", "Müller", "Mueller", "Muller", "M ü l l e r", "juergen_mueller", "Jürgen-Müller-Straße"},
		"Rose Mary":     {"Rose Mary", "RoseMary", "ROSE MARY"},
		"Goethe":        {"Goethe", "Göthe", "GOETHE"},
	} {
		for _, text := range texts {
			for _, around := range []string{"%", "I saw % there.", "(%)"} {
				words := strings.Replace(around, "%", text, 1)
				if got := p.mentions(words, true, nil); !slices.Contains(got, person) {
					t.Errorf("%q names %q, want %s", words, got, person)
				}
				for _, part := range []string{"Roth", "ROTH", "roth", "üller", "uller", "ueller", "oethe"} {
					if strings.Contains(p.Veiled(words), part) {
						t.Errorf("%q is shown as %q", words, p.Veiled(words))
					}
				}
			}
		}
	}
	for _, text := range []string{"Rothenburg", "Ro-\nthenburg", "Rothschild's bank", "the growth of roth", "betroth", "B r o t h", "R o t h e n b u r g", "rosemary and thyme", "ROSEMARY", "Rosemary", "a b c", "I. e. s.", "Müllerei", "Mullers mill", "müller", "Tom Roth", "Roth Street", "Karl-Roth-Platz", "Roth-Platz"} {
		if got := p.mentions(text, true, nil); got != nil && text != "Mullers mill" {
			t.Errorf("%q names %q", text, got)
		}
	}
}

// TestMarkedForms holds that a name is found in other alphabets' forms of its letters, with other marks, in addresses, in names of files and in words made of it.
func TestMarkedForms(t *testing.T) {
	p := load(t, Defaults{Persons: []access.Person{{Name: "Verena Zuckmann", State: access.PersonSealed}, {Name: "Anna-Lena Quist", State: access.PersonSealed}, {Name: "Ines Roth", State: access.PersonSealed}, {Name: "Goethe", State: access.PersonSealed}, {Name: "Ivy May", State: access.PersonSealed}, {Name: "Mirjam Koss", State: access.PersonSealed}, {Name: "Rose Mary", State: access.PersonSealed}, {Name: "Tom Hay", State: access.PersonSealed}}}, nil)
	for person, texts := range map[string][]string{
		"Verena Zuckmann": {"Zückmann", "Zuckmánn", "Verena Zückmann", "Ｚｕｃｋｍａｎｎ", "ＶＥＲＥＮＡ Ｚｕｃｋｍａｎｎ", "𝐙𝐮𝐜𝐤𝐦𝐚𝐧𝐧", "Zuckman\u0303n", "Zuckmann-Preis", "der Zuckmann-Preis", "die zuckmannsche Stiftung", "Zuckmannscher Hof", "@zuckmann", "#zuckmann", "v_zuckmann", "zuckmann@choir.example",
			"v.zuckmann@choir.example", "choir.example/zuckmann", "\"zuckmann\",", "[zuckmann, organ]", "[organ, zuckmann]", "[organ, zuckmann, bell]", "(organ;\nzuckmann)", "(zuckmann)", "( zuckmann )", "{zuckmann}", "‹zuckmann›", "‚zuckmann‘", "`zuckmann`", "<zuckmann>", "zuckmann’s", "\"zuckmanns\"", "(organ, zuckmann's)", "mailto:zuckmann", "Grace\nZuckmann", "der Nachlass Zuckmann", "zuckmann-invoice.txt", "www.zuckmann.example"},
		"Anna-Lena Quist": {"Anna-Lena Quist", "AnnaLena Quist", "Anna Lena Quist", "Annalena Quist", "Anna‑Lena", "AnnaLena", "anna-lena_quist"},
		"Ines Roth":       {"Roth-Preis", "rothsche Sammlung", "roth@example.org", "ﬁles of Roth", "Röth"},
		"Mirjam Koss":     {"m. koss", "m.koss", "m. e. koss", "koss, m.", "mirjamkoss", "@mirjamkoss", "#MirjamKoss", "#mirjamkoss", "MIRJAMKOSS", "the Kosses", "the KOSSES", "die Kossens", "Kossens Haus", "the Kosses' house", "bei Kossens", "M. K. wrote"},
		"Tom Hay":         {"the Hays"},
		"Goethe":          {"goethe@example.org", "Göthe", "goethesche Farben"},
	} {
		for _, text := range texts {
			for _, around := range []string{"%", "I saw % there.", "— é % ﬁ"} {
				words := strings.Replace(around, "%", text, 1)
				if got := p.mentions(words, true, nil); !slices.Contains(got, person) {
					t.Errorf("%q names %q, want %s", words, got, person)
				}
				for _, v := range p.Veils(words) {
					if rest := words[:v.Start] + words[v.End:]; len(p.Veils(rest)) > 0 && !strings.Contains(words, "zuckmann@") {
						t.Errorf("%q leaves %q", words, rest)
					}
				}
			}
		}
	}
	for _, text := range []string{"zuckmannia", "the growth of roth", "I may come.", "“may I”, she said", "perhaps (may be)", "perhaps (if it may)", "[organ] of oak, may, (bell)", "of oak, may, it is", "Rothschild's bank", "Roth-Platz", "Karl-Roth-Platz", "goethe", "M. K. Ross came", "kosses", "Kossesen", "Hayes", "Mr. Hayes", "rosemary", "Rosemary", "i may come", "a few m of moss"} {
		if got := p.mentions(text, true, nil); got != nil {
			t.Errorf("%q names %q", text, got)
		}
	}
	v := &View{Rules: p}
	for _, name := range []string{"zuckmann/letter.txt", "box/Nachlass Zuckmann/candle.txt", "inesroth.txt", "verenazuckmann.txt", "AnnaLena.txt", "annalena.txt", "letters/anna_lena.txt", "zuckmann-invoice.txt", "mail.eml!/zuckmann.txt", "ZUCKMANN2.TXT", "Ｚｕｃｋｍａｎｎ.txt", "zückmann.txt", "roth-letter.txt", "tom-roth.txt"} {
		if got := v.FileName(name); got != "" {
			t.Errorf("a file is named %q", got)
		}
	}
	for label, want := range map[string]string{"koss-affair": "", "the koss affair": "", "choir/zuckmann": "", "KossAffair": "", "organ": "organ", "growth of roth": "", "kossovar": "kossovar", "Tom Roth": "Tom Roth", "Roth Street": "Roth Street"} {
		if got := v.Label(label); got != want {
			t.Errorf("the tag %q is shown as %q", label, got)
		}
	}
	for _, name := range []string{"rothenburg.txt", "box/growth.txt", "zucker/mann.txt", "1931-03-14.txt", "anna.txt"} {
		if got := v.FileName(name); got != name {
			t.Errorf("%q is withheld", name)
		}
	}
}

// TestFormsInMemory bounds what looking for names allocates by the size of the paper.
func TestFormsInMemory(t *testing.T) {
	for name, text := range map[string]string{"marks": strings.Repeat("Ju\u0308rgen früh am Mu\u0308hlbach, ", 20_000), "letters": strings.Repeat("I n e s   R o t h  war da. ", 20_000), "both": strings.Repeat("M ü l l e r  früh. ", 20_000), "hyphens": strings.Repeat("Zuck-\nmann war da. ", 20_000)} {
		got := testing.Benchmark(func(b *testing.B) {
			for b.Loop() {
				for range searchForms(text) {
				}
			}
		}).AllocedBytesPerOp()
		if t.Logf("%s: %.1f bytes for each of a paper", name, float64(got)/float64(len(text))); got > 8*int64(len(text)) {
			t.Errorf("%s: %d bytes are allocated for a paper of %d", name, got, len(text))
		}
	}
}
