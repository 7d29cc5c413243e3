package mail

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"muniment/canon/formstest"
	"muniment/canon/office/compound"
)

// A builder makes the streams of a mail of Outlook.
type builder struct {
	streams map[string][]byte
	fixed   map[string][]byte // properties of numbers and times, by folder
	heads   map[string]int
}

func newBuilder() *builder {
	return &builder{map[string][]byte{}, map[string][]byte{"": nil}, map[string]int{"": mailHead}}
}

func (b *builder) add(folder string, id, kind uint32, data []byte) *builder {
	b.streams[folder+streamName(id, kind)] = data
	return b
}

func (b *builder) wide(folder string, id uint32, s string) *builder {
	var data []byte
	for _, unit := range utf16.Encode([]rune(s)) {
		data = binary.LittleEndian.AppendUint16(data, unit)
	}
	return b.add(folder, id, typeWide, data)
}

func (b *builder) value(folder string, id, kind uint32, v uint64) *builder {
	entry := binary.LittleEndian.AppendUint32(nil, id<<16|kind)
	entry = binary.LittleEndian.AppendUint32(entry, 6)
	b.fixed[folder] = append(b.fixed[folder], binary.LittleEndian.AppendUint64(entry, v)...)
	return b
}

func (b *builder) number(folder string, id uint32, n int) *builder {
	return b.value(folder, id, typeNumber, uint64(n))
}

func (b *builder) time(folder string, id uint32, at time.Time) *builder {
	return b.value(folder, id, typeTime, uint64(at.Unix()+11_644_473_600)*10_000_000)
}

// folder adds a folder and returns its name.
func (b *builder) folder(name string, head int) string {
	b.fixed[name], b.heads[name] = nil, head
	return name
}

func (b *builder) recipient(kind int, name, address string) *builder {
	folder := b.folder(fmt.Sprintf("%s%08X/", recipientFolder, len(b.fixed)), folderHead)
	b.number(folder, propRecipient, kind).wide(folder, propName, name)
	if address != "" {
		b.wide(folder, propKind, "SMTP").wide(folder, propAddress, address)
	}
	return b
}

func (b *builder) attachment(method int, name string) (folder string) {
	folder = b.folder(fmt.Sprintf("%s%08X/", attachmentFolder, len(b.fixed)), folderHead)
	b.number(folder, propMethod, method).wide(folder, propLongFile, name)
	return folder
}

func (b *builder) write() string {
	streams := maps.Clone(b.streams)
	for folder, entries := range b.fixed {
		streams[folder+propertyStream] = append(make([]byte, b.heads[folder]), entries...)
	}
	data, err := compound.Write(streams)
	if err != nil {
		panic(err)
	}
	return string(data)
}

// squeeze returns a document as MS-OXRTFCP packs it, without copies.
func squeeze(document string) []byte {
	var body []byte
	for part := range slices.Chunk([]byte(document), 8) {
		body = append(append(body, 0), part...)
	}
	const firstWindow = 207 // bytes that the window holds before the first
	end := (firstWindow + len(document)) % 4096
	if len(document)%8 == 0 {
		body = append(body, 1)
	} else {
		body[len(body)-len(document)%8-1] = 1 << (len(document) % 8)
	}
	body = binary.BigEndian.AppendUint16(body, uint16(end<<4))
	head := binary.LittleEndian.AppendUint32(nil, uint32(len(body)+12))
	head = append(binary.LittleEndian.AppendUint32(head, uint32(len(document))), "LZFu"...)
	return append(binary.LittleEndian.AppendUint32(head, ^crc32.Update(0xFFFFFFFF, crc32.IEEETable, body)), body...)
}

var sent = time.Date(2003, 3, 3, 10, 0, 0, 0, time.UTC)

// letterOfOutlook is a letter as Outlook saves one that was not sent by mail.
func letterOfOutlook() *builder {
	return newBuilder().wide("", propClass, "IPM.Note").wide("", propSubject, "Grüße aus Zürich").
		wide("", propFromName, "André").wide("", propFromKind, "SMTP").wide("", propFromAddress, "andre@example.org").
		time("", propSubmitted, sent).recipient(recipientTo, "zoe@example.net", "zoe@example.net").
		recipient(recipientTo, "Müller, Jörg", "joerg@example.net")
}

