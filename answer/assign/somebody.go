package assign

import (
	"slices"
	"strings"

	"muniment/answer/segment"
)

// This file finds the noun phrases of a sentence, and tells of what kind they are: somebody, something, several.

// A phrase is a noun phrase of a sentence.
type phrase struct {
	words      []form
	start, end int
	prep       string // the preposition before it, "" for none
	same       []form // another name of the same: the secretary, Miss Quill
}

// phrases returns the noun phrases of a sentence, without those of time.
func phrases(ws []form) []phrase {
	var out []phrase
	v := predicate(ws)
	for i := 0; i < len(ws); {
		if _, n := timeAt(ws, i); n > 0 {
			i += n
			continue
		}
		w := ws[i]
		number := startsDigit(w.text) && !isDate(w.text)
		if w.text == comma || isDate(w.text) || i == v || !segment.Determiner(w.text) && !quantifiers[w.text] && !number && !w.upper &&
			(segment.Function(w.text) || finite(w) || verbAt(ws, i) || pasts[w.text] && i > 0 || prepositions[w.text] || moreplaces[w.text] || adverbs[w.text] || adverbial(w.text) || ties[w.text]) {
			i++
			continue
		}
		k := i + 1
		for k < len(ws) && k != v && ws[k].text != comma && !isDate(ws[k].text) {
			f := ws[k]
			if inside := segment.Determiner(ws[k-1].text) && participle(f) && k+1 < len(ws) && !segment.Function(ws[k+1].text); inside || f.upper {
				k++
				continue
			}
			if _, n := timeAt(ws, k); n > 0 || segment.Function(f.text) || finite(f) || pasts[f.text] || preposition(ws, k) || adverbial(f.text) || ties[f.text] || segment.Determiner(f.text) {
				break
			}
			k++
		}
		p := phrase{words: ws[i:k], start: i, end: k}
		if i > 0 && preposition(ws, i-1) {
			p.prep = ws[i-1].text
			if (p.prep == "to" || p.prep == "from") && (i == 1 || slices.ContainsFunc(ws[:i], func(f form) bool { return motion[f.text] })) && lastOf(p.words).upper {
				p.prep = "at" // went to the Exchange
			}
		}
		out = append(out, p)
		i = k
	}
	return out
}

// verbAt tells a word that is part of a verb, or opens a phrase of its own, though its form could be a noun's: had run,
// to publish, taken in May, writing the book.
func verbAt(ws []form, i int) bool {
	w, before, next := ws[i], "", ""
	if i > 0 {
		before = ws[i-1].text
	}
	if i+1 < len(ws) {
		next = ws[i+1].text
	}
	switch {
	case strings.HasSuffix(w.text, "ing") && segment.Determiner(next):
		return true
	case beForms[before] || haveForms[before]:
		return participle(w) || w.text == "run" || w.text == "come" || w.text == "become"
	case before == "to":
		return presents[segment.Stem(w.text)] && !plural(w)
	case participle(w):
		return before == comma || i+1 < len(ws) && preposition(ws, i+1)
	}
	return before == "will" || before == "would" || before == "can" || before == "could" || before == "may" || before == "might" || before == "must" || before == "should" || before == "shall"
}

var (
	males = set(`mr sir lord king prince father brother son uncle nephew husband man boy gentleman bishop vicar curate priest friar monk dean canon abbot pope emperor sultan tsar
		captain colonel general major admiral sergeant lieutenant headmaster chairman fisherman policeman grandfather father-in-law brother-in-law son-in-law duke earl squire butler bridegroom rector`)
	females = set(`mrs miss ms lady queen princess mother sister daughter aunt niece wife woman girl nun abbess duchess countess headmistress grandmother
		mother-in-law sister-in-law daughter-in-law widow maid hostess actress bride`)
	somebodies = join(males, females, set(`dr doctor prof professor rev reverend person child baby infant friend neighbour neighbor cousin guest stranger surgeon nurse clerk cook
		smith blacksmith thief guide servant student pupil apprentice cooper guard host patient tenant agent lawyer judge president pilot witness priest
		architect merchant secretary treasurer librarian physician musician politician mayor chief poet coroner spy heir saint soldier candidate delegate
		colleague partner parent owner constable dentist shepherd victim accountant assistant attendant orphan prisoner groom page porter deputy
		beggar scholar convict suspect invalid cripple vet veteran hermit lodger exile fugitive deserter spinster bachelor orphan infant toddler youth lad lass
		youngster elder gentlefolk tutor governess matron midwife nanny waiter butcher grocer tailor cobbler cooper potter weaver tanner brewer thatcher carter
		miller baker ostler innkeeper publican landlord landlady host cadet recruit corporal private captive hostage traitor rival enemy opponent champion
		comrade fellow companion lover fiancé fiancée twin ward godson kinsman relative relation ancestor descendant consul envoy ambassador
		senator alderman sheriff marshal knight baron count viscount marquis earl chancellor minister premier chaplain parson preacher organist
		chorister novice pilgrim prophet martyr composer conductor painter poet sculptor playwright novelist critic editor printer
		chemist apothecary physician psychiatrist therapist optician veterinarian analyst economist mathematician astronomer physicist
		magistrate advocate diplomat deacon sexton verger beadle bailiff sheriff steward peasant pirate rebel sailor mate crew team`))
	collectives = set(`council committee board company police parish club society union court parliament government ministry museum firm bank trust jury crew
		army navy family school church university college office department commission party team staff band choir crowd public couple`)
	// deciders can decide, recommend and ask, which things cannot.
	deciders = set(`council committee board company society union court parliament government ministry museum firm bank trust jury commission club university college department`)
	deciding = stemmed(`recommend resolve vote decide elect appoint approve agree`)
	// made are works, and making the verbs behind was that only a work can have with somebody's name behind by.
	made   = set(`portrait picture painting landscape engraving drawing sketch map book novel poem letter report pamphlet play hymn song symphony opera statue bust`)
	making = stemmed(`paint write draw engrave compose carve print sculpt sign`)
	// sided are parts that are named for a quarter: the east portal.
	sided = set(`portal end side edge bank`)
)

