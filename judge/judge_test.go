package judge_test

import (
	"testing"

	"muniment/cite"
	"muniment/judge"
)

func TestJudge(t *testing.T) {
	const f, n, c = cite.ClaimFollows, cite.ClaimNotShown, cite.ClaimContradicted
	for _, x := range []struct {
		claim string
		w     judge.Passage
		want  cite.ClaimVerdict
	}{
		{"Jeder Mieter erhält zwei Schlüssel.", judge.Passage{Words: "Jeder Mieter erhält zwei Schlüssel."}, f},
		{"The mine was safe.", judge.Passage{Words: "The report, which was later withdrawn, said that the mine was safe."}, n},
		{"The mine was safe.", judge.Passage{Before: "The report, which was later withdrawn, said that ", Words: "the mine was safe", After: "."}, n},
		{"Two patients withdrew.", judge.Passage{Words: "Two patients withdrew."}, f},
		{"The beam broke.", judge.Passage{Words: "The beam broke, or so the foreman wrote."}, n},
		{"The drug reduces swelling.", judge.Passage{Words: "In mice, the drug reduces swelling."}, n},
		{"The drug reduced swelling.", judge.Passage{Words: "In mice, the drug reduced swelling."}, n},
		{"The earth is flat.", judge.Passage{Before: "The following statements are false: ", Words: "The earth is flat."}, n},
		{"The school was closed.", judge.Passage{Words: "The school was closed to girls."}, n},
		{"The school was closed to girls.", judge.Passage{Words: "The school was closed to girls."}, f},
		{"The mill cost 50,000 pounds.", judge.Passage{Words: "The mill cost 5,000 pounds."}, c},
		{"The mill was not sold.", judge.Passage{Words: "The mill was sold in 1871."}, c},
		{"The squire did not sell the mill.", judge.Passage{Words: "The squire sold the mill in 1871."}, c},
		{"The widow opened a shop in Leeds.", judge.Passage{Words: "The widow opened a shop in York."}, n},
		{"Anna was born in Leeds.", judge.Passage{Words: "Anna was born in York."}, c},
		{"Der Müller verkaufte neun Hühner.", judge.Passage{Words: "Der Müller verkaufte neunzehn Hühner."}, c},
		{"Der Müller verkaufte neun Hühner.", judge.Passage{Words: "Am 3. Mai verkaufte der Müller neun Hühner."}, f},
		{"Der Müller verkaufte neun Hühner.", judge.Passage{Words: "Der Müller verkaufte neun Hühner, und der Wirt zahlte bar."}, f},
		{"The family drank from it.", judge.Passage{Words: "Although people said the well was cursed, the family drank from it."}, f},
		{"The bank closed.", judge.Passage{Words: "The rumour spread, and the bank closed."}, f},
		{"We walked home.", judge.Passage{Before: "00:00:01.000 --> 00:00:03.000 ", Words: "We walked home."}, f},
		{"The bridge fell in 1871.", judge.Passage{Words: "He said that the mill was old; the bridge fell in 1871."}, f},
		{"He said that the mill was old.", judge.Passage{Words: "He said that the mill was old; the bridge fell in 1871."}, f},
		{"If it rains, the river rises.", judge.Passage{Words: "If it rains, the river rises."}, f},
		{"The river rises.", judge.Passage{Words: "If it rains, the river rises."}, n},
		{"Is the mill old?", judge.Passage{Words: "Is the mill old?"}, n},
		{"The mill was burned by the mob.", judge.Passage{Words: "The mill was burned by the mob, which the sheriff denied."}, n},
		{"42 of 60 papers match the rule.", judge.Passage{Words: "42 of the 60 papers match the rule."}, n},
		{"Anna Brandt sold the cow.", judge.Passage{Words: "I sold the cow.", Writers: []string{"Anna Brandt"}}, f},
		{"She sold her cow.", judge.Passage{Words: "I sold my cow.", Writers: []string{"Anna Brandt"}}, f},
		{"She sold the cow.", judge.Passage{Words: "I sold the cow."}, n},
		{"I sold the cow.", judge.Passage{Words: "I sold the cow."}, f},
		{"The re-opened well-known mine col-\nlapsed.", judge.Passage{Words: "The reopened well-known mine collapsed."}, f},
		{"He didn’t sell the “Rose”.", judge.Passage{Words: "He didn't sell the 'Rose'."}, f},
	} {
		if j := judge.Judge(x.claim, x.w); j.Verdict != x.want {
			t.Errorf("%q of %q%q%q: %s (%s: %s), want %s", x.claim, x.w.Before, x.w.Words, x.w.After, j.Verdict, j.Rule, j.Reason, x.want)
		}
	}
}

// Words without a letter show nothing, and nothing fails on them.
func TestWordsWithoutLetters(t *testing.T) {
	for _, words := range []string{"…", "* * *", "—", "[...]"} {
		if j := judge.Judge("And so it was.", judge.Passage{Words: words}); j.Verdict != cite.ClaimNotShown {
			t.Errorf("%q: %s", words, j.Verdict)
		}
		if j := judge.Judge("The mill burned down", judge.Passage{Words: words}); j.Verdict != cite.ClaimNotShown {
			t.Errorf("%q: %s", words, j.Verdict)
		}
	}
}
