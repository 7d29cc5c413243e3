package examination_test

import (
	"context"
	"testing"

	"muniment/audit/examination"
)

// TestStatements examines statements in the writer's own words that name their source. Those that contradict it are altered; of those that it
// bears out, or says nothing about, none is.
func TestStatements(t *testing.T) {
	a := ownArchive(t)
	missed, wrong, called, fine := 0, 0, 0, 0
	for _, c := range []struct {
		text string
		bad  bool
	}{
		{"In his letter of 11 March 1848 Marchbank counted 241 men at work on Thursday.", true},
		{"In his letter of 11 March 1848 Marchbank counted 214 men at work on Thursday.", false},
		{"Marchbank told Miss Tolliver on 11 March 1848 that the oak piles were driven forty feet into the clay.", true},
		{"Marchbank told Miss Tolliver on 11 March 1848 that the oak piles were driven thirty feet into the clay.", false},
		{"According to Marchbank's letter of 11 March 1848, £9,000 had been granted and £6,000 of it spent.", true},
		{"According to Marchbank's letter of 11 March 1848, £9,000 had been granted and £5,000 of it spent.", false},
		{"The dredger had cleared seven feet of mud from the basin (Marchbank to Tolliver, 2 September 1848).", true},
		{"The dredger had cleared eleven feet of mud from the basin (Marchbank to Tolliver, 2 September 1848).", false},
		{"Captain Vale reported that the bar had shifted forty yards to the west (Marchbank to Tolliver, 2 September 1848).", true},
		{"The committee voted Marchbank a gratuity of £3,000 (Marchbank to Tolliver, 2 September 1848).", true},
		{"The committee voted Marchbank a gratuity of £300 (Marchbank to Tolliver, 2 September 1848).", false},
		{"Marchbank slept in the engine house for ten nights (Marchbank to Tolliver, 2 September 1848).", true},
		{"The Harbour Commission's report of 1849 says that it sat on nineteen days and heard sixty-two witnesses.", false},
		{"The Harbour Commission's report of 1849 says that it sat on nineteen days and heard fifty-two witnesses.", true},
		{"The Harbour Commission reported in 1849 that the works had cost £14,480.", true},
		{"The Harbour Commission reported in 1849 that the works had cost £11,480.", false},
		{"The Harbour Commission reported in 1849 that the works had cost £11,480, of which £3,200 was for stone.", true},
		{"The Commission measured twelve piles and found every one of the full length (Report of the Harbour Commission, 1849).", true},
		{"The report of the Harbour Commission of 1849 was signed by J. Pellow as chairman.", false},
		{"In her diary of June 1902 Isolde Penn notes that two of the Croome boys were drowned at the bar.", true},
		{"In her diary of June 1902 Isolde Penn notes that three of the Croome boys were drowned at the bar.", false},
		{"The ferryman, Isolde Penn writes in her diary on 14 June 1902, asked sixpence where he used to ask two.", true},
		{"Penn's diary says that the vicar preached against the regatta for two hours and a quarter.", true},
		{"Penn's diary of 17 June 1902 says that the bees have swarmed twice that week.", false},
		{"In Hadley v. Corvane Shipping Co., the jury awarded $5,400 for the injury and $1,200 for lost wages.", true},
		{"In Hadley v. Corvane Shipping Co., the jury awarded $4,500 for the injury and $1,200 for lost wages.", false},
		{"Ms. Hadley slipped on a wet gangway on 19 May 2001 (Hadley v. Corvane Shipping Co., 2003).", true},
		{"Ms. Hadley slipped on a wet gangway on 9 May 2001 (Hadley v. Corvane Shipping Co., 2003).", false},
		{"In Hadley v. Corvane Shipping Co. the court held that a carrier is not liable for the condition of its gangway.", true},
		{"Brandt schrieb am 6. Mai 1871, der neue Deich sei auf einer Länge von 1500 Ruthen fertig.", true},
		{"Brandt schrieb am 6. Mai 1871, der neue Deich sei auf einer Länge von 1200 Ruthen fertig.", false},
		{"Nach Brandts Brief vom 6. Mai 1871 hat die Flut vom 3. März sechs Häuser zerstört.", true},
		{"Nach Brandts Brief vom 6. Mai 1871 hat die Flut vom 3. März vier Häuser zerstört.", false},
		{"Die Kosten der Schleuse betragen nach Leuwens Brief vom 20. November 1871 4800 Thaler.", true},
		{"Der Lehrer zählte siebzehn Schiffe im Hafen (Leuwen an Brandt, 20. November 1871).", false},
		{"Der Lehrer zählte siebzig Schiffe im Hafen (Leuwen an Brandt, 20. November 1871).", true},
		{"Die Kosten der Ausbesserung werden im Gutachten des Deichamtes von 1884 auf 62 000 Mark geschätzt.", true},
		{"Die Kosten der Ausbesserung werden im Gutachten des Deichamtes von 1884 auf 26 000 Mark geschätzt.", false},
		{"Der Deich ist nach dem Gutachten des Deichamtes von 1884 an vier Stellen unterspült.", true},
		{"Der Deichrichter Poppinga legte sein Amt am 1. Juni 1884 nieder (Gutachten des Deichamtes, 1884).", true},
		{"Der Deichrichter Poppinga legte sein Amt am 1. Juli 1884 nieder (Gutachten des Deichamtes, 1884).", false},
		{"Im Jahre 1771 versank das alte Dorf in einer einzigen Nacht, schreibt Haykena in der Chronik von 1910.", true},
		{"Im Jahre 1717 versank das alte Dorf in einer einzigen Nacht, schreibt Haykena in der Chronik von 1910.", false},
		{"Die Schule zählt nach Haykenas Chronik von 1910 98 Kinder und einen Lehrer.", true},
		{"Der Kaiser hat das Dorf, so Haykenas Chronik von 1910, im Jahre 1884 besucht.", true},
	} {
		r, err := examination.Examine(context.Background(), examination.Input{Name: "t.txt", Data: []byte(c.text + "\n")}, examination.Options{Places: []examination.Place{{Archive: a}}})
		if err != nil {
			t.Fatal(err)
		}
		bad, got := false, ""
		for _, i := range r.Items {
			bad = bad || i.Bad()
			got += string(i.Verdict) + ": " + i.Reason + "; "
			if i.Named != nil {
				got += i.Named.Name
			}
		}
		switch {
		case c.bad:
			if wrong++; !bad {
				missed++
				t.Logf("missed: %s\n   %s", c.text, got)
			}
		default:
			if fine++; bad {
				called++
				t.Logf("called bad: %s\n   %s", c.text, got)
			}
		}
	}
	t.Logf("%d of %d wrong ones missed, %d of %d others called bad", missed, wrong, called, fine)
	if wrong != 27 || fine != 18 || missed > 2 || called > 0 {
		t.Errorf("%d of %d wrong ones missed, at most 2 of 27; %d of %d others called bad, want none of 18", missed, wrong, called, fine)
	}
}
