package cite

import (
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// A Role says what a delivered claim is to the question.
type Role string

// The two roles. A quote whose score is below both thresholds has none.
const (
	RoleAnswer  Role = "answer"  // scored high, with negation, modality, names and numbers of the question
	RoleNearest Role = "nearest" // scored low: nobody has checked that it answers
)

// A Feature is one number that a score is made of.
type Feature struct {
	Name  string `json:"name"`
	Value int64  `json:"value"`
}

// A Ranking is everything the role of a quote depends on. A sealed gate leaf
// records it as it stands here.
type Ranking struct {
	Table    string    `json:"table"`    // version of the weights
	Features []Feature `json:"features"` // all that the table names, in its order
	Score    int64     `json:"score"`
	High     int64     `json:"high"` // least score of an answer
	Low      int64     `json:"low"`  // least score of a nearest passage
}

// RankTable is the version of the weights in force.
const RankTable = "rank/v4"

// The versions before it.
const (
	firstRankTable  = "rank/v1"
	secondRankTable = "rank/v2"
	thirdRankTable  = "rank/v3"
)

var (
	//go:embed rank_v1.txt
	firstRankWeights string
	//go:embed rank_v2.txt
	secondRankWeights string
	//go:embed rank_v3.txt
	thirdRankWeights string
	//go:embed rank_v4.txt
	rankWeights string
)

// RankWeights holds the file of each version of the weights; a version that was used to sign stays. A file has a line
// "version NAME", the thresholds "high N" and "low N", a line "least-NAME N" for each feature that an answer has at
// least so much of, and a line "NAME N" for each feature, with its weight. The score of a quote is the sum of its
// features, each times its weight. Package search/rank computes features, and verifiers compute scores again.
var RankWeights = map[string]string{firstRankTable: firstRankWeights, secondRankTable: secondRankWeights, thirdRankTable: thirdRankWeights, RankTable: rankWeights}

// barsAnswer are the features that are 0 in an answer, whatever its score: one of question and
// quote is negated, a mere intention is stated, names or numbers of the question are absent,
// nothing is stated. Those that only later tables have: the sentence lacks the question's verb, its other
// words, what it asks for, or another paper states otherwise.
var barsAnswer = []string{"contrary", "intended", "absent", "untold", "verbless", "apart", "slotless", "opposed"}

// maxFeature is the largest amount of a feature that is read: far more than any
// has, and no sum of features times weights overflows.
const maxFeature = 1 << 20

// rankTables are the weights by version.
var rankTables = map[string]*rankTable{
	firstRankTable:  mustReadTable(firstRankTable, firstRankWeights),
	secondRankTable: mustReadTable(secondRankTable, secondRankWeights),
	thirdRankTable:  mustReadTable(thirdRankTable, thirdRankWeights),
	RankTable:       mustReadTable(RankTable, rankWeights),
}

// A rankTable is one version of the weights.
type rankTable struct {
	high, low int64
	features  []Feature // with the weights as values
	least     map[string]int64
}

// RankTables returns the versions of the weights that are known here, sorted.
func RankTables() []string { return slices.Sorted(maps.Keys(rankTables)) }

// KnowsRanking reports whether the weights of a version are known here.
func KnowsRanking(table string) bool { return rankTables[table] != nil }

// Barriers returns the names of the features that keep a quote from being an answer,
// whatever its score, in the order of the table; nil under weights that are not known.
func (r Ranking) Barriers() []string {
	t := rankTables[r.Table]
	if t == nil {
		return nil
	}
	var out []string
	for _, f := range r.Features {
		least, bounded := t.least[f.Name]
		if bounded && f.Value < least || f.Value != 0 && slices.Contains(barsAnswer, f.Name) {
			out = append(out, f.Name)
		}
	}
	return out
}

// Role returns the role that follows from a ranking: answer, nearest, or "". The
// error says what in the ranking does not follow from its features.
func (r Ranking) Role() (Role, error) {
	t := rankTables[r.Table]
	switch {
	case t == nil:
		return "", fmt.Errorf("the weights %q are not known here", r.Table)
	case r.High != t.high || r.Low != t.low:
		return "", fmt.Errorf("its thresholds are %d and %d, those of %s are %d and %d", r.High, r.Low, r.Table, t.high, t.low)
	case len(r.Features) != len(t.features):
		return "", fmt.Errorf("it has %d features, %s has %d", len(r.Features), r.Table, len(t.features))
	}
	var score int64
	answers := true
	for i, f := range r.Features {
		if f.Name != t.features[i].Name || f.Value > maxFeature || f.Value < -maxFeature {
			return "", fmt.Errorf("feature %d is %q with the value %d, want %q with at most %d", i+1, f.Name, f.Value, t.features[i].Name, maxFeature)
		}
		score += f.Value * t.features[i].Value
		least, bounded := t.least[f.Name]
		answers = answers && (!bounded || f.Value >= least) && (f.Value == 0 || !slices.Contains(barsAnswer, f.Name))
	}
	switch {
	case score != r.Score:
		return "", fmt.Errorf("its features give the score %d, it says %d", score, r.Score)
	case score >= t.high && answers:
		return RoleAnswer, nil
	case score >= t.low:
		return RoleNearest, nil
	}
	return "", nil
}

// mustReadTable reads the weights of a version.
func mustReadTable(version, text string) *rankTable {
	t := &rankTable{least: map[string]int64{}}
	for line := range strings.Lines(text) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		bounded, isLeast := strings.CutPrefix(name, "least-")
		if name == "" || strings.HasPrefix(name, "#") {
			continue
		}
		n, err := strconv.ParseInt(value, 10, 32)
		switch {
		case name == "version" && value == version:
		case err != nil:
			panic(fmt.Sprintf("weights %s: line %q", version, line))
		case name == "high":
			t.high = n
		case name == "low":
			t.low = n
		case isLeast:
			t.least[bounded] = n
		default:
			t.features = append(t.features, Feature{name, n})
		}
	}
	return t
}
