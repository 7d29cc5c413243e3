package mail

import (
	"strings"
	"testing"
)

// Plain texts that stand in for a page, and letters that do not.
func TestStub(t *testing.T) {
	letter := strings.Repeat("The wheel stood still all of March. ", 20)
	for _, c := range []struct{ plain, page, want string }{
		{"Your e-mail program doesn’t support HTML messages.", letter, stubByLength},
		{"Your e-mail client does not display HTML-mails!", "The wheel stood.", stubByPhrase},
		{"Ihr Mailprogramm unterstützt\nkein HTML.", "Das Rad stand.", stubByPhrase},
		{"To see this, view this email in\r\nyour browser: https://example.org/" + strings.Repeat("a", 900), "Das Rad stand still.", stubByPhrase},
		{"Having trouble viewing this e-mail?", "The wheel stood.", stubByPhrase},
		{"Mein Browser ist alt; ich kann dies im Browser ansehen.", "Mein Browser ist alt; ich kann dies im Browser ansehen.", ""},
		{"[cid:logo]", "The wheel stood still.", ""},
		{" \u00A0-- \n***", "The wheel stood still.", stubEmpty},
		{"***", "***", ""},
		{"Yes.", "Yes. Sent from my telephone. Joe Bloggs, 4 Mill Lane, Thornby", ""},
		{"Yes.", "Yes. " + letter, stubByLength},
		{letter, letter + letter, ""},
		{letter + letter + letter + " this is an html email", "Other words.", ""},
	} {
		if got := stubOf([]byte(c.plain), []byte(c.page)); got != c.want {
			t.Errorf("%.60q beside %.40q: %q, want %q", c.plain, c.page, got, c.want)
		}
	}
}

// Each phrase is a line of words as they are compared, and stands once.
func TestStubPhrases(t *testing.T) {
	seen := map[string]bool{}
	for line := range strings.Lines(stubList) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if fold(line) != " "+line+" " || seen[line] || !strings.Contains(line, " ") {
			t.Errorf("%q is no phrase of its own, or not as phrases are compared", line)
		}
		seen[line] = true
	}
	if len(seen) < 50 || len(seen) != len(stubPhrases) {
		t.Errorf("%d phrases, %d are read", len(seen), len(stubPhrases))
	}
}
