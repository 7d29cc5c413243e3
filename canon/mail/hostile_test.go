package mail

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"path"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"muniment/canon"
	"muniment/canon/read"
	"muniment/cid"
)

// paragraph is the form of the first paragraph of mail@3.
var paragraph = regexp.MustCompile(`^((From|To|Cc|Bcc|Date|Subject): [^\n]+\n)+(\n[^\n]|$)`)

// checkMail checks what holds for the form of any input.
func checkMail(t *testing.T, data []byte) {
	t.Helper()
	f, err := readMail(data)
	if err != nil {
		if f.Payload != nil || f.Parts != nil || f.Facts != nil {
			t.Fatalf("an error and a form: %v, %q", err, f.Payload)
		}
		return
	}
	checkText(t, f)
	if !paragraph.Match(f.Payload) {
		t.Fatalf("the payload does not begin with fields: %q", f.Payload)
	}
	names := map[string]bool{}
	size := 0
	for _, p := range f.Parts {
		size += len(p.Data)
		switch name := p.Name; {
		case names[name] || len(p.Data) == 0 || p.MediaType == "":
			t.Fatalf("part %q is not one of its own: %q", name, p.MediaType)
		case name == "" || name != path.Base(name) || name[0] == '.' || strings.ContainsAny(name, "\\\x00\n") || !utf8.ValidString(name) || len(name) > maxName+8:
			t.Fatalf("part has the name %q", name)
		}
		names[p.Name] = true
	}
	if size > len(data) {
		t.Fatalf("%d bytes of parts from %d", size, len(data))
	}
	if again, err := readMail(data); err != nil || !bytes.Equal(again.Payload, f.Payload) || fmt.Sprint(again.Facts) != fmt.Sprint(f.Facts) {
		t.Fatalf("a second reading gives %q, %v", again.Payload, err)
	}
}

func checkText(t *testing.T, f read.Form) {
	t.Helper()
	if !utf8.Valid(f.Payload) || !bytes.Equal(canon.Text(f.Payload), f.Payload) {
		t.Fatalf("the payload is not in the form of the text step: %q", f.Payload)
	}
	for k, v := range f.Facts {
		if v == "" || !utf8.ValidString(v) {
			t.Fatalf("fact %s is %q", k, v)
		}
	}
}

func checkMailbox(t *testing.T, data []byte) {
	t.Helper()
	f, err := readMailbox(data)
	if err != nil || f.Payload == nil {
		return
	}
	checkText(t, f)
	d := canon.NewDocument(f.Payload)
	units := d.Units(canon.Paragraphs)
	if len(units) != len(f.Parts) {
		t.Fatalf("%d paragraphs for %d mails", len(units), len(f.Parts))
	}
	for i, u := range units {
		id := cid.Of(f.Parts[i].Data)
		if form, err := readMail(f.Parts[i].Data); err == nil {
			id = cid.Of(form.Payload)
		}
		if !bytes.HasSuffix(f.Payload[u.Start:u.End], []byte("Artifact: "+id.String())) {
			t.Fatalf("paragraph %d does not name %s: %q", i+1, id, f.Payload[u.Start:u.End])
		}
	}
}

// seeds are mails with everything in them.
func seeds() [][]byte {
	var list [][]byte
	for _, name := range []string{"base", "folded with CRLF", "wrapped", "fields b in macintosh", `windows-1252 in quoted-printable with "\n"`, "disposition"} {
		w, ok := someWays()[name]
		if !ok {
			panic(name)
		}
		l := someLetter
		l.subject = "Grüße"
		list = append(list, w.encode(l))
	}
	return append(list, []byte(top+"Content-Type: multipart/alternative; boundary=a\n\n--a\nContent-Type: text/plain; format=flowed; delsp=yes\n\n> a \n> b\n--a\n"+
		"Content-Type: multipart/related; boundary=aa\n\n--aa\nContent-Type: text/html; charset=utf-8\n\n<p>page<table><tr><td>1\n--aa\nContent-Type: message/rfc822\n\nSubject: x\n\ny\n--aa--\n--a--\n"))
}

// A thousand damaged mails and mailboxes each are read, or refused, at once.
func TestDamaged(t *testing.T) {
	r := rand.New(rand.NewPCG(1911, 3))
	all := seeds()
	var mailbox []byte
	for _, s := range all {
		mailbox = append(append(append(mailbox, divider...), s...), "\n\n"...)
	}
	const each, slow = 1000, time.Minute
	ran := 0
	for i := range each {
		for k, whole := range [][]byte{all[i%len(all)], mailbox} {
			data := bytes.Clone(whole)
			if i%2 == 0 {
				data = data[:r.IntN(len(data)+1)]
			}
			for range r.IntN(12) {
				if len(data) > 0 {
					data[r.IntN(len(data))] ^= 1 << r.IntN(8)
				}
			}
			start := time.Now()
			if k == 0 {
				checkMail(t, data)
			} else {
				checkMailbox(t, data)
			}
			if took := time.Since(start); took > slow {
				t.Errorf("%.100q took %v", data, took)
			}
			ran++
		}
	}
	if ran != 2*each {
		t.Errorf("%d inputs, want %d", ran, 2*each)
	}
}

