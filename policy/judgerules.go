package policy

import (
	"embed"
	"encoding/json"
	"slices"
)

//go:embed shipped/*.json
var shipped embed.FS

// ShippedProfile returns the file of a profile that is shipped with the program; draft/profile reads it whole.
func ShippedProfile(name string) (data []byte, ok bool) {
	data, err := shipped.ReadFile("shipped/" + name + ".json")
	return data, err == nil
}

// DefaultProfile is the profile of an answer or a draft that names none. It has no diversity, recency or
// minimum-source rules.
const DefaultProfile = "persona-archive"

// HouseProfile is the name of an archive's own profile whose judged holds wherever the profile of a call says nothing of it, and for calls
// without a profile.
const HouseProfile = "archive"

// What becomes of claims that only a model judged to follow.
const (
	JudgedNever    = "never"    // no model is asked
	JudgedLabeled  = "labeled"  // they are inferences, and name their judge
	JudgedVerified = "verified" // they count like those that the rules recognise
)

// IsJudged reports whether a word says what becomes of claims that only a model judged to follow; "" leaves it open.
func IsJudged(word string) bool {
	return slices.Contains([]string{"", JudgedNever, JudgedLabeled, JudgedVerified}, word)
}

// JudgeRules holds the members of a profile that decide what makes one claim verified.
type JudgeRules struct {
	Judged  string `json:"judged"`  // one of the three above; "" leaves it open
	Reviews int    `json:"reviews"` // organisations of which a person must have reviewed a citation
}

// ReadJudgeRules reads these members from the file of a profile, which was checked when it was added.
func ReadJudgeRules(profile []byte) (j JudgeRules, err error) {
	if err := json.Unmarshal(profile, &j); err != nil {
		return JudgeRules{}, err
	}
	return j, nil
}
