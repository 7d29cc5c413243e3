package office_test

import (
	"bytes"
	"encoding/binary"
	"maps"
	"testing"

	"muniment/canon/formstest"
	"muniment/canon/mail"
	"muniment/canon/office"
	"muniment/canon/read"
	"muniment/testvectors"
)

const vectorDir = "../../testvectors/canon-office"

// Every vector gives exactly what its file says, and the files are those of
// the table in vectors_table_test.go.
func TestVectors(t *testing.T) {
	table := vectors()
	maps.Copy(table, docVectors(t))
	set := formstest.Set{Dir: vectorDir, Registry: read.NewRegistry(office.Docx(mail.Body), office.Odt(), office.Doc()), Table: table, OwnInput: true}
	set.Run(t, 83)
}

// docVectors are the documents of Word before 2007. Two are kept in their vectors, as
// another program wrote them; each of the others has one defect.
func docVectors(t *testing.T) map[string]formstest.Case {
	letter := testvectors.ReadFile(t, vectorDir+"/doc-letter").Body
	main := bytes.Index(letter, []byte("\xEC\xA5"))
	change := func(at int, value uint32) []byte {
		data := bytes.Clone(letter)
		binary.LittleEndian.PutUint32(data[main+at:], value)
		return data
	}
	rename := func(from, to string) []byte { return bytes.ReplaceAll(letter, wide(from), wide(to)) }
	c := func(data []byte, expect string) formstest.Case {
		return formstest.NewCase("a.doc", "", string(data), expect)
	}
	return map[string]formstest.Case{
		"doc-letter":       c(letter, formstest.Text),
		"doc-changes":      c(testvectors.ReadFile(t, vectorDir+"/doc-changes").Body, formstest.Text),
		"doc-encrypted":    c(change(0x0A, 0x0100|0x0200), formstest.Bytes),
		"doc-word95":       c(change(0x00, 0x0068<<16|0xA5EC), formstest.Bytes),
		"doc-pieces-far":   c(change(0x9A+8*33, 1<<30), formstest.Bytes),
		"doc-longer":       c(change(0x4C, 4000), formstest.Bytes),
		"doc-no-text":      c(rename("WordDocument", "WordDocumenT"), formstest.Bytes),
		"doc-no-table":     c(rename("1Table", "2Table"), formstest.Bytes),
		"doc-truncated":    c(letter[:3000], formstest.Bytes),
		"doc-before-word6": c([]byte("\xDB\xA5\x2D\x00 Dear Ben"), formstest.Bytes),
	}
}

// wide returns a name as directories of containers have it.
func wide(name string) []byte {
	var out []byte
	for _, c := range []byte(name) {
		out = append(out, c, 0)
	}
	return out
}
