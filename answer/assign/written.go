package assign

import (
	"slices"
	"strconv"
	"strings"
)

// written brings numbers, sums of money and times of the day that are only written otherwise to one form:
// two pounds ten shillings and £2 10s, 3.5 million, three and a half, half past seven, nine pounds a year.
func written(ws []form) []form {
	return rated(clocked(summed(ws)))
}

// broken writes 3.4 million as 3400000, and 3 and a half as 3.5.
func broken(ws []form) []form {
	var out []form
	for i := 0; i < len(ws); i++ {
		w := ws[i]
		text := func(k int) string {
			if i+k < len(ws) {
				return ws[i+k].text
			}
			return ""
		}
		_, whole := small(w)
		switch {
		case whole && text(1) == "and" && text(2) == "a" && text(3) == "half" && text(4) != "" && text(4) != comma:
			out = append(out, form{text: w.text + ".5", begin: w.begin})
			i += 3
		case scales[text(1)] >= 1000 && decimals(w.text) > 0:
			before, after, _ := strings.Cut(w.text, ".")
			zeros := len(strconv.Itoa(scales[text(1)])) - 1
			if n, err := strconv.Atoi(before + after); err == nil && len(after) <= zeros && len(before) < 4 {
				for range zeros - len(after) {
					n *= 10
				}
				out = append(out, form{text: strconv.Itoa(n), begin: w.begin})
				i++
				continue
			}
			out = append(out, w)
		default:
			out = append(out, w)
		}
	}
	return out
}

// decimals returns how many digits stand behind the point of a number, 0 for what is none.
func decimals(w string) int {
	before, after, ok := strings.Cut(w, ".")
	if !ok || before == "" || after == "" || strings.Trim(before+after, "0123456789") != "" {
		return 0
	}
	return len(after)
}

// oldCoins are the parts of a sum of the old money, the larger first.
var oldCoins = [3][3]string{{"pounds", "pound", "l"}, {"shillings", "shilling", "s"}, {"pence", "penny", "d"}}

// coinAt reads "10 shillings" or "10s" at i: which coin, how many, and how many words that has.
func coinAt(ws []form, i int) (coin int, count string, n int) {
	for k, c := range oldCoins {
		if _, ok := small(ws[i]); ok && i+1 < len(ws) && (ws[i+1].text == c[0] || ws[i+1].text == c[1]) {
			return k, ws[i].text, 2
		}
		if count, ok := strings.CutSuffix(ws[i].text, c[2]); ok && k > 0 {
			if _, ok := small(form{text: count}); ok {
				return k, count, 1
			}
		}
	}
	return 0, "", 0
}

// summed writes a sum of pounds, shillings and pence as one number; 10s alone as 10 shillings.
func summed(ws []form) []form {
	var out []form
	for i := 0; i < len(ws); {
		coin, count, n := coinAt(ws, i)
		if n == 0 {
			out = append(out, ws[i])
			i++
			continue
		}
		sum := [3]string{"0", "0", "0"}
		sum[coin] = count
		end, parts := i+n, 1
		for {
			k := end
			if k+1 < len(ws) && (ws[k].text == "and" || ws[k].text == comma && (ws[k].stop == '.' || ws[k].stop == ',')) {
				k++
			}
			if k >= len(ws) {
				break
			}
			c, count, n := coinAt(ws, k)
			if n == 0 || c <= coin {
				break
			}
			coin, sum[c], end, parts = c, count, k+n, parts+1
		}
		begin := ws[i].begin
		switch {
		case parts > 1:
			out = append(out, form{text: sum[0] + "l" + sum[1] + "s" + sum[2] + "d", begin: begin}, form{text: "pounds"})
		case n == 1:
			out = append(out, form{text: count, begin: begin}, form{text: oldCoins[coin][0]})
		default:
			out = append(out, ws[i:end]...)
		}
		i = end
		if short := strings.HasSuffix(ws[i-1].text, "s") || strings.HasSuffix(ws[i-1].text, "d"); short && startsDigit(ws[i-1].text) && i+1 < len(ws) && ws[i].text == comma && ws[i].stop == '.' && !ws[i+1].upper {
			i++ // the stop of 6d.
		}
	}
	return out
}

