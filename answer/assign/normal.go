package assign

import (
	"slices"
	"strconv"
	"strings"

	"muniment/answer/segment"
)

// normal rewrites a sentence so that what is only written differently is the same: numbers in words or
// digits, dates in any order, signs of money and percent, a few phrases of the same sense, and the two
// orders "it was Max who came" and "there were ten men present".
func normal(ws []form) []form {
	return reordered(opened(officed(listed(rephrased(dated(written(moneyed(broken(counted(monthly(titled(ws))))))))))))
}

// listed writes the commas of a list at the end of a sentence as and: letters, photographs and a diary.
func listed(ws []form) []form {
	first := slices.IndexFunc(ws, func(f form) bool { return f.text == comma })
	if first < 2 || !verbal(ws[:first]) && predicate(ws[:first]) < 0 {
		return ws
	}
	tail := ws[first:]
	last := slices.IndexFunc(tail, func(f form) bool { return f.text == "and" })
	if last < 0 || last+1 < len(tail) && startsVerb(tail[last+1:]) || slices.ContainsFunc(tail[last+1:], func(f form) bool { return f.text == comma || f.text == "and" }) ||
		slices.ContainsFunc(tail, func(f form) bool {
			return finite(f) || pasts[f.text] || ties[f.text] || preposition([]form{f}, 0) && f.text != "of"
		}) {
		return ws
	}
	out := slices.Clone(ws)
	for i := first; i < first+last; i++ {
		if out[i].text != comma {
			continue
		}
		if out[i+1].text == "and" {
			out = slices.Delete(out, i, i+1)
			break
		}
		out[i].text = "and"
	}
	return out
}

// titled takes out the stop behind a title or an initial, and joins "34-year-old".
func titled(ws []form) []form {
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

var kin = set(`father mother brother sister son daughter brothers sisters sons daughters`)

var scales = map[string]int{"hundred": 100, "thousand": 1000, "million": 1_000_000, "dozen": 12}

// small returns the value of a form that is a whole number.
func small(f form) (int, bool) {
	n, err := strconv.Atoi(f.text)
	return n, err == nil && f.text == strconv.Itoa(n)
}

// counted joins the words of a number: twenty five, two hundred and six, a dozen.
func counted(ws []form) []form {
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

var signWords = map[string]string{"$": "dollars", "£": "pounds", "€": "euros"}

// moneyed writes $5 as 5 dollars, and 5% and 5 per cent as 5 percent.
func moneyed(ws []form) []form {
	var out []form
	for i := 0; i < len(ws); i++ {
		w := ws[i]
		switch {
		case signWords[w.text] != "" && i+1 < len(ws) && startsDigit(ws[i+1].text):
			out = append(out, ws[i+1], form{text: signWords[w.text]})
			i++
		case w.text == "%":
			out = append(out, form{text: "percent"})
		case w.text == "per" && i+1 < len(ws) && ws[i+1].text == "cent":
			out = append(out, form{text: "percent"})
			i++
		default:
			out = append(out, w)
		}
	}
	return out
}

// datemark begins the form of a date: @1924-03-12, @1924-03, @--03-12, @1924.
const datemark = "@"

func isDate(w string) bool { return strings.HasPrefix(w, datemark) && !strings.HasPrefix(w, subject) }

var monthNumber = map[string]string{
	"january": "01", "february": "02", "march": "03", "april": "04", "may": "05", "june": "06", "july": "07",
	"august": "08", "september": "09", "october": "10", "november": "11", "december": "12",
}

// dated joins the words of a date.
func dated(ws []form) []form {
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
		if d := day(at(1)); d != "" {
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

var dateOpeners = set(`in since until till by after before from during`)

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

// holdsDate tells whether a date of the evidence lies in that of a claim.
func holdsDate(claim, evidence string) bool {
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

// reordered writes "it was Max who came" as "Max came", and "there were ten men present" as "ten men
// were present".
func reordered(ws []form) []form {
	if len(ws) < 5 {
		return ws
	}
	was := ws[1].text == "was" || ws[1].text == "is" || ws[1].text == "were" || ws[1].text == "are"
	switch {
	case ws[0].text == "it" && was:
		for i := 3; i < len(ws)-1 && i <= 7; i++ {
			if ws[i].text == "who" && (finite(ws[i+1]) || pasts[ws[i+1].text]) && !tied(ws[2:i]) && !tied(ws[i+1:]) && !verbal(ws[2:i]) {
				return append(append([]form{}, ws[2:i]...), ws[i+1:]...)
			}
		}
	case ws[0].text == "there" && was:
		for i := 3; i < len(ws); i++ {
			if states[ws[i].text] {
				return append(append(append([]form{}, ws[2:i]...), ws[1]), ws[i:]...)
			}
			if segment.Function(ws[i].text) || ws[i].text == comma {
				break
			}
		}
	}
	return ws
}

// states are adjectives that may stand behind what there was.
var states = set(`present absent missing alive dead ill sick available`)
