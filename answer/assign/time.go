package assign

import "strings"

// timeAt reads a phrase of time at i: a key that is the same for the same time, and how many words it has.
func timeAt(ws []form, i int) (key string, n int) {
	w := ws[i].text
	next := func(k int) string {
		if i+k < len(ws) {
			return ws[i+k].text
		}
		return ""
	}
	switch {
	case isDate(w):
		return w, 1
	case (w == "shortly" || w == "just" || w == "soon") && (next(1) == "before" || next(1) == "after"):
		if key, n := timeAt(ws, i+1); n > 0 {
			return w + " " + key, n + 1
		}
		return "", 0
	case w == "this" && next(1) == "day" || w == "that" && (next(1) == "day" || dayParts[next(1)] && next(1) != "day"):
		return w + " " + next(1), 2
	case w == "yesterday" || w == "today" || w == "tomorrow" || w == "tonight":
		return w, 1
	case relativeDays[w] && periods[next(1)] && !ws[i+1].begin:
		return w + " " + next(1), 2
	case weekdays[w] && (ws[i].upper || ws[i].begin):
		if dayParts[next(1)] || next(1) == "last" {
			return w + " " + next(1), 2
		}
		return w, 1
	case w == "the" && (next(1) == "same" || next(1) == "following") && (periods[next(2)] || next(2) == "day"):
		return next(1) + " " + next(2), 3
	case (w == "at" || w == "by" || w == "before" || w == "after") && (dayMarks[next(1)] && i+1 < len(ws)):
		return w + " " + next(1), 2
	case (w == "over" || w == "during" || w == "in" || w == "throughout") && next(1) == "the" && (next(2) == "year" || next(2) == "week" || next(2) == "month" || next(2) == "day" || next(2) == "night" && w != "in"):
		return w + " " + next(2), 3
	case !timePrepositions[w] && w != "in":
		return "", 0
	}
	k := 1
	if next(k) == "the" {
		k++
	}
	switch {
	case isDate(next(1)):
		return next(1), 2
	case weekdays[strings.TrimSuffix(next(1), "s")] && strings.HasSuffix(next(1), "s"):
		return "every " + next(1), 2
	case weekdays[next(1)]:
		key, n = timeAt(ws, i+1)
		return key, n + 1
	case dayParts[next(k)] || seasons[next(k)]:
		key, n = next(k), k+1
		if (next(n) == "of" || next(n) == "on") && isDate(next(n+1)) {
			return key + " " + next(n+1), n + 2
		}
		return key, n
	}
	return "", 0
}

// year reports whether a word is a year of four digits.
func year(w string) bool { return len(w) == 4 && number(w) == w && w >= "1000" && w < "2100" }
