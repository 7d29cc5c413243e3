package segment

import "strings"

// Stem maps the inflected forms of an English word to one form: planted, planting, plants and plant; bought and buy;
// mice and mouse. It undoes inflection only, never derivation, since "general" and "generous", or "slow" and "slowly",
// are different words in evidence. Words that are not English pass with little harm. The result is a key to compare
// with, not always a word: house gives "hous". w is in lower case.
func Stem(w string) string {
	if len(w) < 3 || w[0]-'0' < 10 {
		return w
	}
	if base, ok := irregular[w]; ok {
		return finalE(base)
	}
	if len(w) == 3 {
		return w
	}
	return finalE(suffix(strings.ReplaceAll(w, "ß", "ss")))
}

func suffix(w string) string {
	n := len(w)
	switch {
	default:
		return double(w)
	case uninflected[w]:
		return w
	case strings.HasSuffix(w, "ies"):
		if n == 4 {
			return w[:3]
		}
		return w[:n-3] + "y"
	case strings.HasSuffix(w, "sses"), strings.HasSuffix(w, "xes"), strings.HasSuffix(w, "ches"),
		strings.HasSuffix(w, "shes"), strings.HasSuffix(w, "zzes"), strings.HasSuffix(w, "oes") && n > 4:
		return w[:n-2]
	case strings.HasSuffix(w, "s"):
		if strings.HasSuffix(w, "ss") || strings.HasSuffix(w, "us") || strings.HasSuffix(w, "is") {
			return w
		}
		return double(w[:n-1])
	case strings.HasSuffix(w, "ied"):
		if n == 4 {
			return w[:3]
		}
		return w[:n-3] + "y"
	case strings.HasSuffix(w, "eed"):
		return w
	case strings.HasSuffix(w, "ed"):
		return restore(w, w[:n-2])
	case strings.HasSuffix(w, "ying") && n == 5:
		return w[:1] + "ie"
	case strings.HasSuffix(w, "ing"):
		return restore(w, w[:n-3])
	}
}

// restore rebuilds the base of a word from which ed or ing was cut; a base without a vowel was none.
func restore(whole, base string) string {
	if vowelGroups(base) == 0 || len(base) < 2 {
		return whole
	}
	if b := double(base); b != base {
		return b
	}
	n := len(base)
	if base[n-1] == base[n-2] {
		if strings.IndexByte("lszfeo", base[n-1]) >= 0 {
			return base
		}
		return base[:n-1]
	}
	if vowelGroups(base) == 1 && n >= 2 && !isVowel(base[n-1]) && strings.IndexByte("wxy", base[n-1]) < 0 &&
		isVowel(base[n-2]) && (n == 2 || !isVowel(base[n-3])) {
		return base + "e" // hoped, making
	}
	return base
}

// double undoes British doubling of l in longer words: travelled, fulfill.
func double(w string) string {
	if strings.HasSuffix(w, "ll") && vowelGroups(w) > 1 {
		return w[:len(w)-1]
	}
	return w
}

// finalE drops a silent e, except from words like fire and plane, which would meet fir and plan.
func finalE(w string) string {
	n := len(w)
	if n < 4 || w[n-1] != 'e' || isVowel(w[n-2]) && w[n-2] != 'u' {
		return w
	}
	if vowelGroups(w[:n-1]) == 1 && isVowel(w[n-3]) && (n == 4 || !isVowel(w[n-4])) {
		return w
	}
	return w[:n-1]
}

func isVowel(b byte) bool {
	switch b {
	case 'a', 'e', 'i', 'o', 'u', 'y':
		return true
	}
	return b >= 0x80
}

func vowelGroups(w string) int {
	n, in := 0, false
	for i := 0; i < len(w); i++ {
		v := isVowel(w[i]) && !(i == 0 && w[i] == 'y')
		if v && !in {
			n++
		}
		in = v
	}
	return n
}

var uninflected = wordLists.Set("uninflected")

// irregular maps forms to their base.
var irregular = readIrregular(wordLists["irregular"])

// readIrregular parses entries of the form base=form,form.
func readIrregular(entries []string) map[string]string {
	bases := map[string]string{}
	for _, entry := range entries {
		base, forms, _ := strings.Cut(entry, "=")
		for form := range strings.SplitSeq(forms, ",") {
			bases[form] = base
		}
	}
	return bases
}

// Stems returns the stems of the words of a text, in order.
func Stems(text string) []string {
	var out []string
	for _, w := range LowerWords(text) {
		out = append(out, Stem(w))
	}
	return out
}

// LowerWords returns the words of a text in lower case, in order.
func LowerWords(text string) (out []string) {
	for _, w := range Words(text) {
		out = append(out, w.Lower)
	}
	return out
}
