package mail

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"muniment/canon"
	"muniment/canon/read"
)

func readLetter(t *testing.T, data string) read.Form {
	t.Helper()
	f, err := readMail([]byte(data))
	if err != nil {
		t.Fatalf("%.200q: %v", data, err)
	}
	return f
}

// top is the header of most test mails, and head what becomes of it.
const (
	top  = "From: A <a@b.example>\nDate: Fri, 3 Mar 1911 10:00:00 +0100\n"
	head = "From: A <a@b.example>\nDate: Fri, 3 Mar 1911 10:00:00 +0100\n"
)

func TestBody(t *testing.T) {
	alternative := func(parts ...string) string {
		return top + "Content-Type: multipart/alternative; boundary=b\n\n--b\n" + strings.Join(parts, "\n--b\n") + "\n--b--\n"
	}
	mixed := func(parts ...string) string {
		return top + "Content-Type: multipart/mixed; boundary=b\n\nnot shown\n--b\n" + strings.Join(parts, "\n--b\n") + "\n--b--\nnot shown either\n"
	}
	const plain, page = "Content-Type: text/plain\n\nplain", "Content-Type: text/html\n\n<p>page"
	cases := []struct{ name, mail, want, parts string }{
		{"no type", top + "\nhello\n", "hello", ""},
		{"no body", top, "", ""},
		{"blank body", top + "\n \n\n", "", ""},
		{"quoted reply", top + "\nOn Friday B wrote:\n> a\n>> b\n>\n> c\n\nyes\n", "On Friday B wrote:\n> a\n>> b\n>\n> c\n\nyes", ""},
		{"html", top + "Content-Type: text/html\n\n<p>a<p>b<script>c</script>", "a\n\nb", ""},
		{"two alternatives", alternative(page, plain), "plain", ""},
		{"richest alternative", alternative("Content-Type: text/html\n\n<p>a", page), "page", ""},
		{"blank alternative", alternative("Content-Type: text/plain\n\n \n", page), "page", ""},
		{"mixed text", mixed(plain, page, "\nfooter"), "plain\n\npage\n\nfooter", ""},
		{"attached text", mixed(plain, "Content-Type: text/plain; charset=KOI8-R\nContent-Disposition: attachment; filename=a.txt\n\nb"), "plain", "a.txt text/plain; charset=koi8-r"},
		{"named text", mixed(plain, "Content-Type: text/plain; name=patch.diff\n\nb"), "plain", "patch.diff text/plain"},
		{"named first", mixed("Content-Type: text/plain; name=letter.txt\n\nb"), "b", ""},
		{"attachment in an alternative", alternative(plain, "Content-Type: multipart/mixed; boundary=c\n\n--c\n"+page+"\n--c\nContent-Type: application/pdf; name=x.pdf\n\n%PDF\n--c--"), "plain", "x.pdf application/pdf"},
		{"related", top + "Content-Type: multipart/related; boundary=b\n\n--b\n" + page + "\n--b\nContent-Type: image/png\nContent-Transfer-Encoding: base64\n\niVBO\n--b\n" + page + "\n--b--\n", "page", "part-2.png image/png, part-3.html text/html"},
		{"mail in the mail", mixed(plain, "Content-Type: message/rfc822\n\nSubject: in\n\nx"), "plain", "part-2.eml message/rfc822"},
		{"digest", top + "Content-Type: multipart/digest; boundary=b\n\n--b\n\nSubject: 1\n--b\n\nSubject: 2\n--b--\n", "", "part-1.eml message/rfc822, part-2.eml message/rfc822"},
		{"one name twice", mixed("Content-Type: image/png; name=a.png\n\n1", "Content-Type: image/png; name=A.png\n\n2"), "", "a.png image/png, A-2.png image/png"},
		{"nested", mixed("Content-Type: multipart/signed; boundary=bb\n\n--bb\n" + plain + "\n--bb\nContent-Type: application/pgp-signature\n\nx\n--bb--"), "plain", "part-2.asc application/pgp-signature"},
		{"boundary with blanks", top + "Content-Type: multipart/mixed; boundary=\"a b\"\n\n--a b \t\n\none\n--a b-- \n", "one", ""},
		{"prefix of a boundary", mixed("\n--bb\nx--b\n --b"), "--bb\nx--b\n --b", ""},
		{"binary text", mixed(plain, "\n\x00\x01\x02"), "plain", "part-2.txt text/plain"},
		{"header only of a part", mixed("Content-Type: text/plain"), "", ""},
		{"cut off", strings.TrimSuffix(mixed(plain), "\n--b--\nnot shown either\n"), "plain", ""},
		{"never divided", top + "Content-Type: multipart/mixed; boundary=b\n\nwords\n", "words", ""},
		{"no boundary", top + "Content-Type: multipart/mixed\n\n--b\nwords\n", "--b\nwords", ""},
		{"type of the nineties", top + "Content-Type: text\n\nwords\n", "words", ""},
		{"comments", top + "Content-Type: text/html (a page); charset=utf-8 (\"b\")\n\n<b>words", "words", ""},
		{"no blank line", top + "words without a colon\nmore\n", "words without a colon\nmore", ""},
		{"from line", "From a@b.example Fri Mar  3 10:00:00 1911\n>From c Fri Mar  3 10:00:00 1911 remote from d\n" + top + "\nhello\n", "hello", ""},
		{"from with a space", "From : A <a@b.example>\nDate: Fri, 3 Mar 1911 10:00:00 +0100\n\nhello\n", "hello", ""},
		{"field name with a space", "Subject : s\n" + top + "\nhello\n", "hello", ""},
		{"charset in quotes", top + "Content-Type: text/plain; charset=\"koi8-r\"\n\n\xCD\xC9\xD2\n", "мир", ""},
		{"old japanese", top + "Content-Type: text/plain; charset=iso-2022-jp\n\n\x1B$B;3\x1B(B\n", "山", ""},
		{"signature", top + "\nwords\n-- \nA\n", "words\n--\nA", ""},
	}
	for _, c := range cases {
		f := readLetter(t, c.mail)
		gotHead, got, _ := strings.Cut(strings.TrimSuffix(string(f.Payload), "\n"), "\n\n")
		if got != c.want {
			t.Errorf("%s: body %q, want %q", c.name, got, c.want)
		}
		if want := strings.TrimSuffix(head, "\n"); !strings.HasPrefix(gotHead, want) {
			t.Errorf("%s: head %q, want %q", c.name, gotHead, want)
		}
		var parts []string
		for _, p := range f.Parts {
			parts = append(parts, p.Name+" "+p.MediaType)
			if len(p.Data) == 0 {
				t.Errorf("%s: part %s is empty", c.name, p.Name)
			}
		}
		if got := strings.Join(parts, ", "); got != c.parts {
			t.Errorf("%s: parts %q, want %q", c.name, got, c.parts)
		}
	}
}

