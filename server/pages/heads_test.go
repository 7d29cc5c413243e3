package pages

import (
	"encoding/json"
	"strings"
	"testing"

	"muniment/archive/archivetest"
	"muniment/history"
	"muniment/server"
	"muniment/snapshot/access"
)

// A scan has the title and the date of its text, and the text stands beside it; what is attached to a mail is no letter
// because the mail lies among letters.
func TestScansAndAttachments(t *testing.T) {
	picture, _ := newMedia(t)
	mail := "From: Karin Lund <k@lund.example>\r\nTo: Peter Brandt <p@brandt.example>\r\nDate: Tue, 14 Mar 2006 09:12:00 +0100\r\nSubject: A book of lamps\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n" +
		"--x\r\nContent-Type: text/plain\r\n\r\nThe list is attached.\r\n--x\r\nContent-Type: text/csv\r\nContent-Disposition: attachment; filename=lamps.csv\r\n\r\nLamp,Place\r\n1,Mole\r\n--x--\r\n"
	a, key := archivetest.New(t, map[string]string{"scans/1889-08-05.png": string(picture), "scans/1889-08-05.txt": "Kiel, 5 August 1889\n\nDear Anna,\n\nThe Danes won.\n\nYour Margaret Brandt\n", "letters/book of lamps.eml": mail})
	archivetest.Seal(t, a, key)
	h := serveArchive(t, a, key, server.Credential{})
	_, list := h.get(t, "/inventory")
	_, list, _ = strings.Cut(list, `<ol class="papers">`)
	for _, want := range []string{`>Margaret Brandt to Anna</a><p class="by">scan and text · <span class="date">5 August 1889</span> · Kiel`, `>lamps</a><p class="by">table · `} {
		if !strings.Contains(list, want) {
			t.Errorf("no %q in %s", want, list)
		}
	}
	if n := strings.Count(list, "Margaret Brandt to Anna"); n != 1 {
		t.Errorf("a scan and its text are %d entries", n)
	}
	for _, kind := range []string{"picture", "letter"} {
		if _, list := h.get(t, "/inventory?kind="+kind); !strings.Contains(list, h.idOf(t, "1889-08-05.png")) || !strings.Contains(list, "1 paper of 3") {
			t.Errorf("a scan and its text are no entry of the kind %s: %s", kind, list)
		}
	}
	if _, found := h.get(t, "/search?q=Danes"); !strings.Contains(found, `<span class="date">scan and text</span>`) {
		t.Errorf("a passage of a scan does not say so: %s", found)
	}
	_, page := h.get(t, "/a/"+h.idOf(t, "1889-08-05.png"))
	if at := strings.Index(page, `<div class="text">`); at < 0 || !strings.Contains(page[at:], "The Danes won.") || strings.Contains(page[:at], "The Danes won.") {
		t.Errorf("the text of a scan is not in its column: %s", page)
	}
	_, page = h.get(t, "/a/"+h.idOf(t, "1889-08-05.txt"))
	_, data, _ := strings.Cut(page, `<script type="application/ld+json">`)
	data, _, _ = strings.Cut(data, "</script>")
	var linked struct {
		Name, DateCreated, URL string
		Author                 struct{ Name string }
	}
	if err := json.Unmarshal([]byte(data), &linked); err != nil || linked.Name != "Margaret Brandt to Anna" || linked.DateCreated != "1889-08-05" || linked.Author.Name != "Margaret Brandt" || !strings.Contains(linked.URL, "/p/") {
		t.Errorf("%+v, %v: %s", linked, err, data)
	}
}

