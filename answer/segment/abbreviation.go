package segment

import "strings"

// class says what a stop after a word means.
type class uint8

const (
	ordinary class = iota
	title          // a name follows; never ends a sentence: Dr.
	inner          // words of the same sentence follow; never ends one: e.g.
	counted        // an abbreviation only before a number: No. 7, p. 12
	closing        // may end a sentence, and does before a word that often begins one: etc., a.m.
	calendar       // as closing, but only when written with a capital: Sept., Sat.
)

// abbreviations maps words in lower case, without the last stop, to their class. Abbreviations that
// are also common words at the end of a sentence (in, art, mag, est) are left out or are counted.
var abbreviations = classTable(map[class]string{
	title: `mr mrs ms messrs dr prof rev revd hon capt col gen lt sgt maj adm cdr gov sen rep pres st ste
		mme mlle hr fr frl hrn dipl ing pfr insp supt esqre ph geb gest`,
	inner: `e.g i.e eg ie cf viz vs z.b d.h i.d.r u.u o.ä s.o s.u vgl bzw sog ggf evtl bspw resp approx ca
		c näml d.i i.a m.e`,
	counted: `no nos nr p pp vol vols fig figs chap sec sect art ed eds bd bde abb kap ziff abs tab s l ll
		v vv fol ff lot par op pl ser bk bks`,
	closing: `etc inc ltd co corp jr sr esq a.m p.m u.s u.k u.s.a b.c a.d b.c.e c.e ph.d m.d b.a m.a usw u.a
		u.s.w chr v.chr n.chr ave blvd rd mt ft oz lb lbs cwt yd yds doz hrs min al dept bros inst ult prox`,
	calendar: `jan feb mar apr jun jul aug sep sept oct nov dec jän febr okt dez mon tue tues wed thu thur
		thurs fri sat sun`,
})

func classTable(lists map[class]string) map[string]class {
	m := make(map[string]class)
	for c, list := range lists {
		for _, w := range strings.Fields(list) {
			m[w] = c
		}
	}
	return m
}

// starters are words that, with a capital, often begin a sentence and hardly ever follow an
// abbreviation or an initial inside one. They decide where a stop could mean either.
var starters = wordSet(`the a an he she it they we you this that these those there then and but so or nor yet
	if when while after before although though because since as at in on by for from with without to into
	his her its their our my your what who where why how which not no all some many most both each every
	thence here now later yesterday today once up only even perhaps however
	der die das ein eine einen einem er sie es wir ihr ich und aber doch oder dann da dort hier heute gestern
	wenn als nach vor am im in mit ohne zu von bei auf aus für sein seine seinen ihre ihren mein meine wer was
	wann wo wie warum nicht kein keine alle viele später jetzt nun`)

// months and the words that stand before an ordinal number in German.
var (
	months = wordSet(`january february march april may june july august september october november december
		januar jänner februar märz mai juni juli oktober dezember jan feb mar apr jun jul aug sep sept oct nov
		dec okt dez`)
	ordinalLeaders = wordSet(`der die das den dem des am vom zum zur im ab bis seit und jeder jede jedes unser mein
		sein ihr`)
)

func wordSet(list string) map[string]bool {
	m := make(map[string]bool)
	for _, w := range strings.Fields(list) {
		m[w] = true
	}
	return m
}
