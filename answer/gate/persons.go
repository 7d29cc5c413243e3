package gate

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"muniment/answer/policy"
	"muniment/snapshot/record"
)

// protected returns how a question names the first person of whom the archive
// does not let anything through, or "". A question names somebody more loosely
// than a document does: by the surname alone, with an initial, without a
// capital, with a slip of the keyboard.
func protected(question string, f Facts) string {
	if len(f.Persons.Persons) == 0 && f.Persons.ThirdParties != record.ThirdPartiesStrict {
		return ""
	}
	question = withoutPlaces(question, f)
	for _, name := range policy.MentionsOf(question, f.Persons, f.Subject) {
		if state := policy.Protection(name, f.Persons); state == record.PersonSealed && !variant(name, f) {
			return state
		}
	}
	words := wordsOf(question)
	for _, p := range f.Persons.Persons {
		if policy.Protection(p.Name, f.Persons) != record.PersonSealed {
			continue
		}
		for _, n := range append([]string{p.Name}, p.Aliases...) {
			if loosely(words, wordsOf(n), f, p.Name) {
				return record.PersonSealed + ", by another form of the name"
			}
		}
	}
	if f.Persons.ThirdParties != record.ThirdPartiesStrict {
		return ""
	}
	switch {
	default:
		return ""
	case unlisted(words, f):
		return record.PersonSealed + ", not listed"
	case byGivenName(words, f):
		return record.PersonSealed + ", by the given name"
	case gossip(question, f):
		return record.PersonSealed + ", private affairs"
	}
}

func wordsOf(s string) []string {
	words := anyWord().FindAllString(s, -1)
	for i, w := range words {
		w = strings.NewReplacer("’", "'", "‘", "'").Replace(w)
		w = strings.TrimSuffix(strings.TrimSuffix(w, "'s"), "'S")
		words[i] = strings.Trim(w, "'-")
	}
	return words
}

