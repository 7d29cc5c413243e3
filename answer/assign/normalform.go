package assign

import (
	"slices"
	"strconv"
	"strings"

	"muniment/answer/segment"
)

// normal rewrites a sentence so that what is only written differently is the same: numbers in words or digits,
// dates in any order, titles, words and phrases of one sense.
func normal(ws []form) []form {
	return replaceSynonyms(joinDates(joinNumbers(joinShillings(joinTitles(ws)))))
}

// joinShillings joins the parts of a sum of old money: £12 7s. 4d.
func joinShillings(ws []form) []form {
	var out []form
	coin := func(w string) bool {
		n := len(w) - 1
		return n > 0 && (w[n] == 's' || w[n] == 'd') && strings.Trim(w[:n], "0123456789") == ""
	}
	for i, w := range ws {
		n := len(out)
		switch {
		case w.text == comma && w.stop == '.' && n > 0 && coin(ws[i-1].text) && i+1 < len(ws) && !ws[i+1].upper: // the stop of 7s.
		case coin(w.text) && n > 0 && (coin(ws[i-1].text) || startsDigit(out[n-1].text) && (n > 1 && out[n-2].text == "£" || i > 1 && coin(ws[i-2].text))):
			out[n-1].text += "-" + w.text
		default:
			out = append(out, w)
		}
	}
	return out
}

// joinTitles takes out the stop behind a title or an initial, and joins "34-year-old".
func joinTitles(ws []form) []form {
	var out []form
	for i, w := range ws {
		if w.text == comma && w.stop == '.' && i > 0 && (titles[ws[i-1].text] || ws[i-1].text == "st" || len(ws[i-1].text) == 1 && ws[i-1].upper) && i+1 < len(ws) && ws[i+1].upper {
			continue
		}
		if n := len(out); w.text == "old" && n > 1 && (out[n-1].text == "year" || out[n-1].text == "years") && startsDigit(out[n-2].text) && i+1 < len(ws) && ws[i+1].text != comma && !segment.Function(ws[i+1].text) {
			out = append(out[:n-2], form{text: out[n-2].text + "-year-old"})
			continue
		}
		// "Marc Favre, 31, reached"
		if n := len(out); w.text == comma && n > 2 && i+1 < len(ws) && out[n-2].text == comma && out[n-3].upper {
			if v, ok := small(out[n-1]); ok && v < 120 {
				out = out[:n-2]
				continue
			}
		}
		if n := len(out); w.text == "law" && n > 1 && out[n-1].text == "in" && kin[out[n-2].text] {
			out[n-2].text += "-in-law"
			out = out[:n-1]
			continue
		}
		// "a captain named Olsen"
		if (w.text == "named" || w.text == "called") && i > 1 && i+1 < len(ws) && ws[i+1].upper && !segment.Function(ws[i-1].text) && !ws[i-1].upper {
			continue
		}
		out = append(out, w)
	}
	if i := slices.IndexFunc(out, func(f form) bool { return f.text == comma }); i > 0 && i < 4 && out[0].text == "dear" {
		return out[i+1:] // Dear Robert,
	}
	return out
}

var scales = map[string]int{"hundred": 100, "thousand": 1000, "million": 1_000_000, "dozen": 12}

// small returns the value of a form that is a whole number.
func small(f form) (int, bool) {
	n, err := strconv.Atoi(f.text)
	return n, err == nil && f.text == strconv.Itoa(n)
}

// joinNumbers joins the words of a number: twenty five, two hundred and six, a dozen.
func joinNumbers(ws []form) []form {
	var out []form
	for i := 0; i < len(ws); {
		if v, n := numberAt(ws[i:]); n > 1 {
			out = append(out, form{text: strconv.Itoa(v), begin: ws[i].begin})
			i += n
			continue
		}
		out = append(out, ws[i])
		i++
	}
	return out
}

