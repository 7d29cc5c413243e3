package segment

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/danish"
	"github.com/blevesearch/snowballstem/dutch"
	"github.com/blevesearch/snowballstem/english"
	"github.com/blevesearch/snowballstem/finnish"
	"github.com/blevesearch/snowballstem/french"
	"github.com/blevesearch/snowballstem/hungarian"
	"github.com/blevesearch/snowballstem/italian"
	"github.com/blevesearch/snowballstem/norwegian"
	"github.com/blevesearch/snowballstem/portuguese"
	"github.com/blevesearch/snowballstem/romanian"
	"github.com/blevesearch/snowballstem/russian"
	"github.com/blevesearch/snowballstem/spanish"
	"github.com/blevesearch/snowballstem/swedish"
	"github.com/blevesearch/snowballstem/turkish"
	"golang.org/x/text/unicode/norm"
)

// stemmers maps the primary subtag of a language to its Snowball stemmer.
var stemmers = map[string]func(*snowballstem.Env) bool{
	"da": danish.Stem, "nl": dutch.Stem, "en": english.Stem, "fi": finnish.Stem, "fr": french.Stem,
	"hu": hungarian.Stem, "it": italian.Stem, "nb": norwegian.Stem, "nn": norwegian.Stem, "no": norwegian.Stem,
	"pt": portuguese.Stem, "ro": romanian.Stem, "ru": russian.Stem, "es": spanish.Stem, "sv": swedish.Stem, "tr": turkish.Stem,
}

// MaxStemmed is how many bytes a word may have that is stemmed: longer ones are data, and a stemmer's time
// may grow with the square of their length.
const MaxStemmed = 64

// SearchKey returns the form under which a word is found: its Snowball stem in the language of a BCP 47 tag, in
// German that of CISTEM, without marks and with ligatures in letters. planted and planting meet, as do schmückten and geschmückt, Olmütz and Olmutz, Œuvre and
// oeuvre, ſein and sein, Straße and Strasse. A language without a stemmer, or "", only folds. Derived words may
// meet that Stem keeps apart (general, generally): a key finds, and proves nothing. w is in lower case.
func SearchKey(w, lang string) string {
	primary, _, _ := strings.Cut(strings.ToLower(lang), "-")
	if primary == "fr" || primary == "it" {
		w = cutElision(w)
	}
	if primary == "de" && len(w) <= MaxStemmed {
		return stemGerman(Fold(foldLigatures(w)))
	}
	stem := stemmers[primary]
	if stem == nil || len(w) > MaxStemmed || !strings.ContainsFunc(w, unicode.IsLetter) {
		return Fold(w)
	}
	if primary == "en" {
		if base, ok := irregular[w]; ok {
			w = base
		}
	}
	e := snowballstem.NewEnv(foldLigatures(w))
	stem(e)
	return Fold(e.Current())
}

// germanSounds writes sounds of several letters as one, so that no ending is cut out of them, and back.
var (
	germanSounds  = strings.NewReplacer("sch", "$", "ei", "%", "ie", "&")
	germanLetters = strings.NewReplacer("$", "sch", "%", "ei", "&", "ie")
)

// stemGerman returns the stem of a German word without marks by CISTEM (Weissweiler and Fraser, Developing a Stemmer
// for German, GSCL 2017), for which a capital makes no difference. Unlike Snowball it cuts the beginning ge- of
// participles and the ending -t of verbs, so that a question in one tense finds a letter in another.
func stemGerman(w string) string {
	if rest, ok := strings.CutPrefix(w, "ge"); ok && utf8.RuneCountInString(rest) >= 4 {
		w = rest
	}
	var out []rune
	for _, r := range germanSounds.Replace(w) {
		if n := len(out); n > 0 && out[n-1] == r {
			r = '*' // the letter before once more
		}
		out = append(out, r)
	}
	for n := len(out); n > 3; {
		end := string(out[n-2:])
		switch {
		case n > 5 && (end == "em" || end == "er" || end == "nd"):
			n -= 2
		case strings.ContainsRune("tesn", out[n-1]):
			n--
		default:
			n = 0
			continue
		}
		out = out[:n]
	}
	for i := 1; i < len(out); i++ {
		if out[i] == '*' {
			out[i] = out[i-1]
		}
	}
	return germanLetters.Replace(string(out))
}

var elisions = wordLists.Set("elisions")

// cutElision returns a word without an article or pronoun that is written as one word with it: l'église.
func cutElision(w string) string {
	before, after, cut := strings.Cut(w, "'")
	if cut && after != "" && elisions[before] {
		return after
	}
	return w
}

// ligatures replaces letters that Unicode does not decompose by plain letters.
var ligatures = strings.NewReplacer("ß", "ss", "ſ", "s", "æ", "ae", "œ", "oe", "ø", "o", "ł", "l", "đ", "d", "ð", "d", "þ", "th", "ı", "i",
	"ﬀ", "ff", "ﬁ", "fi", "ﬂ", "fl", "ﬃ", "ffi", "ﬄ", "ffl", "ﬅ", "st", "ﬆ", "st", "ĳ", "ij", "’", "'", "\u00ad", "")

func foldLigatures(w string) string {
	if ascii(w) {
		return w
	}
	return ligatures.Replace(w)
}

func ascii(w string) bool {
	for i := range len(w) {
		if w[i] >= 0x80 {
			return false
		}
	}
	return true
}

// Fold returns a word in lower case without marks and with ligatures in letters: Olmütz gives olmutz. Letters
// of Latin, Greek and Cyrillic lose their marks; in other scripts a mark may be a vowel and stays.
func Fold(w string) string {
	w = strings.ToLower(w)
	if ascii(w) {
		return w
	}
	var out strings.Builder
	marked := false // the last letter is of a script whose marks are dropped
	for _, r := range norm.NFKD.String(foldLigatures(w)) {
		if unicode.Is(unicode.Mn, r) && marked {
			continue
		}
		if !unicode.Is(unicode.M, r) {
			marked = unicode.In(r, unicode.Latin, unicode.Greek, unicode.Cyrillic)
		}
		out.WriteRune(r)
	}
	return norm.NFC.String(out.String())
}
