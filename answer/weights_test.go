package answer

import (
	"os"
	"testing"

	"muniment/cite"
	"muniment/search/rank"
)

// Scores are made and judged again by the same weights: those that verifiers hold
// are a copy of those that sentences are ranked by.
func TestWeightsOfVerifiers(t *testing.T) {
	data, err := os.ReadFile("../search/rank/weights.txt")
	if err != nil {
		t.Fatal(err)
	}
	if string(data) != cite.RankWeights[cite.RankTable] || rank.Default().Version != cite.RankTable {
		t.Error("cite/rank_v4.txt is not search/rank/weights.txt; after copying it: go test ./bundle ./verifiers -run 'TestVectors|TestWeights' -update")
	}
}
