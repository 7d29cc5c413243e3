package history_test

import (
	"errors"
	"fmt"
	"path"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"muniment/accession"
	"muniment/accession/sourcemeta"
	"muniment/archive/archivetest"
	"muniment/archive/search"
	"muniment/history"
	"muniment/snapshot/access"
	"muniment/snapshot/record"
)

// TestPapersOfPersons compares what a preview says of a person's state with what the public may read once it is signed.
func TestPapersOfPersons(t *testing.T) {
	mail := "From: Otto Prins <o@choir.example>\r\nTo: %s\r\nDate: Wed, 13 Mar 1996 09:14:00 +0000\r\nSubject: Bells\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n" +
		"--b\r\nContent-Type: text/plain\r\n\r\n%s\r\n--b\r\nContent-Type: text/plain\r\nContent-Disposition: attachment; filename=%s\r\n\r\n%s\r\n--b--\r\n"
	papers := map[string]string{
		"signed.txt":      "Dear Ruth,\n\nThe bells were cast in March.\n\nYours ever,\nM. Koss\n",
		"addressed.txt":   "Dear Miss Koss,\n\nThe bells were paid for.\n\nYours,\nTom\n",
		"first-name.txt":  "Dear Mirjam,\n\nThe bells of the Kosses rang.\n\nYours,\nTom\n",
		"headed.md":       "# A year\n\nIt rained.\n\n## Mirjam Koss\n\nThe bells were hung.\n",
		"koss-bells.txt":  "The bells were rung.\n",
		"mail.eml":        fmt.Sprintf(mail, "Mirjam Koss <m@choir.example>", "The bells were late.", "bill.txt", "Nine crowns for bells."),
		"fraeulein.txt":   "Berlin, den 4. Mai\n\nSehr geehrtes Fräulein Koss,\n\ndie Glocken hängen.\n\nHochachtungsvoll\nTom Lunt\n",
		"cc.eml":          strings.Replace(fmt.Sprintf(mail, "Ruth Vale <r@choir.example>\r\nCc: Miss Koss <k@choir.example>", "The clock was late.", "dial.txt", "Two crowns for a dial."), "Bells", "Clockwork", 1),
		"bcc.eml":         strings.Replace(fmt.Sprintf(mail, "Ruth Vale <r@choir.example>\r\nBcc: Mirjam Koss <k@choir.example>", "The lamp was late.", "wick.txt", "Two crowns for a wick."), "Bells", "Lamplight", 1),
		"reply.eml":       strings.Replace(fmt.Sprintf(mail, "Ruth Vale <r@choir.example>\r\nReply-To: Mirjam Koss <k@choir.example>", "The door was late.", "lock.txt", "Two crowns for a lock."), "Bells", "Doorway", 1),
		"other.eml":       fmt.Sprintf(mail, "Ruth Vale <r@choir.example>", "The ropes were late.", "ropes.txt", "Four crowns for ropes."),
		"named.txt":       "The tower was built of oak.\n\nMirjam Koss paid for the oak, and the parish paid for the nails and for the lead.\n",
		"described.txt":   "The tower burned in May of that year.\n",
		"titled.txt":      "The tower was built again of stone.\n",
		"schooner.txt":    "The schooner Mirjam brought the stone in June.\n",
		"ross.txt":        "The stone was cut by M. K. Ross of this town.\n",
		"about-ropes.txt": "The ropes were made of hemp, which was dear.\n",
	}
	want := map[string]string{"signed.txt": "closed", "addressed.txt": "closed", "first-name.txt": "closed", "headed.md": "closed", "koss-bells.txt": "closed", "mail.eml": "closed", "bill.txt": "closed", "fraeulein.txt": "closed",
		"cc.eml": "closed", "dial.txt": "closed", "bcc.eml": "closed", "wick.txt": "closed", "reply.eml": "closed", "lock.txt": "closed",
		"titled.txt": "closed", "named.txt": "in part", "described.txt": "in part"}
	a, key := archivetest.New(t, papers)
	for name, values := range map[string]sourcemeta.Values{"in/titled.txt": {Title: "Mirjam Koss and the tower"}, "in/described.txt": {Description: "A note that Mirjam Koss kept."}} {
		if _, err := accession.Describe(a, []string{name}, accession.Description{Values: values}); err != nil {
			t.Fatal(err)
		}
	}
	archivetest.Seal(t, a, key)
	r, err := history.Consent(a, history.ConsentOptions{Person: "Mirjam Koss", State: access.PersonSealed})
	if err != nil || r.Preview == nil {
		t.Fatalf("%+v, %v", r, err)
	}
	said, read := map[string]string{}, map[string]string{}
	for _, one := range r.Preview.Papers {
		said[path.Base(one.Name)] = "closed"
		if one.Partly {
			said[path.Base(one.Name)] = "in part"
		}
	}
	archivetest.Seal(t, a, key)
	v, err := a.ReaderView("")
	if err != nil {
		t.Fatal(err)
	}
	head, _, err := a.Head()
	if err != nil {
		t.Fatal(err)
	}
	all, err := a.Catalog(head.Tree).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, art := range all.Artifacts {
		perm, err := v.Permission(art.ID, "")
		doc, unread := a.Document(head.Tree, art)
		if err = errors.Join(err, unread); err != nil {
			t.Fatal(err)
		}
		left, err := v.WithoutNamed(art.ID, doc.Payload())
		h := art.CurrentRecords()[0]
		shown, failed := v.DescribeKnown(h.Record)
		switch {
		case err != nil || failed != nil:
			t.Fatal(err, failed)
		case !perm.Display && shown.Source != nil && shown.Source.Title != "":
			t.Errorf("the title of %s is shown: %s", art.Name(), shown.Source.Title)
		case !perm.Display:
			read[path.Base(art.Name())] = "closed"
		case string(left) != string(doc.Payload()) || !cmp.Equal(shown.Source, h.Record.Source):
			read[path.Base(art.Name())] = "in part"
		}
	}
	for what, got := range map[string]map[string]string{"the preview": said, "what is read": read} {
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got)\n%s", what, diff)
		}
	}
}

