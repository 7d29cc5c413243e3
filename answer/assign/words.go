package assign

// reaching are words that change what a whole sentence claims, wherever they stand in it: conditions,
// doubts, wishes, hearsay, alternatives. By form or stem.
var reaching = join(modals, stemmed(`write state declare swear assure answer reply remark add exclaim cry insist argue agree
	read teach warn complain guess suspect consider count reckon pray deem judge convince`), set(`if unless whether or either nor otherwise instead rather except excepting excepted save until till
	once when whenever provided providing lest though although despite because than as like according supposed
	supposedly untrue false wrong lie lied mistaken mistakenly will shall can cannot would could should might may must ought
	used going about not never nobody nothing none no neither hardly scarcely barely seldom rarely without
	oder entweder sonst statt außer bis sobald sofern laut angeblich soll sollte sollen will wollte wollen werde werden wird
	würde würden könnte könnten kann konnte dürfte mag möchte dass daß ob wenn falls weil obwohl sagte sagt schreibt schrieb glaube glaubte meint
	meinte hoffe hoffte träumte behauptet behauptete erzählte hörte`))

// ties are words that make a clause part of another.
var ties = set(`who whom whose which that because although though when whenever while whilst where whereas wherever since as than
	so lest until till before after if unless whether or either neither both not only how why what
	welcher welche welches dass daß weil obwohl während wenn als ob damit bevor nachdem bis sobald oder entweder weder sowohl nicht
	deren dessen denen`)

// subordinate open a clause that may stand first, with a statement behind it.
var subordinate = set(`because although though while since as weil obwohl während`)

// germanVerbs are finite verbs that segment does not know: common past and present forms.
var germanVerbs = set(`war waren wurde wurden hat haben hatte hatten ist sind starb starben kam kamen ging gingen gab gaben
	nahm nahmen sah sahen fand fanden baute bauten kaufte kauften verkaufte verkauften besaß lebte lebten wohnte trank aß schrieb
	zahlte zahlten kostete kosteten brannte blieb stand lag heiratete pflanzte pflanzten verließ verlor brachte repariert`)

// loosely are adverbs of time and order that may be left out at the edges of a clause.
var loosely = set(`yesterday today tonight then also afterwards meanwhile and but gestern heute dann danach und aber`)

// scoping are words that speak of all, or of how many: to leave out a place or a time beside them would
// claim more.
var scoping = set(`all every each always both most only no none never nothing nobody any whole entire entirely everything everyone everybody
	first last best worst more less fewer least few little once often sometimes usually seldom rarely hardly half almost nearly too
	very enough just even total altogether alone still yet already again once
	alle alles jeder jede jedes immer nur beide meisten erste letzte mehr weniger kaum selten oft fast zu noch schon wieder`)

// placing are prepositions that open a phrase of place or company.
var placing = set(`in on at behind beside near under beneath above over across through from with hinter neben unter`)

// timing are prepositions that open a phrase of time.
var timing = set(`in on at during am im an`)

var months = set(`january february march april may june july august september october november december
	januar februar märz mai juni juli oktober dezember`)

var weekdays = set(`monday tuesday wednesday thursday friday saturday sunday montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag`)

var dayParts = set(`morning evening afternoon night day noon morgen abend nachmittag`)

var seasons = set(`spring summer autumn winter frühling frühjahr sommer herbst`)

// unreal are nouns of phrases that say in what sense, or in what fiction, a clause holds.
var unreal = set(`dream dreams story stories tale tales novel play poem book books song opera film theory plan plans part parts name
	imagination mind thoughts opinion view report reports rumour paper papers fancy sense way case event principle effect fact
	hope hopes fear general short place stead absence stage satire fable legend myth joke sketch painting picture poem comedy tragedy ballad sermon
	simulation exercise rehearsal game delirium fantasy vision traum märchen geschichte roman theorie plan teil namen meinung sinn falle`)

// lasting are verbs of a state.
var lasting = set(`owned weighed cost knew loved liked hated lived stood belonged contained held kept wanted needed believed
	thought felt seemed appeared remained stayed meant hoped feared wished served worked used looked lay sat spent lasted
	besaß kostete lebte wohnte stand lag blieb`)

// participles are irregular forms behind was that make it an event.
var participles = set(`built sold bought made found lost taken given broken stolen written sent brought drawn eaten driven shot slain
	burnt cut drunk geboren gebaut verkauft gekauft verbrannt zerstört getauft begraben`)

// plainAdjectives say what a thing is like and not whether it is one: they may be left out before their
// noun.
var plainAdjectives = set(`old young new big large small long tall wide narrow round heavy fine handsome beautiful pretty dear
	black white red green blue brown grey gray yellow warm cold`)

func join(sets ...map[string]bool) map[string]bool {
	out := map[string]bool{}
	for _, s := range sets {
		for w := range s {
			out[w] = true
		}
	}
	return out
}
