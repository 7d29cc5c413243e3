package assign

import (
	"slices"

	"muniment/answer/segment"
)

// A phrase stands behind a noun or behind the verb, and may say more of either: "walked with a man from Lyon"
// says of the man where he is from. Where that noun is left out or another stands before the phrase, it would
// say it of something else.

// hosted notes behind which nouns the phrases of the subject stand.
func (f *frame) hosted() {
	host := f.subject
	for i := range f.adjuncts {
		if a := &f.adjuncts[i]; a.subject {
			a.host = host
			host = a.noun
		}
	}
}

// part tells what of a frame a phrase stands behind: 's' the subject, 'o' the object, 'a' another phrase, 'v'
// none of these.
func (f *frame) part(a adjunct) byte {
	switch {
	case a.host == nil:
		return 'v'
	case a.host == f.subject:
		return 's'
	case a.host == f.object:
		return 'o'
	}
	return 'a'
}

// situating are prepositions of phrases that say the same of what happened and of the one to whom it did.
var situating = set(`in at on near`)

// attachedAlike tells whether phrase i of a claim stands where phrase matched[i] of the evidence does.
func attachedAlike(c, e frame, matched []int) bool {
	for i, a := range c.adjuncts {
		b := e.adjuncts[matched[i]]
		if a.noun == nil || b.noun == nil || a.time != "" || b.time != "" {
			continue
		}
		if detached(b) {
			continue
		}
		of, by := c.part(a), e.part(b)
		if of == 's' && by != 's' && !a.subject && !clinging[a.prep] {
			of = 'v' // was thanked by the chairman for her work
		}
		switch by {
		case 's':
			if of != 's' {
				return false
			}
		case 'v', 'o':
			if of == 's' && !(situating[b.prep] && by == 'v') {
				return false
			}
		case 'a':
			h := slices.IndexFunc(e.adjuncts, func(x adjunct) bool { return x.noun == b.host })
			if h < 0 || e.adjuncts[h].closed() {
				continue
			}
			k := slices.Index(matched, h)
			if k < 0 || of != 'a' || c.adjuncts[k].noun != a.host {
				return false
			}
		}
	}
	return true
}

// clinging are prepositions of phrases that say of a person before them who it is: the painter from Salzburg.
var clinging = set(`from with of`)

// sums are words, by stem, for what is paid, and for how long something lasts.
var sums = stemmed(`pound shilling penny pence crown dollar euro franc mark florin guinea cent hour day week month year minute`)

// detached tells a phrase that speaks of what happened wherever it stands: when, for how long, for how much.
func detached(a adjunct) bool {
	switch a.prep {
	case "during", "until", "till", "since":
		return true
	case "for":
		return a.noun.count != "" && sums[segment.Stem(lastText(a.noun.words))]
	}
	return len(a.words) > 0 && isDate(a.words[0].text) || bearing[lastText(a.noun.words)] && !a.noun.said && !plainPlaces[lastText(a.noun.words)]
}

// closed tells a phrase of a name of a place or of a measure, of which the next says nothing: in Porto at the mill.
func (a adjunct) closed() bool {
	if a.noun == nil || len(a.noun.words) == 0 {
		return true
	}
	return closedPhrase(a.prep, lastOf(a.noun.words)) || a.prep == "by" && a.noun.count != "" && !animate(a.noun)
}

func closedPhrase(prep string, last form) bool {
	return last.upper && (situating[prep] || prep == "from" || prep == "to" || prep == "through") || last.text == "percent"
}
