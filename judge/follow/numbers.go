package follow

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"muniment/search/retrieve"
	"muniment/text/segment"
)

// numbers finds a number of the claim that the words do not have, or have before another thing.
func numbers(c text, e evidence) (Finding, bool) {
	for _, w := range c.words {
		if w.number == "" || e.hasDate(w) || (w.number == "0.5" || w.number == "0.25") && !e.hasFraction() {
			continue
		}
		var others []string
		found := false
		if shares := e.shares(); w.unit == "%" && len(shares) > 0 && !e.states(w) {
			if !slices.Contains(shares, w.number+"%") {
				return Finding{Number, w.Lower + "%", strings.Join(shares, ", ")}, true
			}
			found = true
		}
		for _, s := range e.sentences {
			for _, o := range s.words {
				switch {
				case o.number == "":
				case o.whole && !w.whole:
				case o.number == w.number && (w.thing == "" || o.thing == "" || o.thing == w.thing || !s.counts(w.thing) || !o.whole && s.partOf(&o, w.thing)):
					found = true
				default:
					others = append(others, o.Lower)
				}
			}
		}
		if !found && !e.spellsOut(w.number) && !e.reckons(w, c) {
			return Finding{Number, w.Lower, strings.Join(others, ", ")}, true
		}
	}
	return Finding{}, false
}

// nearly is the largest relative difference of a number after about or over from the exact one.
const nearly = 0.15

// reckons reports whether a number of the claim follows from the sentences by rounding (about,
// over), by adding years to a date, or by counting the items of a list.
func (e *evidence) reckons(w word, c text) bool {
	value, _ := strconv.ParseFloat(w.number, 64)
	rounded := c.rounds(w)
	var all, spans []float64 // spans are numbers of years
	rival := false
	for _, s := range e.sentences {
		for _, o := range s.words {
			if v, err := strconv.ParseFloat(o.number, 64); err == nil {
				all = append(all, v)
				if o.unit != "" && o.unit == lists.units["years"] {
					spans = append(spans, v)
				}
				rival = rival || w.thing != "" && o.thing == w.thing
			}
		}
	}
	for _, a := range all {
		if rounded && math.Abs(a-value) <= nearly*a {
			return true
		}
		for _, b := range spans {
			if value >= 1000 && a >= 1000 && b < 200 && (a+b == value || a-b == value) {
				return true
			}
		}
	}
	return value == 2 && !rival
}

// rounds reports whether about, over, under or more than precedes a number, with at most one word
// between.
func (t *text) rounds(w word) bool {
	for i := range t.words {
		if t.words[i].Start != w.Start {
			continue
		}
		for k := max(0, i-2); k < i; k++ {
			x := t.words[k].Lower
			if lists.about[x] || x == "over" || x == "under" || x == "more" && k+2 == i {
				return true
			}
		}
	}
	return false
}

// partOf reports whether another number of the text is the whole of which a number counts a part: forty-two of its sixty
// workers, of the 640 soldiers 212.
func (t *text) partOf(o *word, thing string) bool {
	for i := range t.words {
		x := &t.words[i]
		if x == o || x.number == "" || x.thing != thing || i == 0 {
			continue
		}
		at := i - 1
		if at > 0 && (segment.Determiner(t.words[at].Lower) || lists.pronouns[t.words[at].Lower]) {
			at--
		}
		if t.words[at].Lower == "of" {
			return true
		}
	}
	return false
}

// hasFraction reports whether the sentences have a half or a quarter; otherwise one of the claim may be reckoned.
func (e *evidence) hasFraction() bool {
	return slices.ContainsFunc(e.sentences, func(s text) bool {
		return slices.ContainsFunc(s.words, func(w word) bool { return w.number == "0.5" || w.number == "0.25" })
	})
}

// states reports whether the sentences have the number of a claim with the same unit.
func (e *evidence) states(w word) bool {
	return slices.ContainsFunc(e.sentences, func(s text) bool {
		return slices.ContainsFunc(s.words, func(o word) bool { return o.number == w.number && o.unit == w.unit })
	})
}

