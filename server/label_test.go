package server

import "testing"

// A paper is called by its first line of substance.
func TestTitleOf(t *testing.T) {
	for words, want := range map[string]string{
		"Liverpool, 17 May 1903\n\nDear Maggie,\n\nI sail on Tuesday.\n":                       "Dear Maggie, I sail on Tuesday.",
		"Göttingen, den 3. Mai 1911\n\nLieber Karl,\n\ndie Mühle steht seit Dienstag still.\n": "Lieber Karl, die Mühle steht seit Dienstag still.",
		"Minutes of the Committee, 9 September 1911\n\nPresent: Mr. Cole.\n":                   "Minutes of the Committee, 9 September 1911",
		"Wednesday 2 September 1666\n\nSome of our maids sat up late.\n":                       "Some of our maids sat up late.",
		"My dear Ruth, we came at noon and found the gate shut.\n":                             "My dear Ruth, we came at noon and found the gate shut.",
		"14 March 1931\n": "",
		"Dear Maggie,\n":  "Dear Maggie,",
		"12 345\n\nThe report of the year\n\nIt was dry.": "The report of the year",
		"": "",
	} {
		if got := titleOf(words, "x.txt"); got != want {
			t.Errorf("%q: %q, want %q", words, got, want)
		}
	}
}
