package mail

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"muniment/canon"
	"muniment/canon/html"
	"muniment/canon/read"
	"muniment/cid"
)

const divider = "From a@b.example Fri Mar  3 10:00:00 1911\n"

func readBox(t *testing.T, data string) read.Form {
	t.Helper()
	f, err := readMailbox([]byte(data))
	if err != nil {
		t.Fatalf("%.200q: %v", data, err)
	}
	return f
}

func TestDivide(t *testing.T) {
	one, two := top+"Subject: 1\n\none\n", top+"Subject: 2\n\ntwo\n"
	cases := []struct {
		name, data string
		want       []string
	}{
		{"one", divider + one + "\n", []string{one}},
		{"two", divider + one + "\n" + divider + two + "\n", []string{one, two}},
		{"no empty line at the end", divider + one, []string{one}},
		{"text behind no empty line", divider + one + divider, []string{one + divider}},
		{"text without a date", divider + one + "\nFrom here on\n\n", []string{one + "\nFrom here on\n"}},
		{"text with a time and no year", divider + one + "\nFrom 10:00 to 11:30, room 201x\n\n", []string{one + "\nFrom 10:00 to 11:30, room 201x\n"}},
		{"year before the time", divider + one + "\nFrom 1911 at 10:00 on\n\n", []string{one + "\nFrom 1911 at 10:00 on\n"}},
		{"quoted", divider + one + "\n>From a\n>>From b\n> From c\n>Front\n\n", []string{one + "\nFrom a\n>From b\n> From c\n>Front\n"}},
		{"no sender", "From - Fri Mar 03 10:00:00 1911\n" + one, []string{one}},
		{"zone and remote", "From a b Fri Mar  3 10:00 MET 1911 remote from c\n" + one, []string{one}},
		{"offset before the year", "From 16@x Fri Mar 03 10:00:00 +0000 2011\n" + one, []string{one}},
		{"nothing between", divider + divider + one, []string{one}},
		{"blank lines first", "\uFEFF\n\n" + divider + one, []string{one}},
	}
	for _, c := range cases {
		for _, lf := range []string{"\n", "\r\n"} {
			f := readBox(t, strings.ReplaceAll(c.data, "\n", lf))
			var got []string
			for _, p := range f.Parts {
				got = append(got, strings.ReplaceAll(string(p.Data), lf, "\n"))
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("%s, %q (-want +got):\n%s", c.name, lf, diff)
			}
		}
	}
}

// Every paragraph names the artifact that its mail becomes by itself.
func TestListing(t *testing.T) {
	one := "From: A <a@b>\nDate: Fri, 3 Mar 2011 10:00:00 +0100\n\none\n"
	two := "Subject: =?utf-8?q?zw=C3=B6lf?=\nDate: 3 Mar 2011 08:59:59 GMT\nContent-Type: text/html\n\n<p>two\n"
	three := "no mail at all\n"
	f := readBox(t, divider+one+"\n"+divider+two+"\n"+divider+three+"\n")
	r := read.NewRegistry(Reader(), Mailbox(), html.Reader())
	var ids []any
	for _, p := range f.Parts {
		form, err := r.Canonicalize(read.Input(p))
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, cid.Of(form.Payload))
	}
	if len(ids) != 3 {
		t.Fatalf("%d mails, want 3", len(ids))
	}
	want := fmt.Sprintf(`From: A <a@b>
Date: Fri, 3 Mar 2011 10:00:00 +0100
Artifact: %s

Date: 3 Mar 2011 08:59:59 GMT
Subject: zwölf
Artifact: %s

Artifact: %s
`, ids...)
	if diff := cmp.Diff(want, string(f.Payload)); diff != "" {
		t.Errorf("payload (-want +got):\n%s", diff)
	}
	facts := map[string]string{"messages": "3", "unreadable": "1", "first": "2011-03-03T08:59:59Z", "last": "2011-03-03T10:00:00+01:00"}
	if diff := cmp.Diff(facts, f.Facts); diff != "" {
		t.Errorf("facts (-want +got):\n%s", diff)
	}
	if f.Extractor != html.Extractor {
		t.Errorf("extractor %q", f.Extractor)
	}
}

// The registry finds the readers by name, media type and, for mail, content.
func TestRegistry(t *testing.T) {
	r := read.NewRegistry(Reader(), Mailbox(), html.Reader())
	letter := top + "Message-ID: <1@b>\n\nhello\n"
	cases := []struct{ name, mediaType, data, canonicalizer, typ string }{
		{"a.eml", "", letter, Name, rfc822},
		{"a.EML", "", letter, Name, rfc822},
		{"a", "", letter, Name, rfc822},
		{"a", "message/global", letter, Name, "message/global"},
		{"a.mbox", "", divider + letter, MailboxName, "application/mbox"},
		{"a", "application/mbox", divider + letter, MailboxName, "application/mbox"},
		{"a.eml", "", "words\n", canon.BytesForm, "text/plain"},
		{"a.mbox", "", letter, canon.BytesForm, rfc822},
		{"a.txt", "", letter, canon.TextForm, plainText},
	}
	for _, c := range cases {
		f, err := r.Canonicalize(read.Input{Name: c.name, MediaType: c.mediaType, Data: []byte(c.data)})
		if err != nil || f.Canonicalizer != c.canonicalizer || f.MediaType != c.typ {
			t.Errorf("%s %s: %s of %s, %v", c.name, c.mediaType, f.Canonicalizer, f.MediaType, err)
		}
	}
}
