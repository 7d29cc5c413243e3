package pages

import (
	"maps"
	"regexp"
	"strings"
	"testing"

	"muniment/accession"
	"muniment/accession/sourcemeta"
	"muniment/archive/archivetest"
	"muniment/server"
)

// roomPapers are papers of the kinds that a page draws in a form of their own.
var roomPapers = map[string]string{
	"mill.md":          "# The Mill at Wexcombe\n\nA history.\n\n## The water\n\nIt came from the hill.\n\n## The fish\n\nThe monks kept carp.\n\n## The wheel\n\nIt was of elm.\n",
	"talk.vtt":         "WEBVTT\n\n00:00:00.000 --> 00:00:00.400\nMy grandmother kept the key.\n\n00:00:00.400 --> 00:00:00.900\nNobody asked about the lantern.\n\n00:00:00.900 --> 00:00:01.000\nThe wheel stopped.\n",
	"brief.txt":        "Göttingen, den 20. Februar 1912\n\nLieber Thomas!\n\nIch komme im Frühjahr nach Wexcombe.\n\nDein Konrad\n",
	"brief.en.txt":     "Göttingen, 20 February 1912\n\nDear Thomas!\n\nI shall come to Wexcombe in spring.\n\nYour Konrad\n",
	"brief.en.old.txt": "Nothing of the kind.\n",
	"letter.txt":       "Wexcombe, 2 March 1908\n\nMy dear Martha,\n\nThe ice on the mill pond broke on Sunday, and the wheel turned again by\nnoon. Father says that the new boards hold better than he had ever hoped\nfor.\n\nYour loving brother,\nThomas Arden\n",
	"minutes.eml":      "From: Grace Hale <grace@society.example>\nTo: Daniel Okoro <daniel@society.example>\nSubject: The bucket\nDate: Wed, 6 May 1998 09:12:00 +0100\nMIME-Version: 1.0\nContent-Type: text/plain\n\nDear Daniel,\n\nWe have it.\n\n> You wrote:\n> Where is it?\n",
	"many.txt":         strings.Repeat("The lantern was lit once more.\n\n", 6),
}

