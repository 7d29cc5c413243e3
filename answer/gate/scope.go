package gate

import (
	"strings"

	"muniment/answer/segment"
)

// subordinators begin clauses that depend on another one.
var subordinators = set(`that which who whom whose what when whenever where wherever whereby wherein whereof whereupon
	whither whence how why whether if unless because since as while whilst whereas until till before after though although
	albeit lest than provided providing supposing seeing considering inasmuch insomuch notwithstanding except
	dass daß ob wenn falls weil da während bis bevor nachdem obwohl obgleich sofern damit indem als wie wer wo
	welcher welche welches welchen welchem deren dessen`)

// openers, at the head of what would be withheld, change or complete what
// stands before.
var openers = set(`but yet however nevertheless nonetheless still only save except or nor than for viz namely e.g i.e
	ie eg wit such excepting excluding barring aber doch jedoch sondern oder denn nämlich allerdings hingegen dennoch trotzdem`)

// correlatives reach over a comma to what follows "and".
var correlatives = set(`if unless whether either neither both between rather lest when though although that
	sowohl entweder weder zwischen`)

// prepositional words begin clauses or, before a noun, phrases.
var prepositional = set(`after before since till until bis als wie`)

// places, after a comma and "and", add where something was, too.
var places = set(`in at on by upon from through over up down along`)

// connectives may stand before the subject of an independent clause.
var connectives = set(`and so then thence there thereupon presently also afterwards thereafter now here und dann dort hier
	danach darauf`)

// ambiguous determiners may as well be pronouns, complementizers or relatives.
var ambiguous = set(`that no some all both each every der die das diese dieses dieser`)

// dangling words, at the end of a run, wait for what they govern.
var dangling = set(`of in on at by for from to into onto upon with within about above across after against along among
	amongst around before behind below beneath beside besides between betwixt beyond during near over past through
	throughout toward towards under until till unto via per as than like worth a an the his her its their our my your this
	these those some every each all both such and or nor but if that which who whom whose what when where how why whether
	is are was were be been being am has have had having do does did will would shall should can could may might must
	very so too more most less least as viz namely called named being became become
	der die das den dem des ein eine einen einem einer mit von zu zum zur aus bei nach vor auf für über unter und oder
	ist sind war waren hat haben hatte wird wurde sein im am`)

// amounts wait for a number.
var amounts = set(`worth money cost costs owe owes owed weigh weighs weighed pay paid`)

// titles are titles and abbreviations after which a name or a number follows.
var titles = set(`mr mrs ms messrs dr prof rev revd hon capt col gen lt sgt maj adm cdr gov sen st ste sr jr esq sir lord
	lady madam mme mlle hr fr frl no nos vol fig chap sec p pp bd nr etc c i.e e.g cf viz`)

// numerals are numbers in words, and what stands before one.
var numerals = set(`two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty sixty seventy
	eighty ninety hundred thousand million dozen score zwei drei vier fünf sechs sieben acht neun zehn zwölf zwanzig hundert
	tausend l £ $ €`)

// barred tells whether a word may not be withheld while another part of its
// sentence is shown. It may not if it negates, conditions, limits, doubts,
// reports or invents something, for what it bears on may be the shown part,
// on either side. A word too many in these lists withholds an excerpt; a word
// too few lets one say what its author did not.
func barred(w segment.Word) bool {
	l := w.Lower
	if exactBars[l] || strings.HasSuffix(l, "n't") || strings.HasPrefix(l, "n'") {
		return l != "may" || !w.Upper // the month
	}
	for n := shortestStem; n <= min(len(l), longestStem); n++ {
		if stemBars[l[:n]] && !innocent[l] {
			return true
		}
	}
	return false
}

// carried tells whether the barred word i, which stands after what is shown,
// leaves it alone: a letter or a talk that nothing ties to what came before.
func carried(ws []segment.Word, i int) bool {
	const before, after = 6, 3 // words in which "so", "as", "this" … tie it
	purpose := i > 0 && ws[i-1].Lower == "to" && purposes[ws[i].Lower]
	if !carriers[ws[i].Lower] && !purpose {
		return false
	}
	for _, w := range ws[max(0, i-before):min(len(ws), i+after+1)] {
		if anaphors[w.Lower] {
			return false
		}
	}
	return true
}

// carriers are barred words that bear on what follows them only, unless an
// anaphor refers back.
var carriers = set(`letter letters book books paper papers news talk talks talked talking answer answers answered ask asks
	asked asking call calls called calling cry cried show shows showed shown speak spoke spoken speaking word words pray
	prayed prayers sing sung song songs preach preached sermon sermons teach taught act acts warn plan request demand
	command message inform read reading write writing want wants wanted desire desired intend intending intended offer
	expect expected resolved letter`)