// TestPapersOfNamesakes marks in a preview the papers that close for a surname after a title where another of the name may be meant.
func TestPapersOfNamesakes(t *testing.T) {
	a, key := archivetest.New(t, map[string]string{"bill.txt": "Dear Mrs Koss,\n\nKarl Koss paid for the clock.\n", "full.txt": "Dear Mirjam Koss,\n\nThe clock was dear.\n", "initial.txt": "Dear Mrs M. Koss,\n\nThe clock was late.\n"})
	archivetest.Seal(t, a, key)
	r, err := history.Consent(a, history.ConsentOptions{Person: "Mirjam Koss", State: access.PersonSealed})
	if err != nil || r.Preview == nil || len(r.Preview.Papers) != 3 {
		t.Fatalf("%+v, %v", r, err)
	}
	for _, one := range r.Preview.Papers {
		if !one.Closes || one.Others != (path.Base(one.Name) == "bill.txt") {
			t.Errorf("%+v", one)
		}
	}
}

// TestWithheldDates looks for dates that were read from words of a sealed person, in records and beside passages.
func TestWithheldDates(t *testing.T) {
	long := " when the bells of the tower were cast, in rain and wind and hail such as nobody in the whole parish had ever seen before"
	a, key := archivetest.New(t, map[string]string{
		"hers.txt":  "Trelow, 3 May 1914\nwith Mirjam Koss at the door" + long + ".\n\nThe ropes were dear.\n",
		"other.txt": "Trelow, 4 June 1915\nwith Ruth Vale at the door" + long + ".\n\nThe ropes were cheap.\n"})
	archivetest.Seal(t, a, key)
	dates := func() map[string]string {
		t.Helper()
		head, _, err := a.Head()
		if err != nil {
			t.Fatal(err)
		}
		v, err := a.ReaderView("")
		if err != nil {
			t.Fatal(err)
		}
		all, err := a.ShownCatalog(head.Tree, v).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		out := map[string]string{}
		for _, art := range all.Artifacts {
			facts := art.CurrentRecords()[0].Record.Facts
			out[path.Base(art.Name())] = facts[record.FactDateFound] + facts[record.FactDateText]
		}
		found, err := search.Search(t.Context(), a, "ropes", 5, search.Reader{View: v}, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, hit := range found.Hits {
			out["hit in "+path.Base(hit.Name)] = hit.Date
		}
		return out
	}
	want := map[string]string{"hers.txt": "1914-05-033 May 1914", "other.txt": "1915-06-044 June 1915", "hit in hers.txt": "1914-05-03", "hit in other.txt": "1915-06-04"}
	if diff := cmp.Diff(want, dates()); diff != "" {
		t.Errorf("before she is sealed (-want +got)\n%s", diff)
	}
	if _, err := history.Consent(a, history.ConsentOptions{Person: "Mirjam Koss", State: access.PersonSealed}); err != nil {
		t.Fatal(err)
	}
	archivetest.Seal(t, a, key)
	want["hers.txt"], want["hit in hers.txt"] = "", ""
	if diff := cmp.Diff(want, dates()); diff != "" {
		t.Errorf("once she is sealed (-want +got)\n%s", diff)
	}
}
