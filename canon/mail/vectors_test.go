package mail

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"muniment/canon/formstest"
	"muniment/canon/html"
	"muniment/canon/read"
	"muniment/cid"
)

const vectorDir = "../../testvectors/canon-mail"

// vectors makes the files in testvectors/canon-mail: the letter in many ways,
// then one rule or one defect each.
var vectors = func() map[string]formstest.Case {
	eml := func(s string) formstest.Case { return formstest.NewCase("a.eml", "", s, "text") }
	mbox := func(s string) formstest.Case { return formstest.NewCase("a.mbox", "", s, "text") }
	bad := func(name, s string) formstest.Case { return formstest.NewCase(name, "", s, "bytes") }
	const multipart = "MIME-Version: 1.0\nContent-Type: multipart/%s; boundary=\"=_b\"\n\n"
	list := map[string]formstest.Case{
		"addresses":             eml("From: \"Doe, J.\" <jd@x.example>\nTo: <a@x.example>,=?iso-8859-1?q?J=F6rg?=  <j@x.example> (home),\n Friends: b@x.example ;\nDate: 3 Mar 1911 10:00 GMT\n\nwords\n"),
		"alternative":           eml(top + fmt.Sprintf(multipart, "alternative") + "--=_b\n\nplain\n--=_b\nContent-Type: text/html\n\n<p>page\n--=_b--\n"),
		"alternative-pictures":  eml(top + fmt.Sprintf(multipart, "alternative") + "--=_b\nContent-Type: multipart/related; boundary=r\n\n--r\nContent-Type: text/html\n\n<p>page<img src=cid:1>\n--r\nContent-Type: image/gif\nContent-ID: <1>\nContent-Transfer-Encoding: base64\n\nR0lGODlh\n--r--\n--=_b--\n"),
		"stub-phrase":           eml(top + fmt.Sprintf(multipart, "alternative") + "--=_b\n\nYour mail client does not support HTML.\n--=_b\nContent-Type: text/html\n\n<p>It was shut.\n--=_b--\n"),
		"stub-phrase-in-both":   eml(top + fmt.Sprintf(multipart, "alternative") + "--=_b\n\nMy client does not support HTML. Yours?\n--=_b\nContent-Type: text/html\n\n<p>My client does not support <b>HTML</b>. Yours?\n--=_b--\n"),
		"stub-length":           eml(top + fmt.Sprintf(multipart, "alternative") + "--=_b\n\nNews of March https://example.org/news/march/1911/all-of-it\n--=_b\nContent-Type: multipart/related; boundary=r\n\n--r\nContent-Type: text/html\n\n<p>" + strings.Repeat("The mill burnt down. ", 20) + "\n--r--\n--=_b--\n"),
		"stub-empty":            eml(top + fmt.Sprintf(multipart, "alternative") + "--=_b\n\n--\n--=_b\nContent-Type: text/html\n\n<p>It was shut.\n--=_b--\n"),
		"stub-short-letter":     eml(top + fmt.Sprintf(multipart, "alternative") + "--=_b\n\nHi\n--=_b\nContent-Type: text/html\n\n<p>Hi<p>Sent from the telephone of Joe\n--=_b--\n"),
		"attachment":            eml(top + fmt.Sprintf(multipart, "mixed") + "--=_b\n\nsee the list\n--=_b\nContent-Type: text/csv; charset=iso-8859-1; name*=iso-8859-1''pr%E9cis.csv\nContent-Disposition: attachment; filename=\"../../list.csv\"\n\na,b\n--=_b--\n"),
		"attachment-alone":      eml(top + "Content-Type: application/pdf; name=scan.pdf\nContent-Transfer-Encoding: base64\n\nJVBERi0=\n"),
		"defect-base64":         eml(top + "Content-Transfer-Encoding: base64\n\nd29y\n*ZHM\n"),
		"defect-boundary":       eml(top + "Content-Type: multipart/mixed; boundary=x\n\nwords\n"),
		"defect-charset":        eml(top + "Content-Type: text/plain; charset=iso-8859-1\n\ncaf\xC3\xA9\n"),
		"defect-header":         eml(top + "words without a blank line before them\n"),
		"defect-quoted":         eml(top + "Content-Transfer-Encoding: quoted-printable\n\na=b, c=3D d=E\n"),
		"defect-repeated":       eml(top + "Subject: one\nSubject: two\n\nwords\n"),
		"defect-text":           eml(top + "\n\x01\x02\x03\n"),
		"defect-unclosed":       eml(top + fmt.Sprintf(multipart, "mixed") + "--=_b\n\nwords\n"),
		"defect-word":           eml(top + "Subject: =?utf-8?b?AAAA?=\n\nwords\n"),
		"digest":                eml(top + fmt.Sprintf(multipart, "digest") + "--=_b\n\nSubject: 1\n\none\n--=_b\n\nSubject: 2\n\ntwo\n--=_b--\n"),
		"emlx":                  formstest.NewCase("a.emlx", "", fmt.Sprintf("%-10d\n%s\nwords\n<?xml version=\"1.0\"?><plist/>\n", len(top)+7, top), "text"),
		"emlx-beyond":           formstest.NewCase("a.emlx", "", "20\n"+top+"\nwords\n<?xml version=\"1.0\"?><plist/>\n", "text"),
		"emlx-short":            formstest.NewCase("a.emlx", "", "99999\n"+top+"\nwords\n", "text"),
		"encoded-words":         eml(top + "Subject: =?utf-8?q?Gr=C3=BC=C3?=\n =?utf-8?q?=9Fe?= aus =?koi8-r?b?zcnS?= =?us-ascii*en?q?=0AFrom:_x?=\n\nwords\n"),
		"facts":                 eml("Message-ID: <3@x.example>\nIn-Reply-To: <2@x.example>\nReferences: <1@x.example>\n <2@x.example>\nSender: s@x.example\nReply-To: r@x.example\n" + top + "\nwords\n"),
		"flowed":                eml(top + "Content-Type: text/plain; format=flowed\n\n> one \n> two\n>> three\n four \nfive\n\nsix\n-- \nA\n"),
		"flowed-delsp":          eml(top + "Content-Type: text/plain; charset=utf-8; format=flowed; delsp=yes\n\n長 \nい\n"),
		"html":                  eml(top + "Content-Type: text/html; charset=windows-1252\n\n<h1>caf\xE9</h1><p>a<br>b\n"),
		"iso-2022-jp":           eml(top + "Subject: =?iso-2022-jp?b?GyRCOzMbKEI=?=\nContent-Type: text/plain; charset=iso-2022-jp\n\n\x1B$B;3\x1B(B\n"),
		"mail-in-mail":          eml(top + fmt.Sprintf(multipart, "mixed") + "--=_b\n\nsee below\n--=_b\nContent-Type: message/rfc822\n\nSubject: in\n\ninner\n--=_b--\n"),
		"named-by-media-type":   formstest.NewCase("a", "message/rfc822", top+"\nwords\n", "text"),
		"no-body":               eml(top),
		"quotation":             eml(top + "\nB wrote:\n> one\n>> two\n>\n> three\n\nfour\n"),
		"signed":                eml(top + "Content-Type: multipart/signed; micalg=pgp-sha256;\n protocol=\"application/pgp-signature\"; boundary=\"=_b\"\n\n--=_b\n\nwords\n--=_b\nContent-Type: application/pgp-signature; name=signature.asc\n\n-----BEGIN PGP SIGNATURE-----\n--=_b--\n"),
		"base64-footer":         eml(top + "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64\n\nR3LDvMOfZQ==\n\n-- \nList footer, 2 lines\nhttps://lists.example.org/\n"),
		"charset-ibm850":        eml(top + "Subject: =?cp850?Q?gr=81n?=\nContent-Type: text/plain; charset=\"ibm-850\"\n\nGr\x81\xe1e aus K\x94ln\n"),
		"date-asctime":          eml(strings.Replace(top, "Date: ", "X-Date: ", 1) + "Date: Mon Feb  3 10:00:00 CET 2003\n\nwords\n"),
		"refused-deep":          bad("a.eml", top+deep(MaxDepth)),
		"refused-header":        bad("a.eml", top+strings.Repeat("X: y\n", MaxFields)+"\nwords\n"),
		"refused-no-mail":       bad("a.eml", "words\n"),
		"refused-parts":         bad("a.eml", top+"Content-Type: multipart/mixed; boundary=b\n\n"+strings.Repeat("--b\n\n", MaxParts)),
		"mbox-crlf":             mbox(strings.ReplaceAll(twoMails, "\n", "\r\n")),
		"mbox-two":              mbox(twoMails),
		"mbox-encoded":          mbox(strings.Replace(twoMails, "\n\none é", "\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64\n\nb25lIMOp", 1)),
		"mbox-quoted":           mbox(divider + top + "\n>From here\n>>From there\n\nFrom now on\n\n"),
		"mbox-unreadable":       mbox(divider + "words\n\n" + divider + top + "\nwords\n"),
		"mbox-refused-no-lines": bad("a.mbox", top+"\nwords\n"),
	}
	l := someLetter
	l.subject = "Grüße aus Zürich"
	l.picture = nil
	for _, name := range []string{"base", "folded with CRLF", "decomposed", "trace", "backwards", "wrapped", "fields b in macintosh", "fields raw in windows-1252",
		`utf-16 in base64 with "\r\n"`, `ISO-8859-15 in quoted-printable with "\n"`, `macintosh in 8bit with "\r"`, `utf-8 in base64 with "\n"`} {
		w, ok := someWays()[name]
		if !ok {
			panic(name)
		}
		list["letter-"+strings.NewReplacer(" ", "-", `"`, "", `\r\n`, "crlf", `\n`, "lf", `\r`, "cr").Replace(strings.ToLower(name))] = eml(string(w.encode(l)))
	}
	maps.Copy(list, outlookVectors())
	return list
}()

