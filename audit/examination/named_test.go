package examination_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"muniment/archive"
	"muniment/archive/archivetest"
	"muniment/audit/examination"
)

// ownArchive is the archive of the third set.
func ownArchive(t *testing.T) *archive.Archive { return archiveOf(t, "testdata/own") }

// archiveOf returns an archive of the papers of a set.
func archiveOf(t *testing.T, set string) *archive.Archive {
	t.Helper()
	files := map[string]string{}
	all, err := filepath.Glob(set + "/archive/*")
	if err != nil || len(all) == 0 {
		t.Fatalf("%d papers: %v", len(all), err)
	}
	for _, f := range all {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		files[filepath.Base(f)] = string(data)
	}
	a, s := archivetest.New(t, files)
	archivetest.Seal(t, a, s)
	return a
}

// TestNamedSources resolves sources that another one in the text may be taken for. A case has its last quotation looked at.
func TestNamedSources(t *testing.T) {
	a := ownArchive(t)
	n := 0
	for _, c := range []struct {
		text    string
		verdict examination.Verdict
		named   string
	}{
		{"On 2 September 1848, according to the diary of Isolde Penn, “[t]he gorse was in flower on both banks”.", examination.Scholarly, "1902"},
		{"On 11 March 1848, the Harbour Commission later reported, the position was this: “The engineer kept no journal of the tides.”", examination.Exact, "1849"},
		{"In the diary of Isolde Penn we read: “The vicar preached against the regatta for an hour and a quarter.” The works were dear (Report of the Harbour Commission, 1849). “The engineer kept no journal of the tides” (ibid.).", examination.Exact, "1849"},
		{"In the diary of Isolde Penn we read: “The vicar preached against the regatta for an hour and a quarter.” The works were dear (Report of the Harbour Commission, 1849). “The bees have swarmed twice this week” (ibid.).", examination.Elsewhere, "1849"},
		{"Penn wrote in her diary: “The gorse was in flower on both banks.” The report of the Commission has it that “[t]he engineer kept no journal of the tides”.", examination.Scholarly, "1849"},
		{"Haykena schrieb in der Chronik: ‚Kaum ein Haus ist älter als hundert Jahre.‘", examination.Exact, "1910"},
		{"Haykena schrieb in der Chronik: ‚Kaum ein Haus ist älter als hundert Jahre‘, und das war’s.", examination.Exact, "1910"},
		{"Haykena schrieb in der Chronik: ›Kaum ein Haus ist älter als hundert Jahre.‹", examination.Exact, "1910"},
		{"Haykena schrieb in der Chronik: ‹Kaum ein Haus ist älter als hundert Jahre.›", examination.Exact, "1910"},
		{"Haykena schrieb in der Chronik (›Kaum ein Haus ist älter als hundert Jahre‹).", examination.Exact, "1910"},
		{"Haykena schrieb in der Chronik, ›kaum ein Haus‹ sei ›älter als hundert Jahre‹.", examination.Exact, "1910"},
		{"Haykena schrieb in der Chronik: ,Kaum ein Haus ist älter als hundert Jahre.‘", examination.Exact, "1910"},
		{"Haykena schrieb in der Chronik: ‚Kaum ein Haus ist älter als hundert Jahre.'", examination.Exact, "1910"},
		{"Haykena schrieb in der Chronik: „Im Jahre [1717] versank das alte Dorf in einer einzigen Nacht.“", examination.Scholarly, "1910"},
		{"Haykena schrieb in der Chronik: „Im Jahre [1718] versank das alte Dorf in einer einzigen Nacht.“", examination.Altered, "1910"},
		{"Brandt schrieb an Leuwen:\n\n> Die Flut vom 3. März hat vier Häuser zerstört und niemanden getödtet.\n\nBrandt an Leuwen, 6. Mai 1871", examination.Exact, "1871-05"},
	} {
		n++
		r := examineText(t, a, c.text)
		if len(r.Items) == 0 {
			t.Errorf("%s: nothing found", c.text)
			continue
		}
		i := r.Items[len(r.Items)-1]
		if i.Verdict != c.verdict || i.Named == nil || !strings.Contains(i.Named.Name, c.named) {
			t.Errorf("%s: %s, named %+v", c.text, i.Verdict, i.Named)
		}
	}
	if n != 16 {
		t.Errorf("%d texts", n)
	}
}

// TestSpeakers makes somebody say words of a paper that does not know of them.
func TestSpeakers(t *testing.T) {
	a := ownArchive(t)
	for said, want := range map[string]examination.Verdict{
		"The Times of 3 March 1899 wrote: “The engineer kept no journal of the tides.”":                                        examination.Elsewhere,
		"Mayor Jones said: “The gorse was in flower on both banks.”":                                                           examination.Elsewhere,
		"In a letter of 6 June 1879 Brandt an Leuwen: „Die Flut vom 3. März hat vier Häuser zerstört und niemanden getödtet.“": examination.Elsewhere,
		"Isolde Penn wrote: “The gorse was in flower on both banks.”":                                                          examination.Exact,
		"The Commission wrote: “The engineer kept no journal of the tides.”":                                                   examination.Exact,
		"She wrote: “The gorse was in flower on both banks.”":                                                                  examination.Exact,
	} {
		r := examineText(t, a, said)
		if len(r.Items) != 1 || r.Items[0].Verdict != want {
			t.Errorf("%s: %+v, want one %s", said, r.Items, want)
		}
	}
}

// TestNamesOfOthers names a person of whom the paper with the words tells, and a source for the quotation after a semicolon.
func TestNamesOfOthers(t *testing.T) {
	a, s := archivetest.New(t, map[string]string{
		"1908_report_on_dogs.txt":     "Report on the Dogs\n\nHarlow, 4 May 1908\n\n" + strings.Repeat("Each dog wears a red collar and has a box of its own by the gate. ", 8) + "\n\nDr Eleanor Prowse wished it to be recorded that Bess had found her twice without her being lost. The dogs were fed at noon on horse flesh.\n",
		"1931_prowse_to_niece.txt":    "Eleanor Prowse to her niece\n\n5 November 1931\n\nThe dahlias are over and the house is cold.\n\nEleanor Prowse\n",
		"archer_bread_and_powder.txt": "Archer, Bread and Powder\n\n2003\n\nThe surgeon was paid on 14 October 1764 with a ham.\n",
	})
	archivetest.Seal(t, a, s)
	for said, want := range map[string]examination.Verdict{
		"Eleanor Prowse asked it to be recorded “that Bess had found her twice without her being lost”.":                          examination.Exact,
		"Eleanor Prowse asked it to be recorded that “[t]he dogs were fed at noon on horse flesh”.":                               examination.Elsewhere,
		"“The dogs were fed at noon on horse flesh,” it says; and as Archer notes, the surgeon was “paid on 14 October 1764”.":    examination.Exact,
		"In *Prowse v. Harlow Gate Company*, No. 14-2207, the court held that “a dog is no vessel of the river”.":                 examination.Uncheckable,
		"Archer, it says in *Bread and Powder*, was sure: “The dogs were fed at noon on horse flesh”; so much for the year 1764.": examination.Elsewhere,
	} {
		if r := examineText(t, a, said); len(r.Items) == 0 || r.Items[0].Verdict != want {
			t.Errorf("%s: %+v, want %s first", said, r.Items, want)
		}
	}
}