// shares returns the percentages that the sentences give as "42 of 60", rounded to whole numbers: 70%.
func (e *evidence) shares() []string {
	var out []string
	for _, s := range e.sentences {
		for i, w := range s.words {
			if i+2 >= len(s.words) || w.number == "" || s.words[i+1].Lower != "of" || s.words[i+2].number == "" || w.unit != "" {
				continue
			}
			part, _ := strconv.ParseFloat(w.number, 64)
			if all, _ := strconv.ParseFloat(s.words[i+2].number, 64); part >= 1 && part <= all { // no "quarter of 2025"
				out = append(out, strconv.FormatFloat(math.Round(100*part/all), 'f', -1, 64)+"%")
			}
		}
	}
	return out
}

// spellsOut reports whether the sentences have a number in a form that is not read as one word: the first of March, two and
// a half.
func (e *evidence) spellsOut(number string) bool {
	value, _ := strconv.ParseFloat(number, 64)
	whole := strconv.FormatFloat(math.Trunc(value), 'f', -1, 64)
	for _, s := range e.sentences {
		isWhole, half := false, false
		for _, o := range s.words {
			if v, ok := lists.ordinals[o.Lower]; ok && v == value {
				return true
			}
			isWhole, half = isWhole || o.number == whole, half || o.number == "0.5"
		}
		if value-math.Trunc(value) == 0.5 && isWhole && half {
			return true
		}
	}
	return false
}

// counts reports whether the text gives a number of a thing.
func (t *text) counts(thing string) bool {
	return slices.ContainsFunc(t.words, func(w word) bool { return w.number != "" && w.thing == thing })
}

// hasDate reports whether a number is a part of the date of one of the documents.
func (e *evidence) hasDate(w word) bool {
	for _, d := range e.dates {
		for _, part := range strings.FieldsFunc(d, func(r rune) bool { return r < '0' || r > '9' }) {
			if strings.TrimLeft(part, "0") == w.number {
				return true
			}
		}
	}
	return false
}

// units finds a number that has another unit in the words.
func units(c text, e evidence) (Finding, bool) {
	for _, w := range c.words {
		if w.number == "" {
			continue
		}
		other, agrees := "", false
		for _, s := range e.sentences {
			for _, o := range s.words {
				if o.number == w.number && o.unit != "" {
					agrees = agrees || o.unit == w.unit
					other = o.unit
				}
				if o.number == w.number && o.thing != w.thing && o.thing != "" && w.thing != "" && lists.units[o.thing] == "" && lists.units[w.thing] == "" && o.unit == "" && (strings.HasSuffix(o.thing, w.thing) || strings.HasSuffix(w.thing, o.thing)) {
					return Finding{Unit, w.thing, o.thing}, true // amperes for milliamperes
				}
			}
		}
		if w.unit != "" && other != "" && !agrees {
			return Finding{Unit, w.unit, other}, true
		}
	}
	return Finding{}, false
}

// dates finds a month or a weekday that neither the words nor the date of a document hold.
func dates(c text, e evidence) (Finding, bool) {
	for _, w := range c.words {
		month, weekday := lists.months[w.Lower] && w.Upper, lists.weekdays[w.Lower] && w.Upper
		if !month && !weekday || e.has(&w) || month && e.inMonth(w.Lower) {
			continue
		}
		var others []string
		for _, s := range e.sentences {
			for _, o := range s.words {
				if o.Upper && (month && lists.months[o.Lower] || weekday && lists.weekdays[o.Lower]) {
					others = append(others, o.Lower)
				}
			}
		}
		return Finding{Date, w.Lower, strings.Join(others, ", ")}, true
	}
	return Finding{}, false
}

// inMonth reports whether a document is of a month.
func (e *evidence) inMonth(name string) bool {
	month := retrieve.Dates(name + " 2000")
	for _, d := range e.dates {
		for _, of := range retrieve.Dates(d) {
			if len(month) == 1 && of.From[4:7] == month[0].From[4:7] && of.To[4:7] == of.From[4:7] {
				return true
			}
		}
	}
	for _, s := range e.sentences { // abbreviated: 3 Aug.
		for _, of := range retrieve.Dates(s.raw) {
			if len(month) == 1 && of.From[4:7] == month[0].From[4:7] && of.To[4:7] == of.From[4:7] {
				return true
			}
		}
	}
	return false
}
