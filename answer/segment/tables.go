package segment

// Tables for the common cases of other languages.

var french = &language{
	abbreviations: classes(map[class]string{
		title:    `m mm mme mlle mmes dr pr me st ste mgr gal cdt cap col lt`,
		inner:    `p.ex ex cf c.-à-d c.à.d env resp vs ca i.e e.g`,
		counted:  `p pp vol n no n° nº art chap fig éd t tél al ann coll s`,
		closing:  `etc j.-c av apr jr co cie ltd s.a r.v a.c hab boul bd av. éds sq`,
		calendar: `janv févr avr juil sept oct nov déc`,
		clock:    `a.m p.m`,
	}),
	starters: wordSet(`le la les l un une des il elle ils elles nous vous on je tu ce cette ces c cela ça mais et ou donc or ni car puis alors ensuite
		dans en à au aux de du d avec sans pour par sur sous après avant depuis pendant quand lorsque si comme que qui quoi où comment
		pourquoi son sa ses leur leurs mon ma mes notre votre tout tous toute plus aujourd hier demain ici là`),
	months: wordSet(`janvier février mars avril mai juin juillet août septembre octobre novembre décembre`),
}

var spanish = &language{
	abbreviations: classes(map[class]string{
		title:    `sr sra srta sres dr dra d dña prof profa gral cnel lic ing arq fr sto sta ud uds vd vds excmo`,
		inner:    `p.ej ej cf cfr vs aprox ca p`,
		counted:  `pág págs p pp núm n n° nº vol art cap fig ed tel t s c`,
		closing:  `etc ee.uu uu ee a.c d.c j.c cía s.a s.l av avda km cm kg jr co ltd`,
		calendar: `ene feb mar abr jun jul ago sept set oct nov dic`,
		clock:    `a.m p.m`,
	}),
	starters: wordSet(`el la los las lo un una unos unas él ella ellos ellas nosotros usted ustedes yo tú este esta estos estas eso esto ese esa pero y o
		u ni si cuando mientras después antes luego entonces en a al de del con sin para por sobre desde hasta como que qué quién dónde
		cómo cuándo su sus mi mis nuestro todo todos hoy ayer mañana aquí allí no sí también hay se es son era fue`),
	months: wordSet(`enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre`),
}

var portuguese = &language{
	abbreviations: classes(map[class]string{
		title:   `sr sra srs dr dra d prof profa eng exmo sto sta`,
		inner:   `p.ex ex cf vs aprox ca`,
		counted: `pág págs p pp n n° nº núm vol art cap fig ed tel`,
		closing: `etc a.c d.c cia ltda s.a av jr co eua`,
	}),
	starters: wordSet(`o a os as um uma ele ela eles elas nós você eu este esta isso mas e ou se quando depois antes então em no na de do da com sem para por
		como que quem onde não seu sua todos hoje ontem`),
	months: wordSet(`janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro`),
}

var italian = &language{
	abbreviations: classes(map[class]string{
		title:    `sig sigg sig.ra sig.na dott dott.ssa dr prof prof.ssa avv ing on arch geom rag don mons s gen col cap`,
		inner:    `p.es es cfr cf vs ca p.e`,
		counted:  `p pp pag pagg n nn n° nº vol voll art artt cap fig ed tel sec t`,
		closing:  `ecc etc a.c d.c s.p.a s.r.l spa co ltd jr v.le km`,
		calendar: `gen. feb mar apr mag giu lug ago set sett ott nov dic`,
	}),
	starters: wordSet(`il lo la i gli le l un uno una egli ella lui lei loro noi voi io tu questo questa questi queste quello quella ma e o se quando mentre
		dopo prima poi allora in nel nella a al alla di del della con senza per su da come che chi dove perché suo sua tutti oggi ieri domani
		qui là non sì anche è era sono`),
	months: wordSet(`gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre`),
}

