package pages

import (
	"encoding/binary"
	"strings"
	"testing"
	"unicode/utf16"

	"muniment/archive/archivetest"
	"muniment/history"
	"muniment/server"
	"muniment/snapshot/access"
)

// TestOriginalsOfNamed asks for originals that name a sealed person in a form that no reader of their text sees, and for mails that are attached to one
// another in a circle.
func TestOriginalsOfNamed(t *testing.T) {
	head := "From: Ottokar Prins <o@choir.example>\r\nTo: Mary Aldous <m@choir.example>\r\nDate: Wed, 13 Mar 1996 09:14:00 +0000\r\nSubject: Bells\r\nMIME-Version: 1.0\r\n"
	mail := func(subject, attached string) string {
		return strings.Replace(head, "Bells", subject, 1) + "Content-Type: multipart/mixed; boundary=" + subject + "\r\n\r\n--" + subject + "\r\nContent-Type: text/plain\r\n\r\nThe bells were rung.\r\n--" + subject +
			"\r\nContent-Type: message/rfc822\r\n\r\n" + attached + "\r\n--" + subject + "--\r\n"
	}
	var wide []byte
	for _, u := range utf16.Encode([]rune("\ufeff<!doctype html><html><!-- by Verena Zuckmann --><body><p>The door was shut.</p></body></html>")) {
		wide = binary.LittleEndian.AppendUint16(wide, u)
	}
	a, key := archivetest.New(t, map[string]string{
		"circle.eml":   mail("Bells", mail("Ropes", head+"Content-Type: text/plain\r\n\r\nThe bells were rung.\r\n")),
		"entity.html":  "<!doctype html><html><body><p title=\"Verena Z&#117;ckmann\">The gate was shut.</p></body></html>",
		"percent.html": "<!doctype html><html><body><p><a href=\"/Verena%20%5Auckmann\">The gate</a> was open.</p></body></html>",
		"wide.html":    string(wide),
		"plain.html":   "<!doctype html><html><body><p title=\"the gate\">The gate was red.</p></body></html>",
		"heads.md":     strings.Repeat("# A heading of the year\n\nA line about the year.\n\n", 400),
	})
	archivetest.Seal(t, a, key, history.ConsentOptions{Person: "Verena Zuckmann", State: access.PersonSealed})
	h := &twin{house: serveArchive(t, a, key, server.Credential{}), tokens: map[string]string{}, answer: map[string]string{}, made: map[string]string{}}
	for name, status := range map[string]int{"circle.eml": 200, "entity.html": 403, "percent.html": 403, "wide.html": 403, "plain.html": 200} {
		if got := h.send(t, "", "GET", "/o/"+name+"?save=1", "", "application/json"); got.status != status {
			t.Errorf("the original of %s: %d, want %d: %s", name, got.status, status, got.body)
		}
	}
	if got := h.send(t, "", "GET", "/a/heads.md", "", "text/html"); got.status != 200 || strings.Count(got.body, "A line about the year.") < 4 { // excerpts are short here
		t.Errorf("a page of a paper of headings: %d, %d paragraphs", got.status, strings.Count(got.body, "A line about the year."))
	}
}