var anyWord = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[\p{L}\p{M}\d'’‘-]+`) })

// loosely tells whether words name the person of the given name, whose words
// are name.
func loosely(words, name []string, f Facts, person string) bool {
	if len(name) == 0 {
		return false
	}
	last := name[len(name)-1]
	capital, _ := utf8.DecodeRuneInString(last)
	proper := unicode.IsUpper(capital) && utf8.RuneCountInString(last) > 2
	shared := sharedWord(last, f, person)
	shouting := !slices.ContainsFunc(words, func(w string) bool { return strings.ToUpper(w) != w })
	plain := !slices.ContainsFunc(words[min(1, len(words)):], func(w string) bool {
		r, _ := utf8.DecodeRuneInString(w)
		return unicode.IsUpper(r) && w != "I"
	})
	for i, w := range words {
		same := near(w, last)
		if !same || !proper {
			continue
		}
		r, _ := utf8.DecodeRuneInString(w)
		before, after := "", ""
		if i > 0 {
			before = strings.ToLower(strings.TrimSuffix(words[i-1], "."))
		}
		if i+1 < len(words) {
			after = strings.ToLower(words[i+1])
		}
		exact := strings.EqualFold(w, last)
		switch {
		case len(name) > 1 && (near(before, name[len(name)-2]) || before != "" && len([]rune(before)) == 1 && strings.HasPrefix(strings.ToLower(name[len(name)-2]), before) && before != "a" && before != "i"):
			return true // "D. Willet", "deb wilet"
		case honorifics[before] && (exact || len(name) > 1) && !shared:
			return true // "Miss Willet"
		case len(name) > 1 && exact && unicode.IsUpper(r) && i > 0 && !shared && !shouting && !calledOtherwise(words, i, name):
			return true // "What did Willet sell?"
		case len(name) > 1 && before == "the" && unicode.IsUpper(r) && strings.EqualFold(w, last+"s") && !shared:
			return true // "the Willets"
		case len(name) == 1 && unicode.IsUpper(r) && i > 0 && vowelSlip(w, last):
			return true // "Knepp" for Knipp
		case len(name) == 1 && exact && plain && !unicode.IsUpper(r) && personal[before] && !compounds[after] && !personal[after]:
			return true // "what did deb say"
		}
	}
	return false
}

// near tells whether a word of a question is a word of a name: in any case,
// with a German genitive, or, if it is long, with one slip.
func near(w, name string) bool {
	w, name = strings.ToLower(w), strings.ToLower(name)
	return w == name || vowelSlip(w, name) || w == name+"s" && len(name) > 4 || len(name) > 5 && len(w) > 4 && slip(w, name, false) && w[0] == name[0]
}

// vowelSlip tells whether two names of five letters or more differ by one
// vowel, as old spellings do.
func vowelSlip(a, b string) bool {
	const vowels = "aeiouy"
	a, b = strings.ToLower(a), strings.ToLower(b)
	if len(a) != len(b) || len(a) < 5 {
		return false
	}
	slips := 0
	for i := range len(a) {
		if a[i] == b[i] {
			continue
		}
		if !strings.ContainsRune(vowels, rune(a[i])) || !strings.ContainsRune(vowels, rune(b[i])) {
			return false
		}
		slips++
	}
	return slips == 1
}

// calledOtherwise tells whether the surname at i follows a given name that is
// not this person's.
func calledOtherwise(words []string, i int, name []string) bool {
	if i == 0 {
		return false
	}
	before := words[i-1]
	r, _ := utf8.DecodeRuneInString(before)
	if !unicode.IsUpper(r) || i == 1 || honorifics[strings.ToLower(before)] {
		return false
	}
	return !near(before, name[0])
}

// sharedWord tells whether a word belongs to the subject's name too, or to
// that of a listed person who is not protected.
func sharedWord(word string, f Facts, person string) bool {
	has := func(names ...string) bool {
		return slices.ContainsFunc(names, func(n string) bool {
			return slices.ContainsFunc(wordsOf(n), func(w string) bool { return strings.EqualFold(w, word) })
		})
	}
	if has(append([]string{f.Subject.Name}, f.Subject.Aliases...)...) {
		return true
	}
	for _, p := range f.Persons.Persons {
		if p.Name != person && policy.Protection(p.Name, f.Persons) != record.PersonSealed && has(append([]string{p.Name}, p.Aliases...)...) {
			return true
		}
	}
	return false
}

// unlisted tells whether a question names somebody by given name and surname
// who is neither the subject nor a listed person: where everybody is protected
// who is not cleared, so are they.
func unlisted(words []string, f Facts) bool {
	own := wordsOf(f.Subject.Name)
	for i := 0; i+1 < len(words); i++ {
		r, _ := utf8.DecodeRuneInString(words[i+1])
		if !given[strings.ToLower(words[i])] || !unicode.IsUpper(r) || strings.ToLower(words[i]) == words[i] {
			continue
		}
		if len(own) > 0 && words[i+1] == own[len(own)-1] {
			if !sharedWord(words[i], f, "") {
				return true // a relation of the subject
			}
			continue
		}
		if i == 0 && alsoWords[strings.ToLower(words[i])] {
			continue // "Will Parliament sit?"
		}
		if !listedPair(words[i], words[i+1], f) && !variant(words[i]+" "+words[i+1], f) {
			return true
		}
	}
	return false
}

// listedPair tells whether somebody who is let through has both names, the
// given one perhaps in its short form, or the surname and no given name at all.
func listedPair(name, surname string, f Facts) bool {
	name = strings.ToLower(name)
	if full, ok := shortFor[name]; ok {
		name = full
	}
	for _, p := range f.Persons.Persons {
		if policy.Protection(p.Name, f.Persons) == record.PersonSealed {
			continue
		}
		has, named, any := false, false, false
		for _, w := range wordsOf(strings.Join(append([]string{p.Name}, p.Aliases...), " ")) {
			has = has || strings.EqualFold(w, surname)
			w = strings.ToLower(w)
			any = any || given[w]
			if full, ok := shortFor[w]; ok {
				w = full
			}
			named = named || w == name
		}
		if has && (named || !any) {
			return true
		}
	}
	return false
}

// shortFor are the given names that short forms stand for.
var shortFor = map[string]string{
	"ned": "edward", "ted": "edward", "will": "william", "bill": "william", "tom": "thomas", "jack": "john", "dick": "richard",
	"harry": "henry", "hal": "henry", "bess": "elizabeth", "betty": "elizabeth", "betsy": "elizabeth", "kit": "christopher",
	"jim": "james", "rob": "robert", "bob": "robert", "moll": "mary", "peg": "margaret", "sam": "samuel", "frank": "francis",
}

var (
	honorifics = set(`mr mrs ms miss mister mistress madam dr doctor prof professor sir lady lord dame capt captain col colonel maj
		major rev reverend uncle aunt cousin herr frau fräulein monsieur madame mademoiselle señor señora young old poor dear little`)
	// personal words stand before a person.
	personal = set(`did does has was is about with meet met visit visited told tell asked ask and love loved kiss kissed for from hat
		über mit von named called see saw know knew`)
	alsoWords = set(`will mark may rose grace frank jack sue bill dick harry pat rob hope faith`)
	compounds = set(`water garden bush petals petal tree trees colour color red oil wood early up late from at to above out in`)
	given     = set(`john james william thomas george charles henry edward robert richard samuel joseph david daniel peter paul andrew
		michael matthew mark luke stephen philip francis anthony edmund roger ralph hugh walter simon nicholas christopher benjamin
		abraham isaac jacob mary anne ann anna elizabeth jane margaret catherine katherine sarah susan susanna hannah martha
		rebecca rachel ruth alice agnes dorothy frances judith barbara bridget deborah ellen emma charlotte louise louisa sophie sophia
		julia laura clara ada mia lucy emily rose betty peggy nell jenny linda karen lisa jessica jennifer amy maria eva hans karl
		fritz friedrich heinrich wilhelm johann georg ludwig otto max ernst greta gretel ingrid helga ursula brigitte petra sabine
		monika jean pierre jacques louis marie claire jose juan carlos antonio tom tim jim joe jack bob bill ben sam dan steve kevin
		brian eric adam alan arthur oliver harry oscar leo noah liam helen nancy kate martin lars sven olga ivan
		peg nan nell moll kit ned dick harry hal will jack bess doll sue kate sam frank gervase valentine wayneman ashwell penelope
		balthasar paulina deborah diana susannah lettice ursula winifred griffith lewis owen evan phineas silas jonas josiah jeremiah
		isaac elias ezekiel nathaniel gabriel gilbert geoffrey humphrey lancelot lawrence laurence leonard maurice miles oliver
		patrick percy philip ralph reginald rowland rupert sidney theodore theophilus timothy tobias tristram vincent zachary`)
)
