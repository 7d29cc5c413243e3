package clause

import "testing"

func TestQuestionVerb(t *testing.T) {
	cases := []struct {
		question, verb string
		passive        bool
	}{
		{"Who cut down the apple trees?", "cut", false},
		{"When did the old mill burn down?", "burn", false},
		{"When did the owner of the mill sell the land?", "sell", false},
		{"How did Pascoe's mother come to break her wrist?", "come", false},
		{"When did Pascoe return?", "return", false},
		{"What did she plant in the garden?", "plant", false},
		{"In which year was the chapel built?", "built", true},
		{"By whom were the apple trees planted?", "planted", true},
		{"Who was elected mayor in 1904?", "elected", true},
		{"Which engine powered the boat?", "powered", false},
		{"How much did the new ferry boat cost?", "cost", false},
		{"Who has written the report?", "written", false},
		{"Who was the mayor of Wells?", "", false},
		{"What happened to the mill?", "", false},
		{"What was the price of coal?", "", false},
		{"Wer fällte die Apfelbäume?", "fällte", false},
		{"Wann hat Anna die Kuh verkauft?", "verkauft", false},
		{"Von wem wurden die Bäume gefällt?", "gefällt", true},
	}
	for _, c := range cases {
		v, ok := QuestionVerb(c.question)
		if v.Word != c.verb || v.Passive != c.passive || ok != (c.verb != "") {
			t.Errorf("%s: %q, passive %t; want %q, %t", c.question, v.Word, v.Passive, c.verb, c.passive)
		}
	}
}
