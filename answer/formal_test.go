package answer_test

import (
	"strings"
	"testing"

	"muniment/answer"
	"muniment/archive/archivetest"
)

// No quote of an answer has a heading, a salutation, a signature, or the time or the number of a cue.
func TestQuotesOfSentencesOnly(t *testing.T) {
	files := map[string]string{
		"swing.txt":   "Ottermouth, 10 September 1887.\n\nDear Sir, I beg to report that the Swing Bridge was opened to traffic on 4 August 1887 by the Lord Lieutenant. Two men are employed upon it.\n\nYours truly,\nJames Pollitt\n",
		"ledger.txt":  "Skelby Hall, 3 May 1831\n\nMy dear Tabitha,\n\nReuben bought the printing press for forty-five guineas.\nHe keeps it in the parlour.\n\nYour loving brother,\nJabez Lindal\n",
		"run.txt":     "Brackwater, Nov. 3, 1852. My dear Lord Marlow: the flood drowned three hundred sheep at Brackwater. Your servant, Robert Feld.\n",
		"talk.vtt":    "WEBVTT\n\n1\n00:01:04.000 --> 00:01:09.500\n<v Ada Brook>We painted the harbour lantern green in nineteen thirty.\n\n2\n00:01:10.000 --> 00:01:15.000\n<v Interviewer>Who paid for the paint?\n",
		"talk.srt":    "1\n00:00:01,000 --> 00:00:04,000\nThe weaver kept eleven canaries.\n\n2\n00:00:05,000 --> 00:00:08,000\nThey sang at five in the morning.\n",
		"stamped.txt": "[00:12:31] ADA BROOK: The cooper lost his thumb in the sawmill.\n\n[00:12:40] INTERVIEWER: Was he paid?\n\n[00:12:44] ADA BROOK: Never a penny.\n",
		"plain.txt":   "00:03:10 Mr. Gale: The schooner Hesper sank off the Nore with a cargo of slate.\n00:03:17 Question: In what year?\n",
	}
	a, s := archivetest.New(t, files)
	archivetest.Seal(t, a, s)
	for _, c := range []struct{ question, want string }{
		{"When was the Swing Bridge opened to traffic?", "Swing Bridge was opened"},
		{"What did Reuben buy for forty-five guineas?", "Reuben bought the printing press"},
		{"How many sheep did the flood drown at Brackwater?", "the flood drowned three hundred sheep"},
		{"Who painted the harbour lantern green?", "painted the harbour lantern green"},
		{"How many canaries did the weaver keep?", "The weaver kept eleven canaries"},
		{"Where did the cooper lose his thumb?", "The cooper lost his thumb"},
		{"Where did the schooner Hesper sink?", "The schooner Hesper sank"},
	} {
		r := asked(t, a, answer.AskOptions{Signer: s, NoModel: true}, c.question)
		found := false
		for _, claim := range r.Claims {
			t.Logf("%s: %s %q", c.question, claim.Role, claim.Text)
			for _, q := range claim.Citations {
				found = found || strings.Contains(q.Quote, c.want)
				for _, formal := range []string{"-->", "00:", "[00", "Dear", "My dear", "Yours", "Your servant", "Your loving", "10 September 1887", "Nov. 3", "WEBVTT", "ADA BROOK", "Mr. Gale:"} {
					if strings.Contains(q.Quote, formal) || strings.Contains(claim.Text, formal) {
						t.Errorf("%s: %q in %q", c.question, formal, q.Quote)
					}
				}
			}
		}
		if !found {
			t.Errorf("%s: no %q", c.question, c.want)
		}
	}
}

// Who somebody is, no address of a letter says; and a verb that says nothing in German is no word that a paper must have.
func TestWhoSomebodyIs(t *testing.T) {
	a, s := archivetest.New(t, map[string]string{
		"1934.txt": "Der Bürgermeister der Stadt Wolmern, den 3. Februar 1934\n\nAn Fräulein Lene Bruhn, hier.\n\nAuf Grund des Gesetzes werden Sie aus dem Dienste der Stadt entlassen.\n",
		"1872.txt": "Protokoll des Ausschusses.\n\nHerr Ullrich spricht dagegen: die Bahn werde die Fuhrleute brotlos machen.\n",
		"1855.txt": "Die Weber sind ohne Arbeit, und das Brot kostet drei Groschen.\n\nDer Winter wird lang, und das Holz ist feucht.\n",
	})
	archivetest.Seal(t, a, s)
	for question, want := range map[string]string{"Wer ist Lene Bruhn?": "", "Wer war Ullrich?": "Herr Ullrich spricht dagegen"} {
		r := asked(t, a, answer.AskOptions{Signer: s, NoModel: true}, question)
		found := want == ""
		for _, claim := range r.Claims {
			found = found || strings.Contains(claim.Text, want)
			if claim.Role == "answer" || strings.Contains(claim.Text, "An Fräulein") {
				t.Errorf("%s: %s %q", question, claim.Role, claim.Text)
			}
		}
		if !found {
			t.Errorf("%s: %v %+v", question, r.Outcome, r.Claims)
		}
	}
}
