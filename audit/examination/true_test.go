package examination_test

import (
	"context"
	"strings"
	"testing"

	"muniment/audit/examination"
)

// TestTrueQuotations examines quotations as writers set them: with their own numbers, marks, brackets and ellipses. None is anything worse than exact but
// for what scholars may change.
func TestTrueQuotations(t *testing.T) {
	a := ownArchive(t)
	n := 0
	for _, text := range []string{
		"Marchbank wrote on 11 March 1848 that he had ‘counted 214 men at work on Thursday, and not one of them had been paid since Candlemas’.",
		"Marchbank wrote on 11 March 1848: “I counted two hundred and fourteen men at work on Thursday.”",
		"On 11 March 1848 Marchbank ‘ha[d] broken forty blocks of it and found none unsound’.",
		"Marchbank to Tolliver, 11 March 1848: “The new pier stands on oak piles … and not one of them had been paid since Candlemas.”",
		"Marchbank told Miss Tolliver on 11 March 1848 that the pier ‘stand[s] on oak piles driven thirty feet into the clay’.",
		"“The new pier,” Marchbank wrote on 11 March 1848, “stands on oak piles driven thirty feet into the clay.”",
		"“The new pier stands on oak piles”, wrote Marchbank (11 March 1848), “driven thirty feet into the clay.”",
		"Marchbank (11 March 1848) speaks of “oak piles driven thirty feet into the clay” (my emphasis).",
		"Marchbank wrote on 11 March 1848 of “*oak* piles driven thirty feet into the clay” (emphasis added).",
		"Marchbank wrote on 2 September 1848: “The dredger came at last and has cleared eleven feet of mud from the basin.... The committee voted me a gratuity of £300, which I have declined.”",
		"Marchbank wrote on 2 September 1848: “The dredger came at last … I slept in the engine house for nine nights.”",
		"Marchbank wrote on 2 September 1848 that “the committee voted [him] a gratuity of £300, which [he] ha[d] declined”.",
		"Marchbank wrote on 2 September 1848 that the “committee voted [him] a gratuity of £300.”",
		"Marchbank wrote on 2 September 1848: “The tide rose higher on the last night of August than any man here remembers!”",
		"Marchbank wrote on 2 September 1848: “The tide rose higher on the last night of August [1848] than any man here [at Sallow Quay] remembers.”",
		"The Commission's report of 1849 says that “[t]he engineer kept no journal of the tides.”",
		"The Commission's report of 1849 found the pier “fit for vessels of two hundred tons, but only in calm weather”.",
		"The Commission's report of 1849 found that “[t]he accounts are correct, with the exception of those for timber”.",
		"Brandt schrieb am 6. Mai 1871: „Die Fluth vom 3. März hat vier Häuser zerstört und niemanden getötet.“",
		"Brandt schrieb am 6. Mai 1871, „[d]ie Flut vom 3. März“ habe „vier Häuser zerstört und niemanden getödtet“.",
		"Brandt schrieb am 6. Mai 1871, der Deich sei „auf einer Länge von 1.200 Ruthen fertig“.",
		"Brandt schrieb am 6. Mai 1871, der neue Deich sei »auf einer Länge von 1200 Ruten fertig«.",
		"Leuwen schrieb am 20. November 1871: „[D]ie Schleuse hält dicht, und die Kosten betragen 8.400 Thaler.“",
		"Leuwen schrieb am 20. November 1871: „Der Lehrer zählte am Sonntag 17 Schiffe im Hafen.“",
		"Das Gutachten von 1884 schätzt die Kosten „auf 26.000 Mark“.",
		"Das Gutachten von 1884: „Der Deichrichter Poppinga legte sein Amt am 1. Juli 1884 nieder“ (Hervorh. d. Verf.).",
		"Haykena schreibt in der Chronik von 1910 von einer „einzigen Nacht“, in der das „alte Dorf“ versank.",
		"In Hadley v. Corvane Shipping Co. the jury awarded “$4,500 for the injury and $1,200 for lost wages.”",
		"Hadley v. Corvane Shipping Co., No. 02-1174 (2003) (“A carrier is liable for the condition of its gangway unless the passenger was warned.”).",
		"Hadley v. Corvane Shipping Co. (2003) holds “that a passenger is owed more than a shout”.",
		"Penn's diary for 14 June 1902 reads: “The gorse was in flower on both banks & the ferryman asked fourpence where he used to ask two.”",
		"Penn noted on 15 June 1902: “Rain … Three of the Croome boys were drowned at the bar last night.”",
		"Marchbank's first letter (11 March 1848) is angry:\n\n> I have broken forty blocks of it and found none unsound.\n\nHalf a year later, in his letter of 2 September 1848, the tone has changed:\n\n> The dredger came at last and has cleared eleven feet of mud from the basin.\n\nAnd from the letter of September:\n\n> The boiler burst on the tenth.",
		"Marchbank wrote on 11 March 1848 of “oak piles driven thirty feet into the clay”.\n\nThe report says that “the engineer kept no journal of the tides”.",
		"On 15 June 1902 Penn noted that “[t]hree of the Croome boys [had been] drowned at the bar [the] night [before]”.",
	} {
		n++
		r, err := examination.Examine(context.Background(), examination.Input{Name: "t.txt", Data: []byte(text + "\n")}, examination.Options{Places: []examination.Place{{Archive: a}}})
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Items) == 0 {
			t.Errorf("nothing is found: %s", text)
		}
		for _, i := range r.Items {
			if i.Verdict != examination.Exact && i.Verdict != examination.Scholarly {
				t.Errorf("%s: %s: %s", i.Verdict, i.Reason, text)
			}
		}
	}
	if n != 35 {
		t.Errorf("%d texts", n)
	}
}

// TestGroups folds quotations that cannot be checked for one reason, and describes the papers of the others.
func TestGroups(t *testing.T) {
	a := ownArchive(t)
	text := strings.Repeat("Somebody said: “The zebra in the attic ate nothing but green umbrellas.”\n\n", 7) + "Marchbank wrote on 11 March 1848: “The new pier stands on iron piles driven thirty feet into the clay.”\n"
	r, err := examination.Examine(context.Background(), examination.Input{Name: "t.txt", Data: []byte(text)}, examination.Options{Places: []examination.Place{{Archive: a}}})
	if err != nil {
		t.Fatal(err)
	}
	all := r.Groups()
	if len(r.Items) != 8 || len(all) != 2 || len(all[0]) != 1 || len(all[1]) != 7 || all[0][0].Found == nil {
		t.Fatalf("%d items, %d groups", len(r.Items), len(all))
	}
	if i := all[0][0]; i.Verdict != examination.Altered || !strings.Contains(i.Found.Label(), "1848-03-11") || i.Found.Place() != "paragraph 3" {
		t.Errorf("%s in %s, %s", i.Verdict, i.Found.Label(), i.Found.Place())
	}
}
