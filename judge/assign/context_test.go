package assign

import (
	"strings"
	"testing"

	"muniment/cite"
)

// reversed are texts whose context makes the words in them a condition, a
// denial, a fiction or somebody else's word, and claims that drop that context:
// none may rest on them, as a quotation, a paraphrase or an inference.
const reversed = `
Had Georg come home, he would have sold the mill. => Georg probably came home. | She wrote “Georg come home”. | Georg probably sold the mill. | Perhaps Georg had come home and sold the mill. | Apparently Georg sold the mill.
Were he rich, he would buy the inn. => He is probably rich and will buy the inn. | Perhaps he would buy the inn.
Should he sell the horse, we starve in winter. => He probably sells the horse. | Perhaps we starve in winter. | She wrote “we starve in winter”.
But for the snow the coach reached Steyr. => The coach probably reached Steyr. | She wrote: “the coach reached Steyr”.
Max walked about as if he owned the mill. => Max probably owned the mill. | She wrote “he owned the mill”. | Perhaps he owned the mill.
Max talked as though he owned the whole mill. => Perhaps Max owned the whole mill. | She wrote “he owned the whole mill”.
It is false that Georg stole the ring. => Georg probably stole the ring. | She wrote “Georg stole the ring”. | Georg stole the ring. | Perhaps Georg stole the ring.
He denied that Georg stole the ring. => Georg probably stole the ring. | She wrote “Georg stole the ring”. | Georg stole the ring.
Peter claims that Georg stole the ring. => Georg probably stole the ring. | She wrote “Georg stole the ring”. | Georg stole the ring.
If Georg comes home, we sell the mill. => Georg probably comes home. | We probably sell the mill. | She wrote “we sell the mill”.
We sell the mill unless Georg comes home. => We probably sell the mill. | Georg probably comes home. | She wrote “We sell the mill”.
Georg never came home from Steyr. => Georg probably came home from Steyr. | She wrote “came home from Steyr”.
Georg did not sell the mill to Peter. => Georg probably did sell the mill to Peter. | She wrote “sell the mill to Peter”. | Perhaps Georg sold the mill to Peter.
I dreamed that the barn burned down. => The barn probably burned down. | She wrote “the barn burned down”.
They say that Ida poisoned the well. => Ida probably poisoned the well. | She wrote “Ida poisoned the well”.
I heard that Ida poisoned the well. => Ida probably poisoned the well. | She wrote “Ida poisoned the well”.
According to Peter, Ida poisoned the well. => Ida probably poisoned the well. | She wrote “Ida poisoned the well”.
I wish the mill belonged to Clara. => The mill probably belonged to Clara. | She wrote “the mill belonged to Clara”.
The mill nearly burned down in May. => The mill probably burned down in May. | She wrote “burned down in May”.
He pretended that the mill burned down. => The mill probably burned down. | She wrote “the mill burned down”.
He could have sold the mill to Peter. => He probably sold the mill to Peter. | She wrote “sold the mill to Peter”.
Georg stole the ring. That is a lie. => Georg stole the ring. | Georg probably stole the ring. | She wrote “Georg stole the ring”. | “Georg stole the ring.”
Ida poisoned the well. None of this is true. => Ida poisoned the well. | Ida probably poisoned the well. | She wrote “Ida poisoned the well”.
The barn burned down. It was only a dream. => The barn burned down. | The barn probably burned down.
Wenn Georg heimkommt, verkaufen wir die Mühle. => Wahrscheinlich verkaufen wir die Mühle. | Sie schrieb „verkaufen wir die Mühle“.
Wäre Georg reich, kaufte er die Mühle. => Georg kaufte wahrscheinlich die Mühle. | Vielleicht kaufte Georg die Mühle.
Es ist falsch, dass Georg den Ring stahl. => Georg stahl wahrscheinlich den Ring. | Sie schrieb „Georg den Ring stahl“.
Peter behauptet, dass Georg den Ring stahl. => Georg stahl wahrscheinlich den Ring. | Georg stahl den Ring.
Georg, not Peter, came home in May. => Peter probably came home in May. | She wrote “Peter, came home in May”.
Georg, never, came home in May. => Georg probably came home in May.
I saw Georg, but not in Linz. => She probably saw Georg in Linz. | Perhaps Georg was seen in Linz.
Did Georg sell the mill to Peter? => Georg probably sold the mill to Peter. | She wrote “Georg sell the mill”.
Peter denied it when Clara accused Georg of arson. => Georg was probably guilty of arson.
`

