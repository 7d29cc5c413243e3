package mail

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"time"

	"muniment/canon"
	"muniment/canon/read"
	"muniment/cid"
)

// Mailbox returns the reader of mbox@3.
func Mailbox() read.Reader {
	return read.Reader{
		Name:       MailboxName,
		MediaTypes: []string{"application/mbox"},
		Extensions: []string{".mbox", ".mbx"},
		Read: func(in read.Input) (read.Form, error) {
			form, err := readMailbox(in.Data)
			if err != nil {
				return read.Form{}, fmt.Errorf("%s: %w", MailboxName, err)
			}
			return form, nil
		},
	}
}

// maxFromLine is as much of a line as is looked at.
const maxFromLine = 400

// readMailbox returns the mbox@3 form of a mailbox.
func readMailbox(data []byte) (read.Form, error) {
	if len(data) > MaxMailbox {
		return read.Form{}, fmt.Errorf("the mailbox has %d bytes, at most %d are read", len(data), MaxMailbox)
	}
	data = bytes.TrimLeft(bytes.TrimPrefix(data, []byte("\uFEFF")), "\r\n")
	if bytes.IndexByte(data, '\n') < 0 {
		data = bytes.ReplaceAll(data, []byte{'\r'}, []byte{'\n'})
	}
	if !beginsMail(data) {
		return read.Form{}, errors.New("the first line is not From, a sender and a date: not a mailbox")
	}
	b := box{form: read.Form{Canonicalizer: MailboxName, Unicode: canon.UnicodeVersion}}
	for len(data) > 0 {
		_, rest := cutLine(data)
		end := nextFrom(rest)
		if err := b.add(unquoteMail(rest[:end])); err != nil {
			return read.Form{}, err
		}
		data = rest[end:]
	}
	b.form.Payload = canon.Text(b.listing)
	b.form.Facts = b.facts()
	return b.form, nil
}

// A box is a mailbox while it is read.
type box struct {
	form        read.Form
	listing     []byte
	unreadable  int
	first, last string
}

// add lists one mail.
func (b *box) add(data []byte) error {
	if len(bytes.TrimSpace(data)) == 0 {
		return nil
	}
	n := len(b.form.Parts) + 1
	if n > MaxMessages {
		return fmt.Errorf("the mailbox has more than %d mails", MaxMessages)
	}
	form, err := readMail(data)
	if err != nil || len(form.Payload) == 0 {
		b.unreadable++
		form = read.Form{}
	}
	if len(b.listing) > 0 {
		b.listing = append(b.listing, '\n')
	}
	artifact := cid.Of(data)
	if form.Payload != nil {
		artifact = cid.Of(form.Payload)
		head, _, _ := bytes.Cut(form.Payload, []byte("\n\n"))
		b.listing = append(append(b.listing, bytes.TrimSuffix(head, []byte{'\n'})...), '\n')
		b.widenDates(form.Facts["date"])
		if form.Extractor != "" {
			b.form.Extractor = form.Extractor
		}
	}
	b.listing = fmt.Appendf(b.listing, "Artifact: %s\n", artifact)
	if len(b.listing) > MaxListing {
		return fmt.Errorf("the list of mails is longer than %d bytes", MaxListing)
	}
	b.form.Parts = append(b.form.Parts, read.Part{Name: fmt.Sprintf("message-%06d.eml", n), MediaType: rfc822, Data: data})
	return nil
}

// widenDates widens the span of dates. Days without a time are passed over.
func (b *box) widenDates(s string) {
	at, err := time.Parse(time.RFC3339, s)
	if err != nil {
		return
	}
	if first, err := time.Parse(time.RFC3339, b.first); err != nil || at.Before(first) {
		b.first = s
	}
	if last, err := time.Parse(time.RFC3339, b.last); err != nil || at.After(last) {
		b.last = s
	}
}

// facts returns the facts of a mailbox that the package comment lists.
func (b *box) facts() map[string]string {
	facts := map[string]string{"messages": strconv.Itoa(len(b.form.Parts))}
	addCount(facts, "unreadable", b.unreadable)
	if b.first != "" {
		facts["first"], facts["last"] = b.first, b.last
	}
	return facts
}

// beginsMail reports whether data begins with a line that divides mails: From, a sender, which may
// be missing or contain spaces, and a date with a time followed by a year.
func beginsMail(data []byte) bool {
	if !bytes.HasPrefix(data, []byte("From ")) {
		return false
	}
	line, _ := cutLine(data[:min(len(data), maxFromLine)])
	timed := false
	for word := range bytes.FieldsSeq(line) {
		switch {
		case isClock(word):
			timed = true
		case timed && isYear(word):
			return true
		}
	}
	return false
}

// isClock reports whether a word is h:mm or hh:mm, with or without seconds.
func isClock(word []byte) bool {
	hour, rest, _ := bytes.Cut(word, []byte{':'})
	minute, second, seconds := bytes.Cut(rest, []byte{':'})
	return len(hour) <= 2 && isNumber(hour) && len(minute) == 2 && isNumber(minute) &&
		(!seconds || len(second) == 2 && isNumber(second))
}

// isYear reports whether a word is a year in which there was mail.
func isYear(word []byte) bool {
	return len(word) == 4 && isNumber(word) && (bytes.HasPrefix(word, []byte("19")) || bytes.HasPrefix(word, []byte("20")))
}

// isNumber reports whether a word has decimal digits alone.
func isNumber(word []byte) bool {
	for _, c := range word {
		if c < '0' || c > '9' {
			return false
		}
	}
	return len(word) > 0
}

// nextFrom returns the offset of the next dividing line: at the beginning or after an empty line.
// It is len(data) if there is none.
func nextFrom(data []byte) int {
	if beginsMail(data) {
		return 0
	}
	mark := []byte("\nFrom ")
	for at := 0; ; {
		i := bytes.Index(data[at:], mark)
		if i < 0 {
			return len(data)
		}
		at += i + 1
		before := bytes.TrimSuffix(data[:at-1], []byte{'\r'})
		if (len(before) == 0 || before[len(before)-1] == '\n') && beginsMail(data[at:]) {
			return at
		}
	}
}

// unquoteMail removes the empty line that ends a mail in a mailbox, and one ">"
// from every line of ">" and "From ".
func unquoteMail(data []byte) []byte {
	if trimmed := withoutBreak(data); bytes.HasSuffix(trimmed, []byte{'\n'}) {
		data = trimmed
	}
	if !bytes.Contains(data, []byte(">From ")) {
		return data
	}
	out := make([]byte, 0, len(data))
	for line := range bytes.Lines(data) {
		if bare := bytes.TrimLeft(line, ">"); len(bare) < len(line) && bytes.HasPrefix(bare, []byte("From ")) {
			line = line[1:]
		}
		out = append(out, line...)
	}
	return out
}
