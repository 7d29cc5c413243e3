package segment

// Abbreviations that are also common words at the end of a sentence (in, art, mag, est) are left
// out or are counted.

var english = &language{
	abbreviations: classes(map[class]string{
		title: `mr mrs ms mx messrs dr drs prof profs rev revd hon capt col gen lt sgt maj adm cdr cmdr gov sen rep
			pres st ste insp supt esqre ph det ald pte cpl pfc bp fr msgr sr.dr mt ft.gen`,
		inner: `e.g i.e eg ie cf viz vs v.s resp approx ca c a.k.a i.a n.b`,
		counted: `no nos n° nº № nr p pp vol vols fig figs chap chaps ch sec secs sect art arts ed eds par para paras l ll v vv
			fol ff op ser bk bks pt pts ver lot tab eq eqs ref refs app ex cl reg tel ext`,
		closing: `etc inc ltd co corp llc plc bros jr sr esq u.s u.k u.s.a e.u u.n b.c a.d b.c.e c.e ph.d m.d b.a m.a b.sc m.sc
			d.c l.a n.y ave blvd rd st. sq ln hwy ft oz lb lbs cwt yd yds doz hrs hr min mins sec. al dept depts inst ult prox
			univ assn dist gal pop est. m.p r.n ret avg max`,
		calendar: `jan feb mar apr jun jul aug sep sept oct nov dec mon tue tues wed thu thur thurs fri sat sun`,
		clock:    `a.m p.m`,
	}),
	starters: wordSet(`the a an he she it they we you this that these those there then and but so or nor yet
		if when while before after although though because since as at in on by for from with without to into
		his her its their our my your what who where why how which not no all some many most both each every
		thence here now later yesterday today tomorrow once up only even perhaps however moreover meanwhile instead
		do does did is are was were has have had can could will would shall should may might must let please
		did during until unless whether such another other others two three several few`),
	months: wordSet(`january february march april may june july august september october november december
		jan feb mar apr jun jul aug sep sept oct nov dec`),
}

var german = &language{
	abbreviations: classes(map[class]string{
		title: `dr prof hr fr frl hrn dipl ing pfr st geb gest mag med phil jur theol rer nat habil dipl-ing priv.-doz stud
			gebr frhr bgm univ.-prof fa az aktz urt beschl`,
		inner: `z.b zb d.h i.d.r u.u o.ä s.o s.u vgl bzw sog ggf evtl bspw näml d.i i.a m.e i.e ca u.z m.a.w o.g z.t z.zt zzgl inkl exkl
			i.s.d i.v.m gem lt ggü einschl max min insb insbes bzgl entspr bes sogen dt engl frz lat griech od u z d i h e bgbl bstbl rspr`,
		counted: `nr nrn s bd bde abb kap ziff abs tab art p pp f ff fol no lfd hs rn rdnr rz anm aufl jg h lit vol anl str v`,
		closing: `usw u.a u.s.w etc chr v.chr n.chr jh jhdt std mio mrd tsd co ltd inc a.d r.i.p ff. jr sr a.m dgl u.ä u.ä.m u.v.m v.a
			d.j d.ä d.m m.d`,
		calendar: `jan jän feb febr mär apr jun jul aug sep sept okt nov dez mo di mi do fr. sa so.`,
		clock:    `p.m`,
	}),
	starters: wordSet(`der die das dem den des ein eine einen einem einer er sie es wir ihr ich du man und aber doch oder denn dann da dort
		hier heute gestern morgen wenn als nach vor am im in mit ohne zu von bei auf aus für sein seine seinen seiner ihre ihren ihr mein meine
		wer was wann wo wie warum nicht kein keine alle viele später jetzt nun dies diese dieser dieses damals danach darauf dabei
		trotzdem deshalb daher zudem außerdem auch nur so bis seit während weil obwohl jeder jede jedes zwei drei einige manche
		ist sind war waren hat haben hatte hatten wird werden wurde kann darf soll muss`),
	street:  "str",
	months:  wordSet(`januar jänner februar feber märz april mai juni juli august september oktober november dezember jan jän feb mär apr jun jul aug sep sept okt nov dez`),
	leaders: wordSet(`der die das den dem des am vom zum zur im ab bis seit und jeder jede jedes unser mein sein ihr ihre seine einem einen einer eines ein eine beim`),
}
