package read_test

import (
	"testing"

	"muniment/canon/read"
)

func TestSuperscript(t *testing.T) {
	cases := []struct{ run, up, down string }{
		{"6", "⁶", "₆"},
		{"0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹", "₀₁₂₃₄₅₆₇₈₉"},
		{"-3", "⁻³", "₋₃"},
		{"−(n+i)=", "⁻⁽ⁿ⁺ⁱ⁾⁼", "₋₍ₙ₊ᵢ₎₌"},
		{"st", "st", "st"},
		{"me", "me", "me"},
		{"2a", "^(2a)", "_(2a)"},
		{"3/4", "^(3/4)", "_(3/4)"},
		{"−k", "^(−k)", "_(−k)"},
		{"1 2", "^(1 2)", "_(1 2)"},
		{"2³", "^(2³)", "_(2³)"},
		{"٣", "^(٣)", "_(٣)"},
		{"[12]", "[12]", "[12]"},
		{"*", "*", "*"},
		{" 6\u00A0", " ⁶\u00A0", " ₆\u00A0"},
		{"6\n\n 2a\tst\n", "⁶\n\n ^(2a)\tst\n", "₆\n\n _(2a)\tst\n"},
		{"", "", ""},
		{" ", " ", " "},
	}
	for _, c := range cases {
		if up := read.Superscript(c.run); up != c.up {
			t.Errorf("Superscript(%q) = %q, want %q", c.run, up, c.up)
		}
		if down := read.Subscript(c.run); down != c.down {
			t.Errorf("Subscript(%q) = %q, want %q", c.run, down, c.down)
		}
	}
}
