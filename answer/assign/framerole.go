package assign

import (
	"slices"

	"muniment/answer/segment"
)

// roles orders what a clause has: active, with one object, and who gets it behind "to".
func (f frame) roles(objects []*noun, passive bool) []frame {
	if f.verb == "be" {
		if len(objects) > 1 {
			return nil
		}
		if len(objects) == 1 {
			f.object = objects[0]
		}
		f.invariant = !(f.tense == "past" && f.object != nil && len(f.object.words) == 1 && (f.object.words[0].text == "present" || f.object.words[0].text == "absent"))
		return []frame{f}
	}
	if !passive && len(objects) == 0 && f.verb == lemma("increase") {
		f.verb = lemma("rise")
	}
	if !passive {
		switch {
		case len(objects) == 2 && givers[f.verb]:
			f.adjuncts = append(slices.Clone(f.adjuncts), adjunct{prep: "to", noun: objects[0]})
			f.object = objects[1]
		case len(objects) == 2:
			return nil
		case len(objects) == 1:
			f.object = objects[0]
		}
		return []frame{f.converse()}
	}
	if len(objects) > 1 || len(objects) == 1 && !givers[f.verb] {
		return nil
	}
	patient := f.subject
	f.subject = nil
	if patient.words[0].text == "it" && slices.ContainsFunc(f.adjuncts, func(a adjunct) bool { return a.prep == "to do" }) {
		patient = nil // it was decided to sell
	}
	if len(objects) == 1 {
		f.adjuncts = append(slices.Clone(f.adjuncts), adjunct{prep: "to", noun: patient})
		f.object = objects[0]
	} else {
		f.object = patient
	}
	var out []frame
	for i, a := range f.adjuncts {
		if a.prep != "by" || a.noun.count != "" && !animate(a.noun) || isDate(a.words[0].text) {
			continue
		}
		g := f
		g.subject = a.noun
		g.adjuncts = slices.Delete(slices.Clone(f.adjuncts), i, i+1)
		out = append(out, g.converse())
	}
	// Without the agent: "opposed by the council" is not "opposed the sale by the council".
	f.adjuncts = slices.Clone(f.adjuncts)
	for i, a := range f.adjuncts {
		if a.prep == "by" && a.noun.count == "" {
			f.adjuncts[i].prep = byAgent
		}
	}
	return append(out, f.converse())
}

// byAgent is the preposition of a passive's agent.
const byAgent = "by whom"

// animate tells counted persons from measures: by 300 people, not by 12 percent.
func animate(n *noun) bool {
	last := n.words[len(n.words)-1]
	return last.upper || persons[segment.Stem(last.text)]
}

// persons are nouns, by stem, of those who do things.
var persons = stemmed(`people man woman member worker child guest pupil student soldier voter person visitor engineer officer constable
	policeman firefighter doctor nurse surgeon teacher clerk farmer sailor fisherman boy girl boatman labourer workman carpenter mason
	inspector surveyor auditor judge juror lawyer witness neighbour resident villager passenger tourist volunteer trustee director councillor
	delegate minister bishop priest monk nun brother sister son daughter cousin uncle aunt friend servant maid footman tenant miner
	scientist researcher chemist geologist botanist photographer journalist reporter editor author artist musician dancer actor singer player
	bidder buyer customer climber walker rider driver porter guard thief burglar robber pirate detective expert historian archaeologist
	shareholder subscriber parishioner churchwarden warden gardener shepherd crew team gang dog horse ox mule`)

// converse writes buy as sell, and belong to as own: the same from the other side.
func (f frame) converse() frame {
	from := func(prep string) *noun {
		i := slices.IndexFunc(f.adjuncts, func(a adjunct) bool { return a.prep == prep && a.noun != nil && (a.host == nil || a.host != f.subject) })
		if i < 0 {
			return nil
		}
		n := f.adjuncts[i].noun
		f.adjuncts = slices.Delete(slices.Clone(f.adjuncts), i, i+1)
		return n
	}
	switch f.verb {
	case lemma("buy"):
		if f.object == nil {
			return f
		}
		seller := from("from")
		if f.subject != nil {
			f.adjuncts = append(slices.Clone(f.adjuncts), adjunct{prep: "to", noun: f.subject})
		}
		f.verb, f.subject = lemma("sell"), seller
	case lemma("belong"):
		if owner := from("to"); owner != nil && f.object == nil {
			f.verb, f.subject, f.object = lemma("own"), owner, f.subject
		}
	}
	return f
}
