package examine

import (
	"strings"
	"unicode/utf8"

	"muniment/cite"
)

// oldWords are words of older English and German in the spelling of today, and abbreviations that an editor may resolve.
var oldWords = map[string]string{
	"ye": "the", "yt": "that", "wch": "which", "wth": "with", "yr": "your", "yor": "your", "mr": "mister", "mrs": "mistress", "dr": "doctor", "st": "saint",
	"shew": "show", "shews": "shows", "shewn": "shown", "shewed": "showed", "shewing": "showing", "musick": "music", "gaol": "jail", "gaoler": "jailer", "connexion": "connection", "reflexion": "reflection",
	"waggon": "wagon", "waggons": "wagons", "grey": "gray", "cheque": "check", "cheques": "checks", "tyre": "tire", "plough": "plow", "programme": "program", "sceptical": "skeptical", "enquiry": "inquiry", "enquire": "inquire",
	"hath": "has", "doth": "does", "tho": "though", "thro": "through", "altho": "although", "etc": "etcetera", "&c": "etcetera", "burthen": "burden", "murther": "murder", "chuse": "choose", "surprize": "surprise", "compleat": "complete",
	"encrease": "increase", "intire": "entire", "stile": "style", "cloathes": "clothes", "cloaths": "clothes", "antient": "ancient", "accompt": "account", "oeconomy": "economy", "phantasy": "fantasy", "sate": "sat", "spake": "spoke", "brake": "broke",
	"seyn": "sein", "giebt": "gibt", "giengen": "gingen", "gieng": "ging", "fieng": "fing", "hieng": "hing", "todt": "tot", "thür": "tür", "wol": "wohl", "itzt": "jetzt", "izt": "jetzt", "jezt": "jetzt", "hülfe": "hilfe", "würklich": "wirklich", "daß": "dass", "ward": "wurde",
}

// A speller knows the keys of words: two words with one key are one word in two spellings, of which an editor may put the newer
// (publick and public, colour and color, Thal and Tal), or one number in digits and in letters. The rules are narrow: a key too wide
// hides an alteration. The zero speller is ready for use, by one goroutine.
type speller struct{ keys map[string]string }

func (s *speller) key(w string) string {
	if k, ok := s.keys[w]; ok {
		return k
	}
	k := numberValue(ordinalDay(w))
	if k == "" {
		k = modern(w)
	}
	if s.keys == nil || len(s.keys) > maxKeys {
		s.keys = map[string]string{}
	}
	s.keys[w] = k
	return k
}

// maxKeys bounds the keys that are cached: the vocabulary of a large book.
const maxKeys = 1 << 16

// ordinalDay returns a day in the newer of two spellings: 22d and 22nd, 3d and 3rd.
func ordinalDay(w string) string {
	if n := len(w) - 1; n > 0 && n < 3 && w[n] == 'd' && (w[n-1] == '2' || w[n-1] == '3') {
		return w[:n] + map[byte]string{'2': "nd", '3': "rd"}[w[n-1]]
	}
	return w
}

// numberValue returns the digits of a number or number word, "" for another word, as cite.Compare reads it.
func numberValue(w string) string {
	if w == "" || cite.Compare(w, "x") != cite.ChangedNumber {
		return ""
	}
	if d := strings.TrimLeft(w, "$£€"); d != "" && d[0] >= '0' && d[0] <= '9' {
		return w
	}
	for _, n := range smallNumbers {
		if cite.Compare(w, n) != cite.ChangedNumber {
			return n
		}
	}
	return w
}

// smallNumbers are the numbers that are also written as one word.
var smallNumbers = []string{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15", "16", "17", "18", "19", "20", "30", "40", "50", "60", "70", "80", "90", "100", "1000"}

// A spellingRule is one rule of modern: an ending or a part of a word, from a length on.
type spellingRule struct {
	old, new string
	least    int  // letters that the word has at least
	end      bool // at its end alone
}

var respellings = []spellingRule{
	{"ick", "ic", 6, true}, {"icks", "ics", 7, true}, {"our", "or", 5, true}, {"ours", "ors", 6, true}, {"oured", "ored", 6, true}, {"ouring", "oring", 7, true}, {"ourable", "orable", 8, true},
	{"ise", "ize", 6, true}, {"ised", "ized", 6, true}, {"ises", "izes", 6, true}, {"ising", "izing", 7, true}, {"isation", "ization", 9, true}, {"yse", "yze", 6, true}, {"ysed", "yzed", 6, true},
	{"tre", "ter", 5, true}, {"elled", "eled", 7, true}, {"elling", "eling", 8, true}, {"eller", "eler", 7, true}, {"ence", "ense", 7, true}, {"ogue", "og", 7, true}, {"gramme", "gram", 6, true}, {"grammes", "grams", 7, true},
	{"'d", "ed", 4, true}, {"ßt", "sst", 4, true}, {"ß", "ss", 3, false}, {"niß", "nis", 5, true}, {"niss", "nis", 6, true},
	{"th", "t", 3, false}, {"ey", "ei", 4, false}, {"iren", "ieren", 6, true}, {"irt", "iert", 5, true}, {"irte", "ierte", 6, true}, {"c", "k", 4, false}, {"dt", "t", 4, true}, {"ödt", "öt", 4, false}, {"odt", "ot", 4, false}, {"aa", "a", 4, false},
	{"ae", "e", 5, false}, {"ph", "f", 5, false},
}

// modern returns a key that is the same for the spellings of one word.
func modern(w string) string {
	if to, ok := oldWords[w]; ok {
		w = to
	}
	for _, r := range respellings {
		if utf8.RuneCountInString(w) < r.least {
			continue
		}
		if r.end {
			if stem, ok := strings.CutSuffix(w, r.old); ok {
				w = stem + r.new
			}
			continue
		}
		if r.old != "th" || germanTh(w) {
			w = strings.ReplaceAll(w, r.old, r.new)
		}
	}
	return w
}

// germanTh reports whether a th of a word can be the old spelling of a German t: at its beginning before a vowel and not of an English
// word, or after a vowel with r or l.
func germanTh(w string) bool {
	if rest, ok := strings.CutPrefix(w, "th"); ok && rest != "" {
		switch rest {
		case "al", "aler", "eil", "eile", "eilen", "at", "aten", "or", "ore", "ür", "un", "ut", "aun", "räne", "ränen", "urm", "ier", "iere", "ieren", "ee", "eer", "äter", "on":
			return true
		}
	}
	for _, part := range []string{"theil", "rath", "muth", "noth", "werth", "roth", "nöth", "räth", "müth", "thüm", "thum", "blüth", "fluth", "gluth", "miethe", "heirath"} {
		if strings.Contains(w, part) {
			return true
		}
	}
	return false
}
