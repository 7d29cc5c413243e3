package contract

import (
	"regexp"
	"strings"
	"sync"
	"unicode"
)

type patterns struct{ names, dates, may, words, schedule, macro *regexp.Regexp }

const months = `(?:january|february|march|april|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)`

var numeric = sync.OnceValue(func() (p patterns) {
	// Names with a digit, and quarters and halves of a year that nobody said.
	p.names = regexp.MustCompile(`(?i)\b(?:[qh][1-4]|(?:first|second|third|fourth) (?:quarter|half)|g-?(?:7|8|10|20)|covid-?19|s&p\.? ?500|nasdaq[- ]100|ftse[- ](?:100|250)|russell[- ](?:1000|2000|3000)|dow[- ]30|dax[- ]40|nikkei[- ]225|cac[- ]40|web 2\.0|mp3|co2|b2b)\b`)
	// Days; the year is part of them.
	p.dates = regexp.MustCompile(`(?i)\b(?:\d{4}-\d{2}-\d{2}|\d{1,2}/\d{1,2}/(?:\d{4}|\d{2})|\d{1,2}\.\d{1,2}\.\d{4}|(?:` + months + `|may)\.?,? \d{4}\b|` + months + `\.? \d{1,2}(?:st|nd|rd|th)?(?:, ?\d{4}|\b)|\d{1,2}(?:st|nd|rd|th)?(?: of)? ` + months + `\b\.?(?:,? \d{4})?|\d{1,2}\. ?` + months + `\b(?: \d{4})?|may \d{1,2}(?:st|nd|rd|th)?\b(?:,? \d{4})?|\d{1,2}(?:st|nd|rd|th)?(?: of)? may\b(?:,? \d{4})?)`)
	// A month without a day, as a date has it: in March, since May, late October.
	p.may = regexp.MustCompile(`\b(?i:in|by|since|until|till|of|early|late|mid|last|next|this|from|through|between|and|before|after|during)[ -](?:January|February|March|April|May|June|July|August|September|October|November|December)\b|\b(?i:last|next|this|since|until) (?:last |next )?(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b`)
	number := `(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|zwanzig|dreißig|vierzig|fünfzig)`
	p.words = regexp.MustCompile(`(?i)(?:%|‰|\b(?:per ?cents?|percent(?:age)?(?: points?)?|prozent(?:punkte?)?|basis points?|bps|` +
		number + `(?:[- ]\pL+)?|(?:an?|one|several|many|tens of|hundreds of|thousands of) (?:dozen|hundreds?|thousands?|millions?|billions?|trillions?|percent|third|quarter|fifth|tenth|half)|` +
		`dozens?|hundreds?|thousands?|millions?|billions?|trillions?|millionen|milliarden|half of|half the|halves|two[- ]thirds|` +
		`doubl(?:e|ed|es|ing)|tripl(?:e|ed|es|ing)|quadrupl(?:e|ed|es|ing)|halv(?:e|ed|ing)|twofold|threefold|tenfold|twice|quarter[- ]point|` +
		`(?:first|second|third|fourth) week(?: of)?)\b)`)
	p.schedule = regexp.MustCompile(`(?i)\b(?:next|due|scheduled|release[ds]?|publication|to be published|calendar|meeting|meets|minutes|announcement|hearing|session|report day|will be (?:held|released|published)|takes? place|set for|planned for|auction|expiry|deadline|opens?|closes?)\b`)
	// An official figure that does something: not what somebody thinks of it.
	aux := `(?:(?:has|have|had|will|would|is expected to|is likely to|may|might|could|also|again|officials|policymakers|unanimously) ){0,3}`
	p.macro = regexp.MustCompile(`(?:\b(?:GDP|CPI|PPI|PCE|HICP|PMI|NFP)\b|(?i:\b(?:gross domestic product|consumer prices?(?: index)?|producer prices?(?: index)?|non-?farm payrolls?|payrolls|unemployment(?: rate)?|jobless claims|retail sales|industrial production|(?:headline |core |annual )?inflation(?: rate)?)\b))(?: (?:growth|data|inflation|index))? ` + aux +
		`(?i:grew|grows?|r[io]ses?|rose|risen|fell|falls?|fallen|was|were|came|comes?|slow(?:s|ed)?|eased?|accelerated|reach(?:es|ed)?|stood|stands|stayed|remained|exceed(?:s|ed)?|beat|missed|jump(?:s|ed)?|drop(?:s|ped)?|declined?|increased?|shrank|contracted|expanded|climb(?:s|ed)?|hit|tops|topped)\b`)
	return p
})

// isNumeric reports whether a claim has a number, a percentage or a date, and
// whether dates are all it has.
func isNumeric(claim string) (found, onlyDates bool) {
	p := numeric()
	text := strings.NewReplacer("\u00a0", " ", "\u202f", " ", "‑", "-").Replace(claim)
	text = p.names.ReplaceAllString(text, " ")
	rest := p.dates.ReplaceAllString(text, " ")
	dated := rest != text
	bare := p.may.ReplaceAllString(rest, " ")
	dated = dated || bare != rest
	number := strings.ContainsFunc(bare, func(r rune) bool { return unicode.IsNumber(r) && !unicode.Is(unicode.Nl, r) }) || p.words.MatchString(bare)
	return dated || number, dated && !number
}

// scheduled reports whether a claim speaks of something that a calendar holds.
func scheduled(claim string) bool { return numeric().schedule.MatchString(claim) }
