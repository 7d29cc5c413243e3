package mail

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"muniment/canon"
	"muniment/canon/office/compound"
	"muniment/canon/read"
)

// OutlookName is the name and version of the form of a mail that Outlook saved.
const OutlookName = "msg@1"

const (
	outlookType = "application/vnd.ms-outlook"
	octetStream = "application/octet-stream"
	oleType     = "application/x-ole-storage"
)

// Outlook returns the reader of msg@1.
func Outlook() read.Reader {
	return read.Reader{
		Name:       OutlookName,
		MediaTypes: []string{outlookType},
		Extensions: []string{".msg", ".oft"},
		Begins:     compound.Begins,
		Read: func(in read.Input) (read.Form, error) {
			form, err := readOutlook(in.Data)
			if err != nil {
				return read.Form{}, fmt.Errorf("%s: %w", OutlookName, err)
			}
			return form, nil
		},
	}
}

// Numbers of properties (MS-OXPROPS).
const (
	propClass          = 0x001A
	propSubject        = 0x0037
	propSubmitted      = 0x0039
	propFromName       = 0x0042
	propReplyTo        = 0x0050
	propFromKind       = 0x0064
	propFromAddress    = 0x0065
	propHeader         = 0x007D
	propRecipient      = 0x0C15
	propSenderName     = 0x0C1A
	propSenderKind     = 0x0C1E
	propSenderAddress  = 0x0C1F
	propShownBcc       = 0x0E02
	propShownCc        = 0x0E03
	propShownTo        = 0x0E04
	propDelivered      = 0x0E06
	propBody           = 0x1000
	propRTF            = 0x1009
	propHTML           = 0x1013
	propMessageID      = 0x1035
	propReferences     = 0x1039
	propInReplyTo      = 0x1042
	propName           = 0x3001
	propKind           = 0x3002
	propAddress        = 0x3003
	propData           = 0x3701
	propFile           = 0x3704
	propMethod         = 0x3705
	propLongFile       = 0x3707
	propMediaType      = 0x370E
	propSMTP           = 0x39FE
	propPage           = 0x3FDE // the code page of the page
	propTextPage       = 0x3FFD // the code page of texts in one byte
	propSenderSMTP     = 0x5D01
	propFromSMTP       = 0x5D02
	typeNumber         = 0x0003
	typeFolder         = 0x000D
	typeText           = 0x001E
	typeWide           = 0x001F
	typeTime           = 0x0040
	typeBytes          = 0x0102
	propertyStream     = "__properties_version1.0"
	namesFolder        = "__nameid_version1.0"
	recipientFolder    = "__recip_version1.0_#"
	attachmentFolder   = "__attach_version1.0_#"
	mailHead           = 32 // bytes before the properties of a mail
	innerMailHead      = 24 // of a mail within a mail
	folderHead         = 8  // of a recipient or an attachment
	propertySize       = 16
	defaultPage        = 1252
	methodInnerMail    = 5 // how an attachment is kept
	methodOLE          = 6
	recipientTo        = 1
	recipientCc        = 2
	recipientBcc       = 3
	usualClass         = "IPM.Note"
	exchangeKind       = "EX" // of addresses of a directory, which are no addresses of mail
	outlookHeaderTitle = "Microsoft Mail Internet Headers"
)

// An item is a mail, a recipient or an attachment: a folder of properties.
type item struct {
	file     *compound.File
	folder   string // with a slash at its end, "" for the mail
	values   map[uint32][]byte
	codepage int
}

// openItem reads the properties of a folder whose stream of them has a head.
func openItem(f *compound.File, folder string, head int) (*item, error) {
	data, err := f.Read(folder + propertyStream)
	if err != nil {
		return nil, err
	}
	if len(data) < head {
		return nil, fmt.Errorf("%s%s is cut off", folder, propertyStream)
	}
	it := &item{file: f, folder: folder, values: map[uint32][]byte{}, codepage: defaultPage}
	for entry := range slices.Chunk(data[head:], propertySize) {
		if len(entry) == propertySize {
			it.values[binary.LittleEndian.Uint32(entry)] = entry[8:]
		}
	}
	return it, nil
}