func TestFlowed(t *testing.T) {
	cases := []struct{ name, text, want string }{
		{"joined", "a \nb \nc\nd\n", "a b c\nd"},
		{"quoted", "> a \n> b\n>> c \n>> d\ne\n", "> a b\n>> c d\ne"},
		{"quotation without a space", ">a \n>b\n", "> a b"},
		{"depths are not joined", "> a \nb\n>> c \n> d\n", "> a\nb\n>> c\n> d"},
		{"stuffed", " From a\n >b\n  c\n", "From a\n>b\n c"},
		{"empty line", "a \n\nb\n>\n", "a\n\nb\n>"},
		{"signature", "a \n-- \nA \nB\n", "a\n--\nA B"},
		{"quoted signature", "> a \n> -- \n> A\n", "> a\n> --\n> A"},
	}
	for _, c := range cases {
		for _, lf := range []string{"\n", "\r\n"} {
			got := string(canon.Text(unflow([]byte(strings.ReplaceAll(c.text, "\n", lf)), false)))
			if want := string(canon.Text([]byte(c.want))); got != want {
				t.Errorf("%s: got %q, want %q", c.name, got, want)
			}
		}
	}
	if got := string(unflow([]byte("天 \n地 \n人"), true)); got != "天地人" {
		t.Errorf("delsp: got %q", got)
	}
}

