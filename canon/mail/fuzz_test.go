package mail

import (
	"bytes"
	"encoding/base64"
	"mime/quotedprintable"
	"strings"
	"testing"
)

func FuzzMail(f *testing.F) {
	for _, s := range seeds() {
		f.Add(s)
	}
	for _, s := range []string{
		"Subject: =?utf-8?b?YQ=?= =?x?q?=?\n", "To: \"a\\\"(b <c>: d;, [e\n\n", "Date: 1 Jan 1 1:1 Z\nContent-Type: text/plain; name*0*=a'b'%c; name*1=d\n\n\x00",
		"From x\nFrom: a\r\rb", "Subject: a\nContent-Type: multipart/digest; boundary=\"\"\n\n----\n",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(checkMail)
}

// Whatever begins as a container gives a mail in the form of the text step, or an error, and
// parts that take no more than the container allows.
func FuzzOutlook(f *testing.F) {
	for _, v := range outlookVectors() {
		f.Add([]byte(v.Data))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		form, err := readOutlook(data)
		if err != nil {
			if form.Payload != nil || form.Parts != nil {
				t.Fatalf("an error and a form: %v", err)
			}
			return
		}
		checkText(t, form)
		if !paragraph.Match(form.Payload) {
			t.Fatalf("the payload does not begin with fields: %q", form.Payload)
		}
		size, names := 0, map[string]bool{}
		for _, p := range form.Parts {
			size += len(p.Data)
			if names[p.Name] || p.Name == "" || strings.ContainsAny(p.Name, "/\\\x00\n") || len(p.Data) == 0 || p.MediaType == "" {
				t.Fatalf("part %q, %q of %d bytes", p.Name, p.MediaType, len(p.Data))
			}
			names[p.Name] = true
		}
		if size > 8*len(data)+4<<20 {
			t.Fatalf("%d bytes of parts from %d", size, len(data))
		}
		if again, err := readOutlook(data); err != nil || !bytes.Equal(again.Payload, form.Payload) {
			t.Fatalf("a second reading gives %q, %v", again.Payload, err)
		}
	})
}

func FuzzMailbox(f *testing.F) {
	f.Add([]byte(divider + top + "\nhello\n>From x\n\n" + divider + "Subject: a\n\n"))
	f.Add([]byte(strings.ReplaceAll(divider+top+"\n\n"+divider, "\n", "\r\n")))
	f.Add([]byte("From 0:00 1900\n\n\nFrom - 0:00 1900\rFrom"))
	f.Fuzz(checkMailbox)
}

// What was encoded is decoded, and nothing decoded is longer than it was.
func FuzzTransfer(f *testing.F) {
	f.Add([]byte("a=b \r\n=\n=4"), uint16(3))
	f.Add([]byte("QQ==QUI=\nQUJD!"), uint16(76))
	f.Fuzz(func(t *testing.T, data []byte, width uint16) {
		for _, decode := range []func([]byte) ([]byte, int){decodeBase64, decodeQuoted} {
			if out, _ := decode(data); len(out) > len(data) {
				t.Fatalf("%d bytes from %d", len(out), len(data))
			}
		}
		coded := base64.StdEncoding.EncodeToString(data)
		var lines strings.Builder
		for i, c := range []byte(coded) {
			if i%int(width|1) == 0 {
				lines.WriteString(" \n")
			}
			lines.WriteByte(c)
		}
		if out, bad := decodeBase64([]byte(lines.String())); bad > 0 || !bytes.Equal(out, data) {
			t.Fatalf("base64 of %q is %q, %d bad", data, out, bad)
		}
		if out, bad := decodeBase64([]byte(coded)); bad > 0 || !bytes.Equal(out, data) {
			t.Fatalf("base64 of %q is %q, %d bad", data, out, bad)
		}
		var q bytes.Buffer
		w := quotedprintable.NewWriter(&q)
		w.Binary = true
		w.Write(data)
		w.Close()
		if out, bad := decodeQuoted(q.Bytes()); bad > 0 || !bytes.Equal(out, data) {
			t.Fatalf("quoted-printable of %q is %q, %d bad", data, out, bad)
		}
	})
}

func BenchmarkMail(b *testing.B) {
	bench := func(name string, data []byte) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				if _, err := readMail(data); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	w := someWays()
	bench("small", w["base"].encode(someLetter))
	long := someLetter
	long.text = strings.Repeat("im Café saß André allein und las in seinem Buch vom Sommer.\n", 20_000)
	for _, transfer := range []string{"8bit", "quoted-printable", "base64"} {
		way := w["base"]
		way.transfer = transfer
		bench("text-"+transfer, way.encode(long))
	}
	long = someLetter
	long.picture = bytes.Repeat([]byte("pixels"), 1<<20)
	bench("attachment", w["base"].encode(long))
	bench("html", []byte(top+"Content-Type: text/html; charset=utf-8\n\n"+strings.Repeat("<p>im <b>Café</b> saß André &amp; las\n", 20_000)))
}

func BenchmarkMailbox(b *testing.B) {
	one := append([]byte(divider), someWays()["base"].encode(someLetter)...)
	data := bytes.Repeat(append(one, "\n\n"...), 2000)
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if _, err := readMailbox(data); err != nil {
			b.Fatal(err)
		}
	}
}
