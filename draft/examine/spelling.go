package examine

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"muniment/cite"
	"muniment/text/clause"
)

// oldWords are words of older English and German in the spelling of today, and abbreviations that an editor may resolve.
var oldWords = map[string]string{
	"ye": "the", "yt": "that", "wch": "which", "wth": "with", "yr": "your", "yor": "your", "mr": "mister", "mrs": "mistress", "dr": "doctor", "st": "saint",
	"shew": "show", "shews": "shows", "shewn": "shown", "shewed": "showed", "shewing": "showing", "musick": "music", "gaol": "jail", "gaoler": "jailer", "connexion": "connection", "reflexion": "reflection",
	"waggon": "wagon", "waggons": "wagons", "grey": "gray", "cheque": "check", "cheques": "checks", "tyre": "tire", "plough": "plow", "programme": "program", "sceptical": "skeptical", "enquiry": "inquiry", "enquire": "inquire",
	"hath": "has", "doth": "does", "tho": "though", "thro": "through", "altho": "although", "etc": "etcetera", "&c": "etcetera", "burthen": "burden", "murther": "murder", "chuse": "choose", "surprize": "surprise", "onely": "only", "compleat": "complete",
	"encrease": "increase", "intire": "entire", "stile": "style", "cloathes": "clothes", "cloaths": "clothes", "antient": "ancient", "accompt": "account", "oeconomy": "economy", "phantasy": "fantasy", "sate": "sat", "spake": "spoke", "brake": "broke",
	"seyn": "sein", "giebt": "gibt", "giengen": "gingen", "gieng": "ging", "fieng": "fing", "hieng": "hing", "todt": "tot", "thür": "tür", "wol": "wohl", "itzt": "jetzt", "izt": "jetzt", "jezt": "jetzt", "hülfe": "hilfe", "würklich": "wirklich", "daß": "dass", "ward": "wurde",
	"wd": "would", "cd": "could", "shd": "should", "recd": "received", "govt": "government", "abt": "about", "agst": "against", "o'er": "over", "ne'er": "never", "e'er": "ever", "e'en": "even", "lb": "pounds", "lbs": "pounds", "honble": "honourable",
	"ew": "euer", "sey": "sei", "bey": "bei", "seyd": "seid", "litteratur": "literatur", "comité": "komitee", "deßhalb": "deshalb", "deßwegen": "deswegen", "brod": "brot", "nehmlich": "nämlich", "seynd": "sind", "ohngefähr": "ungefähr", "allmälig": "allmählich",
}

// A spelling is a word in two forms. Words of which one form is the same are one word in two spellings.
type spelling struct {
	modern  string // in the spelling of today; of a number its digits
	free    string // by the rules of a paper that spells freely
	letters string // without accents, with ae for ä, and with u and i for the old v and j
}

// A Speller knows the spellings of words, of which an editor may put the newer (publick and public, colour and color,
// Thal and Tal), or a number in digits and in letters. The rules are narrow: a form too wide hides an alteration. The
// zero Speller is ready for use, by one goroutine.
type Speller struct {
	keys map[string]spelling
	free map[string]string // by language and word
}

func (s *Speller) key(w string) spelling {
	if k, ok := s.keys[w]; ok {
		return k
	}
	k := spelling{modern: numberValue(ordinalDay(strings.TrimPrefix(w, "="))), letters: plainLetters(strings.TrimPrefix(w, "="))}
	if read := clause.Parse(w).Tokens; k.modern == "" && len(read) == 1 && read[0].Number {
		k.modern = read[0].Text // siebenundzwanzig
	}
	if k.modern == "" {
		k.modern = modern(w)
	}
	if s.keys == nil || len(s.keys) > maxKeys {
		s.keys = map[string]spelling{}
	}
	s.keys[w] = k
	return k
}

// grouped matches a number whose thousands a stop divides, as in German.
var grouped = regexp.MustCompile(`^[1-9]\d{0,2}(?:\.\d{3})+$`)

