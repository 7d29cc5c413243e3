package assign

import (
	"strings"
	"testing"

	"muniment/answer/retrieve"
	"muniment/canon"
)

// letters is a small archive of an invented person: idf has to behave on a dozen passages too.
var letters = []struct{ id, title, date, text string }{
	{"garden", "Letter to Clara Vogt, 12 April 1931", "1931-04-12", "Dear Clara,\n\nThis spring I planted three apple trees and a row of currants behind the mill. The soil is poor, but Father says that ash will mend it.\n\nYour Anna"},
	{"mill", "Letter to Clara Vogt, 3 October 1931", "1931-10-03", "Dear Clara,\n\nThe mill wheel broke in the September flood. Old Matthias Kern repaired it in nine days and asked for nothing but flour.\n\nI have never seen the water so high.\n\nYour Anna"},
	{"diary1", "Diary, 20 November 1939", "1939-11-20", "The ration cards came today: bread, fat and sugar, one sheet for each of us. Mother counted them twice and locked them in the clock."},
	{"diary2", "Diary, 2 January 1940", "1940-01-02", "Peter left for the barracks at six. I gave him my grey scarf. The station was full of women who did not weep."},
	{"diary3", "Diary, 14 May 1945", "1945-05-14", "No bread for two days. We boiled nettles and the last of the turnips. Peter has not written since February."},
	{"bees", "Letter to Elsa, 9 July 1948", "1948-07-09", "Dear Elsa,\n\nThe bees swarmed on Sunday and settled in the pear tree. I caught them with Father's old basket and was stung only once.\n\nYour Anna"},
	{"school", "Letter to the school board, 1950", "1950", "I have taught the lower class for four years. The stove smokes and eleven children have no slates. I ask for coal and for slates, in this order."},
	{"recipe", "Plum cake", "", "Take two pounds of plums, a pound of flour and what butter there is. Bake it slowly. Matthias ate half of it before it was cold."},
	{"flood", "Letter to Peter, 1954-08-01", "1954-08-01", "Dear Peter,\n\nThe flood took the lower bridge and the Kerns' barn. Nobody died. The apple trees of 1931 stand in water to the first branch."},
}

func TestLetters(t *testing.T) {
	docs := make([]retrieve.Doc, 0, len(letters))
	for _, l := range letters {
		docs = append(docs, retrieve.Doc{Artifact: l.id, Title: l.title, Author: "Anna Brandt", Date: l.date, Lang: "en",
			Document: canon.NewDocument(canon.Text([]byte(l.text)))})
	}
	x := build(t, docs)
	open := opener(docs)
	tests := []struct{ question, want string }{ // the artifacts that answer, in order of the parts
		{"What did she plant in the spring of 1931?", "garden"},
		{"What did she plant in the spring of 1931 and who repaired the mill?", "garden mill"},
		{"Who repaired the mill wheel?", "mill"},
		{"What did Matthias Kern ask for?", "mill"},
		{"When did the ration cards come?", "diary1"},
		{"What did she give Peter?", "diary2"},
		{"What did they boil in May 1945?", "diary3"},
		{"Where did the bees settle?", "bees"},
		{"How many children have no slates?", "school"},
		{"What did the flood take in 1954?", "flood"},
		{"What happened on 14 May 1945?", "diary3"},
		{"How many plums does the cake need?", ""},
		{"What did she plant in the spring of 1932?", ""},
		{"Who repaired the telephone?", ""},
		{"Which car did Peter drive?", ""},
		{"Did Clara plant potatoes?", ""},
		{"Who repaired the bridge?", ""},
		{"What did she pay for the horse?", ""},
		{"What did Elsa write to Clara?", ""},
		{"When did the mill burn?", ""},
		{"What did she boil in May 1946?", ""},
		{"How many ration cards did Peter steal?", ""},
	}
	for _, tt := range tests {
		ds := questioned(t, x, tt.question, "Anna Brandt")
		checkDrafted(t, ds, open)
		var got []string
		for _, d := range ds {
			if len(got) == 0 || got[len(got)-1] != d.Artifact {
				got = append(got, d.Artifact)
			}
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%q: %v, want %q", tt.question, ds, tt.want)
		}
	}
}
