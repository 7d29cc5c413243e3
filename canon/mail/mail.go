// Package mail makes mail@3, the text of a mail as its reader sees it, and
// mbox@3, the list of the mails in a mailbox.
//
//	r := read.NewRegistry(mail.Reader(), mail.Mailbox(), html.Reader())
//	form, err := r.Canonicalize(read.Input{Name: "letter.eml", Data: data})
//	for _, part := range form.Parts { … } // attachments: artifacts of their own
//
// # mail@3
//
// The first paragraph of the payload holds the fields a reader sees above a
// letter, one a line, in this order and with these names: From, To, Cc, Bcc,
// Date, Subject. A field that stands more than once has as many lines; one that
// is absent or empty has none, and a mail without any of them is no mail. Then
// come a blank line and the body. Other fields, above all those written on the
// way (Received, DKIM-Signature, List-Id …), are not hashed.
//
//   - Fields are unfolded and their encoded words (RFC 2047) decoded; every run
//     of white space and controls is then one space, so that no value can pose
//     as another field. Bytes that are not encoded are UTF-8, else in the first
//     charset that the message names. Charsets are decided by read.Decode, but
//     that a field or plain text said to be in an East Asian charset is believed
//     to be where it would be UTF-8 without any East Asian character.
//   - Addresses are written in one way: name, then the address in angle
//     brackets; the name in quotation marks only if it has a special character;
//     comments behind; entries joined by a comma and a space. A list that is
//     none of addresses is decoded as text. Dates stand as they are written.
//   - The body is read from the leaves of type text/plain and text/html (or
//     application/xhtml+xml) that are not attached and have no file name, but
//     for the first leaf, which may have one. Plain text is the text step of
//     what Decode makes of it; pages are read as html@2. Texts are joined by a
//     blank line.
//   - Of multipart/alternative the first alternative with plain text is taken, unless
//     that stands in for a page; else the last with any text; the others are counted.
//     A plain text stands in for the last alternative, a page, where it has no letter
//     or digit, where the page has four times as many and 200 more, or where it has a
//     phrase of stubs.txt that the page does not have. In multipart/related
//     only the first part is read. In every other multipart all are.
//   - Lines that begin with ">" stay. In format=flowed (RFC 3676) lines are
//     joined again, and a quoted line is its marks, a space and its text.
//   - Every other leaf is a Part, wherever it stands: attachments, pictures,
//     signatures, and mails within the mail, which are not opened here. A name
//     is the last component of what the sender wrote and unique in the mail.
//     What stands before, between or behind the parts of a multipart is not
//     shown by any reader, and not read.
//
// So transfer encoding (quoted-printable, base64, 8bit), charset, folding, line
// ends, boundaries, the order of fields and the width of flowed text do not
// change the payload.
//
// Form.Charset joins the decisions of Decode for the texts that were read, and
// those that were guessed for fields. The source has the subject as title, the names in From as creators and the date.
// Facts, each only if there is something to say: "message_id", "in_reply_to",
// "references" (in angle brackets, joined by a space), "sender", "reply_to",
// "date" (RFC 3339, or the day where there is no time or no known zone), "body"
// (text/plain, text/html, or both in order), "alternatives" (how many were not
// taken), "stub" (why a plain one was passed over: empty, length or phrase), "attachments" (the number of Parts), and "defects": kinds and counts,
// such as "base64 1, unclosed 1". The kinds:
//
//	address     a list that cannot be read as one
//	base64      entities with characters that do not belong, or cut off
//	boundary    a multipart that no line divides, read as plain text
//	charset     a text in another charset than declared, or an unknown one
//	date        no date, or none that can be read
//	empty       a part without bytes, left out
//	encoding    an unknown transfer encoding, read as 8bit
//	header      a header that ends without an empty line
//	parameter   a parameter of RFC 2231 that cannot be decoded
//	quoted      entities with "=" that encodes nothing
//	repeated    fields of which there may be one and were more
//	text        a text that cannot be read as one, kept as a Part
//	type        a media type that is none, read as plain text
//	unclosed    a multipart without its closing line
//	word        encoded words that cannot be decoded, left as they are
//
// # mbox@3
//
// A mailbox is divided at lines of "From ", a sender and a date, which begin the
// file or stand behind an empty line. Content-Length is not believed. One ">" is
// taken from lines of one or more ">" and "From " (the mboxrd rule). Each mail
// is a Part of type message/rfc822, and a paragraph of the payload: the first
// paragraph of its mail@3 form and a line "Artifact: " with the ID of that
// form's payload, or of the mail's bytes alone where it has no such form. So a
// mailbox has the same ID however its mails are encoded, a paragraph of it
// proves which mail stood there, and the payload lists its mails even where a
// record could not.
//
// Facts: "messages", "unreadable" (those without mail@3), "first" and "last"
// (the earliest and latest date), each only if there is something to say.
//
// # Why not net/mail
//
// The form must not drift. What net/mail, mime and mime/multipart accept, and
// what they do with what is broken, changes from one release of Go to the next,
// and they give up on one bad line where a reader still sees the letter; the
// libraries that repair mail (enmime among them) guess more with each version.
// All that decides a payload is therefore written here, except for charsets
// (read.Decode) and pages (canon/html, named in Form.Extractor).
// docs/decisions/0016-mail-reading.md has the figures.
package mail