const plainLetter = "It was shut when I came,\r\nand I walked home.\r\n"

// swell returns a container whose stream of that name states 2 GiB.
func swell(data, name string) string {
	var wide []byte
	for _, c := range []byte(name) {
		wide = append(wide, c, 0)
	}
	out := []byte(data)
	at := bytes.Index(out, wide)
	binary.LittleEndian.PutUint32(out[at-at%128+120:], 1<<31)
	return string(out)
}

// outlookVectors are the mails of Outlook among the vectors.
func outlookVectors() map[string]formstest.Case {
	msg := func(b *builder, expect string) formstest.Case {
		return formstest.NewCase("a.msg", "", b.write(), expect)
	}
	body := func() *builder { return letterOfOutlook().wide("", propBody, plainLetter) }
	list := map[string]formstest.Case{}
	full := body().recipient(recipientCc, "Doe, J.", "jd@example.org").recipient(recipientBcc, "Eve", "eve@example.org").
		wide("", propMessageID, "<1@example.org>").wide("", propInReplyTo, "<0@example.net>")
	picture := full.attachment(1, `C:\pictures\Zürich.png`)
	full.add(picture, propData, typeBytes, []byte("\x89PNG\r\n\x1a\n")).wide(picture, propMediaType, "image/png")
	list["msg-letter"] = msg(full, "text")
	list["msg-travelled"] = msg(body().wide("", propHeader, outlookHeaderTitle+" Version 2.0\r\nReceived: from mx\r\nFrom: =?iso-8859-1?q?Andr=E9?= <a@example.org>\r\n"+
		"To: list@example.net\r\nDate: Mon, 3 Mar 2003 11:00:00 +0100\r\nSubject: Gruss\r\nMessage-ID: <2@example.org>\r\n\r\n"), "text")
	narrow := newBuilder().number("", propTextPage, 1251).add("", propSubject, typeText, []byte("\xcf\xe8\xf1\xfc\xec\xee")).
		add("", propBody, typeText, []byte("\xc4\xee\xf0\xee\xe3\xee\xe9 \xe4\xf0\xf3\xe3\r\n")).add("", propFromName, typeText, []byte("\xc8\xe2\xe0\xed")).
		add("", propShownTo, typeText, []byte("\xce\xeb\xfc\xe3\xe0; p@example.org"))
	list["msg-one-byte"] = msg(narrow, "text")
	const rich = `{\rtf1\ansi\ansicpg1252 It was \b shut\b0  when I came: 3 \'80.\par And so home.}`
	const fromPage = `{\rtf1\ansi\fromhtml1 {\*\htmltag <p>}rich\par}`
	page := func(b *builder, number int, s string) *builder {
		return b.number("", propPage, number).add("", propHTML, typeBytes, []byte(s))
	}
	list["msg-rich"] = msg(letterOfOutlook().add("", propRTF, typeBytes, squeeze(rich)), "text")
	list["msg-rich-and-page"] = msg(page(letterOfOutlook(), 28591, "<p>caf\xe9<p>shut").add("", propRTF, typeBytes, squeeze(fromPage)), "text")
	list["msg-rich-from-page"] = msg(letterOfOutlook().add("", propRTF, typeBytes, squeeze(fromPage)), "text")
	list["msg-page"] = msg(page(letterOfOutlook(), 50220, "<p>\x1b$B4A;z\x1b(B"), "text")
	inner := body()
	in := inner.attachment(methodInnerMail, "Re: shut") + streamName(propData, typeFolder) + "/"
	inner.folder(in, innerMailHead)
	inner.wide(in, propSubject, "Re: shut").wide(in, propBody, "Inner.").wide(in, propFromName, "Zoë").time(in, propSubmitted, sent)
	inner.streams[namesFolder+"/__substg1.0_00020102"] = []byte("names")
	list["msg-inner"] = msg(inner, "text")
	ole := body()
	ole.streams[ole.attachment(methodOLE, "Picture")+streamName(propData, typeFolder)+"/\x01Ole"] = []byte("drawn")
	list["msg-ole"] = msg(ole, "text")
	linked := body()
	linked.attachment(2, `\\server\plan.doc`)
	list["msg-linked"] = msg(linked, "text")
	list["msg-exchange"] = msg(newBuilder().wide("", propFromName, "Office").wide("", propFromKind, "EX").wide("", propFromAddress, "/O=ORG/CN=OFFICE").
		wide("", propSenderName, "Anne").wide("", propSenderKind, "EX").wide("", propSenderAddress, "/O=ORG/CN=ANNE").wide("", propSenderSMTP, "anne@example.org").
		recipient(recipientTo, "Everybody", "").wide("", propBody, "x"), "text")
	list["msg-class"] = msg(newBuilder().wide("", propClass, "IPM.Appointment").wide("", propSubject, "Board").wide("", propBody, "Room 4"), "text")
	list["msg-stub"] = msg(page(letterOfOutlook().wide("", propBody, "Your client doesn't support HTML."), 65001, "<p>It was shut."), "text")
	list["msg-no-body"] = msg(letterOfOutlook(), "text")

	damaged := squeeze(rich)
	damaged[len(damaged)-5] ^= 1
	list["msg-defect-rich"] = msg(letterOfOutlook().add("", propRTF, typeBytes, damaged), "text")
	list["msg-defect-text"] = msg(letterOfOutlook().wide("", propBody, "a\x00b"), "text")
	lost := body()
	lost.add(lost.attachment(1, "plan.doc"), propData, typeBytes, []byte("drawn"))
	list["msg-defect-stream"] = formstest.NewCase("a.msg", "", swell(lost.write(), streamName(propData, typeBytes)), "text")
	list["msg-refused-no-mail"] = msg(newBuilder().wide("", propBody, "x"), "bytes")
	short := body()
	short.heads[""] = 8
	short.fixed[""] = nil
	list["msg-refused-head"] = msg(short, "bytes")
	whole := body().write()
	list["msg-refused-cut"] = formstest.NewCase("a.msg", "", whole[:len(whole)-1500], "bytes")
	return list
}

