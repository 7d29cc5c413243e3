package examine

import "testing"

// TestScholarlyChanges compares quotations with papers that have their words, but for what an editor may change.
func TestScholarlyChanges(t *testing.T) {
	for _, c := range []struct{ paper, quoted string }{
		// telegrams, headings and marks of emphasis
		{"ARRIVE THURSDAY WITH ELEVEN CASES STOP SEND CART TO STATION STOP HALLORAN", "Arrive Thursday with eleven cases. Send cart to station."},
		{"ARRIVE THURSDAY WITH ELEVEN CASES STOP SEND CART TO STATION STOP HALLORAN", "Arrive Thursday with eleven cases stop send cart to station"},
		{"DAMPFER LIEGT FEST STOP ERBITTE SCHLEPPER STOP", "Dampfer liegt fest. Erbitte Schlepper."},
		{"The *whole* of the crop was _lost_ in a night.", "The whole of the crop was lost in a night"},
		// the alphabet
		{"Die Bürger fordern größere Räume für die Schüler.", "Die Buerger fordern groessere Raeume fuer die Schueler"},
		{"Die Buerger fordern groessere Raeume fuer die Schueler.", "Die Bürger fordern größere Räume für die Schüler"},
		{"Der Baecker hat den Ofen geloescht.", "Der Bäcker hat den Ofen gelöscht"},
		{"The Encyclopædia was praised in the mediæval hall.", "The Encyclopaedia was praised in the medieval hall"},
		{"The naïve curé kept his rôle in the café.", "The naive cure kept his role in the cafe"},
		{"The oﬃce of the ﬂeet was eﬀectively aﬂoat and the eﬄuent ran.", "The office of the fleet was effectively afloat and the effluent ran"},
		{"Iudge vpon euery iot of the haue and the loue.", "Judge upon every jot of the have and the love"},
		{"The poſt came late, and the buſineſs was loſt.", "The post came late, and the business was lost"},
		{"the waggon broke its axle-tree in the cart-road by the mill", "the wagon broke its axletree in the cart road by the mill"},
		{"the mill stood idle to-day and will to-morrow", "the mill stood idle today and will tomorrow"},
		{"The commit-\ntee resolved to co-operate with the Wool-\nwich yard.", "The committee resolved to cooperate with the Woolwich yard"},
		{"The com¬\nmittee resolved nothing.", "The committee resolved nothing"},
		{"The committee re\u00adsolved nothing at all.", "The committee resolved nothing at all"},
		// abbreviations
		{"Recd of Mr Tho. Hale the sum of 5l. for ye horse & cart wch he bought.", "Rec[eive]d of Mr Tho[mas] Hale the sum of 5l. for the horse and cart which he bought"},
		{"I wd not go, nor cd he, and the Govt shd know it.", "I would not go, nor could he, and the Gov[ernmen]t should know it"},
		{"He lov’d her and ne’er return’d, tho’ he promis’d.", "He loved her and never returned, though he promised"},
		{"Dr. Hume & Co. paid the Compy in Septr. last.", "Dr Hume and Co paid the Comp[an]y in Sept[embe]r last"},
		// brackets
		{"He told her that they would never sell it to him.", "[Crane] told [his sister] that [the brothers] would never sell it to [Pike]"},
		{"the harvest failed and the people left the valley", "[T]he harvest fail[s] and the people le[ave] the valley"},
		{"I walk to the mill each day and count the sacks.", "[he] walk[ed] to the mill each day and count[ed] the sacks"},
		{"She was there with the child before dawn.", "She [the nurse] was there with the child [Anna] before dawn"},
		{"It was sold for 40 pounds in the spring.", "It was sold for 40 pounds [about £6,000 today] in the spring"},
		{"The vessel recieved no signal from the light.", "The vessel recieved [sic] no signal from the light"},
		{"The vessel went down at the bar with all hands.", "The vessel went down at the bar [of the river Esk] with all hands"},
		{"Er sagte mir, daß er das Haus nicht verkaufe.", "[Der Vater] sagte [ihr], dass er das Haus nicht verkaufe"},
		{"Wir haben das Korn nicht gedroschen.", "[Sie] haben das Korn nicht gedroschen [Hervorhebung im Original]"},
		{"Wir haben das Korn nicht gedroschen.", "Wir haben das Korn nicht (!) gedroschen"},
		{"Wir haben das Korn nicht gedroschen.", "Wir haben das Korn n i c h t gedroschen"},
		{"Wir haben das Korn n i c h t gedroschen.", "Wir haben das Korn nicht gedroschen"},
		{"The mill kept one. Ten thousand people marched on Monday.", "[t]en thousand people [had] marched on Monday"},
		{"Two hundred and fifty men struck.", "[t]wo hundred and fifty men struck"},
		// ellipses
		{"The river rose, as it does each spring, over the lower fields.", "The river rose . . . over the lower fields"},
		{"The river rose, as it does each spring, over the lower fields.", "The river rose [. . .] over the lower fields"},
		{"The river rose, as it does each spring, over the lower fields.", "The river rose (…) over the lower fields"},
		{"The river rose, as it does each spring, over the lower fields.", "The river rose *** over the lower fields"},
		{"The river rose, as it does each spring, over the lower fields.", "The river rose * * * over the lower fields"},
		{"The river rose, as it does each spring, over the lower fields.", "The river rose [---] over the lower fields"},
		{"The river rose, as it does each spring, over the lower fields.", "The river rose – – – over the lower fields"},
		{"The river rose, as it does each spring, over the lower fields.", "The river rose .. over the lower fields"},
		{"The river rose, as it does each spring, over the lower fields.", "... The river rose, as it does each spring ..."},
		// notes, pages and signs of the paper
		{"The river rose[3] over the lower fields.[4] Nobody had expected it.", "The river rose over the lower fields. Nobody had expected it"},
		{"The river rose over the [p. 12] lower fields that year.", "The river rose over the lower fields that year"},
		{"The river rose over the {12} lower fields that year.", "The river rose over the lower fields that year"},
		{"The river rose over the lower fields.12 Nobody had expected it.", "The river rose over the lower fields. Nobody had expected it"},
		{"The river rose over the lower fields.¹² Nobody had expected it.", "The river rose over the lower fields. Nobody had expected it"},
		// numbers
		{"There were twenty-three men and 4 boys on the 3d of May.", "There were 23 men and four boys on the third of May"},
		{"The fee was two hundred and fifty pounds.", "The fee was 250 pounds"},
		{"Es waren siebenundzwanzig Personen.", "Es waren 27 Personen"},
		{"The load was 5 per cent. of 1 000 tons.", "The load was 5% of 1,000 tons"},
		{"Section 4(b)(2) does not apply to §12.", "Section 4(b)(2) does not apply to § 12"},
		{"Die Kosten werden auf 26 000 Mark geschätzt, davon 1200 bar.", "Die Kosten werden auf 26.000 Mark geschätzt, davon 1.200 bar"},
		// spelling of other times and places
		{"The honour of the defence of the centre was offered to the traveller.", "The honor of the defense of the center was offered to the traveler"},
		{"The publick musick was compleat and the antient gaol shewn.", "The public music was complete and the ancient jail shown"},
		{"Thou hast my promise and he hath thine, for he goeth.", "Thou hast my promise and he has thine, for he goes"},
		{"The judgement acknowledges the programme of the sulphur works.", "The judgment acknowledges the program of the sulfur works"},
		{"Er giebt dem Thier Heu und Waßer, und die Thür bleibt zu.", "Er gibt dem Tier Heu und Wasser, und die Tür bleibt zu"},
		{"Das Comité der Actionäre beschloß die Publication.", "Das Komitee der Aktionäre beschloss die Publikation"},
		{"Die Kenntniß der Litteratur ist Eigenthum aller Classen.", "Die Kenntnis der Literatur ist Eigentum aller Klassen"},
		{"Er mußte am Schluß seyn, wo der Fluß floß.", "Er musste am Schluss sein, wo der Fluss floss"},
		{"Der Schiffahrt wurde die Brennessel zum Verhängnis.", "Der Schifffahrt wurde die Brennnessel zum Verhängnis"},
		{"Er hat uns im allgemeinen kennengelernt und radfahren lassen.", "Er hat uns im Allgemeinen kennen gelernt und Rad fahren lassen"},
		{"Ew. Wohlgeboren bitte ich um den Thaler, den mein Bruder schuldet.", "Euer Wohlgeboren bitte ich um den Taler, den mein Bruder schuldet"},
		{"\"The children,\" she writes, \"are our best readers and our worst.\"", "The children are our best readers and our worst"},
		{"The pump failed on January 9th and stood until the 23rd.", "The pump failed on January 9 and stood until the 23rd"},
		// spelling as it came to the pen
		{"This daye wee had verie foule weather & ye mast sprung a leake at ye foote.", "This day we had very foul weather and the mast sprung a leak at the foot"},
		{"Wee have but 6 barrells of beere and 31 soules to drinke it, he sould us noe more.", "We have but six barrels of beer and thirty-one souls to drink it, he sold us no more"},
		{"Die Kälte war bey uns gantz groß; drey Krüge seynd im Eyß gesprungen, vnd das Holtz riß sammt der Rinde.", "Die Kälte war bei uns ganz groß; drei Krüge sind im Eis gesprungen, und das Holz riss samt der Rinde"},
		{"I have seene a bear, and it looked at me againe.", "I have seen a bear, and it looked at me again"},
		{"the cattle were sold for nothing,—and who can wonder?—at the fair", "the cattle were sold for nothing—and who can wonder?—at the fair"},
	} {
		f := NewPaper(c.paper, nil).Find(NewQuery(c.quoted))
		if f.Words == 0 || f.IsAltered() || f.Share < 0.95 || f.Second != [2]int{} {
			t.Errorf("%q of %q: %v share %.2f", c.quoted, c.paper, f.Changes, f.Share)
		}
	}
}

