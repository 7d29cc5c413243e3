package segment

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Sentences are written with | between them.
func TestSentences(t *testing.T) {
	tests := []struct{ lang, text string }{
		{"en", "Dr. Smith came at 5 p.m. on Friday.| He left."},
		{"en", "It cost 3.50 marks.| Mr. J. R. Brandt paid."},
		{"en", "See http://example.org/a.b?c=1.| Then open notes.v2.txt and read."},
		{"en", "She grew peas, beans, etc.| The mill burned in Sept. 1931.| It was rebuilt by Smith & Co. Ltd. in 1932."},
		{"en", "“Stop!” he cried.| “I will not stop.”| She ran."},
		{"en", "I waited… and waited.| She never came…| Later I left."},
		{"en", "The U.S. Army came.| They left the U.S.| Then it was quiet."},
		{"en", "The answer is no.| He left.| See No. 7 and pp. 3 and 4."},
		{"en", "2nd (Lord’s day).| Some of our maids sat up late."},
		{"en", "He wrote (see p. 3. It was late.) and slept.| Next day he rose."},
		{"en", "So did I.| We went home."},
		{"en", "The mill burned.[1]| It was rebuilt. [cite:g3][2]| Next."},
		{"en", "Heading without stop\n\n| A text\nover two lines.| End"},
		{"en", "1. Buy bread.| 2. Bake it."},
		{"en", "Is it so?| Yes!| Really?!| Good."},
		{"en", "It was 1931.| The war was far."},
		{"en", "It begun at 3.| At 4 it ended."},
		{"en", "He sat.| Sat. was market day.| I planted them on Sat. and Sun. in rows."},
		{"de", "Am 3. Mai 1931 kam Dr. Brandt.| Er blieb z. B. im Garten.| Danach ging er."},
		{"de", "Der 2. Versuch gelang.| Es waren 12.| Alle kamen am 12. 3. 1931 an."},
		{"de", "Sie sagte: „Ich gehe.“| Dann ging sie usw.| Die Mühle brannte, vgl. S. 12 und Abb. 3."},
		{"de", "Wir aßen Brot, d.h. Reste.| Es gab nichts."},
		{"de", "Vgl. BGH, Urt. v. 12. 3. 2020, Az. I ZR 3/20, BGBl. I S. 4.| Die Fa. Meier zahlt."},
		{"en", "He moved to the U.S.| Millions followed."},
		{"en", "The mill burned.12| It was rebuilt."},
		{"en", "The mill burned.¹²| It was rebuilt.²| “So it was.”3| He left."},
		{"en", "See fig.3 The mill.| It cost 3.50 The lot."},
		{"en", "Buy: 1. Eggs| 2. Flour| 3. Nails"},
		{"en", "She wrote: 14.| It is late."},
		{"hy", "Ջրաղացը այրվեց։| Նա եկավ։"},
		{"hy", "Ջրաղացը այրվեց:| Նա եկավ, էջ 3:"},
		{"sk", "Prišiel 3. mája 1931 s Dr. Novákom.| Odišiel napr. do Viedne atď.| Bolo to tzv. babie leto."},
		{"da", "Han kom d. 3. maj 1931 kl. 5.| Det var bl.a. koldt.| Hr. Hansen gik f.eks. ud."},
		{"ar", "وصل د. أحمد إلى المدينة.| ثم ذهب؟| نعم."},
		{"", "今日は雨。| 明日は晴れ。"},
		{"en", "The mill\n|\u00a0The race"},
		{"en", "The mill\u00a0\n\u3000\n|1. Buy bread."},
	}
	for _, tt := range tests {
		want := strings.Split(tt.text, "|")
		text := strings.Join(want, "")
		for i := range want {
			want[i] = strings.TrimSpace(want[i])
		}
		var got []string
		for _, r := range Sentences(text, tt.lang) {
			got = append(got, text[r.Start:r.End])
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s: %s", tt.lang, d)
		}
	}
}