// purposes are verbs that, after "to", say what something was done for.
var purposes = set(`tell say hear think`)

// cataphors announce what follows them.
var cataphors = set(`it this these thus so such as follows following dies dieses so folgendes folgt`)

// anaphors point to what was said before.
var anaphors = set(`so as thus such this that these those it which thereof therein like all same
	so also das dies wie solches`)

var exactBars = set(`
	no not nor none neither never nobody nothing nowhere nought naught nay without hardly scarcely scarce barely seldom
	rarely cannot unable far aint ne'er nil dont wont cant isnt wasnt didnt
	if unless whether lest though although albeit however nevertheless notwithstanding despite otherwise else rather
	instead except excepting provided until till
	would might may could should ought perhaps maybe perchance peradventure belike wouldst couldst shouldst mightst
	say says said saith saying sayings sayest tell tells told telling tale tales lie lies lied lying liar liars false
	falsely falsehood untrue untruth untruths wrong wrongly error errors err erred play plays played playing plaything stage
	hear hears heard hearing hope hopes hoped hoping wish wishes wished wishing want wanted wants read reads reading
	write writes wrote written writing word words news jest jests joke jokes game games song songs sung sing poem poems
	novel novels book books vow vows vowed vowing fail fails failed failing ask asks asked asking show shows shown
	seem seems seemed seeming feign myth myths hoax fake faked sham spoke speak speaks speaking spoken talk talks talked
	talking call calls called calling cry cries cried crying plea plead pleads pleaded quoth swear swears swore sworn
	oath oaths dread dreads idea ideas notion notions theory madness mad delirium fever nightmare asleep sleep slept
	version versions tradition traditions pretext excuse excuses scenario example defamation gist moral
	almost nearly nigh quote quotes quoted deem deems deemed feel feels felt guess trust trusts
	like likely sooner plan plans planned mean means meant bet pray prays prayed prayer act acts acted
	nicht nichts nie niemals niemand niemanden niemandem nirgends nirgendwo weder noch ohne kaum wenn falls ob obwohl
	obgleich sofern zwar nein sag sage sagt sagte sagten gesagt lüge lügen lügt log gelogen meint meinte meinten meinung soll
	sollen sollte wollte würde würden hätte hätten könnte könnten wäre wären möchte wohl vielleicht hieß heißt außer sei seien habe
	fast beinahe denkt denke dachte dachten gedacht las liest gelesen schrieb schreibt rief ruft wähnt wähnte traum träume lied
	ne pas jamais rien aucun aucune ni nec neque non nunquam numquam nemo nihil haud sine niet geen nooit ikke inte ingen
	aldrig nunca nadie ninguno nessuno niente`)

var stemBars = set(`believ belief disbel incred credit deny deni denial doubt dubi dream fear afraid claim pretend pretence
	pretense rumor rumour report suppos think thought assert asser alleg accus suspec suspic imagin fanci fancy conceiv
	conjec presum assum opin judg reckon expect intend intent threat promis appear possib imposs probab improb impro unlik
	stori story fable fiction comed traged ballad legend vision hallu jesting mistak misbe mislea misre deceiv deceit decept
	delus illus forge slander calumn libel gossip whisper mutter declar affirm aver maintain insist swear confes testif
	testim witnes depos reput propos suggest hint impl infer hypoth specul argu contend persuad convinc refus reject
	refut disprov contradic retract recant prevent forbid forbad avoid abstain withdr invent fabricat concoct feign simul
	perform theat playh preten mock satir parod iron sarcas admit acknowl boast brag complain explain announc proclaim
	publish inform messag describ relat narrat recount recit mention remark observ answer repl respond request demand
	command beg besee entreat implor wager predic prophe prognos forese foret omen superst warn worri worry
	anxi fright desir suspect untru incorr inaccur absurd ridicul nonsense ludicr impos hypoc prank trick
	jesti jok exagger attempt hypothe theor drunk delir assur notion preach sermon teach taught
	pamphlet newspap gazet letter paper sentence verdict charg indict petition
	kein glaub behaupt leugn bestreit erzähl berich gerüch zweifel bezweif traum träum hoff fürcht befürcht schein angebl
	vermut vermein verleum märch geschicht gedicht roman erfund erfind irrtum falsch unwahr wünsch
	versprich versproch droh gesteh gestand beteuer schwör schwur erklär verkünd gelogen lügner einbild spiel
	theater komöd`)

// innocent words begin as one of stemBars does and are none.
var innocent = set(`relation relations relative relatives implement implements orderly impose imposed
	improve improved improvement improves hinterland`)

var shortestStem, longestStem = 3, 10

func set(list string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(list) {
		m[w] = true
	}
	return m
}
