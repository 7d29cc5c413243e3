package segment

import "strings"

// Stem maps the inflected forms of an English word to one form: planted, planting, plants and plant;
// bought and buy; mice and mouse. It undoes inflection only, never derivation, since "general" and
// "generous", or "slow" and "slowly", are different words in evidence. Words that are not English
// pass with little harm. The result is a key to compare with, not always a word: house gives "hous".
// w is in lower case.
func Stem(w string) string {
	if len(w) < 3 || w[0]-'0' < 10 {
		return w
	}
	if base, ok := irregular[w]; ok {
		return finalE(base)
	}
	if len(w) == 3 {
		return w
	}
	return finalE(suffix(strings.ReplaceAll(w, "ß", "ss")))
}

func suffix(w string) string {
	n := len(w)
	switch {
	default:
		return double(w)
	case uninflected[w]:
		return w
	case strings.HasSuffix(w, "ies"):
		if n == 4 {
			return w[:3]
		}
		return w[:n-3] + "y"
	case strings.HasSuffix(w, "sses"), strings.HasSuffix(w, "xes"), strings.HasSuffix(w, "ches"),
		strings.HasSuffix(w, "shes"), strings.HasSuffix(w, "zzes"), strings.HasSuffix(w, "oes") && n > 4:
		return w[:n-2]
	case strings.HasSuffix(w, "s"):
		if strings.HasSuffix(w, "ss") || strings.HasSuffix(w, "us") || strings.HasSuffix(w, "is") {
			return w
		}
		return double(w[:n-1])
	case strings.HasSuffix(w, "ied"):
		if n == 4 {
			return w[:3]
		}
		return w[:n-3] + "y"
	case strings.HasSuffix(w, "eed"):
		return w
	case strings.HasSuffix(w, "ed"):
		return restore(w, w[:n-2])
	case strings.HasSuffix(w, "ying") && n == 5:
		return w[:1] + "ie"
	case strings.HasSuffix(w, "ing"):
		return restore(w, w[:n-3])
	}
}

// restore rebuilds the base of a word from which ed or ing was cut; a base without a vowel was none.
func restore(whole, base string) string {
	if vowelGroups(base) == 0 || len(base) < 2 {
		return whole
	}
	if b := double(base); b != base {
		return b
	}
	n := len(base)
	if base[n-1] == base[n-2] {
		if strings.IndexByte("lszfeo", base[n-1]) >= 0 {
			return base
		}
		return base[:n-1]
	}
	if vowelGroups(base) == 1 && n >= 2 && !vowel(base[n-1]) && strings.IndexByte("wxy", base[n-1]) < 0 &&
		vowel(base[n-2]) && (n == 2 || !vowel(base[n-3])) {
		return base + "e" // hoped, making
	}
	return base
}

// double undoes British doubling of l in longer words: travelled, fulfill.
func double(w string) string {
	if strings.HasSuffix(w, "ll") && vowelGroups(w) > 1 {
		return w[:len(w)-1]
	}
	return w
}

// finalE drops a silent e, except from words like fire and plane, which would meet fir and plan.
func finalE(w string) string {
	n := len(w)
	if n < 4 || w[n-1] != 'e' || vowel(w[n-2]) && w[n-2] != 'u' {
		return w
	}
	if vowelGroups(w[:n-1]) == 1 && vowel(w[n-3]) && (n == 4 || !vowel(w[n-4])) {
		return w
	}
	return w[:n-1]
}

func vowel(b byte) bool {
	switch b {
	case 'a', 'e', 'i', 'o', 'u', 'y':
		return true
	}
	return b >= 0x80
}

func vowelGroups(w string) int {
	n, in := 0, false
	for i := 0; i < len(w); i++ {
		v := vowel(w[i]) && !(i == 0 && w[i] == 'y')
		if v && !in {
			n++
		}
		in = v
	}
	return n
}

// uninflected words end as inflected ones do and are not.
var uninflected = wordSet(`morning evening nothing anything something everything during ceiling pudding herring
	shilling farthing sterling darling sibling duckling stocking wedding lightning hundred kindred sacred naked wicked
	hatred united always news gas bias canvas christmas alas james thomas charles atlas physics
	politics mathematics species series lens wales besides indeed spring string london`)

// irregular maps forms to their base. Forms that are as often other words (rose, bore, wound, lay,
// ground, bound) are left out.
var irregular = forms(`be=been buy=bought bring=brought think=thought fight=fought catch=caught teach=taught seek=sought
	see=saw,seen go=went,gone,goes do=did,done say=said pay=paid lay=laid tell=told sell=sold hold=held stand=stood
	understand=understood find=found leave=left lose=lost sit=sat get=got,gotten forget=forgot,forgotten
	give=gave,given take=took,taken mistake=mistook,mistaken come=came become=became eat=ate,eaten write=wrote,written,writ
	drive=drove,driven ride=rode,ridden hide=hid,hidden choose=chose,chosen freeze=froze,frozen wake=woke,woken
	awake=awoke break=broke,broken speak=spoke,spoken,spake steal=stole,stolen wear=wore,worn tear=tore,torn
	swear=swore,sworn fall=fell,fallen shake=shook,shaken beat=beaten shoot=shot flee=fled draw=drew,drawn
	fly=flew,flown,flies blow=blew,blown grow=grew,grown know=knew,known throw=threw,thrown sing=sang,sung sink=sank,sunk
	drink=drank,drunk begin=began,begun swim=swam,swum run=ran spend=spent send=sent lend=lent bend=bent
	build=built burn=burnt learn=learnt dream=dreamt mean=meant deal=dealt make=made win=won hang=hung
	dig=dug stick=stuck strike=struck keep=kept sleep=slept weep=wept sweep=swept creep=crept feel=felt kneel=knelt
	meet=met feed=fed lead=led bleed=bled breed=bred hear=heard spin=spun swing=swung cling=clung
	sow=sown show=shown mow=mown sew=sewn rise=risen arise=arose,arisen bite=bitten
	forgive=forgave,forgiven forbid=forbade,forbidden slide=slid spell=spelt spill=spilt spoil=spoilt
	die=died,dies,dying lie=lied,lying tie=tied,tying man=men woman=women child=children foot=feet tooth=teeth
	mouse=mice goose=geese wife=wives knife=knives life=lives wolf=wolves shelf=shelves loaf=loaves half=halves
	calf=calves thief=thieves ox=oxen brother=brethren penny=pence agree=agreed,agreeing free=freed gentleman=gentlemen
	guarantee=guaranteed`)

func forms(list string) map[string]string {
	m := make(map[string]string)
	for _, f := range strings.Fields(list) {
		base, inflected, _ := strings.Cut(f, "=")
		for _, w := range strings.Split(inflected, ",") {
			m[w] = base
		}
	}
	return m
}
