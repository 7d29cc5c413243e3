package mail

import (
	"bytes"
	"fmt"

	"muniment/canon"
	"muniment/canon/read"
	"muniment/canon/rtf"
)

const rtfType = "text/rtf"

// headOfRTF is how many bytes of a document are searched for what it was made from.
const headOfRTF = 1000

// readBody returns the text of the mail: the plain one unless it is a stub of a page, else the
// other. A text that cannot be read becomes a part.
func (o *outlook) readBody() ([]byte, error) {
	text, charset, err := o.text(propBody)
	if err != nil {
		return nil, err
	}
	plain, err := o.plainBody(text, charset)
	if err != nil {
		return nil, err
	}
	other, err := o.otherBody()
	if err != nil || plain == nil {
		return other, err
	}
	if other == nil {
		return plain, nil
	}
	o.alternatives++
	if o.stub = stubOf(plain, other); o.stub != "" {
		return other, nil
	}
	return plain, nil
}

// otherBody returns the text of the rich body, or of the page from which that was made, or
// of the page alone; nil where there is none.
func (o *outlook) otherBody() ([]byte, error) {
	document, err := o.richBody()
	if err != nil {
		return nil, err
	}
	page, typ, err := o.pageBody()
	if err != nil {
		return nil, err
	}
	fromPage := bytes.Contains(document[:min(len(document), headOfRTF)], []byte(`\fromhtml`))
	if document != nil && (page == nil || !fromPage) {
		form, err := rtf.Body(document)
		switch {
		case err != nil:
			o.keepPart("body.rtf", rtfType, document)
		case form.Payload != nil:
			o.noteText(rtfType, form.Charset)
			return form.Payload, nil
		}
	}
	if page == nil {
		return nil, nil
	}
	text, err := o.page("text/html", typ, page)
	if err != nil {
		o.keepPart("body.html", "text/html", page)
		return nil, nil
	}
	return text, nil
}

// countBody counts the bytes that are read as text.
func (o *outlook) countBody(n int) error {
	if o.body += n; o.body > MaxBody {
		return fmt.Errorf("the text of the message is longer than %d bytes", MaxBody)
	}
	return nil
}

// keepPart keeps a text that cannot be read as a part.
func (o *outlook) keepPart(name, typ string, data []byte) {
	o.defects[defectText]++
	o.leaves++
	o.parts = append(o.parts, read.Part{Name: o.partName(entity{typ: value{word: typ}, file: name}), MediaType: typ, Data: data})
}

// plainBody returns the plain text of the mail, nil where it has none.
func (o *outlook) plainBody(plain, charset string) ([]byte, error) {
	if err := o.countBody(len(plain)); err != nil || plain == "" {
		return nil, err
	}
	checked, _, err := read.Decode([]byte(plain), "utf-8")
	if err != nil {
		o.keepPart("body.txt", plainText, []byte(plain))
		return nil, nil
	}
	text := canon.Text(checked)
	if text != nil {
		o.noteText(plainText, charset)
	}
	return text, nil
}

// richBody returns the rich text of the mail unpacked, nil where it has none.
func (o *outlook) richBody() ([]byte, error) {
	packed, err := o.bytes(propRTF)
	if packed == nil || err != nil {
		return nil, err
	}
	document, err := rtf.Decompress(packed, MaxBody)
	if err != nil {
		o.keepPart("body.rtf.lzfu", octetStream, packed)
		return nil, nil
	}
	return document, o.countBody(len(document))
}

// pageBody returns the page of the mail and its charset, nil where it has none.
func (o *outlook) pageBody() (page []byte, charset string, err error) {
	if page, err = o.bytes(propHTML); err != nil {
		return nil, "", err
	}
	if charset = charsetOfPage(int(o.number(propPage))); page == nil {
		var text string
		if text, _, err = o.text(propHTML); err != nil {
			return nil, "", err
		}
		page, charset = []byte(text), "utf-8"
	}
	if len(bytes.TrimSpace(page)) == 0 {
		return nil, "", nil
	}
	return page, charset, o.countBody(len(page))
}

// readAttachments makes a part of every attachment. One that the mail only names is
// counted, and so is one whose bytes are damaged.
func (o *outlook) readAttachments() error {
	folders := o.file.Folders(attachmentFolder)
	if len(folders) > MaxParts {
		return fmt.Errorf("the message has more than %d attachments", MaxParts)
	}
	for _, folder := range folders {
		a, err := openItem(o.file, folder+"/", folderHead)
		if err != nil {
			o.defects[defectStream]++
			continue
		}
		a.codepage = o.codepage
		o.leaves++
		data, typ, err := o.attachment(a)
		switch {
		case err != nil:
			o.defects[defectStream]++
			continue
		case data == nil:
			o.linked++
			continue
		case len(data) == 0:
			o.defects[defectEmpty]++
			continue
		}
		name := a.line(propLongFile, propFile, propName)
		if typ == outlookType && name != "" {
			name += extensions[outlookType]
		}
		o.parts = append(o.parts, read.Part{Name: o.partName(entity{typ: value{word: typ}, file: name}), MediaType: typ, Data: data})
	}
	return nil
}

// attachment returns the bytes of an attachment and its media type; nil for one that the
// mail only names.
func (o *outlook) attachment(a *item) (data []byte, typ string, err error) {
	inner := a.folder + streamName(propData, typeFolder)
	switch method := a.number(propMethod); {
	case method == methodInnerMail:
		head, err := o.file.Read(inner + "/" + propertyStream)
		if err != nil {
			return nil, "", err
		}
		if len(head) < innerMailHead {
			return nil, "", fmt.Errorf("%s is cut off", inner)
		}
		// As a file of its own it has a longer head, and the names of properties.
		long := append(bytes.Clone(head[:innerMailHead]), make([]byte, mailHead-innerMailHead)...)
		long = append(long, head[innerMailHead:]...)
		data, err = o.file.Extract(inner, map[string][]byte{propertyStream: long}, namesFolder)
		return data, outlookType, err
	case method == methodOLE && !a.file.Has(a.folder+streamName(propData, typeBytes)):
		data, err = o.file.Extract(inner, nil)
		return data, oleType, err
	}
	if typ = a.line(propMediaType); !validType(typ) {
		typ = octetStream
	}
	data, err = a.bytes(propData)
	return data, typ, err
}
