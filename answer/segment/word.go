package segment

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/words"
)

// A Word is one UAX 29 word that holds a letter or a digit. A possessive ending ('s, ’s, ’) is not
// part of it; the parts of a hyphenated word are words of their own.
type Word struct {
	Start, End int    // byte offsets in the text
	Lower      string // lower case, ’ as ', without a possessive ending
	Upper      bool   // begins with a capital letter
	Possessive bool   // had a possessive ending
}

// Words returns the words of a text in order.
func Words(text string) []Word {
	out := make([]Word, 0, len(text)/6+1)
	it := words.FromString(text)
	for it.Next() {
		t := it.Value()
		first, _ := utf8.DecodeRuneInString(t)
		if !wordly(t, first) {
			continue
		}
		start := it.Start()
		w := strings.TrimRight(t, "'’_")
		if base, ok := strings.CutSuffix(strings.ReplaceAll(w, "’", "'"), "'s"); ok && base != "" {
			w = w[:len(base)]
		}
		possessive := len(w) < len(strings.TrimRight(t, "_"))
		lower := strings.ToLower(w)
		if strings.Contains(lower, "’") {
			lower = strings.ReplaceAll(lower, "’", "'")
		}
		out = append(out, Word{start, start + len(w), lower, unicode.IsUpper(first), possessive})
	}
	return out
}

func wordly(t string, first rune) bool {
	if unicode.IsLetter(first) || unicode.IsDigit(first) {
		return true
	}
	for _, r := range t {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return true
		}
	}
	return false
}

// Function tells words that carry no topic of their own: articles, pronouns, prepositions,
// conjunctions, auxiliaries, negations and question words, in English and German. German words that
// are English content words (die, war, hat, gift …) are not among them. w is in lower case.
func Function(w string) bool { return functionWords[w] }

var functionWords = wordSet(`
	a an the this that these those such same own other another each every either neither both all any some no none
	many much more most few little less least several enough
	i me my mine myself we us our ours ourselves you your yours yourself yourselves thou thee thy he him his himself
	she her hers herself it its itself they them their theirs themselves one ones there here
	who whom whose which what when where why how whether whoever whatever whichever
	and or but nor so yet if then than as because though although while until till unless since
	of in on at by for from to into onto upon with without within about above across after against along among
	around before behind below beneath beside besides between beyond down during inside near off out outside over
	past through throughout toward towards under up per via amid
	am is are was were be been being do does did done doing have has had having can could may might must shall
	should will would ought let not never nor also too very just only even again ever still already quite rather
	almost nearly don't doesn't didn't isn't aren't wasn't weren't can't cannot couldn't won't wouldn't shan't
	shouldn't hasn't haven't hadn't mustn't i'm i've i'll i'd it's he's she's that's there's we're they're you're
	hath doth thence thereof therein hence o'clock etc viz
	der das dem den des ein eine einen einem einer eines und oder aber doch nicht nie kein keine keinen
	keinem keiner ich mich mir du dich dir er ihn ihm sie es wir uns ihr euch ihnen mein meine meinen meinem meiner
	dein deine sein seine seinen seinem seiner ihre ihren ihrem ihrer unser unsere sich wer wen wem wessen wann wo
	wie warum wieso weshalb welche welcher welches welchen welchem wohin woher wovon womit von vom zu zum zur mit
	bei beim nach vor auf aus für gegen über unter zwischen durch ohne um im bis seit während wegen dass daß ob
	wenn weil als auch noch nur schon sehr mehr ist sind bin bist wird wurde wurden werden worden habe haben
	hatte hatten kann konnte muss musste soll sollte dieser diese dieses diesen diesem jener jene dort hier`)