// What is made to hang or to fill the memory does neither.
func TestHostile(t *testing.T) {
	nested := func(depth int) string {
		var b strings.Builder
		b.WriteString(top)
		for i := range depth {
			fmt.Fprintf(&b, "Content-Type: multipart/mixed; boundary=b%d.\n\n--b%d.\n", i, i)
		}
		return b.String() + "\nwords\n"
	}
	multipart := top + "Content-Type: multipart/mixed; boundary=b\n\n"
	cases := []struct{ name, data, want string }{
		{"as deep as may be", nested(MaxDepth - 1), ""},
		{"too deep", nested(MaxDepth), "parts are nested deeper than 16"},
		{"deeper", nested(100_000), "parts are nested deeper than 16"},
		{"a million parts", multipart + strings.Repeat("--b\n\nx\n", 1_000_000), "the message has more than 1000 parts"},
		{"a million empty parts", multipart + strings.Repeat("--b\n", 1_000_000), "the message has more than 1000 parts"},
		{"a million dashes", multipart + strings.Repeat("--b-\n", 1_000_000) + "--b\n\nwords\n--b--\n", ""},
		{"one boundary for all levels", top + strings.Repeat("Content-Type: multipart/mixed; boundary=b\n\n--b\n", 500), ""},
		{"long header", top + "X: " + strings.Repeat("a", MaxHeader) + "\n\n", "a header is longer than 524288 bytes"},
		{"folded a lot", top + "Subject: a" + strings.Repeat("\n b", MaxHeader/2) + "\n\n", "a header is longer than 524288 bytes"},
		{"many fields", top + strings.Repeat("X: a\n", MaxFields), "a header has more than 2000 fields"},
		{"long header of a part", multipart + "--b\nX: " + strings.Repeat("a", MaxHeader) + "\n\n", "a header is longer than 524288 bytes"},
		{"many words", top + "Subject: " + strings.Repeat("=?utf-8?q?a?= ", 30_000), ""},
		{"many undecodable words", top + "Subject: " + strings.Repeat("=?big5?q?=FF=80a?= =?gbk?q?=FF=80?=", 12_000), ""},
		{"words never closed", top + "Subject: " + strings.Repeat("=?a?q?", 80_000), ""},
		{"comments never closed", top + "To: " + strings.Repeat("(", 500_000), ""},
		{"comments in comments", top + "To: a@b " + strings.Repeat("(", 200_000) + strings.Repeat(")", 200_000), ""},
		{"quotes", top + "To: " + strings.Repeat(`"`, 500_001), ""},
		{"angles", top + "To: " + strings.Repeat(`<a> `, 100_000), ""},
		{"addresses", top + "To: " + strings.Repeat("a@b,", 120_000), ""},
		{"parameters", top + "Content-Type: text/plain" + strings.Repeat("; a*0=b; c*1=d", 30_000) + "\n\n", ""},
		{"one long line of quoted-printable", top + "Content-Transfer-Encoding: quoted-printable\n\n" + strings.Repeat("=", 2_000_000), ""},
		{"marks of quotation", top + "Content-Type: text/plain; format=flowed\n\n" + strings.Repeat(strings.Repeat(">", 1000)+"a \n", 2000), ""},
		{"too much text", top + "\n" + strings.Repeat("words\n", MaxBody/6+1), "the text of the message is longer than 16777216 bytes"},
		{"names alike", multipart + strings.Repeat("--b\nContent-Type: image/png; name=a.png\n\nx\n", 900), ""},
		{"no mail", "words\n", "no From, To, Cc, Bcc, Date or Subject: not a mail"},
		{"nothing to see in it", "Subject: \u200B\n\nwords\n", "no From, To, Cc, Bcc, Date or Subject: not a mail"},
	}
	for _, c := range cases {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		start := time.Now()
		_, err := readMail([]byte(c.data))
		took := time.Since(start)
		runtime.ReadMemStats(&after)
		if err == nil && c.want != "" || err != nil && err.Error() != c.want {
			t.Errorf("%s: got %v, want %q", c.name, err, c.want)
		}
		if took > time.Minute {
			t.Errorf("%s took %v", c.name, took)
		}
		if mb := (after.TotalAlloc - before.TotalAlloc) >> 20; mb > 200 {
			t.Errorf("%s: %d MB were allocated", c.name, mb)
		}
		t.Logf("%-40s %8v %4d MB", c.name, took.Round(time.Millisecond), (after.TotalAlloc-before.TotalAlloc)>>20)
	}
}

func TestHostileMailboxes(t *testing.T) {
	cases := []struct{ name, data, want string }{
		{"no mailbox", "words\n", "the first line is not From, a sender and a date: not a mailbox"},
		{"many mails", strings.Repeat(divider+"x\n\n", MaxMessages+1), "the mailbox has more than 100000 mails"},
		{"a million dividers", strings.Repeat(divider, 1_000_000), ""},
		{"long dividers", divider + top + strings.Repeat("\n\nFrom "+strings.Repeat("1:00 ", 1000), 1000), ""},
	}
	for _, c := range cases {
		start := time.Now()
		_, err := readMailbox([]byte(c.data))
		if err == nil && c.want != "" || err != nil && err.Error() != c.want {
			t.Errorf("%s: got %v, want %q", c.name, err, c.want)
		}
		if took := time.Since(start); took > time.Minute {
			t.Errorf("%s took %v", c.name, took)
		} else {
			t.Logf("%-40s %8v", c.name, took.Round(time.Millisecond))
		}
	}
}
