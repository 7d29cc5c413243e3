package examination_test

import (
	"testing"

	"muniment/archive/archivetest"
)

// TestWorst has quotations that would be exact and mislead: of words that another speaks inside the paper, that hold on a proviso, or that are taken back.
func TestWorst(t *testing.T) {
	a, s := archivetest.New(t, map[string]string{
		"1931-04-02_ada_to_ruth.txt": "Ada Fenwick to Ruth Moss\n\nHarrow Weir, 2 April 1931\n\nDear Ruth,\n\nMy neighbour wrote to me last week: \"I sold the field to the railway. I have spent the money already.\" You see how he is.\n\nThe mill may be used by the parish only while the new wheel is in repair. The sluice stays open so long as the eels run. Lunt will mend the roof, provided the slates come.\n\nAda\n",
		"1931-05-04_minutes.txt":     "Minutes of the Harrow Parish Council\n\n4 May 1931\n\nResolution 3\n\nThe council will buy the mill for £900.\n\nWithdrawn before the vote.\n\nResolution 4\n\nThe lamp at the weir will be lit from dusk. Carried by six to one.\n",
		"1931-06-01_mail.txt":        "From: Ada Fenwick\nTo: Ben Moss\nDate: 1 June 1931\nSubject: The mill\n\n> The wheel is cracked through and cannot be mended.\n> I would sell it for scrap.\n\nI have read your note. The wheel turned all morning.\n",
		"1931-07-07_protokoll.txt":   "Protokoll des Mühlenvereins Harrow\n\n7. Juli 1931\n\nAntrag 1\n\nDer Verein kauft das Wehr.\n\nAbgelehnt mit sechs gegen zwei Stimmen.\n\nAntrag 2\n\nDie Lampe brennt bis zehn Uhr.\n\nAngenommen.\n\nAus dem Brief des Fischers wird verlesen: „Ich habe das Netz selbst zerschnitten. Der Aal war mir zu mager.“ Der Verein nimmt Kenntnis.\n\nDer Steg ist frei, solange das Eis hält.\n",
		"1931-08-08_resolutions.txt": "Resolutions of the Skelby Anglers\n\n8 August 1931\n\n1. The pond will be drained in autumn.\n\nWithdrawn by the mover.\n\n2. The boat may be hired by the day.\n\nRejected.\n\n3. The hut will be painted green.\n\nSeconded by Mr Hale.\n",
		"1931-09-09_hale_mail.txt":   "From: Tom Hale\nTo: Ada Fenwick\nDate: 9 September 1931\nSubject: Your hut\n\nOn 8 September 1931 Ada Fenwick wrote:\n> The hut leaks at the north end and nobody will pay for it.\n  > The pump is dry.\n\nI will pay for it.\n",
	})
	archivetest.Seal(t, a, s)
	n := 0
	for _, c := range []struct {
		text string
		bad  bool
	}{
		{"Ada Fenwick wrote to Ruth Moss on 2 April 1931: “I sold the field to the railway.”", true},
		{"In her letter of 2 April 1931 Ada Fenwick confesses: “I have spent the money already.”", true},
		{"Ada Fenwick's neighbour boasted, as she told Ruth Moss on 2 April 1931: “I sold the field to the railway.”", false},
		{"Ada Fenwick wrote on 2 April 1931: “The mill may be used by the parish.”", true},
		{"Ada Fenwick wrote on 2 April 1931: “The sluice stays open.”", true},
		{"Ada Fenwick wrote on 2 April 1931 that “Lunt will mend the roof”.", true},
		{"Ada Fenwick wrote on 2 April 1931: “The mill may be used by the parish only while the new wheel is in repair.”", false},
		{"The minutes of the Harrow Parish Council of 4 May 1931 record: “The council will buy the mill for £900.”", true},
		{"The minutes of the Harrow Parish Council of 4 May 1931 record: “The lamp at the weir will be lit from dusk.”", false},
		{"Ada Fenwick wrote to Ben Moss on 1 June 1931: “The wheel is cracked through and cannot be mended.”", true},
		{"Ada Fenwick wrote to Ben Moss on 1 June 1931: “The wheel turned all morning.”", false},
		{"Ada Fenwick asked Ben Moss to look at a note in her mail of 1 June 1931, which quotes him: “I would sell it for scrap.”", false},
		{"Im Protokoll des Mühlenvereins Harrow vom 7. Juli 1931 steht: „Der Verein kauft das Wehr.“", true},
		{"Im Protokoll des Mühlenvereins Harrow vom 7. Juli 1931 steht: „Die Lampe brennt bis zehn Uhr.“", false},
		{"Der Mühlenverein bekennt im Protokoll vom 7. Juli 1931: „Der Aal war mir zu mager.“", true},
		{"Der Fischer bekannte laut Protokoll vom 7. Juli 1931: „Der Aal war mir zu mager.“", false},
		{"Das Protokoll vom 7. Juli 1931 hält fest: „Der Steg ist frei.“", true},
		{"The Resolutions of the Skelby Anglers of 8 August 1931 say: “The pond will be drained in autumn.”", true},
		{"The Resolutions of the Skelby Anglers of 8 August 1931 say: “The boat may be hired by the day.”", true},
		{"The Resolutions of the Skelby Anglers of 8 August 1931 say: “The hut will be painted green.”", false},
		{"Tom Hale wrote in his mail of 9 September 1931: “The hut leaks at the north end and nobody will pay for it.”", true},
		{"Tom Hale wrote in his mail of 9 September 1931: “The pump is dry.”", true},
		{"Ada Fenwick complained, in words that Tom Hale quotes on 9 September 1931: “The hut leaks at the north end and nobody will pay for it.”", false},
		{"Tom Hale wrote in his mail of 9 September 1931: “I will pay for it.”", false},
	} {
		n++
		r := examineText(t, a, c.text)
		if len(r.Items) != 1 {
			t.Errorf("%s: %d items", c.text, len(r.Items))
			continue
		}
		if i := r.Items[0]; i.Verdict.Bad() != c.bad {
			t.Errorf("%s\n   %s: %s\n", c.text, i.Verdict, i.Reason)
		}
	}
	if n != 24 {
		t.Errorf("%d texts", n)
	}
}