// spoken are near misses: what turns a sentence stands in another clause, in
// another sentence, in the quotation itself or in the claim too, or only looks
// like it. Each claim keeps evidence.
const spoken = `
Georg had come home before the snow. => Georg had probably come home before the snow. | She wrote “Georg had come home before the snow”. | Georg had come home before the snow.
They were poor, and Georg came home in May. => Georg probably came home in May. | She wrote “Georg came home in May”.
I did not sleep, and the river rose in the night. => The river probably rose in the night. | She wrote “the river rose in the night”.
He denied the debt. Georg came home in May. => Georg probably came home in May. | She wrote “Georg came home in May”. | Georg came home in May.
If it rained we stayed. Georg came home in May. => Georg probably came home in May. | She wrote “Georg came home in May”. | Georg came home in May.
I told Ruth that Georg came home in May. => She wrote “Georg came home in May”. | Georg probably came home in May.
I believe Georg came home in May. => Georg probably came home in May. | She wrote “I believe Georg came home in May”.
Georg did not come home. => Georg did not come home. | Georg probably did not come home. | She wrote “Georg did not come home”.
If Georg comes home, we sell the mill. => She wrote “If Georg comes home, we sell the mill”. | Perhaps, if Georg comes home, we sell the mill.
Peter claims that Georg stole the ring. => Peter claims that Georg stole the ring. | She wrote “Peter claims that Georg stole the ring”. | Georg allegedly stole the ring, as Peter claims.
We did not sell the old mill. => She wrote of “the old mill”.
Georg stole the ring. That is a long story. => Georg probably stole the ring. | Georg stole the ring. | She wrote “Georg stole the ring”.
Nothing grew that year. The barn burned down. => The barn probably burned down. | The barn burned down.
Mr. Should came home in May. => She wrote “came home in May”.
The false teeth of Max lay on the table in May. => She wrote “The false teeth of Max lay on the table in May”.
`

func TestContextReverses(t *testing.T) {
	list := pairs(t, reversed, 60)
	for _, p := range list {
		for _, text := range []string{p[0], "Dear Clara. " + p[0], "The year was hard. " + p[0] + " It rained."} {
			if e := onText(t, p[1], text, ""); e.Relation != "" {
				t.Errorf("%q rests as %s on %q", p[1], e.Relation, text)
			}
		}
	}
}

func TestContextKeeps(t *testing.T) {
	list := pairs(t, spoken, 29)
	for _, p := range list {
		if e := onText(t, p[1], p[0], ""); e.Relation == "" {
			t.Errorf("%q has no evidence in %q: %v", p[1], p[0], e.Tests)
		} else if e.Relation == cite.InferenceFrom && !e.Marker {
			t.Errorf("%q is an inference without a marker", p[1])
		}
	}
}

func pairs(t *testing.T, list string, least int) (out [][2]string) {
	t.Helper()
	for line := range strings.Lines(strings.TrimSpace(list)) {
		text, claims, ok := strings.Cut(strings.TrimSpace(line), " => ")
		if !ok {
			t.Fatalf("%q: no =>", line)
		}
		for c := range strings.SplitSeq(claims, " | ") {
			out = append(out, [2]string{text, c})
		}
	}
	if len(out) < least {
		t.Fatalf("%d pairs, want at least %d", len(out), least)
	}
	return out
}
