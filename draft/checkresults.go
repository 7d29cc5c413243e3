package draft

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"

	"muniment/archive"
	"muniment/archive/problem"
	"muniment/draft/enforce"
)

// A SearchResult is one search result that somebody already has.
type SearchResult struct {
	Source     string  `json:"source"`     // whatever tells sources apart
	Place      string  `json:"place"`      // where in it; "" when it is not known
	Similarity float64 `json:"similarity"` // 0 to 1
	Tier       int     `json:"tier"`       // 1 for a primary source
	Title      string  `json:"title"`
	Creator    string  `json:"creator"`
	Date       string  `json:"date"`
}

// A ResultsCheck says whether search results are enough for a profile.
type ResultsCheck struct {
	Profile     string           `json:"profile"`
	QueryType   string           `json:"query_type"`
	Allowed     bool             `json:"allowed"`
	Message     string           `json:"message"` // of a refusal
	Gaps        []string         `json:"missing_context"`
	Suggestions []string         `json:"suggestions"`
	Questions   []string         `json:"clarifying_questions"`
	Results     int              `json:"results"`
	Citeable    int              `json:"citeable"`
	Figures     *enforce.Figures `json:"figures"`
}

// MaxResults is how many search results are judged at once: no search shows more.
const MaxResults = 10_000

// CheckResults judges search results, JSON, by the thresholds of a profile; educator when none is
// named. A list, or an object with the list as its member results.
func CheckResults(a *archive.Archive, name, query string, data []byte) (*ResultsCheck, error) {
	if name == "" {
		name = "educator"
	}
	rules, err := FindProfile(a, name)
	if err != nil {
		return nil, err
	}
	list, err := readResults(data)
	if err != nil {
		return nil, problem.New(problem.Usage, problem.Advise(`give a list of objects such as {"source":"letter.txt","place":"p1","similarity":0.82,"tier":1,"title":"Letter","creator":"Ann","date":"1931"}`), "results: %w", err)
	}
	var results []enforce.Result
	for _, r := range list {
		one := enforce.Result{Name: r.Source, Source: r.Source, Place: r.Place, Similarity: r.Similarity, Primary: r.Tier == 1}
		if r.Place == "" {
			one.Place = r.Source // the whole of it
		}
		for _, m := range [][2]string{{"title", r.Title}, {"creator or publisher", r.Creator}, {"date", r.Date}} {
			if m[1] == "" {
				one.Missing = append(one.Missing, m[0])
			}
		}
		results = append(results, one)
	}
	d := enforce.Evaluate(enforce.TypeOf(query), results, rules.Answers, enforce.Toggles{}).Named(rules.Name)
	if yes := true; !d.Required && len(results) > 0 {
		// What is shown is cited, and meets the thresholds.
		d = enforce.Evaluate(d.Type, results, rules.Answers, enforce.Toggles{CitationsRequired: &yes}).Named(rules.Name)
	}
	list0 := func(s []string) []string { return append([]string{}, s...) }
	return &ResultsCheck{Profile: rules.Name, QueryType: string(d.Type), Allowed: !d.Refuse, Message: d.Message, Gaps: list0(d.Gaps), Suggestions: list0(d.Suggestions),
		Questions: list0(d.Questions), Results: d.Results, Citeable: d.Citeable, Figures: d.Measured()}, nil
}

// readResults reads search results strictly: a member that is not known, and a similarity that is none,
// is an error.
func readResults(data []byte) ([]SearchResult, error) {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	var list []SearchResult
	var err error
	if bytes.HasPrefix(bytes.TrimSpace(data), []byte("{")) {
		var in struct {
			Results []SearchResult `json:"results"`
		}
		err = dec.Decode(&in)
		list = in.Results
	} else {
		err = dec.Decode(&list)
	}
	if err == nil {
		if _, tail := dec.Token(); tail != io.EOF {
			err = errors.New("something stands behind the list")
		}
	}
	if err != nil {
		return nil, err
	}
	if len(list) > MaxResults {
		return nil, errors.New("more than 10,000 results")
	}
	for _, r := range list {
		if !(r.Similarity >= 0 && r.Similarity <= 1) || r.Tier < 0 || r.Tier > 4 {
			return nil, errors.New("a similarity is 0 to 1, and a tier 0 to 4")
		}
	}
	return list, nil
}
