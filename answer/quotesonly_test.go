package answer

import "testing"

// TestQuotesOnly demands that a reason which quotes more than some texts is known, quotation marks within its quotations too.
func TestQuotesOnly(t *testing.T) {
	for reason, want := range map[string]bool{
		"the words say “forty”, the claim says “ten”":            true,
		"the words add “on Ruth Marsh”":                          false,
		"the words add “no more than “forty” on Ruth Marsh and”": false,
		"the words add “forty” had come and Ruth Marsh”":         false,
		"nothing is quoted":    true,
		"the words add forty”": false,
		"the words say it only with “ten “forty” ten”, the claim says “ten”": false,
	} {
		if quotesOnly(reason, "ten pounds", "forty pounds") != want {
			t.Errorf("%s: want %v", reason, want)
		}
	}
}