// TestRooms looks at the forms in which pages draw papers: chapters, mail, transcripts, translations, and names.
func TestRooms(t *testing.T) {
	_, sound := newMedia(t)
	papers := maps.Clone(roomPapers)
	papers["talk.wav"] = string(sound)
	a, key := archivetest.New(t, papers)
	if _, err := accession.Describe(a, []string{"letter.txt"}, accession.Description{Values: sourcemeta.Values{Creators: []string{"Arden, Thomas"}}}); err != nil {
		t.Fatal(err)
	}
	archivetest.Seal(t, a, key)
	h := serveArchive(t, a, key, server.Credential{})
	page := func(name string) string {
		_, body := h.get(t, "/a/"+h.idOf(t, name))
		return body
	}
	transcript := h.idOf(t, "talk.vtt")
	for _, one := range []struct{ of, page, want string }{
		{"a chapter is a heading, and its signs are not read", page("mill.md"), `<p class="para heading" role="heading" aria-level="3" id="p3" data-p="3"><span class="line" id="l5"><span class="sr" aria-hidden="true">## </span>The water</span></p>`},
		{"the chapters are listed", page("mill.md"), `<li><a href="#p7">The wheel</a></li>`},
		{"the header of a mail is set apart", page("minutes.eml"), `<p class="para mailhead" id="p1"`},
		{"what a mail quotes is set apart", page("minutes.eml"), `<span class="line quoted"`},
		{"a line that the width of a page ended", page("letter.txt"), `<span class="line full" id="l5">The ice`},
		{"a signature keeps its lines", page("letter.txt"), `<span class="line" id="l9">Your loving`},
		{"a translation faces its paper", page("brief.txt"), `I shall come to Wexcombe in spring.`},
		{"and its paper faces it", page("brief.en.txt"), `Ich komme im Frühjahr nach Wexcombe.`},
		{"a time of a transcript leads to it without a script", page("talk.vtt"), `id="t=0.4,0.9" href="?t=0.4,0.9#t=0.4,0.9"`},
		{"the recording has its transcript", page("talk.wav"), `Nobody asked about the lantern.`},
		{"a name is written as it is spoken", page("letter.txt"), `>Thomas Arden to Martha<`},
	} {
		if !strings.Contains(one.page, one.want) {
			t.Errorf("%s: no %s in\n%s", one.of, one.want, regexp.MustCompile(`(?s)<article.*?</section>`).FindString(one.page))
		}
	}
	if strings.Contains(page("brief.txt"), "Nothing of the kind") {
		t.Error("a file with another name is taken for a translation")
	}
	if around := regexp.MustCompile(`(?s)<nav class="pager around".*?</nav>`).FindString(page("talk.wav")); strings.Contains(around, transcript) {
		t.Errorf("what is on the page follows it: %s", around)
	}
	_, found := h.get(t, "/search?q=lantern")
	if strings.Contains(found, "-->") || !strings.Contains(found, `href="/a/`+transcript+`?t=0.4,0.9#t=0.4,0.9">0:00</a>`) {
		t.Errorf("a line of a transcript is found with signs for programs, or without its time: %s", found)
	}
	if !strings.Contains(found, `<details class="further"><summary>3 passages more of this paper</summary>`) {
		t.Errorf("more than three passages of a paper are not folded: %s", found)
	}
	if _, gone := h.get(t, "/a/"+strings.Repeat("b", 59)); !strings.Contains(gone, `<details class="fold"><summary>What the program says`) {
		t.Errorf("a page that is not found speaks as the program does: %s", gone)
	}
	b := openTab(t)
	b.open(h.url + "/a/" + h.idOf(t, "talk.wav"))
	b.eval(`document.querySelectorAll('.stamp')[1].click()`)
	b.wait(`document.querySelector('audio').currentTime >= 0.4`)
	b.open(h.url + "/a/" + h.idOf(t, "talk.wav") + "?t=0.4,0.9#t=0.4,0.9")
	if got := b.eval(`[...document.querySelectorAll('.cues .line')].map((e) => getComputedStyle(e).backgroundColor === 'rgba(0, 0, 0, 0)' ? 'plain' : 'marked').join()`); got != "plain,marked,plain" {
		t.Errorf("the line at the time of the address is marked: %s", got)
	}
	for _, name := range []string{"Thomas+Arden", "Arden%2C+Thomas"} {
		if _, list := h.get(t, "/inventory?creator="+name); !strings.Contains(list, h.idOf(t, "letter.txt")) {
			t.Errorf("the papers of %s lack the letter", name)
		}
	}
}

// TestLinesOfTheWidth checks that a line which ended as the page was full flows on, and that one which its writer ended stays.
func TestLinesOfTheWidth(t *testing.T) {
	long := strings.Repeat("word ", 14)
	for text, want := range map[string]int{
		long + "\n" + long + "\nend.":              2,
		"Shall I compare thee\nto a summer's day?": 0,
		long + "\nshort\n" + long:                  1,
		"Your obedient servant,\nH. J. Crake":      0,
	} {
		n := 0
		for _, b := range blocksOf(&server.Paper{Passages: []server.Paragraph{{Number: 1, Line: 1, Text: text}}}, "") {
			for _, l := range b.Lines {
				if l.Class == "full" {
					n++
				}
			}
		}
		if n != want {
			t.Errorf("%q: %d lines, want %d", text, n, want)
		}
	}
}

// TestAxisNames has the time axis name round years.
func TestAxisNames(t *testing.T) {
	chart, _ := timeline([]server.NamedCount{{Name: "1883", Count: 1}, {Name: "1997", Count: 2}}, func(string, int) string { return "" })
	var named []string
	for _, b := range chart.Bars {
		if b.Mark {
			named = append(named, b.Name)
		}
	}
	if got := strings.Join(named, " "); got != "1890 1900 1910 1920 1930 1940 1950 1960 1970 1980 1990" {
		t.Errorf("the axis names %s", got)
	}
}