// numberAt reads a number of several words; n is how many it has, 0 for none.
func numberAt(ws []form) (value, n int) {
	total, part := 0, 0
	any := false
	for n < len(ws) {
		w := ws[n]
		v, isNumber := small(w)
		switch {
		case isNumber && (n == 0 || part == 0 && v < 1000):
			part, any = v, true
		case isNumber && v < 100 && part >= 100 && part%100 == 0, isNumber && v < 10 && v > 0 && part%100 >= 20 && part%10 == 0:
			part += v
		case scales[w.text] != 0 && (any || n == 1 && ws[0].text == "a"):
			s := scales[w.text]
			part = max(part, 1) * s
			any = true
			if s >= 1000 {
				total, part = total+part, 0
			}
		case w.text == "and" && n > 0 && scales[ws[n-1].text] >= 100 && n+1 < len(ws):
			if v, ok := small(ws[n+1]); !ok || v >= 100 {
				return total + part, n
			}
		case w.text == "a" && n == 0:
		default:
			if !any {
				return 0, 0
			}
			return total + part, n
		}
		n++
	}
	if !any {
		return 0, 0
	}
	return total + part, n
}

// datemark begins the form of a date: @1924-03-12, @1924-03, @--03-12, @1924.
const datemark = "@"

func isDate(w string) bool { return strings.HasPrefix(w, datemark) && !strings.HasPrefix(w, subject) }

var monthNumber = map[string]string{
	"january": "01", "february": "02", "march": "03", "april": "04", "may": "05", "june": "06", "july": "07",
	"august": "08", "september": "09", "october": "10", "november": "11", "december": "12",
}

// joinDates joins the words of a date.
func joinDates(ws []form) []form {
	var out []form
	for i := 0; i < len(ws); {
		if d, n := dateAt(ws, i); n > 0 {
			out = append(out, form{text: datemark + d, begin: ws[i].begin})
			i += n
			continue
		}
		out = append(out, ws[i])
		i++
	}
	return out
}

// dateAt reads a date at i; n is how many forms it has, 0 for none.
func dateAt(ws []form, i int) (date string, n int) {
	at := func(k int) string {
		if i+k < len(ws) {
			return ws[i+k].text
		}
		return ""
	}
	month := func(k int) string {
		if i+k >= len(ws) || !ws[i+k].upper && !ws[i+k].begin {
			return ""
		}
		return monthNumber[ws[i+k].text]
	}
	withYear := func(rest string, n int) (string, int) {
		switch {
		case year(at(n)):
			return at(n) + "-" + rest, n + 1
		case at(n) == comma && year(at(n+1)):
			return at(n+1) + "-" + rest, n + 2
		}
		return "--" + rest, n
	}
	the := 0
	if at(0) == "the" {
		the = 1
	}
	if d := day(at(the)); d != "" {
		of := the + 1
		if at(of) == "of" {
			of++
		}
		if m := month(of); m != "" {
			return withYear(m+"-"+d, of+1)
		}
	}
	if m := month(0); m != "" {
		if d := day(at(1)); d != "" && at(2) != "of" { // in April two of the windows
			return withYear(m+"-"+d, 2)
		}
		if year(at(1)) {
			return at(1) + "-" + m, 2
		}
		if i > 0 && (dateOpeners[ws[i-1].text] || ws[i-1].text == "of") {
			return "--" + m, 1
		}
	}
	if year(at(0)) && i > 0 && (dateOpeners[ws[i-1].text] || ws[i-1].text == "of") {
		return at(0), 1
	}
	return "", 0
}

// day returns two digits for 3, 3rd, "" for what is no day.
func day(w string) string {
	for _, s := range []string{"st", "nd", "rd", "th"} {
		w = strings.TrimSuffix(w, s)
	}
	if n, err := strconv.Atoi(w); err != nil || n < 1 || n > 31 || len(w) > 2 {
		return ""
	}
	return ("0" + w)[len(w)-1:]
}

// containsDate reports whether a date of the evidence lies in that of a claim.
func containsDate(claim, evidence string) bool {
	c, e := strings.TrimPrefix(claim, datemark), strings.TrimPrefix(evidence, datemark)
	if rest, ok := strings.CutPrefix(c, "--"); ok && len(e) > 5 {
		return e[5:] == rest || strings.HasPrefix(e[min(len(e), 5):], rest+"-") || strings.HasPrefix(e, "--"+rest)
	}
	return e == c || strings.HasPrefix(e, c+"-")
}

func phraseAt(ws []form, words []string) bool {
	if len(ws) < len(words) {
		return false
	}
	for i, w := range words {
		if ws[i].text != w || ws[i].upper {
			return false
		}
	}
	return true
}
