package assign

// temporalAt returns how many words a phrase of time at the beginning has: in 1901, on Friday, in May
// 1931, in the night, this morning; 0 for none.
func temporalAt(ws []form) int {
	if len(ws) >= 2 && (ws[0].text == "this" || ws[0].text == "diesen") && (dayParts[ws[1].text] || seasons[ws[1].text]) {
		return 2
	}
	if len(ws) < 2 || !timing[ws[0].text] {
		return 0
	}
	i := 1
	if i+1 < len(ws) && (ws[i].text == "the" || ws[i].text == "jahr") {
		i++
	}
	day := false
	if i < len(ws) && number(ws[i].text) != "" && i+1 < len(ws) && months[ws[i+1].text] {
		i, day = i+1, true
	}
	switch {
	case i >= len(ws):
		return 0
	case year(ws[i].text):
		return i + 1
	case months[ws[i].text]:
		i++
		if !day && i < len(ws) && number(ws[i].text) != "" && !year(ws[i].text) {
			i++
		}
		if i+1 < len(ws) && ws[i].text == comma && year(ws[i+1].text) {
			i++
		}
		if i < len(ws) && year(ws[i].text) {
			i++
		}
		return i
	case weekdays[ws[i].text]:
		return i + 1
	case i == 2 && (dayParts[ws[i].text] || seasons[ws[i].text]):
		i++
		if i+1 < len(ws) && ws[i].text == "of" && year(ws[i+1].text) {
			i += 2
		}
		return i
	}
	return 0
}

func year(w string) bool { return len(w) == 4 && number(w) == w && w >= "1000" && w < "2100" }
