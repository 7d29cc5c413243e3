package catalogue

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestReadHolding(t *testing.T) {
	year := func(h Holding, y string) Holding { h.From, h.To = y+"-01-01", y+"-12-31"; return h }
	cases := []struct {
		question string
		want     Holding
	}{
		{"When did Ada Hale write for the last time?", Holding{Want: WantNewest, Writer: "Ada Hale"}},
		{"Which letter from Bath is the latest?", Holding{Want: WantNewest, Kind: "letter", Origin: "Bath"}},
		{"Who wrote from Bath?", Holding{Want: WantWriters, Origin: "Bath"}},
		{"Who were the letters from Bath addressed to?", Holding{Want: WantAddressees, Kind: "letter", Origin: "Bath"}},
		{"How often did Ada write to Ben?", Holding{Want: WantCount, Writer: "Ada", Addressee: "Ben"}},
		{"Who gets mentioned most in the letters to Ben?", Holding{Want: WantMostNamed, Kind: "letter", Addressee: "Ben"}},
		{"Wie viele Briefe wurden 1903 geschrieben?", year(Holding{Want: WantCount, Kind: "letter"}, "1903")},
		{"Welche Briefe an Ada erwähnen Pastor Lühr?", Holding{Want: WantList, Kind: "letter", Addressee: "Ada", Mention: "Pastor Lühr"}},
		{"An wen schrieb Otto 1914?", year(Holding{Want: WantAddressees, Writer: "Otto"}, "1914")},
		{"Wie oft erwähnt Ada die Mühle?", Holding{Want: WantMentions, Writer: "Ada", Mention: "Mühle"}},
		{"Von wann ist der jüngste Brief?", Holding{Want: WantNewest, Kind: "letter"}},
		{"Which letters are from 1890?", year(Holding{Want: WantList, Kind: "letter"}, "1890")},
		{"Which letters were written in 1901?", year(Holding{Want: WantList, Kind: "letter"}, "1901")},
		{"How many letters of 1891 are there?", year(Holding{Want: WantCount, Kind: "letter"}, "1891")},
		{"How many letters date from 1897?", year(Holding{Want: WantCount, Kind: "letter"}, "1897")},
		{"How many letters were sent to Ada Hale?", Holding{Want: WantCount, Kind: "letter", Addressee: "Ada Hale"}},
		{"How many of the letters are addressed to Ada Hale?", Holding{Want: WantCount, Kind: "letter", Addressee: "Ada Hale"}},
		{"How many letters did Ada write to Ben in 1901?", year(Holding{Want: WantCount, Kind: "letter", Writer: "Ada", Addressee: "Ben"}, "1901")},
		{"Which letters were written from Bath?", Holding{Want: WantList, Kind: "letter", Origin: "Bath"}},
		{"What letters do we have from Bath?", Holding{Want: WantList, Kind: "letter", Origin: "Bath"}},
		{"Which is the oldest letter?", Holding{Want: WantOldest, Kind: "letter"}},
		{"What is the most recent letter in the collection?", Holding{Want: WantNewest, Kind: "letter"}},
		{"To whom did Ada Hale write?", Holding{Want: WantAddressees, Writer: "Ada Hale"}},
		{"Whom did Ada Hale write to?", Holding{Want: WantAddressees, Writer: "Ada Hale"}},
		{"Of Mr. Jay, Dr. Bee and Ann Kay, who is named in most letters?", Holding{Want: WantMostNamed, Kind: "letter", Names: []string{"Mr. Jay", "Dr. Bee", "Ann Kay"}}},
		{"Who is named most?", Holding{Want: WantMostNamed}},
		{"What is there about the reading-room?", Holding{Want: WantList, Mention: "reading-room"}},
		{"What do we hold about the white rose?", Holding{Want: WantList, Mention: "white rose"}},
		{"Which letters have no date?", Holding{Want: WantList, Kind: "letter", Undated: true}},
		{"Which papers are undated?", Holding{Want: WantList, Undated: true}},
		{"What has no date?", Holding{Want: WantList, Undated: true}},
		{"Which letters to Ada Hale mention the mill?", Holding{Want: WantList, Kind: "letter", Addressee: "Ada Hale", Mention: "mill"}},
		{"List the letters to Ada that name the mill.", Holding{Want: WantList, Kind: "letter", Addressee: "Ada", Mention: "mill"}},
		{"What did she write in September 1909?", Holding{Want: WantWriting, From: "1909-09-01", To: "1909-09-30"}},
		{"When did Ada first mention tea?", Holding{Want: WantOldest, Writer: "Ada", Mention: "tea"}},
		{"How often is Dr. Bee mentioned?", Holding{Want: WantMentions, Mention: "Dr. Bee"}},
		{"How often is Mr. Jay named in the letters?", Holding{Want: WantMentions, Kind: "letter", Mention: "Mr. Jay"}},
		{"In how many letters is the mill mentioned?", Holding{Want: WantCount, Kind: "letter", Mention: "mill"}},
		{"Which of Mr. Jay and Dr. Bee is mentioned in the most letters?", Holding{Want: WantMostNamed, Kind: "letter", Names: []string{"Mr. Jay", "Dr. Bee"}}},
		{"Who is mentioned most often: Mr. Jay or Dr. Bee?", Holding{Want: WantMostNamed, Names: []string{"Mr. Jay", "Dr. Bee"}}},
		{"Which letter is the latest?", Holding{Want: WantNewest, Kind: "letter"}},
		{"How many letters survive from 1891?", year(Holding{Want: WantCount, Kind: "letter"}, "1891")},
		{"How many letters did Ada receive?", Holding{Want: WantCount, Kind: "letter", Addressee: "Ada"}},
		{"Which letters speak of the mill?", Holding{Want: WantList, Kind: "letter", Mention: "mill"}},
		{"Is there anything about the mill?", Holding{Want: WantList, Mention: "mill"}},
		{"Who received letters from Ada Hale?", Holding{Want: WantAddressees, Kind: "letter", Origin: "Ada Hale"}},
		{"How many letters mention the mill?", Holding{Want: WantCount, Kind: "letter", Mention: "mill"}},
		{"Which letters bear no date?", Holding{Want: WantList, Kind: "letter", Undated: true}},
		{"Give me the letters of 1890.", year(Holding{Want: WantList, Kind: "letter"}, "1890")},
		{"What letters survive from 1890?", year(Holding{Want: WantList, Kind: "letter"}, "1890")},
		{"How often did they meet?", Holding{Want: WantEvents, Verb: "meet"}},
		{"How often did Tom and Ruth Hale dine at the mill in 1911?", year(Holding{Want: WantEvents, Verb: "dine", Names: []string{"Tom", "Ruth Hale", "mill"}}, "1911")},
		{"Welche Briefe sind von 1911?", year(Holding{Want: WantList, Kind: "letter"}, "1911")},
		{"Wie viele Briefe schrieb Ada an Ben?", Holding{Want: WantCount, Kind: "letter", Writer: "Ada", Addressee: "Ben"}},
		{"Wer schrieb an Ada?", Holding{Want: WantWriters, Addressee: "Ada"}},
		{"Welche Briefe sind ohne Datum?", Holding{Want: WantList, Kind: "letter", Undated: true}},
		{"Which letters were written between 1905 and 1907?", Holding{Want: WantList, Kind: "letter", From: "1905-01-01", To: "1907-12-31"}},
		{"Which letters passed between Ada and Ben?", Holding{Want: WantList, Kind: "letter", Between: [2]string{"Ada", "Ben"}}},
		{"Which letters were written after July 1911?", Holding{Want: WantList, Kind: "letter", From: "1911-08-01", To: Last}},
		{"What did she write about the mill?", Holding{}}, {"Who wrote to Ruth about the mill?", Holding{}}, {"Which letters?", Holding{}},
		{"Who was the mayor?", Holding{}}, {"What is the first letter of the alphabet?", Holding{}},
		{"Why was this letter written?", Holding{}}, {"How many people died?", Holding{}}, {"", Holding{}},
	}
	for _, c := range cases {
		got, ok := ReadHolding(c.question)
		if diff := cmp.Diff(c.want, got); diff != "" && !(c.want.Want == "" && !ok) {
			t.Errorf("%s: %v\n%s", c.question, ok, diff)
		}
	}
}