const twoMails = divider + top + "Subject: 1\n\none é\n\n" + divider + top + "Subject: 2\n\ntwo\n\n"

// deep returns the inside of so many multiparts.
func deep(levels int) string {
	var b strings.Builder
	for i := range levels {
		fmt.Fprintf(&b, "Content-Type: multipart/mixed; boundary=b%d.\n\n--b%d.\n", i, i)
	}
	return b.String() + "\nwords\n"
}

// Every vector gives exactly what its file says, and the files are those of
// the table.
func TestVectors(t *testing.T) {
	set := formstest.Set{Dir: vectorDir, Registry: read.NewRegistry(Reader(), Mailbox(), Outlook(), html.Reader()), Table: vectors}
	set.Run(t, 79)
}

// The vectors of one letter are one artifact, and so are those of one mailbox.
func TestVectorsOfOneLetter(t *testing.T) {
	for prefix, least := range map[string]int{"letter-": 12, "mbox-": 3} {
		ids := map[cid.ID]int{}
		for name, v := range vectors {
			if !strings.HasPrefix(name, prefix) || prefix == "mbox-" && !slices.Contains([]string{"mbox-crlf", "mbox-two", "mbox-encoded"}, name) {
				continue
			}
			r := read.NewRegistry(Reader(), Mailbox())
			form, err := r.Canonicalize(v.Input())
			if err != nil {
				t.Fatal(err)
			}
			ids[cid.Of(form.Payload)]++
		}
		if len(ids) != 1 {
			t.Errorf("%s: %d artifacts, want one: %v", prefix, len(ids), ids)
		}
		for id, n := range ids {
			if n < least {
				t.Errorf("%d vectors of %s, want at least %d", n, id, least)
			}
		}
	}
}