// number returns a number of the properties, 0 where there is none.
func (it *item) number(id uint32) uint32 {
	if v := it.values[id<<16|typeNumber]; v != nil {
		return binary.LittleEndian.Uint32(v)
	}
	return 0
}

// time returns a time of the properties, the zero time where there is none.
func (it *item) time(id uint32) time.Time {
	if v := it.values[id<<16|typeTime]; v != nil {
		return compound.FileTime(binary.LittleEndian.Uint64(v))
	}
	return time.Time{}
}

// streamName returns the name of the stream of a property.
func streamName(id, kind uint32) string { return fmt.Sprintf("__substg1.0_%04X%04X", id, kind) }

// bytes returns a property of bytes, nil where there is none.
func (it *item) bytes(id uint32) ([]byte, error) {
	name := it.folder + streamName(id, typeBytes)
	if !it.file.Has(name) {
		return nil, nil
	}
	return it.file.Read(name)
}

// text returns a text of the properties, "" where there is none, and how it was decoded.
func (it *item) text(id uint32) (text, charset string, err error) {
	if name := it.folder + streamName(id, typeWide); it.file.Has(name) {
		data, err := it.file.Read(name)
		return strings.TrimRight(compound.Wide(data), "\x00"), "utf-16le declared", err
	}
	if name := it.folder + streamName(id, typeText); it.file.Has(name) {
		data, err := it.file.Read(name)
		charset := charsetOfPage(it.codepage)
		if charset == "" {
			charset = charsetOfPage(defaultPage)
		}
		return strings.TrimRight(read.DecodeBytes(data, charset), "\x00"), charset + " declared", err
	}
	return "", "", nil
}

// line returns the first of some texts that is not empty, on one line. A text that cannot
// be read is none.
func (it *item) line(ids ...uint32) string {
	for _, id := range ids {
		if text, _, err := it.text(id); err == nil && oneLine(text) != "" {
			return oneLine(text)
		}
	}
	return ""
}

// charsetOfPage returns the charset of a code page, "" for one that is not known.
func charsetOfPage(page int) string {
	switch {
	case page >= 28591 && page <= 28606:
		return fmt.Sprintf("iso-8859-%d", page-28590)
	case page == 20127: // ASCII
		return "windows-1252"
	}
	if name, ok := map[int]string{20866: "koi8-r", 21866: "koi8-u", 50220: "iso-2022-jp", 50221: "iso-2022-jp", 50222: "iso-2022-jp",
		51932: "euc-jp", 51936: "gbk", 51949: "euc-kr", 52936: "gbk", 54936: "gb18030"}[page]; ok {
		return name
	}
	return read.CodePageName(page)
}

// An outlook is a mail of Outlook while it is read.
type outlook struct {
	*message
	*item
	linked int // attachments that lie elsewhere
	class  string
}

// readOutlook returns the msg@1 form of a mail.
func readOutlook(data []byte) (read.Form, error) {
	if len(data) > MaxInput {
		return read.Form{}, fmt.Errorf("the mail has %d bytes, at most %d are read", len(data), MaxInput)
	}
	f, err := compound.Open(data)
	if err != nil {
		return read.Form{}, err
	}
	mail, err := openItem(f, "", mailHead)
	if err != nil {
		return read.Form{}, err
	}
	if page := mail.number(propTextPage); page != 0 {
		mail.codepage = int(page)
	}
	o := &outlook{message: &message{names: map[string]bool{}, defects: map[string]int{}}, item: mail}
	o.class = mail.line(propClass)
	h, err := o.header()
	if err != nil {
		return read.Form{}, err
	}
	body, err := o.readBody()
	if err != nil {
		return read.Form{}, err
	}
	if err := o.readAttachments(); err != nil {
		return read.Form{}, err
	}
	payload := o.writeFields(h)
	if len(payload) == 0 {
		return read.Form{}, errors.New("no sender, recipient, date or subject: not a mail")
	}
	if body != nil {
		payload = append(append(payload, '\n'), body...)
	}
	form := read.Form{Payload: canon.Text(payload), Canonicalizer: OutlookName, Unicode: canon.UnicodeVersion, Extractor: o.extractor,
		Charset: strings.Join(o.charsets, "; "), Parts: o.parts}
	form.Source, form.Facts = o.describe(h)
	addCount(form.Facts, "linked", o.linked)
	if o.class != "" && o.class != usualClass {
		form.Facts["class"] = cutFact(o.class)
	}
	return form, nil
}

