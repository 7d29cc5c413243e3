package pages

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"

	"muniment/cite"
	"muniment/server"
	"muniment/snapshot/edtf"
)

// A language is the words of the pages in one language: those of words/CODE.txt, and how dates and numbers are written.
type language struct {
	code      string // as an Accept-Language has it
	words     map[string]string
	dates     *edtf.Prose
	thousands string // what parts the digits of a large number
}

// languages returns the languages of the pages, English first.
var languages = sync.OnceValue(func() []*language {
	return []*language{
		{"en", readWords("en"), &edtf.English, ","},
		{"de", readWords("de"), &edtf.German, "."},
	}
})

// deskPages are the pages for those who run the archive; they are in English alone.
var deskPages = []string{"claims", "custody", "review"}

// readWords returns the words of a language by key. The file is a part of the program.
func readWords(code string) map[string]string {
	data, err := files.ReadFile("words/" + code + ".txt")
	if err != nil {
		panic(err)
	}
	words := map[string]string{}
	for line := range strings.Lines(string(data)) {
		if key, text, ok := strings.Cut(strings.TrimRight(line, "\n"), " = "); ok && !strings.HasPrefix(line, "#") {
			words[key] = text
		}
	}
	return words
}

// say returns the words of a key, with {1}, {2} filled in; the end of the key where it has none.
func (l *language) say(key string, args ...any) string {
	text, ok := l.words[key]
	if !ok {
		return strings.ReplaceAll(key[strings.LastIndex(key, ".")+1:], "_", " ")
	}
	inserts := make([]string, 0, 2*len(args))
	for i, arg := range args {
		inserts = append(inserts, "{"+itoa(i+1)+"}", fmt.Sprint(arg))
	}
	return strings.NewReplacer(inserts...).Replace(text) // what is filled in is not looked at again
}

// numberOf returns a whole number of a template.
func numberOf(n any) int64 {
	switch v := n.(type) {
	case int:
		return int64(v)
	case int64:
		return v
	}
	return 0
}

// count returns a number with its thing in the right number.
func (l *language) count(n any, thing string) string {
	one, many, _ := strings.Cut(l.words["count."+thing], "|")
	k := numberOf(n)
	if k != 1 {
		one = many
	}
	return partThousands(k, l.thousands) + " " + one
}

// partThousands returns the digits of a number with a sign before each three of them.
func partThousands(n int64, sign string) string {
	digits := strconv.FormatInt(n, 10)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + sign + digits[i:]
	}
	return digits
}

// kind returns the kind of a paper in words.
func (l *language) kind(kind string) string { return cmp.Or(l.words["kind."+kind], kind) }

// kindOf returns the kind of a paper in words; that of a scan and its text names both.
func (l *language) kindOf(h server.Holding) string {
	if h.Paired {
		return l.say("paired." + h.Kind)
	}
	return l.kind(h.FullKind())
}

// facetValue returns a value of a facet in words.
func (l *language) facetValue(v FacetValue) string {
	switch year, isDecade := strings.CutSuffix(v.Name, "s"); {
	case v.Of == "kind":
		return l.kind(v.Name)
	case v.Of == "decade" && isDecade && l.code != "en":
		return year + "er"
	}
	return plain(v.Name)
}

// lifetime returns when the person was born and died whose papers the archive holds; "" where that is not known.
func (l *language) lifetime(a HomeAbout) string {
	var parts []string
	for _, day := range []struct {
		key  string
		date edtf.Date
	}{{"home.born", a.Born}, {"home.died", a.Died}} {
		if !day.date.IsZero() {
			parts = append(parts, l.say(day.key, day.date.WordsIn(l.dates)))
		}
	}
	return strings.Join(parts, ", ")
}

// label returns the words by which a reader knows a paper.
func (l *language) label(h server.Holding) string {
	h = *cmp.Or(h.Text, &h)
	if form, names := h.Letter(); form != "" {
		return l.say("letter."+form, names...)
	}
	return h.Label()
}