// owner returns how many words of a phrase say whose it is: the captain's parrot. 0 for none.
func owner(ws []form) int {
	for i := len(ws) - 1; i > 0; i-- {
		if strings.HasSuffix(ws[i-1].text, "'s") {
			return i
		}
	}
	return 0
}

var (
	// beasts and ships are it as well as he and she.
	beasts = set(`gang team crew dog horse ox mule donkey ass mare stallion gelding colt filly foal bull cow calf heifer steer bitch puppy cat kitten hen cock ram ewe lamb
		sheep goat pig sow boar bear wolf fox lion elephant monkey ape parrot bird swan goose falcon hawk eagle raven pony hound terrier spaniel baby child infant`)
	ships = set(`ship brig boat vessel steamer ferry schooner barque bark yacht sloop frigate trawler tanker tug barge cutter ketch lugger smack lifeboat liner packet galley car engine`)
	sites = set(`street road lane square hall house church bridge station gate park wood farm mill inn hotel river lake island county abbey castle college school hospital`)
)

// aPerson tells whether a noun phrase may be somebody, and of which kind: "he", "she", "any", "maybe" by its ending, "" for none.
func (p phrase) aPerson() string {
	if i := owner(p.words); i > 0 {
		p.words = p.words[i:]
	}
	if p.same != nil {
		if who := (phrase{words: p.same}).aPerson(); who != "" {
			return who
		}
	}
	first, last := p.words[0].text, lastOf(p.words).text
	if n := names(p.words); n > 0 && !segment.Determiner(p.words[n-1].text) {
		last = p.words[n-1].text // my daughter Kate
	}
	if segment.Determiner(first) && len(p.words) > 1 && titles[p.words[1].text] {
		first = p.words[1].text // a Mr Finch
	}
	for _, w := range []string{first, last} {
		switch {
		case females[w], femaleNames[w]:
			return "she"
		case males[w], maleNames[w]:
			return "he"
		}
	}
	if beasts[last] || ships[last] {
		return "maybe"
	}
	for _, w := range []string{first, last} {
		if somebodies[w] || titles[w] || persons[segment.Stem(w)] && !beasts[w] {
			return "any"
		}
	}
	last = lastOf(p.words).text
	if lastOf(p.words).upper || p.words[0].upper {
		if p.prep == "in" || p.prep == "at" || p.prep == "near" || p.prep == "on" || sites[last] && (segment.Determiner(first) || p.prep != "") {
			return ""
		}
		return "any"
	}
	for _, s := range [...]string{"er", "or", "ist", "man", "eer", "ian", "ee", "ess"} {
		if len(last) > 4 && strings.HasSuffix(last, s) && !things[last] {
			return "maybe"
		}
	}
	return ""
}

var things = set(`letter paper water river number order matter quarter corner tower border shelter letter chapter register timber winter summer dinner supper
	meter centre center barometer thermometer counter charter theatre door floor harbour error motor tractor mirror committee coffee fee tree business process
	address success illness darkness press dress lantern boiler cellar collar locker trailer drawer ladder feather leather weather lumber butter pepper paper
	poster banner folder newspaper manor tender offer answer sewer pier cider powder shoulder finger manner power flower shower`)

// bothNumbers are nouns whose plural is no other word.
var bothNumbers = set(`works barracks series species headquarters crossroads gallows news means`)

// many tells a plural phrase.
func (p phrase) many() bool {
	w := lastOf(p.words)
	if p.words[0].text == "a" || p.words[0].text == "this" || bothNumbers[w.text] {
		return false // a works
	}
	return plural(w) || startsDigit(p.words[0].text) && p.words[0].text != "1"
}

// fits tells whether a pronoun may stand for a phrase.
func (p phrase) fits(pronoun string) bool {
	who := p.aPerson()
	if p.words[0].text == "i" || p.words[0].text == "we" || p.words[0].text == subject {
		return false
	}
	if len(p.words) == 1 && (feasts[p.words[0].text] || weekdays[p.words[0].text] || months[p.words[0].text] && p.words[0].upper) {
		return false
	}
	switch pronoun {
	case "they":
		return p.many() || bothNumbers[lastOf(p.words).text] || slices.ContainsFunc(p.words, func(f form) bool { return collectives[f.text] })
	case "it":
		if who == "he" || who == "she" || p.many() {
			return false
		}
		if who == "any" && !(!titles[p.words[0].text] && (p.words[0].upper || p.words[0].begin && !segment.Determiner(p.words[0].text))) {
			return false
		}
		bare := len(p.words) == 1 && (p.words[0].upper || p.words[0].begin && !segment.Function(p.words[0].text))
		last := lastOf(p.words).text
		return !(bare && (p.prep == "in" || p.prep == "at" || p.prep == "near")) && !roads[last]
	}
	return (who == "any" || who == "maybe" || who == pronoun) && !p.many()
}

var roads = set(`street road lane`)