var dutch = &language{
	abbreviations: classes(map[class]string{
		title:    `dhr mevr mw dr drs mr ir ing prof ds st gen kol kap fam h.m`,
		inner:    `bijv bv d.w.z dwz o.a i.p.v m.b.t n.a.v t.a.v z.g resp ca vs nl m.n t.o.v i.v.m o.l.v t.b.v incl excl evt`,
		counted:  `nr nrs blz p pp art afb fig hfst vol dl tel jg`,
		closing:  `enz etc a.u.b jl j.l a.s chr v.chr n.chr b.v n.v co ltd jr e.d e.a`,
		calendar: `jan feb mrt apr jun jul aug sep sept okt nov dec`,
	}),
	starters: wordSet(`de het een hij zij ze wij we jij je ik u dit dat deze die er maar en of want dus toen dan daarna later als wanneer terwijl nadat in op aan bij
		met zonder voor door van uit naar om te wie wat waar waarom hoe zijn haar hun ons mijn alle veel vandaag gisteren morgen hier daar
		niet ook nu`),
	months: wordSet(`januari februari maart april mei juni juli augustus september oktober november december`),
}

var polish = &language{
	abbreviations: classes(map[class]string{
		title:   `prof doc inż dr hab mgr ks św p gen płk kpt ul al pl im red o`,
		inner:   `np tj tzn m.in t.j tzw ok por zob wg ang niem łac fr ds jw j.w`,
		counted: `s str nr t poz art ust pkt rys tab godz tel r rozdz`,
		closing: `itd itp r w zł gr tys mln mld cd c.d n.e p.n.e br ur zm in wyd co`,
	}),
	starters: wordSet(`to ten ta te on ona ono oni my ja ty pan pani ale i a lecz jednak więc potem wtedy gdy kiedy jeśli jak gdzie dlaczego kto co w we na z ze do od po
		przed przez dla bez o u pod nad za czy nie tak jego jej ich mój nasz dziś wczoraj jutro tam tu tutaj jest był była było`),
	months:  wordSet(`stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia`),
	leaders: wordSet(`w na do od po dnia rocznica`),
}

var russian = &language{
	abbreviations: classes(map[class]string{
		title:   `проф акад доц им ул пр просп пл пер наб г-н г-жа св ген полк о-в оз пос дер`,
		inner:   `т.е т.к т.н напр ср см англ нем лат греч фр др.-греч т е к`,
		counted: `с стр п пп рис табл гл т тт № ст ч вып изд д кв корп тел прим`,
		closing: `г гг в вв др т.д т.п и.о н.э д.н.э руб коп тыс млн млрд чел обл мин сек ч. км кг п. э д.`,
	}),
	starters: wordSet(`он она оно они мы вы я ты это этот эта эти тот та те но и а да однако поэтому затем потом тогда когда если пока после до в во на с со к ко
		по из от у за над под при для без через о об как что кто где почему зачем не ни его её их мой наш все всё сегодня вчера завтра
		там тут здесь так также уже был была было были есть`),
	months: wordSet(`января февраля марта апреля мая июня июля августа сентября октября ноября декабря`),
}

// greek has ; for the question mark; greekWords is for texts whose language is not known.
var (
	greek = &language{abbreviations: greekWords.abbreviations, starters: greekWords.starters, months: greekWords.months,
		semicolon: true}
	greekWords = &language{
		abbreviations: classes(map[class]string{
			title:   `κ κα κος δρ καθ αγ στρ`,
			inner:   `π.χ δηλ βλ πρβλ λ.χ`,
			counted: `σελ σ αρ αριθ τ τόμ κεφ άρθ εικ τηλ`,
			closing: `κ.λπ κλπ κ.ά κ.τ.λ κτλ μ.χ π.χρ μ.μ π.μ χλμ`,
		}),
		starters: wordSet(`ο η το οι τα τον την του της ένας μια ένα αυτός αυτή αυτό εγώ εσύ εμείς αλλά και όμως τότε μετά όταν αν πριν γιατί πώς πού ποιος τι σε
			στο στη στην με από για χωρίς δεν μην σήμερα χθες αύριο εδώ εκεί ήταν είναι`),
		months: wordSet(`ιανουαρίου φεβρουαρίου μαρτίου απριλίου μαΐου ιουνίου ιουλίου αυγούστου σεπτεμβρίου οκτωβρίου νοεμβρίου δεκεμβρίου`),
	}
)

var hindi = &language{
	abbreviations: classes(map[class]string{title: `डॉ श्री श्रीमती प्रो पं`, inner: `उदा`, counted: `पृ सं क्र`}),
}

var arabic = &language{
	abbreviations: classes(map[class]string{title: `د أ م أ.د`, inner: `مثلا`, counted: `ص ج رقم`, closing: `ق.م هـ`}),
}

// wide serves Chinese and Japanese, whose stops need no words, with English words between them.
var wide = english