// otherDate returns the date of a paper in words, with its doubt where only the text has it; "" if the label says it.
func (l *language) otherDate(h server.Holding) string {
	switch {
	case h.Dated.IsZero():
		return l.say("undated")
	case h.LabelHasDate():
		return ""
	case h.Found:
		return l.say("date.found", h.Dated.WordsIn(l.dates))
	}
	return h.Dated.WordsIn(l.dates)
}

// day returns the day of a time in words.
func (l *language) day(at string) string {
	d, err := edtf.Parse(day(at))
	if err != nil {
		return day(at)
	}
	return d.WordsIn(l.dates)
}

// place returns a span in words.
func (l *language) place(span string) string {
	if m, err := cite.ParseMetaSpan(span); err == nil {
		return l.say("place.field", m.Field)
	}
	if m, err := cite.ParseMediaSpan(span); err == nil {
		return m.Words()
	}
	s, err := cite.ParseSpan(span)
	if err != nil {
		return span
	}
	unit := "place.paragraph"
	if s.Kind != cite.Paragraphs {
		unit = "place.line"
	}
	if s.From.Unit == s.To.Unit {
		return l.say(unit, s.From.Unit)
	}
	return l.say(unit+"s", s.From.Unit, s.To.Unit)
}

// scriptWords returns the words whose keys begin alike, for scripts: JSON by the rest of the key.
func (l *language) scriptWords(begin string) (string, error) {
	out := map[string]string{}
	for key, text := range l.words {
		if name, ok := strings.CutPrefix(key, begin); ok {
			out[name] = text
		}
	}
	data, err := json.Marshal(out)
	return string(data), err
}

// failureKey returns the number of the words for a status.
func failureKey(status int) int {
	switch {
	case slices.Contains([]int{403, 404, 422, 429, 503}, status):
		return status
	case status < http.StatusInternalServerError:
		return http.StatusUnprocessableEntity
	}
	return http.StatusInternalServerError
}

// languageCookie is the cookie of a browser that holds the language its reader chose.
const languageCookie = "muniment_language"

// languageOf returns the language of a request: its reader's choice, else the first of its browser, else English.
func languageOf(r *http.Request) *language {
	if c, err := r.Cookie(languageCookie); err == nil {
		if l := languageNamed(c.Value); l != nil {
			return l
		}
	}
	best, weight := languages()[0], 0.0
	for one := range strings.SplitSeq(r.Header.Get("Accept-Language"), ",") {
		tag, q, _ := strings.Cut(strings.TrimSpace(one), ";")
		code, _, _ := strings.Cut(strings.ToLower(tag), "-")
		w := 1.0
		if v, err := strconv.ParseFloat(strings.TrimPrefix(strings.TrimSpace(q), "q="), 64); err == nil {
			w = v
		}
		if l := languageNamed(code); l != nil && w > weight {
			best, weight = l, w
		}
	}
	return best
}

// languageNamed returns the language of a code, nil for none.
func languageNamed(code string) *language {
	for _, l := range languages() {
		if l.code == code {
			return l
		}
	}
	return nil
}

// chooseLanguage keeps the language that a reader chose in a cookie, and leads back to a page of this server.
func chooseLanguage(w http.ResponseWriter, r *http.Request) {
	l := languageNamed(r.PathValue("code"))
	if l == nil {
		http.NotFound(w, r)
		return
	}
	to := "/"
	if u, err := url.Parse(r.FormValue("to")); err == nil && u.Scheme == "" && u.Host == "" && strings.HasPrefix(u.Path, "/") && !strings.ContainsAny(u.Path, "\\\r\n") {
		to = (&url.URL{Path: path.Clean(u.Path), RawQuery: u.RawQuery}).String()
	}
	http.SetCookie(w, &http.Cookie{Name: languageCookie, Value: l.code, Path: "/", MaxAge: 365 * 24 * 3600, HttpOnly: true, SameSite: http.SameSiteLaxMode})
	http.Redirect(w, r, to, http.StatusSeeOther)
}
