package mail

import (
	"encoding/hex"
	"os"
	"strings"
	"testing"

	"muniment/canon"
	"muniment/cid"
)

const specPage = "../../docs/spec/canonical-forms.md"

// The examples of the specification are true.
func TestSpecExamples(t *testing.T) {
	page, err := os.ReadFile(specPage)
	if err != nil {
		t.Fatal(err)
	}
	const received, form, follows = 1, 3, 5
	for _, heading := range []string{"## Mail: `mail@3`\n", "## Mailboxes: `mbox@3`\n"} {
		_, section, ok := strings.Cut(string(page), heading)
		if !ok {
			t.Fatalf("%s has no section %q", specPage, heading)
		}
		blocks := strings.Split(section, "```\n")
		if len(blocks) <= follows {
			t.Fatalf("the section %q has %d blocks", heading, len(blocks)/2)
		}
		read := readMail
		if strings.Contains(heading, MailboxName) {
			read = readMailbox
		}
		f, err := read([]byte(blocks[received]))
		if err != nil {
			t.Fatal(err)
		}
		if string(f.Payload) != blocks[form] {
			t.Errorf("%q: the form is\n%s\nthe page has\n%s", heading, f.Payload, blocks[form])
		}
		d := canon.NewDocument(f.Payload)
		p, l := d.Root(canon.Paragraphs), d.Root(canon.Lines)
		facts := []string{cid.Of(f.Payload).String(), hex.EncodeToString(p[:]), hex.EncodeToString(l[:])}
		for _, part := range f.Parts {
			facts = append(facts, cid.Of(part.Data).String(), part.MediaType, part.Name)
		}
		for _, fact := range facts {
			if !strings.Contains(blocks[follows], fact) {
				t.Errorf("%q: the page does not have %s", heading, fact)
			}
		}
	}
}