// TestTables checks that a row of a table is one sentence, whatever stops its cells have.
func TestTables(t *testing.T) {
	text := "| Statement. | True? |\n|---|---|\n| The lamp was out. He left. | no |\n| It rained! | yes |\n\nThe rest is prose. It has stops."
	want := []string{"| Statement. | True? |", "|---|---|", "| The lamp was out. He left. | no |", "| It rained! | yes |", "The rest is prose.", "It has stops."}
	var got []string
	for _, r := range Sentences(text, "en") {
		got = append(got, strings.TrimSpace(text[r.Start:r.End]))
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestStem(t *testing.T) {
	same := [][]string{
		{"plant", "plants", "planted", "planting"}, {"buy", "bought", "buys", "buying"}, {"see", "saw", "seen", "seeing", "sees"},
		{"fire", "fires", "fired"}, {"make", "made", "making", "makes"}, {"house", "houses"}, {"repair", "repaired"},
		{"travel", "travelled", "traveled", "travelling"}, {"carry", "carried", "carrying", "carries"},
		{"change", "changed", "changing"}, {"receive", "received"}, {"agree", "agreed", "agreeing"}, {"church", "churches"},
		{"mouse", "mice"}, {"lady", "ladies"}, {"die", "died", "dying"}, {"plan", "planned", "planning"}, {"plane", "planes"},
		{"hope", "hoped", "hoping"}, {"call", "called"}, {"leave", "left", "leaving", "leaves"}, {"use", "used", "using", "uses"},
		{"potato", "potatoes"}, {"horse", "horses"}, {"run", "ran", "running"}, {"love", "loved", "loves"}, {"try", "tried", "tries"},
		{"rise", "rising"}, {"wife", "wives"}, {"dress", "dressed", "dresses"}, {"go", "went", "gone", "going", "goes"},
	}
	forms := map[string]string{}
	for _, set := range same {
		for _, w := range set {
			if Stem(w) != Stem(set[0]) {
				t.Errorf("Stem(%q) = %q, Stem(%q) = %q", w, Stem(w), set[0], Stem(set[0]))
			}
		}
		if other, ok := forms[Stem(set[0])]; ok {
			t.Errorf("%q and %q meet in %q", set[0], other, Stem(set[0]))
		}
		forms[Stem(set[0])] = set[0]
	}
	for _, pair := range [][2]string{{"general", "generous"}, {"fire", "fir"}, {"plan", "plane"}, {"universe", "university"},
		{"sing", "sin"}, {"wing", "win"}, {"slow", "slowly"}, {"hope", "hop"}, {"king", "kin"}} {
		if Stem(pair[0]) == Stem(pair[1]) {
			t.Errorf("%q and %q meet in %q", pair[0], pair[1], Stem(pair[0]))
		}
	}
}

func TestQuestionParts(t *testing.T) {
	tests := []struct{ question, want string }{ // parts with | between, context after @
		{"What did she plant in the spring of 1931 and who repaired the mill?", "What did she plant in the spring of 1931|who repaired the mill?"},
		{"In 1931, what did she plant and who repaired the mill?", "In 1931, what did she plant|who repaired the mill?@In 1931"},
		{"What did she plant and who repaired the mill, in the spring of 1931?", "What did she plant@in the spring of 1931|who repaired the mill, in the spring of 1931?"},
		{"Who was elected secretary, and since when?", "Who was elected secretary|since when?"},
		{"Who let the cottage and for how much?", "Who let the cottage|for how much?"},
		{"Since when and for whom did she plant?", "Since when and for whom did she plant?"},
		{"Did she buy bread and butter?", "Did she buy bread and butter?"},
		{"Where and when did they meet?", "Where and when did they meet?"},
		{"Who was the man who repaired the mill and who built the bridge?", "Who was the man who repaired the mill and who built the bridge?"},
		{"When did the mill burn and who rebuilt it?", "When did the mill burn|who rebuilt it?@the mill"},
		{"What did he see? And what did he do?", "What did he see?|what did he do?"},
		{"What did she write about the garden, and did she sell the house?", "What did she write about the garden|did she sell the house?"},
		{"Why did he leave; to whom did he write?", "Why did he leave|to whom did he write?"},
		{"What did Anna and Peter plant?", "What did Anna and Peter plant?"},
		{"Was pflanzte sie 1931 und wer reparierte die Mühle?", "Was pflanzte sie 1931|wer reparierte die Mühle?"},
		{"What did he see of the fire on 2 September 1666?", "What did he see of the fire on 2 September 1666?"},
		{"Tell me about the war ration cards.", "Tell me about the war ration cards."},
		{"?!", ""},
	}
	for _, tt := range tests {
		var got []string
		for _, p := range QuestionParts(tt.question) {
			s := p.Text
			if p.Context != "" {
				s += "@" + p.Context
			}
			got = append(got, s)
			if tt.question[p.Start:p.End] != p.Text {
				t.Errorf("%q: offsets %d–%d give %q", p.Text, p.Start, p.End, tt.question[p.Start:p.End])
			}
		}
		if d := cmp.Diff(tt.want, strings.Join(got, "|")); d != "" {
			t.Errorf("%q: %s", tt.question, d)
		}
	}
}