func TestFields(t *testing.T) {
	cases := []struct{ name, field, want string }{
		{"folded", "Subject: a\n b\n\t c", "Subject: a b c"},
		{"encoded", "Subject: =?utf-8?Q?caf=C3=A9_cr=C3=A8me?= =?ISO-8859-1?b?4SBsYQ==?= carte", "Subject: café crèmeá la carte"},
		{"character cut in two", "Subject: =?utf-8?Q?caf=C3?=\n =?utf-8?Q?=A9?= x", "Subject: café x"},
		{"language", "Subject: =?us-ascii*en-us?q?Hello?=", "Subject: Hello"},
		{"no field in a field", "Subject: =?utf-8?q?x=0AFrom:_evil=E2=80=A8To:_y?=", "Subject: x From: evil To: y"},
		{"not a word", "Subject: =?x =?utf-8?z?q?= a=?=", "Subject: =?x =?utf-8?z?q?= a=?="},
		{"undecodable word", "Subject: =?utf-8?q?=00?=", "Subject: =?utf-8?q?=00?="},
		{"bytes", "Subject: caf\xC3\xA9", "Subject: café"},
		{"bytes in the body's charset", "Subject: \xCD\xC9\xD2\nContent-Type: text/plain; charset=koi8-r", "Subject: мир"},
		{"short name in gb2312", "To: =?gb2312?B?wr3QoQ==?= <w@x>", "To: 陆小 <w@x>"},
		{"utf-8 said to be gb2312", "To: =?gb2312?q?=E7=8E=8B=E6=BA=AA?= <w@x>", "To: 王溪 <w@x>"},
		{"empty", "Subject: \n \nCc: ,;", ""},
		{"repeated", "Subject: b\nSubject: a", "Subject: b\nSubject: a"},
		{"plain address", "To: <a@b>,c@d", "To: a@b, c@d"},
		{"names", "To: \"A B\" <a@b>, C D<c@d>,\"E, F\" <e @ f>", "To: A B <a@b>, C D <c@d>, \"E, F\" <e@f>"},
		{"encoded name", "To: =?utf-8?q?M=C3=BCller=2C?= =?utf-8?q?_J=C3=B6rg?= <j@m>", "To: \"Müller, Jörg\" <j@m>"},
		{"encoded name in quotes", "To: \"=?utf-8?q?J=C3=B6rg?=\" <j@m>", "To: Jörg <j@m>"},
		{"escapes", `To: "a \"b\" \\c" <a@b>`, `To: "a \"b\" \\c" <a@b>`},
		{"comment", "To: a@b (A (the first) B), C (=?utf-8?q?=C3=A9?=) <c@d>", "To: a@b (A (the first) B), C <c@d> (é)"},
		{"group", "To: x@y, Friends: a@b,\n c@d;, z@z\nCc: undisclosed-recipients:;", "To: x@y, Friends: a@b, c@d;, z@z\nCc: undisclosed-recipients:;"},
		{"semicolons", "To: a@b; C <c@d>;", "To: a@b, C <c@d>"},
		{"quoted local part", `To: "a b"@c, <"d <e"@f>`, `To: "a b"@c, "d <e"@f`},
		{"literal", "To: a@[IPv6:2001:db8::1], b@c", "To: a@[IPv6:2001:db8::1], b@c"},
		{"no list", "To: A <a@b> B <c@d>", "To: A <a@b> B <c@d>"},
		{"never closed", "To: \"A <a@b>", "To: \"A <a@b>"},
		{"blind copy", "Bcc: a@b", "Bcc: a@b"},
		{"not hashed", "Received: from x\nMessage-ID: <1@x>\nReply-To: r@r\nX-Mailer: y", ""},
		{"other order and case", "SUBJECT: s\ncc: c@c\nTo: t@t", "To: t@t\nCc: c@c\nSubject: s"},
	}
	for _, c := range cases {
		f := readLetter(t, "Date: d\n"+c.field+"\n\n")
		var got []string
		for line := range strings.Lines(string(f.Payload)) {
			if line != "Date: d\n" {
				got = append(got, strings.TrimSuffix(line, "\n"))
			}
		}
		if got := strings.Join(got, "\n"); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

func TestAbout(t *testing.T) {
	f := readLetter(t, `From: =?utf-8?q?J=C3=B6rg?= <j@m>, k@m (Karl), l@m, Jörg <other@m>
Sender: s@m
Reply-To: "R, R" <r@m>
Date: Sat, 4 Jun 22 09:05 EST (winter)
Subject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=
Message-ID: <1@m>
In-Reply-To: Your message of yesterday <0@m>
References: <a@m>
	<0@m>
Content-Type: multipart/mixed; boundary=b

--b
Content-Type: text/plain; charset=iso-8859-1

ü in utf-8
--b
Content-Type: image/gif; name*=utf-8''%e2%82%ac.gif
Content-Transfer-Encoding: base64

R0lG*ODlh
--b
Content-Transfer-Encoding: quoted-printable
Content-Type: text/html

50=% =41
--b
Content-Type: image/png

`)
	want := map[string]string{
		"message_id": "<1@m>", "in_reply_to": "<0@m>", "references": "<a@m> <0@m>", "sender": "s@m", "reply_to": `"R, R" <r@m>`,
		"date": "2022-06-04T09:05:00-05:00", "body": "text/plain, text/html", "attachments": "1",
		"defects": "base64 1, charset 1, empty 1, quoted 1, unclosed 1",
	}
	if diff := cmp.Diff(want, f.Facts); diff != "" {
		t.Errorf("facts (-want +got):\n%s", diff)
	}
	meta := read.Meta{Title: "Grüße", Creators: []string{"Jörg", "Karl", "l@m"}, PublishedAt: "2022-06-04T09:05:00-05:00"}
	if diff := cmp.Diff(meta, f.Source); diff != "" {
		t.Errorf("source (-want +got):\n%s", diff)
	}
	if len(f.Parts) != 1 || f.Parts[0].Name != "€.gif" || string(f.Parts[0].Data) != "GIF89a" {
		t.Errorf("parts: %q", f.Parts)
	}
	if f.Extractor == "" || f.Charset != "utf-8 valid" {
		t.Errorf("extractor %q, charset %q", f.Extractor, f.Charset)
	}
}

// A guess about a field is recorded like one about a text.
func TestGuessedField(t *testing.T) {
	f := readLetter(t, "Subject: \xF0\xD2\xC9\xD7\xC5\xD4, \xCB\xC1\xCB \xC4\xC5\xCC\xC1, \xC4\xCF\xD2\xCF\xC7\xCF\xCA \xC4\xD2\xD5\xC7\n\n")
	if f.Source.Title != "Привет, как дела, дорогой друг" || !strings.Contains(f.Charset, "koi8-r guess ") {
		t.Errorf("%q by %q", f.Source.Title, f.Charset)
	}
	f = readLetter(t, "Subject: \xFF\x81\x01\x02\x03\nSubject: =?utf-8?q?=00?=\n\n")
	if got := f.Facts["defects"]; got != "charset 1, date 1, repeated 1, word 1" {
		t.Errorf("defects %q", got)
	}
}

// Only a charset that matters is a defect.
func TestCharsetDefect(t *testing.T) {
	for charset, want := range map[string]string{
		"ansi-x3.4": "", "us-ascii": "", "iso-8859-1": "", "utf-32": "", "utf-7": "charset 1, date 1", "hz-gb-2312": "charset 1, date 1", "x-unknown": "",
	} {
		f := readLetter(t, "Subject: s\nContent-Type: text/plain; charset="+charset+"\n\nwords\n")
		if got := f.Facts["defects"]; got != want && (want != "" || got != "date 1") {
			t.Errorf("%s: defects %q", charset, got)
		}
	}
}

func TestDate(t *testing.T) {
	cases := []struct{ in, want string }{
		{"Fri, 3 Mar 1911 10:00:00 +0100", "1911-03-03T10:00:00+01:00"},
		{"3 MAR 1911 10:00 GMT", "1911-03-03T10:00:00Z"},
		{"Fri,03 Mar 2011 23:59:60 -0330", "2011-03-03T23:59:59-03:30"},
		{"1 Jan 99 00:00:00 -0000", "1999-01-01T00:00:00Z"},
		{"1 Jan 103 00:00:00 PDT", "2003-01-01T00:00:00-07:00"},
		{"29 Feb 2000 10:00:00 +0000 (UTC)", "2000-02-29T10:00:00Z"},
		{"Fri, 21 Nov 97 09(comment):   55  :  06 -0600", "1997-11-21T09:55:06-06:00"},
		{"Monday, 03-Feb-03 10:00:00 GMT", "2003-02-03T10:00:00Z"}, {"3-Feb-2003 10:00 +0100", "2003-02-03T10:00:00+01:00"},
		{"Mon Feb  3 10:00:00 2003", "2003-02-03"}, {"Mon Feb  3 10:00:00 EST 2003", "2003-02-03T10:00:00-05:00"}, {"Feb 3 10:00:00 2003", "2003-02-03"},
		{"Mon, 3 February 2003 10:00:00 GMT+01:00", "2003-02-03T10:00:00+01:00"}, {"3 Mar 1911 10:00:00 +01:00", "1911-03-03T10:00:00+01:00"},
		{"Feb 30 10:00:00 2003", ""}, {"Feb 3 2003", ""}, {"3-Feb", ""}, {"3 Marches 1911", ""},
		{"3 Mar 1911 10:00:00 MESZ", "1911-03-03"}, {"3 Mar 1911 10:00:00", "1911-03-03"}, {"3 Mar 1911", "1911-03-03"},
		{"3 Mar 1911 25:00:00 +0100", "1911-03-03"}, {"3 Mar 1911 10:00:00 +2400", "1911-03-03"},
		{"29 Feb 2001 10:00:00 +0000", ""}, {"32 Jan 2001", ""}, {"1911-03-03", ""}, {"3 Mrz 1911", ""}, {"3 r a 1911", ""}, {"", ""}, {"0 Jan 2001", ""},
	}
	for _, c := range cases {
		if got := parseDate(c.in); got != c.want {
			t.Errorf("date(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}

func TestSafeName(t *testing.T) {
	cases := []struct{ in, want string }{
		{"a.txt", "a.txt"}, {"../../etc/passwd", "passwd"}, {`C:\x\a.doc`, "a.doc"}, {"/", ""}, {"..", ""}, {".profile", "profile"},
		{"a\x00\n b .", "a b"}, {"gpj\u202Egpj.exe", "gpjgpj.exe"}, {"e\u0301.txt", "é.txt"}, {"a..b", "a..b"},
		{strings.Repeat("é", 150) + ".pdf", strings.Repeat("é", 98) + ".pdf"},
		{"a." + strings.Repeat("x", 300), "a." + strings.Repeat("x", 198)},
	}
	for _, c := range cases {
		if got := safeName(c.in); got != c.want {
			t.Errorf("safeName(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}

func TestParameters(t *testing.T) {
	cases := []struct{ in, want string }{
		{`x; name=a.txt`, "a.txt"}, {`x; name="a;b.txt"`, "a;b.txt"}, {`x; name="a\"b"`, `a"b`}, {`x ; NAME = a b.txt ; y=z`, "a b.txt"},
		{`x; name*=iso-8859-1'fr'caf%E9`, "café"}, {`x; name*0*=utf-8''%C3; name*1*=%A9; name*2=".t%78t"`, "é.t%78t"},
		{`x; name*1=b; name*0=a; name*3=d`, "ab"}, {`x; name=old; name*=utf-8''new`, "new"}, {`x; name=1; name=2`, "1"},
		{`x; name="=?utf-8?q?=C3=A9?="`, "é"}, {`x; name*=utf-8''=?utf-8?q?a?=`, "=?utf-8?q?a?="}, {`x; name="open`, "open"},
		{`x; name*=100%`, "100%"}, {`x; name*1=b`, ""}, {`x; (name=b) name=(c)a`, "a"}, {"x;;=;name=a", "a"},
	}
	for _, c := range cases {
		m := message{defects: map[string]int{}}
		if got := m.fileName(m.parseStructured([]byte(c.in)), "name"); got != c.want {
			t.Errorf("%s: got %q, want %q", c.in, got, c.want)
		}
	}
}