import (
	"bytes"
	"errors"
	"fmt"
	"path"
	"strconv"
	"strings"

	"muniment/canon"
	"muniment/canon/read"
)

// The names and versions of the forms.
const (
	Name        = "mail@3"
	MailboxName = "mbox@3"
)

// Limits. What is beyond one of them stays bytes@1, with the limit as reason.
const (
	// MaxInput is the longest mail in bytes: twice what large providers let
	// pass. Its parts are copied once when they are decoded.
	MaxInput = 128 << 20
	// MaxBody is the number of bytes, transfer encoding undone, that are read as
	// text in one mail, alternatives included. More of it is no letter, and the
	// work of reading pages must end.
	MaxBody = 16 << 20
	// MaxHeader and MaxFields bound one header. Providers stop at some 500 kB;
	// a message that went round a few lists has a hundred fields.
	MaxHeader = 512 << 10
	MaxFields = 2000
	// MaxDepth is how deep multiparts may nest: senders nest four. Each level
	// reads the bytes below it again.
	MaxDepth = 16
	// MaxParts is the number of entities in one mail: a record names each part,
	// and has a megabyte for them.
	MaxParts = 1000
	// MaxMailbox is the longest mailbox in bytes, MaxMessages the number of mails
	// in one: the payload and the list of parts are in memory.
	MaxMailbox  = 512 << 20
	MaxMessages = 100_000
	// MaxListing is the longest payload of a mailbox in bytes.
	MaxListing = 64 << 20
)

// Limits of what is looked at or kept of single values; longer ones are cut or
// are not what they seem.
const (
	maxWord     = 4096 // bytes of an encoded word: RFC 2047 allows 75
	maxParams   = 100
	maxBoundary = 200 // RFC 2046 allows 70
	maxPadding  = 100 // blanks behind a boundary
	maxType     = 127 // RFC 4288
	maxFact     = 1024
	maxIDs      = 100
	maxCreators = 100
	maxCharsets = 8
	maxName     = 200 // bytes of a file name
	maxExt      = 16
	// maxAttempts is how many values of a mail may be given to the guess of
	// charsets, which costs a thousand times what decoding does.
	maxAttempts = 16
)

const (
	plainText = "text/plain"
	rfc822    = "message/rfc822"
	emlxType  = "message/x-emlx"
)

// Kinds of defects, by the package comment.
const (
	defectAddress   = "address"
	defectBase64    = "base64"
	defectBoundary  = "boundary"
	defectCharset   = "charset"
	defectDate      = "date"
	defectEmpty     = "empty"
	defectEncoding  = "encoding"
	defectHeader    = "header"
	defectParameter = "parameter"
	defectQuoted    = "quoted"
	defectRepeated  = "repeated"
	defectStream    = "stream"
	defectText      = "text"
	defectType      = "type"
	defectUnclosed  = "unclosed"
	defectWord      = "word"
)

// payloadFields are the fields that are part of the payload, in their order.
var payloadFields = []struct {
	name, key string
	addresses bool
}{
	{"From", "from", true}, {"To", "to", true}, {"Cc", "cc", true}, {"Bcc", "bcc", true},
	{"Date", "date", false}, {"Subject", "subject", false},
}

// IsForm reports whether a canonicalizer is a version of the form of a mail.
func IsForm(canonicalizer string) bool { return strings.HasPrefix(canonicalizer, "mail@") }

// Reader returns the reader of mail@3.
func Reader() read.Reader {
	return read.Reader{
		Name:       Name,
		MediaTypes: []string{rfc822, emlxType, "message/global"},
		Extensions: []string{".eml", ".emlx"},
		Read: func(in read.Input) (read.Form, error) {
			data := in.Data
			if in.MediaType == emlxType || strings.EqualFold(path.Ext(in.Name), ".emlx") {
				data = cutEmlx(data)
			}
			form, err := readMail(data)
			if err != nil {
				return read.Form{}, fmt.Errorf("%s: %w", Name, err)
			}
			return form, nil
		},
	}
}

