package office_test

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"muniment/canon"
	"muniment/canon/office"
	"muniment/canon/office/compound"
	"muniment/canon/read"
	"muniment/testvectors"
)

// Whatever begins as a container gives a text in the form of the text step, or an error.
func FuzzDoc(f *testing.F) {
	seeds := 0
	for _, v := range testvectors.Read(f, vectorDir) {
		if strings.HasPrefix(v.Name, "doc-") {
			f.Add(v.Body)
			seeds++
		}
	}
	if seeds == 0 {
		f.Fatal("no vector to begin with")
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		form, err := office.Doc().Read(read.Input{Name: "a.doc", Data: data})
		if err != nil {
			if form.Payload != nil {
				t.Fatalf("an error and a form: %v", err)
			}
			return
		}
		if !utf8.Valid(form.Payload) || !bytes.Equal(canon.Text(form.Payload), form.Payload) {
			t.Fatalf("the payload is not in the form of the text step: %q", form.Payload)
		}
		box, err := compound.Open(data)
		if err != nil {
			t.Fatalf("read, and not opened: %v", err)
		}
		for _, folder := range box.Folders("") {
			if inner, err := box.Extract(folder, nil); err == nil {
				if _, err := compound.Open(inner); err != nil {
					t.Fatalf("%s becomes a container that cannot be opened: %v", folder, err)
				}
			}
		}
	})
}