// No title and no facet has words that the page of the paper withholds: those of a part that is cut, and a given name of a
// protected person whose whole name the paper has elsewhere.
func TestHeadsKeepWhatPagesKeep(t *testing.T) {
	long := strings.Repeat("The wheel of the mill turned all day. ", 12)
	files := map[string]string{
		"cut.txt":   "Weymouth, 3 February 1911\n\nDear Silas,\n\nIt rained.\n\n" + long + "Your Beatrix Crane\n",
		"head.txt":  "Dear Barnabas Fell, " + long + "\n\nIt rained again.\n\nYour Silas Thorne\n",
		"given.txt": "Weymouth, 4 February 1911\n\nDear Ottilie,\n\nIt is dry.\n\nOttilie Quarnstrom may read this to nobody.\n\nYour Silas Thorne\n",
		"other.txt": "Weymouth, 5 February 1911\n\nDear Ottilie,\n\nA lamb is born.\n\nYour Silas Thorne\n",
	}
	a, key := archivetest.New(t, files)
	archivetest.Seal(t, a, key, history.ConsentOptions{Person: "Ottilie Quarnstrom", State: access.PersonSealed})
	h := serveArchive(t, a, key, server.Credential{})
	shown := 0
	for _, path := range []string{"/", "/inventory", "/names", "/suggest?q=dear", "/search?q=rained", "/a/" + h.idOf(t, "given.txt"), "/a/" + h.idOf(t, "other.txt"), "/inventory?words=Weymouth"} {
		for _, page := range []string{path, strings.Replace(path+".json", "/.json", "/index.json", 1)} {
			if strings.Contains(path, "?") && page != path {
				continue
			}
			_, body := h.get(t, page)
			for _, hidden := range []string{"Beatrix", "Barnabas"} {
				if strings.Contains(body, hidden) {
					t.Errorf("%s has %s: %s", page, hidden, body)
				}
			}
			given := 0 // on lists it stands for the other paper's, which names her by it alone
			if !strings.HasSuffix(path, h.idOf(t, "given.txt")) {
				given = strings.Count(body, "to Ottilie") + strings.Count(body, "Ottilie</a>") + strings.Count(body, "to=Ottilie") + strings.Count(body, `{"name":"Ottilie","count":1}`)
			} else if before, rest, ok := strings.Cut(body, `<nav class="pager around"`); ok {
				_, after, _ := strings.Cut(rest, "</nav>")
				body = before + after // the title of the other paper
			}
			if path != "/a/"+h.idOf(t, "other.txt") && strings.Count(body, "Ottilie") > given {
				t.Errorf("%s has the given name: %s", page, body)
			}
			if strings.Contains(body, "Silas") {
				shown++
			}
		}
	}
	if shown == 0 {
		t.Error("no page has a name that may be shown")
	}
}

// A scan whose text is hidden from a reader is as it would be without the text; that of a hidden scan is hidden too.
func TestPairsKeepWhatIsHidden(t *testing.T) {
	picture, _ := newMedia(t)
	off := false
	for hidden, want := range map[string]string{"scan.txt": "2 papers", "scan.png": "1 paper"} {
		a, key := archivetest.New(t, map[string]string{"scan.png": string(picture), "scan.txt": "Kiel, 5 August 1889\n\nDear Anna,\n\nThe Danes won.\n\nYour Margaret Brandt\n", "other.txt": "A lamb was born.\n"})
		archivetest.Seal(t, a, key, history.ConsentOptions{Artifacts: []string{hidden}, Existence: &off})
		h := serveArchive(t, a, key, server.Credential{})
		for _, path := range []string{"/", "/inventory", "/inventory?kind=letter", "/inventory?kind=picture", "/names", "/search?q=Danes"} {
			_, page := h.get(t, path)
			if strings.Contains(page, "scan and text") || strings.Contains(page, h.idOf(t, hidden)) {
				t.Errorf("%s tells of %s: %s", path, hidden, page)
			}
			if hidden == "scan.txt" && (strings.Contains(page, "Margaret") || strings.Contains(page, "1889") || strings.Contains(page, "Kiel")) {
				t.Errorf("%s has words of a hidden text: %s", path, page)
			}
		}
		if _, page := h.get(t, "/inventory"); !strings.Contains(page, `<p role="status">`+want+".") {
			t.Errorf("%s is hidden: not %s in %s", hidden, want, page)
		}
	}
}
