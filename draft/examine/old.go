package examine

import (
	"cmp"
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"

	"muniment/text/lexicon"
	"muniment/text/segment"
)

// A formRule brings the older and the newer forms of words to one key.
type formRule struct {
	form *regexp.Regexp
	key  string
}

// respell returns rules of expressions, each with what takes the place of its match.
func respell(rules ...string) []formRule {
	out := make([]formRule, len(rules)/2)
	for i := range out {
		out[i] = formRule{regexp.MustCompile(rules[2*i]), rules[2*i+1]}
	}
	return out
}

// freeSpellings are how words of English and German were spelled to about 1750, before there was one way. The rules are
// too wide for other papers. A mute e is none after s, th, g, c and v, where it tells haste and hast apart.
var freeSpellings = map[string][]formRule{
	"en": respell(`uu`, "w", `y`, "i", `ei`, "ie", `oe$`, "o", `^(\w\w?)ee$`, "${1}e", `ie(s?)$`, "i$1", `aun([kdgt])`, "an$1", `([ht]|^s)ould$`, "${1}old", `kion`, "tion",
		`([aeou]i|ea|ee|eu|oo|ou|oa|au|[aeo]w)([kpdtlrnm]?)e(s?)$`, "$1$2$3", `([bdfgklmnprtw][kpdtnmlrb]|ss|sh|ft|ing)e(s?)$`, "$1$2", `([kpx])t$`, "${1}ed"),
	"de": respell(`y`, "i", `th`, "t", `([lnr])tz`, "${1}z", `ck`, "k", `dt`, "t", `([aeou])w`, "${1}u", `m[bp]([dt])`, "m$1", `umb$`, "um", `ie(h?)ng`, "ing", `ieb`, "ib", `aa`, "a", `oo`, "o",
		`(\w\w[aeou])h([lmnr]\w)`, "$1$2"),
}

// freeKey returns the key of a word by the rules of a language.
func (s *Speller) freeKey(w, lang string) string {
	if k, ok := s.free[lang+w]; ok {
		return k
	}
	k := s.key(w).modern
	if !isNumberKey(k) {
		k = plainLetters(k)
		for _, r := range freeSpellings[lang] {
			k = r.form.ReplaceAllString(k, r.key)
		}
		k = cutDoubles(k)
		k = cmp.Or(numberValue(k), k)
	}
	if s.free == nil || len(s.free) > maxKeys {
		s.free = map[string]string{}
	}
	s.free[lang+w] = k
	return k
}

// cutDoubles returns a word with single consonants for double ones. A word of four letters keeps them, but for ff and after two vowels: denn, auff, Eiss.
func cutDoubles(w string) string {
	long := utf8.RuneCountInString(w) > 4
	for i := len(w) - 1; i > 0; i-- {
		if w[i] == w[i-1] && !isVowel(w[i]) && (long || w[i] == 'f' || i > 2 && isVowel(w[i-2]) && isVowel(w[i-3])) {
			w = w[:i] + w[i+1:]
		}
	}
	return w
}

func isVowel(c byte) bool { return strings.IndexByte("aeiou", c) >= 0 }

// leastFree is how many different words of a paper are function words in no spelling of today, so that it is read as one that spells freely.
const leastFree = 2

// functionKeys returns the keys of the function words by the rules of each language.
var functionKeys = sync.OnceValue(func() map[string]map[string]bool {
	var s Speller
	out := map[string]map[string]bool{}
	for lang := range freeSpellings {
		out[lang] = map[string]bool{}
		for w := range lexicon.Function.Words() {
			out[lang][s.freeKey(w, lang)] = true
		}
	}
	return out
})

// freeLanguage returns the language by whose rules a paper spells freely, "" for one in the spelling of today.
func (p *Paper) freeLanguage() string {
	if p.free != nil {
		return *p.free
	}
	lang, n := segment.Detect(p.text[:min(len(p.text), 1<<13)]), 0
	if keys := functionKeys()[lang]; keys != nil {
		for w := range p.at {
			if k := p.spell.freeKey(w, lang); keys[k] && !isNumberKey(k) && len(w) > 1 && !strings.Contains(w, "ß") && !lexicon.Function.Has(w) && !segment.Function(w) {
				n++
			}
		}
	}
	if n < leastFree {
		lang = ""
	}
	p.free = &lang
	return lang
}