// clocked writes half past 7, a quarter to 8 and 7:30 as 7.30, 7.45 and 7.30.
func clocked(ws []form) []form {
	var out []form
	for i := 0; i < len(ws); i++ {
		start := i
		if ws[i].text == "a" && i+1 < len(ws) && ws[i+1].text == "quarter" {
			i++
		}
		if i+2 < len(ws) && (ws[i+1].text == "past" || ws[i+1].text == "to" && ws[i].text == "quarter") {
			if h, ok := small(ws[i+2]); ok && h >= 1 && h <= 12 {
				minutes := map[string]string{"half": ".30", "quarter": ".15"}[ws[i].text]
				if ws[i+1].text == "to" {
					h, minutes = (h+10)%12+1, ".45"
				}
				if minutes != "" {
					out = append(out, form{text: strconv.Itoa(h) + minutes, begin: ws[start].begin})
					i += 2
					continue
				}
			}
		}
		i = start
		w := ws[i]
		if h, ok := small(w); ok && h < 24 && i+2 < len(ws) && ws[i+1].stop == ':' && len(ws[i+2].text) == 2 && strings.Trim(ws[i+2].text, "0123456789") == "" {
			w.text += "." + ws[i+2].text // 7:30
			i += 2
		}
		out = append(out, w)
	}
	return out
}

// measured are words for what a sum or a number is given by: nine pounds a year.
var measured = set(`year month week day night hour head acre ton tonne pound pint gallon dozen yard bushel quarter ounce litre kilo`)

// rated joins "a year" with the unit before it: 9 pounds a year, 9 pounds per year.
func rated(ws []form) []form {
	var out []form
	for i := 0; i < len(ws); i++ {
		n := len(out)
		if n > 1 && i+1 < len(ws) && slices.Contains([]string{"a", "per", "each", "every"}, ws[i].text) && measured[ws[i+1].text] &&
			startsDigit(out[n-2].text) && !startsDigit(out[n-1].text) && out[n-1].text != comma && plural(out[n-1]) {
			out = append(out, form{text: "per-" + ws[i+1].text})
			i++
			continue
		}
		out = append(out, ws[i])
	}
	return out
}

// ordinalDays are the days of a month in words.
var ordinalDays = func() map[string]string {
	out := map[string]string{"twentieth": "20", "thirtieth": "30", "thirty-first": "31"}
	for i, w := range strings.Fields(`first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth
		fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth`) {
		out[w] = strconv.Itoa(i + 1)
		if i < 9 {
			out["twenty-"+w] = strconv.Itoa(21 + i)
		}
	}
	return out
}()

// monthly writes the first of March, and March the first, as the 1st of March and March 1st.
func monthly(ws []form) []form {
	var out []form
	month := func(i int) bool {
		return i >= 0 && i < len(ws) && (ws[i].upper || ws[i].begin) && monthNumber[ws[i].text] != ""
	}
	for i, w := range ws {
		d := ordinalDays[w.text]
		if n := len(out); n > 0 && len(d) == 1 && (out[n-1].text == "20" || out[n-1].text == "30") {
			tens := out[n-1]
			w.begin, w.text = tens.begin, tens.text[:1]+d+"th"
			d, out = tens.text[:1]+d, out[:n-1]
		}
		if d == "" && strings.HasSuffix(w.text, "th") && day(w.text) != "" {
			d = day(w.text)
		}
		switch n := len(out); {
		case d != "" && i+2 < len(ws) && ws[i+1].text == "of" && month(i+2):
			w.text = d + "th"
		case d != "" && n > 1 && out[n-1].text == "the" && monthNumber[out[n-2].text] != "" && (out[n-2].upper || out[n-2].begin) && (i+1 == len(ws) || ws[i+1].text != "of"):
			w.text, out = d+"th", out[:n-1]
		}
		out = append(out, w)
	}
	return out
}