// TestAlterations compares quotations with papers that have nearly their words. What is another word, name or number stays an alteration.
func TestAlterations(t *testing.T) {
	for _, c := range []struct{ paper, quoted string }{
		{"The price of the bread was raised in the spring.", "The prize of the bread was raised in the spring"},
		{"Herr Bäcker hat den Laden verkauft.", "Herr Becker hat den Laden verkauft"},
		{"\"The children,\" said nobody, \"are our best readers.\" They never were.", "The children are our best readers. They were"},
		{"This daye wee had verie foule weather & ye mast sprung a leake at ye foote.", "This day we had very fair weather and the mast sprung a leak at the foot"},
		{"Wee have but 6 barrells of beere and 31 soules to drinke it, he sould us noe more.", "We have but six barrels of beer and thirty-two souls to drink it, he sold us no more"},
		{"Wee doe not thinke that hee can hold the fort.", "We do now think that he can hold the fort"},
		{"Wir seynd bey dem Hund gewesen vnd haben gegessen.", "Wir sind bei dem Huhn gewesen und haben gegessen"},
		{"The hands were paid in the month of May, and they left.", "The handes was paid in the monthe of May, and they left"},
		{"Das Boot lag am Meer bei Kiel.", "Die Boote lagen am Meere bei Kiel"},
		{"Die Mutter hat den Laden verkauft.", "Die Mütter hat den Laden verkauft"},
		{"There were twenty-three men in the boat.", "There were 24 men in the boat"},
		{"There were two hundred and fifty men in the boat.", "There were two hundred and fifteen men in the boat"},
		{"There were two hundred and fifty men in the boat.", "There were fifty men in the boat"},
		{"Two hundred and fifty men struck.", "[t]wo hundred and fifteen men struck"},
		{"The river rose [not] over the lower fields.", "The river rose over the lower fields"},
		{"The river rose over 12 lower fields that year.", "The river rose over lower fields that year"},
		{"The river rose, as it does each spring, over the lower fields.", "The river rose over the lower fields"},
		{"The orders were to STOP the cart at the bridge.", "The orders were to drive the cart at the bridge"},
		{"Die Kosten werden auf 26 000 Mark geschätzt.", "Die Kosten werden auf 26.500 Mark geschätzt"},
		{"The dose was 1.5 grams of the salt.", "The dose was 15 grams of the salt"},
		{"He was to be the third of the heirs.", "He was to be the 4th of the heirs"},
		{"We n e v e r agreed to the sale of the mill.", "We agreed to the sale of the mill"},
		{"Der Proceß wurde nicht eröffnet.", "Der Prozess wurde eröffnet"},
		{"The farm was sold to A. B. Cole in the autumn.", "The farm was sold to A. D. Cole in the autumn"},
		{"Hale & Sons paid the rent for the year.", "Hale or Sons paid the rent for the year"},
	} {
		if f := NewPaper(c.paper, nil).Find(NewQuery(c.quoted)); !f.IsAltered() {
			t.Errorf("%q of %q: %v share %.2f", c.quoted, c.paper, f.Changes, f.Share)
		}
	}
}

func TestInterruptionInside(t *testing.T) {
	for _, c := range []struct{ text, words string }{
		{"The court held: \"'He who lights a fire,' said this court, 'must watch it.'\"", "'He who lights a fire,' said this court, 'must watch it.'"},
		{"“The wheel,” she wrote, “has stopped.”", "The wheel has stopped."},
	} {
		if got := Read(c.text, "").Quotations; len(got) != 1 || got[0].Words() != c.words {
			t.Errorf("%s: %+v, want %q", c.text, got, c.words)
		}
	}
}