// A word of a question is no word of a language in which it says nothing; a name is.
func TestHoldsNothing(t *testing.T) {
	for _, c := range []struct {
		text, phrase, lang string
		n                  int
	}{{"Mein Bruder hat eine Rede gehalten.", "hat", "de", 0}, {"The hat is paid.", "the hat", "en", 1}, {"man hat uns gesehen", "hat", "en", 1}, {"der Will kam", "Will", "de", 1}} {
		if found := Holds(c.text, c.phrase, c.lang); len(found) != c.n {
			t.Errorf("%q in %q: %v, want %d", c.phrase, c.text, found, c.n)
		}
	}
}

// Questions to the texts are none about the holdings, whatever words of papers they have.
func TestReadNoHolding(t *testing.T) {
	all := []string{
		"Who met Captain Storr on the quay?", "What did Hetty earn in a year?", "Who sent a pound of tea?", "When was the footbridge swept away?", "Where did the pony go?",
		"How often did it rain in June?", "How many loaves were bought?", "What period of mourning did she keep?", "Who came from Hull by the noon train?", "Which horse was the oldest?",
		"What was the first thing he bought?", "When did the letter arrive?", "Who carried the letter to the minister?", "What years did Will spend at sea?", "Is there a doctor in the village?",
		"How many people are there in the house?", "Who named the child?", "What did the minister say about the organ?", "When did she come up to London?", "Which of the brothers was most liked?",
		"Who has the most sheep?", "What do we know of him?", "Did Amos mention the price to his wife?", "Why did the diary end?", "Who wrote the song about the mill?",
		"Wer hat den Mühlstein bezahlt?", "Wann brach das Wehr?", "Wie viele Säcke Roggen wurden gemahlen?", "Wem gehört die Mühle?", "Was kostete der Stein?", "Wer kam aus Basel?",
		"Wie oft hat Veit gefehlt?", "An wen wurde die Mühle verkauft?", "Was schrieb er über den Roggen?", "Wer war am meisten verschuldet?", "Wann kommt Anton nach Obermatt?",
	}
	for _, q := range all {
		if h, ok := ReadHolding(q); ok && h.Want != WantEvents {
			t.Errorf("%s: read as %+v", q, h)
		}
	}
}
