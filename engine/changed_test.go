package engine_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"muniment/archive/archivetest"
	"muniment/archive/problem"
	"muniment/engine"
	"muniment/internal/casecount"
	"muniment/text/segment"
)

// changedClaims is how many changed claims TestChangedClaims cites.
var changedClaims = casecount.Of(400, 2000)

// maxFollowed bounds the hints that are followed from one citation.
const maxFollowed = 6

// A slot is a place of a sentence with what the sentence says there and what changed
// claims say.
type slot struct {
	kind  string
	said  string
	other []string
}

// A slotSentence alternates plain words with slots: plain[0], slots[0], plain[1] …
type slotSentence struct {
	plain []string
	slots []slot
}

// readSlotSentences reads the sentences of testdata/changed.txt.
func readSlotSentences(t *testing.T) []slotSentence {
	t.Helper()
	data, err := os.ReadFile("testdata/changed.txt")
	if err != nil {
		t.Fatal(err)
	}
	var out []slotSentence
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "#") {
			continue
		}
		var s slotSentence
		for {
			before, rest, found := strings.Cut(line, "[")
			s.plain = append(s.plain, before)
			if !found {
				break
			}
			inside, after, _ := strings.Cut(rest, "]")
			kind, words, _ := strings.Cut(inside, ":")
			alternatives := strings.Split(words, "/")
			s.slots = append(s.slots, slot{kind, alternatives[0], alternatives[1:]})
			line = after
		}
		out = append(out, s)
	}
	return out
}

// text returns the sentence with the alternatives that are chosen: 0 is what it says.
func (s *slotSentence) text(chosen []int) string {
	var b strings.Builder
	for i, p := range s.plain {
		b.WriteString(p)
		if i == len(s.slots) {
			break
		}
		if chosen[i] == 0 {
			b.WriteString(s.slots[i].said)
		} else {
			b.WriteString(s.slots[i].other[chosen[i]-1])
		}
	}
	said := strings.TrimSpace(b.String())
	return strings.ToUpper(said[:1]) + said[1:]
}

// A changedClaim is a claim that differs from its sentence, and words quoted for it.
type changedClaim struct {
	sentence, claim, quote, relation string
	kinds                            []string
}

// draw returns a claim with one change, or in a third of the draws two, and a quote:
// the sentence, a part of it without the changed words, a part that begins or ends
// at them, or words that are not there.
func (s *slotSentence) draw(r *rand.Rand) changedClaim {
	truth := make([]int, len(s.slots))
	chosen := slices.Clone(truth)
	c := changedClaim{sentence: s.text(truth)}
	changes := 1 + r.IntN(3)/2
	at := 0
	for _, i := range r.Perm(len(s.slots))[:min(changes, len(s.slots))] {
		chosen[i], at = 1+r.IntN(len(s.slots[i].other)), i
		c.kinds = append(c.kinds, s.slots[i].kind)
	}
	c.claim = s.text(chosen)
	c.relation = []string{"direct_quote", "direct_quote", "paraphrase", "inference_from"}[r.IntN(4)]
	said := s.slots[at].said
	begin := len(strings.Join(s.plain[:at+1], ""))
	for _, before := range s.slots[:at] {
		begin += len(before.said)
	}
	end := begin + len(said)
	switch quote := r.IntN(6); {
	case s.slots[at].kind == "cut": // the quotation begins inside the word
		c.quote = c.sentence[end-len(s.slots[at].other[0]):]
	case quote == 0 && begin > 12:
		c.quote = c.sentence[:begin]
	case quote == 1 && len(c.sentence)-end > 12:
		c.quote = c.sentence[end:]
	case quote == 2:
		c.quote = c.sentence[begin:]
	case quote == 3:
		c.quote = c.sentence[:end]
	case quote == 4:
		c.quote = c.claim
	default:
		c.quote = c.sentence
	}
	c.quote = strings.Trim(c.quote, " ,")
	return c
}