// header returns the fields of the mail: those with which it travelled, where Outlook
// kept them, and for each that is not there, what its properties say.
func (o *outlook) header() (header, error) {
	kept, charset, err := o.text(propHeader)
	if err != nil {
		return nil, err
	}
	if title, rest, ok := strings.Cut(kept, "\n"); ok && strings.HasPrefix(title, outlookHeaderTitle) {
		kept = rest
	}
	h, _, err := o.cutHeader(unwrap([]byte(kept)))
	if err != nil {
		return nil, err
	}
	if len(h) > 0 {
		o.noteCharset(charset)
	}
	to, err := o.recipients()
	if err != nil {
		return nil, err
	}
	date := ""
	for _, id := range []uint32{propSubmitted, propDelivered} {
		if at := o.time(id); !at.IsZero() && date == "" {
			date = at.Format(time.RFC1123Z)
		}
	}
	from := o.address(o.line(propFromName), o.line(propFromKind), o.line(propFromSMTP, propFromAddress))
	sender := o.address(o.line(propSenderName), o.line(propSenderKind), o.line(propSenderSMTP, propSenderAddress))
	from = cmp.Or(from, sender)
	if sender == from || bytes.Contains(h.get("from"), []byte(o.line(propSenderSMTP, propSenderAddress))) {
		sender = ""
	}
	for _, field := range []struct{ name, value string }{
		{"from", from}, {"to", to[recipientTo]}, {"cc", to[recipientCc]}, {"bcc", to[recipientBcc]}, {"date", date},
		{"subject", o.line(propSubject)}, {"message-id", o.line(propMessageID)}, {"in-reply-to", o.line(propInReplyTo)},
		{"references", o.line(propReferences)}, {"sender", sender}, {"reply-to", o.line(propReplyTo)},
	} {
		if len(bytes.TrimSpace(h.get(field.name))) == 0 {
			h = append(h, header{{field.name, []byte(field.value)}}...)
		}
	}
	return h, nil
}

// recipients returns the lists of recipients by their kind: those of the list of
// recipients, else as Outlook shows them.
func (o *outlook) recipients() (map[uint32]string, error) {
	folders := o.file.Folders(recipientFolder)
	if len(folders) > MaxFields {
		return nil, fmt.Errorf("the mail has more than %d recipients", MaxFields)
	}
	lists := map[uint32][]string{}
	for _, folder := range folders {
		r, err := openItem(o.file, folder+"/", folderHead)
		if err != nil {
			return nil, err
		}
		r.codepage = o.codepage
		if address := o.address(r.line(propName), r.line(propKind), r.line(propSMTP, propAddress)); address != "" {
			kind := r.number(propRecipient) & 0xF // above are flags of sending again
			lists[kind] = append(lists[kind], address)
		}
	}
	out := map[uint32]string{}
	for kind, shown := range map[uint32]uint32{recipientTo: propShownTo, recipientCc: propShownCc, recipientBcc: propShownBcc} {
		if out[kind] = strings.Join(lists[kind], ", "); out[kind] == "" && len(folders) == 0 {
			var names []string
			for name := range strings.SplitSeq(o.line(shown), ";") {
				names = append(names, o.address(oneLine(name), "", ""))
			}
			out[kind] = strings.Join(slices.DeleteFunc(names, func(s string) bool { return s == "" }), ", ")
		}
	}
	return out, nil
}

// address returns a name and an address as a mail writes them. The address within a
// directory of Exchange is left out where there is a name.
func (*outlook) address(name, kind, address string) string {
	if strings.EqualFold(kind, exchangeKind) && !strings.Contains(address, "@") && name != "" {
		address = ""
	}
	bare := strings.Trim(name, `'"<> `)
	switch {
	case address == "" && strings.Contains(bare, "@") && !strings.ContainsAny(bare, "\"()<>[]:;\\, ") || strings.EqualFold(bare, address):
		return bare
	case address == "":
		return quoteIfNeeded(name)
	case name == "":
		return "<" + address + ">"
	}
	return quoteIfNeeded(name) + " <" + address + ">"
}
