package pattern

import "testing"

// TestReadRulesRefuses states what a bad line is called.
func TestReadRulesRefuses(t *testing.T) {
	shared := map[string]string{"SUBJ": "(?:he|she)"}
	const good = "define\tHIS\this|her\n# comment\n\ngroup\tname\t\\b{HIS} {SUBJ}\\b\t-\this he\tthe dog\n"
	table, _, err := Read("x", good, shared)
	if err != nil || len(table["group"]) != 1 || !table["group"][0].Matches("her she") || table["group"][0].Line != 4 {
		t.Fatalf("%+v, %v", table, err)
	}
	for text, want := range map[string]string{
		"group\tname\ta\t-\tb":             "x:1: 5 fields, want 6",
		"group\tname\ta\t-\tb\tc\td":       "x:1: 7 fields, want 6",
		"group\tname\t{HER}\t-\tb\tc":      "x:1: HER is not defined",
		"group\tname\ta\t-\t\tc":           "x:1: an empty field, or one with blanks around it",
		"group\t name\ta\t-\tb\tc":         "x:1: an empty field, or one with blanks around it",
		"define\tSUBJ\ta":                  "x:1: SUBJ is defined twice",
		"define\this\ta":                   "x:1: a definition has a name in capitals and a pattern",
		"define\tHIS\ta\ng\tn\ta\t-\tb\tc": "x: nothing uses HIS",
	} {
		if _, _, err := Read("x", text, shared); err == nil || err.Error() != want {
			t.Errorf("%q: error %v, want %s", text, err, want)
		}
	}
}