// A mail within a mail is a mail of its own, with the names of its properties.
func TestInnerMail(t *testing.T) {
	form, err := readOutlook([]byte(outlookVectors()["msg-inner"].Data))
	if err != nil || len(form.Parts) != 1 {
		t.Fatalf("%d parts, %v", len(form.Parts), err)
	}
	part := form.Parts[0]
	if part.Name != "Re: shut.msg" || part.MediaType != outlookType {
		t.Errorf("the part is %s, %s", part.Name, part.MediaType)
	}
	inner, err := readOutlook(part.Data)
	if err != nil {
		t.Fatal(err)
	}
	const want = "From: Zoë\nDate: Mon, 03 Mar 2003 10:00:00 +0000\nSubject: Re: shut\n\nInner.\n"
	if string(inner.Payload) != want {
		t.Errorf("the mail within is\n%s\nwant\n%s", inner.Payload, want)
	}
	f, err := compound.Open(part.Data)
	if err != nil || !f.Has(namesFolder+"/__substg1.0_00020102") {
		t.Errorf("the names of properties are lost, %v", err)
	}
}

// Limits hold: of recipients, attachments, text, and of streams that state too much.
func TestOutlookLimits(t *testing.T) {
	recipients, attachments := letterOfOutlook(), letterOfOutlook()
	for range MaxFields {
		recipients.recipient(recipientTo, "a", "a@b.example")
	}
	for range MaxParts + 1 {
		attachments.attachment(1, "a")
	}
	long := strings.Repeat("words ", MaxBody/6+1)
	for name, b := range map[string]*builder{"recipients": recipients, "attachments": attachments, "longer than": letterOfOutlook().wide("", propBody, long)} {
		if _, err := readOutlook([]byte(b.write())); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
	data := []byte(swell(letterOfOutlook().write(), streamName(propSubject, typeWide)))
	form, err := readOutlook(data)
	if err != nil || strings.Contains(string(form.Payload), "Subject") {
		t.Errorf("a subject of 2 GiB: %v", err)
	}
}
