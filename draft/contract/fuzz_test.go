package contract

import "testing"

// FuzzValidate: whatever the draft, nothing uncited is left, and what is left
// is valid.
func FuzzValidate(f *testing.F) {
	f.Add(valid)
	f.Add("- |---|---|\nStocks were calm. ")
	f.Add("- A. [1]\n\n```\n# x [99]\n")
	f.Add("**What to Watch**\n- B [1, 2-4]\n===\n| a |\n|---|\n> c")
	f.Fuzz(func(t *testing.T, draft string) {
		if len(draft) > 1<<14 {
			return // slow, and nothing new
		}
		v := Validate(draft, onFile(), brief)
		for _, c := range Examine(v.Text, onFile(), brief).Claims {
			if c.Fault != "" {
				t.Fatalf("%q is left: %s\n%q", c.Text, c.Fault, v.Text)
			}
		}
	})
}
