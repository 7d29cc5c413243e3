package assign

import "muniment/answer/segment"

// lemma returns the stem of a verb's form.
func lemma(w string) string { return segment.Stem(w) }

// sameWord tells whether two words of a noun phrase are the same, or one may stand for the other. A
// capital counts, except of the first word of a sentence.
func sameWord(c, e form) bool {
	if c.upper != e.upper && !c.begin && !e.begin {
		return false
	}
	return c.text == e.text || isDate(c.text) && isDate(e.text) && holdsDate(c.text, e.text)
}

// presents are verbs, by stem, whose third person a clause may have: other words in -s are taken for nouns.
var presents = stemmed(`employ teach belong own work live run contain include produce make give take keep hold
	know need want like love hate write read speak play sell buy pay cost weigh measure lie stand sit hang lead manage direct
	serve supply offer grow breed provide consist lack owe earn receive begin end start open close arrive leave depart
	return attend study learn build carry bring send support oppose describe show remain stay lose gain win fall rise drop
	grow shrink move turn pass cross reach enter join meet follow precede face border overlook house store treat cure test
	use need require allow permit forbid ban refuse accept reject deny admit agree disagree help harm hurt kill feed drink eat
	sleep wake rest travel ride drive sail walk run climb swim paint draw print publish collect gather harvest plant sow
	burn freeze melt boil bake brew spin weave sew knit wash clean repair mend break damage destroy protect guard
	govern rule elect appoint nominate chair preside vote sit charge lend borrow rent let insure save spend invest
	expire lapse vary differ depend rely amount total number equal exceed measure comprise form cover fill hang preach smoke snore limp stammer swim fish hunt bark sing dance lodge reside dwell preach doctor farm teach`)

// manner are adverbs that may be left out of a statement of what happened.
var manner = set(`slowly quickly carefully quietly finally suddenly gladly soon eagerly hastily silently gently bravely
	cheerfully calmly loudly immediately promptly eventually recently publicly officially formally unanimously early`)

// titles stand before a name, and may be left out where a first and a last name remain.
var titles = set(`dr mr mrs ms miss prof professor doctor rev reverend sir captain colonel general major lieutenant`)

// The narrations that can have a plain object: to write a letter reports nothing.
var objectVerbs = stemmed(`write read teach count answer plan call report order offer`)

// givers are verbs that can have two objects, who gets it first.
var givers = stemmed(`give send sell pay bring lend tell show offer write teach hand leave grant award owe promise`)

// kinds of first names, for whom he and she can stand.
var (
	maleNames = set(`peter karl max john thomas johann franz josef jakob matthias paul hans otto ernst georg fritz heinrich
		wilhelm friedrich michael martin david daniel samuel william james george henry edward charles robert richard
		arthur albert frank fred joseph walter philip stephen andrew simon tom jack harry louis pierre jean carlos juan
		pedro jose ivan boris hugo emil felix oskar rudolf anton ludwig leopold konrad mr father uncle grandfather brother`)
	femaleNames = set(`clara anna maria elsa ida rosa julia emma eva lena martha margaret mary elizabeth jane sarah ruth
		helen alice florence edith ellen catherine katharina johanna therese sophie charlotte louise marie hanna hannah
		gertrud frieda agnes dorothea barbara susanna laura olga nina vera lucy grace rose lily amelia harriet emily anne
		mrs miss ms mother aunt grandmother sister`)
)
