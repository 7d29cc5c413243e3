package snapshot

// A Relation is the relation of two histories.
type Relation string

// The relations, seen from the first history.
const (
	Same         Relation = "same"         // one newest snapshot
	Ahead        Relation = "ahead"        // the second goes on where the first ends
	Behind       Relation = "behind"       // the first goes on where the second ends
	Fork         Relation = "fork"         // both go on, by different keys: they can be joined
	Equivocation Relation = "equivocation" // one key signed two different snapshots of one Seq
	Unrelated    Relation = "unrelated"    // they are of different archives
)

// A Comparison is the relation of two histories with the snapshots that show
// it: its evidence needs no repository.
type Comparison struct {
	Relation Relation
	Base     *Snapshot // the newest that both hold; nil when they share none

	// Ours and Theirs are the heads or, in an equivocation, the two snapshots
	// of one Seq by one key. Nil for an empty history.
	Ours, Theirs *Snapshot
}

// Compare compares two histories as History returns them, newest first and
// back to the first snapshot. A snapshot is known by its payload: one payload
// signed twice is one snapshot and no conflict. An empty history stands behind
// every other one.
//
// Two snapshots with the same Seq and different payloads, neither of them in
// the other history, are an equivocation when one key (one point) signed both,
// whatever else differs; without such a pair two histories that both go on are
// a fork.
func Compare(ours, theirs []*Snapshot) Comparison {
	c := Comparison{Relation: Same}
	if len(ours) > 0 {
		c.Ours = ours[0]
	}
	if len(theirs) > 0 {
		c.Theirs = theirs[0]
	}
	inOurs, inTheirs := payloads(ours), payloads(theirs)
	for _, s := range ours {
		if inTheirs[string(s.Payload)] {
			c.Base = s
			break
		}
	}
	switch {
	case c.Ours == nil && c.Theirs == nil:
		return c
	case c.Ours == nil:
		c.Relation = Ahead
		return c
	case c.Theirs == nil:
		c.Relation = Behind
		return c
	case c.Ours.Archive != c.Theirs.Archive:
		return Comparison{Relation: Unrelated, Ours: c.Ours, Theirs: c.Theirs}
	}
	headInTheirs, headInOurs := inTheirs[string(c.Ours.Payload)], inOurs[string(c.Theirs.Payload)]
	switch {
	case headInTheirs && headInOurs:
		return c
	case headInTheirs:
		c.Relation = Ahead
		return c
	case headInOurs:
		c.Relation = Behind
		return c
	}
	type signedAt struct {
		seq   int64
		point [32]byte
	}
	alone := map[signedAt]*Snapshot{}
	for _, s := range ours {
		if !inTheirs[string(s.Payload)] {
			alone[signedAt{s.Seq, s.Key.Point()}] = s
		}
	}
	c.Relation = Fork
	for _, s := range theirs { // the last pair found is the oldest: where it began
		if mine := alone[signedAt{s.Seq, s.Key.Point()}]; mine != nil && !inOurs[string(s.Payload)] {
			c.Relation, c.Ours, c.Theirs = Equivocation, mine, s
		}
	}
	return c
}

// payloads returns the payloads of a history.
func payloads(history []*Snapshot) map[string]bool {
	out := make(map[string]bool, len(history))
	for _, s := range history {
		out[string(s.Payload)] = true
	}
	return out
}