// plainLetters returns the letters of a word without accents, with ae, oe and ue for umlauts, and u and i for v and j,
// as printers of old and writers of telegrams set them.
func plainLetters(w string) string {
	if grouped.MatchString(w) {
		return strings.ReplaceAll(w, ".", "")
	}
	if n := len(w) - 2; n > 0 && w[n-1] <= '9' && strings.Contains("st nd rd th", w[n:]) {
		return w[:n] // January 9th
	}
	plain := true
	for i := range len(w) {
		plain = plain && w[i] < utf8.RuneSelf && w[i] != 'v' && w[i] != 'j'
	}
	if plain {
		return w
	}
	w = strings.NewReplacer("ä", "ae", "ö", "oe", "ü", "ue", "ß", "ss", "v", "u", "j", "i").Replace(w)
	var b strings.Builder
	for _, r := range norm.NFD.String(w) {
		if !unicode.Is(unicode.Mn, r) {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// maxKeys bounds the keys that are cached: the vocabulary of a large book.
const maxKeys = 1 << 16

// ordinals are the ordinal numbers that days are written with in letters.
var ordinals = map[string]string{"first": "1st", "second": "2nd", "third": "3rd", "fourth": "4th", "fifth": "5th", "sixth": "6th", "seventh": "7th", "eighth": "8th", "ninth": "9th",
	"tenth": "10th", "eleventh": "11th", "twelfth": "12th", "thirteenth": "13th", "fourteenth": "14th", "fifteenth": "15th", "sixteenth": "16th", "seventeenth": "17th",
	"eighteenth": "18th", "nineteenth": "19th", "twentieth": "20th", "thirtieth": "30th"}

// ordinalDay returns a day in one of its spellings: 22d and 22nd, 3d, third and 3rd.
func ordinalDay(w string) string {
	if n, ok := ordinals[w]; ok {
		return n
	}
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
	{"'d", "ed", 4, true}, {"eth", "es", 5, true}, {"dgement", "dgment", 8, true}, {"ick", "ic", 6, true}, {"icks", "ics", 7, true}, {"our", "or", 5, true}, {"ours", "ors", 6, true}, {"oured", "ored", 6, true}, {"ouring", "oring", 7, true}, {"ourable", "orable", 8, true},
	{"ise", "ize", 6, true}, {"ised", "ized", 6, true}, {"ises", "izes", 6, true}, {"ising", "izing", 7, true}, {"isation", "ization", 9, true}, {"yse", "yze", 6, true}, {"ysed", "yzed", 6, true},
	{"tre", "ter", 5, true}, {"elled", "eled", 7, true}, {"elling", "eling", 8, true}, {"eller", "eler", 7, true}, {"ence", "ense", 7, true}, {"ogue", "og", 7, true}, {"gramme", "gram", 6, true}, {"grammes", "grams", 7, true},
	{"ßt", "sst", 4, true}, {"ß", "ss", 3, false}, {"niß", "nis", 5, true}, {"niss", "nis", 6, true},
	{"th", "t", 3, false}, {"ey", "ei", 4, false}, {"iren", "ieren", 6, true}, {"irt", "iert", 5, true}, {"irte", "ierte", 6, true}, {"c", "k", 4, false}, {"dt", "t", 4, true}, {"ödt", "öt", 4, false}, {"odt", "ot", 4, false}, {"aa", "a", 4, false},
	{"ae", "e", 5, false}, {"ph", "f", 5, false},
}

// muteE matches a word of older English with an e that nobody speaks: seene, looke, againe. German has Meere and Boote beside Meer and Boot.
var muteE = regexp.MustCompile(`^([a-z]+(?:ee[nkp]|oo[nkdm]|ai[nd]))e$`)

// modern returns a key that is the same for the spellings of one word.
func modern(w string) string {
	if to, ok := oldWords[w]; ok {
		w = to
	}
	w = softC(muteE.ReplaceAllString(cutTriple(w), "$1"))
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

// cutTriple returns a word with two letters for three of a kind: Schifffahrt, Schiffahrt.
func cutTriple(w string) string {
	for i := 2; i < len(w); i++ {
		if w[i] == w[i-1] && w[i] == w[i-2] && w[i] >= 'a' {
			return w[:i] + w[i+1:]
		}
	}
	return w
}

// softC returns a word with z for a c that is spoken so in German: Proceß and Prozeß, Officier and Offizier. Short words and endings stay: price is no prize.
func softC(w string) string {
	if len(w) < 6 || strings.HasSuffix(w, "cing") {
		return w
	}
	for i := 1; i+3 < len(w); i++ {
		if w[i] == 'c' && (w[i+1] == 'e' || w[i+1] == 'i') {
			w = w[:i] + "z" + w[i+1:]
		}
	}
	return w
}

// initialTh matches the German words with a th at their beginning, in their forms. English thorn is no torn.
var initialTh = regexp.MustCompile(`^th(?:or(?:e|es|en)?|(?:äl|al|eil|at|ür|u[nt]|aun|rän|urm|ier|eer?|ät|on|euer|eur)(?:e[nrms]?|ern|s|n|ste[nrms]?)?)$`)

// germanTh reports whether a th of a word can be the old spelling of a German t: at its beginning before a vowel and
// not of an English word, or after a vowel with r or l.
func germanTh(w string) bool {
	if initialTh.MatchString(w) {
		return true
	}
	for _, part := range []string{"theil", "rath", "muth", "noth", "werth", "roth", "nöth", "räth", "müth", "thüm", "thum", "blüth", "fluth", "gluth", "miethe", "heirath", "ruthe", "wirth", "athem"} {
		if strings.Contains(w, part) {
			return true
		}
	}
	return false
}