// plainWords returns the words of a text in lower case, for comparison.
func plainWords(s string) string {
	var out []string
	for _, w := range segment.Words(s) {
		out = append(out, w.Lower)
	}
	return strings.Join(out, " ")
}

// No hint makes a changed claim verified: every hint is followed that is a citation,
// until there is none. A hint may correct the claim; what is verified then says what
// the sentence says.
func TestChangedClaims(t *testing.T) {
	sentences := readSlotSentences(t)
	if len(sentences) < 40 {
		t.Fatalf("%d sentences, want at least 40", len(sentences))
	}
	var paper strings.Builder
	for i := range sentences {
		fmt.Fprintf(&paper, "%s\n\n", sentences[i].text(make([]int, len(sentences[i].slots))))
	}
	a, s := archivetest.New(t, map[string]string{"paper.txt": paper.String()})
	archivetest.Seal(t, a, s)
	e, err := engine.New(a, engine.Caller{Session: "s", Agent: "a"})
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(15, 2))
	seen := map[string]bool{}
	kinds, statuses := map[string]int{}, map[string]int{}
	followed, corrected, falsely := 0, 0, 0
	err = engine.Together(a, func(g *engine.Group) error {
		e := e.In(g)
		for len(seen) < changedClaims {
			c := sentences[r.IntN(len(sentences))].draw(r)
			if key := c.claim + "\x00" + c.quote + "\x00" + c.relation; seen[key] {
				continue
			} else {
				seen[key] = true
			}
			for _, k := range c.kinds {
				kinds[k]++
			}
			o := engine.CiteOptions{Artifact: "paper.txt", Quote: c.quote, Claim: c.claim, Relation: c.relation, Confidence: "high", Session: "s", Agent: "a"}
			first := ""
			for range maxFollowed {
				result, err := e.Cite(t.Context(), o)
				if err != nil {
					return fmt.Errorf("%+v: %w", o, err)
				}
				first = cmp.Or(first, result.VerificationStatus)
				if result.VerificationStatus == "verified" {
					if !strings.Contains(plainWords(c.sentence), plainWords(o.Claim)) {
						falsely++
						t.Errorf("verified: claim %q, quote %q, changed %v", o.Claim, o.Quote, c.kinds)
					} else if o.Claim != c.claim {
						corrected++
					}
					break
				}
				if result.Next.Do != engine.DoCite || !follow(&o, result.Next) {
					break
				}
				followed++
			}
			statuses[first]++
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d changed claims of %d sentences, by kind of change %v; first verdicts %v; %d hints followed, %d led to the claim that the words make; %d changed claims verified", len(seen), len(sentences), kinds, statuses, followed, corrected, falsely)
	if falsely != 0 || corrected == 0 {
		t.Errorf("%d changed claims are verified, want none; %d hints corrected a claim, want some", falsely, corrected)
	}
	for _, kind := range []string{"number", "negation", "name", "date", "unit", "order", "antonym", "hedge", "cut"} {
		if kinds[kind] < changedClaims/50 {
			t.Errorf("%d claims with a changed %s, want at least %d", kinds[kind], kind, changedClaims/50)
		}
	}
}

// follow fills the fields of a hint into a call. It reports whether the call changed.
func follow(o *engine.CiteOptions, next problem.Step) bool {
	before := fmt.Sprint(*o)
	o.Relation, o.Span = "", ""
	for i := 0; i+1 < len(next.Args); i += 2 {
		field := map[string]*string{"artifact": &o.Artifact, "span": &o.Span, "quote": &o.Quote, "claim": &o.Claim, "relation": &o.Relation,
			"confidence": &o.Confidence, "reasoning": &o.Reasoning, "locator": &o.Locator}[next.Args[i]]
		if field != nil {
			*field = next.Args[i+1]
		}
	}
	return fmt.Sprint(*o) != before
}
