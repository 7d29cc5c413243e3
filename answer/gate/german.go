package gate

import (
	"regexp"
	"strings"
	"sync"
)

// glossed returns a folded German text word by word in English, and any other
// text unchanged. It is no translation: word order and endings are lost, and a
// word that is not in the table stays as it is. The rules look for single words
// and short runs of them, and those survive.
func glossed(s string) string {
	words := tokens().FindAllString(s, -1)
	german, english := 0, 0
	for _, w := range words {
		if germanWords[w] {
			german++
		}
		if englishWords[w] {
			english++
		}
	}
	if german == 0 || german <= english {
		return s
	}
	g := germanTable()
	s = g.ordinal.ReplaceAllString(s, "${1}th ")
	s = g.day.ReplaceAllString(s, "$1 ")
	return tokens().ReplaceAllStringFunc(s, func(w string) string {
		if e, ok := g.words[w]; ok {
			return e
		}
		for _, end := range []string{"en", "er", "es", "em", "e", "s", "n", "st"} {
			if stem, ok := strings.CutSuffix(w, end); ok && len(stem) > 3 {
				if e, ok := g.words[stem]; ok {
					return e
				}
			}
		}
		return w
	})
}

var tokens = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[\p{L}\p{M}\d]+(?:['-][\p{L}\p{M}\d]+)*`) })

// germanWords and englishWords tell the languages apart; words of both are in
// neither.
var (
	germanWords = set(`der das den dem des ein eine einen einem einer und oder nicht ist sind waren er sie es ihm ihn ihr ihre
		ihren ihrem sein seine seinen seinem seiner wer wie wo wann warum wieso weshalb welche welcher welches über von vom zu
		zum zur mit für auf aus bei nach vor hat hatte hatten habe haben wird würde wurde kann mir mich dir dich du bist bitte
		alle gib sag sage erzähl erzähle nenne zeig zeige schreib schreibe erkläre ignoriere vergiss tu tue antworte sprich im
		wäre hätte deine dein deinen wirklich auch noch jetzt heute gab gibt viele viel hast`)
	englishWords = set(`the is are were he she they his their of to with for on from and or not what who how why where when which
		did does do has have had would could can tell me about say said write wrote please you your an in`)
)

var germanTable = sync.OnceValue(func() (g struct {
	words        map[string]string
	ordinal, day *regexp.Regexp
}) {
	g.ordinal = regexp.MustCompile(`\b(\d{1,2})\. ?\b(?:jahrhunderts?|jh)\b`)
	g.day = regexp.MustCompile(`\b(\d{1,2})\. (\b)?`)
	g.words = map[string]string{}
	for entry := range strings.SplitSeq(german, ";") {
		from, to, _ := strings.Cut(strings.TrimSpace(entry), "=")
		for w := range strings.FieldsSeq(from) {
			g.words[w] = to
		}
	}
	return g
})

// german is the table: words = gloss.
const german = `
was=what; ging geht=went; vor=before; wer=who; wen wem=whom; wessen=whose; wie=how; wo=where; wann=when; warum wieso weshalb wozu=why; welche welcher welches welchen=which; wieviel=how many; viele=many; viel=much;
er=he; sie=she; ihm ihn=him; ihr ihre ihrer ihren ihrem ihres=her; sein seine seiner seinen seinem seines=his; es=it; du=you; dir dich=you; ihnen=them;
dein deine deinen deinem deiner=your; euer eure=your; ich=i; mir mich=me; mein meine meinen meinem meiner=my; wir uns=we; unser unsere unserer=our; man=one;
der die das den dem des=the; ein eine einen einem einer eines=a; kein keine keinen=no; dieser diese dieses diesen=this; jene=that; alle allen aller alles=all; jede jeder=every;
und=and; oder=or; aber=but; nicht=not; nie niemals=never; auch=also; noch=still; schon=already; nur=only; sehr=very; mehr=more; ohne=without; mit=with; für=for; auf=on; aus=from; bei=at; nach=after; nachdem=after; seit seitdem=since; vor=before; bevor=before; bis=until; über=about; von vom=of; zu zum zur=to; im in ins=in; am an=on; durch=by; gegen=against; zwischen=between; unter=under; wenn=if; falls=if; ob=whether; dass daß=that; weil=because; als=as; dann=then;
ist=is; bin=am; bist=are; sind seid=are; war=was; warst=were; waren=were; gewesen=been; wäre wärst wärest wären=were; hat=has; hast=have; habe haben=have; hatte hatten=had; hätte hätten=would have; wird=will; wirst werden=will; wurde wurden=was; geworden=become; würde würdest würden=would; kann kannst können=can; könnte könntest könnten=could; soll sollst sollte=should; muss musst müsste=must; darf=may; will willst=want; wollte=wanted; möchte=would like; gab gibt=is there;
sag sage sagen=tell; sagt=says; sagte gesagt sagten=said; erzähl erzähle erzählen=tell; erzählt erzählte=told; schreib schreibe schreiben=write; schrieb geschrieben schreibt=wrote; berichtet berichtete=reported; erwähnt erwähnte erwähnen=mentioned; beschreibt beschrieb beschrieben=described; beschreibe=describe; notiert notierte=noted; zugegeben=admitted; gestand=confessed;
nenne=name; zeig zeige=show; gib gebe=give; erkläre erklär=explain; definiere=define; übersetze übersetz=translate; berechne rechne=calculate; löse=solve; liste=list; empfiehl=recommend; dichte=compose; programmiere=code;
bitte=please; hallo=hello; 
dachte gedacht denkt denken denke=think; fühlte gefühlt fühlen fühlt=felt; meinte meint=mean; hält hielt halten=think; glaubte geglaubt=believed; wusste=knew; sagen=say; mochte gemocht=liked; liebte geliebt=loved; hasste gehasst=hated; fürchtete gefürchtet=feared; bereute=regretted; wollte=wanted; hoffte gehofft=hoped; plante=planned; erwartete=expected;
geschah geschehen passierte passiert=happened; starb gestorben=died; tod tode todes=death; beerdigung begräbnis=funeral; begraben beerdigt=buried; grab=grave; nachruf nachrufe=obituary; nachlass=estate; witwe=widow; witwer=widower; erbte geerbt=inherited; erben=heirs; lebendig=alive; lebte gelebt=lived; lebt=lives; leben=live; nachwelt=posterity;
heute=today; heutige heutigen heutiger=modern; morgen=tomorrow; gestern=yesterday; jetzt=now; nun=now; gerade=right now; heutzutage=nowadays; derzeit aktuell momentan=currently; aktuelle aktuellen aktueller=current; jahr=year; jahre jahren=years; jahrhundert jahrhunderts=century; nächste nächsten nächstes=next; letzte letzten letztes=last; woche=week; monat=month; zukunft=future; damals=then; erste ersten erster erstes=first; zweite zweiten zweiter zweites=second; neunzehnten=nineteenth; zwanzigsten=twentieth; achtzehnten=eighteenth; siebzehnten=seventeenth; einundzwanzigsten=twenty-first;
januar=january; februar=february; märz=march; mai=may; juni=june; juli=july; oktober=october; dezember=december;
depressiv=depressed; depression depressionen=depression; verrückt wahnsinnig=insane; psychisch seelisch=mentally; krank=ill; krankheit=illness; geisteskrank=mentally ill; süchtig=addicted; alkoholiker=an alcoholic; traumatisiert=traumatized; schwul=gay; lesbisch=lesbian; homosexuell=homosexual; bisexuell=bisexual; autistisch=autistic; narzisst narzisstisch=narcissist; bipolar=bipolar; selbstmordgefährdet suizidal=suicidal; neurotisch=neurotic; psychopath=psychopath; angststörung=anxiety disorder; persönlichkeitsstörung=personality disorder; störung=disorder; psyche=psyche; unbewusst unterbewusst=unconsciously; unbewusste unbewussten unterbewusstsein=subconscious; verdrängt verdrängte verdrängten=repressed; psychologisch psychologische psychologisches=psychological; profil=profile; diagnose=diagnosis; diagnostiziere=diagnose; analysiere=analyze; persönlichkeit=personality; charakter=character;
wirklich=really; wahrhaft tatsächlich eigentlich=really; heimlich insgeheim=secretly; tief=deep; innersten innerste=innermost; herzen=heart; inneren inneres=inner; wahre wahres wahren wahrer=true; echten echte=real; verborgene verborgenen versteckte versteckten geheime geheimen geheimes=hidden; motiv=motive; motive=motives; beweggrund beweggründe=motives; grund=reason; gründe=reasons; gefühl=feeling; gefühle gefühlen=feelings; absicht absichten=intentions; verliebt=in love; kopf=head; angst ängste=fear; eifersüchtig=jealous; trauer=grief; glücklich=happy; traurig=sad; stimmung=mood;
vergiss vergesst=forget; ignorier ignoriere ignoriert missachte=ignore; umgehe umgeh=bypass; überschreibe=override; deaktiviere=disable; anweisung=instruction; anweisungen instruktionen=instructions; vorgaben=instructions; regel=rule; regeln=rules; vorherigen vorherige bisherigen bisherige vorigen früheren obigen=previous; systemprompt=system prompt; systemanweisungen=system instructions; tu tue=act; so=so; spiel spiele=play; rolle=role; stell=imagine; vor=before; verhalte benimm=act; antworte beantworte=answer; sprich rede=speak; gibst=pretend; stimme=voice; verrate=reveal; offenbare=reveal; entwickler=developer; administrator=administrator; quellen=sources; quellenangaben=citations; einschränkungen beschränkungen=restrictions; filter=filter; ab=from; nun=now; sofort=now; beachte befolge=follow; bewusstsein=consciousness; mensch=human; echt=real; 
hauptstadt=capital; einwohner=population; bevölkerung=population; währung=currency; hoch=high; weit=far; groß=big; alt=old; schwer=heavy; schnell=fast; lang=long; höchste höchster=highest; größte größter=largest; längste längster=longest; berg=mountain; fluss=river; welt=world; erde=earth; sonne=sun; mond=moon; planet=planet; planeten=planets; länder=countries; land=country; einwohnerzahl=population; wetter=weather; rezept=recipe; kocht kochen koche=cook; backt backe backen=bake; kuchen=cake; brot=bread; nudeln=pasta; gedicht=poem; witz=joke; aufsatz=essay; lied=song; geschichte=story; bewerbung=cover letter; hausaufgaben=homework; erfand erfunden=invented; entdeckte entdeckt=discovered; malte gemalt=painted; komponierte=composed; bundeskanzler kanzler=chancellor; präsident=president; bürgermeister=mayor; könig=king; funktioniert funktionieren=works; bedeutet=means; bedeutung=meaning; unterschied=difference; hilf=help; wurzel=square root; gleichung=equation; mal=times; plus=plus; uhr=clock; spät=late; englische englisch=english; französische französisch=french; 
deutschland=germany; frankreich=france; spanien=spain; italien=italy; österreich=austria; schweiz=switzerland; russland=russia; amerika=america; türkei=turkey; griechenland=greece; brasilien=brazil; norwegen=norway; schweden=sweden; polen=poland; usa=usa;
fernsehen fernseher=television; handy handys smartphone=smartphone; rechner=computer; flugzeug flugzeuge=airplane; eisenbahn=railway; elektroauto elektroautos=electric cars; auto autos=cars; weltkrieg=world war; mondlandung=moon landing; klimawandel=climate change; wiedervereinigung mauerfall=fall of the berlin wall; strom=electricity; pandemie=pandemic; corona=covid; wunsch wünsche wünschen=wishes; sehnsucht sehnsüchte=longings; träume träumen=dreams; schuldgefühle=guilt; eifersucht=jealousy; hass=hatred; liebe=love; seele=soul; geist=mind; wiedergeboren=reincarnated; wahl wahlen=election; künstliche=artificial; intelligenz=intelligence; relativitätstheorie=theory of relativity; urknall=big bang; schwerkraft gravitation=gravity; photosynthese=photosynthesis; evolutionstheorie=theory of evolution; quantenphysik=quantum physics; quadratwurzel=square root; schwarzes=black; loch=hole; zinseszins=compound interest; inflation=inflation; atombombe=atomic bomb; telefon=telephone;
tagebuch tagebuchs tagebüchern=diary; brief=letter; briefe briefen briefes=letters; archiv archivs=archive; sammlung=collection; eintrag=entry; einträge=entries; dokument dokumente=documents; autor=the author; verfasser=the author; nachricht=message; 
feuer brand=fire; pest=plague; krieg=war; haus=house; frau=wife; mann=husband; mutter=mother; vater=father; schwester=sister; bruder=brother; tochter=daughter; sohn=son; magd=maid; kinder kind=children; freund=friend`