// cutEmlx returns the mail within a file of Apple Mail: the first line is its length in bytes, and
// the program's notes, an XML property list, follow it. A file without such a line, or shorter than
// it says, is returned without that line; if no such notes follow the length, they, or the file,
// end the mail.
func cutEmlx(data []byte) []byte {
	line, rest := cutLine(data)
	n, err := strconv.Atoi(string(bytes.TrimSpace(line)))
	switch {
	case err != nil || n < 0:
		return data
	case n > len(rest):
		return rest
	}
	if behind := bytes.TrimSpace(rest[n:]); len(behind) > 0 && !bytes.HasPrefix(behind, []byte("<?xml")) {
		if at := bytes.LastIndex(rest, []byte("\n<?xml")); at > n {
			return rest[:at+1]
		}
		return rest
	}
	return rest[:n]
}

// A message is a mail while it is read.
type message struct {
	hint         string // the first charset named
	parts        []read.Part
	names        map[string]bool
	defects      map[string]int
	kinds        []string // media types read as text
	charsets     []string
	extractor    string
	entities     int
	leaves       int
	alternatives int
	body         int // bytes read as text
	attempts     int
	creators     []string
	subject, day string
	stub         string // why a plain text was passed over, as stubOf has it
}

// readMail returns the mail@3 form of a mail.
func readMail(data []byte) (read.Form, error) {
	if len(data) > MaxInput {
		return read.Form{}, fmt.Errorf("the mail has %d bytes, at most %d are read", len(data), MaxInput)
	}
	m := message{names: map[string]bool{}, defects: map[string]int{}}
	h, body, err := m.cutHeader(unwrap(data))
	if err != nil {
		return read.Form{}, err
	}
	texts, err := m.read(h, body, plainText, 1, false)
	if err != nil {
		return read.Form{}, err
	}
	payload := m.writeFields(h)
	if len(payload) == 0 {
		return read.Form{}, errors.New("no From, To, Cc, Bcc, Date or Subject: not a mail")
	}
	for _, t := range texts {
		payload = append(append(payload, '\n'), t.text...)
	}
	form := read.Form{
		Payload:       canon.Text(payload),
		Canonicalizer: Name,
		Unicode:       canon.UnicodeVersion,
		Extractor:     m.extractor,
		Charset:       strings.Join(m.charsets, "; "),
		Parts:         m.parts,
	}
	form.Source, form.Facts = m.describe(h)
	return form, nil
}

// Body returns the text of the body of a mail or of a page that is packed as one (RFC
// 2557), which may have no fields of a mail; nil where there is none.
func Body(data []byte) ([]byte, error) {
	if len(data) > MaxInput {
		return nil, fmt.Errorf("the mail has %d bytes, at most %d are read", len(data), MaxInput)
	}
	m := message{names: map[string]bool{}, defects: map[string]int{}}
	h, body, err := m.cutHeader(unwrap(data))
	if err != nil {
		return nil, err
	}
	texts, err := m.read(h, body, plainText, 1, false)
	return canon.Text(joinTexts(texts)), err
}

// unwrap removes what is no part of a mail: a byte order mark, and lines that
// mailboxes and old transports put before the header. Where CR alone ends lines
// it becomes LF.
func unwrap(data []byte) []byte {
	data = bytes.TrimPrefix(data, []byte("\uFEFF"))
	if bytes.IndexByte(data, '\n') < 0 {
		data = bytes.ReplaceAll(data, []byte{'\r'}, []byte{'\n'})
	}
	for {
		line, rest := cutLine(data)
		switch {
		default:
			return data
		case len(line) == 0 && len(rest) > 0, bytes.HasPrefix(line, []byte(">From ")):
			data = rest
		case bytes.HasPrefix(line, []byte("From ")):
			if _, _, ok := cutField(line); ok { // "From :"
				return data
			}
			data = rest
		}
	}
}

// writeFields returns the first paragraph: the hashed fields, one a line.
func (m *message) writeFields(h header) []byte {
	var out []byte
	for _, kind := range payloadFields {
		n := 0
		for _, f := range h {
			if f.name != kind.key {
				continue
			}
			if n++; n > 1 {
				m.defects[defectRepeated]++
			}
			text := ""
			if kind.addresses {
				var names []string
				text, names = m.formatAddresses(f.value)
				if kind.key == "from" {
					m.creators = append(m.creators, names...)
				}
			} else {
				text = m.decodeField(f.value)
			}
			if n == 1 {
				m.noteSource(kind.key, text)
			}
			if canon.Text([]byte(text)) != nil {
				out = fmt.Appendf(out, "%s: %s\n", kind.name, text)
			}
		}
	}
	return out
}

// noteSource remembers what the source will say.
func (m *message) noteSource(key, text string) {
	switch key {
	case "subject":
		m.subject = text
	case "date":
		m.day = parseDate(text)
	}
}

// addCount adds a count to the facts unless it is zero.
func addCount(facts map[string]string, key string, n int) {
	if n > 0 {
		facts[key] = strconv.Itoa(n)
	}
}
